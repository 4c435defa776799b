"""Another program on this system, for tests: its windows, its keys, its mouse."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    from tests.support.winclient import (
        Client,
        Desk,
        Keyboard,
        Mice,
        PictureWindow,
        adopt,
        button_held,
        client_desktop,
        focus,
        program_of,
        resume,
        screen_of_tests,
        suspend,
        wait_until,
    )
else:
    from tests.support.xclient import (
        Client,
        Desk,
        Keyboard,
        Mice,
        PictureWindow,
        adopt,
        button_held,
        client_desktop,
        focus,
        program_of,
        resume,
        screen_of_tests,
        suspend,
        wait_until,
    )

__all__ = [
    "Client",
    "Desk",
    "Keyboard",
    "Mice",
    "PictureWindow",
    "adopt",
    "button_held",
    "client_desktop",
    "focus",
    "program_of",
    "resume",
    "screen_of_tests",
    "suspend",
    "wait_until",
]
