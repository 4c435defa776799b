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
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import platformdirs
import tomli_w
from numpy.typing import NDArray
from pydantic import ValidationError

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION
from vision.capture import ImageError, decode, read_bytes
from vision.files import write_whole
from vision.skin import Dialog, Face, Pictures, Restart, Skin, SkinFile, make_skin

__all__ = [
    "BUNDLED",
    "REQUIRED",
    "SKIN_FILE",
    "STATES",
    "Dialog",
    "Face",
    "Restart",
    "Skin",
    "SkinError",
    "SkinFile",
    "load_skin",
    "load_skins",
    "make_skin",
    "save_skin",
    "user_folder",
]

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
_NAMES: Final = {code: state for state, code in STATES.items()}
REQUIRED: Final = ("covered", "0", "1", "2")
"""A skin without these reads no game; rarer states may never have been met."""

_MAX_TEXT: Final = 1 << 16
_MAX_PICTURES: Final = 256
_PICTURE_NAME: Final = re.compile(r"(?P<state>[a-z0-9]+)(@[a-z0-9-]+)?")


class SkinError(ValueError):
    """A skin cannot be used; the message names the file and the reason."""


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
    pictures = _load_pictures(folder, file.tile)
    _refuse_missing(folder, pictures, REQUIRED)
    sets = {size: _load_pictures(folder / str(size), (size, size)) for size in file.sizes}
    for size, looks in sets.items():
        _refuse_missing(folder / str(size), looks, [_NAMES[code] for code in pictures])
    return make_skin(file, pictures, sets)


def save_skin(skin: Skin, folder: Path | str) -> None:
    """Write a skin folder; the first picture of a state is `<state>.png`, others `@2`...

    Raises:
        SkinError: The folder cannot be written.
    """
    folder = Path(folder)
    try:
        _save_pictures(skin.pictures, folder)
        for one in skin.sets:
            _save_pictures(one.pictures, folder / str(one.tile[0]))
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
        return SkinFile.model_validate(tomllib.loads(data.decode()))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SkinError(f"{path} is not TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise SkinError(f"{path}: {where}: {first['msg']}") from error


def _load_pictures(folder: Path, tile: tuple[int, int]) -> dict[int, list[NDArray[np.uint8]]]:
    paths = sorted(folder.glob("*.png"))
    if len(paths) > _MAX_PICTURES:
        raise SkinError(f"{folder} holds {len(paths)} pictures: at most {_MAX_PICTURES} are read")
    pictures: dict[int, list[NDArray[np.uint8]]] = {}
    for path in paths:
        pictures.setdefault(_code_of(path), []).append(_load_picture(path, tile))
    _refuse_twins(folder, pictures)
    return pictures


def _refuse_missing(folder: Path, pictures: Mapping[int, object], states: Sequence[str]) -> None:
    for state in states:
        if STATES[state] not in pictures:
            raise SkinError(f"{folder / state}.png is missing: needed are {', '.join(states)}")


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
            f"{path} is {width} x {height} pixels, but {SKIN_FILE} says {tile[0]} x {tile[1]}"
        )
    return picture


def _refuse_twins(folder: Path, pictures: Mapping[int, list[NDArray[np.uint8]]]) -> None:
    """Two states that look the same could never be told apart."""
    owner: dict[bytes, int] = {}
    for code, looks in pictures.items():
        for picture in looks:
            other = owner.setdefault(picture.tobytes(), code)
            if other != code:
                raise SkinError(
                    f"{folder}: {_NAMES[other]} and {_NAMES[code]} have the same picture, so they "
                    "could not be told apart"
                )


def _described(skin: Skin) -> dict[str, Any]:
    described: dict[str, Any] = skin.model_dump(exclude={"pictures", "sets"}, exclude_none=True)
    return described


def _save_pictures(pictures: Pictures, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for code, looks in pictures.items():
        for number, picture in enumerate(looks, start=1):
            suffix = "" if number == 1 else f"@{number}"
            write_whole(folder / f"{_NAMES[code]}{suffix}.png", _png(picture))


def _png(picture: NDArray[np.uint8]) -> bytes:
    done, data = cv2.imencode(".png", picture)
    if not done:
        raise SkinError("a picture of the skin cannot be written as PNG")
    return data.tobytes()
