"""How long a click is held: found out from clicks that had no effect."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.board import Board, Cell
from bot.effects import ineffective_moves
from bot.frame import Reading
from bot.loop import Turn
from bot.mouse import AdaptiveTiming, ClickTiming
from bot.planner import Action, Move
from bot.waiting import BoardNotSettled, with_retries
from tests.support.boards import reading_of


class Program:
    """A row of covered cells; a click opens one where it is held long enough.

    Args:
        needs: Seconds that a click has to last.
        stay: Seconds for which the pointer has to stay on the cell after it.
        rest: Seconds for which the pointer has to rest on the cell before it.
    """

    def __init__(self, needs: float, stay: float = 0.0, rest: float = 0.0) -> None:
        self.needs, self.stay, self.rest = needs, stay, rest
        found: dict[str, list[float]] = {"hold": [], "stay": [], "rest": []}
        self.found_rest = found["rest"]
        self.found, self.found_stay = found["hold"], found["stay"]
        self.hold = AdaptiveTiming(adopted=lambda name, seconds: found[name].append(seconds))
        self.lost: set[int] = set()
        """Clicks that do not arrive, by their numbers."""
        self.clicks: list[float] = []
        self.stays: list[float] = []
        self.opened = 0
        self._see = with_retries(self._look, self._act, timing=self.hold)

    def play(self, turns: int, since: int = 0) -> None:
        """One click after another, each seen to have had its effect."""
        for number in range(since, since + turns):
            turn = Turn(number, self._reading(), None, (Move(Action.OPEN, Cell(0, number)),))
            self._act(turn)
            self._see(turn)

    def _act(self, turn: Turn) -> None:
        for move in turn.moves:
            number = len(self.clicks)
            self.clicks.append(self.hold.timing.hold)
            self.stays.append(self.hold.timing.stay)
            hold, stay, rest = self.hold.timing
            enough = hold >= self.needs and stay >= self.stay and rest >= self.rest
            if enough and number not in self.lost and move.cell:
                self.opened = move.cell.col + 1

    def _look(self, last: Turn | None, _patience: float) -> Reading:
        reading = self._reading()
        ineffective_moves = () if last is None or self.opened > last.number else last.moves
        if ineffective_moves:
            raise BoardNotSettled("no effect", reading, ineffective_moves)
        return reading

    def _reading(self) -> Reading:
        return reading_of(Board.parse("0" * self.opened + "#" * (20 - self.opened), 1))


@pytest.mark.parametrize(("held", "needs", "longer"), [(0.0, 0.02, 0.03), (0.04, 0.07, 0.08)])
def test_a_longer_press_is_learned(held: float, needs: float, longer: float) -> None:
    """Twice it takes a second, longer click; from then on every click is held as long.

    Twice as long as in the skin, if that was not enough.
    """
    program = Program(needs)
    program.hold.timing = ClickTiming(held)
    program.play(6)
    assert program.clicks[:4] == [held, longer, held, longer]
    assert program.clicks[4:] == [longer] * 4
    assert program.found == [longer]
    assert program.found_stay == []
    assert program.stays[4:] == [0.0] * 4


def test_a_longer_stay_of_the_pointer_is_learned() -> None:
    """The second lost click tells that the longer press was not what helped."""
    program = Program(needs=0.0, stay=0.05)
    program.play(6)
    assert program.clicks[:5] == [0.0, 0.03, 0.0, 0.03, 0.0]
    assert program.stays[:5] == [0.0, 0.1, 0.0, 0.0, 0.1]
    assert program.clicks[5:] == [0.0] * 4
    assert program.stays[5:] == [0.1] * 4
    assert (program.found, program.found_stay) == ([], [0.1])


def test_a_rest_of_the_pointer_before_the_press_is_learned() -> None:
    """Some programs note the pointer's position once for each picture that they draw."""
    program = Program(needs=0.0, rest=0.02)
    program.play(6)
    assert (program.found, program.found_stay, program.found_rest) == ([], [], [0.05])
    assert program.hold.timing == ClickTiming(rest=0.05)
    assert program.clicks[-3:] == program.stays[-3:] == [0.0] * 3


