"""Tests that start programs."""
