"""The page on which the user practises: positions from the user's games, and a daily board."""
