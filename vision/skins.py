"""Skins: what the tiles of a program look like, as pictures captured from it.

A skin is a folder with a `skin.toml` and one PNG a tile state. Ours lie in `templates`
beside this package; the user's own in the data folder. Both are read with the same
strictness: whatever is missing, unknown or of the wrong size is a `SkinError` that names
the file, because a skin read half would be a board read wrongly.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

import cv2
import numpy as np
import platformdirs
import tomli_w
from numpy.typing import NDArray
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION
from bot.frame import Grid, Region
from vision.capture import ImageError, decode, read_bytes
from vision.files import write_whole

BUNDLED: Final = Path(__file__).resolve().parent.parent / "templates"
"""Found from this file, so that a folder `templates` of the user's never wins over it."""
SKIN_FILE: Final = "skin.toml"
STATES: Final = {str(hint): hint for hint in range(9)} | {
    "covered": COVERED,
    "flag": FLAG,
    "question": QUESTION,
    "mine": MINE,
    "exploded": EXPLODED,
    "misflag": MISFLAG,
}
"""A picture file's stem (before an `@`) -> tile code."""
REQUIRED: Final = ("covered", "0", "1", "2")
"""A skin without these reads no game; rarer states may never have been met."""

_MAX_TEXT: Final = 1 << 16
_MAX_PICTURES: Final = 256
_PICTURE_NAME: Final = re.compile(r"(?P<state>[a-z0-9]+)(@[a-z0-9-]+)?")
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


class SkinError(ValueError):
    """A skin cannot be used; the message names the file and the reason."""


