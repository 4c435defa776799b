"""Take the panel's pictures for the README from a running panel, in both themes.

    python -m tests.tools.pictures FOLDER

Without a display a private screen is used. QT_SCALE_FACTOR=2 gives 200 %.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal
from unittest.mock import patch

import numpy as np
from PyQt6.QtCore import QEventLoop, QPoint, Qt, QTimer
from PyQt6.QtGui import QImage, QPainter
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QLabel, QLineEdit

from bot.board import COVERED, Cell
from bot.frame import Frame
from bot.game import BEGINNER, EXPERT, INTERMEDIATE, Game
from bot.lab.boards import draw_boards
from bot.lab.results import Plan, open_results
from bot.lab.worker import CLASSIC, play_batch
from bot.solver import exact
from gui.analyse.analyse_page import AnalysePage
from gui.analyse.positions import turn_of
from gui.application import application
from gui.games.games_page import GamesPage
from gui.history.schema import history_file
from gui.lab.lab_page import LabPage
from gui.panel import SIZE, Panel
from gui.panel.cell_info import about
from gui.panel.settings_page import SettingsPage
from gui.practice.practice_page import PracticePage
from gui.private_screen import PrivateScreen
from gui.runner.protocol import State
from gui.settings import Settings, sessions_folder
from gui.skins.skins_page import SkinsPage
from tests.gui.history.made import fill
from tests.gui.panels import panel_of
from tests.gui.strangers import middle_game, strange_screen
from tests.gui.tabletop import Tabletop, asked_about
from tests.support.boards import SESSIONS
from vision.desktop import desktop
from vision.files import HOME_VARIABLE, PROGRAM

ROOT: Final = Path(__file__).parents[2]
THEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
TOGETHER: Final = ("editor", "practice", "replay", "lab")
"""Those that the README shows in one picture, two in a row."""
SCALE: Final = 0.75
"""Share of their size in that picture, which keeps its file small."""
_CARELESS: Final = (4, 9, 13)
"""Numbers of the moves in the watched game that are guesses."""
_USER: Final = "/home/you"
Save = Callable[[Panel, str], None]


def main() -> None:
    """Take the pictures."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as resources:
        if not desktop().has_screen and os.environ.get("QT_QPA_PLATFORM") != "offscreen":
            resources.enter_context(PrivateScreen(1920, 1080)).adopt()
        app = application(PROGRAM)
        app.setQuitOnLastWindowClosed(False)
        for theme in THEMES:
            settings = Settings(theme=theme, games=3)

            def save(panel: Panel, name: str, theme: str = theme) -> None:
                wait_until(panel.isVisible)
                _hide_own_folders(panel)
                panel.grab().save(str(folder / f"{name}-{theme}.png"))

            for take in (take_play, take_question, take_assist, take_pages, take_history,
                         take_replay, take_analyse, take_practice, take_skins):  # fmt: skip
                with TemporaryDirectory() as home, patch.dict(os.environ, {HOME_VARIABLE: home}):
                    take(settings, save)
            together(folder, theme)
        # When the screen ends, the program ends too.
        app.quit()
        del app


