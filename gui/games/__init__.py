"""The page of games: the list with its statistics, and an opened game, turn by turn."""
