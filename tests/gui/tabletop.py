"""Games for the panel without a screen: real rules, the real solver, painted frames.

`Tabletop` stands in for eye and hand alone. It plays `bot.game` games with `bot.loop.play`
and the exact solver; its frames are painted by `gui.looks`. It writes down what was carried
out, and in which thread, so that a test can hold the panel to its promises.
"""

from __future__ import annotations

import queue
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from itertools import count
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtGui import QImage, QPainter

from bot.analysis import Analysis, Limit
from bot.assist.coach import Verdict, judge_moves
from bot.assist.watcher import WatchedTurn, watch
from bot.board import Board, Cell
from bot.frame import Frame, Grid, Reading, Region, Status
from bot.game import Game, Level
from bot.loop import Stopped, Turn, play
from bot.planner import Action, Move
from bot.solver import solver
from bot.solver.warmup import PREPARATION
from gui.failures import Failure
from gui.images import from_qimage
from gui.looks import HeaderState, Mood, layout, look_named, paint_board, paint_header, render_board
from gui.private.screens import PrivateScreens
from gui.questions import ProgramAnswer, ProgramQuestion, around
from gui.runner.client import PlayerClient
from gui.runner.decisions import SpeculativeSolver, planning, simulating, thinking
from gui.runner.process import PlayerServer
from gui.runner.protocol import UNKNOWN_SKIN, Candidate, Found, Operator, SharedBoard
from gui.settings import Choices, Settings
from vision.desktop import GlobalKey
from vision.learning.questions import Question
from vision.skins import BUNDLED, Skin, load_skin

_SKIN = load_skin(BUNDLED / "classic")


def with_skin(skin: Skin, *, known: bool = True) -> Any:
    """Return a reader's skin and window: of the skin's own program, or of a look-alike."""
    window = SimpleNamespace(program=skin.window_class or skin.windows_program) if known else None
    return SimpleNamespace(skin=skin, window=window)


_READER = with_skin(_SKIN)
_MOODS = {Status.WON: Mood.WON, Status.LOST: Mood.LOST}


def painted(game: Game, look: str, seconds: int) -> tuple[NDArray[np.uint8], Grid]:
    """The window of a game as it would be captured, (H, W, 3) BGR, and where its board is."""
    chosen = look_named(look)
    place = layout(chosen, game.rows, game.cols, chosen.cell)
    image = QImage(
        round(place.field.width()), round(place.field.height()), QImage.Format.Format_RGB32
    )
    painter = QPainter(image)
    mood = _MOODS.get(game.status, Mood.SMILE)
    paint_header(painter, chosen, place, HeaderState(game.mines, game.mines_left, seconds, mood))
    paint_board(painter, game.board, place.board, chosen)
    painter.end()
    face = Region(*(round(value) for value in place.face.getRect() if value is not None))
    left, top, side = place.board.left(), place.board.top(), chosen.cell
    return from_qimage(image), Grid(left, top, side, side, game.rows, game.cols, face=face)


def reading_of(game: Game, look: str, number: int) -> Reading:
    """Read the window of a game; the number is that of the look, and the seconds on its clock."""
    image, grid = painted(game, look, number)
    frame = Frame(image, Region(0, 0, image.shape[1], image.shape[0]), 0.0, number)
    confidence = np.ones((game.rows, game.cols), np.float32)
    return Reading(frame, grid, game.board, game.status, confidence)


def asked_about(
    code: int, cells: Iterable[tuple[int, int]], likely: tuple[int, ...] = (), side: int = 26
) -> Question:
    """A question about a tile of the rounded look, `side` pixels wide."""
    tile = render_board(Board(np.array([[code]], np.int8), 0), look_named("rounded"), side)
    return Question(from_qimage(tile), tuple(Cell(*cell) for cell in cells), likely)


def _judge(
    board: Board, known: Analysis, reading: Reading, _cancel: threading.Event
) -> tuple[Verdict, ...]:
    return judge_moves(board, known, reading.board, _solve, over=reading.status.over)


