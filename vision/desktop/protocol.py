"""The protocol that every window system's implementation fulfils, and its values.

Windows come and go between two calls: a window that has gone is not listed, and asking about it is
no error. Regions are client areas, without the frame that a window manager draws around them.

Units: points are those of `bot.frame.Frame`; an implementation answers all calls of a process in
the same ones (on X11 and Windows physical pixels: there each process has to declare itself aware of
the scale first). Places are exact: after a move to a point, `pointer_state` returns that point,
because the click guard compares them.

What a safe click depends on: `place_of`, `is_same`, `frame_of`, `window_at`, `uncovered`,
`pointer_state`, `click_state`, `steer` and the events of the user's mouse. The other methods add
comfort or make more programs playable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, Self

from bot.frame import Frame, Point, Region

if TYPE_CHECKING:
    from bot.mouse import Pointer

OWN_FRAME: Final = (124, 77, 255)
"""Red, green and blue of the frame around the panel where windows cannot be listed. What is in it
is not searched for boards."""
OWN_CLASS: Final = "minesweeper-bot"
SIMULATOR_CLASS: Final = "minesweeper-bot-simulator"
ANSWER_SECONDS: Final = 5.0
"""How long a display server may take; one on the same machine takes a millisecond."""
NOWHERE: Final = Region(0, 0, 0, 0)
"""The region of a window whose place is unknown."""


class Feature(Enum):
    """What an implementation may lack."""

    WINDOWS = "windows"
    """List windows with their titles and classes: `list_windows` `exists` `is_same`."""
    PLACES = "places of windows"
    """Tell where windows are, and which one lies at a point: `place_of` `frame_of` `decoration`
    `is_popup` `is_own` `window_at` `uncovered` `click_state` `steer`."""
    POINTER = "pointer"
    """Tell where the monitors and the pointer are: `monitors` `pointer_state`. Without `PLACES`
    the window under the pointer and what is held down are not known."""
    FOCUS = "focus"
    """Raise a window, give it the keyboard, and tell which one has it: `activate` `maximise`
    `focused`."""
    WINDOW_CAPTURE = "covered windows"
    """Capture a window without what lies over it: `Screen.select_window` `Screen.grab_window`."""
    STOP_KEY = "stop key"
    """Hear a key while another program's window has the keyboard: `open_stop_key`."""
    USER_INPUT = "user input"
    """Tell the user's mouse and keyboard from what this program sends: `open_input_events`."""
    SCREEN_LOCK = "screen lock"
    """Tell whether the screen is locked or another session is shown: `find_absence`."""
    RESPONSE = "hanging programs"
    """Tell whether a program responds: `responds`."""


class ScreenError(RuntimeError):
    """The screen cannot be read; the message says why and what to do."""


class AccessRefused(ScreenError):
    """The user did not permit to capture the screen or to move the pointer."""


@dataclass(frozen=True)
class Window:
    """A window on the screen."""

    id: int
    title: str
    class_name: str
    """The program's identity: skins, answers and permitted keys are kept by it. The same for all
    windows of a program and for no other program (on X11 the second part of WM_CLASS); empty if
    there is none."""
    region: Region
    """Client area, in points; `NOWHERE` if the window system does not tell."""
    pid: int | None
    own: bool
    """Belongs to this program, in this process or another, and is no built-in game. On X11 its
    class is `OWN_CLASS`, which `gui.application` sets; elsewhere the panel has to mark its windows
    in another way."""
    transient_for: int = 0
    """The id of the window that it is a dialog of (its owner; WM_TRANSIENT_FOR); 0 if none."""
    leader: int = 0
    """A number that all windows of one program share (WM_CLIENT_LEADER); 0 if there is none."""

    def same_program(self, other: Window) -> bool:
        """Return whether both windows belong to one program, as far as the program says."""
        by_process = self.pid is not None and self.pid == other.pid
        return by_process or (self.leader != 0 and self.leader == other.leader)


class Diagnosis(NamedTuple):
    """Something that playing on a desktop needs, for `doctor`."""

    what: str
    works: bool
    seen: str
    remedy: str = ""
    """What to do if it does not work."""


