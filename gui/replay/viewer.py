"""The page's second view: one session, turn by turn."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np
from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PyQt6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from bot.frame import Frame
from bot.loop import Turn
from gui.panel.boardview import BoardArea, BoardView, LayerSwitch, Legend, Show
from gui.panel.cell_info import Inspector, Pointing
from gui.panel.icons import icon
from gui.panel.jobs import Jobs
from gui.panel.theme import SPACE, on_theme_change
from gui.panel.widgets import ElidedLabel, explanation, scrolled
from gui.replay.film import Film, FrameNews, Frames
from gui.replay.guesses import Side, Timeline
from gui.replay.playback import Playback, Transport
from gui.replay.session_list import detailed, titled
from vision.sessions.summaries import Summary

KEYS: Final = {"back": "Esc", "keep": "K", "export": "Ctrl+E", "side": "F9"}
_SIDE: Final = 300
"""Width in points of the side panel."""
_NARROW: Final = 720
"""Width in points below which the side panel replaces the board."""
_MOST_PIXELS: Final = 64_000_000
"""Limit for the stated size of a picture that is still being loaded."""


class Viewer(QWidget):
    """A viewer of a session.

    Args:
        jobs: Runs the rating of the guesses.

    Signals:
        failed(Failure): Something went wrong.
    """

    failed = pyqtSignal(object)

    def __init__(self, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.film: Film | None = None
        self._frames: Frames | None = None
        self._news = FrameNews()
        self._standin: Frame | None = None
        """The previous picture, shown until the next one is loaded."""
        self._shown = -1
        self._loaded = False
        self.playback = Playback(self)
        self.view, self.layers = BoardView(), LayerSwitch()
        self.legend = Legend(self.view)
        self.timeline, self.slider = Timeline(), QSlider(Qt.Orientation.Horizontal)
        self.transport, self.side = Transport(self.playback), Side(jobs)
        self.title, self.note = ElidedLabel("Session"), explanation("What cannot be shown")
        self.back, self.keep = QPushButton("Recorded games"), QPushButton("Protect")
        self.export, self.side_button = QPushButton("Export"), QPushButton()
        self._build()
        self._connect()
        self._order_focus()
        # Plain arrow keys change the turn.
        pointing = Pointing(self.view, Qt.KeyboardModifier.ShiftModifier)
        self.inspector = Inspector(self.view, jobs, pointing)
        on_theme_change(self._draw_icons)

    @property
    def pictured(self) -> bool:
        """Whether the turn is shown with its own frame, or never can be."""
        return self._loaded

    def open(self, film: Film, summary: Summary) -> None:
        """Show another session from its first turn."""
        self.close_film()
        self.film = film
        self._frames = Frames(film.session, self._news)
        self.retitle(summary)
        self.slider.setRange(0, len(film) - 1)
        self.timeline.open(film)
        self.side.open(film)
        self.playback.open(film.times)
        self._show(0)
        self.slider.setFocus()

    def close_film(self) -> None:
        """Stop all background work."""
        self.playback.pause()
        self.side.open(None)
        if self._frames is not None:
            self._frames.close()
        self._frames = self._standin = self.film = None
        self._shown, self._loaded = -1, False
        self.view.show_turn(None)

    def retitle(self, summary: Summary) -> None:
        """Update the session's title and description."""
        self.title.setText(titled(summary))
        self.title.setToolTip("\n".join((*detailed(summary), str(summary.folder))))
        self.keep.setChecked(summary.kept)

    def _draw_icons(self) -> None:
        self.side_button.setIcon(icon("sidebar"))
        self.back.setIcon(icon("previous"))

    def sizeHint(self) -> QSize:
        """Return the preferred size."""
        return QSize(720, 480)

    def minimumSizeHint(self) -> QSize:
        """Return the minimum of a narrow page, whatever is shown side by side."""
        return QSize(360, 270)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Show either the board or the side panel on a narrow page."""
        super().resizeEvent(event)
        if event is None:
            return
        narrow = self.width() < _NARROW
        was_narrow = event.oldSize().width() < _NARROW
        if narrow != was_narrow or not event.oldSize().isValid():
            self.side_button.setChecked(not narrow)
        self._share_width()

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Play or pause with Space unless it presses a button."""
        if event is not None and event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.playback.toggle()
            return
        super().keyPressEvent(event)

    # Layout

    def _build(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(SPACE)
        self.back.setAccessibleName("Back to the recorded games")
        self.back.setToolTip(f"Back to the recorded games ({KEYS['back']})")
        self.keep.setCheckable(True)
        self.keep.setAccessibleName("Never delete this game automatically")
        self.keep.setToolTip(f"Never delete this game automatically ({KEYS['keep']})")
        self.export.setAccessibleName("Export this game")
        self.export.setToolTip(f"Export this game ({KEYS['export']})")
        self.side_button.setCheckable(True)
        self.side_button.setChecked(True)
        self.side_button.setAccessibleName("Show the reasons and the guesses")
        self.side_button.setToolTip(f"Show the reasons and the guesses ({KEYS['side']})")
        top.addWidget(self.back)
        top.addWidget(self.title, 1)
        top.addWidget(self.keep)
        top.addWidget(self.export)
        top.addWidget(self.side_button)
        self.slider.setAccessibleName("Turn")
        self.slider.setToolTip("Which turn is shown (Left, Right, Home, End)")
        self.slider.setPageStep(10)
        self.note.hide()
        self._main, self._side = QWidget(), scrolled(self.side)
        lines = QVBoxLayout()
        lines.setSpacing(0)
        lines.addWidget(self.timeline)
        lines.addWidget(self.slider)
        board = QVBoxLayout(self._main)
        board.setContentsMargins(0, 0, 0, 0)
        board.setSpacing(SPACE)
        board.addWidget(BoardArea(self.view, self.legend, self.layers), 1)
        board.addWidget(self.note)
        board.addLayout(lines)
        board.addWidget(self.transport)
        middle = QHBoxLayout()
        middle.setSpacing(SPACE + 4)
        middle.addWidget(self._main, 1)
        middle.addWidget(self._side)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        column.addLayout(top)
        column.addLayout(middle, 1)

    def _connect(self) -> None:
        self.side_button.toggled.connect(lambda _shown: self._share_width())
        self.layers.chosen.connect(lambda _layers: self._paint())
        self.slider.valueChanged.connect(self.playback.go)
        self.timeline.chosen.connect(self.playback.go)
        self.playback.moved.connect(self._show)
        self._news.loaded.connect(self._frame_loaded)
        self._news.failed.connect(self._frame_loaded)
        self.transport.add_shortcuts(self)
        self.side.chosen.connect(self.playback.jump)
        self.side.judge.failed.connect(self.failed)
        context = Qt.ShortcutContext.WidgetWithChildrenShortcut
        for name, button in (
            ("back", self.back),
            ("keep", self.keep),
            ("export", self.export),
            ("side", self.side_button),
        ):
            shortcut = QShortcut(QKeySequence(KEYS[name]), self, context=context)
            shortcut.activated.connect(button.click)

    def _order_focus(self) -> None:
        order: list[QWidget] = [self.back, self.keep, self.export, self.side_button, self.view]
        order += [*self.layers.buttons.values(), self.slider, *self.transport.buttons.values()]
        order += [self.transport.speed, self.side.view]
        for before, after in pairwise(order):
            self.setTabOrder(before, after)

    def _share_width(self) -> None:
        narrow, wanted = self.width() < _NARROW, self.side_button.isChecked()
        self._side.setVisible(wanted)
        self._main.setVisible(not (narrow and wanted))
        self._side.setMinimumWidth(0 if narrow else _SIDE)
        self._side.setMaximumWidth(16_777_215 if narrow else _SIDE)

    # Display

    def _show(self, index: int) -> None:
        """Show a turn with its picture, if loaded, and its text."""
        if self.film is None or self._frames is None:
            return
        step = index - self._shown
        if step != 1:
            # The marks of completed moves are those of the previous turn.
            self.view.show_turn(None)
        self._frames.want(index, step if self.playback.playing else (1 if step >= 0 else -1))
        self._shown, self._loaded = index, False
        self._paint()
        self.slider.blockSignals(True)
        self.slider.setValue(index)
        self.slider.blockSignals(False)
        self.timeline.go(index)
        self.transport.show_turn(index, len(self.film) - 1, self.film.times[index])
        self.side.show_turn(index)

    def _frame_loaded(self, frames: Frames, index: int) -> None:
        if frames is self._frames and index == self._shown:
            self._paint()

    def _paint(self) -> None:
        if self.film is None or self._frames is None:
            return
        turn = self.film.turns[self._shown]
        problem = self.film.problems.get(self._shown) or self._frames.problem(self._shown)
        self.note.setText(
            f"Turn {self._shown} cannot be shown completely: {problem}" if problem else ""
        )
        self.note.setVisible(bool(problem))
        if turn is None:
            self._loaded = True
            self.view.show_turn(None)
            return
        frame = self._frames.get(self._shown)
        self._loaded = frame is not None or bool(problem)
        if frame is not None:
            self._standin = frame
        region = turn.reading.frame.region
        bare = frame is None and (bool(problem) or region.width * region.height > _MOST_PIXELS)
        layers = Show.PARSED if bare else self._wanted_layers
        if self.view.layers is not layers:
            self.view.set_layers(layers)
        # The cells of the reason would seem to belong to the marked move.
        why = self.film.advice(self._shown) is None
        self.view.show_turn(_pictured(turn, frame or self._standin), why=why)

    @property
    def _wanted_layers(self) -> Show:
        return next(show for show, button in self.layers.buttons.items() if button.isChecked())


def _pictured(turn: Turn, frame: Frame | None) -> Turn:
    """Return a turn with its own picture, else a previous one, else an empty one."""
    region = turn.reading.frame.region
    fits = frame is not None and frame.region.width == region.width
    if frame is not None and fits and frame.region.height == region.height:
        image = frame.image
    else:
        image = np.broadcast_to(np.uint8(128), (region.height, region.width, 3))
    own = replace(turn.reading.frame, image=image)
    return replace(turn, reading=replace(turn.reading, frame=own))
