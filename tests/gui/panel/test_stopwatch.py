"""The stop key and the panel, on a real X server, with a real other window in front."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from bot.game import BEGINNER
from gui.private_screen import PrivateScreen
from gui.runner.protocol import State
from gui.settings import Settings
from tests.gui.panels import Shown, idle, message, playing
from tests.gui.tabletop import Tabletop, asked_about
from tests.xclient import Keyboard, PictureWindow, adopt, focus
from vision.desktop import StopKey
from vision.desktop.x11_input import X11StopKey

PICTURE = np.full((60, 80, 3), 90, np.uint8)


class Hearing(Tabletop):
    """A tabletop on a desktop whose keys can be heard."""

    def stop_key(self, pressed: Callable[[], None], /) -> StopKey | None:
        """The real one."""
        return X11StopKey(pressed)


@pytest.fixture(scope="module")
def private_screen() -> Iterator[PrivateScreen]:
    """A real X server with a real window manager."""
    with PrivateScreen(640, 480) as screen:
        yield screen


@pytest.fixture
def keyboard(private_screen: PrivateScreen, monkeypatch: pytest.MonkeyPatch) -> Iterator[Keyboard]:
    """A keyboard that speaks to another program's window."""
    adopt(private_screen, monkeypatch)
    with PictureWindow(PICTURE, (20, 30), "other") as other, Keyboard() as keys:
        focus(other.id)
        yield keys


@pytest.fixture
def taken(keyboard: Keyboard) -> Iterator[StopKey]:
    """Another program, which has F8."""
    assert keyboard
    other = X11StopKey(lambda: None)
    other.hold("F8").result()
    yield other
    other.close()
    other.join()


def pressed_until_idle(qtbot: QtBot, panel: object, keyboard: Keyboard, key: str) -> None:
    """The key is held a moment after the start: it is pressed until it is heard."""

    def stopped() -> bool:
        keyboard.press(key)
        return panel.state is State.IDLE  # type: ignore[attr-defined]

    qtbot.waitUntil(stopped)


def test_it_stops_while_another_window_has_the_focus(
    shown: Shown, qtbot: QtBot, keyboard: Keyboard
) -> None:
    """Playing, paused, and waiting for an answer; nothing is carried out any more."""
    table = Hearing(BEGINNER)
    panel = shown(table)
    panel.start()
    playing(qtbot, panel)
    pressed_until_idle(qtbot, panel, keyboard, "F8")
    assert table.stopped.is_set()
    assert "Stopped with F8." in panel.surface.status.text()
    panel.step()
    qtbot.waitUntil(lambda: panel.state is State.PAUSED)
    pressed_until_idle(qtbot, panel, keyboard, "F8")
    table.questions[0] = asked_about(3, [(0, 1)])
    panel.start()
    qtbot.waitUntil(lambda: panel.state is State.ASKING)
    pressed_until_idle(qtbot, panel, keyboard, "F8")
    assert message(panel) == ""


def test_it_is_held_only_while_something_is_played(
    shown: Shown, qtbot: QtBot, keyboard: Keyboard
) -> None:
    """Before and after, the key belongs to the other programs."""
    assert keyboard
    panel = shown(Hearing(BEGINNER), Settings(games=1, theme="light"))
    other = X11StopKey(lambda: None)
    other.hold("F8").result()
    other.release().result()
    panel.start()
    idle(qtbot, panel)
    assert message(panel) == ""
    assert _had(qtbot, other)
    other.close()
    other.join()


def _had(qtbot: QtBot, other: StopKey) -> bool:
    """Whether another program gets the key, as soon as it has been let go of."""
    qtbot.waitUntil(lambda: other.hold("F8").exception() is None)
    return True


def test_a_key_that_is_taken_is_told_and_the_games_go_on(
    shown: Shown, qtbot: QtBot, taken: StopKey
) -> None:
    """Above the board, with what to do; another key is heard at once, in mid-game."""
    assert taken
    panel = shown(Hearing(BEGINNER))
    panel.start()
    qtbot.waitUntil(lambda: "another program has the key F8" in message(panel))
    playing(qtbot, panel)
    panel.surface.options.take(panel.settings.model_copy(update={"stop_key": "F10"}))
    with Keyboard() as keyboard:
        pressed_until_idle(qtbot, panel, keyboard, "F10")
    assert "F10" in panel.surface.controls.stop.toolTip()


def test_a_key_is_tried_when_it_is_chosen(shown: Shown, qtbot: QtBot, taken: StopKey) -> None:
    """Trouble is told before anything is played; the key is left to its owner."""
    assert taken
    panel = shown(Hearing(BEGINNER), Settings(games=1, theme="light", stop_key="F10"))
    panel.surface.options.take(panel.settings.model_copy(update={"stop_key": "F8"}))
    qtbot.waitUntil(lambda: "another program has the key F8" in message(panel))


def test_without_a_key_nothing_is_held(shown: Shown, qtbot: QtBot, keyboard: Keyboard) -> None:
    """None is a choice."""
    table = Hearing(BEGINNER)
    panel = shown(table, Settings(games=None, theme="light", stop_key=""))
    panel.start()
    playing(qtbot, panel)
    keyboard.press("F8")
    before = panel.statistics.turns
    playing(qtbot, panel, before + 10)
    assert panel.state is State.PLAYING
