"""A session as it is loaded, its frames, the ratings of its guesses, and how it plays."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bot.analysis import Cancelled, Limit
from bot.assist.rating import Rating, WinningChance
from bot.board import Board, Cell
from bot.frame import Frame
from bot.loop import unplayed_turn
from bot.planner import Action, Move
from bot.solver import solver
from gui.games.film import AHEAD, FrameNews, Frames, load_film
from gui.games.guesses import Verdict, as_text, judge
from gui.games.playback import SPEEDS, Playback
from tests.gui.games.shelf import NAME, change, silent
from tests.support.boards import SESSIONS, reading_of
from tests.vision.sessions.test_recording import INFO
from vision.sessions import Session, load_session
from vision.sessions.writer import SessionWriter

# A timer needs an application.
pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def session() -> Session:
    """A long game."""
    return load_session(SESSIONS / "sgt-mines-expert-won")


@pytest.fixture
def news(qapp: QApplication) -> FrameNews:
    """What is recorded of its frames."""
    assert qapp
    return FrameNews()


@pytest.fixture
def frames(session: Session, news: FrameNews) -> Iterator[Frames]:
    """The frames of a long game."""
    made = Frames(session, news)
    yield made
    made.close()


def test_frames_are_loaded_in_another_thread(
    session: Session,
    news: FrameNews,
    frames: Frames,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The one that is wanted first, then those ahead; who asks never waits."""
    threads: set[threading.Thread] = set()
    load = Session.frame

    def watched(session: Session, index: int) -> Frame:
        threads.add(threading.current_thread())
        return load(session, index)

    monkeypatch.setattr(Session, "frame", watched)
    order: list[int] = []
    news.loaded.connect(lambda _frames, index: order.append(index))
    assert frames.get(5) is None
    frames.want(5)
    ahead = min(AHEAD, len(session) - 5)
    qtbot.waitUntil(lambda: len(order) >= ahead)
    assert order[:3] == [5, 6, 7]
    assert threading.main_thread() not in threads
    expected = load_session(SESSIONS / "sgt-mines-expert-won").frame(5)
    got = frames.get(5)
    assert (got.image == expected.image).all()
    frames.close()
    frames.want(0)
    assert frames.get(0) is None


def test_times_never_go_back(tmp_path: Path) -> None:
    """A clock that was set, or a line that was edited: play waits, and does not hang."""
    folder = tmp_path / "game"
    shutil.copytree(SESSIONS / NAME, folder)
    path = folder / "turns.jsonl"
    session = load_session(folder)
    times = [record.time for record in session.records]
    path.write_text(path.read_text("utf-8").replace(f'"time":{times[3]}', '"time":-5.0'))
    loaded = load_film(folder, silent())
    assert list(loaded.times) == sorted(loaded.times)


@pytest.mark.parametrize(
    ("where", "value", "words"),
    [
        (("grid", "rows"), 900, "its grid 9 x 900"),
        (("grid", "left"), 1e200, "far off any screen"),
        (("board",), ["#" * 300] * 300, "turn 3"),
        (("mines",), 99, "99 mines"),
        (("confidence",), "AAAA", "turn 3"),
        (("analysis", "mine_probability"), [0.5], "1 probabilities for"),
        (("analysis", "best"), [500, 0], "names a cell off the board"),
        (("analysis", "solutions"), "9" * 5000, "no whole number"),
    ],
    ids=lambda value: str(value[0]) if isinstance(value, tuple) else None,
)
def test_a_turn_that_contradicts_itself_is_left_out(
    tmp_path: Path, where: tuple[str | int, ...], value: object, words: str
) -> None:
    """With its reason; all others are there."""
    folder = shutil.copytree(SESSIONS / NAME, tmp_path / "game")
    change(folder, 3, where, value)
    film = load_film(folder, silent())
    assert [index for index, turn in enumerate(film.turns) if turn is None] == [3]
    assert words in film.problems[3]


