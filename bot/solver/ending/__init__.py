"""The end game in machine code: all solutions, and the tree of what perfect play wins."""
