"""Colours of the panel, light and dark, and the signal that they changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PyQt6.QtCore import QObject, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QGuiApplication, QPalette
from PyQt6.QtWidgets import QApplication, QWidget

from gui.settings import ThemeName

SPACE: Final = 8
"""All margins and gaps are multiples of this distance, in points."""


@dataclass(frozen=True)
class Theme:
    """A set of colours as #rrggbb."""

    window: str
    card: str
    field: str
    """Background of input fields."""
    border: str
    text: str
    muted: str
    """Explanatory text."""
    accent: str
    accent_text: str
    danger: str
    note: str
    """Background of a message that is no error."""
    alarm: str
    """Background of an error message."""
    canvas: str
    """Background of the board view."""
    look: str
    """The matching look in `gui.looks`."""


LIGHT: Final = Theme(
    window="#f3f5f8",
    card="#ffffff",
    field="#ffffff",
    border="#ccd3dd",
    text="#1b2430",
    muted="#576476",
    accent="#1f5fbf",
    accent_text="#ffffff",
    danger="#b3261e",
    note="#e3edfb",
    alarm="#fbe6e3",
    canvas="#e6eaf0",
    look="flat",
)
DARK: Final = Theme(
    window="#171b21",
    card="#20262e",
    field="#2b333d",
    border="#39434f",
    text="#e8ecf2",
    muted="#a3afbf",
    accent="#7fb0ff",
    accent_text="#0d1a2d",
    danger="#ff8f85",
    note="#1f324d",
    alarm="#46231f",
    canvas="#12161b",
    look="dark",
)


def system_theme() -> Theme:
    """Return the theme that the desktop asks for; light if it does not say."""
    hints = QGuiApplication.styleHints()
    dark = hints is not None and hints.colorScheme() is Qt.ColorScheme.Dark
    return DARK if dark else LIGHT


def chosen_theme(name: ThemeName) -> Theme:
    """Return the theme of a setting."""
    return {"light": LIGHT, "dark": DARK}.get(name) or system_theme()


class _Current(QObject):
    """The theme that is applied.

    Signals:
        changed(): Another one is applied.
    """

    changed = pyqtSignal()
    theme = LIGHT


_CURRENT: Final = _Current()


def current_theme() -> Theme:
    """Return the theme that is applied, for what is painted or made now."""
    return _CURRENT.theme


def on_theme_change(act: Callable[[], None]) -> None:
    """Call a method of a QObject now, and whenever a theme is applied while the object exists.

    What reads `current_theme` when it is painted does not need it: Qt paints all again.
    """
    act()
    _CURRENT.changed.connect(act)


def apply(theme: Theme, window: QWidget) -> None:
    """Apply a theme to a window.

    The palette is set on the application, because a window with a style sheet does not pass its own
    to its children. The style sheet is set on the window.
    """
    _CURRENT.theme = theme
    QApplication.setPalette(palette(theme))
    window.setStyleSheet(_SHEET % vars(theme))
    _CURRENT.changed.emit()


def restyle(widget: QWidget) -> None:
    """Apply the style sheet again after a widget's property has changed."""
    style = widget.style()
    if style is not None:
        style.unpolish(widget)
        style.polish(widget)


def palette(theme: Theme) -> QPalette:
    """Return the theme as a palette for Qt's styles."""
    role = QPalette.ColorRole
    colors = {
        role.Window: theme.window,
        role.WindowText: theme.text,
        role.Base: theme.field,
        role.AlternateBase: theme.card,
        role.Text: theme.text,
        role.PlaceholderText: theme.muted,
        role.Button: theme.card,
        role.ButtonText: theme.text,
        role.ToolTipBase: theme.card,
        role.ToolTipText: theme.text,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.accent_text,
        role.Link: theme.accent,
        role.Mid: theme.border,
        role.Dark: theme.border,
    }
    made = QPalette(QColor(theme.card), QColor(theme.window))
    for which, color in colors.items():
        made.setColor(which, QColor(color))
    faint = QColor(theme.muted)
    faint.setAlphaF(0.6)
    for which in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, which, faint)
    return made


