"""An X server that accepts connections and then does not respond."""

from __future__ import annotations

import os
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

NOTHING = b""
"""The reply of a server that does not even answer the connection setup."""


def setup_reply() -> bytes:
    """Return the reply of a server with one small screen to the connection setup."""
    visual = struct.pack("=IBBHIII4x", 33, 4, 8, 256, 0xFF0000, 0xFF00, 0xFF)
    depth = struct.pack("=BxH4x", 24, 1) + visual
    screen = struct.pack(
        "=IIIIIHHHHHHIBBBB", 1, 2, 0xFFFFFF, 0, 0, 640, 480, 160, 120, 1, 1, 33, 0, 0, 24, 1
    )
    pixels = struct.pack("=BBB5x", 24, 32, 32)
    head = struct.pack("=IIIIHHBBBBBBBB4x", 1, 0x200000, 0x1FFFFF, 0, 4, 65535, 1, 1, 0, 0, 32, 32, 8, 255)  # fmt: skip  # noqa: E501
    rest = head + b"mute" + pixels + screen + depth
    return struct.pack("=BxHHH", 1, 11, 0, len(rest) // 4) + rest


@contextmanager
def silent_server(*replies: bytes) -> Iterator[str]:
    """Listen at the address of an X server; yield the display's name.

    Args:
        replies: The first reply to each connection, the last one to all others too.
    """
    folder = Path("/tmp/.X11-unix")  # noqa: S108 - where X servers listen
    folder.mkdir(mode=0o1777, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as server:
        path = _bound(server, folder)
        try:
            with _silence(server, *replies):
                yield f":{path.name.removeprefix('X')}"
        finally:
            path.unlink()


@contextmanager
def silent_socket(path: Path) -> Iterator[None]:
    """Listen at a path without answering."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        with _silence(server):
            yield


def _bound(server: socket.socket, folder: Path) -> Path:
    # Outside the numbers that servers choose by themselves.
    for number in count(4000 + os.getpid() % 1000):
        with suppress(OSError):
            server.bind(str(folder / f"X{number}"))
            return folder / f"X{number}"
    raise AssertionError


@contextmanager
def _silence(server: socket.socket, *replies: bytes) -> Iterator[None]:
    connections: list[socket.socket] = []

    def serve() -> None:
        with suppress(OSError):  # The socket was shut down.
            while True:
                connection, _ = server.accept()
                connections.append(connection)
                connection.sendall((NOTHING, *replies)[: len(connections) + 1][-1])

    server.listen(50)
    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield
    finally:
        server.shutdown(socket.SHUT_RDWR)
        thread.join()
        for connection in connections:
            connection.close()
