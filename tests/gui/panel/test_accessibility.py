"""Every control has a name and a description, and all colours of the panel have enough contrast."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QColor
from PyQt6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QScrollBar,
    QWidget,
)

from bot.game import BEGINNER
from gui.panel.marks import (
    CHOSEN,
    EVIDENCE,
    MINE,
    ON_PROOF,
    SAFE,
    UNSURE,
    contrast,
    luminance,
    probability_color,
    text_on,
)
from gui.panel.pages import PAGES
from gui.panel.theme import DARK, LIGHT, Theme
from tests.gui.panels import Shown
from tests.gui.tabletop import Tabletop

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("home")]

TEXT = 4.5
"""Least contrast of text. Source: WCAG 2.2, success criterion 1.4.3."""
GRAPHICS = 3.0
"""Least contrast of what a control is recognised by. Source: WCAG 2.2, success criterion 1.4.11."""


def is_control(widget: QWidget) -> bool:
    """Whether the user operates a widget itself, as opposed to a part of another control."""
    if isinstance(widget, QScrollBar | QHeaderView):
        return False
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QAbstractSpinBox | QComboBox | QAbstractItemView | QLineEdit):
            return False
        if "KeySequenceEdit" in type(parent).__name__:
            return False
        parent = parent.parentWidget()
    focusable = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return focusable or isinstance(widget, QAbstractButton)


def name_of(widget: QWidget, labels: dict[QWidget | None, str]) -> str:
    """The name that a screen reader says: its own, a button's text, or that of its label."""
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return (widget.accessibleName() or text or labels.get(widget, "")).strip()


def test_every_control_has_a_name_and_a_description(shown: Shown) -> None:
    """On all pages, for screen readers: what it is, and what it does. No tooltip is wide."""
    panel = shown(Tabletop(BEGINNER))
    for page in PAGES:
        panel.shell.open(page.name)
    labels = {label.buddy(): label.text() for label in panel.findChildren(QLabel)}
    widgets = panel.findChildren(QWidget)
    lines = {line for widget in widgets for line in widget.toolTip().splitlines()}
    assert [line for line in lines if len(line) > 60 and " " in line] == []
    lacking = set()
    for widget in filter(is_control, widgets):
        name = name_of(widget, labels)
        if not name or not (widget.accessibleDescription() or widget.toolTip()):
            lacking.add((type(widget.parentWidget()).__name__, type(widget).__name__, name))
    assert lacking == set()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_colours_of_the_panel_have_enough_contrast(theme: Theme) -> None:
    """Text on each of its backgrounds, and what marks the state and the parts of a control."""
    grounds = (theme.window, theme.card, theme.field)
    texts = [(ink, ground) for ink in (theme.text, theme.muted) for ground in grounds]
    texts += [(theme.text, theme.note), (theme.text, theme.alarm)]
    texts += [(theme.accent_text, theme.accent)]
    graphics = [
        (ink, ground) for ink in (theme.accent, theme.danger, theme.muted) for ground in grounds
    ]
    graphics += [(theme.accent, theme.note), (theme.danger, theme.alarm)]
    for pairs, least in ((texts, TEXT), (graphics, GRAPHICS)):
        low = [pair for pair in pairs if contrast(*map(QColor, pair)) < least]
        assert low == []


def test_marks_on_a_board_can_be_read_without_colours() -> None:
    """Numbers and marks have enough contrast; every step towards a mine is darker."""
    scale = [probability_color(percent / 100) for percent in range(101)]
    assert all(luminance(before) > luminance(after) for before, after in pairwise(scale))
    assert all(contrast(text_on(chip), chip) >= TEXT for chip in scale)
    for mark in (SAFE, MINE, CHOSEN, EVIDENCE, UNSURE):
        assert contrast(mark, ON_PROOF) >= GRAPHICS
