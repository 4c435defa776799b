"""The laboratory's results as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.box import SIMPLE_HEAD
from rich.table import Table

from bot.lab.results import (
    Plan,
    Results,
    Summary,
    compare_opened,
    compare_wins,
    outcomes_of,
    players,
    summarise,
)
from bot.lab.statistics import Interval
from bot.lab.worker import DIGGING, Outcome
from gui.console import Console
from gui.number_text import number_text, probability_text


@dataclass(frozen=True)
class Sheet:
    """A table of texts; the first column names the player."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """Each as long as the head, or shorter if there are no values."""


def print_results(results: Results, wanted: Sequence[str], console: Console) -> None:
    """Print a table for each set of boards, and the differences to the first player."""
    for sheet in sheets_of(results, wanted):
        if sheet.rows:
            console.print(_table(sheet))
        else:
            console.print(sheet.title)


def sheets_of(results: Results, wanted: Sequence[str]) -> list[Sheet]:
    """Return wins and times for each set of boards, and the differences to the first player.

    A set without games gives a sheet without rows, whose title states that.
    """
    names = wanted or players(results)
    sheets = []
    for place, label in enumerate(results.plan.labels):
        games = {name: outcomes_of(results, place, name) for name in names}
        games = {name: found for name, found in games.items() if found}
        if not games:
            sheets.append(Sheet(f"{label}: nothing was played", (), ()))
            continue
        summaries = [summarise(found) for found in games.values()]
        sheets.append(_wins(results.plan, place, summaries))
        sheets.append(_times(results.plan, summaries))
        if len(games) > 1:
            sheets.append(_differences(results.plan, games))
    return sheets


def share_text(won: Interval) -> tuple[str, str]:
    """Return a share of wins in percent, and its interval."""
    value, low, high = (f"{100 * part:.2f}" for part in won)
    return value, f"{low} to {high}"


def _table(sheet: Sheet) -> Table:
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), title=sheet.title)
    for at, heading in enumerate(sheet.head):
        table.add_column(heading, justify="right" if at else "left", no_wrap=True)
    for row in sheet.rows:
        table.add_row(*row)
    return table


def _wins(plan: Plan, place: int, summaries: Sequence[Summary]) -> Sheet:
    digging = plan.game == DIGGING
    head = (
        ("hunter", "games", "right lists", "digs", "unproved digs")
        if digging
        else ("solver", "games", "won %", "95 %", "opened", "guesses")
    )
    rows = []
    for summary in summaries:
        value, interval = share_text(summary.won)
        share = (f"{value} %",) if digging else (value, interval)
        counts = (_number(summary.opened), _number(summary.guesses))
        rows.append((summary.player, f"{summary.games:,}", *share, *counts))
    return Sheet(f"{plan.labels[place]} ({plan.boards[place]})", head, tuple(rows))


def _times(plan: Plan, summaries: Sequence[Summary]) -> Sheet:
    limit = "no limit" if plan.nodes is None else f"at most {plan.nodes:,} nodes"
    if plan.rollouts:
        limit += f"; {plan.rollouts:,} games simulated at a guess"
    rows = tuple(
        (
            summary.player,
            *(_milliseconds(s) for s in (summary.median, summary.p95, summary.worst)),
            number_text(summary.rate),
            "?" if summary.memory is None else f"{summary.memory / 2**20:.0f}",
        )
        for summary in summaries
    )
    head = ("", "median", "95 %", "worst", "games/s", "MB")
    return Sheet(f"time per move, in ms on one core; {limit}", head, rows)


def _differences(plan: Plan, games: dict[str, list[Outcome]]) -> Sheet:
    first, *others = games
    head: tuple[str, ...] = (
        "",
        "won more",
        "95 %",
        "only it won",
        "only the other won",
        "McNemar p",
    )
    if plan.game == DIGGING:
        head = ("", "digs less its digs", "95 %")
    rows = tuple((other, *_difference(plan, games[other], games[first])) for other in others)
    return Sheet(f"compared with {first}, on the boards that both played", head, rows)


def _difference(plan: Plan, one: list[Outcome], first: list[Outcome]) -> tuple[str, ...]:
    digs, compared = compare_opened(one, first), compare_wins(one, first)
    if digs is None or compared is None:
        return ("no board in common",)
    if plan.game == DIGGING:
        return f"{digs.value:+.2f}", f"{digs.low:+.2f} to {digs.high:+.2f}"
    value, low, high = (f"{100 * part:+.2f}" for part in compared.difference)
    wins = (str(compared.only_first), str(compared.only_second))
    return value, f"{low} to {high}", *wins, probability_text(compared.p)


def _number(value: Interval) -> str:
    return f"{value.value:.2f} ± {value.high - value.value:.2f}"


def _milliseconds(seconds: float) -> str:
    """Return a time in milliseconds; a dash if there were no decisions."""
    return number_text(1000 * seconds)
