"""How long a click is held: found out from clicks that had no effect."""

from __future__ import annotations

import pytest

from bot.board import Board, Cell
from bot.effects import ineffective_moves
from bot.frame import Reading
from bot.loop import Turn
from bot.mouse import AdaptiveTiming, ClickTiming
from bot.planner import Action, Move
from bot.waiting import BoardNotSettled, with_retries
from tests.support.boards import reading_of

SHORT, HELD = ClickTiming(), ClickTiming(hold=0.03)
STAYED, RESTED = ClickTiming(stay=0.1), ClickTiming(rest=0.05)
RETRY = ClickTiming(hold=0.03, stay=0.1, rest=0.05)
"""The first repetition: all at once, as it is not known what helps."""


class Program:
    """A row of covered cells; a click opens one where it lasts long enough.

    Args:
        needs: What a click needs.
        skin: The timing of the first click.
    """

    def __init__(self, needs: ClickTiming, skin: ClickTiming = SHORT) -> None:
        self.needs = needs
        self.found: list[tuple[str, float]] = []
        """The timings that were adopted, in order."""
        self.timing = AdaptiveTiming(skin, lambda name, seconds: self.found.append((name, seconds)))
        self.lost: set[int] = set()
        """Clicks that do not arrive, by their numbers."""
        self.clicks: list[ClickTiming] = []
        self.opened = 0
        self._see = with_retries(self._look, self._act, timing=self.timing)

    def play(self, turns: int, since: int = 0) -> None:
        """One click after another, each seen to have had its effect."""
        for number in range(since, since + turns):
            turn = Turn(number, self._reading(), None, (Move(Action.OPEN, Cell(0, number)),))
            self._act(turn)
            self._see(turn)

    def _act(self, turn: Turn) -> None:
        for move in turn.moves:
            arrives = len(self.clicks) not in self.lost
            self.clicks.append(self.timing.timing)
            pauses = zip(self.timing.timing, self.needs, strict=True)
            enough = all(seconds >= needed for seconds, needed in pauses)
            if enough and arrives and move.cell:
                self.opened = move.cell.col + 1

    def _look(self, last: Turn | None, _patience: float) -> Reading:
        reading = self._reading()
        ineffective = () if last is None or self.opened > last.number else last.moves
        if ineffective:
            raise BoardNotSettled("no effect", reading, ineffective)
        return reading

    def _reading(self) -> Reading:
        return reading_of(Board.parse("0" * self.opened + "#" * (20 - self.opened), 1))


@pytest.mark.parametrize(
    ("skin", "needs", "learned"),
    [
        (SHORT, ClickTiming(hold=0.02), [HELD]),
        (ClickTiming(hold=0.04), ClickTiming(hold=0.07), [ClickTiming(hold=0.08)]),
        # The second lost click tells that the longer press was not what helped.
        (SHORT, ClickTiming(stay=0.05), [HELD, STAYED]),
        # Some programs note the pointer's position once for each picture that they draw.
        (SHORT, ClickTiming(rest=0.02), [HELD, STAYED, RESTED]),
        (SHORT, ClickTiming(hold=0.02, stay=0.05), [HELD, STAYED, RESTED, RETRY]),
    ],
    ids=["press", "longer than in the skin", "stay", "rest", "press and stay"],
)
def test_what_a_program_needs_is_learned(
    skin: ClickTiming, needs: ClickTiming, learned: list[ClickTiming]
) -> None:
    """Twice it takes a second, longer click; from then on every click is made like that one.

    A press is held twice as long as in the skin, if that was not enough.
    """
    program = Program(needs, skin)
    program.play(6)
    retry = RETRY._replace(hold=max(2 * skin.hold, RETRY.hold))
    assert program.clicks == [skin, retry, skin, *learned, *[learned[-1]] * 4]
    changed = learned[-1]._asdict().items() - skin._asdict().items()
    assert dict(program.found) == dict(changed)


