"""Learning a skin that was never seen: kinds of tiles, what they stand for, what to ask."""
