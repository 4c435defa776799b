"""The log file of all processes of the program, and its last lines for an error report.

Each module of the packages has a logger. Nothing is logged about single tiles, and titles of
windows appear at the level DEBUG only, which `--verbose` turns on. A thread writes the file, so
that no other one waits for the disk.
"""

from __future__ import annotations

import atexit
import logging
import os
import queue
import sys
import threading
import traceback
from importlib.metadata import version
from io import TextIOWrapper
from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler
from pathlib import Path
from platform import platform, python_version
from textwrap import indent
from types import TracebackType
from typing import Final

from vision.files import PROGRAM, data_folder, locked, open_file
from vision.plaintext import one_line, printable

VERBOSE_VARIABLE: Final = "MINESWEEPER_BOT_VERBOSE"
"""Environment variable by which `--verbose` also applies to the processes that are started."""
_PACKAGES: Final = ("bot", "vision", "gui")
_MOST_BYTES: Final = 1 << 20
"""Bytes after which a new file is begun."""
_OLD_FILES: Final = 3
_REPORTED_LINES: Final = 100
_REPORTED_BYTES: Final = 32_000
_FORMAT: Final = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"


def log_file() -> Path:
    """Return the path of the newest log file."""
    return data_folder() / "log" / "minesweeper-bot.log"


def start_logging() -> None:
    """Log to the file until the process ends, and with `--verbose` in more detail.

    Errors that nothing catches are logged too.
    """
    handler = QueueHandler(queue.SimpleQueue())
    handler.setFormatter(_LineFormatter(_FORMAT))
    listener = QueueListener(handler.queue, _SharedFile(log_file()))
    listener.start()
    atexit.register(listener.stop)
    for name in _PACKAGES:
        logger = logging.getLogger(name)
        logger.setLevel(logging.INFO)
        logger.addHandler(handler)
    _log_uncaught_errors()
    if os.environ.get(VERBOSE_VARIABLE):
        be_verbose()


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
                f"{ended.exc_value}). Restart the program. The log is {log_file()}\n"
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
    """Return the end of the log file for an error report; an empty text if there is none."""
    try:
        with open_file(log_file()) as stream:
            stream.seek(max(stream.seek(0, os.SEEK_END) - _REPORTED_BYTES, 0))
            text = stream.read().decode(errors="replace")
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"The log cannot be read: {error}"
    return "\n".join(text.splitlines()[-_REPORTED_LINES:])


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


class _SharedFile(RotatingFileHandler):
    """A rotating file that several processes append to and only the user can read.

    The first process for which it is full renames it; the others then notice that and open the new
    one.

    Args:
        path: The file; it and its folder are created for the first record.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(
            path, maxBytes=_MOST_BYTES, backupCount=_OLD_FILES, encoding="utf-8", delay=True
        )
        self._path = path
        self._failed = False

    def _open(self) -> TextIOWrapper:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        private = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        return open(private, "a", encoding="utf-8")  # noqa: PTH123 - a descriptor

    def doRollover(self) -> None:  # noqa: N802 - logging's name
        with locked(self._path.parent):
            if self._renamed():
                self.close()
            else:
                super().doRollover()

    def _renamed(self) -> bool:
        """Return whether another process has begun a new file."""
        if self.stream is None:
            return False
        try:
            return not os.path.samestat(os.fstat(self.stream.fileno()), self._path.stat())
        except FileNotFoundError:
            return True

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
