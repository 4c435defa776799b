"""The page of recorded sessions: the list, and the open session."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PyQt6.QtCore import QPoint
from PyQt6.QtGui import QDragEnterEvent, QDropEvent, QHideEvent
from PyQt6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from gui.panel.dialogs import ask_folder, confirm, local_files
from gui.panel.jobs import JobBar, Progress
from gui.panel.pages import Context, Page
from gui.panel.theme import SPACE
from gui.replay.export import Exporter
from gui.replay.film import Film, load_film
from gui.replay.session_list import Listing, Sessions, Thumbnails
from gui.replay.viewer import Viewer
from vision.sessions.session_files import INFO, TURNS, delete, keep
from vision.sessions.summaries import Summary, summarise


class ReplayPage(Page):
    """A page that lists, shows and exports sessions.

    Args:
        context: Shared by the pages.
    """

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
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
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE + 4, SPACE + 4, SPACE + 4, SPACE)
        column.setSpacing(SPACE)
        column.addWidget(self.stack, 1)
        column.addWidget(self.bar)
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
        job = self.context.jobs.start(f"Opening {folder.name}", partial(_opened, folder))
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
        listing.refresh.clicked.connect(self.look)
        viewer.back.clicked.connect(self._back)
        viewer.keep.clicked.connect(self._keep_shown)
        viewer.failed.connect(self.failed)
        viewer.export.clicked.connect(self._offer_exports)
        self.sessions.failed.connect(self.failed)
        self.exporter.failed.connect(self.failed)
        self.exporter.started.connect(self.outdated)
        self.exporter.started.connect(self.bar.follow)
        self.exporter.written.connect(self._report_written)

    def _report_written(self, path: Path) -> None:
        self.succeeded.emit(f"Saved to {path}")

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


def _opened(folder: Path, progress: Progress) -> tuple[Film, Summary]:
    return load_film(folder, progress), summarise(folder)


def _dropped(event: QDropEvent) -> Path | None:
    """Return the single dragged folder, or file of a session."""
    files = local_files(event.mimeData())
    if len(files) != 1:
        return None
    (path,) = files
    return path if path.is_dir() or path.name in (INFO, TURNS) else None
