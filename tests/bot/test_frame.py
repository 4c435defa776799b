"""Points, pixels and cells."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.board import Cell
from bot.frame import Frame, Grid, Point, Region

GRID = Grid(left=100.5, top=50.25, pitch_x=16.5, pitch_y=20, rows=4, cols=7, scale=2)

regions = st.builds(
    Region, st.integers(-50, 50), st.integers(-50, 50), st.integers(1, 60), st.integers(1, 60)
)


@given(st.integers(0, 3), st.integers(0, 6))
def test_the_middle_of_a_cell_is_in_the_cell(row: int, col: int) -> None:
    """`center` and `cell_at` are each other's inverse."""
    assert GRID.cell_at(GRID.center(Cell(row, col))) == Cell(row, col)


@pytest.mark.parametrize("point", [(100, 60), (217, 60), (110, 50), (110, 131)])
def test_points_off_the_board_are_no_cell(point: tuple[float, float]) -> None:
    """Just outside each of the four sides."""
    assert GRID.cell_at(Point(*point)) is None


def test_a_view_holds_board_face_and_counters_and_moves_with_them() -> None:
    """One look sees everything that the skin knows, and half a cell around."""
    face, clock = Region(140, 10, 24, 24), Region(10, 12, 40, 20)
    grid = Grid(100, 50, 16, 16, 4, 7, face=face, clock=clock)
    assert grid.region == Region(100, 50, 112, 64)
    for part in (grid.region, face, clock):
        assert grid.view.intersection(part) == part
    assert grid.view == Region(2, 2, 218, 120)
    moved = grid.moved(5, -3)
    assert moved.region == grid.region.moved(5, -3)
    assert (moved.face, moved.clock) == (face.moved(5, -3), clock.moved(5, -3))


@given(regions, regions)
def test_regions_meet_and_join(one: Region, other: Region) -> None:
    """An intersection lies in both regions, and both lie in the union."""
    union = one.union(other)
    assert union.intersection(one) == one
    assert union.intersection(other) == other
    shared = one.intersection(other)
    if shared is None:
        beside = one.right <= other.left or other.right <= one.left
        assert beside or one.bottom <= other.top or other.bottom <= one.top
    else:
        assert one.contains(Point(shared.left, shared.top))
        assert other.contains(Point(shared.right - 1, shared.bottom - 1))


def test_first_cells_may_be_a_point_wider() -> None:
    """GTK's way of filling 31 points with three columns of 10: edges, middles and cells agree.

    Edges are pixels of the captured region, one more than there are cells.
    """
    grid = Grid(5, 7, 10, 20, rows=2, cols=3, scale=2, wide_cols=1, wide_rows=2)
    assert grid.region == Region(5, 7, 31, 42)
    assert grid.column_edges(Region(0, 0, 99, 99)).tolist() == [10, 32, 52, 72]
    assert grid.row_edges(Region(0, 7, 99, 99)).tolist() == [0, 42, 84]
    assert grid.center(Cell(0, 0)) == Point(10.5, 17.5)
    assert grid.center(Cell(1, 1)) == Point(21, 38.5)
    assert grid.cell_at(Point(15.9, 8)) == Cell(0, 0)
    assert grid.cell_at(Point(16, 48.9)) == Cell(1, 1)
    assert grid.cell_at(Point(36, 8)) is None
    assert grid.moved(1, 1).wide_cols == 1


@given(st.floats(0, 50), st.floats(10, 40), st.sampled_from([1.0, 1.5, 2.0]))
def test_cells_are_the_same_pixels_in_every_crop(left: float, pitch: float, scale: float) -> None:
    """A cell's pixels do not depend on what part of the desktop was captured."""
    grid = Grid(left, left, pitch, pitch, rows=4, cols=9, scale=scale)
    whole = grid.column_edges(Region(0, 0, 600, 600))
    for begin in (2, 4, 10):
        crop = grid.column_edges(Region(begin, 0, 500, 500))
        assert (whole - crop == begin * scale).all()


def test_a_region_holds_its_first_but_not_its_last_edge() -> None:
    """As pixels do: two regions side by side share no point."""
    assert Region(0, 0, 5, 5).contains((0, 4.9))
    assert not Region(0, 0, 5, 5).contains((5, 0))
    assert Region(0, 0, 5, 4).center == Point(2.5, 2)


def test_a_frame_is_frozen_and_knows_its_scale() -> None:
    """Pixels per point come from the picture and the region that it shows."""
    frame = Frame(np.zeros((20, 40, 3), np.uint8), Region(0, 0, 20, 10))
    assert frame.scale == 2
    assert Frame.of_image(frame.image).region == Region(0, 0, 40, 20)
    with pytest.raises(ValueError, match="read-only"):
        frame.image[0, 0, 0] = 1
    with pytest.raises(ValueError, match="uint8"):
        Frame.of_image(np.zeros((20, 40), np.uint8))
