"""Filters and sort orders of the games of the history."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from bot.game import Rules
from gui.history.entry import FIELDS, Player, Result


class Size(NamedTuple):
    """The size of a board."""

    rows: int
    cols: int
    mines: int


@dataclass(frozen=True)
class Filter:
    """A filter for games that match all its values; None matches any."""

    program: str | None = None
    size: Size | None = None
    rules: Rules | None = None
    solver: str | None = None
    player: Player | None = None
    result: Result | None = None
    since: datetime | None = None
    """Aware; games that began at this time or later."""

    def where(self) -> tuple[str, tuple[object, ...]]:
        """Return an SQL condition on the table of games, and its parameters."""
        size = self.size or (None, None, None)
        said = {
            "program = ?": self.program,
            "rows = ?": size[0],
            "cols = ?": size[1],
            "mines = ?": size[2],
            "rules = ?": self.rules and self.rules.value,
            "solver = ?": self.solver,
            "player = ?": self.player,
            "result = ?": self.result,
            "at >= ?": self.since and self.since.timestamp(),
        }
        chosen = {text: value for text, value in said.items() if value is not None}
        return " AND ".join(chosen) or "TRUE", tuple(chosen.values())


EVERYTHING: Final = Filter()

_RECKONED: Final = {
    "started": "at",
    "size": "rows * cols, mines, rows",
    "speed": "CASE WHEN whole AND seconds > 0 THEN three_bv / seconds END",
    "efficiency": "CASE WHEN whole AND clicks > 0 THEN 1.0 * three_bv / clicks END",
}
ORDERS: Final = {name: name for name in FIELDS} | _RECKONED
"""The possible sort keys, as SQL."""


@dataclass(frozen=True)
class Order:
    """A sort order; equal games are sorted by the order in which they were written."""

    by: str = "started"
    """A key of ORDERS."""
    falling: bool = True

    def sql(self) -> str:
        """Return the terms for ORDER BY."""
        way = "DESC" if self.falling else "ASC"
        terms = [f"{term} {way} NULLS LAST" for term in ORDERS[self.by].split(", ")]
        return ", ".join([*terms, f"id {way}"])


NEWEST_FIRST: Final = Order()
