r"""For developers: cut the pictures of a skin out of screenshots of a running program.

    python -m tests.support.games start winemine beginner &
    scrot screen.png
    python -m tests.tools.capture_skin screen.png templates/winemine --origin 105,133 \
        --tile 16,16 0,0=covered 3,4=1 5,5=flag 6,0=1@edge

`--origin` is the pixel at the outer upper left corner of cell 0,0; a cell is row,column; the text
after `=` is the name of the picture. An existing picture must have the same pixels: a variant of a
state gets its own name with an `@`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import Cell
from vision.capture import decode, read_bytes


class DifferentPicture(ValueError):
    """A state has a picture with other pixels; the message says which."""


def cut(
    image: NDArray[np.uint8], origin: tuple[int, int], tile: tuple[int, int], cell: Cell
) -> NDArray[np.uint8]:
    """Return the picture (height, width, 3) of one cell.

    Args:
        image: (H, W, 3) uint8, BGR.
        origin: Pixel x, y of the outer upper left corner of cell (0, 0).
        tile: Width and height in pixels.
        cell: Which one.

    Raises:
        ValueError: The cell is not inside the image.
    """
    left, top = origin[0] + cell.col * tile[0], origin[1] + cell.row * tile[1]
    right, bottom = left + tile[0], top + tile[1]
    if min(left, top) < 0 or bottom > image.shape[0] or right > image.shape[1]:
        raise ValueError(f"cell {cell.row},{cell.col} is not inside the screenshot")
    return np.ascontiguousarray(image[top:bottom, left:right])


def save(folder: Path, pictures: Mapping[str, NDArray[np.uint8]]) -> None:
    """Write pictures as `<name>.png`.

    Raises:
        DifferentPicture: One of them exists with other pixels.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures.items():
        path = folder / f"{name}.png"
        if path.exists() and not np.array_equal(_load(path), picture):
            raise DifferentPicture(f"{path} exists and looks different: call this one {name}@...")
        if not cv2.imwrite(str(path), picture):
            raise OSError(f"{path} cannot be written")


def _load(path: Path) -> NDArray[np.uint8]:
    return decode(read_bytes(path), str(path), smallest=1)


def _pair(text: str) -> tuple[int, int]:
    first, second = (int(part) for part in text.split(","))
    return first, second


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.capture_skin",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("screenshot", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--origin", type=_pair, required=True, metavar="X,Y")
    parser.add_argument("--tile", type=_pair, required=True, metavar="W,H")
    parser.add_argument("cells", nargs="+", metavar="ROW,COL=NAME")
    chosen = parser.parse_args(arguments)
    image = _load(chosen.screenshot)
    try:
        pictures = {}
        for item in chosen.cells:
            place, name = item.split("=", 1)
            pictures[name] = cut(image, chosen.origin, chosen.tile, Cell(*_pair(place)))
        save(chosen.folder, pictures)
    except ValueError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
