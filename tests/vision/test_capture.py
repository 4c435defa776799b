"""The screen as frames, and hostile picture files."""

from __future__ import annotations

import os
import struct
import subprocess
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from bot.frame import Region
from gui.private_screen import PrivateScreen
from tests.support.clients import PictureWindow, adopt
from vision.capture import ImageError, load_image
from vision.desktop import ScreenError, desktop


def _write(path: Path, image: np.ndarray) -> Path:
    assert cv2.imwrite(str(path), image)
    return path


def png_of_size(width: int, height: int) -> bytes:
    """A PNG that announces a size and has no pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IEND", b"")


PICTURE = np.random.default_rng(1).integers(0, 256, (40, 60, 3), np.uint8)


def test_deep_pictures_are_loaded(tmp_path: Path) -> None:
    """16 bits a channel, as some screenshot programs write: grey, in colour, with opaque alpha."""
    deep = PICTURE.astype(np.uint16) * 257
    opaque = np.dstack([deep, np.full(PICTURE.shape[:2], 65535, np.uint16)])
    for image in (deep, opaque):
        assert np.array_equal(load_image(_write(tmp_path / "deep.png", image)).image, PICTURE)
    grey = load_image(_write(tmp_path / "grey.png", deep[:, :, 0]))
    assert np.array_equal(grey.image, np.repeat(PICTURE[:, :, :1], 3, axis=2))
    half = load_image(_write(tmp_path / "clear.png", np.dstack([deep, opaque[:, :, 3] // 2])))
    # Over white, as a picture viewer shows it.
    assert np.abs(half.image - (PICTURE / 2 + 127.5)).max() <= 1


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA"])
def test_pictures_of_every_kind_are_loaded(tmp_path: Path, mode: str) -> None:
    """As another library writes them: a bit a pixel, grey with alpha, palettes."""
    colours = Image.fromarray(PICTURE[:, :, ::-1])
    picture = colours.quantize(16) if mode == "P" else colours.convert(mode)
    picture.save(tmp_path / "picture.png")
    shown = np.array(picture.convert("RGB"))[:, :, ::-1]
    assert np.array_equal(load_image(tmp_path / "picture.png").image, shown)


def test_pictures_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    """Each is refused with its name and the reason, and none is decoded for its size alone."""
    whole = _write(tmp_path / "whole.png", PICTURE).read_bytes()
    jpeg = _write(tmp_path / "whole.jpg", PICTURE).read_bytes()
    files = {
        "not a PNG, JPEG or BMP": b"not a picture at all",
        "empty": b"",
        "incomplete": whole[: len(whole) // 2],
        "complete": jpeg[: len(jpeg) // 2],
        "damaged": whole[:60] + bytes(60) + whole[120:],
        "megapixels": png_of_size(20_000, 10_000),
        "too small": png_of_size(1, 1),
    }
    for reason, data in files.items():
        path = tmp_path / "hostile.png"
        path.write_bytes(data)
        with pytest.raises(ImageError, match=reason) as caught:
            load_image(path)
        assert str(path) in str(caught.value)


def test_grab_shows_what_is_on_the_screen(display: PrivateScreen) -> None:
    """The pixels of a window arrive as BGR, read-only and in one piece, each frame numbered."""
    with PictureWindow(PICTURE, (30, 20), popup=True), desktop().open_screen() as screen:
        assert screen.region == display.region
        assert screen.monitors == (display.region,)
        first, second = (screen.grab(Region(30, 20, 60, 40)) for _ in range(2))
        assert np.array_equal(first.image, PICTURE)
        assert first.image.flags.c_contiguous
        assert not first.image.flags.writeable
        assert second.number > first.number
        assert second.time >= first.time
        # A region that leaves the screen is cut, and one beyond it is an error.
        bottom = screen.region.bottom
        cut = screen.grab(Region(-50, bottom - 20, 100, 100))
        assert cut.region == Region(0, bottom - 20, 50, 20)
        assert cut.image.shape == (20, 50, 3)
        with pytest.raises(ScreenError, match="unplugged"):
            screen.grab(Region(5000, 0, 10, 10))


@pytest.mark.linux
def test_a_monitor_that_was_unplugged_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A desktop that shrank under an open handle: what is left is captured."""
    with PrivateScreen(1280, 800) as shrinking:
        adopt(shrinking, monkeypatch)
        with desktop().open_screen() as screen:
            screen.grab(Region(1000, 600, 200, 100))
            # It complains that its only output is larger now, and shrinks the screen all the same.
            resize = ["xrandr", "--fb", "800x500"]
            subprocess.run(resize, stderr=subprocess.DEVNULL, env=os.environ, check=False)
            with pytest.raises(ScreenError, match=r"800 x 500.*unplugged"):
                screen.grab(Region(1000, 600, 200, 100))
            assert screen.grab(Region(700, 400, 200, 200)).region == Region(700, 400, 100, 100)
