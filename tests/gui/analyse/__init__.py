"""The page on which a position is read, set up, corrected and analysed."""
