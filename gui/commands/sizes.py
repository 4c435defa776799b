"""The size of a board on the command line."""

from __future__ import annotations

import re


def parse_size(text: str) -> tuple[int, int, int]:
    """Return rows, columns and mines from COLSxROWSxMINES.

    Raises:
        ValueError: It is not written like that.
    """
    parts = re.fullmatch(r"([0-9]{1,9})x([0-9]{1,9})x([0-9]{1,9})", text.lower())
    if parts is None:
        raise ValueError(f"'{text}' is not COLSxROWSxMINES, such as 24x20x99")
    cols, rows, mines = map(int, parts.groups())
    return rows, cols, mines