def test_a_longer_press_that_helped_by_chance_is_forgotten() -> None:
    """Clicks are lost all the same: the pointer has to stay, and the press may be short again."""
    program = Program(needs=0.02)
    program.play(3)
    assert program.found == [0.03]
    program.needs, program.stay = 0.0, 0.05
    program.play(5, since=3)
    assert program.found_stay == [0.1]
    assert (program.clicks[-1], program.stays[-1]) == (0.0, 0.1)
    assert program.found == [0.03, 0.0]


def test_a_program_may_need_a_longer_press_and_a_stay() -> None:
    """Neither alone helps."""
    program = Program(needs=0.02, stay=0.05)
    program.play(4)
    assert (program.found, program.found_stay) == ([0.03], [0.1])
    assert len(program.clicks) == 2 + 5 + 2


def test_a_click_that_was_lost_for_another_reason_changes_nothing() -> None:
    """It is made once more; the next short one has its effect, and so have all others."""
    program = Program(needs=0.0)
    program.lost = {0, 5}
    program.play(8)
    assert [number for number, held in enumerate(program.clicks) if held] == [1, 6]
    assert program.found == []


def test_click_without_effect_is_repeated_and_reported() -> None:
    """Nothing is learned from it."""
    program = Program(needs=60.0)
    with pytest.raises(BoardNotSettled, match="no effect"):
        program.play(1)
    assert program.clicks == [0.0, 0.03, 0.12, 0.03]
    assert (program.hold.timing, program.found) == (ClickTiming(), [])


def sent_again(
    before: str, moves: tuple[Move, ...], unsettled: Callable[[float], str], after: str
) -> list[tuple[Move, ...]]:
    """Return what is sent after a turn.

    Args:
        before: The board on which the moves are made.
        moves: Those of the turn.
        unsettled: Returns the board until a move is sent again, given the patience of the look.
        after: The board from then on.
    """
    turn, sent = Turn(0, reading_of(Board.parse(before, 1)), None, moves), []

    def look(last: Turn | None, patience: float) -> Reading:
        if any(again.moves for again in sent):
            return reading_of(Board.parse(after, 1))
        board = reading_of(Board.parse(unsettled(patience), 1))
        assert last is not None
        raise BoardNotSettled("", board, ineffective_moves(board, last.reading, moves))

    with_retries(look, sent.append)(turn)
    return [again.moves for again in sent]


def test_a_flag_that_cannot_be_read_is_not_sent_again() -> None:
    """It would be taken away. A click that was lost beside it is, once the flag is known."""
    moves = (Move(Action.FLAG, Cell(0, 0)), Move(Action.OPEN, Cell(0, 2)))

    def shown(patience: float) -> str:
        # The user is asked in the longer of the two looks.
        return "F1##" if patience > 2 else "~1##"

    assert sent_again("#1##", moves, shown, "F1.#") == [(), moves[1:]]


def test_a_click_that_was_lost_while_the_board_was_hidden_is_sent_again() -> None:
    """As when the window is moved under the click: the board is unread, then as before."""
    moves = (Move(Action.OPEN, Cell(0, 2)),)
    shown = iter(["~~~~", "~~~~", "#1##"])
    assert sent_again("#1##", moves, lambda _patience: next(shown), "#11#") == [(), moves]


@pytest.mark.parametrize(("shown", "looks"), [("1#1#", 1), ("11##", 2)])
def test_a_click_that_a_later_one_has_overtaken_is_sent_again_at_once(
    shown: str, looks: int
) -> None:
    """Programs take clicks in order; the last one of a turn may still have its effect."""
    moves = tuple(Move(Action.OPEN, Cell(0, col)) for col in (1, 2))
    seen = iter([shown] * looks)
    sent = sent_again("1###", moves, lambda _patience: next(seen), "111#")
    assert next(seen, None) is None
    assert [len(again) for again in sent] == [1]


def test_a_click_that_is_made_once_is_slow_enough() -> None:
    """Whatever has been found out so far; afterwards clicks are as quick as before."""
    timing = AdaptiveTiming(ClickTiming(0.05))
    with timing.slowed():
        assert timing.timing.hold == 0.05
        assert timing.timing.stay >= 0.1
    assert timing.timing == ClickTiming(0.05)
    quick = AdaptiveTiming()
    with quick.slowed():
        assert quick.timing.hold >= 0.02
    assert quick.timing == ClickTiming()