@dataclass(frozen=True)
class Decoration:
    """What of a window's client area is decoration that the program draws itself."""

    own_bars: bool
    """The program draws its title bar or tool bars that do not belong to the game: no window
    manager draws a frame, or the program says that it is a browser."""
    margins: tuple[int, int, int, int]
    """Points at the left, right, top and bottom that are border or shadow (on X11
    _GTK_FRAME_EXTENTS)."""


class PointerState(NamedTuple):
    """The pointer at one moment."""

    place: Point
    top: int
    """The id of the outermost window under it, equal to `Desktop.frame_of` of the application's
    window in it; 0 on the desktop."""
    button: bool
    """A mouse button is down."""
    modifier: bool
    """Shift, Ctrl, Alt or Super is down."""


@dataclass(frozen=True)
class ClickState:
    """The pointer and a window at one moment: what is checked right before a press."""

    pointer: PointerState
    region: Region | None
    """The window's client area; None if it is not shown."""
    before: Point | None = None
    """Where the pointer was just before it was put onto a pixel of the window, if it was."""


class InputKind(Enum):
    """What a device did."""

    MOTION = "motion"
    PRESS = "press"
    """A button, the wheel or a touch."""
    KEY = "key"
    """A key was pressed, except F1 to F12, which are commands; which one is not kept."""


class InputEvent(NamedTuple):
    """Something that a mouse or a keyboard did, or a program that sends events."""

    kind: InputKind
    sent: bool
    """A program sent it, this one or another; no device did."""
    point: Point | None
    """Where to, of a motion that a program sent, in whole points; a distance if it was relative."""


class InputEvents(Protocol):
    """The events of all devices, for one thread.

    What this program sends is reported as well, marked as sent: `user_mouse` recognises it by the
    rounded point that was announced, and takes every other event for the user's. So a pointer that
    `Desktop.steer` or `click_state` put elsewhere must not be reported. Releases of buttons and
    keys are none of the events.
    """

    @property
    def handle(self) -> int:
        """A descriptor for `select`, readable when events may have come; on Windows a socket."""

    @property
    def pending(self) -> bool:
        """Whether `pop_events` may have something without waiting."""

    def pop_events(self) -> list[InputEvent]:
        """Return the events since the last call; wait for some if there are none.

        Raises:
            OSError: The window system has gone.
        """

    def close(self) -> None:
        """Stop listening."""


