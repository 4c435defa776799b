"""Keyboard focus: given to a window before a key is typed, so that no other one gets it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from bot.waiting import Waits
from vision.desktop import ProgramDialog, Window, desktop
from vision.skins import Skin, SkinFile, bundled_names

_SECONDS: Final = 2.0
_INTERVAL: Final = 0.005


class NotInFront(RuntimeError):
    """A window other than the game's would receive the click or the key."""


class DialogOpen(RuntimeError):
    """The game has opened a dialog, and it must not be closed."""

    def __init__(self, title: str) -> None:
        super().__init__(
            f"the game has opened the dialog '{title}', and the settings say not to close it: "
            "close it, then play again"
        )


class StrangeDialog(RuntimeError):
    """The game has opened a window, and no key is known to close it."""

    def __init__(self, title: str) -> None:
        super().__init__(
            f"the game has opened the window '{title}'. Close it to continue. No key is "
            "sent to it and nothing in it is clicked"
        )


def names_program(skin: Skin, window: Window | None) -> bool:
    """Return whether a skin names the program of a window."""
    named = skin.window_class, skin.windows_program
    return window is not None and bool(window.program) and window.program in named


def is_known_program(skin: Skin, window: Window | None) -> bool:
    """Return whether a bundled skin names the program of a window.

    A learned skin may match a browser, whose pages are different programs.
    """
    return not skin.learned and names_program(skin, window)


def numberless(title: str) -> str:
    """Return a title with 0 for each number in it, as numbers may be a time or a count."""
    return re.sub(r"\d+", "0", title)


def same_program(skin: SkinFile, title: str, program: str) -> bool:
    """Return whether a user's skin has the program and title of a window, ignoring numbers."""
    same = numberless(title) == numberless(skin.title)
    return same and program == (skin.window_class or "")


def may_press(skin: Skin, window: Window | None, key: str) -> bool:
    """Return whether a key of a skin may be sent to a window.

    A board that fits a skin may belong to any program, and keys differ between programs: a key is
    sent only to the program that the skin names. A skin that is not bundled has to name keys that
    the user allowed: earlier versions tried some, and others come with imported skins. Its title
    has to be the same as well, except for numbers. No key is sent together with Ctrl or Alt to a
    program that has no class.
    """
    if _is_bundled(skin) or window is None:
        return _is_bundled(skin) and names_program(skin, window)
    if not skin.keys_allowed or not same_program(skin, window.title, window.program):
        return False
    return bool(window.program) or plain_key(key)


def _is_bundled(skin: Skin) -> bool:
    """Return whether a skin is a bundled one, whose class identifies one program."""
    return not skin.learned and skin.name in bundled_names()


def restart_key(skin: Skin, window: Window | None) -> str | None:
    """Return the key of a skin that starts the next game, if it may be sent to a window."""
    key = skin.restart.key
    return key if key is not None and may_press(skin, window, key) else None


def plain_key(key: str) -> bool:
    """Return whether a key is pressed without Ctrl or Alt."""
    return {"ctrl", "alt"}.isdisjoint(key.split("+")[:-1])


def own_window_in_use() -> bool:
    """Return whether a window of this program has the keyboard, or is under the pointer."""
    focused, pointer = desktop().focused(), desktop().pointer_state()
    if focused is not None and focused.own:
        return True
    return pointer is not None and desktop().is_own(pointer.top)


def take_focus(window: Window, wait: Callable[[float], bool]) -> None:
    """Give a window the keyboard, and wait until it has it and no modifier key is held.

    With Ctrl held by the user, a harmless key would act as a different one. `wait` waits the given
    seconds and returns True if the user stopped.

    Raises:
        NotInFront: The window does not get the keyboard, or the user keeps holding a modifier key.
        Stopped: The user stopped.
    """
    if why := desktop().find_refusal(window):
        raise NotInFront(why)
    desktop().activate(window)
    missing: str | None = None

    def is_ready() -> bool:
        nonlocal missing
        missing = _not_ready(window)
        return missing is None

    if not Waits(wait).until(is_ready, _SECONDS, every=_INTERVAL):
        raise NotInFront(missing)


def _not_ready(window: Window) -> str | None:
    """Return why a key would not reach a window now; None if it would."""
    focused, state = desktop().focused(), desktop().pointer_state()
    if focused is None or focused.id != window.id:
        return f"the window '{window.title}' does not get the keyboard: click on it once"
    if state is not None and state.modifier:
        return "a key (Shift, Ctrl, Alt, or the Windows key) is held down: release it"
    return None


