"""Rate a move: its risk, the least risk possible, and its effect on the chance to win.

If few solutions are left, the end-game search gives exact chances. Otherwise they are estimates of
the value network of `bot.solver.guess`. It was trained on Expert boards, and compares two moves on
one board better than two boards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.analysis import LEAST_ESTIMATE, Analysis, Limit
from bot.assist.guesses import GuessKind, guess_kind
from bot.board import EXPLODED, FLAG, MINE, UNOPENED, Board, Cell, InconsistentBoard
from bot.planner import Action, Move
from bot.solver import PLAYER, solver
from bot.solver.endgame import solve_endgame
from bot.solver.explain import count_solutions
from bot.solver.guess.choice import GuessWork, better_guess
from bot.solver.guess.deciding import solve_for_guess
from bot.solver.guess.network import load_network
from bot.solver.player import first_click

NODES: Final = 200_000
"""Nodes of the end-game search without a limit by the caller: about a second."""


@dataclass(frozen=True)
class WinningChance:
    """The chance to win a position by the best known play."""

    value: float | None
    """0..1; None if the board is too large."""
    exact: bool
    """Whether the value is exact; else it is an estimate."""
    best: Cell | None
    """The cell to open; None if there is nothing to open."""


@dataclass(frozen=True)
class Rating:
    """The value of a move before its result is known."""

    risk: float
    """Probability that the move loses; 0.0 is a proof of safety."""
    least_risk: float
    """The smallest risk of all covered cells."""
    safe_cells: tuple[Cell, ...]
    """The cells that were proved safe, row by row."""
    chance_before: float | None
    """Chance to win from the position with the best known move; None if unknown."""
    chance_with: float | None
    """Chance to win with this move; at most `chance_before`."""
    best_cell: Cell | None
    """The best cell to open; the cell of the move if nothing is better."""
    exact: bool
    """Whether the two chances are exact; else they are estimates."""
    risks_exact: bool
    """Whether the risks are exact; they are estimates on very large boards, and if the number of
    mines is only assumed."""
    opening: bool
    """Whether nothing was open yet. Most programs make that click safe."""

    @property
    def kind(self) -> GuessKind | None:
        """The judgement of the guess; None if the move was no guess."""
        if self.risk == 0 or self.opening:
            return None
        return guess_kind(self.risk, self.least_risk, proved=bool(self.safe_cells), lost=self.lost)

    @property
    def needless(self) -> bool:
        """Whether the move was a guess while a cell was proved safe."""
        return self.kind is GuessKind.MISSED

    @property
    def lost(self) -> float | None:
        """The decrease of the chance to win by the move, 0..1; None if unknown."""
        if self.chance_before is None or self.chance_with is None:
            return None
        return max(0.0, self.chance_before - self.chance_with)


def rate_move(board: Board, move: Move | Cell, limit: Limit | None = None) -> Rating:
    """Rate a move on the board that it was made on.

    A flag risks nothing. A chord opens the remaining cells around its hint if it has as many
    flags, and nothing otherwise; its risk is that of a wrong flag.

    Args:
        board: The visible board; flags count as covered, except for a chord.
        move: The move, or the cell that was opened.
        limit: The budget; `nodes` are those of the end-game search, `NODES` by default.

    Raises:
        InconsistentBoard: The board has no solution.
        ValueError: A tile is unread, or the move is impossible.
        Cancelled: The user stopped.
    """
    limit = limit or Limit()
    if isinstance(move, Cell):
        move = Move(Action.OPEN, move)
    if move.cell is None or move.action is Action.RESTART:
        raise ValueError("a restart cannot be rated")
    analysis = solver("exact").solve(board, limit)
    if move.action is Action.OPEN:
        return _opened(board, analysis, move.cell, limit)
    if move.action is Action.CHORD:
        return _chorded(board, analysis, move.cell, limit)
    position = _Position(board, analysis, limit).chances(None)
    return _rating(board, analysis, 0.0, position)


def winning_chance(board: Board, limit: Limit | None = None) -> WinningChance:
    """Return the chance to win from a board, for example after a move has shown its hint.

    Args:
        board: The visible board; a board with an exploded mine is lost.
        limit: As for `rate_move`.

    Raises:
        InconsistentBoard: The board has no solution.
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    if (board.tiles == EXPLODED).any():
        return WinningChance(0.0, exact=True, best=None)
    limit = limit or Limit()
    analysis = solver("exact").solve(board, limit)
    position = _Position(board, analysis, limit).chances(None)
    return WinningChance(position.before, position.exact, position.best)


@dataclass(frozen=True)
class _Chances:
    before: float | None
    after: float | None
    best: Cell | None
    exact: bool


def _rating(board: Board, analysis: Analysis, risk: float, chances: _Chances) -> Rating:
    uncertain = analysis.mine_probability[board.unopened]
    return Rating(
        risk,
        float(uncertain.min()) if uncertain.size else 0.0,
        analysis.safe,
        chances.before,
        chances.after,
        chances.best,
        chances.exact,
        analysis.exact,
        bool(np.isin(board.tiles, UNOPENED).all()),
    )


def _opened(board: Board, analysis: Analysis, cell: Cell, limit: Limit) -> Rating:
    if not (0 <= cell.row < board.rows and 0 <= cell.col < board.cols and board.unopened[cell]):
        raise ValueError(f"{cell.position_text} is no covered cell")
    risk = float(analysis.mine_probability[cell])
    return _rating(board, analysis, risk, _Position(board, analysis, limit).chances(cell))


