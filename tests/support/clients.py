"""Another program on this system, for tests: its windows, its keys, its mouse."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    from tests.support.winclient import (
        Client,
        Keyboard,
        Mice,
        PictureWindow,
        adopt,
        button_held,
        focus,
        program_of,
        screen_of_tests,
        wait_until,
    )
else:
    from tests.support.xclient import (
        Client,
        Keyboard,
        Mice,
        PictureWindow,
        adopt,
        button_held,
        focus,
        program_of,
        screen_of_tests,
        wait_until,
    )

__all__ = [
    "Client",
    "Keyboard",
    "Mice",
    "PictureWindow",
    "adopt",
    "button_held",
    "focus",
    "program_of",
    "screen_of_tests",
    "wait_until",
]
