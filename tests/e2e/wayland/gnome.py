"""A headless GNOME session with PipeWire and the portals, and a user who sits at it.

Its bus, its folder of settings and its processes are its own, and end with it. `User` answers the
portal's dialog by the accessibility bus, as a screen reader would, and moves a mouse by Mutter's
own interface for remote desktops, past the portal.
"""

from __future__ import annotations

import ctypes.util
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from jeepney import DBusAddress, HeaderFields, MessageType, Properties, message_bus, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from numpy.typing import NDArray

from bot.frame import Point
from tests.support.runs import environment
from tests.support.xclient import wait_until

PROGRAMS: Final = (
    "dbus-daemon",
    "gnome-shell",
    "Xwayland",
    "pipewire",
    "wireplumber",
    "gnome-mines",
    "xdemineur",
)
SIZE: Final = (1280, 800)
_PATH: Final = os.pathsep.join((os.environ["PATH"], "/usr/games"))
_X11_FOLDER: Final = Path("/tmp/.X11-unix")  # noqa: S108 - where X servers listen
_SECONDS: Final = 60.0
_LOST: Final = 5.0
"""Seconds after which a press that has no effect is lost."""
_RD: Final = "org.gnome.Mutter.RemoteDesktop"
_ATSPI: Final = "org.a11y.atspi"
_CHECKED, _SENSITIVE = 1 << 4, 1 << 24
"""ATSPI_STATE_CHECKED and ATSPI_STATE_SENSITIVE."""
_ROOT: Final = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
_SCORES: Final = "".join(f"0 160000000{number} nobody\n" for number in range(10))
"""No game of less than a second is better: GNOME Mines would ask for a name."""


def missing() -> list[str]:
    """Return which programs and libraries of the session are not installed."""
    absent = [name for name in PROGRAMS if not shutil.which(name, path=_PATH)]
    portals = ("xdg-desktop-portal", "xdg-desktop-portal-gnome", "at-spi-bus-launcher")
    folders = (Path("/usr/libexec"), Path("/usr/lib"))
    absent += [name for name in portals if not any((one / name).exists() for one in folders)]
    return absent if ctypes.util.find_library("pipewire-0.3") else [*absent, "libpipewire-0.3"]


def reply_of(bus: DBusConnection, message: Any) -> tuple[Any, ...] | None:
    """Return the body of a reply; None if it is an error or does not come."""
    return replies_of(bus, [message])[0]


def replies_of(bus: DBusConnection, messages: Sequence[Any]) -> list[tuple[Any, ...] | None]:
    """Send all messages at once; return the body of each reply, as `reply_of`."""
    serials = [next(bus.outgoing_serial) for _ in messages]
    for message, serial in zip(messages, serials, strict=True):
        bus.send(message, serial=serial)
    bodies: dict[int, tuple[Any, ...] | None] = {}
    waiting, deadline = set(serials), time.monotonic() + 5
    with suppress(TimeoutError):
        while waiting:
            reply = bus.receive(timeout=max(deadline - time.monotonic(), 0))
            number = reply.header.fields.get(HeaderFields.reply_serial, -1)
            if number in waiting:
                waiting.remove(number)
                failed = reply.header.message_type is MessageType.error
                bodies[number] = None if failed else reply.body
    return [bodies.get(serial) for serial in serials]


def _make_x11_folder() -> None:
    """Create the folder of X servers' sockets: Mutter cannot use the one that it creates itself."""
    with suppress(FileExistsError):
        _X11_FOLDER.mkdir()
        _X11_FOLDER.chmod(0o1777)


class Part(NamedTuple):
    """What a program shows by the accessibility bus: a window, a button, a text."""

    reference: tuple[str, str]
    """Its bus name and path."""
    role: str
    name: str
    description: str
    children: Sequence[tuple[str, str]]


