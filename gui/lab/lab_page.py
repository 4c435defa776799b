"""The page of the laboratory: start, observe, cancel, resume and compare runs."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from PyQt6.QtCore import Qt, QTimer, pyqtSignal
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from gui.commands.lab_tables import Sheet
from gui.failures import Failure
from gui.lab.findings import Findings, FindingsView, SheetView, find_out
from gui.lab.run_form import Form
from gui.lab.runs import ENDING, Order, Run, find_runs, run
from gui.panel.dialogs import ask_open
from gui.panel.jobs import Job, JobBar, Progress
from gui.panel.pages import Context, Page
from gui.panel.theme import SPACE
from gui.panel.widgets import Card, Columns, explanation, fill, headline
from gui.settings import lab_folder

_SETTLES: Final = 150
"""Milliseconds after which a selection in the list takes effect."""
_BOTH: Final = (
    "The bot plays as well. Its moves come first: the laboratory's workers take what the "
    "processor has left, and its times a decision are those of a busy machine."
)


class LabPage(Page):
    """The laboratory.

    Args:
        context: Shared by the pages.

    Signals:
        advanced(Sheet): The current standings of the run.
    """

    advanced = pyqtSignal(object)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.form, self.list = Form(), QListWidget()
        self.runs: list[Run] = []
        """The runs that are listed."""
        self.open_file = _button("&Open …", "Open a file of results")
        self.go_on = _button("Co&ntinue", "Continue the chosen run")
        self.bar, self.both = JobBar(), explanation("Both at once")
        self.live, self.findings = SheetView(Sheet("", (), ())), FindingsView(context.jobs)
        self.job: Job | None = None
        self._others: list[Path] = []
        self._reading: Job | None = None
        self._wanted: Path | None = None
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLES)
        self._lay_out()
        self._connect()

    def enter(self, what: object = None) -> None:
        """List the runs again, as `minesweeper-bot lab` may have added some."""
        del what
        self._tell_both()
        self._list()

    def chosen(self) -> list[Run]:
        """Return the selected runs, in the order of selection."""
        selection = self.list.selectionModel()
        indexes = selection.selectedIndexes() if selection is not None else []
        return [self.runs[index.row()] for index in indexes]

    def open_results(self, path: Path) -> None:
        """List a file of results from elsewhere and show it."""
        path = path.resolve()
        if path not in self._others:
            self._others.append(path)
        self._list(path)

    def start(self, order: Order, out: Path | None = None) -> None:
        """Run an order, one at a time.

        Args:
            order: The order.
            out: The file to resume; by default a new one.
        """
        if self.job is not None:
            self.told.emit("A run is under way: cancel it first. What it played is kept.")
            return
        path = out or _new_file(order)
        self.outdated.emit()
        job = self.job = self.context.jobs.start(
            f"Starting {path.stem} …",
            lambda progress: run(order, path, progress, self.advanced.emit),
        )
        self.bar.follow(job)
        self.findings.show_findings(None)
        self.live.show_sheet(Sheet(path.stem, (), ()))
        self.live.show()
        self._allow()
        self._tell_both()
        job.cancelled.connect(partial(self._cancelled, path))
        job.failed.connect(self.failed)
        job.ended.connect(partial(self._ended, path))

    def _lay_out(self) -> None:
        title = headline()
        title.setText("Laboratory")
        runs = Card("Runs")
        self.list.setAccessibleName("Runs; choose several to compare them")
        self.list.setToolTip("Choose one to see it, several (Ctrl, Shift) to compare them")
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setUniformItemSizes(True)
        self.list.setMinimumHeight(130)
        self.list.setMaximumHeight(180)
        buttons = QWidget()
        row = QHBoxLayout(buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE)
        row.addWidget(self.go_on)
        row.addWidget(self.open_file)
        row.addStretch(1)
        runs.whole(self.list)
        runs.whole(buttons)
        self.both.setText(_BOTH)
        self._watch = Card("In progress")
        for part in (self.bar, self.both, self.live):
            self._watch.whole(part)
        self._watch.hide()
        columns = Columns()
        columns.add(self.form, stretch=2)
        columns.add(runs, self._watch, self.findings, stretch=3)
        fill(self, title, columns)
        self._allow()

    def _connect(self) -> None:
        self.form.started.connect(self.start)
        self.form.refused.connect(self.told)
        self.findings.succeeded.connect(self.succeeded)
        self.findings.failed.connect(self.failed)
        self.advanced.connect(self._advance)
        self.open_file.clicked.connect(self._browse)
        self.go_on.clicked.connect(self._go_on)
        self._settle.timeout.connect(self._show_chosen)
        self.list.itemSelectionChanged.connect(self._choose)

    def _advance(self, sheet: Sheet) -> None:
        self.live.show_sheet(sheet)
        self._tell_both()

    def _tell_both(self) -> None:
        self.both.setVisible(self.job is not None and self.context.playing())
        self._watch.setVisible(self.job is not None)

    def _cancelled(self, path: Path) -> None:
        self.told.emit(
            f"{path.stem} was cancelled. What it played is kept; 'Continue' plays the rest."
        )

    def _ended(self, path: Path) -> None:
        self.job = None
        self._allow()
        self._tell_both()
        self._list(path)

    def _list(self, wanted: Path | None = None) -> None:
        """List the runs and select one of them."""
        others = tuple(self._others)

        def work(progress: Progress) -> list[Run]:
            return find_runs(lab_folder(), others, lambda: progress.tell(None))

        self._wanted = wanted.resolve() if wanted is not None else self._wanted
        job = self.context.jobs.start("Looking for runs", work)
        job.done.connect(self._listed)
        job.failed.connect(self.failed)

    def _listed(self, runs: list[Run]) -> None:
        before = {run.path for run in self.chosen()}
        # A search that started earlier does not contain it yet.
        if self._wanted in {run.path for run in runs}:
            before, self._wanted = {self._wanted}, None
        elif [(run.path, run.changed) for run in runs] == [
            (run.path, run.changed) for run in self.runs
        ]:
            return
        self.list.clear()
        self.runs = runs
        for one in runs:
            item = QListWidgetItem(f"{one.path.stem}\n{one.words}", self.list)
            item.setToolTip(str(one.path))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{one.path.stem}, {one.words}")
            item.setSelected(one.path in before)
        self._choose()

    def _choose(self) -> None:
        self._allow()
        self._settle.start()

    def _allow(self) -> None:
        chosen = self.chosen()
        able = len(chosen) == 1 and chosen[0].order is not None and not chosen[0].whole
        self.go_on.setEnabled(able and self.job is None)
        self.form.start.setEnabled(self.job is None)

    def _show_chosen(self) -> None:
        """Read the selected runs, cancelling the previous job."""
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None
        paths = [run.path for run in self.chosen() if run.games]
        if not paths:
            self.findings.show_findings(None)
            return
        job = self._reading = self.context.jobs.start(
            "Reading the results", lambda progress: find_out(paths, progress)
        )
        job.done.connect(partial(self._show_findings, job))
        job.failed.connect(partial(self._not_read, job))

    def _show_findings(self, job: Job, findings: Findings) -> None:
        if job is self._reading:
            self._reading = None
            self.findings.show_findings(findings)

    def _not_read(self, job: Job, failure: Failure) -> None:
        if job is self._reading:
            self._reading = None
            self.findings.show_findings(None)
            self.failed.emit(failure)

    def _browse(self) -> None:
        ask_open(
            self, "Open a file of results", f"Results (*{ENDING})",
            lambda paths: self.open_results(paths[0]), folder=lab_folder(),
        )  # fmt: skip

    def _go_on(self) -> None:
        chosen = self.chosen()
        if len(chosen) == 1 and chosen[0].order is not None:
            self.start(chosen[0].order, chosen[0].path)


def _new_file(order: Order) -> Path:
    stamp = datetime.now().astimezone().strftime("%Y-%m-%dT%H-%M-%S")
    return lab_folder() / f"{order.label}-{stamp}{ENDING}"


def _button(text: str, name: str) -> QPushButton:
    button = QPushButton(text)
    button.setAccessibleName(name)
    button.setToolTip(name)
    return button
