"""A picture of the results of files: wins or digs, and times, of all players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan
from pathlib import Path

from bot.lab.results import Results, ResultsError, Summary, outcomes_of, summarise
from bot.lab.statistics import Interval
from bot.lab.worker import CLASSIC
from gui.commands.lab import put_together
from gui.console import Console
from gui.graphs import Graph, Line, draw


def plot_files(paths: Sequence[Path], names: Sequence[str], out: Path, console: Console) -> int:
    """Draw the results of files, merged if there are several.

    Raises:
        ResultsError: A file is invalid, they are of different boards, or nothing was played.
        GraphError: The picture cannot be written.
    """
    results, names = put_together(paths, names)
    graphs = [
        graph
        for place in range(len(results.plan.boards))
        for graph in graphs_of_set(results, place, names)
    ]
    if not graphs:
        raise ResultsError(f"{paths[0]}: nothing was played")
    draw(graphs, out)
    console.print(f"picture: {out}")
    return 0


def graphs_of_set(results: Results, place: int, names: Sequence[str]) -> list[Graph]:
    """Return two graphs of a set of boards with all players; none if it was not played."""
    games = [outcomes_of(results, place, name) for name in names]
    summaries = [summarise(found) for found in games if found]
    if not summaries:
        return []
    wins = results.plan.game == CLASSIC
    label = results.plan.labels[place]
    ticks = tuple((float(at), str(at)) for at in range(1, len(summaries) + 1))

    def graph(title: str, y: str, measure: Callable[[Summary], Interval]) -> Graph:
        lines = tuple(
            # Without a single decision there is no time.
            Line(f"{at}  {summary.player}", () if isnan(value.value) else ((float(at), value),))
            for at, summary in enumerate(summaries, start=1)
            for value in (measure(summary),)
        )
        return Graph(f"{label}: {title}", "", y, lines, ticks=ticks)

    return [
        graph("won, with 95 % intervals", "won, %", _won)
        if wins
        else graph("digs, with 95 % intervals", "tiles dug", lambda summary: summary.opened),
        graph("a decision, from its median to its 95 %", "ms", _milliseconds),
    ]


def _won(summary: Summary) -> Interval:
    return Interval(*(100 * part for part in summary.won))


def _milliseconds(summary: Summary) -> Interval:
    return Interval(1000 * summary.median, 1000 * summary.median, 1000 * summary.p95)
