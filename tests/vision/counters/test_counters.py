"""The counters of real programs and of the simulated window, read without a template.

The pictures in `data/counters` are windows of running programs; what their counters show
was read off them by eye. The geometry of `vision/counters/numbers.py` was worked out on other
pictures of the same programs and on the simulated looks; its digits were trained on none of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.board import FLAG, MISFLAG, Board
from bot.frame import Frame, Grid, Region
from gui.looks import LOOKS
from gui.looks.headers import HeaderState
from tests.support.boards import SESSIONS
from tests.support.glyphs import application, written
from tests.support.sampling import sampled
from tests.vision.scenes import desktop, field, recorded
from tests.vision.texts import write
from vision.capture import load_image
from vision.counters import Counters, find_counters, read_at, read_counter, seen_again
from vision.counters.numbers import numbers
from vision.sessions import load_session

pytestmark = pytest.mark.long

DATA = Path(__file__).parents[1] / "data" / "counters"
TOTALS = {
    "winemine-beginner": 10,
    "winemine-expert": 99,
    "xbomb-beginner": 10,
    "sgt-mines-beginner": 10,
    "gnome-mines-beginner": 10,
    "kmines-beginner": 10,
    "xdemineur-beginner": 20,
    "sgt-mines-dead": 36,
}
TOLD_BY_FORM = ("sgt-mines-beginner", "gnome-mines-beginner", "kmines-beginner")
"""`3/10` and `0:04` can be distinguished on any look, plain numbers on some."""


@dataclass(frozen=True, eq=False)
class Look:
    """One picture and what its counters show."""

    program: str
    frame: Frame
    grid: Grid
    left: int
    seconds: int


def looks() -> list[Look]:
    """All pictures, those of one program in the order that they were taken."""
    found = []
    for number, line in enumerate((DATA / "counters.txt").read_text("utf-8").splitlines()):
        if line.startswith("#"):
            continue
        name, time, board, left, seconds = line.split()
        x, y, pitch, rows, cols = (int(part) for part in board.split(","))
        frame = replace(load_image(DATA / f"{name}.png"), time=float(time), number=number)
        grid = Grid(x, y, pitch, pitch, rows, cols)
        found.append(Look(name.rsplit("-", 1)[0], frame, grid, int(left), int(seconds)))
    return found


ALL = {program: list(series) for program, series in groupby(looks(), lambda look: look.program)}


def right_or_nothing(reported: Counters, look: Look) -> bool:
    """Whether all that is reported is true."""
    return (
        reported.mines_left in (None, look.left)
        and reported.seconds in (None, look.seconds)
        and reported.mines_total in (None, TOTALS[look.program])
    )


@pytest.mark.parametrize("program", ALL)
def test_single_frame_gives_no_wrong_number(program: str) -> None:
    """Each picture alone: right, or nothing where the numbers cannot be distinguished.

    Where the forms differ, one look at any time of the game tells all.
    """
    for look in ALL[program]:
        reported = find_counters(look.frame, look.grid)
        assert right_or_nothing(reported, look), look.frame.number
        if program in TOLD_BY_FORM:
            assert None not in (reported.mines_left, reported.mines_total, reported.seconds)


def test_number_of_deaths_is_no_mine_counter() -> None:
    """What sgt-mines tells of a lost game, 'DEAD!  Deaths: 1', is a number and no mine counter."""
    (look,) = ALL["sgt-mines-dead"]
    reported = find_counters(look.frame, look.grid)
    assert reported.mine_counter is None
    assert [reading.mines_left for reading in reported.either] in ([], [1])
    assert all(reading.seconds == 1 for reading in reported.either)
    assert reported.worded or not reported.either


def test_a_region_is_read_alone() -> None:
    """A later look needs the two regions, not the strips around the board."""
    first, *rest = ALL["gnome-mines-beginner"]
    reported = find_counters(first.frame, first.grid)
    assert reported.mine_counter
    assert reported.clock
    for look in rest:
        counter, clock = (
            read_at(look.frame, part) for part in (reported.mine_counter, reported.clock)
        )
        assert counter
        assert clock
        assert counter.numbers == (10 - look.left, 10)
        assert clock.seconds == look.seconds
    assert read_at(first.frame, Region(-5, 0, 40, 20)) is None


def test_a_desktop_full_of_other_things_has_no_counters() -> None:
    """A board that stands in clutter is reported no mine count by it."""
    frame = Frame.of_image(desktop(np.random.default_rng(3), 1280, 800))
    for left, top in ((300, 250), (100, 400)):
        reported = find_counters(frame, Grid(left, top, 24, 24, 9, 9))
        assert replace(reported, either=()) == Counters()


@pytest.mark.parametrize("cell", sampled([16, 24, 32]))
@pytest.mark.parametrize("name", sorted(LOOKS))
def test_the_looks_of_the_simulated_window(name: str, cell: int) -> None:
    """Seven segments, plain numbers, 'flags / mines', also below zero: right or unread."""
    for left, seconds in ((40, 0), (-7, 0), (-12, 358), (3, 64), (17, 999)):
        board = Board.covered(16, 16, 40)
        image, grid = field(board, name, cell, HeaderState(40, left, seconds))
        reported = find_counters(Frame.of_image(image), grid)
        assert reported.mines_total in (None, 40)
        assert reported.mines_left in (None, left)
        assert reported.seconds in (None, seconds)


SCALED = (
    ("kmines-default-beginner-won", 1.25),
    ("rounded-beginner-won", 1.25),
    ("rounded-beginner-won", 1.5),
    ("xdemineur-beginner-won", 1.5),
)


@pytest.mark.parametrize(("name", "factor"), SCALED)
def test_counters_are_found_at_fractional_scales(name: str, factor: float) -> None:
    """A bar between two lines, an icon close to its number, a face between two displays."""
    turn = recorded(name)
    image = cv2.resize(turn.frame.image, None, fx=factor, fy=factor)
    grid, region = turn.grid, turn.frame.region
    left, top = factor * (grid.left - region.left), factor * (grid.top - region.top)
    pitch = factor * grid.pitch_x
    moved = Grid(left, top, pitch, pitch, grid.rows, grid.cols)
    reported = find_counters(Frame.of_image(np.asarray(image, np.uint8)), moved)
    readings = {(one.mines_left, one.seconds) for one in reported.either or (reported,)}
    assert (turn.board.mines, 0) in readings


COUNTED = (
    "classic-beginner-won",
    "dark-beginner-won",
    "flat-beginner-won",
    "rounded-beginner-won",
    "gnome-mines-default-beginner-won",
    "kmines-default-beginner-won",
    "winemine-expert-won",
    "xbomb-intermediate-won",
)
"""Recorded games whose counter is on every picture and is distinguished from the first one on."""


@pytest.mark.parametrize("name", COUNTED)
def test_a_recorded_game_is_followed_to_its_end(name: str) -> None:
    """At every look the counter shows the mines less the flags, none of it unread."""
    reported = None
    for turn in load_session(SESSIONS / name).turns():
        reading = turn.reading
        frame = reading.frame
        reported = seen_again(frame, reported or find_counters(frame, reading.grid))
        flags = int(np.isin(reading.board.tiles, (FLAG, MISFLAG)).sum())
        assert reported.mines_left == reading.board.mines - flags, turn.number


def typed(text: str, faint: str = "", size: float = 0.8) -> np.ndarray:
    """A line of plain type; the characters in `faint` have a sixth of the others' contrast."""
    image = np.full((60, 300, 3), 235, np.uint8)
    left = 40
    for character in text:
        ink = 200 if character in faint else 20
        font = cv2.FONT_HERSHEY_SIMPLEX
        cv2.putText(image, character, (left, 40), font, size, (ink,) * 3, 2, cv2.LINE_AA)
        left += cv2.getTextSize(character, font, size, 2)[0][0]
    return image


