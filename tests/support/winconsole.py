"""A console window of Windows, for tests: run a command in it, read it, type into it."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

import pywintypes
import win32api
import win32con
import win32console
import win32gui

from tests.support.clients import wait_until

_SHARED: Final = 3
"""FILE_SHARE_READ | FILE_SHARE_WRITE."""
_STREAMS: Final = (-10, -11, -12)
_PLACE: Final = (640, 330)
"""Beside the games of these tests."""
_LINES: Final = 900
"""Height of the console's buffer: all that a command prints."""


class Console:
    """A command in a console window of its own.

    Args:
        process: The command's process.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._output = _buffer("CONOUT$")
        self._input = _buffer("CONIN$")
        width = self._output.GetConsoleScreenBufferInfo()["Size"].X
        self._output.SetConsoleScreenBufferSize(win32console.PyCOORDType(width, _LINES))
        window = win32console.GetConsoleWindow()
        flags = win32con.SWP_NOSIZE | win32con.SWP_NOACTIVATE | win32con.SWP_NOZORDER
        win32gui.SetWindowPos(window, 0, *_PLACE, 0, 0, flags)

    @property
    def text(self) -> str:
        """What the console shows, up to the cursor; a line that was folded is whole again."""
        shown = self._output.GetConsoleScreenBufferInfo()
        width, last = shown["Size"].X, shown["CursorPosition"].Y
        rows = (win32console.PyCOORDType(0, row) for row in range(last + 1))
        lines = [self._output.ReadConsoleOutputCharacter(width, row) for row in rows]
        return "".join(line if not line.endswith(" ") else line.rstrip() + "\n" for line in lines)

    def wait_for(self, text: str, seconds: float = 120) -> None:
        """Wait until a text is shown, wherever its lines are folded.

        Raises:
            AssertionError: The command ended without it, or did not show it in time.
        """

        def is_shown() -> bool:
            ended = self.process.poll() is not None
            shown = " ".join(self.text.split())
            assert text in shown or not ended, f"without {text!r} it ended: {shown}"
            return text in shown

        try:
            wait_until(is_shown, seconds)
        except AssertionError as error:
            error.add_note(self.text)
            raise

    def type(self, text: str, *, control: bool = False) -> None:
        """Type a text; with Ctrl held, if asked."""
        events = []
        for character in text:
            # Wine takes the release of Ctrl-C for another one.
            for down in (True,) if control else (True, False):
                event: Any = win32console.PyINPUT_RECORDType(win32console.KEY_EVENT)
                event.KeyDown, event.RepeatCount = down, 1
                event.VirtualKeyCode = win32api.VkKeyScan(character) & 0xFF
                event.Char = chr(ord(character) & 0x1F) if control else character
                event.ControlKeyState = win32con.LEFT_CTRL_PRESSED if control else 0
                events.append(event)
        self._input.WriteConsoleInput(events)

    def close_window(self) -> None:
        """Close the console like its button."""
        win32api.PostMessage(win32console.GetConsoleWindow(), win32con.WM_CLOSE, 0, 0)


@contextmanager
def console(command: Sequence[str], environment: Mapping[str, str]) -> Iterator[Console]:
    """Run a command in a console of its own; this process reads along until the block is left.

    Args:
        command: The command and its arguments.
        environment: Its environment.
    """
    process = subprocess.Popen(
        command, env=environment, creationflags=subprocess.CREATE_NEW_CONSOLE
    )
    # Attached to a console, a process has its streams there.
    streams = {number: win32api.GetStdHandle(number) for number in _STREAMS}
    with suppress(pywintypes.error):  # This process had none.
        win32console.FreeConsole()
    # Ctrl-C is for the command, not for this process.
    ctypes.windll.kernel32.SetConsoleCtrlHandler(None, True)
    try:
        wait_until(lambda: _attached(process.pid))
        yield Console(process)
    finally:
        process.kill()
        process.wait()
        with suppress(pywintypes.error):
            win32console.FreeConsole()
        # Without one, each program that is started would open another.
        win32console.AllocConsole()
        win32gui.ShowWindow(win32console.GetConsoleWindow(), win32con.SW_HIDE)
        ctypes.windll.kernel32.SetConsoleCtrlHandler(None, False)
        for number, handle in streams.items():
            win32api.SetStdHandle(number, handle)


def _attached(process: int) -> bool:
    with suppress(pywintypes.error):
        win32console.AttachConsole(process)
        return True
    return False


def _buffer(name: str) -> Any:
    access = win32con.GENERIC_READ | win32con.GENERIC_WRITE
    create = ctypes.windll.kernel32.CreateFileW
    create.restype = ctypes.c_void_p
    handle = create(name, access, _SHARED, None, win32con.OPEN_EXISTING, 0, None)
    return win32console.PyConsoleScreenBufferType(handle)
