"""The colours of the four looks, as `#rrggbb`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Colours:
    """The colours of one look."""

    window: str
    """Background, also of menus and dialogs."""
    text: str
    """Text on `window`."""
    accent: str
    """Borders and selected menu items."""
    panel: str
    """Background of the counters."""
    board: str
    """Background between and behind the cells."""
    covered: str
    covered_light: str
    """The brighter edge, or the upper end of a gradient."""
    covered_dark: str
    """The darker edge, or the lower end of a gradient."""
    hover: str
    """Background of a covered cell under the pointer."""
    opened: str
    opened_line: str
    """The edge of an opened cell."""
    hints: tuple[str, ...]
    """The digits 1 to 8."""
    flag: str
    staff: str
    question: str
    mine: str
    shine: str
    """The highlight on a mine."""
    exploded: str
    """Background of the mine that ended the game."""
    cross: str
    """The cross on a wrong flag."""
    unread: str = "#b14fd8"
    """Colour of a tile that could not be read, which no game uses."""


CLASSIC: Final = Colours(
    window="#c0c0c0", text="#000000", accent="#808080", panel="#c0c0c0", board="#808080",
    covered="#c0c0c0", covered_light="#ffffff", covered_dark="#808080", hover="#c0c0c0",
    opened="#c0c0c0", opened_line="#808080",
    hints=("#0000ff", "#008000", "#ff0000", "#000080", "#800000", "#008080", "#000000", "#808080"),
    flag="#ff0000", staff="#000000", question="#000000", mine="#000000", shine="#ffffff",
    exploded="#ff0000", cross="#ff0000",
)  # fmt: skip

FLAT: Final = Colours(
    window="#f7f9fb", text="#37474f", accent="#b4c2cf", panel="#e8eef3", board="#ffffff",
    covered="#9fbbd2", covered_light="#9fbbd2", covered_dark="#8aa9c3", hover="#b3cbde",
    opened="#e9eef2", opened_line="#e9eef2",
    hints=("#1565c0", "#2e7d32", "#d32f2f", "#6a1b9a", "#a84300", "#00838f", "#263238", "#607d8b"),
    flag="#e53935", staff="#37474f", question="#1d3a55", mine="#37474f", shine="#e9eef2",
    exploded="#ef5350", cross="#b71c1c",
)  # fmt: skip

DARK: Final = Colours(
    window="#16191f", text="#d7dde6", accent="#3d4757", panel="#1f242d", board="#0e1014",
    covered="#455064", covered_light="#56637a", covered_dark="#39435a", hover="#526079",
    opened="#20252e", opened_line="#20252e",
    hints=("#6cb6ff", "#7ee787", "#ff7b72", "#d2a8ff", "#ffa657", "#56d4dd", "#f5f7fa", "#9aa4b0"),
    flag="#ffb02e", staff="#e6ebf2", question="#f5f7fa", mine="#e6ebf2", shine="#20252e",
    exploded="#c93c37", cross="#ff5c54",
)  # fmt: skip

ROUNDED: Final = Colours(
    window="#e6dfd3", text="#4b3f35", accent="#b9a88f", panel="#fbf7ef", board="#d3c7b4",
    covered="#5aa9a3", covered_light="#7ccac2", covered_dark="#3d8a88", hover="#9addd5",
    opened="#fbf7ef", opened_line="#e3d8c6",
    hints=("#2a6fdb", "#3b8f3e", "#e0433b", "#7446b8", "#b5651d", "#118a8a", "#3a3a3a", "#8d8578"),
    flag="#ff6b57", staff="#fff6e8", question="#fff6e8", mine="#3a3340", shine="#c9c0d6",
    exploded="#ff8a65", cross="#a3182b",
)  # fmt: skip
