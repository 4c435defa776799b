"""Small Minesweeper programs for the tests, which report all their events.

| name   | shows                                                                                  |
|--------|----------------------------------------------------------------------------------------|
| `tk`   | the Tk program of `tests.support.family`, with a text counter                           |
| `html` | `html_mines.html` in Chromium: a page that scrolls, a face at the left above the board |
|        | (`face=`), LED or text counters (`counter=`), any device scale (`scale=`)              |
`unsupported` shows boards that cannot be played (`tk_unsupported.py`): hexagons, triangles, text,
oblong or very small cells (`shape=`), covered or `opened=True`.

    with PrivateScreen(1280, 900) as screen, start("tk", screen.environment, tmp_path) as game:
        board = game.cell(0, 0), game.cell(8, 8)      # where the cells are on the screen
        ...                                           # what is under test plays it
        clicks = game.events("click")                 # the truth: what has arrived
        assert game.events("key") == []

`tests/support/family` and the page list all options and reports.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from bot.frame import Point
from tests.support.clients import wait_until
from tests.support.family.options import Options
from tests.support.games import Started, private_environment, running
from tests.support.real_programs import GameError

_HERE: Final = Path(__file__).parent
_SECONDS: Final = 120.0
"""Seconds after which a program without reports counts as stuck."""
_REPORT: Final = re.compile(r'^(?:.*"REPORT )?(\{"event".*?\})(?:", source: .*)?$', re.MULTILINE)
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
    "--enable-logging=stderr",
    # Remaining requests go to a proxy that does not exist, on this machine.
    "--proxy-server=http://127.0.0.1:9",
)
PACKAGES: Final = {"tk": "python3-tk", "html": "chromium", "unsupported": "python3-tk"}
"""Debian's package for each program."""
_TITLES: Final = {"tk": "Tk Minesweeper", "html": "HTML Minesweeper", "unsupported": "Minesweeper"}


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

    @property
    def mines(self) -> set[tuple[int, int]]:
        """The mines of the current game; none before its first cell is open."""
        latest = self.events("begin", "mines")[-1]
        return {(row, col) for row, col in latest.get("cells", ())}

    def cell(self, row: int, col: int) -> Point:
        """Return the centre of a cell, on the screen."""
        ready = self.events("ready")[-1]
        (left, top), (x, y), size = ready["board"], self._origin(ready), ready["cell"]
        return Point(round(x + left + (col + 0.5) * size), round(y + top + (row + 0.5) * size))

    @property
    def button(self) -> Point:
        """The centre of the button or the face that begins a new game, on the screen."""
        ready = self.events("ready")[-1]
        return self.place(ready.get("button") or ready["face"])

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
    name: str, environment: Mapping[str, str], home: Path, **options: object
) -> Iterator[Running]:
    """Run a program; it is shown when the block is entered and ended when it is left.

    Args:
        name: 'tk', 'html' or 'unsupported'.
        environment: Holds DISPLAY and XAUTHORITY of the screen to open on.
        home: Its home folder, created if missing.
        options: Options of the program. For 'tk' see `_tk`. For 'html' those of the address, as
            `cell=32`, and `scale` (1.0), `window` ('app', or 'browser' with tabs and an address
            bar), `size` ('1000x800') and `position` ('60,60'), in pixels.

    Raises:
        GameError: A required package is not installed.
    """
    if not installed(name):
        raise GameError(f"{name} cannot be started: apt-get install {PACKAGES[name]}")
    title = str(options.setdefault("title", _TITLES[name]))
    if name == "html":
        command = _html(home, options)
    else:
        command = _tk(options) if name == "tk" else _unsupported(options)
    variables = private_environment(environment, home) | {"PYTHONPATH": str(_HERE.parents[2])}
    with running(command, variables, home) as process:
        game = Running(process, title, environment)
        game.wait_for("ready")
        yield game


def _tk(options: Mapping[str, object]) -> Sequence[str]:
    """Return the command of the family's Tk program.

    Args:
        options: `rows`, `cols`, `mines`, `seed`; `button` ('above', 'below', 'two' or 'none') and
            `dialog` ('none', 'messagebox', 'toplevel' or 'endless'); others as in `Options`.
    """
    given: dict[str, Any] = {"rows": 9, "cols": 9, "mines": 10, "seed": None} | dict(options)
    rows, cols, mines, seed = (given.pop(name) for name in ("rows", "cols", "mines", "seed"))
    button, dialog = given.pop("button", "above"), given.pop("dialog", "none")
    made = Options(
        "tk",
        art="flat",
        board=f"{cols}x{rows}x{mines}",
        button="text" if button == "above" else button,
        counter="text",
        clock=False,
        first="zero",
        end="dialog" if dialog == "toplevel" else dialog,
        **given,
    )
    command = [python_with("tkinter") or "", "-m", "tests.support.family.tk", str(made)]
    return command if seed is None else [*command, str(seed)]


def _unsupported(options: Mapping[str, object]) -> Sequence[str]:
    given = [
        f"--{name}" + ("" if value is True else f"={value}") for name, value in options.items()
    ]
    return [python_with("tkinter") or "", str(_HERE / "tk_unsupported.py"), *given]


def installed(name: str) -> bool:
    """Return whether a program's requirements are installed."""
    found = shutil.which(_CHROMIUM[0]) if name == "html" else python_with("tkinter")
    return found is not None


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


def _html(home: Path, options: Mapping[str, object]) -> Sequence[str]:
    asked = {"scale": 1.0, "window": "app", "size": "1000x800", "position": "60,60", **options}
    scale, window = float(str(asked.pop("scale"))), asked.pop("window")
    size, position = (str(asked.pop(name)) for name in ("size", "position"))
    address = f"{(_HERE / 'html_mines.html').as_uri()}?{urlencode(asked)}"
    page = address if window == "browser" else f"--app={address}"
    return chromium(home, page, scale, size, position)


def chromium(home: Path, page: str, scale: float, size: str, position: str) -> Sequence[str]:
    """Return the command that shows a page in Chromium.

    Args:
        home: The home folder.
        page: The page's address, or `--app=` and the address for a window without tabs.
        scale: Pixels of the screen per pixel of the page.
        size: Size of the window, as '1000x800', in pixels of the screen.
        position: Position of the window, as '60,60', likewise.
    """
    # Chromium counts in units of the scale.
    size, position = (
        ",".join(str(round(int(value) / scale)) for value in re.split("[x,]", text))
        for text in (size, position)
    )
    return [
        *_CHROMIUM,
        f"--user-data-dir={home / 'chromium'}",
        f"--force-device-scale-factor={scale}",
        f"--window-size={size}",
        f"--window-position={position}",
        page,
    ]
