"""The timeline above the slider, with a session's guesses and its end."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PyQt6.QtWidgets import QSizePolicy, QStyle, QToolTip, QWidget

from bot.frame import Status
from gui.panel.marks import probability_color
from gui.panel.theme import current_theme
from gui.replay.film import Film

_HEIGHT: Final = 18
_LEAST: Final = 6.0
"""Height in points of a guess without risk; one of 50 % and more has the full height."""


def risk_color(risk: float) -> QColor:
    """Return the colour of a guess; the scale ends at 50 %, as few guesses exceed it."""
    return probability_color(min(1.0, 2 * risk))


class Timeline(QWidget):
    """A timeline with a bar per guess in its risk's colour, and the result at the end.

    Signals:
        chosen(int): A turn was clicked.
    """

    chosen = pyqtSignal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._film: Film | None = None
        self._risks: dict[int, float] = {}
        self._at = 0
        self.setAccessibleName("Guesses along the game")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def open(self, film: Film | None) -> None:
        """Show another session."""
        self._film, self._at = film, 0
        self._risks = {}
        if film is not None:
            moves = {turn: film.guess(turn) for turn in film.guesses()}
            self._risks = {
                turn: 0.0 if film.opening(turn) else move.risk
                for turn, move in moves.items()
                if move
            }
            count = len(self._risks)
            guesses = f"{count} guess{'' if count == 1 else 'es'}"
            self.setAccessibleDescription(f"{len(film)} turns, {guesses}, {film.end.value}")
        self.update()

    def go(self, turn: int) -> None:
        """Mark the current turn."""
        self._at = turn
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of a low line."""
        return QSize(200, _HEIGHT)

    def x_of(self, turn: int) -> float:
        """Return the position of a turn in points, aligned with the slider's handle."""
        last = max(1, (len(self._film) if self._film else 1) - 1)
        return self._inset + turn * (self.width() - 2 * self._inset) / last

    def turn_at(self, x: float) -> int:
        """Return the turn nearest to a position, preferring a guess within a few points."""
        if self._film is None:
            return 0
        near = min(self._risks, key=lambda turn: abs(self.x_of(turn) - x), default=None)
        if near is not None and abs(self.x_of(near) - x) <= 4:
            return near
        last = len(self._film) - 1
        share = (x - self._inset) / max(1.0, self.width() - 2 * self._inset)
        return min(max(round(share * last), 0), last)

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Paint the line, the guesses, the end, and the current turn."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = self.height() - 2.0
        painter.setPen(QPen(QColor(current_theme().border), 1))
        painter.drawLine(
            round(self._inset), round(ground), round(self.width() - self._inset), round(ground)
        )
        if self._film is None:
            return
        for turn, risk in self._risks.items():
            height = _LEAST + (ground - _LEAST) * min(1.0, risk / 0.5)
            bar = QRectF(self.x_of(turn) - 2.5, ground - height, 5, height)
            painter.setPen(QPen(QColor(current_theme().text), 1))
            # Only the first click has no known risk.
            painter.setBrush(risk_color(risk) if risk else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(bar, 1, 1)
        self._paint_end(painter, ground)
        painter.setPen(QPen(QColor(current_theme().accent), 2))
        painter.drawLine(round(self.x_of(self._at)), 0, round(self.x_of(self._at)), self.height())
        painter.end()

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Emit the clicked turn."""
        if event is not None and self._film is not None:
            self.chosen.emit(self.turn_at(event.position().x()))

    def event(self, event: QEvent | None) -> bool:
        """Show a tooltip for the turn under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.told_at(event.pos().x()), self)
            return True
        return super().event(event)

    def told_at(self, x: float) -> str:
        """Return a description of the turn at a position."""
        if self._film is None:
            return ""
        turn = self.turn_at(x)
        risk = self._risks.get(turn)
        end = self._film.session.records[turn].status
        if risk is not None:
            return f"Turn {turn}: " + (f"a guess, {risk:.1%} risk" if risk else "the first click")
        return f"Turn {turn}: {end.value}" if end.over else f"Turn {turn}"

    @property
    def _inset(self) -> float:
        style = self.style()
        metric = QStyle.PixelMetric.PM_SliderLength
        return style.pixelMetric(metric, None, self) / 2 if style is not None else 0.0

    def _paint_end(self, painter: QPainter, ground: float) -> None:
        """Paint a cross for a loss, a dot for a win."""
        if self._film is None or self._film.end not in (Status.WON, Status.LOST):
            return
        x, y = self.x_of(len(self._film) - 1), ground / 2
        won = self._film.end is Status.WON
        color = QColor(current_theme().accent if won else current_theme().danger)
        painter.setPen(QPen(color, 2.5, cap=Qt.PenCapStyle.RoundCap))
        painter.setBrush(color)
        if won:
            painter.drawEllipse(QRectF(x - 3, y - 3, 6, 6))
            return
        for sign in (-1, 1):
            painter.drawLine(QPointF(x - 4, y - 4 * sign), QPointF(x + 4, y + 4 * sign))
