"""A skin: pictures of a program's tiles, conventions of its games, and its file `skin.toml`.

The pictures are captured from the program, and never used for drawing. If the content of a
program's cells fills another share of the cell at every size, its skin holds one set of pictures
for each of several sizes (`Skin.drawn_at`).
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

import numpy as np
import tomli_w
from numpy.typing import NDArray
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationError,
)

from bot.frame import Grid, Region
from bot.game import FirstClick
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
"""A key by pyautogui's name, with keys that are held meanwhile: `ctrl+n`."""

Flood = Literal["orthogonal", "none"]
"""Cells that an empty cell opens if not all its neighbours: the four beside it, or none."""
Convention = Literal["restart", "chord", "hold", "stay", "rest", "counter", "flood", "flags_to_win"]
"""Findings about a program while it is played, by their names in `SkinFile`."""

UNSEEN: Final = "unseen"
"""The name of a skin that has none yet."""
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
        """Return the button's region for a board at `grid`, in points."""
        across, down = _ANCHORS[self.anchor]
        center_x = grid.left + (across * grid.cols + self.x) * grid.pitch_x
        center_y = grid.top + (down * grid.rows + self.y) * grid.pitch_y
        width, height = self.width * grid.pitch_x, self.height * grid.pitch_y
        left, top = round(center_x - width / 2), round(center_y - height / 2)
        return Region(left, top, max(round(width), 1), max(round(height), 1))


class Restart(_Model):
    """The way to start the next game: by a key, by a button, by either; or unknown."""

    key: _Key | None = None
    face: Face | None = None
    menu: bool = False
    """Whether the button opens a menu, whose entry starts the game."""
    confirm: Annotated[tuple[_Key, ...], BeforeValidator(_as_tuple)] = ()
    """Keys that confirm a restart in mid-game, if the program asks."""


class Dialog(_Model):
    """A window that the program opens by itself, and the key that closes it."""

    title: _Line
    key: _Key


class SkinFile(_Model):
    """The content of `skin.toml`."""

    name: _Name
    title: _Line = ""
    """A part of the window's title."""
    window_class: _Line | None = None
    """The program's identity: `Window.program` of its windows."""
    windows_program: _Line | None = None
    """The same on Windows, if it differs: class and file, such as `WineMine@winemine.exe`."""
    program: _Line
    version: _Line
    author: _Line
    licence: _Line
    """SPDX identifier of the art's licence."""
    source: _Line
    """The place where the pictures were captured."""
    tile: Annotated[tuple[_Pixels, _Pixels], BeforeValidator(_as_tuple)]
    """Width and height of the pictures, in pixels."""
    sizes: Annotated[tuple[_Pixels, ...], BeforeValidator(_as_tuple), Field(max_length=32)] = ()
    """Tile sizes in pixels of further sets of pictures, each in a folder of that name: see
    `drawn_at`."""
    hold: _Seconds = 0.0
    """Seconds that a press must last to be recognised."""
    stay: _Seconds = 0.0
    """Seconds for which the pointer must stay after a release, for the program to find the cell."""
    rest: _Seconds = 0.0
    """Seconds for which the pointer must rest on the cell before a press, for the same."""
    animation: _Seconds = 0.0
    """Longest time, in seconds, that the board keeps changing after a click."""
    fades: bool = False
    """Whether a cell that opens fades in, from its covered look."""
    flags_to_win: bool = False
    """Whether a game counts as won only when every mine carries a flag."""
    chord: Literal["left", "middle", "double", "both", "none"] | None = None
    """The gesture of a chord: see `bot.mouse`. 'none' if there is none; None if unknown."""
    first_click: Annotated[FirstClick | None, Field(strict=False)] = None
    """The program's guarantee for the first cell opened; None if unknown."""
    counter: Literal["left", "right"] | None = None
    """The mine counter among two plain numbers, the other being the clock; None if their form shows
    it, or if unknown."""
    flood: Flood | None = None
    """The neighbours that a zero opens; None for all, as in most programs."""
    levels: Mapping[_Line, Annotated[tuple[_Count, _Count, _Count], BeforeValidator(_as_tuple)]] = (
        Field(default_factory=dict)
    )
    """Rows, columns and mines of the program's own levels."""
    restart: Restart = Restart()
    dialog: Annotated[tuple[Dialog, ...], BeforeValidator(_as_tuple)] = ()
    keys_allowed: bool = False
    """In a user's skin: whether the user allowed its keys for the program of `window_class`.
    Without, no key is sent; bundled skins need none."""
    confirmed: Mapping[Convention, Annotated[int, Field(ge=0)]] = Field(default_factory=dict)
    """In a learned skin: number of confirmations of each finding about the program."""


