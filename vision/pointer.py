"""The pointer of this desktop."""

from __future__ import annotations

from bot.mouse import Pointer, SystemPointer
from vision import windows
from vision.x11.pointer import XPointer


def own_pointer() -> Pointer:
    """What moves the mouse here, for the thread that calls this.

    Raises:
        MouseError: Nothing does.
    """
    return XPointer() if windows.supported() else SystemPointer()
