"""The parts of the replay: frames loaded behind, play at any speed, verdicts, animated pictures."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from PyQt6.QtCore import QTimer
from PyQt6.QtGui import QImageReader
from PyQt6.QtWidgets import QApplication, QDialogButtonBox, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from bot.analysis import Cancelled
from bot.assist.rating import Rating, WinningChance
from bot.board import Cell
from bot.planner import Action, Move
from gui.panel.boardview import Show
from gui.panel.jobs import Progress
from gui.panel.theme import DARK, LIGHT
from gui.replay.animation import AnimationOptions, durations, painted, write_animation
from gui.replay.export import AnimationDialog, Asking
from gui.replay.film import AHEAD, Film, FrameNews, Frames, load_film
from gui.replay.guesses import Verdict, in_words, judge
from gui.replay.playback import SPEEDS, Playback
from tests.boards import SESSIONS
from tests.images import to_array
from vision.sessions import SessionError, load_session

NAME = "classic-beginner-won"


def silent() -> Progress:
    """A job that nobody looks at."""
    return Progress(lambda _share, _words: None)


@pytest.fixture(scope="module")
def film() -> Film:
    """A recorded game."""
    return load_film(SESSIONS / NAME, silent())


@pytest.fixture
def frames() -> Iterator[Frames]:
    """The frames of a long game."""
    news = FrameNews()
    made = Frames(load_session(SESSIONS / "sgt-mines-expert-won"), news)
    yield made
    made.close()


def test_frames_are_loaded_in_another_thread(
    frames: Frames, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that is wanted first, then those ahead; who asks never waits."""
    threads: set[threading.Thread] = set()
    load = type(frames._session).frame

    def watched(session: object, index: int) -> object:
        threads.add(threading.current_thread())
        return load(session, index)  # type: ignore[arg-type]

    monkeypatch.setattr(type(frames._session), "frame", watched)
    order: list[int] = []
    frames._news.loaded.connect(lambda _frames, index: order.append(index))
    assert frames.get(5) is None
    frames.want(5)
    ahead = min(AHEAD, len(frames._session) - 5)
    qtbot.waitUntil(lambda: len(order) >= ahead)
    assert order[:3] == [5, 6, 7]
    assert threading.main_thread() not in threads
    expected = load_session(SESSIONS / "sgt-mines-expert-won").frame(5)
    got = frames.get(5)
    assert got is not None
    assert (got.image == expected.image).all()


def test_what_is_wanted_last_is_loaded_first(frames: Frames, qtbot: QtBot) -> None:
    """Whoever scrubs over a game does not wait for all that lies between."""
    last = len(frames._session) - 1
    for index in range(last + 1):
        frames.want(index)
    frames.want(last, -1)
    qtbot.waitUntil(lambda: frames.get(last) is not None)


def test_nothing_is_loaded_after_the_end(frames: Frames) -> None:
    """Of a session that was closed."""
    frames.close()
    frames.want(3)
    assert frames.get(3) is None


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


def test_a_single_turn_does_not_play() -> None:
    """There is nowhere to go."""
    playback = Playback()
    playback.open([0.0])
    playback.toggle()
    assert not playback.playing
    playback.step(1)
    assert playback.at == 0


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
    return " ".join(in_words(Verdict(3, move, rating, WinningChance(0.6, exact=True, best=None))))


def test_a_verdict_is_put_into_words() -> None:
    """Risk, the least there was, the three chances, and what would have been better."""
    said = verdict()
    assert "Opened row 2, column 3: 20.0% risk; the least there was is 10.0%." in said
    assert "Chance to win: 50.0% before, 40.0% with it, 60.0% after what it showed." in said
    assert "Row 8, column 9 was the better choice." in said
    assert "estimated" not in said
    assert "estimated" in verdict(exact=False)
    assert "would have kept" not in verdict(chance_with=0.5)
    assert "not needed: row 5, column 5" in verdict(safe_cells=(Cell(4, 4),))
    first = "Opened row 2, column 3: the first click, which most programs make safe."
    assert verdict(opening=True) == f"{first} Chance to win: 60.0% after what it showed."
    assert "beyond counting" in verdict(chance_before=None)


def test_a_board_that_cannot_be_is_not_rated() -> None:
    """The recording says so, and the list goes on."""
    film = load_film(SESSIONS / "winemine-intermediate-lost", silent())
    turn = film.guesses()[-1]
    good = judge(film, turn, silent())
    assert good.rating is not None
    assert good.after is not None
    assert good.after.value == 0.0
    with pytest.raises(ValueError, match="makes no guess"):
        judge(film, len(film) - 1, silent())


@pytest.mark.parametrize("suffix", [".gif", ".webp"])
@pytest.mark.parametrize("show", list(Show))
def test_another_decoder_reads_the_animation(
    film: Film, tmp_path: Path, suffix: str, show: Show
) -> None:
    """Qt's: every turn is there, for as long as it should; WebP keeps every pixel."""
    target = tmp_path / f"game{suffix}"
    options = AnimationOptions(show=show, speed=4.0, cell=12)
    write_animation(film, options, LIGHT, target, silent())
    reader = QImageReader(str(target))
    assert reader.supportsAnimation()
    assert reader.imageCount() == len(film)
    for index in range(len(film)):
        image = reader.read()
        assert not image.isNull(), reader.errorString()
        delay = reader.nextImageDelay()
        assert delay == (2000 if index == len(film) - 1 else 250)
        expected = to_array(painted(film.session.turn(index), options, LIGHT))
        difference = np.abs(to_array(image).astype(int) - expected)
        assert difference.mean() <= (0.0 if suffix == ".webp" else 1.0)


