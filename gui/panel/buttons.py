"""Buttons that show their key, and buttons whose meaning changes."""

from __future__ import annotations

from collections.abc import Callable

from PyQt6.QtGui import QKeySequence, QShortcut
from PyQt6.QtWidgets import QAbstractButton, QPushButton, QWidget


def keyed(text: str, tip: str, key: str) -> QPushButton:
    """Return a button with its key in its tooltip and its accessible name."""
    button = QPushButton(text)
    button.setAccessibleName(f"{tip}, {key}")
    button.setToolTip(f"{tip} ({key})")
    return button


def connect_keyed(
    owner: QWidget, pressed: tuple[tuple[QPushButton, str, Callable[[], object]], ...]
) -> None:
    """Connect buttons to actions, by click and by key.

    Args:
        owner: The keys work while it is shown.
        pressed: Buttons, their keys, and their actions.
    """
    for button, key, act in pressed:
        button.clicked.connect(lambda _checked, act=act: act())
        # `click` and not the button's own shortcut, which acts 0.1 s later.
        QShortcut(QKeySequence(key), owner).activated.connect(button.click)


def act_as_pressed(
    button: QAbstractButton, state: Callable[[], bool], act: Callable[[bool], object]
) -> None:
    """Make a toggle button do what it showed when it was pressed.

    Args:
        button: It acts on release. Its state may change while it is held.
        state: Returns the state to toggle; called on press.
        act: Called on release with that state.
    """
    pressed = False

    def remember() -> None:
        nonlocal pressed
        pressed = state()

    button.pressed.connect(remember)
    button.clicked.connect(lambda: act(pressed))