@pytest.mark.parametrize("size", [0.6, 0.8, 1.0])
@pytest.mark.parametrize("text", ["12/40", "3:25", "24-7"])
def test_number_with_an_illegible_sign_is_not_reported(text: str, size: float) -> None:
    """Where a sign is next to invisible, neither what is before it nor after it is reported."""
    sign = next(character for character in text if not character.isdigit())
    read = read_counter(typed(text, faint=sign, size=size))
    assert read is None or read.text == text


@pytest.mark.parametrize("text", ["mines 5", "10 mines"])
def test_a_letter_is_no_digit(text: str) -> None:
    """The last letter of a word may be like a 5; only what is a number is reported."""
    read = read_counter(typed(text))
    assert read is None or read.text == "".join(sign for sign in text if sign.isdigit())


@pytest.mark.parametrize("text", ["12/40", "3:25", "-7", "40", "007"])
def test_plain_type_is_read_at_fractional_scales(text: str) -> None:
    """125, 150 and 175 %, bilinear: never wrong, and at one scale at most unread."""
    image = typed(text)
    texts = []
    for scale in (1.0, 1.25, 1.5, 1.75):
        large = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
        read = read_counter(np.asarray(large, np.uint8))
        texts.append(read.text if read else None)
    assert set(texts) <= {text, None}
    assert texts.count(None) <= 1


