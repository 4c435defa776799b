"""Panels for tests: made, shown and closed; and what one waits for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PyQt6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PyQt6.QtGui import QDesktopServices, QDragEnterEvent, QDropEvent, QPalette, QWheelEvent
from PyQt6.QtWidgets import QAbstractScrollArea, QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.panel import Panel
from gui.panel.jobs import Progress
from gui.runner.protocol import State
from gui.settings import Settings
from tests.gui.tabletop import LocalClient, Tabletop

Shown = Callable[..., Panel]

PATIENCE = 240_000
"""Milliseconds for work of some seconds, on a busy machine: a limit ends what hangs."""
ENDLESS = Settings(games=None, theme="light")


def panel_of(
    table: Tabletop,
    settings: Settings = ENDLESS,
    save: Callable[[Settings], object] = lambda _settings: None,
) -> Panel:
    """Make a panel that plays on a tabletop; the connection ends when it is closed."""
    client = LocalClient(table)
    panel = Panel(client, settings, save_settings=save)
    panel.closed.connect(client.close)
    return panel


@pytest.fixture
def saved() -> list[Settings]:
    """What the panel asked to be saved."""
    return []


@pytest.fixture
def opened_folders(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the desktop's file manager was asked to open."""
    paths: list[str] = []
    # Without programs to ask for the file manager, the desktop's answer is all there is.
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(
        QDesktopServices, "openUrl", lambda url: paths.append(str(Path(url.toLocalFile()))) or True
    )
    return paths


@pytest.fixture
def shown(qtbot: QtBot, saved: list[Settings]) -> Iterator[Shown]:
    """Makes a panel on a backend, shown; closed at the test's end, whatever it does."""
    panels: list[tuple[Panel, list[bool]]] = []

    def make(table: Tabletop, settings: Settings = ENDLESS) -> Panel:
        panel = panel_of(table, settings, saved.append)
        closed: list[bool] = []
        panel.closed.connect(lambda: closed.append(True))
        panels.append((panel, closed))
        panel.show()
        qtbot.waitUntil(lambda: table.looks > 0 and "Looking" not in title(panel))
        return panel

    yield make
    for panel, closed in panels:
        panel.close()
        qtbot.waitUntil(lambda closed=closed: bool(closed))
        panel.deleteLater()


def change(panel: Panel, **choices: object) -> None:
    """Change settings, as another page does."""
    panel.surface.options.take(panel.settings.model_copy(update=choices))


def title(panel: Panel) -> str:
    """The headline where the board will be."""
    return panel.surface.empty.title.text()


def message(panel: Panel) -> str:
    """What the banner says; empty while it is hidden."""
    banner = panel.surface.banner
    return banner.message.text() if banner.isVisible() else ""


def is_error(panel: Panel) -> bool:
    """Return whether the banner shows a failure, with or without a report."""
    return panel.surface.banner.copy.isVisible()


def tip_of(part: QWidget) -> str:
    """A tooltip in one line."""
    return " ".join(part.toolTip().split())


def press(qtbot: QtBot, panel: Panel, key: Qt.Key) -> None:
    """A key, wherever the focus is."""
    qtbot.keyClick(panel, key)


def playing(qtbot: QtBot, panel: Panel, turns: int = 3) -> None:
    """Wait until some turns were played."""
    qtbot.waitUntil(lambda: panel.statistics.turns >= turns)


def silent() -> Progress:
    """A job without a widget."""
    return Progress(lambda _share, _words: None)


def idle(qtbot: QtBot, panel: Panel) -> None:
    """Wait until the player has ended."""
    qtbot.waitUntil(lambda: panel.state is State.IDLE)


def colors(panel: Panel) -> set[str]:
    """The window's ground, and the inks of parts deep inside it."""
    surface, role = panel.surface, QPalette.ColorRole
    parts = (surface.chooser.view, surface.options.games, surface.legend, surface.details.reason)
    inks = {part.palette().color(role.WindowText).name() for part in parts}
    return {panel.palette().color(role.Window).name(), *inks}


def takes_wheel(view: QAbstractScrollArea) -> bool:
    """Return whether a view keeps the wheel from the page, anywhere on it."""
    target = view.viewport()
    assert target is not None
    taken = False
    for x in range(5, target.width(), 20):
        for y in range(5, target.height(), 20):
            at = QPointF(x, y)
            wheel = QWheelEvent(
                at, target.mapToGlobal(at), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
                Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
            )  # fmt: skip
            QApplication.sendEvent(target, wheel)
            taken |= wheel.isAccepted()
    return taken


def drop(page: QWidget, data: QMimeData) -> bool:
    """Drop something on a page; whether the page takes it at all."""
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier(0)
    enter = QDragEnterEvent(page.rect().center(), copy, data, left, none)
    enter.ignore()
    page.dragEnterEvent(enter)
    if enter.isAccepted():
        page.dropEvent(QDropEvent(QPointF(page.rect().center()), copy, data, left, none))
    return enter.isAccepted()


def drop_files(page: QWidget, *files: Path) -> bool:
    """Drop files on a page; whether it takes them."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    return drop(page, data)
