"""X11 through Xlib: windows, the pointer, and whether the user sees the screen.

A request that follows an event on a connection is answered after the server has processed the
event: one exchange returns the pointer's position and the window under it, just before the press,
and another one just before the release. A click with the first exchange takes 0.08 ms, with both
0.12 ms; pyautogui's takes 1.6 ms without checks (on Xvfb, on one machine).

Whether the user sees the screen is found out without a bus or a network: by the X server's property
for its virtual terminal (`XFree86_has_VT`, Xorg), the property by which xscreensaver and its
descendants report a locked screen (`_SCREENSAVER_STATUS`), and logind's file of the session
(systemd, `session_save`; libsystemd reads it, too). Any other locker is detected by its window,
which covers the whole screen.

Source: _NET_WM_PING of the Extended Window Manager Hints, 1.5; XTEST; X Composite.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import update_wrapper
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from bot.frame import Point, Region
from bot.mouse import MouseError, Pointer
from vision.desktop.base import (
    LACKS,
    OWN_CLASS,
    SIMULATOR_CLASS,
    ClickState,
    Decoration,
    Desktop,
    Feature,
    GlobalKey,
    InputEvents,
    PointerState,
    Screen,
    Window,
)
from vision.desktop.pyautogui_pointer import PyautoguiPointer
from vision.desktop.session import SessionKind, compositor_answers, session_kind, silent_display
from vision.desktop.x11_connection import (
    Connection,
    authority,
    close_display,
    connected,
    disconnect,
    is_lost,
    number_of,
    open_display,
)
from vision.desktop.x11_input import NoInputEvents, X11GlobalKey, X11InputEvents
from vision.plaintext import one_line

_BOXES: Final = ("NORMAL", "DIALOG", "SPLASH")
"""Types of windows that are not menus or tooltips, if a window has any."""
_MENUS: Final = ("Menu",)
"""Classes of menus without a type: Tk's."""
SESSIONS: Final = Path("/run/systemd/sessions")
"""The folder of logind's session files."""

_BUTTONS: Final = 0x1F00
"""Button1Mask to Button5Mask of the X protocol."""
_MODIFIERS: Final = 0x4D
"""ShiftMask, ControlMask, Mod1Mask (Alt) and Mod4Mask (Super): none of the locks."""
_NUMBERS: Final = {"left": 1, "middle": 2, "right": 3}

_MWM_DECORATIONS: Final = 1 << 1
"""Flag of _MOTIF_WM_HINTS: its third number describes the decoration by the window manager."""
_BROWSER_ROLES: Final = ("browser", "pop-up", "Popup")
"""WM_WINDOW_ROLE of the windows of Chromium and Firefox."""

_TITLE_CHARACTERS: Final = 300
"""Longest title: a message or a tooltip with a longer one would cover the screen."""
_RESPONSE_SECONDS: Final = 1.0
"""Time for a program to answer a ping."""
_PING_INTERVAL: Final = 0.005

_UNKNOWN: Final = Desktop()
_P = ParamSpec("_P")
_T = TypeVar("_T")


