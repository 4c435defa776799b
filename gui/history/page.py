"""The page of the history: games chosen by a filter, as a table and as graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
from PyQt6.QtCore import QTimer
from PyQt6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QVBoxLayout,
    QWidget,
)

from gui.failures import Failure
from gui.history import asking
from gui.history.asking import Answer
from gui.history.cards import Cards
from gui.history.controls import Controls
from gui.history.deeds import Deeds
from gui.history.filterbar import FilterBar
from gui.history.filters import NEWEST_FIRST, Order
from gui.history.table import Games
from gui.history.view import GamesView
from gui.panel.jobs import Job, JobBar
from gui.panel.pages import Context, Page
from gui.panel.theme import SPACE
from gui.panel.widgets import explanation, headline, scrolled

if TYPE_CHECKING:
    # The plotting library is loaded when the graphs are first shown.
    from gui.history.graphs import Graphs

MARGIN: Final = SPACE + 4
_AGAIN_MS: Final = 2000
"""Interval of the check for new games while the page is visible."""
_NARROW: Final = 560
"""Width in points below which the filter is hidden."""
_TOP: Final = QAbstractItemView.ScrollHint.PositionAtTop
_AROUND: Final = 60
"""Rows that are read beyond the visible ones."""


class HistoryPage(Page):
    """The page of the history."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.filters, self.cards, self.controls = FilterBar(), Cards(), Controls()
        self.model = Games(self)
        self.view = GamesView(self.model)
        self.graphs: Graphs | None = None
        self.bar = JobBar()
        self.deeds = Deeds(context.jobs, self.bar, self)
        self.answer: Answer | None = None
        """The answer that is shown."""
        self._question: Job | None = None
        self._reading: Job | None = None
        self._watching: Job | None = None
        self._preparing: Job | None = None
        self._steps: Iterator[Graphs | None] = iter(())
        self._maker = QTimer(self)
        self._maker.timeout.connect(self._make_graphs)
        self._order = NEWEST_FIRST
        self._complained = ""
        self._title, self._advice = headline(), explanation("What to do")
        self._shown: QWidget = self.view
        self._place = QVBoxLayout()
        self._notice = self._build()
        self._again = QTimer(self)
        self._again.setInterval(_AGAIN_MS)
        self._again.timeout.connect(self._watch)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._read)
        self.filters.changed.connect(self.ask)
        self.model.missing.connect(self._soon.start)
        self.model.ordered.connect(self._sort)
        self.view.opened.connect(self._replay)
        self.view.deleted.connect(self._forget)
        selection = self.view.selectionModel()
        if selection is not None:
            selection.selectionChanged.connect(self._enable)
        self.controls.replay.clicked.connect(lambda: self._replay(self.view.currentIndex().row()))
        self.controls.forget.clicked.connect(self._forget)
        self.controls.export.clicked.connect(self._export)
        self.deeds.failed.connect(self.failed)
        self.deeds.began.connect(self.outdated)
        self.deeds.succeeded.connect(self.succeeded)
        self.deeds.forgotten.connect(self.ask)
        self.controls.turned.connect(self._turn)
        self.controls.filter.toggled.connect(self.filters.setVisible)
        self._greeting = False
        self._order_focus()
        self._notify("Reading the history \N{HORIZONTAL ELLIPSIS}", "")

    def _order_focus(self) -> None:
        """Set the tab order: the buttons, the filter, the games."""
        order = [*self.controls.buttons, *self.filters.boxes, self.filters.everything, self.view]
        for before, after in pairwise([*order, self.bar.cancel]):
            self.setTabOrder(before, after)

    def _build(self) -> QWidget:
        notice = QWidget()
        words = QVBoxLayout(notice)
        words.addWidget(self._title)
        words.addWidget(self._advice)
        words.addStretch(1)
        for part in (notice, self.view):
            part.hide()
            self._place.addWidget(part)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, SPACE)
        column.setSpacing(SPACE)
        for part in (self.controls, self.filters, self.cards, self.bar):
            column.addWidget(part)
        column.addLayout(self._place, 1)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(scrolled(content))
        return notice

    # Lifecycle of the page

    def enter(self, what: object = None) -> None:  # noqa: ARG002 - nothing in particular is shown
        """Query the games again."""
        self._greeting = True
        self.ask()

    def showEvent(self, event: QShowEvent | None) -> None:
        """Start checking for new games while the page is visible."""
        super().showEvent(event)
        self._again.start()

    def hideEvent(self, event: QHideEvent | None) -> None:
        """Stop checking for new games."""
        super().hideEvent(event)
        self._again.stop()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Hide the filter if there is little room."""
        super().resizeEvent(event)
        if event is None:
            return
        narrow, was_narrow = self.width() < _NARROW, event.oldSize().width() < _NARROW
        if narrow != was_narrow or not event.oldSize().isValid():
            self.controls.filter.setChecked(not narrow)

    # Queries

    def ask(self) -> None:
        """Query everything that the filter shows, cancelling the previous query."""
        if self._question is not None:
            self._question.cancel()
        self.controls.show_chosen(self.filters.choices)
        work = partial(asking.ask, chosen=self.filters.chosen, order=self._order)
        job = self._question = self.context.jobs.start("Reading the history", work)
        job.done.connect(partial(self._show, job))
        job.failed.connect(partial(self._complain, job))

    def _show(self, job: Job, answer: Answer) -> None:
        if job is not self._question:
            return
        if self._complained:
            self.outdated.emit()
        self._question, self._complained = None, ""
        before = self.answer
        self.answer = answer
        self.filters.set_choices(answer.choices)
        self.cards.show_figures(answer.figures)
        self._list(answer, fresh=before is None or len(before.numbers) == 0)
        if self.graphs is not None:
            self.graphs.show_figures(answer.figures)
        self._turn()
        self._enable()

    def _list(self, answer: Answer, *, fresh: bool) -> None:
        """Show other games in the table, keeping the selection as far as possible."""
        view, model = self.view, self.model
        row = view.currentIndex().row()
        number = int(model.numbers[row]) if 0 <= row < len(model.numbers) else None
        chosen = model.numbers[view.rows_chosen()]
        offset = row - view.rows_seen()[0]
        sideways = view.horizontalScrollBar()
        across = sideways.value() if sideways is not None else 0
        model.take(answer.entries)
        model.set_numbers(answer.numbers, answer.order)
        found = None if number is None else model.row_of(number)
        if found is not None:
            view.setCurrentIndex(model.index(found, 0))
            view.choose(np.flatnonzero(np.isin(model.numbers, chosen)))
            view.scrollTo(model.index(max(found - offset, 0), 0), _TOP)
        elif fresh and len(answer.numbers):
            view.setCurrentIndex(model.index(0, 0))
        if sideways is not None:
            sideways.setValue(across)

    def _complain(self, job: Job, failure: Failure) -> None:
        if job is not self._question:
            return
        self._question, self.answer = None, None
        self._notify("The history cannot be read", failure.message)
        self._enable()
        if failure.message != self._complained:
            self._complained = failure.message
            self.failed.emit(failure)

    def _watch(self) -> None:
        """Query again if the history has changed."""
        if self._question is None and self._watching is None:
            job = self._watching = self.context.jobs.start("Looking for new games", asking.state)
            job.done.connect(self._watched)
            job.ended.connect(self._stop_watching)

    def _watched(self, state: object) -> None:
        if self.answer is None or state != self.answer.state:
            self.ask()

    def _stop_watching(self) -> None:
        self._watching = None

    def _read(self) -> None:
        """Read the visible games that are not loaded yet."""
        if self._reading is not None:
            return
        first, last = self.view.rows_seen()
        wanted = self.model.wanting(first - _AROUND, last + _AROUND)
        if wanted:
            work = partial(asking.read, numbers=wanted)
            job = self._reading = self.context.jobs.start("Reading games", work)
            job.done.connect(self.model.take)
            job.failed.connect(self.failed)
            job.ended.connect(self._stop_reading)

    def _stop_reading(self) -> None:
        self._reading = None

    def _sort(self, order: Order) -> None:
        self._order = order
        self.ask()

    # Display

    def _turn(self) -> None:
        """Show the table or the graphs, or a notice if there are no games."""
        if self.answer is None:
            return
        if not self.answer.state[0]:
            self._notify(
                "No games yet",
                "Games that the bot or you play are listed here.",
            )
        elif not len(self.answer.numbers):
            self._notify(
                "No games match the filters", "Change the filters, or press 'Clear filters'."
            )
        elif not self.controls.graphs.isChecked():
            self._put(self.view)
            if self._greeting:
                self._greeting = False
                self.view.setFocus()
        elif self.graphs is not None:
            self._put(self.graphs)
        else:
            self._prepare_graphs()

    def _prepare_graphs(self) -> None:
        """Load the plotting library in a background thread."""
        if self._preparing is None and not self._maker.isActive():
            job = self._preparing = self.context.jobs.start("Preparing the graphs", _load_graphs)
            job.done.connect(self._begin_graphs)
            job.failed.connect(self.failed)
            job.ended.connect(self._stop_preparing)
            self.bar.follow(job)

    def _begin_graphs(self, in_steps: Callable[[], Iterator[Graphs | None]]) -> None:
        self._steps = in_steps()
        self._maker.start()

    def _make_graphs(self) -> None:
        """Create the next part of the graphs, leaving time for other events."""
        graphs = self.graphs = next(self._steps)
        if graphs is None:
            return
        self._maker.stop()
        graphs.hide()
        self._place.addWidget(graphs)
        if self.answer is not None:
            graphs.show_figures(self.answer.figures)
        self._turn()

    def _stop_preparing(self) -> None:
        self._preparing = None

    def _put(self, part: QWidget) -> None:
        """Show one part; a stacked widget would be as high as the highest part."""
        self._shown.hide()
        self._shown = part
        part.show()

    def _notify(self, title: str, advice: str) -> None:
        self._title.setText(title)
        self._advice.setText(advice)
        self._put(self._notice)

    def _enable(self) -> None:
        shown = self.answer is not None and len(self.answer.numbers) > 0
        chosen = shown and self.view.any_chosen
        self.controls.replay.setEnabled(chosen)
        self.controls.forget.setEnabled(chosen)
        self.controls.export.setEnabled(shown)

    # Actions on games

    def _replay(self, row: int) -> None:
        entry = self.model.entry(row)
        if entry is None:
            return
        folder = self.context.settings().sessions_folder / entry.session
        self.outdated.emit()
        if not entry.session:
            self.told.emit("This game was not recorded, so it cannot be replayed.")
        elif not folder.is_dir():
            self.told.emit(f"The recording of this game is not there any more: {folder}")
        else:
            self.wanted.emit("replay", folder)

    def _forget(self) -> None:
        rows = self.view.rows_chosen()
        if rows:
            self.deeds.ask_forget(self.model.numbers[rows].tolist())

    def _export(self) -> None:
        if len(self.model.numbers):
            self.deeds.ask_file(self.model.numbers)


def _load_graphs(_progress: object) -> object:
    return import_module("gui.history.graphs").in_steps