def together(folder: Path, theme: str) -> None:
    """Write the pictures of `TOGETHER` as one."""
    parts = [QImage(str(folder / f"{name}-{theme}.png")) for name in TOGETHER]
    size = parts[0].size() * SCALE
    image = QImage(2 * size.width(), 2 * size.height(), QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        for number, part in enumerate(parts):
            corner = QPoint(number % 2 * size.width(), number // 2 * size.height())
            smooth = Qt.TransformationMode.SmoothTransformation
            painter.drawImage(corner, part.scaled(size, transformMode=smooth))
    image.save(str(folder / f"pages-{theme}.png"))


def wait_until(ready: Callable[[], bool]) -> None:
    """Run the event loop until a condition holds."""
    loop = QEventLoop()
    timer = QTimer()
    timer.timeout.connect(lambda: ready() and loop.quit())
    timer.start(10)
    loop.exec()


def _hide_own_folders(panel: Panel) -> None:
    """Show a typical user's folders in place of those of this machine."""
    for label in panel.findChildren(QLabel):
        _replace(label.text(), label.setText)
    for line in panel.findChildren(QLineEdit):
        _replace(line.placeholderText(), line.setPlaceholderText)


def _replace(text: str, show: Callable[[str], None]) -> None:
    text = text.replace("\u200b", "")
    shown = text.replace(str(ROOT), f"{_USER}/minesweeper-bot").replace(str(Path.home()), _USER)
    if shown != text:
        show(shown)


def close_panel(panel: Panel) -> None:
    """Close the panel, and wait until its threads have ended."""
    closed: list[None] = []
    panel.closed.connect(lambda: closed.append(None))
    panel.close()
    wait_until(lambda: bool(closed))


@contextmanager
def shown(table: Tabletop, settings: Settings, boards: int = 0) -> Iterator[Panel]:
    """Show a panel whose settings are not saved, and wait until it lists so many boards."""
    panel = panel_of(table, settings)
    panel.show()
    if boards:
        wait_until(lambda: len(panel.surface.chooser.found) == boards)
    yield panel
    close_panel(panel)


def steps(panel: Panel, turns: int) -> None:
    """Carry out so many turns, each shown before the next one."""
    for _ in range(turns):
        before = panel.statistics.turns
        panel.step()
        wait_until(lambda before=before: panel.statistics.turns > before)
    wait_until(lambda: panel.state is State.PAUSED)


def take_play(settings: Settings, save: Save) -> None:
    """Take a guess in mid-game, and the description of a cell whose state is uncertain."""
    table = Tabletop()
    table.levels += [EXPERT, INTERMEDIATE, BEGINNER]
    with shown(table, settings, 3) as panel:
        steps(panel, 14)
        while True:
            steps(panel, 1)
            turn = panel.surface.view.turn
            if turn and (turn.analysis is None or any(move.risk > 0 for move in turn.moves)):
                break
        save(panel, "play")
    with shown(Tabletop(EXPERT), settings, 1) as panel:
        steps(panel, 14)
        turn = panel.surface.view.turn
        assert turn is not None
        assert turn.analysis is not None
        probability = turn.analysis.mine_probability
        cells = map(Cell._make, np.argwhere((probability > 0) & (probability < 1)).tolist())
        cell = next(one for one in cells if about(turn.reading.board, turn.analysis, one).hints)
        outcomes: list[object] = []
        panel.inspector.outcomes_shown.connect(outcomes.append)
        place = panel.surface.view.place()
        assert place is not None
        for point in (QPoint(1, 1), place.cell(cell).center().toPoint()):
            QTest.mouseMove(panel.surface.view, point)
            QApplication.processEvents()
        wait_until(lambda: bool(outcomes))
        save(panel, "why")


def take_question(settings: Settings, save: Save) -> None:
    """Take the panel while it asks about a tile."""
    table = Tabletop(INTERMEDIATE, look="rounded")
    table.questions[4] = asked_about(3, [(4, 9), (7, 2), (0, 11)], (3, 8))
    with shown(table, settings, 1) as panel:
        panel.surface.controls.play.click()
        wait_until(lambda: panel.state is State.ASKING and panel.surface.teach.isVisible())
        save(panel, "asks")


def take_assist(settings: Settings, save: Save) -> None:
    """Take the panel in Assist when a badly played game is lost."""
    table = Tabletop(EXPERT, seed=11)
    with shown(table, settings, 1) as panel:
        panel.surface.controls.assist.click()
        wait_until(lambda: panel.surface.view.turn is not None)
        rng = np.random.default_rng(4)
        for number in range(18):
            turns = panel.statistics.turns
            table.hand.put(partial(_move, rng=rng, careless=number in _CARELESS))
            wait_until(lambda turns=turns: panel.statistics.turns > turns)
        table.hand.put(_lose)
        line = panel.surface.details.coach.line
        wait_until(lambda: line.text().startswith("Lost on"))
        # The statistics are updated at their own rate.
        wait_until(lambda: panel.surface.details.game.value("Status") == "Lost")
        save(panel, "coach")


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
    layout = game.layout
    assert layout is not None
    cells = game.board.cells(COVERED)
    game.open(next(one for one in cells if layout[one] and known.mine_probability[one] < 1))


def take_pages(settings: Settings, save: Save) -> None:
    """Take the settings, the help, and the laboratory with thirty games of two players."""
    with shown(Tabletop(BEGINNER), settings) as panel:
        for name in ("settings", "help"):
            panel.shell.open(name)
            page = panel.shell.page(name)
            if isinstance(page, SettingsPage):
                wait_until(lambda page=page: bool(page.usage.text()))
            save(panel, name)
        panel.shell.open("lab")
        lab = panel.shell.page("lab")
        assert isinstance(lab, LabPage)
        boards = draw_boards(INTERMEDIATE, 30)
        specs = [boards.spec(number) for number in range(boards.count)]
        with TemporaryDirectory() as results:
            path = Path(results) / "intermediate.jsonl"
            with open_results(path, Plan(CLASSIC, (boards.key,), (boards.label,), None)) as file:
                for player in ("exact", "human"):
                    file.add(0, play_batch(CLASSIC, player, specs, None))
            lab.open_results(path)
            # As high as its content: laid out to the end.
            wait_until(lambda: lab.findings.height() > SIZE.height())
            save(panel, "lab")


def _games_page(panel: Panel) -> GamesPage:
    panel.shell.open("games")
    page = panel.shell.page("games")
    assert isinstance(page, GamesPage)
    return page


def take_history(settings: Settings, save: Save) -> None:
    """Take the history: its table and its graphs."""
    fill(history_file(), 1500)
    with shown(Tabletop(EXPERT), settings) as panel:
        page = _games_page(panel)
        wait_until(lambda: page.answer is not None)
        save(panel, "history")
        page.controls.graphs.click()
        wait_until(lambda: page.graphs is not None and page.graphs.isVisible())
        save(panel, "graphs")


def take_replay(settings: Settings, save: Save) -> None:
    """Take a recorded game at its last guess."""
    session = "kmines-classic-expert-lost"
    shutil.copytree(SESSIONS / session, sessions_folder() / session)
    with shown(Tabletop(), settings) as panel:
        page = _games_page(panel)
        viewer = page.viewer
        page.open(sessions_folder() / session)
        wait_until(lambda: viewer.film is not None and viewer.pictured)
        wait_until(lambda: viewer.side.judge.done)
        viewer.playback.go(viewer.film.guesses()[-1] if viewer.film else 0)
        wait_until(lambda: viewer.pictured)
        save(panel, "replay")


def take_analyse(settings: Settings, save: Save) -> None:
    """Take the page Analyse with three games in a screenshot, then with an Expert position."""
    with shown(Tabletop(), settings) as panel:
        panel.shell.open("analyse")
        page = panel.shell.page("analyse")
        assert isinstance(page, AnalysePage)
        wait_until(lambda: page.position is not None and not page.busy)
        page.read(ROOT / "tests" / "screens" / "three-games-1920.png")
        wait_until(lambda: page.scene.frame is not None)
        page.surface.picture.list.setCurrentRow(2)
        for name in ("picture", "editor"):
            wait_until(lambda: not page.busy)
            page.inspector.pointing.pointed.emit(Cell(3, 4))
            page.inspector.pointing.pointed.emit(None)
            save(panel, name)
            panel.shell.open("analyse", turn_of(middle_game(3, opened=120).board).reading)
            page.surface.copy.setFocus()


def take_practice(settings: Settings, save: Save) -> None:
    """Take an example with its solution."""
    with shown(Tabletop(), settings) as panel:
        panel.shell.open("practice")
        page = panel.shell.page("practice")
        assert isinstance(page, PracticePage)
        wait_until(lambda: page.puzzles.analysis is not None and not page.context.jobs.running)
        page.puzzles.show_solution()
        page.show_puzzles.click()
        save(panel, "practice")


def take_skins(settings: Settings, save: Save) -> None:
    """Take the page of skins, and the teaching of one."""
    with shown(Tabletop(), settings) as panel:
        panel.shell.open("skins")
        page = panel.shell.page("skins")
        assert isinstance(page, SkinsPage)
        wait_until(lambda: page.shelf.entry is not None and not page.context.jobs.running)
        page.shelf.list.setCurrentRow(5)
        save(panel, "skins")
        screen = strange_screen(4, middle_game(4, opened=90).board, scribbled=True)
        page.learn([Frame.of_image(screen)])
        wait_until(lambda: page.kinds.isVisible() and not page.context.jobs.running)
        save(panel, "teach")


if __name__ == "__main__":
    main()
