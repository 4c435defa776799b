"""The control panel, the simulated window and the command line."""
