"""The coach's card: advice after a move that needs it, and a summary at the end of a game."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from bot.assist.coach import GameReview, MoveKind, Verdict
from gui.panel.theme import SPACE, restyle
from gui.panel.widgets import explanation, wrapped_label

_NOTHING_YET: Final = "Play. I comment when you miss something."
_WORDS: Final = {
    MoveKind.FIRST: "First click: nothing is known yet.",
    MoveKind.SAFE: "Good: that cell was proved safe.",
}
_BULLET: Final = "\N{BULLET} "


class CoachCard(QFrame):
    """A card with the coach's advice, shown only while the user plays."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        heading = QLabel("Coach")
        heading.setProperty("heading", True)
        self.line = wrapped_label("The coach's comment on the last move")
        self.line.setAlignment(Qt.AlignmentFlag.AlignTop)
        # Always reserve two lines so that the board does not move when the text changes.
        self.line.setMinimumHeight(2 * self.line.fontMetrics().lineSpacing())
        self.figures = explanation("Statistics of this game")
        self.points = wrapped_label("What to learn from this game")
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
        """Show that nothing has been played yet."""
        self._say(_NOTHING_YET, "")

    def tell(self, verdict: Verdict) -> None:
        """Show the verdict on a move; a good move gets only a short confirmation."""
        said = str(verdict) or _WORDS.get(verdict.kind, "")
        if said:
            self._say(said, "note" if verdict.better is not None else "")

    def sum_up(self, lessons: GameReview) -> None:
        """Show the review of a game."""
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
