"""A viewer of a recorded game, turn by turn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import (
    QKeyEvent,
    QResizeEvent,
)
from PyQt6.QtWidgets import (
    QPushButton,
    QWidget,
)

from bot.frame import Frame
from bot.game import LEVELS
from bot.loop import Turn
from gui.games.film import Film, FrameNews, Frames, turns_text
from gui.games.guesses import KEYS as GUESS_KEYS
from gui.games.guesses import LABELS, Side, Timeline
from gui.games.playback import Playback, Transport
from gui.panel import widgets
from gui.panel.boardview import BoardArea, BoardView, LayerSwitch, Legend, Pointing, Show
from gui.panel.cell_info import Inspector
from gui.panel.edit_button import EditButton
from gui.panel.icons import icon
from gui.panel.jobs import Jobs
from gui.panel.theme import SPACE, on_theme_change
from gui.panel.think_longer import ThinkLonger
from vision.sessions.summaries import Summary

KEYS: Final = {"back": "Esc", "keep": "K", "export": "Ctrl+E", "side": "F9"}
_DOT: Final = " \N{MIDDLE DOT} "


@dataclass(frozen=True)
class Sizes:
    """Sizes of the page, in points."""

    side: int = 300
    """Width in points of the side panel."""
    narrow: int = 720
    """Width in points below which the side panel replaces the board."""
    low: int = 440
    """Height in points below which the curve is folded: the board needs its space."""


_SIZE: Final = Sizes()

_MOST_PIXELS: Final = 64_000_000
"""Limit for the stated size of a picture that is still being loaded."""


def title_text(summary: Summary) -> str:
    """Return the title of a session: the game's result and level."""
    result = summary.result.capitalize()
    if summary.board is None:
        return f"{result}{_DOT}{summary.folder.name}"
    board = summary.board
    sizes = {(level.rows, level.cols, level.mines): name for name, level in LEVELS.items()}
    level = sizes.get((board.rows, board.cols, board.mines))
    size = f"{board.cols} \N{MULTIPLICATION SIGN} {board.rows}, {board.mines} mines"
    return f"{result}{_DOT}{f'{level.capitalize()}, ' if level else ''}{size}"


def detail_lines(summary: Summary) -> tuple[str, str]:
    """Return the program and the player, and the time and duration, as text."""
    who: tuple[str, ...] = ()
    if summary.info:
        info = summary.info
        # When the user plays, no solver decides.
        by = ("you played",) if info.player == "user" else (info.solver, info.style)
        who = (info.window or info.skin, info.skin, *by)
    marks = [word for word, holds in (("incomplete", summary.torn), ("protected", summary.kept))
             if holds]  # fmt: skip
    when = summary.started.strftime("%Y-%m-%d %H:%M")
    return (
        _DOT.join(dict.fromkeys(one.replace("\n", " ") for one in who if one)),
        _DOT.join((when, turns_text(summary.turns), f"{summary.seconds:.1f} s", *marks)),
    )


