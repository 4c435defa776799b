"""A skin made of what was learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.skin import LEARNED, Skin, SkinFile, make_skin

_PICTURES: Final = 16
"""Pictures of one state that a skin keeps."""


def learned_skin(
    name: str,
    tile: tuple[int, int],
    pictures: Mapping[int, Sequence[NDArray[np.uint8]]],
    levels: Mapping[str, tuple[int, int, int]] | None = None,
) -> Skin:
    """Make a skin of which little is known but its pictures.

    Args:
        name: Of the skin.
        tile: Width and height of its pictures.
        pictures: State -> pictures, the first ones met first.
        levels: Rows, columns and mines of its levels, by name, if they are known.
    """
    file = SkinFile(
        name=name,
        program=LEARNED,
        version="unknown",
        author="unknown",
        licence="LicenseRef-unknown",
        source="learned from the boards of the game itself",
        tile=tile,
        levels=dict(levels or {}),
    )
    return make_skin(file, {code: list(looks[:_PICTURES]) for code, looks in pictures.items()})
