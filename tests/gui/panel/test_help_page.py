"""The first steps: shown at the first start, there again with F1, and what they offer."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from bot.frame import Region
from bot.game import BEGINNER
from gui.commands.panel import report_crashes
from gui.failures import Failure
from gui.settings import Settings
from tests.gui.panels import Shown, message, playing
from tests.gui.tabletop import Tabletop


def test_a_stop_key_that_cannot_be_heard_is_not_promised(shown: Shown, qtbot: QtBot) -> None:
    """The first steps, the button's tooltip and the note of a covered panel name what does stop."""
    table = Tabletop(BEGINNER)
    table.region, table.hears = Region(0, 0, 10_000, 10_000), False
    panel = shown(table)
    assert panel.settings.stop_key == "F8"
    assert "F8" not in panel.surface.controls.stop.toolTip()
    panel.shell.open("help")
    page = panel.shell.page("help")
    assert page.stops.text().startswith("Esc stops in this window.")
    assert "F8" not in page.last_step.text()
    panel.start()
    playing(qtbot, panel)
    assert "in front of" in message(panel)
    assert "F8" not in message(panel)
    assert "F8" not in panel.windowTitle()


def test_the_first_steps_are_shown_once(shown: Shown, qtbot: QtBot, saved: list[Settings]) -> None:
    """The settings are written, so that the next start is not the first."""
    table = Tabletop()
    panel = shown(table)
    panel.welcome()
    qtbot.waitUntil(lambda: saved == [panel.settings])
    assert panel.shell.name == "help"
    panel.shell.page("help").simulate.click()
    assert panel.shell.name == "play"
    qtbot.waitUntil(lambda: table.simulators == 1)


def test_a_crash_is_reported(
    shown: Shown, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its report; Qt would end the program. Of another thread, a part of it is missing."""
    monkeypatch.setattr(threading, "excepthook", lambda _ended: None)
    panel = shown(Tabletop())
    before = sys.excepthook

    def failure(error: BaseException) -> Failure:
        return Failure(f"words for {error}", tmp_path / "frame.png", "the report")

    with report_crashes(panel.show_failure, failure):
        error = ValueError("a slip")
        sys.excepthook(ValueError, error, None)
        assert "Words for a slip." in message(panel)
        assert "frame.png" in message(panel)
        assert panel.surface.banner.copy.isVisible()
        assert sys.excepthook is not before
        panel.surface.banner.dismiss.click()
        thread = threading.Thread(target=lambda: {}["another slip"])
        thread.start()
        qtbot.waitUntil(lambda: "another slip" in message(panel))
        thread.join()
        assert "A part of the program has ended." in message(panel)
    assert sys.excepthook is before
