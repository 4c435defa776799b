"""The page that edits a position."""
