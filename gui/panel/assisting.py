"""Shows the coach's advice and the marks while the user plays."""

from __future__ import annotations

from PyQt6.QtCore import QObject

from bot.assist.coach import Verdict, review_game
from bot.assist.watcher import WatchedTurn
from bot.loop import Turn
from gui.panel.coach import CoachCard
from gui.panel.overlay import Overlay, can_mark
from gui.runner.restart import is_new_game


class Assisting(QObject):
    """A consumer of watched turns; it ignores all others.

    Args:
        coach: Shows the advice.
        marked: Whether the user wants marks over the game.
    """

    def __init__(self, coach: CoachCard, marked: bool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._coach = coach
        self._marked = marked
        self._overlay: Overlay | None = None
        self._last: WatchedTurn | None = None
        self._verdicts: list[Verdict] = []

    @property
    def overlay(self) -> Overlay | None:
        """The overlay with the marks; None until it is first needed."""
        return self._overlay

    def begin(self, *, watching: bool) -> None:
        """Prepare for a run and show the coach if the user plays."""
        self._verdicts.clear()
        self._last = None
        self._coach.clear()
        self._coach.setVisible(watching)

    def take(self, turn: Turn) -> None:
        """Record one turn. Every turn must be passed, however fast they come."""
        if not isinstance(turn, WatchedTurn):
            return
        last = self._last
        if turn.number == 0 and (last is None or last.number > 0):
            self._verdicts.clear()
            if last is not None and not _begins_next(last, turn):
                # The verdicts are about a game that was given up, or one that continues after its
                # end.
                self._coach.clear()
        self._last = turn
        self._verdicts += turn.verdicts
        if turn.verdicts:
            self._coach.tell(_worst(turn.verdicts))
        if turn.reading.status.over and self._verdicts:
            self._coach.sum_up(review_game(self._verdicts, turn.reading.status))

    def show(self, turn: Turn) -> None:
        """Draw the newest turn's marks while the user plays."""
        if isinstance(turn, WatchedTurn) and self._last is not None:
            self._draw(turn)

    def set_marked(self, marked: bool) -> None:
        """Show or hide the marks at once."""
        self._marked = marked
        if self._last is not None:
            self._draw(self._last)

    def end(self) -> None:
        """Hide the marks and keep the coach's text."""
        self._last = None
        if self._overlay is not None:
            self._overlay.hide()

    def _draw(self, turn: WatchedTurn) -> None:
        if not self._marked or not can_mark():
            if self._overlay is not None:
                self._overlay.hide()
            return
        if self._overlay is None:
            self._overlay = Overlay()
        self._overlay.show_turn(turn)


def _begins_next(last: WatchedTurn, turn: WatchedTurn) -> bool:
    """Return whether a turn begins a new game after one that has ended."""
    return last.reading.status.over and is_new_game(last.reading.board, turn.reading.board)


def _worst(verdicts: tuple[Verdict, ...]) -> Verdict:
    """Return the verdict to report: the fatal move, else the most needless one."""
    return max(verdicts, key=lambda one: (one.died, one.better is not None, one.move.risk))