def _asked(
    question: Callable[Concatenate[X11Desktop, Connection, _P], _T],
) -> Callable[Concatenate[X11Desktop, _P], _T]:
    """Make a method that gets this thread's connection.

    If a window or the display has gone, the method returns the default of `Desktop`, None if there
    is none. If another server has replaced the old one, it is used.
    """

    def ask(self: X11Desktop, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        def unknown() -> _T:
            value: Any = getattr(_UNKNOWN, question.__name__, lambda *_args: None)
            answer: _T = value(*args, **kwargs)
            return answer

        return _answer(lambda connection: question(self, connection, *args, **kwargs), unknown)

    update_wrapper(ask, question)
    return ask


def _answer(question: Callable[[Connection], _T], unknown: Callable[[], _T]) -> _T:
    """Ask, once more if another server has replaced the old one; `unknown` without an answer."""
    from Xlib import error  # noqa: PLC0415 - only on X11

    for _ in range(2):
        connection = connected()
        if connection is None:
            break
        try:
            return question(connection)
        except error.XError:
            break
        except (error.ConnectionClosedError, TypeError) as broken:
            if not is_lost(broken):
                raise
        disconnect()
    return unknown()


class X11Desktop(Desktop):
    """The display that DISPLAY names."""

    lists_windows = True
    overlays = True

    @property
    def name(self) -> str:
        return f"X11, display {_display()}"

    @property
    def lacks(self) -> Mapping[Feature, str]:
        connection = connected()
        if connection is None:
            return LACKS
        extensions = {
            Feature.WINDOW_CAPTURE: "Composite",
            Feature.USER_INPUT: "XInputExtension",
        }
        lacks = {
            feature: LACKS[feature]
            for feature, extension in extensions.items()
            if extension not in connection.extensions
        }
        # XWayland would grab a key without ever receiving it.
        if session_kind() is not SessionKind.X11:
            lacks[Feature.GLOBAL_KEYS] = LACKS[Feature.GLOBAL_KEYS]
        return lacks

    def find_obstacle(self) -> str | None:
        if session_kind() is SessionKind.WAYLAND and compositor_answers():
            # A private screen: this program's own windows open beside it.
            return None
        return None if self.answers() else silent_display(_display())

    def answers(self) -> bool:
        return self._screen_state() is not None

    def find_absence(self) -> str | None:
        shown = self._screen_state()
        if shown is None:
            return f"the display {_display()} is gone"
        visible, locked = shown
        if locked:
            return "the screen is locked"
        if not visible or _switched_away():
            return "another session is on the screen"
        return None

    @_asked
    def list_windows(self, connection: Connection) -> list[Window]:
        return list(_described(connection, reversed(_stacking(connection))))

    @_asked
    def exists(self, connection: Connection, window_id: int) -> bool:
        return connection.window(window_id).get_attributes() is not None

    @_asked
    def is_same(self, connection: Connection, window: Window) -> bool:
        found = _window(connection, window.id)
        if found is None:
            return False
        return (found.class_name, found.pid) == (window.class_name, window.pid)

    @_asked
    def place_of(self, connection: Connection, window_id: int) -> Region | None:
        return connection.ask_place(window_id)()

    @_asked
    def frame_of(self, connection: Connection, window_id: int) -> int:
        return _frame(connection, window_id)

    @_asked
    def decoration(self, connection: Connection, window_id: int) -> Decoration:
        window = connection.window(window_id)
        hints, role, extents = (
            connection.ask_cardinals(window, "_MOTIF_WM_HINTS"),
            connection.ask_text(window, "WM_WINDOW_ROLE"),
            connection.ask_cardinals(window, "_GTK_FRAME_EXTENTS"),
        )
        flags, _, decorations = (*hints(), 0, 0, 0)[:3]
        bare = bool(flags & _MWM_DECORATIONS) and decorations == 0
        left, right, top, bottom = (*extents(), 0, 0, 0, 0)[:4]
        return Decoration(bare or role() in _BROWSER_ROLES, (left, right, top, bottom))

    @_asked
    def is_popup(self, connection: Connection, window_id: int) -> bool:
        attributes = connection.window(window_id).get_attributes()
        return attributes is not None and bool(attributes.override_redirect)

    @_asked
    def same_client(self, connection: Connection, one: Window, other: Window) -> bool:
        # The upper bits of an id are those of the program's connection.
        client = ~connection.display.display.info.resource_id_mask
        return not (one.id ^ other.id) & client

    @_asked
    def box_over(self, connection: Connection, game: Window) -> Window | None:
        for one in reversed(connection.root.query_tree().children):
            found = _window(connection, one.id) if self.is_popup(one.id) else None
            if found is None or found.id == game.id or not self.same_client(found, game):
                continue
            if found.region.intersection(game.region) is None:
                continue
            kinds = connection.ask_cardinals(one, "_NET_WM_WINDOW_TYPE")()
            plain = {connection.atom(f"_NET_WM_WINDOW_TYPE_{kind}") for kind in _BOXES}
            if found.class_name not in _MENUS and plain.issuperset(kinds):
                return found
        return None

    @_asked
    def is_own(self, connection: Connection, top: int) -> bool:
        from Xlib import error  # noqa: PLC0415 - only on X11

        if top == 0:
            return False
        if (window := _window(connection, top)) is not None and _is_own(window):
            return True
        for window in filter(_is_own, self.list_windows()):
            # Other windows may be closed meanwhile.
            with suppress(error.XError):
                if _frame(connection, window.id) == top:
                    return True
        return False

    @_asked
    def window_at(self, connection: Connection, point: Point) -> Window | None:
        x, y = int(point.x), int(point.y)
        root, clients = connection.root, set(_stacking(connection))
        top = child = root.translate_coords(root, x, y).child
        while child != connection.x.NONE:
            if child.id in clients:
                return _window(connection, child.id)
            child = child.translate_coords(root, x, y).child
        return None if top == connection.x.NONE else _window(connection, top.id)

    @_asked
    def uncovered(
        self, connection: Connection, window_id: int, points: Sequence[Point]
    ) -> list[bool]:
        place, parent = connection.ask_place(window_id), connection.ask_parent(window_id)
        tops = [connection.ask_top(point) for point in points]
        seen = place()
        above = parent()
        frame = window_id if above is None else _frame(connection, above)
        return [
            top() == frame and seen is not None and seen.contains(point)
            for point, top in zip(points, tops, strict=True)
        ]

    @_asked
    def monitors(self, connection: Connection) -> list[Region]:
        display = connection.display
        if not display.has_extension("XINERAMA"):
            size = connection.root.get_geometry()
            return [Region(0, 0, size.width, size.height)]
        screens = display.xinerama_query_screens().screens
        return [Region(one.x, one.y, one.width, one.height) for one in screens]

    @_asked
    def activate(self, connection: Connection, window: Window) -> None:
        x, target = connection.x, connection.window(window.id)
        if connection.ask_cardinals(connection.root, "_NET_SUPPORTING_WM_CHECK")():
            _ask_manager(connection, target, "_NET_ACTIVE_WINDOW", [2, x.CurrentTime, 0, 0, 0])
        else:
            target.configure(stack_mode=x.Above)
            target.set_input_focus(x.RevertToParent, x.CurrentTime)
        connection.display.sync()

    @_asked
    def close_window(self, connection: Connection, window_id: int) -> None:
        from Xlib.protocol import event  # noqa: PLC0415 - only on X11

        x, window = connection.x, connection.window(window_id)
        delete, protocols = map(connection.atom, ("WM_DELETE_WINDOW", "WM_PROTOCOLS"))
        understood = window.get_full_property(protocols, x.AnyPropertyType)
        # A window manager would end the program of a window that does not understand this.
        if understood is not None and delete in understood.value:
            data = (32, [delete, x.CurrentTime, 0, 0, 0])
            window.send_event(event.ClientMessage(window=window, client_type=protocols, data=data))
            connection.display.sync()

    @_asked
    def maximise(self, connection: Connection, window_id: int) -> None:
        ways = [connection.atom(f"_NET_WM_STATE_MAXIMIZED_{way}") for way in ("HORZ", "VERT")]
        _ask_manager(connection, connection.window(window_id), "_NET_WM_STATE", [1, *ways, 2, 0])
        connection.display.sync()

    @_asked
    def focused(self, connection: Connection) -> Window | None:
        active = connection.ask_cardinals(connection.root, "_NET_ACTIVE_WINDOW")()
        if active:
            return _window(connection, active[0])
        focus = connection.display.get_input_focus().focus
        if isinstance(focus, int) or focus == connection.root:
            return None
        return _window(connection, focus.id)

    def responds(self, window_id: int, wait: Callable[[float], bool]) -> bool:
        return connected() is None or _pinged(window_id, wait) or not self.exists(window_id)

    def open_screen(self) -> Screen:
        from vision.desktop.x11_screen import X11Screen  # noqa: PLC0415 - loads OpenCV

        return X11Screen(self)

    @_asked
    def redirect_window(self, connection: Connection, window_id: int) -> tuple[int, int] | None:
        """Redirect a window to its own buffer; return its depth and visual, or None."""
        from Xlib.ext import composite  # noqa: PLC0415 - only on X11

        if not connection.display.has_extension(composite.extname):
            return None
        # Xlib's own request for the version omits the version.
        server = connection.display.display
        opcode = server.get_extension_major(composite.extname)
        composite.QueryVersion(display=server, opcode=opcode, major_version=0, minor_version=4)
        window = connection.window(window_id)
        if window_id not in connection.redirected:
            window.composite_redirect_window(composite.RedirectAutomatic)
        described = window.get_geometry().depth, window.get_attributes().visual
        connection.redirected.add(window_id)
        return described

    @_asked
    def release_window(self, connection: Connection, window_id: int) -> None:
        from Xlib.ext import composite  # noqa: PLC0415 - only on X11

        if window_id in connection.redirected:
            connection.redirected.discard(window_id)
            window = connection.window(window_id)
            window.composite_unredirect_window(composite.RedirectAutomatic)
            connection.display.sync()

    def open_pointer(self) -> Pointer:
        return X11Pointer()

    @_asked
    def pointer_state(self, connection: Connection) -> PointerState | None:
        return _pointer_state(connection.ask_pointer()())

    @_asked
    def click_state(
        self, connection: Connection, window_id: int, pixel: tuple[int, int] | None = None
    ) -> ClickState | None:
        before = None
        if pixel is not None:
            before = connection.ask_pointer()
            connection.window(window_id).warp_pointer(*pixel)
        where, place = connection.ask_pointer(), connection.ask_place(window_id)
        found, pointer = before and before(), where()
        # A window's frame stays for a moment after it.
        return ClickState(
            _pointer_state(pointer), place(), Point(found.root_x, found.root_y) if found else None
        )

    @_asked
    def steer(self, connection: Connection, window_id: int, x: int, y: int) -> None:
        connection.window(window_id).warp_pointer(x, y)

    def open_input_events(self) -> InputEvents | None:
        try:
            return X11InputEvents()
        except NoInputEvents:
            return None

    def open_global_key(self, name: str, pressed: Callable[[], None]) -> GlobalKey | None:
        return X11GlobalKey(name, pressed) if session_kind() is SessionKind.X11 else None

    @_asked
    def _screen_state(self, connection: Connection) -> tuple[bool, bool] | None:
        """Return whether the screen is shown and whether it is locked; None without a display."""
        terminal = connection.ask_cardinals(connection.root, "XFree86_has_VT")
        saver = connection.ask_cardinals(connection.root, "_SCREENSAVER_STATUS")
        return terminal() != [0], saver()[:1] == [connection.atom("LOCK")]


class X11Pointer:
    """The mouse of an X server by XTEST, on the connection of the thread that plays.

    Raises:
        MouseError: There is no display to open, or programs cannot move its mouse.
    """

    def __init__(self) -> None:
        self._keys: PyautoguiPointer | None = None
        buttons = _answer(_released, lambda: None)
        if buttons is None:
            raise MouseError(
                f"the mouse of display {_display() or '(none)'} cannot be moved by "
                "programs: is there such a display, with the extension XTEST?"
            )
        self._buttons = buttons

    @property
    def position(self) -> Point:
        """The pointer's position, in points."""
        found = _sent(lambda connection: connection.ask_pointer()())
        return Point(found.root_x, found.root_y)

    def move(self, point: Point) -> Point:
        """Move the pointer to a point; return its position just before, from the same message."""
        from Xlib.ext import xtest  # noqa: PLC0415 - only on X11

        def send(connection: Connection) -> Any:
            before = connection.ask_pointer()
            x, y = round(point.x), round(point.y)
            xtest.fake_input(connection.display, connection.x.MotionNotify, x=x, y=y)
            return before()

        found = _sent(send)
        return Point(found.root_x, found.root_y)

    def click(
        self,
        point: Point,  # noqa: ARG002 - the pointer is there already
        button: str,
        hold: Callable[[], object] | None,
    ) -> None:
        """Press and release at the pointer's position; call `hold` between the two."""
        number = self._buttons[button]
        _sent(lambda connection: connection.send_button(number, down=True))
        try:
            if hold is not None:
                hold()
        finally:
            _sent(lambda connection: connection.send_button(number, down=False))

    def press(self, key: str) -> None:
        """Type a key, by pyautogui's name for it; several held together as `ctrl+n`."""
        # Loaded for the first key: most games need none.
        self._keys = self._keys or PyautoguiPointer(fail_safe=False, importing=authority)
        self._keys.press(key)


def _released(connection: Connection) -> dict[str, int] | None:
    """Return the physical number of each button, after releasing them; None without XTEST."""
    if not connection.display.has_extension("XTEST"):
        return None
    mapping = list(connection.display.get_pointer_mapping())
    # Left-handed users may have swapped them: the button that is sent is the physical one.
    buttons = {name: mapping.index(number) + 1 for name, number in _NUMBERS.items()}
    # A process that was killed between press and release leaves its button down. A button of
    # the user's own mouse is not released by this.
    if connection.ask_pointer()().mask & _BUTTONS:
        for number in buttons.values():
            connection.send_button(number, down=False)
    return buttons


def _sent(send: Callable[[Connection], _T]) -> _T:
    """Send an event once: events meant for the old server must not reach a new one.

    Raises:
        MouseError: The display is gone.
    """
    from Xlib.error import ConnectionClosedError  # noqa: PLC0415 - only on X11

    connection = connected()
    try:
        if connection is not None:
            return send(connection)
    except (ConnectionClosedError, TypeError) as error:
        if not is_lost(error):
            raise
        disconnect()
    raise MouseError(f"the display {_display()} is gone: nothing more is clicked")


def _display() -> str:
    return os.environ.get("DISPLAY", "")


def _window(connection: Connection, window_id: int) -> Window | None:
    """Return one window; None if it is not shown."""
    return next(iter(_described(connection, [window_id])), None)


def _frame(connection: Connection, window_id: int) -> int:
    while (above := connection.ask_parent(window_id)()) is not None:
        window_id = above
    return window_id


def _stacking(connection: Connection) -> list[int]:
    """Return window ids from the bottom to the top."""
    root = connection.root
    listed = connection.ask_cardinals(root, "_NET_CLIENT_LIST_STACKING")()
    if listed or connection.ask_cardinals(root, "_NET_SUPPORTING_WM_CHECK")():
        return listed
    return [window.id for window in root.query_tree().children]


def _described(connection: Connection, ids: Iterable[int]) -> Iterator[Window]:
    from Xlib import error  # noqa: PLC0415 - only on X11

    for window_id in ids:
        try:
            window = _describe(connection, window_id)
        except error.XError:
            continue
        if window is not None:
            yield window


def _describe(connection: Connection, window_id: int) -> Window | None:
    window, place = connection.window(window_id), connection.ask_place(window_id)
    name, classes, titles, *numbers = (
        connection.ask_text(window, "WM_NAME"),
        connection.ask_text(window, "WM_CLASS"),
        connection.ask_text(window, "_NET_WM_NAME"),
        connection.ask_cardinals(window, "_NET_WM_PID"),
        connection.ask_cardinals(window, "WM_TRANSIENT_FOR"),
        connection.ask_cardinals(window, "WM_CLIENT_LEADER"),
    )
    region = place()
    if region is None:
        return None
    named = classes().split("\0")
    class_name = one_line(named[1] if len(named) > 1 else named[0])
    own = class_name.startswith(OWN_CLASS) and class_name != SIMULATOR_CLASS
    process, owner, leader = (next(iter(number()), None) for number in numbers)
    return Window(
        window_id,
        one_line(titles() or name())[:_TITLE_CHARACTERS],
        class_name,
        region,
        process,
        own,
        owner or 0,
        leader or connection.client_of(window_id),
    )


def _is_own(window: Window) -> bool:
    return window.own or window.pid == os.getpid()


def _pointer_state(found: Any) -> PointerState:
    """Return the reply to QueryPointer."""
    return PointerState(
        Point(found.root_x, found.root_y),
        number_of(found.child),
        bool(found.mask & _BUTTONS),
        bool(found.mask & _MODIFIERS),
    )


def _ask_manager(connection: Connection, window: Any, name: str, data: list[int]) -> None:
    """Send the window manager a request about a window."""
    from Xlib.protocol import event  # noqa: PLC0415 - only on X11

    x = connection.x
    message = event.ClientMessage(window=window, client_type=connection.atom(name), data=(32, data))
    mask = x.SubstructureRedirectMask | x.SubstructureNotifyMask
    connection.root.send_event(message, event_mask=mask)


def _switched_away() -> bool:
    """Return whether logind reports that the session of this display is not shown."""
    try:
        files = list(SESSIONS.iterdir())
    except OSError:
        return False
    for file in files:
        try:
            lines = file.read_text("utf-8").splitlines()
        except OSError:
            continue
        entries = dict(line.split("=", 1) for line in lines if "=" in line)
        ours = entries.get("DISPLAY") == _display() and entries.get("UID") == str(os.getuid())
        if ours and entries.get("STATE") == "online":
            return True
    return False


def _pinged(window_id: int, wait: Callable[[float], bool]) -> bool:
    """Return whether a program answers a ping; True if it supports none, or the user stopped."""
    from Xlib import X, error  # noqa: PLC0415 - only on X11
    from Xlib.protocol import event  # noqa: PLC0415

    server: Any = open_display()
    try:
        server.set_error_handler(lambda *_: None)
        ping, protocols = map(server.intern_atom, ("_NET_WM_PING", "WM_PROTOCOLS"))
        window = server.create_resource_object("window", window_id)
        understood = window.get_full_property(protocols, X.AnyPropertyType)
        if understood is None or ping not in understood.value:
            return True
        root = server.screen().root
        # Qt sends its answer by the second mask, GTK by the first.
        root.change_attributes(event_mask=X.SubstructureNotifyMask | X.StructureNotifyMask)
        question = (32, [ping, X.CurrentTime, window_id, 0, 0])
        window.send_event(event.ClientMessage(window=window, client_type=protocols, data=question))
        server.sync()
        deadline = time.perf_counter() + _RESPONSE_SECONDS
        while time.perf_counter() < deadline:
            while server.pending_events():
                if _is_answer(server.next_event(), ping, window_id):
                    return True
            if wait(_PING_INTERVAL):
                return True
    except error.XError:
        return True
    finally:
        close_display(server)
    return False


def _is_answer(received: Any, ping: int, window_id: int) -> bool:
    """Return whether an event is the answer to a ping."""
    from Xlib import X  # noqa: PLC0415 - only on X11

    # The uppermost bit marks an event that a program sent.
    if received.type & 0x7F != X.ClientMessage:
        return False
    size, data = received.data
    return size == 32 and (data[0], data[2]) == (ping, window_id)
