"""A permission is kept if the portal can, against a substitute: Debian 12 has no such portal."""

from __future__ import annotations

import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from jeepney import (
    DBusAddress,
    HeaderFields,
    MessageType,
    message_bus,
    new_method_return,
    new_signal,
)
from jeepney.io.blocking import open_dbus_connection

from tests.support.xclient import wait_until
from vision.desktop.portal import Portal

pytestmark = pytest.mark.linux

_PATH = "/org/freedesktop/portal/desktop"
_SESSION = f"{_PATH}/session/1"
_STREAM = (42, {"size": ("(ii)", (800, 600)), "source_type": ("u", 1)})


class Substitute(threading.Thread):
    """The portals on a private bus; the user permits everything.

    Args:
        address: Of the bus.
        version: Of RemoteDesktop.
    """

    def __init__(self, address: str, version: int) -> None:
        super().__init__()
        self.options: dict[str, dict[str, Any]] = {}
        """The options of the last call of each method."""
        self._version = version
        self._starts = 0
        self._ended = threading.Event()
        self._bus = open_dbus_connection(address)
        self._bus.send_and_get_reply(message_bus.RequestName("org.freedesktop.portal.Desktop"))
        self.start()

    def run(self) -> None:
        """Answer calls."""
        with self._bus:
            while not self._ended.is_set():
                with suppress(TimeoutError):
                    message = self._bus.receive(timeout=0.1)
                    if message.header.message_type is MessageType.method_call:
                        self._answer(message)

    def end(self) -> None:
        """Leave the bus."""
        self._ended.set()
        self.join()

    def _answer(self, call: Any) -> None:
        fields = call.header.fields
        member, sender = fields[HeaderFields.member], fields[HeaderFields.sender]
        if member == "Get":
            interface, name = call.body
            remote = interface.endswith("RemoteDesktop")
            value = 7 if name == "AvailableCursorModes" else self._version if remote else 4
            self._bus.send(new_method_return(call, "v", (("u", value),)))
            return
        if member == "Register":
            self._bus.send(new_method_return(call))
            return
        options = self.options[member] = call.body[-1]
        token = options["handle_token"][1]
        handle = f"{_PATH}/request/{sender[1:].replace('.', '_')}/{token}"
        results: dict[str, Any] = {}
        if member == "CreateSession":
            results = {"session_handle": ("s", _SESSION)}
        if member == "Start":
            results = {"devices": ("u", 3), "streams": ("a(ua{sv})", [_STREAM])}
            if "persist_mode" in self.options["SelectDevices"]:
                self._starts += 1
                results["restore_token"] = ("s", f"token {self._starts}")
        self._bus.send(new_method_return(call, "o", (handle,)))
        request = DBusAddress(handle, interface="org.freedesktop.portal.Request")
        self._bus.send(new_signal(request, "Response", "ua{sv}", (0, results)))


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A private bus, which is this process's session bus."""
    path = tmp_path / "bus"
    address = f"unix:path={path}"
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    command = ("dbus-daemon", "--session", "--nofork", f"--address={address}")
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)

    def answers() -> bool:
        with socket.socket(socket.AF_UNIX) as client, suppress(OSError):
            client.connect(str(path))
            return True
        return False

    wait_until(answers)
    yield address
    process.terminate()
    process.wait()


@pytest.mark.parametrize(("version", "kept"), [(1, False), (2, True)])
def test_a_permission_is_kept_by_a_token(address: str, *, version: int, kept: bool) -> None:
    """The token of the last start is given at the next one, and replaced; version 1 has none.

    It belongs to the devices: the portal refuses a session for remote control that asks to keep its
    sources.
    """
    portals = Substitute(address, version)
    token: str | None = None
    try:
        for start in (1, 2):
            portal = Portal()
            session = portal.open_session(token, lambda: False)
            devices, sources = portals.options["SelectDevices"], portals.options["SelectSources"]
            assert devices.get("restore_token") == (("s", token) if token else None)
            assert devices.get("persist_mode") == (("u", 2) if kept else None)
            assert not {"restore_token", "persist_mode"} & sources.keys()
            token = session.token
            assert token == (f"token {start}" if kept else None)
            assert [(one.node, one.size) for one in session.streams] == [(42, (800, 600))]
            portal.close()
    finally:
        portals.end()
