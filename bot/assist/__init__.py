"""Follow a game that the user plays: advice, verdicts on moves, and the recorded turns."""
