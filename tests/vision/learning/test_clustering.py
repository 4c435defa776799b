"""Sorting tile pictures into kinds: never two states in one, few kinds for one state."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from bot.board import COVERED, UNREAD
from gui.looks import LOOKS
from tests.support.strange import Strange
from tests.vision.scenes import drawn, random_board
from vision.finder.placing import cut_tiles
from vision.learning.clustering import Grouping, retinted
from vision.learning.evidence import Reading
from vision.learning.features import features_of


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("cell", [12, 16, 24, 37.5, 60])
def test_no_kind_holds_two_states(look: str, cell: float) -> None:
    """Every tile of a kind shows the same state, at any size, fractional pitches included."""
    board = random_board(np.random.default_rng(4), 16, 30)
    image = np.pad(drawn(board, look, cell), ((0, 1), (0, 1), (0, 0)), mode="edge")
    tops, lefts = (np.rint(np.arange(count) * cell).astype(int) for count in board.tiles.shape)
    kinds = Grouping().group(cut_tiles(image, tops, lefts, (round(cell), round(cell))))
    states = board.tiles.ravel()
    for kind in np.unique(kinds):
        assert len(np.unique(states[kinds == kind])) == 1
    assert len(np.unique(kinds)) <= 6 * len(np.unique(states))


@pytest.mark.parametrize("shaded", [False, True], ids=["even", "shaded"])
@pytest.mark.parametrize(("cell", "size"), [(44, 12), (44, 13), (50, 10), (76, 14)])
def test_small_digits_in_large_cells_are_kinds_of_their_own(
    cell: int, size: int, *, shaded: bool
) -> None:
    """Though two of them differ no more than one that is drawn a part of a pixel elsewhere."""
    font = ImageFont.load_default(size)
    tiles = []
    for digit, shift in product("123", (0.0, 0.3, 0.5)):
        tile = Image.new("RGB", (cell, cell), (153, 153, 153))
        if shaded:
            shades = Image.linear_gradient("L").resize((cell, cell))
            tile = shades.point(lambda shade: 140 + shade // 4).convert("RGB")
        draw, at = ImageDraw.Draw(tile), (cell / 2 + shift, cell / 2 + shift)
        draw.rectangle((0, 0, cell - 1, cell - 1), outline=(68, 68, 68))
        draw.text(at, digit, fill=(68, 68, 68), font=font, anchor="mm")
        tiles.append(np.asarray(tile))
    kinds = Grouping().group(np.stack(tiles)).reshape(3, 3)
    assert all(not set(one) & set(other) for one, other in combinations(kinds.tolist(), 2))


def test_a_mark_that_is_no_certain_digit_is_no_kind_of_one() -> None:
    """Of digits with the rectangle of the focus around them, one is certain."""
    tiles = []
    for digit in "123":
        tile = Image.new("RGB", (49, 42), (238, 238, 238))
        draw = ImageDraw.Draw(tile)
        draw.text((24, 20), digit, fill=(153,) * 3, font=ImageFont.load_default(13), anchor="mm")
        draw.rectangle((19, 12, 29, 28), outline=(153,) * 3)
        tiles.append(np.asarray(tile))
    one, two, three = Grouping().group(np.stack(tiles)).tolist()
    assert two not in (one, three)


def test_a_full_memory_forgets_nothing_on_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are compared anew then; known ones among new ones keep their kind."""
    grouping = Grouping()
    first = np.full((1, 16, 16, 3), 30, np.uint8)
    other = np.full((1, 16, 16, 3), 220, np.uint8)
    (kind,) = grouping.group(first).tolist()
    monkeypatch.setattr("vision.learning.clustering._MEMORY_BYTES", 1)
    assert grouping.group(np.concatenate([first, other])).tolist()[0] == kind


def test_a_board_that_is_dimmed_stays_what_it_was() -> None:
    """Opened cells never change: new kinds take their states, unless two are mixed up."""
    names = [0, 1, 2, COVERED]
    tiles = [Strange(3).tile(code, 0, 0, 24) for code in names]
    dim = [(0.75 * tile).astype(np.uint8) for tile in tiles]
    traits = [features_of(tile) for tile in (*tiles, *dim)]
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
