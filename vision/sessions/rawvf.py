"""Convert a game to RAWVF text, the Minesweeper community's raw video format.

It contains the mines and the timed mouse events; players of such videos compute the rest.
The board is drawn with cells of 16 by 16 pixels, and positions are pixels from its upper
left corner. The clock begins with the first click that opens a cell. Frames have times,
clicks have none: those between two frames are spread evenly over the time between them.

Source: 'Open, human-readable minesweeper video format' (RawVF revision 5 and 6,
minesweeper.info and github.com/thefinerminer/minesweeper-rawvf).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.board import QUESTION
from bot.frame import Grid, Point
from bot.game import Rules
from bot.loop import Event, Turn
from bot.metrics import three_bv
from bot.planner import Action
from vision.plaintext import one_line
from vision.sessions import SessionInfo
from vision.sessions.audit import MINED, UNKNOWN, revealed

SQUARE: Final = 16
"""Side of a cell in pixels, by the format's default."""
_BUTTONS: Final = {"left": ("lc", "lr"), "right": ("rc", "rr"), "middle": ("mc", "mr")}
_CHORD: Final = ("mc", "mr")
"""Events of a chord, for every gesture: in the format a chord is a press of the middle button."""
_LEVELS: Final = {
    (8, 8, 10): "Beginner",
    (9, 9, 10): "Beginner",
    (16, 16, 40): "Intermediate",
    (16, 30, 99): "Expert",
}


class RawvfError(ValueError):
    """The format cannot represent a game; the message says why."""


class _Input(NamedTuple):
    time: float
    what: str
    x: int
    y: int


def rawvf(info: SessionInfo, turns: Sequence[Turn]) -> str:
    """Return the text of a game; its frames are not used.

    Raises:
        RawvfError: The game is not Minesweeper, has no end, or its end did not show all mines.
    """
    mines = _mines(info, turns)
    events = list(_inputs(turns))
    begin = _begin(turns, events)
    end = turns[-1].reading
    rows, cols = mines.shape
    seconds = max((event.time for event in events), default=begin) - begin
    marks = any((turn.reading.board.tiles == QUESTION).any() for turn in turns)
    value = three_bv(mines)
    lines = [
        "RawVF_Version: Rev6",
        f"Program: {_plain(info.window or info.skin)}",
        f"Version: recorded by minesweeper-bot {_plain(info.version)}",
        f"Player: minesweeper-bot ({_plain(info.solver)}, {_plain(info.style)})",
        f"Timestamp: {_plain(info.started)}",
        f"Level: {_LEVELS.get((rows, cols, end.board.mines), 'Custom')}",
        f"Width: {cols}",
        f"Height: {rows}",
        f"Mines: {end.board.mines}",
        f"Marks: {'On' if marks else 'Off'}",
        f"Time: {seconds:.3f}",
        f"BBBV: {value}",
        f"BBBVS: {value / seconds if seconds > 0 else 0:.3f}",
        "Mode: Classic",
        f"Skin: {_plain(info.skin)}",
        "Board:",
        *("".join("*" if mined else "0" for mined in row) for row in mines.tolist()),
        "Events:",
        *(_line(event, begin) for event in events),
    ]
    return "\n".join(lines) + "\n"


def _mines(info: SessionInfo, turns: Sequence[Turn]) -> NDArray[np.bool_]:
    if info.rules is not Rules.CLASSIC:
        raise RawvfError("the game of digging has no form in RAWVF: it holds Minesweeper alone")
    if not turns:
        raise RawvfError("RAWVF needs the mines of the board, and this session holds no turn")
    board, status = turns[-1].reading.board, turns[-1].reading.status
    if not status.over:
        raise RawvfError(
            "RAWVF needs to know where all mines are, and this game has no end: only games that "
            "were won, or lost with every mine shown, can be written"
        )
    if any(turn.reading.board.tiles.shape != board.tiles.shape for turn in turns):
        raise RawvfError("the board changed its size in the middle: that is no single game")
    truth = revealed(turns)
    unknown = int((truth == UNKNOWN).sum())
    if unknown:
        hidden = board.mines - int((truth == MINED).sum())
        raise RawvfError(
            f"RAWVF needs to know where all mines are, and the end of this game did not show "
            f"{hidden} of its {board.mines}: it left {unknown} cells open to doubt"
        )
    begun = int((turns[0].reading.board.tiles >= 0).sum())
    if begun:
        raise RawvfError(
            f"RAWVF holds a game from its first click on, and here {begun} cells were open before "
            "the first click that was recorded"
        )
    mines: NDArray[np.bool_] = truth == MINED
    return mines


