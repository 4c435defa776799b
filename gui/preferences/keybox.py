"""The field for the stop key, which is entered by pressing it."""

from __future__ import annotations

from PyQt6.QtCore import QSignalBlocker, pyqtSignal
from PyQt6.QtGui import QKeySequence
from PyQt6.QtWidgets import QHBoxLayout, QKeySequenceEdit, QLabel, QPushButton, QVBoxLayout, QWidget

from gui.panel.jobs import Jobs
from gui.panel.theme import SPACE
from gui.panel.widgets import explanation, sentence
from gui.settings import STOP_KEY
from vision.desktop import Feature, desktop, parse_key


class KeyBox(QWidget):
    """A field for a key; an unsuitable one is refused with the reason.

    Args:
        jobs: Asks the window system whether a key can be used.

    Signals:
        chosen(str): Another key, or none.
    """

    chosen = pyqtSignal(str)

    def __init__(self, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = ""
        self._lack: str | None = None
        self.edit = QKeySequenceEdit()
        self.edit.setMaximumSequenceLength(1)
        self.edit.setAccessibleName("Stop key: press it here")
        self.edit.setToolTip("Click here, then press the new stop key")
        self.usual = QPushButton(STOP_KEY)
        self.usual.setAccessibleName(f"Use {STOP_KEY} as stop key")
        self.usual.setToolTip(f"Use {STOP_KEY}")
        self.none = QPushButton("None")
        self.none.setAccessibleName("No stop key")
        self.none.setToolTip("No key stops while another window has the focus")
        self.told: QLabel = explanation("About the stop key")
        row = QHBoxLayout()
        row.setSpacing(SPACE)
        row.addWidget(self.edit, 1)
        row.addWidget(self.usual)
        row.addWidget(self.none)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        column.addLayout(row)
        column.addWidget(self.told)
        self.setFocusProxy(self.edit)
        self.edit.keySequenceChanged.connect(self._pressed)
        self.usual.clicked.connect(lambda: self._take(STOP_KEY))
        self.none.clicked.connect(lambda: self._take(""))
        # The X server is asked, which may take seconds.
        asked = jobs.start(
            "Asking whether a key can stop", lambda _: desktop().lacks.get(Feature.STOP_KEY)
        )
        asked.done.connect(self._show_lack)

    def show_key(self, key: str) -> None:
        """Show the current key."""
        self._key = key
        with QSignalBlocker(self.edit):
            self.edit.setKeySequence(QKeySequence(key))
        if self._lack is not None:
            self.told.setText(self._lack)
        elif key:
            self.told.setText(f"{key} stops while the bot plays, whichever window has the focus.")
        else:
            self.told.setText("No key stops while another window has the focus.")

    def refuse(self, reason: str) -> None:
        """Show why a key is not available."""
        self.told.setText(sentence(reason))

    def _show_lack(self, lack: str | None) -> None:
        self._lack = lack
        self.show_key(self._key)

    def _pressed(self, keys: QKeySequence) -> None:
        text = keys.toString(QKeySequence.SequenceFormat.PortableText)
        if not text:
            return
        try:
            parse_key(text)
        except ValueError as error:
            self.show_key(self._key)
            self.refuse(str(error))
        else:
            self._take(text)

    def _take(self, key: str) -> None:
        self.show_key(key)
        self.chosen.emit(key)
