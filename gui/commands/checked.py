"""Commands that refuse empty texts, whatever they are for.

A part of a title that is empty is a part of every title, and an empty path is the working folder.
"""

from __future__ import annotations

from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from vision.plaintext import one_line

_EMPTY: Final = "it is empty: give a text, or leave it out"


class Command(TyperCommand):
    """A command that refuses empty options and arguments."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse as typer does."""
        _refuse_empty(self, ctx, args)
        return super().parse_args(ctx, args)


class Group(TyperGroup):
    """A command with others below it, which refuses empty options and arguments of its own."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse as typer does."""
        _refuse_empty(self, ctx, args)
        return super().parse_args(ctx, args)


def _refuse_empty(command: Any, ctx: Any, args: list[str]) -> None:
    """Look at the texts before they are converted: an empty path is one of a dot afterwards.

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
