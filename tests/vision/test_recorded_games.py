"""Recorded games of real programs: every frame is read again, without a screen."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from bot.frame import Frame, Status
from tests.support.boards import SESSIONS, recordings
from tests.support.readings import read_image, recorded_boards
from vision.sessions import load_session
from vision.sessions.audit import Audit
from vision.skins import BUNDLED, STATE_NAMES, Skin, SkinLibrary, bundled_names

FOLDERS = sorted(path.parent for path in SESSIONS.glob("*/session.json"))

NOT_MET = {
    "kmines-green": {"8"},
    "kmines-graveyard": {"4", "5", "6", "7", "8"},
}
"""States that no session of a skin shows so far: lost boards with them are not found anew."""


@pytest.fixture(scope="module")
def skins() -> tuple[Skin, ...]:
    """The bundled ones, loaded once: what is prepared for a skin is kept by its identity."""
    return tuple(skin for skin in SkinLibrary().skins() if (BUNDLED / skin.name).is_dir())


def test_every_state_of_every_skin_occurs(skins: tuple[Skin, ...]) -> None:
    """The corpus below shows each tile that a program draws, but for what is listed."""
    shown = defaultdict[str, set[int]](set)
    for folder in FOLDERS:
        session = load_session(folder)
        for board in recorded_boards(session):
            shown[session.info.skin].update(np.unique(board.tiles).tolist())
    missing = {
        skin.name: {STATE_NAMES[code] for code in skin.pictures.keys() - shown[skin.name]}
        for skin in skins
    }
    for name, states in missing.items():
        assert states == NOT_MET.get(name, set()), (
            f"{name}: no recording in tests/sessions shows these; templates/README.md says how to "
            "make one"
        )


def test_there_are_wins_and_losses_of_every_skin() -> None:
    """Both ends are read: what each program shows at a win differs from a loss."""
    ends = {
        (session.info.skin, session.records[-1].status) for session in map(load_session, FOLDERS)
    }
    needed = {(name, end) for name in bundled_names() for end in (Status.WON, Status.LOST)}
    assert needed - ends == set(), "no recording in tests/sessions ends so"


@pytest.mark.long
@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.slow)], ids=["sixth", "all"])
@pytest.mark.parametrize("folder", recordings(), ids=lambda folder: folder.name)
def test_every_frame_is_read_as_it_was(folder: Path, step: int, skins: tuple[Skin, ...]) -> None:
    """Found anew in each picture, without knowing its place or its skin."""
    session = load_session(folder)
    for turn in [*session.turns()][::-step]:
        picture = Frame.of_image(turn.reading.frame.image)
        ((reading, skin),) = read_image(picture, skins, turn.reading.board.mines)
        assert skin.name == session.info.skin
        assert str(reading.board) == str(turn.reading.board), f"turn {turn.number}"
        assert reading.status is turn.reading.status


@pytest.mark.long
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_recording_agrees_with_the_mines_at_its_end(folder: Path) -> None:
    """What the end revealed contradicts no hint, no proof and no click."""
    audit = Audit()
    audit.add(folder.name, load_session(folder).turns())
    assert audit.findings == []
    assert audit.won + audit.lost == 1
