"""Tests of the laboratory's page."""