class Viewer(QWidget):
    """A viewer of a session.

    Args:
        jobs: Runs the rating of the guesses.

    Signals:
        failed(Failure): Something went wrong.
    """

    failed = pyqtSignal(object)

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self.film: Film | None = None
        self._frames: Frames | None = None
        self._news = FrameNews()
        self._standin: Frame | None = None
        """The previous picture, shown until the next one is loaded."""
        self._shown = -1
        self._loaded = False
        self.playback = Playback(self)
        self.view, self.layers = BoardView(), LayerSwitch()
        self.legend, self.think = Legend(self.view), ThinkLonger(self.view, jobs)
        self.edit = EditButton(self.view)
        self.timeline, self.slider = Timeline(), widgets.JumpingSlider()
        self.transport, self.side = Transport(self.playback), Side(jobs)
        self.title, self.note = (
            widgets.ElidedLabel("Session"),
            widgets.explanation("What cannot be shown"),
        )
        self.back, self.keep = QPushButton("Games"), QPushButton("Protect")
        self.export, self.side_button = QPushButton("Export"), QPushButton("Reasons")
        self.side.verdict.highlight_on(self.view)
        self.side.details.highlight_on(self.view)
        self._build()
        self._connect()
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
        self.title.setText(title_text(summary))
        self.title.setToolTip(
            widgets.tip_text("\n".join((*detail_lines(summary), str(summary.folder))))
        )
        self.keep.setChecked(summary.kept)

    def _draw_icons(self) -> None:
        self.side_button.setIcon(icon("sidebar"))
        self.back.setIcon(icon("previous"))

    def sizeHint(self) -> QSize:
        """Return the preferred size."""
        return QSize(720, 480)

    def minimumSizeHint(self) -> QSize:
        """Return the minimum of a narrow page, also if more is shown side by side."""
        return QSize(360, 270)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Show either the board or the side panel on a narrow page."""
        super().resizeEvent(event)
        if event is None:
            return
        narrow = self.width() < _SIZE.narrow
        was_narrow = event.oldSize().width() < _SIZE.narrow
        if narrow != was_narrow or not event.oldSize().isValid():
            self.side_button.setChecked(not narrow)
        self.timeline.fold(self.height() < _SIZE.low)
        self._share_width()

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Play or pause with Space unless it presses a button."""
        if event is not None and event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.playback.toggle()
            return
        super().keyPressEvent(event)

    # Layout

    def _build(self) -> None:
        for name, button, what in (
            ("back", self.back, "Back to the games"),
            ("keep", self.keep, "Never delete this game automatically"),
            ("export", self.export, "Export this game"),
            ("side", self.side_button, "Show the reasons and the guesses"),
        ):
            widgets.name_control(button, what, f"{what} ({KEYS[name]})")
        self.keep.setCheckable(True)
        self.side_button.setCheckable(True)
        self.side_button.setChecked(True)
        top = widgets.lay_row(self.back, (self.title, 1), self.keep, self.export, self.side_button)
        widgets.name_control(self.slider, "Turn", "Which turn is shown (Left, Right, Home, End)")
        self.slider.setPageStep(10)
        self.note.hide()
        self._main, self._side = QWidget(), widgets.scrolled(self.side)
        slider = widgets.lay_row(self.slider, margins=(LABELS, 0, 0, 0))
        lines = widgets.lay_column(self.timeline, slider, gap=0)
        board = BoardArea(self.view, self.legend, self.edit, self.think, self.layers)
        widgets.lay_column((board, 1), self.note, lines, self.transport, on=self._main)
        middle = widgets.lay_row((self._main, 1), self._side, gap=SPACE + 4)
        widgets.lay_column(top, (middle, 1), on=self)

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
        self.side.chances_changed.connect(self.timeline.show_chances)
        self.side.judge.failed.connect(self.failed)
        for name, button in (
            ("back", self.back),
            ("keep", self.keep),
            ("export", self.export),
            ("side", self.side_button),
            *self.side.next.items(),
        ):
            key = GUESS_KEYS.get(name) or KEYS[name]
            widgets.add_key(key, self, button.click, focused=True)

    def _share_width(self) -> None:
        narrow, wanted = self.width() < _SIZE.narrow, self.side_button.isChecked()
        focused = self.focusWidget()
        self._side.setVisible(wanted)
        self._main.setVisible(not (narrow and wanted))
        bar = self._side.verticalScrollBar()
        # Of constant width, the cards stay as they are when a scroll bar comes or goes. If they
        # were rearranged for it, they would need it also when there is room for them again.
        room = _SIZE.side + (0 if bar is None else bar.sizeHint().width())
        self.side.setMaximumWidth(widgets.ANY_SIZE if narrow else _SIZE.side)
        self._side.setMinimumWidth(0 if narrow else room)
        self._side.setMaximumWidth(widgets.ANY_SIZE if narrow else room)
        if focused is not None and not focused.isVisibleTo(self):
            (self.side.view if narrow and wanted else self.slider).setFocus()

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
