"""Real faults during a game, and the guarantee for each.

A `Scene` plays in a thread, like the panel, with an operator that resumes after a pause. Every
event sent is compared with the window under it. Every fault is a function that gets a scene in
mid-game and the run's own random numbers; it raises `Broken` if the guarantee was violated.
`bot/FAULTS.md` describes the guarantees.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from bot.board import EXPLODED, Board, Cell
from bot.frame import Point, Status
from bot.loop import Stop, Stopped, Turn
from bot.planner import Action, Move
from gui.private_screen import PrivateScreen
from gui.runner.backend import Desktop
from gui.settings import Settings
from tests.support.clients import Desk, PictureWindow, button_held, client_desktop, focus
from tests.support.mischief import Game, GnomeGame, Mischief, Monitors
from tests.support.operators import Scripted
from vision.desktop import SessionKind, Window, desktop

PATIENCE: Final = 60.0
"""Seconds after which a run counts as stuck."""
_OVERTAKEN_SECONDS: Final = 0.15
"""Largest time from what happens to the game until a click arrives that was checked before: the
reaction of a program to a key, the age of a shared picture, and the way of a click."""


def _near(one: Point, other: Point) -> bool:
    return max(abs(one.x - other.x), abs(one.y - other.y)) <= 2


def _reached(board: Board, moves: Sequence[Move]) -> NDArray[np.bool_]:
    """Return (rows, cols) bool: the cells that moves open, including those that zeros open."""
    reached = np.zeros(board.tiles.shape, np.bool_)
    cells = [move.cell for move in moves if move.cell is not None]
    chords = [move.cell for move in moves if move.action is Action.CHORD and move.cell is not None]
    cells += [beside for cell in chords for beside in board.around(cell)]
    while cells:
        cell = cells.pop()
        if not reached[cell]:
            reached[cell] = True
            cells += board.around(cell) if board[cell] == 0 else ()
    return reached


class Witness:
    """The program's own pointer, with a check of the window under each click.

    The window is queried when the pointer is moved: so nothing is added between the mouse's own
    check, which comes next, and the press.

    Args:
        scene: The scene, with the game's window and its board.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene, self._pointer = scene, desktop().open_pointer()
        self._under: Window | None = None

    @property
    def position(self) -> Point:
        """The pointer's position."""
        return self._pointer.position

    def move(self, point: Point) -> Point | None:
        """Move the pointer to a point."""
        before = self._pointer.move(point)
        self._under = client_desktop().window_at(point)
        return before

    def click(self, point: Point, button: str, hold: Callable[[], object] | None) -> None:
        """Press and release a button at a point."""
        try:
            self._pointer.click(point, button, hold)
        except Exception:
            # The window moved after the press: the button was released off it.
            self._scene.withdrawn.append(point)
            raise
        self._scene.witness(point, self._under)

    def press(self, key: str) -> None:
        """Type a key."""
        self._scene.keys.append(key)
        self._pointer.press(key)


