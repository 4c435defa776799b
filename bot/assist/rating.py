"""How good a move was: the risk it took, the least there was, and what it did to the chance to win.

Where few solutions are left all that can still happen is looked at, and the chances are
exact. Else they are what the value function of `bot.solver.guess` makes of them: an
estimate, trained on Expert boards, that says more of two moves on one board than of two boards.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Analysis, Limit
from bot.board import EXPLODED, FLAG, MINE, UNOPENED, Board, Cell, InconsistentBoard
from bot.planner import Action, Move
from bot.solver import PLAYER, solver
from bot.solver.explain import count_solutions
from bot.solver.player import first_click

if TYPE_CHECKING:
    from bot.solver.guess.choice import GuessWork

NODES: Final = 200_000
"""States of the end game to look at, unless the limit says otherwise: about a second."""
_kept = threading.local()


@dataclass(frozen=True)
class WinningChance:
    """How likely a position is won by whoever plays on as well as we know."""

    value: float | None
    """0..1; None where the board is too large to say."""
    exact: bool
    """Whether all that can happen was looked at; else it is an estimate."""
    best: Cell | None
    """The cell to open; None where there is nothing to open."""


@dataclass(frozen=True)
class Rating:
    """What a move was worth before anybody knew what it would show."""

    risk: float
    """Probability of dying by it; 0.0 is a proof."""
    least_risk: float
    """The smallest one of all cells that could be opened."""
    safe_cells: tuple[Cell, ...]
    """The cells that were proved safe, row by row."""
    chance_before: float | None
    """To win from the position, with the best move that is known; None where nobody can say."""
    chance_with: float | None
    """To win with this move, whatever it shows; never more than `chance_before`."""
    best_cell: Cell | None
    """The cell to open in its place; the same one where nothing is better."""
    exact: bool
    """Whether the two chances are exact; else they are estimates."""
    risks_exact: bool
    """Whether the risks are exact: on boards too large to be counted they are estimates."""
    opening: bool
    """Whether nothing was open yet: most programs make that click safe, whatever its risk."""

    @property
    def guess(self) -> bool:
        """Whether it risked something."""
        return self.risk > 0

    @property
    def needless(self) -> bool:
        """Whether it risked something while a cell was proved safe."""
        return self.guess and bool(self.safe_cells)

    @property
    def lost(self) -> float | None:
        """The chance to win that it gave away, 0..1; None where nobody can say."""
        if self.chance_before is None or self.chance_with is None:
            return None
        return max(0.0, self.chance_before - self.chance_with)


def rate_move(board: Board, move: Move | Cell, limit: Limit | None = None) -> Rating:
    """Rate a move on the board that it was made on.

    A flag risks nothing. A chord opens what is left around its hint when it has as many
    flags, and nothing otherwise; its risk is that of a wrong flag.

    Args:
        board: What was visible; flags count as covered, but for a chord.
        move: The move, or the cell that was opened.
        limit: What may be spent; `nodes` are states of the end game, `NODES` by default.

    Raises:
        InconsistentBoard: No placing of the mines agrees with the board.
        ValueError: A tile is unread, or the move cannot be made there.
        Cancelled: The user stopped.
    """
    limit = limit or Limit()
    if isinstance(move, Cell):
        move = Move(Action.OPEN, move)
    if move.cell is None or move.action is Action.RESTART:
        raise ValueError("a new game is no move to rate")
    analysis = solver("exact").solve(board, limit)
    if move.action is Action.OPEN:
        return _opened(board, analysis, move.cell, limit)
    if move.action is Action.CHORD:
        return _chorded(board, analysis, move.cell, limit)
    position = _Position(board, analysis, limit).weigh(None)
    return _rating(board, analysis, 0.0, position)


def winning_chance(board: Board, limit: Limit | None = None) -> WinningChance:
    """Return the chance to win from a board; what the hint that a move showed made of it.

    Args:
        board: What is visible; a board with an exploded mine on it is lost.
        limit: As for `rate`.

    Raises:
        InconsistentBoard: No placing of the mines agrees with the board.
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    if (board.tiles == EXPLODED).any():
        return WinningChance(0.0, exact=True, best=None)
    limit = limit or Limit()
    analysis = solver("exact").solve(board, limit)
    position = _Position(board, analysis, limit).weigh(None)
    return WinningChance(position.before, position.exact, position.best)


@dataclass(frozen=True)
class _Weighed:
    before: float | None
    after: float | None
    best: Cell | None
    exact: bool


def _rating(board: Board, analysis: Analysis, risk: float, weighed: _Weighed) -> Rating:
    uncertain = analysis.mine_probability[board.unopened]
    return Rating(
        risk,
        float(uncertain.min()) if uncertain.size else 0.0,
        analysis.safe,
        weighed.before,
        weighed.after,
        weighed.best,
        weighed.exact,
        analysis.exact,
        bool(np.isin(board.tiles, UNOPENED).all()),
    )


def _opened(board: Board, analysis: Analysis, cell: Cell, limit: Limit) -> Rating:
    if not (0 <= cell.row < board.rows and 0 <= cell.col < board.cols and board.unopened[cell]):
        raise ValueError(f"{cell.words} is no covered cell")
    risk = float(analysis.mine_probability[cell])
    return _rating(board, analysis, risk, _Position(board, analysis, limit).weigh(cell))


