"""Small Minesweeper programs for the tests, which report all their events.

The programs of `tests.support.family` are made from a text of options.

    made = Options.parse("tk art=flat button=text")
    with PrivateScreen(1280, 900) as screen, start(made, screen.environment, tmp_path) as game:
        board = game.cell(0, 0), game.cell(8, 8)      # where the cells are on the screen
        ...                                           # what is under test plays it
        clicks = game.events("click")                 # the truth: what has arrived
        assert game.events("key") == []
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

from bot.frame import Point
from tests.support.clients import wait_until
from tests.support.family.options import Options
from tests.support.games import Started, private_environment, running
from tests.support.real_programs import GameError

_HERE: Final = Path(__file__).parent
_SECONDS: Final = 120.0
"""Seconds after which a program without reports counts as stuck."""
_REPORT: Final = re.compile(r'^\{"event".*\}$', re.MULTILINE)
_CHROMIUM: Final = (
    "chromium",
    "--no-sandbox",  # It refuses to run as root with a sandbox.
    "--test-type",  # Hides the bar that reports that.
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--disable-gpu",
    "--disable-breakpad",
    "--password-store=basic",
    # Remaining requests go to a proxy that does not exist, on this machine.
    "--proxy-server=http://127.0.0.1:9",
)
PACKAGES: Final = {"html": "chromium", "tk": "python3-tk", "qt": ""}
"""Debian's package for each toolkit."""
_MODULES: Final = {"html": "http.server", "tk": "tkinter", "qt": "PyQt6"}


class Running:
    """A program that runs.

    Args:
        process: The program's process, which writes its reports.
        title: The title of its window.
        environment: The environment of its screen.
    """

    def __init__(
        self,
        process: Started,
        title: str,
        environment: Mapping[str, str],
    ) -> None:
        self.process = process
        self.title = title
        self._environment = environment

    def events(self, *kinds: str) -> list[dict[str, Any]]:
        """Return the reports so far, in order; only events of the given kinds, if any."""
        text = self.process.output.read_text(errors="replace")
        # The last line may be incomplete.
        lines = _REPORT.findall(text[: text.rfind("\n") + 1])
        found = [json.loads(line) for line in lines]
        return [event for event in found if not kinds or event["event"] in kinds]

    def wait_for(self, kind: str, count: int = 1) -> dict[str, Any]:
        """Wait until the given number of events of a kind were reported; return the last one.

        Raises:
            AssertionError: The program has ended, or reports nothing; with its output.
        """

        def reported() -> bool:
            ended = self.process.poll() is not None
            done = len(self.events(kind)) >= count
            assert done or not ended, self.process.end_text
            return done

        wait_until(reported, _SECONDS)
        return self.events(kind)[count - 1]

    def cell(self, row: int, col: int) -> Point:
        """Return the centre of a cell, on the screen."""
        ready = self.events("ready")[-1]
        (left, top), (x, y), size = ready["board"], self._origin(ready), ready["cell"]
        return Point(round(x + left + (col + 0.5) * size), round(y + top + (row + 0.5) * size))

    @property
    def button(self) -> Point:
        """The centre of what begins a new game, on the screen."""
        ready = self.events("ready")[-1]
        return self.place(ready["button"])

    def place(self, at: Sequence[int]) -> Point:
        """Return a reported position in screen coordinates."""
        x, y = self._origin(self.events("ready")[-1])
        return Point(x + at[0], y + at[1])

    def _origin(self, ready: Mapping[str, Any]) -> tuple[int, int]:
        """Return the origin of the program's coordinates on the screen."""
        if "page" not in ready:
            return 0, 0
        listed = subprocess.run(
            ["xwininfo", "-root", "-tree"],
            env=self._environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        found = re.search(
            rf'"{re.escape(self.title)}.*?": \(.* (\d+)x(\d+)\+\S+ +\+(-?\d+)\+(-?\d+)$',
            listed,
            re.MULTILINE,
        )
        assert found, listed
        width, height, x, y = map(int, found.groups())
        # The page is at the bottom, between borders of the same width.
        border = (width - ready["page"][0]) // 2
        return x + border, y + height - ready["page"][1] - border


@contextmanager
def start(
    options: Options,
    environment: Mapping[str, str],
    home: Path,
    seed: int | None = None,
    *,
    browser: bool = False,
) -> Iterator[Running]:
    """Run a program; it is shown when the block is entered and ended when it is left.

    Args:
        options: The options of the program.
        environment: Holds DISPLAY and XAUTHORITY of the screen to open on.
        home: Its home folder, created if missing.
        seed: The seed of the mines; random by default.
        browser: Whether a page is shown with the browser's tabs and address bar.

    Raises:
        GameError: A required package is not installed.
    """
    toolkit = options.toolkit
    module = "web" if toolkit == "html" else toolkit
    command = ["-m", f"tests.support.family.{module}", str(options)]
    command += [] if seed is None else [str(seed)]
    with ExitStack() as stack:
        scaled = {**environment, "QT_SCALE_FACTOR": str(options.scale)}
        game, variables = _started(toolkit, command, options.title, scaled, home, stack)
        if toolkit == "html":
            page = game.wait_for("address")["address"]
            shown = chromium(home / "browser", page if browser else f"--app={page}", options.scale)
            inner = private_environment(variables, home / "browser")
            stack.enter_context(running(shown, inner, home / "browser"))
        game.wait_for("ready")
        yield game


def _started(
    toolkit: str,
    command: Sequence[str],
    title: str,
    environment: Mapping[str, str],
    home: Path,
    stack: ExitStack,
) -> tuple[Running, Mapping[str, str]]:
    """Start Python with a command; return the program, and its environment."""
    if not installed(toolkit):
        raise GameError(f"no program with {toolkit}: apt-get install {PACKAGES[toolkit]}")
    variables = private_environment(environment, home) | {
        "PYTHONPATH": os.fspath(_HERE.parents[2]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    python = python_with(_MODULES[toolkit]) or ""
    process = stack.enter_context(running([python, *command], variables, home))
    return Running(process, title, environment), variables


def installed(toolkit: str) -> bool:
    """Return whether what a toolkit needs is installed."""
    browser = toolkit != "html" or shutil.which(_CHROMIUM[0]) is not None
    return browser and python_with(_MODULES[toolkit]) is not None


@cache
def python_with(module: str) -> str | None:
    """Return the interpreter, of the tests or Debian's, that has a module; None if none."""
    for python in (sys.executable, "/usr/bin/python3"):
        if shutil.which(python):
            found = subprocess.run(
                [python, "-c", f"import {module}"], capture_output=True, check=False
            )
            if not found.returncode:
                return python
    return None


def chromium(home: Path, page: str, scale: float) -> Sequence[str]:
    """Return the command that shows a page in Chromium.

    Args:
        home: The folder of its profile.
        page: The page's address, or `--app=` and the address for a window without tabs.
        scale: Pixels of the screen per pixel of the page.
    """
    # Chromium counts in units of the scale.
    size, place = (
        ",".join(str(round(value / scale)) for value in pair) for pair in ((1100, 880), (60, 30))
    )
    return [
        *_CHROMIUM,
        f"--user-data-dir={home}",
        f"--force-device-scale-factor={scale}",
        f"--window-size={size}",
        f"--window-position={place}",
        page,
    ]
