"""The page of skins."""
