"""Audit a recording: compare every turn with the mines that its end revealed.

The end of a game shows the true content of the cells for every earlier turn. The audit finds
misread tiles, cells that were wrongly called safe or mined, whether guesses with a stated risk
of x % failed x % of the time, and whether a lost game was lost on a declared guess. Chords are
compared with the flags around them, and clicks with the board's position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import (
    COVERED,
    EXPLODED,
    FLAG,
    MINE,
    MISFLAG,
    OPENED,
    UNREAD,
    Board,
    Cell,
    neighbours,
)
from bot.frame import Grid, Point, Status
from bot.game import Rules
from bot.loop import Turn
from bot.planner import Action

SAFE: Final = 0
MINED: Final = 1
UNKNOWN: Final = -1
SURPRISE: Final = 0.001
"""Probability in a correct program of guesses with such a bad result, below which they are
reported."""
BINS: Final = 10


@dataclass(frozen=True)
class Finding:
    """An error that the audit found."""

    session: str
    turn: int
    what: str


@dataclass
class Audit:
    """The checks and errors of any number of sessions."""

    findings: list[Finding] = field(default_factory=list)
    sessions: int = 0
    turns: int = 0
    tiles: int = 0
    """Number of hints compared with the revealed mines."""
    proofs: int = 0
    """Number of cells called certain whose content is known."""
    clicks: int = 0
    won: int = 0
    lost: int = 0
    unfinished: int = 0
    guesses: list[tuple[float, bool]] = field(default_factory=list)
    """Each guess with a hint nearby: its stated risk, and whether it hit a mine."""
    cells: list[tuple[float, bool]] = field(default_factory=list)
    """Every uncertain cell at each guess: its stated risk, and whether it was a mine. Only from
    games whose end shows every mine; as neighbours and turns are correlated, it is only
    reported."""
    hidden: int = 0
    """Number of lost games whose end did not show every mine: their cells are not in `cells`."""
    repeated: int = 0
    """Number of guesses seen before in the same position of the same game, which are not counted. A
    program that seeds by the second deals one board several times to a fast player."""
    _met: set[tuple[bytes, Board]] = field(default_factory=set)
    _last: Turn | None = None
    """The last turn of the previous session."""

    def add(self, name: str, turns: Iterable[Turn], rules: Rules = Rules.CLASSIC) -> None:
        """Audit one session."""
        played = list(turns)
        self.sessions += 1
        self.turns += len(played)
        if not played:
            self.findings.append(Finding(name, 0, "the session holds no turn"))
            return
        end = played[-1].reading.status
        self.won += end is Status.WON
        self.lost += end is Status.LOST
        self.unfinished += not end.over
        truth = revealed(played, rules)
        self.hidden += end is Status.LOST and bool((truth == UNKNOWN).any())
        first = self._last if self._began(played[0]) else None
        self._last = played[-1]
        for before, turn in zip([first or played[0], *played], played, strict=False):
            for what in (*self._check(turn, truth), *self._stray_clicks(before, turn)):
                self.findings.append(Finding(name, turn.number, what))
        numbers = [turn.number for turn in played]
        if numbers != list(range(len(played))):
            missing = sorted(set(range(numbers[-1] + 1)) - set(numbers))
            self.findings.append(Finding(name, numbers[-1], f"turns are missing: {missing}"))
        for turn, after in pairwise(played):
            for what in self._check_step(turn, after, truth, rules):
                self.findings.append(Finding(name, after.number, what))
            self._learn(turn, after, truth, rules)

    def _began(self, first: Turn) -> bool:
        """Return whether the last clicks of the previous session came before this first turn."""
        last = self._last
        if last is None or not last.moves:
            return False
        return last.reading.frame.time <= first.reading.frame.time

    def _check(self, turn: Turn, truth: NDArray[np.int8]) -> Iterator[str]:
        board = turn.reading.board
        if board.tiles.shape != truth.shape:
            yield f"the board is {board.cols} x {board.rows}, at the end it was another size"
            return
        # The end of a game that another one replaced was never seen.
        for cell in board.cells(UNREAD) if not turn.reading.status.over else ():
            yield f"{cell.position_text} was left unread"
        self.tiles += int((board.tiles >= 0).sum())
        yield from _wrong_hints(board, truth)
        yield from self._wrong_proofs(turn, truth)

    def _wrong_proofs(self, turn: Turn, truth: NDArray[np.int8]) -> Iterator[str]:
        if turn.analysis is None:
            return
        for cells, called, otherwise in (
            (turn.analysis.safe, "safe", MINED),
            (turn.analysis.mines, "a mine", SAFE),
        ):
            for cell in cells:
                self.proofs += int(truth[cell] != UNKNOWN)
                if truth[cell] == otherwise:
                    yield f"{cell.position_text} was called {called} and was not"

    def _learn(self, turn: Turn, after: Turn, truth: NDArray[np.int8], rules: Rules) -> None:
        """Record the result of a guess.

        The first click is left out, because most programs make it safe. An estimate is left out as
        well, because it is not exact.
        """
        board = turn.reading.board
        risky = [move for move in turn.moves if move.risk > 0]
        if (
            turn.analysis is None
            or not after.shows_effect(board)
            or not turn.analysis.exact
            or len(risky) != 1
            or not board.has_hints
        ):
            return
        position = (truth.tobytes(), board)
        if position in self._met:
            self.repeated += 1
            return
        self._met.add(position)
        if after.reading.status is Status.ENDED:
            return
        guess = risky[0]
        hit = after.reading.status is Status.LOST
        if rules is Rules.DIGGING and guess.cell is not None:
            hit = after.reading.board[guess.cell] == EXPLODED
        self.guesses.append((guess.risk, hit))
        if (truth == UNKNOWN).any():
            return
        stated = turn.analysis.mine_probability
        uncertain = (stated > 0) & (stated < 1)
        mined = truth[uncertain] == MINED
        self.cells += zip(stated[uncertain].tolist(), mined.tolist(), strict=True)

    def _stray_clicks(self, before: Turn, turn: Turn) -> Iterator[str]:
        """Yield clicks outside the board; its window may have moved after they were sent."""
        grids = before.reading.grid, turn.reading.grid
        for event in turn.events:
            if event.kind != "click" or event.point is None:
                continue
            self.clicks += 1
            if not any(_on_board_or_face(grid, event.point) for grid in grids):
                x, y = event.point
                yield f"a click at ({x:.0f}, {y:.0f}), outside the board and its face"

    def _check_step(
        self, turn: Turn, after: Turn, truth: NDArray[np.int8], rules: Rules
    ) -> Iterator[str]:
        """Yield the effects of a turn, as shown by the next turn."""
        before, board = turn.reading.board, after.reading.board
        if before.tiles.shape != board.tiles.shape:
            return
        changed = (before.tiles >= 0) & (board.tiles != before.tiles)
        # `_check` reports unread cells; some programs cover those of a finished game with a
        # message.
        changed &= board.tiles != UNREAD
        for row, col in np.argwhere(changed).tolist():
            yield (
                f"{Cell(row, col).position_text} was read as {before.tiles[row, col]}, "
                f"then as {board.tiles[row, col]}"
            )
        if truth.shape == board.tiles.shape:
            yield from _wrong_chords(turn, board, truth)
        opened = [move for move in turn.moves if move.action is Action.OPEN and move.cell]
        risky = [move for move in opened if move.risk > 0]
        lost = after.reading.status is Status.LOST
        exploded = next(board.cells(EXPLODED), None)
        if lost and not risky:
            yield "the game was lost by a turn that took no guess"
            chorded = any(move.action is Action.CHORD for move in turn.moves)
            if exploded is not None and not chorded and exploded not in {m.cell for m in opened}:
                yield f"{exploded.position_text} exploded, which no move opened"
        if rules is Rules.DIGGING:
            return
        guessed = exploded in {move.cell for move in risky}
        # A mark that was only known to be opened may be the mine that an earlier guess has hit.
        if lost and risky and exploded is not None and not guessed and before[exploded] != OPENED:
            yield f"{exploded.position_text} exploded, which was not the guess"

    @property
    def surprise(self) -> float:
        """The probability that correct risks give a result at least as far from their sum."""
        risks = [risk for risk, _ in self.guesses]
        deaths = sum(killed for _, killed in self.guesses)
        return _tail(risks, deaths)

    @property
    def wrong(self) -> bool:
        """Whether there is anything to report as wrong."""
        return bool(self.findings) or self.surprise < SURPRISE


def calibration(stated: Sequence[tuple[float, bool]]) -> list[tuple[float, float, int, float, int]]:
    """Stated risks and results in bins: (from, to, number, expected mines, mines)."""
    rows = []
    for low in range(BINS):
        chosen = [one for one in stated if min(int(one[0] * BINS), BINS - 1) == low]
        if chosen:
            expected = sum(risk for risk, _ in chosen)
            rows.append(
                (low / BINS, (low + 1) / BINS, len(chosen), expected, sum(m for _, m in chosen))
            )
    return rows


def revealed(turns: Sequence[Turn], rules: Rules = Rules.CLASSIC) -> NDArray[np.int8]:
    """Return the content of every cell shown by the end of a game: SAFE, MINED or UNKNOWN.

    If all mines are known, all other cells are safe. Flags count only at an end that shows more
    than the exploded mine: else it is unknown whether they are right. In the digging game the end
    shows everything: a cell that is not dug, flagged or shown holds no mine.
    """
    end = turns[-1].reading
    board = end.board
    truth = np.full(board.tiles.shape, UNKNOWN, np.int8)
    truth[(board.tiles >= 0) | np.isin(board.tiles, (MISFLAG, OPENED))] = SAFE
    truth[(board.tiles == MINE) | (board.tiles == EXPLODED)] = MINED
    if rules is Rules.DIGGING:
        if end.status.over:
            truth[board.tiles == FLAG] = MINED
            truth[truth == UNKNOWN] = SAFE
    elif end.status in (Status.WON, Status.LOST):
        flags = board.tiles == FLAG
        shown = np.isin(board.tiles, (MINE, MISFLAG)).any()
        if end.status is Status.WON and (truth == MINED).sum() < board.mines:
            # A message may keep a window from showing the last cells that were opened.
            for move in turns[-2].moves if len(turns) > 1 else ():
                if move.action is Action.OPEN and move.cell and truth[move.cell] == UNKNOWN:
                    truth[move.cell] = SAFE
            # An unread cell may have been opened.
            truth[(truth == UNKNOWN) & (board.tiles != UNREAD)] = MINED
        elif shown and (truth == MINED).sum() + flags.sum() == board.mines:
            truth[flags] = MINED
        if (truth == MINED).sum() == board.mines:
            truth[truth == UNKNOWN] = SAFE
    return truth


def _on_board_or_face(grid: Grid, point: Point) -> bool:
    on_face = grid.face is not None and grid.face.contains(point)
    return on_face or grid.cell_at(point) is not None


def _wrong_hints(board: Board, truth: NDArray[np.int8]) -> Iterator[str]:
    around = neighbours(board.rows, board.cols)
    known = truth.ravel()
    for index in np.flatnonzero(board.tiles.ravel() >= 0):
        cell = Cell(*divmod(int(index), board.cols))
        hint = board[cell]
        if known[index] == MINED:
            yield f"{cell.position_text} was read as {hint} and is a mine"
            continue
        states = [int(known[n]) for n in around[index]]
        least = states.count(MINED)
        most = least + states.count(UNKNOWN)
        if not least <= hint <= most:
            true = f"{least}" if least == most else f"{least} to {most}"
            yield f"{cell.position_text} was read as {hint}, {true} mines lie next to it"


def _wrong_chords(turn: Turn, after: Board, truth: NDArray[np.int8]) -> Iterator[str]:
    """Yield chords with a wrong number of flags, or with a wrong flag, around them."""
    tiles = turn.reading.board.tiles.copy()
    for move in turn.moves:
        if move.cell is not None and move.action is Action.FLAG:
            tiles[move.cell] = FLAG if tiles[move.cell] == COVERED else COVERED
        if move.cell is None or move.action is not Action.CHORD:
            continue
        row, col = move.cell
        top, left = max(row - 1, 0), max(col - 1, 0)
        around = tiles[top : row + 2, left : col + 2] == FLAG
        flags = [Cell(top + down, left + right) for down, right in np.argwhere(around).tolist()]
        if after[move.cell] not in (len(flags), UNREAD):
            seen = f"{after[move.cell]}" if after[move.cell] >= 0 else "cell without a hint"
            yield f"the chord at {move.cell.position_text}: {len(flags)} flags around a {seen}"
        for cell in flags:
            if truth[cell] == SAFE:
                chord = move.cell.position_text
                yield f"the chord at {chord}: the flag at {cell.position_text} is wrong"


def _tail(risks: Sequence[float], deaths: int) -> float:
    """Return the two-sided tail of the Poisson binomial distribution, by its exact recursion."""
    share = np.zeros(len(risks) + 1)
    share[0] = 1.0
    for risk in risks:
        share[1:] = share[1:] * (1 - risk) + share[:-1] * risk
        share[0] *= 1 - risk
    return float(min(1.0, 2 * min(share[: deaths + 1].sum(), share[deaths:].sum())))
