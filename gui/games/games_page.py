"""The page of games: a list chosen by a filter, its statistics and graphs, and an opened game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QPoint, Qt, QTimer
from PyQt6.QtGui import QDragEnterEvent, QDropEvent, QHideEvent, QShowEvent
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QLabel,
    QMenu,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from bot.solver.phrases import quantity
from gui.dialogs import ask_folder, ask_save, confirm, local_files, open_folder
from gui.failures import Failure
from gui.games.controls import KEYS, Controls, FilterBar
from gui.games.export import Exporter
from gui.games.film import Film, load_film
from gui.games.games_table import NOTHING, Games, GamesView, decimal_text, percent_text
from gui.games.recordings import Found, Recordings
from gui.games.viewer import Viewer
from gui.history import store
from gui.history.schema import history_file
from gui.history.statistics import RISK_PARTS, Statistics, compute_statistics
from gui.panel import widgets
from gui.panel.jobs import JobBar, LatestJob, Progress
from gui.panel.pages import Context, Page
from gui.panel.theme import SPACE
from gui.run_statistics import GUESSES
from vision.sessions.session_files import INFO, TURNS, delete, keep
from vision.sessions.summaries import Summary, summarise

if TYPE_CHECKING:
    # The plotting library is loaded when the graphs are first shown.
    from gui.games.graphs import Graphs


@dataclass(frozen=True)
class PageLimits:
    """Limits and sizes of the page."""

    first: int = 60
    """Number of games that are read with the answer: those that are visible first."""
    card_width: int = 104
    again_ms: int = 2000
    """Interval of the check for new games while the page is visible."""
    around: int = 60
    """Rows that are read beyond the visible ones."""


_PAGE: Final = PageLimits()

_CARDS: Final = {
    "Games": "Games shown that are in the history; of these the unfinished ones, and those whose "
    "result is unknown",
    "Won": "Share of the finished games that were won, with its 95% interval (Wilson)",
    "Streak": "Current run of wins or losses; unfinished games do not count",
    "Fastest win": "The fastest win, and the median below; of games seen from the first click",
    "3BV/s": "Median of the won games; the efficiency is their 3BV per click",
    "Guesses": f"{GUESSES}. Per finished game",
}
_TOP: Final = QAbstractItemView.ScrollHint.PositionAtTop


@dataclass(frozen=True, eq=False)
class Answer:
    """A consistent snapshot of what the page shows."""

    state: tuple[int, int]
    order: store.Order
    numbers: NDArray[np.int64]
    entries: dict[int, store.Entry]
    """The first entries."""
    statistics: Statistics
    practice: str
    """The progress with the puzzles, in a sentence; empty without any."""
    found: Found
    recordings: dict[int, store.Recording]
    """By the numbers of their games."""


@dataclass(frozen=True)
class Source:
    """The recordings that are listed beside the history."""

    folder: Path
    others: tuple[Path, ...]
    """Recordings that were opened from elsewhere."""
    recordings: Recordings


def query(progress: Progress, source: Source, chosen: store.Filter, order: store.Order) -> Answer:
    """Return everything that a filter shows.

    Raises:
        Cancelled: The job was cancelled.
        HistoryError: The history cannot be read.
    """
    with (
        store.History.to_read(history_file(), progress.cancelled) as history,
        history.at_one_moment(),
    ):
        found = source.recordings.find(source.folder, source.others, history.sessions(), progress)
        history.add_recordings(found.recordings, found.entries)
        numbers = history.numbers(chosen, order)
        progress.report(0.3)
        entries = history.entries(numbers[: _PAGE.first].tolist())
        progress.report(0.5)
        outcomes, guessed = history.outcomes(chosen), history.guessed(chosen, RISK_PARTS)
        progress.report(0.9)
        statistics = compute_statistics(outcomes, guessed)
        practice = practice_text(history.puzzles(), store.today())
        state = history.state()
        recordings = history.recorded(found.recordings)
        return Answer(state, order, numbers, entries, statistics, practice, found, recordings)


def practice_text(puzzles: Sequence[store.Puzzle], day: date) -> str:
    """Return the progress with the puzzles in a sentence; empty before the first answer."""
    solved = [attempt.day for puzzle in puzzles for attempt in puzzle.attempts if attempt.solved]
    if not any(puzzle.attempts for puzzle in puzzles):
        return ""
    due = sum(puzzle.due <= day for puzzle in puzzles)
    return (
        f"Practice: {quantity(len(solved), 'position')} solved, {solved.count(day):,} today; "
        f"{due:,} of {len(puzzles):,} due."
    )


def read(progress: Progress, found: Found, numbers: Sequence[int]) -> dict[int, store.Entry]:
    """Return games by their numbers; raises as `query` does."""
    with store.History.to_read(history_file(), progress.cancelled) as history:
        history.add_recordings({}, found.entries)
        return history.entries(numbers)


def state(progress: Progress) -> tuple[int, int]:
    """Return a value that differs after every change; raises as `query` does."""
    with store.History.to_read(history_file(), progress.cancelled) as history:
        return history.state()


def export(progress: Progress, found: Found, numbers: NDArray[np.int64], path: Path) -> int:
    """Write games as CSV and return their number; raises as `query` does."""
    with store.History.to_read(history_file(), progress.cancelled) as history:
        history.add_recordings({}, found.entries)
        return store.export_csv(history, numbers, path, progress.report)


def delete_games(progress: Progress, numbers: Sequence[int], folders: Sequence[Path]) -> None:
    """Delete recordings, and then rows of the history.

    Raises:
        Cancelled: The job was cancelled; no row was deleted.
        SessionError: A recording cannot be deleted; no row was deleted.
        HistoryError: The rows cannot be deleted; all are still there.
    """
    for folder in folders:
        progress.report(None)
        delete(folder)
    if numbers:
        with store.History.to_write(history_file()) as history:
            history.forget(numbers)


def protect(progress: Progress, folders: Sequence[Path], *, kept: bool) -> None:
    """Protect recordings from automatic deletion, or end that.

    Raises:
        SessionError: One cannot be changed.
    """
    progress.report(None)
    for folder in folders:
        keep(folder, kept=kept)


class GamesPage(Page):
    """The page of games."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.viewer, self.exporter = Viewer(context.jobs), Exporter(context.jobs, self)
        self.stack = QStackedWidget()
        self.listing = QWidget()
        self._summary: Summary | None = None
        """Of the opened game."""
        self._opening: Path | None = None
        self._recordings = Recordings()
        self._others: list[Path] = []
        self.menu = QMenu(self)
        self.filters, self.cards, self.controls = FilterBar(), Cards(), Controls()
        self.model = Games(self)
        self.view = GamesView(self.model)
        self.graphs: Graphs | None = None
        self.bar, self.practice = JobBar(), widgets.explanation("Progress of the practice")
        self.practice.hide()
        self.answer: Answer | None = None
        """The answer that is shown."""
        jobs = context.jobs
        self._question = LatestJob(jobs, self._complain)
        self._reading, self._preparing = (LatestJob(jobs, self.failed.emit) for _ in range(2))
        self._watching = LatestJob(jobs)
        self._steps: Iterator[Graphs | None] = iter(())
        self._maker = QTimer(self)
        self._maker.timeout.connect(self._make_graphs)
        self._order = store.NEWEST_FIRST
        self._complained = ""
        self.title, self.advice = widgets.headline(), widgets.explanation("What to do")
        self._shown: QWidget = self.view
        self._place = QVBoxLayout()
        self._notice = self._build()
        self.refreshing = QTimer(self)
        self.refreshing.setInterval(_PAGE.again_ms)
        self.refreshing.timeout.connect(self._watch)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._read)
        self._greeting = False
        self._connect_list()
        self._connect_viewer()
        self.setAcceptDrops(True)
        self._notify("Reading the history \N{HORIZONTAL ELLIPSIS}", "")

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
        parts = (self.controls, self.filters, self.cards, self.practice)
        widgets.lay_column(*parts, (self._place, 1), on=content, margins=widgets.PAGE_MARGINS)
        widgets.lay_column(widgets.scrolled(content), on=self.listing)
        shown = QWidget()
        widgets.lay_column(self.viewer, on=shown, margins=widgets.PAGE_MARGINS)
        self.stack.addWidget(self.listing)
        self.stack.addWidget(shown)
        widgets.lay_column((self.stack, 1), self.bar, on=self, gap=0)
        return notice

    def _connect_list(self) -> None:
        self.filters.changed.connect(self.ask)
        self.model.missing.connect(self._soon.start)
        self.model.ordered.connect(self._sort)
        self.view.opened.connect(self._open_row)
        selection = self.view.selectionModel()
        if selection is not None:
            selection.selectionChanged.connect(self._enable)
        for name, act in {
            "open": lambda: self._open_row(self.view.currentIndex().row()),
            "keep": lambda: self._protect(self._chosen_recordings()),
            "delete": self._delete,
            "reveal": self._reveal,
            "other": self._open_other,
            "export": partial(self._offer_exports, self.menu, self.controls.commands["export"]),
        }.items():
            self.controls.commands[name].clicked.connect(lambda _checked, act=act: act())
        self.controls.add_keys(self.listing, self.view)
        widgets.add_key(KEYS["search"], self.listing, self.filters.search.setFocus, focused=True)
        self.filters.search.returnPressed.connect(self._take_first)
        self.controls.turned.connect(self._turn)

    def _connect_viewer(self) -> None:
        viewer, exporter = self.viewer, self.exporter
        for text, act in (
            ("&Table of the games shown \N{HORIZONTAL ELLIPSIS}", lambda: self.model.numbers),
            ("Table of the &selected games \N{HORIZONTAL ELLIPSIS}", self._numbers_chosen),
        ):
            action = self.menu.addAction(text)
            if action is not None:
                action.triggered.connect(lambda _checked, act=act: self._export(act()))
        self.menu.addSeparator()
        self.menu.addActions(exporter.menu.actions())
        viewer.back.clicked.connect(self._back)
        viewer.keep.clicked.connect(self._protect_shown)
        viewer.failed.connect(self.failed)
        viewer.edit.wanted.connect(partial(self.wanted.emit, "analyse"))
        viewer.export.clicked.connect(partial(self._offer_exports, exporter.menu, viewer.export))
        exporter.failed.connect(self.failed)
        exporter.started.connect(self.outdated)
        exporter.started.connect(self.bar.follow)
        exporter.written.connect(lambda path: self.saved.emit(f"Saved to {path}", path))

    @property
    def loading(self) -> bool:
        """Whether a query of the history has not been answered yet."""
        return self._question.running or self._soon.isActive() or self._reading.running

    # Lifecycle of the page

    def enter(self, what: object = None) -> None:
        """Query the games again; open one if its folder is given."""
        self.viewer.view.set_numbered(self.context.settings().coordinates)
        self._greeting = True
        self.ask()
        if what is not None:
            self.open(Path(str(what)))

    def showEvent(self, event: QShowEvent | None) -> None:
        """Start checking for new games while the page is visible."""
        super().showEvent(event)
        self.refreshing.start()

    def hideEvent(self, event: QHideEvent | None) -> None:
        """Stop checking for new games, and pause the playback."""
        super().hideEvent(event)
        self.refreshing.stop()
        self.viewer.playback.pause()

    def dragEnterEvent(self, event: QDragEnterEvent | None) -> None:
        """Accept the drag of a recording."""
        if event is not None and _dropped(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent | None) -> None:
        """Open the recording that was dropped."""
        folder = _dropped(event) if event is not None else None
        if folder is not None and event is not None:
            event.acceptProposedAction()
            self.open(folder)

    # Queries

    def ask(self) -> None:
        """Query everything that the filter shows, cancelling the previous query."""
        folder = self.context.settings().sessions_folder
        source = Source(folder, tuple(self._others), self._recordings)
        work = partial(query, source=source, chosen=self.filters.chosen, order=self._order)
        self._question.start("Reading the history", work, self._show)

    def _show(self, answer: Answer) -> None:
        if self._complained:
            self.outdated.emit()
        self._complained = ""
        before = self.answer
        self.answer = answer
        if answer.found.problem and (before is None or not before.found.problem):
            self.message.emit(answer.found.problem)
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
        same_order = answer.order == model.order
        row = view.currentIndex().row()
        number = int(model.numbers[row]) if 0 <= row < len(model.numbers) else None
        chosen = model.numbers[view.rows_chosen()]
        offset = row - view.rows_seen()[0]
        sideways = view.horizontalScrollBar()
        across = sideways.value() if sideways is not None else 0
        model.take(answer.entries)
        model.set_numbers(answer.numbers, answer.order, answer.recordings)
        found = None if number is None else model.row_of(number)
        if found is not None:
            view.setCurrentIndex(model.index(found, 0))
            view.choose(np.flatnonzero(np.isin(model.numbers, chosen)))
            view.scrollTo(model.index(max(found - offset, 0) if same_order else 0, 0), _TOP)
        elif fresh and len(answer.numbers):
            view.setCurrentIndex(model.index(0, 0))
        if sideways is not None:
            sideways.setValue(across)

    def _complain(self, failure: Failure) -> None:
        self.answer = None
        self._notify("The history cannot be read", failure.message)
        self._enable()
        if failure.message != self._complained:
            self._complained = failure.message
            self.failed.emit(failure)

    def _watch(self) -> None:
        """Query again if the history has changed."""
        if not self._question.running and not self._watching.running:
            self._watching.start("Looking for new games", state, self._watched)

    def _watched(self, state: object) -> None:
        if self.answer is None or state != self.answer.state:
            self.ask()

    def _read(self) -> None:
        """Read the visible games that are not loaded yet."""
        if self._reading.running:
            return
        first, last = self.view.rows_seen()
        wanted = self.model.wanting(first - _PAGE.around, last + _PAGE.around)
        if wanted and self.answer is not None:
            work = partial(read, found=self.answer.found, numbers=wanted)
            self._reading.start("Reading games", work, self.model.take)

    def _sort(self, order: store.Order) -> None:
        self._order = order
        self.ask()

    # Display

    def _turn(self) -> None:
        """Show the table or the graphs, or a notice if there are no games."""
        if self.answer is None:
            return
        any_games = bool(self.answer.state[0] or self.answer.found.entries)
        # There is nothing to filter or count otherwise.
        self.controls.graphs.setEnabled(any_games)
        for part in (self.filters, self.cards):
            part.setVisible(any_games)
        if not any_games:
            self._notify(
                "No games yet",
                "Games that the bot or you play are listed here. Open a recorded game from "
                "elsewhere with 'Open other \N{HORIZONTAL ELLIPSIS}', or drop it here.",
            )
        elif not len(self.answer.numbers):
            self._notify(
                "No games match the filters", "Change the filters, or press 'Clear filters'."
            )
        elif not self.controls.graphs.isChecked():
            self._put(self.view)
            if self._greeting:
                self._greeting = False
                if self.stack.currentIndex() == 0:
                    self.view.setFocus()
        elif self.graphs is not None:
            self._put(self.graphs)
        else:
            self._prepare_graphs()

    def _prepare_graphs(self) -> None:
        """Load the plotting library in a background thread."""
        if not self._preparing.running and not self._maker.isActive():
            # The plotting library takes 0.5 s to load.
            load = lambda _progress: import_module("gui.games.graphs")  # noqa: E731
            job = self._preparing.start("Preparing the graphs", load, self._begin_graphs)
            self.bar.follow(job)

    def _begin_graphs(self, graphs: ModuleType) -> None:
        self._steps = graphs.in_steps()
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
        if part is not self._shown:
            # Hidden and shown again, it would lose the focus.
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
        recordings = self._chosen_recordings() if chosen else []
        commands = self.controls.commands
        commands["open"].setEnabled(chosen)
        commands["delete"].setEnabled(chosen)
        commands["export"].setEnabled(shown)
        commands["keep"].setEnabled(bool(recordings))
        commands["keep"].setChecked(bool(recordings) and all(one.kept for one in recordings))
        commands["reveal"].setEnabled(len(recordings) == 1)
        self.menu.actions()[1].setEnabled(chosen)
        if self.stack.currentIndex() == 0:
            self.exporter.open(recordings[0].folder if len(recordings) == 1 else None)

    # The opened game

    def open(self, folder: Path) -> None:
        """Open a game from the folder of its recording, or a file in it."""
        if folder.name in (INFO, TURNS):
            folder = folder.parent
        self._opening = folder
        self.outdated.emit()
        job = self.context.jobs.start(
            f"Opening {folder.name}",
            lambda progress: (load_film(folder, progress), summarise(folder)),
        )
        self.bar.follow(job)
        job.done.connect(self._show_film)
        job.failed.connect(self.failed)

    def _show_film(self, opened: tuple[Film, Summary]) -> None:
        film, self._summary = opened
        folder = film.session.folder
        if folder != self._opening:
            return
        if folder.parent != self.context.settings().sessions_folder and folder not in self._others:
            self._others.append(folder)
        self.stack.setCurrentIndex(1)
        self.exporter.open(folder)
        self.viewer.open(film, self._summary)

    def _back(self) -> None:
        self._opening = self._summary = None
        self.outdated.emit()
        self.viewer.close_film()
        self.stack.setCurrentIndex(0)
        self.view.setFocus()
        self.ask()

    # Actions on games

    def _open_row(self, row: int) -> None:
        entry, recording = self.model.entry(row), self.model.recording(row)
        if entry is None:
            return
        self.outdated.emit()
        if recording is not None and recording.problem:
            self.message.emit(f"This recording cannot be opened: {recording.problem}")
        elif recording is not None:
            self.open(recording.folder)
        elif not entry.session:
            self.message.emit("This game was not recorded, so it cannot be opened.")
        else:
            folder = self.context.settings().sessions_folder
            self.message.emit(
                f"The recording {entry.session} is not in {folder}. It was deleted, or is in the "
                "folder that Settings named before: open it there with 'Open other …'."
            )

    def _open_other(self) -> None:
        ask_folder(self, "Open a recorded game: the folder that holds session.json", self.open)

    def _take_first(self) -> None:
        """Move the focus from the search to the first game."""
        if self.model.rowCount():
            self.view.setFocus()
            self.view.selectRow(0)

    def _numbers_chosen(self) -> NDArray[np.int64]:
        return self.model.numbers[self.view.rows_chosen()]

    def _chosen_recordings(self) -> list[store.Recording]:
        """Return the recordings of the selected games."""
        found = (self.model.recording(row) for row in self.view.rows_chosen())
        return [recording for recording in found if recording is not None]

    def _reveal(self) -> None:
        """Show the folder in the desktop's file manager."""
        for recording in self._chosen_recordings()[:1]:
            open_folder(recording.folder, self.message.emit)

    def _protect_shown(self) -> None:
        summary = self._summary
        if summary is not None:
            self._protect([store.Recording(summary.folder, summary.kept)])

    def _protect(self, recordings: Sequence[store.Recording]) -> None:
        """Protect recordings; end that if all are protected."""
        folders = [one.folder for one in recordings]
        kept = not all(one.kept for one in recordings)

        def show(_result: object) -> None:
            if self._summary is not None and self._summary.folder in folders:
                self._summary = replace(self._summary, kept=kept)
                self.viewer.retitle(self._summary)
            self.ask()

        work = partial(protect, folders=folders, kept=kept)
        self._work("Protecting recorded games", work, show)

    def _delete(self) -> None:
        """Delete the selected games after confirmation."""
        numbers, recordings = self._numbers_chosen().tolist(), self._chosen_recordings()
        if not numbers or QApplication.activeModalWidget() is not None:
            return
        folders, kept = [one.folder for one in recordings], sum(one.kept for one in recordings)
        games = "this game" if len(numbers) == 1 else f"these {len(numbers):,} games"
        question = f"Delete {games}? This cannot be undone."
        if folders:
            which = str(folders[0]) if len(folders) == 1 else f"{len(folders):,} recordings"
            question = f"Delete {games} from the history, with {which}? This cannot be undone."
        if kept:
            question += f" {quantity(kept, 'recording')} protected."

        def start(numbers: Sequence[int], folders: Sequence[Path]) -> None:
            work = partial(delete_games, numbers=numbers, folders=folders)
            self._work("Deleting games", work, lambda _result: self.ask())

        others = {
            "Only the &recordings": partial(start, [], folders),
            "Only from the &history": partial(start, numbers, []),
        }
        confirm(
            self, "Delete games", question, "&Delete", partial(start, numbers, folders),
            others=others if folders else {},
        )  # fmt: skip

    def _offer_exports(self, menu: QMenu, button: QWidget) -> None:
        menu.popup(button.mapToGlobal(QPoint(0, button.height())))

    def _export(self, numbers: NDArray[np.int64]) -> None:
        """Write games as CSV into a file that the user chooses."""
        answer = self.answer
        if answer is None or not len(numbers) or QApplication.activeModalWidget() is not None:
            return

        def write(path: Path) -> None:
            self._work(
                f"Writing {path.name}",
                partial(export, found=answer.found, numbers=numbers, path=path),
                lambda games: self.saved.emit(f"{games:,} games saved to {path}", path),
            )

        ask_save(self, "Export games", "Tables (*.csv)", "minesweeper-games.csv", write)

    def _work(
        self, title: str, work: Callable[[Progress], object], done: Callable[[Any], None]
    ) -> None:
        """Run an action on games, with its progress in the bar."""
        self.outdated.emit()
        job = self.context.jobs.start(title, work)
        job.failed.connect(self.failed)
        job.failed.connect(self.ask)
        job.done.connect(done)
        self.bar.follow(job)


