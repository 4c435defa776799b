"""Options of a program of the family."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, fields
from typing import Self


@dataclass(frozen=True)
class Options:
    """The options of one program. `Options.parse(str(options)) == options`."""

    toolkit: str
    """'html' (a canvas in Chromium), 'tk' or 'qt'."""
    art: str = "classic"
    """The tile set: a key of `art.ARTS`."""
    cell: int = 24
    """Size of a cell, in pixels before scaling."""
    board: str = "9x9x10"
    """Columns x rows x mines."""
    button: str = "centre"
    """The way to start the next game. 'left', 'centre', 'right': a face above the board. 'text',
    'below': a button with a text, above or below it; 'two': above it, beside another one. 'none':
    the key, or a click on the board that `by_flags` allows."""
    counter: str = "led"
    """The number of mines left: seven segments ('led'), or after a label ('text')."""
    scale: float = 1.0
    """Pixels of the screen per pixel of the program."""
    pixels: str = "sharp"
    """Scaling of the board: drawn at that size ('sharp'), or as a picture that is enlarged
    ('smooth')."""
    dark: bool = False
    """Whether the surroundings of the board are dark."""
    chord: str = "none"
    """Gesture of a chord on a number: 'both' buttons, a 'click', or 'none'."""
    end: str = "none"
    """Indication of the end of a game: a modal 'dialog', one that opens again when it is closed
    ('endless'), Tk's own ('messagebox'), that one in place of the window after a win, with the next
    game at its end ('withdrawn'; only Tk), the same one with a menu of 'levels' in place of the
    board at its end (only Tk), a 'text' below the board, a text over the board, which is 'dimmed'
    until a click on it begins the next game (only Qt), or nothing. 'again' begins the next game at
    once, before any sign of the end."""
    pause: str = "none"
    """Pause that a click needs: 30 ms between 'press' and release, or 'none'."""
    marks: str = "wrong"
    """The board at the end. 'wrong': all mines, wrong flags crossed out; a flag on each mine after
    a win. 'plain': all mines, the exploded one like the others."""
    first: str = "safe"
    """Guarantee for the first click: no mine ('safe'), or no mine in it and around it ('zero')."""
    flood: str = "all"
    """Cells that an empty cell opens: 'all' its neighbours, the four beside it ('orthogonal'), or
    'none'. The text form contains this and the following only if they are not the default."""
    clock: bool = True
    """Whether a clock is shown beside a counter."""
    label: str = "Mines"
    """Label of the counter."""
    text: str = "New game"
    """Text of the button."""
    key: str = ""
    """A key that starts the next game, by the toolkit's name."""
    menu: str = ""
    """Text of an entry of a menu that starts the next game; only Tk."""
    closes: str = "OK"
    """Text of the dialog's button."""
    by_flags: bool = False
    """Whether a game is won only when its mines are flagged, too; a click then starts the next, or
    the end of its dialog."""
    delay: int = 0
    """Milliseconds after a release until the program takes the cell under the pointer; only Tk."""
    title: str = "Minefield"
    """Title of the window; not of Qt's."""
    windows: str = ""
    """Position of the window of each next game, as in X11: the last one stays open; only Tk. Empty
    if all games have the same window."""
    above: int = 0
    """Height of the text above the board, in pixels of the page; only of a page."""
    below: int = 0
    """The same below it."""
    scroll: int = 0
    """How far the page is scrolled when it opens."""
    position: str = "+120+90"
    """Position of the window, as in X11; only Tk."""

    def __str__(self) -> str:
        values, optional = [self.toolkit], False
        for field in fields(self)[1:]:
            optional |= field.name == "flood"
            value = getattr(self, field.name)
            if not optional or value != field.default:
                values.append(shlex.quote(f"{field.name}={value}"))
        return " ".join(values)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the text form; omitted options have their default."""
        toolkit, *pairs = shlex.split(text)
        values: dict[str, object] = {}
        for name, value in (pair.split("=", 1) for pair in pairs):
            kind = type(getattr(cls, name))
            values[name] = value == "True" if kind is bool else kind(value)
        return cls(toolkit, **values)  # type: ignore[arg-type]  # of the default's type

    @property
    def size(self) -> tuple[int, int, int]:
        """Rows, columns and mines."""
        cols, rows, mines = map(int, self.board.split("x"))
        return rows, cols, mines
