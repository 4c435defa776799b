"""Export and import skins as zip files; imported ones are not trusted.

A zip holds one skin: `skin.toml`, its pictures, the folders of its other sizes and the licence's
text, all in one folder or in none. Sizes are limited, nothing is ever written to a path from the
zip, and the content is checked like every skin before it is stored. Its pictures are encoded again
from their pixels. Its keys are not sent before the user has allowed them: in the wrong program they
do harm.
"""

from __future__ import annotations

import io
import os
import re
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from vision.files import PART, clear_leftovers, replace_folder, write_whole
from vision.skins import (
    SKIN_FILE,
    STATES,
    Skin,
    SkinError,
    load_skin,
    save_skin,
    user_folder,
)
from vision.skins.own_skins import SkinReserved, SkinTaken, check_own_name, own_folder

MAX_ZIP: Final = 16 << 20
"""Size limit of a zip in bytes; the largest bundled skin, with nineteen sizes, has 1.3 MB."""


@dataclass(frozen=True)
class ZipLimits:
    """Limits of a zip file with a skin: larger ones are refused."""

    max_files: int = 4096
    max_bytes: int = 64 << 20
    """Size limit of all unpacked files together, in bytes."""
    max_file: int = 1 << 20
    max_side: int = 256
    """Largest side of a tile picture in pixels, as in `Skin.tile`."""
    max_index: int = 1 << 20
    """Size limit in bytes of a zip's table of contents, which is read as a whole."""


_ZIP: Final = ZipLimits()


_PICTURE: Final = re.compile(rf"({'|'.join(STATES)})(@[a-z0-9-]{{1,32}})?\.png")
_SIZE: Final = re.compile(r"[1-9][0-9]{0,2}")
_LICENCE: Final = re.compile(
    r"(LICEN[CS]E|COPYING|README|AUTHORS)[A-Za-z0-9._-]{0,32}", re.IGNORECASE
)
_LITTER: Final = frozenset({"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"})
"""Names of files that file managers add to a zip."""
_BROKEN: Final = (
    zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError,
    struct.error, OverflowError,
)  # fmt: skip
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_END: Final = b"PK\x05\x06"


def export_skin(folder: Path, path: Path) -> None:
    """Write the files of a skin folder as a zip.

    Raises:
        SkinError: The folder is no usable skin, or the zip cannot be written.
    """
    name = load_skin(folder).name
    data = io.BytesIO()
    try:
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(folder.rglob("*")):
                inside = PurePosixPath(*file.relative_to(folder).parts)
                if file.is_file() and not file.is_symlink() and _belongs(inside):
                    archive.write(file, str(PurePosixPath(name) / inside))
        write_whole(path, data.getvalue())
    except OSError as error:
        raise SkinError(f"{path} cannot be written: {error.strerror or error}") from error


def import_skin(path: Path, *, name: str | None = None, replace: bool = False) -> Skin:
    """Store the skin of a zip among the user's own, as `name` if given.

    `replace` allows a skin of the user's with the same name to go.

    Returns:
        The skin, as it is kept.

    Raises:
        SkinError: The zip contains no usable skin; the message names the zip, the error and its
            place. Nothing was written.
        SkinTaken: The user has a skin of that name.
        SkinReserved: A bundled skin has that name.
    """
    home = user_folder()
    try:
        files = dict(_files(path))
        home.mkdir(parents=True, exist_ok=True)
        clear_leftovers(home, lambda name: name.startswith("import-"))
        with tempfile.TemporaryDirectory(prefix=".import-", suffix=PART, dir=home) as place:
            skin = _checked(_unpacked(files, Path(place), path), path, name)
            return _keep(skin, Path(place) / "new", files, replace=replace)
    except OSError as error:
        where = error.filename or path
        raise SkinError(f"{where} cannot be used: {error.strerror or error}") from error


def _checked(unpacked: Path, path: Path, name: str | None) -> Skin:
    """Return the unpacked skin, under an allowed name."""
    try:
        skin = load_skin(unpacked)
        # Its keys are not sent until the user of this program allows them.
        called = skin.name if name is None else name
        skin = skin.model_copy(update={"name": called, "keys_allowed": False})
        check_own_name(skin.name)
    except SkinReserved:
        raise
    except SkinError as error:
        words = str(error).replace(f"{unpacked}{os.sep}", "").replace(f"{unpacked}: ", "")
        raise SkinError(f"{path}: {words}") from error
    return skin


def _keep(skin: Skin, new: Path, files: dict[str, bytes], *, replace: bool) -> Skin:
    """Write the skin again and move it to the user's skins."""
    target = own_folder(skin.name)
    if target is not None and not replace:
        raise SkinTaken(skin.name)
    target = target or user_folder() / skin.name
    save_skin(skin, new)
    for name, data in files.items():
        if _LICENCE.fullmatch(name):
            (new / name).write_bytes(data)
    if target.is_symlink():
        target.unlink()
    replace_folder(new, target)
    return skin


