"""The parts of the documents that hold figures: each is written here, from results alone.

A document says where with `<!-- report:NAME -->...<!-- /report -->`; what stands between the
two is made anew by `python -m tests.report`. A figure that was not measured is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from tests.report.results import Result

_BOARDS: Final = {
    "boards_expert_classic": "Expert, first cell safe",
    "boards_expert_modern": "Expert, first click opens a zero",
    "boards_intermediate_classic": "Intermediate, first cell safe",
    "boards_beginner_classic": "Beginner, first cell safe",
    "all": "all",
}
"""As the benchmark calls them, and in words."""


def strength(result: Result) -> str:
    """Return the share of games won, without intervals."""
    rows = [
        (_BOARDS[row["boards"]], row["games"], _bare(row["won"]), _bare(row["the other"]))
        for row in result.sheet("the same boards").named()
        if row["boards"] in _BOARDS
    ]
    return f"{_lines(('boards', 'games', 'won, %', 'best known player, %'), rows)}{_source(result)}"


def record(result: Result) -> str:
    """Return the games won on the record holder's own boards."""
    rows = (
        (_BOARDS[row["boards"]], row["games"], row["won"], row["the other"], row["difference"])
        for row in result.sheet("the same boards").named()
        if row["boards"] in _BOARDS
    )
    head = ("boards", "games", "won, %", "the record holder, %", "difference, %")
    return _table(head, rows, result)


def fresh(result: Result) -> str:
    """Return the games won on boards of our own."""
    sheet = result.sheet("^fresh boards")
    rows = [[row["boards"], row["games"], row["won"]] for row in sheet.named()]
    return _table(("boards drawn by seed", "games", "won, %"), rows, result)


def solver(result: Result) -> str:
    """Return the time of a decision, beside another library."""
    sheet = result.sheet("^Expert positions")
    rows = [[f"`{row['by']}`", *list(row.values())[1:]] for row in sheet.named()]
    return _table(("exact probabilities, µs", *sheet.columns[1:]), rows, result)


def speed(solved: Result, started: Result, found: Result, played: Result, stopped: Result) -> str:
    """Return one time for each stage of playing."""
    decision = solved.sheet("^Expert positions").named()[0]
    screen = next(row for row in found.sheet("^Find one of").rows if "1920" in row[0])
    games = played.sheet("^Whole games").named()
    game = next(row for row in games if row["program"] == "simulated")
    first = next(
        row
        for row in started.sheet("^The first start").named()
        if row["level"] == "expert" and row["machine code"] == "none"
    )
    rows = [
        ("exact probabilities of an Expert position, median", f"{decision['median']} µs", solved),
        ("finding a board on a screen of 1920x1080, median", f"{screen[1]} ms", found),
        ("a won Expert game in the built-in game", f"{game['s']} s", played),
        ("from the stop key to the last click, 99 % of stops", f"{_slowest(stopped)} ms", stopped),
        ("from the very first start to the first click", f"{first['first click']} s", started),
    ]
    lines = [(what, time, f"`{result.name}`, {result.date}") for what, time, result in rows]
    return _lines(("what", "time", "benchmark"), lines)


def finding(result: Result) -> str:
    """Return the time to find a board, beside pyautogui."""
    rows = [[row[0], row[1], row[5], row[6]] for row in result.sheet("^Find one of").rows]
    head = (
        "screen",
        "a board found, ms",
        "`pyautogui.locateAllOnScreen` of one tile, ms",
        "times faster",
    )
    return _table(head, rows, result)


def stopkey(result: Result) -> str:
    """Return the time that a stop takes."""
    sheet = result.sheet("of each kind")
    return _table(("what", "while the bot is", *sheet.columns[2:]), sheet.rows, result)


def _slowest(result: Result) -> str:
    rows = result.sheet("of each kind").named()
    stops = (row for row in rows if row["what"] == "the stop key" and "last event" in row["until"])
    return max((row["p99"] for row in stops), key=float)


