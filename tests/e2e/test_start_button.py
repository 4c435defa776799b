"""The real panel, a real simulated window, and a real mouse on its buttons Play and Step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.board import Board
from gui.history.store import History
from gui.private_screen import PrivateScreen
from gui.settings import Settings, save
from tests.support.driven import Driven, driven
from tests.support.forked import simulated
from tests.support.runs import audited, sessions
from tests.support.xclient import adopt, focus, wait_until
from vision.desktop import Window, desktop


@contextmanager
def panel_and_game(
    home: Path, monkeypatch: pytest.MonkeyPatch, screen: PrivateScreen, *options: str
) -> Iterator[tuple[Driven, int]]:
    """A panel that has found a simulated window, and that window."""
    adopt(screen, monkeypatch)
    with (
        simulated(screen, home, "--seed", "3", *options) as game,
        driven(screen, home) as panel,
    ):
        panel.wait_for_boards()
        # The window manager may place the panel later than it finds the game.
        wait_until(lambda: any(one.own for one in desktop().list_windows()))
        yield panel, game


def own_window() -> Window:
    """Return the panel's window."""
    return next(one for one in desktop().list_windows() if one.own)


def opened_cells(panel: Driven) -> int:
    """Return the number of cells that the panel shows as opened."""
    return int((Board.parse(panel.ask("board")["text"]).tiles >= 0).sum())


def test_clicks_on_step_and_play_play_the_chosen_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Step carries out what it showed, Play plays all games: recorded, not misread, and kept."""
    save(Settings(games=2), tmp_path / "settings.toml")
    with (
        PrivateScreen() as screen,
        panel_and_game(tmp_path, monkeypatch, screen, "--corner") as (panel, game),
    ):
        place = desktop().place_of(game)
        assert place is not None
        # It opens beside the game.
        wait_until(lambda: own_window().region.intersection(place) is None)
        panel.press("Step")
        panel.wait_for("Turn", "0")
        assert opened_cells(panel) == 0
        panel.press("Step")
        panel.wait_for("Turn", "1")
        assert opened_cells(panel) > 0
        panel.press("Stop")
        panel.wait_for_state("IDLE")
        panel.press("Play")
        folder = tmp_path / "sessions"
        # Not read before the end: a recording that begins has a folder first.
        wait_until(lambda: len(list(folder.iterdir())) == 3 and panel.ask("state") == "IDLE")
    recorded = sessions(tmp_path)
    assert len(recorded) == 3
    assert audited(recorded).findings == []
    with History.to_read(tmp_path / "history.sqlite") as history:
        assert len(history.numbers()) == 3


def test_a_game_under_the_panel_is_played_in_front_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a screen without room for both. A panel that is brought to the front stays there."""
    save(Settings(games=1, pace=10), tmp_path / "settings.toml")
    with (
        PrivateScreen(1024, 768) as screen,
        panel_and_game(tmp_path, monkeypatch, screen, "--level", "expert") as (panel, game),
    ):
        panel.press("Play")
        panel.wait_for_turn()
        place = desktop().place_of(game)
        assert place is not None
        assert own_window().region.intersection(place) is not None

        def paused() -> bool:
            if panel.ask("why") == "Paused because the panel is in front of the board":
                return True
            if panel.ask("state") == "PAUSED":
                # On a busy machine the press of Play may count as a use of the mouse.
                panel.press("Resume")
            elif not desktop().list_windows()[0].own:
                # The run may just have raised the game.
                focus(own_window().id)
            return False

        wait_until(paused)
        focused = desktop().focused()
        assert focused is not None
        assert focused.own
        assert desktop().list_windows()[0].own
        panel.press("Resume")
        panel.wait_for_state("IDLE")
        wait_until(lambda: (seen := desktop().focused()) is not None and seen.own)
    recorded = sessions(tmp_path)
    assert len(recorded) == 1
    assert audited(recorded).findings == []
