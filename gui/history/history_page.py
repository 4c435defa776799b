"""The page of the history: games chosen by a filter, as a table and as graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from bot.solver.phrases import quantity
from gui.dialogs import ask_save, confirm
from gui.failures import Failure
from gui.history.controls import Controls, FilterBar, Reflow
from gui.history.games_table import NOTHING, Games, GamesView, decimal_text, percent_text
from gui.history.schema import history_file
from gui.history.statistics import RISK_PARTS, Statistics, compute_statistics
from gui.history.store import (
    NEWEST_FIRST,
    Choices,
    Entry,
    Filter,
    History,
    Order,
    Puzzle,
    export_csv,
    today,
)
from gui.panel.jobs import Job, JobBar, Progress
from gui.panel.pages import Context, Page
from gui.panel.theme import SPACE
from gui.panel.widgets import PAGE_MARGINS, explanation, headline, lay_column, plain_label, scrolled
from gui.run_statistics import GUESSES

if TYPE_CHECKING:
    # The plotting library is loaded when the graphs are first shown.
    from gui.history.graphs import Graphs

_FIRST: Final = 60
"""Number of games that are read with the answer: those that are visible first."""
_CARD_WIDTH: Final = 104
_CARDS: Final = {
    "Games": "Games shown; of these the unfinished ones, and those whose result is unknown",
    "Won": "Share of the finished games that were won, with its 95% interval (Wilson)",
    "Streak": "Current run of wins or losses; unfinished games do not count",
    "Fastest win": "The fastest win, and the median below; of games seen from the first click",
    "3BV/s": "Median of the won games",
    "Efficiency": "3BV per click in won games",
    "Guesses": f"{GUESSES}. Per finished game",
}
_AGAIN_MS: Final = 2000
"""Interval of the check for new games while the page is visible."""
_NARROW: Final = 560
"""Width in points below which the filter is hidden."""
_TOP: Final = QAbstractItemView.ScrollHint.PositionAtTop
_AROUND: Final = 60
"""Rows that are read beyond the visible ones."""


@dataclass(frozen=True, eq=False)
class Answer:
    """A consistent snapshot of what the page shows."""

    state: tuple[int, int]
    choices: Choices
    order: Order
    numbers: NDArray[np.int64]
    entries: dict[int, Entry]
    """The first entries."""
    statistics: Statistics
    practice: str
    """The progress with the puzzles, in a sentence; empty without any."""


def query(progress: Progress, chosen: Filter, order: Order) -> Answer:
    """Return everything that a filter shows.

    Raises:
        Cancelled: The job was cancelled.
        HistoryError: The history cannot be read.
    """
    with History.to_read(history_file(), progress.cancelled) as history, history.at_one_moment():
        numbers = history.numbers(chosen, order)
        progress.report(0.3)
        entries = history.entries(numbers[:_FIRST].tolist())
        choices = history.choices()
        progress.report(0.5)
        outcomes, guessed = history.outcomes(chosen), history.guessed(chosen, RISK_PARTS)
        progress.report(0.9)
        statistics = compute_statistics(outcomes, guessed)
        practice = practice_text(history.puzzles(), today())
        return Answer(history.state(), choices, order, numbers, entries, statistics, practice)


def practice_text(puzzles: Sequence[Puzzle], day: date) -> str:
    """Return the progress with the puzzles in a sentence; empty before the first answer."""
    solved = [attempt.day for puzzle in puzzles for attempt in puzzle.attempts if attempt.solved]
    if not any(puzzle.attempts for puzzle in puzzles):
        return ""
    due = sum(puzzle.due <= day for puzzle in puzzles)
    return (
        f"Practice: {quantity(len(solved), 'position')} solved, {solved.count(day):,} today; "
        f"{due:,} of {len(puzzles):,} due."
    )


def read(progress: Progress, numbers: Sequence[int]) -> dict[int, Entry]:
    """Return games by their numbers; raises as `query` does."""
    with History.to_read(history_file(), progress.cancelled) as history:
        return history.entries(numbers)


def state(progress: Progress) -> tuple[int, int]:
    """Return a value that differs after every change; raises as `query` does."""
    with History.to_read(history_file(), progress.cancelled) as history:
        return history.state()


def export(progress: Progress, numbers: NDArray[np.int64], path: Path) -> int:
    """Write games as CSV and return their number; raises as `query` does."""
    with History.to_read(history_file(), progress.cancelled) as history:
        return export_csv(history, numbers, path, progress.report)


def forget(progress: Progress, numbers: Sequence[int]) -> int:
    """Delete games and return their number.

    Raises:
        Cancelled: None was deleted.
        HistoryError: They cannot be deleted; all are still there.
    """
    progress.report(None)
    with History.to_write(history_file()) as history:
        history.forget(numbers)
    return len(numbers)


class HistoryPage(Page):
    """The page of the history."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.filters, self.cards, self.controls = FilterBar(), Cards(), Controls()
        self.model = Games(self)
        self.view = GamesView(self.model)
        self.graphs: Graphs | None = None
        self.bar, self.practice = JobBar(), explanation("Progress of the practice")
        self.practice.hide()
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
        self.title, self.advice = headline(), explanation("What to do")
        self._shown: QWidget = self.view
        self._place = QVBoxLayout()
        self._notice = self._build()
        self.refreshing = QTimer(self)
        self.refreshing.setInterval(_AGAIN_MS)
        self.refreshing.timeout.connect(self._watch)
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
        words.addWidget(self.title)
        words.addWidget(self.advice)
        words.addStretch(1)
        for part in (notice, self.view):
            part.hide()
            self._place.addWidget(part)
        content = QWidget()
        parts = (self.controls, self.filters, self.cards, self.practice, self.bar)
        lay_column(*parts, (self._place, 1), on=content, margins=PAGE_MARGINS)
        lay_column(scrolled(content), on=self)
        return notice

    @property
    def loading(self) -> bool:
        """Whether a query of the history has not been answered yet."""
        return self._question is not None or self._soon.isActive() or _runs(self._reading)

    # Lifecycle of the page

    def enter(self, what: object = None) -> None:  # noqa: ARG002 - nothing in particular is shown
        """Query the games again."""
        self._greeting = True
        self.ask()

    def showEvent(self, event: QShowEvent | None) -> None:
        """Start checking for new games while the page is visible."""
        super().showEvent(event)
        self.refreshing.start()

    def hideEvent(self, event: QHideEvent | None) -> None:
        """Stop checking for new games."""
        super().hideEvent(event)
        self.refreshing.stop()

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
        work = partial(query, chosen=self.filters.chosen, order=self._order)
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
        self.cards.show_statistics(answer.statistics)
        self.practice.setText(answer.practice)
        self.practice.setVisible(bool(answer.practice))
        self._list(answer, fresh=before is None or len(before.numbers) == 0)
        if self.graphs is not None:
            self.graphs.show_statistics(answer.statistics)
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
        if self._question is None and not _runs(self._watching):
            job = self._watching = self.context.jobs.start("Looking for new games", state)
            job.done.connect(self._watched)

    def _watched(self, state: object) -> None:
        if self.answer is None or state != self.answer.state:
            self.ask()

    def _read(self) -> None:
        """Read the visible games that are not loaded yet."""
        if _runs(self._reading):
            return
        first, last = self.view.rows_seen()
        wanted = self.model.wanting(first - _AROUND, last + _AROUND)
        if wanted:
            work = partial(read, numbers=wanted)
            job = self._reading = self.context.jobs.start("Reading games", work)
            job.done.connect(self.model.take)
            job.failed.connect(self.failed)

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
        if not _runs(self._preparing) and not self._maker.isActive():
            job = self._preparing = self.context.jobs.start("Preparing the graphs", _load_graphs)
            job.done.connect(self._begin_graphs)
            job.failed.connect(self.failed)
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
            graphs.show_statistics(self.answer.statistics)
        self._turn()

    def _put(self, part: QWidget) -> None:
        """Show one part; a stacked widget would be as high as the highest part."""
        self._shown.hide()
        self._shown = part
        part.show()

    def _notify(self, title: str, advice: str) -> None:
        self.title.setText(title)
        self.advice.setText(advice)
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
            self.message.emit("This game was not recorded, so it cannot be replayed.")
        elif not folder.is_dir():
            self.message.emit(f"The recording of this game no longer exists: {folder}")
        else:
            self.wanted.emit("replay", folder)

    def _forget(self) -> None:
        """Delete the chosen games after confirmation."""
        numbers = self.model.numbers[self.view.rows_chosen()].tolist()
        if numbers and QApplication.activeModalWidget() is None:
            games = "this game" if len(numbers) == 1 else f"these {len(numbers):,} games"
            question = f"Delete {games} from the history? Recordings are kept."
            work = partial(forget, numbers=numbers)
            confirm(
                self,
                "Delete games",
                question,
                "&Delete",
                lambda: self._work("Deleting games", work, lambda _deleted: self.ask()),
            )

    def _export(self) -> None:
        """Write the games shown as CSV into a file that the user chooses."""
        numbers = self.model.numbers
        if not len(numbers) or QApplication.activeModalWidget() is not None:
            return

        def write(path: Path) -> None:
            self._work(
                f"Writing {path.name}",
                partial(export, numbers=numbers, path=path),
                lambda games: self.saved.emit(f"{games:,} games saved to {path}", path),
            )

        ask_save(self, "Export games", "Tables (*.csv)", "minesweeper-games.csv", write)

    def _work(
        self, title: str, work: Callable[[Progress], int], done: Callable[[int], None]
    ) -> None:
        """Run an action on games, with its progress in the bar."""
        self.outdated.emit()
        job = self.context.jobs.start(title, work)
        job.failed.connect(self.failed)
        job.done.connect(done)
        self.bar.follow(job)


