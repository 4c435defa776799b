"""Recorded games: list, playback, rating and export."""
