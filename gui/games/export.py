"""Exports a session: as a folder, a zip, an animated picture, JSON, or RAWVF text."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from PyQt6.QtCore import QObject, QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QImage, QPainter
from PyQt6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QMenu,
    QVBoxLayout,
    QWidget,
)

from bot.analysis import NO_EVIDENCE
from bot.board import Cell
from bot.frame import Reading
from bot.loop import Turn
from bot.solver.explain import explain
from gui.dialogs import ask_folder, ask_save
from gui.games.film import Film, load_film
from gui.games.playback import SPEEDS, speed_text
from gui.images import from_qimage, to_qimage
from gui.looks import look_named, paint_board
from gui.panel.boardview import Place, Show
from gui.panel.jobs import Jobs, Progress
from gui.panel.marks import paint_chips, paint_thoughts, paint_unsure, unsure
from gui.panel.theme import SPACE, Theme, current_theme
from gui.panel.widgets import box, explanation, tip_text
from vision.files import write_whole
from vision.sessions import SessionError, load_session
from vision.sessions.rawvf import rawvf
from vision.sessions.session_files import copy, pack, write_json, write_text

if TYPE_CHECKING:
    # Imported late: the page opens without it.
    from PIL import Image


FORMATS: Final = {".webp": "WEBP", ".gif": "GIF", ".png": "PNG"}
"""Picture formats by file suffix. WebP keeps every colour and is the smallest; GIF is supported
everywhere."""
CELLS: Final = {"small": 12, "medium": 18, "large": 28}
"""Sizes of a cell, in pixels."""


@dataclass(frozen=True)
class AnimationLimits:
    """Limits of an exported animation."""

    least_ms: int = 20
    """Least duration of a picture: viewers treat shorter ones as errors and show it far longer."""
    end_ms: int = 2000
    """Duration of the last picture before the animation repeats."""
    most_bytes: int = 1_500_000_000
    margin: int = 4


_ANIMATION: Final = AnimationLimits()


class _Format(NamedTuple):
    """A way to export a session."""

    text: str
    """Text of the menu entry."""
    tip: str
    title: str
    """Title of the dialog."""
    suffix: str = ""
    file_types: str = ""
    """The file types, as Qt writes them."""


_FORMATS: Final = {
    "zip": _Format(
        "Recorded game as &zip file \N{HORIZONTAL ELLIPSIS}", "For a bug report",
        "Export the recorded game as a zip file", ".zip", "Zip (*.zip)",
    ),
    "folder": _Format(
        "Recorded game as &folder \N{HORIZONTAL ELLIPSIS}", "A copy of its files",
        "Choose where to copy the recorded game",
    ),
    "animation": _Format(
        "&Animated picture \N{HORIZONTAL ELLIPSIS}", "WebP, GIF or APNG",
        "Export an animated picture", ".webp", "Animated pictures (*.webp *.gif *.png)",
    ),
    "json": _Format(
        "&JSON \N{HORIZONTAL ELLIPSIS}", "One document: all turns",
        "Export the recorded game as JSON", ".json", "JSON (*.json)",
    ),
    "rawvf": _Format(
        "&RAWVF text \N{HORIZONTAL ELLIPSIS}", "The community's video format",
        "Export the game as RAWVF text", ".rawvf", "RAWVF (*.rawvf)",
    ),
}  # fmt: skip


class AnimationDialog(QDialog):
    """A dialog for the layer, marks, speed and size of an animated picture."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Animated picture")
        usual = AnimationOptions()
        self.show_box = box(
            {"The game's picture": Show.BOTH, "The board as it was read": Show.PARSED}, usual.show
        )
        self.marks = box({"Probabilities and moves": True, "Nothing": False}, usual.marks)
        self.speed = box({speed_text(speed): speed for speed in SPEEDS}, usual.speed)
        sizes = {f"{name.capitalize()}, {cell} pixels a cell": cell for name, cell in CELLS.items()}
        self.size_box = box(sizes, usual.cell)
        form = QFormLayout()
        for word, control in (
            ("Layer", self.show_box),
            ("Over it", self.marks),
            ("Speed", self.speed),
            ("Size", self.size_box),
        ):
            control.setAccessibleName(word)
            form.addRow(word, control)
        note = explanation(
            "About the formats",
            "The file extension selects the format: .webp is the smallest and keeps every "
            "colour, .gif opens everywhere, .png (APNG) opens in browsers.",
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
        self._folder: Path | None = None
        self._busy = False
        self.menu = QMenu(page)
        self.menu.setToolTipsVisible(True)
        self.actions = {}
        for name, kind in _FORMATS.items():
            action = self.menu.addAction(kind.text)
            if action is not None:
                action.setToolTip(tip_text(kind.tip))
                action.triggered.connect(partial(self._export, name))
                self.actions[name] = action

    def open(self, folder: Path | None) -> None:
        """Set the folder of the session to export."""
        self._folder = folder
        self._enable()

    def _enable(self) -> None:
        for action in self.actions.values():
            action.setEnabled(self._folder is not None and not self._busy)

    def _export(self, name: str, _checked: bool = False) -> None:
        """Let the user choose the target, and write it."""
        folder, title = self._folder, _FORMATS[name].title
        if folder is None:
            return
        if name == "folder":
            ask_folder(
                self._page, title, lambda into: self._start(folder, name, None, into / folder.name)
            )
        elif name == "animation":
            dialog = AnimationDialog(self._page)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.accepted.connect(lambda: self._ask_target(folder, name, dialog.options))
            dialog.open()
        else:
            self._ask_target(folder, name, None)

    def _ask_target(self, folder: Path, name: str, options: AnimationOptions | None) -> None:
        kind = _FORMATS[name]
        proposed = f"{folder.name}{kind.suffix}"
        start = partial(self._start, folder, name, options)
        ask_save(self._page, kind.title, kind.file_types, proposed, start)

    def _start(
        self, folder: Path, name: str, options: AnimationOptions | None, target: Path
    ) -> None:
        theme = current_theme()

        def write(progress: Progress) -> Path:
            if name == "zip":
                pack(folder, target, progress.report)
            elif name == "folder":
                copy(folder, target, progress.report)
            elif name == "json":
                write_json(load_session(folder), target, progress.report)
            elif options is not None:
                write_animation(load_film(folder, progress), options, theme, target, progress)
            else:
                session = load_session(folder)
                turns = [session.bare_turn(index) for index in range(len(session))]
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


@dataclass(frozen=True)
class AnimationOptions:
    """The appearance of an animated picture."""

    show: Show = Show.BOTH
    """The frame, the parsed board, or both."""
    marks: bool = True
    """Whether to draw the probabilities and the next moves over it."""
    speed: float | None = 2.0
    """Turns per second; None for the recorded speed."""
    cell: int = CELLS["medium"]
    """Pixels of a cell's side."""


def write_animation(
    film: Film, options: AnimationOptions, theme: Theme, target: Path, progress: Progress
) -> None:
    """Paint every turn and write the picture, all of it or nothing; runs in a job.

    Args:
        film: The session; turns that cannot be shown are left out.
        options: The appearance.
        theme: For the colours around the board.
        target: Its suffix selects the format, see `FORMATS`.
        progress: Receives the progress.

    Raises:
        SessionError: It cannot be written, or would be too large; or no turn can be shown.
        Cancelled: The job was cancelled.
    """
    kind = FORMATS.get(target.suffix.lower())
    if kind is None:
        raise SessionError(f"{target.name}: the file extension must be one of {', '.join(FORMATS)}")
    shown = [index for index, turn in enumerate(film.turns) if turn is not None]
    if not shown:
        raise SessionError(f"{film.session.folder} holds no turn that can be shown")
    first = film.turns[shown[0]]
    if first is not None:
        width, height = _placed(first.reading, options)[1]
        if width * height * 3 * len(shown) > _ANIMATION.most_bytes:
            raise SessionError(
                f"{len(shown)} pictures of {width} x {height} pixels are too many for one file: "
                "choose smaller cells"
            )
    first_picture, *others = _pictures(film, shown, options, theme, progress)
    progress.report(None, f"Writing {target.name}")
    extra: dict[str, Any] = {"lossless": True, "method": 2} if kind == "WEBP" else {}
    data = io.BytesIO()
    first_picture.save(
        data,
        kind,
        save_all=True,
        append_images=others,
        duration=durations(film, shown, options.speed),
        loop=0,
        **extra,
    )
    progress.report(1.0)
    try:
        write_whole(target, data.getvalue())
    except OSError as error:
        raise SessionError(f"{target} cannot be written: {error.strerror or error}") from error


def durations(film: Film, shown: list[int], speed: float | None) -> list[int]:
    """Return the duration of each turn in milliseconds."""
    times = film.times
    if speed is None:
        apart = [times[b] - times[a] for a, b in pairwise(shown)]
    else:
        apart = [1 / speed] * (len(shown) - 1)
    # GIF has a resolution of 10 ms.
    return [max(_ANIMATION.least_ms, round(seconds * 100) * 10) for seconds in apart] + [
        _ANIMATION.end_ms
    ]


def _pictures(
    film: Film, shown: list[int], options: AnimationOptions, theme: Theme, progress: Progress
) -> Iterator[Image.Image]:
    from PIL import Image  # noqa: PLC0415

    size: tuple[int, int] | None = None
    for number, index in enumerate(shown):
        progress.report(number / len(shown), f"Painting turn {index + 1} of {len(film)}")
        turn = film.turns[index]
        if turn is None:
            continue
        if options.show is not Show.PARSED:
            turn = film.session.turn(index)
        image = painted(turn, options, theme, size, why=film.advice(index) is None)
        size = image.width(), image.height()
        yield Image.fromarray(from_qimage(image)[:, :, ::-1])


def painted(
    turn: Turn,
    options: AnimationOptions,
    theme: Theme,
    size: tuple[int, int] | None = None,
    *,
    why: bool = True,
) -> QImage:
    """Return a turn as a picture; callable in any thread.

    Args:
        turn: With its frame, unless only the parsed board is shown.
        options: The appearance.
        theme: For the colours around the board.
        size: Of the picture, in pixels; by default what the board needs.
        why: Whether to mark the cells of the reason.
    """
    reading = turn.reading
    place, needed = _placed(reading, options)
    image = QImage(*(size or needed), QImage.Format.Format_RGB32)
    image.fill(QColor(theme.canvas))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    look = look_named(theme.look)
    if options.show is Show.PARSED:
        paint_board(painter, reading.board, place.board, look)
    else:
        painter.drawImage(place.frame, to_qimage(reading.frame.image))
    if options.marks and options.show is Show.BOTH:
        for cell in map(Cell._make, np.argwhere(unsure(reading)).tolist()):
            paint_unsure(painter, reading.board[cell], place.cell(cell), look)
    if options.marks and options.show is not Show.FRAME and turn.analysis is not None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_chips(painter, turn.analysis.mine_probability, place.board)
        evidence = explain(reading.board, turn.analysis).evidence if why else NO_EVIDENCE
        paint_thoughts(painter, turn.moves, place.cell, evidence=evidence)
    painter.end()
    return image


def _placed(reading: Reading, options: AnimationOptions) -> tuple[Place, tuple[int, int]]:
    """Return where the board is in its own picture, and the picture's size in pixels."""
    grid, cell, captured = reading.grid, options.cell, reading.frame.region
    across, down = (cell / pitch for pitch in grid.mean_pitch)
    view = grid.region
    if options.show is not Show.PARSED:
        view = grid.view.intersection(captured) or captured
    left = round((grid.left - view.left) * across) + _ANIMATION.margin
    top = round((grid.top - view.top) * down) + _ANIMATION.margin
    board = QRectF(left, top, grid.cols * cell, grid.rows * cell)
    frame = QRectF(
        left + (captured.left - grid.left) * across,
        top + (captured.top - grid.top) * down,
        captured.width * across,
        captured.height * down,
    )
    width = round(view.width * across) + 2 * _ANIMATION.margin
    height = round(view.height * down) + 2 * _ANIMATION.margin
    return Place(board, frame, cell, cell, grid.rows, grid.cols), (width, height)
