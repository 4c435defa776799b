"""Makes the README's animated picture: `python -m tests.animated FILE.webp [--seed N]`.

The running panel steps through a game, and is grabbed at each turn as it is shown, before it is
carried out. Rules, solver, loop and panel are the program's; the game is painted, not captured.
"""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from PIL import Image
from PyQt6.QtCore import Qt

from bot.game import LEVELS
from gui.application import application
from gui.images import from_qimage
from gui.panel import Panel
from gui.panel.boardview import Show
from gui.private_screen import PrivateScreen
from gui.settings import PROGRAM, Settings
from tests.gui.tabletop import Tabletop
from tests.photos.studio import close_panel, shown_panel, steps, wait_until
from vision.desktop import SessionKind, session_kind

_WIDTH: Final = 760
"""Pixels: what a README is shown at."""
_FIRST_MS: Final = 1000
_TURN_MS: Final = 260
_GUESS_MS: Final = 1800
"""Long enough to read why."""
_END_MS: Final = 4000


def main() -> None:
    """Play a game and write the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int, default=7, help="of the game")
    parser.add_argument("--level", default="expert", choices=LEVELS)
    chosen = parser.parse_args()
    with ExitStack() as resources:
        if session_kind() is SessionKind.NONE:
            resources.enter_context(PrivateScreen(1920, 1080)).adopt()
        app = application(PROGRAM)
        app.setQuitOnLastWindowClosed(False)
        pictures, times = filmed(Tabletop(LEVELS[chosen.level], seed=chosen.seed))
        # A screen that goes away takes the program with it.
        app.quit()
        del app
    first, *others = pictures
    written: dict[str, Any] = {"append_images": others, "duration": times, "loop": 0}
    first.save(chosen.file, save_all=True, quality=60, method=4, **written)


def filmed(table: Tabletop) -> tuple[list[Image.Image], list[int]]:
    """The panel's pictures of a whole game, and how many milliseconds each is shown."""
    panel = shown_panel(table, Settings(theme="light", games=1))
    panel.surface.controls.sidebar.setChecked(False)
    panel.surface.layers.buttons[Show.PARSED].click()
    wait_until(lambda: len(panel.surface.chooser.model.found) == 1)
    pictures, times = [], []
    while True:
        steps(panel, 1)
        turn = panel.surface.view.turn
        assert turn is not None
        pictures.append(_grabbed(panel))
        guess = any(move.risk > 0 for move in turn.moves)
        times.append(_GUESS_MS if guess else _TURN_MS)
        if turn.reading.status.over:
            break
    times[0], times[-1] = _FIRST_MS, _END_MS
    close_panel(panel)
    return pictures, times


def _grabbed(panel: Panel) -> Image.Image:
    image = panel.grab().toImage().scaledToWidth(_WIDTH, Qt.TransformationMode.SmoothTransformation)
    return Image.fromarray(from_qimage(image)[:, :, ::-1])


if __name__ == "__main__":
    main()
