"""Words for an error, and a place for the frame that it is about."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from bot.frame import Frame
from gui.settings import errors_folder

_MOST_PICTURES: Final = 200
"""That are kept, the newest."""
_OURS: Final = frozenset({"bot", "vision", "gui"})


@dataclass(frozen=True)
class Failure:
    """Why a game ended that should not have."""

    message: str
    """One or two sentences for the user: what was seen, what was expected, what to do."""
    picture: Path | None = None
    """Where the frame was saved."""
    report: str = ""
    """The traceback, where it was not an error that the program foresaw."""
    unseen: bool = False
    """Whether the board could not be seen: that is no longer true once it can."""

    def __str__(self) -> str:
        return (
            f"{self.message}\nthe picture is saved: {self.picture}"
            if self.picture
            else self.message
        )


def describe(error: BaseException, frame: Frame | None) -> Failure:
    """Words for an error; the frame it is about, or else `frame`, is saved.

    The message of an error of our own classes is written for the user; any other error is
    a fault of ours, or of the machine, and comes with a report.
    """
    reading = getattr(error, "reading", None)
    frame = reading.frame if reading is not None else getattr(error, "frame", None) or frame
    message, report = _words(error)
    if frame is None:
        return Failure(message, None, report)
    try:
        return Failure(message, _save(frame), report)
    except OSError as unsaved:
        return Failure(f"{message} (its picture could not be saved: {unsaved})", None, report)


def told(failure: Callable[[BaseException], Failure], error: Exception) -> Failure:
    """An error in the words of `failure`, even where finding the words fails too."""
    try:
        return failure(error)
    except Exception as another:  # noqa: BLE001 - a full disk must not hide what happened
        report = "".join(traceback.format_exception(another))
        return Failure(f"{error} (and then: {another})", report=report)


def _words(error: BaseException) -> tuple[str, str]:
    if type(error).__module__.partition(".")[0] in _OURS:
        return str(error), ""
    if isinstance(error, ImportError):
        return f"a library cannot be loaded: {error}. Run 'minesweeper-bot doctor'", ""
    report = "".join(traceback.format_exception(error))
    return f"this should not have happened: {type(error).__name__}: {error}", report


def _save(frame: Frame) -> Path:
    from vision.files import write_whole  # noqa: PLC0415
    from vision.recording import encode_png  # noqa: PLC0415 - loads OpenCV, on error only

    stamp = datetime.now().astimezone().strftime("%Y-%m-%dT%H-%M-%S-%f")
    path = errors_folder() / f"{stamp}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, encode_png(frame.image))
    for old in sorted(path.parent.glob("2*.png"))[:-_MOST_PICTURES]:
        if old != path:
            old.unlink(missing_ok=True)
    return path
