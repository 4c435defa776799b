"""The list of runs: files of results and their contents."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from PyQt6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from gui.lab.order import ENDING, Order, read_order

_BLOCK: Final = 1 << 20


@dataclass(frozen=True)
class Run:
    """A file of results."""

    path: Path
    label: str
    """What it contains, or why it cannot be read."""
    games: int
    """Number of results."""
    changed: datetime
    order: Order | None
    """Its order if it was started in the panel and can be resumed."""

    @property
    def whole(self) -> bool:
        """Whether all games are played, as far as that is known."""
        order = self.order
        if order is None or order.sweep is not None or order.boards is not None:
            return False
        return self.games >= order.games * len(order.players)

    @property
    def words(self) -> str:
        """The text below its name in the list."""
        when = self.changed.strftime("%Y-%m-%d %H:%M")
        players = "" if self.order is None else f"{', '.join(self.order.players)} · "
        return f"{players}{self.label} · {self.games:,} games · {when}"


def find_runs(
    folder: Path, others: Iterable[Path] = (), tick: Callable[[], object] = lambda: None
) -> list[Run]:
    """Return the files of results of a folder and some others, the latest first.

    Args:
        folder: The panel's folder; may be missing.
        others: Files elsewhere.
        tick: Called before each; may raise to cancel.
    """
    paths = [*folder.glob(f"*{ENDING}"), *others]
    runs = []
    for path in dict.fromkeys(path.resolve() for path in paths):
        tick()
        run = _run(path)
        if run is not None:
            runs.append(run)
    return sorted(runs, key=lambda run: run.changed, reverse=True)


def _run(path: Path) -> Run | None:
    """Return the run of a file; None if the file is gone."""
    try:
        changed = datetime.fromtimestamp(path.stat().st_mtime).astimezone()
        with path.open("rb") as file:
            label = _label(file.readline(_BLOCK))
            games = sum(block.count(b"\n") for block in iter(lambda: file.read(_BLOCK), b""))
    except FileNotFoundError:
        return None
    except OSError as error:
        return Run(
            path, f"cannot be read: {error.strerror or error}", 0, datetime.now().astimezone(), None
        )
    return Run(path, label, games, changed, read_order(path))


def _label(line: bytes) -> str:
    try:
        labels = [str(label) for label in json.loads(line)["labels"]]
    except (ValueError, TypeError, KeyError, RecursionError):
        return "no file of results"
    return labels[0] if len(labels) == 1 else f"{len(labels)} sets of boards"


class RunsModel(QAbstractListModel):
    """A list model of runs: name, description, and the run itself."""

    RUN: Final = Qt.ItemDataRole.UserRole

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.runs: list[Run] = []

    def show(self, runs: list[Run]) -> None:
        """List other runs."""
        self.beginResetModel()
        self.runs = runs
        self.endResetModel()

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's default
        """Return the number of runs."""
        return 0 if parent.isValid() else len(self.runs)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a row's name, description, or the run itself."""
        if not 0 <= index.row() < len(self.runs):
            return None
        run = self.runs[index.row()]
        if role == self.RUN:
            return run
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{run.path.stem}\n{run.words}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return str(run.path)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{run.path.stem}, {run.words}"
        return None
