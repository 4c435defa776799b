"""The page that reads a screenshot: opened, dropped or pasted, without the game's window.

The analysis is that of a game and runs in a job (`gui.picture.work`). The page shows it and asks
for what the picture does not contain: the number of mines, and the labels of tiles of an unknown
skin.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QMimeData, Qt
from PyQt6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QImage,
)
from PyQt6.QtWidgets import QWidget

from bot.loop import Turn
from gui.images import from_qimage, to_qimage
from gui.panel.dialogs import ask_open, ask_save, local_files
from gui.panel.inspector import Inspector
from gui.panel.jobs import Job, Progress
from gui.panel.pages import Context, Page
from gui.panel.theme import current_theme
from gui.panel.widgets import connect_keyed
from gui.picture.layout import PictureSurface
from gui.picture.work import Looked, Refused, answer, read, read_with, save_annotated, turn_of
from gui.skins.skin_jobs import Shelf

if TYPE_CHECKING:
    # Loading the reader takes a moment, so it is imported late.
    from gui.seeing import Seen
    from vision.learning.questions import Question

PICTURES: Final = "Pictures (*.png *.jpg *.jpeg *.bmp)"
_SMALL: Final = 480
"""Longer side of the scaled-down picture in pixels."""


class PicturePage(Page):
    """The page that reads a screenshot."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.looked: Looked | None = None
        self._shelf = Shelf()
        self._number = 0
        self._job: Job | None = None
        self._left_open: set[bytes] = set()
        self._question: Question | None = None
        self.surface = PictureSurface(self)
        self.inspector = Inspector(self.surface.view, context.jobs)
        self.setAcceptDrops(True)
        self._connect()
        self._update_buttons()

    def _connect(self) -> None:
        surface = self.surface
        connect_keyed(
            self,
            (
                (surface.open, "Ctrl+O", self.ask_file),
                (surface.paste, "Ctrl+V", self.paste),
                (surface.save, "Ctrl+S", self.ask_where),
                (surface.copy, "Ctrl+C", self.copy),
                (surface.learn, "Ctrl+T", self.teach_skin),
            ),
        )
        surface.boards.chosen.connect(self.show_board)
        surface.layers.chosen.connect(surface.view.set_layers)
        surface.mines_told.connect(self.tell_mines)
        surface.teach.answered.connect(self._answer)

    @property
    def seen(self) -> Seen | None:
        """The selected board."""
        return self.looked.boards[self._number] if self.looked is not None else None

    def enter(self, what: object = None) -> None:
        """Read a picture that another page sends: a file or pixels."""
        self.surface.view.set_numbered(self.context.settings().coordinates)
        if isinstance(what, Path | np.ndarray):
            self.read(what)

    # What the user can do

    def ask_file(self) -> None:
        """Let the user choose a picture."""
        ask_open(self, "Open a screenshot", PICTURES, lambda files: self.read(files[0]))

    def paste(self) -> None:
        """Read the picture or file in the clipboard."""
        clipboard = QGuiApplication.clipboard()
        data = clipboard.mimeData() if clipboard is not None else None
        if data is None or not self._take(data):
            self.told.emit(
                "There is no picture in the clipboard. Copy a screenshot, or a picture file, "
                "and paste again."
            )

    def ask_where(self) -> None:
        """Let the user choose where to save the annotated picture."""
        if self.looked is not None:
            name = f"{Path(self.looked.name).stem}-annotated.png"
            ask_save(self, "Save the annotated picture", "PNG pictures (*.png)", name, self.save_to)

    def save_to(self, path: Path) -> None:
        """Save the annotated picture."""
        if self.looked is not None:
            show, look = self.surface.view.layers, current_theme().look
            work = partial(save_annotated, self.looked, self._turns(), show, look, path)
            self._start(f"Saving {path.name}", work, self._saved)

    def copy(self) -> None:
        """Copy the annotated picture to the clipboard."""
        looked = self.looked
        if looked is None:
            return
        turns, show, look = self._turns(), self.surface.view.layers, current_theme().look

        def work(_progress: Progress) -> QImage:
            from gui.picture.annotated import annotated  # noqa: PLC0415

            return annotated(looked.frame, turns, show, look)

        self._start("Painting the annotated picture", work, self._copied)

    def teach_skin(self) -> None:
        """Open the page of skins with this picture."""
        if self.looked is not None:
            self.wanted.emit("skins", self.looked.frame)

    def read(self, source: Path | NDArray[np.uint8]) -> None:
        """Read a picture: a file, or pixels (h, w, 3) uint8 BGR; the previous job is cancelled."""
        solver = self.context.settings().solver
        work = partial(read, self._shelf, source, solver)
        self._start("Reading the picture", work, self._show, only_looks=True)

    def tell_mines(self, mines: int) -> None:
        """Read the board again with this number of mines."""
        seen, looked = self.seen, self.looked
        if seen is not None and looked is not None:
            solver = self.context.settings().solver
            work = partial(read_with, looked, seen, mines, solver)
            self._start("Reading the board", work, self._replace)

    def show_board(self, number: int) -> None:
        """Select another board of the picture."""
        if self.looked is None:
            return
        self._number = number
        self._show_seen()

    # Drag and drop

    def dragEnterEvent(self, event: QDragEnterEvent | None) -> None:
        """Accept the drag of files and pictures."""
        data = event.mimeData() if event is not None else None
        if event is not None and data is not None and (data.hasUrls() or data.hasImage()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent | None) -> None:
        """Read what was dropped."""
        data = event.mimeData() if event is not None else None
        if event is None or data is None:
            return
        event.acceptProposedAction()
        if not self._take(data):
            self.told.emit("Only picture files on this computer can be dropped: PNG, JPEG or BMP.")

    def _take(self, data: QMimeData) -> bool:
        """Read pasted or dropped data; return whether there is anything to read."""
        files = local_files(data)
        if files:
            self.read(files[0])
            if len(files) > 1:
                self.told.emit(f"Only one picture is read at a time: {files[0].name} is read.")
            return True
        image = data.imageData() if data.hasImage() else None
        if isinstance(image, QImage) and not image.isNull():
            self.read(from_qimage(image))
            return True
        return False

    # Results of jobs

    def _start(
        self,
        title: str,
        work: Callable[[Progress], object],
        then: Callable[[object], None],
        *,
        only_looks: bool = False,
    ) -> None:
        """Run a job and cancel the previous one."""
        self.outdated.emit()
        if self._job is not None:
            self._job.cancel()
        job = self._job = self.context.jobs.start(title, work, only_looks=only_looks)
        job.done.connect(lambda result: then(result) if job is self._job else None)
        job.failed.connect(self.failed)
        job.ended.connect(lambda: self._ended(job))
        self.surface.job.follow(job)
        self._update_buttons()

    def _ended(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            self._update_buttons()

    def _show(self, result: object) -> None:
        """Show a picture that was read, or why it cannot be."""
        if isinstance(result, str):
            self.told.emit(result)
        elif isinstance(result, Looked):
            self.looked, self._number, self._left_open = result, 0, set()
            self.surface.show_looked(result, _small(result))
            self._show_seen()

    def _replace(self, result: object) -> None:
        """Show a board that was read again, or ask again if an answer was refused."""
        if isinstance(result, Refused):
            self._ask(result.question)
            return
        looked = self.looked
        if looked is None:
            return
        boards = list(looked.boards)
        seen = boards[self._number] = cast("Seen", result)
        self.looked = replace(looked, boards=tuple(boards))
        self.surface.boards.tell_again(self._number, seen)
        self._show_seen()

    def _show_seen(self) -> None:
        """Show the board, or ask for what is missing."""
        seen, looked = self.seen, self.looked
        if seen is None or looked is None:
            return
        self._question = None
        self.surface.show_seen(seen, turn_of(seen), looked.remarks)
        questions = [one for one in seen.questions if _key(one) not in self._left_open]
        if questions and seen.reading is not None:
            self._ask(questions[0])
        self._update_buttons()

    def _ask(self, question: Question) -> None:
        from gui.questions import around  # noqa: PLC0415

        self._question, seen = question, self.seen
        if seen is not None and seen.reading is not None:
            self.surface.ask(question, around(seen.reading, question.cells[0]))

    def _answer(self, state: int | None) -> None:
        question, seen, looked = self._question, self.seen, self.looked
        if question is None or seen is None or looked is None:
            return
        if state is None:
            self._left_open.add(_key(question))
            self._show_seen()
            return
        mines = seen.reading.board.mines if seen.reading is not None else None
        solver = self.context.settings().solver
        work = partial(answer, looked, seen, (question, state), mines, solver)
        self._start("Reading the board again", work, self._replace)

    def _saved(self, result: object) -> None:
        if isinstance(result, Path):
            self.succeeded.emit(f"The annotated picture is saved: {result}")
        else:
            self.told.emit(str(result))

    def _copied(self, result: object) -> None:
        clipboard = QGuiApplication.clipboard()
        if clipboard is not None and isinstance(result, QImage):
            clipboard.setImage(result)
            self.succeeded.emit("The annotated picture is in the clipboard.")

    def _turns(self) -> list[Turn]:
        boards = self.looked.boards if self.looked is not None else ()
        return [turn for turn in map(turn_of, boards) if turn is not None]

    def _update_buttons(self) -> None:
        idle = self._job is None
        for button in (self.surface.save, self.surface.copy):
            button.setEnabled(idle and bool(self._turns()))
        seen = self.seen
        strange = seen is not None and _strange(seen)
        self.surface.learn.setEnabled(idle and strange)
        self.surface.learn.setVisible(strange)


def _strange(seen: Seen) -> bool:
    """Return whether the skin is unknown and was learned from the picture."""
    return bool(seen.skin.learned)


def _key(question: Question) -> bytes:
    return bytes(question.picture.tobytes())


def _small(looked: Looked) -> QImage:
    image = to_qimage(looked.frame.image[:: _step(looked), :: _step(looked)])
    keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    return image.scaled(_SMALL, _SMALL, keep, smooth)


def _step(looked: Looked) -> int:
    """Return the step with which a large picture is subsampled before it is scaled down."""
    height, width = looked.frame.image.shape[:2]
    return max(1, int(max(height, width)) // (4 * _SMALL))
