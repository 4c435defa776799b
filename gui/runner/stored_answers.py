"""The user's answers about programs, stored in the data folder for all later runs.

`answers.json` contains, by program: the number of mines of its boards, by size, which numbers were
wrong, and findings about the numbers beside the boards; whether it is the right game, which of its
boards are completely visible, and where the user has marked one; the positions of clicks on its
dialogs, and the button that starts its next game. Delete it to be asked again. The page Skins shows
the answers, and deletes single ones.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from math import isfinite
from pathlib import Path
from threading import RLock
from typing import Final, NamedTuple

from bot.frame import Grid
from vision import LEAST_LINES, MOST_LINES
from vision.counters.mines import (
    KnownBoards,
    MarkedWindow,
    SizedBoard,
    program_of,
)
from vision.desktop import Window
from vision.files import data_folder, locked, read_whole, write_whole
from vision.skins import Face, Skin

_MOST_BYTES: Final = 1_000_000
_MOST: Final = 1_000
"""Number of rows of each kind that are kept, the newest."""
_FAR: Final = 100_000
"""Points from the corner of a window at which no board is."""

_FILE: Final = "answers.json"
_MINES: Final = "mines"
_NUMBERS: Final = "numbers"
_REFUTED: Final = "refuted"
_PROGRAMS: Final = "programs"
_BOARDS: Final = "boards"
_PLACES: Final = "places"
_FACES: Final = "faces"
_MARKED: Final = "marked"
Row = list[object]


class KeptRows:
    """Rows of several kinds in one file, each beginning with its key.

    The file is read again when another process has changed it. A file of another format counts as
    empty, and if the file cannot be written, the rows are kept for this process.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._rows: dict[str, list[Row]] = {}
        self._read_at: object = None

    def rows(self, kind: str) -> list[Row]:
        """Return the rows of a kind, the newest first."""
        with self._lock:
            self._read()
            return self._rows.get(kind, [])[::-1]

    def values(self, kind: str, key: Sequence[object]) -> Row | None:
        """Return what a row holds after its key; None if there is no such row."""
        size = len(key)
        rows = (row[size:] for row in self.rows(kind) if row[:size] == [*key])
        return next(rows, None)

    def put(self, kind: str, key: Sequence[object], *values: object) -> None:
        """Add a row, or replace the ones with the same key."""
        self._replace(kind, [*key], [[*key, *values]])

    def remove(self, kind: str, key: Sequence[object]) -> None:
        """Remove the rows with that key."""
        self._replace(kind, [*key], [])

    def _replace(self, kind: str, key: Row, rows: list[Row]) -> None:
        path = _file()
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
        with self._lock, locked(path.parent):
            self._read()
            before = self._rows.get(kind, [])
            kept = [row for row in before if row[: len(key)] != key]
            self._rows[kind] = [*kept, *rows][-_MOST:]
            if self._rows[kind] == before:
                return
            while len(text := json.dumps(self._rows).encode()) > _MOST_BYTES:
                # A larger file could not be read again.
                for each in self._rows.values():
                    del each[: (len(each) + 1) // 2]
            with suppress(OSError):
                write_whole(path, text)
                self._read_at = _stamp(path)

    def _read(self) -> None:
        path = _file()
        stamp = _stamp(path)
        if stamp != self._read_at:
            self._rows, self._read_at = _rows_in(path), stamp


def _file() -> Path:
    return data_folder() / _FILE


def _stamp(path: Path) -> object:
    """Return a value that changes when the file is written or the data folder is another one."""
    try:
        stat = path.stat()
    except OSError:
        return path
    return path, stat.st_ino, stat.st_mtime_ns


def _rows_in(path: Path) -> dict[str, list[Row]]:
    kept: object = None
    with suppress(OSError, ValueError, RecursionError):
        kept = json.loads(read_whole(path, _MOST_BYTES))
    kinds = kept.items() if isinstance(kept, dict) else ()
    return {
        kind: [row for row in rows if isinstance(row, list)]
        for kind, rows in kinds
        if isinstance(rows, list)
    }


_KEPT: Final = KeptRows()


# Numbers of mines, and marked boards


class KeptBoards(KnownBoards):
    """What is known of boards: from counters, in memory; from the user, in a file.

    One object may be used by several threads.
    """

    def alone_fits(self, window: Window | None, skin: Skin) -> frozenset[int] | None:
        """Return the findings about the only number beside a board, as `KnownBoards` does."""
        match _KEPT.values(_NUMBERS, program_of(window, skin)):
            case [[*values]]:
                return frozenset(value for value in values if isinstance(value, int))
        return None

    def note_alone(self, window: Window | None, skin: Skin, value: int, *, fits: bool) -> None:
        """Store whether the only number beside a new board is its number of mines."""
        before = self.alone_fits(window, skin) or frozenset()
        values = sorted(before | {value}) if fits else []
        _KEPT.put(_NUMBERS, program_of(window, skin), values)

    def _refutes(self, board: SizedBoard, mines: int) -> bool:
        return [*board, mines] in _KEPT.rows(_REFUTED)

    def _put_refuted(self, board: SizedBoard, mines: int) -> None:
        _KEPT.put(_REFUTED, [*board, mines])

    def _drop_refuted(self, board: SizedBoard, mines: int) -> None:
        _KEPT.remove(_REFUTED, [*board, mines])

    def _answers(self) -> list[tuple[SizedBoard, int]]:
        answers = []
        for row in _KEPT.rows(_MINES):
            match row:
                case [str(window_class), str(title), int(rows), int(cols), int(mines)]:
                    if 0 < mines < rows * cols:
                        answers.append((SizedBoard(window_class, title, rows, cols), mines))
        return answers

    def _put(self, board: SizedBoard, mines: int | None) -> None:
        if mines is None:
            _KEPT.remove(_MINES, board)
        else:
            _KEPT.put(_MINES, board, mines)

    def _mark_of(self, window: MarkedWindow) -> Grid | None:
        return _marked_grid(_KEPT.values(_MARKED, window))

    def _put_mark(self, window: MarkedWindow, grid: Grid | None) -> None:
        if grid is None:
            _KEPT.remove(_MARKED, window)
        else:
            place = grid.left, grid.top, grid.pitch_x, grid.pitch_y
            _KEPT.put(_MARKED, window, *place, grid.rows, grid.cols)


def _marked_grid(values: Sequence[object] | None) -> Grid | None:
    """Return the board that a row holds; None if no board can be there."""
    match values:
        case [
            int() | float() as left, int() | float() as top, int() | float() as pitch_x,
            int() | float() as pitch_y, int(rows), int(cols),
        ]:  # fmt: skip
            lines = LEAST_LINES <= min(rows, cols) <= max(rows, cols) <= MOST_LINES
            places = left, top, pitch_x, pitch_y
            near = all(isfinite(one) and abs(one) < _FAR for one in places)
            possible = lines and near and min(pitch_x, pitch_y) > 0
            return Grid(left, top, pitch_x, pitch_y, rows, cols) if possible else None
    return None


# Confirmations


class ConfirmedProgram(NamedTuple):
    """A program without a bundled skin that the user confirmed as the right game."""

    window_class: str
    title: str
    """The window's title, with 0 for each number in it.

    It distinguishes different pages in a browser.
    """


class ConfirmedBoard(NamedTuple):
    """The properties of the boards for which one confirmation is valid."""

    window_class: str
    title: str
    """As in `ConfirmedProgram`; empty if a bundled skin names the program by its class."""
    skin: str
    rows: int
    cols: int


Confirmed = ConfirmedProgram | ConfirmedBoard
_KINDS: Final[dict[type, str]] = {ConfirmedProgram: _PROGRAMS, ConfirmedBoard: _BOARDS}


def is_confirmed(one: Confirmed) -> bool:
    """Return whether the user confirmed that program or such a board."""
    return list(one) in _KEPT.rows(_KINDS[type(one)])


def keep_confirmed(*confirmed: Confirmed) -> None:
    """Store confirmations."""
    for one in confirmed:
        _KEPT.put(_KINDS[type(one)], one)


# Positions of clicks on dialogs

IN_PAGE: Final = ""
"""The title of a dialog that is drawn in the game's own window."""


class Place(NamedTuple):
    """The position of a click in a dialog."""

    x: float
    """Distance from the dialog's left edge, as a fraction of its width."""
    y: float
    """Distance from the dialog's top edge, as a fraction of its height."""
    across: float = 0.0
    """Offset of a dialog's centre in the page from the board's centre, in cells."""
    down: float = 0.0


TITLE_BAR: Final = Place(1.0, 0.0)
"""The place stored for a dialog to close as by its title bar: a corner, just outside of it."""


def place_in(window: Window | None, skin: Skin, dialog: str) -> Place | None:
    """Return the position of clicks on a dialog of a program; None if unknown.

    Args:
        window: The program's window.
        skin: The skin of its board.
        dialog: The dialog's title, or `IN_PAGE`.
    """
    return _place_of(_KEPT.values(_PLACES, [*program_of(window, skin), dialog]))


def keep_place(window: Window | None, skin: Skin, dialog: str, place: Place) -> None:
    """Store the position of clicks on a dialog of a program."""
    _KEPT.put(_PLACES, [*program_of(window, skin), dialog], *place)


def forget_place(window: Window | None, skin: Skin, dialog: str) -> None:
    """Delete the position, because a click there did not close the dialog."""
    _KEPT.remove(_PLACES, [*program_of(window, skin), dialog])


def _place_of(values: Sequence[object] | None) -> Place | None:
    match values:
        case [float(x), float(y), float(across), float(down)]:
            return Place(x, y, across, down) if 0 <= x <= 1 and 0 <= y <= 1 else None
    return None


# Buttons that start the next game


def face_of(window: Window | None, skin: Skin) -> Face | None:
    """Return the button for the next game of a program that only resembles a bundled skin."""
    match _KEPT.values(_FACES, program_of(window, skin)):
        case [dict(face)]:
            with suppress(ValueError):
                return Face.model_validate(face)
    return None


def keep_face(window: Window | None, skin: Skin, face: Face) -> None:
    """Store the button that starts the program's next game if it has no skin of its own."""
    _KEPT.put(_FACES, program_of(window, skin), face.model_dump())


def forget_face(window: Window | None, skin: Skin) -> None:
    """Delete the button, because a click there did not start a game."""
    _KEPT.remove(_FACES, program_of(window, skin))


# Answers on the page Skins


class KeptAnswer(NamedTuple):
    """A row of the file that can be shown and deleted."""

    kind: str
    row: tuple[object, ...]

    @property
    def program(self) -> tuple[str, str]:
        """The window's class and title, the latter empty if a bundled skin names the program."""
        return str(self.row[0]), str(self.row[1])

    @property
    def mines(self) -> tuple[int, int, int] | None:
        """Rows, columns and mines of a board, if the answer was about these."""
        match self.kind, self.row:
            case "mines", (_, _, int(rows), int(cols), int(mines)):
                return rows, cols, mines
        return None

    @property
    def place(self) -> Place | None:
        """The position of a click on a dialog, if that was the answer."""
        return _place_of(self.row[3:]) if self.kind == _PLACES else None

    @property
    def found_out(self) -> bool:
        """Whether the bot found it out, rather than the user answered.

        How the box in a page is closed is found out, if it can be.
        """
        in_page = self.kind == _PLACES and self.row[2:3] == (IN_PAGE,)
        return in_page or self.kind in (_NUMBERS, _REFUTED, _FACES)

    @property
    def words(self) -> str:
        """The answer or discovery as text; empty if it is invalid."""
        words = ""
        match self.kind, self.row:
            case _ if self.mines is not None:
                rows, cols, mines = self.mines
                words = f"{cols} columns, {rows} rows: {mines} mines, as you said"
            case _ if self.place is not None:
                title = str(self.row[2])
                dialog = f"the dialog '{title}'" if title else "the box that the page shows"
                x, y = (f"{share:.0%}" for share in self.place[:2])
                words = f"After a game: close {dialog}"
                if self.place != TITLE_BAR:
                    words = (
                        f"After a game: click {_part(self.place)} of {dialog} "
                        f"({x} from its left, {y} from its top)"
                    )
            case "numbers", (_, _, [*values]) if values:
                shown = " and ".join(map(str, values))
                words = f"The only number beside the board was its number of mines: {shown}"
            case "numbers", _:
                words = "The only number beside the board does not count its mines"
            case "refuted", (_, _, int(rows), int(cols), int(mines)):
                words = f"{cols} columns, {rows} rows: {mines} mines are wrong, as hints showed"
            case "faces", _:
                words = "A click in the window, beside or on the board, starts the next game"
            case "programs", _:
                words = "You said that this is the game to play"
            case "marked", (_, _, int(), int(), *place) if grid := _marked_grid(place):
                words = f"You marked a board of {grid.cols} columns and {grid.rows} rows"
            case "boards", (_, _, _, int(rows), int(cols)):
                words = f"You said that {cols} columns and {rows} rows are the whole board"
        return words

    def forget(self) -> None:
        """Remove the answer, so that the user is asked again or it is discovered again."""
        _KEPT.remove(self.kind, self.row)


def kept_answers() -> list[KeptAnswer]:
    """Return all answers that can be shown, the newest first."""
    answers = [
        KeptAnswer(kind, tuple(row))
        for kind in (_PROGRAMS, _BOARDS, _MARKED, _MINES, _REFUTED, _NUMBERS, _PLACES, _FACES)
        for row in _KEPT.rows(kind)
        if len(row) > 1
    ]
    return [one for one in answers if one.words]


def _part(place: Place) -> str:
    """Return the ninth of a dialog that contains a position."""
    across = ("left", "middle", "right")[min(2, int(3 * place.x))]
    down = ("top", "middle", "bottom")[min(2, int(3 * place.y))]
    if across == down:
        return "the middle"
    if "middle" in (across, down):
        return f"the middle of the {down if across == 'middle' else across}"
    return f"the {down} {across}"
