"""How many mines: the counter, the user, the level, and what happens where they disagree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bot.board import FLAG, MISFLAG, Board
from bot.frame import Frame, Grid, Region
from tests.support.boards import SESSIONS
from tests.vision.scenes import recorded
from vision.counters import Counters
from vision.counters.header import Header
from vision.counters.mines import (
    KnownBoards,
    Mines,
    MinesUnknown,
    Recalled,
    decided,
    determine_mines,
    shown_mines,
    undecided_mines,
)
from vision.desktop import Window
from vision.sessions import load_session
from vision.skins import Skin
from vision.skins.skin import LEARNED

LEVEL = Grid(0, 0, 16, 16, rows=9, cols=9)
CUSTOM = Grid(0, 0, 16, 16, rows=9, cols=11)


@pytest.fixture
def skin(skins: tuple[Skin, ...]) -> Skin:
    """WineMine: 9 x 9 cells are its level with ten mines."""
    return next(one for one in skins if one.name == "winemine")


@pytest.mark.parametrize(
    ("board", "counters", "mines"),
    [
        # A counter that counts down has subtracted every flag, the wrong ones too.
        ("F##x/1.../####/####", Counters(mines_left=3), 5),
        ("F##x/1.../####/####", Counters(mines_left=-1), 1),
        # 'a / b' counts the flags, fewer at first, or the mines that are left; else it is a score.
        ("F##x/1.../####/####", Counters(mines_left=5, mines_total=7), 7),
        ("F##x/1.../####/####", Counters(mines_left=6, mines_total=7), 7),
        ("F##x/1.../####/####", Counters(mines_left=2, mines_total=7), 7),
        ("F##x/1.../####/####", Counters(mines_left=3, mines_total=7), None),
        ("F##x/1.../##~~/####", Counters(mines_left=3, mines_total=7), 7),
        # At a win programs flag what was not flagged: some do not subtract that.
        ("F2F/121/...", Counters(mines_left=0), 2),
        ("F2F/121/...", Counters(mines_left=2), 2),
        # No counter, fewer than none, and as many mines as cells.
        ("####/####/####/####", Counters(), None),
        ("####/####/####/####", Counters(mines_left=-2), None),
        ("####/####/####/####", Counters(16), None),
    ],
)
def test_mines_by_the_counter(board: str, counters: Counters, mines: int | None) -> None:
    """The mines that are left, and the flags."""
    assert shown_mines(counters, Board.parse(board, mines=2).tiles) == mines


@pytest.mark.parametrize(
    ("grid", "given", "shown", "recalled", "mines", "remark"),
    [
        (LEVEL, None, None, Recalled(), 10, ""),
        (CUSTOM, 13, None, Recalled(), 13, ""),
        (CUSTOM, None, 14, Recalled(), 14, ""),
        (LEVEL, 10, 10, Recalled(), 10, ""),
        # A custom board may have a level's size.
        (LEVEL, None, 12, Recalled(), 12, "12 mines, as its counter shows; usually it has 10"),
        (LEVEL, 13, None, Recalled(), 13, "13 mines, as you said; usually it has 10"),
        # Earlier games decide before the level, and after the counter and the user.
        (CUSTOM, None, None, Recalled(shown=13), 13, ""),
        (CUSTOM, None, None, Recalled(said=13), 13, ""),
        (CUSTOM, None, 14, Recalled(shown=13), 14, ""),
        (CUSTOM, 15, None, Recalled(said=13), 15, ""),
        (LEVEL, None, None, Recalled(shown=13), 13, "counter showed in an earlier game"),
        # An earlier answer was given for one board.
        (LEVEL, None, None, Recalled(said=13), 10, ""),
        (LEVEL, None, None, Recalled(likely=12), 10, ""),
    ],
)
def test_mines_of_a_known_program(
    skin: Skin,
    grid: Grid,
    given: int | None,
    shown: int | None,
    recalled: Recalled,
    mines: int,
    remark: str,
) -> None:
    """The remark names what was overruled."""
    found = determine_mines(skin, grid, given, shown, recalled=recalled)
    assert found.number == mines
    assert remark in found.remark
    assert bool(found.remark) == bool(remark)


@pytest.mark.parametrize(
    ("grid", "given", "shown", "beside", "message"),
    [
        (LEVEL, 12, 10, (), "shows 10 mines, but 12 were given"),
        (LEVEL, 99, None, (), "99 mines do not fit"),
        (LEVEL, 99, 10, (), "99 mines do not fit"),
        (CUSTOM, None, None, (), r"expert 16 x 30.*--mines"),
        (CUSTOM, 12, None, (14, 37), "14 or 37 mines, not 12, which were given"),
        (LEVEL, 12, None, (10, 37), "shows 10 mines, but 12 were given"),
    ],
)
def test_contradicted_or_unknown_number_is_an_error(
    skin: Skin,
    grid: Grid,
    given: int | None,
    shown: int | None,
    beside: tuple[int, ...],
    message: str,
) -> None:
    """Playing on with a wrong number would make every probability wrong."""
    with pytest.raises(MinesUnknown, match=message):
        determine_mines(skin, grid, given, shown, beside)


def test_two_numbers_beside_a_board(skin: Skin) -> None:
    """One of them may be the mines; beside a board of an unknown program, anything."""
    assert determine_mines(skin, CUSTOM, 14, None, (14, 37)) == Mines(14)
    assert determine_mines(skin, CUSTOM, 12, None, (14, 37), named=False).number == 12
    assert "14 or 37 mines, not 10" in determine_mines(skin, LEVEL, None, None, (14, 37)).remark
    learned = skin.model_copy(update={"program": LEARNED, "levels": {}})
    with pytest.raises(MinesUnknown):
        determine_mines(learned, LEVEL, None, None, (12, 37))
    assert determine_mines(learned, LEVEL, None, None, (10, 37)).number == 10
    said = Recalled(said=11)
    assert determine_mines(learned, LEVEL, None, None, (12, 37), recalled=said).number == 11


def test_number_of_a_window_with_another_title_is_only_offered(skin: Skin) -> None:
    """Nor is a usual level believed then: the numbers in the title may be the mines."""
    for grid in (LEVEL, CUSTOM):
        with pytest.raises(MinesUnknown) as unknown:
            determine_mines(skin, grid, None, None, recalled=Recalled(likely=10), named=False)
        assert unknown.value.likely == 10
        assert "title has other numbers" in unknown.value.why
        known = Recalled(likely=10)
        assert determine_mines(skin, grid, None, 12, recalled=known, named=False) == Mines(12)


def test_usual_sizes_imply_their_levels_in_unknown_programs(skin: Skin) -> None:
    """In learned skins, and where a bundled one merely fits: not by that one's own levels."""
    learned = skin.model_copy(update={"program": LEARNED, "levels": {}})
    sizes = {(9, 9): 10, (8, 8): 10, (16, 16): 40, (16, 30): 99, (30, 16): 99}
    for (rows, cols), mines in sizes.items():
        grid = replace(LEVEL, rows=rows, cols=cols)
        for found in (
            determine_mines(learned, grid, None, None),
            determine_mines(skin, grid, None, None, named=False),
        ):
            assert (found.number, found.assumed) == (mines, True)
            assert f"assumed to have {mines} mines" in found.remark
    known = Recalled(said=13)
    assert determine_mines(skin, LEVEL, None, None, recalled=known, named=False) == Mines(13)
    own = skin.model_copy(update={"levels": {"beginner": (12, 12, 20)}})
    grid = replace(LEVEL, rows=12, cols=12)
    assert determine_mines(own, grid, None, None).number == 20
    with pytest.raises(MinesUnknown):
        determine_mines(own, grid, None, None, named=False)