@pytest.mark.parametrize("dim", [70, 128, 150])
@pytest.mark.parametrize("digits", ["010", "007", "  7", " 17"])
@pytest.mark.parametrize("case", [0, 1])
def test_segments_that_are_not_lit_may_be_hatched(digits: str, dim: int, case: int) -> None:
    """As in the first displays of this kind, which draw them half as bright.

    Leading zeros may be unlit, and the last digit may touch the edge of the case.
    """
    panel = np.zeros((25, 45, 3), np.uint8)
    hatched = np.indices((23, 13)).sum(axis=0) % 2 == 0
    for place, digit in enumerate(digits):
        lit, every = (_segments(segments) for segments in (_LED[digit], "abcdefg"))
        box = panel[1:24, 1 + 15 * place : 14 + 15 * place]
        box[every & hatched] = (0, 0, dim)
        box[lit] = (0, 0, 255)
    if case:
        panel = cv2.copyMakeBorder(panel[:, :-1], 1, 0, 1, 0, cv2.BORDER_CONSTANT, value=(128,) * 3)
        panel = cv2.copyMakeBorder(panel, 0, 1, 0, 1, cv2.BORDER_CONSTANT, value=(255,) * 3)
    image = cv2.copyMakeBorder(panel, 9, 9, 9, 9, cv2.BORDER_CONSTANT, value=(192, 192, 192))
    reported = read_counter(np.asarray(image, np.uint8))
    assert reported is not None
    assert reported.numbers == (int(digits),)


_LED = {"0": "abcdef", "1": "bc", "7": "abc", " ": ""}


def _segments(names: str) -> np.ndarray:
    """(23, 13) bool: where these segments of a digit are."""
    drawn = np.zeros((23, 13), np.bool_)
    boxes = {
        "a": np.s_[:3, 2:11], "g": np.s_[10:13, 2:11], "d": np.s_[20:, 2:11],
        "f": np.s_[1:11, :3], "b": np.s_[1:11, 10:], "e": np.s_[12:22, :3], "c": np.s_[12:22, 10:],
    }  # fmt: skip
    for name in names:
        drawn[boxes[name]] = True
    return drawn


def test_a_face_is_not_on_the_line_of_the_text_beside_it() -> None:
    """A browser smooths a text of letters into one blob; the face beside it is twice as high."""
    image = load_image(DATA / "smooth-text-150.png").image
    assert ("18", True) in [(one.text, one.counts_mines) for one in numbers(image)]


@pytest.mark.linux  # Its fonts.
@pytest.mark.parametrize("text", ["Bombs: 10", "Mines: 40"])
@pytest.mark.parametrize("size", [18, 24])
def test_the_word_before_a_number_says_that_it_counts_mines(text: str, size: int) -> None:
    """Also where its letters stand apart, and may be digits each by itself."""
    application()
    ink = np.pad(written(text, ("DejaVu Sans", "Book"), size), 12)
    found = numbers(np.repeat(255 - ink[..., None], 3, axis=2))
    assert [(one.text, one.counts_mines) for one in found] == [(text[-2:], True)]


def headed(texts: dict[int, str], size: int = 16, *, icon: float = 0.0) -> tuple[Frame, Grid]:
    """A fresh board with texts above it, by their left edges.

    `icon` is the size of a mine before each text, in sizes of the font; 0 for none.
    """
    image = np.full((330, 400, 3), 244, np.uint8)
    for left, text in texts.items():
        write(image, text, left, 30, size)
        high = len(written(text, ("DejaVu Sans", "Book"), size))
        middle, radius = 30 + high // 2, round(icon * size / 2)
        if icon:
            center = left - 8 - radius, middle
            cv2.circle(image, center, round(0.6 * radius), (40, 36, 32), -1, cv2.LINE_AA)
            for across, down in ((1, 0), (0, 1), (0.7, 0.7), (0.7, -0.7)):
                x, y = round(across * radius), round(down * radius)
                ends = (center[0] - x, center[1] - y), (center[0] + x, center[1] + y)
                cv2.line(image, *ends, (40, 36, 32), 2, cv2.LINE_AA)
    for row in range(9):
        for col in range(9):
            image[80 + 24 * row : 103 + 24 * row, 80 + 24 * col : 103 + 24 * col] = (180, 165, 150)
    return Frame.of_image(image), Grid(80, 80, 24, 24, 9, 9)


@pytest.mark.linux  # Its fonts.
@pytest.mark.parametrize("size", [14, 20, 26])
@pytest.mark.parametrize("icon", [1.2, 1.5])
def test_an_icon_before_a_number_is_no_digit(size: int, icon: float) -> None:
    """It is higher than the digits, though it may have their colour."""
    frame, grid = headed({110: "12", 260: "000"}, size, icon=icon)
    reported = find_counters(frame, grid)
    assert (reported.mines_total, reported.seconds) == (12, 0)
    alone = find_counters(*headed({110: "12"}, size, icon=icon)).alone
    assert alone is not None
    assert alone.mines_left == 12


@pytest.mark.linux  # Its fonts.
@pytest.mark.parametrize(
    ("texts", "mines"),
    [
        ({90: "M: 12", 220: "T: 0"}, 12),
        ({90: "T: 0", 220: "M: 12"}, 12),
        ({90: "M: 12", 220: "S: 0"}, None),
        ({90: "M: 12", 220: "T: 5"}, None),
        ({90: "M: 12"}, None),
    ],
)
def test_initials_of_mines_and_time(texts: dict[int, str], mines: int | None) -> None:
    """They count only both together, beside a fresh board; M may be minutes, or moves."""
    assert find_counters(*headed(texts)).mines_total == mines
