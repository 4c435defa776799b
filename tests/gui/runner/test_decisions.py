"""What is decided in a run, by the settings and the program's skin."""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bot.analysis import Analysis, Cancelled, Limit
from bot.board import Board, Cell, InconsistentBoard
from bot.loop import Turn
from bot.planner import Action, Move, Style
from bot.solver import player, solver, warmup
from bot.waiting import wait_until_stable
from gui.runner import decisions
from gui.runner.decisions import SpeculativeSolver, planning, simulating, thinking
from gui.settings import Settings
from tests.gui.tabletop import with_skin
from tests.support.boards import reading_of
from tests.support.operators import Unattended
from vision.skins import BUNDLED, bundled_names, load_skin

CHANCE = [[0.0, 1.0, 0.0], [0.0, np.nan, 0.0], [np.nan, np.nan, np.nan]]
"""Four safe cells around a 1, and its mine."""


def planned(best: Cell, *, chords: bool = True, **chosen: Any) -> tuple[Move, ...]:
    """Return the moves beside a proved mine, in a program that chords, or does not."""
    skin = load_skin(BUNDLED / "classic")
    choose = planning(lambda: Settings(**chosen), with_skin(skin), lambda: chords)
    reading = reading_of(Board.parse("###/#1#/222", 1))
    return choose(reading, Analysis(np.array(CHANCE), best, True, "exact", ""))


def test_with_a_pace_a_turn_has_one_click() -> None:
    """At the cell that the reason speaks of, if that is planned; a flag comes before it."""
    for best in (Cell(0, 0), Cell(0, 2), Cell(1, 2)):
        assert planned(best, pace=3) == (Move(Action.OPEN, best),)
    assert planned(Cell(0, 0), pace=3, style=Style.FLAGS) == (Move(Action.FLAG, Cell(0, 1)),)


def test_chords_are_made_only_in_a_program_that_chords() -> None:
    """A flag and a chord open what four clicks would; else flags would be clicks for nothing."""
    made = planned(Cell(0, 0), style=Style.CHORDS)
    assert [move.action for move in made] == [Action.FLAG, Action.CHORD]
    made = planned(Cell(0, 0), style=Style.CHORDS, chords=False)
    assert {move.action for move in made} == {Action.OPEN}


@pytest.mark.parametrize("name", sorted(bundled_names()))
def test_the_first_click_goes_where_the_program_makes_it_worth_most(name: str) -> None:
    """A little way in where it opens a region, a corner where that is not known."""
    skin = load_skin(BUNDLED / name)
    zero = name.startswith(("gnome", "kmines", "sgt"))
    assert skin.first_click == ("zero" if zero else None)
    think = thinking(lambda: Settings(solver="lookahead"), with_skin(skin), threading.Event())
    found = think(Board.covered(16, 30, 99))
    assert found.best == (Cell(3, 3) if zero else Cell(0, 0))
    assert "the first click" in found.reason


def test_the_first_click_does_not_wait_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """The default solver decides while functions are compiled; another one waits, until a stop."""
    compiled, stop = threading.Event(), threading.Event()
    monkeypatch.setattr(warmup, "PARTS", {})
    monkeypatch.setattr(warmup, "kept", lambda _parts: False)
    monkeypatch.setattr(warmup, "compile_and_keep", lambda *_: compiled.wait())
    monkeypatch.setattr(warmup, "_write_note", lambda *_: None)
    monkeypatch.setattr(decisions, "PREPARATION", warmup.Preparation())
    # A busy machine may take longer than the usual second, after which the compiler is waited for.
    monkeypatch.setattr(player, "_UNCOMPILED", 60.0)
    skin = load_skin(BUNDLED / "classic")
    board = Board.covered(16, 30, 99)
    try:
        first = thinking(lambda: Settings(solver="lookahead"), with_skin(skin), stop)(board)
        assert first.best == Cell(0, 0)
        stop.set()
        with pytest.raises(Cancelled):
            thinking(lambda: Settings(solver="exact"), with_skin(skin), stop)(board)
    finally:
        compiled.set()


GUESS = Board.parse("\n".join(["#" * 16] * 7 + ["###3####2#######"] + ["#" * 16] * 8), 50)
"""No cell is certain."""


def test_games_are_simulated_on_the_board_to_act_on() -> None:
    """Not ahead, where another board may follow."""
    simulated: list[Board] = []

    def simulate(board: Board, known: Analysis) -> Analysis:
        simulated.append(board)
        return known

    mind = SpeculativeSolver(lambda board: solver("exact").solve(board, Limit()), simulate)
    mind.solve_ahead(reading_of(GUESS))
    assert simulated == []
    mind(GUESS)
    assert simulated == [GUESS]


