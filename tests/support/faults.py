"""Real faults during a game, and the guarantee for each.

Every fault is a function that gets a scene in mid-game and the run's own random numbers; it raises
`Broken` if the guarantee was violated. `bot/FAULTS.md` describes the guarantees.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np

from bot.frame import Status
from tests.support.clients import PictureWindow, button_held, client_desktop, focus
from tests.support.faulty import Scene
from vision.desktop import SessionKind, desktop


class Broken(AssertionError):
    """A guarantee was violated."""


@dataclass(frozen=True)
class Fault:
    """A fault, and the guarantee for it."""

    name: str
    promise: str
    happen: Callable[[Scene, Random], None]
    game: tuple[str, ...] = ("expert", "first_click=zero")
    """Level and options of the window that gets the fault."""
    pace: float = 15.0
    program: str = ""
    """A real program instead of the simulated window; empty for none."""
    monitors: bool = False
    """Whether monitors can be plugged in; simulated at the adapter, for want of hardware."""
    on: tuple[SessionKind, ...] = (SessionKind.X11, SessionKind.WAYLAND, SessionKind.WINDOWS)
    """Where it can be done."""


MONITOR: Final = (800, 900)
_GOES_ON: Final = "goes on by itself"
_PAUSES: Final = "pauses and says why; goes on when resumed"
_WIDE: Final = 900
"""Width in points; GNOME Mines cuts its Expert board off in a narrower window, at the right and
below."""
_X11: Final = (SessionKind.X11,)
_LINUX: Final = (SessionKind.X11, SessionKind.WAYLAND)
_BY_PICTURE: Final = ("covers it", "covers the board", "cannot be read", "had no effect")
"""Reasons where nothing but the picture tells what happened."""
_MORE: Final = 6
"""Turns after which a run counts as continuing."""


def pause(seconds: float) -> None:
    """Let time pass, without waiting for an event."""
    threading.Event().wait(seconds)


def _soon(ready: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Return whether a condition holds within some seconds."""
    for _ in range(round(seconds / 0.05)):
        if ready():
            return True
        pause(0.05)
    return ready()


def _goes_on(scene: Scene) -> None:
    """Check that the run continues without any action by the user."""
    if not scene.after_turns(_MORE) or scene.ended:
        raise Broken(f"it did not go on: {scene.story}")
    if scene.pauses:
        raise Broken(f"it had to be resumed: {scene.story}")


def _pauses(scene: Scene, *words: str) -> None:
    """Check that the run pauses with a reason, and clicks nothing during the pause."""
    if not desktop().lists_windows:
        words += _BY_PICTURE
    before = len(scene.pauses)
    if not scene.wait(lambda: len(scene.pauses) > before):
        raise Broken(f"it did not pause: {scene.story}")
    if not any(word in scene.pauses[-1] for word in words):
        raise Broken(f"it said something else: {scene.story}")
    clicks = scene.clicks
    pause(0.3)
    if scene.clicks != clicks:
        raise Broken("it clicked while it was paused")


def _resumes(scene: Scene) -> None:
    """Check that the run continues after Resume."""
    pauses = len(scene.pauses)
    scene.go_on()
    if not scene.after_turns(_MORE) or scene.ended or len(scene.pauses) > pauses:
        raise Broken(f"it did not go on when it was resumed: {scene.story}")


def _moved(scene: Scene, random: Random) -> None:
    for _ in range(random.randint(1, 3)):
        scene.mischief.move(scene.game.window, random.randint(0, 500), random.randint(30, 400))
        pause(random.uniform(0, 0.2))
    _goes_on(scene)


def _moved_late(scene: Scene, random: Random) -> None:
    """Let the window manager move the window late, after a click has arrived."""
    for _ in range(random.randint(1, 3)):
        with scene.busy_manager():
            scene.mischief.ask_to_move(
                scene.game.window, random.randint(0, 500), random.randint(30, 400)
            )
            _soon(button_held)
        scene.after_turns(1)
    _goes_on(scene)


def _other_monitor(scene: Scene, random: Random) -> None:
    assert scene.monitors is not None
    scene.monitors.plug_in()
    left = MONITOR[0] + random.randint(20, 200)
    scene.mischief.move(scene.game.window, left, random.randint(30, 400))
    _goes_on(scene)
    if scene.turns[-1].reading.grid.left < MONITOR[0]:
        raise Broken(f"the board was not found on the other monitor: {scene.story}")


def _minimised(scene: Scene, random: Random) -> None:
    scene.mischief.minimise(scene.game.window)
    pause(random.uniform(0.1, 3))
    scene.mischief.restore(scene.game.window)
    _goes_on(scene)


