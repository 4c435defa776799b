"""A private X screen: a virtual display with its own window manager.

The server chooses the number (`-displayfd`), so that numbers never collide. Only processes with the
cookie in the screen's own Xauthority file can connect. The server stores its picture in a file
(`-fbdir`), which `gui.panel.private_game` reads without a request to the server.
"""

from __future__ import annotations

import os
import secrets
import select
import shutil
import socket
import struct
import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from bot.frame import Region
from bot.processes import end_process, start_dependent
from gui.private import PrivateScreenError
from vision.desktop import PRIVATE_DISPLAY

_START_SECONDS: Final = 30.0
_FAMILY_LOCAL: Final = 256
_COOKIE: Final = b"MIT-MAGIC-COOKIE-1"
_NOT_INHERITED: Final = (
    "WAYLAND_DISPLAY",
    "QT_QPA_PLATFORM",
    "WAYLAND_SOCKET",
    "QT_QPA_PLATFORM_PLUGIN_PATH",
    "QT_QPA_FONTDIR",
)
"""Variables with which a child would open on another screen, or with OpenCV's Qt plugins."""
_X11_ALONE: Final = {
    "XDG_SESSION_TYPE": "x11",
    "GDK_BACKEND": "x11",
    "SDL_VIDEODRIVER": "x11",
}
"""Without these, GTK and SDL try a Wayland session first, even if the environment names none."""
_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
_MEMORY_BYTES: Final = 64 << 20
"""Required free space: a 4K screen takes half of it."""


class PrivateScreen:
    """An X server with a window manager, for the duration of the `with` block.

    Raises on entry:
        PrivateScreenError: Xvfb is missing or did not start.
    """

    def __init__(self, width: int = 1280, height: int = 800) -> None:
        self.region = Region(0, 0, width, height)
        self.processes: list[subprocess.Popen[Any]] = []
        """The server first, then the window manager if there is one."""
        self._display = ""
        self._authority = Path()
        self._resources = ExitStack()

    @property
    def environment(self) -> dict[str, str]:
        """The complete environment of a program that is to open on this screen."""
        kept = {key: value for key, value in os.environ.items() if key not in _NOT_INHERITED}
        return kept | _X11_ALONE | self.access

    def adopt(self) -> None:
        """Make it this process's screen; call it before Qt, mss and pyautogui are imported."""
        for key in _NOT_INHERITED:
            os.environ.pop(key, None)
        os.environ.update(_X11_ALONE | self.access)

    def adopt_beside_wayland(self) -> None:
        """Play on this screen while the process's own windows stay in the Wayland session."""
        os.environ.update(
            self.access | {"QT_QPA_PLATFORM": "wayland", PRIVATE_DISPLAY: self.display}
        )

    @property
    def display(self) -> str:
        """The display's name, such as ':99'."""
        return self._display

    @property
    def access(self) -> dict[str, str]:
        """The variables that a program of the same user needs to open the screen."""
        return {"DISPLAY": self.display, "XAUTHORITY": str(self._authority)}

    @property
    def framebuffer(self) -> Path:
        """The file with the picture, which is deleted with the screen."""
        return self._authority.with_name("Xvfb_screen0")

    def __enter__(self) -> Self:
        with ExitStack() as starting:
            folder = Path(
                starting.enter_context(
                    tempfile.TemporaryDirectory(prefix="minesweeper-bot-", dir=_folder())
                )
            )
            self._authority = folder / "Xauthority"
            cookie = secrets.token_bytes(16)
            _write_authority(self._authority, "", cookie)
            number = self._start_server(starting, folder)
            _write_authority(self._authority, number, cookie)
            self._display = f":{number}"
            self._start_window_manager(starting, folder)
            self._resources = starting.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._resources.close()

    def _start_server(self, starting: ExitStack, folder: Path) -> str:
        if shutil.which("Xvfb") is None:
            raise PrivateScreenError(
                "Xvfb, which makes a private screen, is not installed: run 'sudo apt-get install "
                "xvfb openbox'"
            )
        size = f"{self.region.width}x{self.region.height}x24"
        read_end, write_end = os.pipe()
        starting.callback(os.close, read_end)
        options = ["-screen", "0", size, "-nolisten", "tcp", "-noreset"]
        options += ["-fbdir", str(folder)]
        options += ["-auth", str(self._authority), "-displayfd", str(write_end)]
        try:
            self._start(starting, ["Xvfb", *options], dict(os.environ), (write_end,))
        finally:
            os.close(write_end)
        number = _line(read_end)
        if not number.isdigit():
            raise PrivateScreenError(
                f"Xvfb did not start a screen of {size}: run 'Xvfb -displayfd 1' to see why"
            )
        return number

    def _start_window_manager(self, starting: ExitStack, folder: Path) -> None:
        """Start a window manager if one is installed.

        Without one, windows open on top of each other and without title bars.
        """
        if shutil.which("openbox") is None:
            return
        ready = folder / "ready"
        os.mkfifo(ready)
        # Opened for reading and writing, because otherwise it would block until the other side
        # opens it.
        descriptor = os.open(ready, os.O_RDWR | os.O_NONBLOCK)
        starting.callback(os.close, descriptor)
        startup = f"sh -c 'echo ready > {ready}'"
        self._start(starting, ["openbox", "--startup", startup], self.environment)
        if not _line(descriptor):
            raise PrivateScreenError(
                "the window manager did not start on the private screen: run 'openbox' to see why"
            )

    def _start(
        self,
        starting: ExitStack,
        command: list[str],
        environment: dict[str, str],
        pass_fds: tuple[int, ...] = (),
    ) -> None:
        """Start a process that ends with the stack, or with this thread at the latest."""
        process = start_dependent(
            command,
            env=environment,
            pass_fds=pass_fds,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.processes.append(process)
        starting.callback(end_process, process)


def _folder() -> Path | None:
    """Return the folder of a screen's files, in memory if possible; None for the default."""
    # An explicit TMPDIR has precedence.
    usable = os.access(_MEMORY, os.W_OK | os.X_OK) and "TMPDIR" not in os.environ
    return _MEMORY if usable and shutil.disk_usage(_MEMORY).free > _MEMORY_BYTES else None


def _line(descriptor: int) -> str:
    """Return a line from a pipe; empty on timeout or if the other side closed it."""
    text = b""
    while not text.endswith(b"\n"):
        if not select.select([descriptor], [], [], _START_SECONDS)[0]:
            return ""
        part = os.read(descriptor, 64)
        if not part:
            return ""
        text += part
    return text.decode().strip()


def _write_authority(path: Path, number: str, cookie: bytes) -> None:
    """Write an Xauthority file with one entry (format: libXau, `AuWrite.c`)."""
    fields = [socket.gethostname().encode(), number.encode(), _COOKIE, cookie]
    packed = b"".join(struct.pack(">H", len(field)) + field for field in fields)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(struct.pack(">H", _FAMILY_LOCAL) + packed)