def dialogs_of(game: Window, shown: Sequence[Window] | None = None) -> list[Window]:
    """Return the visible windows that belong to a game's window, the topmost first.

    They are its dialogs, directly or through another dialog, or other windows of the same program.
    """
    listed = desktop().list_windows() if shown is None else shown
    others = [one for one in listed if one.id != game.id]
    known = {game.id}
    while more := {one.id for one in others if one.transient_for in known} - known:
        known |= more
    return [one for one in others if one.id in known or one.same_program(game)]


class Dialogs:
    """The windows that a game opens besides its own, and the keys that close them.

    The skin is read each time, because a learned one may gain more of them. `clicked` returns
    whether the user has shown where to click in dialogs of a title.
    """

    def __init__(
        self,
        game: Window | None,
        skin: Callable[[], Skin],
        clicked: Callable[[str], bool] = lambda _title: False,
    ) -> None:
        self._game = game
        self._skin = skin
        self._clicked = clicked
        self._blocking: set[int] = set()
        """Ids of windows beside the game that may have blocked its input."""
        windows = desktop().list_windows() if game is None else self._shown(game)
        self._before = {window.id for window in windows}

    def open_dialog(self) -> Window | None:
        """Return the topmost open dialog of the game; None if there is none."""
        if self._game is None:
            return None
        shown = self._shown(self._game)
        known = set(self._named(self._game, shown))
        known |= {one.id for one in dialogs_of(self._game, shown) if self._clicked(one.title)}
        strange = self._strange(self._game, shown)
        return next((one for one in shown if one.id in known or one.id in strange), None)

    def opened(self) -> list[Window]:
        """Return the windows that the game has opened since, the topmost first."""
        if self._game is None:
            return []
        found = dialogs_of(self._game, self._shown(self._game))
        return [one for one in found if one.id not in self._before]

    def note_lost_input(self) -> None:
        """Count all windows that the game has opened since as its dialogs: one may block its input.

        Not those of a program that shows pages, which has many windows.
        """
        if self._game is not None and not desktop().decoration(self._game.id).own_bars:
            self._blocking |= {one.id for one in self.opened()}

    def key_of(self, dialog: Window) -> str | None:
        """Return the key that closes a dialog; None if the skin names none for this program."""
        if self._game is None:
            return None
        return self._named(self._game, [dialog]).get(dialog.id)

    def unlisted_dialog(self) -> ProgramDialog | None:
        """Return an open dialog that a bundled skin names, where windows are not listed."""
        skin = self._skin()
        titles = [one.title for one in skin.dialog]
        if self._game is not None or not titles or not skin.window_class or not _is_bundled(skin):
            return None
        return desktop().find_dialog(skin.window_class, titles)

    def refuse_strange(self) -> None:
        """Check that the game has opened no window that the skin does not name.

        One that has taken the place of the game's own is no dialog.

        Raises:
            StrangeDialog: It has opened one.
        """
        if self._game is None or not desktop().is_same(self._game):
            return
        shown = self._shown(self._game)
        named, strange = self._named(self._game, shown), self._strange(self._game, shown)
        for window in shown:
            if window.id in strange and window.id not in named:
                raise StrangeDialog(window.title or window.class_name)

    def _shown(self, game: Window) -> list[Window]:
        """Return the windows, the topmost first; also a box without a frame over an unknown game.

        A program that is known opens none, but menus that look like it to the window system.
        """
        box = None if is_known_program(self._skin(), game) else desktop().box_over(game)
        above = [] if box is None else [replace(box, transient_for=game.id)]
        return above + desktop().list_windows()

    def _named(self, game: Window, shown: Sequence[Window]) -> dict[int, str]:
        """Return the dialogs that the skin names for this program: id -> key."""
        skin = self._skin()
        if not skin.dialog:
            return {}
        own = {one.id for one in dialogs_of(game, shown)}
        if _is_bundled(skin):
            own |= {one.id for one in shown if one.program == game.program} - {game.id}
        else:
            # Other windows of a browser have its class, too, and belong to its process.
            opened = self._strange(game, shown)
            own = {
                one.id for one in shown if one.id in own and (one.transient_for or one.id in opened)
            }
        named = {}
        for window in shown:
            key = next((one.key for one in skin.dialog if one.title in window.title), None)
            if key is not None and window.id in own and may_press(skin, game, key):
                named[window.id] = key
        return named

    def _strange(self, game: Window, shown: Sequence[Window]) -> set[int]:
        """Return the ids of unknown windows that the game has opened since.

        Another window of the same program that names no owner counts only if it covers the game, or
        may have blocked its input: a browser has many windows.
        """
        place = desktop().place_of(game.id) or game.region
        return {
            one.id
            for one in dialogs_of(game, shown)
            if one.id not in self._before
            and (
                one.transient_for
                or one.id in self._blocking
                or one.region.intersection(place) is not None
            )
        }
