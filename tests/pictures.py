"""Makes the panel's pictures from a running panel: `python -m tests.pictures FOLDER`.

Needs a display (Xvfb does). QT_SCALE_FACTOR=2 makes them at 200 %.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, Literal

import numpy as np
from PyQt6.QtCore import QEventLoop, QSize, QTimer

from bot.board import COVERED, Cell
from bot.game import BEGINNER, EXPERT, INTERMEDIATE, Game
from bot.solver import exact
from gui.application import application
from gui.failures import Failure
from gui.panel import SIZE, Panel
from gui.panel.boardview import Show
from gui.player import State
from gui.settings import PROGRAM, Settings
from tests.gui.tabletop import Tabletop, asked_about

SMALL: Final = QSize(500, 400)
_CARELESS: Final = (4, 9, 13)
"""Moves of the game that is watched which are guesses."""
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


if __name__ == "__main__":
    main()