def _inputs(turns: Sequence[Turn]) -> Iterator[_Input]:
    """Yield the mouse events with seconds of the recording, from the first turn on."""
    for before, turn in pairwise(turns):
        start, end = before.reading.frame.time, turn.reading.frame.time
        mouse = [event for event in turn.events if event.point is not None]
        chords = _chords(before, mouse)
        for number, event in enumerate(mouse):
            length = max(0.0, end - start) / (len(mouse) + 1)
            time = start + (number + 1) * length
            how = _CHORD if number in chords else _BUTTONS.get(event.detail, _BUTTONS["left"])
            yield from _clicked(event, before.reading.grid, time, length / 2, how)


def _chords(before: Turn, mouse: Sequence[Event]) -> set[int]:
    """Return which of the events carried out a chord.

    Moves are carried out in order, and lost clicks are repeated: each click belongs to the next
    move at its cell, or to the first one if none is left.
    """
    grid, found, next_move = before.reading.grid, set(), 0
    for number, event in enumerate(mouse):
        if event.kind != "click" or event.point is None:
            continue
        cell = grid.cell_at(event.point)
        at = [place for place, move in enumerate(before.moves) if move.cell == cell]
        if at:
            chosen = next((place for place in at if place >= next_move), at[0])
            next_move = chosen + 1
            if before.moves[chosen].action is Action.CHORD:
                found.add(number)
    return found


def _clicked(
    event: Event, grid: Grid, time: float, hold: float, how: tuple[str, str]
) -> Iterator[_Input]:
    """Yield a movement, or a press and a release."""
    if event.point is None:
        return
    x, y = _pixels(grid, event.point)
    if event.kind != "click":
        yield _Input(time, "mv", x, y)
        return
    press, release = how
    yield _Input(time, press, x, y)
    yield _Input(time + min(hold, 0.001), release, x, y)


def _pixels(grid: Grid, point: Point) -> tuple[int, int]:
    """Return a desktop point in pixels of a board with cells of SQUARE pixels."""
    cell = grid.cell_at(point)
    if cell is None:
        return (
            round((point.x - grid.left) / grid.pitch_x * SQUARE),
            round((point.y - grid.top) / grid.pitch_y * SQUARE),
        )
    middle = grid.center(cell)
    across = (point.x - middle.x) / grid.pitch_x * SQUARE + SQUARE / 2
    down = (point.y - middle.y) / grid.pitch_y * SQUARE + SQUARE / 2
    inside = (min(max(int(value), 0), SQUARE - 1) for value in (across, down))
    return tuple(  # type: ignore[return-value]  # two of them
        place * SQUARE + within for place, within in zip((cell.col, cell.row), inside, strict=True)
    )


def _begin(turns: Sequence[Turn], events: Sequence[_Input]) -> float:
    """Return the start of the clock: the release of the first click that opened a cell."""
    opening = (event.time for event in events if event.what in ("lr", "mr"))
    return next(opening, turns[0].reading.frame.time)


def _line(event: _Input, begin: float) -> str:
    milliseconds = round((event.time - begin) * 1000)
    sign = "-" if milliseconds < 0 else ""
    seconds, rest = divmod(abs(milliseconds), 1000)
    col, row = event.x // SQUARE + 1, event.y // SQUARE + 1
    return f"{sign}{seconds}.{rest:03} {event.what} {col} {row} ({event.x} {event.y})"


def _plain(text: str) -> str:
    """Return text as one line that is never empty."""
    return one_line(text) or "unknown"
