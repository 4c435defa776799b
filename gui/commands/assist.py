"""Advice in the terminal beside a game that the user plays."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack, closing

from rich.text import Text

from bot.assist.coach import Verdict, review_game
from bot.assist.watcher import WatchedTurn
from bot.frame import Status
from bot.loop import Stop
from bot.solver.explain import explain
from bot.solver.warmup import IN_WORDS, PREPARATION
from gui.commands.play import stop_on_interrupt
from gui.commands.terminal_operator import operator_of
from gui.console import Console
from gui.interrupt import INTERRUPTED
from gui.settings import load
from vision.desktop import require_real_desktop

_BLOCKED = "something covers the board: waiting until it is gone"


def run_assist(window: str, mines: int | None, console: Console, *, record: bool) -> int:
    """Watch a window until Ctrl-C, and print the advice after each move.

    Returns:
        The process's exit code.

    Raises:
        DisplayError: No window can be watched here.
        Exception: As the reader raises them.
    """
    require_real_desktop(console.print)
    # Imported here, because the reader opens the display.
    from gui.runner.backend import Desktop  # noqa: PLC0415

    stop = Stop()
    settings = load().model_copy(update={"mines": mines, "record": record, "digging": False})
    with ExitStack() as resources:
        stop_on_interrupt(resources, stop)
        PREPARATION.begin()
        if PREPARATION.compiling:
            console.print(IN_WORDS)
        console.print("you play; nothing is clicked. Press Ctrl-C to end", style="dim")
        turns = Desktop().assist(window, lambda: settings, operator_of(console, None, stop))
        with closing(turns):  # type: ignore[type-var]  # a generator
            print_turns(turns, console)
    return INTERRUPTED if stop.is_set() else 0


def print_turns(turns: Iterable[WatchedTurn], console: Console) -> None:
    """Print each turn's advice, the verdicts on the previous moves, and each game's review."""
    verdicts: list[Verdict] = []
    for turn in turns:
        if turn.number == 0 and not turn.verdicts:
            verdicts.clear()
        verdicts += turn.verdicts
        for verdict in turn.verdicts:
            if str(verdict):
                console.print(Text(f"  {verdict}", "yellow"), soft_wrap=True)
        status = turn.reading.status
        if status is Status.BLOCKED:
            console.print(Text(_BLOCKED, "dim"))
        elif turn.verdicts and status.over:
            found = review_game(verdicts, status)
            for line in (found.headline, f"{found.statistics}.", *found.points):
                console.print(line, soft_wrap=True)
        elif not turn.verdicts and turn.analysis is not None and turn.analysis.reason != "":
            console.print(_advice(turn), soft_wrap=True)


def _advice(turn: WatchedTurn) -> str:
    """Return a turn's advice: '12: open row 4, column 5: safe: ...'."""
    assert turn.analysis is not None  # noqa: S101 - only called with an analysis
    where = ", ".join(f"open {move.cell.position_text}" for move in turn.moves if move.cell)
    reason = explain(turn.reading.board, turn.analysis).reason
    return f"{turn.number}: {where or 'nothing to open'}: {reason}"
