"""The X server, asked and told directly: what only X11 can do, behind seams of a few functions."""