@pytest.mark.parametrize(
    ("chosen", "board"),
    [
        (Settings(), GUESS),
        (Settings(simulate=9, solver="exact"), GUESS),
        (Settings(simulate=9, digging=True), GUESS),
        (Settings(simulate=9), Board.parse("1##/###", 1)),
    ],
)
def test_without_time_to_think_the_guess_stays(chosen: Settings, board: Board) -> None:
    """By default, with a solver that cannot do it, in the other game, and if a move is certain."""
    skin = load_skin(BUNDLED / "classic")
    known = solver("exact").solve(board, Limit())
    assert simulating(lambda: chosen, with_skin(skin), Unattended())(board, known) is known


def test_a_decision_shows_its_state_and_ends_when_the_user_wants_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It names the cells that are left, the games and the time; Move now gives a move.

    So does less thinking time that is chosen in the middle of it; a stop gives none.
    """
    # A fast machine is certain of the best cell before a state is due.
    monkeypatch.setattr("gui.runner.timeouts.INTERIM_SHOWN", 0)
    warmup.ROLLOUT_PREPARATION.wait()
    skin, user = load_skin(BUNDLED / "classic"), Unattended()
    known = solver("exact").solve(GUESS, Limit())
    settings = Settings(simulate=600)
    shown: list[Analysis] = []

    def decided(show: Callable[[Analysis], object]) -> Analysis:
        return simulating(lambda: settings, with_skin(skin), user, show)(GUESS, known)

    def hurry(interim: Analysis) -> None:
        if not user.hurried:
            shown.append(interim)
        user.hurried |= " 0 games" not in str(interim.reason)

    def think_less(interim: Analysis) -> None:
        nonlocal settings
        shown.append(interim)
        settings = Settings()
        # Simulations that end may take until a later state; those that go on are ended here.
        user.hurried = len(shown) >= 100

    assert "games simulated" in str(decided(hurry).reason)
    last = shown[-1]
    assert last.best in last.evidence.cells
    assert re.fullmatch(
        r"so far row \d+, column \d+ is best, about \d+% to win; next row \d+, column \d+, \d+%; "
        r"\d cells still compared, [\d,]+ games simulated, \d+ s left",
        str(last.reason),
    )
    user.hurried = False
    shown.clear()
    decided(think_less)
    assert 1 <= len(shown) < 100
    settings = Settings(simulate=600)
    with pytest.raises(Cancelled):
        decided(lambda _interim: user.stopped.set())


def thoughts(*boards: str) -> list[str]:
    """Return the boards that are solved, in order, while these are read and for the last one."""
    about: list[str] = []

    def solve(board: Board) -> Analysis:
        about.append(board.rows_text().replace("\n", "/"))
        return solver("exact").solve(board, Limit())

    mind = SpeculativeSolver(solve)
    readings = [reading_of(Board.parse(text, 1)) for text in boards]
    seen = itertools.chain(readings, itertools.repeat(readings[-1]))
    opened = Turn(0, reading_of(Board.parse("###/###", 1)), None, (Move(Action.OPEN, Cell(0, 0)),))
    reading = wait_until_stable(
        lambda: next(seen), lambda _seconds: False, opened, meanwhile=mind.solve_ahead
    )
    assert about, "it thinks ahead"
    assert mind(reading.board).mine_probability.shape == reading.board.tiles.shape
    return about


def test_it_thinks_while_the_board_settles() -> None:
    """Once about each board, and only one thought about a board in motion is ever wasted.

    That board may contradict itself; nothing is said of it, unless it stays so.
    """
    assert thoughts("###/###", "1##/###", "1##/###") == ["1##/###"]
    assert thoughts("1##/###", "11#/###", "111/###", "111/###") == ["1##/###", "111/###"]
    assert thoughts("1.2/###", "1##/###", "1##/###") == ["1.2/###", "1##/###"]
    with pytest.raises(InconsistentBoard):
        thoughts("1.2/###")


@pytest.mark.parametrize(("known", "clicks"), [(True, 2), (False, 1)])
def test_clicks_in_an_unknown_program_meet_no_cell_that_may_have_opened(
    known: bool, clicks: int
) -> None:
    """There, a click on an opened number may open its neighbours."""
    skin = load_skin(BUNDLED / "classic")
    choose = planning(Settings, with_skin(skin, known=known))
    chance = np.array([[0.0, 0.5, 0.5, 0.5, 0.0]])
    moves = choose(
        reading_of(Board.parse("#####", 1)), Analysis(chance, Cell(0, 0), True, "exact", "")
    )
    assert len(moves) == clicks
