"""Count how often a part of a board is read as a smaller board, and a whole one as a part.

    python -m tests.benchmarks.cut [SESSION ...]

From a frame of each recorded session some lines of cells are cut away at each side, exactly between
two lines; beyond is the edge of the picture, a desktop or the toolbar above a page. Whole pictures
are scaled to other sizes. Boards are searched as in `read`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from rich.table import Table

from bot.frame import Frame
from tests.support.boards import SESSIONS
from tests.tools.report.console import Console
from tests.vision.cropped import BEYOND, SCALES, cropped, crops_of, scaled, shots_of
from tests.vision.scenes import Image
from vision.finder.placing import SIDES
from vision.skins import Skin, SkinLibrary
from vision.tracking.tile_reader import tile_readers_of

_OUTCOMES = ("whole", "refused", "asked", "smaller")


def outcome(image: Image, whole: tuple[int, int], skins: tuple[Skin, ...]) -> str:
    """Return the result for a picture of a board with so many rows and columns."""
    tile_readers, _ = tile_readers_of(Frame.of_image(image), skins)
    found = [(tile_reader.grid.rows, tile_reader.grid.cols) for tile_reader in tile_readers]
    if not found:
        return "refused"
    if found == [whole]:
        return "whole"
    return "asked" if all(tile_reader.unsure for tile_reader in tile_readers) else "smaller"


def bench(console: Console, folders: list[Path], skins: tuple[Skin, ...]) -> None:
    """Print the table."""
    counts: dict[str, Counter[str]] = {}
    for folder in folders:
        for shot in shots_of(folder, (0,)):
            size = shot.grid.rows, shot.grid.cols
            for factor in (1.0, *SCALES):
                kind = f"whole, times {factor}"
                seen = outcome(scaled(shot.image, factor), size, skins)
                counts.setdefault(kind, Counter())[seen] += 1
            for beyond in BEYOND:
                for crop in crops_of(shot, beyond):
                    kind = f"part, beyond it a {beyond}"
                    counts.setdefault(kind, Counter())[outcome(crop.image, size, skins)] += 1
            for side in SIDES:
                for factor in SCALES:
                    image = scaled(cropped(shot, side, 2, "picture"), factor)
                    kind = f"part of a picture, times {factor}"
                    counts.setdefault(kind, Counter())[outcome(image, size, skins)] += 1
    table = Table("pictures", *_OUTCOMES, title="Parts of boards in recorded sessions")
    for kind, seen_as in counts.items():
        table.add_row(kind, *(str(seen_as[one]) for one in _OUTCOMES))
    console.print(table)


def main() -> None:
    """Print the table for the given sessions, or for all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("session", nargs="*", help="a folder of tests/sessions; all by default")
    wanted = parser.parse_args().session
    every = sorted(path.parent for path in SESSIONS.glob("*/session.json"))
    named = [folder for folder in every if folder.name in wanted]
    bench(Console(), named or every, SkinLibrary().skins())


if __name__ == "__main__":
    main()