class Cards(QWidget):
    """A set of cards with statistics."""

    def __init__(self) -> None:
        super().__init__()
        self._cards = {title: _Card(title, about) for title, about in _CARDS.items()}
        self.setLayout(widgets.Flow(*self._cards.values(), filled=True))

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
        per_click = f"{percent_text(statistics.efficiency)} efficiency"
        self._say("3BV/s", decimal_text(statistics.speed, 2), per_click)
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
        self.setMinimumWidth(_PAGE.card_width)
        self.setToolTip(widgets.tip_text(about))
        name = QLabel(title)
        name.setProperty("heading", True)
        self.value, self.more = widgets.plain_label(title), widgets.plain_label(f"{title}, more")
        font = self.value.font()
        font.setPointSizeF(font.pointSizeF() * 1.3)
        font.setBold(True)
        self.value.setFont(font)
        self.more.setProperty("muted", True)
        labels = (name, self.value, self.more)
        for label in labels:
            label.setAlignment(Qt.AlignmentFlag.AlignLeft)
        widgets.lay_column(*labels, on=self, margins=(SPACE, 6, SPACE, 6), gap=0)


def _streak(games: int) -> str:
    if not games:
        return NOTHING
    return f"{abs(games):,} {'won' if games > 0 else 'lost'}"


def _seconds(value: float | None) -> str:
    return decimal_text(value, 2) + (" s" if value is not None else "")


def _dropped(event: QDropEvent) -> Path | None:
    """Return the single dragged folder, or file of a recording."""
    files = local_files(event.mimeData())
    if len(files) != 1:
        return None
    (path,) = files
    return path if path.is_dir() or path.name in (INFO, TURNS) else None
