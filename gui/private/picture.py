"""The picture of a private screen, read from the file in which its server keeps it.

Reading it costs the game and its server nothing, and works while the player is busy. The file is an
X window dump (`X11/XWDFile.h`): its header consists of big-endian numbers of four bytes, and its
pixels are the server's own memory, 24 bits in 32, as the screen is started.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtGui import QImage

from gui.images import Borrowed
from gui.private_screen import PrivateScreenError

_NUMBERS: Final = 25
_HEAD, _WIDTH, _HEIGHT, _ROW, _COLOURS = 0, 4, 5, 12, 19
"""Positions of the numbers in the header."""
_BYTES_A_COLOUR: Final = 12


def live_picture(file: Path) -> QImage:
    """Return a picture that changes with the screen; do not store it or write to it.

    Raises:
        PrivateScreenError: There is no such picture.
    """
    try:
        memory: NDArray[np.uint8] = np.memmap(file, np.uint8, "r")
        numbers = memory[: 4 * _NUMBERS].view(">u4")
        begin = int(numbers[_HEAD]) + _BYTES_A_COLOUR * int(numbers[_COLOURS])
        height, row = int(numbers[_HEIGHT]), int(numbers[_ROW])
        rows = memory[begin : begin + height * row].reshape(height, row // 4, 4)
    except (OSError, ValueError, IndexError) as error:
        raise PrivateScreenError(f"the private screen cannot be shown: {error}") from error
    return Borrowed(rows[:, : int(numbers[_WIDTH])], QImage.Format.Format_RGB32)
