"""Makes the panel's pictures from a running panel: `python -m tests.pictures FOLDER`.

Needs a display (Xvfb does). QT_SCALE_FACTOR=2 makes them at 200 %.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal
from unittest.mock import patch

import numpy as np
import pytest
from PyQt6.QtCore import QEventLoop, QPoint, QSize, QTimer
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from bot.board import COVERED, FLAG, Cell
from bot.frame import Frame
from bot.game import BEGINNER, EXPERT, INTERMEDIATE, FirstClick, Game
from bot.lab.boards import drawn
from bot.lab.playing import CLASSIC, play_batch
from bot.lab.results import Plan, opened
from bot.solver import exact
from gui.application import application
from gui.failures import Failure
from gui.history.page import HistoryPage
from gui.history.schema import history_file
from gui.lab.page import LabPage
from gui.panel import SIZE, Panel
from gui.panel.boardview import Show
from gui.picture.page import PicturePage
from gui.player import State
from gui.replay.page import ReplayPage
from gui.settings import HOME_VARIABLE, PROGRAM, Settings, sessions_folder
from gui.skins.page import SkinsPage
from gui.wondering import about
from tests.boards import SESSIONS
from tests.gui.history.made import fill
from tests.gui.strangers import middle_game, strange_screen
from tests.gui.tabletop import Tabletop, asked_about

SCREENS: Final = Path(__file__).parent / "screens"
SMALL: Final = QSize(500, 400)
_CARELESS: Final = (4, 9, 13)
"""Moves of the game that is watched which are guesses."""
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
_THEMES: Final[tuple[Literal["light"], Literal["dark"]]] = ("light", "dark")


def wait_until(ready: Callable[[], bool]) -> None:
    """Let the panel work until it is ready."""
    loop = QEventLoop()
    timer = QTimer()
    timer.timeout.connect(lambda: ready() and loop.quit())
    timer.start(10)
    loop.exec()


def save(panel: Panel, path: Path) -> None:
    """One picture of the panel as it is."""
    wait_until(panel.isVisible)
    panel.grab().save(str(path))
    print(path)  # noqa: T201 - what a script is for


def take(folder: Path, theme: Literal["light", "dark"]) -> None:
    """All pictures in one theme."""
    settings = Settings(theme=theme, games=3)
    table = Tabletop()
    panel = _shown(table, settings)
    wait_until(lambda: "found" in panel.surface.empty.title.text())
    save(panel, folder / f"panel-empty-{theme}.png")
    table.unplayable = (
        "a winemine board is seen, but 'Notes' lies over it or at its very edge: move that away",
    )
    wait_until(lambda: panel.look() or "can be played" in panel.surface.empty.title.text())
    save(panel, folder / f"panel-covered-{theme}.png")
    table.levels += [EXPERT, INTERMEDIATE, BEGINNER]
    panel.look()
    wait_until(lambda: len(panel.surface.chooser.model.found) == 3)
    save(panel, folder / f"panel-list-{theme}.png")
    table.unplayable = ()
    wait_until(lambda: panel.look() or not panel.surface.chooser.remarks.isVisible())
    _steps(panel, 14)
    save(panel, folder / f"panel-playing-{theme}.png")
    for show in (Show.FRAME, Show.PARSED):
        panel.surface.layers.buttons[show].click()
        save(panel, folder / f"panel-{show.value}-{theme}.png")
    _until_guess(panel)
    save(panel, folder / f"panel-guess-{theme}.png")
    panel.resize(SMALL)
    wait_until(lambda: panel.width() <= max(SMALL.width(), panel.minimumSizeHint().width()))
    save(panel, folder / f"panel-small-{theme}.png")
    panel.resize(SIZE)
    panel.surface.banner.tell_failure(
        Failure(
            "The hint at row 4, column 17 changed from 2 to 3: a misread, or somebody started "
            "another game. Nothing was clicked.",
            Path("errors") / "board.png",
            "Traceback (most recent call last): ...",
        )
    )
    wait_until(lambda: panel.width() > SMALL.width())
    save(panel, folder / f"panel-failure-{theme}.png")
    _close(panel)
    table = Tabletop(BEGINNER, mines_known=False, look="rounded")
    panel = _shown(table, settings)
    wait_until(lambda: len(panel.surface.chooser.model.found) == 1)
    panel.surface.controls.start.click()
    save(panel, folder / f"panel-mines-{theme}.png")
    panel.surface.options.mines.setValue(10)
    panel.surface.options.pace.setCurrentIndex(0)
    panel.surface.controls.start.click()
    wait_until(lambda: panel.state is State.IDLE and panel.tally.games == 3)
    save(panel, folder / f"panel-over-{theme}.png")
    _close(panel)


def take_question(folder: Path, theme: Literal["light", "dark"]) -> None:
    """The panel while it asks: as it opens, and as small as it gets."""
    table = Tabletop(INTERMEDIATE, look="rounded")
    table.questions[4] = asked_about(3, [(4, 9), (7, 2), (0, 11)], (3, 8))
    panel = _shown(table, Settings(theme=theme, games=3))
    wait_until(lambda: len(panel.surface.chooser.model.found) == 1)
    panel.surface.controls.start.click()
    wait_until(lambda: panel.state is State.ASKING and panel.surface.teach.isVisible())
    save(panel, folder / f"panel-asks-{theme}.png")
    panel.resize(SMALL)
    wait_until(lambda: panel.width() <= max(SMALL.width(), panel.minimumSizeHint().width()))
    save(panel, folder / f"panel-asks-small-{theme}.png")
    _close(panel)


def take_assist(folder: Path, theme: Literal["light", "dark"]) -> None:
    """The panel beside a game that somebody plays, not well: in it, and when it is lost."""
    table = Tabletop(EXPERT, seed=11)
    panel = _shown(table, Settings(theme=theme, assist=True))
    wait_until(lambda: len(panel.surface.chooser.model.found) == 1)
    panel.surface.controls.start.click()
    wait_until(lambda: panel.surface.view.turn is not None)
    rng = np.random.default_rng(4)
    coach = panel.surface.details.coach
    for number in range(18):
        turns = panel.tally.turns
        table.hand.put(partial(_move, rng=rng, careless=number in _CARELESS))
        wait_until(lambda turns=turns: panel.tally.turns > turns)
        if number == _CARELESS[1]:
            wait_until(lambda: coach.property("message") == "note")
            save(panel, folder / f"panel-assist-{theme}.png")
            panel.resize(SMALL)
            wait_until(lambda: panel.width() <= max(SMALL.width(), panel.minimumSizeHint().width()))
            save(panel, folder / f"panel-assist-small-{theme}.png")
            panel.resize(SIZE)
    table.hand.put(_lose)
    wait_until(lambda: coach.line.text().startswith("Lost by"))
    save(panel, folder / f"panel-coach-{theme}.png")
    _close(panel)


def _move(game: Game, rng: np.random.Generator, *, careless: bool) -> None:
    """A cell without a mine: a proved one, or one that only happens to hold none."""
    if game.layout is None:
        game.open(Cell(8, 15))
        return
    known = exact.solve(game.board)
    safe = [cell for cell in game.board.cells(COVERED) if not game.layout[cell]]
    proved = [cell for cell in safe if known.mine_probability[cell] == 0]
    guessed = [cell for cell in safe if known.mine_probability[cell] > 0]
    chosen = (guessed if careless or not proved else proved) or safe
    game.open(chosen[rng.integers(len(chosen))])


def _lose(game: Game) -> None:
    """A guess that goes wrong."""
    known = exact.solve(game.board)
    for cell in game.board.cells(COVERED):
        if game.layout is not None and game.layout[cell] and known.mine_probability[cell] < 1:
            game.open(cell)
            return


def take_pages(folder: Path, theme: Literal["light", "dark"]) -> None:
    """The settings, the first steps, and the laboratory with a run that was played before."""
    panel = _shown(Tabletop(BEGINNER), Settings(theme=theme))
    for name in ("settings", "help", "lab"):
        panel.shell.open(name)
        page = panel.shell.page(name)
        if isinstance(page, LabPage):
            with TemporaryDirectory() as results:
                page.open_results(str(_results(Path(results))))
                # As high as its content: laid out to the end.
                wait_until(lambda page=page: page.findings.height() > SIZE.height())
                save(panel, folder / f"page-{name}-{theme}.png")
            panel.resize(SMALL)
            wait_until(lambda: panel.width() < SIZE.width())
            save(panel, folder / f"page-{name}-small-{theme}.png")
            panel.resize(SIZE)
        else:
            save(panel, folder / f"page-{name}-{theme}.png")
    _close(panel)


def _results(folder: Path) -> Path:
    """Thirty games of two players, as `minesweeper-bot lab` writes them."""
    path = folder / "intermediate.jsonl"
    boards = drawn(16, 16, 40, 30, 0, FirstClick.SAFE, "intermediate")
    deals = [boards.deal(number) for number in range(boards.count)]
    with opened(path, Plan(CLASSIC, (boards.key,), (boards.label,), None)) as file:
        for player in ("exact", "human"):
            file.add(0, play_batch(CLASSIC, player, deals, None))
    return path


def take_history(folder: Path, theme: Literal["light", "dark"]) -> None:
    """The page of the history: as a table and as graphs, as it opens and as small as it gets."""
    with tempfile.TemporaryDirectory() as home, pytest.MonkeyPatch.context() as patch:
        patch.setenv(HOME_VARIABLE, home)
        fill(history_file(), 1500)
        panel = _shown(Tabletop(EXPERT), Settings(theme=theme))
        panel.shell.open("history")
        page = panel.shell.page("history")
        assert isinstance(page, HistoryPage)
        wait_until(lambda: page.answer is not None)
        save(panel, folder / f"history-{theme}.png")
        page.controls.graphs.click()
        wait_until(lambda: page.graphs is not None and page.graphs.isVisible())
        save(panel, folder / f"history-graphs-{theme}.png")
        panel.resize(SMALL)
        wait_until(lambda: panel.width() <= max(SMALL.width(), panel.minimumSizeHint().width()))
        save(panel, folder / f"history-graphs-small-{theme}.png")
        page.controls.games.click()
        save(panel, folder / f"history-small-{theme}.png")
        _close(panel)


def take_replay(folder: Path, theme: Literal["light", "dark"]) -> None:
    """The recorded sessions, and one of them: a guess, and as small as it gets."""
    with TemporaryDirectory() as home, patch.dict(os.environ, {HOME_VARIABLE: home}):
        for name in SHOWN_SESSIONS:
            shutil.copytree(SESSIONS / name, sessions_folder() / name)
        panel = _shown(Tabletop(), Settings(theme=theme))
        panel.shell.open("replay")
        page = panel.shell.page("replay")
        assert isinstance(page, ReplayPage)
        listing = page.listing
        rows = len(SHOWN_SESSIONS)
        wait_until(lambda: listing.filter.rowCount() == rows)
        listing.view.setCurrentIndex(listing.filter.index(1, 0))
        save(panel, folder / f"panel-sessions-{theme}.png")
        wait_until(lambda: not page.context.jobs.running)
        save(panel, folder / f"panel-sessions-{theme}.png")
        viewer = page.viewer
        page.open(sessions_folder() / SHOWN_SESSIONS[0])
        wait_until(lambda: viewer.film is not None and viewer.pictured)
        wait_until(lambda: viewer.side.judge.done)
        viewer.playback.go(viewer.film.guesses()[-1] if viewer.film else 0)
        wait_until(lambda: viewer.pictured)
        save(panel, folder / f"panel-replay-{theme}.png")
        panel.resize(SMALL)
        wait_until(lambda: panel.width() <= max(SMALL.width(), panel.minimumSizeHint().width()))
        save(panel, folder / f"panel-replay-small-{theme}.png")
        _close(panel)


def take_inspector(folder: Path, theme: Literal["light", "dark"]) -> None:
    """What is told of a cell in the middle of a game."""
    panel = _shown(Tabletop(EXPERT), Settings(theme=theme, games=1))
    wait_until(lambda: len(panel.surface.chooser.model.found) == 1)
    _steps(panel, 14)
    turn = panel.surface.view.turn
    assert turn is not None
    assert turn.analysis is not None
    probability = turn.analysis.mine_probability
    cells = map(Cell._make, np.argwhere((probability > 0) & (probability < 1)).tolist())
    cell = next(one for one in cells if about(turn.reading.board, turn.analysis, one).hints)
    told: list[object] = []
    panel.inspector.told.connect(told.append)
    place = panel.surface.view.place()
    assert place is not None
    for point in (QPoint(1, 1), place.cell(cell).center().toPoint()):
        QTest.mouseMove(panel.surface.view, point)
        QApplication.processEvents()
    wait_until(lambda: bool(told))
    save(panel, folder / f"panel-why-{theme}.png")
    _close(panel)


def take_picture_page(folder: Path, theme: Literal["light", "dark"]) -> None:
    """The page that reads a screenshot: before, with three games, and as small as it gets."""
    panel = _shown(Tabletop(), Settings(theme=theme))
    panel.shell.open("picture")
    page = panel.shell.page("picture")
    assert isinstance(page, PicturePage)
    save(panel, folder / f"picture-empty-{theme}.png")
    page.read(SCREENS / "three-games-1920.png")
    wait_until(lambda: page.looked is not None and not page.context.jobs.running)
    page.surface.boards.list.setCurrentRow(2)
    save(panel, folder / f"picture-{theme}.png")
    panel.resize(SMALL)
    wait_until(lambda: panel.width() <= max(SMALL.width(), panel.minimumSizeHint().width()))
    save(panel, folder / f"picture-small-{theme}.png")
    _close(panel)


def take_skins_page(folder: Path, theme: Literal["light", "dark"]) -> None:
    """The page of skins, and one being taught."""
    panel = _shown(Tabletop(), Settings(theme=theme))
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
    wait_until(lambda: panel.width() <= max(SMALL.width(), panel.minimumSizeHint().width()))
    save(panel, folder / f"skins-teach-small-{theme}.png")
    _close(panel)


def _shown(table: Tabletop, settings: Settings) -> Panel:
    panel = Panel(table, settings, save_settings=lambda _settings: None)
    panel.show()
    return panel


def _steps(panel: Panel, turns: int) -> None:
    """So many turns, each shown before the next one is asked for."""
    for _ in range(turns):
        before = panel.tally.turns
        panel.step()
        wait_until(lambda before=before: panel.tally.turns > before)
    wait_until(lambda: panel.state is State.PAUSED)


def _until_guess(panel: Panel) -> None:
    """Until a move risks something in mid-game, or the game is over."""
    while True:
        _steps(panel, 1)
        turn = panel.surface.view.turn
        if turn is None or turn.number < 12:
            continue
        if turn.analysis is None or any(move.risk > 0 for move in turn.moves):
            return


def _close(panel: Panel) -> None:
    closed: list[Cell | None] = []
    panel.closed.connect(lambda: closed.append(None))
    panel.close()
    wait_until(lambda: bool(closed))


def main() -> None:
    """Take the pictures."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    app = application(PROGRAM)
    app.setQuitOnLastWindowClosed(False)
    for theme in _THEMES:
        take(folder, theme)
        take_question(folder, theme)
        take_assist(folder, theme)
        take_pages(folder, theme)
        take_history(folder, theme)
        take_replay(folder, theme)
        take_inspector(folder, theme)
        take_picture_page(folder, theme)
        take_skins_page(folder, theme)


if __name__ == "__main__":
    main()
