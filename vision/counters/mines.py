"""Determine the number of mines: by the counter, the user, earlier games, or the size.

The counter on the screen has priority, because it belongs to the current game. Then follow the
user's number for this run, the counter's earlier number for boards of that size (`KnownBoards`),
the program's level of that size, the user's earlier number for that size, and the usual level of
that size if the program is unknown. A usual number is assumed, as are then the mines that the last
game has shown. A remark names every source that was overruled. If the user's number
differs from the counter's, the user is asked to decide: a wrong number makes every probability
wrong. A number that was not stated for this program is only assumed (`Mines.assumed`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.board import (
    COVERED,
    EXPLODED,
    FLAG,
    MINE,
    MISFLAG,
    OPENED,
    QUESTION,
    UNREAD,
    count_neighbours,
)
from bot.frame import Grid
from vision.counters import DENSEST, Counters
from vision.desktop import Window
from vision.focus import is_known_program, numberless
from vision.skins import Skin

Level = tuple[int, int, int]
"""Rows, columns and mines."""
USUAL_LEVELS: Final[Mapping[str, Level]] = {
    "beginner": (9, 9, 10),
    "small beginner": (8, 8, 10),
    "intermediate": (16, 16, 40),
    "expert": (16, 30, 99),
}
"""Levels that most programs have, for an unknown program."""


_DENSITIES: Final = (0.1, 0.25)
"""Shares of mines between which the only number beside a fresh board is taken for its mines."""
_LIKELY: Final = (
    "Neither a counter nor the size of the board tells how many mines it has. The number that is "
    "known belongs to a window whose title has other numbers in it"
)
_HINTS_ALONE: Final = "a cell counts as safe only if the hints alone prove it"


class MinesUnknown(RuntimeError):
    """The number of mines of a board is unknown.

    The message says what was seen and what to do. `likely` is a probable number, `why` the text of
    a question to the user (empty for the usual text).
    """

    def __init__(self, message: str, likely: int | None = None, why: str = "") -> None:
        super().__init__(message)
        self.likely = likely
        self.why = why


class MinesRefused(MinesUnknown):
    """The user's number of mines is impossible; the message says why and what to do."""

    def __init__(self, why: str, advice: str, likely: int | None = None) -> None:
        super().__init__(f"{why}: {advice}", likely, why)


class SizedBoard(NamedTuple):
    """The properties shared by all boards with the same number of mines."""

    window_class: str
    title: str
    """The window's title. Empty if a bundled skin names the program by its window's class. Any
    other class may be a browser's, whose pages are different games."""
    rows: int
    cols: int


class Recalled(NamedTuple):
    """Numbers of mines in earlier games on boards of a program and size."""

    shown: int | None = None
    """Number of mines by the counter in the same window."""
    said: int | None = None
    """Number of mines by the user."""
    likely: int | None = None
    """Number of mines if nothing else is known, from a window whose title has other numbers in it:
    they may be the mines, or a time."""

    @property
    def number(self) -> int | None:
        """The number of mines; None if it is not known."""
        return self.said if self.shown is None else self.shown


_NOTHING: Final = Recalled()


class MarkedWindow(NamedTuple):
    """The properties of the windows for which one mark is valid."""

    program: str
    title: str
    """The window's title, with 0 for each number in it."""
    width: int
    height: int


