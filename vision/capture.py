"""Load picture files as frames; the only module that decodes them.

Files are untrusted: the size is read from the header before anything is decoded.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.frame import Frame


@dataclass(frozen=True)
class PictureLimits:
    """Limits of a picture that is opened: one beyond them is refused."""

    max_pixels: int = 64_000_000
    """Most pixels of a picture: eight 4K screens fit; a decompression bomb does not."""
    max_bytes: int = 256 << 20
    """Most bytes of its file."""
    part: int = 1 << 18
    """Bytes of a pipe that are read at once."""
    min_side: int = 8
    """Least side of a picture, in pixels; a smaller one cannot show a board, or even a tile."""


_PICTURE: Final = PictureLimits()


_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG: Final = b"\xff\xd8"
_BMP: Final = b"BM"


class ImageError(ValueError):
    """A picture file cannot be used as a frame; the message names it and the reason."""


def load_image(path: Path | str) -> Frame:
    """Return a picture file as a frame whose points are its pixels.

    PNG, JPEG and BMP. Grey and palettes become BGR, 16 bits a channel become 8, and what is
    translucent, such as the shadow of a window, lies over white.

    Raises:
        ImageError: No such file, no picture, truncated, under 8 pixels or over 64 megapixels.
    """
    path = Path(path)
    return Frame.of_image(decode(read_bytes(path), str(path)))


def read_bytes(path: Path) -> bytes:
    """Return a picture file's bytes, from a regular file of limited size.

    The file is not asked for its kind and size first: on Windows each such question takes as long
    as reading one of the templates, of which there are more than a thousand.

    Raises:
        ImageError: It cannot be read.
    """
    try:
        data = b"".join(_parts(path))
    except OSError as error:
        if path.is_file():
            raise ImageError(f"{path} cannot be read: {error.strerror or error}") from error
        data = b""
    if (not data or len(data) > _PICTURE.max_bytes) and not path.is_file():
        raise ImageError(f"{path} is not a file")
    if len(data) > _PICTURE.max_bytes:
        raise ImageError(
            f"{path} has more than {_PICTURE.max_bytes >> 20} MB: that is no screenshot"
        )
    return data


def _parts(path: Path) -> Iterator[bytes]:
    """Yield a file's contents in parts, up to one that exceeds the limit."""
    # A pipe is opened without waiting for its other end.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags)
    try:
        read = 0
        while read <= _PICTURE.max_bytes and (part := os.read(descriptor, _PICTURE.part)):
            read += len(part)
            yield part
    finally:
        os.close(descriptor)


def decode(data: bytes, name: str, *, smallest: int = _PICTURE.min_side) -> NDArray[np.uint8]:
    """Decode a picture file's bytes.

    Args:
        data: The file.
        name: The file's name in the error message.
        smallest: Least width and height, in pixels.

    Returns:
        (H, W, 3) uint8, BGR.

    Raises:
        ImageError: See `load_image`.
    """
    width, height = _announced_size(data, name)
    if min(width, height) < smallest:
        raise ImageError(f"{name} is {width} x {height} pixels: too small to show anything")
    if width * height > _PICTURE.max_pixels:
        raise ImageError(
            f"{name} is {width} x {height} pixels: more than "
            f"{_PICTURE.max_pixels // 1_000_000} megapixels "
            "are not opened"
        )
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error:
        image = None
    if image is None or image.shape[:2] != (height, width):
        raise ImageError(f"{name} is damaged: it cannot be decoded")
    return _as_bgr(image, name)


def _as_bgr(image: NDArray[Any], name: str) -> NDArray[np.uint8]:
    if image.dtype == np.uint16:
        # 65535 becomes 255; no floating-point copy, which may take gigabytes.
        image = cv2.convertScaleAbs(image, alpha=1 / 257)
    if image.ndim == 2:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    elif image.shape[2] == 4:
        opaque = image[:, :, 3:]
        image = cv2.cvtColor(image, cv2.COLOR_BGRA2BGR)
        if int(opaque.min()) < 255:
            white = 255 - opaque
            np.copyto(image, cv2.multiply(image, cv2.merge([opaque] * 3), scale=1 / 255) + white)
    elif image.shape[2] != 3:
        raise ImageError(f"{name} has {image.shape[2]} channels: save it as RGB")
    return np.ascontiguousarray(image, np.uint8)


def _announced_size(data: bytes, name: str) -> tuple[int, int]:
    """Return width and height from the file's header, before anything is decoded."""
    size: tuple[int, int] | None = None
    whole = True
    if data.startswith(_PNG):
        if len(data) >= 24 and data[12:16] == b"IHDR":
            size = struct.unpack(">II", data[16:24])
        whole = b"IEND" in data[-64:]
    elif data.startswith(_JPEG):
        size = _jpeg_size(data)
        whole = b"\xff\xd9" in data[-64:]
    elif data.startswith(_BMP):
        if len(data) >= 26:
            width, height = struct.unpack("<ii", data[18:26])
            size = width, abs(height)
            whole = len(data) >= struct.unpack("<I", data[2:6])[0]
    else:
        what = "empty" if not data else "not a PNG, JPEG or BMP picture"
        raise ImageError(f"{name} is {what}. Choose a screenshot")
    if size is None or not whole:
        raise ImageError(f"{name} is incomplete. Take the screenshot again")
    return size


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Return the size in the frame header (ITU T.81, B.2.2); None if there is none."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return int(width), int(height)
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None
