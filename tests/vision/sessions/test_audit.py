"""The audit finds what is wrong, and nothing where nothing is."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from bot.analysis import Analysis
from bot.board import UNREAD, Board, Cell
from bot.frame import Point, Status
from bot.game import FirstClick, Game
from bot.loop import Event, Turn
from bot.planner import Action, Move
from tests.support.boards import play_without_screen, reading_of
from vision.sessions.audit import MINED, SAFE, UNKNOWN, Audit, calibration, revealed


@cache
def games(count: int = 12) -> list[list[Turn]]:
    """Real games, won and lost."""
    return [
        list(play_without_screen(Game(9, 9, 10, seed=seed, first_click=FirstClick.SAFE)))
        for seed in range(count)
    ]


@pytest.fixture
def played() -> list[Turn]:
    """A game of some turns."""
    return next(game for game in games() if len(game) > 3)


def audited(*sessions: list[Turn]) -> Audit:
    """The audit of these sessions."""
    audit = Audit()
    for number, session in enumerate(sessions):
        audit.add(f"game {number}", session)
    return audit


def test_audit_of_real_games_has_no_finding() -> None:
    """Eighty real games, played by the exact solver.

    The mines found among the uncertain cells are about as many as expected.
    """
    audit = audited(*games(80))
    assert audit.findings == []
    assert not audit.wrong
    assert audit.won + audit.lost == 80
    assert audit.won > 0
    assert audit.lost > 0
    assert audit.tiles > 1000
    assert audit.proofs > 1000
    assert audit.hidden == 0
    expected = sum(risk for risk, _ in audit.cells)
    found = sum(mined for _, mined in audit.cells)
    assert len(audit.cells) > 500
    assert abs(found - expected) < 0.15 * expected
    rows = calibration(audit.cells)
    assert sum(count for _, _, count, _, _ in rows) == len(audit.cells)
    assert sum(mines for *_, mines in rows) == found


def spoiled(session: list[Turn], number: int, cell: Cell, tile: int) -> list[Turn]:
    """The same game with one tile of one turn misread."""
    turn = session[number]
    tiles = turn.reading.board.tiles.copy()
    tiles[cell] = tile
    reading = replace(turn.reading, board=Board(tiles, turn.reading.board.mines))
    return [*session[:number], replace(turn, reading=reading), *session[number + 1 :]]


def test_every_misread_hint_is_found(played: list[Turn]) -> None:
    """Whatever hint of whatever turn is changed by one, the audit says which."""
    for number, turn in enumerate(played[:-1]):
        for row, col in np.argwhere(turn.reading.board.tiles >= 0):
            cell = Cell(int(row), int(col))
            tile = (turn.reading.board[cell] + 1) % 9
            findings = audited(spoiled(played, number, cell, tile)).findings
            assert any(
                found.turn == number and f"{cell.position_text} was read as {tile}" in found.what
                for found in findings
            )


def test_impossible_boards_are_found(played: list[Turn]) -> None:
    """A tile left unread, a hint on a mine, a board of another size: each is reported."""
    opened = Cell(*map(int, np.argwhere(played[1].reading.board.tiles >= 0)[0]))
    mine = Cell(*map(int, np.argwhere(revealed(played) == MINED)[0]))
    for cell, tile, reported in (
        (opened, UNREAD, f"{opened.position_text} was left unread"),
        (mine, 3, f"{mine.position_text} was read as 3 and is a mine"),
    ):
        findings = audited(spoiled(played, 1, cell, tile)).findings
        assert (1, reported) in [(found.turn, found.what) for found in findings]
    reading = replace(played[1].reading, board=Board.covered(3, 4, 1))
    smaller = [played[0], replace(played[1], reading=reading, analysis=None), *played[2:]]
    reported = "the board is 4 x 3, at the end it was another size"
    assert (1, reported) in [(found.turn, found.what) for found in audited(smaller).findings]


def claiming(session: list[Turn], number: int, cell: Cell, probability: float) -> list[Turn]:
    """The same game with one probability of one turn replaced."""
    turn = session[number]
    assert turn.analysis is not None
    values = turn.analysis.mine_probability.copy()
    values[cell] = probability
    analysis = replace(turn.analysis, mine_probability=values)
    return [*session[:number], replace(turn, analysis=analysis), *session[number + 1 :]]


def test_every_wrong_proof_is_found(played: list[Turn]) -> None:
    """A mine called safe, a safe cell called a mine."""
    truth = revealed(played)
    covered = played[1].reading.board.unopened
    mine = Cell(*map(int, np.argwhere(covered & (truth == MINED))[0]))
    safe = Cell(*map(int, np.argwhere(covered & (truth == SAFE))[0]))
    found = audited(claiming(played, 1, mine, 0.0)).findings
    assert [f.what for f in found] == [f"{mine.position_text} was called safe and was not"]
    found = audited(claiming(played, 1, safe, 1.0)).findings
    assert [f.what for f in found] == [f"{safe.position_text} was called a mine and was not"]


def test_a_click_beside_the_board_is_found(played: list[Turn]) -> None:
    """The face is no stray; the point between board and face is."""
    face = played[1].reading.grid.face
    assert face is not None
    fine = replace(played[1], events=(Event("click", "left", face.center),))
    stray = replace(
        played[1], events=(Event("click", "left", Point(face.center.x, face.bottom + 5)),)
    )
    assert audited([played[0], fine, *played[2:]]).findings == []
    (finding,) = audited([played[0], stray, *played[2:]]).findings
    assert "outside the board and its face" in finding.what


def test_click_that_starts_a_game_counts_to_the_previous_one() -> None:
    """Its window may have gone elsewhere since; where no game was ended by it, it is a stray."""
    one, two = games()[:2]
    face = one[-1].reading.grid.face
    assert face is not None
    grid = two[0].reading.grid.moved(500, 300)
    frame = replace(two[0].reading.frame, time=one[-1].reading.frame.time + 1)
    reading = replace(two[0].reading, grid=grid, frame=frame)
    begun = replace(two[0], reading=reading, events=(Event("click", "left", face.center),))
    early = replace(begun, reading=replace(reading, frame=replace(frame, time=-1.0)))
    ended = replace(one[-1], moves=(Move(Action.RESTART),))
    left = replace(ended, moves=())

    def strays(last: Turn, first: Turn) -> int:
        found = audited([*one[:-1], last], [first]).findings
        return sum("outside the board" in finding.what for finding in found)

    assert strays(ended, begun) == 0
    assert strays(left, begun) == strays(ended, early) == 1


def step(before: str, after: str, *moves: Move, mines: int = 1) -> list[Turn]:
    """Two turns: what was decided, and what came of it."""
    rows = Board.parse(before, mines).rows
    probability = np.full((rows, 3), 0.5)
    analysis = Analysis(probability, None, True, "exact", "")
    return [
        Turn(0, reading_of(Board.parse(before, mines)), analysis, moves),
        Turn(1, reading_of(Board.parse(after, mines)), None, ()),
    ]


CHORD, FLAG = Move(Action.CHORD, Cell(0, 1)), Move(Action.FLAG, Cell(0, 0))


def opening(row: int, col: int, risk: float = 0.0) -> tuple[Move, ...]:
    """Return a move that opens a cell."""
    return (Move(Action.OPEN, Cell(row, col), risk),)


@pytest.mark.parametrize(
    ("before", "after", "moves", "mines", "finding"),
    [
        # A loss by a move without risk, or by another cell than the guess.
        ("###/###", "!##/###", opening(0, 0), 1, "the game was lost by a turn that took no guess"),
        ("1##/###", "1!#/###", opening(2, 2), 1, "row 1, column 2 exploded, which no move opened"),
        (
            "###/###",
            "#!#/###",
            opening(0, 0, 0.5),
            1,
            "row 1, column 2 exploded, which was not the guess",
        ),
        # An earlier guess has hit it, and its mark was passed over.
        ("#o#/###", "#!#/###", opening(0, 0, 0.5), 1, None),
        # An opened hint never changes; a message may cover it at the end.
        ("1##/###", "2##/#!#", opening(1, 1, 0.5), 3, "was read as 1, then as 2"),
        ("1##/###", "~##/#!#", opening(1, 1, 0.5), 3, None),
        # Each chord, against the flags around it at its time, and these against the mines.
        ("#1#/11#", "F1./11.", (FLAG, CHORD), 1, None),
        ("F1#/11#", "F1./11.", (CHORD,), 1, None),
        ("?1#/11#", "F1./11.", (FLAG, FLAG, CHORD), 1, None),
        ("#1#/11#", "*1./11.", (CHORD,), 1, "0 flags around a 1"),
        ("F1#/11#", "*1./11.", (FLAG, CHORD), 1, "0 flags around a 1"),
        ("###/11#", "*#1/111", (CHORD,), 1, "0 flags around a cell without a hint"),
        (
            "#1#/11#",
            "!1x/11.",
            (Move(Action.FLAG, Cell(0, 2)), CHORD),
            1,
            "the flag at row 1, column 3 is wrong",
        ),
    ],
)
def test_audit_of_one_turn(
    before: str, after: str, moves: tuple[Move, ...], mines: int, finding: str | None
) -> None:
    """What was decided, and what came of it."""
    found = [one.what for one in audited(step(before, after, *moves, mines=mines)).findings]
    if finding is None:
        assert found == []
    else:
        assert any(finding in what for what in found), found


def test_guesses_that_come_true_too_often_are_found() -> None:
    """Twelve deaths in twelve guesses of 5 % are no bad luck; one in twelve may be."""

    def guess(number: int, after: str) -> list[Turn]:
        # Another number of covered rows each: no board is dealt twice.
        rest = "/###" * number
        return step(f"1##{rest}", f"{after}{rest}", *opening(0, 1, 0.05))

    assert audited(*(guess(n, "1!#") for n in range(1, 13))).wrong
    assert not audited(guess(1, "1!#"), *(guess(n, "11#") for n in range(2, 13))).wrong
    # A program that seeds by the second makes a fast player die twelve times of one mine.
    repeated = audited(*[guess(1, "1!#")] * 12)
    assert (len(repeated.guesses), repeated.repeated) == (1, 11)
    assert not repeated.wrong
    # Most make the first click safe: that it never killed says nothing against the stated risk.
    first = audited(*[step("###/###", "1##/###", *opening(0, 0, 0.3))] * 40)
    assert first.guesses == []
    assert not first.wrong


@pytest.mark.parametrize(
    ("before", "after", "mines", "status", "truth"),
    [
        # A program that shows only the mine that was hit reveals no other.
        ("11#/###", "11!/###", 2, Status.LOST, "..*/???"),
        ("11#/###", "11!/###", 1, Status.LOST, "..*/..."),
        # An unread cell is safe where all mines are accounted for, or the last move opened it;
        # else it may be one.
        ("1##/111/000", "1#~/111/000", 1, Status.WON, ".*./.../..."),
        ("1##/111/000", "1*#/111/000", 1, Status.WON, ".*./.../..."),
        ("1##/111/000", "1~~/111/000", 1, Status.WON, ".?./.../..."),
    ],
)
def test_the_end_of_a_game_reveals_mines(
    before: str, after: str, mines: int, status: Status, truth: str
) -> None:
    """After a move that opened the last cell of the first row."""
    first, last = step(before, after, *opening(0, 2), mines=mines)
    ended = replace(last, reading=replace(last.reading, status=status))
    words = {SAFE: ".", MINED: "*", UNKNOWN: "?"}
    rows = ["".join(words[cell] for cell in row) for row in revealed([first, ended]).tolist()]
    assert "/".join(rows) == truth


def test_missing_turns_are_found(played: list[Turn]) -> None:
    """One that was taken out; and a recording without a turn is not silently fine."""
    (finding,) = audited([played[0], *played[2:]]).findings
    assert finding.what == "turns are missing: [1]"
    assert audited([]).wrong
