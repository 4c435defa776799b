"""Menus, options, dialogs and process of the simulated window."""

from __future__ import annotations

import threading
from functools import partial

import pytest
from PyQt6.QtWidgets import QApplication, QInputDialog

from bot.board import Board
from bot.game import LEVELS, FirstClick
from gui.looks import LOOKS
from gui.private_screen import PrivateScreen
from gui.simulator import SimulatorOptions, SimulatorWindow
from gui.simulator.menus import SCALES, CustomDialog
from tests.gui import simulated
from tests.support.clients import adopt, wait_until
from vision.desktop import desktop


@pytest.mark.parametrize("name", LEVELS)
def test_levels(window: simulated.Open, name: str) -> None:
    """The menu changes the level; the board on the screen has that size."""
    opened = window(rows=5, cols=6, mines=4)
    assert opened.menus.actions["level custom"].isChecked()
    opened.menus.actions[f"level {name}"].trigger()
    level = LEVELS[name]
    assert (opened.game.rows, opened.game.cols, opened.game.mines) == (
        level.rows, level.cols, level.mines
    )  # fmt: skip
    assert simulated.board_rect(opened).width() == level.cols * opened.field.place.cell
    assert opened.menus.actions[f"level {name}"].isChecked()
    assert simulated.is_painted(opened, Board.covered(level.rows, level.cols, level.mines))


def test_custom_levels(window: simulated.Open) -> None:
    """The dialog gives any size, and never more mines than there is room for."""
    opened = window()
    opened.menus.actions["level custom"].trigger()
    dialog = opened.findChild(CustomDialog)
    dialog.mines_box.setValue(60)
    dialog.rows_box.setValue(4)
    dialog.cols_box.setValue(5)
    assert dialog.mines_box.value() == 19
    dialog.accept()
    assert (opened.game.rows, opened.game.cols, opened.game.mines) == (4, 5, 19)
    assert simulated.is_painted(opened, Board.covered(4, 5, 19))


def test_the_seed_lays_the_games(window: simulated.Open) -> None:
    """The n-th game of a seed is always the same, and it is the first game of seed + n."""

    def layout(opened: SimulatorWindow) -> bytes:
        simulated.click(opened, (4, 4))
        mines = opened.game.layout
        return mines.tobytes()

    one, other, later = window(seed=5), window(seed=5), window(seed=6)
    assert layout(one) == layout(other)
    one.new_game()
    assert layout(one) == layout(later)


def test_a_seed_can_be_given(window: simulated.Open) -> None:
    """The dialog starts the first game of a seed."""
    opened = window()
    opened.menus.actions["seed"].trigger()
    dialog = opened.findChild(QInputDialog)
    dialog.setIntValue(77)
    dialog.accept()
    assert (opened.seed, opened.game_number) == (77, 0)


@pytest.mark.parametrize("look", LOOKS)
def test_look_and_scale_change_at_once(window: simulated.Open, look: str) -> None:
    """The menu redraws the game under way at its size; the window fits it again."""
    opened = window(rows=5, cols=6, mines=5)
    simulated.click(opened, (2, 2))
    game = opened.game
    opened.menus.actions[f"look {look}"].trigger()
    for scale in SCALES:
        opened.menus.actions[f"scale {scale:g}"].trigger()
        QApplication.processEvents()
        # The offscreen platform's screen is small: some may not fit.
        assert opened.field.place.cell == pytest.approx(LOOKS[look].cell * scale, rel=0.02)
        assert opened.field.width() >= opened.field.place.field.width()
        assert opened.width() == opened.field.width()
        simulated.point_at(opened.field, simulated.off_board(opened))
        if opened.field.place.cell.is_integer():
            assert simulated.is_painted(opened, game.board)
    assert opened.game is game
    assert [name for name in LOOKS if opened.menus.actions[f"look {name}"].isChecked()] == [look]


