"""A board's size as it is written on the command line."""

from __future__ import annotations


def parse_size(text: str) -> tuple[int, int, int]:
    """Rows, columns and mines from COLSxROWSxMINES.

    Raises:
        ValueError: It is not written like that.
    """
    parts = text.lower().split("x")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() for part in parts):
        raise ValueError(f"'{text}' is not COLSxROWSxMINES, such as 24x20x99")
    cols, rows, mines = map(int, parts)
    return rows, cols, mines
