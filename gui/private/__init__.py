"""A game on a private screen: how it is started, shown, played and reliably ended."""

from __future__ import annotations

import sys


class PrivateScreenError(RuntimeError):
    """No private screen is available; the message says what to do."""


def has_private_screens() -> bool:
    """Return whether games can be played on a private screen here."""
    return sys.platform == "linux"


def require_private_screens() -> None:
    """Check that games can be played on a private screen here.

    Raises:
        PrivateScreenError: They cannot.
    """
    if not has_private_screens():
        raise PrivateScreenError(
            "a private screen works on Linux only: open the game on your desktop, and play it "
            "with 'minesweeper-bot play --window TEXT' or in the panel"
        )
