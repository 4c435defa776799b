"""A family of small Minesweeper programs, no two alike, made from one table of options.

| file         | holds                                                                          |
|--------------|--------------------------------------------------------------------------------|
| `options.py` | the properties of a program                                                    |
| `art.py`     | the tile sets, faces and counters, as lists of shapes                          |
| `play.py`    | the effect of a click, the layout; shared by all programs                      |
| `tk.py` ...  | a window each, that paints shapes and passes events on: Tk, Qt, a web page     |

The reports on a program's standard output are only for the test (`play.py` lists them): the
product sees only its window. The rules are in `tests/support/rules.py`. This file imports nothing,
so that the programs can run with a Python that has only their toolkit.
"""
