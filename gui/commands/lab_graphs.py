"""The laboratory's graphs as pictures, and as tables in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from rich.table import Table

from bot.lab.results import ResultsError, read_results
from gui.commands.lab import play_order
from gui.console import Console
from gui.graphs import Graph, GraphError, draw
from gui.lab.result_graphs import graphs_of, graphs_of_sets
from gui.lab.runs import Order, sweep_named
from gui.lab.sheets import put_together
from gui.lab.sweeps import SWEEPS
from gui.number_text import number_text


def run_graphs(
    order: Callable[..., Order],
    out: Path,
    names: Sequence[str],
    scheduler: str | None,
    console: Console,
) -> int:
    """Play or resume the sweeps, and draw and print their results.

    Args:
        order: Makes an order, with the games per board set, seed, workers and limits.
        out: The folder for results and pictures.
        names: Names of the sweeps; empty for all.
        scheduler: As for `gui.lab.runs.play`.
        console: Receives the output.

    Returns:
        The process's exit code: 130 if the user cancelled it.

    Raises:
        OrderError: There is no such sweep.
        ResultsError: A file of results cannot be used.
        GraphError: A picture cannot be drawn.
    """
    sweeps = [sweep_named(name) for name in names] or SWEEPS
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GraphError(f"{out}: cannot be a folder for pictures: {error}") from error
    for sweep in sweeps:
        file, picture = out / f"{sweep.name}.jsonl", out / f"{sweep.name}.png"
        chosen = order(sweep=sweep.name, game=sweep.game, players=sweep.players)
        console.print(f"{sweep.title}: {', '.join(sweep.players)}")
        if not play_order(chosen, file, scheduler, console):
            return 130
        graphs = graphs_of(sweep, read_results(file))
        for graph in graphs:
            console.print(_table(graph))
        draw(graphs, picture)
        console.print(f"picture: {picture}")
    return 0


def _table(graph: Graph) -> Table:
    table = Table(title=f"{graph.title}: {graph.y}")
    table.add_column(graph.x, no_wrap=True)
    places = sorted({at for line in graph.lines for at, _ in line.points})
    for at in places:
        table.add_column(f"{at:g}", justify="right", no_wrap=True)
    for line in graph.lines:
        values = dict(line.points)
        cells = [number_text(values[at].value) if at in values else "" for at in places]
        table.add_row(line.name, *cells)
    return table


def plot_files(paths: Sequence[Path], names: Sequence[str], out: Path, console: Console) -> int:
    """Draw the results of files, merged if there are several.

    Raises:
        ResultsError: A file is invalid, they are of different boards, or nothing was played.
        GraphError: The picture cannot be written.
    """
    results, names = put_together(paths, names)
    graphs = graphs_of_sets(results, names)
    if not graphs:
        raise ResultsError(f"{paths[0]}: nothing was played")
    draw(graphs, out)
    console.print(f"picture: {out}")
    return 0
