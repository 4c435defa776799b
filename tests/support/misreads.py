"""One misread tile on a board: the boards, the pairs of states, and the checks that detect it.

Real boards: those of recorded games in progress, and one from the middle of each of many Expert
games, with half of its proved mines flagged. Each state that a board shows is read once as every
other state, at a random place.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from bot.board import COVERED, FLAG, MINE, UNREAD, Board
from bot.frame import Status
from bot.game import FirstClick, Game, Level
from bot.planner import plan
from bot.solver import exact
from bot.solver.published.consistency import impossible_hints
from tests.bot.solver.seeded import can_be
from tests.support.boards import SESSIONS
from tests.support.readings import recorded_boards
from vision.learning.rules import impossible_zeros
from vision.sessions import load_session
from vision.tracking.tile_reader import believable

HINTS: Final = range(1, 9)
TRUE: Final = (*range(9), COVERED, FLAG)
READ: Final = (*TRUE, MINE)
CHECKS: Final = ("bounds", "zeros", "check", "reader", "exact")
"""The checks. Bounds: a hint larger than the number of closed cells around it. Zeros: a zero beside
a covered cell. Check: that of source 004, without the number of mines. Reader: both. Exact: the
exact solver, which uses that number; nothing else can be detected on one board."""


def kind_of(true: int, read: int) -> str:
    """Return the kind of a misread."""
    if true in HINTS and read in HINTS:
        return "hint as the next one" if abs(true - read) == 1 else "hint as another"
    if {true, read} == {COVERED, FLAG}:
        return "covered as flag, or back"
    was = "covered or flag" if true < 0 else "a number" if read in {FLAG, MINE} else _word(true)
    return f"{was} as {_word(read)}"


def _word(code: int) -> str:
    return {0: "0", COVERED: "covered", FLAG: "flag", MINE: "mine"}.get(code, "a hint")


@dataclass
class Tally:
    """Counts of misreads, and of the checks that detected them."""

    misreads: Counter[tuple[int, int]] = field(default_factory=Counter)
    caught: dict[str, Counter[tuple[int, int]]] = field(
        default_factory=lambda: defaultdict(Counter)
    )

    def add(self, board: Board, rng: np.random.Generator) -> None:
        """Read each state of a board once as every other one.

        Raises:
            SystemExit: A possible board was called impossible.
        """
        if self.judge(board):
            raise SystemExit(f"a true board was doubted:\n{board}")
        for true in TRUE:
            places = np.argwhere(board.tiles == true)
            if not len(places):
                continue
            for read in READ:
                if read == true:
                    continue
                tiles = board.tiles.copy()
                tiles[tuple(rng.choice(places))] = read
                self.misreads[true, read] += 1
                for check in self.judge(Board(tiles, board.mines)):
                    self.caught[check][true, read] += 1

    def judge(self, board: Board) -> set[str]:
        """Return the checks that reject a board."""
        possible = can_be(board)
        said = {
            "bounds": beyond_bounds(board),
            "zeros": bool(impossible_zeros(board.tiles).any()),
            "check": bool(impossible_hints(board)),
            "reader": bool((believable(board.tiles) == UNREAD).any()),
            "exact": not possible,
        }
        if possible and (said["bounds"] or said["check"]):
            raise SystemExit(f"a proof was wrong:\n{board}")
        return {name for name, doubts in said.items() if doubts}

    def share(self, check: str, pairs: Sequence[tuple[int, int]]) -> float:
        """Return the share of some misreads that a check detected, in %; NaN if there were none."""
        total = sum(self.misreads[pair] for pair in pairs)
        return 100 * sum(self.caught[check][pair] for pair in pairs) / total if total else np.nan


def beyond_bounds(board: Board) -> bool:
    """Return whether a hint is larger than the number of closed cells around it."""
    closed = np.pad(board.tiles < 0, 1)
    around = np.lib.stride_tricks.sliding_window_view(closed, (3, 3)).sum((2, 3))
    return bool((board.tiles > around).any())


def recorded(most: int, rng: np.random.Generator) -> list[Board]:
    """Return different boards of the recorded sessions, with an opened tile, in progress."""
    found: dict[str, Board] = {}
    for path in sorted(SESSIONS.glob("*/session.json")):
        session = load_session(path.parent)
        for record, board in zip(session.records, recorded_boards(session), strict=True):
            if record.status is Status.PLAYING and (board.tiles > 0).any():
                found.setdefault(str(board), board)
    boards = list(found.values())
    return [boards[i] for i in sorted(rng.permutation(len(boards))[:most])]


def flagged(boards: Iterator[Board], rng: np.random.Generator) -> Iterator[Board]:
    """Yield the boards with flags on about half of the proved mines."""
    for board in boards:
        tiles = board.tiles.copy()
        for cell in exact.solve(board).mines:
            if rng.random() < 0.5:
                tiles[cell] = FLAG
        yield Board(tiles, board.mines)


def mid_game(level: Level, count: int, seed: int) -> Iterator[Board]:
    """Yield boards in the middle of games that the exact solver plays, one per game."""
    rng = np.random.default_rng(seed)
    games = 0
    while count:
        games += 1
        game = Game.of_level(level, seed + games, FirstClick.ZERO)
        met = []
        while not game.status.over:
            for move in plan(game.board, exact.solve(game.board)):
                if move.cell is not None and game.status is Status.PLAYING:
                    game.open(move.cell)
            if game.status is Status.PLAYING:
                met.append(game.board)
        if met:
            yield met[rng.integers(len(met))]
            count -= 1
