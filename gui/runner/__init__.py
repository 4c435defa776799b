"""The runner: connect reader, solver and mouse, and recover when they are disturbed.

`README.md` beside this file has its modules, its states, and where to add what. `protocol`,
`states` and `client` load without the reader, for the panel's start.
"""
