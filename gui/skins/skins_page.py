"""The page of skins: a list, and teaching a new skin from pictures or a window.

The work is done in background jobs (`gui.skins.skin_jobs`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QResizeEvent,
)
from PyQt6.QtWidgets import (
    QLabel,
    QLineEdit,
    QListView,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QWidget,
)

from bot.board import STATE_WORDS, UNREAD
from bot.frame import Frame
from gui.dialogs import (
    PICTURES,
    ask_open,
    ask_row,
    ask_save,
    ask_text,
    confirm,
    local_files,
    open_folder,
)
from gui.failures import Failure
from gui.panel import widgets
from gui.panel.jobs import Job, JobBar, Progress
from gui.panel.pages import Context, Page
from gui.panel.play_page import THUMBNAIL, board_rows
from gui.panel.theme import SPACE
from gui.panel.tile_question import Leaving, TeachPage
from gui.questions import Around, around_in
from gui.runner.protocol import UNKNOWN_SKIN, Candidate, Found
from gui.skins.skin_details import ShelfView
from gui.skins.skin_jobs import (
    Learned,
    NameTaken,
    Reserved,
    Shelf,
    SkinList,
    begin,
    confirm_all,
    correct,
)

if TYPE_CHECKING:
    from gui.skins.conventions import Known
    from vision.desktop import Window
    from vision.learning.questions import Question, TileCluster
    from vision.learning.skin_learner import SkinLearner


_ZIPS = "Skins (*.zip)"
_NAMES = "New name:"
_ICON: Final = QSize(44, 44)
_CELL: Final = QSize(96, 78)
_ROOM: Final = 640
"""Height in points from which two rows of clusters fit."""
_OPEN: Final = "Neither its shape nor the rules of the game identify it: what is it?"
_GUESSED: Final = "Our guess: press it to confirm, or press the right one."
_ANSWERED: Final = "Your answer. Press another one to correct it."
_LEFT_OUT: Final = "Skipped: the skin has no picture of it. Press what it is to include it."
_LEAVING: Final = Leaving(
    "Skip",
    "Skip this tile",
    "Skip: not a tile of the game, or unknown",
    _OPEN,
)


class SkinsPage(Page):
    """The page that shows, teaches, renames, exports and imports skins."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._shelf = Shelf()
        self._job: Job | None = None
        self._skin_learner: SkinLearner | None = None
        self._window: Candidate | None = None
        """The window that is learned from."""
        self.shelf, self.kinds, self.job = ShelfView(), TileClustersView(), JobBar()
        self.teach = widgets.KeyedButton(
            "&Teach from pictures …", "Learn a skin from screenshots", "Ctrl+O"
        )
        self.from_window = widgets.KeyedButton(
            "From a &window …", "Learn a skin from a window", "Ctrl+W"
        )
        self.take_in = widgets.KeyedButton("&Import …", "Import a skin from a zip file", "Ctrl+I")
        self.export = widgets.KeyedButton("&Export …", "Save this skin as a zip file", "Ctrl+E")
        self.rename = widgets.KeyedButton("&Rename …", "Rename this skin", "F2")
        self.delete = widgets.KeyedButton("&Delete …", "Delete this skin", "Del")
        self.folder = widgets.KeyedButton("Open &folder", "Show where this skin is kept", "Ctrl+L")
        self.setAcceptDrops(True)
        self._lay_out()
        self._connect()

    def enter(self, what: object = None) -> None:
        """Reload the skins, or learn from a picture that another page sends."""
        if isinstance(what, Frame):
            self.learn([what])
        elif self._job is None and self._skin_learner is None:
            # A job's message from while another page was open has not been read yet.
            self._start(
                "Reading the skins", partial(self._shelf.listed, None, ""), keep_message=True
            )

    # What the user can do

    def ask_pictures(self) -> None:
        """Let the user choose pictures to learn from."""
        ask_open(self, "Learn from screenshots of one program", PICTURES, self.learn, several=True)

    def ask_window(self) -> None:
        """Let the user choose a window to learn from."""
        self._start("Looking for windows", self._looked_for)

    def learn(self, pictures: Sequence[Path | Frame], window: Window | None = None) -> None:
        """Learn from pictures: a new skin, or the one that is being learned."""
        work = partial(begin, self._shelf, pictures, window, self._skin_learner)
        self._start("Learning", work, only_looks=self._skin_learner is None)

    def learn_window(self, candidate: Candidate) -> None:
        """Learn from the current picture of a window: a new skin, or the one being learned."""
        learner, self._window = self._skin_learner, candidate

        def work(progress: Progress) -> Learned | str:
            progress.report(None, f"Looking at {candidate.title}")
            frame, window = self.context.backend.snapshot(candidate)
            result = begin(self._shelf, [frame], window, learner, progress)
            if not isinstance(result, str):
                return result
            return (
                f"{widgets.sentence(result)} This was the window '{candidate.title}'. For another "
                "game, uncover its window, begin or resume a game in it, and try again."
            )

        self._start("Looking at the window", work, only_looks=learner is None)

    def learn_again(self) -> None:
        """Learn from another picture of the same window."""
        if self._window is not None:
            self.learn_window(self._window)

    def ask_zip(self) -> None:
        """Let the user choose a zip to import."""
        ask_open(self, "Import a skin", _ZIPS, lambda files: self.import_zip(files[0]))

    def import_zip(self, path: Path, name: str | None = None, *, may_replace: bool = False) -> None:
        """Import a skin from a zip; confirm before one of the same name is replaced.

        Args:
            path: The zip.
            name: The skin's new name; None for its own.
            may_replace: Whether the user agreed to replace a skin of theirs.
        """
        again = partial(self.import_zip, path, name, may_replace=True)
        self._start("Importing", partial(self._shelf.take_in, path, name, may_replace), again)

    def ask_where(self) -> None:
        """Let the user choose where to export the zip."""
        entry = self.shelf.entry
        if entry is not None and entry.skin is not None:
            work = partial(self._shelf.export, entry)
            ask_save(
                self,
                "Export this skin",
                _ZIPS,
                f"{entry.name}.zip",
                lambda path: self._start("Exporting", partial(work, path)),
            )

    def ask_name(self) -> None:
        """Let the user rename the skin."""
        entry = self.shelf.entry
        if entry is None or not entry.own:
            return
        name = entry.name
        ask_text(
            self,
            "Rename this skin",
            _NAMES,
            name,
            lambda new: self._start("Renaming", partial(self._shelf.rename, name, safe_name(new))),
        )

    def ask_delete(self) -> None:
        """Delete the skin after confirmation."""
        entry = self.shelf.entry
        if entry is not None and entry.own:
            work = partial(self._shelf.delete, entry.name)
            confirm(
                self,
                "Delete this skin?",
                f"The skin '{entry.name}' and all its pictures are deleted from {entry.folder}. "
                "Its program is learned again when it is played.",
                "Delete it",
                lambda: self._start("Deleting", work),
            )

    def forget(self, known: Known) -> None:
        """Delete a convention of the program; it will be discovered or asked again."""
        entry = self.shelf.entry
        if self.context.playing():
            self.message.emit("A game is being played. Stop it first.")
        elif known.forget is not None and entry is not None:
            message = f"{known.title}: forgotten. It applies from the next game that you start."
            work = partial(self._shelf.forget, entry.name, known.forget, message)
            self._start("Forgetting", work, quiet=True)

    def open_folder(self) -> None:
        """Show the folder of the skin."""
        entry = self.shelf.entry
        if entry is not None:
            open_folder(entry.folder, self.message.emit)

    def keep(self, name: str, *, may_replace: bool = False) -> None:
        """Save the learned skin; confirm before one of the same name is replaced."""
        if self._skin_learner is not None:
            again = partial(self.keep, name, may_replace=True)
            work = partial(self._shelf.keep, self._skin_learner, name, may_replace)
            self._start("Saving the skin", work, again)

    def leave(self) -> None:
        """Discard the skin learner without waiting for its current job."""
        job, self._job = self._job, None
        if job is not None:
            job.cancel()
            self.job.leave(job)
        self._show_shelf()

    # Drag and drop

    def dragEnterEvent(self, event: QDragEnterEvent | None) -> None:
        """Accept the drag of local files."""
        if event is not None and local_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent | None) -> None:
        """Import a zip, or learn from pictures."""
        files = local_files(event.mimeData()) if event is not None else []
        if event is None or not files:
            return
        event.acceptProposedAction()
        zips = [file for file in files if file.suffix.lower() == ".zip"]
        if zips:
            self.import_zip(zips[0])
        else:
            self.learn(files)

    # Results of jobs

    def _start(
        self,
        title: str,
        work: Callable[[Progress], object],
        again: Callable[[], None] = lambda: None,
        *,
        quiet: bool = False,
        only_looks: bool = False,
        keep_message: bool = False,
    ) -> None:
        """Run a job, one at a time.

        Args:
            title: The job's title.
            work: The work.
            again: Repeats it after the user agreed to replace a skin.
            quiet: It is too short for a progress bar, which would flicker.
            only_looks: It has no effect but its result: it can be cancelled at once.
            keep_message: Keep the current message.
        """
        if self._job is not None:
            return
        if not keep_message:
            self.outdated.emit()
        job = self._job = self.context.jobs.start(title, work, only_looks=only_looks)
        job.done.connect(lambda result: self._take(job, result, again))
        job.failed.connect(self.failed)
        job.ended.connect(lambda: self._ended(job))
        if not quiet:
            self.job.follow(job)
        self._update()

    def _ended(self, job: Job) -> None:
        if job is self._job:
            self._job = None
        self._update()

    def _take(self, job: Job, result: object, again: Callable[[], None]) -> None:
        if job is not self._job and not isinstance(result, SkinList):
            # Teaching was left meanwhile.
            return
        self._job = None
        # The next cluster may be answered at once.
        self._update()
        if isinstance(result, SkinList):
            self._show_shelf()
            self.shelf.show_entries(result.entries, result.broken, result.chosen)
            self._report(result)
        elif isinstance(result, NameTaken):
            text = f"You already have a skin called '{result.name}'. It would be replaced."
            confirm(self, "Replace that skin?", text, "Replace it", again)
        elif isinstance(result, Reserved):
            text = f"A bundled skin is called '{result.name}'. Import this one under another name."
            ask_text(
                self,
                "Import under another name",
                f"{text}\n{_NAMES}",
                result.free,
                lambda name: self.import_zip(result.path, safe_name(name)),
            )
        elif isinstance(result, Learned):
            self._show_learned(result)
        elif isinstance(result, Found):
            self._show_windows(result)
        else:
            self._advise(str(result))

    def _report(self, result: SkinList) -> None:
        if result.saved is not None:
            self.saved.emit(result.message, result.saved)
        elif result.done:
            self.succeeded.emit(result.message)
        elif result.message:
            self.failed.emit(Failure(result.message))

    def _show_learned(self, learned: Learned) -> None:
        fresh = self._skin_learner is not learned.skin_learner
        self._skin_learner = learned.skin_learner
        self._pages.setCurrentWidget(self.kinds)
        self.kinds.again.setVisible(self._window is not None)
        (self.kinds.begin if fresh else self.kinds.show_learned)(learned)
        if learned.message:
            self._advise(learned.message)

    def _advise(self, reason: str) -> None:
        """Say why a picture or a name cannot be used; nothing is broken that could be reported."""
        self.message.emit(widgets.sentence(reason))

    def _show_shelf(self) -> None:
        self._skin_learner = self._window = None
        self._pages.setCurrentWidget(self._shown)
        self._update()

    def _looked_for(self, progress: Progress) -> Found:
        progress.report(None, "Looking for boards on the screen")
        return self.context.backend.boards()

    def _show_windows(self, found: Found) -> None:
        """Learn from the only window with a board, or let the user choose one."""
        if not found.boards:
            self.message.emit(
                "No board found on the screen. Open the game and start it; its window must not "
                "be minimised."
            )
            return
        if len(found.boards) == 1:
            self.learn_window(found.boards[0])
            return
        # Boards of one name have the same numbers here as in the list of the page Play.
        listed = [board.key for board in self.context.boards_found()]
        boards = sorted(found.boards, key=lambda one: (*listed, one.key).index(one.key))
        # A Wayland desktop refuses a menu that no key and no click has just asked for.
        ask_row(
            self,
            "Learn from a window",
            "Which board shows the skin to learn?",
            board_rows(boards),
            THUMBNAIL,
            lambda row: self.learn_window(boards[row]),
            # Most likely the one that is still to be learned.
            chosen=next((row for row, one in enumerate(boards) if one.skin == UNKNOWN_SKIN), 0),
        )

    def _correct(self, kind: int, state: int, insist: bool) -> None:
        if self._skin_learner is not None:
            self._start(
                "Learning", partial(correct, self._skin_learner, kind, state, insist), quiet=True
            )

    def _confirm(self) -> None:
        if self._skin_learner is not None:
            self._start("Confirming", partial(confirm_all, self._skin_learner))

    def _update(self) -> None:
        idle, entry = self._job is None, self.shelf.entry
        for button in (self.teach, self.from_window, self.take_in):
            button.setEnabled(idle)
        self.export.setEnabled(idle and entry is not None and entry.skin is not None)
        self.folder.setEnabled(idle and entry is not None)
        for button in (self.rename, self.delete):
            button.setEnabled(idle and entry is not None and entry.own)
        self.kinds.set_busy(busy=not idle)

    def _connect(self) -> None:
        widgets.connect_keyed(
            self._shown,
            {
                self.teach: self.ask_pictures,
                self.from_window: self.ask_window,
                self.take_in: self.ask_zip,
                self.export: self.ask_where,
                self.rename: self.ask_name,
                self.delete: self.ask_delete,
                self.folder: self.open_folder,
            },
        )
        self.shelf.chosen.connect(self._update)
        self.shelf.forget_wanted.connect(self.forget)
        self.kinds.corrected.connect(self._correct)
        self.kinds.all_confirmed.connect(self._confirm)
        self.kinds.kept.connect(self.keep)
        self.kinds.more_wanted.connect(self.ask_pictures)
        self.kinds.again_wanted.connect(self.learn_again)
        self.kinds.left.connect(self.leave)
        self.kinds.name.textEdited.connect(self.outdated)

    def _lay_out(self) -> None:
        self._shown = QWidget()
        parts = (self.teach, self.from_window, self.take_in, self.export, self.rename, self.delete)
        widgets.lay_column(widgets.Flow(*parts, self.folder), (self.shelf, 1), on=self._shown)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._shown)
        self._pages.addWidget(self.kinds)
        widgets.lay_column(self.job, (self._pages, 1), on=self, margins=widgets.PAGE_MARGINS)


