"""Conversion of errors to failures: a message and the saved frame."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from bot.frame import Frame, Reading
from gui.settings import errors_folder

_log = logging.getLogger(__name__)

_MOST_PICTURES: Final = 200
"""Number of pictures that are kept, the newest; a marked one counts as another."""
_OURS: Final = frozenset({"bot", "vision", "gui"})


@dataclass(frozen=True)
class Failure:
    """The reason why a game ended early."""

    message: str
    """One or two sentences for the user: what was read, what was expected, what to do."""
    picture: Path | None = None
    """Path of the saved frame: the one in which unread tiles are marked, if there are any."""
    report: str = ""
    """The traceback of an unexpected error."""
    unseen: bool = False
    """Whether the board was hidden, so that the message is obsolete once it is visible."""

    def __str__(self) -> str:
        return (
            f"{self.message}\nthe picture is saved: {self.picture}"
            if self.picture
            else self.message
        )


class ReportedFailure(RuntimeError):
    """A failure in another process, or a failure that was described already."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def describe(error: BaseException, frame: Frame | None) -> Failure:
    """Convert an error to a failure, saving the frame it is about, or else `frame`.

    The messages of the program's own errors are written for the user. Any other error is a bug or a
    problem of the machine, and gets a report.
    """
    if isinstance(error, ReportedFailure):
        return error.failure
    reading = getattr(error, "reading", None)
    frame = reading.frame if reading is not None else getattr(error, "frame", None) or frame
    message, report = _words(error)
    # Messages may hold titles of windows.
    frames = "".join(traceback.format_tb(error.__traceback__)) if report else ""
    _log.error("%s %s", type(error).__name__, frames)
    _log.debug("%s", message, exc_info=error if report else None)
    if frame is None:
        return Failure(message, None, report)
    try:
        path = _save(frame, reading)
        _log.info("Its picture is saved: %s", path.name)
        return Failure(message, path, report)
    except OSError as unsaved:
        return Failure(f"{message} (its picture could not be saved: {unsaved})", None, report)


def failure_of(failure: Callable[[BaseException], Failure], error: Exception) -> Failure:
    """Return `failure(error)`, or a simple failure if that raises too."""
    try:
        return failure(error)
    except Exception as another:  # noqa: BLE001 - a full disk must not hide what happened
        report = "".join(traceback.format_exception(another))
        return Failure(f"{error} (and then: {another})", report=report)


def _words(error: BaseException) -> tuple[str, str]:
    if type(error).__module__.partition(".")[0] in _OURS:
        return str(error), ""
    if isinstance(error, ImportError):
        return f"a library cannot be loaded: {error}. Install this program again", ""
    report = "".join(traceback.format_exception(error))
    return f"this should not have happened: {type(error).__name__}: {error}", report


def _save(frame: Frame, reading: Reading | None) -> Path:
    """Save a frame, and beside it the same frame with notes on its unread tiles, if any."""
    from gui.analyse_image import unread_lines  # noqa: PLC0415
    from vision.files import write_whole  # noqa: PLC0415
    from vision.sessions.writer import encode_png, with_notes  # noqa: PLC0415

    stamp = datetime.now().astimezone().strftime("%Y-%m-%dT%H-%M-%S-%f")
    path = errors_folder() / f"{stamp}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, encode_png(frame.image))
    if reading is not None and reading.unread:
        path = path.with_stem(f"{stamp}-unread")
        write_whole(path, encode_png(with_notes(reading, unread_lines(reading))))
    for old in sorted(path.parent.glob("2*.png"))[:-_MOST_PICTURES]:
        if old != path:
            old.unlink(missing_ok=True)
    return path
