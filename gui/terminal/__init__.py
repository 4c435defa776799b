"""Minesweeper in a terminal: to play, with hints, or to watch a solver play."""
