"""Tables and graphs of the selected runs, and the button that saves the graphs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from PyQt6.QtCore import QTimer, pyqtSignal
from PyQt6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.lab.results import Findings
from gui.lab.sheetview import SheetView
from gui.panel.jobs import Jobs, Progress
from gui.panel.theme import SPACE, current_theme, on_theme_change
from gui.panel.widgets import explanation
from gui.settings import lab_folder

_GRAPH_HEIGHT: Final = 320
"""Points."""


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
        self.dialog: QFileDialog | None = None
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
        dialog = self.dialog = QFileDialog(
            self, "Save the graphs", str(lab_folder()), "PNG (*.png)"
        )
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("png")
        dialog.fileSelected.connect(self.save_graphs)
        dialog.open()

    def save_graphs(self, name: str) -> None:
        """Save the graphs as PNG."""
        if self._findings is None:
            return
        from gui.graphs import picture, write  # noqa: PLC0415 - the plots are loaded late

        image, path = picture(self._findings.graphs), Path(name)

        def work(_progress: Progress) -> None:
            write(image, path)

        job = self._jobs.start("Saving the graphs", work)
        job.done.connect(lambda _answer: self.succeeded.emit(f"The graphs are saved to {path}"))
        job.failed.connect(self.failed)
