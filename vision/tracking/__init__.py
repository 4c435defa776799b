"""Following boards: which one is meant, what changed in it, how its game stands."""
