"""Paints one Turn: the captured frame, the parsed board over it, and the solver's results.

The board is laid out on whole device pixels with equal cells, so that every tile and mark is drawn
once per size and then copied. A repaint of an Expert board has to take less than 33 ms, because the
player needs the processor too. Below it are a legend of its marks and the choice of its layers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from math import floor
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, QSizeF, Qt, pyqtSignal
from PyQt6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PyQt6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QLabel,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from bot.analysis import NO_EVIDENCE
from bot.assist.watcher import WatchedTurn
from bot.board import COVERED, FLAG, TILE_CODES, UNREAD, Cell
from bot.frame import Grid, Reading, Region
from bot.loop import Turn
from bot.solver.explain import explain
from gui.images import to_qimage
from gui.looks import look_named, paint_tile
from gui.panel import widgets
from gui.panel.marks import (
    draw_in_pixels,
    paint_chip,
    paint_chips,
    paint_cursor,
    paint_done,
    paint_evidence,
    paint_flags,
    paint_move,
    paint_reason_hint,
    paint_thoughts,
    paint_unsure,
    probability_color,
    text_on,
    unsure,
)
from gui.panel.theme import SPACE, current_theme
from gui.tile_sheet import NOTHING, Canvas, TileSheet, blank

LARGEST_CELL: Final = 44.0
"""Largest side of a cell in points, so that a small board does not fill a large window."""


@dataclass(frozen=True)
class Sizes:
    """Sizes of the view, in points."""

    edge: float = 5.0
    """Points around the board, in which the cursor's frame is drawn."""
    legend_gap: int = 4
    """Points between a symbol and its meaning; at the initial width all entries fit in one line."""
    explained: int = 110
    """Least height in points of a board that has a legend below it."""


_SIZE: Final = Sizes()

_TRAIL: Final = 3
"""Number of past turns whose moves are still marked, with fading colour."""
_FIRST: Final = -min(TILE_CODES)
_PaintSign: TypeAlias = Callable[[QPainter, QRectF], None]
_SCALE_MARKS: Final = ("0", "50", "100")
"""Percentages on the scale's bar."""
_WORTH: Final = 1.2
"""How much larger a board must be with its buttons beside it instead of below."""
_STEPS: Final = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
_ENDS: Final = (QEvent.Type.FocusOut, QEvent.Type.Hide)
_CURSOR: Final = "The arrow keys move a cursor, which says each cell"
_DESCRIPTION: Final = (
    "Numbers are the probability of a mine in percent, light for low and dark for high. "
    "A tick marks a cell proved safe, a cross a proved mine, a ring the next moves, a faint ring "
    "the last ones, a dotted frame the cells that the reason names. A dashed frame marks a cell "
    "that was read with low "
    "confidence; its corner shows what was read."
)


class Show(Enum):
    """The layers of a turn that are painted."""

    FRAME = "captured"
    """The game's picture alone."""
    PARSED = "read"
    """The board as it was read, with the solver's results for its covered cells."""
    BOTH = "both"
    """The game's picture with the solver's results and the low-confidence marks."""


@dataclass(frozen=True)
class Place:
    """The position of a turn's drawing, in the widget's points."""

    board: QRectF
    frame: QRectF
    cell_width: float
    cell_height: float
    rows: int
    cols: int
    numbered: bool = False
    """Whether there is space for the numbers of rows and columns."""

    def cell(self, cell: Cell) -> QRectF:
        """Return the rectangle of one cell."""
        return QRectF(
            self.board.left() + cell.col * self.cell_width,
            self.board.top() + cell.row * self.cell_height,
            self.cell_width,
            self.cell_height,
        )

    def cell_at(self, point: QPointF) -> Cell | None:
        """Return the cell under a point, or None outside the board.

        The board's lower and right edges are outside.
        """
        row = floor((point.y() - self.board.top()) / self.cell_height)
        col = floor((point.x() - self.board.left()) / self.cell_width)
        inside = 0 <= row < self.rows and 0 <= col < self.cols
        return Cell(row, col) if inside else None


