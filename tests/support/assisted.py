"""Play the simulated window with a real mouse, beside a panel that assists.

The player knows the mines: it keeps a copy of the game with the same seed. The panel runs in a
process of its own (`tests.support.assisting`) and reports what it painted.
"""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from bot.board import COVERED, Board, Cell
from bot.frame import Grid, Point, Region
from bot.game import FirstClick, Game, Level
from gui.private_screen import PrivateScreen
from tests.support.assisting import READY
from tests.support.clients import Mice
from tests.support.runs import BOT, environment
from vision.desktop import desktop
from vision.reader import Reader
from vision.skins import SkinLibrary

_SECONDS: Final = 120.0
LEFT, RIGHT = 1, 3


class Assisted:
    """A simulated window, a panel that assists, and a mouse, on this process's display.

    Args:
        screen: The screen of all three; this process's DISPLAY and XAUTHORITY name it, too.
        home: The home folder of both programs.
        level: The level of the game.
        seed: The seed of its first game.
        options: Options of the panel.
    """

    def __init__(
        self,
        screen: PrivateScreen,
        home: Path,
        level: Level,
        seed: int,
        options: tuple[str, ...] = (),
    ) -> None:
        self._screen, self.home, self.level, self.seed = screen, home, level, seed
        self._options = options
        self._resources = ExitStack()
        self.lines: queue.Queue[dict[str, Any]] = queue.Queue()
        self.game = Game.of_level(level, seed, FirstClick.ZERO)
        self.games = 0

    def __enter__(self) -> Self:
        try:
            return self._open()
        except BaseException:
            self._resources.close()
            raise

    def _open(self) -> Self:
        env = environment(self.home, self._screen)
        seed = ("--seed", str(self.seed), "--first-click", "zero", "--level", self.level.name)
        command = [*BOT, "simulate", "--announce", "--corner", *seed]
        self._simulator = self._start(command, env)
        assert self._simulator.stdout is not None
        self.window = int(self._simulator.stdout.readline())
        self._mice = self._resources.enter_context(Mice())
        self.move_pointer(Point(2, 2))
        with desktop().open_screen() as eye:
            reader = Reader(eye, SkinLibrary().skins(), window=self.window)
            self.grid: Grid = reader.look().grid
            command = [
                sys.executable,
                "-m",
                "tests.support.assisting",
                str(self.window),
                *self._options,
            ]
        self.panel = self._start(command, env)
        assert self.panel.stdout is not None
        # The limits of later waits do not include the compiler's time.
        assert self.panel.stdout.readline().strip() == READY
        listener = threading.Thread(target=self._listen)
        listener.start()
        # It ends with the panel's output: if it ended first, it would let the pipes be closed.
        self._resources.callback(lambda: (self.panel.terminate(), listener.join()))
        self.painted()
        return self

    def __exit__(self, *_: object) -> None:
        self._resources.close()

    def end_panel(self) -> None:
        """Close the panel as its user would, and wait until it has gone."""
        assert self.panel.stdin is not None
        self.panel.stdin.close()
        self.panel.wait(_SECONDS)

    # Output of the panel

    def painted(self) -> dict[str, Any]:
        """Wait until the current board was painted with its analysis."""
        wanted = self.game.board.rows_text()
        return self.wait_for(
            lambda line: line["board"] == wanted and (line["known"] or self.game.status.over)
        )

    def wait_for(self, wanted: Any) -> dict[str, Any]:
        """Return the next line of the wanted kind; drop the lines before it."""
        while True:
            line = self.lines.get(timeout=_SECONDS)
            assert "failed" not in line, line["failed"]
            if wanted(line):
                return line

    def failure(self) -> str:
        """Wait until the panel reports an error."""
        while "failed" not in (line := self.lines.get(timeout=_SECONDS)):
            continue
        return str(line["failed"])

    def close_game(self) -> None:
        """End the game's program."""
        self._simulator.terminate()
        self._simulator.wait(_SECONDS)

    def _listen(self) -> None:
        assert self.panel.stdout is not None
        for line in self.panel.stdout:
            self.lines.put(json.loads(line))

    # Actions of the player

    def click(self, cell: Cell, button: int = LEFT) -> float:
        """Click a cell, in the copy as well; return the time of the click."""
        if button == LEFT:
            self.game.open(cell)
        else:
            self.game.flag(cell)
        return self.click_at(self.grid.center(cell), button)

    def click_at(self, point: Point, button: int = LEFT) -> float:
        """Click at a point; return the time of the click."""
        self.move_pointer(point)
        self._mice.send_click(button)
        return time.monotonic()

    def move_pointer(self, point: Point) -> None:
        """Move the mouse."""
        self._mice.send(int(point.x), int(point.y))

    def pointer(self) -> Point:
        """Return the mouse's position."""
        return self._mice.place

    def next_game(self) -> None:
        """Click the face, and wait until the fresh board was painted."""
        self.games += 1
        self.game = Game.of_level(self.level, self.seed + self.games, FirstClick.ZERO)
        region = self.grid.region
        self.click_at(Point(region.center.x, region.top - 30))
        self.painted()

    def safe_cell(self, rng: np.random.Generator) -> Cell:
        """Return any covered cell without a mine, on a fresh board the one in the middle."""
        layout = self.game.layout
        covered = [
            cell
            for cell in self.game.board.cells(COVERED)
            if layout is not None and not layout[cell]
        ]
        if layout is None:
            return Cell(self.level.rows // 2, self.level.cols // 2)
        return covered[rng.integers(len(covered))]

    def read(self) -> Board:
        """Read the board in the window, beneath windows that cover it, with a separate reader."""
        with desktop().open_screen() as eye:
            assert eye.select_window(self.window)
            return Reader(eye, SkinLibrary().skins(), window=self.window).look().board

    def on_screen(self, region: Region) -> np.ndarray:
        """Return the screen's picture of a region, including the marks."""
        with desktop().open_screen() as eye:
            return eye.grab(region).image

    def _start(self, command: list[str], env: dict[str, str]) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

        def end() -> None:
            process.terminate()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()

        self._resources.callback(end)
        return process
