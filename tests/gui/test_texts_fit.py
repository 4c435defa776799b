"""No text is cut off: with any font, on any page, before, while and after something is shown."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from PyQt6.QtCore import QSize
from PyQt6.QtGui import QFont, QFontDatabase
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bot.frame import Frame
from bot.game import BEGINNER, EXPERT
from gui.history.schema import history_file
from gui.lab.lab_page import LabPage
from gui.panel import SIZE, Panel
from gui.panel.pages import PAGES
from gui.questions import ProgramQuestion
from gui.runner.protocol import State
from gui.runner.stored_answers import ConfirmedProgram, keep_confirmed
from gui.settings import sessions_folder
from tests.gui.fitting import clipped
from tests.gui.history.made import fill
from tests.gui.lab.pages import results
from tests.gui.panels import Shown
from tests.gui.skins.pages import learned
from tests.gui.strangers import known_screen, middle_game, strange_screen
from tests.gui.tabletop import Tabletop
from tests.support.boards import SESSIONS

pytestmark = pytest.mark.long

SIZES = (SIZE, QSize(1024, 600))
"""As it opens, and on the smallest screen."""
TWICE = QSize(1366, 740) / 2
"""The window on a common screen at 200 %."""
OWN_TESTS = ("analyse", "practice", "games", "skins")
"""The pages that have a test of their own below."""
RECORDED = "winemine-intermediate-lost"


@pytest.fixture(
    params=["larger", *(pytest.param(name, marks=pytest.mark.slow) for name in ("usual", "fixed"))],
    autouse=True,
)
def font(request: pytest.FixtureRequest, qtbot: QtBot) -> Iterator[None]:
    """The font of everything."""
    assert qtbot is not None
    before = QApplication.font()
    chosen = QFont(before)
    if request.param == "fixed":
        chosen = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    factor = 14 / 9 if request.param == "larger" else 1.0
    chosen.setPointSizeF(before.pointSizeF() * factor)
    QApplication.setFont(chosen)
    yield
    QApplication.setFont(before)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with games, a recorded one, and results of the laboratory."""
    monkeypatch.setenv("MINESWEEPER_BOT_HOME", str(tmp_path / "home"))
    fill(history_file(), 400)
    shutil.copytree(SESSIONS / RECORDED, sessions_folder() / RECORDED)
    return tmp_path


@pytest.fixture
def long_home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home with a path that is longer than any line has room for."""
    with TemporaryDirectory() as folder:
        home = Path(folder).joinpath(*["some-folder.below_another one"] * 6)
        monkeypatch.setenv("MINESWEEPER_BOT_HOME", str(home))
        yield home


def all_sizes(qtbot: QtBot, panel: Panel, sizes: tuple[QSize, ...] = SIZES) -> None:
    """Hold every visible text against its room, whatever the window's size."""
    for size in sizes:
        panel.resize(size)

        def fits(size: QSize = size) -> None:
            # Where one part makes room for another that takes a few rounds.
            found = clipped(panel)
            assert not found, "\n".join([f"at {size}:", *found])

        qtbot.waitUntil(fits)


def show(qtbot: QtBot, ready: Callable[[], object]) -> None:
    """Wait until something is shown."""
    qtbot.waitUntil(lambda: bool(ready()))


def opened(shown: Shown, name: str) -> tuple[Panel, Any]:
    """Show a panel with a page; return both."""
    panel = shown(Tabletop())
    panel.shell.open(name)
    return panel, panel.shell.page(name)


def test_the_page_play(shown: Shown, qtbot: QtBot) -> None:
    """Without a board and with some, with a long message, in a game, and with the coach."""
    table = Tabletop()
    panel = shown(table)
    all_sizes(qtbot, panel)
    cover = "'Notes' covers part of a board of skin 'winemine', or touches it: move it aside"
    table.unplayable = (cover,)
    panel.look()
    show(qtbot, lambda: "can be played" in panel.surface.empty.title.text())
    all_sizes(qtbot, panel)
    table.levels += [EXPERT, BEGINNER]
    panel.look()
    show(qtbot, lambda: len(panel.surface.chooser.found) == 2)
    panel.surface.banner.show_message("A message that is a good deal longer than one line. " * 2)
    all_sizes(qtbot, panel)
    panel.surface.banner.dismiss.click()
    for turns in (1, 8):
        show(qtbot, lambda turns=turns: panel.statistics.turns >= turns or panel.step())
        all_sizes(qtbot, panel)
    panel.stop()
    show(qtbot, lambda: panel.state is State.IDLE)
    panel.start(assist=True)
    show(qtbot, lambda: panel.surface.view.turn is not None)
    all_sizes(qtbot, panel)


