"""Tests of `gui.commands`."""