def _long_minimised(scene: Scene, _random: Random) -> None:
    scene.mischief.minimise(scene.game.window)
    _pauses(scene, "minimised")
    scene.mischief.restore(scene.game.window)
    _resumes(scene)


def _covered(scene: Scene, random: Random) -> None:
    with scene.covered():
        pause(random.uniform(0.1, 3))
    _goes_on(scene)


def _long_covered(scene: Scene, _random: Random) -> None:
    with scene.covered():
        _pauses(scene, "covers the board", "lies over the board", "lies 'Letters'")
    _resumes(scene)


def _hidden(scene: Scene, _random: Random) -> None:
    """Resume while another window has the keyboard, so that GNOME Mines hides its board."""
    with scene.covered():
        _pauses(scene, "covers the board", "lies over the board", "lies 'Letters'")
    place = scene.mischief.region(scene.game.window)
    small = np.full((20, 20, 3), 90, np.uint8)
    with PictureWindow(small, (place.left, place.top), "Panel", "panel") as other:
        focus(other.id)
        if desktop().lists_windows:
            _resumes(scene)
            return
        # Only the user can give it the keyboard there.
        scene.pauses.clear()
        scene.go_on()
        focus(scene.game.window)
        _goes_on(scene)


def _scaled(scene: Scene, random: Random) -> None:
    """Scale the window by its own menu, like a user: the last of its scales are the large ones."""
    before = scene.mischief.region(scene.game.window)
    steps = random.randint(3, 4)
    # A click in progress closes the menu.
    for _ in range(20):
        scene.mischief.type(scene.game.window, "Alt_L", "v")
        for _ in range(steps):
            scene.mischief.type_on("Up")
        scene.mischief.type_on("Return")
        if _soon(lambda: client_desktop().place_of(scene.game.window) != before):
            break
    else:
        raise Broken("the window did not take another size")
    _goes_on(scene)


def _resized(scene: Scene, random: Random) -> None:
    for _ in range(random.randint(1, 2)):
        width, height = random.randint(_WIDE, 1300), random.randint(550, 850)
        scene.mischief.resize(scene.game.window, width, height)
        pause(random.uniform(0, 0.3))
    _goes_on(scene)


def _too_small(scene: Scene, random: Random) -> None:
    scene.mischief.resize(scene.game.window, random.randint(700, 800), random.randint(550, 850))
    _pauses(scene, "the whole board shows")
    scene.mischief.resize(scene.game.window, random.randint(_WIDE, 1300), 840)
    _resumes(scene)


def _restarted(scene: Scene, _random: Random) -> None:
    scene.mischief.type(scene.game.window, "F2")
    _goes_on(scene)


def _level(scene: Scene, random: Random) -> None:
    sizes = {"1": (9, 9), "2": (16, 16), "3": (16, 30)}
    for key in (random.choice("12"), "3"):
        scene.mischief.type(scene.game.window, "Control_L", key)

        def seen(size: tuple[int, int] = sizes[key]) -> bool:
            return any(turn.reading.board.tiles.shape == size for turn in scene.turns[-1:])

        if not scene.wait(seen, 30):
            raise Broken(f"the other level was not seen: {scene.story}")
        _goes_on(scene)


def _dialog(scene: Scene, _random: Random) -> None:
    scene.reported.clear()
    scene.mischief.type(scene.game.window, "F1")

    def said() -> bool:
        # Between two games the run waits for the dialog to close, and continues by itself.
        between = scene.turns[-1].reading.status is not Status.PLAYING
        words = scene.pauses + (scene.reported if between else [])
        return any("How to play" in one or not desktop().lists_windows for one in words)

    if not scene.wait(said):
        raise Broken(f"it neither paused nor waited: {scene.story}")
    clicks = scene.clicks
    pause(0.3)
    opened = next(one for one in client_desktop().list_windows() if "How to play" in one.title)
    scene.mischief.type(opened.id, "Escape")
    if scene.keys or scene.clicks != clicks:
        raise Broken(f"the bot touched the dialog: {scene.keys}")
    if scene.pauses:
        _resumes(scene)
    else:
        _goes_on(scene)


def _known_dialog(scene: Scene, _random: Random) -> None:
    if not scene.wait(lambda: "return" in [key.casefold() for key in scene.keys]):
        raise Broken(f"no dialog was closed: {scene.story}")
    _goes_on(scene)


def _frozen(scene: Scene, random: Random) -> None:
    scene.simulated.freeze()
    pause(random.uniform(0.1, 6))
    scene.simulated.thaw()
    _goes_on(scene)


