"""The page's queries on the history, for use in background jobs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gui.history.entry import Entry
from gui.history.export import export_csv
from gui.history.figures import RISK_PARTS, Figures, reckon
from gui.history.filters import Filter, Order
from gui.history.schema import history_file
from gui.history.store import Choices, History
from gui.panel.jobs import Progress

_FIRST: Final = 60
"""Number of games that are read with the answer: those that are visible at once."""


@dataclass(frozen=True, eq=False)
class Answer:
    """A consistent snapshot of what the page shows."""

    state: tuple[int, int]
    choices: Choices
    order: Order
    numbers: NDArray[np.int64]
    entries: dict[int, Entry]
    """The first entries."""
    figures: Figures


def ask(progress: Progress, chosen: Filter, order: Order) -> Answer:
    """Return everything that a filter shows.

    Raises:
        Cancelled: The job was cancelled.
        HistoryError: The history cannot be read.
    """
    with History.to_read(history_file(), progress.cancelled) as history, history.at_one_moment():
        numbers = history.numbers(chosen, order)
        progress.tell(0.3)
        entries = history.entries(numbers[:_FIRST].tolist())
        choices = history.choices()
        progress.tell(0.5)
        outcomes, guessed = history.outcomes(chosen), history.guessed(chosen, RISK_PARTS)
        progress.tell(0.9)
        figures = reckon(outcomes, guessed)
        return Answer(history.state(), choices, order, numbers, entries, figures)


def read(progress: Progress, numbers: Sequence[int]) -> dict[int, Entry]:
    """Return games by their numbers; raises as `ask` does."""
    with History.to_read(history_file(), progress.cancelled) as history:
        return history.entries(numbers)


def state(progress: Progress) -> tuple[int, int]:
    """Return a value that differs after every change; raises as `ask` does."""
    with History.to_read(history_file(), progress.cancelled) as history:
        return history.state()


def export(progress: Progress, numbers: NDArray[np.int64], path: Path) -> int:
    """Write games as CSV and return their number; raises as `ask` does."""
    with History.to_read(history_file(), progress.cancelled) as history:
        return export_csv(history, numbers, path, progress.tell)


def forget(progress: Progress, numbers: Sequence[int]) -> int:
    """Delete games and return their number.

    Raises:
        Cancelled: None was deleted.
        HistoryError: They cannot be deleted; all are still there.
    """
    progress.tell(None)
    with History.to_write(history_file()) as history:
        history.forget(numbers)
    return len(numbers)
