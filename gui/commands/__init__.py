"""The commands' implementations for the terminal, one file per command."""
