"""Thumbnails of boards, painted in the background and cached."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from pathlib import Path
from typing import Final

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtGui import QImage

from bot.board import Board
from gui.looks import look_named, render_board
from gui.panel.jobs import Jobs, Progress
from gui.panel.theme import current_theme, on_theme_change
from vision.sessions.summaries import Summary

LARGEST: Final = (144, 96)
"""Width and height in pixels; shown at half that size to be sharp on any screen."""
KEPT: Final = 600
_BATCH: Final = 16
_Key = tuple[Path, Board | None]
_Painted = tuple[str, list[tuple[Summary, QImage]]]


def thumbnail(board: Board, look: str) -> QImage:
    """Return a picture of a board that fits into `LARGEST`."""
    cell = min(LARGEST[0] / board.cols, LARGEST[1] / board.rows, 12.0)
    if cell >= 1:
        return render_board(board, look_named(look), int(cell))
    # With more cells than pixels, a sample of them is enough.
    rows, cols = min(board.rows, LARGEST[1]), min(board.cols, LARGEST[0])
    part = Board(board.tiles[:rows, :cols], min(board.mines, rows * cols))
    return render_board(part, look_named(look), 1)


class Thumbnails(QObject):
    """A cache of the boards of visible sessions.

    Args:
        jobs: Runs the painting.

    Signals:
        painted(Path): A session's picture is available.
    """

    painted = pyqtSignal(object)

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._kept: OrderedDict[_Key, QImage] = OrderedDict()
        self._wanted: dict[_Key, Summary] = {}
        self._look = current_theme().look
        self._working = False
        on_theme_change(self._change_look)

    def _change_look(self) -> None:
        look = current_theme().look
        if look != self._look:
            self._look = look
            self._kept.clear()

    def get(self, summary: Summary) -> QImage | None:
        """Return a session's picture, or None and start painting it."""
        if summary.board is None:
            return None
        key = _key(summary)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        self._wanted[key] = summary
        self._go_on()
        return None

    def _go_on(self) -> None:
        if self._working or not self._wanted:
            return
        self._working = True
        # The most recent request is for the visible row.
        chosen = list(self._wanted.values())[-_BATCH:]
        for summary in chosen:
            del self._wanted[_key(summary)]
        job = self._jobs.start("Painting boards", partial(_paint, chosen, self._look))
        job.done.connect(self._take)
        job.ended.connect(self._rest)

    def _take(self, painted: _Painted) -> None:
        look, pictures = painted
        if look != self._look:
            return
        for summary, picture in pictures:
            self._kept[_key(summary)] = picture
            self.painted.emit(summary.folder)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def _rest(self) -> None:
        self._working = False
        self._go_on()


def _key(summary: Summary) -> _Key:
    return summary.folder, summary.board


def _paint(summaries: list[Summary], look: str, progress: Progress) -> _Painted:
    painted = []
    for summary in summaries:
        progress.tell(None)
        if summary.board is not None:
            painted.append((summary, thumbnail(summary.board, look)))
    return look, painted
