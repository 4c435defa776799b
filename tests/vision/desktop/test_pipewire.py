"""What a stream says of itself is checked before its memory is read."""

from __future__ import annotations

import struct

import cv2
import pytest

from vision.desktop.pipewire import VideoFormat, _id, _object, _pair, parse_object

pytestmark = pytest.mark.linux


def described(number: int = 8, width: int = 640, height: int = 480) -> bytes:
    """A format as a compositor sends it."""
    return _object(0x40003, 4, {0x20001: _id(number), 0x20003: _pair(10, width, height)})


def test_a_format_is_understood() -> None:
    """Its size, and how its pixels become BGR."""
    assert VideoFormat.parse(described()) == VideoFormat(cv2.COLOR_BGRA2BGR, 640, 480)
    assert VideoFormat.parse(described(7)).conversion == cv2.COLOR_RGBA2BGR


@pytest.mark.parametrize(
    ("pod", "words"),
    [
        (described(99), "unknown format 99"),
        (described(width=0), "size 0 x 480"),
        (described(height=1 << 30), f"size 640 x {1 << 30}"),
        (_object(0x40003, 4, {}), "names no format"),
        (_object(0x40003, 4, {0x20001: _id(8)}), "names no format"),
        (_id(8), "is no object"),
        (struct.pack("=II", 1 << 31, 15), "is no object"),
        (struct.pack("=IIII", 20, 15, 1, 1) + bytes(12), "ends too early"),
        (b"", "ends too early"),
    ],
)
def test_invalid_formats_are_refused(pod: bytes, words: str) -> None:
    """Lies about a size or a length, and formats that cannot be read."""
    with pytest.raises(ValueError, match=words):
        VideoFormat.parse(pod)


def test_no_pod_is_read_beyond_its_end() -> None:
    """Any beginning of one, and any byte of it changed, is an object or refused."""
    whole = described()
    for length in range(len(whole)):
        with pytest.raises(ValueError, match="pod"):
            parse_object(whole[:length])
    for at in range(len(whole)):
        changed = bytearray(whole)
        changed[at] ^= 0xFF
        try:
            VideoFormat.parse(bytes(changed))
        except ValueError as error:
            assert str(error)  # noqa: PT017 - either outcome is right


@pytest.mark.parametrize(
    ("offset", "stride", "length", "fits"),
    [
        (0, 2560, 2560 * 480, True),
        (0, 4096, 4096 * 479 + 2560, True),
        (0, 2560, 2560 * 480 - 1, False),
        (1, 2560, 2560 * 480, False),
        (0, 2559, 1 << 30, False),
        (0, -2560, 1 << 30, False),
        (0xFFFFFFFF, 2560, 2560 * 480, False),
    ],
)
def test_a_frame_lies_in_its_buffer(offset: int, stride: int, length: int, fits: bool) -> None:
    """With whatever offset and row length a stream names."""
    assert VideoFormat.parse(described()).fits(offset, stride, length) is fits
