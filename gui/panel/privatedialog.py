"""A dialog that asks which game to start on a private screen."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from typing import Final

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from gui.panel.theme import SPACE
from gui.panel.widgets import explanation, sentence
from gui.private.game import SIZE
from gui.private.games import checked
from gui.private_screen import PrivateScreenError

_SIZES: Final = (SIZE, (1920, 1080), (2560, 1440))
_WIDTH: Final = 420
_ABOUT: Final = (
    "The game runs on a separate screen, so your mouse and your windows stay free. The panel shows "
    "that screen live. The game ends when you close the panel."
)


class GameDialog(QDialog):
    """A dialog for the command and the size of the screen.

    Signals:
        wanted(str, tuple): Start this command on a screen of this size.
    """

    wanted = pyqtSignal(str, tuple)

    def __init__(self, commands: Iterable[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Play on a private screen")
        about = QLabel(_ABOUT)
        about.setWordWrap(True)
        self.command, self.size_box = QComboBox(), QComboBox()
        self.command.setEditable(True)
        self.command.setAccessibleName("Command that starts the game")
        self.command.addItems(list(commands))
        self.size_box.setAccessibleName("Size of the private screen")
        for width, height in _SIZES:
            self.size_box.addItem(f"{width} x {height}", (width, height))
        self.trouble = explanation("Problem with the command")
        self.trouble.hide()
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow("&Command", self.command)
        form.addRow("&Screen", self.size_box)
        self.buttons, roles = QDialogButtonBox(), QDialogButtonBox.ButtonRole
        self.start = self.buttons.addButton("Start and play", roles.AcceptRole)
        self.buttons.addButton("Cancel", roles.RejectRole)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[2 * SPACE] * 4)
        column.setSpacing(SPACE)
        column.addWidget(about)
        column.addLayout(form)
        column.addWidget(self.trouble)
        column.addStretch(1)
        column.addWidget(self.buttons)
        self.setMinimumWidth(_WIDTH)
        self.buttons.accepted.connect(self._take)
        self.buttons.rejected.connect(self.reject)
        line = self.command.lineEdit()
        if line is not None:
            line.setPlaceholderText("gnome-mines --big")
            line.selectAll()
        self.command.setFocus()

    def offer(self, commands: Iterable[str]) -> None:
        """Offer more commands below the present ones."""
        typed = self.command.currentText()
        known = {self.command.itemText(row) for row in range(self.command.count())}
        self.command.addItems([one for one in commands if one not in known])
        if typed:
            self.command.setEditText(typed)

    def _take(self) -> None:
        typed = self.command.currentText().strip()
        try:
            words = shlex.split(typed)
            checked(words)
        except (ValueError, PrivateScreenError) as error:
            self.trouble.setText(sentence(str(error)))
            self.trouble.show()
            self.adjustSize()
            self.command.setFocus()
            return
        self.accept()
        self.wanted.emit(typed, self.size_box.currentData())
