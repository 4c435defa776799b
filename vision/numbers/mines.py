"""How many mines a board has: by its counter, by the user, by earlier games, by its size.

The counter on the screen comes first, because it knows the game that is on. Then come what
the user says for this run, what is known of earlier games of that size (`KnownMines`), the
program's level of that size, and the usual level of that size where the program is not known.
Whoever is overruled is named in a remark. A user who says something else than the counter is
asked to decide: playing on with a wrong number makes every probability wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION, UNREAD
from bot.frame import Grid
from vision.focus import names_program
from vision.numbers.assigning import DENSEST, Counters
from vision.skins import Skin
from vision.windows import Window

Level = tuple[int, int, int]
"""Rows, columns and mines."""
USUAL_LEVELS: Final[Mapping[str, Level]] = {
    "beginner": (9, 9, 10),
    "small beginner": (8, 8, 10),
    "intermediate": (16, 16, 40),
    "expert": (16, 30, 99),
}
"""Those that most programs have, for one that is not known."""


class MinesUnknown(RuntimeError):
    """Nobody says how many mines a board has.

    Args:
        message: What is seen, and what to do about it without being asked.
        likely: The number that it may be.

    Attributes:
        likely: That number.
    """

    def __init__(self, message: str, likely: int | None = None) -> None:
        super().__init__(message)
        self.likely = likely


class MinesRefused(MinesUnknown):
    """What the user said of the mines cannot be.

    Args:
        why: What is wrong with it.
        advice: What to do about it without being asked.
        likely: The number that it may be.

    Attributes:
        why: As it was given.
    """

    def __init__(self, why: str, advice: str, likely: int | None = None) -> None:
        super().__init__(f"{why}: {advice}", likely)
        self.why = why


class SizedBoard(NamedTuple):
    """What the boards have in common that have the same number of mines."""

    window_class: str
    title: str
    """The window's title, with 0 for each number in it: a title may tell the time. Empty if a
    bundled skin names the program by its window's class. A class that none names may be a
    browser's, whose pages are different games."""
    rows: int
    cols: int


class KnownMines:
    """How many mines boards have that are not met for the first time: kept in memory.

    A counter need not be shown all the time: Simon Tatham's Mines writes 'COMPLETED!' and
    '8 safe squares remain' in its place.

    The only number beside a board may count anything. It is the mine counter if it has made the
    mines of fresh boards at two values. If it has not made those of one, it is something else.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[int, SizedBoard], int] = {}
        """By the window's id: another window of the program may have another counter."""
        self._alone: dict[tuple[str, str], frozenset[int]] = {}
        """By class and title: see `alone_fits`."""

    def recall(self, window: Window | None, skin: Skin, rows: int, cols: int) -> int | None:
        """Return how many mines a board of that size has; None if that is not known."""
        return self._known.get(_key(window, skin, rows, cols))

    def note_counter(
        self, window: Window | None, skin: Skin, rows: int, cols: int, mines: int
    ) -> None:
        """Register what the counter of a board has shown."""
        self._known[_key(window, skin, rows, cols)] = mines

    def keep(self, window: Window | None, skin: Skin, rows: int, cols: int, mines: int) -> None:
        """Register what the user said of boards of that size."""
        self._known[_key(window, skin, rows, cols)] = mines

    def alone_fits(self, window: Window | None, skin: Skin) -> frozenset[int] | None:
        """Return at which values the only number beside a board made the mines of fresh boards.

        Empty if it counts something else; None if that is not known.
        """
        return self._alone.get(program_of(window, skin))

    def note_alone(self, window: Window | None, skin: Skin, value: int, *, fits: bool) -> None:
        """Register whether the only number beside a fresh board made its mines."""
        before = self._alone.get(program_of(window, skin), frozenset())
        self._alone[program_of(window, skin)] = before | {value} if fits else frozenset()


def sized_board(window: Window | None, skin: Skin, rows: int, cols: int) -> SizedBoard:
    """Return which boards have as many mines as one of a program and size."""
    if window is None:
        return SizedBoard("", skin.name, rows, cols)
    named = names_program(skin, window) and not skin.learned
    title = "" if named else re.sub(r"\d+", "0", window.title)
    return SizedBoard(window.class_name, title, rows, cols)


def program_of(window: Window | None, skin: Skin) -> tuple[str, str]:
    """Return the class and the title that stand for a program, as in `SizedBoard`."""
    return sized_board(window, skin, 0, 0)[:2]


def _key(window: Window | None, skin: Skin, rows: int, cols: int) -> tuple[int, SizedBoard]:
    return (0 if window is None else window.id), sized_board(window, skin, rows, cols)


class Mines(NamedTuple):
    """A number of mines that was settled on."""

    number: int
    remark: str = ""
    """Who said something else; empty where nobody did."""


def shown_mines(counters: Counters, tiles: NDArray[np.int8]) -> int | None:
    """The mines of a board as its counter tells; None where it does not.

    Args:
        counters: As they were read together with the tiles.
        tiles: (rows, cols) int8; a counter that counts down has taken off the flags.
    """
    total = counters.mines_total
    if total is None and counters.mines_left is not None:
        total = counters.mines_left + int(np.isin(tiles, (FLAG, MISFLAG)).sum())
    return total if total is not None and 0 < total < tiles.size else None


