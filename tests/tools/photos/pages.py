"""Screenshots of the other pages."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal
from unittest.mock import patch

import pytest

from bot.board import FLAG, Cell
from bot.frame import Frame
from bot.game import BEGINNER, EXPERT, INTERMEDIATE
from bot.lab.boards import draw_boards
from bot.lab.results import Plan, open_results
from bot.lab.worker import CLASSIC, play_batch
from gui.analyse.analyse_page import AnalysePage
from gui.analyse.positions import turn_of
from gui.games.games_page import GamesPage
from gui.history.schema import history_file
from gui.lab.lab_page import LabPage
from gui.panel import SIZE
from gui.panel.settings_page import SettingsPage
from gui.practice.practice_page import PracticePage
from gui.settings import Settings, sessions_folder
from gui.skins.skins_page import SkinsPage
from tests.gui.history.made import fill
from tests.gui.strangers import middle_game, strange_screen
from tests.gui.tabletop import Tabletop
from tests.support.boards import SESSIONS
from tests.tools.photos.studio import (
    SCREENS,
    SMALL,
    close_panel,
    save,
    shown_panel,
    wait_until,
)
from vision.files import HOME_VARIABLE

SHOWN_SESSIONS: Final = (
    "kmines-classic-expert-lost",
    "classic-beginner-won",
    "gnome-mines-bgcolors-intermediate-won",
    "sgt-mines-expert-won",
    "winemine-expert-won",
    "winemine-intermediate-lost",
    "xbomb-intermediate-won",
    "xdemineur-expert-lost",
)


def take_pages(folder: Path, theme: Literal["light", "dark"]) -> None:
    """Take the settings, the first steps, and the laboratory with an earlier run."""
    panel = shown_panel(Tabletop(BEGINNER), Settings(theme=theme))
    for name in ("settings", "help", "lab"):
        panel.shell.open(name)
        page = panel.shell.page(name)
        if isinstance(page, LabPage):
            with TemporaryDirectory() as results:
                page.open_results(_results(Path(results)))
                # As high as its content: laid out to the end.
                wait_until(lambda page=page: page.findings.height() > SIZE.height())
                save(panel, folder / f"page-{name}-{theme}.png")
            panel.resize(SMALL)
            wait_until(lambda: panel.width() < SIZE.width())
            save(panel, folder / f"page-{name}-small-{theme}.png")
            panel.resize(SIZE)
        else:
            if isinstance(page, SettingsPage):
                wait_until(lambda page=page: bool(page.usage.text()))
            save(panel, folder / f"page-{name}-{theme}.png")
    close_panel(panel)


def _results(folder: Path) -> Path:
    """Write thirty games of two players in the format of `minesweeper-bot lab`."""
    path = folder / "intermediate.jsonl"
    boards = draw_boards(INTERMEDIATE, 30)
    deals = [boards.spec(number) for number in range(boards.count)]
    with open_results(path, Plan(CLASSIC, (boards.key,), (boards.label,), None)) as file:
        for player in ("exact", "human"):
            file.add(0, play_batch(CLASSIC, player, deals, None))
    return path


def take_history(folder: Path, theme: Literal["light", "dark"]) -> None:
    """Take the page of the history: table and graphs, at the initial and the smallest size."""
    with tempfile.TemporaryDirectory() as home, pytest.MonkeyPatch.context() as patch:
        patch.setenv(HOME_VARIABLE, home)
        fill(history_file(), 1500)
        panel = shown_panel(Tabletop(EXPERT), Settings(theme=theme))
        panel.shell.open("games")
        page = panel.shell.page("games")
        assert isinstance(page, GamesPage)
        wait_until(lambda: page.answer is not None)
        save(panel, folder / f"history-{theme}.png")
        page.controls.graphs.click()
        wait_until(lambda: page.graphs is not None and page.graphs.isVisible())
        save(panel, folder / f"history-graphs-{theme}.png")
        panel.resize(SMALL)
        wait_until(lambda: panel.width() <= max(SMALL.width(), panel.minimumWidth()))
        save(panel, folder / f"history-graphs-small-{theme}.png")
        page.controls.games.click()
        save(panel, folder / f"history-small-{theme}.png")
        close_panel(panel)


def take_replay(folder: Path, theme: Literal["light", "dark"]) -> None:
    """Take a recorded game: a guess, and at the smallest size."""
    with TemporaryDirectory() as home, patch.dict(os.environ, {HOME_VARIABLE: home}):
        for name in SHOWN_SESSIONS:
            shutil.copytree(SESSIONS / name, sessions_folder() / name)
        panel = shown_panel(Tabletop(), Settings(theme=theme))
        panel.shell.open("games")
        page = panel.shell.page("games")
        assert isinstance(page, GamesPage)
        viewer = page.viewer
        page.open(sessions_folder() / SHOWN_SESSIONS[0])
        wait_until(lambda: viewer.film is not None and viewer.pictured)
        wait_until(lambda: viewer.side.judge.done)
        viewer.playback.go(viewer.film.guesses()[-1] if viewer.film else 0)
        wait_until(lambda: viewer.pictured)
        save(panel, folder / f"panel-replay-{theme}.png")
        panel.resize(SMALL)
        wait_until(lambda: panel.width() <= max(SMALL.width(), panel.minimumWidth()))
        save(panel, folder / f"panel-replay-small-{theme}.png")
        close_panel(panel)


def take_analyse(folder: Path, theme: Literal["light", "dark"]) -> None:
    """Take the page Analyse with three games in a screenshot, then with an Expert position."""
    panel = shown_panel(Tabletop(), Settings(theme=theme))
    panel.shell.open("analyse")
    page = panel.shell.page("analyse")
    assert isinstance(page, AnalysePage)
    wait_until(lambda: page.position is not None and not page.busy)
    save(panel, folder / f"picture-empty-{theme}.png")
    page.read(SCREENS / "three-games-1920.png")
    wait_until(lambda: page.scene.frame is not None)
    page.surface.picture.list.setCurrentRow(2)
    for name in ("picture", "editor"):
        panel.resize(SIZE)
        wait_until(lambda: panel.width() == SIZE.width() and not page.busy)
        page.inspector.pointing.pointed.emit(Cell(3, 4))
        page.inspector.pointing.pointed.emit(None)
        save(panel, folder / f"{name}-{theme}.png")
        panel.resize(SMALL)
        wait_until(lambda: panel.width() <= max(SMALL.width(), panel.minimumWidth()))
        save(panel, folder / f"{name}-small-{theme}.png")
        panel.shell.open("analyse", turn_of(middle_game(3, opened=120).board).reading)
        page.surface.copy.setFocus()
    close_panel(panel)


def take_practice(folder: Path, theme: Literal["light", "dark"]) -> None:
    """Take an example with its solution, and the daily board in play; both at two sizes."""
    with tempfile.TemporaryDirectory() as home, pytest.MonkeyPatch.context() as patch:
        patch.setenv(HOME_VARIABLE, home)
        panel = shown_panel(Tabletop(), Settings(theme=theme))
        panel.shell.open("practice")
        page = panel.shell.page("practice")
        assert isinstance(page, PracticePage)
        wait_until(lambda: page.puzzles.analysis is not None and not page.context.jobs.running)
        page.puzzles.show_solution()
        for size, name in ((SIZE, "practice"), (SMALL, "practice-small")):
            panel.resize(size)
            wait_until(lambda size=size: panel.width() <= max(size.width(), panel.minimumWidth()))
            page.show_puzzles.click()
            save(panel, folder / f"{name}-{theme}.png")
            page.show_daily.click()
            game = page.daily.game
            if game is not None and not game.started:
                page.daily.input.opened.emit(game.start)
            save(panel, folder / f"{name}-daily-{theme}.png")
        close_panel(panel)


def take_skins_page(folder: Path, theme: Literal["light", "dark"]) -> None:
    """Take the page of skins, and the teaching of one."""
    panel = shown_panel(Tabletop(), Settings(theme=theme))
    panel.shell.open("skins")
    page = panel.shell.page("skins")
    assert isinstance(page, SkinsPage)
    wait_until(lambda: page.shelf.entry is not None and not page.context.jobs.running)
    page.shelf.list.setCurrentRow(5)
    save(panel, folder / f"skins-{theme}.png")
    screen = strange_screen(4, middle_game(4, opened=90).board, scribbled=True)
    page.learn([Frame.of_image(screen)])
    wait_until(lambda: page.kinds.isVisible() and not page.context.jobs.running)
    save(panel, folder / f"skins-teach-{theme}.png")
    page.kinds.form.buttons[FLAG].click()
    wait_until(lambda: not page.context.jobs.running)
    panel.resize(SMALL)
    wait_until(lambda: panel.width() <= max(SMALL.width(), panel.minimumWidth()))
    save(panel, folder / f"skins-teach-small-{theme}.png")
    close_panel(panel)
