"""The page on which a position is set up by hand: click or type tiles, and see what follows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final

from PyQt6.QtCore import QEvent, QPointF, QSignalBlocker, QSize, Qt, pyqtSignal
from PyQt6.QtGui import (
    QAction,
    QGuiApplication,
    QIcon,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPixmap,
    QUndoCommand,
    QUndoStack,
)
from PyQt6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QLabel,
    QMenu,
    QPushButton,
    QSpinBox,
    QWidget,
)

from bot.board import COVERED, FLAG, UNOPENED, Board, Cell
from bot.game import BEGINNER, LEVELS
from bot.solver.explain import explain
from bot.solver.outcomes import Outcomes
from gui.dialogs import ask_choice, ask_open, ask_text
from gui.editor.positions import (
    Position,
    Step,
    analyse,
    follow,
    load,
    outcomes_of,
    resized,
    save,
    saved_positions_file,
    turn_of,
    with_tiles,
)
from gui.images import from_qimage
from gui.looks import look_named, paint_tile
from gui.panel.boardview import BoardInput, BoardView, Legend, Show
from gui.panel.cell_info import Inspector, outcome_rows
from gui.panel.cell_label import CellLabel
from gui.panel.jobs import Job, Progress
from gui.panel.pages import Context, Page
from gui.panel.theme import SPACE, current_theme, on_theme_change
from gui.panel.think_longer import ThinkLonger
from gui.panel.widgets import (
    PAGE_MARGINS,
    Flow,
    connect_keyed,
    keyed,
    lay_column,
    lay_row,
    name_control,
    named_button,
    scrolled,
    sentence,
    wrapped_label,
)

_TILES: Final = (COVERED, *range(9), FLAG)
"""The tiles of the palette."""
CYCLE: Final = -100
"""The tool that steps a cell from covered to 1, 2, ... 8, 0 and back; no tile has this value."""
_NAMES: Final = {COVERED: "covered", 0: "no mine nearby", FLAG: "flag"}
_KEYS: Final = {COVERED: "Space", FLAG: "F"}
_TYPED: Final[dict[str, int | None]] = {
    " ": COVERED, "#": COVERED, "f": FLAG, "F": FLAG, "w": None, "W": None,
    **{str(n): n for n in range(9)},
}  # fmt: skip
"""The tile that a key sets; None tries what the cell may show."""
_MOST: Final = 100
"""Largest number of rows and columns that can be set."""
_ICON: Final = 20
"""Side of a tile of the palette, in points."""
_LEAST_BOARD: Final = 220
_TEXT_HEIGHT: Final = 132
"""Height in points of the description, which scrolls: constant, so that the board stays."""
_OTHER_FILE: Final = "Another file \N{HORIZONTAL ELLIPSIS}"
"""The last choice among the positions of a file."""
_UNTRIED: Final = "Only a covered cell of a possible board can be tried."


class _Change(QUndoCommand):
    """A change of the board, for Undo and Redo."""

    def __init__(
        self, text: str, before: Board, after: Board, show: Callable[[Board], None]
    ) -> None:
        super().__init__(text)
        self._before, self._after, self._show = before, after, show

    def redo(self) -> None:
        """Show the board with the change."""
        self._show(self._after)

    def undo(self) -> None:
        """Show the board without it."""
        self._show(self._before)


class EditorPage(Page):
    """The page that edits and analyses a position."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.board = Board.covered(BEGINNER.rows, BEGINNER.cols, BEGINNER.mines)
        """The position."""
        self.position: Position | None = None
        """The position with its analysis; None until it is done."""
        self.history = QUndoStack(self)
        self._stroke_from = self.board
        """The board before the stroke."""
        self._job: Job | None = None
        self._trial: Job | None = None
        self._refused = False
        """Whether a message says that this position cannot be saved."""
        self.menu = QMenu(self)
        self.surface = EditorSurface(self)
        view = self.surface.view
        self.think = ThinkLonger(view, context.jobs)
        self.surface.lay_out(self.think)
        self.inspector = Inspector(view, context.jobs)
        self.brush = Brush(view)
        self._connect()
        self._show(self.board)

    @property
    def analysing(self) -> bool:
        """Whether the analysis, or the line after it, is still computed."""
        return self._job is not None

    def enter(self, what: object = None) -> None:
        """Show a board that another page sends; the previous one is an Undo away."""
        self.surface.view.set_numbered(self.context.settings().coordinates)
        if isinstance(what, Board):
            self._change("Take over a position", what)
        self.surface.view.setFocus()

    # What the user can do

    def set_tiles(self, tiles: dict[Cell, int], text: str) -> None:
        """Set tiles, as one step of Undo."""
        self._change(text, with_tiles(self.board, tiles))

    def new(self, name: str) -> None:
        """Begin with the covered board of a level."""
        level = LEVELS[name]
        self._change("New board", Board.covered(level.rows, level.cols, level.mines))

    def copy(self) -> None:
        """Copy the position as text."""
        clipboard = QGuiApplication.clipboard()
        if clipboard is not None:
            clipboard.setText(str(self.board))
            self.succeeded.emit("The position is in the clipboard, as text.")

    def paste(self) -> None:
        """Take over a position from the clipboard: text, or a screenshot."""
        clipboard = QGuiApplication.clipboard()
        data = clipboard.mimeData() if clipboard is not None else None
        image = data.imageData() if data is not None and data.hasImage() else None
        if isinstance(image, QImage) and not image.isNull():
            self.wanted.emit("picture", from_qimage(image))
            return
        text = data.text() if data is not None else ""
        try:
            # A number of mines that the text leaves out stays as it is.
            mines = None if "mines:" in text else self.board.mines
            board = Board.parse(text, mines)
        except ValueError as error:
            self.message.emit(
                f"The clipboard holds no position: {error}. A position is a line for each row, "
                "of # (covered), 0 to 8 and F, and a last line 'mines: N'."
            )
            return
        if max(board.tiles.shape) > _MOST:
            self.message.emit(f"A position has at most {_MOST} rows and columns.")
            return
        self._change("Paste", board)

    def ask_name(self) -> None:
        """Let the user name the position, and save it; say first if that is impossible."""
        if not self._refuses_saving():
            ask_text(self, "Save this position", "Name of the position:", "", self.save)

    def save(self, name: str) -> None:
        """Add the position to the saved ones."""
        if self._refuses_saving():
            return
        if not name:
            self.message.emit("The position was not saved: it needs a name.")
            return
        self.outdated.emit()
        job = self.context.jobs.start("Saving the position", partial(save, self.board, name))
        job.done.connect(lambda path: self.saved.emit(f"Saved to {path} as '{name}'", path))
        job.failed.connect(self.failed)

    def _refuses_saving(self) -> bool:
        """Say why the position cannot be saved; return whether there is a reason."""
        trouble = self.position.trouble if self.position is not None else ""
        if trouble:
            self._refused = True
            self.message.emit(f"This position cannot be saved. {trouble}")
        return bool(trouble)

    def ask_position(self) -> None:
        """Let the user choose one of the saved positions, or a file if there are none."""
        self.outdated.emit()
        path = saved_positions_file()
        if path.exists():
            self.open(path)
        else:
            self._ask_file()

    def _ask_file(self) -> None:
        ask_open(self, "Open positions", "Positions (*.jsonl)", lambda files: self.open(files[0]))

    def open(self, path: Path) -> None:
        """Let the user choose one of the positions of a file."""
        job = self.context.jobs.start(f"Reading {path.name}", lambda _progress: _loaded(path))
        job.done.connect(self._offer)
        job.failed.connect(self.failed)

    def _offer(self, positions: dict[str, Board] | str) -> None:
        if isinstance(positions, str):
            self.message.emit(positions)
        elif not positions:
            self.message.emit("The file holds no positions.")
        else:
            names = list(positions)
            ask_choice(
                self,
                "Open a position",
                "Saved position:",
                [*names, _OTHER_FILE],
                names[-1],
                lambda name: self._open_chosen(positions, name),
            )

    def _open_chosen(self, positions: dict[str, Board], name: str) -> None:
        if name == _OTHER_FILE:
            self._ask_file()
        else:
            self._change("Open", positions[name])

    def try_cell(self, cell: Cell) -> None:
        """Offer the hints that a covered cell may show, each with what would follow."""
        possible = self.position is not None and not self.position.trouble
        if not possible or self.board[cell] not in UNOPENED:
            self.message.emit(_UNTRIED)
            return
        self.outdated.emit()
        board = self.board
        job = self._trial = self.context.jobs.start(
            "What opening the cell may show",
            lambda progress: outcomes_of(board, cell, progress),
            only_looks=True,
        )
        job.done.connect(lambda outcomes: self._offer_hints(job, cell, outcomes))
        job.failed.connect(self.failed)

    def _offer_hints(self, job: Job, cell: Cell, outcomes: Outcomes) -> None:
        if job is not self._trial:
            return
        self._trial = None
        if not outcomes.by_hint:
            self.message.emit(f"{cell.position_text.capitalize()} is a mine.")
            return
        self.menu.clear()
        for (value, chance, follows, win), one in zip(
            outcome_rows(outcomes), outcomes.by_hint, strict=True
        ):
            text = f"&{value}: {chance}, then {follows}" + (f", {win} to win" if win else "")
            action = QAction(text, self.menu)
            action.triggered.connect(
                lambda _checked, value=one.value: self.set_tiles({cell: value}, "What if")
            )
            self.menu.addAction(action)
        place = self.surface.view.place()
        if place is not None:
            corner = place.cell(cell).bottomRight().toPoint()
            self.menu.popup(self.surface.view.mapToGlobal(corner))

    # The board and its analysis

    def _change(self, text: str, board: Board) -> None:
        if board != self.board:
            self.history.push(_Change(text, self.board, board, self._show))

    def _show(self, board: Board) -> None:
        """Show another board, and analyse it."""
        self.board, self.position, self._trial = board, None, None
        self.surface.show_board(board)
        self._start(partial(analyse, board, self.context.settings().solver), self._show_position)

    def _start(self, work: Callable[[Progress], object], then: Callable[[object], None]) -> None:
        if self._job is not None:
            self._job.cancel()
        job = self._job = self.context.jobs.start("Analysing the position", work, only_looks=True)
        job.done.connect(lambda result: then(result) if job is self._job else None)
        job.failed.connect(self.failed)
        job.ended.connect(lambda: self._forget(job))

    def _forget(self, job: Job) -> None:
        if job is self._job:
            self._job = None

    def _show_position(self, position: object) -> None:
        if not isinstance(position, Position):
            return
        self.position = position
        self.surface.show_position(position)
        if self._refused:
            self._refused = False
            self.outdated.emit()
        if not position.trouble:
            self._start(partial(follow, position, self.context.settings().solver), self._show_line)

    def _show_line(self, steps: object) -> None:
        if isinstance(steps, tuple):
            self.surface.show_line(steps)

    def _paint(self, cells: dict[Cell, int]) -> None:
        """Show a stroke that has not ended yet."""
        self._show(with_tiles(self._stroke_from, cells))

    def _begin_stroke(self) -> None:
        self._stroke_from = self.board

    def _end_stroke(self) -> None:
        board, self.board = self.board, self._stroke_from
        self._change("Paint", board)

    def _resize(self) -> None:
        surface = self.surface
        size = surface.rows.value(), surface.cols.value(), surface.mines.value()
        self._change("Change the size or the mines", resized(self.board, *size))

    def _connect(self) -> None:
        surface = self.surface
        connect_keyed(
            self,
            (
                (surface.open, "Ctrl+O", self.ask_position),
                (surface.save, "Ctrl+S", self.ask_name),
                (surface.paste, "Ctrl+V", self.paste),
                (surface.copy, "Ctrl+C", self.copy),
                (surface.undo, "Ctrl+Z", self.history.undo),
                (surface.redo, "Ctrl+Y", self.history.redo),
            ),
        )
        self.history.canUndoChanged.connect(surface.undo.setEnabled)
        self.history.canRedoChanged.connect(surface.redo.setEnabled)
        surface.level_chosen.connect(self.new)
        surface.tile_chosen.connect(self.brush.set_tile)
        for field in (surface.rows, surface.cols, surface.mines):
            field.valueChanged.connect(self._resize)
        self.brush.begun.connect(self._begin_stroke)
        self.brush.painted.connect(self._paint)
        self.brush.ended.connect(self._end_stroke)
        self.brush.tried.connect(self.try_cell)
        self.brush.typed.connect(self._type)

    def _type(self, tile: int | None) -> None:
        """Set the current cell's tile; None tries what it may show."""
        cell = self.inspector.pointing.cell
        if cell is None:
            self.message.emit("Choose a cell first: with the arrow keys, or the pointer on it.")
        elif tile is None:
            self.try_cell(cell)
        else:
            self.set_tiles({cell: tile}, "Type")