class Scene:
    """One run, and its observations.

    Args:
        game: The played window.
        pace: Clicks per second.
        screen: The private screen of the window, if it is on one.
        monitors: Monitors that can be plugged in, if they are simulated.
    """

    def __init__(
        self,
        game: Game | GnomeGame,
        pace: float,
        screen: PrivateScreen | None,
        monitors: Monitors | None = None,
    ) -> None:
        self.game: Game | GnomeGame = game
        self.monitors = monitors
        self._screen = screen
        self.mischief = Mischief()
        self.turns: list[Turn] = []
        self.pauses: list[str] = []
        self.stray: list[str] = []
        self.withdrawn: list[Point] = []
        """Points of presses whose button was released elsewhere, or that came too late."""
        self.keys: list[str] = []
        self.clicks = 0
        self.reported: list[str] = []
        self.error: BaseException | None = None
        self._pressed: list[tuple[Point, str]] = []
        """Presses that reached other windows, and which."""
        self._in_time: list[tuple[Point, bool]] = []
        """The clicks, and whether the game was there when the picture was taken by which each was
        checked."""
        self._pace = pace
        self._stop = Stop()
        self._go_on = threading.Event()
        self._changed = threading.Condition()
        self._settings = Settings(games=None, pace=pace)
        self._desk = Desk()
        self._desktop = Desktop(lambda: Witness(self))
        self._thread = threading.Thread(target=self._play, daemon=True)

    def __enter__(self) -> Self:
        self.mischief.__enter__()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.finish()
        self.mischief.__exit__()
        self._desk.close()

    @contextmanager
    def covered(self) -> Iterator[None]:
        """Lay another program's window over the game within the block."""
        with self.mischief.cover(self.game.window) as other:
            yield
            self._pressed += [(point, "on a window in front") for point in other.pressed()]

    def finish(self) -> None:
        """Stop, and wait until the run has ended."""
        self._stop.set()
        self._thread.join()
        self._pressed += [(point, "on the bare desktop") for point in self._desk.pressed()]
        for point, where in self._pressed:
            if any(_near(point, other) for other in self.withdrawn):
                continue
            if [sent for other, sent in self._in_time if _near(point, other)][-1:] == [True]:
                self.withdrawn.append(point)
            else:
                self.stray.append(f"{point} {where}")
        self._pressed.clear()

    def unwanted(self) -> list[str]:
        """Return the cells that were opened though no move opens them: a click missed its cell.

        A click may take effect late; a move of one of the three last turns is enough.
        """
        found = []
        for at, (turn, after) in enumerate(pairwise(self.turns)):
            before, now = turn.reading.board, after.reading.board
            if before.tiles.shape != now.tiles.shape:
                continue
            if ((before.tiles >= 0) & (now.tiles < 0)).any():
                # Another game.
                continue
            opened = (now.tiles >= 0) | (now.tiles == EXPLODED)
            same = [
                one
                for one in self.turns[max(at - 2, 0) : at + 1]
                if one.reading.board.tiles.shape == now.tiles.shape
            ]
            moves = [move for one in same for move in one.moves]
            for row, col in np.argwhere(opened & (before.tiles < 0) & ~_reached(now, moves)):
                found.append(f"turn {at + 1}: {Cell(row, col).position_text} was opened by no move")
        return found

    def witness(self, point: Point, under: Window | None) -> None:
        """Check a sent click; the window below all others reports the clicks that it receives."""
        self.clicks += 1
        if not desktop().lists_windows:
            now = client_desktop().window_at(point)
            there = now is not None and now.id == self.game.window
            just_left = time.monotonic() - self.mischief.acted < _OVERTAKEN_SECONDS
            self._in_time.append((point, there or just_left))
        if under is None or under.id == self._desk.id:
            return
        grid = self.turns[-1].reading.grid
        on_face = grid.face is not None and grid.face.contains(point)
        if under.id != self.game.window:
            # A compositor shows the changes of XWayland's windows later: their presses tell.
            if desktop().lists_windows:
                self.stray.append(f"{point} on '{under.title}'")
        elif not (on_face or grid.cell_at(point)):
            moved = client_desktop().place_of(self.game.window)
            if moved is None or not moved.contains(point):
                self.stray.append(f"{point} beside the board")

    def go_on(self) -> None:
        """Resume as the user does after a pause."""
        self._go_on.set()

    def after_turns(self, number: int) -> bool:
        """Wait for the given number of turns with moves; return whether they came."""
        target = len(self.turns) + number
        return self.wait(lambda: len(self.turns) >= target)

    def wait(self, ready: Callable[[], bool], seconds: float = PATIENCE) -> bool:
        """Wait for a condition; return False if the run ended first, or took too long."""
        with self._changed:
            self._changed.wait_for(lambda: ready() or self.ended, seconds)
        return ready()

    @contextmanager
    def busy_manager(self) -> Iterator[None]:
        """Suspend the window manager within the block."""
        assert self._screen is not None
        _server, manager = self._screen.processes
        manager.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            manager.send_signal(signal.SIGCONT)

    @property
    def simulated(self) -> Game:
        """The simulated window."""
        assert isinstance(self.game, Game)
        return self.game

    @property
    def ended(self) -> bool:
        """Return whether the run has ended."""
        return not self._thread.is_alive() or self.error is not None

    @property
    def story(self) -> str:
        """Description of the run, for the message of a failure."""
        status = self.turns[-1].reading.status if self.turns else None
        return (
            f"{len(self.turns)} turns, the last {status}, paused {self.pauses}, "
            f"last reported {self.reported[-3:]}, ended {self.error!r}"
        )

    def _play(self) -> None:
        turns = self._desktop.play(
            self.game.window if desktop().lists_windows else None,
            lambda: self._settings,
            Scripted(
                None,
                self._hold,
                self._stop,
                lambda words: self._note(lambda: self.reported.append(words)),
            ),
        )
        try:
            for turn in turns:
                self._note(lambda turn=turn: self.turns.append(turn))  # type: ignore[misc]
                if self._stop.wait(1 / self._pace):
                    break
        except Exception as error:  # noqa: BLE001 - what the run ends with is what is reported
            self.error = error
        finally:
            with suppress(Exception):
                turns.close()  # type: ignore[attr-defined]
            self._note(lambda: None)

    def _hold(self, why: Exception) -> None:
        self._go_on.clear()
        self._note(lambda: self.pauses.append(str(why)))
        while not self._go_on.wait(0.05):
            if self._stop.is_set():
                raise Stopped

    def _note(self, change: Callable[[], object]) -> None:
        with self._changed:
            change()
            self._changed.notify_all()


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


def _soon(ready: Callable[[], bool]) -> bool:
    """Return whether a condition holds within 5 seconds."""
    for _ in range(100):
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


def _of_gnome_mines(name: str, promise: str, happen: Callable[[Scene, Random], None]) -> Fault:
    """Return a fault of GNOME Mines, whose window can be given any size."""
    name = f"{name}, GNOME Mines"
    return Fault(name, promise, happen, ("expert",), program="gnome-mines", on=_LINUX)


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
        _of_gnome_mines("resized", _GOES_ON, _resized),
        _of_gnome_mines("too small", _PAUSES, _too_small),
        _of_gnome_mines("hides its board", _PAUSES, _hidden),
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
