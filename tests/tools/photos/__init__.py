"""Screenshots of the panel: `tests.tools.pictures` takes them all."""
