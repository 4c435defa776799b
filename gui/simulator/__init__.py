"""The built-in game: a Minesweeper to play, and to try the bot on.

It is played through pixels and clicks like any other program, by people and by the bot. The rules
are in `bot/game.py`, the drawing in `gui.looks`. `run_simulator` runs it in its own process,
whose windows have the class WM_CLASS.

Games are numbered from 0. Game n of a window with seed s is generated with seed s + n, whatever
happened in earlier games, so that the same seed gives the same boards in the same order. A window
without a seed draws one at its start.
"""

from __future__ import annotations

import signal
import sys
from dataclasses import replace
from random import SystemRandom
from typing import Any, Final

from PyQt6.QtCore import QElapsedTimer, QPoint, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QIcon, QPixmap
from PyQt6.QtWidgets import QLayout, QMainWindow

from bot.board import COVERED, EXPLODED, Board, Cell
from bot.digging.game import DigGame
from bot.frame import Status
from bot.game import LEVELS, Game, Level
from gui.application import application
from gui.dialogs import ask_number, show_text
from gui.looks import HeaderState, Look, Mood, layout, look_named, render_board
from gui.simulator.menus import (
    MOST_SECONDS,
    MOST_SEED,
    WIN_TITLE,
    CustomDialog,
    Menus,
    SimulatorOptions,
    style_sheet,
)
from gui.simulator.playfield import Gesture, Playfield

__all__ = ["TITLE", "WM_CLASS", "SimulatorOptions", "SimulatorWindow", "run_simulator"]

TITLE: Final = "Minesweeper"
WM_CLASS: Final = "minesweeper-bot-simulator"
"""Class of the window on X11, application id on Wayland."""
_SMALLEST_CELL: Final = 8.0
_FRAME: Final = (12, 48)
"""Points beside and above a large window that are left for the window manager's frame."""

_FRAME_ROOM: Final = 32
"""Points for the title bar that a window manager adds."""


