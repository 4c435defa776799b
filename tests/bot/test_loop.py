"""The loop: order, patience, and what it refuses to believe."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from bot.analysis import Limit
from bot.board import Board, Cell
from bot.frame import Reading, Status
from bot.game import Game
from bot.loop import Stopped, Turn, play
from bot.planner import Action, Move
from bot.solver import solver
from bot.waiting import SILENT, BoardNotSettled, Waits, wait_until_stable, with_retries
from tests.support.boards import play_without_screen, reading_of


def test_a_turn_is_yielded_before_it_is_carried_out() -> None:
    """Closing the generator at a turn means that its moves are never made."""
    done: list[Turn] = []

    def send(turn: Turn) -> tuple[()]:
        done.append(turn)
        return ()

    turns = play_without_screen(Game(9, 9, 10, seed=7), send)
    next(turns)
    assert done == []
    next(turns)
    assert len(done) == 1
    turns.close()  # type: ignore[attr-defined]
    assert len(done) == 1


def looking(*boards: str, mines: int = 1) -> Callable[[], Reading]:
    """Return a reader of these boards in turn, then of the last one for ever."""
    readings = [reading_of(Board.parse(text, mines)) for text in boards]
    seen = itertools.chain(readings, itertools.repeat(readings[-1]))
    return lambda: next(seen)


def clock(step: float = 1.0) -> Callable[[], float]:
    """Return a clock that advances with every reading."""
    ticks = itertools.count()
    return lambda: next(ticks) * step


def never_stopped(_seconds: float) -> bool:
    """Return at once, never stopped."""
    return False


def turn_of(before: str, moves: tuple[Move, ...]) -> Turn:
    """Return a turn that made these moves."""
    return Turn(0, reading_of(Board.parse(before, 1)), None, moves)


def open_at(*cells: tuple[int, int]) -> tuple[Move, ...]:
    """Return moves that open these cells."""
    return tuple(Move(Action.OPEN, Cell(*cell)) for cell in cells)


def opened(before: str, *cells: tuple[int, int]) -> Turn:
    """Return a turn that opened these cells."""
    return turn_of(before, open_at(*cells))


def test_analysis_time_does_not_count_as_patience() -> None:
    """However long it thinks, the second look still counts."""
    ticks = iter([0.0, 1.0, 100.0, 101.0])
    look = looking("1##/###", "11#/###", "11#/###")
    last = opened("###/###", (0, 0))
    reading = wait_until_stable(
        look, never_stopped, last, 3, lambda: next(ticks, 102.0), lambda _: None
    )
    assert reading.board.rows_text() == "11#\n###"
    assert reading.seconds["think"] == 99.0


@pytest.mark.parametrize(("counts", "waited"), [([2, 1, 1, 0], range(3, 4)), ([1], range(2, 10))])
def test_board_is_read_after_the_clicked_cells_are_drawn(counts: list[int], waited: range) -> None:
    """Peeks are cheap: the board is read when all has changed that was clicked on, or after a time.

    The last clicks of a game that was lost meanwhile have no effect.
    """
    last = opened("###/###", (0, 0), (0, 1))
    left = iter(counts)
    waits: list[float] = []
    before: list[int] = []

    def wait(seconds: float) -> bool:
        waits.append(seconds)
        return False

    def look() -> Reading:
        before.append(len(waits))
        return reading_of(Board.parse("11#/###", 1))

    def unchanged(cells: Sequence[Cell], since: Reading) -> int:
        assert (tuple(cells), since) == ((Cell(0, 0), Cell(0, 1)), last.reading)
        return next(left, counts[-1])

    reading = wait_until_stable(look, wait, last, 3, clock(0.01), unchanged=unchanged)
    assert before[0] in waited
    assert 0 < reading.seconds["change"] < 0.05


CHORD = Move(Action.CHORD, Cell(0, 1))
FLAG_AND_OPEN = Move(Action.FLAG, Cell(0, 1)), Move(Action.OPEN, Cell(0, 1))


@pytest.mark.parametrize(
    ("before", "moves", "boards"),
    [
        # The first picture that stays is believed, not one of a board in motion.
        ("###/###", open_at((0, 0)), ("###/###", "1##/###", "11#/###", "11#/###")),
        # At an explosion the rest of the batch does not count as missing.
        ("###/###", open_at((0, 0), (0, 1)), ("!##/###",)),
        # A passing tooltip, or a flash of a hint with more mines than closed cells around it.
        ("###/###", open_at((0, 0)), ("~##/###", "1##/###")),
        ("###/###", open_at((0, 0)), ("4##/###", "1##/###")),
        # A restarted game need not be covered; the old end is not its beginning.
        ("!1#/###", (Move(Action.RESTART),), ("!1#/###", "11#/###")),
        # A wrong flag comes off before its cell is opened: both count as done.
        ("1F#/###", FLAG_AND_OPEN, ("11#/###",)),
        ("1##/###", FLAG_AND_OPEN[:1], ("1F#/###",)),
        # A chord has no effect as long as a neighbour is closed and has no flag.
        ("F1#/#1#", (CHORD,), ("F1#/#1#", "F1./#1#", "F1./11.")),
    ],
)
def test_stable_board_is_returned(
    before: str, moves: tuple[Move, ...], boards: tuple[str, ...]
) -> None:
    """The last of these, once it has settled."""
    reading = wait_until_stable(looking(*boards), never_stopped, turn_of(before, moves))
    assert reading.board.rows_text() == boards[-1].replace("/", "\n")
    assert (reading.status is Status.LOST) == ("!" in boards[-1])


@pytest.mark.parametrize(
    ("before", "moves", "after", "message", "missing"),
    [
        ("1##/###", open_at((0, 1)), "21#/###", "row 1, column 1 changed from 1 to 2", ()),
        ("###/###", open_at((0, 0)), "1~~/###", "row 1, column 2 and 1 more", ()),
        ("###/###", open_at((0, 0)), "4##/###", "the 4 at row 1, column 1 cannot be", ()),
        ("!1#/###", (Move(Action.RESTART),), "!1#/###", "did not start again", None),
        ("1F#/###", FLAG_AND_OPEN, "1F#/###", "row 1, column 2 had no effect", FLAG_AND_OPEN),
        ("1##/###", FLAG_AND_OPEN[:1], "1##/###", "row 1, column 2 had no effect", None),
        # A program may know no chords, or chord with another button.
        (
            "#1#/#1#",
            (Move(Action.FLAG, Cell(0, 0)), CHORD),
            "F1#/#1#",
            "row 1, column 2 had no effect",
            (CHORD,),
        ),
    ],
)
def test_unsettled_board_is_an_error(
    before: str,
    moves: tuple[Move, ...],
    after: str,
    message: str,
    missing: tuple[Move, ...] | None,
) -> None:
    """It names the cell, and keeps the reading and the moves without effect."""
    with pytest.raises(BoardNotSettled, match=message) as caught:
        wait_until_stable(looking(after), never_stopped, turn_of(before, moves), 3, clock())
    assert caught.value.reading.board.rows_text() == after.replace("/", "\n")
    assert missing is None or tuple(caught.value.missing) == missing


def test_covered_board_is_reported() -> None:
    """Another window over the board is waited for, then named."""
    covered = reading_of(Board.parse("###/###", 1), Status.BLOCKED)
    with pytest.raises(BoardNotSettled, match="something covers the board"):
        wait_until_stable(lambda: covered, never_stopped, None, 3, clock())


def test_a_board_that_was_hidden_has_to_stay_as_it_is() -> None:
    """What a menu chose is done after the menu has closed: two looks are not enough then."""
    covered = reading_of(Board.parse("1##/###", 1), Status.BLOCKED)
    shown, chosen = (reading_of(Board.parse(text, 1)) for text in ("1##/###", "###/###"))
    looks = itertools.chain([covered, shown, shown], itertools.repeat(chosen))
    seen = wait_until_stable(lambda: next(looks), never_stopped, None, 3, clock(0.1))
    assert seen.board == chosen.board


@pytest.mark.parametrize("new", ["1###/####", "###/###", "##1/###"])
def test_another_game_is_returned_once_it_is_stable(new: str) -> None:
    """Another level or a game begun by the user, once it is drawn; nothing is sent to it before."""
    half, last = "1##/###", opened("11#/#1#", (0, 2))
    seen = wait_until_stable(looking(half, half, new), never_stopped, last, 3, clock(0.1))
    assert seen.board.rows_text() == new.replace("/", "\n")
    readings = iter([last.reading, seen, seen])
    moves = iter([last.moves, (), ()])
    turns = play(
        lambda _last: next(readings),
        lambda board: solver("exact").solve(board, Limit()),
        lambda _reading, _analysis: next(moves),
        lambda _turn: None,
    )
    assert [turn.number for turn in turns] == [0, 0]


def test_a_stop_ends_the_waiting() -> None:
    """The wait between two looks is on the stop event."""
    stop = threading.Event()
    stop.set()
    with pytest.raises(Stopped):
        wait_until_stable(looking("~##/###"), stop.wait, None)


@pytest.mark.parametrize("last", [None, opened("###/###", (0, 0))])
def test_the_pointer_is_parked_where_a_tile_stays_unread(last: Turn | None) -> None:
    """It may lie over the board; nothing is clicked, and the next look decides."""
    sent: list[tuple[Move, ...]] = []

    def see(last: Turn | None, patience: float) -> Reading:
        look = looking("11#/###" if sent else "1~#/###")
        return wait_until_stable(look, never_stopped, last, patience, clock())

    seen = with_retries(see, lambda turn: sent.append(turn.moves))(last)
    assert seen.board.rows_text() == "11#\n###"
    assert sent == [()]


def test_the_pointer_is_parked_again_beside_a_board_of_another_size() -> None:
    """Where it was parked is within the larger board, whose cell it may highlight."""
    sizes = [20.0, 20.0, 30.0, 30.0, 30.0]
    parked: list[float] = []

    def see(_last: Turn | None, _patience: float) -> Reading:
        seen = looking("1~#/###")()
        seen = replace(seen, grid=replace(seen.grid, pitch_x=sizes.pop(0)))
        if parked == [20.0, 30.0]:
            return seen
        raise BoardNotSettled("it is unread", seen)

    assert with_retries(see, lambda turn: parked.append(turn.reading.grid.pitch_x))(None)
    assert parked == [20.0, 30.0]


def seconds_waited(reported: list[str]) -> Waits:
    """Return waits that take no time, and a clock that moves on with them."""
    now = [0.0]

    def wait(seconds: float) -> bool:
        now[0] += seconds
        return False

    return Waits(wait, reported.append, lambda: now[0])


def test_a_long_wait_is_reported_until_a_condition_or_a_limit_ends_it() -> None:
    """At once if only the user can end it; the condition is asked for once more at the limit."""
    reported: list[str] = []
    waits = seconds_waited(reported)
    assert waits.until(lambda: True, why="nothing")
    looks = itertools.count()
    assert waits.until(lambda: next(looks) == 5, SILENT, why="it is drawn")
    assert reported == []
    looks = itertools.count()
    assert not waits.until(lambda: next(looks) < 0, 5.0, every=1.0, why="no window")
    assert next(looks) == 7
    assert reported == ["no window", ""]
    looks = itertools.count()
    assert waits.until(lambda: next(looks) == 1, why="close it", silent=0)
    assert reported[2:] == ["close it", ""]


@pytest.mark.parametrize("every", [0.01, 30.0])
def test_a_stop_ends_a_wait_at_once(every: float) -> None:
    """However long the interval is."""
    stop = threading.Event()
    threading.Timer(0.05, stop.set).start()
    begin = time.perf_counter()
    with pytest.raises(Stopped):
        Waits(stop.wait).until(lambda: False, every=every)
    assert time.perf_counter() - begin < 10
