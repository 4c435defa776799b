"""The keyboard: which program a key may be sent to, and which windows are a game's dialogs."""

from __future__ import annotations

import sys
import threading

import numpy as np
import pytest

from bot.frame import Region
from tests.support.clients import Keyboard, PictureWindow, program_of, wait_until
from vision.desktop import Window, desktop
from vision.focus import (
    Dialogs,
    NotInFront,
    StrangeDialog,
    dialogs_of,
    may_press,
    restart_key,
    take_focus,
)
from vision.skins import BUNDLED, LEARNED, Dialog, Restart, Skin, load_skin

pytestmark = [
    pytest.mark.long,
    pytest.mark.usefixtures("display"),
]

PLAIN = np.full((80, 120, 3), 90, np.uint8)
PLACE = Region(0, 0, 100, 100)


def listed(shown: PictureWindow) -> Window:
    """The window as the desktop lists it."""
    return next(one for one in desktop().list_windows() if one.id == shown.id)


def window(class_name: str, title: str = "Game") -> Window:
    """A window of a program."""
    return Window(7, title, class_name, PLACE, 12, False)


def learned(**said: object) -> Skin:
    """A skin of the user's."""
    skin = load_skin(BUNDLED / "winemine")
    return skin.model_copy(update={"name": "mine", "program": LEARNED, **said})


@pytest.mark.parametrize(
    "name", ["gnome-mines", "kmines-default", "sgt-mines", "winemine", "xbomb"]
)
def test_a_bundled_key_is_for_its_own_program(name: str) -> None:
    """Whatever another program looks like, it gets none."""
    skin = load_skin(BUNDLED / name)
    assert skin.window_class is not None
    assert restart_key(skin, window(skin.window_class)) == skin.restart.key
    for other in ("Chromium", "", "XTerm"):
        assert restart_key(skin, window(other, skin.title)) is None
    assert restart_key(skin, None) is None


def test_a_learned_key_is_one_that_the_user_allowed() -> None:
    """Keys that were tried by earlier versions, or came with a file, are not sent."""
    key = Restart(key="ctrl+r")
    tried = learned(restart=key, window_class="Chromium", title="Game 10")
    assert restart_key(tried, window("Chromium", "Game 35")) is None
    allowed = tried.model_copy(update={"keys_allowed": True})
    assert restart_key(allowed, window("Chromium", "Game 35")) == "ctrl+r"
    assert restart_key(allowed, window("Firefox", "Game 10")) is None
    assert restart_key(allowed, window("Chromium", "Mail")) is None


def test_no_ctrl_goes_to_a_program_without_a_class() -> None:
    """A plain key does, where the user allowed it and the title is the same."""
    skin = learned(window_class="", title="Game", keys_allowed=True)
    assert may_press(skin, window(""), "n")
    assert may_press(skin, window(""), "f2")
    assert not may_press(skin, window("", "Another"), "n")
    for key in ("ctrl+n", "alt+n", "ctrl+shift+n"):
        assert not may_press(skin, window(""), key)


def key_of(dialogs: Dialogs) -> str | None:
    """Return the key that closes the dialog that is open, if both is known."""
    dialog = dialogs.open_dialog()
    return None if dialog is None else dialogs.key_of(dialog)


def test_a_dialog_that_is_known() -> None:
    """Its key is returned; another program's is left alone."""
    bundled = load_skin(BUNDLED / "gnome-mines")
    skin = bundled.model_copy(update={"windows_program": program_of("Gnome-mines")})
    with PictureWindow(PLAIN, (10, 10), "Mines", "Gnome-mines") as game:
        dialogs = Dialogs(listed(game), lambda: skin)
        assert dialogs.open_dialog() is None
        with PictureWindow(PLAIN, (300, 90), "Congratulations!", "Gnome-mines") as box:
            dialog = dialogs.open_dialog()
            assert dialog is not None
            assert (dialog.id, dialogs.key_of(dialog)) == (box.id, "Escape")
            dialogs.refuse_strange()
        if sys.platform != "win32":  # There all these windows are of one process.
            with PictureWindow(PLAIN, (300, 90), "Congratulations!", "Another"):
                assert dialogs.open_dialog() is None
        assert Dialogs(None, lambda: skin).open_dialog() is None


def test_a_dialog_of_a_lookalike_gets_no_key() -> None:
    """Neither its title nor the look of its board is enough: its program has another class."""
    skin = load_skin(BUNDLED / "gnome-mines")
    with PictureWindow(PLAIN, (10, 10), "Mines", "Lookalike") as game:
        dialogs = Dialogs(listed(game), lambda: skin)
        with PictureWindow(PLAIN, (300, 90), "Congratulations!", "Lookalike"):
            assert key_of(dialogs) is None


