"""Exports a session: as a folder, a zip, an animated picture, JSON, or RAWVF text."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QMenu,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

from gui.panel.boardview import Show
from gui.panel.files import WHEREABOUTS
from gui.panel.jobs import Job, Jobs, Progress
from gui.panel.labels import explanation
from gui.panel.theme import LIGHT, SPACE, Theme
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
    kinds: str = ""
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
        "Write an animated picture", ".webp", "WebP (*.webp);;GIF (*.gif);;APNG (*.png)",
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


class Asking:
    """Modal dialogs; cancelling one returns None or False."""

    def folder(self, parent: QWidget, title: str) -> Path | None:
        """Return an existing folder that the user chooses."""
        return _chosen(QFileDialog.getExistingDirectory(parent, title, str(WHEREABOUTS.folder)))

    def target(self, parent: QWidget, title: str, name: str, kinds: str) -> Path | None:
        """Return a file to write that the user chooses.

        Args:
            parent: The page.
            title: Title of the dialog.
            name: The proposed name.
            kinds: As Qt writes them: 'JSON (*.json)'.
        """
        proposed = str(WHEREABOUTS.folder / name)
        chosen, _kind = QFileDialog.getSaveFileName(parent, title, proposed, kinds)
        return _chosen(chosen)

    def animation(self, parent: QWidget) -> AnimationOptions | None:
        """Return the appearance of an animated picture that the user chooses."""
        dialog = AnimationDialog(parent)
        if dialog.exec() != QDialog.DialogCode.Accepted:
            return None
        return dialog.options

    def sure(self, parent: QWidget, question: str, do: str) -> bool:
        """Return whether the user confirms something that cannot be undone.

        Args:
            parent: The page.
            question: What will happen.
            do: Label of the button that confirms.
        """
        box = QMessageBox(QMessageBox.Icon.Warning, "Minesweeper bot", question, parent=parent)
        accept = box.addButton(do, QMessageBox.ButtonRole.DestructiveRole)
        cancel = box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(cancel)
        box.exec()
        return box.clickedButton() is accept


def _chosen(name: str) -> Path | None:
    if not name:
        return None
    WHEREABOUTS.note(name)
    return Path(name)


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
        asking: Asks the user.
        page: Parent of the dialogs.

    Signals:
        started(Job): An export has started.
        written(Path): It is complete.
        failed(Failure): It failed.
    """

    started = pyqtSignal(object)
    written = pyqtSignal(object)
    failed = pyqtSignal(object)

    def __init__(self, jobs: Jobs, asking: Asking, page: QWidget) -> None:
        super().__init__(page)
        self._jobs, self._asking, self._page = jobs, asking, page
        self._theme = LIGHT
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

    def set_theme(self, theme: Theme) -> None:
        """Set the colours of animated pictures."""
        self._theme = theme

    def _enable(self) -> None:
        for action in self.actions.values():
            action.setEnabled(self._film is not None and not self._busy)

    def _export(self, name: str, _checked: bool = False) -> None:
        film, theme = self._film, self._theme
        if film is None:
            return
        options = self._asking.animation(self._page) if name == "animation" else None
        if name == "animation" and options is None:
            return
        target = self._target(film.session.folder.name, _FORMATS[name])
        if target is None:
            return
        session = film.session

        def write(progress: Progress) -> None:
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

        self._start(target, write)

    def _target(self, name: str, kind: _Format) -> Path | None:
        """Return the file or folder to write that the user chooses."""
        if not kind.suffix:
            into = self._asking.folder(self._page, kind.title)
            return into / name if into is not None else None
        target = self._asking.target(self._page, kind.title, f"{name}{kind.suffix}", kind.kinds)
        if target is not None and not target.suffix:
            target = target.with_suffix(kind.suffix)
        return target

    def _start(self, target: Path, work: Callable[[Progress], object]) -> None:
        def write(progress: Progress) -> Path:
            work(progress)
            return target

        job: Job = self._jobs.start(f"Writing {target.name}", write)
        self._busy = True
        self._enable()
        job.done.connect(self.written)
        job.failed.connect(self.failed)
        job.ended.connect(self._ended)
        self.started.emit(job)

    def _ended(self) -> None:
        self._busy = False
        self._enable()
