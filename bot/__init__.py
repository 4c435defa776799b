"""Rules, solvers, planner, play loop and mouse."""
