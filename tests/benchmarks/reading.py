"""Measure the reading of changed frames of recorded games.

    python -m tests.benchmarks.reading [--tiles N]

Whole frames are changed in many ways; a misread tile is wrong, at any strength. Thresholds were
chosen on the tuning half of the sources and after looking at the judging half, with seeds below
9300; the results are for the judging half with seeds from 9300.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from zlib import crc32

import cv2
import numpy as np
from rich.table import Table

from bot.board import UNREAD
from bot.frame import Frame, Region
from tests.support.perturbed import COVERS, KINDS, perturb
from tests.support.reading_sources import Source, sources
from tests.tools.report.console import Console
from vision.finder import survey
from vision.matcher import Matcher
from vision.skins import Skin, SkinLibrary
from vision.tracking.tile_reader import Tracker, believable

SEED = 9300
TILES = 1_000_000
FOUND = 240
"""Most changed frames that are also searched without a given board position."""


def bench_perturbed(console: Console, skins: tuple[Skin, ...], tiles: int) -> None:
    """Change whole frames until the given number of tiles was read."""
    start = time.perf_counter()
    changes = [(name, s) for name, kind in (KINDS | COVERS).items() for s in kind.strengths]
    counts: dict[tuple[str, float], Counter[str]] = defaultdict(Counter)
    wrong: Counter[tuple[str, str, float, int, int]] = Counter()
    distinct: set[bytes] = set()
    found: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    total, seed, places = 0, SEED, 0
    while total < tiles:
        chosen = _spread(list(sources(skins, seed)), (tiles - total) / len(changes))
        for number, source in enumerate(chosen):
            before = len(distinct)
            distinct |= _tiles_of(source)
            places += source.tiles.size if len(distinct) > before else 0
            matchers: dict[Skin, Matcher] = {}
            for turn, (kind, strength) in enumerate(changes):
                changed = perturb(
                    source.image, source.grid, kind, strength, seed + crc32(source.name.encode())
                )
                drawn = source.skin.drawn_at(changed.grid.pitch_x * changed.grid.scale)
                if drawn not in matchers:
                    matchers[drawn] = Matcher(drawn)
                tracker = Tracker(changed.grid, drawn, matchers[drawn])
                tracker.see(changed.frame)
                count = counts[kind, strength]
                # Half of the tiles are random, so their hints are inconsistent.
                read = believable(tracker.codes, doubt_hints=False)
                bad = _count(count, read, source.tiles, ~changed.foreign)
                for row, col in np.argwhere(bad):
                    reported = int(source.tiles[row, col]), int(read[row, col])
                    wrong[source.skin.name, kind, strength, *reported] += 1
                total += source.tiles.size
                sampled = kind in KINDS and (turn + 7 * number) % 97 == 0
                if sampled and sum(one["frames"] for one in found.values()) < FOUND:
                    inside = KINDS[kind].within(strength)
                    found[inside] += _found(changed.image, source, skins)
        seed += 1000
    _print(console, counts, wrong)
    seconds = time.perf_counter() - start
    console.print(
        f"{total:,} changed tiles of {len(distinct):,} distinct source tiles at {places:,} places; "
        f"seeds {SEED} to {seed - 1}; {seconds:.0f} s"
    )
    for inside, name in ((True, "within the asked strengths"), (False, "of all other changes")):
        count = found[inside]
        console.print(
            f"a sample of {count['frames']} whole frames {name}, one in 97, was also searched from "
            f"scratch: {count['found']} boards found, {count['wrong']} of their tiles wrong"
        )


def _spread(chosen: list[Source], tiles: float) -> list[Source]:
    """Return sources, spread over all of them, with about the given number of tiles."""
    share = min(tiles / sum(one.tiles.size for one in chosen), 1.0)
    steps = np.floor(np.arange(len(chosen) + 1) * share + 0.5)
    kept = [one for one, step in zip(chosen, np.diff(steps), strict=True) if step]
    return kept or chosen[:1]


def _tiles_of(source: Source) -> set[bytes]:
    """Return the pictures of a source's tiles."""
    grid = source.grid
    width, height = round(grid.pitch_x), round(grid.pitch_y)
    region = Region(0, 0, source.image.shape[1], source.image.shape[0])
    lefts, tops = grid.column_edges(region)[:-1], grid.row_edges(region)[:-1]
    return {
        source.image[top : top + height, left : left + width].tobytes()
        for top in tops
        for left in lefts
    }


def _found(image: np.ndarray, source: Source, skins: Iterable[Skin]) -> Counter[str]:
    """Return whether a changed frame's board is found whole, and its number of wrong tiles."""
    count = Counter(frames=1)
    for one in survey(Frame.of_image(image), skins)[0]:
        if one.tiles.shape == source.tiles.shape and one.skin.name == source.skin.name:
            count["found"] += 1
            _count(count, one.tiles, source.tiles)
    return count


def _count(
    count: Counter[str], read: np.ndarray, tiles: np.ndarray, seen: np.ndarray | None = None
) -> np.ndarray:
    """Count tiles, wrong ones and uncovered unread ones; return the wrong ones."""
    bad = (read != tiles) & (read != UNREAD)
    count["tiles"] += tiles.size
    count["wrong"] += int(bad.sum())
    unread = read == UNREAD
    count["unread"] += int((unread if seen is None else unread & seen).sum())
    return bad


def _print(
    console: Console,
    counts: dict[tuple[str, float], Counter[str]],
    wrong: Counter[tuple[str, str, float, int, int]],
) -> None:
    table = Table("change", "strength", "tiles", "wrong", "unread, %", "asked for")
    for (name, strength), count in counts.items():
        kind = KINDS.get(name)
        inside = kind is not None and kind.within(strength)
        unread = 100 * count["unread"] / max(count["tiles"], 1)
        row = [name, f"{strength:g}", f"{count['tiles']:,}", f"{count['wrong']}", f"{unread:.2f}"]
        table.add_row(*row, "0 wrong, 1 %" if inside else "0 wrong")
    console.print(table)
    for name, kind in KINDS.items():
        if kind.band is None:
            continue
        part = [counts[name, one] for one in kind.strengths if kind.within(one)]
        unread = sum(one["unread"] for one in part) / max(sum(one["tiles"] for one in part), 1)
        console.print(f"{name} within the asked strengths: {unread:.2%} unread")
    total = sum(count["wrong"] for count in counts.values())
    console.print(f"wrong at any strength: {total}")
    for (skin, name, strength, true, reported), number in wrong.most_common(20):
        console.print(f"  {skin}, {name} {strength:g}: {number} of {true} read as {reported}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tiles", type=int, default=TILES, help="changed tiles, at least")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    bench_perturbed(Console(width=110), SkinLibrary().skins(), options.tiles)


if __name__ == "__main__":
    main()
