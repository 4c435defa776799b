"""The windows on a screen: wait for a program's window."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping

import pytest

from tests.support import programs as support
from tests.support.clients import wait_until
from tests.support.forked import PYTHON, connect
from tests.support.games import Started
from tests.support.real_programs import PROGRAMS
from vision.desktop import desktop

_SECONDS = 120.0
_PROBE = """
import sys
from Xlib import X, display
from vision.desktop import desktop

screen = display.Display()
events = X.SubstructureNotifyMask | X.PropertyChangeMask
screen.screen().root.change_attributes(event_mask=events)
screen.sync()
heard = set()
while True:
    windows = desktop().list_windows()
    found = [window for window in windows if sys.argv[1] in window.title]
    if found or sys.argv[2] != "wait":
        break
    # A page has its title a moment after its window is listed.
    new = {window.id for window in windows} - heard
    for number in new:
        window = screen.create_resource_object("window", number)
        window.change_attributes(event_mask=X.PropertyChangeMask, onerror=lambda *_: None)
    heard |= new
    screen.sync()
    if not new:
        screen.next_event()
print(len(found))
"""
"""A script for a separate process, because Xlib keeps the display that it found first."""


def windows_shown(
    environment: Mapping[str, str],
    title: str,
    how: str = "wait",
    program: Started | None = None,
) -> int:
    """Return the number of windows of that title, with or without waiting for the first.

    Args:
        environment: The environment of the screen.
        title: A part of the title.
        how: 'wait' or 'look'.
        program: The program that opens it.

    Raises:
        AssertionError: No window was opened in time, or the program has ended; with its output.
    """
    if sys.platform == "win32":

        def count() -> int:
            return sum(title in window.title for window in desktop().list_windows())

        if how == "wait":
            _wait_for(count, program)
        return count()
    connect()
    with subprocess.Popen(
        [*PYTHON, "-c", _PROBE, title, how], env=environment, stdout=subprocess.PIPE
    ) as probe:
        try:
            _wait_for(lambda: probe.poll() is not None, program)
        finally:
            probe.kill()
        assert probe.stdout is not None
        return int(probe.stdout.read())


def _wait_for(shown: Callable[[], object], program: Started | None) -> None:
    def shown_or_ended() -> object:
        ended = program is not None and program.poll() is not None
        done = shown()
        assert done or not ended, program and program.end_text
        return done

    wait_until(shown_or_ended, _SECONDS)


def require(name: str) -> None:
    """Skip the test if a program, also one of the tests' own, is not installed; not with CI set.

    Args:
        name: Name of the program, or of the toolkit for one of the family (`tests.support.family`).
    """
    if name in support.PACKAGES:
        installed, packages = support.installed(name), (support.PACKAGES[name],)
    else:
        installed, packages = PROGRAMS[name].path() is not None, PROGRAMS[name].packages
    if not installed and not os.environ.get("CI"):
        pytest.skip(f"{name} is not installed: apt-get install {' '.join(packages)}")
