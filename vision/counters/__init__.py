"""Numbers beside a board: strokes, digits and counters, and how many mines there are."""
