"""Compare solvers: many games on the same boards."""
