"""Options that several commands share, and commands that refuse empty texts.

An empty part of a title matches every title, and an empty path is the working folder.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal

import typer
from typer.core import TyperCommand, TyperGroup

from bot.game import Level
from gui.logfile import be_verbose, log_start
from vision.plaintext import one_line

MOST_GAMES: Final = 1_000_000
MOST_SEED: Final = 2**31 - 1
"""The limit in the settings, the laboratory's page and the built-in game."""

Mines = Annotated[
    int | None,
    typer.Option(min=1, max=10_000, help="Number of mines, if neither counter nor size shows it."),
]
Digging = Annotated[
    bool, typer.Option(help="Play the other game: find all mines with the fewest digs.")
]
_EMPTY: Final = "the text is empty: enter one, or leave the option out"


def _log_in_detail(wanted: bool) -> None:
    if wanted:
        be_verbose()


Verbose = Annotated[
    bool,
    typer.Option(
        "--verbose",
        callback=_log_in_detail,
        help="Log in detail, with titles of windows, to the log file and to standard error.",
    ),
]


LevelName = Literal["beginner", "intermediate", "expert"]
LookName = Literal["classic", "flat", "dark", "rounded"]
"""The looks of the built-in game."""


def _parse_size(text: str) -> Level:
    parts = re.fullmatch(r"([0-9]{1,9})x([0-9]{1,9})x([0-9]{1,9})", text.lower())
    if parts is None:
        raise typer.BadParameter(f"'{text}' is not COLSxROWSxMINES, such as 24x20x99")
    cols, rows, mines = map(int, parts.groups())
    return Level("custom", rows, cols, mines)


Size = Annotated[
    Level | None,
    typer.Option(
        parser=_parse_size,
        metavar="COLSxROWSxMINES",
        help="A custom board instead of a level, such as 24x20x99.",
    ),
]


def first_given(context: typer.Context, *names: str) -> str:
    """Return the first of some options that is given, as it is written; empty if none is."""
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name != "DEFAULT":
            return f"--{name.replace('_', '-')}"
    return ""


class Command(TyperCommand):
    """A command that refuses empty options and arguments."""

    def invoke(self, ctx: Any) -> Any:
        """Carry it out, after all arguments are found to be right."""
        log_start(self.name or "")
        return super().invoke(ctx)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse as typer does."""
        _refuse_empty(self, ctx, args)
        return super().parse_args(ctx, args)


class Group(TyperGroup):
    """A command group that refuses empty options and arguments of its own."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse as typer does."""
        _refuse_empty(self, ctx, args)
        return super().parse_args(ctx, args)


def _refuse_empty(command: Any, ctx: Any, args: list[str]) -> None:
    """Check the texts before their conversion, which turns an empty path into a dot.

    Raises:
        typer.BadParameter: One is empty.
    """
    if ctx.resilient_parsing:  # The shell is completing a word.
        return
    given, _, _ = command.make_parser(ctx).parse_args(args=list(args))
    for parameter in command.get_params(ctx):
        texts = given.get(parameter.name)
        for text in texts if isinstance(texts, list | tuple) else [texts]:
            if isinstance(text, str) and not one_line(text).strip():
                raise typer.BadParameter(_EMPTY, ctx=ctx, param=parameter)
