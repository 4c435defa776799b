"""Buttons that say which key presses them, and buttons whose meaning changes."""

from __future__ import annotations

from collections.abc import Callable

from PyQt6.QtGui import QKeySequence, QShortcut
from PyQt6.QtWidgets import QAbstractButton, QPushButton, QWidget


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


def act_as_pressed(
    button: QAbstractButton, state: Callable[[], bool], act: Callable[[bool], object]
) -> None:
    """Have a button that switches something do what it said when it was pressed.

    Args:
        button: It acts at the release; what it would switch may change by itself while it is held.
        state: What is to be switched; asked at the press.
        act: Called at the release with that.
    """
    pressed = False

    def remember() -> None:
        nonlocal pressed
        pressed = state()

    button.pressed.connect(remember)
    button.clicked.connect(lambda: act(pressed))
