"""The page of the settings; every change is applied and saved at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from PyQt6.QtCore import QEvent, QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent, QKeySequence
from PyQt6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QSpinBox,
    QWidget,
)

from gui.dialogs import ask_folder, confirm, open_folder
from gui.failures import Failure
from gui.panel import widgets
from gui.panel.controls import KEYS
from gui.panel.jobs import Jobs, LatestJob, Progress
from gui.panel.options import (
    AFTER_DIALOG,
    AFTER_GAME,
    STYLES,
    THEMES,
    list_players,
)
from gui.panel.pages import Context, Page
from gui.settings import (
    PAUSE_KEY,
    STOP_KEY,
    Settings,
    check_keys,
    check_writable,
    defaults,
    recordings_folder,
    sessions_folder,
    settings_file,
)
from vision.desktop import Feature, desktop
from vision.files import data_folder

_ELSEWHERE: Final = "Mines, games, speed and thinking are chosen on the page Play."
_OTHER_FOLDER: Final = "Games that were recorded in another folder stay there."


class SettingsPage(Page):
    """The page of all settings."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        settings = context.settings()
        self._shown: list[Callable[[Settings], None]] = []
        """Show a setting in its control, each without reporting a change."""
        self.style_box, self.theme = (
            widgets.box(STYLES, settings.style),
            widgets.box(THEMES, settings.theme),
        )
        self.solver, self.think = QComboBox(), QDoubleSpinBox()
        self.after_win = widgets.box(AFTER_GAME, settings.after_win)
        self.after_loss = widgets.box(AFTER_GAME, settings.after_loss)
        self.after_dialog = widgets.box(AFTER_DIALOG, settings.after_dialog)
        self.record = QCheckBox("&Record every game")
        self.marks = QCheckBox("&Marks over the game")
        self.coordinates = QCheckBox("Row and column n&umbers")
        self.folder = FolderBox(context.jobs)
        self.key = KeyBox(
            "stop key",
            STOP_KEY,
            "stops while the bot plays, whichever window has the focus. Moving the mouse outside "
            "this window pauses.",
            KEYS["stop"],
            lambda key: check_keys(key, context.settings().pause_key),
        )
        self.pause_key = KeyBox(
            "pause key",
            PAUSE_KEY,
            "pauses while the bot plays, and resumes, whichever window has the focus.",
            KEYS["pause"],
            lambda key: check_keys(context.settings().stop_key, key),
        )
        self.most, self.megabytes = (
            widgets.NumberBox(0, 1_000_000, least_text="All games"),
            widgets.NumberBox(0, 10_000_000, least_text="Any size"),
        )
        self.usage = widgets.explanation("Recorded games")
        self._counting = LatestJob(
            context.jobs, lambda failure: self.usage.setText(failure.message)
        )
        self.open_sessions = widgets.named_button(
            "Open recordings &folder", "Open the folder of recorded games"
        )
        self.open_data = widgets.named_button(
            "Open data folder", "Open the folder of the program's files"
        )
        self.reset = widgets.named_button("Reset to defaults", "Reset all settings")
        self.forget = widgets.named_button(
            "Forget permission", "Forget the permission to read the screen and click"
        )
        self.think.setRange(0.1, 600)
        self.think.setDecimals(1)
        self.think.setSuffix(" s")
        self.megabytes.setSuffix(" MB")
        for spin in (self.think, self.most, self.megabytes):
            spin.setKeyboardTracking(False)
            spin.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
        self._lay_out()
        self._connect()
        self.enter()

    def enter(self, what: object = None) -> None:
        """Show the current settings, which the playing page may have changed."""
        del what
        settings = self.context.settings()
        for show in self._shown:
            show(settings)
        list_players(self.solver, settings)
        self.style_box.setEnabled(not settings.digging)
        self.folder.show_folder(settings.sessions)
        self.key.show_key(settings.stop_key)
        self.pause_key.show_key(settings.pause_key)
        self._count()

    def _lay_out(self) -> None:
        play, after = widgets.Card("Play"), widgets.Card("When a game ends")
        recordings, looks = widgets.Card("Recordings"), widgets.Card("Appearance and files")
        keys = widgets.Card("Keys for every window")
        assist = widgets.Card("Assist")
        self.marks.setAccessibleName("Marks over the game's own window, while you play")
        self.marks.setToolTip("Shows what is known in the corners of the game's cells")
        assist.whole(self.marks)
        play.whole(widgets.explanation("What is elsewhere", _ELSEWHERE))
        play.row(
            "Sol&ver",
            self.solver,
            "Solver",
            "Which solver chooses the moves. Can be changed during a game",
        )
        play.row("St&yle", self.style_box, "Style of play", "Whether flags and chords are used")
        play.row("T&ime limit per move", self.think, "Time limit per move, in seconds",
                 "After this time the solver uses an estimate")  # fmt: skip
        after.row("After a &win", self.after_win, "After a win", "What to do after a game is won")
        after.row(
            "After a &loss", self.after_loss, "After a loss", "What to do after a game is lost"
        )
        after.row("If the game shows a dialog", self.after_dialog, "If the game shows a dialog",
                  "What to do with a dialog of the game, after a game or during it")  # fmt: skip
        self.record.setAccessibleName("Record every game")
        self.record.setToolTip("Record every game, so that it can be replayed")
        recordings.whole(self.record)
        recordings.row("Folder", self.folder, "Folder for recorded games", "")
        recordings.row("&Keep", self.most, "Number of recorded games to keep",
                       "The oldest are deleted first, protected ones never")  # fmt: skip
        recordings.row("At most", self.megabytes, "Disk space for recorded games, in megabytes",
                       "The oldest are deleted first, protected ones never")  # fmt: skip
        recordings.whole(self.usage)
        recordings.whole(widgets.button_row(self.open_sessions))
        keys.form.addRow("Stop", self.key)
        keys.form.addRow("Pause", self.pause_key)
        looks.row("&Theme", self.theme, "Colours", "Light, dark, or the same as the system")
        self.coordinates.setAccessibleName("Numbers of rows and columns beside each board")
        self.coordinates.setToolTip("Shown beside each board whose cells are large enough")
        looks.whole(self.coordinates)
        for what, path in (("Settings", settings_file()), ("Other files", data_folder())):
            where = widgets.ElidedLabel(f"Where the files are: {what}")
            where.setText(f"{what}: {path}")
            where.setToolTip(str(path))
            where.setProperty("muted", True)
            looks.whole(where)
        self.forget.setToolTip("The desktop asks for it again after the next start")
        looks.whole(widgets.button_row(self.open_data, self.forget))
        looks.whole(widgets.button_row(self.reset))
        columns = widgets.Columns()
        columns.add(play, after, assist, looks)
        columns.add(recordings, keys)
        widgets.fill_page(self, "Settings", columns)
        # Without a parent, a visible widget would be a window.
        assist.setVisible(desktop().overlays)
        self.forget.setVisible(desktop().keeps_access)

    def _connect(self) -> None:
        for control, name in (
            (self.style_box, "style"), (self.after_win, "after_win"),
            (self.after_loss, "after_loss"), (self.after_dialog, "after_dialog"),
            (self.theme, "theme"), (self.think, "think"), (self.most, "keep_sessions"),
            (self.megabytes, "keep_megabytes"), (self.record, "record"), (self.marks, "marks"),
            (self.coordinates, "coordinates"),
        ):  # fmt: skip
            self._bind(control, name)
        self.solver.currentIndexChanged.connect(self._choose_solver)
        self.folder.chosen.connect(lambda folder: self._put(sessions=folder))
        self.key.chosen.connect(lambda key: self._put(stop_key=key))
        self.pause_key.chosen.connect(lambda key: self._put(pause_key=key))
        # The X server is asked, which may take seconds.
        asked = self.context.jobs.start(
            "Checking the keys", lambda _: desktop().lacks.get(Feature.GLOBAL_KEYS)
        )
        asked.done.connect(self._show_lack)
        self.open_sessions.clicked.connect(
            lambda: self._open(self.context.settings().sessions_folder)
        )
        self.open_data.clicked.connect(lambda: self._open(data_folder()))
        self.reset.clicked.connect(self._ask_reset)
        self.forget.clicked.connect(self._forget_access)

    def _show_lack(self, lack: str | None) -> None:
        if lack is not None:
            self.key.show_lack(lack)
            self.pause_key.show_lack("")

    def _bind(self, control: QComboBox | QCheckBox | QSpinBox | QDoubleSpinBox, name: str) -> None:
        """Let a control show and change the setting of this name.

        The number 0 stands for None if that is the default.
        """
        show: Callable[[Any], object]
        if isinstance(control, QComboBox):
            show = partial(widgets.choose, control)
            control.currentIndexChanged.connect(
                lambda _index: self._put(**{name: control.currentData()})
            )
        elif isinstance(control, QCheckBox):
            show = control.setChecked
            control.toggled.connect(lambda checked: self._put(**{name: checked}))
        else:
            show = lambda value: control.setValue(value or 0)  # noqa: E731
            zero = 0 if Settings.model_fields[name].default is not None else None
            control.valueChanged.connect(lambda value: self._put(**{name: value or zero}))

        def shown(settings: Settings) -> None:
            with QSignalBlocker(control):
                show(getattr(settings, name))

        self._shown.append(shown)

    def _choose_solver(self) -> None:
        name = "hunter" if self.context.settings().digging else "solver"
        self._put(**{name: self.solver.currentData()})

    def _put(self, **changes: Any) -> None:
        self.context.change(self.context.settings().model_copy(update=changes))
        if changes.keys() & {"sessions", "keep_sessions", "keep_megabytes"}:
            self._count()

    def _count(self) -> None:
        """Show how many recordings there are, and which of them will be deleted."""
        settings = self.context.settings()

        def work(progress: Progress) -> str:
            # Imported here: it loads OpenCV, which would slow down the page.
            from vision.sessions.session_files import held, superfluous  # noqa: PLC0415

            found = held(settings.sessions_folder, lambda: progress.report(None))
            going = superfluous(found, settings.keep_sessions, settings.keep_megabytes)
            size = sum(one.bytes for one in found) / 1_000_000
            if not found:
                return "No game is recorded in this folder yet."
            games = "recorded game takes" if len(found) == 1 else "recorded games take"
            words = f"{len(found):,} {games} {size:,.1f} MB."
            if not going:
                return words
            return f"{words} The oldest {len(going):,} will be deleted after the next games."

        self._counting.start("Counting the recorded games", work, self.usage.setText)

    def _open(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        open_folder(folder, self.message.emit)

    def _forget_access(self) -> None:
        desktop().forget_access()
        self.succeeded.emit("Your desktop will ask for permission again after the next start.")

    def _ask_reset(self) -> None:
        confirm(
            self,
            "Reset to defaults?",
            "Reset all settings to their defaults? Recordings and skins are kept.",
            "Reset",
            self._reset,
        )

    def _reset(self) -> None:
        self.context.change(defaults())
        self.enter()


class _KeySequenceEdit(QKeySequenceEdit):
    """A field for a key that leaves Alt with a digit to the pages."""

    def event(self, event: QEvent | None) -> bool:
        """Take every key but those that open a page."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() is QEvent.Type.ShortcutOverride
            and event.modifiers() == Qt.KeyboardModifier.AltModifier
            and Qt.Key.Key_0 <= event.key() <= Qt.Key.Key_9
        ):
            event.ignore()
            return False
        return super().event(event)


class KeyBox(QWidget):
    """A field for a key for all windows; an unsuitable one is refused with the reason.

    Args:
        name: The key's purpose: 'stop key'.
        usual: The default key.
        does: What it does, in a sentence that the key begins.
        own: The key that always does so in the panel.
        check: Raises ValueError with the reason if a key is unsuitable.

    Signals:
        chosen(str): Another key, or none.
    """

    chosen = pyqtSignal(str)

    def __init__(
        self, name: str, usual: str, does: str, own: str, check: Callable[[str], object]
    ) -> None:
        super().__init__()
        self._key = ""
        self._does, self._own, self._check = does, own, check
        self._lack: str | None = None
        self.edit = _KeySequenceEdit()
        self.edit.setMaximumSequenceLength(1)
        self.edit.setAccessibleName(f"{name.capitalize()}: press it here")
        self.edit.setToolTip(f"Click here, then press the new {name}")
        self.usual = widgets.named_button(
            f"Use {usual}", f"Use {usual} as {name}", f"Make {usual} the {name} again"
        )
        self.none = widgets.named_button(
            "None", f"No {name}", f"No {name} works while another window has the focus"
        )
        self.note: QLabel = widgets.explanation(f"About the {name}")
        row = widgets.lay_row((self.edit, 1), self.usual, self.none)
        widgets.lay_column(row, self.note, on=self)
        self.setFocusProxy(self.edit)
        self.edit.keySequenceChanged.connect(self._pressed)
        self.usual.clicked.connect(lambda: self._try(usual))
        self.none.clicked.connect(lambda: self._try(""))

    def show_key(self, key: str) -> None:
        """Show the current key."""
        self._key = key
        with QSignalBlocker(self.edit):
            self.edit.setKeySequence(QKeySequence(key))
        text = f"{key} {self._does}" if key else "No key is set."
        if key != self._own:
            text += f" In this window {self._own} works, too."
        self._show_note(text if self._lack is None else self._lack)

    def show_lack(self, lack: str) -> None:
        """Show why no key works here; empty to show nothing about it."""
        self._lack = lack
        self.show_key(self._key)

    def _pressed(self, keys: QKeySequence) -> None:
        text = keys.toString(QKeySequence.SequenceFormat.PortableText)
        if text:
            self._try(text)

    def _try(self, key: str) -> None:
        try:
            self._check(key)
        except ValueError as error:
            height = self.note.height() if self.note.isVisible() else 0
            self.show_key(self._key)
            # Nothing below moves while keys are tried.
            self._show_note(widgets.sentence(str(error)), height)
        else:
            self.show_key(key)
            self.chosen.emit(key)

    def _show_note(self, text: str, height: int = 0) -> None:
        """Show a note at its full height at once, or at a larger one."""
        note = self.note
        note.setText(text)
        note.setVisible(bool(text))
        needed = note.heightForWidth(note.width()) if note.isVisible() else 0
        note.setMinimumHeight(max(height, needed))


class FolderBox(QWidget):
    """A field for a folder.

    Args:
        jobs: Checks whether it can be written.

    Signals:
        chosen(object): Another folder as text, checked; None for the default.
    """

    chosen = pyqtSignal(object)

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self._jobs = jobs
        self._shown: str | None = None
        self.edit = QLineEdit()
        self.edit.setAccessibleName("Folder for recorded games")
        self.edit.setToolTip("Folder for recorded games; leave empty for the default")
        self.browse = widgets.named_button(
            "&Choose …", "Choose the folder for recorded games", "Choose a folder"
        )
        self.usual = widgets.named_button(
            "Usual folder", "Use the usual folder", "Record games in the usual folder again"
        )
        self.note: QLabel = widgets.explanation("About the folder")
        row = widgets.lay_row((self.edit, 1), self.browse, self.usual)
        widgets.lay_column(row, self.note, on=self)
        self.note.hide()
        self.setFocusProxy(self.edit)
        self.edit.editingFinished.connect(self._typed)
        self.browse.clicked.connect(self._browse)
        self.usual.clicked.connect(lambda: self._try(None))

    def show_folder(self, folder: str | None) -> None:
        """Show the current folder."""
        self._shown = folder
        self.edit.setText(folder or "")
        self.edit.setPlaceholderText(str(sessions_folder()))
        self.usual.setEnabled(folder is not None)
        self.note.setText(_OTHER_FOLDER)
        self.note.setVisible(folder is not None)

    def _typed(self) -> None:
        text = self.edit.text().strip() or None
        if text != self._shown:
            self._try(text)

    def _browse(self) -> None:
        folder = Path(self._shown) if self._shown else sessions_folder().parent
        ask_folder(
            self, "Folder for recorded games", lambda path: self._try(str(path)), folder=folder
        )

    def _try(self, text: str | None) -> None:
        self.edit.setText(text or "")

        def work(_progress: Progress) -> None:
            check_writable(recordings_folder(text))

        job = self._jobs.start("Checking the folder", work)
        job.done.connect(lambda _answer: self._take(text))
        job.failed.connect(self._refuse)

    def _take(self, text: str | None) -> None:
        self.show_folder(text)
        self.chosen.emit(text)

    def _refuse(self, failure: Failure) -> None:
        self.note.setText(widgets.sentence(failure.message))
        self.note.show()