class Screen(Protocol):
    """Captures the desktop or one window. Used by the thread that opened it.

    An implementation that receives a stream keeps its newest frame and returns that: a screen on
    which nothing changes sends none.
    """

    @property
    def region(self) -> Region:
        """All that can be captured, in points: all monitors, or a stream."""

    @property
    def monitors(self) -> tuple[Region, ...]:
        """Each monitor, in points."""

    @property
    def seconds(self) -> float:
        """Time spent on capturing so far."""

    def grab(self, region: Region | None = None) -> Frame:
        """Capture a part of the desktop, or of the window that was selected.

        If that window has moved, been closed or minimised, the picture may be black or show what
        lies there now: the reader compares `Desktop.place_of` before and after.

        Args:
            region: In points; all of it if None. It is clipped: `Frame.region` says what was
                captured.

        Raises:
            ScreenError: The region lies off the desktop (a monitor that was unplugged),
                or the screen went away.
        """

    def shows(self, region: Region) -> bool:
        """Return whether any of a region is on the desktop, as its monitors are now."""

    def grab_window(self, window: Window) -> Frame | None:
        """Return the part of a window on the desktop without what lies over it, or None.

        The first picture of a window may be incomplete.
        """

    def select_window(self, window_id: int) -> bool:
        """Let `grab` capture this window alone; return whether that is possible."""

    def select_desktop(self) -> None:
        """Let `grab` capture the desktop again, with whatever lies over the window."""

    def is_selected(self, window_id: int) -> bool:
        """Return whether `grab` captures this window alone."""

    def close(self) -> None:
        """Give the screen back."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class KeyTaken(RuntimeError):
    """The key cannot be had; the message says why and what to do."""


class StopKey(Protocol):
    """Hears a key, held only while there is something to stop. No method waits but `join`."""

    def hold(self, text: str) -> Future[None]:
        """Hear this key from now on, in place of the one before.

        Args:
            text: As `parse_key` takes it.

        Returns:
            Done when the key is heard; raises KeyTaken if it cannot be.

        Raises:
            ValueError: It is no key that may stop.
        """

    def release(self) -> Future[None]:
        """Leave the key to the other programs."""

    def close(self) -> None:
        """Release the key and end the thread."""

    def join(self) -> None:
        """Wait until the thread has ended, after `close`."""


class Desktop(Protocol):
    """A window system."""

    @property
    def name(self) -> str:
        """What it is called in messages."""

    @property
    def lacks(self) -> Mapping[Feature, str]:
        """The features that are missing, each with a sentence for the user: what that means."""

    @property
    def access_hint(self) -> str:
        """Where the user permits to capture the screen and move the pointer; empty if nowhere."""

    def request_access(
        self,
        report: Callable[[str], object] = lambda _text: None,
        stopped: Callable[[], bool] = lambda: False,
        *,
        again: bool = True,
    ) -> None:
        """Ask the user for access to screen and pointer if that is needed and was not done yet.

        Args:
            report: Called with what the user has to do, if anything.
            stopped: Whether to stop waiting for the user.
            again: Whether to ask even if the user has refused, or has ended the access, before.

        Raises:
            ScreenError: It cannot be asked for.
            AccessRefused: The user did not permit it.
        """

    @property
    def keeps_access(self) -> bool:
        """Whether the user's permission may be kept for later starts of this program."""

    def forget_access(self) -> None:
        """Forget the permission that was kept: the next start asks for it."""

    def diagnose(self) -> list[Diagnosis]:
        """Return what is needed here beside a display, and whether it works, without asking."""

    def answers(self) -> bool:
        """Return whether the window system responds in time; True if that cannot be asked."""

    def find_absence(self) -> str | None:
        """Return why the user cannot see the screen (locked, another session); None if unknown."""

    # Windows

    def list_windows(self) -> list[Window]:
        """Return the windows that are shown, the topmost first.

        Dialogs are listed, because they are looked for here; menus, tooltips, panels of the
        desktop, and windows that are minimised or on another workspace are not.
        """

    def exists(self, window_id: int) -> bool:
        """Return whether there is such a window, shown or minimised."""

    def is_same(self, window: Window) -> bool:
        """Return whether the id still refers to this window; ids are reused."""

    def place_of(self, window_id: int) -> Region | None:
        """Return a window's client area; None if it is closed, minimised or its place unknown."""

    def frame_of(self, window_id: int) -> int:
        """Return the id of the outermost frame around a window, or its own; 0 if unknown."""

    def decoration(self, window_id: int) -> Decoration:
        """Return what of a window's client area the program uses for its own decoration."""

    def is_popup(self, window_id: int) -> bool:
        """Return whether a window is a menu, a tooltip or the like, which no list has."""

    def is_own(self, top: int) -> bool:
        """Return whether an outermost window belongs to this program, as `Window.own` says.

        It may be a window of the panel, its frame, a dialog, a menu or a tooltip; of this process
        or another.
        """

    def window_at(self, point: Point) -> Window | None:
        """Return what lies under a point.

        Returns:
            The application's window, or the menu, tooltip or frame that lies there instead (its
            id is in no list); None on the bare desktop.
        """

    def uncovered(self, window_id: int, points: Sequence[Point]) -> list[bool]:
        """Return for each point whether nothing lies between it and the client area. Cheap."""

    def monitors(self) -> list[Region]:
        """Return where the monitors are; empty if that is unknown."""

    def activate(self, window: Window) -> None:
        """Raise a window and give it the keyboard, if the window system lets a program do so.

        Does not wait, and reports nothing: who needs it asks `focused`.
        """

    def maximise(self, window_id: int) -> None:
        """Make a window as large as the screen, if a window manager does that."""

    def focused(self) -> Window | None:
        """Return the window that has the keyboard, one of `list_windows`; None if none of them."""

    def responds(self, window_id: int, wait: Callable[[float], bool]) -> bool:
        """Return whether a window's program responds; True if it cannot be asked.

        `wait` waits the given seconds and returns True if the user stopped: the answer is then
        True.
        """

    # Screen

    def open_screen(self) -> Screen:
        """Open the screen for the thread that calls this.

        Raises:
            ScreenError: There is no screen, or it may not be read.
        """

    def release_window(self, window_id: int) -> None:
        """Undo what capturing a window alone has changed in the window system."""

    # Pointer and keys

    def open_pointer(self) -> Pointer:
        """Return what moves the pointer, clicks and types, for the thread that calls this.

        Raises:
            MouseError: Nothing does.
        """

    def pointer_state(self) -> PointerState | None:
        """Return where the pointer is, over which window, and what is held down; None if unknown.

        A window manager may delay a click until it has looked at it (openbox does so with every
        one); what is sent meanwhile is lost or lands where the pointer is by then. While a click is
        delayed its button counts as down.
        """

    def click_state(
        self, window_id: int, pixel: tuple[int, int] | None = None
    ) -> ClickState | None:
        """Return what the pointer is on and where a window is; None if the window is closed.

        Cheap enough for every click. The pointer is first put onto `pixel`, x and y in the client
        area.
        """

    def steer(self, window_id: int, x: int, y: int) -> None:
        """Put the pointer onto a pixel of a client area right before the next event is sent.

        It may be put off until then; a `Pointer.move` in between cancels it.

        The pointer of the same thread sends that event. Nothing may come between the two: both go
        to the window system in one request, so that the user cannot move the pointer away.
        """

    def open_input_events(self) -> InputEvents | None:
        """Listen to all devices; None if they cannot be heard."""

    def open_stop_key(self, pressed: Callable[[], None]) -> StopKey | None:
        """Return what hears a key from anywhere; None if `STOP_KEY` is lacking. Does not wait.

        `pressed` is called in a thread of its own, perhaps several times: a key repeats.
        """


