"""The page that shows, teaches, renames, exports and imports skins."""