def sided(counters: Counters, side: Literal["left", "right"] | None) -> Counters:
    """Which of two numbers is the mine counter, where the program has it always on one side.

    Args:
        counters: As they were read.
        side: See `SkinFile.counter`.

    Returns:
        One of `counters.either`, or what came in where that does not tell.
    """
    if side is None or counters.worded:
        return counters
    for one in counters.either:
        counter, clock = one.mine_counter, one.clock
        if counter is None or clock is None:
            continue
        across, down = clock.left - counter.left, clock.top - counter.top
        if abs(across) > abs(down) and (across > 0) == (side == "left"):
            return one
    return counters


def decided(counters: Counters, tiles: NDArray[np.int8], known: int | None) -> Counters:
    """Which of two numbers is the mine counter, as far as the game tells.

    It is the one that makes the number of mines with the flags; where that number is not
    known, it is not the one that would make no mines at all.

    Args:
        counters: As they were read together with the tiles.
        tiles: (rows, cols) int8.
        known: The number of mines.

    Returns:
        One of `counters.either`, or what came in where the game does not tell.
    """
    readings = [
        (shown_mines(one, tiles), one)
        for one in counters.either
        if one.seconds is not None or one.clock is None
    ]
    if (tiles == UNREAD).any():
        return counters
    if known is not None:
        # Where both make it they are the same number, whichever is which.
        fitting = [one for number, one in readings if number == known]
        return fitting[0] if fitting else counters
    read = [one for one in counters.either if one.mines_left is not None]
    possible = [(number, one) for number, one in readings if number is not None]
    if counters.worded or len(read) != 2 or len(possible) != 1:
        return counters
    number, one = possible[0]
    return one if number <= DENSEST * tiles.size else counters


def undecided_mines(counters: Counters, tiles: NDArray[np.int8]) -> tuple[int, ...]:
    """The numbers of mines of which a game in progress has one, if its counter is beside it.

    Args:
        counters: As they were decided.
        tiles: (rows, cols) int8.

    Returns:
        Empty where nothing is undecided, and where what is beside the board may be no counter.
    """
    told = [shown_mines(one, tiles) for one in counters.either if one.mines_left is not None]
    over = np.isin(tiles, (MINE, EXPLODED, MISFLAG)).any()
    if counters.worded or over or len(told) != 2 or (tiles == UNREAD).any():
        return ()
    numbers = {number for number in told if number is not None}
    closed = int(np.isin(tiles, (COVERED, FLAG, QUESTION)).sum())
    # A game that is won is over as well; its counter may do as it likes.
    return tuple(sorted(numbers)) if all(number < closed for number in numbers) else ()


def settle_mines(
    skin: Skin,
    grid: Grid,
    told: int | None,
    shown: int | None,
    undecided: tuple[int, ...] = (),
    recalled: int | None = None,
    alone: int | None = None,
    *,
    named: bool = True,
) -> Mines:
    """The number of mines on a board.

    Args:
        skin: Knows the levels of its program.
        grid: Of the board.
        told: By the user.
        shown: By the counter; see `shown_mines`.
        undecided: See `undecided_mines`.
        recalled: What is known of earlier games; see `KnownMines`.
        alone: The only number beside a fresh board, if it may be the counter: nothing else is
            believed against it but what the user says now.
        named: Whether the skin is that of the program, and does not merely fit its board.

    Raises:
        MinesUnknown: Nobody says.
        MinesRefused: So many do not fit, or the user and the counter contradict each other.
    """
    size = f"the board of {grid.rows} rows and {grid.cols} columns (skin '{skin.name}')"
    if told is not None and not 0 < told < grid.rows * grid.cols:
        raise MinesRefused(
            f"{told} mines do not fit on {size}", "give the right number with --mines", shown
        )
    level, usual = level_mines(skin, grid, named=named)
    if shown is None and level in undecided and told not in (None, *undecided):
        shown = level
    if told is not None and shown is not None and told != shown:
        raise MinesRefused(
            f"the counter of {size} shows {shown} mines, but {told} were given",
            f"leave --mines out, or give {shown}",
            shown,
        )
    if undecided and usual not in undecided:
        usual = None
    said = (shown, told, recalled, level, usual)
    count = next((number for number in said if number is not None), None)
    doubted = alone is not None and count not in (shown, told, alone)
    if count is None or doubted:
        levels = ", ".join(f"{name} {r} x {c}" for name, (r, c, _) in skin.levels.items())
        other = f", and is no level that is known ({levels})" if levels else ""
        raise MinesUnknown(
            f"{size} has no counter that could be read{other}: say how many mines with --mines",
            alone,
        )
    if shown is None and undecided and count not in undecided:
        either = " or ".join(str(number) for number in undecided)
        others = f"the numbers beside {size} and its flags make {either} mines, not {count}"
        if told is not None and skin.levels:
            raise MinesRefused(f"{others}, which were given", "give the right number with --mines")
        # What stands beside the board of a program that nobody knows may count anything.
        return Mines(count, others)
    if level is None or level == count:
        return Mines(count)
    source = "its counter shows" if shown is not None else "you say that it has"
    return Mines(count, f"{size} is the program's level with {level} mines, but {source} {count}")


def level_mines(skin: Skin, grid: Grid, *, named: bool) -> tuple[int | None, int | None]:
    """Return the mines of a board's size: in the program's levels, and in the usual ones.

    A program that is not known may have the usual levels, upright or on their side, but not those
    of a skin that merely fits its board.
    """
    size = grid.rows, grid.cols
    usual = {(rows, cols): mines for rows, cols, mines in USUAL_LEVELS.values()}
    unknown = skin.learned or not named
    return (
        skin.mines_of(*size) if named else None,
        usual.get(size, usual.get(size[::-1])) if unknown else None,
    )