def test_the_status_line_and_a_question_at_200_percent(shown: Shown, qtbot: QtBot) -> None:
    """With the list and without it: a long status line takes a second line."""
    panel = shown(Tabletop(EXPERT))
    surface = panel.surface
    question = ProgramQuestion(
        title="Is the whole board visible?",
        why="The board may go on beyond what is visible (right, bottom): it may have more rows.",
        picture=np.full((300, 500, 3), 200, np.uint8),
        leave="No, end the run",
        yes="Yes, this is the whole board",
        keys=False,
    )
    sizes = (*SIZES, TWICE)
    why = "Paused because the panel is in front of the board. Press Resume to continue."
    for _ in range(2):
        surface.show_state(State.PAUSED, opening=False, outcome="", why=why)
        assert surface.status.text() == why
        all_sizes(qtbot, panel, sizes)
        surface.show_question(question)
        surface.show_state(State.ASKING, opening=False, outcome="")
        all_sizes(qtbot, panel, sizes)
        surface.show_question(None)
        surface.controls.sidebar.click()


@pytest.mark.parametrize("name", [page.name for page in PAGES if page.name not in OWN_TESTS])
def test_texts_of_other_pages_fit(shown: Shown, home: Path, qtbot: QtBot, name: str) -> None:
    """The settings, the first steps, the laboratory with results."""
    panel, page = opened(shown, name)
    all_sizes(qtbot, panel)
    if isinstance(page, LabPage):
        page.open_results(results(home / "some.jsonl", ("exact", "human")))
        show(qtbot, lambda: page.findings.graphs is not None)
        all_sizes(qtbot, panel)


@pytest.mark.usefixtures("home")
def test_texts_of_games_fit(shown: Shown, qtbot: QtBot) -> None:
    """As a table, as graphs, and a recorded one at its first turn and at its last."""
    panel, page = opened(shown, "games")
    show(qtbot, lambda: page.answer is not None)
    all_sizes(qtbot, panel)
    page.controls.graphs.click()
    show(qtbot, lambda: page.graphs is not None and page.graphs.isVisible())
    all_sizes(qtbot, panel)
    page.open(sessions_folder() / RECORDED)
    viewer = page.viewer
    show(qtbot, lambda: viewer.film is not None and viewer.pictured and viewer.side.judge.done)
    for turn in (0, viewer.playback.last - 1, viewer.playback.last):
        viewer.playback.go(turn)
        show(qtbot, lambda: viewer.pictured)
        all_sizes(qtbot, panel)
        viewer.side_button.click()
        all_sizes(qtbot, panel)


@pytest.mark.usefixtures("home")
def test_texts_of_practice_fit(shown: Shown, qtbot: QtBot) -> None:
    """A position and its solution; the daily board before and after its first click."""
    panel, page = opened(shown, "practice")
    show(qtbot, lambda: page.puzzles.analysis is not None and not page.context.jobs.running)
    all_sizes(qtbot, panel, (*SIZES, TWICE))
    page.puzzles.show_solution()
    all_sizes(qtbot, panel, (*SIZES, TWICE))
    page.show_daily.click()
    show(qtbot, lambda: page.daily.game is not None)
    all_sizes(qtbot, panel, (*SIZES, TWICE))
    page.daily.input.opened.emit(page.daily.game.start)
    all_sizes(qtbot, panel, (*SIZES, TWICE))


def test_texts_of_analyse_fit(shown: Shown, qtbot: QtBot) -> None:
    """Before a picture is opened, with one, and with a question about a tile."""
    panel, page = opened(shown, "analyse")
    all_sizes(qtbot, panel)
    page.read(known_screen())
    show(qtbot, lambda: page.scene.frame is not None and not page.context.jobs.running)
    all_sizes(qtbot, panel)
    page.read(strange_screen(4, middle_game(4).board, scribbled=True))
    show(qtbot, lambda: not page.board.mines and not page.context.jobs.running)
    page.surface.mines.setValue(20)
    show(qtbot, page.surface.teach.isVisible)
    all_sizes(qtbot, panel)


def test_skins_and_teaching(shown: Shown, long_home: Path, qtbot: QtBot) -> None:
    """The list, what is known of a program, and a skin that is being taught."""
    assert long_home
    learned("minefield")
    keep_confirmed(ConfirmedProgram("Chromium", "A page with quite a long title - Mines"))
    panel, page = opened(shown, "skins")
    show(qtbot, lambda: page.shelf.entry is not None and not page.context.jobs.running)
    for row in (0, 1, page.shelf.list.count() - 1):
        page.shelf.list.setCurrentRow(row)
        all_sizes(qtbot, panel, (*SIZES, TWICE))
    screen = strange_screen(4, middle_game(4, opened=90).board, scribbled=True)
    page.learn([Frame.of_image(screen)])
    show(qtbot, lambda: page.kinds.isVisible() and not page.context.jobs.running)
    all_sizes(qtbot, panel)