def _as_tuple(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


_Pixels = Annotated[int, Field(ge=4, le=256)]
_Count = Annotated[int, Field(ge=1, le=10_000)]
_Seconds = Annotated[float, Field(ge=0.0, le=60.0)]
_Offset = Annotated[float, Field(ge=-100.0, le=100.0)]
_Extent = Annotated[float, Field(gt=0.0, le=100.0)]
_Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$")]


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
    """How the next game is started: by a key, by a button, by either; or nobody knows."""

    key: str | None = None
    face: Face | None = None
    confirm: Annotated[tuple[str, ...], BeforeValidator(_as_tuple)] = ()
    """Keys that confirm a restart in mid-game, where the program asks."""


class Dialog(_Model):
    """A window that the program opens by itself, and the key that closes it."""

    title: str
    key: str


class SkinFile(_Model):
    """What `skin.toml` says."""

    name: _Name
    title: str = ""
    """What the window's title contains."""
    window_class: str | None = None
    program: str
    version: str
    author: str
    licence: str
    """SPDX identifier of the art's licence."""
    source: str
    """Where the pictures were captured."""
    tile: Annotated[tuple[_Pixels, _Pixels], BeforeValidator(_as_tuple)]
    """Width and height of the pictures, in pixels."""
    scalable: bool = False
    """Whether the program draws its board at other sizes."""
    hold: _Seconds = 0.0
    """Seconds that a press must last to count."""
    animation: _Seconds = 0.0
    """Longest time, in seconds, that the board goes on changing after a click."""
    flags_to_win: bool = False
    """Whether a game counts as won only when every mine carries a flag."""
    levels: Mapping[str, Annotated[tuple[_Count, _Count, _Count], BeforeValidator(_as_tuple)]] = (
        Field(default_factory=dict)
    )
    """Rows, columns and mines of the program's own levels."""
    restart: Restart = Restart()
    dialog: Annotated[tuple[Dialog, ...], BeforeValidator(_as_tuple)] = ()


class Skin(SkinFile):
    """A skin with its pictures; compared by identity."""

    pictures: Pictures = Field(repr=False)
    """Tile code -> its pictures, each (height, width, 3) uint8 BGR, read-only."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def mines_of(self, rows: int, cols: int) -> int | None:
        """The mines of the level of that size; None where the program has no such level."""
        found = {level[2] for level in self.levels.values() if level[:2] == (rows, cols)}
        return found.pop() if len(found) == 1 else None


def load_skins(*extra_folders: Path | str) -> tuple[Skin, ...]:
    """Every skin there is: bundled, the user's, and those in `extra_folders`.

    Args:
        extra_folders: Folders that hold skin folders, as `templates` does.

    Returns:
        By name; where two have the same name, the later source wins.

    Raises:
        SkinError: One of them cannot be used.
    """
    sources = [BUNDLED, user_folder(), *map(Path, extra_folders)]
    found: dict[str, Skin] = {}
    for source in sources:
        for folder in _skin_folders(source):
            skin = load_skin(folder)
            found[skin.name] = skin
    return tuple(found[name] for name in sorted(found))


def user_folder() -> Path:
    """Where skins that the user taught or imported are kept: in the program's data folder."""
    home = os.environ.get("MINESWEEPER_BOT_HOME")
    data = Path(home) if home else platformdirs.user_data_path("minesweeper-bot", appauthor=False)
    return data / "skins"


def load_skin(folder: Path | str) -> Skin:
    """Read one skin folder.

    Raises:
        SkinError: See the module's docstring.
    """
    folder = Path(folder)
    file = _load_file(folder / SKIN_FILE)
    pictures: dict[int, list[NDArray[np.uint8]]] = {}
    paths = sorted(folder.glob("*.png"))
    if len(paths) > _MAX_PICTURES:
        raise SkinError(f"{folder} holds {len(paths)} pictures: at most {_MAX_PICTURES} are read")
    for path in paths:
        pictures.setdefault(_code_of(path), []).append(_load_picture(path, file.tile))
    for state in REQUIRED:
        if STATES[state] not in pictures:
            raise SkinError(f"{folder / state}.png is missing: a skin needs {', '.join(REQUIRED)}")
    _refuse_twins(folder, pictures)
    return make_skin(file, pictures)


def make_skin(file: SkinFile, pictures: Mapping[int, Iterable[NDArray[np.uint8]]]) -> Skin:
    """A skin from its description and its pictures, which become read-only copies."""
    held = {code: tuple(map(_read_only, looks)) for code, looks in sorted(pictures.items())}
    fields = {name: getattr(file, name) for name in SkinFile.model_fields}
    return Skin(**fields, pictures=MappingProxyType(held))


def save_skin(skin: Skin, folder: Path | str) -> None:
    """Write a skin folder; the first picture of a state is `<state>.png`, others `@2`...

    Raises:
        SkinError: The folder cannot be written.
    """
    folder = Path(folder)
    names = {code: state for state, code in STATES.items()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for code, looks in skin.pictures.items():
            for number, picture in enumerate(looks, start=1):
                suffix = "" if number == 1 else f"@{number}"
                write_whole(folder / f"{names[code]}{suffix}.png", _png(picture))
        text = tomli_w.dumps(_described(skin))
        write_whole(folder / SKIN_FILE, text.encode())
    except OSError as error:
        raise SkinError(f"{folder} cannot be written: {error.strerror or error}") from error


def _skin_folders(source: Path) -> list[Path]:
    if not source.is_dir():
        return []
    return sorted(child for child in source.iterdir() if (child / SKIN_FILE).is_file())


def _load_file(path: Path) -> SkinFile:
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_TEXT + 1)
    except OSError as error:
        raise SkinError(f"{path} cannot be read: {error.strerror or error}") from error
    if len(data) > _MAX_TEXT:
        raise SkinError(f"{path} is larger than {_MAX_TEXT >> 10} kB: that is no skin.toml")
    try:
        return SkinFile.model_validate(tomllib.loads(data.decode()))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SkinError(f"{path} is not TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise SkinError(f"{path}: {where}: {first['msg']}") from error


def _code_of(path: Path) -> int:
    name = _PICTURE_NAME.fullmatch(path.stem)
    if name is None or name["state"] not in STATES:
        known = ", ".join(STATES)
        raise SkinError(f"{path} is not the picture of a tile state: they are called {known}")
    return STATES[name["state"]]


def _load_picture(path: Path, tile: tuple[int, int]) -> NDArray[np.uint8]:
    try:
        picture = decode(read_bytes(path), str(path), smallest=1)
    except ImageError as error:
        raise SkinError(str(error)) from error
    height, width = picture.shape[:2]
    if (width, height) != tile:
        raise SkinError(
            f"{path} is {width} x {height} pixels, but {SKIN_FILE} says tile = "
            f"[{tile[0]}, {tile[1]}]"
        )
    return picture


def _refuse_twins(folder: Path, pictures: Mapping[int, list[NDArray[np.uint8]]]) -> None:
    """Two states that look the same could never be told apart."""
    names = {code: state for state, code in STATES.items()}
    owner: dict[bytes, int] = {}
    for code, looks in pictures.items():
        for picture in looks:
            other = owner.setdefault(picture.tobytes(), code)
            if other != code:
                raise SkinError(
                    f"{folder}: {names[other]} and {names[code]} have the same picture, so they "
                    "could not be told apart"
                )


def _read_only(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    copy = np.array(picture, np.uint8, order="C")
    copy.flags.writeable = False
    return copy


def _described(skin: Skin) -> dict[str, Any]:
    described: dict[str, Any] = skin.model_dump(exclude={"pictures"}, exclude_none=True)
    return described


def _png(picture: NDArray[np.uint8]) -> bytes:
    done, data = cv2.imencode(".png", picture)
    if not done:
        raise SkinError("a picture of the skin cannot be written as PNG")
    return data.tobytes()
