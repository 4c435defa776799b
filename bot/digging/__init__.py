"""The second game (source 002): find all mines with the fewest digs, and its players."""
