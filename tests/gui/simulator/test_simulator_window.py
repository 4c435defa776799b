"""Menus, options, dialogs and process of the simulated window."""

from __future__ import annotations

import pytest
from PyQt6.QtWidgets import QApplication, QInputDialog

from bot.board import Board
from bot.game import LEVELS, FirstClick
from gui.looks import LOOKS
from gui.simulator import SimulatorOptions, SimulatorWindow
from gui.simulator.menus import CustomDialog
from tests.gui import simulated


def test_the_menu_changes_the_level(window: simulated.Open) -> None:
    """The usual ones, and any size, with no more mines than there is room for; or none is left."""
    opened = window(rows=5, cols=6, mines=4)
    assert opened.menus.actions["level custom"].isChecked()
    for name, level in LEVELS.items():
        opened.menus.actions[f"level {name}"].trigger()
        assert opened.menus.actions[f"level {name}"].isChecked()
        fresh = Board.covered(level.rows, level.cols, level.mines)
        assert opened.game.board == fresh
        assert simulated.is_painted(opened, fresh)
    game = opened.game
    opened.menus.actions["level custom"].trigger()
    dialog = opened.findChild(CustomDialog)
    dialog.reject()
    assert opened.game is game
    assert opened.menus.actions["level expert"].isChecked()
    opened.menus.actions["level custom"].trigger()
    dialog = opened.findChildren(CustomDialog)[-1]
    dialog.mines_box.setValue(60)
    dialog.rows_box.setValue(4)
    dialog.cols_box.setValue(5)
    assert dialog.mines_box.value() == 19
    dialog.accept()
    assert simulated.is_painted(opened, Board.covered(4, 5, 19))


def test_the_seed_lays_the_games(window: simulated.Open) -> None:
    """The n-th game of a seed is the first game of seed + n; the menu sets the seed."""

    def layout(opened: SimulatorWindow) -> bytes:
        simulated.click(opened, (4, 4))
        return opened.game.layout.tobytes()

    one, other, later = window(seed=5), window(seed=5), window(seed=6)
    assert layout(one) == layout(other)
    one.new_game()
    assert layout(one) == layout(later)
    other.menus.actions["seed"].trigger()
    dialog = other.findChild(QInputDialog)
    dialog.setIntValue(77)
    dialog.accept()
    assert (other.seed, other.game_number) == (77, 0)


def test_look_scale_and_rules_change_in_the_middle_of_a_game(window: simulated.Open) -> None:
    """The game goes on, with the rules that it began with; without a move it is laid again."""
    opened = window(rows=5, cols=6, mines=5)
    actions = opened.menus.actions
    actions["question_marks"].trigger()
    assert opened.game.question_marks
    simulated.click(opened, (2, 2))
    game = opened.game
    for name in ("look dark", "scale 2", "first click zero"):
        actions[name].trigger()
    QApplication.processEvents()
    assert opened.field.place.cell == LOOKS["dark"].cell * 2
    simulated.point_at(opened.field, simulated.off_board(opened))
    assert simulated.is_painted(opened, game.board)
    assert opened.game is game
    opened.new_game()
    assert opened.game.first_click is FirstClick.ZERO
    assert opened.game.question_marks


def test_a_board_too_large_for_the_screen_is_drawn_smaller(window: simulated.Open) -> None:
    """The window fits."""
    large = window(rows=40, cols=60, mines=300, look="flat", scale=2)
    room = large.screen().availableGeometry()
    assert large.frameGeometry().width() <= room.width()
    assert large.frameGeometry().height() <= room.height()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"cols": 101}, "2 to 100 rows"),
        ({"mines": 81}, "hold 1 to 80 mines"),
        ({"look": "brown"}, r"'brown'.*classic, flat, dark, rounded"),
        ({"scale": float("nan")}, "the scale is"),
        ({"seed": -1}, "a seed is"),
    ],
)
def test_impossible_options(wrong: dict[str, object], message: str) -> None:
    """Each names what is possible."""
    with pytest.raises(ValueError, match=message):
        SimulatorOptions(**wrong)
