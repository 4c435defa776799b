"""Teaching a skin: the user confirms or corrects each tile cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import (
    QLabel,
    QLineEdit,
    QListView,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from bot.board import UNREAD
from gui.panel.theme import SPACE
from gui.panel.tile_question import Leaving, TeachPage
from gui.panel.widgets import Flow, connect_keyed, explanation, headline, keyed, scrolled
from gui.questions import STATE_WORDS, Around, around_in
from gui.skins.skin_details import tile_icon

if TYPE_CHECKING:
    from gui.skins.skin_jobs import Learned
    from vision.learning.questions import Kind, Question

_ICON: Final = 44
_CELL: Final = QSize(96, 78)
_ROOM: Final = 640
"""Height in points from which two rows of clusters fit."""
_FORM_HEIGHT: Final = 300
_OPEN: Final = "Neither its shape nor the rules of the game identify it: what is it?"
_GUESSED: Final = "Our guess: press it to confirm, or press the right one."
_TOLD: Final = "Your answer. Press another one to correct it."
_LEFT_OUT: Final = "Skipped: the skin has no picture of it. Press what it is to include it."
_LEAVING: Final = Leaving(
    "Skip",
    "Skip this tile",
    "Skip: not a tile of the game, or unknown",
    _OPEN,
)


class TileClustersView(QWidget):
    """All tile clusters of a skin learner, the form for one of them, and the skin's name.

    Signals:
        corrected(int, int, bool): A cluster's number, its tile code (UNREAD to leave it out), and
            whether that was refused before.
        all_confirmed(): All guesses are right.
        kept(str): The skin is to be saved under this name.
        more_wanted(): Another picture is to be added.
        left(): Discard everything.
    """

    corrected = pyqtSignal(int, int, bool)
    all_confirmed = pyqtSignal()
    kept = pyqtSignal(str)
    more_wanted = pyqtSignal()
    left = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._learned: Learned | None = None
        self._question: Question | None = None
        self._busy = False
        self.title, self.words = headline(), explanation("Progress")
        self.list, self.form, self.name = QListWidget(), TeachPage(_LEAVING), QLineEdit()
        self.save = keyed("&Save skin", "Keep the skin under this name", "Ctrl+S")
        self.save.setProperty("primary", True)
        self.confirm = keyed("&Confirm all", "All guesses are right", "Ctrl+Return")
        self.more = keyed("&Add picture …", "Learn from one more picture", "Ctrl+O")
        self.cancel = keyed("Cancel", "Discard everything", "Esc")
        self._lay_out()
        self.list.currentRowChanged.connect(self._ask)
        self.form.answered.connect(self._answer)
        self.name.textChanged.connect(self._update)
        self.name.returnPressed.connect(self.save.click)
        connect_keyed(
            self,
            (
                (self.save, "Ctrl+S", lambda: self.kept.emit(self.name.text().strip())),
                (self.confirm, "Ctrl+Return", self.all_confirmed.emit),
                (self.more, "Ctrl+O", self.more_wanted.emit),
                (self.cancel, "Esc", self.left.emit),
            ),
        )

    @property
    def kind(self) -> Kind | None:
        """The selected tile cluster."""
        row = self.list.currentRow()
        kinds = self._learned.kinds if self._learned is not None else ()
        return kinds[row] if 0 <= row < len(kinds) else None

    @property
    def order(self) -> list[QWidget]:
        """The tab order."""
        form = self.form
        last: list[QWidget] = [self.name, self.save, self.confirm, self.more, self.cancel]
        return [self.list, form, *form.buttons.values(), form.leave, *last]

    def begin(self, learned: Learned) -> None:
        """Show a skin learner that has just begun."""
        self._learned = None
        self.name.setText(learned.name)
        self.show_learned(learned)

    def show_learned(self, learned: Learned) -> None:
        """Show the state of the learner, and ask about the next unconfirmed cluster."""
        before = self.kind
        self._learned = learned
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
            pressed = (self.save, self.confirm, self.more)
            if any(button.hasFocus() for button in pressed):
                self.form.setFocus()
            self.form.question = None
        self.more.setEnabled(not busy)
        self._update()

    def _fit_list(self) -> None:
        kinds = len(self._learned.kinds) if self._learned is not None else 1
        across = max(1, (self.list.width() - 2 * SPACE) // _CELL.width())
        rows = min(-(-kinds // across), 2 if self.height() >= _ROOM else 1)
        self.list.setFixedHeight(rows * _CELL.height() + 12)

    def _next(self, last: int | None, refused: int | None) -> int:
        """Return the row of the cluster to ask about."""
        kinds = self._learned.kinds if self._learned is not None else ()
        numbers = [kind.number for kind in kinds]
        if refused in numbers:
            return numbers.index(refused)
        waiting = [row for row, kind in enumerate(kinds) if not kind.confirmed]
        if waiting:
            return waiting[0]
        return numbers.index(last) if last in numbers else 0

    def _ask(self, _row: int = 0) -> None:
        from vision.learning.questions import Question  # noqa: PLC0415

        kind, learned = self.kind, self._learned
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
            why = _TOLD if known else _LEFT_OUT
        elif known:
            why = _GUESSED
        focused = self.focusWidget()
        others = (self.list, self.name, self.save, self.confirm, self.more, self.cancel)
        self.form.ask(self._question, self._around(kind), why)
        if focused is not None and focused in others and focused.isEnabled():
            # A user who moves through the list or types a name must not be interrupted.
            focused.setFocus()

    def _around(self, kind: Kind) -> Around | None:
        skin_learner = self._learned.skin_learner if self._learned is not None else None
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
        learned, busy = self._learned, self._busy
        if learned is None:
            return
        kinds = learned.kinds
        waiting = sum(not kind.confirmed for kind in kinds)
        self.title.setText(f"{len(kinds)} different tiles were found")
        words = f"{waiting} to confirm or correct." if waiting else "All of them are confirmed."
        if learned.missing:
            names = ", ".join(learned.missing)
            words += f" A skin needs {names} as well: correct a tile, or add a picture."
        self.words.setText(words)
        unsettled = any(kind.state == UNREAD and not kind.confirmed for kind in kinds)
        guessed = any(kind.state != UNREAD and not kind.confirmed for kind in kinds)
        self.confirm.setEnabled(guessed and not busy)
        ready = bool(self.name.text().strip()) and not learned.missing
        self.save.setEnabled(ready and not busy)
        self.save.setToolTip(
            "Keep the skin under this name (Ctrl+S)"
            + ("; you are asked about unconfirmed tiles while playing" if unsettled else "")
        )

    def _lay_out(self) -> None:
        self.list.setViewMode(QListView.ViewMode.IconMode)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setMovement(QListView.Movement.Static)
        self.list.setIconSize(QSize(_ICON, _ICON))
        self.list.setGridSize(_CELL)
        self.list.setAccessibleName("Different tiles")
        self.list.setToolTip("The different tiles that were found: choose one")
        self.form.setMinimumHeight(_FORM_HEIGHT)
        self.name.setAccessibleName("Name of the skin")
        self.name.setToolTip("Name of the skin: lower-case letters, digits, '.', '_' and '-'")
        self.name.setMaximumWidth(220)
        self.name.setMinimumWidth(140)
        label = QLabel("&Name")
        label.setBuddy(self.name)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        for part in (self.title, self.words, self.list):
            column.addWidget(part)
        column.addWidget(self.form, 1)
        outside = QVBoxLayout(self)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.setSpacing(SPACE)
        outside.addWidget(scrolled(content), 1)
        outside.addLayout(Flow(label, self.name, self.save, self.confirm, self.more, self.cancel))


def _item(kind: Kind) -> QListWidgetItem:
    """Return the list item of a cluster: its picture, its state, and whether it is confirmed."""
    word = STATE_WORDS.get(kind.state, "skipped" if kind.confirmed else "?")
    shown = f"{word} \N{CHECK MARK}" if kind.confirmed else word
    item = QListWidgetItem(tile_icon(kind.picture, _ICON), shown)
    state = "confirmed" if kind.confirmed else "not confirmed"
    many = f"{len(kind.cells)} cell{'' if len(kind.cells) == 1 else 's'}"
    item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{word}, {state}, {many}")
    item.setToolTip(f"{word}, {state}: {many}")
    return item
