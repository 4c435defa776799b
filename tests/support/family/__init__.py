"""A family of small Minesweeper programs, no two alike, made from one table of options.

| file         | holds                                                                          |
|--------------|--------------------------------------------------------------------------------|
| `options.py` | the table: what a program can be like, the combinations, which are held out    |
| `art.py`     | the tile sets, faces and counters, as lists of shapes                          |
| `play.py`    | the rules, what a click does, where everything is; shared by all programs      |
| `tk.py` ...  | a window each, that paints shapes and passes events on: Tk, GTK, Qt, a web page |
| `start.py`   | starts one; `python -m tests.support.family` does it by hand                   |

What a program reports on its standard output is for the test alone (`play.py` lists it): the
product sees only its window. This file imports nothing, so that the programs can run with a
Python that has only their toolkit.
"""
