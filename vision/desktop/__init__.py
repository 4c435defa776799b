"""The interface to the window system.

Everything that only a window system can do is behind one protocol, `Desktop` (`protocol.py`).
`desktop()` returns the implementation for this process. No other package imports a window system's
library, reads its environment variables or branches on the platform because of windows.

How it works:

- **Primitives only.** The protocol reports what there is and sends the given input. Which click is
  allowed and which dialog is answered is decided elsewhere (`vision.click_guard`, `vision.focus`,
  the reader and the runner).
- **One coordinate space.** A point is a position in the space that `Screen.region` describes. On
  X11 that is the desktop. Where a capture is a stream of one monitor or window, it is the stream's
  own space, and the pointer is put relative to it: the implementation converts.
- **Unknown windows.** A window whose place the window system does not tell has the region
  `NOWHERE`, which contains no point and overlaps nothing.
- **Missing features.** `Desktop.lacks` says for each `Feature` that is missing what that means for
  the user; `doctor` and the panel show it. Without a feature its methods return what is documented
  for 'unknown' and raise nothing.
- **Permission.** `Desktop.request_access` asks the user where the window system demands it, once,
  before the first capture and the first click of a run. It does nothing elsewhere.
- **Threads.** Every method may be called by any thread; what `open_screen` and `open_pointer`
  return belongs to the thread that opened it, what `open_input_events` returns to one thread at
  a time.

| module | holds |
|---|---|
| `protocol` | `Desktop` and its values |
| `session` | which desktop this process has, and which implementation serves it |
| `x11_desktop` `x11_connection` `x11_input` | X11 through Xlib |
| `wayland` | what the user shares, and its pointer |
| `portal` | D-Bus: the user's consent and input, through jeepney |
| `pipewire` | frames of shared memory, through libpipewire |
| `other` | mss and pyautogui alone, for systems that were never tried |
| `screens` | capture with mss, of the desktop and on X11 of one window |
| `user_mouse` | detect the user's mouse, on any implementation |

A new platform is one more class that fulfils `Desktop`, with its pointer, input events, stop key
and screen in one or more modules, and one more case in `session.desktop`. It may lack features.
`tests/vision/test_desktop.py` calls every method of each implementation; its fixture names them.
What still assumes POSIX outside this package is listed in `tests/test_architecture.py` (PLATFORMS).
"""

from vision.desktop.protocol import (
    NOWHERE,
    OWN_CLASS,
    SIMULATOR_CLASS,
    AccessRefused,
    ClickState,
    Decoration,
    Desktop,
    Diagnosis,
    Feature,
    InputEvent,
    InputEvents,
    InputKind,
    Key,
    KeyTaken,
    PointerState,
    Screen,
    ScreenError,
    StopKey,
    Window,
    parse_key,
)
from vision.desktop.session import (
    PRIVATE_DISPLAY,
    DisplayError,
    SessionKind,
    desktop,
    require_display,
    require_real_desktop,
    session_kind,
)

__all__ = [
    "NOWHERE",
    "OWN_CLASS",
    "PRIVATE_DISPLAY",
    "SIMULATOR_CLASS",
    "AccessRefused",
    "ClickState",
    "Decoration",
    "Desktop",
    "Diagnosis",
    "DisplayError",
    "Feature",
    "InputEvent",
    "InputEvents",
    "InputKind",
    "Key",
    "KeyTaken",
    "PointerState",
    "Screen",
    "ScreenError",
    "SessionKind",
    "StopKey",
    "Window",
    "desktop",
    "parse_key",
    "require_display",
    "require_real_desktop",
    "session_kind",
]
