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
    """Games won on the record holder's own boards."""
    rows = (
        (_BOARDS[row["boards"]], row["games"], row["won"], row["the other"], row["difference"])
        for row in result.sheet("the same boards").named()
        if row["boards"] in _BOARDS
    )
    head = ("boards", "games", "won, %", "the record holder, %", "difference, %")
    return _part(
        "Games won on the boards of the best player known to us, which come with its results:",
        head,
        rows,
        result,
    )


def fresh(result: Result) -> str:
    """Games won on boards of our own."""
    sheet = result.sheet("^fresh boards")
    rows = [[row["boards"], row["games"], row["won"]] for row in sheet.named()]
    return _part(
        "And on boards of our own:", ("boards drawn by seed", "games", "won, %"), rows, result
    )


def solver(result: Result) -> str:
    """What a decision costs, beside another library."""
    sheet = result.sheet("^Expert positions")
    rows = [[f"`{row['by']}`", *list(row.values())[1:]] for row in sheet.named()]
    head = ("exact probabilities, µs", *sheet.columns[1:])
    return _part(
        "What a decision of the exact solver costs, beside another library:", head, rows, result
    )


def finding(result: Result) -> str:
    """What it costs to find a board, beside pyautogui."""
    sheet = result.sheet("^Find one of")
    rows = [[row[0], row[1], row[5], row[6]] for row in sheet.rows]
    head = (
        "screen",
        "a board found, ms",
        "`pyautogui.locateAllOnScreen` of one tile, ms",
        "times faster",
    )
    return _part("To find a board on a whole screen:", head, rows, result)


def stopkey(result: Result) -> str:
    """How long a stop takes."""
    rows = [row for row in result.sheet("stop key").named() if "last event" in row["until"]]
    worst = max(rows, key=lambda row: float(row["p99"]))
    return (
        f"From the stop key to the last click pass at most {worst['p99']} ms (99 % of the stops "
        f"while it {worst['pressed while']}, the slowest case; worst {worst['worst']} ms; "
        f"{result.conditions})."
    )


def programs(result: Result) -> str:
    """The real programs, played unattended."""
    columns = ("program", "level", "games", "won", "s a game", "events", "stray", "misreads",
               "ended early", "stuck")  # fmt: skip
    rows = (
        [*(row[column] for column in columns), f"{row['MB at 20']}, {row['at the end']}"]
        for row in result.sheet("^Real programs").named()
    )
    head = (*columns[:5], "events sent", *columns[6:], "MB after 20 games, at the end")
    return _part(
        "Played unattended, game after game, every recording held against the mines that its end "
        "revealed. WineMine deals by the second: a board that was lost at once comes again.",
        head,
        rows,
        result,
    )


def playing(result: Result) -> str:
    """How fast whole games are played, and what of that is ours."""
    rows = (
        [row["program"], row["level"], row["won"], row["s"], row["overhead"], row["bot / all"]]
        for row in result.sheet("^Whole games").named()
    )
    head = (
        "program",
        "level",
        "won",
        "s a game",
        "ours of that",
        "bot / the same clicks sent blindly",
    )
    return _part("Whole games, and what of their time is ours:", head, rows, result)


BLOCKS: Final[Mapping[str, tuple[str, Callable[[Result], str]]]] = {
    "strength": ("strength", strength),
    "fresh": ("strength", fresh),
    "solver": ("solver", solver),
    "finding": ("finding", finding),
    "stopkey": ("stopkey", stopkey),
    "programs": ("programs", programs),
    "playing": ("playing", playing),
}
"""A part's name -> the benchmark whose result it needs, and what writes it."""


def _part(words: str, head: Sequence[str], rows: Iterable[Sequence[str]], result: Result) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return f"{words}\n\n{table}\n\n<sub>{result.conditions}</sub>"
