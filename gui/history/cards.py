"""The statistics of the shown games, each on its own card."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from gui.history.figures import Figures
from gui.history.reflow import Reflow
from gui.history.table import NOTHING
from gui.panel.theme import SPACE
from gui.panel.widgets import plain_label

_WIDTH: Final = 104
_TITLES: Final = ("Games", "Won", "Streak", "Fastest win", "3BV/s", "Efficiency", "Guesses")
_ABOUT: Final = {
    "Games": "Games shown; of these the unfinished ones, and those whose result is unknown",
    "Won": "Share of the finished games that were won, with its 95 % interval (Wilson)",
    "Streak": "Current run of wins or losses; unfinished games do not count",
    "Fastest win": "The fastest win, and the median below; of games seen from their first click",
    "3BV/s": "Median of the won games",
    "Efficiency": "3BV per click in won games",
    "Guesses": "Moves with a risk, per finished game",
}


class Cards(Reflow):
    """A set of cards with statistics."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._cards = {title: _Card(title) for title in _TITLES}
        super().__init__(tuple(self._cards.values()), _WIDTH, parent)

    def figure(self, title: str) -> tuple[str, str]:
        """Return a card's value and the small text below it."""
        card = self._cards[title]
        return card.value.text(), card.more.text()

    def show_figures(self, told: Figures) -> None:
        """Show statistics."""
        stopped = f"{told.stopped:,} unfinished" if told.stopped else "all finished"
        if told.ended:
            stopped += f", {told.ended:,} with unknown result"
        self._say("Games", f"{told.games:,}", stopped if told.games else "")
        rate = told.rate
        if rate is None:
            self._say("Won", NOTHING, "")
        else:
            self._say("Won", f"{rate.value:.1%}", f"{rate.low:.1%} to {rate.high:.1%}")
        self._say("Streak", _streak(told.streak), f"best {told.best_streak:,} won")
        median = "" if told.median_seconds is None else f"median {_seconds(told.median_seconds)}"
        self._say("Fastest win", _seconds(told.best_seconds), median)
        self._say("3BV/s", _number(told.speed), "median")
        self._say("Efficiency", _number(told.efficiency), "3BV a click")
        digs = "a game" if told.digs is None else f"{told.digs:.1f} digs a game"
        self._say("Guesses", _number(told.guesses), digs)

    def _say(self, title: str, value: str, more: str) -> None:
        card = self._cards[title]
        card.value.setText(value)
        card.more.setText(more)


class _Card(QFrame):
    """A card with one value."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setToolTip(_ABOUT[title])
        name = QLabel(title)
        name.setProperty("heading", True)
        self.value, self.more = plain_label(title), plain_label(f"{title}, more")
        font = self.value.font()
        font.setPointSizeF(font.pointSizeF() * 1.3)
        font.setBold(True)
        self.value.setFont(font)
        self.more.setProperty("muted", True)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE, 6, SPACE, 6)
        column.setSpacing(0)
        for label in (name, self.value, self.more):
            label.setAlignment(Qt.AlignmentFlag.AlignLeft)
            column.addWidget(label)


def _streak(games: int) -> str:
    if not games:
        return NOTHING
    return f"{abs(games):,} {'won' if games > 0 else 'lost'}"


def _seconds(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.2f} s"


def _number(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.2f}"
