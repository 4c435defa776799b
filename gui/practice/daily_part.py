"""The daily board: played in the panel, with its time, its 3BV and the results of the last days."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np
from PyQt6.QtCore import QSignalBlocker, Qt, QTimer
from PyQt6.QtGui import QHideEvent, QShowEvent
from PyQt6.QtWidgets import QLabel, QListWidget

from bot.analysis import Analysis
from bot.board import Cell
from bot.frame import Status
from bot.game import INTERMEDIATE, LEVELS
from bot.loop import Turn
from bot.planner import Action, Move
from gui.analyse.positions import turn_of
from gui.games.games_table import NOTHING
from gui.history.store import today
from gui.panel import widgets
from gui.panel.jobs import JobBar, LatestJob
from gui.panel.pages import Context
from gui.practice.board_part import BoardPart
from gui.practice.daily import DailyGame, DayResult, find_daily, keep_game, read_results

_HOW: Final = (
    "Left opens, right flags, a click on a number opens the cells around it. Keys: arrows, Space, "
    "F. No guess is needed."
)


class DailyPart(BoardPart):
    """The daily board, as a board view and a column of texts and controls."""

    def __init__(self, context: Context, bar: JobBar) -> None:
        super().__init__(context, bar)
        self.game: DailyGame | None = None
        """The game on the board of the day; None until the board is found."""
        self._search = LatestJob(context.jobs, self.failed.emit, self._show_game)
        levels = {level.name.capitalize(): level for level in LEVELS.values()}
        self.level = widgets.box(levels, INTERMEDIATE)
        widgets.name_control(self.level, "Level of the daily board", "The size of the board")
        self.again = widgets.KeyedButton("&Restart", "Start the same board again", "R")
        self.title = widgets.headline()
        self.title.setAccessibleName("State of the game")
        self.figures = widgets.wrapped_label("Time, 3BV and mines")
        self.figures.setToolTip("3BV is the least number of clicks that wins without flags")
        self.results = QListWidget()
        self.results.setMinimumHeight(90)
        self.results.setWordWrap(True)
        self.results.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        widgets.name_control(self.results, "Results of the last days")
        heading = QLabel("Last days")
        heading.setProperty("heading", True)
        widgets.lay_column(
            widgets.lay_row((self.level, 1), self.again), self.title, self.figures,
            widgets.explanation("How to play", _HOW),
            heading, (self.results, 1),
            on=self.side,
        )  # fmt: skip
        widgets.connect_keyed(self.side, {self.again: self.restart})
        self._timer = QTimer(self)
        self._timer.setInterval(200)
        self._timer.timeout.connect(self._show_figures)
        self.level.currentIndexChanged.connect(self._find)
        self.input.opened.connect(self._open)
        self.input.flagged.connect(self._flag)
        self._show_game()

    @property
    def busy(self) -> bool:
        """Whether the board is searched for."""
        return self._search.running

    def showEvent(self, event: QShowEvent | None) -> None:
        """Let the time of the game run on."""
        super().showEvent(event)
        if self.game is not None:
            self.game.resume()

    def hideEvent(self, event: QHideEvent | None) -> None:
        """Stop the time while another page hides the board."""
        super().hideEvent(event)
        if self.game is not None:
            self.game.pause()

    def enter(self) -> None:
        """Show the board of today, unless a game is being played; read the results."""
        job = self._context.jobs.start("Reading the results", read_results, only_looks=True)
        job.done.connect(self._list)
        job.failed.connect(self.failed)
        game = self.game
        playing = game is not None and game.started and not game.status.over
        if not playing and not self.busy and (game is None or game.day != today()):
            self._find()

    def restart(self) -> None:
        """Start the same board again, or search for it if the search was cancelled."""
        if self.game is None:
            self._find()
        else:
            self.game.restart()
            self._show_game()
        self.view.setFocus()

    def _find(self) -> None:
        day, level = today(), self.level.currentData()
        self.game = None
        title, work = "Looking for a board without guesses", partial(find_daily, day, level)
        then = lambda seed: self._begin(DailyGame(day, level, seed))  # noqa: E731
        self._bar.follow(self._search.start(title, work, then))
        self._show_game()

    def _begin(self, game: DailyGame) -> None:
        self.game = game
        self._show_game()

    # Playing

    def _open(self, cell: Cell) -> None:
        game = self.game
        if game is None:
            return
        if not game.click(cell):
            if not game.started:
                self.title.setText("Open the marked cell first")
            return
        self._show_game()
        if game.status.over:
            work = partial(keep_game, *game.entry())
            job = self._context.jobs.start("Saving the result", work, keeps=True)
            job.done.connect(self._list)
            job.failed.connect(self.failed)

    def _flag(self, cell: Cell) -> None:
        if self.game is not None:
            self.game.flag(cell)
            self._show_game()

    # Display

    def _show_game(self) -> None:
        game = self.game
        running = game is not None and game.started and not game.status.over
        if running:
            self._timer.start()
        else:
            self._timer.stop()
        self.again.setEnabled(not self.busy and (game is None or game.started))
        self._show_figures()
        if game is None:
            self.title.setText("" if self.busy else "Press Restart to search for the board")
            self.view.show_turn(None)
            return
        turn = turn_of(game.board)
        if not game.started:
            turn = _with_start(turn, game.start)
        self.title.setText(_title(game))
        self.view.show_turn(turn)
        if game.status.over:
            # The board keeps the focus, so screen readers read its description.
            self.view.describe(_title(game))

    def _show_figures(self) -> None:
        game = self.game
        self.figures.setText("" if game is None else figures_text(game))

    def _list(self, results: list[DayResult]) -> None:
        with QSignalBlocker(self.results):
            self.results.clear()
            self.results.addItems([str(one) for one in results] or ["No results yet"])


def figures_text(game: DailyGame) -> str:
    """Return the time, the 3BV and the mines of a game."""
    lines = [f"Time: {game.seconds:.1f} s", f"Mines left: {game.mines_left}"]
    if game.started:
        seconds = game.seconds
        speed = f"{game.three_bv_done / seconds:.2f}" if seconds >= 1 else NOTHING
        lines += [f"3BV: {game.three_bv_done} of {game.three_bv}", f"3BV/s: {speed}"]
    return "\n".join(lines)


def _title(game: DailyGame) -> str:
    if game.status is Status.WON:
        return f"Won in {game.seconds:.1f} s"
    if game.status is Status.LOST:
        return "Lost. Press Restart to try the same board again"
    return "Playing" if game.started else f"Begin at {game.start.position_text}"


def _with_start(turn: Turn, start: Cell) -> Turn:
    """Return the turn with a ring around the first cell."""
    unknown = np.full(turn.reading.board.tiles.shape, np.nan)
    analysis = Analysis(unknown, start, exact=False, method="", reason="begin at the marked cell")
    return replace(turn, analysis=analysis, moves=(Move(Action.OPEN, start),))
