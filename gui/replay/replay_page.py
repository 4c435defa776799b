"""The page of recorded sessions: the list, and the open session, turn by turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from PyQt6.QtCore import QPoint, QSize, Qt, pyqtSignal
from PyQt6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QHideEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
)
from PyQt6.QtWidgets import (
    QPushButton,
    QStackedWidget,
    QWidget,
)

from bot.frame import Frame
from bot.loop import Turn
from gui.dialogs import ask_folder, confirm, local_files
from gui.panel.boardview import BoardArea, BoardView, LayerSwitch, Legend, Show
from gui.panel.cell_info import Inspector, Pointing
from gui.panel.edit_button import EditButton
from gui.panel.icons import icon
from gui.panel.jobs import JobBar, Jobs
from gui.panel.pages import Context, Page
from gui.panel.theme import SPACE, on_theme_change
from gui.panel.think_longer import ThinkLonger
from gui.panel.widgets import (
    ANY_SIZE,
    PAGE_MARGINS,
    ElidedLabel,
    JumpingSlider,
    explanation,
    lay_column,
    lay_row,
    name_control,
    scrolled,
)
from gui.replay.export import Exporter
from gui.replay.film import Film, FrameNews, Frames, load_film
from gui.replay.guesses import KEYS as GUESS_KEYS
from gui.replay.guesses import LABELS, Side, Timeline
from gui.replay.playback import Playback, Transport
from gui.replay.session_list import Listing, Sessions, Thumbnails, detailed, titled
from vision.sessions.session_files import INFO, TURNS, delete, keep
from vision.sessions.summaries import Summary, summarise

KEYS: Final = {"back": "Esc", "keep": "K", "export": "Ctrl+E", "side": "F9"}
_SIDE: Final = 300
"""Width in points of the side panel."""
_NARROW: Final = 720
"""Width in points below which the side panel replaces the board."""
_MOST_PIXELS: Final = 64_000_000
"""Limit for the stated size of a picture that is still being loaded."""


class ReplayPage(Page):
    """A page that lists, shows and exports sessions."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._summary: Summary | None = None
        self._opening: Path | None = None
        jobs = context.jobs
        self._thumbnails = Thumbnails(jobs, self)
        self.sessions = Sessions(jobs, self._thumbnails, self)
        self.listing, self.viewer = Listing(self.sessions), Viewer(jobs)
        self.exporter = Exporter(jobs, self)
        self.bar = JobBar()
        self.stack = QStackedWidget()
        self.stack.addWidget(self.listing)
        self.stack.addWidget(self.viewer)
        lay_column((self.stack, 1), self.bar, on=self, margins=PAGE_MARGINS)
        self.setAcceptDrops(True)
        self._connect()

    def enter(self, what: object = None) -> None:
        """Scan for sessions; open one if its folder is given."""
        self.viewer.view.set_numbered(self.context.settings().coordinates)
        self.look()
        if what is not None:
            self.open(Path(str(what)))
        elif self.stack.currentWidget() is self.listing:
            self.listing.view.setFocus()

    def look(self) -> None:
        """Scan for sessions again."""
        self.sessions.scan(self.context.settings().sessions_folder)

    def open(self, folder: Path) -> None:
        """Show a session from its folder or a file in it."""
        if folder.name in (INFO, TURNS):
            folder = folder.parent
        self._opening = folder
        self.outdated.emit()
        job = self.context.jobs.start(
            f"Opening {folder.name}",
            lambda progress: (load_film(folder, progress), summarise(folder)),
        )
        self.bar.follow(job)
        job.done.connect(self._show)
        job.failed.connect(self.failed)

    def dragEnterEvent(self, event: QDragEnterEvent | None) -> None:
        """Accept the drag of a folder."""
        if event is not None and _dropped(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent | None) -> None:
        """Open the session that was dropped."""
        folder = _dropped(event) if event is not None else None
        if folder is not None and event is not None:
            event.acceptProposedAction()
            self.open(folder)

    def hideEvent(self, event: QHideEvent | None) -> None:
        """Pause the hidden playback."""
        super().hideEvent(event)
        self.viewer.playback.pause()

    def _connect(self) -> None:
        listing, viewer = self.listing, self.viewer
        listing.opened.connect(self.open)
        listing.buttons["other"].clicked.connect(self._open_other)
        listing.keep_wanted.connect(self._keep)
        listing.delete_wanted.connect(self._delete)
        listing.message.connect(self.message)
        listing.refresh.clicked.connect(self.look)
        viewer.back.clicked.connect(self._back)
        viewer.keep.clicked.connect(self._keep_shown)
        viewer.failed.connect(self.failed)
        viewer.edit.wanted.connect(partial(self.wanted.emit, "analyse"))
        viewer.export.clicked.connect(self._offer_exports)
        self.sessions.failed.connect(self.failed)
        self.exporter.failed.connect(self.failed)
        self.exporter.started.connect(self.outdated)
        self.exporter.started.connect(self.bar.follow)
        self.exporter.written.connect(self._report_written)

    def _report_written(self, path: Path) -> None:
        self.saved.emit(f"Saved to {path}", path)

    def _show(self, opened: tuple[Film, Summary]) -> None:
        film, summary = opened
        if film.session.folder != self._opening:
            return
        self._summary = summary
        self.exporter.open(film)
        self.stack.setCurrentWidget(self.viewer)
        self.viewer.open(film, summary)

    def _back(self) -> None:
        self._opening = None
        self.outdated.emit()
        self.exporter.open(None)
        self.viewer.close_film()
        self.stack.setCurrentWidget(self.listing)
        self.listing.view.setFocus()
        self.look()

    def _open_other(self) -> None:
        ask_folder(self, "Open a recorded game: the folder that holds session.json", self.open)

    def _offer_exports(self) -> None:
        button = self.viewer.export
        self.exporter.menu.popup(button.mapToGlobal(QPoint(0, button.height())))

    def _keep_shown(self) -> None:
        if self._summary is not None:
            self._keep(self._summary)

    def _keep(self, summary: Summary) -> None:
        def work() -> Summary:
            keep(summary.folder, kept=not summary.kept)
            return summarise(summary.folder)

        self._change("Protecting the recorded game", work, self._marked)

    def _marked(self, summary: Summary) -> None:
        self.sessions.renew(summary)
        if self._summary is not None and self._summary.folder == summary.folder:
            self._summary = summary
            self.viewer.retitle(summary)

    def _delete(self, summary: Summary) -> None:
        folder = summary.folder

        def work() -> Path:
            delete(folder)
            return folder

        kept = " It is protected." if summary.kept else ""
        confirm(
            self,
            "Delete this recorded game?",
            f"Delete the recorded game {folder.name}?{kept} This cannot be undone.",
            "Delete",
            lambda: self._change("Deleting", work, self.sessions.forget),
        )

    def _change(self, title: str, work: Callable[[], object], done: Callable[..., object]) -> None:
        self.outdated.emit()
        job = self.context.jobs.start(title, lambda _progress: work())
        job.done.connect(done)
        job.failed.connect(self.failed)
        job.failed.connect(self.look)