def _chorded(board: Board, analysis: Analysis, cell: Cell, limit: Limit) -> Rating:
    """Rate a chord: it loses only if a flag is wrong, so it is valued as if the flags are right."""
    cells = board.around(cell)
    flags = [one for one in cells if board[one] == FLAG]
    shown = sum(board[one] in (MINE, EXPLODED) for one in cells)
    chances = _Position(board, analysis, limit).chances(None)
    if board[cell] != len(flags) + shown or all(
        analysis.mine_probability[flag] == 1.0 for flag in flags
    ):
        return _rating(board, analysis, 0.0, chances)
    tiles = board.tiles.copy()
    for flag in flags:
        tiles[flag] = MINE
    try:
        with_flags = replace(board, tiles=tiles)
        right = solver("exact").solve(with_flags, limit)
    except InconsistentBoard:
        if board.assumed and all(analysis.mine_probability[flag] > 0.0 for flag in flags):
            # The number of mines may be wrong instead of a flag.
            unknown = replace(chances, after=None)
            return _rating(board, analysis, 1 - LEAST_ESTIMATE, unknown)
        lost = _Chances(chances.before, 0.0, chances.best, chances.exact)
        return _rating(board, analysis, 1.0, lost)
    left, all_left = count_solutions(with_flags, right), count_solutions(board, analysis)
    if left is None or all_left is None:
        share = float(np.prod([analysis.mine_probability[flag] for flag in flags]))
    else:
        share = left / all_left
    after = _Position(with_flags, right, limit).chances(None)
    value = None if after.before is None else share * after.before
    exact = chances.exact and after.exact
    before = _largest(chances.before, value)
    return _rating(board, analysis, 1 - share, _Chances(before, value, chances.best, exact))


def _largest(one: float | None, other: float | None) -> float | None:
    """Return the larger of two estimates of one chance; None if one is unknown."""
    return one if one is None or other is None else max(one, other)


class _Position:
    """A board and its analysis, to be valued."""

    def __init__(self, board: Board, analysis: Analysis, limit: Limit) -> None:
        self._assumed = board.assumed
        if board.assumed:
            # The chance to win counts all mines: it is that of a board with their assumed number.
            board = replace(board, assumed=False)
            analysis = solver("exact").solve(board, limit)
        self._board, self._analysis, self._limit = board, analysis, limit
        self._probability = analysis.mine_probability

    def chances(self, cell: Cell | None) -> _Chances:
        """Return the chances to win before and after opening a cell, by default the best one."""
        self._limit.spent(0)
        unsure = self._probability[self._board.unopened]
        if not (unsure < 1.0).any():
            won = 0.0 if cell else 1.0
            return _Chances(1.0, won, None, exact=not self._assumed)
        if not self._analysis.exact:
            return _Chances(None, None, self._analysis.best, exact=False)
        found = self._exact(cell) or self._estimate(cell)
        return replace(found, exact=found.exact and not self._assumed)

    def _exact(self, cell: Cell | None) -> _Chances | None:
        """Return exact chances by the end-game search; None if that takes too long."""
        limit = self._limit
        if limit.nodes is None:
            limit = replace(limit, nodes=NODES)
        ending = solve_endgame(self._board, limit, every_cell=cell is not None)
        if ending is None:
            return None
        best = ending.best[0] if ending.best else None
        if cell is None or self._probability[cell] == 0.0:
            return _Chances(ending.chance, ending.chance, best, exact=True)
        won = ending.won_by_cell.get(cell)
        if won is None:
            # While a cell is proved safe, the search values no guesses.
            won = self._won_after(cell, limit)
        if won is None:
            return None
        better = cell if won == ending.won else best
        return _Chances(ending.chance, won / ending.solutions, better, exact=True)

    def _won_after(self, cell: Cell, limit: Limit) -> int | None:
        """Return the solutions won by perfect play after this cell; None if that takes too long."""
        won = 0
        for hint in range(9):
            tiles = self._board.tiles.copy()
            tiles[cell] = hint
            try:
                ending = solve_endgame(replace(self._board, tiles=tiles), limit)
            except InconsistentBoard:
                continue
            if ending is None:
                return None
            won += ending.won
        return won

    def _estimate(self, cell: Cell | None) -> _Chances:
        """Return chances estimated by the value network."""
        best = self._best()
        space = solve_for_guess(self._board)
        if best is None or space is None:
            return _Chances(None, None, self._analysis.best, exact=False)
        tiles = self._board.tiles.copy()
        before = self._value(tiles, best, space)
        self._limit.spent(0)
        if cell is None or cell == best or self._probability[cell] == 0.0:
            return _Chances(before, before, best, exact=False)
        after = 0.0 if self._probability[cell] == 1.0 else self._value(tiles, cell, space)
        if before is not None and after is not None and after >= before:
            return _Chances(after, after, cell, exact=False)
        return _Chances(before, after, best, exact=False)

    def _best(self) -> Cell | None:
        """Return the cell that the default solver opens."""
        board, analysis = self._board, self._analysis
        if analysis.safe:
            return analysis.best
        if np.isin(board.tiles, UNOPENED).all():
            return first_click(board.rows, board.cols)
        return solver(PLAYER).solve(board, self._limit).best

    def _value(self, tiles: NDArray[np.int8], cell: Cell, space: GuessWork) -> float | None:
        space.cells[0] = cell.row * self._board.cols + cell.col
        better_guess(tiles, self._board.mines, 0, -1, space, load_network())
        value = float(space.values[0])
        return value if value > 0 else None
