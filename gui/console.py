"""A terminal console that prints plain text.

Titles of windows and names of files, skins and solvers may look like rich's markup ([red], :bomb:),
so no text is interpreted as markup. A style is passed with its text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich import console
from rich.console import ConsoleOptions, RenderableType
from rich.segment import Segment

from vision.plaintext import printable


class Console(console.Console):  # noqa: TID251 - the one that the others are to use
    """A rich console that prints text literally, without control characters.

    Args:
        options: As for rich's.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """Return the segments to print; rich's own control codes are kept."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield segment._replace(text=printable(segment.text))