class KnownBoards:
    """What is known of boards: the numbers of mines of earlier ones, and where the user marked one.

    It is kept in memory.

    A counter may be hidden at times: Simon Tatham's Mines shows 'COMPLETED!' and '8 safe squares
    remain' instead.

    The only number beside a board may count anything. It is the mine counter if it equalled the
    number of mines of fresh boards with two different numbers. If it differed on one fresh board,
    it is something else.
    """

    def __init__(self) -> None:
        self._shown: dict[tuple[int, SizedBoard], int] = {}
        """Numbers by window id: another window of the program may have another counter."""
        self._said: dict[SizedBoard, int] = {}
        self._alone: dict[tuple[str, str], frozenset[int]] = {}
        """Numbers by class and title: see `alone_fits`."""
        self._refuted: set[tuple[SizedBoard, int]] = set()
        self._marked: dict[MarkedWindow, Grid] = {}

    def recall(self, window: Window | None, skin: Skin, rows: int, cols: int) -> Recalled:
        """Return the known numbers of mines for boards of that size."""
        board, number = sized_board(window, skin, rows, cols), _id(window)
        answers = self._answers()
        said = next((mines for one, mines in answers if one == board), None)
        recalled = Recalled(self._shown.get((number, board)), said)
        if recalled.number is not None:
            return recalled
        shown = [(one, mines) for (id_, one), mines in list(self._shown.items()) if id_ == number]
        alike = (
            mines
            for one, mines in (*answers, *shown)
            if one._replace(title=numberless(one.title))
            == board._replace(title=numberless(board.title))
        )
        return Recalled(likely=next(alike, None))

    def note_counter(
        self, window: Window | None, skin: Skin, rows: int, cols: int, mines: int
    ) -> None:
        """Register the number of mines by the counter of a board."""
        self._shown[_id(window), sized_board(window, skin, rows, cols)] = mines

    def keep(self, window: Window | None, skin: Skin, rows: int, cols: int, mines: int) -> None:
        """Keep the user's number for boards of that size; forget a counter's different number."""
        board = sized_board(window, skin, rows, cols)
        if self._shown.get((_id(window), board)) != mines:
            self._shown.pop((_id(window), board), None)
        # A user who repeats the number is right: the hints that contradicted it were misread.
        self._drop_refuted(board, mines)
        self._put(board, mines)

    def forget(self, window: Window | None, skin: Skin, rows: int, cols: int) -> None:
        """Forget the user's number for boards of that size."""
        self._put(sized_board(window, skin, rows, cols), None)

    def refute(self, window: Window | None, skin: Skin, rows: int, cols: int, mines: int) -> None:
        """Register that a board of that size does not have the assumed number of mines."""
        board = sized_board(window, skin, rows, cols)
        self._shown.pop((_id(window), board), None)
        self._put_refuted(board, mines)

    def is_refuted(
        self, window: Window | None, skin: Skin, rows: int, cols: int, mines: int
    ) -> bool:
        """Return whether this number was assumed for a board of that size and was wrong."""
        return self._refutes(sized_board(window, skin, rows, cols), mines)

    def alone_fits(self, window: Window | None, skin: Skin) -> frozenset[int] | None:
        """Return the values at which the only number beside a fresh board equalled its mines.

        Empty if the number counts something else; None if unknown.
        """
        return self._alone.get(program_of(window, skin))

    def note_alone(self, window: Window | None, skin: Skin, value: int, *, fits: bool) -> None:
        """Register whether the only number beside a fresh board equalled its number of mines."""
        before = self._alone.get(program_of(window, skin), frozenset())
        self._alone[program_of(window, skin)] = before | {value} if fits else frozenset()

    def marked_in(self, window: Window) -> Grid | None:
        """Return the board that the user has marked in such a window; None if there is none."""
        grid = self._mark_of(_marked_window(window))
        return None if grid is None else grid.moved(window.region.left, window.region.top)

    def mark(self, window: Window, grid: Grid) -> None:
        """Keep the board that the user has marked in a window."""
        there = grid.moved(-window.region.left, -window.region.top)
        self._put_mark(_marked_window(window), there)

    def unmark(self, window: Window) -> bool:
        """Forget the board that the user has marked in such a window; return whether one was."""
        marked = self._mark_of(_marked_window(window)) is not None
        if marked:
            self._put_mark(_marked_window(window), None)
        return marked

    def _mark_of(self, window: MarkedWindow) -> Grid | None:
        """Return a mark, relative to the window."""
        return self._marked.get(window)

    def _put_mark(self, window: MarkedWindow, grid: Grid | None) -> None:
        """Keep a mark; None removes it."""
        self._marked.pop(window, None)
        if grid is not None:
            self._marked[window] = grid

    def _refutes(self, board: SizedBoard, mines: int) -> bool:
        return (board, mines) in self._refuted

    def _put_refuted(self, board: SizedBoard, mines: int) -> None:
        self._refuted.add((board, mines))

    def _drop_refuted(self, board: SizedBoard, mines: int) -> None:
        self._refuted.discard((board, mines))

    def _answers(self) -> list[tuple[SizedBoard, int]]:
        """Return the user's numbers, the newest first."""
        return list(self._said.items())[::-1]

    def _put(self, board: SizedBoard, mines: int | None) -> None:
        """Keep the user's number for such boards; None removes it."""
        self._said.pop(board, None)
        if mines is not None:
            self._said[board] = mines


def _marked_window(window: Window) -> MarkedWindow:
    size = window.region.width, window.region.height
    return MarkedWindow(window.program, numberless(window.title), *size)


def sized_board(window: Window | None, skin: Skin, rows: int, cols: int) -> SizedBoard:
    """Return the properties that a board shares with all boards of the same number of mines."""
    if window is None:
        return SizedBoard("", skin.name, rows, cols)
    named = is_known_program(skin, window)
    return SizedBoard(window.program, "" if named else window.title, rows, cols)


