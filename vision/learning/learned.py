"""A skin made of what was learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.skins import Skin, SkinFile, make_skin

_PICTURES: Final = 16
"""Pictures of one state that a skin keeps."""


def learned_skin(
    name: str,
    tile: tuple[int, int],
    pictures: Mapping[int, Sequence[NDArray[np.uint8]]],
    *,
    title: str,
    window_class: str | None,
    program: str,
    hold: float,
) -> Skin:
    """Describe a skin of which nothing is known but its pictures and its window.

    Args:
        name: Of the skin.
        tile: Width and height of its pictures.
        pictures: State -> pictures, the first ones met first.
        title: What the window's title contains.
        window_class: Its class.
        program: What drew the pictures.
        hold: Seconds that a press must last to count.
    """
    file = SkinFile(
        name=name,
        title=title,
        window_class=window_class,
        program=program,
        version="unknown",
        author="unknown",
        licence="LicenseRef-unknown",
        source="learned from the running program",
        tile=tile,
        scalable=True,
        hold=hold,
    )
    return make_skin(file, {code: list(looks[:_PICTURES]) for code, looks in pictures.items()})