class Skin(SkinFile):
    """A skin with its pictures; compared by identity."""

    pictures: Pictures = Field(repr=False)
    """Tile code -> its pictures, each (height, width, 3) uint8 BGR, read-only."""
    sets: tuple[Skin, ...] = Field(default=(), repr=False)
    """The same skin with the pictures captured at each of `sizes`."""
    _family: tuple[Skin, ...] = PrivateAttr(default=())

    @property
    def family(self) -> tuple[Skin, ...]:
        """All sets of pictures of one skin, including this one."""
        return self._family if self in self._family else (self, *self.sets)

    def join(self, family: tuple[Skin, ...]) -> None:
        """Validate that the sets of pictures belong together."""
        self._family = family

    def drawn_at(self, pitch: float) -> Skin:
        """Return the skin with the set of pictures captured nearest to a pitch in pixels."""
        return min(self.family, key=lambda one: abs(math.log(one.tile[0] / pitch)))

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @property
    def label(self) -> str:
        """The skin in a sentence for the user."""
        return "an unknown skin" if self.name == UNSEEN else f"skin '{self.name}'"

    @property
    def learned(self) -> bool:
        """Whether this program learned it: missing states may still be learned."""
        return self.program == LEARNED

    def mines_of(self, rows: int, cols: int) -> int | None:
        """Return the mines of the level of that size; None if the program has no such level."""
        found = {level[2] for level in self.levels.values() if level[:2] == (rows, cols)}
        return found.pop() if len(found) == 1 else None


def learned_level(rows: int, cols: int) -> str:
    """Return the name of a learned level; a learned skin copies other ones from a similar skin."""
    return f"{cols}x{rows}"


def make_skin(
    file: SkinFile,
    pictures: Mapping[int, Iterable[NDArray[np.uint8]]],
    sets: Mapping[int, Mapping[int, Iterable[NDArray[np.uint8]]]] | None = None,
) -> Skin:
    """Return a skin from its description and copies of its pictures by tile code.

    `sets` are further pictures by their size, one for each of `file.sizes`.
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


SKIN_FILE: Final = "skin.toml"
NAME_RULE: Final = (
    "1 to 64 lower-case letters, digits, '.', '_' or '-', the first one a letter or a digit"
)
"""The rule for names of skins, in words."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_DEVICE: Final = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
"""Names that Windows keeps for devices, in any folder."""
_MAX_TEXT: Final = 1 << 16
_NAMED_KEYS: Final = frozenset(
    {
        *("alt", "backspace", "ctrl", "del", "delete", "down", "end", "enter", "esc", "escape"),
        *("help", "home", "insert", "left", "pagedown", "pageup", "pause", "pgdn", "pgup"),
        *("return", "right", "shift", "space", "tab", "up"),
        *(f"f{number}" for number in range(1, 25)),
    }
)
"""Keys with a name, as pyautogui calls them: it ignores every other word without an error."""
_HELD_KEYS: Final = frozenset({"ctrl", "alt", "shift"})
_KEY_RULE: Final = (
    "write a character, f1 to f24, or the name of a key such as enter, esc, space or ctrl+n"
)
_IDLE_KEYS: Final = ("scalable",)
"""Keys without an effect, contained in skins that an earlier version learned."""
_SAID: Final = {
    "extra_forbidden": "is no key that a skin has",
    "missing": "is missing",
}
_WANTED: Final = {
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
    "string_type": "a text",
    "too_long": "{max_length} values",
    "too_short": "{min_length} values",
    "greater_than": "more than {gt}",
    "greater_than_equal": "{ge} or more",
    "less_than_equal": "{le} or less",
}
"""Expected values by pydantic's error types; other types have pydantic's own text."""


class SkinError(ValueError):
    """A skin cannot be used; the message names the file and the reason."""


