"""Boards of tile sets that no skin knows are found to the pixel, whatever stands around them."""

from __future__ import annotations

import pytest

from gui.private_screen import PrivateScreen
from tests.benchmarks.arts import is_at, played, window
from tests.support.family.options import Options
from vision.desktop import desktop
from vision.skins import Skin
from vision.tracking.targets import survey_screen

pytestmark = pytest.mark.usefixtures("qapp")  # the boards are drawn with fonts


@pytest.mark.long
def test_boards_of_unknown_tile_sets_are_found(
    display: PrivateScreen, skins: tuple[Skin, ...]
) -> None:
    """Below a button as large as a cell's face, and in a sunken frame."""
    assert display.region.width > 0
    with desktop().open_screen() as screen, window("qt") as show:
        for text, moment in (
            ("qt art=roman cell=32 first=zero", "covered"),
            ("qt art=large cell=20 dark=True first=zero", "covered"),
            ("qt art=classic cell=16 first=zero", "opened"),
            ("qt art=classic cell=20 first=zero", "half"),
        ):
            play = played(Options.parse(text), moment)
            show(play)
            (target,), _ = survey_screen(screen, skins)
            assert is_at(target.grid, play), (text, target)
