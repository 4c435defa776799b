"""End-to-end tests of the program on Windows: in a Windows Python, which `wine.py` sets up."""
