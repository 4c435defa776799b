"""Check this machine, and explain how to fix what does not work.

Each check performs the real action: the pointer is moved by a few points and back, the screen is
captured, the libraries are loaded. An optional part is imported by its own check.
"""

from __future__ import annotations

import importlib
import platform
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from rich.table import Table
from rich.text import Text

from bot.frame import Point
from bot.solver.phrases import quantity
from gui.console import Console
from gui.failures import describe
from gui.logfile import log_folder
from gui.private import has_private_screens
from gui.settings import (
    KeyName,
    SettingsError,
    check_writable,
    errors_folder,
    load,
    settings_file,
)
from vision.desktop import (
    DisplayError,
    Feature,
    KeyTaken,
    desktop,
    require_display,
)
from vision.files import HOME_VARIABLE, PROGRAM, data_folder


class Verdict(Enum):
    """The result of a check."""

    GOOD = "works", "green"
    NOTE = "note", "yellow"
    BAD = "does not work", "red"


@dataclass(frozen=True)
class Check:
    """A row of the table."""

    what: str
    verdict: Verdict
    seen: str
    remedy: str = ""
    """Printed below the table on a line of its own, like the path, so that it can be copied."""
    path: Path | None = None


_LIBRARIES: Final = {
    "numpy": "numpy",
    "opencv-python": "cv2",
    "mss": "mss",
    "PyQt6": "PyQt6.QtWidgets",
}
_SYSTEM_LIBRARIES: Final = (
    "sudo apt-get install libgl1 libegl1 libglib2.0-0 libxkbcommon-x11-0 libxcb-cursor0 "
    "libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libdbus-1-3 libfontconfig1 libx11-xcb1"
)


_NO_WINDOW: Final = "none is open"


def examine(console: Console) -> bool:
    """Run every check and print the table.

    Returns:
        Whether a real window can be played here.
    """
    table = Table(title=f"{PROGRAM} {version(PROGRAM)} on this machine", title_justify="left")
    for column in ("check", "result", "seen"):
        table.add_column(column, overflow="fold")
    checks = list(_checks())
    for check in checks:
        table.add_row(check.what, Text(*check.verdict.value), check.seen)
    console.print(table)
    for check in checks:
        if check.remedy:
            console.print(f"{check.what}: {check.remedy}", soft_wrap=True)
    console.print(f"All files are stored in {data_folder()}", soft_wrap=True)
    for check in checks:
        if check.path is not None:
            console.print(f"{check.what}: {check.path}", soft_wrap=True)
    bad = {check.what for check in checks if check.verdict is Verdict.BAD}
    able = not bad
    if able:
        none_open = any(check.seen == _NO_WINDOW for check in checks)
        console.print(
            "No window is open. Open a Minesweeper program; its window can be played."
            if none_open
            else "A Minesweeper window on this desktop can be played."
        )
    elif bad <= {*_OF_DESKTOP, *_NEED_DESKTOP} and has_private_screens() and _xvfb():
        # Otherwise the command plays on a private screen by itself.
        on_desktop = desktop().has_screen and desktop().moves_windows
        console.print(
            "No window of this desktop can be played; the built-in game can, on a private "
            "screen: minesweeper-bot play"
            + (" --private --no-panel -- minesweeper-bot simulate" if on_desktop else ""),
            soft_wrap=True,
        )
    else:
        console.print("Nothing can be played here until the problems marked above are fixed.")
    return able


def _checks() -> Iterator[Check]:
    yield Check("Python", Verdict.GOOD, f"{platform.python_version()} on {platform.platform()}")
    yield from _libraries()
    usable = _desktop()
    yield usable
    if usable.verdict is Verdict.BAD:
        # Not tried, because opening a display that does not answer blocks forever.
        yield from (
            Check(what, Verdict.BAD, "not tried, as the desktop cannot be used")
            for what in _NEED_DESKTOP
        )
    else:
        for what, works, seen, remedy in desktop().diagnose():
            yield Check(what, Verdict.GOOD if works else Verdict.BAD, seen, remedy)
        for what, check in _NEED_DESKTOP.items():
            if desktop().keeps_access and check in (_screen, _pointer):
                yield Check(what, Verdict.NOTE, "permitted by you when you play", "")
            else:
                yield _guarded(what, check)
        for feature, meaning in desktop().lacks.items():
            if feature not in (Feature.WINDOWS, Feature.GLOBAL_KEYS):
                yield Check(feature.value, Verdict.NOTE, "not possible here", meaning)
    if has_private_screens():
        yield _private_screen()
    yield from _skins()
    yield _guarded("settings", _settings)
    remedy = f"play with --no-record, or set another folder with {HOME_VARIABLE}"
    yield _guarded(
        "recorded games",
        lambda: _writable("recorded games", load().sessions_folder, remedy),
    )
    yield _guarded("history", _history)
    yield _writable("errors", errors_folder())
    yield _writable("log", log_folder())


def _guarded(what: str, check: Callable[[], Check]) -> Check:
    """Run a check and return a failed row for any error."""
    try:
        return check()
    except Exception as error:  # noqa: BLE001 - the error is the result
        return Check(what, Verdict.BAD, describe(error, None).message)


def _libraries() -> Iterator[Check]:
    for package, module in _LIBRARIES.items():
        try:
            importlib.import_module(module)
            yield Check(package, Verdict.GOOD, version(package))
        except PackageNotFoundError:
            yield Check(package, Verdict.BAD, "not installed", f"pip install {package}")
        except ImportError as error:
            debian = shutil.which("apt-get") is not None
            remedy = _SYSTEM_LIBRARIES if debian else f"pip install {package}"
            yield Check(package, Verdict.BAD, str(error), remedy)


