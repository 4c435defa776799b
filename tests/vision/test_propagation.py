"""What one kind of tile tells of another: same inside, other colours, a mark with more on it."""

from __future__ import annotations

import numpy as np

from bot.board import COVERED, EXPLODED, FLAG, MINE, QUESTION, UNREAD
from tests.strange import Strange
from vision.learning.clustering import Grouping
from vision.learning.evidence import Reading, adds_to
from vision.learning.features import features_of
from vision.learning.propagation import Propagation, retinted

SIDE = 24


def lined(tile: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    """The same tile with its upper and left lines in another colour."""
    other = tile.copy()
    other[:1], other[:, :1] = colour, colour
    return other


def made(*codes: int, seed: int = 3) -> list[np.ndarray]:
    """Tiles of a made-up skin."""
    return [Strange(seed).tile(code, 0, 0, SIDE) for code in codes]


def test_other_lines_around_a_hint_change_nothing() -> None:
    """A hint with its neighbours' lines is that hint, and no other one."""
    five, six = made(5, 6)
    grouping = Grouping()
    kinds = [grouping.add(tile) for tile in (five, lined(five, (0, 255, 0)), six)]
    spreading = Propagation(grouping)
    assert spreading.state_of(kinds[1], {kinds[0]: 5}, over=False) == 5
    assert spreading.state_of(kinds[1], {kinds[0]: 5, kinds[2]: 6}, over=False) == 5
    assert spreading.state_of(kinds[2], {kinds[0]: 5}, over=False) is None


def test_a_mine_that_may_be_the_one_hit_is_left_open() -> None:
    """What may differ in its rim alone is carried over only where both are known and unlike."""
    (mine,) = made(MINE)
    grouping = Grouping()
    first, second, third = (
        grouping.add(tile) for tile in (mine, lined(mine, (0, 255, 0)), lined(mine, (255, 0, 0)))
    )
    spreading = Propagation(grouping)
    assert spreading.state_of(second, {first: MINE}, over=True) is None
    assert spreading.state_of(second, {first: MINE, third: EXPLODED}, over=True) is None


def test_a_board_that_is_dimmed_stays_what_it_was() -> None:
    """Opened cells never change: new kinds take their states, unless two are mixed up."""
    tiles = made(0, 1, 2, COVERED)
    dim = [(0.75 * tile).astype(np.uint8) for tile in tiles]
    traits = [features_of(tile) for tile in (*tiles, *dim)]
    names = [0, 1, 2, COVERED]
    readings = [Reading(np.eye(11)[code if code > 0 else 10], 0.0) for code in names * 2]
    last = np.array([[0, 0, 1, 3], [0, 1, 2, 3], [1, 2, 3, 3]])
    was = np.array(names, np.int8)[last]
    found = retinted(last, last + 4, was, traits, readings)
    assert {kind: state for kind, state in found.items() if state >= 0} == {4: 0, 5: 1, 6: 2}
    assert found.get(7, COVERED) == COVERED
    closed = np.full_like(last, 7)
    assert retinted(last, closed, was, traits, readings) == {}
    unknown = np.full_like(was, UNREAD)
    assert retinted(last, last + 4, unknown, traits, readings) == {}


def test_a_flag_with_more_on_it_adds_to_the_flag() -> None:
    """The one adds to the other, not the other to the one; a question mark adds to neither."""
    flag, question = made(FLAG, QUESTION)
    more = flag.copy()
    unlike = np.abs(flag.astype(int) - flag[4, 4]).sum(axis=2)
    more[16:18, 16:19] = flag[np.unravel_index(unlike.argmax(), unlike.shape)]
    plain, richer, other = (features_of(tile) for tile in (flag, more, question))
    assert adds_to(richer, plain)
    assert not adds_to(plain, richer)
    assert not adds_to(other, plain)
