"""Judge the moves of a player, one by one and over a whole game.

A move is compared with what could be known before it: the exact probability of a mine in every
covered cell. If several cells were opened between two readings, the order most favourable to the
player is assumed: safe cells first, and what they showed was known for the others.

Moves are inferred from what they changed. A zero opens a region, and any of its zeros may be the
clicked one: the one under the pointer, if that is known; otherwise the move is judged only if the
judgement is the same for all of them. A chord opens the rest around a hint, as would a click on
each of those cells. The fewest clicks that explain a change are assumed.
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
from bot.assist.guesses import EQUAL_RISK, GuessKind, guess_kind
from bot.assist.patterns import MissedCell, Pattern, find_easiest
from bot.board import COVERED, EXPLODED, FLAG, QUESTION, Board, Cell, neighbours
from bot.frame import Status
from bot.planner import Action, Move
from bot.solver.phrases import percent, quantity

_MOST_POINTS: Final = 4
"""Sentences of a review."""


class MoveKind(Enum):
    """The judgement of a move."""

    FIRST = "first"
    """The first move of a game, about which nothing is known."""
    SAFE = "safe"
    """Proved safe."""
    NEEDED = "needed"
    """A guess while nothing was proved, as good as any other."""
    MISSED = "missed"
    """A guess while a cell was proved safe."""
    RISKIER = "riskier"
    """A guess while a safer one was possible."""
    UNCLEAR = "unclear"
    """One of several cells was clicked, and the judgement depends on which."""
    FLAG = "flag"
    WRONG_FLAG = "wrong flag"
    """A flag on a cell that was proved safe."""


@dataclass(frozen=True)
class Verdict:
    """The judgement of one move."""

    move: Move
    """With its risk; of a chord, the risk of its worst cell."""
    kind: MoveKind
    least: float = 0.0
    """The least risk of any covered cell."""
    better: Cell | None = None
    """A better cell to open."""
    pattern: Pattern | None = None
    """The pattern that proves `better` safe."""
    died: bool = False
    lost: float | None = None
    """Decrease of the chance to win by this move, 0..1; None if not computed."""

    @property
    def guess(self) -> bool:
        """Whether the move was a guess; what is unclear is one if all its cells were risky."""
        return self.move.risk > 0 and self.kind is not MoveKind.FIRST

    def __str__(self) -> str:
        """Return a sentence for the player; empty if there is nothing to say."""
        text = self._text()
        if self.lost is not None and self.lost >= EQUAL_RISK:
            text += f" It cost about {self.lost:.0%} of the chance to win."
        return f"A mine. {text}".strip() if self.died else text

    def _text(self) -> str:
        better = self.better.position_text if self.better else ""
        risk = _percent(self.move.risk)
        if self.kind is MoveKind.MISSED:
            why = f": {self.pattern}" if self.pattern else ""
            guess = f"a guess with a risk of {risk}"
            was = "proved to be a mine" if self.move.risk == 1 else guess
            return f"That was {was}; {better} was proved safe{why}."
        if self.kind is MoveKind.RISKIER:
            return (
                f"That was a guess with a risk of {risk}; {better} had a risk of only "
                f"{_percent(self.least)}."
            )
        if self.kind is MoveKind.NEEDED:
            least = _percent(self.least)
            why = (
                "none had a lower risk"
                if least == risk
                else f"one with a risk of {least} would have won about as often"
            )
            return f"A guess with a risk of {risk}: no cell was proved safe, and {why}."
        if self.kind is MoveKind.WRONG_FLAG and self.move.cell is not None:
            return f"The flag at {self.move.cell.position_text} is on a cell that is proved safe."
        return ""


def judge_moves(
    before: Board,
    analysis: Analysis,
    after: Board,
    solve: Callable[[Board], Analysis],
    *,
    over: bool = False,
    pointed: Cell | None = None,
) -> tuple[Verdict, ...]:
    """Judge the moves between two readings of a game, in their probable order.

    Args:
        before: The board of the earlier reading.
        analysis: Its analysis; a guess at its `best` is never blamed.
        after: The board of the later reading.
        solve: Analyses a board in between.
        over: Whether the game is over in the later reading.
        pointed: The cell under the pointer in the later reading, if that is known.
    """
    flags, left = [], []
    for made in infer_moves(before, after, over=over):
        if made.action is Action.FLAG:
            flags.append(_flagging(made, before, after, analysis))
        elif made.action is Action.OPEN and pointed in made.cells:
            left.append(made._replace(cells=(pointed,)))
        else:
            left.append(made)
    opens: list[Verdict] = []
    board = before
    while left:
        at = int(np.argmin([_risk(made, analysis) for made in left]))
        made = left.pop(at)
        opens.append(_judgement(made, board, after, analysis))
        if left:
            board = _with(board, after, made.opened)
            analysis = solve(board)
    return (*flags, *opens)


def with_cost(verdict: Verdict, lost: float | None) -> Verdict:
    """Return the verdict with the cost of a guess in chance to win, 0..1.

    A riskier guess that costs nothing, because it reveals more, is no mistake.
    """
    if lost is None or verdict.kind not in (MoveKind.MISSED, MoveKind.RISKIER):
        return verdict
    proved = verdict.kind is MoveKind.MISSED
    kind = guess_kind(verdict.move.risk, verdict.least, proved=proved, lost=lost)
    if kind is GuessKind.FORCED:
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


def _judgement(made: ObservedMove, board: Board, after: Board, analysis: Analysis) -> Verdict:
    """Return the verdict on a chord, or on the click that opened cells."""
    if made.action is Action.CHORD:
        risk = _risk(made, analysis)
        return _opening(made, made.cells[0], risk, board, after, analysis)

    def risk_of(cell: Cell) -> float:
        return float(analysis.mine_probability[cell])

    verdict, worst = (
        _opening(made, cell, risk_of(cell), board, after, analysis)
        for cell in (min(made.cells, key=risk_of), max(made.cells, key=risk_of))
    )
    return verdict if worst.kind is verdict.kind else Verdict(verdict.move, MoveKind.UNCLEAR)


def _opening(
    made: ObservedMove, cell: Cell, risk: float, board: Board, after: Board, analysis: Analysis
) -> Verdict:
    move = Move(made.action, cell, risk)
    died = any(after[one] == EXPLODED for one in made.opened)
    least = float(np.nanmin(analysis.mine_probability))
    if not board.has_hints:
        return Verdict(move, MoveKind.FIRST, least, died=died)
    if risk == 0.0:
        return Verdict(move, MoveKind.SAFE)
    missed = find_easiest(board, analysis.safe)
    if missed is not None:
        return _blamed(move, missed, died=died)
    kind = guess_kind(risk, least, proved=False, best=cell == analysis.best)
    good = kind is GuessKind.FORCED
    safest = Cell(*divmod(int(np.nanargmin(analysis.mine_probability)), board.cols))
    judged = MoveKind.NEEDED if good else MoveKind.RISKIER
    return Verdict(move, judged, least, None if good else safest, died=died)


def _blamed(move: Move, missed: MissedCell, *, died: bool) -> Verdict:
    return Verdict(move, MoveKind.MISSED, 0.0, missed.cell, missed.pattern, died=died)


def _with(board: Board, after: Board, opened: Sequence[Cell]) -> Board:
    """Return a board with some cells opened; a mine that exploded stays covered."""
    tiles = board.tiles.copy()
    for cell in opened:
        if after[cell] >= 0:
            tiles[cell] = after[cell]
    return replace(board, tiles=tiles)


@dataclass(frozen=True)
class GameReview:
    """The review of a game."""

    headline: str
    statistics: str
    """The numbers of moves and guesses, in one line."""
    points: tuple[str, ...]
    """Advice, one sentence each, the most frequent mistake first."""


def review_game(verdicts: Iterable[Verdict], status: Status) -> GameReview:
    """Summarise the verdicts on a game.

    Args:
        verdicts: The verdicts on all its moves.
        status: How it ended.
    """
    judged = tuple(verdicts)
    kinds = Counter(verdict.kind for verdict in judged)
    moves = sum(verdict.move.action is not Action.FLAG for verdict in judged)
    guesses = sum(verdict.guess for verdict in judged)
    statistics = (
        f"{quantity(moves, 'move')}, {quantity(guesses, 'guess')}: "
        f"{kinds[MoveKind.NEEDED]} needed, "
        f"{kinds[MoveKind.MISSED]} while a cell was proved safe, "
        f"{kinds[MoveKind.RISKIER]} riskier than another"
    )
    return GameReview(_headline(judged, status), statistics, _points(judged, kinds))


def _headline(judged: Sequence[Verdict], status: Status) -> str:
    died = next((verdict for verdict in judged if verdict.died), None)
    if status is Status.WON:
        return "Won."
    if died is None:
        return "Lost." if status is Status.LOST else "Not finished."
    risk = _percent(died.move.risk)
    if died.kind is MoveKind.FIRST:
        return "Lost on the first click: bad luck."
    if died.kind is MoveKind.NEEDED:
        return f"Lost on a guess with a risk of {risk} that could not be avoided: bad luck."
    if died.move.risk == 1:
        return "Lost by opening a proved mine."
    return f"Lost on an unnecessary guess with a risk of {risk}."


def _points(judged: Sequence[Verdict], kinds: Counter[MoveKind]) -> tuple[str, ...]:
    missed = Counter(verdict.pattern for verdict in judged if verdict.kind is MoveKind.MISSED)
    points = [
        (count, f"You missed {pattern}, {_times(count)}.")
        for pattern, count in missed.most_common()
        if pattern is not None
    ]
    riskier = [v.move.risk - v.least for v in judged if v.kind is MoveKind.RISKIER]
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
    return tuple(sentence for _, sentence in ordered[:_MOST_POINTS])


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _percent(risk: float) -> str:
    return percent(risk, 0 if risk >= 0.01 or risk == 0 else 1)


class ObservedMove(NamedTuple):
    """A move of the player, inferred from two readings."""

    action: Action
    cells: tuple[Cell, ...]
    """One of these was clicked; more than one only if a region was opened."""
    opened: tuple[Cell, ...]
    """The cells that it opened, row by row."""


def infer_moves(before: Board, after: Board, *, over: bool = False) -> tuple[ObservedMove, ...]:
    """Return the moves that turn one board of a game into the next: flags, chords, then opens.

    Args:
        before: The earlier board.
        after: The later board.
        over: Whether the game is over: its end shows mines, and flags that the player did not set.
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
    """The cells that one click opened."""

    clicked: frozenset[int]
    """The possible clicks: any one of these cells explains the change."""
    whole: frozenset[int]


class _Chord(NamedTuple):
    at: int
    cells: frozenset[int]
    """The covered cells without a flag around the hint."""


def _parts(after: Board, opened: set[int]) -> list[_Part]:
    """Split opened cells into regions and single cells that no region explains."""
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
    """List hints around which every cell without a flag was opened, the largest first."""
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
