"""Skins: pictures of a program's tiles, captured from it.

A skin is a folder with a `skin.toml` and one PNG per tile state. The bundled ones are in
`templates` beside this package, the user's own in the data folder. Both are checked equally: any
missing, unknown or wrongly sized file is a `SkinError` that names it, because an incomplete skin
would misread boards.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, OPENED, QUESTION
from vision.capture import ImageError, decode, read_bytes
from vision.files import (
    OLD,
    PART,
    clear_leftovers,
    data_folder,
    old_of,
    remove_folder,
    replace_folder,
    write_whole,
)
from vision.skins.skin import (
    LEARNED,
    SKIN_FILE,
    Dialog,
    Face,
    Pictures,
    Restart,
    Skin,
    SkinError,
    SkinFile,
    check_name,
    is_reserved,
    load_text,
    make_skin,
    text_of,
)

__all__ = [
    "BUNDLED",
    "LEARNED",
    "REQUIRED",
    "SKIN_FILE",
    "STATES",
    "STATE_NAMES",
    "Dialog",
    "Face",
    "Restart",
    "Skin",
    "SkinError",
    "SkinFile",
    "SkinLibrary",
    "bundled_names",
    "check_name",
    "forget_skin",
    "is_reserved",
    "load_skin",
    "make_skin",
    "name_in",
    "save_skin",
    "skin_folders",
    "user_folder",
]

BUNDLED: Final = Path(__file__).resolve().parents[2] / "templates"
"""The folder of bundled skins, relative to this file, so that a folder `templates` of the user has
no effect."""
STATES: Final = {str(hint): hint for hint in range(9)} | {
    "covered": COVERED,
    "flag": FLAG,
    "question": QUESTION,
    "mine": MINE,
    "exploded": EXPLODED,
    "misflag": MISFLAG,
    "opened": OPENED,
}
"""Tile codes by the stem of a picture file (before an `@`)."""
STATE_NAMES: Final = {code: state for state, code in STATES.items()}
REQUIRED: Final = ("covered", "0", "1", "2")
"""Least states of a usable skin; rarer states may never have been seen."""

_MAX_PICTURES: Final = 256
_PICTURE_NAME: Final = re.compile(r"(?P<state>[a-z0-9]+)(@[a-z0-9-]+)?")


class SkinLibrary:
    """The bundled and the user's skins; those that have changed on the disk are read again.

    Of two with the same name, the user's skin has priority.

    Attributes:
        broken: The reasons why skins are left out, as of the last call of `skins`.
        folders: The folder of each skin, by its name, as of the last call of `skins`.
    """

    def __init__(self) -> None:
        self._read: dict[Path, tuple[object, Skin | SkinError]] = {}
        self._lock = threading.Lock()
        self.broken: tuple[SkinError, ...] = ()
        self.folders: dict[str, Path] = {}

    def skins(self) -> tuple[Skin, ...]:
        """Return the skins by name; an unchanged one is the same object as before."""
        with self._lock:
            found: dict[str, Skin] = {}
            kept: dict[str, Path] = {}
            broken: list[SkinError] = []
            for source in (BUNDLED, user_folder()):
                here: dict[str, Path] = {}
                try:
                    folders = skin_folders(source)
                except OSError as error:
                    broken.append(SkinError(f"{source} cannot be read: {error.strerror or error}"))
                    continue
                for folder in folders:
                    skin = self._skin(folder, steady=source == BUNDLED)
                    if isinstance(skin, SkinError):
                        broken.append(skin)
                    elif skin.name in here:
                        broken.append(_twice(skin.name, here[skin.name], folder))
                    else:
                        found[skin.name], here[skin.name] = skin, folder
                kept |= here
            self.broken, self.folders = tuple(broken), kept
            return tuple(found[name] for name in sorted(found))

    def _skin(self, folder: Path, *, steady: bool) -> Skin | SkinError:
        """Return a folder's skin, or why there is none; an unchanged folder is read once."""
        stamp = () if steady else _stamp(folder)
        if folder not in self._read or self._read[folder][0] != stamp:
            try:
                self._read[folder] = stamp, (_steady if steady else load_skin)(folder)
            except SkinError as error:
                self._read[folder] = stamp, error
        return self._read[folder][1]


def user_folder() -> Path:
    """Return the folder of skins that the user trained or imported."""
    return data_folder() / "skins"


def bundled_names() -> frozenset[str]:
    """Return the names of the bundled skins, which are the names of their folders."""
    return frozenset(path.parent.name for path in BUNDLED.glob(f"*/{SKIN_FILE}"))


def load_skin(folder: Path | str) -> Skin:
    """Read one skin folder.

    Raises:
        SkinError: The skin is invalid; see the module's docstring.
    """
    folder = Path(folder)
    file = load_text(folder / SKIN_FILE)
    pictures = _load_pictures(folder, file.tile)
    _refuse_missing(folder, pictures, REQUIRED)
    sets = {size: _load_pictures(folder / str(size), (size, size)) for size in file.sizes}
    for size, looks in sets.items():
        _refuse_missing(folder / str(size), looks, [STATE_NAMES[code] for code in pictures])
    return make_skin(file, pictures, sets)


