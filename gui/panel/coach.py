"""What the coach says: a line after each move that calls for one, and a summary at a game's end."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from bot.assist.coach import GameReview, MoveKind, Verdict
from gui.panel.labels import explanation, wrapped_label
from gui.panel.theme import SPACE, restyle

_NOTHING_YET: Final = "Play: what you could have known is told after each move that calls for it."
_WORDS: Final = {
    MoveKind.FIRST: "The first click: nothing can be known of it.",
    MoveKind.SAFE: "Good: that cell was proved safe.",
}
_BULLET: Final = "\N{BULLET} "


class CoachCard(QFrame):
    """Hidden unless somebody is watched."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        heading = QLabel("Coach")
        heading.setProperty("heading", True)
        self.line = wrapped_label("What the coach says of the last move")
        self.line.setAlignment(Qt.AlignmentFlag.AlignTop)
        # Room for two lines always: the board must not jump with every sentence.
        self.line.setMinimumHeight(2 * self.line.fontMetrics().lineSpacing())
        self.figures = explanation("The game in figures")
        self.points = wrapped_label("Lessons of the game")
        for label in (self.line, self.points):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE + 2, SPACE, SPACE + 2, SPACE)
        column.setSpacing(4)
        for part in (heading, self.line, self.figures, self.points):
            column.addWidget(part)
        self.clear()
        self.hide()

    def clear(self) -> None:
        """Nothing has been played yet."""
        self._say(_NOTHING_YET, "")

    def tell(self, verdict: Verdict) -> None:
        """Say something about a move; of a good one, nothing but that it was good."""
        said = str(verdict) or _WORDS.get(verdict.kind, "")
        if said:
            self._say(said, "note" if verdict.better is not None else "")

    def sum_up(self, lessons: GameReview) -> None:
        """Look back at a game."""
        self._say(lessons.headline, "")
        self.figures.setText(f"{lessons.figures}.")
        self.points.setText("\n".join(f"{_BULLET}{point}" for point in lessons.points))
        self.figures.show()
        self.points.show()

    def _say(self, text: str, kind: str) -> None:
        self.line.setText(text)
        self.line.setAccessibleDescription(text)
        self.figures.hide()
        self.points.hide()
        if self.property("message") != kind:
            self.setProperty("message", kind)
            restyle(self)
