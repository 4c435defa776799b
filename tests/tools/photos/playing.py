"""Screenshots of the page that plays, assists, asks and explains."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final, Literal

import numpy as np
from PyQt6.QtCore import QPoint
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from bot.board import COVERED, Cell
from bot.game import BEGINNER, EXPERT, INTERMEDIATE, Game
from bot.solver import exact
from gui.failures import Failure
from gui.panel import SIZE
from gui.panel.boardview import Show
from gui.panel.cell_info import about
from gui.panel.options import PACES
from gui.runner.protocol import State
from gui.settings import Settings
from tests.gui.tabletop import Tabletop, asked_about
from tests.tools.photos.studio import (
    SMALL,
    close_panel,
    save,
    shown_panel,
    steps,
    until_guess,
    wait_until,
)

_CARELESS: Final = (4, 9, 13)
"""Numbers of the moves in the watched game that are guesses."""


def take(folder: Path, theme: Literal["light", "dark"]) -> None:
    """Take all pictures in one theme."""
    settings = Settings(theme=theme, games=3)
    table = Tabletop()
    panel = shown_panel(table, settings)
    wait_until(lambda: "found" in panel.surface.empty.title.text())
    save(panel, folder / f"panel-empty-{theme}.png")
    table.unplayable = (
        "'Notes' covers part of a board of skin 'winemine', or touches it: move it aside",
    )
    wait_until(lambda: panel.look() or "can be played" in panel.surface.empty.title.text())
    save(panel, folder / f"panel-covered-{theme}.png")
    table.levels += [EXPERT, INTERMEDIATE, BEGINNER]
    panel.look()
    wait_until(lambda: len(panel.surface.chooser.model.found) == 3)
    save(panel, folder / f"panel-list-{theme}.png")
    table.unplayable = ()
    wait_until(lambda: panel.look() or not panel.surface.chooser.remarks.isVisible())
    steps(panel, 14)
    save(panel, folder / f"panel-playing-{theme}.png")
    for show in (Show.FRAME, Show.PARSED):
        panel.surface.layers.buttons[show].click()
        save(panel, folder / f"panel-{show.value}-{theme}.png")
    until_guess(panel)
    save(panel, folder / f"panel-guess-{theme}.png")
    panel.resize(SMALL)
    wait_until(lambda: panel.width() <= max(SMALL.width(), panel.minimumWidth()))
    save(panel, folder / f"panel-small-{theme}.png")
    panel.resize(SIZE)
    panel.surface.banner.show_failure(
        Failure(
            "The hint at row 4, column 17 changed from 2 to 3: a misread, or somebody started "
            "another game. Nothing was clicked.",
            Path("errors") / "board.png",
            "Traceback (most recent call last): ...",
        )
    )
    wait_until(lambda: panel.width() > SMALL.width())
    save(panel, folder / f"panel-failure-{theme}.png")
    close_panel(panel)
    table = Tabletop(BEGINNER, mines_known=False, look="rounded")
    panel = shown_panel(table, settings)
    wait_until(lambda: len(panel.surface.chooser.model.found) == 1)
    panel.surface.controls.play.click()
    save(panel, folder / f"panel-mines-{theme}.png")
    panel.surface.options.mines.setValue(10)
    panel.surface.options.pace.slider.setValue(len(PACES) - 1)
    panel.surface.controls.play.click()
    wait_until(lambda: panel.state is State.IDLE and panel.statistics.games == 3)
    save(panel, folder / f"panel-over-{theme}.png")
    close_panel(panel)


def take_question(folder: Path, theme: Literal["light", "dark"]) -> None:
    """Take the panel while it asks, at the initial and the smallest size."""
    table = Tabletop(INTERMEDIATE, look="rounded")
    table.questions[4] = asked_about(3, [(4, 9), (7, 2), (0, 11)], (3, 8))
    panel = shown_panel(table, Settings(theme=theme, games=3))
    wait_until(lambda: len(panel.surface.chooser.model.found) == 1)
    panel.surface.controls.play.click()
    wait_until(lambda: panel.state is State.ASKING and panel.surface.teach.isVisible())
    save(panel, folder / f"panel-asks-{theme}.png")
    panel.resize(SMALL)
    wait_until(lambda: panel.width() <= max(SMALL.width(), panel.minimumWidth()))
    save(panel, folder / f"panel-asks-small-{theme}.png")
    close_panel(panel)


def take_assist(folder: Path, theme: Literal["light", "dark"]) -> None:
    """Take the panel in Assist on a badly played game: during it, and when it is lost."""
    table = Tabletop(EXPERT, seed=11)
    panel = shown_panel(table, Settings(theme=theme))
    wait_until(lambda: len(panel.surface.chooser.model.found) == 1)
    panel.surface.controls.assist.click()
    wait_until(lambda: panel.surface.view.turn is not None)
    rng = np.random.default_rng(4)
    coach = panel.surface.details.coach
    for number in range(18):
        turns = panel.statistics.turns
        table.hand.put(partial(_move, rng=rng, careless=number in _CARELESS))
        wait_until(lambda turns=turns: panel.statistics.turns > turns)
        if number == _CARELESS[1]:
            wait_until(lambda: coach.property("message") == "note")
            save(panel, folder / f"panel-assist-{theme}.png")
            panel.resize(SMALL)
            wait_until(lambda: panel.width() <= max(SMALL.width(), panel.minimumWidth()))
            save(panel, folder / f"panel-assist-small-{theme}.png")
            panel.resize(SIZE)
    table.hand.put(_lose)
    wait_until(lambda: coach.line.text().startswith("Lost on"))
    # The figures are updated at their own rate.
    wait_until(lambda: panel.surface.details.game.value("Status") == "Lost")
    save(panel, folder / f"panel-coach-{theme}.png")
    close_panel(panel)


def _move(game: Game, rng: np.random.Generator, *, careless: bool) -> None:
    """Open a cell without a mine: a proved one, or one that is safe by chance."""
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
    """Open an uncertain cell that is a mine."""
    known = exact.solve(game.board)
    for cell in game.board.cells(COVERED):
        if game.layout is not None and game.layout[cell] and known.mine_probability[cell] < 1:
            game.open(cell)
            return


def take_inspector(folder: Path, theme: Literal["light", "dark"]) -> None:
    """Take the description of a cell in the middle of a game."""
    panel = shown_panel(Tabletop(EXPERT), Settings(theme=theme, games=1))
    wait_until(lambda: len(panel.surface.chooser.model.found) == 1)
    steps(panel, 14)
    turn = panel.surface.view.turn
    assert turn is not None
    assert turn.analysis is not None
    probability = turn.analysis.mine_probability
    cells = map(Cell._make, np.argwhere((probability > 0) & (probability < 1)).tolist())
    cell = next(one for one in cells if about(turn.reading.board, turn.analysis, one).hints)
    told: list[object] = []
    panel.inspector.outcomes_shown.connect(told.append)
    place = panel.surface.view.place()
    assert place is not None
    for point in (QPoint(1, 1), place.cell(cell).center().toPoint()):
        QTest.mouseMove(panel.surface.view, point)
        QApplication.processEvents()
    wait_until(lambda: bool(told))
    save(panel, folder / f"panel-why-{theme}.png")
    close_panel(panel)