class SimulatorWindow(QMainWindow):
    """A Minesweeper window.

    Signals:
        game_over(Status): WON or LOST, once per game, when the board shows it.
    """

    game_over = pyqtSignal(object)

    def __init__(self, options: SimulatorOptions | None = None) -> None:
        super().__init__()
        self.options = options or SimulatorOptions()
        self.game_number = 0
        """The game's number, from 0; the module's docstring explains the seed of each game."""
        self.seed = self._draw_seed()
        self.seconds = self.options.clock
        """The clock's value: whole seconds since the first move, at most 999."""
        self.setWindowTitle(TITLE)
        self.menus = Menus(self)
        self._elapsed = QElapsedTimer()
        self.clock = QTimer(self)
        self.clock.setInterval(1000)
        self.clock.timeout.connect(self._count_second)
        self._ended = False
        self.game = self._lay()
        self.field = Playfield(self.game.board, self.look, self._cell())
        self.field.shows_pressed = not isinstance(self.game, DigGame)
        self.setCentralWidget(self.field)
        frame = self.layout()
        if frame is not None:
            frame.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)
        self.field.open_wanted.connect(self._open)
        self.field.flag_wanted.connect(self._flag)
        self.field.chord_wanted.connect(self._chord)
        self.field.restart_wanted.connect(self.new_game)
        self.field.gesture_changed.connect(self._update_header)
        self.field.animation_finished.connect(self._end_if_over)
        self._arrange()
        self._update_header()

    @property
    def look(self) -> Look:
        """The look in which it is drawn."""
        return look_named(self.options.look)

    def new_game(self) -> None:
        """Start the next game."""
        self.game_number += 1
        self.show_game(self._lay())

    def show_game(self, game: Game | DigGame) -> None:
        """Continue with this game, which may be in progress, instead of a generated one."""
        self.clock.stop()
        self.seconds = self.options.clock
        self._ended = False
        self.game = game
        self.options = replace(self.options, rows=game.rows, cols=game.cols, mines=game.mines)
        self.field.shows_pressed = not isinstance(game, DigGame)
        self.field.show_fresh(game.board)
        self.field.frozen = game.status.over
        self._arrange()
        self._update_header()

    def choose_level(self, level: Level) -> None:
        """Start the next game at another level."""
        self.options = replace(self.options, rows=level.rows, cols=level.cols, mines=level.mines)
        self.new_game()

    def change(self, **options: Any) -> None:
        """Set options by name.

        Look, scale and other display options change at once. Rules change with the next game, which
        starts at once if the current one has no move yet.

        Raises:
            ValueError: A value that the options do not allow.
        """
        self.options = replace(self.options, **options)
        if "seed" in options:
            self.game_number, self.seed = 0, self._draw_seed()
            self.show_game(self._lay())
        elif "digging" in options:
            self.new_game()
        elif {"first_click", "question_marks"} & options.keys() and self._untouched():
            self.show_game(self._lay())
        else:
            self._arrange()

    def ask_custom(self) -> None:
        """Ask for a size."""
        dialog = CustomDialog(self, self.options.rows, self.options.cols, self.options.mines)
        dialog.accepted.connect(lambda: self.choose_level(dialog.level))
        dialog.finished.connect(self._tick_menus)
        dialog.open()

    def ask_seed(self) -> None:
        """Ask for a seed; its first game starts at once."""
        about = "The same seed gives the same boards, in the same order:"
        ask_number(self, "Seed", about, MOST_SEED, self.seed, lambda seed: self.change(seed=seed))

    def _draw_seed(self) -> int:
        return (
            SystemRandom().randrange(MOST_SEED) if self.options.seed is None else self.options.seed
        )

    def _untouched(self) -> bool:
        return bool((self.game.board.tiles == COVERED).all())

    def _lay(self) -> Game | DigGame:
        chosen = self.options
        if chosen.digging:
            seed = self.seed + self.game_number
            return DigGame(chosen.rows, chosen.cols, chosen.mines, seed)
        return Game(
            chosen.rows,
            chosen.cols,
            chosen.mines,
            seed=self.seed + self.game_number,
            first_click=chosen.first_click,
            question_marks=chosen.question_marks,
        )

    def _arrange(self) -> None:
        """Adapt field, window and menus to the options."""
        self.setStyleSheet(style_sheet(self.look.colours))
        self.setWindowIcon(_icon(self.look))
        self.field.arrange(self.look, self._cell(), self.menus.least_width)
        self._tick_menus()

    def _cell(self) -> float:
        """Return the side of a cell in points: as set, or as large as the screen allows."""
        chosen = self.options
        wanted = self.look.cell * chosen.scale
        screen = self.screen()
        if screen is None:
            return wanted
        field = layout(self.look, chosen.rows, chosen.cols, wanted).field
        room = screen.availableSize()
        menu = self.menuBar()
        width = room.width() - _FRAME[0]
        height = room.height() - _FRAME[1] - (0 if menu is None else menu.sizeHint().height())
        share = min(width / field.width(), height / field.height())
        return wanted if share >= 1 else max(_SMALLEST_CELL, float(int(wanted * share)))

    def _tick_menus(self) -> None:
        chosen = self.options
        size = (chosen.rows, chosen.cols, chosen.mines)
        level = next(
            (
                level.name
                for level in LEVELS.values()
                if (level.rows, level.cols, level.mines) == size
            ),
            "custom",
        )
        switches = ("question_marks", "animation", "win_dialog", "digging")
        on = [name for name in switches if getattr(chosen, name)]
        self.menus.tick(
            [
                f"level {level}",
                f"look {chosen.look}",
                f"scale {chosen.scale:g}",
                f"first click {chosen.first_click.name.lower()}",
                *on,
            ],
            [name for name in self.menus.actions if name.startswith("scale ") or name in switches],
        )

    def _open(self, cell: Cell) -> None:
        self.game.open(cell)
        self._show(cell)

    def _chord(self, cell: Cell) -> None:
        self.game.chord(cell)
        self._show(cell)

    def _flag(self, cell: Cell) -> None:
        self.game.flag(cell)
        self._show(None)

    def _show(self, origin: Cell | None) -> None:
        """Show the result of a move, in waves from `origin` if openings are animated."""
        board, over = self.game.board, self.game.status.over
        if not self.clock.isActive() and not over and _opened(board):
            self._elapsed.start()
            self.clock.start()
        if over and self.clock.isActive():
            self.clock.stop()
            self._count_second()
            self.field.frozen = True
        waves = self.options.animation and origin is not None
        self.field.show_board(board, origin if waves else None, self.options.wave)
        self._update_header()
        if not waves:
            self._end_if_over()

    def _end_if_over(self) -> None:
        """Announce the end of a game when the board shows all of it."""
        status = self.game.status
        if not status.over or self._ended or self.field.animating:
            return
        self._ended = True
        if status is Status.WON and self.options.win_dialog:
            words = f"Game {self.game_number + 1} is won. Time: {self.seconds} s."
            show_text(self, WIN_TITLE, words)
        self.game_over.emit(status)

    def _count_second(self) -> None:
        elapsed = self.options.clock + round(self._elapsed.elapsed() / 1000)
        self.seconds = min(MOST_SECONDS, elapsed)
        self._update_header()

    def _update_header(self) -> None:
        moods = {Status.WON: Mood.WON, Status.LOST: Mood.LOST}
        gesture = self.field.gesture
        tense = gesture in (Gesture.OPEN, Gesture.CHORD)
        mood = moods.get(self.game.status, Mood.TENSE if tense else Mood.SMILE)
        self.field.show_header(
            HeaderState(
                self.options.mines,
                self.game.mines_left,
                self.seconds,
                mood,
                face_down=gesture is Gesture.FACE,
            )
        )


def _opened(board: Board) -> bool:
    """Return whether a cell was opened or dug."""
    return bool(((board.tiles >= 0) | (board.tiles == EXPLODED)).any())


def run_simulator(
    options: SimulatorOptions, *, announce: bool = False, corner: bool = False
) -> int:
    """Show a window in this process until it is closed; return the exit code.

    Args:
        options: Initial options.
        announce: Write the window's id to standard output, on its own line, when the board is on
            the screen.
        corner: Open in the corner of the screen, so that a panel has room beside it.
    """
    app = application(WM_CLASS)
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    window = SimulatorWindow(options)
    if announce:
        window.field.appeared.connect(lambda: _announce(window))
    screen = window.screen()
    # A panel that opens it keeps the keyboard.
    window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, corner)
    if corner and screen is not None:
        window.move(screen.availableGeometry().topLeft() + QPoint(_FRAME_ROOM // 4, _FRAME_ROOM))
    window.show()
    return app.exec()


def _announce(window: SimulatorWindow) -> None:
    sys.stdout.write(f"{int(window.winId())}\n")
    sys.stdout.flush()


def _icon(look: Look) -> QIcon:
    mine = Board.parse("*", mines=1)
    return QIcon(QPixmap.fromImage(render_board(mine, look, 64)))
