"""Exact mine probabilities of a position, in machine code.

The steps, each in a module that works on the tables of `tables.Work`:

1. `fringe`: read the tiles; each hint that touches covered cells is a constraint. Single
   constraints decide cells (all safe, or all mines) until none decides another one. Cells
   in the same constraints form a box; constraints that share boxes form a component.
2. `components`: order the boxes of a component and find its states, box by box.
3. `counting`: count the placements of each component by number of mines, combine the
   components and the floating cells by the total number of mines, and compute the expected
   number of mines in each box.
4. `position`: the stages above, resumable after a budget of steps; the cell to open.

`interface` calls them from Python; `guess` and `endgame` read the tables of a solved board. A
solution places all mines; a placement those on the perimeter. Whether a cell is certain is decided
by which states can be reached, never by a float.
"""
