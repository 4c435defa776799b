"""The game, the solvers, the loop and the mouse: no pictures, no widgets."""
