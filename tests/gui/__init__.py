"""Tests of the windows."""
