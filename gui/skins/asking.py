"""What the page of skins asks before it does something: another name, or whether to do it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PyQt6.QtWidgets import QWidget

from gui.panel.files import ask_choice, ask_sure, ask_text
from gui.skins.work import Entry, Reserved

if TYPE_CHECKING:
    from gui.skins.conventions import Known

_NAMES: Final = "Small letters, digits, '.', '_' and '-':"


def ask_name(parent: QWidget, name: str, then: Callable[[str], None]) -> None:
    """Let the user say what a skin is to be called."""
    ask_text(parent, "Rename this skin", _NAMES, name, then)


def ask_other_name(parent: QWidget, refused: Reserved, then: Callable[[str], None]) -> None:
    """One of our skins has the name of the one in a zip: let the user say another one."""
    text = f"A skin of ours is called '{refused.name}'. Import this one under another name."
    ask_text(parent, "Import under another name", f"{text}\n{_NAMES}", refused.free, then)


def ask_change(parent: QWidget, known: Known, then: Callable[[str], None]) -> None:
    """Let the user change something that is known of a program."""
    title = f"Change: {known.title}"
    if not known.options:
        ask_text(parent, title, known.question, known.value, then)
        return
    ask_choice(parent, title, known.question, known.options, known.value, then)


def ask_delete(parent: QWidget, entry: Entry, then: Callable[[], None]) -> None:
    """Ask whether a skin may go."""
    ask_sure(
        parent,
        "Delete this skin?",
        f"The skin '{entry.name}' and all its pictures are deleted from {entry.folder}. "
        "Its program is learned anew when it is met again.",
        "Delete it",
        then,
    )


def ask_replace(parent: QWidget, name: str, then: Callable[[], None]) -> None:
    """Ask whether a skin may go for another one of its name."""
    text = f"A skin of your own is called '{name}' already. It would be replaced."
    ask_sure(parent, "Replace that skin?", text, "Replace it", then)