def save_skin(skin: Skin, folder: Path | str) -> None:
    """Write a skin folder; the first picture of a state is `<state>.png`, others `@2`...

    It is written beside the old one, which it then replaces: no old pictures remain, and after any
    failure one of the two is complete. Files that are no part of a skin, such as a licence, are
    kept.

    Raises:
        SkinError: The folder cannot be written.
    """
    folder = Path(folder).resolve()
    part = folder.with_name(f".{folder.name}-{os.getpid()}-{threading.get_ident()}{PART}")
    clear_leftovers(folder.parent, lambda name: name.startswith(folder.name))
    try:
        part.mkdir(parents=True)
        _save_pictures(skin.pictures, part)
        for one in skin.sets:
            _save_pictures(one.pictures, part / str(one.tile[0]))
        write_whole(part / SKIN_FILE, text_of(skin))
        _keep_others(folder, part)
        replace_folder(part, folder)
    except OSError as error:
        raise SkinError(f"{folder} cannot be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def forget_skin(name: str) -> Path:
    """Delete a skin of the user, with all its pictures.

    Returns:
        The folder that was deleted.

    Raises:
        SkinError: The user has no such skin, or the skin cannot be deleted.
    """
    own = {folder: name_in(folder) for folder in skin_folders(user_folder())}
    meant = [folder for folder, called in own.items() if name in (called, folder.name)]
    if not meant:
        names = ", ".join(sorted(set(own.values()))) or "none"
        bundled = " is bundled, and stays" if name in bundled_names() else " does not exist"
        raise SkinError(f"the skin '{name}'{bundled}; skins of your own: {names}")
    if len(meant) > 1:
        listed = ", ".join(folder.name for folder in meant)
        raise SkinError(f"several folders hold a skin '{name}': say which one: {listed}")
    folder = meant[0]
    try:
        # A skin that was being replaced by a killed process would come back.
        remove_folder(old_of(folder), missing_ok=True)
        if folder.is_symlink():
            folder.unlink()
        else:
            remove_folder(folder)
    except OSError as error:
        raise SkinError(f"{folder} cannot be deleted: {error.strerror or error}") from error
    return folder


@lru_cache
def _steady(folder: Path) -> Skin:
    """Return a bundled skin, shared by all libraries: some have a thousand pictures."""
    return load_skin(folder)


def name_in(folder: Path) -> str:
    """Return the name of a folder's skin, even if its pictures are unusable."""
    try:
        return load_text(folder / SKIN_FILE).name
    except SkinError:
        return folder.name


def _twice(name: str, first: Path, second: Path) -> SkinError:
    return SkinError(
        f"{second}: {first} holds a skin called '{name}' as well, which is used: give one of them "
        f"another name in its {SKIN_FILE}"
    )


def skin_folders(source: Path) -> list[Path]:
    """Return the skin folders of a source, in order; an old one only without its replacement."""
    if not source.is_dir():
        return []
    children = [child for child in source.iterdir() if child.is_dir()]
    old = [child for child in children if child.name.startswith(".")]
    shown = [child for child in children if not child.name.startswith(".")]
    lost = [child for child in old if child.match(f".*{OLD}") and not _new_of(child).exists()]
    return sorted(shown) + sorted(lost)


def _new_of(old: Path) -> Path:
    return old.with_name(old.name.removeprefix(".").removesuffix(OLD))


def _stamp(folder: Path) -> object:
    """Return a value that changes whenever a file of a folder changes."""
    stamp = []
    for path in sorted(folder.rglob("*")):
        with contextlib.suppress(OSError):
            known = path.stat()
            stamp.append((str(path), known.st_mtime_ns, known.st_size, known.st_ino))
    return tuple(stamp)


def _keep_others(folder: Path, new: Path) -> None:
    """Copy files that are no part of a skin, such as a licence, to the replacing folder."""
    if folder.is_dir():
        for child in folder.iterdir():
            if child.suffix != ".png" and child.name != SKIN_FILE and child.is_file():
                shutil.copy2(child, new)


def _load_pictures(folder: Path, tile: tuple[int, int]) -> dict[int, list[NDArray[np.uint8]]]:
    # '0@10' comes after '0@2', in the order of writing.
    paths = sorted(folder.glob("*.png"), key=lambda path: (len(path.stem), path.stem))
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
        raise SkinError(str(error).removesuffix(". Choose a screenshot")) from error
    height, width = picture.shape[:2]
    if (width, height) != tile:
        raise SkinError(
            f"{path} is {width} x {height} pixels, but {SKIN_FILE} says {tile[0]} x {tile[1]}"
        )
    return picture


def _refuse_twins(folder: Path, pictures: Mapping[int, list[NDArray[np.uint8]]]) -> None:
    """Raise an error if two states have equal pictures."""
    owner: dict[bytes, int] = {}
    for code, looks in pictures.items():
        for picture in looks:
            other = owner.setdefault(picture.tobytes(), code)
            if other != code:
                raise SkinError(
                    f"{folder}: {STATE_NAMES[other]} and {STATE_NAMES[code]} have the same "
                    "picture, so they could not be told apart"
                )


def _save_pictures(pictures: Pictures, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for code, looks in pictures.items():
        for number, picture in enumerate(looks, start=1):
            suffix = "" if number == 1 else f"@{number}"
            write_whole(folder / f"{STATE_NAMES[code]}{suffix}.png", _png(picture))


def _png(picture: NDArray[np.uint8]) -> bytes:
    done, data = cv2.imencode(".png", picture)
    if not done:
        raise SkinError("a picture of the skin cannot be written as PNG")
    return data.tobytes()
