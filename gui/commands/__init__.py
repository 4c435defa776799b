"""What the commands do, told in a terminal: one file a command."""
