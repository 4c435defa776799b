"""The panel beside the board: moved, shrunk, or without room."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PyQt6.QtCore import QPoint, QRect, QSize
from PyQt6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from bot.frame import Region
from gui.panel.banner import Banner
from gui.panel.placement import Placement, beside, least_covered, logical
from vision.desktop import desktop

SCREEN = QRect(0, 0, 1920, 1080)
SMALLEST = QSize(500, 300)


@pytest.mark.parametrize(
    ("taken", "screens", "size"),
    [
        (QRect(0, 0, 490, 313), [SCREEN], QSize(1200, 720)),
        (QRect(1400, 700, 490, 313), [SCREEN], QSize(1200, 720)),
        (QRect(600, 300, 700, 400), [SCREEN], None),
        (SCREEN, [SCREEN, QRect(1920, 0, 1280, 1024)], QSize(1200, 720)),
    ],
    ids=["above", "below", "shrunk", "the other screen"],
)
def test_the_window_is_placed_beside_the_board(
    taken: QRect, screens: list[QRect], size: QSize | None
) -> None:
    """On a screen, as large as before if there is room; without room nowhere."""
    now = QRect(400, 200, 1200, 720)
    place = beside(taken, now, SMALLEST, screens)
    assert any(screen.contains(place) for screen in screens)
    assert not place.intersects(taken)
    assert size is None or place.size() == size
    assert place.size().boundedTo(SMALLEST) == SMALLEST
    assert beside(QRect(), place, SMALLEST, screens) == place
    assert beside(SCREEN, now, SMALLEST, [SCREEN]) is None


def test_a_game_in_front_covers_the_board_before_the_explanation() -> None:
    """A beginner's board in the middle of a screen of 1366 x 768 at 200 %."""
    screen, now, area = QRect(0, 0, 683, 384), QRect(7, 18, 669, 349), QRect(276, 125, 130, 165)
    place = least_covered(area, now, [screen], 87)
    assert screen.contains(place)
    assert not place.adjusted(0, place.height() - 87, 0, 0).intersects(area)


@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5, 1.75, 2.0])
def test_a_region_on_each_of_several_monitors(
    monkeypatch: pytest.MonkeyPatch, scale: float
) -> None:
    """Of different scales, and left of and above the main one: each keeps its corner in pixels."""
    shown = [(QPoint(0, 0), 1.0), (QPoint(-2560, -200), scale), (QPoint(1920, 300), 2.0)]
    screens = [
        SimpleNamespace(
            devicePixelRatio=lambda ratio=ratio: ratio,
            geometry=lambda corner=corner, ratio=ratio: QRect(
                corner, QSize(round(1920 / ratio), round(1080 / ratio))
            ),
        )
        for corner, ratio in shown
    ]
    monkeypatch.setattr("gui.panel.placement.QGuiApplication.screens", lambda: screens)
    monkeypatch.setattr(desktop(), "points_are_pixels", True, raising=False)
    for corner, ratio in shown:
        board = Region(corner.x() + 350, corner.y() + 140, 700, 420)
        found = logical(board)
        assert found.topLeft() - corner == QPoint(round(350 / ratio), round(140 / ratio))
        assert found.size() == QSize(round(700 / ratio), round(420 / ratio))
    assert logical(Region(90_000, 0, 10, 10)) == QRect(90_000, 0, 10, 10)


@pytest.mark.parametrize("by_key", [True, False])
def test_the_stop_key_in_the_game_gives_the_panel_the_keyboard(qtbot: QtBot, by_key: bool) -> None:
    """The panel had the keyboard before the run. A run that ends by itself does not take it."""
    panel, game = QWidget(), QWidget()
    for window in (panel, game):
        qtbot.addWidget(window)
        window.show()
    panel.activateWindow()
    qtbot.waitUntil(panel.isActiveWindow)
    placement = Placement(panel, Banner(), QWidget(panel))
    placement.make_way(Region(0, 0, 1, 1), "F8", can_raise=True)
    game.activateWindow()
    qtbot.waitUntil(game.isActiveWindow)
    placement.stopped_by_key = by_key
    placement.come_back()
    qtbot.waitUntil((panel if by_key else game).isActiveWindow)


def test_a_panel_that_was_moved_behind_the_board_comes_back(qtbot: QtBot) -> None:
    """As large as it was; it says once that it has no room."""
    panel, banner = QWidget(), Banner()
    why = QWidget(panel)
    why.move(0, 500)
    panel.setMinimumSize(500, 280)
    panel.setGeometry(50, 50, 700, 600)
    qtbot.addWidget(panel)
    panel.show()
    before, board = panel.geometry(), Region(200, 250, 400, 350)
    placement = Placement(panel, banner, why)
    placement.make_way(board, "F8", can_raise=True)
    assert panel.geometry() != before
    assert "no room for the panel" in banner.message.text()
    assert not banner.isHidden()
    placement.come_back()
    assert panel.geometry() == before
    placement.make_way(board, "F8", can_raise=True)
    assert banner.isHidden()
