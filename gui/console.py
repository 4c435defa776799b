"""A terminal console that prints plain text.

Titles of windows and names of files, skins and solvers may look like rich's markup ([red], :bomb:),
so no text is interpreted as markup. A style is passed with its text.
"""

from __future__ import annotations

import io
import queue
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import IO, Any, Final, TextIO

from rich import console
from rich.console import ConsoleOptions, RenderableType
from rich.segment import Segment

from bot.loop import Stopped
from vision.plaintext import printable

_INTERVAL: Final = 0.05
"""Seconds between checks whether the waiting for a line is to end."""


def tolerate_code_page() -> None:
    """Print characters that the standard streams cannot encode as '?', instead of failing.

    Without a terminal, Windows gives them an old code page, such as cp1252.
    """
    for stream in (sys.stdout, sys.stderr):
        # A program without a console has none.
        if stream is not None:
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]


class Console(console.Console):  # noqa: TID251 - the one that the others are to use
    """A rich console that prints text literally, without control characters."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **options)

    @property
    def is_terminal(self) -> bool:
        """Whether a user reads what is printed."""
        return super().is_terminal and not _is_nul(self.file)

    def note(self, text: str) -> None:
        """Print a remark that is less important than the results; an empty text prints nothing."""
        if text:
            self.print(text, style="dim")

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """Return the segments to print; rich's own control codes are kept."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield segment._replace(text=printable(segment.text))


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a user types into a stream, or reads it."""
    return stream is not None and stream.isatty() and not _is_nul(stream)


def _is_nul(stream: IO[str]) -> bool:
    """Return whether a stream is NUL, which Python takes for a terminal on Windows."""
    console_type = getattr(io, "_WindowsConsoleIO", None)
    raw = getattr(getattr(stream, "buffer", None), "raw", None)
    return console_type is not None and stream.isatty() and not isinstance(raw, console_type)


def read_line(stop: threading.Event) -> str:
    """Wait for a line of the standard input and return it.

    Args:
        stop: Ends the waiting, also if a signal's handler sets it.

    Raises:
        EOFError: The input has ended.
        Stopped: `stop` was set.
    """
    lines = _lines_of(sys.stdin)
    while not stop.is_set():
        with suppress(queue.Empty):
            if line := lines.get(timeout=_INTERVAL):
                return line
            lines.put("")
            raise EOFError
    raise Stopped


@cache
def _lines_of(stream: TextIO) -> queue.SimpleQueue[str]:
    """Return the lines of a stream, read by a thread; an empty text is its end.

    Windows cannot wait for a terminal and for something else at once.
    """
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    # An object of its own: at its end the interpreter cannot close one that a thread waits in.
    reader = open(  # noqa: SIM115 - read until the process ends
        stream.fileno(), encoding=stream.encoding, errors="replace", closefd=False
    )

    def read() -> None:
        with suppress(OSError, ValueError):
            for line in reader:
                lines.put(line)
        lines.put("")

    threading.Thread(target=read, name="standard input", daemon=True).start()
    return lines
