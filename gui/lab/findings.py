"""The findings of runs: tables and graphs, computed in a job, and the view that shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PyQt6.QtCore import QSize, Qt, QTimer, pyqtSignal
from PyQt6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.commands.lab import put_together
from gui.commands.lab_tables import Sheet, sheets_of
from gui.lab.runs import sweep_of
from gui.panel.dialogs import ask_save
from gui.panel.jobs import Jobs, Progress
from gui.panel.theme import SPACE, current_theme, on_theme_change
from gui.panel.widgets import explanation
from gui.settings import lab_folder

if TYPE_CHECKING:
    # The plotting library is loaded by the job that needs it.
    from gui.graphs import Graph

_GRAPH_HEIGHT: Final = 320
"""Points."""


@dataclass(frozen=True)
class Findings:
    """The tables and graphs that the page shows."""

    names: str
    """The names of the files."""
    sheets: tuple[Sheet, ...]
    graphs: tuple[Graph, ...]


def find_out(paths: Sequence[Path], progress: Progress) -> Findings:
    """Read files of results, merged if there are several.

    Raises:
        ResultsError: A file is invalid, or they are of different boards.
        Cancelled: The job was cancelled.
    """
    results, names = put_together(paths, ())
    progress.tell(None, "Computing statistics")
    sheets = sheets_of(results, names)
    progress.tell(None, "Drawing")
    from gui.commands.lab_graphs import graphs_of  # noqa: PLC0415 - loads the plots
    from gui.commands.lab_plot import graphs_of_set  # noqa: PLC0415

    sweep = sweep_of(results.plan)
    if sweep is not None and len(paths) == 1:
        graphs = graphs_of(sweep, results)
    else:
        graphs = [
            graph
            for place in range(len(results.plan.boards))
            for graph in graphs_of_set(results, place, names)
        ]
    return Findings(", ".join(path.stem for path in paths), tuple(sheets), tuple(graphs))


class FindingsView(QFrame):
    """A view of results, hidden until something is selected.

    Args:
        jobs: Writes pictures.

    Signals:
        succeeded(str): A picture was written.
        failed(Failure): A picture could not be written.
    """

    succeeded = pyqtSignal(str)
    failed = pyqtSignal(object)

    def __init__(self, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self._jobs = jobs
        self._findings: Findings | None = None
        self._shown: list[QWidget] = []
        self._graphs: QWidget | None = None
        self._parts: Iterator[None] = iter(())
        self._maker = QTimer(self)
        self._maker.setInterval(0)
        self.heading = explanation("Which runs")
        self.save = QPushButton("Save the &graphs …")
        self.save.setAccessibleName("Save the graphs as a picture")
        self.save.setToolTip("As PNG, dark on white")
        row = QHBoxLayout()
        row.addWidget(self.heading, 1)
        row.addWidget(self.save)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(*[SPACE + 4] * 4)
        self._column.setSpacing(SPACE)
        self._column.addLayout(row)
        self._maker.timeout.connect(self._make_part)
        self.save.clicked.connect(self._ask_where)
        self.hide()
        on_theme_change(self._draw_again)

    @property
    def sheets(self) -> list[SheetView]:
        """The tables that are shown."""
        return [widget for widget in self._shown if isinstance(widget, SheetView)]

    @property
    def graphs(self) -> QWidget | None:
        """The widget with the graphs; None until they are complete."""
        return None if self._maker.isActive() else self._graphs

    def _draw_again(self) -> None:
        if self._findings is not None:
            self.show_findings(self._findings)

    def show_findings(self, findings: Findings | None) -> None:
        """Show other findings; None for nothing."""
        self._findings = findings
        self._maker.stop()
        self._graphs = None
        for widget in self._shown:
            self._column.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self._shown = []
        self.setVisible(findings is not None)
        if findings is None:
            return
        self.heading.setText(findings.names)
        self._shown += [SheetView(sheet) for sheet in findings.sheets]
        self.save.setEnabled(bool(findings.graphs))
        for widget in self._shown:
            self._column.addWidget(widget)
        if findings.graphs:
            self._begin_graphs(findings)

    def _begin_graphs(self, findings: Findings) -> None:
        """Start creating the graphs, hidden until they are complete."""
        from gui.graphs import empty_canvas, filled  # noqa: PLC0415 - the plots are loaded late

        drawn = self._graphs = empty_canvas(current_theme().card)
        drawn.hide()
        drawn.setMinimumHeight(_GRAPH_HEIGHT * len(findings.graphs))
        drawn.setMinimumWidth(200)
        drawn.setAccessibleName("Graphs: " + "; ".join(one.title for one in findings.graphs))
        self._shown.append(drawn)
        self._column.addWidget(drawn)
        self._parts = filled(drawn, findings.graphs, current_theme().text, small=True)
        self._maker.start()

    def _make_part(self) -> None:
        """Create the next part of the graphs, leaving time for other events."""
        done = object()
        if next(self._parts, done) is done and self._graphs is not None:
            self._maker.stop()
            self._graphs.show()

    def _ask_where(self) -> None:
        ask_save(
            self, "Save the graphs", "PNG pictures (*.png)", "graphs.png", self.save_graphs,
            folder=lab_folder(),
        )  # fmt: skip

    def save_graphs(self, path: Path) -> None:
        """Save the graphs as PNG."""
        if self._findings is None:
            return
        from gui.graphs import picture, write  # noqa: PLC0415 - the plots are loaded late

        image = picture(self._findings.graphs)

        def work(_progress: Progress) -> None:
            write(image, path)

        job = self._jobs.start("Saving the graphs", work)
        job.done.connect(lambda _answer: self.succeeded.emit(f"The graphs are saved to {path}"))
        job.failed.connect(self.failed)


class _Table(QTableWidget):
    """A table as high as its rows: the page scrolls, not the table."""

    def updateGeometries(self) -> None:  # noqa: N802 - Qt's name
        """Update the geometry when the scroll bar becomes necessary."""
        super().updateGeometries()
        if self.height() != self._height():
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return the size of head and rows."""
        return QSize(super().sizeHint().width(), self._height())

    def minimumSizeHint(self) -> QSize:
        """Return the full height and a small width."""
        return QSize(80, self._height())

    def _height(self) -> int:
        head, bar = self.horizontalHeader(), self.horizontalScrollBar()
        height = head.sizeHint().height() if head is not None else 0
        scroll = bar.sizeHint().height() if bar is not None and bar.maximum() > 0 else 0
        return height + sum(self.rowHeight(row) for row in range(self.rowCount())) + scroll + 4


