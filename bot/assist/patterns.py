"""Name the pattern by which a person could have found a safe cell.

A pattern is named by the mines that two hints still need, without the known mines around them: a
'1-2' is a 1 and a 2 beside each other, or a 3 and a 4 with two known mines each.

Source: the strategies of J. Slagle (000, 001), as `bot.solver.published.deduction` applies them;
the names are those that players use.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.board import Board, Cell, neighbours
from bot.solver.constraints import simplify, system_of
from bot.solver.published.deduction import Deduction, Progress, human_solve

ONE_HINT: Final = "a number that has all its mines"
TOGETHER: Final = "a cell that only several numbers together prove safe"
COUNTING: Final = "a cell that the number of mines left proves safe"


class Pattern(NamedTuple):
    """A pattern of hints."""

    name: str
    """With article: 'a 1-2'."""
    edge: bool = False
    """Whether it is at the edge of the board."""

    def __str__(self) -> str:
        return f"{self.name} along the edge" if self.edge else self.name


def what_to_look_for(name: str) -> str:
    """Return a sentence that says what to look for, for players who do not know the names.

    Args:
        name: The text of a pattern.
    """
    numbers, _, edge = name.removeprefix("a ").partition(" along ")
    needs = numbers.split("-")
    if not all(map(str.isdecimal, needs)):
        return f"Look for {name}."
    least, most = needs[0], needs[-1]
    each = f"{least} more each" if least == most else f"{' and '.join(needs)} more"
    where = " at the edge of the board" if edge else ""
    return (
        f"Look for {name}: numbers close together{where} that, without the mines you know, need "
        f"{each}. Compare the cells that touch both with those that touch only one."
    )


class MissedCell(NamedTuple):
    """A safe cell that was missed, and the pattern that proves it."""

    cell: Cell
    pattern: Pattern


def find_easiest(board: Board, safe: Sequence[Cell]) -> MissedCell | None:
    """Return the safe cell that is the easiest to find; None if there is none.

    Args:
        board: The visible board.
        safe: The cells that are proved safe.
    """
    if not safe:
        return None
    system = system_of(board)
    simple = simplify(system.constraints)
    single = {system.cell(index): simple.known[index] for index in simple.because}
    seen = next((cell for cell in safe if single.get(cell) == 0), None)
    if seen is not None:
        return MissedCell(seen, Pattern(ONE_HINT))
    marks = [cell for cell, mine in single.items() if mine]
    found = _by_two(board, safe, human_solve(board, proved_mines=marks))
    if found is not None:
        return found
    floating = {system.cell(index) for index in system.floating}
    touching = next((cell for cell in safe if cell not in floating), None)
    if touching is not None:
        return MissedCell(touching, Pattern(TOGETHER))
    return MissedCell(safe[0], Pattern(COUNTING))


def _by_two(board: Board, safe: Sequence[Cell], game: Progress) -> MissedCell | None:
    """Return the safe cell that needs the fewest pairs of hints; None if pairs do not suffice."""
    chains = {
        cell: _chain(game, at)
        for at, fired in enumerate(game.fired)
        if not fired.mines
        for cell in fired.cells
    }
    found = [
        (cell, chains[index])
        for cell in safe
        if (index := cell.row * board.cols + cell.col) in chains
    ]
    if not found:
        return None
    cell, chain = min(found, key=lambda one: _effort(one[1]))
    return MissedCell(cell, _pattern(board, game, chain))


def _chain(game: Progress, at: int) -> tuple[Deduction, ...]:
    """Return a deduction and those that it depends on: they marked the mines around its points."""
    by = {cell: fired for fired in game.fired[:at] for cell in fired.cells}
    chain = [game.fired[at]]
    for fired in chain:
        around = (near for point in fired.points for near in game.around(point))
        chain += [by[near] for near in around
                  if near in by and by[near] not in chain
                  and game.fired.index(by[near]) < game.fired.index(fired)]  # fmt: skip
    return tuple(chain)


def _effort(chain: tuple[Deduction, ...]) -> tuple[int, int]:
    """Return the number of steps with two hints, and of all steps."""
    return sum(len(fired.points) > 1 for fired in chain), len(chain)


def _pattern(board: Board, game: Progress, chain: tuple[Deduction, ...]) -> Pattern:
    """Return the pattern nearest to the cell whose hints both still need mines."""
    table = neighbours(board.rows, board.cols)
    marked = set(game.marks).difference(*(one.cells for one in game.fired if one.mines))
    needs: dict[int, list[int]] = {}
    for at, one in enumerate(game.fired):
        needs[at] = sorted(game.hints[p] - len(marked.intersection(table[p])) for p in one.points)
        marked.update(one.cells if one.mines else ())
    for one in chain:
        need = needs[game.fired.index(one)]
        if len(one.points) > 1 and need[0]:
            places = [divmod(p, board.cols) for p in one.points]
            edge = any(
                row in (0, board.rows - 1) or col in (0, board.cols - 1) for row, col in places
            )
            return Pattern(f"a {'-'.join(map(str, need))}", edge)
    return Pattern(ONE_HINT)
