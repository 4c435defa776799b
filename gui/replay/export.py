"""Exports a session: as a folder, a zip, an animated picture, JSON, or RAWVF text."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from PyQt6.QtCore import QObject, Qt, pyqtSignal
from PyQt6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QMenu,
    QVBoxLayout,
    QWidget,
)

from gui.panel.boardview import Show
from gui.panel.dialogs import ask_folder, ask_save
from gui.panel.jobs import Jobs, Progress
from gui.panel.theme import SPACE, current_theme
from gui.panel.widgets import explanation
from gui.replay.animation import CELLS, AnimationOptions, write_animation
from gui.replay.film import Film
from gui.replay.playback import SPEEDS, speed_text
from vision.sessions.rawvf import rawvf
from vision.sessions.session_files import copy, pack, write_json, write_text


class _Format(NamedTuple):
    """A way to export a session."""

    text: str
    """Of its menu entry."""
    tip: str
    title: str
    """Of the dialog."""
    suffix: str = ""
    file_types: str = ""
    """The file types, as Qt writes them."""


_FORMATS: Final = {
    "zip": _Format(
        "Session as a &zip file \N{HORIZONTAL ELLIPSIS}", "For a bug report",
        "Write the session as a zip file", ".zip", "Zip (*.zip)",
    ),
    "folder": _Format(
        "Session as a &folder \N{HORIZONTAL ELLIPSIS}", "For a new test",
        "Copy the session into which folder?",
    ),
    "animation": _Format(
        "&Animated picture \N{HORIZONTAL ELLIPSIS}", "WebP, GIF or APNG",
        "Write an animated picture", ".webp", "Animated pictures (*.webp *.gif *.png)",
    ),
    "json": _Format(
        "&JSON \N{HORIZONTAL ELLIPSIS}", "One document: all turns",
        "Write the session as JSON", ".json", "JSON (*.json)",
    ),
    "rawvf": _Format(
        "&RAWVF text \N{HORIZONTAL ELLIPSIS}", "The community's video format",
        "Write the game as RAWVF text", ".rawvf", "RAWVF (*.rawvf)",
    ),
}  # fmt: skip


class AnimationDialog(QDialog):
    """A dialog for the layer, marks, speed and size of an animated picture."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Animated picture")
        self.show_box, self.marks, self.speed, self.size_box = (QComboBox() for _ in range(4))
        for text, show in (
            ("The game's picture", Show.BOTH),
            ("The board as it was read", Show.PARSED),
        ):
            self.show_box.addItem(text, show)
        self.marks.addItem("Probabilities and moves", True)
        self.marks.addItem("Nothing", False)
        for speed in SPEEDS:
            self.speed.addItem(speed_text(speed), speed)
        self.speed.setCurrentIndex(SPEEDS.index(AnimationOptions().speed))
        for name, cell in CELLS.items():
            self.size_box.addItem(f"{name.capitalize()}, {cell} pixels a cell", cell)
        self.size_box.setCurrentIndex(list(CELLS.values()).index(AnimationOptions().cell))
        form = QFormLayout()
        for word, box in (
            ("Layer", self.show_box),
            ("Over it", self.marks),
            ("Speed", self.speed),
            ("Size", self.size_box),
        ):
            box.setAccessibleName(word)
            form.addRow(word, box)
        note = explanation("About the formats")
        note.setText(
            "The ending of the name chooses the format: .webp is the smallest and keeps every "
            "colour, .gif opens everywhere, .png (APNG) opens in browsers."
        )
        note.setMinimumWidth(260)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setSpacing(SPACE)
        column.addLayout(form)
        column.addWidget(note)
        column.addWidget(buttons)

    @property
    def options(self) -> AnimationOptions:
        """The chosen options."""
        return AnimationOptions(
            self.show_box.currentData(),
            self.marks.currentData(),
            self.speed.currentData(),
            self.size_box.currentData(),
        )


class Exporter(QObject):
    """An exporter that asks for the target and writes in a job.

    Args:
        jobs: Runs the export.
        page: Parent of the dialogs.

    Signals:
        started(Job): An export has started.
        written(Path): It is complete.
        failed(Failure): It failed.
    """

    started = pyqtSignal(object)
    written = pyqtSignal(object)
    failed = pyqtSignal(object)

    def __init__(self, jobs: Jobs, page: QWidget) -> None:
        super().__init__(page)
        self._jobs, self._page = jobs, page
        self._film: Film | None = None
        self._busy = False
        self.menu = QMenu(page)
        self.menu.setToolTipsVisible(True)
        self.actions = {}
        for name, kind in _FORMATS.items():
            action = self.menu.addAction(kind.text)
            if action is not None:
                action.setToolTip(kind.tip)
                action.triggered.connect(partial(self._export, name))
                self.actions[name] = action

    def open(self, film: Film | None) -> None:
        """Set the session to export."""
        self._film = film
        self._enable()

    def _enable(self) -> None:
        for action in self.actions.values():
            action.setEnabled(self._film is not None and not self._busy)

    def _export(self, name: str, _checked: bool = False) -> None:
        """Let the user choose the target, and write it."""
        film, title = self._film, _FORMATS[name].title
        if film is None:
            return
        if name == "folder":
            session = film.session.folder.name
            ask_folder(
                self._page, title, lambda into: self._start(film, name, None, into / session)
            )
        elif name == "animation":
            dialog = AnimationDialog(self._page)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.accepted.connect(lambda: self._ask_target(film, name, dialog.options))
            dialog.open()
        else:
            self._ask_target(film, name, None)

    def _ask_target(self, film: Film, name: str, options: AnimationOptions | None) -> None:
        kind = _FORMATS[name]
        proposed = f"{film.session.folder.name}{kind.suffix}"
        start = partial(self._start, film, name, options)
        ask_save(self._page, kind.title, kind.file_types, proposed, start)

    def _start(self, film: Film, name: str, options: AnimationOptions | None, target: Path) -> None:
        session, theme = film.session, current_theme()

        def write(progress: Progress) -> Path:
            if name == "zip":
                pack(session.folder, target, progress.tell)
            elif name == "folder":
                copy(session.folder, target, progress.tell)
            elif name == "json":
                write_json(session, target, progress.tell)
            elif options is not None:
                write_animation(film, options, theme, target, progress)
            else:
                turns = [session.bare_turn(index) for index in range(len(film))]
                write_text(target, rawvf(session.info, turns))
            return target

        job = self._jobs.start(f"Writing {target.name}", write)
        self._busy = True
        self._enable()
        job.done.connect(self.written)
        job.failed.connect(self.failed)
        job.ended.connect(self._ended)
        self.started.emit(job)

    def _ended(self) -> None:
        self._busy = False
        self._enable()
