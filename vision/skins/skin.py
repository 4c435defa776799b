"""What a skin is: how a program's tiles look, and how its games begin and end.

The pictures are those captured from the program, and nothing is ever drawn from them. A
program that draws a cell's content at another share of the cell at every size has no one
set of pictures: its skin holds one set for each of several sizes (`Skin.drawn_at`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Annotated, Final, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr

from bot.frame import Grid, Region
from vision.plaintext import one_line

_ANCHORS: Final = {
    "top-left": (0.0, 0.0),
    "top": (0.5, 0.0),
    "top-right": (1.0, 0.0),
    "left": (0.0, 0.5),
    "right": (1.0, 0.5),
    "bottom-left": (0.0, 1.0),
    "bottom": (0.5, 1.0),
    "bottom-right": (1.0, 1.0),
}

Anchor = Literal[
    "top-left", "top", "top-right", "left", "right", "bottom-left", "bottom", "bottom-right"
]
Pictures = Mapping[int, tuple[NDArray[np.uint8], ...]]


def _as_tuple(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


_Line = Annotated[str, AfterValidator(one_line)]
_Pixels = Annotated[int, Field(ge=4, le=256)]
_Count = Annotated[int, Field(ge=1, le=10_000)]
_Seconds = Annotated[float, Field(ge=0.0, le=60.0)]
_Offset = Annotated[float, Field(ge=-100.0, le=100.0)]
_Extent = Annotated[float, Field(gt=0.0, le=100.0)]
_Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$")]
_Key = Annotated[str, Field(pattern=r"^((ctrl|alt|shift)\+)*([A-Za-z0-9]{1,16}|[!-~])$")]
"""As pyautogui calls it; with keys that are held meanwhile: `ctrl+n`."""

Flood = Literal["orthogonal", "none"]
"""What an empty cell opens if not all its neighbours: the four beside it, or nothing."""
Convention = Literal["restart", "chord", "hold", "stay", "counter", "flood"]
"""What is found out of a program while it is played, by its name in `SkinFile`."""

LEARNED: Final = "learned"
"""The `program` of a skin that was learned, not captured: see `vision.learning.learner`."""


class _Model(BaseModel):
    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, arbitrary_types_allowed=True
    )


class Face(_Model):
    """The button that starts the next game, relative to the board, in tile pitches."""

    anchor: Anchor
    """A corner or the middle of an edge of the board's outer rectangle."""
    x: _Offset
    """The button's centre, to the right of the anchor."""
    y: _Offset
    """The button's centre, below the anchor."""
    width: _Extent
    height: _Extent

    def region(self, grid: Grid) -> Region:
        """Where it is for a board at `grid`, in points."""
        across, down = _ANCHORS[self.anchor]
        center_x = grid.left + (across * grid.cols + self.x) * grid.pitch_x
        center_y = grid.top + (down * grid.rows + self.y) * grid.pitch_y
        width, height = self.width * grid.pitch_x, self.height * grid.pitch_y
        left, top = round(center_x - width / 2), round(center_y - height / 2)
        return Region(left, top, max(round(width), 1), max(round(height), 1))


class Restart(_Model):
    """How the next game is started: by a key, by a button, by either; or it is not known."""

    key: _Key | None = None
    face: Face | None = None
    confirm: Annotated[tuple[_Key, ...], BeforeValidator(_as_tuple)] = ()
    """Keys that confirm a restart in mid-game, where the program asks."""


class Dialog(_Model):
    """A window that the program opens by itself, and the key that closes it."""

    title: _Line
    key: _Key


