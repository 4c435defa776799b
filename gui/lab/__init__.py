"""The laboratory in the panel."""
