"""The terminal game: keys, mouse, hints, and a solver that plays by itself.

Source: the terminal game of source 003.
"""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import dataclass
from functools import partial
from random import SystemRandom
from typing import ClassVar, Final

import numpy as np
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center
from textual.geometry import Region, Size
from textual.message import Message
from textual.screen import ModalScreen
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.timer import Timer
from textual.widgets import Footer, Static

from bot.analysis import Analysis, Cancelled, Limit, Solver
from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION, Board, Cell
from bot.digging import HUNTERS, hunter
from bot.digging.game import DigGame
from bot.frame import Status
from bot.game import LEVELS, FirstClick, Game
from bot.planner import Action, plan
from bot.planner import Style as PlayingStyle
from bot.solver import SOLVERS, solver
from bot.solver.explain import explain
from bot.solver.phrases import short_percent
from bot.solver.warmup import IN_WORDS, PREPARATION
from gui.console import is_terminal
from gui.lookcolours import DARK


@dataclass(frozen=True)
class Times:
    """Times of the game in the terminal, in seconds."""

    think: float = 5.0
    next_game: float = 1.5
    look: float = 0.4
    """Seconds for which a hint is shown while the solver plays."""


_TIMES: Final = Times()

_MOST_SEED: Final = 2**31 - 1
CELL: Final = 3
"""Characters per cell."""

_MARKS: Final = {
    COVERED: ("\N{MIDDLE DOT}", DARK.covered_light),
    FLAG: ("\N{BLACK FLAG}", DARK.flag),
    QUESTION: ("?", DARK.question),
    MINE: ("*", DARK.mine),
    EXPLODED: ("*", DARK.mine),
    MISFLAG: ("\N{MULTIPLICATION X}", DARK.cross),
}
_SAFE: Final = (46, 160, 67)
_DEADLY: Final = (201, 60, 55)
_BEST: Final = "#1f6feb"
_INK: Final = "#f5f7fa"
HELP: Final = """\
Open every cell that holds no mine. A number tells how many mines
touch its cell.

  arrows         move the cursor
  space, enter   open; on a number with all its flags: around it
  f              flag, or take the flag away
  h              hint: how likely each cell is a mine, in percent;
                 0 and 100 are proved, blue is the best move
  m              let the solver make one move
  a              let the solver play on and on; again: stop
  s              the next solver
  n              new game
  1 2 3          beginner, intermediate, expert
  q              leave

  left button    open, or open around a number
  middle button  open around a number
  right button   flag

In the game of digging a dig opens one cell and a mine does not end
it. It ends when all mines are dug or flagged; the fewer digs, the
better."""
_LARGEST_BOARD: Final = 100
"""Largest number of rows and columns."""


