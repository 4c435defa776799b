"""The results of the laboratory as tables of texts, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from bot.lab.published import Published, published
from bot.lab.results import (
    Plan,
    Results,
    ResultsError,
    Summary,
    compare_opened,
    compare_wins,
    outcomes_of,
    players,
    read_results,
    summarise,
)
from bot.lab.statistics import Interval
from bot.lab.worker import DIGGING, Outcome
from gui.number_text import number_text, probability_text

SOURCE: Final = "source"
"""The heading of the column with citations."""


@dataclass(frozen=True)
class Sheet:
    """A table of texts; the first column names the player."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """Each row has the length of the head, or less if there are no values."""
    note: str = ""
    """Sentences that say what the table means."""


def put_together(paths: Sequence[Path], names: Sequence[str]) -> tuple[Results, tuple[str, ...]]:
    """Return the merged results of files on the same boards, and the players; default: all.

    If their numbers of simulated games differ, the players are distinguished by them. If two files
    have the same player on the same board, the later one's are distinguished by their file's name.

    Raises:
        ResultsError: A file is invalid, they are of different boards, or a player is missing.
    """
    # Several levels of strength are listed from the weakest.
    found = sorted(((read_results(path), path) for path in paths), key=_rollouts)
    read = [results for results, _ in found]
    first, plan = read[0], read[0].plan
    levels = {one.plan.rollouts for one in read}
    if len(levels) > 1:
        plan = replace(plan, rollouts=0)
    outcomes: dict[tuple[int, str, int], Outcome] = {}
    for one, path in found:
        reason = plan.differs(replace(one.plan, rollouts=plan.rollouts))
        if reason is not None:
            raise ResultsError(f"{path} cannot be compared with {found[0][1]}: {reason}")
        simulated = f", {one.plan.rollouts:,} simulations" if len(levels) > 1 else ""
        before = set(outcomes)
        for (boards, player, number), outcome in one.outcomes.items():
            name = f"{player}{simulated}"
            if (boards, name, number) in before:
                name = f"{name} ({path.stem})"
            outcomes[boards, name, number] = replace(outcome, player=name)
    results = Results(plan, outcomes, first.players_version)
    known = players(results)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ResultsError(
            f"{unknown[0]!r} has no results here; solvers with results: {', '.join(known)}"
        )
    return results, tuple(names) or tuple(known)


def _rollouts(found: tuple[Results, Path]) -> int:
    return found[0].plan.rollouts


def sheets_of(results: Results, wanted: Sequence[str]) -> list[Sheet]:
    """Return wins, the differences to the first player, and times for each set of boards.

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
        if len(games) > 1:
            sheets.append(_differences(results.plan, games))
        if results.plan.game != DIGGING and (figures := published(results.plan.boards[place])):
            sheets.append(_cited(figures))
        sheets.append(_times(results.plan, summaries))
    return sheets


def share_text(won: Interval) -> tuple[str, str]:
    """Return a share of wins in percent, and its interval."""
    value, low, high = (f"{100 * part:.2f}" for part in won)
    return value, f"{low} to {high}"


def _wins(plan: Plan, place: int, summaries: Sequence[Summary]) -> Sheet:
    digging = plan.game == DIGGING
    head = (
        ("hunter", "games", "right lists", "digs", "unproved digs")
        if digging
        else ("solver", "games", "won %", "95% interval", "opened", "guesses")
    )
    rows = []
    for summary in summaries:
        value, interval = share_text(summary.won)
        share = (f"{value}%",) if digging else (value, interval)
        counts = (_number(summary.opened), _number(summary.guesses))
        rows.append((summary.player, f"{summary.games:,}", *share, *counts))
    return Sheet(f"{plan.labels[place]} ({plan.boards[place]})", head, tuple(rows))


def _cited(figures: Sequence[Published]) -> Sheet:
    rows = tuple((one.player, f"{one.won:g}", one.games, one.source) for one in figures)
    return Sheet("published, on other boards of this kind", ("", "won %", "games", SOURCE), rows)


def _times(plan: Plan, summaries: Sequence[Summary]) -> Sheet:
    limit = "no limit" if plan.nodes is None else f"at most {plan.nodes:,} nodes"
    if plan.rollouts:
        limit += f"; {plan.rollouts:,} games simulated at a guess"
    rows = tuple(
        (
            summary.player,
            *(number_text(1000 * s) for s in (summary.median, summary.p95, summary.worst)),
            number_text(summary.rate),
            "?" if summary.memory is None else f"{summary.memory / 2**20:.0f}",
        )
        for summary in summaries
    )
    head = ("", "median", "95% within", "worst", "games/s", "MB")
    return Sheet(f"time per move, in ms on one core; {limit}", head, rows)


def _differences(plan: Plan, games: dict[str, list[Outcome]]) -> Sheet:
    first, *others = games
    head: tuple[str, ...] = (
        "",
        "points more",
        "95% interval",
        "only it won",
        "only the other won",
        "McNemar p",
    )
    if plan.game == DIGGING:
        head = ("", "digs less its digs", "95% interval")
    rows = tuple((other, *_difference(plan, games[other], games[first])) for other in others)
    notes = () if plan.game == DIGGING else (_in_words(games, other, first) for other in others)
    title = f"compared with {first}, on the boards that both played"
    return Sheet(title, head, rows, "\n".join(filter(None, notes)))


def _in_words(games: dict[str, list[Outcome]], one: str, other: str) -> str:
    """Return who wins more, by how much, and whether that is certain; empty if unknown."""
    compared = compare_wins(games[one], games[other])
    if compared is None:
        return ""
    value, low, high = (100 * part for part in compared.difference)
    unsure = "not certain, play more games"
    if value == 0:
        return f"{one} and {other} win equally often ({low:.1f} to {high:.1f} points): {unsure}."
    if value < 0:
        one, other, value, low, high = other, one, -value, -high, -low
    sure = "the difference is certain" if low > 0 else unsure
    return f"{one} wins {value:.1f} points more than {other} ({low:.1f} to {high:.1f}): {sure}."


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
