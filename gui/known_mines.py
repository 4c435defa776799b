"""How many mines boards have that the user was asked about.

They are kept in `mines.json` in the data folder, by program and size, with what was found out about
the numbers beside the boards. Delete that file to be asked again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from gui.kept import KeptRows
from vision.numbers.mines import KnownMines, SizedBoard, program_of
from vision.skins import Skin
from vision.windows import Window

_FILE: Final = "mines.json"
_BOARDS: Final = "boards"
_NUMBERS: Final = "numbers"


def mines_file() -> Path:
    """Return where the answers are kept."""
    return KeptRows(_FILE).path


class KeptMines(KnownMines):
    """What counters have shown, in memory, and what the user said, in a file.

    One object may be used by several threads.
    """

    def __init__(self) -> None:
        super().__init__()
        self._kept = KeptRows(_FILE)

    def alone_fits(self, window: Window | None, skin: Skin) -> frozenset[int] | None:
        """Return what is known of the only number beside a board, as `KnownMines` does."""
        program = program_of(window, skin)
        for row in self._kept.rows(_NUMBERS):
            match row:
                case [str(window_class), str(title), [*values]] if (window_class, title) == program:
                    return frozenset(value for value in values if isinstance(value, int))
        return None

    def note_alone(self, window: Window | None, skin: Skin, value: int, *, fits: bool) -> None:
        """Keep whether the only number beside a fresh board made its mines."""
        with self._kept.lock:
            before = self.alone_fits(window, skin) or frozenset()
            values = sorted(before | {value}) if fits else []
            self._kept.put(_NUMBERS, program_of(window, skin), values)

    def _answers(self) -> list[tuple[SizedBoard, int]]:
        answers = []
        for row in self._kept.rows(_BOARDS):
            match row:
                case [str(window_class), str(title), int(rows), int(cols), int(mines)]:
                    if 0 < mines < rows * cols:
                        answers.append((SizedBoard(window_class, title, rows, cols), mines))
        return answers

    def _put(self, board: SizedBoard, mines: int | None) -> None:
        if mines is None:
            self._kept.remove(_BOARDS, board)
        else:
            self._kept.put(_BOARDS, board, mines)
