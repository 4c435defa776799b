"""The history in the terminal: a table of the games, or all of it as CSV; and their audit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from gui.console import Console
from gui.history.schema import history_file
from gui.history.statistics import RISK_PARTS, Statistics, compute_statistics
from gui.history.store import Filter, History, export_csv
from gui.number_text import probability_text
from vision.sessions import SessionError, load_session
from vision.sessions.audit import SURPRISE, Audit, calibration

_NOTHING: Final = "\N{EN DASH}"
_NAMES: Final = ("program", "solver", "board")
_NUMBERS: Final = ("games", "won, % [95%]", "best", "median")


def run_history(out: Path | None, console: Console) -> int:
    """Print the history, or write it as CSV; return the exit code.

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


def run_audit(folders: Sequence[Path], console: Console) -> int:
    """Audit sessions and print the result.

    Args:
        folders: Session folders, or folders of session folders.
        console: Receives the output.

    Returns:
        The process's exit code: 1 if anything is wrong.

    Raises:
        SessionError: A folder holds no session.
    """
    audit = Audit()
    for folder in _sessions(folders):
        session = load_session(folder)
        if session.torn:
            console.print(f"{folder.name}: the last line is incomplete and was ignored")
        audit.add(folder.name, session.turns(), session.info.rules)
    _print_audit(audit, console)
    return 1 if audit.wrong else 0


def _sessions(folders: Sequence[Path]) -> list[Path]:
    found = []
    for folder in folders:
        if (folder / "session.json").exists():
            found.append(folder)
            continue
        if not folder.exists():
            raise SessionError(
                f"there is no {folder}: 'minesweeper-bot doctor' names the folder of sessions"
            )
        inside = sorted(path.parent for path in folder.glob("*/session.json"))
        if not inside:
            raise SessionError(f"{folder} is no session, and holds none: it has no session.json")
        found += inside
    return found


def _print_audit(audit: Audit, console: Console) -> None:
    console.print(
        f"{audit.sessions} sessions, {audit.turns} turns: {audit.won} won, {audit.lost} lost, "
        f"{audit.unfinished} unfinished\n"
        f"verified against the end: {audit.tiles} hints, {audit.proofs} certain cells, "
        f"{audit.clicks} clicks, {len(audit.guesses)} guesses"
        + (f" and {audit.repeated} more on boards dealt again" if audit.repeated else ""),
    )
    if audit.guesses:
        console.print(_calibration("guesses by predicted risk", "guesses", audit.guesses))
    if audit.cells:
        title = "all uncertain cells at these guesses"
        console.print(_calibration(title, "cells", audit.cells))
    if audit.hidden:
        console.print(
            f"{audit.hidden} lost games did not show all mines at the end. Their cells are "
            "excluded above, so mines appear rarer than predicted"
        )
    if audit.surprise < SURPRISE:
        console.print(
            "the predicted risks do not match the results: correct risks would deviate this much "
            f"with probability {probability_text(audit.surprise)}",
            style="red",
        )
    for finding in audit.findings:
        what = f", turn {finding.turn}: {finding.what}"
        console.print(Text(finding.session, "red").append(what, ""))
    if not audit.wrong:
        console.print("no problems found", style="green")


def _calibration(title: str, what: str, stated: Sequence[tuple[float, bool]]) -> Table:
    table = Table(title=title, title_justify="left")
    for column in ("risk", what, "mines expected", "mines"):
        table.add_column(column, justify="right")
    for low, high, count, expected, mines in calibration(stated):
        table.add_row(f"{low:.0%} to {high:.0%}", str(count), f"{expected:.1f}", str(mines))
    return table
