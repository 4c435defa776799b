"""The runner: connects reader, solver and mouse, and recovers when they are disturbed.

`protocol` is its boundary; `process` plays for a panel, which has a `client`, and `player` is its
run; `runner` plays on a board that `startup` has found; `recovery` says what is waited out,
reported, or ends a run; `recording` is a generator around it. `protocol` and `client` load without
the reader, for the panel's start.
"""