class TerminalGame(App[None]):
    """The terminal game."""

    TITLE = "Minesweeper"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { layout: vertical; }
    #standing { height: 1; content-align: center middle; text-style: bold; }
    #reason { height: 2; content-align: center middle; color: $text-muted; }
    Center { height: 1fr; align: center middle; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1, 0)", show=False, priority=True),
        Binding("down", "move(1, 0)", show=False, priority=True),
        Binding("left", "move(0, -1)", show=False, priority=True),
        Binding("right", "move(0, 1)", show=False, priority=True),
        Binding("space,enter", "open", "Open"),
        Binding("f", "flag", "Flag"),
        Binding("h", "hint", "Hint"),
        Binding("m", "step", "Move"),
        Binding("a", "play", "Auto"),
        Binding("s", "solver", "Solver"),
        Binding("n", "new", "New"),
        Binding("1", "level('beginner')", show=False),
        Binding("2", "level('intermediate')", show=False),
        Binding("3", "level('expert')", show=False),
        Binding("question_mark", "help", "Help"),
        Binding("q", "quit", "Leave"),
    ]

    def __init__(self, options: TerminalOptions) -> None:
        """Create the game; `run` shows it.

        Raises:
            UnknownSolver: There is no such solver, or hunter in the game of digging.
        """
        super().__init__()
        self._options = options
        self._board_size = (options.rows, options.cols, options.mines)
        self._names = list(HUNTERS if options.digging else SOLVERS)
        self.solver_name = options.solver or self._names[0]
        (hunter if options.digging else solver)(self.solver_name)
        seed = options.seed
        self._seed = SystemRandom().randrange(_MOST_SEED) if seed is None else seed
        self._number = 0
        self._stop = threading.Event()
        self._thinking = threading.Lock()
        """A hunter has state, so it analyses one board at a time."""
        self._thoughts = 0
        """The number of the newest analysis; older ones are outdated."""
        self._pause: Timer | None = None
        """The pause before the next move while the solver plays."""
        self.playing = False
        """Whether the solver plays by itself."""
        self.hinting = False
        """Whether the probabilities are shown."""
        self.analysis: Analysis | None = None
        """The analysis of the board that is shown."""
        self.played = self.won = 0
        self._begin()
        self.field = BoardField(self.game.board)
        self.status_line = Static(id="standing")
        self.reason = Static(id="reason")

    def compose(self) -> ComposeResult:
        """Create the status line, board, reason and keys."""
        yield self.status_line
        with Center():
            yield self.field
        yield self.reason
        yield Footer()

    def on_mount(self) -> None:
        """Show the first board and start the clock."""
        PREPARATION.begin()
        self.field.focus()
        self.set_interval(1, self._update_status)
        self._show()

    def on_unmount(self) -> None:
        """Stop the solver."""
        self._stop.set()

    def on_board_field_pressed(self, message: BoardField.Pressed) -> None:
        """Handle the mouse's moves."""
        moves = {1: self._open, 2: self.game.chord, 3: self.game.flag}
        if message.button in moves:
            self._moved(lambda: moves[message.button](message.cell))

    def action_move(self, rows: int, cols: int) -> None:
        """Move the cursor."""
        self.field.move(rows, cols)

    def action_open(self) -> None:
        """Open the cell at the cursor."""
        self._moved(lambda: self._open(self.field.cursor))

    def action_flag(self) -> None:
        """Flag the cell at the cursor."""
        self._moved(lambda: self.game.flag(self.field.cursor))

    def action_hint(self) -> None:
        """Show or hide each cell's mine probability."""
        self.hinting = not self.hinting
        self._show()

    def action_step(self) -> None:
        """Let the solver make one move."""
        if not self.game.status.over:
            self._think(then_play=True)

    def action_play(self) -> None:
        """Start or stop the solver."""
        self.playing = not self.playing
        self._break_off()
        self._show()
        self._go_on()

    def action_solver(self) -> None:
        """Select the next solver."""
        place = (self._names.index(self.solver_name) + 1) % len(self._names)
        self.solver_name = self._names[place]
        self._start_solver()
        self._show()
        self._go_on()

    def action_new(self) -> None:
        """Start the next game."""
        self._number += 1
        self._begin()
        self._show()
        self._go_on()

    def action_level(self, name: str) -> None:
        """Start a game of another size."""
        level = LEVELS[name]
        self._board_size = (level.rows, level.cols, level.mines)
        self.action_new()

    def action_help(self) -> None:
        """Show what the keys do."""
        self.push_screen(HelpScreen())

    def _begin(self) -> None:
        seed = self._seed + self._number
        chosen = self._options
        self.game: Game | DigGame = (
            DigGame(*self._board_size, seed)
            if chosen.digging
            else Game(*self._board_size, seed, chosen.first_click, chosen.question_marks)
        )
        self._started: float | None = None
        self._seconds = 0
        self._counted = False
        self._start_solver()

    def _start_solver(self) -> None:
        self._break_off()
        self._solve: Solver = (
            hunter(self.solver_name).start(self._seed + self._number)
            if self._options.digging
            else solver(self.solver_name).solve
        )

    def _open(self, cell: Cell) -> tuple[Cell, ...]:
        return self.game.chord(cell) if self.game.board[cell] > 0 else self.game.open(cell)

    def _moved(self, move: object) -> None:
        """Update the game after a move by the user."""
        if callable(move) and move():
            self._break_off()
            self._show()
            self._go_on()

    def _break_off(self) -> None:
        """Discard the current analysis and stop the solver."""
        self._stop.set()
        self._stop = threading.Event()
        self._thoughts += 1
        self.analysis = None
        if self._pause is not None:
            self._pause.stop()

    def _show(self) -> None:
        board = self.game.board
        wanted = self.hinting and not self.game.status.over
        if wanted and self.analysis is None and not self.playing:
            self._think()
        self.field.show(board, self.analysis if wanted else None)
        self._count_end()
        self._update_status()

    def _count_end(self) -> None:
        if self.game.status.over and not self._counted:
            self._counted = True
            self.played += 1
            self.won += self.game.status is Status.WON

    def _update_status(self) -> None:
        game = self.game
        if game.started and not game.status.over:
            self._started = self._started or time.perf_counter()
            self._seconds = int(time.perf_counter() - self._started)
        words = {Status.WON: "won", Status.LOST: "lost"}.get(game.status, "playing")
        colour = {Status.WON: "green", Status.LOST: "red"}.get(game.status, "white")
        auto = " (plays)" if self.playing else ""
        parts = [
            f"mines {game.mines_left}",
            f"{self._seconds} s",
            f"solver {self.solver_name}{auto}",
        ]
        if isinstance(game, DigGame):
            parts.append(f"digs {game.digs}")
        if self.played:
            parts.append(f"won {self.won} of {self.played}")
        text = Text(words, colour).append("  |  " + "  |  ".join(parts), "white")
        self.status_line.update(text)
        shown = self.analysis is not None and (self.hinting or self.playing)
        reason = ""
        if shown and self.analysis is not None:
            reason = explain(game.board, self.analysis).reason
        self.reason.update(Text(reason))

    def _go_on(self) -> None:
        """Start the solver's next move if it plays by itself."""
        if not self.playing:
            return
        if self.game.status.over:
            self.action_new()
        else:
            self._think(then_play=True)

    def _think(self, then_play: bool = False) -> None:
        self._break_off()
        self._ask(self._thoughts, self.game.board, self._solve, self._stop, then_play)

    @work(thread=True)
    def _ask(
        self, thought: int, board: Board, solve: Solver, stop: threading.Event, then_play: bool
    ) -> None:
        """Run the solver in a thread."""
        try:
            PREPARATION.wait(stop, lambda: self.call_from_thread(self.notify, IN_WORDS))
            with self._thinking:
                analysis = solve(board, Limit(seconds=_TIMES.think, cancel=stop))
        except Cancelled:
            return
        except ValueError as error:
            self.call_from_thread(self._give_up, thought, str(error))
            return
        self.call_from_thread(self._heard, thought, analysis, then_play)

    def _give_up(self, thought: int, reason: str) -> None:
        """Show the error of a solver that considers a board impossible."""
        if thought == self._thoughts:
            self.playing = False
            self.notify(f"{self.solver_name}: {reason}", severity="error")
            self._update_status()

    def _heard(self, thought: int, analysis: Analysis, then_play: bool) -> None:
        if thought != self._thoughts:
            return
        self.analysis = analysis
        if not then_play:
            self._show()
        elif self.playing and self.hinting:
            self._show()
            self._pause = self.set_timer(_TIMES.look, partial(self._act, analysis))
        else:
            self._act(analysis)

    def _act(self, analysis: Analysis) -> None:
        before = self.game.board
        self._carry_out(analysis)
        self.analysis = None
        over = self.game.status.over
        if self.game.board == before and not over:
            self.playing = False
            self.notify(f"{self.solver_name}: {explain(before, analysis).reason}")
        self._show()
        if self.playing:
            wait = _TIMES.next_game if over else 0.05
            self._pause = self.set_timer(wait, self._go_on)

    def _carry_out(self, analysis: Analysis) -> None:
        style = PlayingStyle.HUNT if self._options.digging else PlayingStyle.NO_FLAGS
        for move in plan(self.game.board, analysis, style):
            if move.cell is None:
                continue
            act = self.game.flag if move.action is Action.FLAG else self.game.open
            act(move.cell)
            self.field.point_at(move.cell)


