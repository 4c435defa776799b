"""Options, menus and dialogs of the built-in game, all accessible by keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QAction, QActionGroup, QKeySequence
from PyQt6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QMenu,
    QSpinBox,
    QWidget,
)

from bot.game import LEVELS, FirstClick, Level
from gui.dialogs import show_text
from gui.looks import LOOKS, Colours, look_named

if TYPE_CHECKING:
    from gui.simulator import SimulatorWindow

SCALES: Final = (0.75, 1.0, 1.25, 1.5, 2.0, 3.0)
"""The scales in the menu; arguments may set others."""
WIN_TITLE: Final = "Congratulations"
"""Title of the dialog after a win; Return closes it."""

_FIRST_CLICKS: Final = {
    FirstClick.SAFE: "Is &never a mine",
    FirstClick.ZERO: "&Opens an area",
    FirstClick.NONE: "May be &anything",
}
_HELP: Final = (
    "Open every cell that holds no mine. A number tells how many mines touch its cell.\n\n"
    "Left button: open a cell.\n"
    "Right button: put a flag, or take it away.\n"
    "Middle button, or left and right together, on a number with all its flags: "
    "open the cells around it.\n"
    "Face or F2: next game.\n\n"
    "Find all mines instead: a click digs one cell, and a mine does not end the game. It "
    "ends when all mines are dug or flagged; the fewer digs, the better."
)


@dataclass(frozen=True)
class MenuLimits:
    """Largest and smallest values of the dialogs."""

    largest: int = 100
    """Largest number of rows and columns."""
    smallest_scale: float = 0.25
    largest_scale: float = 10.0


_MENU: Final = MenuLimits()

MOST_SEED: Final = 2**31 - 1
MOST_SECONDS: Final = 999


class Menus:
    """The menu bar, with ticks at the current options."""

    def __init__(self, window: SimulatorWindow) -> None:
        self._window = window
        self.actions: dict[str, QAction] = {}
        """Actions by name: 'new', 'custom', 'look flat', 'scale 2', 'first click safe', 'animation'
        ..."""
        bar = window.menuBar()
        if bar is None:
            raise RuntimeError("a main window without a menu bar")
        self._fill_game_menu(_menu(bar.addMenu("&Game")))
        self._fill_view_menu(_menu(bar.addMenu("&View")))
        help_menu = _menu(bar.addMenu("&Help"))
        explain = partial(show_text, window, "How to play", _HELP)
        self._add(help_menu, "help", "&How to play", explain, keys="F1")
        self.least_width = bar.sizeHint().width()
        """Width in points of the menu bar with all its titles."""

    def tick(self, chosen: Iterable[str], unchosen: Iterable[str] = ()) -> None:
        """Set the ticks of items."""
        for name in unchosen:
            self.actions[name].setChecked(False)
        for name in chosen:
            if name in self.actions:
                self.actions[name].setChecked(True)

    def _fill_game_menu(self, menu: QMenu) -> None:
        self._add(menu, "new", "&New game", self._window.new_game, keys="F2")
        menu.addSeparator()
        levels = self._group()
        for number, level in enumerate(LEVELS.values(), start=1):
            title = (
                f"&{level.name.capitalize()}  ({level.cols} × {level.rows}, {level.mines} mines)"  # noqa: RUF001
            )
            self._add(
                menu,
                f"level {level.name}",
                title,
                partial(self._window.choose_level, level),
                keys=f"Ctrl+{number}",
                group=levels,
            )
        self._add(
            menu, "level custom", "&Custom…", self._window.ask_custom, keys="Ctrl+4", group=levels
        )
        menu.addSeparator()
        first = _menu(menu.addMenu("&First click"))
        rules = [(rule.name.lower(), title, rule) for rule, title in _FIRST_CLICKS.items()]
        self._add_choices(first, "first_click", rules)
        for option, title in (
            ("question_marks", "&Question marks"),
            ("animation", "&Animate openings"),
            ("win_dialog", "&Dialog after a win"),
            ("digging", "Find all &mines instead"),
        ):
            self._add_switch(menu, option, title)
        self._add(menu, "seed", "&Seed…", self._window.ask_seed)
        menu.addSeparator()
        self._add(menu, "quit", "E&xit", self._window.close, keys=QKeySequence.StandardKey.Quit)

    def _fill_view_menu(self, menu: QMenu) -> None:
        looks = [(name, f"&{name.capitalize()}", name) for name in LOOKS]
        self._add_choices(menu, "look", looks)
        menu.addSeparator()
        scales = [(f"{scale:g}", f"{scale:.0%}", scale) for scale in SCALES]
        self._add_choices(menu, "scale", scales)

    def _group(self) -> QActionGroup:
        """Return a group of mutually exclusive items."""
        group = QActionGroup(self._window)
        # 'Optional': with a scale from an argument, no item of the menu is ticked.
        group.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
        return group

    def _add_choices(
        self,
        menu: QMenu,
        option: str,
        choices: Iterable[tuple[str, str, object]],
    ) -> None:
        """Add an item for each choice of an option: its name, its title and the option's value."""
        group = self._group()
        for name, title, value in choices:
            change = partial(self._window.change, **{option: value})
            self._add(menu, f"{option.replace('_', ' ')} {name}", title, change, group=group)

    def _add_switch(self, menu: QMenu, option: str, title: str) -> None:
        action = self._add(menu, option, title, lambda: None)
        action.setCheckable(True)
        action.triggered.connect(lambda on: self._window.change(**{option: on}))

    def _add(
        self,
        menu: QMenu,
        name: str,
        title: str,
        slot: Callable[[], object],
        *,
        keys: str | QKeySequence.StandardKey | None = None,
        group: QActionGroup | None = None,
    ) -> QAction:
        action = QAction(title, self._window)
        # A triggered action passes its tick, which a default argument would receive.
        action.triggered.connect(lambda _checked: slot())
        if keys is not None:
            action.setShortcut(QKeySequence(keys))
        if group is not None:
            action.setCheckable(True)
            group.addAction(action)
        menu.addAction(action)
        self.actions[name] = action
        return action


