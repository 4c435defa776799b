"""What each rule of `vision.counters` and `vision.digits` is worth.

Windows of real programs whose counters were read off by eye, as they are and changed; frames of
recorded games, each alone and followed; programs of the family that are for tuning (painted with
Qt) and the simulated looks; type in several fonts; screens on which no counter is; and the digits
of the bundled skins, none of which the digit reader was trained on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PyQt6.QtGui import QFontDatabase

from bot.board import FLAG, MISFLAG, UNREAD
from bot.frame import Frame, Grid
from gui.looks import LOOKS
from gui.looks.headers import HeaderState
from tests.benchmarks.ablation import Rule, edited
from tests.benchmarks.arts import painted, played
from tests.benchmarks.digits import SPOILT, counted, placed
from tests.support.boards import SESSIONS
from tests.support.family.options import combinations, held_out
from tests.support.glyphs import application, written
from tests.vision.counters.test_counters import ALL, COUNTED, SCALED, TOTALS, drawn, typed
from tests.vision.scenes import desktop
from vision.counters import Counters, CounterWatch, find_counters, read_counter
from vision.counters.header import Header
from vision.counters.mines import MinesUnknown, decided
from vision.sessions import load_session
from vision.skins import Skin, SkinLibrary

SEED: Final = 4300
FONTS: Final = "DejaVu", "Liberation", "Noto", "Free", "Lato", "Ubuntu"
TEXTS: Final = (
    "{0}", "{1}", "-{1}", "{1}/{2}", "0:{2}", "Time: {0}", "Mines: {1}", "{0} s", "mine{1}",
    "{0:03}", "7{1}1", "{1} left", "{1} / {2}",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Case:
    """A picture of a board and what is beside it."""

    group: str
    frame: Frame
    grid: Grid
    left: int | None
    """Mines that its counter shows as left; None if it has none."""
    seconds: int | None = None
    """None if they are not known."""
    total: int | None = None
    tiles: NDArray[np.int8] = field(default_factory=lambda: np.zeros((0, 0), np.int8))
    """Of a game in progress."""
    mines: int = 0


def measure() -> dict[str, float]:
    """Return how many counters and clocks are read, and how many wrongly, by group."""
    count: Counter[str] = Counter()
    for case in cases():
        count.update(_found(case))
    for series in followed():
        watch = CounterWatch()
        for case in series:
            told = decided(watch.see(case.frame, case.grid), case.tiles, case.mines)
            count.update(_said("followed", "left", told.mines_left, case.left))
    for skin, case in mid_game():
        count.update(_settled(skin, case))
    for text, image in lines():
        number = "".join(one for one in text if not one.isalpha()).strip(" :").replace(" ", "")
        read = read_counter(image)
        count.update(_said("type", "read", read.text if read else None, number))
    for skin in skins():
        for scale in (0.8, 1.0, 1.5):
            figures = counted(skin, scale)[0]
            for name, at in (("right", 1), ("sure", 2), ("WRONG", 3), ("WRONG others", 5)):
                count[f"digits: {name}"] += int(figures[at])
    return {name: count[name] for name in sorted(count)}


def _said(group: str, name: str, said: int | str | None, true: int | str | None) -> dict[str, int]:
    """Return one for what was read, rightly or wrongly; nothing if it was not."""
    return {} if said is None else {f"{group}: {name if said == true else f'WRONG {name}'}": 1}


def _found(case: Case) -> Counter[str]:
    """Return what is read beside one board, without any knowledge of the game."""
    told = find_counters(case.frame, case.grid)
    count = Counter(_said(case.group, "left", told.mines_left, case.left))
    if case.seconds is not None:
        count.update(_said(case.group, "total", told.mines_total, case.total))
        count.update(_said(case.group, "clock", told.seconds, case.seconds))
        either = {(one.mines_left, one.seconds) for one in told.either}
        count[f"{case.group}: either"] += (case.left, case.seconds) in either
    return count


def _settled(skin: Skin, case: Case) -> Counter[str]:
    """Return what is read of a game in progress, with the help of its tiles."""
    try:
        header = Header(case.frame, case.grid, None)
        shown = header.read(case.frame, case.grid, skin, case.tiles)
    except MinesUnknown:
        return Counter({"mid-game: unknown": 1})
    count = Counter(_said("mid-game", "mines", shown.mines, case.mines))
    count.update(_said("mid-game", "left", shown.mines_left, case.left))
    count["mid-game: clock"] += shown.clock is not None
    return count


@lru_cache(maxsize=1)
def skins() -> tuple[Skin, ...]:
    """Return the bundled skins."""
    return SkinLibrary().skins()


@lru_cache(maxsize=1)
def cases() -> list[Case]:
    """Return the pictures that are looked at once each."""
    cv2.setNumThreads(1)
    parts = _photographed(), _family(), _simulated(), _at_fractional_scales(), _without()
    return [case for part in parts for case in part]


def _photographed() -> Iterator[Case]:
    rng = np.random.default_rng(SEED)
    spoils = list(SPOILT.items())
    for number, look in enumerate(look for series in ALL.values() for look in series):
        total = TOTALS[look.program]
        left = None if look.program == "sgt-mines-dead" else look.left
        for name, spoil in (spoils[0], spoils[1 + number % (len(spoils) - 1)]):
            frame, grid = placed(spoil(look.frame.image, rng), look.frame, look.grid)
            group = name if name == "nothing" else "changed"
            yield Case(group, frame, grid, left, look.seconds, total)


def _family() -> Iterator[Case]:
    application()
    for number, options in enumerate(one for one in combinations() if not held_out(one)):
        shown = played(replace(options, fade=0), ("covered", "half")[number % 2])
        scale, board = options.scale, shown.board
        frame = Frame.of_image(painted(shown, scale))
        rows, cols, mines = options.size
        pitch = board.width * scale / cols
        grid = Grid(board.left * scale, board.top * scale, pitch, pitch, rows, cols)
        left = mines // 2 if number % 2 else mines  # every second mine is flagged
        if options.counter == "none":
            yield Case("family, none", frame, grid, None)
        else:
            group = f"family, {options.counter}"
            yield Case(group, frame, grid, left, 0, mines)


def _simulated() -> Iterator[Case]:
    stands = ((40, 0), (-7, 0), (-12, 358), (3, 64), (17, 999))
    for number, name in enumerate(sorted(LOOKS)):
        for place, cell in enumerate((16, 20, 24, 32)):
            left, seconds = stands[(number + place) % len(stands)]
            frame, grid = drawn(name, cell, HeaderState(40, left, seconds))
            yield Case("simulated", frame, grid, left, seconds, 40)


def _at_fractional_scales() -> Iterator[Case]:
    """Yield what the first frames of recorded games show at 125 and 150 %."""
    for name, factor in SCALED:
        reading = next(iter(load_session(SESSIONS / name).turns())).reading
        image = np.asarray(cv2.resize(reading.frame.image, None, fx=factor, fy=factor), np.uint8)
        frame, grid = placed(image, reading.frame, reading.grid)
        yield Case("fractional scale", frame, grid, reading.board.mines, 0, reading.board.mines)


def _without() -> Iterator[Case]:
    for seed in range(3):
        frame = Frame.of_image(desktop(np.random.default_rng(SEED + seed), 1280, 800))
        for left, top in ((300, 250), (600, 300), (100, 400)):
            yield Case("no counter", frame, Grid(left, top, 24, 24, 9, 9), None)


@lru_cache(maxsize=1)
def followed() -> list[list[Case]]:
    """Return recorded games, the second half of them spoilt in some way."""
    series = []
    spoils = list(SPOILT.values())
    for number, name in enumerate(COUNTED):
        readings = [turn.reading for turn in load_session(SESSIONS / name).turns()]
        rng, some = np.random.default_rng(SEED), []
        for reading in readings[:: max(1, len(readings) // 6)]:
            flags = int(np.isin(reading.board.tiles, (FLAG, MISFLAG)).sum())
            mines = reading.board.mines
            image = spoils[number % len(spoils)](reading.frame.image, rng)
            frame, grid = placed(image, reading.frame, reading.grid)
            tiles = reading.board.tiles
            some.append(Case("", frame, grid, mines - flags, tiles=tiles, mines=mines))
        series.append(some)
    return series


@lru_cache(maxsize=1)
def mid_game() -> list[tuple[Skin, Case]]:
    """Return a frame in the middle of each recorded session whose tiles are all read."""
    known = {skin.name: skin for skin in skins()}
    found = []
    for path in sorted(SESSIONS.glob("*/session.json")):
        session = load_session(path.parent)
        turns = list(session.turns())
        reading = turns[len(turns) // 2].reading
        skin = known.get(session.info.skin or "")
        if skin is None or (reading.board.tiles == UNREAD).any():
            continue
        tiles, mines = reading.board.tiles, reading.board.mines
        left = mines - int(np.isin(tiles, (FLAG, MISFLAG)).sum())
        case = Case("", reading.frame, reading.grid, left, tiles=tiles, mines=mines)
        found.append((skin, case))
    return found


@lru_cache(maxsize=1)
def lines() -> list[tuple[str, NDArray[np.uint8]]]:
    """Return random numbers as counters write them, alone and among words, in many fonts."""
    application()
    rng = np.random.default_rng(SEED)
    fonts = [one for one in QFontDatabase.families() if one.startswith(FONTS)]
    made = []
    for at in range(400):
        number, small = int(rng.integers(1000)), int(rng.integers(100))
        text = TEXTS[at % len(TEXTS)].format(number, small, int(rng.integers(10, 60)))
        font = fonts[int(rng.integers(len(fonts)))]
        size = int(rng.integers(9, 30))
        ink = np.pad(written(text, (font, QFontDatabase.styles(font)[0]), size), 12)
        image = np.repeat(255 - ink[..., None] if at % 2 else ink[..., None], 3, axis=2)
        factor = 1.25 if at % 5 == 0 else 1.0
        larger = cv2.resize(image, None, fx=factor, fy=factor)
        made.append((text, np.asarray(larger, np.uint8)))
        if at % 10 == 0:
            sign = next((one for one in text if one in "/:-"), "")
            made.append((text, typed(text, faint=sign, size=size / 25)))
    return made


def prepare() -> None:
    """Make all pictures."""
    cases(), followed(), mid_game(), lines()


_IN: Final = "vision.counters"
_TYPE, _NUMBERS = f"{_IN}.typed", f"{_IN}.numbers"
_STROKES, _COUNTERS = f"{_IN}.strokes", _IN
_DIGITS: Final = "vision.digits"


def _no(*_some: Any, **_more: Any) -> bool:
    return False


RULES: Final[Sequence[Rule]] = [
    # Which number is which.
    edited("3/10 tells flags and mines", f"{_COUNTERS}:assigned", "if ratios:", "if False:"),
    edited("'Mines' labels it", f"{_COUNTERS}:assigned", "if len(labelled) == 1:", "if False:"),
    Rule("a number alone", f"{_COUNTERS}:alone", lambda *_, **__: Counters()),
    edited(
        "seven segments alone on a fresh board",
        f"{_COUNTERS}:alone",
        "if fresh and few",
        "if False and few",
    ),
    edited("0:04 is a clock", f"{_COUNTERS}:_of_pair", 'if ":" in second.text.text:', "if False:"),
    edited("0 is a fresh clock", f"{_COUNTERS}:_of_pair", "if not worded and", "if False and"),
    edited(
        "mates are equally high",
        f"{_COUNTERS}:_mates",
        "> max(2, _ALIKE_HIGH * number.height)",
        "> 9999",
    ),
    edited("mates are in a row or column", f"{_COUNTERS}:_mates", "if row or", "if True or"),
    edited("mates in a column", f"{_COUNTERS}:_mates", "if row or (", "if row or (False and "),
    Rule("a fresh board", f"{_COUNTERS}:_fresh", _no),
    Rule("a clock ticks", f"{_COUNTERS}:_rises", _no),
    edited(
        "searched again if lost",
        f"{_COUNTERS}:CounterWatch.see",
        "if self.regions and lost",
        "if False",
    ),
    # Where.
    edited(
        "below the board",
        f"{_COUNTERS}:strips",
        "(left - wide, bottom, right + wide, bottom + deep),",
        "",
    ),
    edited("left of it", f"{_COUNTERS}:strips", "(left - wide, top, left, bottom),", ""),
    edited("right of it", f"{_COUNTERS}:strips", "(right, top, right + wide, bottom),", ""),
    Rule("four margins", f"{_COUNTERS}:_MARGINS", (1.2, 0.4)),
    Rule("margins shrink", f"{_COUNTERS}:_MARGINS", (0.4,)),
    # Numbers.
    Rule("ink beside seven segments", f"{_NUMBERS}:_continued", _no),
    edited(
        "lines beside seven segments",
        f"{_NUMBERS}:_continued",
        "columns &= ~",
        "columns &= True | ~",
    ),
    Rule("two levels of lit", f"{_NUMBERS}:_LEVELS", (127,)),
    Rule("plain type that is like segments", f"{_NUMBERS}:_typed_otherwise", _no),
    Rule("wide pieces stay alone", f"{_NUMBERS}:_wide", _no),
    edited("clear of the edges", f"{_STROKES}:Number.clear_of_edges", "return ", "return True or "),
    # Seven segments.
    edited(
        "half lit",
        f"{_NUMBERS}:_segments_of",
        "name if share >= 0.7 else '?'".replace("'", '"'),
        "name",
    ),
    Rule("twelve pixels high", f"{_NUMBERS}:_SMALLEST", 0),
    # Strokes.
    edited("frames around strokes", f"{_STROKES}:without_frames", "keep = ~(", "keep = True | ~("),
    # Plain type.
    Rule("the label says mines", f"{_TYPE}:says_mines", _no),
    # Digits of tiles.
    Rule("three shares of contrast", f"{_DIGITS}:_SHARES", (0.35,)),
    Rule(
        "frames peeled off",
        f"{_DIGITS}:_without_frame",
        lambda drawn: (0, drawn.shape[0], 0, drawn.shape[1]),
    ),
    edited("dotted frames", f"{_DIGITS}:_lines", " | (dotted & (share >= 0.4))", ""),
    edited(
        "lines of a frame apart", f"{_DIGITS}:_last", "if row - peeled > gap:", "if row > peeled:"
    ),
    edited(
        "nothing at the sides",
        f"{_DIGITS}:_glyph_parts",
        "keep = central | ~at_edge",
        "keep = central | True",
    ),
    edited(
        "no specks", f"{_DIGITS}:_glyph_parts", "keep &= area >= max(1.0, 0.03 * largest)", "pass"
    ),
    edited(
        "the background at the corners",
        f"{_DIGITS}:_background",
        "alike[alike.sum(axis=1).argmax()]",
        "alike[0] | True",
    ),
    edited(
        "low glyphs",
        f"{_DIGITS}:shape_mask",
        "or rows[-1] - rows[0] + 1 < max(5, 0.18 * difference.shape[0])",
        "",
    ),
    edited(
        "one network",
        f"{_DIGITS}:_probabilities",
        "for weights in networks if",
        "for weights in networks[:1] * len(networks) if",
    ),
]
"""A special case, a constant or a shape each."""
