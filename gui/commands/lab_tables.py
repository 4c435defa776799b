"""What the laboratory found out, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, isnan

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from bot.lab.playing import DIGGING, Outcome
from bot.lab.results import Plan, Results
from bot.lab.statistics import Interval
from bot.lab.summary import Summary, fewer, of_player, paired, players, summarise


def print_results(results: Results, wanted: Sequence[str], console: Console) -> None:
    """One table for each set of boards, and one of the differences to the first player."""
    names = wanted or players(results)
    for place, label in enumerate(results.plan.labels):
        games = {name: of_player(results, place, name) for name in names}
        games = {name: found for name, found in games.items() if found}
        if not games:
            console.print(f"{label}: nothing was played", highlight=False)
            continue
        summaries = [summarise(found) for found in games.values()]
        console.print(_wins(results.plan, place, summaries))
        console.print(_times(results.plan, summaries))
        if len(games) > 1:
            console.print(_differences(results.plan, games))


def _wins(plan: Plan, place: int, summaries: Sequence[Summary]) -> Table:
    table = Table(
        box=SIMPLE_HEAD, padding=(0, 1, 0, 0), title=f"{plan.labels[place]} ({plan.boards[place]})"
    )
    digging = plan.game == DIGGING
    if digging:
        _head(table, "hunter", "games", "right lists", "digs", "unproved digs")
    else:
        _head(table, "solver", "games", "won %", "95 %", "opened", "guesses")
    for summary in summaries:
        value, low, high = (f"{100 * part:.2f}" for part in summary.won)
        share = (f"{value} %",) if digging else (value, f"{low} to {high}")
        counts = (_number(summary.opened), _number(summary.guesses))
        table.add_row(summary.player, f"{summary.games:,}", *share, *counts)
    return table


def _times(plan: Plan, summaries: Sequence[Summary]) -> Table:
    limit = "no limit" if plan.nodes is None else f"at most {plan.nodes:,} nodes"
    table = Table(
        box=SIMPLE_HEAD, padding=(0, 1, 0, 0), title=f"a decision, in ms of one core; {limit}"
    )
    _head(table, "", "median", "95 %", "worst", "games/s", "MB")
    for summary in summaries:
        table.add_row(
            summary.player,
            *(_milliseconds(s) for s in (summary.median, summary.p95, summary.worst)),
            f"{summary.rate:.3g}" if isfinite(summary.rate) else "-",
            "?" if summary.memory is None else f"{summary.memory / 2**20:.0f}",
        )
    return table


def _head(table: Table, name: str, *headings: str) -> None:
    table.add_column(name, no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)


def _differences(plan: Plan, games: dict[str, list[Outcome]]) -> Table:
    first, *others = games
    table = Table(
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        title=f"beside {first}, on the boards that both played",
    )
    if plan.game == DIGGING:
        _head(table, "", "digs less its digs", "95 %")
    else:
        _head(table, "", "won more", "95 %", "it alone", "not it", "McNemar p")
    for other in others:
        digs = fewer(games[other], games[first])
        compared = paired(games[other], games[first])
        if digs is None or compared is None:
            table.add_row(other, "no board in common")
        elif plan.game == DIGGING:
            table.add_row(other, f"{digs.value:+.2f}", f"{digs.low:+.2f} to {digs.high:+.2f}")
        else:
            value, low, high = (f"{100 * part:+.2f}" for part in compared.difference)
            wins = (compared.only_first, compared.only_second)
            table.add_row(other, value, f"{low} to {high}", *map(str, wins), f"{compared.p:.2g}")
    return table


def _number(value: Interval) -> str:
    return f"{value.value:.2f} ± {value.high - value.value:.2f}"


def _milliseconds(seconds: float) -> str:
    """A dash where nothing had to be decided."""
    return "-" if isnan(seconds) else f"{1000 * seconds:.3g}"
