"""The area below the board: the reason, the next moves, statistics of games and time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PyQt6.QtCore import QSize, Qt
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
from gui.panel import widgets
from gui.panel.assist import CoachCard
from gui.panel.boardview import BoardView, LayerSwitch
from gui.panel.cell_label import CellLabel
from gui.panel.theme import SPACE
from gui.run_statistics import GUESSES, STAGES, RunStatistics
from gui.runner.protocol import State

SHOWN_MOVES: Final = 4
"""Number of moves that are listed; the others are counted."""
_GAP: Final = 6
"""Points between the cards, around their texts, and between a figure and its name."""
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
    "Proved": "Covered cells that are proved to be mines",
    "3BV/s": "3BV for each second of play",
    "Efficiency": "3BV for each click; more needs chords",
}
_SCORE_VALUES: Final = {"Games": "999", "Won": "999", "Rate": "99.9%", "Guesses": "999"}
_USUAL_TIMES: Final = "999 / 999"
_USUAL_MOVE: Final = "1. Row 16, col 30: 99.9%"
_FIRST: Final = (
    "The board is being read.",
    "Play plays the chosen board. Step shows a turn before it is carried out.",
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


_NOT_SEEN: Final = "Ended: the result was not visible."
_WATCHED_WORDS: Final = {
    Status.WON: "Won: every cell without a mine is open.",
    Status.LOST: "Lost: hit a mine.",
    Status.ENDED: _NOT_SEEN,
    Status.BLOCKED: "Something covers the board. If the game is paused, click in it. "
    "The advice returns when the board is visible.",
    Status.PLAYING: "The board cannot be read at the moment, so there is no advice. "
    "If the game is paused, click in it.",
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
        self.remarks = widgets.explanation("More about this move")
        self.remarks.hide()
        self.moves = CellLabel("Next moves")
        self.moves.setMinimumHeight((SHOWN_MOVES + 1) * self.moves.fontMetrics().lineSpacing())
        self.moves.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.game = _ValueGrid(_GAME_VALUES, pairs=1 if page is None else 2)
        for name, tip in _GAME_TIPS.items():
            self.game.set_tip(name, tip)
        self.score = _ValueGrid(_SCORE_VALUES)
        self.score.setToolTip(
            widgets.tip_text(
                f"Of all runs with this board. Guesses: {GUESSES[0].lower()}{GUESSES[1:]}"
            )
        )
        self.time = _ValueGrid(dict.fromkeys(_STAGE_WORDS.values(), _USUAL_TIMES), "Time")
        self.coach = CoachCard()
        across = page is not None
        self.why = _card(_heading("Why"), self.reason, self.remarks, across=across)
        contents = (self.game, self.moves, self.score, self.time)
        titles = ("Game", "Next moves", "Score", "Last / mean, ms")
        self._cards = [
            _card(_heading(title), part) for title, part in zip(titles, contents, strict=True)
        ]
        self._state = State.IDLE
        self._status: Status | None = None
        self._shown: tuple[Board, Status] | None = None
        """The game whose values are shown."""
        self.layers = LayerSwitch(page or self)
        self._layers_row = QWidget()
        widgets.lay_row(QLabel("Board shown as"), self.layers, 1, on=self._layers_row)
        parts = () if page is not None else (self.coach, self.why)
        cards = widgets.Flow(*self._cards, gap=_GAP, filled=True)
        widgets.lay_column(*parts, cards, self._layers_row, on=self)
        self._layers_row.hide()
        if page is not None:
            self.show_more(False)
        self.clear()

    def show_more(self, shown: bool) -> None:
        """Show or hide the times, and the choice of what the board is painted from."""
        self._cards[-1].setVisible(shown)
        self._layers_row.setVisible(shown)

    def highlight_on(self, view: BoardView) -> None:
        """Highlight the cells that the texts name on this board view."""
        for label in (self.reason, self.moves, self.coach.line):
            label.highlight_on(view)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Give the remarks the height that they need at the new width."""
        super().resizeEvent(event)
        self.remarks.setMinimumHeight(0)
        self._show_remarks(self.remarks.text())

    def clear(self) -> None:
        """Show that nothing has been played yet."""
        self._status = self._shown = None
        self.remarks.hide()
        self.remarks.setMinimumHeight(0)
        self.remarks.clear()
        self.reason.setText(_FIRST[self._state is State.IDLE])
        self.moves.setText(_NOTHING)
        metrics = self.moves.fontMetrics()
        self.moves.setMinimumWidth(metrics.horizontalAdvance(_USUAL_MOVE))
        for grid in (self.game, self.score, self.time):
            grid.clear()

    def show_state(self, state: State) -> None:
        """Show whether an unfinished game is being played, paused or stopped."""
        self._state = state
        if self.reason.text() in _FIRST:
            self.reason.setText(_FIRST[state is State.IDLE])
        if self._status is not None:
            self._show_status(self._status)

    def _show_status(self, status: Status) -> None:
        self._status = status
        self.game.show_value("Status", _STATUS_WORDS.get(status, _STATE_WORDS[self._state]))

    def show_interim(self, turn: Turn) -> None:
        """Show the state of a long decision."""
        if turn.analysis is not None:
            self.reason.setText(widgets.sentence(explain(turn.reading.board, turn.analysis).reason))
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

    def _show_watched(self, turn: Turn) -> None:
        """Show the values of a game that nothing plays, and none of an earlier run."""
        self._status = None
        self._show_remarks(" ".join(map(widgets.sentence, turn.reading.remarks)))
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
                widgets.sentence(explain(board, analysis).reason)
                if analysis
                else _end(turn, statistics.rules)
            )
            if advice is not None:
                why = f"Advice: {advice.position_text}. {why}"
            self.reason.setText(why)
        self._show_remarks(" ".join(map(widgets.sentence, turn.reading.remarks)))
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

    def _show_moves(self, lines: list[str]) -> None:
        """Show one move per line, keeping the widest width so that the cards do not move."""
        self.moves.setText("\n".join(lines) or _NOTHING)
        width = self.moves.fontMetrics().horizontalAdvance
        self.moves.setMinimumWidth(max(self.moves.minimumWidth(), *map(width, lines or [""])))

    def _show_pace(self, done: int, statistics: RunStatistics) -> None:
        """Show the speed and efficiency of this game, as the community counts them."""
        clicks, seconds = statistics.game_clicks, statistics.game_seconds
        self.game.show_value("3BV", str(done))
        # A covered board shows fewer of the cells that were found open.
        done = max(done - statistics.game_found, 0)
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


