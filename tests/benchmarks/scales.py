"""Measure the reading of boards that were drawn at one size and are shown at another.

    python -m tests.benchmarks.scales [--quick] [--worst] [SKIN ...]

Browsers, toolkits and remote desktops scale pictures: by nearest neighbour, bilinear, bicubic or
area interpolation; the whole picture, as the device scale of a browser does, or each cell by itself
to whole pixels, as a program does that draws pictures of one size into cells of another. Every
recorded session of a bundled skin is shown in these ways. The reading is compared with the
recording: a misread tile is wrong, at any size.

'found' is a board that `survey` finds in its right size on a picture that was scaled as a whole.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from bot.board import UNREAD
from bot.frame import Frame, Grid, Region
from tests.support.reading_sources import Source, recorded
from tests.tools.report.console import Console
from vision.finder import survey
from vision.matcher import Matcher
from vision.skins import Skin, SkinLibrary
from vision.tracking.tile_reader import Tracker, believable

Image = NDArray[np.uint8]

SCALES: Final = (0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)
SMALLEST: Final = 12.0
"""Size of a cell in pixels from which almost every tile has to be read."""
ASKED: Final = 0.001
"""Largest share of unread tiles among them."""
FRAMES: Final = 8
"""Frames per skin and cell size, those with most states first."""
QUICK: Final = 1, 2
"""Frames per cell size, and cell sizes per skin, of a quick run."""


def _nearest(image: Image, size: tuple[int, int]) -> Image:
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_NEAREST_EXACT), np.uint8)


def _bilinear(image: Image, size: tuple[int, int]) -> Image:
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def _bicubic(image: Image, size: tuple[int, int]) -> Image:
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_CUBIC), np.uint8)


def _area(image: Image, size: tuple[int, int]) -> Image:
    """Return a picture scaled by area means, which OpenCV supports only for reductions."""
    across, down = (
        _covered(one, other) for one, other in zip(image.shape[1::-1], size, strict=True)
    )
    rows = np.tensordot(down, image.astype(np.float32), 1)
    return np.einsum("xw,hwc->hxc", across, rows, optimize=True).round().astype(np.uint8)


def _covered(before: int, after: int) -> NDArray[np.float32]:
    """Return (after, before): the share of each pixel that covers each pixel of the original."""
    edges = np.arange(after + 1) * before / after
    first, last = edges[:-1, None], edges[1:, None]
    pixels = np.arange(before)
    over = np.minimum(last, pixels + 1) - np.maximum(first, pixels)
    return (over.clip(0) * after / before).astype(np.float32)


METHODS: Final[Mapping[str, Callable[[Image, tuple[int, int]], Image]]] = {
    "nearest": _nearest,
    "bilinear": _bilinear,
    "bicubic": _bicubic,
    "area": _area,
}


@dataclass(frozen=True, eq=False)
class Scaled:
    """A board at another size."""

    image: Image
    grid: Grid
    whole: bool
    """Whether the picture was scaled as a whole."""


def scaled(source: Source, scale: float, method: str) -> Iterator[Scaled]:
    """Show a board at another size: the whole picture, then cell by cell."""
    image, grid, change = source.image, source.grid, METHODS[method]
    height, width = (round(side * scale) for side in image.shape[:2])
    whole = change(image, (width, height))
    # A picture of whole pixels is not scaled by exactly the factor.
    across, down = width / image.shape[1], height / image.shape[0]
    shown = replace(
        grid,
        left=grid.left * across,
        top=grid.top * down,
        pitch_x=grid.pitch_x * across,
        pitch_y=grid.pitch_y * down,
    )
    if grid.wide_cols or grid.wide_rows:
        shown = replace(grid, scale=scale)
    yield Scaled(whole, shown, whole=True)
    if scale == 1:
        return
    before, after = Region(0, 0, *image.shape[1::-1]), Region(0, 0, width, height)
    tops, lefts = grid.row_edges(before), grid.column_edges(before)
    to_tops, to_lefts = shown.row_edges(after), shown.column_edges(after)
    drawn = whole.copy()
    for row in range(grid.rows):
        for col in range(grid.cols):
            cell = image[tops[row] : tops[row + 1], lefts[col] : lefts[col + 1]]
            there = drawn[to_tops[row] : to_tops[row + 1], to_lefts[col] : to_lefts[col + 1]]
            there[:] = change(cell, (there.shape[1], there.shape[0]))
    yield Scaled(drawn, shown, whole=False)


def chosen(
    skins: Mapping[str, Skin], most: int, sizes: int | None = None
) -> dict[str, list[Source]]:
    """Return recorded boards of each skin: the last frame of each session, which shows most.

    Args:
        skins: The skins by name.
        most: Boards per cell size, those with the most states that no other one shows.
        sizes: Cell sizes of a skin, from the smallest to the largest; all without.
    """
    found: dict[str, dict[float, list[Source]]] = defaultdict(lambda: defaultdict(list))
    for source in recorded(dict(skins), None):
        some = found[source.skin.name][source.grid.pitch_x]
        session = source.name.partition("/")[0]
        if some and some[-1].name.partition("/")[0] == session:
            some.pop()
        some.append(source)
    boards: dict[str, list[Source]] = {}
    for name, by_size in found.items():
        kept = sorted(by_size)
        if sizes is not None and len(kept) > sizes:
            kept = [kept[round(at)] for at in np.linspace(0, len(kept) - 1, sizes)]
        boards[name] = [one for size in kept for one in _various(by_size[size], most)]
    return boards


def _various(some: list[Source], most: int) -> Iterator[Source]:
    """Yield so many boards, each time the one with the most states not yet shown."""
    left, shown = list(some), set[int]()
    for _ in range(min(most, len(left))):
        best = max(left, key=lambda one: len(set(one.tiles.flat) - shown))
        left.remove(best)
        shown |= set(best.tiles.flat)
        yield best


@dataclass
class Tally:
    """Results for boards that were scaled in one way."""

    counts: Counter[str]
    wrong: Counter[tuple[int, int]]
    unread: Counter[int]


def read(source: Source, one: Scaled, matchers: dict[Skin, Matcher]) -> NDArray[np.int8]:
    """Read a board at a known position."""
    drawn = source.skin.drawn_at(one.grid.pitch_x * one.grid.scale)
    matcher = matchers.setdefault(drawn, Matcher(drawn))
    tracker = Tracker(one.grid, drawn, matcher)
    region = Region(
        0,
        0,
        round(one.image.shape[1] / one.grid.scale),
        round(one.image.shape[0] / one.grid.scale),
    )
    tracker.see(Frame(one.image, region))
    return believable(tracker.codes)


def tally(
    boards: Sequence[Source],
    scale: float,
    method: str,
    skins: Sequence[Skin],
    *,
    search: int,
) -> Tally:
    """Read boards of one skin at one size.

    Args:
        boards: Boards of the skin.
        scale: The scale factor.
        method: A key of `METHODS`.
        skins: The skins to search for.
        search: Number of pictures that are also searched for their board.
    """
    seen = Tally(Counter(), Counter(), Counter())
    count = seen.counts
    for number, source in enumerate(boards):
        small = source.grid.pitch_x * scale < SMALLEST
        for one in scaled(source, scale, method):
            codes = read(source, one, {})
            bad = (codes != source.tiles) & (codes != UNREAD)
            unread = (codes == UNREAD) & (source.tiles != UNREAD)
            count["cells"] += codes.size
            count["wrong"] += int(bad.sum())
            count["large"] += 0 if small else codes.size
            count["unread"] += 0 if small else int(unread.sum())
            for true, told in zip(source.tiles[bad].tolist(), codes[bad].tolist(), strict=True):
                seen.wrong[true, told] += 1
            seen.unread.update(source.tiles[unread].tolist())
            if one.whole and number < search:
                count["searched"] += 1
                _search(count, one, source, skins)
    return seen


def _search(count: Counter[str], one: Scaled, source: Source, skins: Sequence[Skin]) -> None:
    """Search a board without its position."""
    for board in survey(Frame.of_image(one.image), skins)[0]:
        if board.tiles.shape != source.tiles.shape:
            count["other size"] += 1
            continue
        count["found"] += 1
        bad = (board.tiles != source.tiles) & (board.tiles != UNREAD)
        count["wrong found"] += int(bad.sum())


def bench(
    console: Console,
    skins: Sequence[Skin],
    *,
    names: Sequence[str] = (),
    frames: int = FRAMES,
    sizes: int | None = None,
    search: int = 1,
    worst: bool = False,
) -> Counter[str]:
    """Print the table.

    Args:
        console: Receives the output.
        skins: The bundled skins.
        names: Names of the skins to show; empty for all.
        frames: Boards per skin and cell size.
        sizes: Cell sizes per skin.
        search: Boards per row that are also searched for.
        worst: Whether to print which tiles were not read.
    """
    table = Table(
        "skin", "scale", "method", "cells", "wrong", "UNREAD", "UNREAD, %", "found", "other size"
    )
    total: Counter[str] = Counter()
    told: list[str] = []
    for name, boards in sorted(
        chosen(
            {skin.name: skin for skin in skins if not names or skin.name in names}, frames, sizes
        ).items()
    ):
        for scale in SCALES:
            for method in METHODS if scale != 1 else ("nearest",):
                seen = tally(boards, scale, method, skins, search=search)
                count = seen.counts
                share = count["unread"] / max(count["large"], 1)
                missed = count["found"] < count["searched"]
                count["rows"] = 1
                count["rows short"] = int(share > ASKED or count["wrong"] > 0)
                total.update(count)
                table.add_row(
                    name,
                    f"{scale:g}",
                    method if scale != 1 else "as it was",
                    f"{count['cells']:,}",
                    f"{count['wrong'] + count['wrong found']}",
                    f"{count['unread']}",
                    f"{100 * share:.2f}{'!' if share > ASKED else ''}",
                    f"{count['found']} of {count['searched']}{'!' if missed else ''}",
                    f"{count['other size']}",
                )
                if worst and (seen.wrong or seen.unread):
                    told.append(
                        f"{name} {scale:g} {method}: unread {dict(seen.unread.most_common(9))}"
                        f" wrong {dict(seen.wrong)}"
                    )
    console.print(table)
    for line in told:
        console.print(line, highlight=False)
    share = total["unread"] / max(total["large"], 1)
    console.print(
        f"{total['cells']:,} cells: {total['wrong'] + total['wrong found']} wrong; of "
        f"{total['large']:,} of {SMALLEST:g} pixels or more {total['unread']:,} unread "
        f"({share:.3%}); {total['rows short']} of {total['rows']} rows fall short; "
        f"{total['found']} of {total['searched']} boards found, "
        f"{total['other size']} in another size"
    )
    return total


def main() -> None:
    """Print the table of all skins, or of the given ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few boards a skin")
    parser.add_argument("--worst", action="store_true", help="which tiles were not read")
    parser.add_argument("--search", type=int, default=1, help="boards a row that are searched for")
    parser.add_argument("names", nargs="*", help="names of skins")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    start = time.perf_counter()
    console = Console(width=120)
    bench(
        console,
        SkinLibrary().skins(),
        names=asked.names,
        frames=QUICK[0] if asked.quick else FRAMES,
        sizes=QUICK[1] if asked.quick else None,
        search=asked.search,
        worst=asked.worst,
    )
    console.print(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