def test_unconfirmed_number_of_mines_is_assumed(skin: Skin) -> None:
    """A level that was learned in one game, and a single number beside the board, are no proof."""
    learned = skin.model_copy(update={"program": LEARNED, "levels": {"9 x 9": (9, 9, 12)}})
    assert determine_mines(learned, LEVEL, None, None).assumed
    assert determine_mines(learned, CUSTOM, None, None, alone=14).assumed
    assert not determine_mines(skin, LEVEL, None, None).assumed
    for stated in (
        determine_mines(learned, LEVEL, None, 12),
        determine_mines(learned, LEVEL, 12, None),
        determine_mines(learned, LEVEL, None, None, recalled=Recalled(shown=12)),
        determine_mines(learned, LEVEL, None, None, recalled=Recalled(said=12)),
    ):
        assert (stated.number, stated.assumed) == (12, False)


@pytest.mark.parametrize(
    ("lost", "mines"),
    [
        ("*3*#/!31#/11.#/####", 3),
        # The mine that was hit alone, another one that is hidden, and one that cannot be read.
        ("#3##/!31#/11.#/####", 4),
        ("*3##/!31#/11.#/####", 4),
        ("*3*#/!31~/11.#/####", 4),
        # Without a hint more of them may follow.
        ("!###/####/####/####", 4),
    ],
)
def test_mines_of_a_lost_game_tell_those_of_the_next(lost: str, mines: int, skin: Skin) -> None:
    """If only the size of the board implies them: a level's number may be another one."""
    learned = skin.model_copy(update={"program": LEARNED, "levels": {"small": (4, 4, 4)}})
    board = Board.parse(lost, mines=4)
    grid = Grid(100, 100, 20, 20, board.rows, board.cols)
    frame = Frame.of_image(np.full((300, 300, 3), 200, np.uint8))
    for given in (None, 4):
        header = Header(frame, grid, given)
        shown = [
            header.read(frame, grid, learned, tiles)
            for tiles in (Board.covered(4, 4, 4).tiles, board.tiles, Board.covered(4, 4, 4).tiles)
        ]
        assert [one.mines for one in shown] == [4, 4, mines if given is None else 4]
        assert shown[-1].assumed is (given is None), "one game proves nothing about the next"


def window(number: int, title: str, class_name: str) -> Window:
    """A window somewhere."""
    return Window(number, title, class_name, Region(0, 0, 300, 300), None, own=False)


