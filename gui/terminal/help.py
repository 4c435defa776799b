"""The help of the terminal game."""

from __future__ import annotations

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Static

HELP: Final = """\
Open every cell that holds no mine. A number tells how many mines
touch its cell.

  arrows         move the cursor
  space, enter   open; on a number with all its flags: around it
  f              flag, or take the flag away
  h              hint: how likely each cell is a mine, in percent;
                 0 and 100 are proved, blue is the best move
  m              let the solver make one move
  a              let the solver play on and on; again: stop
  s              the next solver
  n              new game
  1 2 3          beginner, intermediate, expert
  q              leave

  left button    open, or open around a number
  middle button  open around a number
  right button   flag

In the game of digging a dig opens one cell and a mine does not end
it. It ends when all mines are dug or flagged; the fewer digs, the
better."""


class HelpScreen(ModalScreen[None]):
    """A screen with the keys and their actions."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; }
    HelpScreen > Static { width: auto; height: auto; max-width: 100%; border: round $accent;
                          padding: 0 2; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,question_mark,q", "dismiss", "Back")
    ]

    def compose(self) -> ComposeResult:
        """Create the text."""
        yield Static(HELP, markup=False)
