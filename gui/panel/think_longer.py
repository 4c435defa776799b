"""A button that compares the best cells of a shown guess by simulated games."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from typing import Final

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QHideEvent
from PyQt6.QtWidgets import QPushButton

from bot.analysis import Comparison, Limit, Thinking
from bot.board import Board, Cell, InconsistentBoard
from bot.solver import PLAYER, SOLVERS, solver
from bot.solver.explain import explain
from bot.solver.phrases import percent
from bot.solver.warmup import ROLLOUT_PREPARATION, ROLLOUTS_IN_WORDS
from gui.panel.boardview import BoardView
from gui.panel.cell_info import About, InspectorCard, can_be_tried
from gui.panel.jobs import Jobs, LatestJob, Progress
from gui.panel.widgets import name_control, sentence

SECONDS: Final = 5.0
"""Time of a comparison."""
_INTERVAL: Final = 0.25
"""Seconds between two states that are shown."""


class ThinkLonger(QPushButton):
    """The button, with a card that shows the chances to win until the board view changes."""

    def __init__(self, view: BoardView, jobs: Jobs) -> None:
        super().__init__("T&hink longer")
        name_control(
            self,
            "Think longer",
            f"Simulate games for {SECONDS:.0f} s to compare the chances to win with the best cells",
        )
        # Disabled at its own click, it would pass the focus on.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.card = InspectorCard(view)
        self._view = view
        self._comparison = LatestJob(jobs, ended=self._update)
        self.clicked.connect(self._start)
        view.changed.connect(self._end)
        self._end()

    def hideEvent(self, event: QHideEvent | None) -> None:
        """End the comparison when the page is left."""
        super().hideEvent(event)
        self._end()

    def _start(self) -> None:
        turn = self._view.turn
        best = None if turn is None or turn.analysis is None else turn.analysis.best
        if turn is None or best is None:
            return
        self._end()
        self._show(best, "Simulating games …")
        work, show = partial(_compare, turn.reading.board), partial(self._show, best)
        job = self._comparison.start("Simulating games", work, show)
        job.progressed.connect(lambda _share, text: show(text))
        job.failed.connect(lambda failure: show(failure.message))
        self.setEnabled(False)

    def _show(self, best: Cell, text: str) -> None:
        self.card.show_info(
            About("Chance to win", tuple(text.split("\n")), (), worth_opening=False)
        )
        self.card.place_at(self._view, best)
        self._view.describe(text)

    def _end(self) -> None:
        """Cancel the comparison, and hide its result: it is of another board."""
        self._comparison.cancel()
        self.card.hide()
        self._update()

    def _update(self) -> None:
        self.setEnabled(self._guess_shown)

    @property
    def _guess_shown(self) -> bool:
        turn = self._view.turn
        analysis = None if turn is None else turn.analysis
        if turn is None or analysis is None or analysis.best is None:
            return False
        guess = analysis.mine_probability[analysis.best] > 0
        # The first click follows the rule of the program, which is not known here.
        guess &= turn.reading.board.has_hints
        return bool(guess) and analysis.method in SOLVERS and can_be_tried(turn)


def _compare(board: Board, progress: Progress) -> str:
    """Return the chance to win with each cell that was compared, and the reason for the best."""
    ROLLOUT_PREPARATION.wait(progress.cancelled, lambda: progress.report(None, ROLLOUTS_IN_WORDS))
    text = ""
    started = shown = time.perf_counter()

    def note(found: Comparison) -> bool:
        nonlocal shown, text
        text = _lines(found.chances)
        if (now := time.perf_counter()) - shown >= _INTERVAL:
            shown = now
            progress.report(
                min((now - started) / SECONDS, 1.0),
                f"{text}\n{found.games:,} games simulated so far",
            )
        return False

    thinking = Thinking(seconds=SECONDS, is_enough=note)
    limit = Limit(cancel=progress.cancelled, thinking=thinking)
    try:
        analysis = solver(PLAYER).solve(board, limit)
    except InconsistentBoard as error:
        return sentence(str(error))
    why = sentence(explain(board, analysis).reason)
    where = "" if analysis.best is None else analysis.best.position_text.capitalize()
    return f"{text}\n{where}: {why[:1].lower()}{why[1:]}".strip()


def _lines(chances: Mapping[Cell, float]) -> str:
    return "\n".join(
        f"{cell.position_text.capitalize()}: about {percent(chance)}"
        for cell, chance in chances.items()
    )
