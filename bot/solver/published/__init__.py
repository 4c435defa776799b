"""The published solvers: one module for each source document."""
