"""The content of the page Analyse: the picture, the position beside it, the tools, and the text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PyQt6.QtCore import QEvent, QPointF, QRectF, QSignalBlocker, QSize, Qt, pyqtSignal
from PyQt6.QtGui import (
    QAction,
    QColor,
    QIcon,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
)
from PyQt6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QMenu,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from bot.board import COVERED, FLAG, UNREAD, Cell
from bot.frame import Frame, Region
from bot.game import LEVELS
from bot.loop import Turn
from bot.planner import Action, Move
from bot.solver.explain import explain
from bot.solver.phrases import percent
from gui.analyse.picture_jobs import Item, Scene
from gui.analyse.positions import Position, Step
from gui.images import to_qimage
from gui.looks import look_named
from gui.panel import widgets
from gui.panel.boardview import BoardArea, BoardView, LayerSwitch, Legend, Pointing, Show
from gui.panel.cell_label import CellLabel
from gui.panel.jobs import JobBar, Jobs
from gui.panel.marks import CHOSEN
from gui.panel.picture_view import PictureView
from gui.panel.theme import SPACE, current_theme, on_theme_change
from gui.panel.think_longer import ThinkLonger
from gui.panel.tile_question import Leaving, TeachPage, TileView
from gui.questions import around_in

if TYPE_CHECKING:
    # Loading the reader takes a moment.
    from vision.learning.questions import Question


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
MOST: Final = 100
"""Largest number of rows and columns that can be set."""
_MOST_MINES: Final = 10_000


@dataclass(frozen=True)
class Sizes:
    """Sizes of the page, in points."""

    icon: int = 20
    """Side of a tile of the palette, in points."""
    small: int = 480
    """Longer side of the scaled-down picture in pixels."""
    wide: int = 640
    """Width in points from which the picture fits beside the board."""
    width: int = 220
    """Width in points of the picture beside the board."""
    largest: int = 200
    """Largest height in points of the picture."""
    low: int = 56
    """Height in points of the list of boards above the board."""
    least_board: int = 220
    """Least size in points of a readable Expert board."""
    text_height: int = 132
    """Height in points of the description, which scrolls: constant, so that the board stays."""


_SIZE: Final = Sizes()

_SHOWN_MOVES: Final = 6
"""Number of moves that are listed; the others are counted."""
_LEAVING: Final = Leaving(
    "Leave it open",
    "Leave it open",
    "Leave it open: nothing is proved on a board with an unknown tile",
    "Neither its shape nor the rules of the game identify it. Your answer holds for this picture; "
    "'Teach this skin' keeps it.",
)
_HELP: Final = (
    "Open a screenshot (Ctrl+O), drop one here, or paste it (Ctrl+V): every board in it is read. "
    "Or set up a position: left click counts a cell up, right click flags."
)


class AnalyseSurface(QWidget):
    """The page's content; the page handles its signals.

    Signals:
        level_chosen(str): A new board of this level is wanted.
        tile_chosen(object): The tile to paint, or CYCLE; None to try cells.
    """

    level_chosen = pyqtSignal(str)
    tile_chosen = pyqtSignal(object)

    def __init__(self, page: QWidget, jobs: Jobs) -> None:
        super().__init__(page)
        self.new = widgets.named_button(
            "&New", "New", "Begin with a covered board, or a saved position"
        )
        self.open = widgets.KeyedButton(
            "&Open …", "Open a screenshot, or a file of positions", "Ctrl+O"
        )
        self.open.setProperty("primary", True)
        self.paste = widgets.KeyedButton(
            "&Paste", "Paste a screenshot, or a position as text", "Ctrl+V"
        )
        self.copy = widgets.KeyedButton("&Copy", "Copy this position as text", "Ctrl+C")
        self.save = widgets.KeyedButton("&Save …", "Save this position", "Ctrl+S")
        self.undo = widgets.KeyedButton("&Undo", "Undo", "Ctrl+Z")
        self.redo = widgets.KeyedButton("&Redo", "Redo", "Ctrl+Y")
        self.more = widgets.named_button(
            "Pict&ure", "Picture", "Save or copy the picture with the probabilities"
        )
        self.saved = self._action("A &saved position …", "Ctrl+L")
        self.save_picture = self._action("&Save annotated …", "Ctrl+E")
        self.copy_picture = self._action("&Copy annotated", "Ctrl+I")
        self.learn = self._action("&Teach this skin …", "Ctrl+T")
        self.rows, self.cols = widgets.NumberBox(1, MOST), widgets.NumberBox(1, MOST)
        self.mines = widgets.NumberBox(0, MOST, least_text="?")
        self.palette_buttons: dict[int | None, QPushButton] = {}
        self.job, self.picture, self.view = JobBar(), PicturePane(), BoardView()
        self.layers, self.teach = LayerSwitch(), TeachPage(_LEAVING)
        self.think = ThinkLonger(self.view, jobs)
        self.title = widgets.wrapped_label("The position")
        self.reason, self.moves = CellLabel("The best move"), CellLabel("Best moves")
        self.line, self.remarks = (
            CellLabel("The best line"),
            widgets.explanation("More about this board"),
        )
        for label in (self.reason, self.moves, self.line):
            label.highlight_on(self.view)
        self.reason.setText("The position is being analysed.")
        self._contradicting: tuple[Cell, ...] = ()
        """The marked hints."""
        self._pictured_layers = Show.BOTH
        """The layers that the user chose for positions with a picture."""
        self._prepare()
        self._lay_out(page)
        on_theme_change(self._draw_icons)

    def show_scene(self, scene: Scene) -> None:
        """Show a position whose analysis is not known yet.

        Unchanged hints that contradicted each other stay marked until then: marks would flicker.
        """
        item, board = scene.item, scene.board
        shown = self.view.turn.reading.board if self.view.turn is not None else board
        same = board.tiles.shape == shown.tiles.shape
        kept = tuple(one for one in self._contradicting if same and board[one] == shown[one])
        self._show_turn(item, Turn(0, item.reading, None, ()), kept)
        self._show_question(shown=False)
        layers = self._pictured_layers if item.pictured else Show.PARSED
        self.view.set_layers(layers)
        self.layers.buttons[layers].setChecked(True)
        self.layers.setVisible(item.pictured)
        values = ((self.rows, board.rows), (self.cols, board.cols), (self.mines, board.mines))
        for field, value in values:
            with QSignalBlocker(field):
                if field is self.mines:
                    field.setMaximum(min(board.tiles.size, _MOST_MINES))
                field.setValue(value)
        self.title.setText(_title(item))
        self.remarks.setText(_remarks(scene))
        self.remarks.setVisible(bool(self.remarks.text()))
        self.picture.show_scene(scene)
        self.more.setVisible(scene.frame is not None)
        self.save_picture.setVisible(scene.frame is not None)
        self.copy_picture.setVisible(scene.frame is not None)
        self.learn.setVisible(item.seen is not None and bool(item.seen.skin.learned))
        self._place_picture()

    def show_position(self, item: Item, position: Position) -> None:
        """Show the analysis of a position, or why it has none."""
        turn, why = position.turn, position.trouble
        self._show_turn(item, turn, position.hints)
        if turn.analysis is not None:
            why = widgets.sentence(explain(turn.reading.board, turn.analysis).reason)
            if turn.analysis.best is not None:
                best = turn.analysis.best.position_text.capitalize()
                why = f"{best}: {why[:1].lower()}{why[1:]}"
        self.reason.setText(why)
        self.moves.setText(_moves_text(turn.moves))
        # The reason names the first one.
        self.moves.setVisible(len(turn.moves) > 1)
        self.line.hide()

    def show_line(self, steps: Sequence[Step]) -> None:
        """Show the moves that may follow."""
        numbered = [f"{number}. {_step_text(step)}" for number, step in enumerate(steps, 1)]
        self.line.setText("Best line: " + "; ".join(numbered) + ".")
        self.line.setVisible(bool(numbered))

    def ask(self, item: Item, question: Question) -> None:
        """Ask for a tile's label in place of the board."""
        reading = item.source
        self._show_question(shown=True)
        self.teach.ask(question, around_in(reading.frame, reading.grid, question.cells[0]))

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Show the picture only if there is room."""
        super().resizeEvent(event)
        self._place_picture()

    def _show_turn(self, item: Item, turn: Turn, contradicting: tuple[Cell, ...]) -> None:
        self._contradicting = contradicting
        self.view.show_turn(turn, contradicting=contradicting, corrected=item.corrected)

    def _show_question(self, *, shown: bool) -> None:
        answered = not shown and self.teach.isVisible()
        self._board.setVisible(not shown)
        self.teach.setVisible(shown)
        if answered:
            self.view.setFocus()

    def _place_picture(self) -> None:
        """Place the picture beside the board; in a narrow window only the list is shown, above."""
        wide = self.width() >= _SIZE.wide
        way = QHBoxLayout.Direction
        self._beside.setDirection(way.LeftToRight if wide else way.TopToBottom)
        self.picture.set_wide(wide=wide)

    def _lay_out(self, page: QWidget) -> None:
        tools = [self.new, self.open, self.paste, self.copy, self.save]
        tools += [self.undo, self.redo, self.more]
        size, mines = QWidget(), QWidget()
        widgets.lay_row(self.cols, QLabel("×"), self.rows, on=size)  # noqa: RUF001
        widgets.lay_row(QLabel("Mines"), self.mines, on=mines)
        palette = list(self.palette_buttons.values())
        self.view.setMinimumHeight(_SIZE.least_board)
        self._board = BoardArea(self.view, Legend(self.view), self.think, self.layers)
        self.teach.hide()
        self._beside = widgets.lay_row(self.picture, (self._board, 1), (self.teach, 1))
        card = QFrame()
        card.setProperty("card", True)
        self.title.setProperty("heading", True)
        texts = (self.title, self.reason, self.moves, self.line, self.remarks)
        widgets.lay_column(*texts, 1, on=card, margins=SPACE, gap=4)
        below = widgets.scrolled(card)
        below.setFixedHeight(_SIZE.text_height)
        parts = (
            widgets.Flow(*tools),
            self.job,
            widgets.Flow(*palette, size, mines, gap=SPACE // 2),
            (self._beside, 1),
            below,
        )
        widgets.lay_column(*parts, on=self, margins=widgets.PAGE_MARGINS)
        # A low window scrolls: the board must not be covered.
        widgets.lay_column(widgets.scrolled(self), on=page)

    def _action(self, text: str, key: str) -> QAction:
        action = QAction(text, self)
        action.setShortcut(key)
        self.addAction(action)
        return action

    def _prepare(self) -> None:
        menu, more = QMenu(self), QMenu(self)
        for name, level in LEVELS.items():
            text = f"&{name.capitalize()}: {level.cols} × {level.rows}, {level.mines} mines"  # noqa: RUF001
            action = QAction(text, menu)
            action.triggered.connect(lambda _checked, name=name: self.level_chosen.emit(name))
            menu.addAction(action)
        menu.addAction(self.saved)
        more.addActions([self.save_picture, self.copy_picture, self.learn])
        for button, shown in ((self.new, menu), (self.more, more)):
            button.setMenu(shown)
            # If a key opened the menu, Qt does not paint the button again when it closes.
            shown.aboutToHide.connect(button.update)
        for button in (self.undo, self.redo):
            button.setEnabled(False)
        self.layers.chosen.connect(self._choose_layers)
        group = QButtonGroup(self)
        for tile in (CYCLE, *_TILES, None):
            self._add_tile(tile, group)
        for field, name in ((self.rows, "rows"), (self.cols, "columns"), (self.mines, "mines")):
            field.setKeyboardTracking(False)
            widgets.name_control(field, f"Number of {name}")

    def _choose_layers(self, show: Show) -> None:
        self._pictured_layers = show
        self.view.set_layers(show)

    def _add_tile(self, tile: int | None, group: QButtonGroup) -> None:
        button = QPushButton()
        button.setCheckable(True)
        button.setChecked(tile == CYCLE)
        button.setIconSize(QSize(_SIZE.icon, _SIZE.icon))
        if tile is None:
            button.setText("&What if")
            tip = "Click a covered cell to see what it may show, and choose one (W on the board)"
            widgets.name_control(button, "What if", tip)
        elif tile == CYCLE:
            button.setText("1, 2, 3 …")
            tip = "Left click: 1, 2, 3 and so on. Right click: flag. Digits set the cell too"
            widgets.name_control(button, "Count up", tip)
        else:
            name = _NAMES.get(tile, f"the number {tile}")
            key = _KEYS.get(tile, str(tile))
            widgets.name_control(button, f"Paint: {name}", f"Paint: {name} ({key} on the board)")
            button.setProperty("tile", True)
        button.clicked.connect(lambda _checked, tile=tile: self.tile_chosen.emit(tile))
        group.addButton(button)
        self.palette_buttons[tile] = button

    def _draw_icons(self) -> None:
        look = look_named(current_theme().look)
        for tile, button in self.palette_buttons.items():
            if tile is None or tile == CYCLE:
                continue
            button.setIcon(QIcon(widgets.tile_pixmap(tile, look, _SIZE.icon)))


class Brush(Pointing):
    """Turns the mouse and the keys on a board view into tiles.

    The left button steps a cell to its next tile, paints the chosen tile, or asks what a cell may
    show; the right one flags, or takes a flag away. A stroke paints what its first cell becomes.

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


