"""RAWVF text, played back by a Minesweeper that is not ours.

ms_toollib, the community's own library, reads no RAWVF; it is given the mines and the mouse
events of the text, in the order and at the places written there, and plays them by its rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import ms_toollib
import numpy as np
import pytest

from bot.board import Board
from bot.frame import Status
from bot.game import Rules
from bot.loop import Turn
from bot.planner import Action
from tests.support.boards import SESSIONS
from vision.sessions import SessionInfo, load_session
from vision.sessions.rawvf import RawvfError, rawvf

EVENT = re.compile(r"(-?\d+\.\d{3}) (lc|lr|rc|rr|mc|mr|mv) (-?\d+) (-?\d+) \((-?\d+) (-?\d+)\)")
WON, LOST = 3, 4
MOST_HINT, FLAGGED = 8, 11
"""Of ms_toollib: hints are 0 to 8, 10 is covered, 11 a flag."""
FROM_THE_FIRST_CLICK = (
    "classic-beginner-won",
    "classic-intermediate-chords",
    "gnome-mines-bgcolors-expert-lost",
    "gnome-mines-bgcolors-intermediate-won",
    "kmines-classic-expert-lost",
    "kmines-green-intermediate-won",
    "kmines-green-marks",
    "rounded-every-state-40",
    "sgt-mines-expert-won",
    "winemine-expert-lost",
    "winemine-expert-won",
    "xbomb-intermediate-won",
    "xbomb-large-hint-6",
    "xdemineur-marks",
)
"""Of every program, and of every level."""


@dataclass(frozen=True)
class Video:
    """A text taken apart by its grammar."""

    options: dict[str, str]
    mines: list[str]
    events: list[tuple[float, str, int, int, int, int]]


def parsed(text: str) -> Video:
    """Description, board and events, each line by the form that the format gives it."""
    description, rest = text.split("Board:\n")
    board, events = rest.split("Events:\n")
    options = dict(line.split(": ", 1) for line in description.splitlines())
    found = [EVENT.fullmatch(line) for line in events.splitlines()]
    assert all(found), "a line is no mouse event"
    return Video(
        options,
        board.splitlines(),
        [(float(m[1]), m[2], *(int(m[i]) for i in range(3, 7))) for m in found if m],
    )


def hints(mines: list[str]) -> list[list[int]]:
    """The board as ms_toollib wants it: -1 for a mine, else the hint."""
    return ms_toollib.cal_board_numbers(
        [[-1 if mined == "*" else 0 for mined in row] for row in mines]
    )


def played_back(video: Video) -> ms_toollib.MinesweeperBoard:
    """Every event given to the other program's rules."""
    board = ms_toollib.MinesweeperBoard(hints(video.mines))
    for _time, what, _col, _row, x, y in video.events:
        if what != "mv":
            board.step(what, (y // 16, x // 16))
    return board


def bare_turns(name: str) -> tuple[SessionInfo, list[Turn]]:
    """A recorded game without its pictures."""
    session = load_session(SESSIONS / name)
    return session.info, [session.bare_turn(index) for index in range(len(session))]


@pytest.mark.parametrize("name", FROM_THE_FIRST_CLICK)
def test_another_minesweeper_plays_it_to_the_same_end(name: str) -> None:
    """The same result, and the very same cells open at the last turn before it.

    3BV is that of ms_toollib; cells and pixels agree, and time never goes back.
    """
    info, turns = bare_turns(name)
    video = parsed(rawvf(info, turns))
    played = played_back(video)
    end, before = turns[-1].reading, turns[-2].reading.board.tiles
    assert played.game_board_state == (WON if end.status is Status.WON else LOST)
    tiles = np.array(played.game_board)
    opened = tiles <= MOST_HINT
    assert (tiles[before >= 0] == before[before >= 0]).all()
    assert (
        tiles[opened & (end.board.tiles >= 0)] == end.board.tiles[opened & (end.board.tiles >= 0)]
    ).all()
    if end.status is Status.WON:
        assert (opened == (end.board.tiles >= 0)).all()
    mines = sum(row.count("*") for row in video.mines)
    assert int(video.options["Mines"]) == mines == turns[-1].reading.board.mines
    assert int(video.options["Height"]) == len(video.mines)
    assert {int(video.options["Width"])} == {len(row) for row in video.mines}
    assert int(video.options["BBBV"]) == ms_toollib.cal_bbbv(hints(video.mines))
    times = [time for time, *_ in video.events]
    assert times == sorted(times)
    assert float(video.options["Time"]) == max(times)
    releases = [time for time, what, *_ in video.events if what in ("lr", "mr")]
    assert releases[0] == 0.0
    for _time, _what, col, row, x, y in video.events:
        assert (col, row) == (x // 16 + 1, y // 16 + 1)


def test_chords_are_separate_from_clicks() -> None:
    """Some are made on a cell that was opened just before, in the same turn."""
    info, turns = bare_turns("classic-intermediate-chords")
    moves = [move for turn in turns for move in turn.moves]
    chords = sum(move.action is Action.CHORD for move in moves)
    video = parsed(rawvf(info, turns))
    assert chords > 0
    assert sum(what == "mc" for _, what, *_ in video.events) == chords
    assert played_back(video).double == chords


def test_rawvf_names_what_it_cannot_contain() -> None:
    """An end that hides mines, no end, and no begin; no turn; two games of different levels.

    Nor the other game.
    """
    info, turns = bare_turns("winemine-expert-lost")
    reading = replace(turns[0].reading, board=Board.covered(9, 9, 10))
    for words, session, played in (
        ("did not show 10 of its 205", *bare_turns("gnome-mines-classic-hand-1")),
        ("open before the first click", *bare_turns("xdemineur-beginner-won")),
        ("has no end", info, turns[:-1]),
        ("no turn", info, []),
        ("changed its size", info, [replace(turns[0], reading=reading), *turns[1:]]),
        ("digging", info.model_copy(update={"rules": Rules.DIGGING}), turns),
    ):
        with pytest.raises(RawvfError, match=words):
            rawvf(session, played)


def test_a_title_of_several_lines_breaks_nothing() -> None:
    """A window may call itself anything."""
    info, turns = bare_turns("classic-beginner-won")
    titled = info.model_copy(update={"window": "Mines\nBoard:\n***"})
    assert parsed(rawvf(titled, turns)).options["Program"] == "Mines Board: ***"
