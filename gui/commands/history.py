"""The history in the terminal: a table of the games, or all of it as CSV."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.table import Table

from gui.console import Console
from gui.history.schema import history_file
from gui.history.statistics import RISK_PARTS, Statistics, compute_statistics
from gui.history.store import Filter, History, export_csv

_NOTHING: Final = "\N{EN DASH}"
_NAMES: Final = ("program", "solver", "board")
_NUMBERS: Final = ("games", "won, % [95 %]", "best", "median")


def run_history(out: Path | None, console: Console) -> int:
    """Print the history, or write it as CSV.

    Args:
        out: The file; without one a table is printed.
        console: Receives the output.

    Returns:
        The process's exit code.

    Raises:
        HistoryError: The history cannot be read, or the file cannot be written.
    """
    path = history_file()
    with History.to_read(path) as history, history.at_one_moment():
        if out is not None:
            written = export_csv(history, history.numbers(), out)
            console.print(f"{written} games: {out}", soft_wrap=True)
        elif history.state()[0] == 0:
            console.print(f"no games yet in {path}")
        else:
            _print(history, console)
    return 0


def _print(history: History, console: Console) -> None:
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    for column in _NAMES:
        table.add_column(column, overflow="fold")
    for column in _NUMBERS:
        table.add_column(column, justify="right", no_wrap=True)
    choices = history.choices()
    for program in choices.programs:
        for size, level in choices.sizes:
            for solver in choices.solvers:
                chosen = Filter(program=program, size=size, solver=solver)
                statistics = _statistics(history, chosen)
                if statistics.games:
                    board = level or f"{size.cols}x{size.rows}x{size.mines}"
                    table.add_row(program, solver, board, *_row(statistics))
    table.add_section()
    table.add_row("all", "", "", *_row(_statistics(history, Filter())))
    console.print(table)


def _statistics(history: History, chosen: Filter) -> Statistics:
    return compute_statistics(history.outcomes(chosen), history.guessed(chosen, RISK_PARTS))


def _row(statistics: Statistics) -> tuple[str, ...]:
    rate = statistics.rate
    return (
        str(statistics.games),
        f"{100 * rate.value:.1f} [{100 * rate.low:.0f}, {100 * rate.high:.0f}]"
        if rate
        else _NOTHING,
        _seconds(statistics.best_seconds),
        _seconds(statistics.median_seconds),
    )


def _seconds(value: float | None) -> str:
    return _NOTHING if value is None else f"{value:.2f} s"
