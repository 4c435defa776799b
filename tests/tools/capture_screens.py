"""Capture the whole-screen shots of `tests/screens/`: games of several programs amid clutter.

    python -m tests.tools.capture_screens FOLDER [SHOT...]

Each shot is taken on a private screen of its own. The boards of the simulated window come from its
game; those of real programs come from the reader, and must be checked manually before the shot is
kept.
"""
# ruff: noqa: PLC0415 - Qt, mss and pyautogui keep the display of their import

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import cv2
import numpy as np

from gui.private_screen import PrivateScreen
from tests.support.games import start
from tests.support.real_programs import GAMES_FOLDERS, PROGRAMS
from tests.support.shown import windows_shown

_LOOKS: Final = 100
"""Captures of a screen before it counts as one that never stops changing."""
_BETWEEN_LOOKS: Final = 300
"""Milliseconds between two captures."""


@dataclass(frozen=True)
class Shot:
    """The content of a screen."""

    width: int
    height: int
    games: tuple[tuple[str, str, int, int], ...] = ()
    """Program, level, and position of each game's window."""
    clutter: tuple[tuple[str, int, int], ...] = ()
    """Other windows with their positions."""
    puzzles: tuple[tuple[str, int, int], ...] = ()
    """Simon Tatham's other puzzles: boards, but not of Minesweeper."""
    scale: float = 0.0
    """Scale of a simulated window of each look; 0 for none."""


SHOTS: Final = {
    "two-games-1280": Shot(
        1280,
        800,
        (("winemine", "expert", 40, 60), ("sgt-mines", "beginner", 700, 350)),
        (("text", 20, 420), ("chess", 960, 20)),
    ),
    "three-games-1920": Shot(
        1920,
        1080,
        (
            ("xdemineur", "intermediate", 60, 40),
            ("winemine", "intermediate", 520, 60),
            ("sgt-mines", "expert", 900, 500),
        ),
        (("sheet", 60, 560), ("calendar", 860, 40), ("keys", 1280, 60)),
    ),
    "games-4k": Shot(
        3840,
        2160,
        (("winemine", "expert", 300, 200), ("xdemineur", "expert", 2400, 1300)),
        (("text", 1200, 100), ("sheet", 200, 1200), ("chess", 2000, 300), ("keys", 1300, 1500)),
    ),
    "no-game-1280": Shot(
        1280,
        800,
        clutter=(("chess", 30, 30), ("sheet", 460, 20), ("calendar", 40, 480), ("text", 500, 460)),
    ),
    "no-game-1920": Shot(
        1920,
        1080,
        clutter=(("keys", 40, 700), ("sheet", 900, 40), ("chess", 1400, 560)),
        puzzles=(("sgt-solo", 40, 40), ("sgt-pattern", 480, 40), ("sgt-flood", 900, 560)),
    ),
} | {
    f"looks-{round(100 * scale)}": Shot(1920, 1080, clutter=(("text", 1400, 700),), scale=scale)
    for scale in (1.0, 1.25, 1.5, 1.75, 2.0)
}


def take(name: str, folder: Path) -> None:
    """Take one shot; in a process of its own, because Qt and Xlib keep their first screen."""
    shot = SHOTS[name]
    with PrivateScreen(shot.width, shot.height) as screen, ExitStack() as stack:
        screen.adopt()
        home = Path(stack.enter_context(TemporaryDirectory()))
        for number, (program, level, x, y) in enumerate(shot.games):
            stack.enter_context(start(program, level, screen.environment, home / str(number)))
            windows_shown(screen.environment, PROGRAMS[program].title)
            _place(PROGRAMS[program].title, x, y)
        for puzzle, x, y in shot.puzzles:
            path = next(p for f in GAMES_FOLDERS if (p := Path(f) / puzzle).exists())
            process = subprocess.Popen([path], env=screen.environment)
            stack.callback(process.wait)
            stack.callback(process.terminate)
            title = puzzle.removeprefix("sgt-").capitalize()
            windows_shown(screen.environment, title)
            _place(title, x, y)
        _shoot(name, shot, folder)


def _shoot(name: str, shot: Shot, folder: Path) -> None:
    from PyQt6.QtWidgets import QApplication

    app = QApplication(["clutter"])
    app.setStyle("Fusion")
    windows = [_clutter(kind) for kind, _, _ in shot.clutter]
    for window, (_, x, y) in zip(windows, shot.clutter, strict=True):
        _shown_at(window, x, y)
    simulated = list(_simulated(shot.scale)) if shot.scale else []
    image, boards = _settled(), []
    if shot.games:
        _play(image)
        image = _settled()
    from bot.frame import Frame
    from vision.finder import survey
    from vision.skins import SkinLibrary

    if shot.games:
        found, _ = survey(Frame.of_image(image), SkinLibrary().skins())
        boards += [(seen.skin.name, seen.tiles) for seen in found]
    boards += [(window.look.name, window.game.board.tiles) for window in simulated]
    from bot.board import Board

    texts = [f"{skin}\n{Board(tiles, 1)}".removesuffix("\nmines: 1") for skin, tiles in boards]
    text = "\n\n".join(texts)
    (folder / f"{name}.txt").write_text(text + "\n" if text else "")
    cv2.imwrite(str(folder / f"{name}.png"), image, [cv2.IMWRITE_PNG_COMPRESSION, 9])


