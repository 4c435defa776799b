"""Published win rates of other players, with their sources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.game import BEGINNER, EXPERT, INTERMEDIATE, FirstClick, Level


@dataclass(frozen=True)
class Published:
    """A win rate that was published, or measured here with another program."""

    player: str
    won: float
    """Percent."""
    games: str
    """Number of games, as far as the source gives it."""
    source: str


_HILL: Final = "David N. Hill's Java solver"
_MEASURED: Final = "measured here (README)"
_PAPER: Final = (
    "Tu, Li, Chen, Zu, Gu: Exploring Efficient Strategies for Minesweeper, AAAI-17 workshop"
)
_PROGRAM: Final = "its authors Tu et al., with their program"
_RUNS: Final = "its author D. N. Hill, bulk runs"

_FIGURES: Final[dict[tuple[Level, FirstClick], tuple[Published, ...]]] = {
    (BEGINNER, FirstClick.SAFE): (
        Published(_HILL, 91.95, "10,000", _MEASURED),
        Published("PSEQ-D256", 91.7, "", _PROGRAM),
    ),
    (BEGINNER, FirstClick.ZERO): (Published("PSEQ-D256", 97.2, "", _PROGRAM),),
    (INTERMEDIATE, FirstClick.SAFE): (
        Published(_HILL, 77.86, "5,000", _MEASURED),
        Published("PSEQ-D256", 78.2, "", _PROGRAM),
        Published("PSEQ", 78.122, "", _PAPER),
    ),
    (INTERMEDIATE, FirstClick.ZERO): (Published("PSEQ-D256", 89.1, "", _PROGRAM),),
    (EXPERT, FirstClick.SAFE): (
        Published("JSMinesweeper", 41.5, "12,500", _RUNS),
        Published(_HILL, 41.00, "10,000", _MEASURED),
        Published("PSEQ-D256", 40.047, "100,000,000", _PROGRAM),
        Published("PSEQ", 39.616, "200,000,000", _PAPER),
    ),
    (EXPERT, FirstClick.ZERO): (
        Published("JSMinesweeper", 54.6, "1,000", _RUNS),
        Published(_HILL, 54.46, "10,000", _MEASURED),
        Published("PSEQ-D256", 53.450, "100,000,000", _PROGRAM),
        Published("PSEQ", 52.784, "200,000,000", _PROGRAM),
    ),
}


def published(boards: str) -> tuple[Published, ...]:
    """Return what others reach on boards of this size and first click; empty if unknown.

    Args:
        boards: `BoardSet.key` of boards that are drawn by seed.
    """
    for (level, first_click), figures in _FIGURES.items():
        size = f"{level.cols}x{level.rows}/{level.mines}: seeds from "
        if boards.startswith(size) and boards.endswith(f", first click {first_click.value}"):
            return figures
    return ()