class Session:
    """A headless GNOME session.

    Args:
        folder: For its files; a short path, as it holds sockets.
        monitors: The monitors' sizes, from the left to the right.
        settings: Of GNOME, as a key file.
    """

    def __init__(
        self,
        folder: Path,
        monitors: Sequence[tuple[int, int]] = (SIZE,),
        settings: str = "",
    ) -> None:
        self.folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self._resources = ExitStack()
        run = folder / "run"
        run.mkdir(mode=0o700)
        self.environment = environment(folder / "home") | {
            "HOME": str(folder / "home"),
            "PATH": _PATH,
            "XDG_RUNTIME_DIR": str(run),
            "XDG_CONFIG_HOME": str(folder / "home/.config"),
            "XDG_DATA_HOME": str(folder / "home/.local/share"),
            "XDG_CACHE_HOME": str(folder / "home/.cache"),
            "XDG_CURRENT_DESKTOP": "GNOME",
            "XDG_SESSION_TYPE": "wayland",
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "GSETTINGS_BACKEND": "keyfile",
            "GDK_BACKEND": "wayland",
            "QT_QPA_PLATFORM": "wayland",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
            "WAYLAND_DISPLAY": "wayland-test",
            "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={run}/system",
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={run}/bus",
        }
        keys = folder / "home/.config/glib-2.0/settings/keyfile"
        keys.parent.mkdir(parents=True)
        keys.write_text(settings)
        for name in ("8-8-10", "16-16-40", "30-16-99"):
            scores = folder / "home/.local/share/gnome-mines/scores" / name
            scores.parent.mkdir(parents=True, exist_ok=True)
            scores.write_text(_SCORES)
        _make_x11_folder()
        sizes = [f"--virtual-monitor={width}x{height}" for width, height in monitors]
        try:
            for name in ("system", "bus"):
                address = f"--address=unix:path={run}/{name}"
                self.start("dbus-daemon", "--session", "--nofork", address)
                wait_until(lambda name=name: _answers(run / name), _SECONDS)
            self.start("pipewire")
            wait_until(lambda: _answers(run / "pipewire-0"), _SECONDS)
            self.start("wireplumber")
            shell = ("gnome-shell", "--headless", *sizes, "--wayland-display=wayland-test")
            self.shell = self.start(*shell)
            wait_until(lambda: _answers(run / "wayland-test"), _SECONDS)
            self.bus = self.connect(self.environment["DBUS_SESSION_BUS_ADDRESS"])
            wait_until(lambda: {"org.gnome.Shell", _RD} <= self._names(), _SECONDS)
            self._leave_overview()
        except BaseException:
            self.close()
            raise

    def _names(self) -> set[str]:
        """Return who is on the bus."""
        found = reply_of(self.bus, message_bus.ListNames())
        return set(found[0]) if found else set()

    def _leave_overview(self) -> None:
        """Show the windows as they are: GNOME begins with an overview of them.

        Left before GNOME has started, it may keep the mouse from all windows.
        """
        log = self.folder / "gnome-shell.log"
        wait_until(lambda: "GNOME Shell started" in log.read_text("utf-8"), _SECONDS)
        shell = Properties(DBusAddress("/org/gnome/Shell", "org.gnome.Shell", "org.gnome.Shell"))

        def is_open(expected: bool) -> bool:
            return reply_of(self.bus, shell.get("OverviewActive")) == (("b", expected),)

        wait_until(lambda: is_open(True), _SECONDS)
        reply_of(self.bus, shell.set("OverviewActive", "b", False))
        wait_until(lambda: is_open(False), _SECONDS)

    def scale(self, sizes: Sequence[tuple[int, int]], scales: Sequence[float]) -> None:
        """Give each monitor a scale, side by side."""
        name = "org.gnome.Mutter.DisplayConfig"
        address = DBusAddress("/org/gnome/Mutter/DisplayConfig", name, name)
        state = reply_of(self.bus, new_method_call(address, "GetCurrentState"))
        assert state is not None
        serial, monitors, *_ = state
        left, placed = 0, []
        for monitor, (width, _), scale in zip(monitors, sizes, scales, strict=True):
            shown = [(monitor[0][0], monitor[1][0][0], {})]
            placed.append((left, 0, scale, 0, left == 0, shown))
            left += round(width / scale)
        body = (serial, 1, placed, {})
        signature = "uua(iiduba(ssa{sv}))a{sv}"
        apply = new_method_call(address, "ApplyMonitorsConfig", signature, body)
        assert reply_of(self.bus, apply) == ()

    def connect(self, address: str) -> DBusConnection:
        """Return a connection to a bus, which is closed with the session."""
        return self._resources.enter_context(open_dbus_connection(address))

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        """Start a program in the session."""
        log = self.folder / f"{Path(command[0]).name}.log"
        with log.open("ab") as file:
            process = subprocess.Popen(
                command,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._processes.append(process)
        return process

    def game(self, *options: str) -> subprocess.Popen[bytes]:
        """Start GNOME Mines: --small, --medium or --big."""
        return self.start("gnome-mines", *(options or ("--small",)))

    def play(self, *options: str) -> subprocess.Popen[str]:
        """Start `minesweeper-bot play` in the session."""
        return subprocess.Popen(
            [sys.executable, "-m", "gui", "play", "--no-panel", "--yes", *options],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    @property
    def x11(self) -> dict[str, str]:
        """The environment of a program of X11 in the session, once XWayland is ready."""
        log = self.folder / "gnome-shell.log"

        def display() -> str:
            found = re.search(r"public X11 display (:\d+)", log.read_text("utf-8"))
            return found[1] if found else ""

        wait_until(display, _SECONDS)
        (cookie,) = (self.folder / "run").glob(".mutter-Xwaylandauth.*")
        return {
            "DISPLAY": display(),
            "XAUTHORITY": str(cookie),
            "QT_QPA_PLATFORM": "xcb",
            "GDK_BACKEND": "x11",
        }

    def start_x11(self, *command: str) -> subprocess.Popen[bytes]:
        """Start a program of X11 in the session."""
        return self.start("env", *(f"{name}={value}" for name, value in self.x11.items()), *command)

    def panel(self, settings: str) -> subprocess.Popen[bytes]:
        """Start the panel in the session, with these settings."""
        (self.folder / "home/settings.toml").write_text(settings)
        return self.start(sys.executable, "-m", "gui")

    def stop(self, process: subprocess.Popen[Any]) -> None:
        """End a program."""
        process.terminate()
        process.wait()

    def close(self) -> None:
        """End everything, the programs first and the bus at last."""
        self._resources.close()
        for process in reversed(self._processes):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


class User:
    """The user of a session.

    Args:
        session: The session.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        bus = session.bus
        bus_at = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
        asked = new_method_call(bus_at, "GetAddress")
        wait_until(lambda: reply_of(bus, asked), _SECONDS)
        (address,) = reply_of(bus, asked) or ("",)
        status = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Status")
        bus.send_and_get_reply(Properties(status).set("IsEnabled", "b", True), timeout=20)
        self._seen = session.connect(address)
        self._bus = bus
        self._remote: str | None = None

    # The dialog

    def press(self, name: str, role: str = "button") -> None:
        """Press what has a role and a name, once it is shown."""
        wait_until(lambda: self.press_once(role, name), _SECONDS)

    def shows(self, name: str, role: str = "button") -> bool:
        """Return whether something with this role and name is shown."""
        return self._find(role, name) is not None

    def reads(self, words: str) -> bool:
        """Return whether a label shows a text with these words: its name or its description."""
        labels = (part for part in self.tree() if part.role == "label")
        return any(words in part.name or words in part.description for part in labels)

    def describe(self) -> str:
        """Return a line for each part that has a name or a description."""
        named = (part for part in self.tree() if part.name or part.description)
        return "\n".join(f"{part.role}: {part.name!r} {part.description!r}" for part in named)

    def share(self, *, control: bool = True, window: str | None = None, monitors: int = 0) -> None:
        """Answer the portal's dialog with yes."""
        wait_until(lambda: self.shows("Share"), _SECONDS)
        for index in range(monitors):
            wait_until(lambda index=index: self.select("MetaVendor", index), _SECONDS)
        if window is not None:
            self.press("Single Window", "tab")
            wait_until(lambda: self.select(window), _SECONDS)
        switch = "switch", "Allow remote interaction"

        def is_switched() -> bool:
            return self._is(_CHECKED, *switch) is control

        # It sometimes stands right from the start, and takes a while until its state says so.
        wait_until(lambda: self.shows(switch[1], switch[0]), _SECONDS)
        if not is_switched():
            self._press_until(is_switched, switch)
        wait_until(lambda: self._is(_SENSITIVE, "button", "Share"), _SECONDS)
        button = self._find("button", "Share")
        # The button of the next request is another one.
        self._press_until(lambda: self._find("button", "Share") != button, ("button", "Share"))

    def _press_until(self, done: Callable[[], bool], part: tuple[str, str]) -> None:
        """Press what has a role and a name until it has an effect: a press may be lost."""
        pressed = False

        def has_effect() -> bool:
            nonlocal pressed
            if pressed and done():
                return True
            pressed |= self.press_once(*part)
            with suppress(AssertionError):
                wait_until(done, _LOST)
            return False

        wait_until(has_effect, _SECONDS)

    def _is(self, flag: int, role: str, name: str) -> bool:
        """Return whether something is shown that has a state of AT-SPI."""
        found = self._find(role, name)
        state = found and self._ask(found, "Accessible", "GetState")
        return bool(state and state[0][0] & flag)

    def select(self, item: str, index: int | None = None) -> bool:
        """Select an item of a list, or one by its index in that list, if it is shown."""
        if (found := self._find("list item", item)) is None:
            return False
        address = DBusAddress(found[1], found[0], f"{_ATSPI}.Accessible")
        parent = reply_of(self._seen, Properties(address).get("Parent"))
        at = self._ask(found, "Accessible", "GetIndexInParent") if index is None else (index,)
        if parent is None or at is None:
            return False
        selected = self._ask(parent[0][1], "Selection", "SelectChild", "i", *at)
        return selected == (True,)

    def press_once(self, role: str, name: str) -> bool:
        """Press what has a role and a name; return whether it is shown."""
        found = self._find(role, name)
        # The first action of a check box only changes its mark.
        action = int(role == "check box")
        return found is not None and self._ask(found, "Action", "DoAction", "i", action) == (True,)

    def _find(self, role: str, name: str) -> tuple[str, str] | None:
        for part in self.tree():
            if role in ("*", part.role) and part.name.replace("&", "").endswith(name):
                return part.reference
        return None

    def tree(self) -> Iterator[Part]:
        """Yield what programs show, the newest program first, and of each from the top down.

        The portal's dialog is in one of the last programs. GNOME's own parts are left out: they
        are 1,600, and nothing of them is pressed.
        """
        (desktop,) = self._parts([_ROOT])
        for program in reversed(desktop.children):
            level = [program]
            while level and (parts := self._parts(level)) and parts[0].name != "gnome-shell":
                yield from parts
                level = [child for part in parts for child in part.children]

    def _parts(self, references: Sequence[tuple[str, str]]) -> list[Part]:
        """Return parts of programs, asked for all at once: a program may be slow to answer."""
        asked = []
        for reference in references:
            address = DBusAddress(reference[1], reference[0], f"{_ATSPI}.Accessible")
            asked += [
                new_method_call(address, "GetRoleName"),
                Properties(address).get("Name"),
                Properties(address).get("Description"),
                new_method_call(address, "GetChildren"),
            ]
        bodies = replies_of(self._seen, asked)
        return [
            Part(
                reference,
                role[0] if role else "",
                name[0][1] if name else "",
                description[0][1] if description else "",
                children[0] if children else [],
            )
            for reference, (role, name, description, children) in zip(
                references, zip(*[iter(bodies)] * 4, strict=True), strict=True
            )
        ]

    def _ask(
        self, at: tuple[str, str], interface: str, member: str, signature: str = "", *body: object
    ) -> tuple[Any, ...] | None:
        address = DBusAddress(at[1], at[0], f"{_ATSPI}.{interface}")
        message = new_method_call(address, member, signature or None, body)
        return reply_of(self._seen, message)

    def revoke(self, picture: NDArray[np.uint8], place: Callable[[], Point]) -> None:
        """Click on the orange sign in the panel, which ends all sharing.

        Args:
            picture: (rows, columns, 3) BGR, of the monitor while it is shared.
            place: Returns where the pointer is.
        """
        blue, green, red = np.moveaxis(picture[:32].astype(int), 2, 0)
        orange = np.argwhere((red > 180) & (green > 120) & (green < 180) & (blue < 60))
        y, x = orange.mean(axis=0).round()

        def has_arrived() -> bool:
            at = place()
            if at == (x, y):
                return True
            self.move(x - at.x, y - at.y)
            with suppress(AssertionError):
                # GNOME drops the first motion of a new mouse.
                wait_until(lambda: place() != at, 1.0)
            return False

        wait_until(has_arrived)
        self._notify("NotifyPointerButton", "ib", 0x110, True)
        # This mouse ends as well, by the press.
        self._remote = None

    # The mouse and the keyboard

    def move(self, dx: float, dy: float) -> None:
        """Move the mouse by so many points."""
        self._notify("NotifyPointerMotionRelative", "dd", dx, dy)

    def type(self, *keysyms: int) -> None:
        """Press keys together, and release them."""
        for down in (True, False):
            for keysym in keysyms if down else reversed(keysyms):
                self._notify("NotifyKeyboardKeysym", "ub", keysym, down)

    def _notify(self, member: str, signature: str, *body: object) -> None:
        if self._remote is None:
            self._remote = self._call("/org/gnome/Mutter/RemoteDesktop", _RD, "CreateSession")[0]
            self._call(self._remote, f"{_RD}.Session", "Start")
        self._call(self._remote, f"{_RD}.Session", member, signature, *body)

    def _call(
        self, path: str, interface: str, member: str, signature: str = "", *body: object
    ) -> tuple[Any, ...]:
        address = DBusAddress(path, _RD, interface)
        message = new_method_call(address, member, signature or None, body)
        reply = self._bus.send_and_get_reply(message, timeout=20)
        assert reply.header.message_type is not MessageType.error, reply.body
        return tuple(reply.body)


@contextmanager
def gnome(folder: Path, **options: Any) -> Iterator[Session]:
    """Yield a session, which is ended at the end."""
    session = Session(folder, **options)
    try:
        yield session
    finally:
        session.close()


def starts() -> bool:
    """Return whether a session can be had here; if not, the reason is printed."""
    with tempfile.TemporaryDirectory(prefix="wl") as folder:
        try:
            with gnome(Path(folder)):
                return True
        except (AssertionError, OSError):
            traceback.print_exc()
            for log in Path(folder).glob("*.log"):
                sys.stderr.write(f"{log.name}:\n{log.read_text(errors='replace')[-2000:]}\n")
            return False


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as server, suppress(OSError):
        server.connect(str(path))
        return True
    return False


if __name__ == "__main__":
    if sys.argv[1] == "--missing":
        absent = missing()
        if not absent and not starts():
            absent = ["a GNOME session"]
        sys.stdout.write(" and ".join(absent))
        sys.exit()
    with gnome(Path(sys.argv[1])) as made:
        sys.stdout.write(json.dumps(made.environment, indent=1) + "\n")
        made.shell.wait()
