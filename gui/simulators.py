"""Built-in games in their own processes, which end with the thread that starts them."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from gui.private_screen import end_process, ending_with_this
from vision.desktop import ScreenError

_OPENS_SECONDS: Final = 60.0
"""Seconds after which a built-in game that has not opened is ended."""


class Simulators:
    """The built-in games of one desktop.

    Args:
        environment: Of their processes; by default this process's own.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._environment = environment
        self._processes: list[subprocess.Popen[str]] = []

    def start(self, *options: str) -> int:
        """Open a built-in game and wait until it is on the screen.

        Args:
            options: As for `minesweeper-bot simulate`.

        Returns:
            The id of its window.

        Raises:
            ScreenError: It did not open.
        """
        command = [sys.executable, "-m", "gui", "simulate", "--announce", "--corner", *options]
        process = subprocess.Popen(  # noqa: S603 - this program itself
            ending_with_this(command),
            stdout=subprocess.PIPE,
            text=True,
            env=self._environment,
            # `-m` searches the working folder first, where a folder named gui would be preferred.
            cwd=Path(__file__).parent.parent,
            # Ctrl-C is for this process, which closes the window itself.
            start_new_session=True,
        )
        self._processes.append(process)
        assert process.stdout is not None  # noqa: S101 - a pipe was asked for
        late = threading.Timer(_OPENS_SECONDS, process.kill)
        late.start()
        announced = process.stdout.readline().strip()
        late.cancel()
        if not announced.isdigit():
            raise ScreenError("the built-in game did not open: run 'minesweeper-bot doctor'")
        return int(announced)

    def close(self) -> None:
        """End the built-in games that were opened here."""
        for process in self._processes:
            end_process(process)
            if process.stdout is not None:
                process.stdout.close()
        self._processes.clear()