class PicturePane(QWidget):
    """The whole picture, the tile that is pointed at, and the boards of the picture.

    Signals:
        chosen(int): The number of the selected board.
    """

    chosen = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self.overview, self.list = Overview(), QListWidget()
        self.tile = TileView("The tile in the picture: in the frame")
        widgets.name_control(
            self.list, "Boards in the picture", "The boards in the picture: choose one"
        )
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Without the list, the rest stays at the top.
        widgets.lay_column(
            self.overview, widgets.lay_row(1, self.tile, 1), (self.list, 100), 1, on=self
        )
        self.list.currentRowChanged.connect(self.chosen)
        self.overview.chosen.connect(self.list.setCurrentRow)
        self._scene: Scene | None = None
        self._framed: Frame | None = None
        self._pointed = False

    def show_scene(self, scene: Scene) -> None:
        """Show the picture of a scene and list its boards."""
        self._scene = scene
        if scene.frame is None:
            self._framed = None
            return
        if scene.frame is not self._framed:
            self._framed, self._pointed = scene.frame, False
            boards = (item.source.grid.region for item in scene.items)
            self.overview.show_boards(scene.frame, boards)
        with QSignalBlocker(self.list):
            self.list.clear()
            self.list.addItems(
                f"{number}. {summary(item)}" for number, item in enumerate(scene.items, 1)
            )
            self.list.setCurrentRow(scene.number)
        self.overview.mark(scene.number)

    def point_at(self, cell: Cell | None) -> None:
        """Show a tile of the selected board as it is in the picture; the last one stays."""
        scene = self._scene
        if cell is not None and scene is not None and scene.frame is not None:
            around = around_in(scene.frame, scene.item.source.grid, cell)
            self.tile.show_tile(around.picture, around.tile)
            self._pointed = True
            self.tile.setVisible(not self.overview.isHidden())

    def set_wide(self, *, wide: bool) -> None:
        """Show everything beside the board, or only the list of several boards above it."""
        scene = self._scene
        framed = scene is not None and scene.frame is not None
        several = scene is not None and len(scene.items) > 1
        self.setVisible(framed and (wide or several))
        self.list.setVisible(several)
        self.overview.setVisible(wide)
        self.tile.setVisible(wide and self._pointed)
        self.setMinimumWidth(_SIZE.width if wide else 0)
        self.setMaximumSize(
            *((_SIZE.width, widgets.ANY_SIZE) if wide else (widgets.ANY_SIZE, _SIZE.low))
        )
        # Beside the board, a picture makes the page no higher.
        policy = QSizePolicy.Policy
        self.setSizePolicy(policy.Preferred, policy.Ignored if wide else policy.Fixed)


