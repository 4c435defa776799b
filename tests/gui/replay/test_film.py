"""A session as it is loaded, and its frames, which are loaded behind."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bot.analysis import Cancelled
from bot.frame import Frame
from gui.replay.film import AHEAD, FrameNews, Frames, load_film
from tests.gui.replay.shelf import NAME, silent
from tests.support.boards import SESSIONS
from vision.sessions import Session, load_session


@pytest.fixture
def session() -> Session:
    """A long game."""
    return load_session(SESSIONS / "sgt-mines-expert-won")


@pytest.fixture
def news(qapp: QApplication) -> FrameNews:
    """What is told of its frames."""
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


def test_what_is_wanted_last_is_loaded_first(
    session: Session, frames: Frames, qtbot: QtBot
) -> None:
    """Whoever scrubs over a game does not wait for all that lies between."""
    last = len(session) - 1
    for index in range(last + 1):
        frames.want(index)
    frames.want(last, -1)
    qtbot.waitUntil(lambda: frames.get(last) is not None)


def test_nothing_is_loaded_after_the_end(frames: Frames) -> None:
    """Of a session that was closed."""
    frames.close()
    frames.want(3)
    assert frames.get(3) is None


def test_times_never_go_back(tmp_path: Path) -> None:
    """A clock that was set, or a line that was edited: play waits, and does not hang."""
    folder = tmp_path / "game"
    shutil.copytree(SESSIONS / NAME, folder)
    path = folder / "turns.jsonl"
    session = load_session(folder)
    times = [record.time for record in session.records]
    path.write_text(path.read_text().replace(f'"time":{times[3]}', '"time":-5.0'))
    loaded = load_film(folder, silent())
    assert list(loaded.times) == sorted(loaded.times)


def test_opening_can_be_cancelled() -> None:
    """Between two turns."""
    progress = silent()
    progress.cancelled.set()
    with pytest.raises(Cancelled):
        load_film(SESSIONS / NAME, progress)
