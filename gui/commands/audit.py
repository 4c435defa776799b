"""Verifies recorded games against the mines shown at the end, and prints the result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from gui.console import Console
from gui.number_text import probability_text
from vision.sessions import SessionError, load_session
from vision.sessions.audit import SURPRISE, Audit, calibration


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
    _print(audit, console)
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


def _print(audit: Audit, console: Console) -> None:
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
