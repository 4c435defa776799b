"""Minesweeper in a terminal: to play by hand, with hints, or to watch a solver play."""
