"""The interface to a window system, its values, and safe defaults for what a system lacks.

A window may close between two calls: it is then not listed, and a query about it is no error.
Regions are client areas, without the window manager's frame.

Units: points are those of `bot.frame.Frame`; an implementation uses the same points in all calls of
a process (on X11 and Windows physical pixels: there each process has to declare itself aware of the
scale first). Positions are exact: after a move to a point, `pointer_state` returns that point,
because the click guard compares the two.

A safe click depends on `place_of`, `is_same`, `frame_of`, `window_at`, `uncovered`,
`pointer_state`, `click_state`, `steer` and the events of the user's mouse. The other methods add
comfort or make more programs playable.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
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
"""Red, green and blue of the frame around the panel on systems that cannot list windows. Its inside
is not searched for boards."""
OWN_CLASS: Final = "minesweeper-bot"
SIMULATOR_CLASS: Final = "minesweeper-bot-simulator"
ANSWER_SECONDS: Final = 5.0
"""Time limit of a display server's answer; one on the same machine takes a millisecond."""
NOWHERE: Final = Region(0, 0, 0, 0)
"""The region of a window at an unknown position."""


class Feature(Enum):
    """A feature that an implementation may lack."""

    WINDOWS = "windows"
    """List windows with their titles and classes: `list_windows` `exists` `is_same`."""
    PLACES = "places of windows"
    """Find the positions of windows and the window at a point: `place_of` `frame_of` `decoration`
    `is_popup` `is_own` `window_at` `uncovered` `click_state` `steer`."""
    POINTER = "pointer"
    """Find the positions of the monitors and the pointer: `monitors` `pointer_state`. Without
    `PLACES` the window under the pointer and pressed buttons and keys are unknown."""
    FOCUS = "focus"
    """Raise a window, give it the keyboard, and find the one that has it: `activate`
    `close_window` `maximise` `focused`."""
    WINDOW_CAPTURE = "covered windows"
    """Capture a window without the windows that cover it: `Screen.select_window`
    `Screen.grab_window`."""
    GLOBAL_KEYS = "global keys"
    """Detect a key while another program's window has the keyboard: `open_global_key`."""
    USER_INPUT = "user input"
    """Distinguish the user's mouse and keyboard from this program's input: `open_input_events`."""
    SCREEN_LOCK = "screen lock"
    """Detect that the screen is locked or another session is shown: `find_absence`."""
    RESPONSE = "hanging programs"
    """Detect whether a program responds: `responds`."""


class ScreenError(RuntimeError):
    """The screen cannot be read; the message says why and what to do."""


class AccessRefused(ScreenError):
    """The user did not permit capturing the screen or moving the pointer."""


@dataclass(frozen=True)
class Window:
    """A window on the screen."""

    id: int
    title: str
    class_name: str
    """The window's class (on X11 the second part of WM_CLASS); empty if there is none. Of a window
    of this program the name that `Desktop.identify_process` was given."""
    region: Region
    """Client area, in points; `NOWHERE` if unknown."""
    pid: int | None
    own: bool
    """Whether the window belongs to this program, in this process or another, and is no built-in
    game."""
    transient_for: int = 0
    """The id of the owner, if the window is a dialog (WM_TRANSIENT_FOR); 0 if there is none."""
    leader: int = 0
    """A number that all windows of one program share (on X11 WM_CLIENT_LEADER, else that of its
    connection to the server); 0 if there is none."""
    executable: str | None = None
    """Name of the program's file, in lower case, if the class alone does not identify it (on
    Windows); empty if it cannot be found out, as for a program of another user."""

    @property
    def program(self) -> str:
        """The program's identity, by which skins, answers and permitted keys are stored.

        The class, and with an executable the class without numbers (Qt's and .NET's have the
        version in it) and the executable: `WineMine@winemine.exe`. Empty if it is unknown.
        """
        if self.executable is None:
            return self.class_name
        kind = re.split(r"\d", self.class_name, maxsplit=1)[0]
        return f"{kind}@{self.executable}" if self.executable else ""

    def same_program(self, other: Window) -> bool:
        """Return whether both windows belong to one program, by the program's own data."""
        by_process = self.pid is not None and self.pid == other.pid
        return by_process or (self.leader != 0 and self.leader == other.leader)


