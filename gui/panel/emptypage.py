"""The page shown in place of the board before anything was played."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtWidgets import QFrame, QLabel, QPushButton, QVBoxLayout, QWidget

from gui.panel.controls import KEYS
from gui.panel.labels import headline, sentence
from gui.panel.theme import SPACE
from gui.panel.tray import scrolled
from gui.runner.protocol import Found
from vision.supported import SUPPORTED

_LIST_HIDDEN: Final = "Open the list of windows (F9) and choose one"


class EmptyPage(QFrame):
    """A page with instructions for the start.

    Signals:
        simulator_wanted(): The button was pressed.
    """

    simulator_wanted = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self._found: Found | None = None
        """The result of the last search."""
        self._list_visible = True
        self.title = headline()
        self.title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.advice = QLabel()
        self.advice.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.advice.setWordWrap(True)
        self.advice.setTextFormat(Qt.TextFormat.PlainText)
        self.advice.setProperty("muted", True)
        self.simulate = QPushButton("Play the &built-in game")
        self.simulate.setAccessibleName("Open the built-in game and play it")
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(*[2 * SPACE] * 4)
        column.setSpacing(SPACE)
        column.addStretch(1)
        column.addWidget(self.title)
        column.addWidget(self.advice)
        column.addStretch(1)
        page = QVBoxLayout(self)
        page.setContentsMargins(SPACE, SPACE, SPACE, 2 * SPACE)
        # The text may be longer than a small window is high.
        page.addWidget(scrolled(content), 1)
        # At the bottom, it stays in place when the text changes or a message appears above.
        page.addWidget(self.simulate, 0, Qt.AlignmentFlag.AlignHCenter)
        self.simulate.clicked.connect(self.simulator_wanted)
        self.title.setText("Looking for Minesweeper windows …")
        self.advice.setText("A moment, please.")

    def set_list_visible(self, visible: bool) -> None:
        """Adapt the instructions to the visibility of the list of windows."""
        self._list_visible = visible
        if self._found is not None:
            self.set_found(self._found)

    def set_found(self, found: Found) -> None:
        """Show instructions for the result of a search."""
        self._found = found
        if found.boards:
            self.title.setText("Ready to play")
            first = "Choose a window on the left" if self._list_visible else _LIST_HIDDEN
            self.advice.setText(
                f"{first}, then press Play ({KEYS['play']}), or Assist "
                f"({KEYS['assist']}) to play it yourself and be shown what is known."
            )
        elif found.remarks:
            self.title.setText("No board that can be played")
            self.advice.setText("\n\n".join(map(sentence, found.remarks)))
        else:
            self.title.setText("No Minesweeper window found")
            self.advice.setText(
                "Open one, or play the built-in game.\nMinimised windows cannot be found.\n\n"
                f"{SUPPORTED}."
            )

    def set_blind(self) -> None:
        """Show that the search failed; the message bar shows the reason."""
        self._found = None
        self.title.setText("The screen could not be searched")
        self.advice.setText("The message above says why. Press Refresh to look again.")