def test_mines_by_a_counter_hold_for_that_window_and_size(skin: Skin) -> None:
    """A page of a browser is known by its title; a number in it may be the mines."""
    known = KnownBoards()
    page = window(7, "Mines (40 mines)", "Chromium")
    known.note_counter(page, skin, 16, 12, 40)
    assert known.recall(page, skin, 16, 12) == Recalled(shown=40)
    assert known.recall(replace(page, title="Mines (7 mines)"), skin, 16, 12) == Recalled(likely=40)
    for other, rows in (
        (window(7, "Sweeper", "Chromium"), 16),
        (replace(page, id=8), 16),
        (page, 12),
    ):
        assert known.recall(other, skin, rows, 12) == Recalled()
    program = window(9, "WineMine", skin.window_class or "")
    known.keep(program, skin, 10, 10, 20)
    assert known.recall(replace(program, title="2nd title"), skin, 10, 10) == Recalled(said=20)


def either(first: int, second: int) -> Counters:
    """Two numbers beside a board, of which one counts mines and one counts seconds."""
    readings = ((first, second), (second, first))
    return Counters(either=tuple(Counters(left, seconds=time) for left, time in readings))


def test_the_only_number_that_is_not_0_is_the_counter() -> None:
    """Beside a clock that has not begun it may be the counter; of two numbers none is offered."""
    alone = either(23, 0).alone
    assert alone is not None
    assert (alone.mines_left, alone.seconds) == (23, 0)
    assert either(0, 23).alone == alone
    assert either(23, 4).alone is None
    assert either(0, 0).alone is None
    assert Counters().alone is None
    single = Counters(mines_left=0)
    assert Counters(either=(single,)).alone == single


MIDDLE = Board.parse("F##x/1.../####/####", mines=5).tiles
FLAGGED = Board.parse("F###/1.../####/####", mines=5).tiles
BEGUN = Board.parse("####/1.../####/####", mines=5).tiles


@pytest.mark.parametrize("numbers", [(4, 37), (37, 4)])
def test_the_number_that_makes_the_mines_is_the_counter(numbers: tuple[int, int]) -> None:
    """Four are left and one is flagged: five, wherever the clock stands."""
    reported = decided(either(*numbers), FLAGGED, 5)
    assert (reported.mines_left, reported.seconds) == (4, 37)
    assert decided(either(*numbers), FLAGGED, 6).either


def test_no_board_has_no_mines() -> None:
    """Where nothing is known, a 0 without a flag is the clock; with a flag it may be the mines."""
    assert decided(either(0, 3), BEGUN, None).mines_left == 3
    assert decided(either(3, 0), BEGUN, None).mines_left == 3
    assert decided(either(0, 3), FLAGGED, None).either
    assert decided(either(0, 15), BEGUN, None).either  # more than half of the cells
    assert decided(either(2, 3), BEGUN, None).either


def test_only_counters_of_a_game_in_progress_contradict() -> None:
    """A lost or a won board's counter may show anything; an unread tile may be a flag."""
    assert undecided_mines(either(3, 4), FLAGGED) == (4, 5)
    assert undecided_mines(either(3, 4), MIDDLE) == ()
    assert undecided_mines(either(3, 4), np.where(FLAGGED > 0, -7, FLAGGED).astype(np.int8)) == ()
    assert undecided_mines(either(0, 1), Board.parse("F#/12", mines=2).tiles) == ()


SEEN = (
    "classic-beginner-won",
    "flat-beginner-won",
    "winemine-intermediate-won",
    "xbomb-intermediate-won",
    "winemine-crowded-8",
    "xdemineur-beginner-won",
    "xdemineur-crowded-8",
    "xdemineur-expert-lost",
)
"""Recorded games with two plain numbers beside the board; the crowded ones are no level."""


@pytest.mark.parametrize("name", SEEN)
def test_mines_and_time_are_read_in_mid_game(name: str, skins: tuple[Skin, ...]) -> None:
    """Each picture alone, as `read` sees it: the mines less the flags, and some time."""
    skin = next(one for one in skins if name.startswith(f"{one.name}-"))
    turns = [turn.reading for turn in load_session(SESSIONS / name).turns()]
    for turn in (turns[1], turns[len(turns) // 2], turns[-2]):
        codes, mines = turn.board.tiles, turn.board.mines
        shown = Header(turn.frame, turn.grid, None).read(turn.frame, turn.grid, skin, codes)
        assert shown.mines_left == mines - np.isin(codes, (FLAG, MISFLAG)).sum()
        assert shown.clock is not None
        assert shown.remarks == ()


def test_the_side_of_the_counter_decides_against_the_level(skins: tuple[Skin, ...]) -> None:
    """Xdemineur opens the middle of its board, its clock runs, and it has a mine more."""
    skin = next(one for one in skins if one.name == "xdemineur")
    turn = recorded("xdemineur-expert-lost")
    one_less = skin.model_copy(update={"levels": {"expert": (16, 30, 98)}})
    shown = Header(turn.frame, turn.grid, None).read(
        turn.frame, turn.grid, one_less, turn.board.tiles
    )
    assert shown.mines == 99
    assert "99 mines, as its counter shows; usually it has 98" in shown.remarks[0]