_SHEET: Final = """
QToolTip { color: %(text)s; background: %(card)s; border: 1px solid %(border)s; padding: 4px; }
QFrame[card="true"] { background: %(card)s; border: 1px solid %(border)s; border-radius: 8px; }
QWidget[rail="true"] { background: %(card)s; border-right: 1px solid %(border)s; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 6px;
  color: %(text)s; }
QToolButton:hover { border-color: %(accent)s; }
QToolButton:focus { border: 2px solid %(accent)s; }
QToolButton:checked { background: %(note)s; font-weight: 600; }
QToolButton[answer="true"] { background: %(card)s; border: 1px solid %(border)s; padding: 4px; }
QToolButton[answer="true"]:hover, QToolButton[answer="true"]:focus { border-color: %(accent)s; }
QToolButton[likely="true"] { background: %(note)s; border-color: %(accent)s; }
QProgressBar { background: %(field)s; border: 1px solid %(border)s; border-radius: 4px;
  min-height: 10px; max-height: 10px; }
QProgressBar::chunk { background: %(accent)s; border-radius: 3px; }
QLabel[muted="true"] { color: %(muted)s; }
QLabel[heading="true"] { color: %(muted)s; font-weight: 600; }
QLabel[figure="true"] { font-weight: 600; }
QFrame[message="note"] { background: %(note)s; border: 1px solid %(accent)s; border-radius: 8px; }
QFrame[message="alarm"] { background: %(alarm)s; border: 1px solid %(danger)s; border-radius: 8px; }
QListView { background: %(card)s; border: 1px solid %(border)s; border-radius: 8px; padding: 3px; }
QListView:focus { border: 2px solid %(accent)s; padding: 2px; }
QTableView { background: %(card)s; alternate-background-color: %(field)s;
  border: 1px solid %(border)s; border-radius: 8px; }
QTableView:focus { border-color: %(accent)s; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QHeaderView { background: transparent; }
QHeaderView::section { background: %(window)s; color: %(muted)s; border: none;
  border-bottom: 1px solid %(border)s; padding: 4px 3px; font-weight: 600; }
QListView::indicator:unchecked, QCheckBox::indicator:unchecked { background: %(field)s;
  border: 1px solid %(muted)s; border-radius: 2px; width: 12px; height: 12px; }
QCheckBox::indicator:unchecked:disabled { border-color: %(border)s; }
QFileDialog QToolButton { background: #ccd3dd; }
QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar::handle:vertical { background: %(muted)s; border-radius: 4px; min-height: 24px;
  margin: 1px; }
QScrollBar::handle:vertical:hover { background: %(text)s; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle:horizontal { background: %(muted)s; border-radius: 4px; min-width: 24px;
  margin: 1px; }
QScrollBar::handle:horizontal:hover { background: %(text)s; }
QScrollBar::add-line, QScrollBar::sub-line { height: 0; width: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSlider:horizontal { min-height: 20px; }
QSlider::groove:horizontal { border: none; background: transparent; height: 14px; }
QSlider::sub-page:horizontal { border: none; background: %(accent)s; margin: 5px 2px; }
QSlider::add-page:horizontal { border: none; background: %(muted)s; margin: 5px 2px; }
QSlider::handle:horizontal { border: 1px solid %(accent)s; background: %(accent)s; width: 12px;
  border-radius: 7px; }
QSlider::handle:horizontal:focus { border-color: %(text)s; }
QSlider::handle:horizontal:disabled { background: %(muted)s; border-color: %(muted)s; }
QPushButton { background: %(card)s; border: 1px solid %(border)s; border-radius: 6px;
  padding: 5px 12px; min-height: 1.5em; }
QPushButton:hover { border-color: %(accent)s; }
QPushButton:focus { border: 2px solid %(accent)s; padding: 4px 11px; }
QPushButton[tile="true"], QPushButton[tile="true"]:focus { padding: 4px; }
QPushButton:pressed, QPushButton:checked { background: %(note)s; border-color: %(accent)s; }
QPushButton:disabled { color: %(muted)s; background: %(window)s; }
QPushButton[primary="true"] { font-weight: 600; }
QPushButton[primary="true"]:enabled { background: %(accent)s; color: %(accent_text)s;
  border-color: %(accent)s; }
QPushButton[primary="true"]:enabled:focus { border: 2px solid %(text)s; }
"""
