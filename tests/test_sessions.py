"""Recorded games of real programs: every frame is read again, without a screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.frame import Frame
from tests.boards import SESSIONS
from vision.audit import Audit
from vision.reader import read_image
from vision.recording import load_session
from vision.skins import load_skins

FOLDERS = sorted(path.parent for path in SESSIONS.glob("*/session.json"))


def test_there_are_sessions_of_three_real_programs() -> None:
    """The corpus below is not empty, and holds wins and losses."""
    skins = {load_session(folder).info.skin for folder in FOLDERS}
    assert {"winemine", "sgt-mines", "xdemineur"} <= skins


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_frame_is_read_as_it_was(folder: Path) -> None:
    """Found anew in each picture, told neither where it is nor which skin it wears."""
    session = load_session(folder)
    skins = load_skins()
    for turn in session.turns():
        picture = Frame.of_image(turn.reading.frame.image)
        ((reading, skin),) = read_image(picture, skins, turn.reading.board.mines)
        assert skin.name == session.info.skin
        assert str(reading.board) == str(turn.reading.board), f"turn {turn.number}"
        assert reading.status is turn.reading.status


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_its_end_bears_it_out(folder: Path) -> None:
    """What the end revealed contradicts no hint, no proof and no click."""
    audit = Audit()
    audit.add(folder.name, load_session(folder).turns())
    assert audit.findings == []
    assert audit.won + audit.lost == 1
