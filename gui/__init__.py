"""The control panel, the built-in game and the command line."""

import os

# Set before numpy is loaded: on two busy cores its threads wait for each other longer than they
# work. Finding a board took 1007 ms with them and 392 ms without.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
