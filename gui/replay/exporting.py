"""Exports a session: as a folder, a zip, an animated picture, JSON, or RAWVF text."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtWidgets import QMenu, QWidget

from gui.panel.jobs import Job, Jobs, Progress
from gui.panel.theme import current_theme
from gui.replay.animation import FORMATS, write_animation
from gui.replay.asking import Asking
from gui.replay.film import Film
from vision.sessions.rawvf import rawvf
from vision.sessions.session_files import copy, pack, write_json, write_text

_KINDS: Final = (
    ("zip", "Session as a &zip file \N{HORIZONTAL ELLIPSIS}", "For a bug report"),
    ("folder", "Session as a &folder \N{HORIZONTAL ELLIPSIS}", "For a new test"),
    ("animation", "&Animated picture \N{HORIZONTAL ELLIPSIS}", "WebP, GIF or APNG"),
    ("json", "&JSON \N{HORIZONTAL ELLIPSIS}", "One document: all turns"),
    ("rawvf", "&RAWVF text \N{HORIZONTAL ELLIPSIS}", "The community's video format"),
)
_ANIMATIONS: Final = "WebP (*.webp);;GIF (*.gif);;APNG (*.png)"


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
        self._film: Film | None = None
        self._busy = False
        self.menu = QMenu(page)
        self.menu.setToolTipsVisible(True)
        self.actions = {}
        for name, text, tip in _KINDS:
            action = self.menu.addAction(text)
            if action is not None:
                action.setToolTip(tip)
                action.triggered.connect(partial(self._export, name))
                self.actions[name] = action

    def open(self, film: Film | None) -> None:
        """Set the session to export."""
        self._film = film
        self._enable()

    def _enable(self) -> None:
        for action in self.actions.values():
            action.setEnabled(self._film is not None and not self._busy)

    def _export(self, kind: str, _checked: bool = False) -> None:
        film = self._film
        if film is None:
            return
        chosen = {
            "zip": self._zip,
            "folder": self._folder,
            "animation": self._animation,
            "json": self._json,
            "rawvf": self._rawvf,
        }[kind](film)
        if chosen is not None:
            target, work = chosen
            self._start(target, work)

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

    def _target(self, film: Film, title: str, suffix: str, kinds: str) -> Path | None:
        proposed = f"{film.session.folder.name}{suffix}"
        target = self._asking.target(self._page, title, proposed, kinds)
        if target is not None and not target.suffix:
            target = target.with_suffix(suffix)
        return target

    def _zip(self, film: Film) -> _Work | None:
        target = self._target(film, "Write the session as a zip file", ".zip", "Zip (*.zip)")
        if target is None:
            return None
        return target, lambda progress: pack(film.session.folder, target, progress.tell)

    def _folder(self, film: Film) -> _Work | None:
        into = self._asking.folder(self._page, "Copy the session into which folder?")
        if into is None:
            return None
        target = into / film.session.folder.name
        return target, lambda progress: copy(film.session.folder, target, progress.tell)

    def _animation(self, film: Film) -> _Work | None:
        options = self._asking.animation(self._page)
        if options is None:
            return None
        target = self._target(film, "Write an animated picture", next(iter(FORMATS)), _ANIMATIONS)
        if target is None:
            return None
        return target, partial(write_animation, film, options, current_theme(), target)

    def _json(self, film: Film) -> _Work | None:
        target = self._target(film, "Write the session as JSON", ".json", "JSON (*.json)")
        if target is None:
            return None
        return target, lambda progress: write_json(film.session, target, progress.tell)

    def _rawvf(self, film: Film) -> _Work | None:
        target = self._target(film, "Write the game as RAWVF text", ".rawvf", "RAWVF (*.rawvf)")
        if target is None:
            return None

        def write(_progress: Progress) -> None:
            turns = [film.session.bare_turn(index) for index in range(len(film))]
            write_text(target, rawvf(film.session.info, turns))

        return target, write


_Work = tuple[Path, Callable[[Progress], object]]