def _settled() -> np.ndarray:
    """Return the screen's picture once two captures agree; other programs do not report drawing."""
    from PyQt6.QtCore import QEventLoop, QTimer

    from vision.desktop import desktop

    loop, looks = QEventLoop(), QTimer()
    looks.timeout.connect(loop.quit)
    looks.start(_BETWEEN_LOOKS)
    with desktop().open_screen() as screen:
        before = None
        for _ in range(_LOOKS):
            loop.exec()
            image = screen.grab().image
            if before is not None and np.array_equal(before, image):
                return image
            before = image
    raise RuntimeError("the screen never stops changing")


def _shown_at(window: Any, x: int, y: int) -> None:
    """Show a window at a position, and wait for the event that reports it there."""
    from PyQt6.QtTest import QTest

    window.move(x, y)
    window.show()
    if not QTest.qWaitForWindowExposed(window):
        raise RuntimeError("a window of ours was never shown")


def _place(title: str, x: int, y: int) -> None:
    """Move the newest window of that title."""
    script = (
        "import sys\nfrom Xlib import display\nfrom vision.desktop import desktop\n"
        "found = [w for w in desktop().list_windows() if sys.argv[1] in w.title]\n"
        "d = display.Display()\n"
        "for w in found[:1]:\n"
        "    d.create_resource_object('window', w.id).configure(x=int(sys.argv[2]), "
        "y=int(sys.argv[3]))\nd.sync()\n"
    )
    subprocess.run([sys.executable, "-c", script, title, str(x), str(y)], check=True)


def _play(image: np.ndarray) -> None:
    """Open some cells of every board and flag one."""
    import pyautogui

    from bot.board import Cell
    from bot.frame import Frame
    from vision.finder import survey
    from vision.skins import SkinLibrary

    pyautogui.FAILSAFE = False
    for seen in survey(Frame.of_image(image), SkinLibrary().skins())[0]:
        rows, cols = seen.tiles.shape
        for row, col, button in (
            (rows // 2, cols // 2, "left"),
            (1, 1, "left"),
            (rows - 2, 2, "left"),
            (0, cols - 1, "right"),
        ):
            x, y = seen.grid.center(Cell(row, col))
            pyautogui.click(round(x), round(y), button=button)
    pyautogui.moveTo(2, image.shape[0] - 3)


def _simulated(scale: float) -> Iterator[Any]:
    from PyQt6.QtCore import QPoint, Qt
    from PyQt6.QtTest import QTest

    from gui.simulator import SimulatorOptions, SimulatorWindow
    from tests.gui.simulated import middle

    x = y = 20
    for number, look in enumerate(("classic", "flat", "dark", "rounded")):
        options = SimulatorOptions(
            look=look, scale=scale, seed=10 * number + round(100 * scale), question_marks=True
        )
        window = SimulatorWindow(options)
        if x + window.width() > 1900:
            x, y = 20, 560
        _shown_at(window, x, y)
        left, right = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
        for row, col in ((4, 4), (0, 0), (8, 8)):
            QTest.mouseClick(window.field, left, pos=middle(window, (row, col)))
        for row, col, times in ((0, 8, 1), (8, 0, 2)):
            for _ in range(times):
                QTest.mouseClick(window.field, right, pos=middle(window, (row, col)))
        QTest.mouseMove(window.field, QPoint(1, 1))
        yield window
        x += window.width() + 20


def _clutter(kind: str) -> Any:
    """Open another window."""
    from PyQt6.QtCore import Qt
    from PyQt6.QtGui import QColor, QPainter, QPixmap
    from PyQt6.QtWidgets import (
        QCalendarWidget,
        QLabel,
        QPlainTextEdit,
        QTableWidget,
        QTableWidgetItem,
    )

    if kind == "text":
        editor = QPlainTextEdit(Path(__file__).read_text()[:3000])
        editor.setCursorWidth(0)
        editor.resize(460, 320)
        return editor
    if kind == "sheet":
        table = QTableWidget(14, 8)
        rng = np.random.default_rng(7)
        for row in range(14):
            for col in range(8):
                number = rng.integers(0, 12)
                table.setItem(row, col, QTableWidgetItem(str(number) if number < 9 else ""))
                table.setColumnWidth(col, 34)
        table.resize(420, 430)
        return table
    if kind == "calendar":
        calendar = QCalendarWidget()
        calendar.setSelectedDate(calendar.minimumDate().addYears(270))
        return calendar
    side, rows, cols = (44, 8, 8) if kind == "chess" else (48, 4, 11)
    picture = QPixmap(cols * side, rows * side)
    picture.fill(QColor(90, 90, 94))
    painter = QPainter(picture)
    for row in range(rows):
        for col in range(cols):
            if kind == "chess":
                light = QColor(238, 238, 210) if (row + col) % 2 else QColor(118, 150, 86)
                painter.fillRect(col * side, row * side, side, side, light)
                text = "♜♞♝♛♚♝♞♜"[col] if row in (0, 7) else ("♟" if row in (1, 6) else "")
            else:
                painter.fillRect(
                    col * side + 3, row * side + 3, side - 6, side - 6, QColor(230, 230, 230)
                )
                text = chr(65 + (row * cols + col) % 26)
            font = painter.font()
            font.setPixelSize(26 if kind == "chess" else 15)
            painter.setFont(font)
            painter.drawText(col * side, row * side, side, side, Qt.AlignmentFlag.AlignCenter, text)
    painter.end()
    label = QLabel()
    label.setPixmap(picture)
    return label


def main(arguments: Sequence[str]) -> int:
    """Take all shots, or the given ones."""
    folder = Path(arguments[0])
    names = arguments[1:] or list(SHOTS)
    if len(names) == 1:
        take(names[0], folder)
        return 0
    for name in names:
        subprocess.run(
            [sys.executable, "-m", "tests.tools.capture_screens", folder, name], check=True
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
