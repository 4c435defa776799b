"""Starts the programs of the family."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from tests.support.family.options import Options
from tests.support.games import private_environment, running
from tests.support.programs import Running, chromium, python_with
from tests.support.programs import installed as program_installed
from tests.support.real_programs import GameError

TITLE: Final = "Minefield"
"""Title of every window."""
PACKAGES: Final = {
    "html": "chromium",
    "tk": "python3-tk",
    "gtk": "python3-gi python3-gi-cairo gir1.2-gtk-3.0",
    "qt": "",
}
"""Debian's packages for each toolkit."""
_MODULES: Final = {
    "html": "PyQt6",
    "tk": "tkinter",
    "gtk": "cairo, gi; gi.require_version('Gtk', '3.0'); gi.require_foreign('cairo')",
    "qt": "PyQt6",
}
_ROOT: Final = Path(__file__).parents[3]


def installed(toolkit: str) -> bool:
    """Return whether the packages of a toolkit are installed."""
    return python_with(_MODULES[toolkit]) is not None and (
        toolkit != "html" or program_installed("html")
    )


@contextmanager
def start(
    options: Options, environment: Mapping[str, str], home: Path, seed: int | None = None
) -> Iterator[Running]:
    """Run a program; it is shown when the block is entered and ended when it is left.

    Args:
        options: The options of the program.
        environment: Holds DISPLAY and XAUTHORITY of the screen to open on.
        home: Its home folder, created if missing.
        seed: The seed of the mines; random by default.

    Raises:
        GameError: A required package is not installed.
    """
    if not installed(options.toolkit):
        raise GameError(
            f"no program with {options.toolkit}: apt-get install {PACKAGES[options.toolkit]}"
        )
    variables = private_environment(environment, home) | {
        "PYTHONPATH": os.fspath(_ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "QT_SCALE_FACTOR": str(options.scale),
        "GDK_SCALE": str(round(options.scale)),
    }
    module = "web" if options.toolkit == "html" else options.toolkit
    python = python_with(_MODULES[options.toolkit]) or ""
    command = [python, "-m", f"tests.support.family.{module}", str(options)]
    command += [] if seed is None else [str(seed)]
    with ExitStack() as stack:
        process = stack.enter_context(running(command, variables, home))
        game = Running(process, TITLE, environment)
        if options.toolkit == "html":
            page = f"--app={game.wait_for('address')['address']}"
            browser = home / "browser"
            shown = chromium(browser, page, options.scale, "1100x880", "60,30")
            stack.enter_context(running(shown, private_environment(variables, browser), browser))
        game.wait_for("ready")
        yield game