def _dropped(event: QDropEvent) -> Path | None:
    """Return the single dragged folder, or file of a session."""
    files = local_files(event.mimeData())
    if len(files) != 1:
        return None
    (path,) = files
    return path if path.is_dir() or path.name in (INFO, TURNS) else None


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
        self.timeline, self.slider = Timeline(), JumpingSlider()
        self.transport, self.side = Transport(self.playback), Side(jobs)
        self.title, self.note = ElidedLabel("Session"), explanation("What cannot be shown")
        self.back, self.keep = QPushButton("Recorded games"), QPushButton("Protect")
        self.export, self.side_button = QPushButton("Export"), QPushButton()
        self.side.verdict.highlight_on(self.view)
        self.side.details.highlight_on(self.view)
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
        """Return the minimum of a narrow page, also if more is shown side by side."""
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
        self.back.setAccessibleName("Back to the recorded games")
        self.back.setToolTip(f"Back to the recorded games ({KEYS['back']})")
        self.keep.setCheckable(True)
        self.keep.setAccessibleName("Never delete this game automatically")
        self.keep.setToolTip(f"Never delete this game automatically ({KEYS['keep']})")
        name_control(self.export, "Export this game", f"Export this game ({KEYS['export']})")
        self.side_button.setCheckable(True)
        self.side_button.setChecked(True)
        self.side_button.setAccessibleName("Show the reasons and the guesses")
        self.side_button.setToolTip(f"Show the reasons and the guesses ({KEYS['side']})")
        top = lay_row(self.back, (self.title, 1), self.keep, self.export, self.side_button)
        name_control(self.slider, "Turn", "Which turn is shown (Left, Right, Home, End)")
        self.slider.setPageStep(10)
        self.note.hide()
        self._main, self._side = QWidget(), scrolled(self.side)
        slider = lay_row(self.slider, margins=(LABELS, 0, 0, 0))
        lines = lay_column(self.timeline, slider, gap=0)
        board = BoardArea(self.view, self.legend, self.layers, self.edit, self.think)
        lay_column((board, 1), self.note, lines, self.transport, on=self._main)
        middle = lay_row((self._main, 1), self._side, gap=SPACE + 4)
        lay_column(top, (middle, 1), on=self)

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
        context = Qt.ShortcutContext.WidgetWithChildrenShortcut
        for name, button in (
            ("back", self.back),
            ("keep", self.keep),
            ("export", self.export),
            ("side", self.side_button),
            *self.side.next.items(),
        ):
            key = GUESS_KEYS.get(name) or KEYS[name]
            shortcut = QShortcut(QKeySequence(key), self, context=context)
            shortcut.activated.connect(button.click)

    def _order_focus(self) -> None:
        order: list[QWidget] = [self.back, self.keep, self.export, self.side_button, self.view]
        order += [
            self.edit,
            self.think,
            *self.layers.buttons.values(),
            self.slider,
            *self.transport.buttons.values(),
        ]
        order += [self.transport.speed, self.side.view, *self.side.next.values()]
        for before, after in pairwise(order):
            self.setTabOrder(before, after)

    def _share_width(self) -> None:
        narrow, wanted = self.width() < _NARROW, self.side_button.isChecked()
        focused = self.focusWidget()
        self._side.setVisible(wanted)
        self._main.setVisible(not (narrow and wanted))
        bar = self._side.verticalScrollBar()
        # Of constant width, the cards stay as they are when a scroll bar comes or goes. If they
        # were rearranged for it, they would need it also when there is room for them again.
        room = _SIDE + (0 if bar is None else bar.sizeHint().width())
        self.side.setMaximumWidth(ANY_SIZE if narrow else _SIDE)
        self._side.setMinimumWidth(0 if narrow else room)
        self._side.setMaximumWidth(ANY_SIZE if narrow else room)
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