def _chorded(board: Board, analysis: Analysis, cell: Cell, limit: Limit) -> Rating:
    """Nobody dies of a chord whose flags are right: it is worth what is known with them."""
    cells = board.around(cell)
    flags = [one for one in cells if board[one] == FLAG]
    shown = sum(board[one] in (MINE, EXPLODED) for one in cells)
    weighed = _Position(board, analysis, limit).weigh(None)
    if board[cell] != len(flags) + shown or all(
        analysis.mine_probability[flag] == 1.0 for flag in flags
    ):
        return _rating(board, analysis, 0.0, weighed)
    tiles = board.tiles.copy()
    for flag in flags:
        tiles[flag] = MINE
    try:
        with_flags = Board(tiles, board.mines)
        right = solver("exact").solve(with_flags, limit)
    except InconsistentBoard:
        lost = _Weighed(weighed.before, 0.0, weighed.best, weighed.exact)
        return _rating(board, analysis, 1.0, lost)
    left, all_left = count_solutions(with_flags, right), count_solutions(board, analysis)
    if left is None or all_left is None:
        share = float(np.prod([analysis.mine_probability[flag] for flag in flags]))
    else:
        share = left / all_left
    after = _Position(with_flags, right, limit).weigh(None)
    value = None if after.before is None else share * after.before
    exact = weighed.exact and after.exact
    before = _largest(weighed.before, value)
    return _rating(board, analysis, 1 - share, _Weighed(before, value, weighed.best, exact))


def _largest(one: float | None, other: float | None) -> float | None:
    """Two estimates of one thing may differ: the better move is the larger one."""
    return one if one is None or other is None else max(one, other)


class _Position:
    """A board that is being weighed."""

    def __init__(self, board: Board, analysis: Analysis, limit: Limit) -> None:
        self._board, self._analysis, self._limit = board, analysis, limit
        self._probability = analysis.mine_probability

    def weigh(self, cell: Cell | None) -> _Weighed:
        """Return the chance to win before and after a cell (without one: the best move)."""
        self._limit.spent(0)
        unsure = self._probability[self._board.unopened]
        if not (unsure < 1.0).any():
            won = 0.0 if cell else 1.0
            return _Weighed(1.0, won, None, exact=True)
        if not self._analysis.exact:
            return _Weighed(None, None, self._analysis.best, exact=False)
        return self._played_out(cell) or self._estimated(cell)

    def _played_out(self, cell: Cell | None) -> _Weighed | None:
        """By looking at all that can happen; None where that is too much."""
        # numba takes half a second to import: only who rates something waits for it.
        from bot.solver.endgame import solve_endgame  # noqa: PLC0415

        limit = self._limit
        if limit.nodes is None:
            limit = replace(limit, nodes=NODES)
        ending = solve_endgame(self._board, limit, every_cell=cell is not None)
        if ending is None:
            return None
        best = ending.best[0] if ending.best else None
        if cell is None or self._probability[cell] == 0.0:
            return _Weighed(ending.chance, ending.chance, best, exact=True)
        won = ending.won_by_cell.get(cell)
        if won is None:
            # Beside a proved cell no guess is valued.
            won = self._won_after(cell, limit)
        if won is None:
            return None
        better = cell if won == ending.won else best
        return _Weighed(ending.chance, won / ending.solutions, better, exact=True)

    def _won_after(self, cell: Cell, limit: Limit) -> int | None:
        """Solutions won by perfect play after this cell; None where that is too much to look at."""
        from bot.solver.endgame import solve_endgame  # noqa: PLC0415 - as above

        won = 0
        for hint in range(9):
            tiles = self._board.tiles.copy()
            tiles[cell] = hint
            try:
                ending = solve_endgame(Board(tiles, self._board.mines), limit)
            except InconsistentBoard:
                continue
            if ending is None:
                return None
            won += ending.won
        return won

    def _estimated(self, cell: Cell | None) -> _Weighed:
        """By the value function."""
        from bot.solver.kernel.position import MOST_NODES, solve_position  # noqa: PLC0415
        from bot.solver.kernel.tables import SOLVED  # noqa: PLC0415

        tiles = np.array(self._board.tiles, np.int8, order="C")
        space = _workspace(tiles.size)
        if solve_position(tiles, self._board.mines, space.work, MOST_NODES) != SOLVED:
            return _Weighed(None, None, self._analysis.best, exact=False)
        best = self._best()
        if best is None:
            return _Weighed(None, None, self._analysis.best, exact=False)
        before = self._worth(tiles, best, space)
        self._limit.spent(0)
        if cell is None or cell == best or self._probability[cell] == 0.0:
            return _Weighed(before, before, best, exact=False)
        after = 0.0 if self._probability[cell] == 1.0 else self._worth(tiles, cell, space)
        if before is not None and after is not None and after >= before:
            return _Weighed(after, after, cell, exact=False)
        return _Weighed(before, after, best, exact=False)

    def _best(self) -> Cell | None:
        """Return what the player would open."""
        board, analysis = self._board, self._analysis
        if analysis.safe:
            return analysis.best
        if np.isin(board.tiles, UNOPENED).all():
            return first_click(board.rows, board.cols)
        return solver(PLAYER).solve(board, self._limit).best

    def _worth(self, tiles: NDArray[np.int8], cell: Cell, space: GuessWork) -> float | None:
        from bot.solver.guess.choice import better_guess  # noqa: PLC0415
        from bot.solver.guess.network import load_network  # noqa: PLC0415

        space.cells[0] = cell.row * self._board.cols + cell.col
        better_guess(tiles, self._board.mines, 0, -1, space, load_network())
        value = float(space.values[0])
        return value if value > 0 else None


def _workspace(cells: int) -> GuessWork:
    """Return this thread's, large enough for so many cells."""
    from bot.solver.guess.choice import allocate_for_guess  # noqa: PLC0415

    space: GuessWork | None = getattr(_kept, "space", None)
    if space is None or len(space.cells) < cells:
        space = _kept.space = allocate_for_guess(cells)
    return space