class BoardView(QWidget):
    """A widget that shows the most recent turn.

    Signals:
        changed(): It shows another turn.
    """

    changed = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self._turn: Turn | None = None
        self.trail: deque[tuple[Cell, ...]] = deque(maxlen=_TRAIL)
        """The moves that were carried out most recently; the newest comes last."""
        self._why = True
        self._picture: QImage | None = None
        self._placed: tuple[tuple[QRectF, Grid, Region, float, QSizeF | None], Place] | None = None
        """The last position, cached because the next board is mostly drawn at the same place."""
        self._painted: tuple[object, QPixmap] | None = None
        """The background, and what it depends on."""
        self._tiles, self._corrections, self._chips = Canvas(), Canvas(), Canvas()
        self._show = Show.BOTH
        self._numbered = True
        self._cursor: Cell | None = None
        self._speakers: tuple[Cell, ...] = ()
        self._contradicting: tuple[Cell, ...] = ()
        self._corrected: NDArray[np.bool_] | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Board")
        self.setAccessibleDescription(_CURSOR)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    @property
    def turn(self) -> Turn | None:
        """The turn that is shown."""
        return self._turn

    @property
    def unsure(self) -> bool:
        """Whether a cell of the turn was read with low confidence."""
        return self._turn is not None and bool(unsure(self._turn.reading).any())

    @property
    def layers(self) -> Show:
        """The layers that are painted."""
        return self._show

    def show_turn(
        self,
        turn: Turn | None,
        *,
        why: bool = True,
        contradicting: tuple[Cell, ...] = (),
        corrected: NDArray[np.bool_] | None = None,
    ) -> None:
        """Show another turn; None for nothing.

        Args:
            turn: The turn.
            why: Also show the cells of its explanation. That takes longer than all the rest and is
                useless for turns that are shown only briefly.
            contradicting: The hints that contradict each other, marked as long as it is shown.
            corrected: (rows, cols), the cells that the user corrected: their tiles are painted over
                the picture.
        """
        self._leave_trail(turn)
        self._turn, self._why = turn, False
        self._contradicting, self._corrected = contradicting, corrected
        self._picture = None
        if why:
            self.show_explanation()
        self.update()
        self.changed.emit()

    def show_explanation(self) -> None:
        """Show the cells of this turn's explanation."""
        self._why = True
        self.describe()
        self.update()

    def describe(self, cell: str = "") -> None:
        """Describe the turn, or the inspected cell, to screen readers."""
        turn, words = self._turn, cell
        if turn is not None and not cell:
            board = turn.reading.board
            why = f": {explain(board, turn.analysis).reason}" if turn.analysis else ""
            words = f"{board.cols} columns, {board.rows} rows, {turn.reading.status.value}{why}"
        self.setAccessibleDescription(words or _CURSOR)

    def light_up(self, cursor: Cell | None, speakers: tuple[Cell, ...] = ()) -> None:
        """Mark the inspected cell and the hints that determine it."""
        if (cursor, speakers) != (self._cursor, self._speakers):
            self._cursor, self._speakers = cursor, speakers
            self.update()

    def _leave_trail(self, turn: Turn | None) -> None:
        """Add the previous turn's moves to the trail if this is the same game."""
        last = self._turn
        if turn is not None and turn.reading.status.over:
            # At the end of a game the board matters, not the last moves.
            self.trail.clear()
        elif isinstance(turn, WatchedTurn):
            # Its moves are advice; the user's own moves are shown separately.
            if turn.number == 0:
                self.trail.clear()
            done = tuple(one.move.cell for one in turn.verdicts if one.move.cell is not None)
            self.trail.extend([done] if done else [])
        elif turn is None or last is None or turn.number < last.number:
            self.trail.clear()
        elif turn.number > last.number:
            self.trail.append(tuple(move.cell for move in last.moves if move.cell is not None))

    def set_layers(self, show: Show) -> None:
        """Choose what is painted of a turn."""
        self._show = show
        self.update()

    def set_numbered(self, numbered: bool) -> None:
        """Choose whether rows and columns have numbers, from 1, where cells are large enough."""
        self._numbered = numbered
        self.update()

    def sizeHint(self) -> QSize:
        """Return a small size; the board takes the space that the rest leaves."""
        return QSize(480, 275)

    def minimumSizeHint(self) -> QSize:
        """Return a small size: of all parts of a low window the board shrinks first."""
        return QSize(300, 24)

    def place(self) -> Place | None:
        """Return where the turn is drawn, or None without a turn."""
        if self._turn is None:
            return None
        reading = self._turn.reading
        shown = reading.grid.region if self._show is Show.PARSED else _view(reading)
        numbers = None
        if self._numbered:
            metrics = QFontMetricsF(self._number_font())
            widest = "0" * len(str(max(reading.grid.rows, reading.grid.cols)))
            numbers = QSizeF(metrics.horizontalAdvance(widest) + _SIZE.edge, metrics.height())
        area = self.rect().toRectF().adjusted(_SIZE.edge, _SIZE.edge, -_SIZE.edge, -_SIZE.edge)
        asked = (area, reading.grid, shown, self.devicePixelRatioF(), numbers)
        if self._placed is None or self._placed[0] != asked:
            self._placed = asked, _placed(*asked)
        return self._placed[1]

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Paint everything, in four layers."""
        painter = QPainter(self)
        place = self.place()
        painter.drawPixmap(0, 0, self._background(place))
        if self._turn is not None and place is not None:
            self._paint_tiles(painter, self._turn.reading, place)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self._show is not Show.FRAME:
                self._paint_thoughts(painter, self._turn, place)
            self._paint_cursor(painter, place)
        if self.hasFocus():
            painter.setPen(QPen(QColor(current_theme().accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        painter.end()

    def _paint_tiles(self, painter: QPainter, reading: Reading, place: Place) -> None:
        if self._show is not Show.PARSED:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(place.frame, self._frame_picture(reading))
        if self._show is Show.FRAME:
            return
        keys = reading.board.tiles.astype(np.int64) + _FIRST
        layers = [(True, self._tiles, keys)]
        if self._show is Show.BOTH:
            layers = [(False, self._tiles, np.where(unsure(reading), keys, NOTHING))]
            if self._corrected is not None and self._corrected.any():
                corrected = np.where(self._corrected, keys, NOTHING)
                layers.append((True, self._corrections, corrected))
        ratio = self.devicePixelRatioF()
        width, height = round(place.cell_width * ratio), round(place.cell_height * ratio)
        for whole, canvas, shown in layers:
            tiles = _tiles(current_theme().look, width, height, whole)
            laid_out = tiles.laid_out(shown, canvas)
            draw_in_pixels(painter, (laid_out, place.board.topLeft()))

    def _paint_thoughts(self, painter: QPainter, turn: Turn, place: Place) -> None:
        for age, cells in enumerate(reversed(self.trail)):
            paint_done(painter, [place.cell(cell) for cell in cells], 1 - age / _TRAIL)
        if turn.analysis is None:
            return
        chances = turn.analysis.mine_probability
        paint_chips(painter, chances, place.board, self._chips)
        flagged = np.argwhere((turn.reading.board.tiles == FLAG) & ~np.isnan(chances))
        flags = [place.cell(Cell(*map(int, cell))) for cell in flagged]
        paint_flags(painter, flags, look_named(current_theme().look))
        evidence = explain(turn.reading.board, turn.analysis).evidence if self._why else NO_EVIDENCE
        paint_thoughts(painter, turn.moves, place.cell, evidence=evidence)

    def _number_font(self) -> QFont:
        font = self.font()
        font.setPixelSize(max(1, round(0.85 * QFontInfo(font).pixelSize())))
        return font

    def _background(self, place: Place | None) -> QPixmap:
        """Return the canvas with the numbers of rows and columns, cached for the next turn."""
        theme, ratio = current_theme(), self.devicePixelRatioF()
        wanted = self.size(), ratio, self.font(), theme, place
        if self._painted is None or self._painted[0] != wanted:
            picture = QPixmap(self.size() * ratio)
            picture.setDevicePixelRatio(ratio)
            picture.fill(QColor(theme.canvas))
            if place is not None and place.numbered:
                with QPainter(picture) as painter:
                    self._paint_numbers(painter, place)
            self._painted = wanted, picture
        return self._painted[1]

    def _paint_numbers(self, painter: QPainter, place: Place) -> None:
        """Paint the numbers of the rows on the left and those of the columns below."""
        painter.setFont(self._number_font())
        painter.setPen(QColor(current_theme().muted))
        area = place.frame.united(place.board)
        for row in range(place.rows):
            cell = place.cell(Cell(row, 0))
            cell.setLeft(0.0)
            cell.setRight(area.left() - _SIZE.edge)
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(cell, right, str(row + 1))
        for col in range(place.cols):
            cell = place.cell(Cell(0, col))
            cell.setTop(area.bottom())
            cell.setBottom(self.height())
            top = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
            painter.drawText(cell, top, str(col + 1))

    def _paint_cursor(self, painter: QPainter, place: Place) -> None:
        # The hints of an inspected cell would look as if they were among the contradicting ones.
        for cell in self._contradicting or self._speakers:
            paint_reason_hint(painter, place.cell(cell))
        if self._cursor is not None:
            paint_cursor(painter, place.cell(self._cursor))

    def _frame_picture(self, reading: Reading) -> QImage:
        """Return the visible part of the frame, converted once per turn."""
        if self._picture is None:
            frame = reading.frame
            view = _view(reading)
            left, top = view.left - frame.region.left, view.top - frame.region.top
            rows = slice(round(top * frame.scale), round((top + view.height) * frame.scale))
            cols = slice(round(left * frame.scale), round((left + view.width) * frame.scale))
            self._picture = to_qimage(frame.image[rows, cols])
        return self._picture


@lru_cache(maxsize=8)
def _tiles(look: str, width: int, height: int, whole: bool) -> TileSheet:
    """Return all tiles of a size in pixels: whole, or as low-confidence marks."""

    def draw(key: int) -> QImage:
        image = blank(width, height)
        painter = QPainter(image)
        paint = paint_tile if whole else paint_unsure
        paint(painter, key - _FIRST, image.rect().toRectF(), look_named(look))
        painter.end()
        return image

    return TileSheet(draw, width, height)


def _view(reading: Reading) -> Region:
    """Return the region of the board, its face and its counters that lies within the frame."""
    region = reading.frame.region
    return reading.grid.view.intersection(region) or region


def _placed(
    area: QRectF, grid: Grid, shown: Region, ratio: float, numbers: QSizeF | None = None
) -> Place:
    """Return the largest placement with whole-pixel cells whose surroundings still fit.

    Args:
        area: Of the widget, without its edge, in points.
        grid: Of the board.
        shown: What is shown of its surroundings.
        ratio: Pixels a point.
        numbers: Size of the largest number of a row or column; None for none. They are left out
            if they would not fit beside the cells.
    """
    if numbers is not None:
        room = area.adjusted(numbers.width(), 0, 0, -numbers.height())
        place = _placed(room, grid, shown, ratio)
        if place.cell_width >= numbers.width() and place.cell_height >= numbers.height():
            return replace(place, numbered=True)
    wide, high = grid.mean_pitch
    scale = min(
        area.width() / shown.width, area.height() / shown.height, LARGEST_CELL / max(wide, high)
    )
    cell_width = max(1, int(wide * scale * ratio)) / ratio
    cell_height = max(1, int(high * scale * ratio)) / ratio
    across, down = cell_width / wide, cell_height / high
    frame = QRectF(0, 0, shown.width * across, shown.height * down)
    frame.moveCenter(area.center())
    left = round((frame.left() + (grid.left - shown.left) * across) * ratio) / ratio
    top = round((frame.top() + (grid.top - shown.top) * down) * ratio) / ratio
    frame.moveTo(left - (grid.left - shown.left) * across, top - (grid.top - shown.top) * down)
    board = QRectF(left, top, cell_width * grid.cols, cell_height * grid.rows)
    return Place(board, frame, cell_width, cell_height, grid.rows, grid.cols)


class Pointing(QObject):
    """A tracker of the current cell of a board view; subclasses also handle its mouse and keys.

    Args:
        view: The board view.
        modifier: Held while arrow keys move the cursor, if they have another meaning alone.
        keeps_escape: Whether Escape does nothing else while there is a cursor.

    Signals:
        pointed(Cell | None): The current cell changed; None for none.
    """

    pointed = pyqtSignal(object)

    def __init__(
        self,
        view: BoardView,
        modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
        *,
        keeps_escape: bool = True,
    ) -> None:
        super().__init__(view)
        self._modifier, self._keeps_escape = modifier, keeps_escape
        self.cell: Cell | None = None
        """The current cell."""
        self._view = view
        self._by_keys = False
        view.setMouseTracking(True)
        view.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        view.installEventFilter(self)

    def eventFilter(  # noqa: N802 - Qt's name
        self, watched: QObject | None, event: QEvent | None
    ) -> bool:
        """Handle the view's mouse and key events."""
        if event is None or watched is not self._view:
            return False
        kind = event.type()
        if isinstance(event, QMouseEvent):
            place = self._view.place()
            cell = place.cell_at(event.position()) if place is not None else None
            if kind is QEvent.Type.MouseMove:
                self._mean(cell, by_keys=False)
            self.handle_mouse(event, cell)
        elif kind is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._press(event) or self.handle_key(event, _held(event))
        elif kind is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            return self._override(event)
        elif kind in _ENDS or (kind is QEvent.Type.Leave and not self._by_keys):
            self.leave()
        return False

    def handle_mouse(self, event: QMouseEvent, cell: Cell | None) -> None:
        """Handle a press, release or move; no cell is None."""

    def handle_key(self, event: QKeyEvent, held: Qt.KeyboardModifier) -> bool:  # noqa: ARG002
        """Handle a key, held with these modifiers; return whether it was used."""
        return False

    def leave(self) -> None:
        """Clear the current cell."""
        self._mean(None, by_keys=False)

    def _override(self, event: QKeyEvent) -> bool:
        """Return whether the view handles a key, even if it is a shortcut elsewhere."""
        escape = Qt.Key(event.key()) is Qt.Key.Key_Escape
        if escape and not self._keeps_escape:
            self.leave()
            return False
        if (escape and self._by_keys) or self._step_of(event) is not None:
            event.accept()
            return True
        return False

    def _step_of(self, event: QKeyEvent) -> tuple[int, int] | None:
        """Return the rows and columns that an arrow key moves, or None for another key."""
        return _STEPS.get(Qt.Key(event.key())) if _held(event) == self._modifier else None

    def _press(self, event: QKeyEvent) -> bool:
        """Handle a key on the view; return whether it was used."""
        if Qt.Key(event.key()) is Qt.Key.Key_Escape and self._by_keys:
            self.leave()
            return True
        turn, step = self._view.turn, self._step_of(event)
        if turn is None or step is None:
            return False
        board, analysis = turn.reading.board, turn.analysis
        if self.cell is None:
            best = analysis.best if analysis is not None else None
            cell = best or Cell(0, 0)
        else:
            row, col = self.cell.row + step[0], self.cell.col + step[1]
            cell = Cell(min(max(row, 0), board.rows - 1), min(max(col, 0), board.cols - 1))
        self._mean(cell, by_keys=True)
        return True

    def _mean(self, cell: Cell | None, *, by_keys: bool) -> None:
        self._by_keys = by_keys
        if cell != self.cell:
            self.cell = cell
            self.pointed.emit(cell)


