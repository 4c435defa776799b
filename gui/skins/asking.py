"""The dialogs of the page of skins."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PyQt6.QtWidgets import QWidget

from gui.panel.dialogs import ask_choice, ask_sure, ask_text
from gui.skins.work import Entry, Reserved

if TYPE_CHECKING:
    from gui.skins.conventions import Known

_NAMES: Final = "Small letters, digits, '.', '_' and '-':"


def ask_name(parent: QWidget, name: str, then: Callable[[str], None]) -> None:
    """Ask for a new name of a skin."""
    ask_text(parent, "Rename this skin", _NAMES, name, then)


def ask_other_name(parent: QWidget, refused: Reserved, then: Callable[[str], None]) -> None:
    """Ask for another name for an imported skin that has the name of a bundled one."""
    text = f"A bundled skin is called '{refused.name}'. Import this one under another name."
    ask_text(parent, "Import under another name", f"{text}\n{_NAMES}", refused.free, then)


def ask_change(parent: QWidget, known: Known, then: Callable[[str], None]) -> None:
    """Ask for a new value of a convention of a program."""
    title = f"Change: {known.title}"
    if not known.options:
        ask_text(parent, title, known.question, known.value, then)
        return
    ask_choice(parent, title, known.question, known.options, known.value, then)


def ask_delete(parent: QWidget, entry: Entry, then: Callable[[], None]) -> None:
    """Ask for confirmation to delete a skin."""
    ask_sure(
        parent,
        "Delete this skin?",
        f"The skin '{entry.name}' and all its pictures are deleted from {entry.folder}. "
        "Its program is learned again when it is played.",
        "Delete it",
        then,
    )


def ask_replace(parent: QWidget, name: str, then: Callable[[], None]) -> None:
    """Ask for confirmation to replace a skin of the same name."""
    text = f"You already have a skin called '{name}'. It would be replaced."
    ask_sure(parent, "Replace that skin?", text, "Replace it", then)
