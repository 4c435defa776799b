"""A log file for each process of the program, and the last lines of all for an error report.

Each module of the packages has a logger. Nothing is logged about single tiles, and titles of
windows appear at the level DEBUG only, which `--verbose` turns on. A thread writes the file, so
that no other one waits for the disk. No file is shared, because Windows cannot rename one that
another process has open. The oldest files are deleted.
"""

from __future__ import annotations

import atexit
import logging
import os
import queue
import re
import sys
import threading
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.metadata import version
from io import TextIOWrapper
from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler
from pathlib import Path
from platform import platform, python_version
from textwrap import indent
from types import TracebackType
from typing import Final

from vision.files import PROGRAM, data_folder, open_file
from vision.plaintext import one_line, printable

VERBOSE_VARIABLE: Final = "MINESWEEPER_BOT_VERBOSE"
"""Environment variable by which `--verbose` also applies to the processes that are started."""
_PACKAGES: Final = ("bot", "vision", "gui")


@dataclass(frozen=True)
class LogLimits:
    """Limits of the log files, and of what a report has of them."""

    most_bytes: int = 1 << 20
    """Size of a file, in bytes; the earlier records of a process are in a second file of that
    size."""
    most_files: int = 40
    """Number of files that are kept: some twenty starts of the panel."""
    kept_seconds: float = 7 * 86_400.0
    """Time for which a file is kept even if there are more, in seconds."""
    reported_files: int = 8
    """Number of the newest files of which lines are reported: those of a panel and what it
    started."""
    reported_lines: int = 100
    reported_bytes: int = 32_000


_LOG: Final = LogLimits()

_FORMAT: Final = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"
_listeners: Final[list[QueueListener]] = []
_RECORD: Final = re.compile(r"(?m)^(?=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} )")


def log_folder() -> Path:
    """Return the folder of the log files."""
    return data_folder() / "log"


@cache
def _own_name() -> str:
    return f"{datetime.now().astimezone():%Y-%m-%dT%H-%M-%S}-{os.getpid()}.log"


def log_file() -> Path:
    """Return the path of this process's log file."""
    return log_folder() / _own_name()


def start_logging() -> None:
    """Log to the file until the process ends, and with `--verbose` in more detail.

    Errors that nothing catches are logged too.
    """
    handler = QueueHandler(queue.SimpleQueue())
    handler.setFormatter(_LineFormatter(_FORMAT))
    listener = QueueListener(handler.queue, _PrivateFile(log_file()))
    listener.start()
    _listeners.append(listener)
    atexit.register(stop_logging)
    for name in _PACKAGES:
        logger = logging.getLogger(name)
        logger.setLevel(logging.INFO)
        logger.addHandler(handler)
    _log_uncaught_errors()
    if os.environ.get(VERBOSE_VARIABLE):
        be_verbose()


def stop_logging() -> None:
    """Write the records that wait, and stop."""
    while _listeners:
        _listeners.pop().stop()


def _log_uncaught_errors() -> None:
    """Log errors that end a thread, or a slot of Qt, and report those of threads in words."""
    show, logger = sys.excepthook, logging.getLogger("gui")

    def log(error: BaseException, where: str) -> None:
        # Messages may hold titles of windows.
        frames = "".join(traceback.format_tb(error.__traceback__))
        logger.error("%s in %s %s", type(error).__name__, where, frames)
        logger.debug("%s", error, exc_info=error)

    def on_error(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        log(error, "the main thread")
        show(kind, error, trace)

    def on_thread_error(ended: threading.ExceptHookArgs) -> None:
        if ended.exc_value is None or isinstance(ended.exc_value, SystemExit):
            return
        log(ended.exc_value, ended.thread.name if ended.thread is not None else "a thread")
        if sys.stderr is not None:
            sys.stderr.write(
                f"A part of the program has ended unexpectedly ({ended.exc_type.__name__}: "
                f"{ended.exc_value}). Restart the program. The log is in {log_folder()}\n"
            )

    sys.excepthook, threading.excepthook = on_error, on_thread_error


def be_verbose() -> None:
    """Log in detail, also to standard error, in this process and those that it starts."""
    os.environ[VERBOSE_VARIABLE] = "1"
    if logging.getLogger(_PACKAGES[0]).level == logging.DEBUG:
        return
    terminal = _Terminal()
    terminal.setFormatter(_LineFormatter(_FORMAT))
    for name in _PACKAGES:
        logger = logging.getLogger(name)
        logger.setLevel(logging.DEBUG)
        logger.addHandler(terminal)


def log_start(command: str) -> None:
    """Log the version, the platform and the command."""
    logging.getLogger("gui").info(
        "%s %s, %s, Python %s, %s", PROGRAM, version(PROGRAM), command, python_version(), platform()
    )


def last_lines() -> str:
    """Return the last lines of all processes for an error report; empty if there are none."""
    records = []
    for path in _newest_files()[: _LOG.reported_files]:
        try:
            with open_file(path) as stream:
                stream.seek(max(stream.seek(0, os.SEEK_END) - _LOG.reported_bytes, 0))
                text = stream.read().decode(errors="replace")
        except FileNotFoundError:
            continue
        except OSError as error:
            return f"The log cannot be read: {error}"
        records += [one for one in _RECORD.split(text) if _RECORD.match(one)]
    # By time, which each record begins with.
    return "\n".join("".join(sorted(records)).splitlines()[-_LOG.reported_lines :])


def _newest_files() -> list[Path]:
    """Return the log files of all processes, the newest first."""
    found = []
    with suppress(OSError):
        for path in log_folder().glob("*.log*"):
            with suppress(OSError):
                found.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(found, reverse=True)]


class _LineFormatter(logging.Formatter):
    """A formatter that writes a message in one line, without control characters.

    The lines of a traceback are indented: text of other programs cannot imitate a message.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        return one_line(super().formatMessage(record))

    def formatException(  # noqa: N802 - logging's name
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None]
        | tuple[None, None, None],
    ) -> str:
        return indent(printable(super().formatException(ei)), "    ")


class _PrivateFile(RotatingFileHandler):
    """A rotating file that only the user can read.

    Args:
        path: The file; it and its folder are created for the first record.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(
            path, maxBytes=_LOG.most_bytes, backupCount=1, encoding="utf-8", delay=True
        )
        self._path = path
        self._failed = False

    def _open(self) -> TextIOWrapper:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        # A process that still runs, such as a panel left open, may have written long ago.
        for old in _newest_files()[_LOG.most_files - 1 :]:
            # Another process may delete it, too.
            with suppress(OSError):
                if old.stat().st_mtime < time.time() - _LOG.kept_seconds:
                    old.unlink()
        private = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        return open(private, "a", encoding="utf-8")  # noqa: PTH123 - a descriptor

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Report on standard error, once, that the file cannot be written."""
        error = sys.exception()
        if not isinstance(error, OSError):
            super().handleError(record)
        elif not self._failed and sys.stderr is not None:
            sys.stderr.write(f"{self._path} cannot be written: {error.strerror or error}\n")
        self._failed = True


class _Terminal(logging.Handler):
    """A handler that writes to standard error, which a progress line replaces for a time."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            if sys.stderr is not None:
                sys.stderr.write(f"{self.format(record)}\n")
        except OSError:
            # What it is piped to has ended.
            self.setLevel(logging.CRITICAL + 1)