class BoardField(ScrollView, can_focus=True):
    """A board with a cursor and the probabilities of a hint.

    Messages:
        Pressed(cell, button): A cell was clicked: button 1 is the left, 2 the middle, 3 the right
            one.
    """

    DEFAULT_CSS = "BoardField { max-width: 100%; max-height: 100%; }"

    class Pressed(Message):
        """A click on a cell."""

        def __init__(self, cell: Cell, button: int) -> None:
            super().__init__()
            self.cell = cell
            self.button = button

    def __init__(self, board: Board) -> None:
        super().__init__()
        self.cursor = Cell(board.rows // 2, board.cols // 2)
        self.show(board)

    @property
    def board(self) -> Board:
        """The board."""
        return self._board

    def show(self, board: Board, hint: Analysis | None = None) -> None:
        """Show a board, and a solver's analysis of it."""
        self._board = board
        self._hint = hint
        self.cursor = Cell(
            min(self.cursor.row, board.rows - 1), min(self.cursor.col, board.cols - 1)
        )
        self.virtual_size = Size(CELL * board.cols, board.rows)
        self.styles.width, self.styles.height = self.virtual_size
        self.refresh()

    def move(self, rows: int, cols: int) -> None:
        """Move the cursor within the board."""
        row = min(max(self.cursor.row + rows, 0), self._board.rows - 1)
        col = min(max(self.cursor.col + cols, 0), self._board.cols - 1)
        self.point_at(Cell(row, col))

    def point_at(self, cell: Cell) -> None:
        """Move the cursor to a cell and scroll it into view."""
        self.cursor = cell
        self.scroll_to_region(Region(CELL * cell.col, cell.row, CELL, 1), animate=False)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return one row of cells."""
        row = y + self.scroll_offset.y
        if not 0 <= row < self._board.rows:
            return Strip.blank(self.size.width)
        cells = [self._segment(Cell(row, col)) for col in range(self._board.cols)]
        left = self.scroll_offset.x
        return Strip(cells).crop(left, left + self.size.width)

    def _segment(self, cell: Cell) -> Segment:
        tile = self._board[cell]
        mark, ink = _MARKS.get(tile) or (str(tile) if tile else " ", DARK.hints[tile - 1])
        ground = DARK.opened if tile >= 0 else DARK.covered
        if tile == EXPLODED:
            ground = DARK.exploded
        if self._hint is not None and not np.isnan(self._hint.mine_probability[cell]):
            chance = float(self._hint.mine_probability[cell])
            ground, ink = _BEST if cell == self._hint.best else _between(chance), _INK
            mark = mark if tile == FLAG else short_percent(chance)
        pointed = cell == self.cursor and self.has_focus
        style = Style(color=ink, bgcolor=ground, bold=tile > 0, reverse=pointed)
        return Segment(mark.center(CELL), style)

    def on_click(self, event: events.Click) -> None:
        """Post the clicked cell."""
        col, row = (event.x + self.scroll_offset.x) // CELL, event.y + self.scroll_offset.y
        if 0 <= row < self._board.rows and 0 <= col < self._board.cols:
            self.point_at(Cell(row, col))
            self.post_message(self.Pressed(Cell(row, col), event.button))


def _between(chance: float) -> str:
    parts = (round(a + (b - a) * chance) for a, b in zip(_SAFE, _DEADLY, strict=True))
    return "#{:02x}{:02x}{:02x}".format(*parts)


class HelpScreen(ModalScreen[None]):
    """A screen with the keys and their actions."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; }
    HelpScreen > Static { width: auto; height: auto; max-width: 100%; border: round $accent;
                          padding: 0 2; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,question_mark,q", "dismiss", "Back")
    ]

    def compose(self) -> ComposeResult:
        """Create the text."""
        yield Static(HELP, markup=False)


class NoTerminal(RuntimeError):
    """There is no terminal to play in."""


def run_terminal(options: TerminalOptions) -> int:
    """Run the game in this terminal until the user leaves; return the exit code.

    Raises:
        NoTerminal: Input or output is a file or a pipe.
        UnknownSolver: There is no such solver.
    """
    game = TerminalGame(options)
    if not (is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        raise NoTerminal("--terminal needs a terminal, and this is a file or a pipe")
    game.run()
    return game.return_code or 0


@dataclass(frozen=True)
class TerminalOptions:
    """Initial options of the game."""

    rows: int
    cols: int
    mines: int
    first_click: FirstClick = FirstClick.SAFE
    seed: int | None = None
    question_marks: bool = False
    solver: str | None = None
    """The initial solver or hunter; by default the strongest."""
    digging: bool = False
    """The game of source 002."""

    def __post_init__(self) -> None:
        """Check the board.

        Raises:
            ValueError: It is invalid.
        """
        if not (1 <= self.rows <= _LARGEST_BOARD and 1 <= self.cols <= _LARGEST_BOARD):
            raise ValueError(
                f"a board has 1 to {_LARGEST_BOARD} rows and columns, not {self.cols} x {self.rows}"
            )
        if not 0 <= self.mines <= self.rows * self.cols:
            raise ValueError(f"{self.mines} mines on {self.cols} x {self.rows} cells are no game")
