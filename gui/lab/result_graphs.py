"""The graphs of results of the laboratory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite, isnan

from bot.lab.results import Results, Summary, outcomes_of, summarise
from bot.lab.statistics import Interval, mean
from bot.lab.worker import CLASSIC
from gui.graphs import Graph, Line
from gui.lab.sweeps import Sweep


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
