"""The backend for the panel and the commands: the desktop's boards, runs, and built-in games."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Final

import numpy as np

from bot.analysis import Cancelled
from bot.assist.watcher import WatchedTurn
from bot.frame import Frame, Region, Status
from bot.loop import Stopped, Turn
from bot.mouse import Pointer
from bot.processes import end_process, start_dependent
from bot.waiting import BoardNotSettled, Waits
from gui.failures import Failure, describe
from gui.history.store import Player
from gui.private import PrivateScreenError
from gui.runner import timeouts
from gui.runner.access import Access
from gui.runner.assist import LiveBoard, assisted, record_watched
from gui.runner.protocol import UNKNOWN_SKIN, Candidate, Found, Operator, SharedBoard
from gui.runner.recording import recorded
from gui.runner.runner import Games
from gui.runner.startup import ask_about, ask_mines, find_board, first_look, look_or_ask
from gui.runner.stored_answers import KeptBoards
from gui.settings import Choices
from vision import SUPPORTED
from vision.click_guard import find_cause
from vision.counters.mines import MinesUnknown
from vision.desktop import Feature, GlobalKey, Screen, ScreenError, Window, desktop
from vision.finder import BoardNotFound
from vision.focus import NotInFront, is_known_program
from vision.learning.questions import AnswersNeeded, Question
from vision.learning.skin_learner import LearnedSkin, learn_skin
from vision.reader import Reader
from vision.skins import Skin, SkinLibrary
from vision.tracking.targets import CoveredWindows, Target, Wanted, choose, survey_screen
from vision.tracking.tracked_board import WindowClosed, mines_of

_log = logging.getLogger(__name__)

_NO_PICTURE: Final = np.full((3, 4, 3), 128, np.uint8)
"""The picture of a board that is hidden."""


class Simulators:
    """The built-in games of one desktop.

    Args:
        environment: Of their processes; by default this process's own.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._environment = environment
        self._processes: list[subprocess.Popen[str]] = []

    def start(self, *options: str) -> int:
        """Open a built-in game with options of `simulate`; wait until it is on the screen.

        Returns:
            The id of its window.

        Raises:
            ScreenError: It did not open.
        """
        command = [sys.executable, "-m", "gui", "simulate", "--announce", "--corner", *options]
        # Ctrl-C is for this process, which closes the window itself.
        process = start_dependent(
            command,
            stdout=subprocess.PIPE,
            text=True,
            env=self._environment,
            # `-m` searches the working folder first, where a folder named gui would be preferred.
            cwd=Path(__file__).parent.parent.parent,
        )
        self._processes.append(process)
        assert process.stdout is not None  # noqa: S101 - a pipe was asked for
        late = threading.Timer(timeouts.SIMULATOR_OPENS, process.kill)
        late.start()
        announced = process.stdout.readline().strip()
        late.cancel()
        if not announced.isdigit():
            raise ScreenError("the built-in game did not open. The log file says why")
        return int(announced)

    def close(self) -> None:
        """End the built-in games that were opened here."""
        for process in self._processes:
            end_process(process)
            if process.stdout is not None:
                process.stdout.close()
        self._processes.clear()


