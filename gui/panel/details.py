"""Below the board: why, what comes next, how the games went and where the time went."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from bot.frame import Status
from bot.loop import Turn
from bot.metrics import efficiency, three_bv_done
from bot.planner import Action, Move
from bot.rules import Rules
from bot.watching import Watched
from gui.panel.coach import CoachCard
from gui.panel.labels import explanation, plain_label, sentence
from gui.panel.theme import SPACE
from gui.tally import STAGES, Tally

SHOWN_MOVES: Final = 4
"""Moves named one by one; the others are counted."""
_NARROW: Final = 660
"""Points below which the cards stand in two rows."""
_SLIM: Final = 400
"""Points below which they stand below each other."""
_SHARES: Final = (55, 34, 28, 35)
"""Of the width, from left to right."""
_NOTHING: Final = "\N{EN DASH}"
_STAGE_WORDS: Final = {
    "capture": "Capture",
    "read": "Read",
    "wait": "Wait",
    "think": "Think",
    "act": "Act",
}
_GAME_FIGURES: Final = (
    "Status",
    "3BV",
    "Turn",
    "3BV/s",
    "Mines left",
    "Clicks",
    "Proved",
    "Efficiency",
)
_STATUS_WORDS: Final = {
    Status.PLAYING: "Playing",
    Status.WON: "Won",
    Status.LOST: "Lost",
    Status.BLOCKED: "Covered",
}


_WATCHED_WORDS: Final = {
    Status.WON: "Won: every cell without a mine is open.",
    Status.LOST: "Lost: that was a mine.",
    Status.BLOCKED: "Something lies over the board: the advice comes back when it is gone.",
    Status.PLAYING: "The board cannot be read as it is now: nothing is guessed about it.",
}
"""Of a game that the user plays."""


class Details(QWidget):
    """The figures and sentences of the newest turn."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.reason = plain_label("Why this move")
        self.reason.setWordWrap(True)
        # Always two lines: the board must not jump when a sentence is longer than the last.
        self.reason.setMinimumHeight(2 * self.reason.fontMetrics().lineSpacing())
        self.reason.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.reason.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.remarks = explanation("What else to know")
        self.remarks.hide()
        self.moves = plain_label("Next moves")
        self.moves.setMinimumHeight((SHOWN_MOVES + 1) * self.moves.fontMetrics().lineSpacing())
        self.moves.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.game = _Figures(_GAME_FIGURES, across=2)
        self.score = _Figures(("Games", "Won", "Rate", "Guesses"))
        self.time = _Figures(_STAGE_WORDS.values(), "Time")
        self.coach = CoachCard()
        why = _card("Why", self.reason, self.remarks)
        self._cards = [
            _card("Game", self.game),
            _card("Next moves", self.moves),
            _card("Score", self.score),
            _card("Last / mean, ms", self.time),
        ]
        self._across = 0
        self._grid = QGridLayout()
        self._grid.setSpacing(SPACE)
        self._spread(len(self._cards))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        column.addWidget(self.coach)
        column.addWidget(why)
        column.addLayout(self._grid)
        self.clear()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Two cards beside each other where there is no room for four, or one."""
        super().resizeEvent(event)
        self.remarks.setMinimumHeight(0)
        self._show_remarks(self.remarks.text())
        if self.width() < _SLIM:
            self._spread(1)
        else:
            self._spread(2 if self.width() < _NARROW else len(self._cards))

    def _spread(self, across: int) -> None:
        if across == self._across:
            return
        self._across = across
        for number, card in enumerate(self._cards):
            self._grid.addWidget(card, number // across, number % across)
        for number, share in enumerate(_SHARES):
            self._grid.setColumnStretch(number, share if number < across else 0)

    def clear(self) -> None:
        """Nothing has been played yet."""
        self.remarks.hide()
        self.remarks.setMinimumHeight(0)
        self.remarks.clear()
        self.reason.setText(
            "Choose a window and press Start. Step shows a turn before it is carried out."
        )
        self.moves.setText(_NOTHING)
        for figures in (self.game, self.score, self.time):
            figures.clear()

    def show_turn(self, turn: Turn, tally: Tally) -> None:
        """Put a turn and the counts so far into words."""
        board, analysis = turn.reading.board, turn.analysis
        # An answer that was given at once is followed by its reason.
        if analysis is None or analysis.reason:
            self.reason.setText(sentence(analysis.reason) if analysis else _end(turn, tally.rules))
        self._show_remarks(" ".join(map(sentence, turn.reading.remarks)))
        self.moves.setText("\n".join(_in_words(turn.moves, tally.rules)) or _NOTHING)
        self.game.show_figure("Status", _STATUS_WORDS[turn.reading.status])
        self.game.show_figure("Turn", str(turn.number))
        left = turn.reading.mines_left
        mines = str(board.mines) if left is None else f"{left} / {board.mines}"
        self.game.show_figure("Mines left", mines)
        proved = str(len(analysis.mines)) if analysis else _NOTHING
        self.game.show_figure("Proved", proved)
        self._show_pace(three_bv_done(board), tally)
        self.score.show_figure("Games", str(tally.games))
        self.score.show_figure("Won", str(tally.won))
        rate = tally.win_rate
        self.score.show_figure("Rate", _NOTHING if rate is None else _share(rate))
        digging = tally.rules is Rules.DIGGING
        self.score.call("Guesses", "Digs" if digging else "Guesses")
        self.score.show_figure("Guesses", str(tally.digs if digging else tally.guesses))
        for stage in STAGES:
            last = turn.seconds.get(stage, 0.0)
            text = f"{_milliseconds(last)} / {_milliseconds(tally.mean(stage))}"
            self.time.show_figure(_STAGE_WORDS[stage], text)

    def _show_pace(self, done: int, tally: Tally) -> None:
        """How fast and how thriftily this game is played, as the community counts it."""
        clicks, seconds = tally.game_clicks, tally.game_seconds
        self.game.show_figure("3BV", str(done))
        done -= tally.game_found
        self.game.show_figure("3BV/s", f"{done / seconds:.1f}" if seconds > 0 else _NOTHING)
        self.game.show_figure("Clicks", str(clicks))
        share = f"{efficiency(done, clicks):.0%}" if clicks else _NOTHING
        self.game.show_figure("Efficiency", share)

    def _show_remarks(self, text: str) -> None:
        """Once there was one its place is kept, so that the board does not jump."""
        label = self.remarks
        label.setText(text)
        if text:
            label.show()
            needed = label.heightForWidth(label.width())
            label.setMinimumHeight(max(label.minimumHeight(), needed))


class _Figures(QWidget):
    """Names on the left of their values, so many pairs across."""

    def __init__(self, names: Iterable[str], prefix: str = "", across: int = 1) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(2)
        grid.setHorizontalSpacing(SPACE)
        for column in range(across):
            # The first column has the words.
            grid.setColumnStretch(2 * column + 1, 5 if column else 7)
        self._names: dict[str, QLabel] = {}
        self._values: dict[str, QLabel] = {}
        for place, name in enumerate(names):
            label = QLabel(name)
            label.setProperty("muted", True)
            value = plain_label(f"{prefix} {name}".strip())
            value.setProperty("figure", True)
            row, column = divmod(place, across)
            grid.addWidget(label, row, 2 * column)
            grid.addWidget(value, row, 2 * column + 1)
            self._names[name], self._values[name] = label, value
        grid.setRowStretch(len(self._values), 1)

    def show_figure(self, name: str, text: str) -> None:
        self._values[name].setText(text)

    def call(self, name: str, shown: str) -> None:
        """Show a figure under another name."""
        self._names[name].setText(shown)
        self._values[name].setAccessibleName(shown)

    def figure(self, name: str) -> str:
        return self._values[name].text()

    def clear(self) -> None:
        for value in self._values.values():
            value.setText(_NOTHING)


def _share(rate: float) -> str:
    """In per cent, in five characters at the most."""
    return f"{rate:.0%}" if rate == 1 else f"{rate:.1%}"


def _card(heading: str, *contents: QWidget) -> QFrame:
    card = QFrame()
    card.setProperty("card", True)
    title = QLabel(heading)
    title.setProperty("heading", True)
    column = QVBoxLayout(card)
    column.setContentsMargins(SPACE + 2, SPACE, SPACE + 2, SPACE)
    column.setSpacing(4)
    column.addWidget(title)
    for content in contents:
        column.addWidget(content, 1)
    return card


def _end(turn: Turn, rules: Rules) -> str:
    """What the end of a game says, where there is no analysis."""
    if isinstance(turn, Watched):
        return _WATCHED_WORDS[turn.reading.status]
    digging = rules is Rules.DIGGING
    words = {
        Status.WON: f"Won: every {'mine is found' if digging else 'cell without a mine is open'}.",
        Status.LOST: "Lost: that was a mine.",
        Status.BLOCKED: "Something lies over the board.",
        Status.PLAYING: "",
    }[turn.reading.status]
    return f"{words} {'The next game follows.' if turn.moves else 'That was the last one.'}"


def _in_words(moves: tuple[Move, ...], rules: Rules) -> list[str]:
    lines = [
        f"{number}. {_move(move, rules)}" for number, move in enumerate(moves[:SHOWN_MOVES], 1)
    ]
    if len(moves) > SHOWN_MOVES:
        lines[-1] = f"and {len(moves) - SHOWN_MOVES + 1} more"
    return lines


def _move(move: Move, rules: Rules) -> str:
    if move.cell is None or move.action is Action.RESTART:
        return "The next game"
    risk = "safe" if move.risk == 0 else f"{move.risk:.1%}"
    where = f"row {move.cell.row}, col {move.cell.col}"
    if rules is Rules.DIGGING and move.action is Action.OPEN:
        return f"Dig {where}: {move.risk:.1%} a mine"
    if move.action is Action.FLAG:
        return f"Flag {where}"
    return f"{'Chord ' if move.action is Action.CHORD else ''}{where}: {risk}".capitalize()


def _milliseconds(seconds: float) -> str:
    value = seconds * 1000
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"