class TileClustersView(QWidget):
    """All tile clusters of a skin learner, the form for one of them, and the skin's name.

    Signals:
        corrected(int, int, bool): A cluster's number, its tile code (UNREAD to leave it out), and
            whether that was refused before.
        all_confirmed(): All guesses are right.
        kept(str): The skin is to be saved under this name.
        more_wanted(): Another picture is to be added.
        again_wanted(): Another picture of the same window is to be added.
        left(): Discard everything.
    """

    corrected = pyqtSignal(int, int, bool)
    all_confirmed = pyqtSignal()
    kept = pyqtSignal(str)
    more_wanted = pyqtSignal()
    again_wanted = pyqtSignal()
    left = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.learned: Learned | None = None
        self._question: Question | None = None
        self._busy = False
        self.title, self.words = widgets.headline(), widgets.explanation("Progress")
        self.list, self.form, self.name = QListWidget(), TeachPage(_LEAVING), QLineEdit()
        self.rule = widgets.explanation("Name of its folder")
        self.save = widgets.KeyedButton("&Save skin", "Keep the skin under this name", "Ctrl+S")
        self.save.setProperty("primary", True)
        self.confirm = widgets.KeyedButton(
            "All &guesses are right", "Confirm all guesses", "Ctrl+Return"
        )
        self.more = widgets.KeyedButton("&Add picture …", "Learn from one more picture", "Ctrl+O")
        self.again = widgets.KeyedButton(
            "Capture aga&in", "Learn from the window as it looks now", "Ctrl+W"
        )
        self.cancel = widgets.KeyedButton("Cancel", "Discard everything", "Esc")
        self._below = (self.save, self.more, self.again, self.cancel)
        self._lay_out()
        self.list.currentRowChanged.connect(self._ask)
        self.form.answered.connect(self._answer)
        self.name.textChanged.connect(self._update)
        self.name.returnPressed.connect(self.save.click)
        widgets.connect_keyed(
            self,
            {
                self.save: lambda: self.kept.emit(safe_name(self.name.text())),
                self.confirm: self.all_confirmed.emit,
                self.more: self.more_wanted.emit,
                self.again: self.again_wanted.emit,
                self.cancel: self.left.emit,
            },
        )

    @property
    def kind(self) -> TileCluster | None:
        """The selected tile cluster."""
        row = self.list.currentRow()
        kinds = self.learned.kinds if self.learned is not None else ()
        return kinds[row] if 0 <= row < len(kinds) else None

    def begin(self, learned: Learned) -> None:
        """Show a skin learner that has just begun."""
        self.learned = None
        self.name.setText(learned.name)
        self.show_learned(learned)

    def show_learned(self, learned: Learned) -> None:
        """Show the state of the learner, and ask about the next unconfirmed cluster."""
        before = self.kind
        self.learned = learned
        self.list.blockSignals(True)
        self.list.clear()
        for kind in learned.kinds:
            self.list.addItem(_item(kind))
        self.list.blockSignals(False)
        self._fit_list()
        refused = learned.refused[0] if learned.refused is not None else None
        self.list.setCurrentRow(self._next(before.number if before else None, refused))
        self._ask()
        self._update()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Adapt the number of rows to the clusters and the height."""
        super().resizeEvent(event)
        self._fit_list()

    def set_busy(self, *, busy: bool) -> None:
        """Accept no input while an answer is processed.

        The focused widget is not disabled: Qt would move the focus, finally to the name, and the
        next key would be typed there.
        """
        self._busy = busy
        if busy:
            if any(button.hasFocus() for button in (self.confirm, *self._below[:-1])):
                self.form.setFocus()
            self.form.question = None
        self.more.setEnabled(not busy)
        self.again.setEnabled(not busy)
        self._update()

    def _fit_list(self) -> None:
        kinds = len(self.learned.kinds) if self.learned is not None else 1
        across = max(1, (self.list.width() - 2 * SPACE) // _CELL.width())
        rows = min(-(-kinds // across), 2 if self.height() >= _ROOM else 1)
        self.list.setFixedHeight(rows * _CELL.height() + 12)

    def _next(self, last: int | None, refused: int | None) -> int:
        """Return the row of the cluster to ask about."""
        kinds = self.learned.kinds if self.learned is not None else ()
        numbers = [kind.number for kind in kinds]
        if refused in numbers:
            return numbers.index(refused)
        waiting = [row for row, kind in enumerate(kinds) if not kind.confirmed]
        if waiting:
            return waiting[0]
        return numbers.index(last) if last in numbers else 0

    def _ask(self, _row: int = 0) -> None:
        from vision.learning.questions import Question  # noqa: PLC0415

        kind, learned = self.kind, self.learned
        if kind is None or learned is None or self._busy:
            return
        refused: tuple[int, ...] = ()
        if learned.refused is not None and learned.refused[0] == kind.number:
            refused = (learned.refused[1],)
        known = kind.state != UNREAD
        likely = (kind.state,) if known else kind.likely
        self._question = Question(kind.picture, kind.cells, likely, refused)
        why = _OPEN
        if kind.confirmed:
            why = _ANSWERED if known else _LEFT_OUT
        elif known:
            why = _GUESSED
        focused = self.focusWidget()
        others = (self.confirm, self.list, self.name, *self._below)
        self.form.ask(self._question, self._around(kind), why)
        if focused is not None and focused in others and focused.isEnabled():
            # A user who moves through the list or types a name must not be interrupted.
            focused.setFocus()

    def _around(self, kind: TileCluster) -> Around | None:
        skin_learner = self.learned.skin_learner if self.learned is not None else None
        if skin_learner is None or skin_learner.frame is None or not kind.cells:
            return None
        return around_in(skin_learner.frame, skin_learner.reader.grid, kind.cells[0])

    def _answer(self, state: int | None) -> None:
        kind, question = self.kind, self._question
        if kind is not None and question is not None:
            code = UNREAD if state is None else state
            insist = state is None or code in question.refused
            self.corrected.emit(kind.number, code, insist)

    def _update(self, *_: object) -> None:
        learned, busy = self.learned, self._busy
        if learned is None:
            return
        kinds = learned.kinds
        waiting = sum(not kind.confirmed for kind in kinds)
        self.title.setText(f"{len(kinds)} different tile{'' if len(kinds) == 1 else 's'} found")
        words = f"{waiting} to confirm or correct." if waiting else "All of them are confirmed."
        if not learned.missing:
            words += " Give the skin a name below, and save it."
        if learned.missing:
            names = ", ".join(learned.missing)
            words += f" A skin also needs {names}. Correct a tile, or open more cells in the game."
        self.words.setText(words)
        unsettled = any(kind.state == UNREAD and not kind.confirmed for kind in kinds)
        guessed = any(kind.state != UNREAD and not kind.confirmed for kind in kinds)
        self.confirm.setEnabled(guessed and not busy)
        typed, name = self.name.text().strip(), safe_name(self.name.text())
        self.rule.setText("" if name in ("", typed) else f"It is saved as '{name}'.")
        ready = _is_name(name) and not learned.missing
        self.save.setEnabled(ready and not busy)
        self.save.setToolTip(
            widgets.tip_text(
                "Keep the skin under this name (Ctrl+S)"
                + ("; guesses are saved too" if guessed else "")
                + ("; you are asked about unknown tiles while playing" if unsettled else "")
            )
        )

    def _lay_out(self) -> None:
        self.list.setViewMode(QListView.ViewMode.IconMode)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setMovement(QListView.Movement.Static)
        self.list.setIconSize(_ICON)
        self.list.setGridSize(_CELL)
        self.list.setAccessibleName("Different tiles")
        self.list.setToolTip("The different tiles that were found: choose one")
        self.form.setMinimumHeight(300)
        widgets.name_control(self.name, "Name of the skin")
        self.name.setMaximumWidth(220)
        self.name.setMinimumWidth(140)
        label = QLabel("&Name")
        label.setBuddy(self.name)
        content = QWidget()
        top = widgets.lay_row((self.title, 1), self.confirm)
        widgets.lay_column(top, self.words, self.list, (self.form, 1), on=content)
        below = widgets.Flow(label, self.name, *self._below)
        widgets.lay_column((widgets.scrolled(content), 1), below, self.rule, on=self)


def safe_name(text: str) -> str:
    """Return the name of a skin's folder, made of a name with capitals, spaces or accents."""
    plain = normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9._-]+", "-", plain).strip("-._")[:64]


def _is_name(text: str) -> bool:
    from vision.skins.skin import SkinError, check_name  # noqa: PLC0415

    try:
        check_name(text)
    except SkinError:
        return False
    return True


def _item(kind: TileCluster) -> QListWidgetItem:
    """Return the list item of a cluster: its picture, its state, and whether it is confirmed."""
    word = STATE_WORDS.get(kind.state, "skipped" if kind.confirmed else "?")
    shown = f"{word} \N{CHECK MARK}" if kind.confirmed else word
    item = QListWidgetItem(widgets.picture_icon(kind.picture, _ICON), shown)
    state = "confirmed" if kind.confirmed else "not confirmed"
    many = f"{len(kind.cells)} cell{'' if len(kind.cells) == 1 else 's'}"
    item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{word}, {state}, {many}")
    item.setToolTip(widgets.tip_text(f"{word}, {state}: {many}"))
    return item
