"""The laboratory in the terminal: play, show the progress, and print the results as tables."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from bot.analysis import Cancelled
from bot.digging import HUNTERS
from bot.lab.results import Results, read_results
from bot.lab.worker import DIGGING
from bot.loop import Stop
from bot.solver import SOLVERS
from gui.console import Console
from gui.interrupt import stop_on_interrupt
from gui.lab.runs import Order, play
from gui.lab.sheets import SOURCE, Sheet, put_together, sheets_of


def run_lab(order: Order, out: Path, scheduler: str | None, console: Console) -> int:
    """Play or resume the games for a file of results, and print the results.

    Returns:
        The process's exit code: 130 if the user cancelled it.

    Raises:
        Exception: As `gui.lab.runs.play` raises.
    """
    whole = play_order(order, out, scheduler, console)
    print_results(read_results(out), order.players, console)
    console.print(f"Results saved to {out}")
    return 0 if whole else 130


def play_order(order: Order, out: Path, scheduler: str | None, console: Console) -> bool:
    """Play the remaining games of an order; return whether all have been played."""
    stop, done = Stop(), 0
    batches = play(order, out, stop, console.note, scheduler)
    with closing(batches), ExitStack() as resources, _progress(console) as progress:
        # An exception during this would lose games.
        stop_on_interrupt(resources, stop)
        try:
            before, total = next(batches)
            done = len(before)
            if before:
                console.print(f"{out}: continuing after {done} games")
            bar = progress.add_task("games", total=total, completed=done)
            for played, _ in batches:
                done += len(played)
                progress.advance(bar, len(played))
        except Cancelled:
            progress.stop()
            console.print(
                f"Interrupted: {done} games are kept. Run the same command to continue",
            )
            return False
    return True


def names_of(game: str, text: str) -> tuple[str, ...]:
    """Return the comma-separated players, or all of a game for 'all'."""
    if text == "all":
        return tuple(HUNTERS if game == DIGGING else SOLVERS)
    return split_names(text)


def split_names(text: str | None) -> tuple[str, ...]:
    """Return comma-separated names without duplicates."""
    names = (text or "").split(",")
    return tuple(dict.fromkeys(name.strip() for name in names if name.strip()))


def show_files(paths: Sequence[Path], names: Sequence[str], console: Console) -> int:
    """Print the results of files, merged if there are several.

    Raises:
        ResultsError: A file is invalid, they are of different boards, or a player is missing.
    """
    results, names = put_together(paths, names)
    print_results(results, names, console)
    return 0


def _progress(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        MofNCompleteColumn(),
        BarColumn(bar_width=30),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
        console=console,
    )


def print_results(results: Results, wanted: Sequence[str], console: Console) -> None:
    """Print a table for each set of boards, and the differences to the first player."""
    for sheet in sheets_of(results, wanted):
        if sheet.rows:
            console.print(_table(sheet))
            if sheet.note:
                console.print(sheet.note)
        else:
            console.print(sheet.title)


def _table(sheet: Sheet) -> Table:
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), title=sheet.title)
    for at, heading in enumerate(sheet.head):
        text = not at or heading == SOURCE
        table.add_column(heading, justify="left" if text else "right", no_wrap=heading != SOURCE)
    for row in sheet.rows:
        table.add_row(*row)
    return table
