"""The page on which a position is set up and analysed at every change."""