def test_rules_change_with_the_next_game(window: simulated.Open) -> None:
    """A game under way keeps its rules; one without a move is laid again with the others."""
    opened = window()
    opened.menus.actions["question_marks"].trigger()
    assert opened.game.question_marks
    simulated.click(opened, (4, 4))
    game = opened.game
    opened.menus.actions["first click zero"].trigger()
    assert opened.game is game
    opened.new_game()
    assert opened.game.first_click is FirstClick.ZERO
    assert opened.game.question_marks


def test_a_board_too_large_for_the_screen_is_drawn_smaller(window: simulated.Open) -> None:
    """All of a board can be seen and clicked, on any screen."""
    opened = window(rows=40, cols=60, mines=300, look="flat", scale=2)
    screen = opened.screen()
    assert opened.frameGeometry().width() <= screen.availableGeometry().width()
    assert opened.frameGeometry().height() <= screen.availableGeometry().height()
    assert opened.field.place.cell >= 8


def test_menus_by_keyboard(window: simulated.Open) -> None:
    """Every menu and every item in it has a key of its own in its menu."""
    opened = window()
    bar = opened.menuBar()
    menus = [action.menu() for action in bar.actions()]
    titles = [[action.text() for action in bar.actions()]]
    titles += [[a.text() for a in menu.actions() if a.text()] for menu in menus if menu is not None]
    for texts in titles:
        keys = [text[text.index("&") + 1].lower() for text in texts if "&" in text]
        assert len(set(keys)) == len(keys)
        assert all("&" in text or text.endswith("%") for text in texts)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rows": 1}, "2 to 100 rows"),
        ({"cols": 101}, "2 to 100 rows"),
        ({"mines": 0}, "hold 1 to 80 mines"),
        ({"mines": 81}, "hold 1 to 80 mines"),
        ({"look": "brown"}, "no look 'brown'"),
        ({"scale": 0.1}, "the scale is"),
        ({"scale": float("nan")}, "the scale is"),
        ({"seed": -1}, "a seed is"),
    ],
)
def test_impossible_options(wrong: dict[str, object], message: str) -> None:
    """Each names what is possible."""
    with pytest.raises(ValueError, match=message):
        SimulatorOptions(**wrong)


@pytest.mark.linux
def test_a_press_ends_when_the_window_is_minimised(monkeypatch: pytest.MonkeyPatch) -> None:
    """The release goes to no window then; shown again, no cell looks held."""
    from Xlib import X  # noqa: PLC0415 - on Linux
    from Xlib.ext import xtest  # noqa: PLC0415

    from tests.support.mischief import Game, Mischief  # noqa: PLC0415

    with PrivateScreen() as screen:
        adopt(screen, monkeypatch)
        monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
        with (
            Game("beginner") as game,
            Mischief() as mischief,
            desktop().open_screen() as shown,
        ):
            place = mischief.region(game.window)

            def picture() -> bytes:
                return shown.grab(place).image.tobytes()

            fresh = picture()
            mouse = partial(xtest.fake_input, mischief.display)
            centre = round(place.center.x), round(place.center.y)
            mouse(X.MotionNotify, x=centre[0], y=centre[1])
            mouse(X.ButtonPress, X.Button1)
            mischief.display.sync()
            wait_until(lambda: picture() != fresh)
            mischief.minimise(game.window)
            mouse(X.ButtonRelease, X.Button1)
            mouse(X.MotionNotify, x=1, y=1)
            mischief.display.sync()
            # Restored before it has noticed, it was never minimised.
            wait_until(lambda: desktop().responds(game.window, threading.Event().wait))
            mischief.restore(game.window)
            wait_until(lambda: picture() == fresh)


def test_a_custom_dialog_can_be_left(window: simulated.Open) -> None:
    """Cancelled: the same game goes on, and the menu still ticks its level."""
    opened = window()
    game = opened.game
    opened.menus.actions["level custom"].trigger()
    dialog = opened.findChild(CustomDialog)
    dialog.reject()
    assert opened.game is game
    assert opened.menus.actions["level beginner"].isChecked()
    assert not opened.menus.actions["level custom"].isChecked()
