"""The real panel beside a real game, and a user who presses its buttons with a real mouse."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from bot.frame import Point
from gui.private_screen import PrivateScreen
from gui.settings import Settings, save
from tests.e2e.test_start_button import panel_and_game
from tests.support.driven import Driven
from tests.support.runs import audited, sessions
from tests.support.xclient import button_held, wait_until

SPEED: Final = "Speed of play"


@contextmanager
def panel_at_play(
    home: Path, monkeypatch: pytest.MonkeyPatch, *options: str, **settings: object
) -> Iterator[Driven]:
    """Start a game, and the panel that plays it, on a private screen of this process's own."""
    save(Settings(**{"games": None, "stop_key": ""} | settings), home / "settings.toml")
    with (
        PrivateScreen(1600, 1000) as screen,
        panel_and_game(home, monkeypatch, screen, "--corner", *options) as (panel, _),
    ):
        panel.press("Play")
        panel.wait_for_state("PLAYING")
        # The first clicks have been sent. Before a run it shows a dash.
        panel.wait_for("Turn", lambda now: now.isdigit() and now != "0")
        yield panel


def place_of(panel: Driven, name: str) -> Point:
    """Wait until a control can be used; return its middle."""
    wait_until(lambda: panel.ask("control", name))
    return Point(*panel.ask("control", name))


def press(panel: Driven, name: str) -> None:
    """Put the pointer onto a button, and press it."""
    at = place_of(panel, name)
    # The last click may still be under way: a window manager that holds it back moves the
    # pointer once more when it lets it go.
    while button_held() or panel.mice.place != at:
        panel.mice.warp(*at)
    with panel.mice.button_down():
        pass


def hold_here(panel: Driven, name: str) -> None:
    """Press the button on which the pointer is until the panel has handled the press."""
    with panel.mice.button_down():
        wait_until(lambda: panel.ask("down", name))


def move_hand(panel: Driven, to: Point) -> None:
    """Move the real mouse by a few pixels towards a point."""
    at = panel.mice.place
    step = (round(max(-7.0, min(distance, 7.0))) for distance in (to.x - at.x, to.y - at.y))
    panel.mice.push(*step)


def move_to(panel: Driven, question: str, name: str) -> None:
    """Move the real mouse to what a question finds, like a hand that follows the pointer."""
    while (at := panel.ask(question, name)) is None or panel.mice.place != Point(*at):
        if at is not None:
            move_hand(panel, Point(*at))


def move_over_panel(panel: Driven, end: Point) -> None:
    """Move the real mouse to and fro over the panel, then to a point of it."""
    for step in range(200):
        move_hand(panel, Point(end.x + 60 * (-1) ** (step // 20), end.y + 200))
    while panel.mice.place != end:
        move_hand(panel, end)


def wander_until_paused(panel: Driven, *, warped: bool = False) -> None:
    """Move the mouse to the left and to and fro until the game is paused.

    It keeps away from the corners of the screen, which end the game. Warped, no device reports
    its motions.
    """
    step = -7
    while panel.ask("state") != "PAUSED":
        place = panel.mice.place
        step = 7 if place.x < 200 else -7 if place.x > 480 else step
        down = 2 if place.y < 500 else 0
        if warped:
            panel.mice.warp(int(place.x) + step, int(place.y) + down)
        else:
            panel.mice.push(step, down)


def test_a_mouse_that_moves_over_the_panel_pauses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand moves it there for a while and presses Pause; the game waits, and is not paused."""
    with panel_at_play(tmp_path, monkeypatch, pace=1.0) as panel:
        button = place_of(panel, "Pause")
        panel.mice.warp(*button)
        for _ in range(2):
            move_over_panel(panel, button)
            hold_here(panel, "Pause")
            panel.wait_for_state("PAUSED")
            move_over_panel(panel, button)
            hold_here(panel, "Resume")
            panel.wait_for_state("PLAYING")
            panel.wait_for_turn()
            panel.wait_for_turn()
            # Borrowed for each click, it is put back.
            wait_until(lambda: panel.mice.place == button)
    assert audited(sessions(tmp_path)).findings == []


@pytest.mark.parametrize("pace", [None, pytest.param(1.0, marks=pytest.mark.slow)])
def test_a_mouse_that_moves_elsewhere_pauses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pace: float | None
) -> None:
    """From the panel over the desktop to the game, and onto it."""
    with panel_at_play(tmp_path, monkeypatch, "--level", "expert", pace=pace) as panel:
        panel.mice.warp(*place_of(panel, "Pause"))
        panel.wait_for_turn()
        panel.mice.send(200, 200)
        panel.wait_for_state("PAUSED")
        for warped in (False, True):
            press(panel, "Resume")
            panel.wait_for_state("PLAYING")
            panel.wait_for_turn()
            wander_until_paused(panel, warped=warped)


def test_a_hand_uses_the_panel_while_it_plays_at_full_speed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It drags the slider to the slowest speed and back, opens a page, pauses and stops."""
    with panel_at_play(tmp_path, monkeypatch, "--level", "expert") as panel:

        def press(name: str) -> None:
            move_to(panel, "control", name)
            with panel.mice.own_button_down():
                pass

        def drag(distance: int) -> None:
            move_to(panel, "handle", SPEED)
            target = panel.mice.place.x + distance
            with panel.mice.own_button_down():
                while (at := panel.mice.place).x != target:
                    move_hand(panel, Point(target, at.y))

        # On a busy machine this hand may press later than any other, while the game has the
        # pointer: that pauses. So two rounds of eight suffice.
        unpaused = rounds = 0
        while unpaused < 2:
            assert (rounds := rounds + 1) <= 8, f"{unpaused} rounds without an unwanted pause"
            drag(-300)
            panel.wait_for("Speed", "1 click a second")
            drag(300)
            panel.wait_for("Speed", "Maximum")
            press("Page Settings")
            wait_until(lambda: panel.ask("page") == "settings")
            press("Page Play")
            wait_until(lambda: panel.ask("page") == "play")
            if panel.ask("state") != "PAUSED":
                press("Pause")
                panel.wait_for_state("PAUSED")
                unpaused += 1
            press("Resume")
            panel.wait_for_state("PLAYING")
            panel.wait_for_turn()
        press("Stop")
        panel.wait_for_state("IDLE")