class Brush(BoardInput):
    """Turns the mouse and the keys on a board view into tiles.

    The left button steps a cell to its next tile, paints the chosen tile, or asks what a cell may
    show; the right one flags, or takes a flag away. A stroke paints what its first cell becomes.

    Args:
        view: The board view.

    Signals:
        begun(): A button was pressed on a cell.
        painted(dict): The cells of the stroke so far, with their tiles.
        ended(): The button was released.
        tried(Cell): What a cell may show is asked.
        typed(object): A tile was typed; None asks what the current cell may show.
    """

    begun = pyqtSignal()
    painted = pyqtSignal(object)
    ended = pyqtSignal()
    tried = pyqtSignal(object)
    typed = pyqtSignal(object)

    def __init__(self, view: BoardView) -> None:
        super().__init__(view)
        self._tile: int | None = CYCLE
        self._painting = COVERED
        self._stroke: dict[Cell, int] = {}
        self._last = QPointF()

    def set_tile(self, tile: int | None) -> None:
        """Choose the tile that the left button paints, or CYCLE; None to try cells."""
        self._tile = tile

    def handle_key(self, event: QKeyEvent, held: Qt.KeyboardModifier) -> bool:
        """Type a tile; return whether the key stands for one."""
        plain = held in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        if not plain or event.text() not in _TYPED:
            return False
        self.typed.emit(_TYPED[event.text()])
        return True

    def handle_mouse(self, event: QMouseEvent, cell: Cell | None) -> None:
        """Paint, or try a cell."""
        kind = event.type()
        left = event.button() is Qt.MouseButton.LeftButton
        if kind is QEvent.Type.MouseButtonPress and cell is not None and not self._stroke:
            if left and self._tile is None:
                self.tried.emit(cell)
            elif left or event.button() is Qt.MouseButton.RightButton:
                self._painting = self._tile_of_stroke(cell, left=left)
                self._last = event.position()
                self.begun.emit()
                self._add(event.position())
        elif kind is QEvent.Type.MouseMove and self._stroke:
            self._add(event.position())
        elif kind is QEvent.Type.MouseButtonRelease and self._stroke and not event.buttons():
            self._stroke = {}
            self.ended.emit()

    def _tile_of_stroke(self, cell: Cell, *, left: bool) -> int:
        """Return what a stroke that begins at this cell paints."""
        turn = self._view.turn
        shown = turn.reading.board[cell] if turn is not None else COVERED
        if not left:
            return COVERED if shown == FLAG else FLAG
        if self._tile is None or self._tile == CYCLE:
            return next_tile(shown)
        return self._tile

    def _add(self, position: QPointF) -> None:
        """Add the cells on the way from the last position: a fast pointer skips some."""
        place = self._view.place()
        if place is None:
            return
        way = position - self._last
        side = min(place.cell_width, place.cell_height)
        steps = 1 + int(2 * max(abs(way.x()), abs(way.y())) / side)
        before = len(self._stroke)
        for step in range(steps + 1):
            cell = place.cell_at(self._last + way * step / steps)
            if cell is not None:
                self._stroke[cell] = self._painting
        self._last = position
        if len(self._stroke) > before:
            self.painted.emit(dict(self._stroke))


