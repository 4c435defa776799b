"""Tests, laid out as the folders they test."""

import gui  # noqa: F401 - before numpy: it says how many threads the libraries may have
