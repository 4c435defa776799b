"""The exact engine in machine code: from tiles to mine probabilities without the interpreter."""
