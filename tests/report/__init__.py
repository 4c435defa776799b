"""What was measured, kept, and the README's figures made from it: `python -m tests.report`."""