class Desktop:
    """Reader, solver and mouse on the desktop of the process that plays.

    Runs are played in the player's thread, all else in the thread that searches. The tests have a
    substitute (`tests.gui.tabletop`).

    Args:
        pointer: Creates the pointer, in the thread that plays; by default the desktop's.
        environment: Of the built-in games; by default this process's own.
    """

    def __init__(
        self,
        pointer: Callable[[], Pointer] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._make_pointer = pointer or (lambda: desktop().open_pointer())
        self.simulators = Simulators(environment)
        self._last_frame: Frame | None = None
        self._listed: tuple[Candidate, ...] = ()
        self._windows: set[int] = set()
        """The ids of all windows that had a board."""
        self._boardless: frozenset[object] = frozenset()
        """Windows of known programs in which the last search found no board."""
        self._shelf = SkinLibrary()
        self._shared = SharedBoards()
        self._known = KeptBoards()
        self._behind = CoveredWindows(self._known.marked_in)
        self._live: LiveBoard | None = None
        """The board that is analysed before anything is started."""

    @property
    def skins(self) -> tuple[Skin, ...]:
        """The current bundled and own skins."""
        return self._shelf.skins()

    def request_access(self, again: bool, stop: threading.Event) -> None:
        """Ask the user for access to screen and pointer if that is needed. Slow.

        Args:
            again: Whether to ask even if the user has refused, or has ended the access, before.
            stop: Ends the waiting for the answer.
        """
        desktop().request_access(stopped=stop.is_set, again=again)

    def boards(self, thorough: bool = False, every: bool = False) -> Found:
        """Return the boards on the screen, without the program's own pictures of boards. Slow.

        Args:
            thorough: Whether to search windows that are unlikely to have a board.
            every: Whether to list the windows in which no board is recognised, too.
        """
        skins = self.skins
        with desktop().open_screen() as screen:
            targets, remarks = survey_screen(
                screen, skins, self._behind, thorough=thorough, marked=self._known.marked_in
            )
            boards = tuple(self._candidate(screen, target) for target in targets)
            if not desktop().lists_windows:
                boards = tuple(self._shared.recognise(boards, screen.region))
        shown, unsearched = desktop().list_windows(), self._behind.unsearched
        boards += tuple(covered(self._listed, boards, shown, unsearched))
        left = [one for one in shown if one.id not in self._behind.pending | unsearched]
        hidden = without_board(boards, remarks, left, skins)
        # A program that was just started has not drawn its board yet.
        boards += tuple(one for one in hidden if one.key in self._boardless)
        before, self._boardless = self._boardless, frozenset(one.key for one in hidden)
        self._listed = boards
        if every:
            boards += tuple(without_board(boards, remarks, shown, skins, every=True))
        incomplete = bool(self._behind.pending) or not self._boardless <= before
        heard = Feature.GLOBAL_KEYS not in desktop().lacks
        broken = tuple(map(str, self._shelf.broken))
        return Found(boards, tuple(remarks), broken, incomplete, self._closed(), heard)

    def _closed(self) -> frozenset[object]:
        """Return the ids of the windows that had a board and were closed."""
        self._windows.update(board.key for board in self._listed if isinstance(board.key, int))
        return frozenset(one for one in self._windows if not desktop().exists(one))

    def analyse(self, candidate: Candidate, solver_name: str, fresh: bool) -> Turn | None:
        """Return a board that `boards` listed as it looks now, analysed; send nothing.

        Args:
            candidate: The board.
            solver_name: The solver.
            fresh: Whether to return it even if it has not changed since the last call.

        Returns:
            A turn with the moves that the solver would make; None if the board has not changed,
            or cannot be read now.
        """
        wanted = self._wanted(candidate)
        if self._live is None or (self._live.key, self._live.wanted) != (candidate.key, wanted):
            self._end_live()
            self._live = LiveBoard(candidate, wanted, self.skins, self._known)
        return self._live.look(solver_name, fresh=fresh)

    def _wanted(self, candidate: Candidate) -> Wanted:
        """Return the selection of a board that `boards` listed.

        The only one is found wherever it has been moved since.
        """
        if isinstance(candidate.key, int):
            return candidate.key
        place = candidate.region if len(self._listed) > 1 else None
        return place and place.center

    def _end_live(self) -> None:
        if self._live is not None:
            self._live.close()
            self._live = None

    def release_windows(self) -> None:
        """Undo what `boards` and `analyse` do to windows."""
        self._end_live()
        self._behind.release()

    def _selected(self, board: Candidate | Wanted) -> Wanted:
        """Return the selection of a board, after the one that `boards` listed was raised."""
        if not isinstance(board, Candidate):
            return board
        window = _window_of(board)
        if board.covered and window is not None:
            desktop().activate(window)
        return self._wanted(board)

    def assist(
        self, board: Candidate | Wanted, choices: Choices, operator: Operator
    ) -> Iterator[WatchedTurn]:
        """Watch the user play until it is stopped; send nothing. Each turn's moves are advice."""
        window = self._selected(board)
        _request_access(operator)
        with desktop().open_screen() as screen:
            mines, stop = choices().mines, operator.stopped
            reader = Reader(screen, self.skins, window, mines, known=self._known)

            def settle(open_one: AnswersNeeded | MinesUnknown) -> None:
                if isinstance(open_one, AnswersNeeded):
                    ask_about(reader, open_one, operator)
                else:
                    ask_mines(reader, open_one, operator)

            try:
                look_or_ask(reader, operator, settle)
                watched = assisted(reader, choices, stop, settle)
                turns = record_watched(
                    watched, lambda played: recorded(played, reader, choices, Player.USER)
                )
                with closing(turns):  # type: ignore[type-var]  # a generator
                    for turn in turns:
                        self._note(turn.reading.frame)
                        yield turn
            except (Stopped, Cancelled):
                return

    def play(
        self, board: Candidate | Wanted, choices: Choices, operator: Operator
    ) -> Iterator[Turn]:
        """Play the chosen number of games.

        Args:
            board: As in `gui.runner.protocol.Begin`.
            choices: Returns the current settings; called repeatedly, so that a change takes effect.
                Game, level and mines stay fixed.
            operator: Supervises the run.

        Yields:
            Each turn before it is carried out; ends after the last game, or at a stop.
        """
        window = self._selected(board)
        _request_access(operator)
        with ExitStack() as resources:
            screen = resources.enter_context(desktop().open_screen())
            state = desktop().pointer_state()
            began = None if state is None else state.place
            settings = choices()
            reader = Reader(screen, self.skins, window, settings.mines, settings.rules, self._known)
            remark = find_board(reader, settings, operator)
            _log.info(
                "Playing %d x %d cells with '%s', style %s, games %s",
                reader.grid.cols,
                reader.grid.rows,
                settings.player_name,
                settings.style.value,
                settings.games,
            )
            access = Access(reader, self._make_pointer(), operator, choices, self._note, began)
            resources.callback(access.user.close)
            games = Games(access, remark)
            try:
                access.user.wait_until_idle()
                yield from recorded(games.turns(), reader, choices)
                games.closer.close_at_the_end()
            except (Stopped, Cancelled):
                return
            finally:
                access.conventions.keep()

    def _note(self, frame: Frame) -> None:
        """Store the last frame for the report of a failure."""
        self._last_frame = frame

    def learn(
        self,
        window: str,
        name: str | None,
        mines: int | None,
        ask: Callable[[Question], int | None],
        may_replace: Callable[[str], bool] = lambda _name: False,
    ) -> LearnedSkin:
        """Learn the skin of a window from one picture of it; raises as `learn_skin` does."""
        desktop().request_access()
        skins = self.skins
        try:
            frame, seen = self.pictured(window, skins)
        except BoardNotFound:
            if desktop().lists_windows:
                raise
            # The title is unknown: the user has chosen the window in the desktop's own dialog.
            frame, seen = self.pictured(None, skins)
        return learn_skin([frame], skins, name, mines, ask, seen, may_replace)

    def snapshot(self, candidate: Candidate) -> tuple[Frame, Window | None]:
        """Return the window of a board that `boards` listed, with its current picture.

        Raises:
            Exception: As `choose` raises if the board is gone.
        """
        window = _window_of(candidate)
        if candidate.covered and window is not None:
            frame = _drawn(window)
            if frame is not None:
                return frame, window
        if window is None:
            # Nothing but its place tells the board from others.
            with desktop().open_screen() as screen:
                return screen.grab(candidate.region), None
        return self.pictured(window.id, self.skins)

    def pictured(self, window: Wanted, skins: tuple[Skin, ...]) -> tuple[Frame, Window | None]:
        """Return the window, given as for `play`, with a picture of it.

        Raises:
            Exception: As `choose` raises if there is no board in it.
        """
        with desktop().open_screen() as screen:
            target = choose(screen, skins, window, marked=self._known.marked_in)
            region = target.window.region if target.window else target.grid.view
            return screen.grab(region), target.window

    def candidate(self, window: Wanted, mines: int | None, stop: threading.Event) -> Candidate:
        """Return the board of a window, waiting until it is visible.

        Raises:
            Stopped: `stop` was set meanwhile.
            Exception: As `Reader.look` raises if it cannot be played.
        """
        self.request_access(True, stop)
        with desktop().open_screen() as screen:
            reader = Reader(screen, self.skins, window, mines, known=self._known)
            with suppress(MinesUnknown):
                first_look(reader, stop)
            target = choose(
                screen,
                self.skins,
                window,
                allow_unknown=reader.allow_unknown,
                marked=self._known.marked_in,
            )
            return self._candidate(screen, target, mines or None)

    def await_board(
        self, name: str, wanted: str | None, mines: int | None, stop: threading.Event
    ) -> Candidate:
        """Return the board of the only game on this screen when it is visible.

        Args:
            name: The game's name.
            wanted: A part of its window's title, class or skin, if it has several boards.
            mines: The number of mines, if the user gave it.
            stop: Ends the waiting.

        Raises:
            PrivateScreenError: The game opened no window.
            BoardNotFound: It has windows, and none of them shows a board.
            Stopped: `stop` was set.
        """
        if not Waits(stop.wait).until(
            lambda: bool(desktop().list_windows()), timeouts.WINDOW_OPENS
        ):
            raise PrivateScreenError(
                f"'{name}' opened no window within {timeouts.WINDOW_OPENS:.0f} s: does it need "
                "more than a screen to start? Start it by hand to see"
            )
        shown: list[int] = []
        deadline = time.perf_counter() + timeouts.BOARD_OPENS
        while True:
            before, shown = shown, [one.id for one in desktop().list_windows()]
            if shown != before:
                deadline = time.perf_counter() + timeouts.BOARD_OPENS
            window = shown[0] if len(shown) == 1 else None
            try:
                return self.candidate(wanted or window, mines, stop)
            except BoardNotFound as error:
                if time.perf_counter() > deadline:
                    raise BoardNotFound(_no_board(name)) from error
            if window is not None:
                # Its cells may be too small to be read.
                desktop().maximise(window)

    def _candidate(self, screen: Screen, target: Target, given: int | None = None) -> Candidate:
        grid, skin, window = target.grid, target.skin, target.window
        skin_name = UNKNOWN_SKIN if target.learner else skin.name
        picture = screen.grab(grid.region) if target.picture is None else target.picture
        mines = mines_of(screen, target, given, self._known)
        said = self._known.recall(window, skin, grid.rows, grid.cols).said
        return Candidate(
            title=window.title if window else "the screen",
            skin=skin_name,
            rows=grid.rows,
            cols=grid.cols,
            mines=mines,
            thumbnail=picture.image[picture.pixels(grid.region)],
            key=window.id if window else None,
            region=_elbow_room(target),
            covered=target.picture is not None,
            mines_said=mines is not None and mines == said,
        )

    def open_simulator(self, *options: str) -> int:
        """Open a built-in game with options of `simulate`, and return the id of its window."""
        return self.simulators.start(*options)

    def global_key(self, name: str, pressed: Callable[[], None]) -> GlobalKey | None:
        """Return a key for all windows; None if that is not supported.

        Args:
            name: Of its purpose.
            pressed: Called in a thread of its own.
        """
        return desktop().open_global_key(name, pressed)

    def failure(self, error: BaseException) -> Failure:
        """Convert an error to a failure, saving the frame that it is about."""
        error = find_cause(error)
        return replace(describe(error, self._last_frame), unseen=_is_of_sight(error))


def _request_access(operator: Operator) -> None:
    desktop().request_access(operator.report, operator.stopped.is_set)
    operator.report("")


def _no_board(name: str) -> str:
    """Return the error for a game without a board, with the remedy."""
    titles = ", ".join(f"'{window.title}'" for window in desktop().list_windows())
    return (
        f"'{name}' shows no board on its private screen (its windows: {titles}): where it begins "
        "with a menu, start it with the option that opens a game at once, such as 'gnome-mines "
        "--big'; where it is larger than the screen, start it on a larger one. "
        f"{SUPPORTED}"
    )


def _is_of_sight(error: BaseException) -> bool:
    """Return whether an error means that the board is currently hidden."""
    if isinstance(error, BoardNotSettled):
        return error.reading.status is Status.BLOCKED
    return isinstance(error, (BoardNotFound, NotInFront)) and not isinstance(error, WindowClosed)


def _drawn(window: Window) -> Frame | None:
    """Return the picture of a covered window once it rests; None if there is none.

    What was covered when it was last captured may be black until the program has drawn it.
    """
    seen: Frame | None = None
    with desktop().open_screen() as screen:

        def rests() -> bool:
            nonlocal seen
            before, seen = seen, screen.grab_window(window)
            return seen is None or (before is not None and np.array_equal(before.image, seen.image))

        Waits(threading.Event().wait).until(
            rests, timeouts.BOARD_SETTLES, every=timeouts.WINDOW_DRAWN
        )
    return seen


def _window_of(candidate: Candidate) -> Window | None:
    """Return the window of a board that `boards` listed; None if unknown or gone."""
    return next((one for one in desktop().list_windows() if one.id == candidate.key), None)


class SharedBoards:
    """The boards in unknown windows that were found so far, identified by their places."""

    def __init__(self) -> None:
        self._known: dict[SharedBoard, Candidate] = {}
        self._numbers = count(1)

    def recognise(self, found: Sequence[Candidate], screen: Region) -> Iterator[Candidate]:
        """Yield the boards with the keys that they had before, and with their places if several.

        A board is recognised by its place, or else, if it was moved or opened again, as the only
        one of its skin and size that is not found elsewhere.
        """
        left, keys = dict(self._known), dict[int, SharedBoard]()
        for row, board in enumerate(found):
            there = [key for key, one in left.items() if _is_in_place(one, board)]
            if there:
                keys[row] = there[-1]
                del left[there[-1]]
        for row, board in enumerate(found):
            alike = [key for key, one in left.items() if _is_of_kind(one, board)]
            if row not in keys and len(alike) == 1:
                keys[row] = alike[0]
                del left[alike[0]]
        for row, board in enumerate(found):
            key = keys.get(row) or SharedBoard(next(self._numbers))
            title = board.title
            if len(found) > 1 and board.region is not None:
                title = f"{title}, {_place_in_words(board.region, screen)}"
            # The last one found at a place is the likeliest to be there.
            self._known.pop(key, None)
            self._known[key] = replace(board, key=key, title=title)
            yield self._known[key]


def _is_in_place(before: Candidate, board: Candidate) -> bool:
    if before.region is None or board.region is None:
        return False
    return before.region.contains(board.region.center)


def _is_of_kind(before: Candidate, board: Candidate) -> bool:
    kinds = [(one.skin, one.rows, one.cols) for one in (before, board)]
    return kinds[0] == kinds[1]


def _place_in_words(place: Region, screen: Region) -> str:
    """Return where a region is on the screen: 'upper left'."""
    x, y = place.center.x - screen.left, place.center.y - screen.top
    down = ("upper", "middle", "lower")[min(int(3 * y / screen.height), 2)]
    across = ("left", "middle", "right")[min(int(3 * x / screen.width), 2)]
    return down if down == across else f"{down} {across}"


def _elbow_room(target: Target) -> Region:
    """Return the region that the panel must not cover: the game with a margin of one cell."""
    grid = target.grid
    board, room = grid.region, round(max(grid.pitch_x, grid.pitch_y)) + 1
    around = Region(
        board.left - room, board.top - room, board.width + 2 * room, board.height + 2 * room
    )
    return around.union(target.window.region) if target.window else around


def without_board(
    found: Iterable[Candidate],
    remarks: Sequence[str],
    shown: Iterable[Window],
    skins: Sequence[Skin],
    *,
    every: bool = False,
) -> list[Candidate]:
    """Return the windows of known programs in which no board was found: they hide it.

    GNOME Mines pauses while another window has the keyboard, and begins with a menu. With `every`,
    return those of unknown programs instead, in which it may not be recognised.

    Args:
        found: The boards found now.
        remarks: Why some boards cannot be used; each names its window.
        shown: The windows that were searched.
        skins: The skins, of which the bundled ones name their programs.
        every: Whether windows of unknown programs are meant.
    """
    listed = {board.key for board in found}
    boards = []
    for window in shown:
        skin = next((one for one in skins if is_known_program(one, window)), None)
        named = any(f"'{window.title}'" in remark for remark in remarks)
        if window.id in listed or window.transient_for or named or window.own:
            continue
        if (skin is None) is every and window.title.strip():
            boards.append(
                Candidate(
                    title=window.title,
                    skin=UNKNOWN_SKIN if skin is None else skin.name,
                    rows=0,
                    cols=0,
                    mines=None,
                    thumbnail=_NO_PICTURE,
                    key=window.id,
                    region=window.region,
                    covered=True,
                    hidden=True,
                )
            )
    return boards


def covered(
    before: Iterable[Candidate],
    found: Iterable[Candidate],
    shown: Sequence[Window],
    unsearched: Container[object] = (),
) -> list[Candidate]:
    """Return the listed boards whose windows are unchanged but whose boards were not found.

    GNOME Mines covers its board while another window, such as the panel, has the keyboard; the run
    gives it the keyboard first. A covered window may have no picture yet, or none at all without
    X Composite.

    Args:
        before: The previous list.
        found: The boards found now.
        shown: The windows, topmost first.
        unsearched: Ids of covered windows without a picture.
    """
    seen = {board.key for board in found}
    boards = []
    for board in before:
        place = next((row for row, window in enumerate(shown) if window.id == board.key), None)
        if board.key in seen or place is None or board.region is None:
            continue
        window = shown[place]
        as_it_was = (
            window.title == board.title
            and window.region.intersection(board.region) == window.region
        )
        over = any(other.region.intersection(window.region) for other in shown[:place])
        if as_it_was and (window.id in unsearched or not over):
            boards.append(replace(board, covered=True, hidden=not over))
    return boards