class EditorSurface(QWidget):
    """The page's content; the page handles its signals.

    Signals:
        level_chosen(str): A new board of this level is wanted.
        tile_chosen(object): The tile to paint, or CYCLE; None to try cells.
    """

    level_chosen = pyqtSignal(str)
    tile_chosen = pyqtSignal(object)

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self.new = named_button("&New", "New board", "Begin with a covered board")
        self.open = keyed("&Open …", "Open a saved position", "Ctrl+O")
        self.save = keyed("&Save …", "Save this position", "Ctrl+S")
        self.paste = keyed("&Paste", "Paste a position as text, or a screenshot", "Ctrl+V")
        self.copy = keyed("&Copy", "Copy this position as text", "Ctrl+C")
        self.undo = keyed("&Undo", "Undo", "Ctrl+Z")
        self.redo = keyed("&Redo", "Redo", "Ctrl+Y")
        self.rows, self.cols, self.mines = QSpinBox(), QSpinBox(), QSpinBox()
        self.palette_buttons: dict[int | None, QPushButton] = {}
        self.view, self.legend = BoardView(), Legend()
        self._contradicting: tuple[Cell, ...] = ()
        """The marked hints."""
        self.title, self.reason = wrapped_label("The position"), CellLabel("The best move")
        self.line = CellLabel("The best line")
        for label in (self.reason, self.line):
            label.highlight_on(self.view)
        self.reason.setText("The position is being analysed.")
        self._prepare()
        on_theme_change(self._draw_icons)

    def show_board(self, board: Board) -> None:
        """Show a board whose analysis is not known yet.

        Unchanged hints that contradicted each other stay marked until then: marks would flicker.
        """
        shown = self.view.turn.reading.board if self.view.turn is not None else board
        same = board.tiles.shape == shown.tiles.shape
        kept = tuple(one for one in self._contradicting if same and board[one] == shown[one])
        self._contradicting = kept
        self.view.show_turn(turn_of(board), contradicting=kept)
        for field, value in (
            (self.rows, board.rows),
            (self.cols, board.cols),
            (self.mines, board.mines),
        ):
            with QSignalBlocker(field):
                if field is self.mines:
                    field.setMaximum(board.tiles.size)
                field.setValue(value)
        hidden = int(board.unopened.sum())
        self.title.setText(
            f"{board.cols} columns, {board.rows} rows, {board.mines} mines; {hidden} cells covered."
        )

    def show_position(self, position: Position) -> None:
        """Show a board with its analysis, or why it has none."""
        self._contradicting = position.hints
        self.view.show_turn(position.turn, contradicting=position.hints)
        analysis = position.turn.analysis
        why = position.trouble
        if analysis is not None:
            why = sentence(explain(position.turn.reading.board, analysis).reason)
            if analysis.best is not None:
                why = f"{analysis.best.position_text.capitalize()}: {why[:1].lower()}{why[1:]}"
        self.reason.setText(why)
        self.line.clear()

    def show_line(self, steps: Sequence[Step]) -> None:
        """Show the moves that may follow."""
        told = [f"{number}. {_step_text(step)}" for number, step in enumerate(steps, 1)]
        self.line.setText("Best line: " + "; ".join(told) + "." if told else "")

    def lay_out(self, think: QWidget) -> None:
        """Lay out the page.

        Args:
            think: Stands below the board.
        """
        tools = Flow(self.new, self.open, self.save, self.paste, self.copy, self.undo, self.redo)
        size: list[QWidget] = []
        for text, field in (("Columns", self.cols), ("Rows", self.rows), ("Mines", self.mines)):
            label = QLabel(text)
            label.setBuddy(field)
            both = QWidget()
            lay_row(label, field, on=both)
            size.append(both)
        tiles = Flow(*self.palette_buttons.values(), *size)
        card = QFrame()
        card.setProperty("card", True)
        self.title.setProperty("heading", True)
        lay_column(self.title, self.reason, self.line, 1, on=card, margins=SPACE, gap=4)
        below = scrolled(card)
        below.setFixedHeight(_TEXT_HEIGHT)
        self.view.setMinimumHeight(_LEAST_BOARD)
        row = lay_row((self.legend, 1), think)
        page = self.parentWidget()
        lay_column(tools, tiles, (self.view, 1), row, below, on=self, margins=PAGE_MARGINS)
        # A low window scrolls: the board must not be covered.
        lay_column(scrolled(self), on=page)
        order: list[QWidget] = [self.new, self.open, self.save, self.paste, self.copy]
        order += [self.undo, self.redo, *self.palette_buttons.values()]
        for before, after in pairwise([*order, self.cols, self.rows, self.mines, self.view, think]):
            self.setTabOrder(before, after)

    def _prepare(self) -> None:
        menu = QMenu(self)
        for name, level in LEVELS.items():
            text = f"&{name.capitalize()}: {level.cols} × {level.rows}, {level.mines} mines"  # noqa: RUF001
            action = QAction(text, menu)
            action.triggered.connect(lambda _checked, name=name: self.level_chosen.emit(name))
            menu.addAction(action)
        self.new.setMenu(menu)
        # If a key opened the menu, Qt does not paint the button again when it closes.
        menu.aboutToHide.connect(self.new.update)
        for button in (self.undo, self.redo):
            button.setEnabled(False)
        self.view.set_layers(Show.PARSED)
        # No pointer moves here, and the line would strike through figures.
        self.view.path_painted = False
        group = QButtonGroup(self)
        for tile in (CYCLE, *_TILES, None):
            self._add_tile(tile, group)
        for field, name, least in (
            (self.rows, "rows", 1),
            (self.cols, "columns", 1),
            (self.mines, "mines", 0),
        ):
            field.setKeyboardTracking(False)
            field.setRange(least, _MOST)
            name_control(field, f"Number of {name}")

    def _add_tile(self, tile: int | None, group: QButtonGroup) -> None:
        button = QPushButton()
        button.setCheckable(True)
        button.setChecked(tile == CYCLE)
        button.setIconSize(QSize(_ICON, _ICON))
        if tile is None:
            button.setText("&What if")
            tip = "Click a covered cell to see what it may show, and choose one (W on the board)"
            name_control(button, "What if", tip)
        elif tile == CYCLE:
            button.setText("1, 2, 3 …")
            tip = "Left click: 1, 2, 3 and so on. Right click: flag. Digits set the cell too"
            name_control(button, "Count up", tip)
        else:
            name = _NAMES.get(tile, f"the number {tile}")
            key = _KEYS.get(tile, str(tile))
            name_control(button, f"Paint: {name}", f"Paint: {name} ({key} on the board)")
            button.setProperty("tile", True)
        button.clicked.connect(lambda _checked, tile=tile: self.tile_chosen.emit(tile))
        group.addButton(button)
        self.palette_buttons[tile] = button

    def _draw_icons(self) -> None:
        look = look_named(current_theme().look)
        for tile, button in self.palette_buttons.items():
            if tile is None or tile == CYCLE:
                continue
            pixmap = QPixmap(2 * _ICON, 2 * _ICON)
            with QPainter(pixmap) as painter:
                paint_tile(painter, tile, pixmap.rect().toRectF(), look)
            button.setIcon(QIcon(pixmap))


def next_tile(tile: int) -> int:
    """Return the tile after this one: covered, 1 to 8, 0, and covered again."""
    if tile == COVERED:
        return 1
    if 1 <= tile < 8:
        return tile + 1
    return 0 if tile == 8 else COVERED


def _step_text(step: Step) -> str:
    risk = "safe" if step.risk == 0 else f"{step.risk:.1%} risk"
    certain = step.chance > 0.999
    shows = f"shows {step.value}" if certain else f"most likely {step.value} ({step.chance:.0%})"
    return f"{step.cell.position_text} ({risk}), {shows}"


def _loaded(path: Path) -> dict[str, Board] | str:
    """Return the positions of a file, or why it cannot be read."""
    try:
        return load(path)
    except OSError as error:
        return f"{path} cannot be read: {error.strerror or error}"
    except ValueError as error:
        return sentence(str(error))