def program_of(window: Window | None, skin: Skin) -> tuple[str, str]:
    """Return the class and the title (0 for each number) that identify a program."""
    board = sized_board(window, skin, 0, 0)
    return board.window_class, numberless(board.title)


def _id(window: Window | None) -> int:
    return 0 if window is None else window.id


class Mines(NamedTuple):
    """A number of mines that was decided on."""

    number: int
    remark: str = ""
    """The source with a different number; empty if there is none."""
    assumed: bool = False
    """Whether the number is only the usual one, a single number beside the board, or that of a
    game with a learned skin, which may have been assumed too: nothing is proved by it."""


def shown_mines(counters: Counters, tiles: NDArray[np.int8]) -> int | None:
    """Return the mines of a board by its counter; None if the counter is unknown.

    A counter that counts down excludes the flags of `tiles`.
    """
    total, left = counters.mines_total, counters.mines_left
    flags = int(np.isin(tiles, (FLAG, MISFLAG)).sum())
    if total is None and left is not None:
        # Programs that flag the mines of a won game may keep the counter unchanged.
        won = bool(((tiles >= 0) | (tiles == FLAG)).all())
        total = flags if won else left + flags
    elif total is not None and left is not None:
        placed, most = total - left, flags + np.count_nonzero(tiles == UNREAD)
        # 'a / b' counts the flags, or the mines that are left; else something else than mines.
        if placed > most and left not in range(flags, most + 1):
            return None
    return total if total is not None and 0 < total < tiles.size else None


def revealed_mines(tiles: NDArray[np.int8]) -> int | None:
    """Return the number of mines that a lost game shows; None if it does not show all of them.

    All hints must count the mines that are shown, and nothing else.
    """
    mines = np.isin(tiles, (MINE, EXPLODED, FLAG))
    hints = tiles >= 0
    whole = MINE in tiles and not np.isin(tiles, (UNREAD, OPENED)).any()
    fits = whole and bool(hints.any() and (count_neighbours(mines) == tiles)[hints].all())
    return int(mines.sum()) if fits else None


def sided(counters: Counters, side: Literal["left", "right"] | None) -> Counters:
    """Return the assignment with the mine counter on the given side, else the argument."""
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


def proved_side(
    counters: Counters, tiles: NDArray[np.int8], mines: int
) -> Literal["left", "right"] | None:
    """Return the side of the mine counter, if the game in progress decides it."""
    fitting = [one for one in counters.either if shown_mines(one, tiles) == mines]
    if counters.worded or len(counters.either) != 2 or len(fitting) != 1:
        return None
    sides: tuple[Literal["left", "right"], ...] = ("left", "right")
    return next((side for side in sides if sided(counters, side) is fitting[0]), None)


def decided(counters: Counters, tiles: NDArray[np.int8], known: int | None) -> Counters:
    """Return the assignment of two numbers, as far as the game decides it.

    The mine counter plus the flags is the number of mines; if that is unknown, the mine counter is
    not the number that would give no mines at all.

    Returns:
        One of `counters.either`, or `counters` if the game does not decide.
    """
    readings = [
        (shown_mines(one, tiles), one)
        for one in counters.either
        if one.seconds is not None or one.clock is None
    ]
    if (tiles == UNREAD).any():
        return counters
    if known is not None:
        # If both fit, they are equal, so the assignment does not matter.
        fitting = [one for number, one in readings if number == known]
        return fitting[0] if fitting else counters
    read = [one for one in counters.either if one.mines_left is not None]
    possible = [(number, one) for number, one in readings if number is not None]
    if counters.worded or len(read) != 2 or len(possible) != 1:
        return counters
    number, one = possible[0]
    return one if number <= DENSEST * tiles.size else counters


def undecided_mines(counters: Counters, tiles: NDArray[np.int8]) -> tuple[int, ...]:
    """Return the possible numbers of mines of a game in progress; empty if decided."""
    left = [shown_mines(one, tiles) for one in counters.either if one.mines_left is not None]
    over = np.isin(tiles, (MINE, EXPLODED, MISFLAG)).any()
    if counters.worded or over or len(left) != 2 or (tiles == UNREAD).any():
        return ()
    numbers = {number for number in left if number is not None}
    closed = int(np.isin(tiles, (COVERED, FLAG, QUESTION)).sum())
    # A won game is over too; its counter may show anything.
    return tuple(sorted(numbers)) if all(number < closed for number in numbers) else ()