def test_apng_is_read_by_opencv(film: Film, tmp_path: Path) -> None:
    """Which decodes it with libpng: every turn, every pixel."""
    target = tmp_path / "game.png"
    options = AnimationOptions(show=Show.PARSED, speed=None, cell=12, marks=False)
    write_animation(film, options, DARK, target, silent())
    data = np.frombuffer(target.read_bytes(), np.uint8)
    done, animation = cv2.imdecodeanimation(data)
    assert done
    assert len(animation.frames) == len(film)
    for index, frame in enumerate(animation.frames):
        expected = to_array(painted(film.session.turn(index), options, DARK))
        assert (frame[:, :, :3] == expected).all()


def test_equal_turns_keep_their_time(film: Film) -> None:
    """As recorded, in hundredths, never so short that a viewer takes it for a mistake."""
    shown = list(range(len(film)))
    recorded = durations(film, shown, None)
    assert recorded[-1] == 2000
    for index, milliseconds in enumerate(recorded[:-1]):
        apart = (film.times[index + 1] - film.times[index]) * 1000
        assert milliseconds == pytest.approx(max(20, apart), abs=5.1)
    assert set(durations(film, shown, 64.0)[:-1]) == {20}


@pytest.mark.parametrize("suffix", [".gif", ".webp", ".png"])
def test_a_cancelled_animation_leaves_nothing(film: Film, tmp_path: Path, suffix: str) -> None:
    """While it is being painted."""
    heard: list[float] = []
    progress = Progress(lambda share, _words: heard.append(share or 0.0))

    def tell(share: float | None, words: str) -> None:
        heard.append(share or 0.0)
        if len(heard) == 4:
            progress.cancelled.set()
        assert words is not None

    progress._tell = tell
    with pytest.raises(Cancelled):
        write_animation(film, AnimationOptions(), LIGHT, tmp_path / f"a{suffix}", progress)
    assert not list(tmp_path.iterdir())


def test_an_animation_says_what_it_cannot(film: Film, tmp_path: Path) -> None:
    """Another ending; a folder that is not there; pictures that are too many."""
    with pytest.raises(SessionError, match=r"\.webp"):
        write_animation(film, AnimationOptions(), LIGHT, tmp_path / "game.avi", silent())
    with pytest.raises(SessionError, match="cannot be written"):
        write_animation(film, AnimationOptions(), LIGHT, tmp_path / "no" / "a.webp", silent())
    with pytest.raises(SessionError, match="smaller cells"):
        write_animation(film, AnimationOptions(cell=2000), LIGHT, tmp_path / "a.webp", silent())


def test_a_damaged_frame_ends_the_animation_with_its_reason(tmp_path: Path) -> None:
    """The parsed board needs none."""
    folder = Path(shutil.copytree(SESSIONS / NAME, tmp_path / "game"))
    (folder / "frames" / "0003.png").unlink()
    film = load_film(folder, silent())
    with pytest.raises(SessionError, match=r"0003\.png"):
        write_animation(film, AnimationOptions(), LIGHT, tmp_path / "a.webp", silent())
    parsed = AnimationOptions(show=Show.PARSED)
    write_animation(film, parsed, LIGHT, tmp_path / "b.webp", silent())
    assert QImageReader(str(tmp_path / "b.webp")).imageCount() == len(film)


def test_the_dialog_gives_what_is_chosen_in_it(qtbot: QtBot) -> None:
    """Layer, marks, speed, size; at first those of the defaults."""
    dialog = AnimationDialog()
    qtbot.addWidget(dialog)
    assert dialog.options == AnimationOptions()
    dialog.show_box.setCurrentIndex(dialog.show_box.findData(Show.PARSED))
    dialog.marks.setCurrentIndex(1)
    dialog.speed.setCurrentIndex(0)
    dialog.size_box.setCurrentIndex(2)
    assert dialog.options == AnimationOptions(Show.PARSED, False, None, 28)


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
@pytest.mark.parametrize(("button", "answer"), [("Delete", True), ("Cancel", False)])
def test_the_user_is_asked_before_anything_is_deleted(
    qtbot: QtBot, button: str, answer: bool
) -> None:
    """The real dialog, answered by its buttons; Cancel is the one that Return presses."""
    parent = QWidget()
    qtbot.addWidget(parent)

    def press() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        named = {one.text().replace("&", ""): one for one in box.buttons()}
        assert box.defaultButton() is named["Cancel"]
        named[button].click()

    QTimer.singleShot(0, press)
    assert Asking().sure(parent, "Delete the session?", "Delete") is answer


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
@pytest.mark.parametrize("accepted", [True, False])
def test_the_dialog_of_the_animation_is_answered(qtbot: QtBot, accepted: bool) -> None:
    """Save gives the options, Cancel nothing."""
    parent = QWidget()
    qtbot.addWidget(parent)

    def answer() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, AnimationDialog)
        box = dialog.findChild(QDialogButtonBox)
        assert isinstance(box, QDialogButtonBox)
        kind = QDialogButtonBox.StandardButton
        pressed = box.button(kind.Save if accepted else kind.Cancel)
        assert pressed is not None
        pressed.click()

    QTimer.singleShot(0, answer)
    assert Asking().animation(parent) == (AnimationOptions() if accepted else None)