class Overview(PictureView):
    """A scaled-down picture with a frame around each board.

    Signals:
        chosen(int): The number of the board that was clicked.
    """

    chosen = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__("The whole picture")
        self._boards: Sequence[QRectF] = ()
        self._marked = 0
        self.setToolTip("The whole picture: click a board to choose it")
        self.setMinimumHeight(60)
        self.clicked.connect(self._choose)

    def show_boards(self, frame: Frame, boards: Iterable[Region]) -> None:
        """Show a picture and its boards."""
        picture = _small(frame)
        share = picture.width() / frame.image.shape[1]
        self._boards = [QRectF(*(share * edge for edge in board)) for board in boards]
        height = _SIZE.width * picture.height() // max(1, picture.width())
        self.setMaximumHeight(max(self.minimumHeight(), min(_SIZE.largest, height)))
        self.show_picture(picture, self._boards)

    def mark(self, number: int) -> None:
        """Mark the selected board."""
        self._marked = number
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size at the width of the pane."""
        return QSize(_SIZE.width, self.maximumHeight())

    def paint_frame(self, painter: QPainter, frame: QRectF, number: int) -> None:
        """Paint the frame of a board; that of the selected one has another colour."""
        color = CHOSEN if number == self._marked else QColor(current_theme().accent)
        for ink, width in ((QColor("#ffffff"), 4), (color, 2)):
            painter.setPen(QPen(ink, width))
            painter.drawRect(frame)

    def _choose(self, pixel: QPointF) -> None:
        number = next((n for n, board in enumerate(self._boards) if board.contains(pixel)), None)
        if number is not None:
            self.chosen.emit(number)


def _small(frame: Frame) -> QImage:
    """Return a picture scaled down; a large one is subsampled first."""
    step = max(1, max(frame.image.shape[:2]) // (4 * _SIZE.small))
    keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    return to_qimage(frame.image[::step, ::step]).scaled(_SIZE.small, _SIZE.small, keep, smooth)


def summary(item: Item) -> str:
    """Return a position's size, skin, mines and state as text."""
    board, seen = item.board, item.seen
    words = f"{board.cols} x {board.rows} cells" if seen is None else seen.title
    if not board.mines:
        return f"{words}: how many mines?"
    if UNREAD in board.tiles:
        return f"{words}, {board.mines} mines: not fully read"
    status = "" if seen is None else f", {item.reading.status.value}"
    return f"{words}, {board.mines} mines{status}"


