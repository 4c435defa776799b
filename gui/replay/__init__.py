"""Recorded sessions: listed, played, rated, exported."""
