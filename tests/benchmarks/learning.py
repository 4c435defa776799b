"""Measure the reading of unknown skins: sessions of real programs, read without their pictures.

    python -m tests.benchmarks.learning

Each recorded game is shown, frame by frame, to a learner that knows no skin at all, not even those
of other programs; only the board's position is given. A tile counts as right if it was read
correctly in its own frame: later learning does not count for earlier frames. Thresholds were set
with the seeds of `tests/support/strange.py` below 4000, and features were chosen for errors in
these sessions; the synthetic skins below are others.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION, UNREAD, Board
from bot.frame import Frame, Grid
from gui.looks import LOOKS
from tests.support.boards import SESSIONS
from tests.support.strange import Strange, new_game
from tests.tools.report.console import Console
from vision.finder.placing import cut_tiles
from vision.learning.learner import Learner
from vision.sessions import load_session
from vision.skins import STATE_NAMES

Look = tuple[NDArray[np.uint8], Board]
"""The tile pictures of a board, and their true states."""
STATES = (COVERED, *range(9), FLAG, QUESTION, MINE, EXPLODED, MISFLAG)
MADE_UP = range(7000, 7040)
SIDES = (12, 14, 16, 18.75, 20, 22.5, 24, 32, 40, 50)


@dataclass
class Tally:
    """Results for the tiles of a program, by state."""

    counts: dict[int, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0, 0]))
    """State -> right, unread, wrong."""
    games: int = 0
    questions: Counter[int] = field(default_factory=Counter)
    """State -> number of questions if each is answered at once."""
    most: int = 0
    """Largest number of questions about one state in one game."""
    doubted: int = 0
    """Number of readings that were rejected."""
    times: list[float] = field(default_factory=list)

    def add(self, codes: NDArray[np.int8], board: Board) -> None:
        """Count the tiles of a reading."""
        for state in np.unique(board.tiles).tolist():
            read = codes[board.tiles == state]
            right, unread = int((read == state).sum()), int((read == UNREAD).sum())
            for place, n in enumerate((right, unread, len(read) - right - unread)):
                self.counts[state][place] += n

    @property
    def shares(self) -> dict[int, float]:
        """State -> share of its tiles that were right."""
        return {state: n[0] / sum(n) for state, n in self.counts.items()}

    @property
    def wrong(self) -> int:
        """Number of misread tiles."""
        return sum(n[2] for n in self.counts.values())


def tiles_of(frame: Frame, grid: Grid) -> NDArray[np.uint8]:
    """Return the tile pictures of a located board."""
    size = round(grid.pitch_x * grid.scale), round(grid.pitch_y * grid.scale)
    tops, lefts = grid.row_edges(frame.region), grid.column_edges(frame.region)
    return cut_tiles(frame.image, tops[:-1], lefts[:-1], size)


def looks_of(folder: Path) -> Iterator[Look]:
    """Yield the readings of a recorded game."""
    for turn in load_session(folder).turns():
        reading = turn.reading
        yield tiles_of(reading.frame, reading.grid), reading.board


def learn(looks: Iterable[Look], tally: Tally, *, answering: bool = False) -> Learner:
    """Show a game to a new learner; with `answering`, each question gets the true answer."""
    learner: Learner | None = None
    asked: Counter[int] = Counter()
    for tiles, board in looks:
        learner = learner or Learner("learned", (tiles.shape[2], tiles.shape[1]))
        start = time.perf_counter()
        result = learner.see(tiles, board.rows, board.cols)
        spent = time.perf_counter() - start
        if not answering:
            tally.times.append(1000 * spent)
            tally.add(result.codes, board)
            tally.doubted += not result.believable
            continue
        while result.questions:
            question = result.questions[0]
            state = board[question.cells[0]]
            asked[state] += 1
            learner.answer(question, state)
            result = learner.see(tiles, board.rows, board.cols)
    assert learner is not None
    if answering:
        tally.questions.update(asked)
        tally.most = max(tally.most, *asked.values(), 0) if asked else tally.most
    else:
        tally.games += 1
    return learner


def real() -> dict[str, Tally]:
    """Return the recorded sessions of real programs, by skin; simulated looks are excluded."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    for file in sorted(SESSIONS.glob("*/session.json")):
        skin = load_session(file.parent).info.skin
        if skin in LOOKS:
            continue
        tally = tallies[skin]
        for answering in (False, True):
            learn(looks_of(file.parent), tally, answering=answering)
    return tallies


def made_up_game(seed: int) -> Iterator[Look]:
    """Yield the readings of a game in a synthetic skin; both follow from the seed."""
    rng = np.random.default_rng(seed)
    skin, side = Strange(seed), float(rng.choice(SIDES))
    for board in skin.boards(new_game(rng), rng):
        yield skin.tiles(board, side), board


def made_up(seeds: Iterable[int]) -> Tally:
    """Measure games in synthetic skins."""
    tally = Tally()
    for seed in seeds:
        for answering in (False, True):
            learn(made_up_game(seed), tally, answering=answering)
    return tally


def bench(console: Console) -> None:
    """Print the tables."""
    tallies = real()
    made = made_up(MADE_UP)
    table = Table("state", *tallies, "all real", f"{len(MADE_UP)} made up", title=(
        "never seen before: right % / unread % / wrong %, no question asked"
    ))  # fmt: skip
    for state in STATES:
        columns = [_shares(t.counts.get(state)) for t in tallies.values()]
        whole = [t.counts[state] for t in tallies.values() if state in t.counts]
        pooled = _shares(np.sum(whole, axis=0).tolist()) if whole else ""
        table.add_row(STATE_NAMES[state], *columns, pooled, _shares(made.counts.get(state)))
    both = [*tallies.values(), made]
    every = [share for tally in tallies.values() for share in tally.shares.values()]
    means = [f"{100 * np.mean(list(t.shares.values())):.2f}" for t in both]
    table.add_row("mean of states", *means[:-1], f"{100 * np.mean(every):.2f}", means[-1])
    rows = {
        "wrong tiles": lambda t: str(t.wrong),
        "games": lambda t: str(t.games),
        "questions": lambda t: (
            ", ".join(f"{STATE_NAMES[s]} {n}" for s, n in t.questions.items()) or "0"
        ),
        "most for a state in a game": lambda t: str(t.most),
        "looks not believed": lambda t: f"{t.doubted} of {len(t.times)}",
        "ms a look, median / most": lambda t: f"{np.median(t.times):.1f} / {max(t.times):.0f}",
    }
    for name, value in rows.items():
        cells = [value(t) for t in both]
        table.add_row(name, *cells[:-1], "", cells[-1])
    console.print(table)


def _shares(counts: list[int] | None) -> str:
    if counts is None:
        return ""
    right, unread, wrong = (100 * n / sum(counts) for n in counts)
    return f"{right:.1f} / {unread:.1f} / {wrong:.1f}"


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    bench(Console())
