"""The page's dialogs: where to write, which folder, whether to delete."""

from __future__ import annotations

from pathlib import Path

from PyQt6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

from gui.panel.boardview import Show
from gui.panel.dialogs import WHEREABOUTS
from gui.panel.theme import SPACE
from gui.panel.widgets import explanation
from gui.replay.animation import CELLS, AnimationOptions
from gui.replay.playback import SPEEDS
from gui.replay.transport import speed_text


class Asking:
    """Modal dialogs; cancelling one returns None or False."""

    def folder(self, parent: QWidget, title: str) -> Path | None:
        """Return an existing folder that the user chooses."""
        return _chosen(QFileDialog.getExistingDirectory(parent, title, str(WHEREABOUTS.folder)))

    def target(self, parent: QWidget, title: str, name: str, kinds: str) -> Path | None:
        """Return a file to write that the user chooses.

        Args:
            parent: The page.
            title: Title of the dialog.
            name: The proposed name.
            kinds: As Qt writes them: 'JSON (*.json)'.
        """
        proposed = str(WHEREABOUTS.folder / name)
        chosen, _kind = QFileDialog.getSaveFileName(parent, title, proposed, kinds)
        return _chosen(chosen)

    def animation(self, parent: QWidget) -> AnimationOptions | None:
        """Return the appearance of an animated picture that the user chooses."""
        dialog = AnimationDialog(parent)
        if dialog.exec() != QDialog.DialogCode.Accepted:
            return None
        return dialog.options

    def sure(self, parent: QWidget, question: str, do: str) -> bool:
        """Return whether the user confirms something that cannot be undone.

        Args:
            parent: The page.
            question: What will happen.
            do: Label of the button that confirms.
        """
        box = QMessageBox(QMessageBox.Icon.Warning, "Minesweeper bot", question, parent=parent)
        accept = box.addButton(do, QMessageBox.ButtonRole.DestructiveRole)
        cancel = box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(cancel)
        box.exec()
        return box.clickedButton() is accept


def _chosen(name: str) -> Path | None:
    if not name:
        return None
    WHEREABOUTS.note(name)
    return Path(name)


class AnimationDialog(QDialog):
    """A dialog for the layer, marks, speed and size of an animated picture."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Animated picture")
        self.show_box, self.marks, self.speed, self.size_box = (QComboBox() for _ in range(4))
        for text, show in (
            ("The game's picture", Show.BOTH),
            ("The board as it was read", Show.PARSED),
        ):
            self.show_box.addItem(text, show)
        self.marks.addItem("Probabilities and moves", True)
        self.marks.addItem("Nothing", False)
        for speed in SPEEDS:
            self.speed.addItem(speed_text(speed), speed)
        self.speed.setCurrentIndex(SPEEDS.index(AnimationOptions().speed))
        for name, cell in CELLS.items():
            self.size_box.addItem(f"{name.capitalize()}, {cell} pixels a cell", cell)
        self.size_box.setCurrentIndex(list(CELLS.values()).index(AnimationOptions().cell))
        form = QFormLayout()
        for word, box in (
            ("Layer", self.show_box),
            ("Over it", self.marks),
            ("Speed", self.speed),
            ("Size", self.size_box),
        ):
            box.setAccessibleName(word)
            form.addRow(word, box)
        note = explanation("About the formats")
        note.setText(
            "The ending of the name chooses the format: .webp is the smallest and keeps every "
            "colour, .gif opens everywhere, .png (APNG) opens in browsers."
        )
        note.setMinimumWidth(260)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setSpacing(SPACE)
        column.addLayout(form)
        column.addWidget(note)
        column.addWidget(buttons)

    @property
    def options(self) -> AnimationOptions:
        """The chosen options."""
        return AnimationOptions(
            self.show_box.currentData(),
            self.marks.currentData(),
            self.speed.currentData(),
            self.size_box.currentData(),
        )