class Diagnosis(NamedTuple):
    """A requirement for playing on a desktop, for `doctor`."""

    what: str
    works: bool
    seen: str
    remedy: str = ""
    """Advice if it does not work."""


@dataclass(frozen=True)
class Decoration:
    """The part of a window's client area that the program uses for its own decoration."""

    own_bars: bool
    """Whether the program draws its title bar or tool bars that do not belong to the game: no
    window manager draws a frame, or the program says that it is a browser."""
    margins: tuple[int, int, int, int]
    """Widths of border or shadow at the left, right, top and bottom, in points (on X11
    _GTK_FRAME_EXTENTS)."""


class PointerState(NamedTuple):
    """The pointer at one moment."""

    place: Point
    top: int
    """The id of the outermost window under the pointer, equal to `Desktop.frame_of` of the
    application's window in it; 0 on the desktop."""
    button: bool
    """Whether a mouse button is down."""
    modifier: bool
    """Whether Shift, Ctrl, Alt or Super is down."""


@dataclass(frozen=True)
class ClickState:
    """The pointer and a window at one moment, checked right before a press."""

    pointer: PointerState
    region: Region | None
    """The window's client area; None if it is not shown."""
    before: Point | None = None
    """The pointer's position just before it was put onto a pixel of the window, if it was."""


class ProgramDialog(NamedTuple):
    """A dialog with one button, in a window system that does not list windows."""

    title: str
    press: Callable[[], None]
    """Presses the button, wherever it is on the screen."""


class InputKind(Enum):
    """The kind of a device's event."""

    MOTION = "motion"
    PRESS = "press"
    """A button, the wheel or a touch was pressed."""
    KEY = "key"
    """A key was pressed, except F1 to F12, which are commands; the key itself is not kept."""


class InputEvent(NamedTuple):
    """An event of a mouse or a keyboard, or of a program that sends events."""

    kind: InputKind
    sent: bool
    """Whether a program sent it, this one or another, and no device."""
    point: Point | None
    """Target of a motion that a program sent, in whole points; a distance if it was relative."""


class InputEvents(Protocol):
    """The events of all devices, for one thread.

    What this program sends is reported as well, marked as sent: `user_mouse` recognises it by the
    announced, rounded point, and treats every other event as the user's. So motions by
    `Desktop.steer` or `click_state` must not be reported. Releases of buttons and keys are not
    reported.
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


class Screen(ABC):
    """Captures the desktop or one window. Used by the thread that opened it.

    An implementation that receives a stream keeps its newest frame and returns it, because an
    unchanged screen sends none.
    """

    seconds = 0.0
    """Time spent on capturing so far."""

    @property
    @abstractmethod
    def region(self) -> Region:
        """The capturable area, in points: all monitors, or a stream."""

    @property
    @abstractmethod
    def monitors(self) -> tuple[Region, ...]:
        """The region of each monitor, in points."""

    @abstractmethod
    def grab(self, region: Region | None = None) -> Frame:
        """Capture a part of the desktop, or of the selected window.

        If that window has moved, been closed or minimised, the picture may be black or show
        something else: the reader compares `Desktop.place_of` before and after.

        Args:
            region: In points; everything if None. It is clipped: `Frame.region` is the captured
                part.

        Raises:
            ScreenError: The region lies off the desktop (for example, an unplugged monitor), or the
                screen is gone.
        """

    @abstractmethod
    def shows(self, region: Region) -> bool:
        """Return whether a part of a region is on the desktop, with its current monitors."""

    def grab_window(self, window: Window) -> Frame | None:
        """Return a part of a window without the windows above it; None if impossible.

        The first picture of a window may be incomplete.
        """
        return None

    def select_window(self, window_id: int) -> bool:
        """Let `grab` capture this window alone; return whether that is possible."""
        return False

    def select_desktop(self) -> None:
        """Let `grab` capture the desktop again, including windows above the selected one."""

    def is_selected(self, window_id: int) -> bool:
        """Return whether `grab` captures this window alone."""
        return False

    def close(self) -> None:
        """Release the screen."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class KeyTaken(RuntimeError):
    """The key is not available; the message says why and what to do."""


