"""The laboratory in the terminal: plays, shows the progress, and prints the results as tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

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
from bot.game import LEVELS, FirstClick, Level
from bot.lab.boards import BoardSet, draw_boards, read_boards
from bot.lab.pool import LocalWorkers, batch_size, pending_tasks, play_all
from bot.lab.published import Published, published
from bot.lab.results import (
    Plan,
    Results,
    ResultsError,
    ResultsFile,
    Summary,
    compare_opened,
    compare_wins,
    open_results,
    outcomes_of,
    players,
    read_results,
    summarise,
)
from bot.lab.results import (
    players as everybody,
)
from bot.lab.statistics import Interval
from bot.lab.worker import DIGGING, Outcome, check_player
from bot.loop import Stop
from bot.solver import SOLVERS
from bot.solver.warmup import IN_WORDS, PREPARATION, ROLLOUT_PREPARATION
from gui.console import Console
from gui.interrupt import stop_on_interrupt
from gui.logfile import start_logging
from gui.number_text import number_text, probability_text

SOURCE: Final = "source"
"""The heading of the column with citations."""


@dataclass(frozen=True)
class LabOptions:
    """The options of `minesweeper-bot lab`."""

    game: str
    players: tuple[str, ...]
    games: int
    boards: Path | None
    level: str
    size: tuple[int, int, int] | None
    """Rows, columns and mines, in place of a level."""
    first_click: FirstClick
    seed: int
    nodes: int | None
    workers: int | None
    scheduler: str | None
    out: Path
    rollouts: int = 0
    """Simulated games at each guess."""
    or_fewer: bool = False
    """Whether a file of boards may contain fewer than `games`."""


def run_lab(options: LabOptions, console: Console) -> int:
    """Play or resume the games for a file of results, and print the results.

    Returns:
        The process's exit code: 130 if the user cancelled it.

    Raises:
        UnknownSolver: A player is not known.
        BoardFileError: The file of boards is invalid.
        ResultsError: The file of results cannot be used.
        NoCluster: The scheduler does not answer.
    """
    check_players(options.game, options.players)
    boards = board_set(options)
    whole = play_sets([boards], options, console)
    with open_results(options.out, plan_of([boards], options)) as file:
        print_results(file.results, options.players, console)
    console.print(f"Results saved to {options.out}")
    return 0 if whole else 130


def play_sets(sets: Sequence[BoardSet], options: LabOptions, console: Console) -> bool:
    """Play the remaining games of sets of boards; return whether all have been played."""
    open_workers, workers = _workers(options)
    with open_results(options.out, plan_of(sets, options)) as file:
        _print_start(file, options, console)
        return _play(sets, options, file, open_workers, workers, console)


def _play(
    sets: Sequence[BoardSet],
    options: LabOptions,
    file: ResultsFile,
    open_workers: Callable[[], Executor],
    workers: int,
    console: Console,
) -> bool:
    outcomes = file.results.outcomes

    def done(boards: int, player: str, number: int) -> bool:
        return (boards, player, number) in outcomes

    total = sum(boards.count for boards in sets) * len(options.players)
    left = sum(len(task.specs) for task in pending_tasks(sets, options.players, done))
    work = pending_tasks(sets, options.players, done, batch_size(left, workers))
    stop = Stop()
    with ExitStack() as resources, _progress(console) as progress:
        # An exception during this would lose games.
        stop_on_interrupt(resources, stop)
        bar = progress.add_task("games", total=total, completed=total - left)
        try:
            if left and options.scheduler is None:
                # Once here, not once in each worker.
                needed = (PREPARATION, ROLLOUT_PREPARATION) if options.rollouts else (PREPARATION,)
                for preparation in needed:
                    preparation.wait(stop, lambda: console.print(IN_WORDS, style="dim"))
            with closing(
                play_all(
                    work,
                    open_workers,
                    workers,
                    options.game,
                    options.nodes,
                    stop,
                    options.rollouts,
                )
            ) as batches:
                for task, played in batches:
                    file.add(task.boards, played)
                    progress.advance(bar, len(played))
        except Cancelled:
            progress.stop()
            console.print(
                f"Interrupted: {len(outcomes)} games are kept. Run the same command to continue",
            )
            return False
    return True


def plan_of(sets: Sequence[BoardSet], options: LabOptions) -> Plan:
    """Return the plan for the file of results."""
    return Plan(
        options.game,
        tuple(boards.key for boards in sets),
        tuple(boards.label for boards in sets),
        options.nodes,
        options.rollouts,
    )


def names_of(game: str, text: str) -> tuple[str, ...]:
    """Return the comma-separated players, or all of a game for 'all'."""
    if text == "all":
        return tuple(HUNTERS if game == DIGGING else SOLVERS)
    return split_names(text)


def split_names(text: str) -> tuple[str, ...]:
    """Return comma-separated names without duplicates."""
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def show_files(paths: Sequence[Path], names: Sequence[str], console: Console) -> int:
    """Print the results of files, merged if there are several.

    Raises:
        ResultsError: A file is invalid, they are of different boards, or a player is missing.
    """
    results, names = put_together(paths, names)
    print_results(results, names, console)
    return 0


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
    known = everybody(results)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ResultsError(
            f"{unknown[0]!r} has no results here; solvers with results: {', '.join(known)}"
        )
    return results, tuple(names) or tuple(known)


def _rollouts(found: tuple[Results, Path]) -> int:
    return found[0].plan.rollouts


def check_players(game: str, players: Sequence[str]) -> None:
    """Check that all players are known before anything is played.

    Raises:
        UnknownSolver: A player is not; the message lists the known ones.
        UnknownGame: The game is not.
    """
    for player in players:
        check_player(game, player)


def board_set(options: LabOptions) -> BoardSet:
    """Return the requested boards.

    Raises:
        BoardFileError: The file of boards is invalid.
        ImpossibleBoards: The size is impossible.
    """
    if options.boards is not None:
        found = read_boards(options.boards, None if options.or_fewer else options.games)
        return replace(found, count=min(found.count, options.games))
    level = LEVELS[options.level]
    if options.size is not None:
        rows, cols, mines = options.size
        level = Level(f"{cols} x {rows}, {mines} mines", rows, cols, mines)
    first_click = FirstClick.NONE if options.game == DIGGING else options.first_click
    return draw_boards(level, options.games, options.seed, first_click)


def _workers(options: LabOptions) -> tuple[Callable[[], Executor], int]:
    if options.scheduler is None:
        workers = options.workers or os.cpu_count() or 1
        return partial(LocalWorkers, workers, prepare=start_logging), workers
    from gui.cluster import connect  # noqa: PLC0415 - an optional extra

    return connect(options.scheduler)


def _print_start(file: ResultsFile, options: LabOptions, console: Console) -> None:
    played = len(file.results.outcomes)
    if played:
        console.print(f"{options.out}: continuing after {played} games")


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


@dataclass(frozen=True)
class Sheet:
    """A table of texts; the first column names the player."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """Each row has the length of the head, or less if there are no values."""
    note: str = ""
    """Sentences that say what the table means."""


def print_results(results: Results, wanted: Sequence[str], console: Console) -> None:
    """Print a table for each set of boards, and the differences to the first player."""
    for sheet in sheets_of(results, wanted):
        if sheet.rows:
            console.print(_table(sheet))
            if sheet.note:
                console.print(sheet.note)
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
        if results.plan.game != DIGGING and (figures := published(results.plan.boards[place])):
            sheets.append(_cited(figures))
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
        text = not at or heading == SOURCE
        table.add_column(heading, justify="left" if text else "right", no_wrap=heading != SOURCE)
    for row in sheet.rows:
        table.add_row(*row)
    return table


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