class Cards(Reflow):
    """A set of cards with statistics."""

    def __init__(self) -> None:
        self._cards = {title: _Card(title, about) for title, about in _CARDS.items()}
        super().__init__(tuple(self._cards.values()), _CARD_WIDTH)

    def figure(self, title: str) -> tuple[str, str]:
        """Return a card's value and the small text below it."""
        card = self._cards[title]
        return card.value.text(), card.more.text()

    def show_statistics(self, statistics: Statistics) -> None:
        """Show statistics."""
        stopped = f"{statistics.stopped:,} unfinished" if statistics.stopped else "all finished"
        if statistics.ended:
            stopped += f", {statistics.ended:,} with unknown result"
        self._say("Games", f"{statistics.games:,}", stopped if statistics.games else "")
        rate = statistics.rate
        if rate is None:
            self._say("Won", NOTHING, "")
        else:
            self._say("Won", f"{rate.value:.1%}", f"{rate.low:.1%} to {rate.high:.1%}")
        self._say("Streak", _streak(statistics.streak), f"best {statistics.best_streak:,} won")
        median = (
            ""
            if statistics.median_seconds is None
            else f"median {_seconds(statistics.median_seconds)}"
        )
        self._say("Fastest win", _seconds(statistics.best_seconds), median)
        self._say("3BV/s", decimal_text(statistics.speed, 2), "median")
        self._say("Efficiency", percent_text(statistics.efficiency), "3BV per click")
        digs = "per game" if statistics.digs is None else f"{statistics.digs:.1f} digs per game"
        self._say("Guesses", decimal_text(statistics.guesses, 2), digs)

    def _say(self, title: str, value: str, more: str) -> None:
        card = self._cards[title]
        card.value.setText(value)
        card.more.setText(more)


class _Card(QFrame):
    """A card with one value."""

    def __init__(self, title: str, about: str) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setToolTip(about)
        name = QLabel(title)
        name.setProperty("heading", True)
        self.value, self.more = plain_label(title), plain_label(f"{title}, more")
        font = self.value.font()
        font.setPointSizeF(font.pointSizeF() * 1.3)
        font.setBold(True)
        self.value.setFont(font)
        self.more.setProperty("muted", True)
        labels = (name, self.value, self.more)
        for label in labels:
            label.setAlignment(Qt.AlignmentFlag.AlignLeft)
        lay_column(*labels, on=self, margins=(SPACE, 6, SPACE, 6), gap=0)


def _streak(games: int) -> str:
    if not games:
        return NOTHING
    return f"{abs(games):,} {'won' if games > 0 else 'lost'}"


def _seconds(value: float | None) -> str:
    return decimal_text(value, 2) + (" s" if value is not None else "")


def _load_graphs(_progress: object) -> object:
    return import_module("gui.history.graphs").in_steps


def _runs(job: Job | None) -> bool:
    return job is not None and job.running
