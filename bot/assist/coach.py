"""The coach: what somebody's moves were worth, move by move and over a game.

A move is held against what could be known before it: the exact probability of a mine in every
covered cell. Whoever opens several cells between two looks gets the benefit of the doubt: the
safe ones came first, and what they showed was known to the others.

Which moves lead from one look at a board to the next one: seen only by what they changed.

A zero opens a region, and any of its zeros may be the one that was clicked; a chord opens
what is left around a hint, and so would a click on each of those cells. The fewest clicks
that explain a change are taken for what was done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Analysis
from bot.assist.patterns import MissedCell, Pattern, find_easiest
from bot.board import COVERED, EXPLODED, FLAG, QUESTION, Board, Cell, neighbours
from bot.frame import Status
from bot.planner import Action, Move

EQUAL_RISK: Final = 0.005
"""Two risks that nobody would tell apart."""
_LESSONS: Final = 4
_TIMES: Final = ("", "once", "twice", "three times", "four times", "five times", "six times",
                 "seven times", "eight times", "nine times", "ten times")  # fmt: skip


class MoveKind(Enum):
    """What a move was."""

    FIRST = "first"
    """The first one of a game, of which nobody knows anything."""
    SAFE = "safe"
    """Proved safe."""
    NEEDED = "needed"
    """A guess where nothing was proved, and as good as any."""
    MISSED = "missed"
    """A guess while a cell was proved safe."""
    RISKIER = "riskier"
    """A guess where a safer one was there."""
    FLAG = "flag"
    WRONG_FLAG = "wrong flag"
    """A flag on a cell that was proved safe."""


@dataclass(frozen=True)
class Verdict:
    """What one move was worth."""

    move: Move
    """With the risk that it took; of a chord, that of its worst cell."""
    kind: MoveKind
    least: float = 0.0
    """The least risk that was there."""
    better: Cell | None = None
    """What could have been opened instead."""
    pattern: Pattern | None = None
    """What shows that it was safe."""
    died: bool = False
    lost: float | None = None
    """How much of the chance to win it gave away, 0..1; None where that was not worked out."""

    def __str__(self) -> str:
        """Return one sentence for whoever made it; empty where there is nothing to say."""
        said = self._said()
        if self.lost is not None and self.lost >= EQUAL_RISK:
            said += f" It cost about {self.lost:.0%} of the chance to win."
        return f"A mine. {said}".strip() if self.died else said

    def _said(self) -> str:
        better = f"{self.better.words}" if self.better else ""
        risk = _percent(self.move.risk)
        if self.kind is MoveKind.MISSED:
            why = f": {self.pattern}" if self.pattern else ""
            guess = f"{_article(risk)} {risk} guess"
            was = "proved to be a mine" if self.move.risk == 1 else guess
            return f"That was {was}; {better} was proved safe{why}."
        if self.kind is MoveKind.RISKIER:
            return (
                f"That was {_article(risk)} {risk} guess; {better} had a risk of only "
                f"{_percent(self.least)}."
            )
        if self.kind is MoveKind.NEEDED:
            return f"A guess of {risk}: nothing was proved, and none was better."
        if self.kind is MoveKind.WRONG_FLAG and self.move.cell is not None:
            where = f"{self.move.cell.words}"
            return f"The flag at {where} is on a cell that is proved safe."
        return ""


def judge_moves(
    before: Board,
    analysis: Analysis,
    after: Board,
    solve: Callable[[Board], Analysis],
    *,
    over: bool = False,
) -> tuple[Verdict, ...]:
    """Return what the moves between two looks at a game were worth, in their likely order.

    Args:
        before: The board at the earlier look.
        analysis: What was known of it; its `best` is a guess that nobody is blamed for.
        after: The board at the later look.
        solve: Says what is known of a board in between.
        over: Whether the game is over by then.
    """
    flags, left = [], []
    for made in infer_moves(before, after, over=over):
        if made.action is Action.FLAG:
            flags.append(_flagging(made, before, after, analysis))
        else:
            left.append(made)
    opens: list[Verdict] = []
    board = before
    while left:
        risks = [_risk(made, analysis) for made in left]
        at = int(np.argmin(risks))
        made = left.pop(at)
        opens.append(_opening(made, risks[at], board, after, analysis))
        if left:
            board = _with(board, after, made.opened)
            analysis = solve(board)
    return (*flags, *opens)


def with_cost(verdict: Verdict, lost: float | None) -> Verdict:
    """Return the same where it is known what a guess gave away of the chance to win, 0..1.

    A riskier guess that gives nothing away, because it tells more, is no mistake.
    """
    if lost is None or verdict.kind not in (MoveKind.MISSED, MoveKind.RISKIER):
        return verdict
    if verdict.kind is MoveKind.RISKIER and lost < EQUAL_RISK:
        return replace(verdict, kind=MoveKind.NEEDED, better=None, lost=lost)
    return replace(verdict, lost=lost)


def _flagging(made: ObservedMove, before: Board, after: Board, analysis: Analysis) -> Verdict:
    cell = made.cells[0]
    set_now = after[cell] != before[cell] and analysis.mine_probability[cell] == 0.0
    wrong = set_now and before[cell] > after[cell]
    return Verdict(Move(Action.FLAG, cell), MoveKind.WRONG_FLAG if wrong else MoveKind.FLAG)


def _risk(made: ObservedMove, analysis: Analysis) -> float:
    """Return the least risk of a move: a chord's worst cell, a region's safest cell."""
    probability = analysis.mine_probability
    if made.action is Action.CHORD:
        return max(float(np.nan_to_num(probability[cell])) for cell in made.opened)
    return min(float(probability[cell]) for cell in made.cells)


def _opening(
    made: ObservedMove, risk: float, board: Board, after: Board, analysis: Analysis
) -> Verdict:
    cell = made.cells[0]
    if made.action is Action.OPEN:
        cell = min(made.cells, key=lambda one: float(analysis.mine_probability[one]))
    move = Move(made.action, cell, risk)
    died = any(after[one] == EXPLODED for one in made.opened)
    least = float(np.nanmin(analysis.mine_probability))
    if not (board.tiles >= 0).any():
        return Verdict(move, MoveKind.FIRST, least, died=died)
    if risk == 0.0:
        return Verdict(move, MoveKind.SAFE)
    missed = find_easiest(board, analysis.safe)
    if missed is not None:
        return _blamed(move, missed, died=died)
    good = cell == analysis.best or risk <= least + EQUAL_RISK
    safest = Cell(*divmod(int(np.nanargmin(analysis.mine_probability)), board.cols))
    kind = MoveKind.NEEDED if good else MoveKind.RISKIER
    return Verdict(move, kind, least, None if good else safest, died=died)


def _blamed(move: Move, missed: MissedCell, *, died: bool) -> Verdict:
    return Verdict(move, MoveKind.MISSED, 0.0, missed.cell, missed.pattern, died=died)


def _with(board: Board, after: Board, opened: Sequence[Cell]) -> Board:
    """Return a board on which some cells were opened: a mine that exploded stays covered."""
    tiles = board.tiles.copy()
    for cell in opened:
        if after[cell] >= 0:
            tiles[cell] = after[cell]
    return Board(tiles, board.mines)


@dataclass(frozen=True)
class GameReview:
    """What a game was worth, and what is to be learned from it."""

    headline: str
    figures: str
    """How many moves, and how many of which kind, in one line."""
    points: tuple[str, ...]
    """A sentence each, the most frequent first."""


def review_game(verdicts: Iterable[Verdict], status: Status) -> GameReview:
    """Look back at a game.

    Args:
        verdicts: Of all its moves.
        status: How it ended.
    """
    told = tuple(verdicts)
    kinds = Counter(verdict.kind for verdict in told)
    moves = sum(verdict.move.action is not Action.FLAG for verdict in told)
    guesses = kinds[MoveKind.NEEDED] + kinds[MoveKind.MISSED] + kinds[MoveKind.RISKIER]
    figures = (
        f"{_number(moves, 'move')}, {_number(guesses, 'guess')}: {kinds[MoveKind.NEEDED]} needed, "
        f"{kinds[MoveKind.MISSED]} while a cell was proved safe, "
        f"{kinds[MoveKind.RISKIER]} riskier than another"
    )
    return GameReview(_headline(told, status), figures, _points(told, kinds))


def _headline(told: Sequence[Verdict], status: Status) -> str:
    died = next((verdict for verdict in told if verdict.died), None)
    if status is Status.WON:
        return "Won."
    if died is None:
        return "Lost." if status is Status.LOST else "Not played to the end."
    risk = _percent(died.move.risk)
    if died.kind is MoveKind.FIRST:
        return "Lost by the first click: bad luck."
    if died.kind is MoveKind.NEEDED:
        return f"Lost by a guess of {risk} that nothing could have spared you: bad luck."
    if died.move.risk == 1:
        return "Lost by opening a proved mine."
    return f"Lost by {_article(risk)} {risk} guess that was not needed."


def _points(told: Sequence[Verdict], kinds: Counter[MoveKind]) -> tuple[str, ...]:
    missed = Counter(verdict.pattern for verdict in told if verdict.kind is MoveKind.MISSED)
    points = [
        (count, f"You missed {pattern}, {_times(count)}.")
        for pattern, count in missed.most_common()
        if pattern is not None
    ]
    riskier = [v.move.risk - v.least for v in told if v.kind is MoveKind.RISKIER]
    if riskier:
        more = f"You took more risk than you had to, {_times(len(riskier))}"
        by = f"{100 * sum(riskier) / len(riskier):.0f} points"
        each = " on average" if len(riskier) > 1 else ""
        points.append((len(riskier), f"{more}: by {by}{each}."))
    wrong = kinds[MoveKind.WRONG_FLAG]
    if wrong:
        points.append((wrong, f"You flagged a cell that was proved safe, {_times(wrong)}."))
    if not points:
        return ("No proved cell was missed, and no guess was riskier than it had to be.",)
    ordered = sorted(points, key=lambda point: -point[0])
    return tuple(sentence for _, sentence in ordered[:_LESSONS])


def _times(count: int) -> str:
    return _TIMES[count] if count < len(_TIMES) else f"{count} times"


def _number(count: int, what: str) -> str:
    plural = f"{what}es" if what.endswith("s") else f"{what}s"
    return f"{count} {what if count == 1 else plural}"


def _percent(risk: float) -> str:
    return f"{risk:.0%}" if risk >= 0.01 or risk == 0 else f"{risk:.1%}"


def _article(percent: str) -> str:
    """Format a risk: 'an 8 % guess', 'an 11 % guess', 'a 21 % guess'."""
    return "an" if percent.startswith("8") or percent in ("11%", "18%") else "a"


class ObservedMove(NamedTuple):
    """A move that was made."""

    action: Action
    cells: tuple[Cell, ...]
    """Where: one of these was clicked; more than one only where a region was opened."""
    opened: tuple[Cell, ...]
    """What it opened, row by row."""


def infer_moves(before: Board, after: Board, *, over: bool = False) -> tuple[ObservedMove, ...]:
    """Return the moves that turn one board of a game into the next: flags first, then chords.

    Args:
        before: The board at the earlier look.
        after: At the later one.
        over: Whether its game is over: the end shows mines, and flags, that nobody set.
    """
    opened = before.unopened & ((after.tiles >= 0) | (after.tiles == EXPLODED))
    flags = tuple(
        ObservedMove(Action.FLAG, (cell,), ())
        for cell in before.cells(COVERED, QUESTION, FLAG)
        if not over
        and (after[cell] == FLAG) != (before[cell] == FLAG)
        and after[cell] in (COVERED, QUESTION, FLAG)
    )
    parts = _parts(after, set(np.flatnonzero(opened.ravel()).tolist()))
    chords = []
    for hint in _chords(before, after, opened):
        touched = [part for part in parts if hint.cells & part.whole]
        # What one click explains needs no chord.
        if len(touched) > 1:
            chords.append(_made(Action.CHORD, (hint.at,), touched, after))
            parts = [part for part in parts if part not in touched]
    opens = [_made(Action.OPEN, sorted(part.clicked), [part], after) for part in parts]
    return (*flags, *chords, *opens)


class _Part(NamedTuple):
    """What one click opened."""

    clicked: frozenset[int]
    """Any of them may have been."""
    whole: frozenset[int]


class _Chord(NamedTuple):
    at: int
    cells: frozenset[int]
    """What was left around the hint."""


def _parts(after: Board, opened: set[int]) -> list[_Part]:
    """Regions, and single cells that no region explains."""
    table = neighbours(after.rows, after.cols)
    tiles = after.tiles.ravel()
    zeros = {index for index in opened if tiles[index] == 0}
    parts = []
    explained: set[int] = set()
    while zeros:
        region = {zeros.pop()}
        edge = list(region)
        while edge:
            near = zeros.intersection(table[edge.pop()])
            zeros -= near
            region |= near
            edge += near
        whole = region | {near for index in region for near in table[index] if near in opened}
        parts.append(_Part(frozenset(region), frozenset(whole)))
        explained |= whole
    single = (frozenset({index}) for index in sorted(opened - explained))
    return [*parts, *(_Part(one, one) for one in single)]


def _chords(before: Board, after: Board, opened: NDArray[np.bool_]) -> list[_Chord]:
    """Hints around which everything that had no flag was opened, the largest first."""
    table = neighbours(before.rows, before.cols)
    was, now, open_now = before.tiles.ravel(), after.tiles.ravel(), opened.ravel()
    beside = {near for index in np.flatnonzero(open_now).tolist() for near in table[index]}
    found = []
    for index in sorted(beside):
        if was[index] <= 0:
            continue
        closed = [near for near in table[index] if was[near] in (COVERED, QUESTION, FLAG)]
        flagged = [near for near in closed if FLAG in (was[near], now[near])]
        left = frozenset(near for near in closed if open_now[near])
        if len(flagged) == was[index] and left and len(left) + len(flagged) == len(closed):
            found.append(_Chord(index, left))
    return sorted(found, key=lambda chord: -len(chord.cells))


def _made(action: Action, cells: Iterable[int], parts: list[_Part], board: Board) -> ObservedMove:
    opened = sorted(set().union(*(part.whole for part in parts)))
    return ObservedMove(
        action,
        tuple(Cell(*divmod(index, board.cols)) for index in cells),
        tuple(Cell(*divmod(index, board.cols)) for index in opened),
    )
