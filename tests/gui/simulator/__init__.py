"""Tests of `gui.simulator`."""
