"""Tests of the control panel."""