def is_reserved(name: str) -> bool:
    """Return whether Windows can have no folder of a name, which another system may have."""
    return _DEVICE.fullmatch(name) is not None or name.endswith(".")


def check_name(name: str) -> None:
    """Check that a skin can have this name.

    Raises:
        SkinError: The name is not allowed.
    """
    if _NAME.fullmatch(name) is None:
        raise SkinError(f"'{name}' cannot be a skin's name: use {NAME_RULE}")
    if is_reserved(name):
        raise SkinError(f"'{name}' cannot be a skin's name: Windows has no such folder")


def check_key(text: str) -> str:
    """Return the name of a key, or of keys that are held together, as used in a skin.

    Args:
        text: The user's notation: `F2`, `n`, `Ctrl+N`.

    Raises:
        ValueError: There is no such key.
    """
    name = text.strip().lower()
    *held, last = name.split("+") if len(name) > 1 else [name]
    single = len(last) == 1 and last.isascii() and last.isprintable() and last != " "
    if not (single or last in _NAMED_KEYS) or not {*held} <= _HELD_KEYS:
        raise ValueError(f"there is no key '{text.strip()[:32]}': {_KEY_RULE}")
    return name


def load_text(path: Path) -> SkinFile:
    """Read one description.

    Raises:
        SkinError: It is no regular file, no TOML, or has an invalid value.
    """
    try:
        # Opening a pipe would wait for ever.
        if path.exists() and not path.is_file():
            raise SkinError(f"{path} is not a file")
        with path.open("rb") as file:
            data = file.read(_MAX_TEXT + 1)
    except OSError as error:
        raise SkinError(f"{path} cannot be read: {error.strerror or error}") from error
    if len(data) > _MAX_TEXT:
        raise SkinError(f"{path} is larger than {_MAX_TEXT >> 10} kB: that is no skin.toml")
    try:
        # Editors of Windows begin a file with a byte order mark.
        says = tomllib.loads(data.decode("utf-8-sig"))
        file_says = SkinFile.model_validate(
            {key: value for key, value in says.items() if key not in _IDLE_KEYS}
        )
    except ValidationError as error:
        raise SkinError(f"{path}: {_error_text(error)}") from error
    except (ValueError, RecursionError) as error:
        # TOML accepts a number of ten thousand digits.
        raise SkinError(f"{path} is not TOML: {error}") from error
    _refuse_levels(path, file_says)
    _refuse_keys(path, file_says)
    return file_says


def text_of(file: SkinFile) -> bytes:
    """Return the description in the form that `load_text` reads."""
    fields: dict[str, Any] = file.model_dump(include=set(SkinFile.model_fields), exclude_none=True)
    return tomli_w.dumps(fields).encode()


def _error_text(error: ValidationError) -> str:
    """Return the first error: its position, the value found, and the expected one."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"]) or "the file"
    kind, found = first["type"], first["input"]
    if kind in _SAID:
        return f"'{where}' {_SAID[kind]}"
    if kind == "string_pattern_mismatch":
        if where == "name":
            return f"name: '{found}' cannot be a skin's name: use {NAME_RULE}"
        return f"{where}: there is no key '{found}': {_KEY_RULE}"
    if kind in _WANTED:
        wanted = f"it should be {_WANTED[kind].format(**first.get('ctx', {}))}"
    else:
        wanted = first["msg"].replace("Input should", "it should")
    return f"{where}: {wanted}, and is {found!r}"


def _refuse_levels(path: Path, file: SkinFile) -> None:
    for name, (rows, cols, mines) in file.levels.items():
        if mines >= rows * cols:
            raise SkinError(
                f"{path}: levels.{name}: {mines} mines do not fit on {rows} rows and {cols} columns"
            )


def _refuse_keys(path: Path, file: SkinFile) -> None:
    """Raise an error for unknown keys when the skin is read, not during a game."""
    restart = file.restart
    named = [("restart.key", restart.key)] if restart.key is not None else []
    named += [("restart.confirm", key) for key in restart.confirm]
    named += [("dialog.key", dialog.key) for dialog in file.dialog]
    for where, combination in named:
        keys = combination.split("+") if len(combination) > 1 else [combination]
        for key in keys:
            if len(key) > 1 and key.lower() not in _NAMED_KEYS:
                raise SkinError(f"{path}: {where}: there is no key '{key}': {_KEY_RULE}")