def _unpacked(files: dict[str, bytes], place: Path, path: Path) -> Path:
    """Return the files, unpacked into a temporary folder, by their checked names."""
    folder = place / "unpacked"
    folder.mkdir()
    for name, data in files.items():
        if name.endswith(".png"):
            _check_picture(name, data, path)
        elif b"\0" in data:
            raise SkinError(f"{path}: {name} is no text")
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(data)
    return folder


def _files(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield each file of the zip: its name within the skin, and its content."""
    try:
        with zipfile.ZipFile(io.BytesIO(_read(path))) as archive:
            entries = list(_entries(archive, path))
            left = _ZIP.max_bytes
            for name, entry in entries:
                data = _bytes_of(archive, entry, min(left, _ZIP.max_file), path)
                left -= len(data)
                yield name, data
    except _BROKEN as error:
        if isinstance(error, SkinError):
            raise
        raise SkinError(f"{path} is damaged: it cannot be unpacked ({error})") from error


def _read(path: Path) -> bytes:
    if not path.is_file():
        raise SkinError(f"{path} is not a file")
    with path.open("rb") as file:
        data = file.read(MAX_ZIP + 1)
    if len(data) > MAX_ZIP:
        raise SkinError(f"{path} has more than {MAX_ZIP >> 20} MB: that is no skin")
    end = data.rfind(_END)
    if end < 0 or len(data) < end + 16:
        raise SkinError(f"{path} is no zip file: give one that was made by 'Export'")
    if struct.unpack("<I", data[end + 12 : end + 16])[0] > _ZIP.max_index:
        raise SkinError(f"{path} holds more than {_ZIP.max_files} files: that is no skin")
    return data


def _entries(archive: zipfile.ZipFile, path: Path) -> Iterator[tuple[str, zipfile.ZipInfo]]:
    """Yield the zip's files with their names within the skin, all of which are allowed."""
    infos = [info for info in archive.infolist() if _LITTER.isdisjoint(info.filename.split("/"))]
    if len(infos) > _ZIP.max_files:
        raise SkinError(f"{path} holds more than {_ZIP.max_files} files: that is no skin")
    for info in infos:
        _refuse_tricks(info, path)
    files = [info for info in infos if not info.is_dir()]
    texts = [info.filename for info in files if PurePosixPath(info.filename).name == SKIN_FILE]
    if not texts:
        raise SkinError(f"{path} holds no {SKIN_FILE}: that is no skin")
    if len(texts) > 1:
        raise SkinError(f"{path} holds several skins ({', '.join(texts[:3])}): give one at a time")
    root = PurePosixPath(texts[0]).parent
    if len(root.parts) > 1:
        raise SkinError(f"{path}: {texts[0]} lies too deep: a skin is one folder")
    seen: set[str] = set()
    for info in files:
        name = PurePosixPath(info.filename)
        if not name.is_relative_to(root) or not _belongs(name.relative_to(root)):
            raise SkinError(f"{path}: '{info.filename[:80]}' is no part of a skin")
        inside = str(name.relative_to(root))
        # Some file systems are case-insensitive.
        if inside.casefold() in seen:
            raise SkinError(f"{path} holds '{inside}' twice")
        seen.add(inside.casefold())
        yield inside, info


def _refuse_tricks(info: zipfile.ZipInfo, path: Path) -> None:
    """Raise an error for names that lead out of a folder, and for special files."""
    name = info.filename
    parts = name.removesuffix("/").split("/")
    if "\\" in info.orig_filename or ":" in name or not set(parts).isdisjoint({"", ".", ".."}):
        raise SkinError(f"{path}: '{name[:80]}' leads out of the skin's folder")
    kind = info.external_attr >> 16 & 0o170000
    if kind not in (0, 0o100000, 0o040000):
        raise SkinError(f"{path}: '{name[:80]}' is a link or a device, and no file")
    if info.flag_bits & 1:
        raise SkinError(f"{path}: '{name[:80]}' is encrypted: make the zip without a password")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise SkinError(f"{path}: '{name[:80]}' is packed in a way that is not known here")


def _bytes_of(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int, path: Path) -> bytes:
    """Return a file's content within the size limit, even if the zip states a wrong size."""
    with archive.open(info) as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise SkinError(f"{path}: '{info.filename[:80]}' is too large to be a part of a skin")
    return data


def _check_picture(name: str, data: bytes, path: Path) -> None:
    """Check a picture's size before anything is decoded."""
    if not data.startswith(_SIGNATURE) or len(data) < 24:
        raise SkinError(f"{path}: {name} is no PNG picture")
    width, height = struct.unpack(">II", data[16:24])
    if not (0 < width <= _ZIP.max_side and 0 < height <= _ZIP.max_side):
        raise SkinError(
            f"{path}: {name} is {width} x {height} pixels: a tile has at most {_ZIP.max_side}"
        )


def _belongs(name: PurePosixPath) -> bool:
    """Return whether a skin may have a file of that name."""
    parts = name.parts
    if len(parts) == 1:
        known = parts[0] == SKIN_FILE or _LICENCE.fullmatch(parts[0])
        return bool(known or _PICTURE.fullmatch(parts[0]))
    return len(parts) == 2 and bool(_SIZE.fullmatch(parts[0]) and _PICTURE.fullmatch(parts[1]))
