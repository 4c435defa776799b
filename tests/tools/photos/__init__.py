"""The panel posed for its pictures: `tests.tools.pictures` takes them all."""
