"""The laboratory: many games, many solvers, the same boards."""