def _desktop() -> Check:
    try:
        require_display()
    except DisplayError as error:
        return Check("desktop", Verdict.BAD, str(error))
    except ImportError as error:
        return Check("desktop", Verdict.BAD, str(error), f"install {PROGRAM} again")
    return Check("desktop", Verdict.GOOD, desktop().name)


def _screen() -> Check:
    with desktop().open_screen() as screen:
        frame = screen.grab()
        monitors = ", ".join(f"{m.width} x {m.height}" for m in screen.monitors)
    seen = f"{monitors}, {frame.scale:g} pixel{'' if frame.scale == 1 else 's'} per point"
    if frame.image.min() == frame.image.max():
        return Check(
            "screen",
            Verdict.NOTE,
            f"{seen}; all pixels have the same colour",
            "the desktop is empty, or this program may not read the screen"
            + (f". {hint}" if (hint := desktop().access_hint) else ""),
        )
    return Check("screen", Verdict.GOOD, seen)


def _pointer() -> Check:
    pointer = desktop().open_pointer()
    start = pointer.position
    step = 3 if start.x < 100 else -3
    pointer.move(Point(start.x + step, start.y))
    moved = pointer.position.x - start.x
    pointer.move(start)
    if round(moved) == step:
        return Check("pointer", Verdict.GOOD, f"moved by {abs(step)} points and back")
    remedy = (
        desktop().access_hint
        or "try again without moving the mouse; another program may control the pointer"
    )
    return Check("pointer", Verdict.BAD, f"it moved by {moved:g} instead of {step} points", remedy)


def _windows() -> Check:
    if (lack := desktop().lacks.get(Feature.WINDOWS)) is not None:
        return Check("windows", Verdict.NOTE, "not possible here", lack)
    count = len(desktop().list_windows())
    return Check("windows", Verdict.GOOD, f"{count} on this desktop" if count else _NO_WINDOW)


def _global_key(name: KeyName) -> Check:
    key = load().keys[name]
    listener = desktop().open_global_key(name, lambda: None)
    if listener is None:
        return Check(name, Verdict.NOTE, "not possible here", desktop().lacks[Feature.GLOBAL_KEYS])
    try:
        if not key:
            return Check(name, Verdict.NOTE, "no key is set", "choose one in the settings")
        listener.hold(key).result()
    except KeyTaken as error:
        return Check(name, Verdict.NOTE, str(error))
    finally:
        listener.close()
        listener.join()
    return Check(name, Verdict.GOOD, f"{key}, while the bot plays")


_OF_DESKTOP: Final = ("desktop", "portals", "PipeWire")
"""The checks without which `_NEED_DESKTOP` cannot work."""
_NEED_DESKTOP: Final[Mapping[str, Callable[[], Check]]] = {
    "screen": _screen,
    "pointer": _pointer,
    "windows": _windows,
    "stop key": partial(_global_key, "stop key"),
    "pause key": partial(_global_key, "pause key"),
}
"""The checks that a game on a private screen does not need."""


def _xvfb() -> bool:
    return shutil.which("Xvfb") is not None


def _private_screen() -> Check:
    if _xvfb():
        return Check("private screen", Verdict.GOOD, "Xvfb is installed")
    return Check(
        "private screen",
        Verdict.NOTE,
        "Xvfb is missing: needed without a display, and for play --private",
        "sudo apt-get install xvfb openbox",
    )


def _skins() -> Iterator[Check]:
    from vision.skins import SkinLibrary, bundled_names, user_folder  # noqa: PLC0415

    shelf = SkinLibrary()
    skins = shelf.skins()
    verdict = Verdict.GOOD if skins else Verdict.BAD
    yield Check("skins", verdict, ", ".join(skin.name for skin in skins) or "none can be used")
    for name, folder in shelf.folders.items():
        if name in bundled_names() and folder.parent == user_folder():
            seen = f"your own '{name}' is used instead of the bundled one"
            remedy = f"rename it on the page Skins, or delete it: {PROGRAM} learn --forget {name}"
            yield Check("skin", Verdict.NOTE, seen, remedy)
    remedy = (
        f"correct its files, or delete a skin of your own: {PROGRAM} learn --forget NAME. "
        "Other skins still work"
    )
    for broken in shelf.broken:
        yield Check("unusable skin", Verdict.NOTE, str(broken), remedy)


def _settings() -> Check:
    load()
    path = settings_file()
    if not path.exists():
        return Check("settings", Verdict.GOOD, "the defaults")
    return Check("settings", Verdict.GOOD, "read", path=path)


def _writable(what: str, folder: Path, remedy: str = "") -> Check:
    try:
        check_writable(folder)
    except SettingsError as error:
        return Check(what, Verdict.NOTE, str(error), remedy, folder)
    return Check(what, Verdict.GOOD, "can be written", path=folder)


def _history() -> Check:
    from gui.history.schema import HistoryError, history_file  # noqa: PLC0415
    from gui.history.store import History  # noqa: PLC0415

    try:
        with History.to_read(history_file()) as history:
            games = len(history.numbers())
    except HistoryError as error:
        return Check("history", Verdict.NOTE, str(error))
    return Check("history", Verdict.GOOD, quantity(games, "game"))
