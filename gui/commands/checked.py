"""Commands that refuse empty texts for all options and arguments.

An empty part of a title matches every title, and an empty path is the working folder.
"""

from __future__ import annotations

from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from gui.logfile import log_start
from vision.plaintext import one_line

_EMPTY: Final = "it is empty: give a text, or leave it out"


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
    if ctx.resilient_parsing:  # the shell completes a word
        return
    given, _, _ = command.make_parser(ctx).parse_args(args=list(args))
    for parameter in command.get_params(ctx):
        texts = given.get(parameter.name)
        for text in texts if isinstance(texts, list | tuple) else [texts]:
            if isinstance(text, str) and not one_line(text).strip():
                raise typer.BadParameter(_EMPTY, ctx=ctx, param=parameter)
