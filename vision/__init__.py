"""Read boards from the screen: capture, find the board, read the tiles, record."""