MODIFIERS: Final = ("Ctrl", "Alt", "Shift", "Meta")
_NAMED: Final = frozenset(
    [
        "Pause",
        "ScrollLock",
        "Print",
        "Ins",
        "Del",
        "Home",
        "End",
        "PgUp",
        "PgDown",
        "Backspace",
        "Space",
        "Left",
        "Right",
        "Up",
        "Down",
    ]
)
"""Qt's portable names of keys."""
_ALONE: Final = frozenset({"Pause", "ScrollLock", "Print"})
"""Named keys that may stop without a modifier: they are not used for typing."""
_RESERVED: Final = frozenset({"F1", "F2", "F5", "F6", "F7", "F9", "Ctrl+N", "Ctrl+R"})
"""The panel's own, and those that start the next game in programs that we know."""
_LAST_FUNCTION_KEY: Final = 24


@dataclass(frozen=True)
class Key:
    """A key with its modifiers."""

    name: str
    """Qt's portable name."""
    modifiers: frozenset[str]
    """Of `MODIFIERS`."""

    def __str__(self) -> str:
        return "+".join((*sorted(self.modifiers), self.name))


def parse_key(text: str) -> Key:
    """Return a key from its text, as Qt writes it: F8, Pause, Ctrl+Alt+S.

    Raises:
        ValueError: It is no key, or one that must not stop; the message says why.
    """
    *modifiers, name = text.split("+")
    held = frozenset(modifiers)
    if not held <= set(MODIFIERS) or len(held) != len(modifiers):
        raise ValueError(f"'{text}' is no key such as F8, Pause or Ctrl+Alt+S")
    if text in _RESERVED:
        raise ValueError(f"{text} is used by this program or by a game: choose another key")
    function_key = _is_function_key(name)
    character = len(name) == 1 and name.isascii() and name.isalnum()
    if not (function_key or character or name in _NAMED):
        raise ValueError(f"'{text}' is no key that can stop: choose F8, Pause or Ctrl+Alt+S")
    plain = not held - {"Shift"}
    if plain and not (function_key or name in _ALONE):
        raise ValueError(f"{text} alone is typed in other programs: add Ctrl, Alt or Meta")
    return Key(name, held)


def _is_function_key(name: str) -> bool:
    number = name.removeprefix("F")
    return name.startswith("F") and number.isdecimal() and 1 <= int(number) <= _LAST_FUNCTION_KEY
