"""The panel posed for its pictures: `tests.pictures` takes them all."""