class SheetView(QWidget):
    """A table with its title."""

    def __init__(self, sheet: Sheet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = explanation("What the table is of")
        self.table = _Table()
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setFrameShape(QFrame.Shape.NoFrame)
        self.table.setShowGrid(False)
        self.table.setAlternatingRowColors(True)
        self.table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setTabKeyNavigation(False)
        down, across = self.table.verticalHeader(), self.table.horizontalHeader()
        if down is not None and across is not None:
            down.hide()
            down.setDefaultSectionSize(24)
            across.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
            across.setHighlightSections(False)
            across.setStretchLastSection(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.title)
        column.addWidget(self.table)
        self.show_sheet(sheet)

    def show_sheet(self, sheet: Sheet) -> None:
        """Show another sheet."""
        self.table.setRowCount(len(sheet.rows))
        self.table.setColumnCount(len(sheet.head))
        for col, title in enumerate(sheet.head):
            self.table.setHorizontalHeaderItem(col, _cell(title, col))
            for row, texts in enumerate(sheet.rows):
                self.table.setItem(row, col, _cell(texts[col] if col < len(texts) else "", col))
        self.title.setText(sheet.title)
        self.table.setAccessibleName(f"Table: {sheet.title}")
        self.table.setVisible(bool(sheet.rows))
        self.table.updateGeometry()


def _cell(text: str, col: int) -> QTableWidgetItem:
    """Return a cell; all columns but the first hold numbers, which are right-aligned."""
    cell = QTableWidgetItem(text)
    side = Qt.AlignmentFlag.AlignRight if col else Qt.AlignmentFlag.AlignLeft
    cell.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
    return cell
