"""Measure how often boards are found with their right size, by kind, and false detections.

    python -m tests.benchmarks.found [--seeds N] [--from SEED] [KIND ...]

Every screen follows from its kind and seed. A board of a known skin is searched by `survey`, one of
an unknown skin then by `find_unknown_boards`, as in the program. A detection without a board, or
with a wrong size or position, counts as wrong.
"""

from __future__ import annotations

import argparse
import statistics
import time
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rich.table import Table

from bot.frame import Frame
from tests.tools.report.console import Console
from tests.vision.kinds import KINDS, Kind
from vision.finder import grid_of, survey
from vision.finder.lattice import find_lattices
from vision.finder.outline import find_outlines
from vision.finder.unknown_boards import find_unknown_boards
from vision.skins import Skin, SkinLibrary

SEEDS = 20
FIRST = 5000
"""The first seed; thresholds were measured on others."""


@dataclass
class Tally:
    """Results for the screens of one kind."""

    verdicts: Counter[str]
    missed: list[int]
    """Seeds of screens with a board that was not found."""
    wrong: list[int]
    """Seeds of screens with a wrong detection."""
    times: list[float]
    """Milliseconds per screen."""
    outlined: int = 0
    """Boards of unknown skins whose outline was right, whether accepted or not."""


def tally(kind: Kind, seeds: Sequence[int], skins: tuple[Skin, ...]) -> Tally:
    """Search the screens of a kind."""
    seen = Tally(Counter(), [], [], [])
    for seed in seeds:
        image, boards = kind.screen(
            np.random.default_rng([zlib.crc32(kind.name.encode()), seed]), skins
        )
        frame = Frame.of_image(image)
        start = time.perf_counter()
        grids = [sighting.grid for sighting in survey(frame, skins)[0]]
        if not kind.known:
            outlines = find_outlines(image, find_lattices(image), lambda _: False)
            drawn = [grid_of(frame, one.place, one.span) for one in outlines]
            seen.outlined += sum(any(board.is_at(grid) for grid in drawn) for board in boards)
            strangers, _ = find_unknown_boards(frame, grids)
            # A fresh one is only offered if its window's title indicates a game.
            grids += [one.grid for one in strangers if boards or not one.fresh]
        seen.times.append(1000 * (time.perf_counter() - start))
        right = sum(any(board.is_at(grid) for grid in grids) for board in boards)
        others = sum(not any(board.is_at(grid) for board in boards) for grid in grids)
        seen.verdicts.update(found=right, missed=len(boards) - right, wrong=others)
        seen.missed += [seed] if right < len(boards) else []
        seen.wrong += [seed] if others else []
    return seen


def bench(
    console: Console, skins: tuple[Skin, ...], seeds: Sequence[int], kinds: Sequence[Kind]
) -> None:
    """Print the table."""
    table = Table(
        "kind of screen",
        "screens",
        "boards",
        "outlined",
        "found",
        "not found",
        "wrong",
        "median, ms",
    )
    table.add_column("seeds of those not found; wrong!")
    table.title = f"Found, of seeds {seeds[0]} to {seeds[-1]} of each kind"
    for kind in kinds:
        seen = tally(kind, seeds, skins)
        boards = seen.verdicts["found"] + seen.verdicts["missed"]
        outlined = f"{seen.outlined / boards:.0%}" if boards and not kind.known else ""
        table.add_row(
            kind.name,
            str(len(seeds)),
            str(boards),
            outlined,
            f"{seen.verdicts['found'] / boards:.0%}" if boards else "",
            str(seen.verdicts["missed"]),
            str(seen.verdicts["wrong"]),
            f"{statistics.median(seen.times):.0f}",
            " ".join([*map(str, seen.missed[:6]), *(f"{seed}!" for seed in seen.wrong[:6])]),
        )
    console.print(table)


def main() -> None:
    """Print the table of all kinds, or of the given ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS, help="screens of each kind")
    parser.add_argument("--from", dest="first", type=int, default=FIRST, help="the first seed")
    parser.add_argument("kinds", nargs="*", help="parts of names of kinds")
    asked = parser.parse_args()
    kinds = [
        kind for kind in KINDS if not asked.kinds or any(part in kind.name for part in asked.kinds)
    ]
    seeds = range(asked.first, asked.first + asked.seeds)
    bench(Console(width=150), SkinLibrary().skins(), seeds, kinds)


if __name__ == "__main__":
    main()