class GlobalKey(Protocol):
    """A key for all windows, grabbed only during a run. No method waits except `join`."""

    def hold(self, text: str) -> Future[None]:
        """Grab this key from now on, in place of the previous one.

        Args:
            text: As `parse_key` takes it.

        Returns:
            A future, done when the key is grabbed; raises KeyTaken if it is not available.

        Raises:
            ValueError: The key is not permitted for all windows.
        """

    def release(self) -> Future[None]:
        """Release the key for other programs."""

    def close(self) -> None:
        """Release the key and end the thread."""

    def join(self) -> None:
        """Wait until the thread has ended, after `close`."""


LACKS: Final[Mapping[Feature, str]] = {
    Feature.WINDOWS: "Windows cannot be asked about here: boards are found in the screen's picture "
    "alone. Keep them in front.",
    Feature.PLACES: "Whether a click reaches the game's window cannot be checked: move nothing "
    "over it while it is played.",
    Feature.POINTER: "Where the monitors are is not known: no corner but those of pyautogui stops.",
    Feature.FOCUS: "The game is not given the keyboard: click on it once before a key is typed.",
    Feature.WINDOW_CAPTURE: "A covered window cannot be read: keep the game uncovered.",
    Feature.GLOBAL_KEYS: "No key can be heard here while another window has the focus. Esc stops "
    "in the panel; the pointer in a corner of the screen stops everywhere.",
    Feature.USER_INPUT: "Only the place of the pointer is known: a program that moves it is taken "
    "for you, and a click of yours without a motion is not noticed.",
    Feature.SCREEN_LOCK: "A locked screen is not noticed: stop before you leave.",
    Feature.RESPONSE: "A program that hangs is noticed only when its clicks have no effect.",
}
"""What each missing feature means for the user."""


