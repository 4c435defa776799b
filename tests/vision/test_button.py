"""The button that begins the next game, found above boards without their skins."""

from __future__ import annotations

import pytest

from bot.frame import Reading
from tests.boards import SESSIONS
from vision.learning.button import button_above
from vision.recording import load_session
from vision.skins import Skin


def first(session: str) -> Reading:
    """What a recorded game begins with."""
    return next(load_session(SESSIONS / session).turns()).reading


@pytest.mark.parametrize(
    "session",
    ["winemine-expert-won", "xdemineur-beginner-won", "classic-beginner-won", "dark-beginner-won",
     "flat-beginner-won", "rounded-beginner-won"],
)  # fmt: skip
def test_a_face_is_found(session: str, skins: tuple[Skin, ...]) -> None:
    """Where the skin says that it is, to a third of a cell."""
    reading = first(session)
    (skin,) = (one for one in skins if one.name == session.split("-", maxsplit=1)[0])
    button = button_above(reading.frame, reading.grid)
    face = skin.restart.face
    assert button is not None
    assert face is not None
    found, known = button.region(reading.grid).center, face.region(reading.grid).center
    assert max(abs(found.x - known.x), abs(found.y - known.y)) < reading.grid.pitch_x / 3


@pytest.mark.parametrize(
    "session",
    ["sgt-mines-beginner-won", "xbomb-beginner-won", "gnome-mines-classic-beginner-won",
     "kmines-default-beginner-won"],
)  # fmt: skip
def test_where_there_is_none_none_is_found(session: str) -> None:
    """Programs whose games begin by a key or by a button elsewhere."""
    reading = first(session)
    assert button_above(reading.frame, reading.grid) is None