def _long_frozen(scene: Scene, _random: Random) -> None:
    scene.simulated.freeze()
    try:
        _pauses(scene, "does not answer")
    finally:
        scene.simulated.thaw()
    _resumes(scene)


def _killed(scene: Scene, _random: Random) -> None:
    scene.simulated.process.kill()
    if not desktop().lists_windows:
        _pauses(scene)
        return
    if not scene.wait(lambda: scene.error is not None):
        raise Broken(f"it did not end: {scene.story}")
    if "was closed" not in str(scene.error):
        raise Broken(f"it said something else: {scene.story}")


def _missed(scene: Scene, random: Random) -> None:
    scene.mischief.grab()
    pause(random.uniform(0.2, 1.5))
    scene.mischief.let_go()
    _goes_on(scene)


def _missed_twice(scene: Scene, _random: Random) -> None:
    scene.mischief.grab()
    try:
        _pauses(scene, "had no effect", "did not start again")
    finally:
        scene.mischief.let_go()
    _resumes(scene)


def _unsettled(scene: Scene, _random: Random) -> None:
    _pauses(scene, "cannot be read", "does not stop changing")
    pause(12)
    scene.go_on()
    if not scene.after_turns(1):
        raise Broken(f"it did not go on when it was resumed: {scene.story}")


def _plays(scene: Scene, _random: Random) -> None:
    """Do nothing, and check that whole games are played."""
    if not scene.wait(lambda: sum(turn.reading.status.over for turn in scene.turns) >= 2):
        raise Broken(f"it did not play two games: {scene.story}")
    _goes_on(scene)


def _clock(scene: Scene, _random: Random) -> None:
    if not scene.wait(lambda: scene.turns[-1].reading.clock == 999):
        raise Broken(f"the clock was not read: {scene.story}")
    pause(2)
    _goes_on(scene)


FAULTS: Final[Mapping[str, Fault]] = {
    fault.name: fault
    for fault in (
        Fault("a click is lost", "sent once more; " + _GOES_ON, _missed, on=_LINUX),
        Fault("a click is lost twice", _PAUSES, _missed_twice, on=_LINUX),
        Fault(
            "does not settle",
            _PAUSES,
            _unsettled,
            ("expert", "first_click=zero", "animation=1", "wave=24"),
        ),
        Fault(
            "known dialog",
            "closed as skin.toml says; " + _GOES_ON,
            _known_dialog,
            ("beginner", "first_click=zero", "win_dialog=1"),
            pace=100,
            on=(SessionKind.X11, SessionKind.WINDOWS),
        ),
        Fault("unknown dialog", _PAUSES, _dialog),
        Fault("window in front", _GOES_ON, _covered),
        Fault("window stays in front", _PAUSES, _long_covered),
        Fault("minimised", _GOES_ON, _minimised),
        Fault("stays minimised", _PAUSES, _long_minimised),
        Fault("moved", _GOES_ON, _moved),
        Fault("moved by a busy window manager", _GOES_ON, _moved_late, on=_X11),
        Fault(
            "moved to another monitor",
            "simulated: " + _GOES_ON,
            _other_monitor,
            monitors=True,
            on=_X11,
        ),
        Fault("resized by its scale", _GOES_ON, _scaled),
        Fault(
            "resized, GNOME Mines",
            _GOES_ON,
            _resized,
            ("expert",),
            program="gnome-mines",
            on=_LINUX,
        ),
        Fault(
            "too small, GNOME Mines",
            _PAUSES,
            _too_small,
            ("expert",),
            program="gnome-mines",
            on=_LINUX,
        ),
        Fault(
            "hides its board, GNOME Mines",
            _PAUSES,
            _hidden,
            ("expert",),
            program="gnome-mines",
            on=_LINUX,
        ),
        Fault("restarted by the user", _GOES_ON, _restarted),
        Fault("level changed", _GOES_ON, _level),
        Fault("frozen", _GOES_ON, _frozen),
        Fault("stays frozen", _PAUSES, _long_frozen),
        Fault("killed", "ends and says why", _killed),
        Fault("opening animation", _GOES_ON, _plays, ("beginner", "animation=1"), pace=100),
        Fault("first click anything", _GOES_ON, _plays, ("beginner", "first_click=none"), pace=100),
        Fault("first click a zero", _GOES_ON, _plays, ("beginner", "first_click=zero"), pace=100),
        Fault("clock at 999", _GOES_ON, _clock, ("expert", "first_click=zero", "clock=996")),
    )
}
