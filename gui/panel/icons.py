"""The buttons' icons, drawn from SVG to fit every scale and theme."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QIcon, QPainter, QPixmap
from PyQt6.QtSvg import QSvgRenderer

from gui.panel.theme import current_theme

_SIZE: Final = 64
"""Size in pixels at which an icon is drawn; Qt scales it down for a button."""
_SVG: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"'
    ' fill="{0}" stroke="{0}" stroke-width="0" fill-rule="evenodd" stroke-linecap="round">{1}</svg>'
)
_ICONS: Final = {
    "play": '<path d="M16 8 56 32 16 56z"/>',
    "pause": '<rect x="12" y="8" width="15" height="48" rx="3"/>'
    '<rect x="37" y="8" width="15" height="48" rx="3"/>',
    "step": '<path d="M8 8 42 32 8 56z"/><rect x="45" y="8" width="11" height="48" rx="3"/>',
    "previous": '<path d="M56 8 22 32 56 56z"/><rect x="8" y="8" width="11" height="48" rx="3"/>',
    "first": '<path d="M36 10 14 32 36 54zM58 10 36 32 58 54z"/>'
    '<rect x="5" y="8" width="9" height="48" rx="3"/>',
    "last": '<path d="M6 10 28 32 6 54zM28 10 50 32 28 54z"/>'
    '<rect x="50" y="8" width="9" height="48" rx="3"/>',
    "stop": '<rect x="11" y="11" width="42" height="42" rx="5"/>',
    "assist": '<path d="M4 32Q32 2 60 32 32 62 4 32zM18 32a14 14 0 1 0 28 0 14 14 0 1 0-28 0z'
    'M25 32a7 7 0 1 0 14 0 7 7 0 1 0-14 0z"/>',
    "refresh": '<path fill="none" stroke-width="6" d="M42 14.7A20 20 0 1 0 51.7 35.5"/>'
    '<path d="M34 6 50 14 36 24z"/>',
    "sidebar": '<path fill="none" stroke-width="6" d="M13 10H51a6 6 0 0 1 6 6V48a6 6 0 0 1-6 6H13'
    'a6 6 0 0 1-6-6V16a6 6 0 0 1 6-6zM25 10V54"/>',
    "add": '<rect fill="none" stroke-width="2" stroke-dasharray="5 4" x="9" y="9" width="46"'
    ' height="46" rx="7"/><path stroke-width="3" d="M32 22V42M22 32H42"/>',
    "analyse": '<path d="M4 26a22 22 0 1 0 44 0 22 22 0 1 0-44 0zM11 26a15 15 0 1 0 30 0'
    ' 15 15 0 1 0-30 0zM45 38 60 53 53 60 38 45z"/>',
    "practice": '<g fill="none" stroke-width="8"><circle cx="32" cy="32" r="23"/>'
    '<circle cx="32" cy="32" r="7.5" stroke-width="7"/></g>',
    "games": '<path d="M11 8H53a5 5 0 0 1 5 5V37a5 5 0 0 1-5 5H11a5 5 0 0 1-5-5V13a5 5 0 0 1 5-5z'
    'M25 15 43 25 25 35z"/><rect x="6" y="50" width="52" height="5" rx="2"/>'
    '<circle cx="26" cy="52.5" r="6"/>',
    "graphs": '<path d="M8 34h9V56H8zM21 20h9V56h-9zM34 40h9V56h-9zM47 10h9V56h-9z"/>',
    "lab": '<path d="M25 14 39 14 39 26 54 52 50 57 14 57 10 52 25 26zM21 5H43V11H21z"/>',
    "skins": '<path d="M8 8H30V30H8zM34 8H56V30H34zM8 34H30V56H8zM34 34H56V56H34z"/>',
    "settings": '<path stroke-width="5" d="M8 14H56M8 32H56M8 50H56"/>'
    '<circle cx="42" cy="14" r="8"/><circle cx="20" cy="32" r="8"/><circle cx="36" cy="50" r="8"/>',
    "help": '<circle cx="32" cy="32" r="25" fill="none" stroke-width="6"/>'
    '<path fill="none" stroke-width="6" d="M24 26a8 8 0 1 1 11 7q-3 1-3 5M32 46v1"/>',
}
"""The content of each icon's SVG, 64 wide and high."""


def icon(name: str, *, on_accent: bool = False) -> QIcon:
    """Return an icon in the current theme's colours.

    Args:
        name: A key of `_ICONS`.
        on_accent: For a button that has the accent colour.
    """
    made, theme = QIcon(), current_theme()
    color = theme.accent_text if on_accent else theme.text
    made.addPixmap(_drawn(name, color), QIcon.Mode.Normal)
    made.addPixmap(_drawn(name, theme.border), QIcon.Mode.Disabled)
    return made


def _drawn(name: str, color: str) -> QPixmap:
    if name not in _ICONS:
        raise KeyError(f"there is no icon '{name}': add it to _ICONS in gui/panel/icons.py")
    pixmap = QPixmap(_SIZE, _SIZE)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        QSvgRenderer(_SVG.format(color, _ICONS[name]).encode()).render(painter)
    return pixmap
