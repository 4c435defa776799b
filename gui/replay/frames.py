"""The pictures of a session, loaded in the background: the current one, then the next ones.

It has its own thread, because the jobs' threads may be busy with an export for minutes.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from PyQt6.QtCore import QObject, pyqtSignal

from bot.frame import Frame
from vision.sessions import Session

AHEAD: Final = 24
"""Number of turns that are preloaded in the direction of playback."""
BACK: Final = 4
ROOM: Final = 160_000_000
"""Bytes of pictures that are cached."""

_SMALLEST, _LARGEST = 0.5, 16.0
"""Pixels per point."""


class FrameNews(QObject):
    """A sender of signals from the thread, shared by all sessions so that it outlives them.

    Signals:
        loaded(Frames, int): A frame is loaded.
        failed(Frames, int): It cannot be loaded; `Frames.problem` returns the reason.
    """

    loaded = pyqtSignal(object, int)
    failed = pyqtSignal(object, int)


class Frames:
    """The frames of one session.

    Args:
        session: The session.
        news: Notified of each frame in the main thread.
    """

    def __init__(self, session: Session, news: FrameNews) -> None:
        self._news = news
        self._session = session
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, Frame] = OrderedDict()
        self._bytes = 0
        self._broken: dict[int, str] = {}
        self._wanted: list[int] = []
        self._working = self._closed = False
        self._thread = ThreadPoolExecutor(1, "frames")

    def get(self, index: int) -> Frame | None:
        """Return a frame if it is loaded, else None."""
        with self._lock:
            frame = self._kept.get(index)
            if frame is not None:
                self._kept.move_to_end(index)
            return frame

    def problem(self, index: int) -> str:
        """Return why a frame cannot be loaded; empty if it was not tried, or was loaded."""
        with self._lock:
            return self._broken.get(index, "")

    def want(self, index: int, step: int = 1) -> None:
        """Load a frame, then those that will be needed next.

        Args:
            index: Of the turn.
            step: Turns since the previous one: the direction and the step width.
        """
        step = step or 1
        ahead = [index + step * number for number in range(AHEAD)]
        back = [index - number if step > 0 else index + number for number in range(1, BACK)]
        count = len(self._session)
        with self._lock:
            if self._closed:
                return
            self._wanted = [one for one in (*ahead, *back) if 0 <= one < count]
            if not self._working:
                self._working = True
                self._thread.submit(self._work)

    def close(self) -> None:
        """Stop loading, without waiting."""
        with self._lock:
            self._closed = True
            self._wanted = []
        self._thread.shutdown(wait=False)

    def _work(self) -> None:
        while True:
            with self._lock:
                index = next((one for one in self._wanted if self._missing(one)), None)
                if index is None:
                    self._working = False
                    return
            try:
                frame = self._session.frame(index)
                _check(frame)
            except (ValueError, OSError) as error:
                with self._lock:
                    self._broken[index] = str(error)
                self._news.failed.emit(self, index)
            else:
                self._keep(index, frame)
                self._news.loaded.emit(self, index)

    def _missing(self, index: int) -> bool:
        return index not in self._kept and index not in self._broken

    def _keep(self, index: int, frame: Frame) -> None:
        with self._lock:
            self._kept[index] = frame
            self._bytes += frame.image.nbytes
            while self._bytes > ROOM and len(self._kept) > AHEAD + BACK:
                _, old = self._kept.popitem(last=False)
                self._bytes -= old.image.nbytes


def _check(frame: Frame) -> None:
    """Check that an untrusted picture matches its record.

    Raises:
        ValueError: It does not.
    """
    high, wide = frame.image.shape[:2]
    region = frame.region
    fits = abs(region.height * frame.scale - high) <= max(1.0, frame.scale)
    if not fits or not _SMALLEST <= frame.scale <= _LARGEST:
        raise ValueError(
            f"the picture has {wide} x {high} pixels for {region.width} x {region.height} points"
        )
