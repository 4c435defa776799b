"""Tests of the page Practice."""
