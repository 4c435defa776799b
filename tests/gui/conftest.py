"""Widgets of the test process have no screen: no pointer disturbs them."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator

import cv2  # noqa: F401 - imported for what it does to the environment, undone below
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QCursor, QGuiApplication
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.panel.theme import LIGHT, apply, current_theme
from gui.simulator import SimulatorOptions, SimulatorWindow
from tests.gui.panels import opened_folders, saved, shown  # noqa: F401 - fixtures

os.environ["QT_QPA_PLATFORM"] = "offscreen"
# OpenCV points these at its own Qt plugins, whenever a test imports it first.
for _name in ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR"):
    os.environ.pop(_name, None)
if sys.platform == "win32":
    # The offscreen platform finds no fonts there.
    os.environ["QT_QPA_FONTDIR"] = f"{os.environ['WINDIR']}/Fonts"


@pytest.fixture(autouse=True)
def no_garbage_is_collected() -> Iterator[None]:
    """Collect garbage after a test only, in this thread and when Qt handles no event.

    pytest-qt holds a window by a weak reference, and at the end of a test's function nothing else
    does. If garbage is collected while such a window is painted, it is deleted in the middle of
    that, and the interpreter crashes. A job's thread would collect Qt's objects, too.
    """
    threshold = gc.get_threshold()
    # Not gc.disable(): what loads the machine code switches that, in a thread of its own.
    gc.set_threshold(0)
    yield
    gc.collect(1)
    gc.set_threshold(*threshold)


@pytest.fixture(autouse=True)
def the_next_test_begins_afresh() -> Iterator[None]:
    """Put back what all tests of a worker share: theme, modifier keys and pointer."""
    yield
    if current_theme() is not LIGHT:
        apply(LIGHT, QWidget())
    screen = QGuiApplication.primaryScreen() if QApplication.instance() else None
    if screen is not None:
        QCursor.setPos(screen.geometry().bottomRight())
        if QGuiApplication.keyboardModifiers() != Qt.KeyboardModifier.NoModifier:
            QTest.keyRelease(QWidget(), Qt.Key.Key_Control)


@pytest.fixture
def window(qtbot: QtBot) -> Callable[..., SimulatorWindow]:
    """Opens simulated windows of seed 1; keywords are options."""

    def open_window(**options: object) -> SimulatorWindow:
        opened = SimulatorWindow(SimulatorOptions(**{"seed": 1} | options))
        qtbot.addWidget(opened)
        with qtbot.waitSignal(opened.field.appeared):
            opened.show()
        opened.activateWindow()
        return opened

    return open_window
