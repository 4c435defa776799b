"""A session as it is loaded, its frames, the ratings of its guesses, and how it plays."""

from __future__ import annotations

import shutil
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
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
from tests.gui.games.shelf import NAME, change
from tests.gui.panels import silent
from tests.gui.practice.made import INFO
from tests.support.boards import SESSIONS, reading_of
from vision.sessions import Session, load_session
from vision.sessions.writer import SessionWriter

# A timer needs an application.
pytestmark = pytest.mark.usefixtures("qapp")


def test_frames_are_loaded_in_another_thread(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that is wanted first, then those ahead; who asks never waits."""
    session = load_session(SESSIONS / "sgt-mines-expert-won")
    expected = session.frame(5)
    threads: set[threading.Thread] = set()
    load = Session.frame

    def watched(session: Session, index: int) -> Frame:
        threads.add(threading.current_thread())
        return load(session, index)

    monkeypatch.setattr(Session, "frame", watched)
    news = FrameNews()
    order: list[int] = []
    news.loaded.connect(lambda _frames, index: order.append(index))
    with closing(Frames(session, news)) as frames:
        assert frames.get(5) is None
        frames.want(5)
        qtbot.waitUntil(lambda: len(order) >= min(AHEAD, len(session) - 5))
        assert order[:3] == [5, 6, 7]
        assert threading.main_thread() not in threads
        got = frames.get(5)
        assert (got.image == expected.image).all()
    frames.want(0)
    assert frames.get(0) is None


def test_times_never_go_back(tmp_path: Path) -> None:
    """A clock that was set, or a line that was edited: play waits, and does not hang."""
    folder = shutil.copytree(SESSIONS / NAME, tmp_path / "game")
    change(folder, 3, ("time",), -5.0)
    film = load_film(folder, silent())
    assert film.session.records[3].time == -5.0
    assert list(film.times) == sorted(film.times)


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
    with pytest.raises(ValueError, match="makes no guess"):
        judge(film, 3, silent())


def test_opening_can_be_cancelled() -> None:
    """Between two turns."""
    progress = silent()
    progress.cancelled.set()
    with pytest.raises(Cancelled):
        load_film(SESSIONS / NAME, progress)


def words(rating: Rating) -> str:
    """Return the caption of a guess with this rating."""
    move = Move(Action.OPEN, Cell(1, 2), rating.risk)
    return " ".join(as_text(Verdict(3, move, rating, WinningChance(0.6, exact=True, best=None))))


def test_a_verdict_is_put_into_words() -> None:
    """Risk, the least there was, the three chances, and what would have been better."""
    rating = Rating(
        risk=0.2,
        least_risk=0.1,
        safe_cells=(),
        chance_before=0.5,
        chance_with=0.4,
        best_cell=Cell(7, 8),
        exact=True,
        risks_exact=True,
        opening=False,
    )
    said = words(rating)
    assert "Opened row 2, column 3: 20.0% risk; the lowest possible was 10.0%." in said
    assert "Chance to win: 50.0% before, 40.0% with it, 60.0% after the cell was opened." in said
    assert "Row 8, column 9 was the better choice." in said
    assert "estimated" not in said
    assert "estimated" in words(replace(rating, exact=False))
    assert "better choice" not in words(replace(rating, chance_with=0.5))
    assert "not needed: row 5, column 5" in words(replace(rating, safe_cells=(Cell(4, 4),)))
    assert "cannot be computed" in words(replace(rating, chance_before=None))


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
    """As recorded, turns are as far apart as their frames; another speed begins at this turn."""
    playback = Playback()
    playback.open([0.0, 0.5, 0.6, 3.0, 10.0])
    assert [playback.due(s) for s in (0.0, 0.49, 0.5, 0.7, 3.0, 99.0)] == [0, 0, 1, 2, 3, 4]
    for speed in SPEEDS[1:]:
        playback.set_speed(speed)
        assert speed is not None
        assert [playback.due(s / speed) for s in (0.0, 2.02, 1000)] == [0, 2, 4]
    playback.go(2)
    playback.set_speed(4.0)
    assert [playback.due(s) for s in (0.0, 0.26)] == [2, 3]
    # A single turn is not played: there is nowhere to go.
    playback.open([0.0])
    playback.toggle()
    assert not playback.playing