def test_a_longer_press_that_helped_by_chance_is_forgotten() -> None:
    """Clicks are lost all the same: the pointer has to stay, and the press may be short again."""
    program = Program(ClickTiming(hold=0.02))
    program.play(3)
    assert program.found == [("hold", 0.03)]
    program.needs = ClickTiming(stay=0.05)
    program.play(5, since=3)
    assert program.clicks[-1] == STAYED
    assert program.found == [("hold", 0.03), ("hold", 0.0), ("stay", 0.1)]


def test_a_click_that_was_lost_for_another_reason_changes_nothing() -> None:
    """It is made once more; the next short one has its effect, and so have all others."""
    program = Program(needs=SHORT)
    program.lost = {0, 5}
    program.play(8)
    assert [number for number, click in enumerate(program.clicks) if click != SHORT] == [1, 6]
    assert program.found == []


def test_click_without_effect_is_repeated_and_reported() -> None:
    """Nothing is learned from it."""
    program = Program(ClickTiming(hold=60.0))
    with pytest.raises(BoardNotSettled, match="no effect"):
        program.play(1)
    assert [click.hold for click in program.clicks] == [0.0, 0.03, 0.12, 0.03]
    assert (program.timing.timing, program.found) == (SHORT, [])


FLAG = Move(Action.FLAG, Cell(0, 0))
SECOND, THIRD = (Move(Action.OPEN, Cell(0, col)) for col in (1, 2))


@pytest.mark.parametrize(
    ("before", "moves", "seen", "after", "sent"),
    [
        # A second click on a flag that cannot be read would take it away.
        ("#1##", (FLAG, THIRD), ["~1##"] * 6, "F1.#", [(), (THIRD,)]),
        ("#1##", (FLAG, THIRD), ["~1##", "F1##"], "F1.#", [(), (THIRD,)]),
        # As when the window is moved under the click: the board is unread, then as before.
        ("#1##", (THIRD,), ["~~~~", "~~~~", "#1##"], "#11#", [(), (THIRD,)]),
        # Programs take clicks in order: one that a later one has overtaken is sent at once.
        ("1###", (SECOND, THIRD), ["1#1#"], "111#", [(SECOND,)]),
        # The last one of a turn may still have its effect.
        ("1###", (SECOND, THIRD), ["11##", "11##"], "111#", [(THIRD,)]),
    ],
    ids=["unread flag", "flag read late", "hidden board", "overtaken", "last"],
)
def test_only_lost_clicks_are_sent_again(
    before: str,
    moves: tuple[Move, ...],
    seen: list[str],
    after: str,
    sent: list[tuple[Move, ...]],
) -> None:
    """After so many looks; with an unread tile the pointer is parked first."""
    turns: list[Turn] = []
    boards = iter(seen)

    def look(last: Turn | None, _patience: float) -> Reading:
        if any(turn.moves for turn in turns):
            return reading_of(Board.parse(after, 1))
        reading = reading_of(Board.parse(next(boards), 1))
        assert last is not None
        raise BoardNotSettled("", reading, ineffective_moves(reading, last.reading, moves))

    with_retries(look, turns.append)(Turn(0, reading_of(Board.parse(before, 1)), None, moves))
    assert [turn.moves for turn in turns] == sent
    assert next(boards, None) is None


def test_only_the_lost_click_is_repeated_until_it_is_reported() -> None:
    """A second click on a cell beside it might do harm."""
    turns: list[Turn] = []
    reading = reading_of(Board.parse("1#1#", 1))

    def look(_last: Turn | None, _patience: float) -> Reading:
        raise BoardNotSettled("no effect", reading, (SECOND,))

    with pytest.raises(BoardNotSettled, match="no effect"):
        with_retries(look, turns.append)(Turn(0, reading, None, (SECOND, THIRD)))
    assert [turn.moves for turn in turns] == [(SECOND,)] * 3


@pytest.mark.parametrize("usual", [ClickTiming(hold=0.05), SHORT])
def test_a_click_that_is_made_once_is_slow_enough(usual: ClickTiming) -> None:
    """Whatever has been found out so far; afterwards clicks are as quick as before."""
    timing = AdaptiveTiming(usual)
    with timing.slowed():
        assert timing.timing.hold >= max(usual.hold, 0.02)
        assert timing.timing.stay >= 0.1
    assert timing.timing == usual