def _held(event: QKeyEvent) -> Qt.KeyboardModifier:
    """Return the modifiers of a key, without the keypad's."""
    return event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier


class Legend(QWidget):
    """One line with the scale and each mark's meaning; more lines if it is narrow.

    Args:
        view: The board view with the marks; a rare mark is explained only while it is shown.
    """

    def __init__(self, view: BoardView) -> None:
        super().__init__()
        done = _entry("done", _on_cell(lambda painter, place: paint_done(painter, [place], 1.0)))
        unsure = _entry("hard to read", _paint_unsure)
        entries = (
            _entry("% mine", _paint_scale, wide=True),
            _entry("safe", lambda painter, place: paint_chip(painter, place, 0.0)),
            _entry("mine", lambda painter, place: paint_chip(painter, place, 1.0)),
            _entry("next", _on_cell(paint_move)),
            _entry("reason", _on_cell(lambda painter, place: paint_evidence(painter, [place]))),
        )
        self.setLayout(widgets.Flow(*entries, done, unsure))

        def show_rare() -> None:
            done.setVisible(bool(view.trail))
            unsure.setVisible(view.unsure)

        view.changed.connect(show_rare)
        show_rare()
        self.setAccessibleName("Legend")
        self.setAccessibleDescription(_DESCRIPTION)
        self.setToolTip(widgets.tip_text(_DESCRIPTION))