class _Figure(QLabel):
    """A value, with room for its usual and its longest text in any font.

    Args:
        name: For screen readers.
        usual: A text as wide as its usual values.
    """

    def __init__(self, name: str, usual: str) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAccessibleName(name)
        self._usual = self._longest = usual

    def minimumSizeHint(self) -> QSize:
        """Return the size of the widest text."""
        size, metrics = super().minimumSizeHint(), self.fontMetrics()
        widest = max(map(metrics.horizontalAdvance, (self._usual, self._longest)))
        return QSize(max(size.width(), widest), size.height())

    def show_text(self, text: str) -> None:
        """Show a text."""
        if text != self.text():
            self._longest = max(self._longest, text, key=self.fontMetrics().horizontalAdvance)
            self.setText(text)

    def forget(self) -> None:
        """Show that there is no value, and keep only the usual room."""
        self._longest = self._usual
        self.setText(_NOTHING)


class _ValueGrid(QWidget):
    """Names on the left of their values.

    Args:
        usual: The names, each with a text as wide as its usual values: room for it is kept.
        prefix: Precedes the names for screen readers.
        pairs: Number of pairs of a name and a value in a row.
    """

    def __init__(self, usual: Mapping[str, str], prefix: str = "", pairs: int = 1) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(2)
        grid.setHorizontalSpacing(_GAP)
        self._names: dict[str, QLabel] = {}
        self._values: dict[str, _Figure] = {}
        for place, (name, text) in enumerate(usual.items()):
            row, column = divmod(place, pairs)
            label, value = QLabel(name), _Figure(f"{prefix} {name}".strip(), text)
            label.setProperty("muted", True)
            value.setProperty("figure", True)
            grid.addWidget(label, row, 2 * column)
            grid.addWidget(value, row, 2 * column + 1)
            grid.setColumnStretch(2 * column + 1, 1)
            self._names[name], self._values[name] = label, value
        grid.setRowStretch(len(usual), 1)
        self.clear()

    def show_value(self, name: str, text: str) -> None:
        """Show a figure, keeping the largest width so that nothing moves."""
        self._values[name].show_text(text)

    def set_tip(self, name: str, tip: str) -> None:
        """Explain a figure in a tooltip."""
        self._names[name].setToolTip(tip)
        self._values[name].setToolTip(tip)

    def call(self, name: str, shown: str) -> None:
        """Rename a figure."""
        self._names[name].setText(shown)
        self._values[name].setAccessibleName(shown)

    def value(self, name: str) -> str:
        return self._values[name].text()

    def clear(self) -> None:
        for value in self._values.values():
            value.forget()


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
        widgets.lay_row(title, (widgets.lay_column(*stretched, gap=4), 1), on=card, margins=margins)
    else:
        widgets.lay_column(
            title, *((content, 1) for content in contents), on=card, margins=margins, gap=4
        )
    return card


def _end(turn: Turn, rules: Rules) -> str:
    """Return the text for the end of a game without an analysis."""
    if isinstance(turn, WatchedTurn):
        return _WATCHED_WORDS[turn.reading.status]
    digging = rules is Rules.DIGGING
    return {
        Status.WON: f"Won: every {'mine is found' if digging else 'cell without a mine is open'}.",
        Status.LOST: "Lost: hit a mine.",
        Status.ENDED: _NOT_SEEN,
        Status.BLOCKED: "Something covers the board.",
        Status.PLAYING: "",
    }[turn.reading.status]


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