class CustomDialog(QDialog):
    """A dialog for the size.

    Signals:
        accepted(): Inherited; `level` is then the chosen size.
    """

    def __init__(self, parent: QWidget, rows: int, cols: int, mines: int) -> None:
        super().__init__(parent)
        self.setWindowTitle("Custom game")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.rows_box = _number_box(2, _MENU.largest, rows)
        self.cols_box = _number_box(2, _MENU.largest, cols)
        self.mines_box = _number_box(1, rows * cols - 1, mines)
        form = QFormLayout(self)
        form.addRow("&Columns", self.cols_box)
        form.addRow("&Rows", self.rows_box)
        form.addRow("&Mines", self.mines_box)
        # Create it with its parent: the style sheet determines its icons on creation.
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, self
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        form.addRow(buttons)
        self.rows_box.valueChanged.connect(self._limit_mines)
        self.cols_box.valueChanged.connect(self._limit_mines)

    @property
    def level(self) -> Level:
        """The entered size."""
        return Level("custom", self.rows_box.value(), self.cols_box.value(), self.mines_box.value())

    def _limit_mines(self) -> None:
        self.mines_box.setMaximum(self.rows_box.value() * self.cols_box.value() - 1)


def style_sheet(colours: Colours) -> str:
    """Return the style sheet of menus and dialogs in the colours of a look."""
    return f"""
        QMenuBar, QMenu, QDialog {{ background: {colours.window}; color: {colours.text}; }}
        QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
        QLabel {{ color: {colours.text}; }}
        QSpinBox {{ background-color: {colours.panel}; color: {colours.text}; }}
        QPushButton {{
            background: {colours.panel}; color: {colours.text};
            border: 1px solid {colours.accent}; border-radius: 3px; padding: 4px 14px;
        }}
        QPushButton:focus, QPushButton:hover {{ border-color: {colours.text}; }}
        QPushButton:pressed {{ background: {colours.accent}; }}
        QMenuBar::item {{ padding: 4px 8px; background: transparent; }}
        QMenuBar::item:selected, QMenu::item:selected {{
            background: {colours.accent}; color: {colours.text};
        }}
        QMenu {{ border: 1px solid {colours.accent}; }}
        QMenu::item {{ padding: 4px 22px 4px 26px; }}
        QMenu::separator {{ height: 1px; background: {colours.accent}; margin: 3px 6px; }}
    """


def _menu(menu: QMenu | None) -> QMenu:
    if menu is None:
        raise RuntimeError("Qt made no menu")
    return menu


def _number_box(least: int, most: int, value: int) -> QSpinBox:
    box = QSpinBox()
    box.setRange(least, most)
    box.setValue(value)
    return box


@dataclass(frozen=True)
class SimulatorOptions:
    """Initial options of a window."""

    rows: int = 9
    cols: int = 9
    mines: int = 10
    look: str = "classic"
    scale: float = 1.0
    """Factor of the look's natural cell size; reduced if the screen is too small."""
    first_click: FirstClick = FirstClick.SAFE
    seed: int | None = None
    """Seed of the first game; each further game uses the next number. None: random."""
    question_marks: bool = False
    """Whether the right button puts a question mark after the flag."""
    animation: bool = False
    """Whether openings are shown in waves."""
    wave: float = 0.2
    """Seconds from the first to the last cell of a wave."""
    clock: int = 0
    """Initial value of each game's clock, to reach a program's limit of 999 early."""
    win_dialog: bool = False
    """Whether a dialog is shown after a win."""
    digging: bool = False
    """Whether the game is that of digging: find all mines with the fewest digs
    (`bot/digging/game.py`)."""

    def __post_init__(self) -> None:
        look_named(self.look)
        if not (2 <= self.rows <= _MENU.largest and 2 <= self.cols <= _MENU.largest):
            raise ValueError(
                f"a board has 2 to {_MENU.largest} rows and columns, not {self.cols} x {self.rows}"
            )
        if not 1 <= self.mines < self.rows * self.cols:
            raise ValueError(
                f"{self.cols} x {self.rows} cells hold 1 to {self.rows * self.cols - 1} mines, "
                f"not {self.mines}"
            )
        if not _MENU.smallest_scale <= self.scale <= _MENU.largest_scale:
            raise ValueError(
                f"the scale is {_MENU.smallest_scale:g} to {_MENU.largest_scale:g}, "
                f"not {self.scale:g}"
            )
        if not 0 <= self.clock <= MOST_SECONDS:
            raise ValueError(f"a clock shows 0 to {MOST_SECONDS}, not {self.clock}")
        if self.seed is not None and not 0 <= self.seed <= MOST_SEED:
            raise ValueError(f"a seed is 0 to {MOST_SEED}, not {self.seed}")