class SkinFile(_Model):
    """What `skin.toml` says."""

    name: _Name
    title: _Line = ""
    """What the window's title contains."""
    window_class: _Line | None = None
    program: _Line
    version: _Line
    author: _Line
    licence: _Line
    """SPDX identifier of the art's licence."""
    source: _Line
    """Where the pictures were captured."""
    tile: Annotated[tuple[_Pixels, _Pixels], BeforeValidator(_as_tuple)]
    """Width and height of the pictures, in pixels."""
    sizes: Annotated[tuple[_Pixels, ...], BeforeValidator(_as_tuple), Field(max_length=32)] = ()
    """Pixels a tile of further sets of pictures, each in a folder of that name: see `drawn_at`."""
    hold: _Seconds = 0.0
    """Seconds that a press must last to count."""
    stay: _Seconds = 0.0
    """Seconds for which the pointer must stay after a release, for the cell to be found there."""
    animation: _Seconds = 0.0
    """Longest time, in seconds, that the board goes on changing after a click."""
    flags_to_win: bool = False
    """Whether a game counts as won only when every mine carries a flag."""
    chord: Literal["left", "middle", "double", "both", "none"] | None = None
    """How the program is chorded: see `bot.mouse`. 'none' if it is known that it is not; None
    if unknown."""
    first_click: Literal["safe", "zero", "none"] | None = None
    """What the program promises of the first cell opened; None if unknown."""
    counter: Literal["left", "right"] | None = None
    """Which of two plain numbers beside each other counts the mines, the other being the clock;
    None if their form shows it, or if unknown."""
    flood: Flood | None = None
    """Which neighbours a zero opens; None for all, as in most programs."""
    levels: Mapping[_Line, Annotated[tuple[_Count, _Count, _Count], BeforeValidator(_as_tuple)]] = (
        Field(default_factory=dict)
    )
    """Rows, columns and mines of the program's own levels."""
    restart: Restart = Restart()
    dialog: Annotated[tuple[Dialog, ...], BeforeValidator(_as_tuple)] = ()
    keys_allowed: bool = False
    """In a skin of the user's: whether they allowed its keys for the program of `window_class`.
    Without, no key is sent; bundled skins need none."""
    confirmed: Mapping[Convention, Annotated[int, Field(ge=0)]] = Field(default_factory=dict)
    """In a learned skin: how often what was found out of the program was confirmed."""


class Skin(SkinFile):
    """A skin with its pictures; compared by identity."""

    pictures: Pictures = Field(repr=False)
    """Tile code -> its pictures, each (height, width, 3) uint8 BGR, read-only."""
    sets: tuple[Skin, ...] = Field(default=(), repr=False)
    """The same skin with the pictures captured at each of `sizes`."""
    _family: tuple[Skin, ...] = PrivateAttr(default=())

    @property
    def family(self) -> tuple[Skin, ...]:
        """All sets of pictures of one skin, this one among them."""
        return self._family if self in self._family else (self, *self.sets)

    def join(self, family: tuple[Skin, ...]) -> None:
        """Check, once it is made, that the sets of pictures belong together."""
        self._family = family

    def drawn_at(self, pitch: float) -> Skin:
        """Return the skin with the set of pictures captured nearest to a pitch in pixels."""
        return min(self.family, key=lambda one: abs(math.log(one.tile[0] / pitch)))

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @property
    def learned(self) -> bool:
        """Whether this program learned it: what it lacks may be learned still."""
        return self.program == LEARNED

    def mines_of(self, rows: int, cols: int) -> int | None:
        """Return the mines of the level of that size; None if the program has no such level."""
        found = {level[2] for level in self.levels.values() if level[:2] == (rows, cols)}
        return found.pop() if len(found) == 1 else None


def make_skin(
    file: SkinFile,
    pictures: Mapping[int, Iterable[NDArray[np.uint8]]],
    sets: Mapping[int, Mapping[int, Iterable[NDArray[np.uint8]]]] | None = None,
) -> Skin:
    """Return a skin from its description and its pictures, which become read-only copies.

    Args:
        file: Its description; its `sizes` are those of `sets`.
        pictures: Tile code -> pictures of the size `file.tile`.
        sets: Pixels a tile -> tile code -> pictures of that size.
    """
    others = sets or {}
    fields = {name: getattr(file, name) for name in SkinFile.model_fields}
    fields |= {"sizes": tuple(sorted(others))}
    drawn = tuple(
        Skin(**fields | {"tile": (size, size), "sizes": ()}, pictures=_held(others[size]))
        for size in fields["sizes"]
    )
    skin = Skin(**fields, pictures=_held(pictures), sets=drawn)
    for one in (skin, *drawn):
        one.join((skin, *drawn))
    return skin


def _held(pictures: Mapping[int, Iterable[NDArray[np.uint8]]]) -> Pictures:
    return MappingProxyType(
        {code: tuple(map(_read_only, looks)) for code, looks in sorted(pictures.items())}
    )


def _read_only(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    copy = np.array(picture, np.uint8, order="C")
    copy.flags.writeable = False
    return copy
