"""What is printed in the terminal is plain text."""

from __future__ import annotations

from io import StringIO

from rich.table import Table
from rich.text import Text

from gui.commands.progress import GameLog
from gui.console import Console

HOSTILE = "[/b] [red]Mines[/red] [link=file:///]x[/link] :bomb: \x1b[31m\x1b]0;x\x1b\\ \u202eX\a"
PRINTED = "[/b] [red]Mines[/red] [link=file:///]x[/link] :bomb:  X"


def test_text_is_printed_as_it_is() -> None:
    """As a line, in a table, as its title, in a style; nothing in it is acted on."""
    table = Table(title=HOSTILE)
    table.add_column(HOSTILE)
    table.add_row(HOSTILE)
    printed = StringIO()
    console = Console(file=printed, width=200)
    for what in (HOSTILE, table, Text(HOSTILE, "red")):
        console.print(what)
    assert printed.getvalue().count(PRINTED) == 5
    assert "\x1b" not in printed.getvalue()


def test_a_style_is_given_with_its_text() -> None:
    """Colours are still there; lines stay lines; bytes that are no text are replaced.

    So it is in a note beside the progress line, which is still drawn.
    """
    printed = StringIO()
    console = Console(file=printed, force_terminal=True, color_system="truecolor", width=200)
    console.print(Text.assemble(("red", "red"), f"\n{HOSTILE}"))
    assert printed.getvalue() == f"\x1b[31mred\x1b[0m\n{PRINTED}\n"
    console.print("\udcff.png")
    assert printed.getvalue().endswith("\n\N{REPLACEMENT CHARACTER}.png\n")
    log = GameLog(console, games=3)
    with log.progress:
        log.console.note(f"'{HOSTILE}' lies over it")
    assert f"'{PRINTED}' lies over it" in printed.getvalue()
    assert "looking for the board" in printed.getvalue()
