r"""Play unknown programs by the command for the first time, with a user who answers.

    python -m tests.benchmarks.unknown [OPTION ...]

    (none)                    all combinations, 20 games each: hours
    --games 3 --part rest     those that may be looked at
    --only 'gtk art=flat'     those whose options contain all these words
    --only 17                 a number of `python -m tests.support.family`
    --only 'qt art=flat flood=orthogonal'   any other, with an option of no combination
    --into FILE               continues: what FILE holds is not played again

Each combination of `tests.support.family` is played by `minesweeper-bot play --yes` in a terminal,
on a screen and with a data folder of its own (`tests.support.unknown`). A third of the combinations
is held out: nothing may be tuned on them, so only their totals are printed unless `--show-held-out`
asks for more. 'restarts' counts the games after the first, 'asked' the questions how to start one.
Questions, misreads and the message of an early end are printed after each combination. `--keep
FOLDER` keeps the recordings, the command's output and the program's reports.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rich.table import Table

from bot.lab.statistics import wilson
from bot.solver.warmup import PREPARATION
from tests.support.family.options import Options, combinations, held_out
from tests.support.unknown import Outcome, play_unknown
from tests.tools.report.console import Console

_COLUMNS = ("combinations", "found", "questions", "games", "won", "misreads", "unread", "restarts",
            "asked", "s/game", "ended early")  # fmt: skip


def table(numbers: dict[str, int], outcomes: Sequence[Outcome], *, show_held_out: bool) -> Table:
    """Return the table: a row for each combination that may be seen, and totals."""
    made = Table(title="Unknown programs, met for the first time")
    for column in _COLUMNS:
        made.add_column(column, justify="left" if column == "combinations" else "right")
    parts = {"held out": [], "not held out": []}
    for outcome in outcomes:
        out = held_out(Options.parse(outcome.options))
        parts["held out" if out else "not held out"].append(outcome)
        if not out or show_held_out:
            name = " ".join(outcome.options.replace("art=", "").split()[:2])
            made.add_row(f"{numbers.get(outcome.options, '')} {name}", *_row([outcome]))
    made.add_section()
    for name, part in parts.items():
        if part:
            made.add_row(f"{len(part)} {name}", *_row(part))
    return made


def _row(outcomes: Sequence[Outcome]) -> list[str]:
    games, won = (sum(getattr(one, name) for one in outcomes) for name in ("played", "won"))
    rate = f" ({wilson(won, games).low:.0%} to {wilson(won, games).high:.0%})" if games else ""
    seconds = sum(one.seconds for one in outcomes)
    alone = sum(not one.sentence and len(one.questions) < 2 for one in outcomes)
    played_alone = f"; at most one in {alone} that were played" if len(outcomes) > 1 else ""
    return [
        f"{sum(one.found for one in outcomes)} of {len(outcomes)}",
        f"{sum(len(one.questions) for one in outcomes)}{played_alone}",
        str(games),
        f"{won}{rate}",
        str(sum(one.misreads for one in outcomes)),
        str(sum(one.unread for one in outcomes)),
        str(sum(one.restarts for one in outcomes)),
        str(sum(one.asked_restart for one in outcomes)),
        f"{seconds / games:.1f}" if games else "",
        str(sum(bool(one.sentence) for one in outcomes)),
    ]


def notes(outcome: Outcome) -> list[str]:
    """Return the notes on a combination besides its row."""
    said = [f"asked {what}, {times} times" if times > 1 else f"asked {what}"
            for what, times in Counter(outcome.questions).items()]  # fmt: skip
    said += [f"read {what}" for what in outcome.wrong]
    said += [f"{outcome.misplaced} turns have the board elsewhere"] if outcome.misplaced else []
    said += [f"{outcome.early} clicks were too short for it"] if outcome.early else []
    said += [f"ended with {outcome.code}: {outcome.sentence}"] if outcome.sentence else []
    return said


def kept(file: Path) -> list[Outcome]:
    """Return the results of earlier runs in a file."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [Outcome(**json.loads(line)) for line in lines]


def chosen(only: str, part: str) -> list[Options]:
    """Return the requested combinations."""
    known = combinations()
    if only.isdecimal():
        return [known[int(only)]]
    if "flood=" in only:
        return [Options.parse(only)]
    wanted = [one for one in known if set(only.split()) <= set(str(one).split())]
    return [one for one in wanted if part == "all" or held_out(one) == (part == "held-out")]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.unknown",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--only", default="", metavar="SUBSET")
    parser.add_argument("--part", choices=["all", "held-out", "rest"], default="all")
    parser.add_argument("--style", default="no flags", help="see minesweeper-bot play")
    parser.add_argument("--mines", action="store_true", help="tell the command how many there are")
    parser.add_argument("--into", type=Path, metavar="FILE", help="results, a line a combination")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="what was recorded")
    parser.add_argument("--show-held-out", action="store_true")
    asked = parser.parse_args(arguments)
    console = Console()
    # Ended from outside, it still ends the programs that it has started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # The first start on a machine compiles for a minute, which is not due to a program.
    PREPARATION.wait()
    numbers = {str(one): number for number, one in enumerate(combinations())}
    outcomes = kept(asked.into) if asked.into else []
    known = {outcome.options for outcome in outcomes}
    with suppress(KeyboardInterrupt):
        for options in chosen(asked.only, asked.part):
            if str(options) in known:
                continue
            with tempfile.TemporaryDirectory(
                prefix="unknown-", ignore_cleanup_errors=True
            ) as folder:
                further = ["--style", asked.style]
                further += ["--mines", str(options.size[2])] if asked.mines else []
                outcome = play_unknown(options, asked.games, Path(folder), further)
                if asked.keep:
                    kept_in = asked.keep / str(numbers.get(str(options), options.flood))
                    shutil.rmtree(kept_in, ignore_errors=True)
                    shutil.copytree(Path(folder) / "bot", kept_in)
            outcomes.append(outcome)
            if asked.into:
                with asked.into.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(dataclasses.asdict(outcome)) + "\n")
            if not held_out(options) or asked.show_held_out:
                console.print(f"{numbers.get(str(options), '')} {options}", highlight=False)
                for note in notes(outcome):
                    console.print(f"    {note}", highlight=False, markup=False)
    console.print(table(numbers, outcomes, show_held_out=asked.show_held_out))
    return int(any(outcome.misreads or outcome.sentence for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
