"""The keys for all windows and the panel, on a real X server, with another window in front."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from bot.game import BEGINNER, Level
from gui.panel import Panel
from gui.private_screen import PrivateScreen
from gui.runner.protocol import State
from gui.settings import Settings
from tests.gui.panels import Shown, idle, message, playing
from tests.gui.tabletop import Tabletop, asked_about
from tests.support.clients import Keyboard, PictureWindow, adopt, focus, screen_of_tests
from vision.desktop import GlobalKey, desktop

PICTURE = np.full((60, 80, 3), 90, np.uint8)


class Reported:
    """A real key that reports when it is held."""

    def __init__(self, key: GlobalKey, report: Callable[[str], None]) -> None:
        self._key, self._report = key, report

    def hold(self, text: str) -> Future[None]:
        """Hold it, and report it unless it is refused."""
        future = self._key.hold(text)
        future.add_done_callback(lambda done: done.exception() or self._report(text))
        return future

    def __getattr__(self, name: str) -> Any:
        return getattr(self._key, name)


def opened_key(name: str, pressed: Callable[[], None]) -> GlobalKey:
    """A key of this desktop."""
    return desktop().open_global_key(name, pressed)


class Hearing(Tabletop):
    """A tabletop on a desktop whose keys can be heard."""

    def __init__(self, *levels: Level) -> None:
        super().__init__(*levels)
        self.held: list[str] = []
        """The keys that were held since the last press."""

    def global_key(self, name: str, pressed: Callable[[], None], /) -> GlobalKey | None:
        """The real one."""
        return Reported(opened_key(name, pressed), self.held.append)


@pytest.fixture(scope="module")
def private_screen() -> Iterator[PrivateScreen]:
    """A real X server with a real window manager."""
    with screen_of_tests(640, 480) as screen:
        yield screen


@pytest.fixture
def keyboard(private_screen: PrivateScreen, monkeypatch: pytest.MonkeyPatch) -> Iterator[Keyboard]:
    """A keyboard that speaks to another program's window."""
    adopt(private_screen, monkeypatch)
    with PictureWindow(PICTURE, (20, 30), "other") as other, Keyboard() as keys:
        focus(other.id)
        yield keys


@pytest.fixture
def other(keyboard: Keyboard) -> Iterator[GlobalKey]:
    """The key of another program."""
    assert keyboard
    key = opened_key("stop key", lambda: None)
    yield key
    key.close()
    key.join()


def stop_with(qtbot: QtBot, panel: Panel, table: Hearing, keyboard: Keyboard, key: str) -> None:
    """Press the key once, as soon as it is held: a second press would stop the next run."""
    qtbot.waitUntil(lambda: key in table.held)
    table.held.clear()
    keyboard.press(key)
    idle(qtbot, panel)


def test_it_stops_while_another_window_has_the_focus(
    shown: Shown, qtbot: QtBot, keyboard: Keyboard
) -> None:
    """Playing, paused, and waiting for an answer; nothing is carried out any more.

    The pause key leaves a question open: the player waits anyway, and does not pause after it.
    """
    table = Hearing(BEGINNER)
    panel = shown(table)
    panel.start()
    playing(qtbot, panel)
    stop_with(qtbot, panel, table, keyboard, "F8")
    assert table.stopped.is_set()
    assert "Stopped with F8." in panel.surface.status.text()
    panel.step()
    qtbot.waitUntil(lambda: panel.state is State.PAUSED)
    stop_with(qtbot, panel, table, keyboard, "F8")
    table.questions[0] = asked_about(3, [(0, 1)])
    panel.start()
    qtbot.waitUntil(lambda: panel.state is State.ASKING and "F6" in table.held)
    with qtbot.waitSignal(panel.run.key_pressed) as pressed:
        keyboard.press("F6")
    assert pressed.args == ["pause key"]
    panel.run.answer(None)
    qtbot.waitUntil(lambda: table.answers == [None])
    stop_with(qtbot, panel, table, keyboard, "F8")
    panel.start()
    qtbot.waitUntil(lambda: panel.state is State.ASKING)
    carried_out = list(table.carried_out)
    stop_with(qtbot, panel, table, keyboard, "F8")
    assert message(panel) == ""
    assert (table.answers, table.carried_out) == ([None], carried_out)


def test_two_keys_can_change_places(shown: Shown, qtbot: QtBot, keyboard: Keyboard) -> None:
    """In mid-game; each is heard with its new meaning, and no other program is blamed."""
    table = Hearing(BEGINNER)
    panel = shown(table, Settings(games=None, theme="light", stop_key="F10", pause_key="F11"))
    panel.start()
    playing(qtbot, panel)
    qtbot.waitUntil(lambda: {"F10", "F11"} <= set(table.held))
    table.held.clear()
    changed = {"stop_key": "F11", "pause_key": "F10"}
    panel.surface.options.take(panel.settings.model_copy(update=changed))
    qtbot.waitUntil(lambda: {"F10", "F11"} <= set(table.held))
    keyboard.press("F10")
    qtbot.waitUntil(lambda: panel.state is State.PAUSED)
    keyboard.press("F11")
    idle(qtbot, panel)
    assert "Stopped with F11." in panel.surface.status.text()
    assert message(panel) == ""


def test_it_is_held_only_while_something_is_played(
    shown: Shown, qtbot: QtBot, other: GlobalKey
) -> None:
    """Before and after, the key belongs to the other programs."""
    panel = shown(Hearing(BEGINNER), Settings(games=1, theme="light"))
    other.hold("F8").result()
    other.release().result()
    panel.start()
    idle(qtbot, panel)
    assert message(panel) == ""
    qtbot.waitUntil(lambda: other.hold("F8").exception() is None)


def test_unavailable_stop_key_is_reported_and_the_games_go_on(
    shown: Shown, qtbot: QtBot, keyboard: Keyboard, other: GlobalKey
) -> None:
    """When it is chosen, and in a game; another key is heard at once, in mid-game."""
    other.hold("F8").result()
    table = Hearing(BEGINNER)
    panel = shown(table, Settings(games=None, theme="light", stop_key="F10"))
    panel.surface.options.take(panel.settings.model_copy(update={"stop_key": "F8"}))
    qtbot.waitUntil(lambda: "another program has the key F8" in message(panel))
    panel.surface.banner.dismiss.click()
    panel.start()
    qtbot.waitUntil(lambda: "another program has the key F8" in message(panel))
    playing(qtbot, panel)
    panel.surface.options.take(panel.settings.model_copy(update={"stop_key": "F10"}))
    stop_with(qtbot, panel, table, keyboard, "F10")
    assert "F10" in panel.surface.controls.stop.toolTip()


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
