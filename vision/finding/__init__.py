"""Finding boards: known skins by their pictures, strange ones by what they look like."""
