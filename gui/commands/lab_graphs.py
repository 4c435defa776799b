"""The graphs of source 002 and those of the solvers, as pictures and tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isfinite, isnan
from pathlib import Path
from typing import Final

from rich.table import Table

from bot.game import FirstClick, Level
from bot.lab.boards import BoardSet, draw_boards
from bot.lab.results import Results, ResultsError, Summary, outcomes_of, read_results, summarise
from bot.lab.statistics import Interval, mean
from bot.lab.worker import CLASSIC, DIGGING
from gui.commands.lab import LabOptions, check_players, play_sets, put_together
from gui.console import Console
from gui.graphs import Graph, GraphError, Line, draw
from gui.number_text import number_text


@dataclass(frozen=True)
class Sweep:
    """A series of board sets that grow in one way, with its players."""

    name: str
    """The file's name."""
    title: str
    x: str
    game: str
    players: tuple[str, ...]
    sizes: tuple[tuple[float, int, int, int], ...]
    """(x, rows, columns, mines)"""
    y: str
    first_click: FirstClick = FirstClick.NONE

    def sets(self, games: int, seed: int) -> list[BoardSet]:
        """Return the sets of boards."""
        return [
            draw_boards(Level(f"{at:g}", rows, cols, mines), games, seed, self.first_click)
            for at, rows, cols, mines in self.sizes
        ]


_HUNTERS: Final = ("algorithm-a", "algorithm-a-loose", "algorithm-b", "hunter")
_SOLVERS: Final = ("human", "perimeter", "backtracking", "local", "lookahead",
                   "consistency", "exact", "enumeration", "local-backtracking", "local-cache",
                   "local-lookahead", "local-improved")  # fmt: skip
"""Variants of the first ones come last and have dashed lines."""

SWEEPS: Final = (
    Sweep(
        "digs-by-size",
        "The game of digging, 10 mines",
        "rows and columns, tiles",
        DIGGING,
        _HUNTERS,
        tuple((side, side, side, 10) for side in (6, 8, 10, 12, 14, 16, 18, 20)),
        "tiles dug, mean",
    ),
    Sweep(
        "digs-by-density",
        "The game of digging, 20 x 20 tiles",
        "mines, % of the tiles",
        DIGGING,
        _HUNTERS,
        tuple((share, 20, 20, 4 * share) for share in (5, 10, 15, 20, 25, 30)),
        "tiles dug, mean",
    ),
    Sweep(
        "wins-by-density",
        "Minesweeper, 9 x 9 cells, the first one is safe",
        "mines, % of the cells",
        CLASSIC,
        _SOLVERS,
        tuple((round(100 * mines / 81, 1), 9, 9, mines) for mines in (4, 8, 10, 12, 16, 20, 24)),
        "won, %",
        FirstClick.SAFE,
    ),
)


class UnknownGraph(ValueError):
    """There is no graph of that name; the message lists the available ones."""


def run_graphs(options: LabOptions, names: Sequence[str], console: Console) -> int:
    """Play or resume the sweeps, and draw and print their results.

    Args:
        options: Games per board set, seed, workers and limits; `out` is a folder.
        names: Names of the sweeps; empty for all.
        console: Receives the output.

    Returns:
        The process's exit code: 130 if the user cancelled it.

    Raises:
        UnknownGraph: There is no such sweep.
        ResultsError: A file of results cannot be used.
        GraphError: A picture cannot be drawn.
    """
    known = {sweep.name: sweep for sweep in SWEEPS}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise UnknownGraph(f"there is no graph {unknown[0]!r}; there are: {', '.join(known)}")
    try:
        options.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GraphError(f"{options.out}: cannot be a folder for pictures: {error}") from error
    for sweep in [known[name] for name in names] or SWEEPS:
        if not _run(sweep, options, console):
            return 130
    return 0


def _run(sweep: Sweep, options: LabOptions, console: Console) -> bool:
    file = options.out / f"{sweep.name}.jsonl"
    wanted = replace(options, game=sweep.game, players=sweep.players, out=file)
    check_players(sweep.game, sweep.players)
    console.print(f"{sweep.title}: {', '.join(sweep.players)}")
    if not play_sets(sweep.sets(options.games, options.seed), wanted, console):
        return False
    graphs = graphs_of(sweep, read_results(file))
    for graph in graphs:
        console.print(_table(graph))
    picture = options.out / f"{sweep.name}.png"
    draw(graphs, picture)
    console.print(f"picture: {picture}")
    return True


def graphs_of(sweep: Sweep, results: Results) -> list[Graph]:
    """Return a sweep's graphs: its own measure, and the time per game."""
    wins = sweep.game == CLASSIC

    def measure(summary: Summary) -> Interval:
        return Interval(*(100 * part for part in summary.won)) if wins else summary.opened

    return [
        Graph(sweep.title, sweep.x, sweep.y, _lines(sweep, results, measure)),
        Graph(
            f"{sweep.title}: time",
            sweep.x,
            "ms a game, mean",
            _lines(sweep, results, _milliseconds),
            logarithmic=True,
        ),
    ]


def _milliseconds(summary: Summary) -> Interval:
    return mean([1000 / summary.rate])


def _lines(
    sweep: Sweep, results: Results, measure: Callable[[Summary], Interval]
) -> tuple[Line, ...]:
    lines = []
    for player in sweep.players:
        points = []
        for place, (at, *_) in enumerate(sweep.sizes):
            games = outcomes_of(results, place, player)
            if games:
                points.append((at, measure(summarise(games))))
        lines.append(Line(player, tuple(points)))
    return tuple(lines)


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


def graphs_of_sets(results: Results, names: Sequence[str]) -> list[Graph]:
    """Return the graphs of each set of boards that was played, with all players."""
    sets = range(len(results.plan.boards))
    return [graph for place in sets for graph in _graphs_of_set(results, place, names)]


def _graphs_of_set(results: Results, place: int, names: Sequence[str]) -> list[Graph]:
    """Return the graphs of a set of boards with all players; none if it was not played."""
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
        graph("won, with 95% intervals", "won, %", _win_interval)
        if wins
        else graph("digs, with 95% intervals", "tiles dug", lambda summary: summary.opened),
        graph("time a decision, median to 95th percentile", "ms", _time_interval),
        *([_strength(label, summaries)] if wins and len(summaries) > 1 else []),
    ]


def _strength(label: str, summaries: Sequence[Summary]) -> Graph:
    """Return the win rate of each player against its time a guess."""
    return Graph(
        f"{label}: strength against time",
        "processor time a guess, ms",
        "won, %",
        tuple(
            Line(
                f"{at}  {one.player}",
                ((1000 / one.rate / one.guesses.value, _win_interval(one)),)
                if one.guesses.value > 0 and isfinite(one.rate)
                else (),
            )
            for at, one in enumerate(summaries, start=1)
        ),
        logarithmic_x=True,
    )


def _win_interval(summary: Summary) -> Interval:
    return Interval(*(100 * part for part in summary.won))


def _time_interval(summary: Summary) -> Interval:
    return Interval(1000 * summary.median, 1000 * summary.median, 1000 * summary.p95)
