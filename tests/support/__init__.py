"""Helpers of the tests that are used in more than one place."""