def _title(item: Item) -> str:
    words, hidden = summary(item), int(item.board.unopened.sum())
    if item.seen is not None:
        from gui.analyse_image import header_text  # noqa: PLC0415

        words += header_text(item.source)
    flags = int((item.board.tiles == FLAG).sum())
    flagged = f", {flags} of them flagged: a flag is no proof" if flags else ""
    return f"{widgets.sentence(words)} {hidden} cells are covered{flagged}."


def _remarks(scene: Scene) -> str:
    """Return what else is known of a position, or what to do on an empty page."""
    reading, notes = scene.item.reading, list[str]()
    if scene.item.seen is not None:
        from gui.analyse_image import unread_lines  # noqa: PLC0415

        notes = [*unread_lines(reading), *reading.remarks, *scene.remarks]
    elif not scene.board.has_hints:
        notes = [_HELP]
    return " ".join(map(widgets.sentence, notes))


def _moves_text(moves: tuple[Move, ...]) -> str:
    lines = [f"{number}. {_move(move)}" for number, move in enumerate(moves[:_SHOWN_MOVES], 1)]
    if len(moves) > _SHOWN_MOVES:
        lines[-1] = f"and {len(moves) - _SHOWN_MOVES + 1} more"
    return " \N{MIDDLE DOT} ".join(lines)


def _move(move: Move) -> str:
    if move.cell is None:
        return "start the next game"
    risk = "safe" if move.risk == 0 else f"{percent(move.risk, 1)} risk"
    verb = {Action.OPEN: "open", Action.FLAG: "flag", Action.CHORD: "chord"}[move.action]
    return f"{verb} {move.cell.position_text}: {risk}"


def next_tile(tile: int) -> int:
    """Return the tile after this one: covered, 1 to 8, 0, and covered again."""
    if tile == COVERED:
        return 1
    if 1 <= tile < 8:
        return tile + 1
    return 0 if tile == 8 else COVERED


def _step_text(step: Step) -> str:
    risk = "safe" if step.risk == 0 else f"{percent(step.risk, 1)} risk"
    certain = step.chance > 0.999
    shows = (
        f"shows {step.value}" if certain else f"most likely {step.value} ({percent(step.chance)})"
    )
    return f"{step.cell.position_text} ({risk}), {shows}"