@pytest.mark.parametrize("class_name", ["Chromium", ""])
def test_another_window_of_the_browser_is_no_dialog(class_name: str) -> None:
    """It has the class of the game's page, and the title of a dialog whose key the user allowed."""
    allowed = {"dialog": (Dialog(title="Won", key="enter"),), "keys_allowed": True}
    skin = learned(title="Game", window_class=program_of(class_name), **allowed)
    with PictureWindow(PLAIN, (10, 10), "Game", class_name) as game:
        dialogs = Dialogs(listed(game), lambda: skin)
        with PictureWindow(PLAIN, (300, 90), "I Won a prize - Mail", class_name):
            assert dialogs.open_dialog() is None


@pytest.mark.linux
def test_a_window_beside_the_game_may_have_blocked_its_input() -> None:
    """One of the same program that was opened since, once input was lost; none of a browser."""
    with (
        PictureWindow(PLAIN, (10, 10), "Game", "Qt") as game,
        PictureWindow(PLAIN, (300, 300), "Scores", "Qt", opener=game),
    ):
        dialogs = Dialogs(listed(game), lambda: learned(window_class="Qt"))
        with PictureWindow(PLAIN, (300, 90), "Message", "Qt", opener=game) as message:
            assert dialogs.open_dialog() is None
            game.show_pages()
            dialogs.note_lost_input()
            assert dialogs.open_dialog() is None
            game.show_pages(shown=False)
            dialogs.note_lost_input()
            assert (shown := dialogs.open_dialog()) is not None
            assert shown.id == message.id


@pytest.mark.linux
def test_a_dialog_names_its_game() -> None:
    """By WM_TRANSIENT_FOR, as Tk's, which tells no process and has a class of its own."""
    skin = learned(dialog=(), window_class=program_of("Game"))
    with PictureWindow(PLAIN, (10, 10), "Game", "Game") as game:
        dialogs = Dialogs(listed(game), lambda: skin)
        with PictureWindow(PLAIN, (300, 90), "Notes", "Editor") as other:
            assert dialogs.open_dialog() is None
            other.belong_to(game.id)
            wait_until(lambda: dialogs.open_dialog() is not None)
            with pytest.raises(StrangeDialog, match="'Notes'"):
                dialogs.refuse_strange()
            assert key_of(dialogs) is None
            keys = {"dialog": (Dialog(title="Notes", key="enter"),), "keys_allowed": True}
            own = skin.model_copy(update={**keys, "title": "Game"})
            allowed = Dialogs(listed(game), lambda: own)
            assert key_of(allowed) == "enter"


@pytest.mark.linux
def test_a_dialog_over_the_game_names_no_owner() -> None:
    """It is the program's own by its connection: Tk's, whose owner is a hidden window."""
    with PictureWindow(PLAIN, (10, 10), "Game", "Tk") as game:
        dialogs = Dialogs(listed(game), lambda: learned(window_class="Tk"))
        with PictureWindow(PLAIN, (20, 20), "You won!", "Dialog", opener=game) as dialog:
            wait_until(lambda: (shown := dialogs.open_dialog()) and shown.id == dialog.id)


@pytest.mark.linux
def test_a_window_that_has_replaced_the_game_is_no_dialog() -> None:
    """Some programs open another one for each game."""
    skin = learned(dialog=(), window_class=program_of("Game"))
    with PictureWindow(PLAIN, (10, 10), "Game", "Game") as game:
        dialogs = Dialogs(listed(game), lambda: skin)
        with PictureWindow(PLAIN, (20, 20), "Game", "Game") as other:
            other.belong_to(game.id)
            wait_until(lambda: dialogs.open_dialog() is not None)
            with pytest.raises(StrangeDialog):
                dialogs.refuse_strange()
            game.close()
            dialogs.refuse_strange()


def test_windows_of_one_client_belong_together() -> None:
    """By process or by WM_CLIENT_LEADER, and a dialog's own dialog."""
    game = Window(1, "Game", "Game", PLACE, None, False, leader=9)
    dialog = Window(2, "Won", "Dialog", PLACE, None, False, transient_for=1)
    nested = Window(3, "Sure?", "Dialog", PLACE, None, False, transient_for=2)
    same = Window(4, "Scores", "Game", PLACE, None, False, leader=9)
    other = Window(5, "Editor", "Editor", PLACE, None, False, leader=8)
    shown = [other, same, nested, dialog, game]
    assert dialogs_of(game, shown) == [same, nested, dialog]


def test_no_key_is_sent_while_a_modifier_is_held() -> None:
    """With the user's Ctrl, a plain N would be Ctrl+N."""
    wait = threading.Event().wait
    with PictureWindow(PLAIN, (10, 10), "Game", "Game") as game, Keyboard() as keyboard:
        take_focus(listed(game), wait)
        keyboard.hold("Control_L")
        try:
            with pytest.raises(NotInFront, match="is held down"):
                take_focus(listed(game), wait)
        finally:
            keyboard.let_go("Control_L")
        take_focus(listed(game), wait)