class Desktop:
    """A window system, with the behaviour of one that lacks every `Feature`.

    A method of a missing feature returns its safe default and raises nothing; an implementation
    overrides the methods of the features that it has, and leaves those out of `lacks`.
    """

    keeps_access = False
    """Whether the user permits capture and input in a dialog, whose answer is kept for later."""
    moves_windows = True
    """Whether this program can choose the places of its own windows."""
    overlays = False
    """Whether a window of this program can lie over another program's without taking its input."""
    points_are_pixels = True
    """Whether a point is a pixel; otherwise it is a unit of Qt's coordinates."""
    has_screen = True
    """Whether there is a display to open windows on."""
    lists_windows = False
    """Whether windows are known, with their places. Otherwise no `Window` exists, boards are found
    in the picture of the screen, and the picture tells whether they are still there."""

    @property
    def name(self) -> str:
        """The name in messages."""
        return "this desktop"

    @property
    def lacks(self) -> Mapping[Feature, str]:
        """The missing features, each with a sentence for the user about the consequence."""
        return LACKS

    @property
    def access_hint(self) -> str:
        """The place where the user can permit capture and input; empty if there is none."""
        return ""

    def find_obstacle(self) -> str | None:
        """Return why this program can open no window; None if it can. Qt would end the process."""
        return None

    def identify_process(self, class_name: str) -> None:
        """Let all processes recognise this one's windows: `Window.class_name` returns the name.

        Call it before the first window is opened.
        """

    def request_access(
        self,
        report: Callable[[str], object] = lambda _text: None,
        stopped: Callable[[], bool] = lambda: False,
        *,
        again: bool = True,
    ) -> None:
        """Ask the user for access to screen and pointer if that is needed and was not done yet.

        Args:
            report: Called with instructions for the user, if any.
            stopped: Returns whether to stop waiting for the user.
            again: Whether to ask even if the user has refused, or has ended the access, before.

        Raises:
            ScreenError: Access cannot be requested.
            AccessRefused: The user did not permit it.
        """

    def forget_access(self) -> None:
        """Delete the stored permission: the next start asks again."""

    def diagnose(self) -> list[Diagnosis]:
        """Return the requirements besides a display, and whether they are met."""
        return []

    def answers(self) -> bool:
        """Return whether the window system responds in time; True if that cannot be checked."""
        return True

    def find_absence(self) -> str | None:
        """Return why the user cannot see the screen (locked, another session); None if unknown."""
        return None

    # Windows

    def list_windows(self) -> list[Window]:
        """Return the visible windows, the topmost first.

        Dialogs are included; menus, tooltips, panels of the desktop, and windows that are minimised
        or on another workspace are not.
        """
        return []

    def exists(self, window_id: int) -> bool:
        """Return whether a window exists, shown or minimised."""
        return False

    def is_same(self, window: Window) -> bool:
        """Return whether the id still refers to this window; ids are reused."""
        return False

    def place_of(self, window_id: int) -> Region | None:
        """Return a window's client area; None if it is closed, minimised or unknown."""
        return None

    def frame_of(self, window_id: int) -> int:
        """Return the id of the outermost frame around a window, or its own; 0 if unknown."""
        return 0

    def decoration(self, window_id: int) -> Decoration:
        """Return the part of the client area that the program uses for its own decoration."""
        return Decoration(own_bars=True, margins=(0, 0, 0, 0))

    def is_popup(self, window_id: int) -> bool:
        """Return whether a window is a menu, a tooltip or another window that is never listed."""
        return False

    def same_client(self, one: Window, other: Window) -> bool:
        """Return whether both windows belong to one program; False if that is unknown."""
        return one.same_program(other)

    def box_over(self, game: Window) -> Window | None:
        """Return the topmost window without a frame that a game's program has opened over it.

        Menus and tooltips do not count. None if there is none, or if frames are unknown.
        """
        return None

    def is_own(self, top: int) -> bool:
        """Return whether an outermost window belongs to this program, as `Window.own` says.

        It may be a window of the panel, its frame, a dialog, a menu or a tooltip; of this process
        or another.
        """
        return False

    def window_at(self, point: Point) -> Window | None:
        """Return the window under a point.

        Returns:
            The application's window, or the menu, tooltip or frame at the point (its id is in no
            list); None on the bare desktop.
        """
        return None

    def uncovered(self, window_id: int, points: Sequence[Point]) -> list[bool]:
        """Return for each point whether nothing lies between it and the client area. Cheap."""
        return [False] * len(points)

    def monitors(self) -> list[Region]:
        """Return the regions of the monitors; empty if unknown."""
        return []

    def find_refusal(self, window: Window) -> str | None:
        """Return why a window takes no input from this program, in a sentence; None if it does."""
        return None

    def activate(self, window: Window) -> None:
        """Raise a window and give it the keyboard, if the window system allows that.

        Does not wait for the result: see `focused`.
        """

    def close_window(self, window_id: int) -> None:
        """Ask a window to close, as the button in its title bar does; its program may refuse."""

    def maximise(self, window_id: int) -> None:
        """Make a window as large as the screen, if a window manager supports that."""

    def focused(self) -> Window | None:
        """Return the window that has the keyboard, one of `list_windows`; None if none of them."""
        return None

    def responds(self, window_id: int, wait: Callable[[float], bool]) -> bool:
        """Return whether a window's program responds; True if that cannot be checked.

        `wait` waits the given seconds and returns True if the user stopped: the result is then
        True.
        """
        return True

    def find_dialog(self, program: str, titles: Sequence[str]) -> ProgramDialog | None:
        """Return an open dialog of a program, if `WINDOWS` is lacking but its dialogs are known.

        Args:
            program: The program's name, in any case.
            titles: A part of the title of each dialog that is meant.
        """
        return None

    # Screen

    def open_screen(self) -> Screen:
        """Open the screen for the thread that calls this.

        Raises:
            ScreenError: There is no screen, or capture is not permitted.
        """
        from vision.desktop.mss_screen import MssScreen  # noqa: PLC0415 - loads OpenCV

        return MssScreen()

    def release_window(self, window_id: int) -> None:
        """Undo the changes in the window system made to capture a window alone."""

    # Pointer and keys

    def open_pointer(self) -> Pointer:
        """Return the pointer, which moves, clicks and types, for the calling thread.

        Raises:
            MouseError: No input can be sent.
        """
        from vision.desktop.pyautogui_pointer import PyautoguiPointer  # noqa: PLC0415 - in need

        return PyautoguiPointer()

    def pointer_state(self) -> PointerState | None:
        """Return the pointer's position and window, and pressed buttons; None if unknown.

        A window manager may delay a click to inspect it (openbox delays every click); events sent
        meanwhile are lost, or take effect at the pointer's later position. While a click is delayed
        its button counts as down.
        """
        return None

    def click_state(
        self, window_id: int, pixel: tuple[int, int] | None = None
    ) -> ClickState | None:
        """Return the window under the pointer and a window's region; None if the window is closed.

        Cheap enough for every click. The pointer is first put onto `pixel`, x and y in the client
        area.
        """
        return None

    def steer(self, window_id: int, x: int, y: int) -> None:
        """Put the pointer onto a pixel of a client area right before the next event is sent.

        It may be put off until then; a `Pointer.move` in between cancels it.

        The pointer of the same thread sends that event. Nothing may come between the two: both go
        to the window system in one request, so that the user cannot move the pointer away.
        """

    def open_input_events(self) -> InputEvents | None:
        """Return the events of all devices; None if they are not available."""
        return None

    def open_global_key(self, name: str, pressed: Callable[[], None]) -> GlobalKey | None:
        """Return a key for all windows; None if `GLOBAL_KEYS` is lacking. Does not wait.

        Args:
            name: Of its purpose, in messages: 'stop key'.
            pressed: Called in a thread of its own, once however long the key is held down.
        """
        return None


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
"""Qt's portable names of the named keys that are allowed."""
_ALONE: Final = frozenset({"Pause", "ScrollLock", "Print"})
"""Named keys that are allowed without a modifier: they are not used for typing."""
_RESERVED: Final = frozenset({"F1", "F2", "F4", "F5", "F7", "F9"})
"""The panel's own keys, and those that start the next game in known programs.

Ctrl or Alt with one character is reserved, too: for shortcuts, menus and the panel's pages.
"""
_LAST_FUNCTION_KEY: Final = 24


