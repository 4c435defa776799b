"""Buttons that say which key presses them."""

from __future__ import annotations

from collections.abc import Callable

from PyQt6.QtGui import QKeySequence, QShortcut
from PyQt6.QtWidgets import QPushButton, QWidget


def keyed(text: str, tip: str, key: str) -> QPushButton:
    """A button with its key in its tooltip and its accessible name."""
    button = QPushButton(text)
    button.setAccessibleName(f"{tip}, {key}")
    button.setToolTip(f"{tip} ({key})")
    return button


def connect_keyed(
    owner: QWidget, pressed: tuple[tuple[QPushButton, str, Callable[[], object]], ...]
) -> None:
    """Have buttons do something, by a click and by a key.

    Args:
        owner: While it is shown the keys work.
        pressed: Buttons, their keys, and what they do.
    """
    for button, key, act in pressed:
        button.clicked.connect(lambda _checked, act=act: act())
        # `click` and not the button's own shortcut, which acts a tenth of a second later.
        QShortcut(QKeySequence(key), owner).activated.connect(button.click)
