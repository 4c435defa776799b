"""The area below the board: the reason, the next moves, statistics of games and time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PyQt6.QtCore import QEvent, QSize, Qt
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QWidget,
)

from bot.assist.watcher import WatchedTurn
from bot.board import Board, Cell
from bot.frame import Status
from bot.game import Rules
from bot.loop import Turn
from bot.metrics import efficiency, three_bv_done
from bot.planner import Action, Move
from bot.solver.explain import explain
from gui.panel.assist import CoachCard
from gui.panel.boardview import BoardView, LayerSwitch
from gui.panel.cell_label import CellLabel
from gui.panel.theme import SPACE
from gui.panel.widgets import explanation, lay_column, lay_row, plain_label, sentence, tip_text
from gui.run_statistics import GUESSES, STAGES, RunStatistics
from gui.runner.protocol import State

SHOWN_MOVES: Final = 4
"""Number of moves that are listed; the others are counted."""
_ARRANGEMENTS: Final = ((4, 2), (2, 2), (2, 1), (1, 2), (1, 1))
"""Cards per row and pairs of values per row; the first arrangement that fits is used."""
_GAP: Final = 6
"""Points between the cards, around their texts, and between a figure and its name."""
_SHARES: Final = (55, 34, 28, 35)
"""Relative widths of the cards, from left to right."""
_NOTHING: Final = "\N{EN DASH}"
_STAGE_WORDS: Final = {
    "capture": "Capture",
    "read": "Read",
    "wait": "Wait",
    "think": "Think",
    "act": "Act",
}
_GAME_VALUES: Final = {
    "Status": "Playing",
    "3BV": "199",
    "Turn": "99",
    "3BV/s": "99.9",
    "Mines": "99 / 99",
    "Clicks": "199",
    "Proved": "99",
    "Efficiency": "100%",
}
"""The values of a game, each with a text as wide as its usual ones: room for it is kept."""
_GAME_TIPS: Final = {
    "3BV": "The fewest left clicks for what was opened",
    "3BV/s": "3BV for each second of play",
    "Efficiency": "3BV for each click; more needs chords",
}
_SCORE_VALUES: Final = {"Games": "999", "Won": "999", "Rate": "99.9%", "Guesses": "999"}
_USUAL_TIMES: Final = "999 / 999"
_USUAL_MOVE: Final = "1. Row 16, col 30: 99.9%"
_FIRST: Final = (
    "The board is being read.",
    "Choose a window and press Play. Step shows a turn before it is carried out.",
)
"""The texts before the first turn: during a run and without one."""
_STATE_WORDS: Final = {
    State.IDLE: "Stopped",
    State.PLAYING: "Playing",
    State.PAUSED: "Paused",
    State.ASKING: "Paused",
    State.STOPPING: "Stopped",
}
"""Texts for a game that is not over."""
_STATUS_WORDS: Final = {
    Status.WON: "Won",
    Status.LOST: "Lost",
    Status.ENDED: "Over",
    Status.BLOCKED: "Covered",
}


_NOT_SEEN: Final = "Ended: the next game began before the result was visible."
_WATCHED_WORDS: Final = {
    Status.WON: "Won: every cell without a mine is open.",
    Status.LOST: "Lost: hit a mine.",
    Status.ENDED: _NOT_SEEN,
    Status.BLOCKED: "Something covers the board. The advice returns when it is gone.",
    Status.PLAYING: "The board cannot be read at the moment, so there is no advice.",
}
"""Texts for a game that the user plays."""


class Details(QWidget):
    """The values and explanations of the newest turn.

    Args:
        page: The page that places the coach and the reason itself, and shows the times only when
            asked to; None to show everything.
    """

    def __init__(self, page: QWidget | None = None) -> None:
        super().__init__()
        self.reason = CellLabel("Why this move")
        # Always two lines, so that the board does not move with the text's length.
        self.reason.setMinimumHeight(2 * self.reason.fontMetrics().lineSpacing())
        self.reason.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.remarks = explanation("More about this move")
        self.remarks.hide()
        self.moves = CellLabel("Next moves")
        self.moves.setMinimumHeight((SHOWN_MOVES + 1) * self.moves.fontMetrics().lineSpacing())
        self.moves.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._moves_width = 0
        """Points that the longest line so far needs."""
        self.game = _ValueGrid(_GAME_VALUES)
        for name, tip in _GAME_TIPS.items():
            self.game.set_tip(name, tip)
        self.score = _ValueGrid(_SCORE_VALUES)
        self.score.setToolTip(
            tip_text(f"Of all runs with this board. Guesses: {GUESSES[0].lower()}{GUESSES[1:]}")
        )
        self.time = _ValueGrid(dict.fromkeys(_STAGE_WORDS.values(), _USUAL_TIMES), "Time")
        self.coach = CoachCard()
        across = page is not None
        self.why = _card(_heading("Why"), self.reason, self.remarks, across=across)
        self._titles = [
            _heading(text) for text in ("Game", "Next moves", "Score", "Last / mean, ms")
        ]
        contents = (self.game, self.moves, self.score, self.time)
        self._cards = [_card(*both) for both in zip(self._titles, contents, strict=True)]
        self._across = 0
        self._count = len(self._cards)
        """Number of cards that are shown."""
        self._state = State.IDLE
        self._status: Status | None = None
        self._shown: tuple[Board, Status] | None = None
        """The game whose values are shown."""
        self._grid = QGridLayout()
        self._grid.setSpacing(_GAP)
        self.layers = LayerSwitch(page or self)
        self._layers_row = QWidget()
        lay_row(QLabel("Board shown as"), self.layers, 1, on=self._layers_row)
        parts = () if page is not None else (self.coach, self.why)
        lay_column(*parts, self._grid, self._layers_row, on=self)
        self._layers_row.hide()
        if page is not None:
            self.show_more(False)
        self.clear()

    def show_more(self, shown: bool) -> None:
        """Show or hide the times, and the choice of what the board is painted from."""
        self._count = len(self._cards) if shown else len(self._cards) - 1
        self._cards[-1].setVisible(shown)
        self._layers_row.setVisible(shown)
        self._arrange()

    def highlight_on(self, view: BoardView) -> None:
        """Highlight the cells that the texts name on this board view."""
        for label in (self.reason, self.moves, self.coach.line):
            label.highlight_on(view)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Rearrange the cards for the new width."""
        super().resizeEvent(event)
        self.remarks.setMinimumHeight(0)
        self._show_remarks(self.remarks.text())
        self._arrange()

    def changeEvent(self, event: QEvent | None) -> None:
        """Rearrange the cards for another font."""
        super().changeEvent(event)
        if event is not None and event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            for grid in (self.game, self.score, self.time):
                grid.measure()
            self._arrange()

    def minimumSizeHint(self) -> QSize:
        """Return the size at which the cards are stacked."""
        return QSize(self._least_width(1, 1), super().minimumSizeHint().height())

    def _arrange(self) -> None:
        """Arrange the cards side by side, each wide enough for its text."""
        room = self.width()
        arrangements = [(min(across, self._count), pairs) for across, pairs in _ARRANGEMENTS]
        across, pairs = next(
            (one for one in arrangements if self._least_width(*one) <= room), _ARRANGEMENTS[-1]
        )
        fits = self._least_width(across, pairs) <= room
        self.moves.setMinimumWidth(self._moves_width if fits else 0)
        self.game.spread(pairs)
        self._spread(across)

    def _least_width(self, across: int, pairs: int) -> int:
        """Return the width in points that an arrangement needs."""
        layout = self._cards[0].layout()
        margins = layout.contentsMargins() if layout is not None else self.contentsMargins()
        widths = (
            self.game.least_width(pairs),
            max(self._moves_width, self.moves.fontMetrics().horizontalAdvance(_USUAL_MOVE)),
            self.score.least_width(1),
            self.time.least_width(1),
        )
        around = margins.left() + margins.right() + 2 * self._cards[0].frameWidth()
        heads = (card.minimumSizeHint().width() for card in self._titles)
        pairs_of = list(zip(widths, heads, strict=True))[: self._count]
        needed = [max(both) + around for both in pairs_of]
        columns = [max(needed[column::across]) for column in range(across)]
        return sum(columns) + _GAP * (across - 1)

    def _spread(self, across: int) -> None:
        if across == self._across:
            return
        self._across = across
        for number, card in enumerate(self._cards):
            self._grid.addWidget(card, number // across, number % across)
        for number, share in enumerate(_SHARES):
            self._grid.setColumnStretch(number, share if number < across else 0)

    def clear(self) -> None:
        """Show that nothing has been played yet."""
        self._status = self._shown = None
        self.remarks.hide()
        self.remarks.setMinimumHeight(0)
        self.remarks.clear()
        self.reason.setText(_FIRST[self._state is State.IDLE])
        self.moves.setText(_NOTHING)
        self._moves_width = 0
        for grid in (self.game, self.score, self.time):
            grid.clear()
        self._arrange()

    def show_state(self, state: State) -> None:
        """Show whether an unfinished game is being played, paused or stopped."""
        self._state = state
        if self.reason.text() in _FIRST:
            self.reason.setText(_FIRST[state is State.IDLE])
        if self._status is not None:
            self._show_status(self._status)
            self._arrange()

    def _show_status(self, status: Status) -> None:
        self._status = status
        self.game.show_value("Status", _STATUS_WORDS.get(status, _STATE_WORDS[self._state]))

    def show_interim(self, turn: Turn) -> None:
        """Show the state of a long decision."""
        if turn.analysis is not None:
            self.reason.setText(sentence(explain(turn.reading.board, turn.analysis).reason))
        self._show_moves([])

    def show_live(self, turn: Turn, rules: Rules) -> None:
        """Show a board that nothing plays."""
        self.show_interim(turn)
        if turn.analysis is None:
            status = turn.reading.status
            self.reason.setText(_WATCHED_WORDS[status] if status.over else "")
        self._show_moves(_text(turn, rules))
        shown = turn.reading.board, turn.reading.status
        # The values of a run stay beside the board on which it ended.
        if shown != self._shown:
            self._show_watched(turn)
        self._shown = shown
        self._arrange()

    def _show_watched(self, turn: Turn) -> None:
        """Show the values of a game that nothing plays, and none of an earlier run."""
        self._status = None
        self._show_remarks(" ".join(map(sentence, turn.reading.remarks)))
        values = {
            "Status": _STATUS_WORDS.get(turn.reading.status, "Watched"),
            "3BV": str(three_bv_done(turn.reading.board)),
            "Mines": _mines(turn),
            "Proved": _proved(turn),
        }
        for name in _GAME_VALUES:
            self.game.show_value(name, values.get(name, _NOTHING))

    def show_turn(self, turn: Turn, statistics: RunStatistics, advice: Cell | None = None) -> None:
        """Show a turn and the counts so far.

        Args:
            turn: The turn.
            statistics: The statistics up to this turn.
            advice: The cell that the reason is about, if none of the moves is on it.
        """
        board, analysis = turn.reading.board, turn.analysis
        # A preliminary analysis is replaced later by one with its reason.
        if analysis is None or analysis.reason != "":
            why = (
                sentence(explain(board, analysis).reason)
                if analysis
                else _end(turn, statistics.rules)
            )
            if advice is not None:
                why = f"Advice: {advice.position_text}. {why}"
            self.reason.setText(why)
        self._show_remarks(" ".join(map(sentence, turn.reading.remarks)))
        self._show_moves(_text(turn, statistics.rules))
        self._show_status(turn.reading.status)
        self.game.show_value("Turn", str(turn.number))
        self._shown = board, turn.reading.status
        self.game.show_value("Mines", _mines(turn))
        self.game.show_value("Proved", _proved(turn))
        self._show_pace(three_bv_done(board), statistics)
        unseen = f", {statistics.unseen} with unknown result" if statistics.unseen else ""
        self.score.show_value("Games", f"{statistics.games}{unseen}")
        self.score.show_value("Won", str(statistics.won))
        rate = statistics.win_rate
        self.score.show_value("Rate", _NOTHING if rate is None else _share(rate))
        digging = statistics.rules is Rules.DIGGING
        self.score.call("Guesses", "Digs" if digging else "Guesses")
        self.score.show_value("Guesses", str(statistics.digs if digging else statistics.guesses))
        for stage in STAGES:
            last = turn.seconds.get(stage, 0.0)
            text = f"{_milliseconds(last)} / {_milliseconds(statistics.mean(stage))}"
            self.time.show_value(_STAGE_WORDS[stage], text)
        self._arrange()

    def _show_moves(self, lines: list[str]) -> None:
        """Show one move per line, keeping the widest width so that the cards do not move."""
        self.moves.setText("\n".join(lines) or _NOTHING)
        width = self.moves.fontMetrics().horizontalAdvance
        self._moves_width = max(self._moves_width, *map(width, lines or [_NOTHING]))

    def _show_pace(self, done: int, statistics: RunStatistics) -> None:
        """Show the speed and efficiency of this game, as the community counts them."""
        clicks, seconds = statistics.game_clicks, statistics.game_seconds
        self.game.show_value("3BV", str(done))
        done -= statistics.game_found
        self.game.show_value("3BV/s", f"{done / seconds:.1f}" if seconds > 0 else _NOTHING)
        self.game.show_value("Clicks", str(clicks))
        share = f"{efficiency(done, clicks):.0%}" if clicks else _NOTHING
        self.game.show_value("Efficiency", share)

    def _show_remarks(self, text: str) -> None:
        """Show remarks, keeping the largest height so that the board does not move."""
        label = self.remarks
        label.setText(text)
        if text:
            label.show()
            needed = label.heightForWidth(label.width())
            label.setMinimumHeight(max(label.minimumHeight(), needed))


class _ValueGrid(QWidget):
    """Names on the left of their values, one or two pairs per row.

    Args:
        usual: The names, each with a text as wide as its usual values.
        prefix: Precedes the names for screen readers.
    """

    def __init__(self, usual: Mapping[str, str], prefix: str = "") -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(2)
        self._grid.setHorizontalSpacing(_GAP)
        self._pairs = 0
        self._names: dict[str, QLabel] = {}
        self._values: dict[str, QLabel] = {}
        self._usual = usual
        self._least: dict[int, int] = {}
        """Least width by the number of pairs per row, until a label needs more."""
        for name in usual:
            label = QLabel(name)
            label.setProperty("muted", True)
            value = plain_label(f"{prefix} {name}".strip())
            value.setProperty("figure", True)
            self._names[name], self._values[name] = label, value
        self._grid.setRowStretch(len(self._values), 1)
        self.spread(1)

    def spread(self, pairs: int) -> None:
        """Arrange so many pairs per row."""
        if pairs == self._pairs:
            return
        self._pairs = pairs
        for place, name in enumerate(self._names):
            row, column = divmod(place, pairs)
            self._grid.addWidget(self._names[name], row, 2 * column)
            self._grid.addWidget(self._values[name], row, 2 * column + 1)
        for column in range(2):
            self._grid.setColumnStretch(2 * column + 1, int(column < pairs))

    def least_width(self, pairs: int) -> int:
        """Return the width in points that so many pairs per row need."""
        if pairs not in self._least:
            names = [_least(label) for label in self._names.values()]
            values = [_least(self._values[name], text) for name, text in self._usual.items()]
            columns = [
                max(widths[column::pairs]) for column in range(pairs) for widths in (names, values)
            ]
            self._least[pairs] = sum(columns) + _GAP * (len(columns) - 1)
        return self._least[pairs]

    def measure(self) -> None:
        """Measure the labels again, in another font."""
        self._least.clear()

    def show_value(self, name: str, text: str) -> None:
        """Show a figure, keeping the largest width so that nothing moves."""
        value = self._values[name]
        if value.text() == text:
            return
        value.setText(text)
        least = _least(value)
        if least > value.minimumWidth():
            value.setMinimumWidth(least)
            self._least.clear()

    def set_tip(self, name: str, tip: str) -> None:
        """Explain a figure in a tooltip."""
        self._names[name].setToolTip(tip)
        self._values[name].setToolTip(tip)

    def call(self, name: str, shown: str) -> None:
        """Rename a figure."""
        if self._names[name].text() != shown:
            self._names[name].setText(shown)
            self._values[name].setAccessibleName(shown)
            self._least.clear()

    def value(self, name: str) -> str:
        return self._values[name].text()

    def clear(self) -> None:
        for value in self._values.values():
            value.setMinimumWidth(0)
            value.setText(_NOTHING)
        self._least.clear()


def _least(label: QLabel, usual: str = "") -> int:
    """Return the width in points that a label needs now, needed before, or usually needs."""
    needed = label.fontMetrics().horizontalAdvance(usual)
    return max(label.minimumWidth(), label.minimumSizeHint().width(), needed)


def _share(rate: float) -> str:
    """Return a rate as a percentage of at most five characters."""
    return f"{rate:.0%}" if rate == 1 else f"{rate:.1%}"


def _heading(text: str) -> QLabel:
    title = QLabel(text)
    title.setProperty("heading", True)
    return title


def _card(title: QLabel, *contents: QWidget, across: bool = False) -> QFrame:
    """Return a card with the title above its contents, or on their left."""
    card = QFrame()
    card.setProperty("card", True)
    margins = (_GAP, SPACE, _GAP, SPACE)
    if across:
        title.setAlignment(Qt.AlignmentFlag.AlignTop)
        stretched = [(content, 1) for content in contents]
        lay_row(title, (lay_column(*stretched, gap=4), 1), on=card, margins=margins)
    else:
        lay_column(title, *((content, 1) for content in contents), on=card, margins=margins, gap=4)
    return card


def _end(turn: Turn, rules: Rules) -> str:
    """Return the text for the end of a game without an analysis."""
    if isinstance(turn, WatchedTurn):
        return _WATCHED_WORDS[turn.reading.status]
    digging = rules is Rules.DIGGING
    words = {
        Status.WON: f"Won: every {'mine is found' if digging else 'cell without a mine is open'}.",
        Status.LOST: "Lost: hit a mine.",
        Status.ENDED: _NOT_SEEN,
        Status.BLOCKED: "Something covers the board.",
        Status.PLAYING: "",
    }[turn.reading.status]
    return f"{words} {'The next game follows.' if turn.moves else 'All games played.'}"


def _mines(turn: Turn) -> str:
    left, mines = turn.reading.mines_left, turn.reading.board.mines
    return str(mines) if left is None else f"{left} / {mines}"


def _proved(turn: Turn) -> str:
    return str(len(turn.analysis.mines)) if turn.analysis else _NOTHING


def _text(turn: Turn, rules: Rules) -> list[str]:
    moves, first = turn.moves, not turn.reading.board.has_hints
    lines = [
        f"{number}. {_move(move, rules, first=first)}"
        for number, move in enumerate(moves[:SHOWN_MOVES], 1)
    ]
    if len(moves) > SHOWN_MOVES:
        lines[-1] = f"and {len(moves) - SHOWN_MOVES + 1} more"
    return lines


def _move(move: Move, rules: Rules, *, first: bool) -> str:
    if move.cell is None or move.action is Action.RESTART:
        return "The next game"
    # Most programs keep the first click safe, so its risk means little.
    risk = "safe" if move.risk == 0 else "first click" if first else f"{move.risk:.1%}"
    where = f"row {move.cell.row + 1}, col {move.cell.col + 1}"
    if rules is Rules.DIGGING and move.action is Action.OPEN:
        return f"Dig {where}: {move.risk:.1%} risk"
    if move.action is Action.FLAG:
        return f"Flag {where}"
    return f"{'Chord ' if move.action is Action.CHORD else ''}{where}: {risk}".capitalize()


def _milliseconds(seconds: float) -> str:
    value = seconds * 1000
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"
