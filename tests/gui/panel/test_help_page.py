"""The first steps: shown at the first start, there again with F1, and what they offer."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest
from PyQt6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from bot.frame import Region
from bot.game import BEGINNER
from gui.commands.panel import report_crashes
from gui.failures import Failure
from gui.panel.options import PACES
from gui.settings import Settings, defaults
from tests.gui.panels import Shown, idle, message, playing
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


def test_a_speed_stays_as_it_is(shown: Shown, saved: list[Settings], qtbot: QtBot) -> None:
    """A second run has the first one's, until the user moves the slider; so has the file."""
    table = Tabletop()
    panel = shown(table, defaults().model_copy(update={"theme": "light"}))
    panel.shell.open("help")
    paces: list[float | None] = []
    panel.turn_played.connect(lambda _turn: paces.append(table.settings.pace))
    for chosen, start in (
        (5.0, panel.shell.page("help").simulate.click),
        (5.0, panel.start),
        (1.0, panel.start),
    ):
        panel.surface.options.pace.slider.setValue(PACES.index(chosen))
        start()
        qtbot.waitUntil(lambda: bool(paces))
        panel.stop()
        idle(qtbot, panel)
        assert set(paces) == {chosen}
        paces.clear()
    qtbot.waitUntil(lambda: {one.pace for one in saved} == {1.0})
    assert panel.settings.pace == 1.0


def test_the_first_steps_offer_a_board_on_the_screen_first(
    shown: Shown, qtbot: QtBot, saved: list[Settings]
) -> None:
    """At the first start, which is not repeated; else the built-in game, or a screenshot."""
    table = Tabletop()
    panel = shown(table)
    panel.welcome()
    # The settings are written, so that the next start is not the first.
    qtbot.waitUntil(lambda: saved == [panel.settings])
    assert panel.shell.name == "help"
    page = panel.shell.page("help")
    assert (page.play.property("primary"), page.simulate.property("primary")) == (False, True)
    table.levels.append(BEGINNER)
    panel.look()
    qtbot.waitUntil(lambda: page.play.property("primary") is True)
    assert page.simulate.property("primary") is False
    page.picture.click()
    assert panel.shell.name == "analyse"
    (dialog,) = panel.shell.page("analyse").findChildren(QFileDialog)
    dialog.close()


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