def reliability(result: Result) -> str:
    """Return what went wrong in unattended games, a row for each program."""
    columns = ("games", "events", "misreads", "stray", "ended early", "stuck")
    totals: dict[str, list[int]] = {}
    for row in result.sheet("^Real programs").named():
        numbers = [int(row[column]) for column in columns]
        before = totals.setdefault(row["program"], [0] * len(columns))
        totals[row["program"]] = [a + b for a, b in zip(before, numbers, strict=True)]
    rows = [
        ("built-in" if program == "simulated" else program, *(f"{number:,}" for number in total))
        for program, total in totals.items()
    ]
    head = (
        "program",
        "games",
        "clicks and keys",
        "misread tiles",
        "outside the game",
        "ended early",
        "stuck",
    )
    return f"{_lines(head, rows)}{_source(result)}"


def programs(result: Result) -> str:
    """Return the unattended games of each program and level."""
    columns = ("program", "level", "games", "won", "s a game", "events", "stray", "misreads",
               "ended early", "stuck")  # fmt: skip
    rows = (
        [*(row[column] for column in columns), f"{row['MB at 20']}, {row['at the end']}"]
        for row in result.sheet("^Real programs").named()
    )
    head = (*columns[:5], "events sent", *columns[6:], "MB after 20 games, at the end")
    return _table(head, rows, result)


def playing(result: Result) -> str:
    """Return the time of whole games, and the bot's share of it."""
    columns = ("program", "level", "won", "s", "overhead", "bot / all")
    rows = ([row[column] for column in columns] for row in result.sheet("^Whole games").named())
    head = (
        "program",
        "level",
        "won",
        "s a game",
        "the bot's share",
        "bot / the same clicks sent blindly",
    )
    return _table(head, rows, result)


def start(result: Result) -> str:
    """Return the time to the first click, with and without machine code on the disk."""
    sheet = result.sheet("^The first start")
    head = ("level", "machine code", "first click, s", "longest decision, s")
    return _table(head, sheet.rows, result)


def compiler(result: Result) -> str:
    """Return the time to compile each part, and its slowest functions."""
    parts = result.sheet("^Compiler").rows
    functions = result.sheet("^Slowest").rows
    head = ("part", "function", "processor s")
    return _lines(("compiled", "functions", "s"), parts) + "\n\n" + _table(head, functions, result)


def uncompiled(result: Result) -> str:
    """Return what is won by decisions in Python alone."""
    sheet = result.sheet("^Games decided without")
    head = (*sheet.columns[:4], "waited for the compiler", "ms a decision", "worst, ms")
    return _table(head, sheet.rows, result)


BLOCKS: Final[Mapping[str, tuple[tuple[str, ...], Callable[..., str]]]] = {
    "strength": (("strength",), strength),
    "record": (("strength",), record),
    "fresh": (("strength",), fresh),
    "solver": (("solver",), solver),
    "speed": (("solver", "start", "finding", "playing", "stopkey"), speed),
    "finding": (("finding",), finding),
    "stopkey": (("stopkey",), stopkey),
    "reliability": (("programs",), reliability),
    "programs": (("programs",), programs),
    "playing": (("playing",), playing),
    "start": (("start",), start),
    "compiler": (("start",), compiler),
    "uncompiled": (("start",), uncompiled),
}
"""A part's name -> the benchmarks whose results it needs, and what writes it."""


def _source(result: Result) -> str:
    """Return when and how a table was measured, without the machine."""
    return f"\n\n<sub>{result.date}, `make report ONLY={result.name}`</sub>"


def _bare(share: str) -> str:
    """Return a share without its interval."""
    return share.partition(" [")[0]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], result: Result) -> str:
    return f"{_lines(head, rows)}\n\n<sub>{result.conditions}</sub>"


def _lines(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"|{'|'.join(cells)}|" for cells in lines)