@dataclass(frozen=True)
class Key:
    """A key with its modifiers."""

    name: str
    """Qt's portable name."""
    modifiers: frozenset[str]
    """A subset of `MODIFIERS`."""

    def __str__(self) -> str:
        return "+".join((*sorted(self.modifiers), self.name))


def parse_key(text: str) -> Key:
    """Return a key from its text, as Qt writes it: F8, Pause, Ctrl+Alt+S.

    Raises:
        ValueError: The text is no key, or the key must not be grabbed; the message says why.
    """
    *modifiers, name = text.split("+")
    held = frozenset(modifiers)
    if not held <= set(MODIFIERS) or len(held) != len(modifiers):
        raise ValueError(f"'{text}' is no key such as F8, Pause or Ctrl+Alt+S")
    function_key = _is_function_key(name)
    character = len(name) == 1 and name.isascii() and name.isalnum()
    if text in _RESERVED or (character and held in ({"Ctrl"}, {"Alt"})):
        raise ValueError(
            f"{text} is used by this program or a game: choose F10, Pause or Ctrl+Alt+S"
        )
    if not (function_key or character or name in _NAMED):
        raise ValueError(f"'{text}' is no key that can be used: choose F8, Pause or Ctrl+Alt+S")
    plain = not held - {"Shift"}
    if plain and not (function_key or name in _ALONE):
        raise ValueError(f"{text} alone is typed in other programs: add Ctrl+Alt or Meta")
    return Key(name, held)


def _is_function_key(name: str) -> bool:
    number = name.removeprefix("F")
    return name.startswith("F") and number.isdecimal() and 1 <= int(number) <= _LAST_FUNCTION_KEY
