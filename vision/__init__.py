"""The eye: capture, find the board, read the tiles, record."""
