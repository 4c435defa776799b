"""The loop: order, patience, and what it refuses to believe."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import pytest

from bot.analysis import Limit
from bot.board import Board, Cell
from bot.frame import Reading, Status
from bot.game import FirstClick, Game
from bot.loop import Stopped, Turn, play
from bot.planner import Action, Move
from bot.solver import solver
from bot.waiting import BoardNotSettled, wait_until_stable, with_retries
from tests.support.boards import play_without_screen, reading_of


def a_game() -> Game:
    """Return a beginner's board that opens a zero first."""
    return Game(9, 9, 10, seed=7, first_click=FirstClick.ZERO)


def turns_of(game: Game, done: list[Turn]) -> Iterator[Turn]:
    """Return the loop on a game, and what it carried out."""

    def send(turn: Turn) -> tuple[()]:
        done.append(turn)
        return ()

    return play_without_screen(game, send)


def test_a_turn_is_yielded_before_it_is_carried_out() -> None:
    """Closing the generator at a turn means that its moves are never made."""
    done: list[Turn] = []
    turns = turns_of(a_game(), done)
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


def opened(before: str, *cells: tuple[int, int]) -> Turn:
    """Return a turn that opened these cells."""
    moves = tuple(Move(Action.OPEN, Cell(*cell)) for cell in cells)
    return Turn(0, reading_of(Board.parse(before, 1)), None, moves)


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


def peeking(*counts: int) -> tuple[int, Mapping[str, float]]:
    """Two cells are opened, and so many of them look as before at each peek.

    Returns:
        How often it waited before the first look, and the seconds by stage.
    """
    left = iter(counts)
    waits: list[float] = []
    before: list[int] = []

    def wait(seconds: float) -> bool:
        waits.append(seconds)
        return False

    def look() -> Reading:
        before.append(len(waits))
        return reading_of(Board.parse("11#/###", 1))

    last = opened("###/###", (0, 0), (0, 1))
    asked: list[tuple[Sequence[Cell], Reading]] = []

    def unchanged(cells: Sequence[Cell], since: Reading) -> int:
        asked.append((cells, since))
        return next(left, counts[-1])

    reading = wait_until_stable(look, wait, last, 3, clock(0.01), unchanged=unchanged)
    assert {(tuple(cells), id(since)) for cells, since in asked} == {
        ((Cell(0, 0), Cell(0, 1)), id(last.reading))
    }
    return before[0], reading.seconds


def test_board_is_read_after_the_clicked_cells_are_drawn() -> None:
    """Peeks are cheap: the board is read when all has changed that was clicked on."""
    looked_after, seconds = peeking(2, 1, 1, 0)
    assert looked_after == 3
    assert 0.01 < seconds["change"] < 0.05


def test_board_is_read_although_clicked_cells_never_change() -> None:
    """The last clicks of a game that was lost meanwhile have no effect."""
    looked_after, seconds = peeking(1)
    assert 1 < looked_after < 10
    assert 0 < seconds["change"] < 0.05


CHORD = Move(Action.CHORD, Cell(0, 1))
FLAG_AND_OPEN = Move(Action.FLAG, Cell(0, 1)), Move(Action.OPEN, Cell(0, 1))


def open_at(*cells: tuple[int, int]) -> tuple[Move, ...]:
    """Return moves that open these cells."""
    return tuple(Move(Action.OPEN, Cell(*cell)) for cell in cells)


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
    """Once it has settled."""
    last = Turn(0, reading_of(Board.parse(before, 1)), None, moves)
    reading = wait_until_stable(looking(*boards), never_stopped, last)
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
    last = Turn(0, reading_of(Board.parse(before, 1)), None, moves)
    with pytest.raises(BoardNotSettled, match=message) as caught:
        wait_until_stable(looking(after), never_stopped, last, 3, clock())
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


def seen_after(last: Turn | None, before: str, after: str, sent: list[tuple[Move, ...]]) -> Reading:
    """Look at a board that changes when something is sent; what is sent is added to a list."""

    def see(last: Turn | None, patience: float) -> Reading:
        board = after if sent else before
        return wait_until_stable(looking(board), never_stopped, last, patience, clock())

    return with_retries(see, lambda turn: sent.append(turn.moves))(last)


def test_a_click_without_effect_is_sent_again() -> None:
    """Only what is missing is clicked again, the last time without haste; then it is reported."""
    sent: list[tuple[Move, ...]] = []
    last = opened("###/###", (0, 0), (1, 2))
    with pytest.raises(BoardNotSettled, match="row 2, column 3 had no effect"):
        seen_after(last, "1##/###", "1##/###", sent)
    assert sent == [(Move(Action.OPEN, Cell(1, 2)),)] * 3


@pytest.mark.parametrize("last", [None, opened("###/###", (0, 0))])
def test_the_pointer_is_parked_where_a_tile_stays_unread(last: Turn | None) -> None:
    """It may lie over the board; nothing is clicked, and the next look decides."""
    sent: list[tuple[Move, ...]] = []
    assert seen_after(last, "1~#/###", "11#/###", sent).board.rows_text() == "11#\n###"
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
