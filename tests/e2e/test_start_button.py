"""The real panel over a real simulated window, and a real mouse on its button Play."""

from __future__ import annotations

from pathlib import Path

import pytest

from gui.private_screen import PrivateScreen
from gui.settings import Settings, save
from tests.support.driven import driven
from tests.support.forked import simulated
from tests.support.runs import audited, sessions
from tests.support.xclient import adopt, focus, wait_until
from vision.desktop import Window, desktop


def own_window() -> Window:
    """Return the panel's window."""
    return next(one for one in desktop().list_windows() if one.own)


def test_a_game_under_the_panel_is_played_in_front_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a screen without room for both. A panel that is brought to the front stays there."""
    save(Settings(games=1, pace=10), tmp_path / "settings.toml")
    with PrivateScreen(1024, 768) as screen:
        adopt(screen, monkeypatch)
        with (
            simulated(screen, tmp_path, "--seed", "3", "--level", "expert") as game,
            driven(screen, tmp_path) as panel,
        ):
            panel.wait_for_boards()
            # The window manager may place the panel later than it finds the game.
            wait_until(lambda: any(one.own for one in desktop().list_windows()))
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