def _entry(text: str, paint: _PaintSign, *, wide: bool = False) -> QWidget:
    """Return a sign with its meaning."""
    entry = QWidget()
    widgets.lay_row(_Sign(paint, wide=wide), QLabel(text), on=entry, gap=_SIZE.legend_gap)
    return entry


def _on_cell(paint: _PaintSign) -> _PaintSign:
    """Return the same sign on a covered cell, where it is as visible as on the board."""

    def paint_both(painter: QPainter, place: QRectF) -> None:
        paint_tile(painter, COVERED, place, look_named(current_theme().look))
        paint(painter, place)

    return paint_both


class _Sign(QWidget):
    """A sign as high as a line of text; a wide one has room for the marks of the scale."""

    def __init__(self, paint: _PaintSign, *, wide: bool) -> None:
        super().__init__()
        self._paint, self._wide = paint, wide
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return a square; the texts 50 and 100 of the scale do not touch."""
        side, width = self.fontMetrics().height() + 4, self.fontMetrics().horizontalAdvance
        bar = width(_SCALE_MARKS[1]) + 2 * width(_SCALE_MARKS[2]) + 4 * _SIZE.legend_gap
        return QSize(bar if self._wide else side, side)

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Paint the sign."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint(painter, self.rect().toRectF())


def _paint_scale(painter: QPainter, place: QRectF) -> None:
    bar = place.adjusted(1, 2, -1, -2)
    gradient = QLinearGradient(bar.topLeft(), bar.topRight())
    for step in range(11):
        gradient.setColorAt(step / 10, probability_color(step / 10))
    painter.setBrush(gradient)
    painter.setPen(QPen(QColor(current_theme().border), 1))
    painter.drawRoundedRect(bar, 3, 3)
    inner = bar.adjusted(4, 0, -4, 0)
    align = Qt.AlignmentFlag
    flags = (align.AlignLeft, align.AlignHCenter, align.AlignRight)
    for flag, text in zip(flags, _SCALE_MARKS, strict=True):
        painter.setPen(text_on(probability_color(int(text) / 100)))
        painter.drawText(inner, flag | Qt.AlignmentFlag.AlignVCenter, text)


def _paint_unsure(painter: QPainter, place: QRectF) -> None:
    paint_unsure(painter, UNREAD, place, look_named("flat"))


class LayerSwitch(QWidget):
    """A switch between frame, parsed board, and both.

    Args:
        page: Its keys work while this is visible; by default the switch itself.

    Signals:
        chosen(Show): Another one is to be shown.
    """

    chosen = pyqtSignal(object)

    def __init__(self, page: QWidget | None = None) -> None:
        super().__init__()
        self.buttons: dict[Show, QPushButton] = {}
        group = QButtonGroup(self)
        for number, (show, tip) in enumerate(
            (
                (Show.FRAME, "The captured picture, without marks"),
                (Show.PARSED, "The board as it was read, with probabilities"),
                (Show.BOTH, "The captured picture, with the probabilities of covered cells"),
            ),
            1,
        ):
            button = QPushButton(show.value.capitalize())
            button.setCheckable(True)
            button.setChecked(show is Show.BOTH)
            widgets.name_control(button, tip, f"{tip} (Ctrl+{number})")
            widgets.add_key(f"Ctrl+{number}", page or self, button.click)
            button.clicked.connect(lambda _checked, show=show: self.chosen.emit(show))
            group.addButton(button)
            self.buttons[show] = button
        widgets.lay_row(*self.buttons.values(), on=self, gap=2)


class BoardArea(QWidget):
    """A board view with its legend and buttons: below it, or beside it if it is larger so.

    The legend is hidden if the board needs its space.
    """

    def __init__(self, view: BoardView, legend: Legend, *beside: QWidget) -> None:
        super().__init__()
        self._view, self._legend, self._beside = view, legend, QWidget()
        self._shown_beside = beside
        self._buttons = widgets.lay_row(*beside, on=self._beside)
        self._under = QWidget()
        self._parts = widgets.lay_row((legend, 1), self._beside, on=self._under)
        self._whole = widgets.lay_column((view, 1), self._under, on=self)
        view.changed.connect(self._arrange)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Arrange the parts for the new size."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Place the parts, and show the legend if there is room for it."""
        sizes = [part.sizeHint() for part in self._shown_beside]
        high, wide = max(size.height() for size in sizes), max(size.width() for size in sizes)
        wide = max(wide, self._legend.minimumSizeHint().width())
        stacked = sum(size.height() + 2 for size in sizes)
        beside = stacked <= self.height() and self._is_larger(
            QSize(wide, 0), by=_WORTH, than=QSize(0, high)
        )
        down = QBoxLayout.Direction.TopToBottom if beside else QBoxLayout.Direction.LeftToRight
        across = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        if self._whole.direction() is not across:
            self._whole.setDirection(across)
            for layout in (self._buttons, self._parts):
                layout.setDirection(down)
        buttons = self._beside.sizeHint()
        if beside:
            room = self.height() - buttons.height() - SPACE
        else:
            wide = self.width() - buttons.width() - 2 * SPACE
            room = self.height() - max(_SIZE.explained, self._view.minimumHeight()) - SPACE
        self._buttons.setSpacing(SPACE if not beside or room >= 0 else 2)
        self._under.setMaximumWidth(wide if beside else widgets.ANY_SIZE)
        fits = wide >= self._legend.minimumSizeHint().width()
        self._legend.setVisible(fits and room >= self._legend.heightForWidth(wide))

    def _is_larger(self, less: QSize, *, by: float, than: QSize) -> bool:
        """Return whether the board is larger if its area is less by one size than by another."""
        turn = self._view.turn
        if turn is None:
            return False
        shown = _view(turn.reading)

        def scale(less: QSize) -> float:
            room = self.size() - less - QSize(SPACE, SPACE)
            return min(room.width() / shown.width, room.height() / shown.height)

        return scale(less) > by * scale(than)