def _solve(board: Board) -> Analysis:
    return solver("exact").solve(board, Limit())


def _advice(_board: Board, analysis: Analysis) -> tuple[Move, ...]:
    best = analysis.best
    return (
        () if best is None else (Move(Action.OPEN, best, float(analysis.mine_probability[best])),)
    )


class UnpressedKey:
    """A key that no window system knows: nothing is held, released or ended."""

    def hold(self, _text: str = "") -> Future[None]:
        """Hold nothing, at once."""
        done: Future[None] = Future()
        done.set_result(None)
        return done

    release = hold

    def close(self) -> None:
        """End nothing."""

    join = close


class Tabletop:
    """A backend whose boards are games of the given levels, all laid by one seed.

    Args:
        levels: A board each; the first is played with `seed`, further games with the next ones.
        seed: Lays the mines.
        look: How the frames are painted.
        mines_known: Whether the boards listed say how many mines they have.
    """

    def __init__(
        self, *levels: Level, seed: int = 7, look: str = "classic", mines_known: bool = True
    ) -> None:
        # Tests wait for turns, not for the compiler.
        PREPARATION.wait()
        self.levels = list(levels)
        self.seed = seed
        self.look = look
        self.mines_known = mines_known
        self.mines_said = False
        """Whether the boards listed say that their mines are known from the user."""
        self.region: Region | None = None
        self.covered_boards = self.hidden_boards = self.unseen = False
        """Whether other windows cover the boards, their programs hide them, and failures say so."""
        self.keyed = True
        """Whether the windows of the boards are known."""
        self.hears = True
        """Whether keys can be heard."""
        self.carried_out: list[Turn] = []
        self.restarts = 0
        self.threads: dict[str, threading.Thread] = {}
        self.settings: Settings | None = None
        self.looks = 0
        self.simulators = 0
        self.stopped = threading.Event()
        """Set when the generator of turns was closed or ran out."""
        self.follows: Level | None = None
        """What is played after the first game; the same level without."""
        self.error: Exception | None = None
        """Raised by the look after the third turn, or by `boards` where there are no levels."""
        self.refusal: Exception | None = None
        """Why the screen may not be captured, once the dialog that asks for it is closed."""
        self.asked = 0
        """How often such a dialog was opened."""
        self.dialog = threading.Event()
        """Set while such a dialog is answered at once."""
        self.appears = True
        """Whether an opened simulator can be found."""
        self.questions: dict[int, Question | ProgramQuestion] = {}
        """Asked by the look of that number."""
        self.released = self.thorough = 0
        """How often covered windows were released, and how often all of them searched."""
        self.dialogs: set[int] = set()
        """Looks that find a dialog which is not to be closed."""
        self.pauses: dict[int, str] = {}
        """Look -> why the player pauses by itself then."""
        self.waits: dict[int, str] = {}
        """Look -> what it waits for then."""
        self.stops: dict[int, tuple[str, bool]] = {}
        """Look -> why the run is stopped then, and whether it counts as failed."""
        self.answers: list[int | ProgramAnswer | None] = []
        """What was answered, in order."""
        self.remarks: tuple[str, ...] = ()
        self.unplayable: tuple[str, ...] = ()
        """What a look for boards says of those that cannot be played."""
        self.broken: tuple[str, ...] = ()
        """And of skins."""
        self.closed: frozenset[object] = frozenset()
        """The keys of boards whose windows were closed."""
        self.picture: NDArray[np.uint8] | None = None
        """What a snapshot of any window shows."""
        self.hand: queue.SimpleQueue[Callable[[Game], object]] = queue.SimpleQueue()
        """The moves of the player of a watched game."""
        self.others: tuple[str, ...] = ()
        """The titles of windows without a board."""
        self.live: tuple[Cell, ...] | None = None
        """The cells that are open on a board that is analysed; None for no analysis."""
        self.mines_left: int | None = None
        """What every reading says beside its board."""
        self._key_pressed: dict[str, queue.SimpleQueue[Callable[[], None]]] = defaultdict(
            queue.SimpleQueue
        )

    def release_windows(self) -> None:
        """Count it."""
        self.released += 1

    def request_access(self, again: bool, stop: threading.Event) -> None:
        """Ask if the user can be asked: the first time, and again if that is wanted."""
        if self.refusal is not None and (again or not self.asked):
            self.asked += 1
            while not self.dialog.wait(0.01) and not stop.is_set():
                pass
        if self.refusal is not None:
            self.looks += 1
            raise self.refusal

    def boards(self, thorough: bool = False, every: bool = False) -> Found:
        """One candidate a level."""
        self.thorough += thorough
        self.threads["boards"] = threading.current_thread()
        self.looks += 1
        if self.error is not None and not self.levels:
            raise self.error
        others = map(self.boardless, self.others if every else ())
        boards = (*map(self.candidate, range(len(self.levels))), *others)
        return Found(boards, self.unplayable, self.broken, closed=self.closed)

    def boardless(self, title: str) -> Candidate:
        """A window in which no board is recognised."""
        return Candidate(
            title=title, skin=UNKNOWN_SKIN, rows=0, cols=0, mines=None, key=title,
            thumbnail=np.zeros((3, 4, 3), np.uint8), region=self.region, covered=True, hidden=True,
        )  # fmt: skip

    def analyse(self, candidate: Candidate, solver_name: str, fresh: bool) -> Turn | None:
        """The first board of the level, if a test wants that."""
        if self.live is None or not fresh:
            return None
        game = Game.of_level(self._level(candidate), self.seed)
        for cell in self.live:
            game.open(cell)
        analysis = solver(solver_name).solve(game.board, Limit())
        reading = reading_of(game, self.look, 0)
        return Turn(0, reading, analysis, _advice(game.board, analysis))

    def candidate(self, number: int) -> Candidate:
        """The board of one level, with a picture of it fresh."""
        level = self.levels[number]
        game = Game.of_level(level, self.seed)
        image, grid = painted(game, self.look, 0)
        place = grid.region
        return Candidate(
            title=f"Tabletop {level.name}",
            skin=self.look,
            rows=level.rows,
            cols=level.cols,
            mines=level.mines if self.mines_known else None,
            thumbnail=image[place.top : place.bottom, place.left : place.right],
            key=(level.name, number) if self.keyed else SharedBoard(number),
            region=self.region,
            covered=self.covered_boards,
            hidden=self.hidden_boards,
            mines_said=self.mines_said,
        )

    def _level(self, candidate: Candidate) -> Level:
        return self.levels[candidate.key[-1] if isinstance(candidate.key, tuple) else 0]

    def snapshot(self, candidate: Candidate) -> tuple[Frame, None]:
        """The picture that a test has laid there, else that of the board itself."""
        self.threads["snapshot"] = threading.current_thread()
        if self.picture is not None:
            return Frame.of_image(self.picture), None
        return Frame.of_image(
            self.candidate(self.levels.index(self._level(candidate))).thumbnail
        ), None

    def assist(
        self, candidate: Candidate, choices: Choices, operator: Operator
    ) -> Iterator[WatchedTurn]:
        """Watch games whose moves the test makes, by `hand`."""
        self.threads["assist"] = threading.current_thread()
        self.settings = choices()
        self.stopped.clear()
        self.game = Game.of_level(self._level(candidate), self.seed)
        numbers = count()

        def look() -> Reading:
            number = next(numbers)
            while not self.hand.empty():
                self.hand.get()(self.game)
            if self.error is not None and number > 3:
                raise self.error
            return reading_of(self.game, self.look, number)

        def think(board: Board, _cancel: threading.Event) -> Iterator[Analysis]:
            yield _solve(board)

        try:
            yield from watch(look, think, _advice, _judge, operator.stopped.wait)
        finally:
            self.stopped.set()

    def open_simulator(self, *_options: str) -> int:
        """Another board appears, unless it is meant to stay hidden."""
        self.threads["open"] = threading.current_thread()
        self.simulators += 1
        if self.appears:
            self.levels.append(Level(f"simulated {self.simulators}", 9, 9, 10))
        return self.simulators

    def global_key(self, name: str, pressed: Callable[[], None], /) -> GlobalKey | None:
        """No window system is here: only `press_key` presses it."""
        self._key_pressed[name].put(pressed)
        return UnpressedKey() if self.hears else None

    def press_key(self) -> None:
        """Press the stop key, once something listens for it."""
        self.key("stop key")()

    def key(self, name: str) -> Callable[[], None]:
        """Return what presses the key of that name, once something listens for it."""
        return self._key_pressed[name].get(timeout=60)

    def failure(self, error: BaseException) -> Failure:
        """The error's own words."""
        self.threads["failure"] = threading.current_thread()
        report = f"report of {type(error).__name__}"
        return Failure(str(error), None, report, unseen=self.unseen)

    def play(self, candidate: Candidate, choices: Choices, operator: Operator) -> Iterator[Turn]:
        """Play as many games as the settings say."""
        stop = operator.stopped
        self.threads["play"] = threading.current_thread()
        self.settings = choices()
        self.stopped.clear()
        level = self._level(candidate)
        game = Game.of_level(level, self.seed)
        numbers = count()
        undecided: Turn

        def show(interim: Analysis) -> None:
            operator.show_interim(replace(undecided, analysis=interim))

        def see(_last: Turn | None) -> Reading:
            nonlocal undecided
            number = next(numbers)
            if self.error is not None and number == 3:
                raise self.error
            reading = reading_of(game, self.look, number)
            reading = replace(reading, mines_left=self.mines_left, remarks=self.remarks)
            undecided = Turn(number, reading, None, ())
            if number in self.waits:
                operator.report(self.waits[number])
            if number in self.stops:
                reason, failed = self.stops[number]
                stop.stop(reason, failed=failed)
                raise Stopped
            if number in self.dialogs:
                operator.pause(RuntimeError("a dialog is open"))
                operator.wait_until_resumed()
            if number in self.pauses:
                operator.pause(self.pauses[number])
                operator.wait_until_resumed()
            if number in self.questions:
                self.threads["ask"] = threading.current_thread()
                question = self.questions[number]
                about_tile = isinstance(question, Question)
                where = around(reading, question.cells[0]) if about_tile else None
                self.answers.append(operator.ask(question, where))
            return reading

        def act(turn: Turn) -> None:
            nonlocal game, level
            self.carried_out.append(turn)
            for move in turn.moves:
                if move.cell is None:
                    self.restarts += 1
                    level = self.follows or level
                    game = Game.of_level(level, self.seed + self.restarts)
                elif move.action is Action.FLAG:
                    game.flag(move.cell)
                else:
                    game.open(move.cell)

        try:
            solve = SpeculativeSolver(
                thinking(choices, _READER, stop),
                simulating(choices, _READER, operator, show),
            )
            yield from play(see, solve, planning(choices, _READER), act)
        except Stopped:
            if not self.stops:
                raise
        finally:
            self.stopped.set()


class LocalClient(PlayerClient):
    """The panel's end of a real connection; at the other one a thread plays on a table."""

    def __init__(self, table: Tabletop) -> None:
        super().__init__()
        self.table = table

    @property
    def hears_keys(self) -> bool:
        """Whether the table does."""
        return self.table.hears

    hears_stop_key = hears_keys

    def _connect(self) -> Connection[Any, Any]:
        near, far = Pipe()
        threading.Thread(target=PlayerServer(far, self.table).serve, daemon=True).start()
        return near

    def _kill(self) -> None:
        raise AssertionError("a table never hangs")

    def _lost(self) -> str:
        return "the table is gone"


class LocalScreens(LocalClient, PrivateScreens):
    """A table in place of the desktop, with a game on a private screen beside it."""
