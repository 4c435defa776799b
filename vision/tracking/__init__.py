"""Track boards: choose one, follow its window, read its tiles and the state of its game."""
