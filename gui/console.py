"""The terminal: whatever is printed there is plain text.

Titles of windows, names of files, skins and solvers stand in most lines. So no text is taken for
markup (rich's [red], or :bomb: for a picture): a style is given with the text that has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich import console
from rich.console import ConsoleOptions, RenderableType
from rich.segment import Segment

from vision.plaintext import printable


class Console(console.Console):  # noqa: TID251 - the one that the others are to use
    """Rich's console that prints text as it is, without what a terminal would act on.

    Args:
        options: As rich takes them.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """Return what is printed; rich's own control codes stay."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield segment._replace(text=printable(segment.text))
