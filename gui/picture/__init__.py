"""The page that reads a picture."""