def determine_mines(
    skin: Skin,
    grid: Grid,
    given: int | None,
    shown: int | None,
    undecided: tuple[int, ...] = (),
    recalled: Recalled = _NOTHING,
    alone: int | None = None,
    *,
    labelled: bool = False,
    named: bool = True,
) -> Mines:
    """Return the number of mines on a board.

    Args:
        skin: The skin, with the levels of its program.
        grid: The board's grid.
        given: The user's number.
        shown: The counter's number; see `shown_mines`.
        undecided: See `undecided_mines`.
        recalled: The numbers of earlier games; see `KnownBoards`.
        alone: The only number beside a fresh board, if it may be the counter: it overrules all
            other sources except the user's current number.
        labelled: Whether a word beside that number may say that it counts something else.
        named: Whether the skin belongs to the program, and does not merely fit its board. A learned
            skin belongs to windows with exactly its title: numbers in it may be mines.

    Raises:
        MinesUnknown: No source has a number.
        MinesRefused: The number does not fit, or the user and the counter contradict each other.
    """
    size = _named(grid, skin)
    if given is not None and not 0 < given < grid.rows * grid.cols:
        raise MinesRefused(
            f"{given} mines do not fit on {size}", "give the right number with --mines", shown
        )
    level, usual = level_mines(skin, grid, named=named)
    if shown is None and level in undecided and given not in (None, *undecided):
        shown = level
    if given is not None and shown is not None and given != shown:
        raise MinesRefused(
            f"the counter of {size} shows {shown} mines, but {given} were given",
            f"leave --mines out, or give {shown}",
            shown,
        )
    if undecided and usual not in undecided:
        usual = None
    if recalled.likely is not None:
        usual = None
    # The levels of a learned skin were derived from single games.
    known = (recalled.said, level) if skin.learned else (level, recalled.said)
    said = (shown, given, recalled.shown, *known, usual)
    count = next((number for number in said if number is not None), None)
    sure = (shown, given, recalled.shown, recalled.said, None if skin.learned else level)
    assumed = all(number is None for number in sure)
    cells = grid.rows * grid.cols
    if (
        count is None
        and alone is not None
        and not labelled
        and _DENSITIES[0] <= alone / cells <= _DENSITIES[1]
    ):
        count = alone
    doubted = alone is not None and count not in (shown, given, alone)
    if count is None or doubted:
        raise _unknown(skin, size, recalled, alone)
    if shown is None and undecided and count not in undecided:
        either = " or ".join(str(number) for number in undecided)
        others = f"the numbers beside {size} and its flags make {either} mines, not {count}"
        if given is not None and named and skin.levels and not skin.learned:
            raise MinesRefused(f"{others}, which were given", "give the right number with --mines")
        # A number beside the board of an unknown program may count anything.
        return Mines(count, others, assumed)
    if assumed:
        return Mines(count, f"{size} is assumed to have {count} mines: {_HINTS_ALONE}", assumed)
    if level is None or level == count:
        return Mines(count)
    sources = (
        (shown, "as its counter shows"),
        (given, "as you said"),
        (recalled.shown, "as its counter showed in an earlier game"),
        (recalled.said, "as you said earlier"),
    )
    source = next(words for number, words in sources if number is not None)
    return Mines(count, f"{size} is played with {count} mines, {source}; usually it has {level}")


def as_before(grid: Grid, skin: Skin, mines: int) -> Mines:
    """Return the number of mines of the last game, which is assumed for the next one."""
    size = _named(grid, skin)
    return Mines(mines, f"{size} is assumed to have {mines} mines again: {_HINTS_ALONE}", True)


def _named(grid: Grid, skin: Skin) -> str:
    return f"the board of {grid.rows} rows and {grid.cols} columns ({skin.label})"


def _unknown(skin: Skin, size: str, recalled: Recalled, alone: int | None) -> MinesUnknown:
    levels = ", ".join(f"{name} {r} x {c}" for name, (r, c, _) in skin.levels.items())
    other = f", and is no level that is known ({levels})" if levels else ""
    message = f"{size} has no counter that could be read{other}: say how many mines with --mines"
    if alone is None and recalled.likely is not None:
        return MinesUnknown(message, recalled.likely, _LIKELY)
    return MinesUnknown(message, alone)


def level_mines(skin: Skin, grid: Grid, *, named: bool) -> tuple[int | None, int | None]:
    """Return the mines of a board's size: in the program's levels, and in the usual ones.

    An unknown program may have the usual levels, upright or rotated, but not those of a skin that
    merely fits its board.
    """
    size = grid.rows, grid.cols
    usual = {(rows, cols): mines for rows, cols, mines in USUAL_LEVELS.values()}
    unknown = skin.learned or not named
    return (
        skin.mines_of(*size) if named else None,
        usual.get(size, usual.get(size[::-1])) if unknown else None,
    )