def test_opening_can_be_cancelled() -> None:
    """Between two turns."""
    progress = silent()
    progress.cancelled.set()
    with pytest.raises(Cancelled):
        load_film(SESSIONS / NAME, progress)


def verdict(**changes: object) -> str:
    """What is said of a guess of 20 %."""
    values: dict[str, object] = {
        "risk": 0.2,
        "least_risk": 0.1,
        "safe_cells": (),
        "chance_before": 0.5,
        "chance_with": 0.4,
        "best_cell": Cell(7, 8),
        "exact": True,
        "risks_exact": True,
        "opening": False,
    } | changes
    rating = Rating(**values)  # type: ignore[arg-type]
    move = Move(Action.OPEN, Cell(1, 2), 0.2)
    return " ".join(as_text(Verdict(3, move, rating, WinningChance(0.6, exact=True, best=None))))


def test_a_verdict_is_put_into_words() -> None:
    """Risk, the least there was, the three chances, and what would have been better."""
    said = verdict()
    assert "Opened row 2, column 3: 20.0% risk; the lowest possible was 10.0%." in said
    assert "Chance to win: 50.0% before, 40.0% with it, 60.0% after the cell was opened." in said
    assert "Row 8, column 9 was the better choice." in said
    assert "estimated" not in said
    assert "estimated" in verdict(exact=False)
    assert "would have kept" not in verdict(chance_with=0.5)
    assert "not needed: row 5, column 5" in verdict(safe_cells=(Cell(4, 4),))
    assert "cannot be computed" in verdict(chance_before=None)


def test_a_board_that_cannot_be_is_not_rated() -> None:
    """The recording says so, and the list goes on."""
    film = load_film(SESSIONS / "winemine-intermediate-lost", silent())
    turn = film.guesses()[-1]
    good = judge(film, turn, silent())
    assert good.rating is not None
    assert good.after.value == 0.0
    with pytest.raises(ValueError, match="makes no guess"):
        judge(film, len(film) - 1, silent())


@pytest.mark.parametrize("assumed", [False, True])
def test_a_cell_safe_by_an_assumed_number_of_mines_is_not_rated_as_safe(
    tmp_path: Path, assumed: bool
) -> None:
    """Recorded and loaded; the cells beyond the one without a hint are safe by the number alone."""
    board = replace(Board.parse("#1#o###", 1), assumed=assumed)
    cell = Cell(0, 0)
    turn = unplayed_turn(reading_of(board), solver("exact").solve(board, Limit()))
    writer = SessionWriter(tmp_path / "game", INFO)
    writer.write(replace(turn, moves=(Move(Action.OPEN, cell, 0.5),)))
    writer.close()
    film = load_film(tmp_path / "game", silent())
    assert film.turns[0].reading.board == board
    rating = judge(film, 0, silent()).rating
    assert rating.needless is not assumed
    assert (rating.chance_before, rating.exact) == (0.5, not assumed)


def test_speeds_are_turns_a_second() -> None:
    """1x is one turn a second; as recorded they are as far apart as their frames."""
    playback = Playback()
    playback.open([0.0, 0.5, 0.6, 3.0, 10.0])
    assert [playback.due(s) for s in (0.0, 0.49, 0.5, 0.7, 3.0, 99.0)] == [0, 0, 1, 2, 3, 4]
    for speed in SPEEDS[1:]:
        playback.set_speed(speed)
        assert speed is not None
        assert playback.due(0.0) == 0
        assert playback.due(2.02 / speed) == 2
        assert playback.due(1000 / speed) == 4


def test_a_change_of_speed_begins_at_the_turn_that_is_shown() -> None:
    """Neither jumps back nor ahead."""
    playback = Playback()
    playback.open([0.0, 1.0, 2.0, 3.0])
    playback.go(2)
    playback.set_speed(4.0)
    assert playback.due(0.0) == 2
    assert playback.due(0.26) == 3
    # A single turn is not played: there is nowhere to go.
    playback.open([0.0])
    playback.toggle()
    assert not playback.playing
