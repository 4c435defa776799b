"""The sentences that explain a move."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from bot.board import COVERED, MINE, Board
from bot.solver.exact import solve
from bot.solver.explain import explain, with_explanation
from bot.solver.phrases import percent, short_percent
from tests.bot.solver.boards import at_odds, small_games

pytestmark = pytest.mark.long

ONE = "the 1 at row 2, column"


@pytest.mark.parametrize(
    ("text", "mines", "sentence", "hints"),
    [
        ("*1#", 1, "safe: the 1 at row 1, column 2 already has its mine", [(0, 1)]),
        ("*2#/*xx", 2, "safe: the 2 at row 1, column 2 already has its 2 mines", [(0, 1)]),
        ("0#", 0, "safe: the 0 at row 1, column 1 has no mine around it", [(0, 0)]),
        (
            "###/11x/...",
            1,
            (
                f"safe: the remaining mines of {ONE} 2 are all among the cells it "
                f"shares with {ONE} 1"
            ),
            [(1, 1), (1, 0)],
        ),
        (
            "121/###",
            2,
            (
                "safe: a mine here would contradict the 1 at row 1, column 1, "
                "the 2 at row 1, column 2 and the 1 at row 1, column 3"
            ),
            [(0, 0), (0, 1), (0, 2)],
        ),
        (
            "1##/##1",
            1,
            "safe: with 1 mine left, none of the 2 solutions has one here",
            [(1, 2)],
        ),
        ("1#", 1, "nothing is left to open: every covered cell is a mine", []),
        ("1#/#1/1#/##", 1, "safe: only one solution is left", [(0, 0), (1, 1)]),
        ("##", 0, "safe: no mines are left", []),
        ("1###", 1, "safe: all remaining mines touch a hint", []),
        ("1#/1#", 1, "a 50/50: 1 of the 2 solutions left has a mine here", [(0, 0), (1, 0)]),
        (
            "1###/####",
            2,
            (
                "3 of the 12 solutions left have a mine here, touching no hint: "
                "the lowest risk on the board, the same in 4 cells"
            ),
            [],
        ),
        ("##", 2, "nothing is left to open: every covered cell is a mine", []),
        ("..", 0, "no cell is covered", []),
    ],
)
def test_reasons(text: str, mines: int, sentence: str, hints: list[tuple[int, int]]) -> None:
    """What a user reads, and which hints light up."""
    board = Board.parse(text, mines)
    found = with_explanation(board, solve(board))
    assert found.reason == sentence
    assert list(found.evidence.hints) == hints
    assert found.best is None or found.best in found.evidence.cells


@pytest.mark.parametrize(
    ("text", "mines", "lit"),
    [("x0#", 0, [(0, 2)]), ("x1#/xx!", 1, [(0, 2), (1, 2)])],
)
def test_a_flag_that_was_wrong_is_no_mine(
    text: str, mines: int, lit: list[tuple[int, int]]
) -> None:
    """What a hint already has is lit up: mines, and no cell that only a flag lay on."""
    board = Board.parse(text, mines)
    assert list(explain(board, solve(board)).evidence.cells) == lit


def test_a_proof_names_few_hints_and_rests_on_them_alone() -> None:
    """With a mine at the cell they cannot all be true; without any one of them they can."""
    reported = 0
    for board in small_games(400, seed=5):
        found = with_explanation(board, solve(board))
        assert found.reason
        if "a mine here would contradict" not in found.reason:
            continue
        reported += 1
        assert found.best is not None
        hints = found.evidence.hints
        assert found.evidence.cells == (found.best,)
        tiles = board.tiles.copy()
        tiles[found.best] = MINE
        assert at_odds(Board(tiles, board.mines), hints)
        for hint in hints:
            assert not at_odds(Board(tiles, board.mines), [h for h in hints if h != hint])
    assert reported >= 3


def test_a_guess_that_is_not_the_safest_says_so() -> None:
    """A solver may open a riskier cell: the reason names its risk and the least one."""
    board = Board.parse("1###\n####\n####\n####", 3)
    found = solve(board)
    assert found.best is not None
    risky = max(board.cells(COVERED), key=found.mine_probability.__getitem__)
    least = found.mine_probability[found.best]
    assert found.mine_probability[risky] > least
    reason = explain(board, replace(found, best=risky, reason=None)).reason
    assert f"the safest cell has {least:.1%}" in reason
    assert "least" not in reason


def test_an_explanation_is_worked_out_once() -> None:
    """Asked twice it is the same one; another process, or a recording, brings its own."""
    board = Board.parse("1#/1#", 1)
    found = solve(board)
    assert found.reason is None
    assert explain(board, found) is explain(board, found)
    noted = replace(found, reason="as another process found")
    assert explain(board, noted).reason == noted.reason


def test_only_a_proof_reads_as_one() -> None:
    """However close a share is to 0 or 1, and to however many places it is given."""
    shares = np.concatenate([[0.005, 0.995, 0.0005, 1e-12, 1 - 1e-12], np.linspace(0, 1, 2001)])
    for share in shares:
        for text in (percent(share), percent(share, 1), f"{short_percent(share)}%"):
            number = float(re.sub("[^0-9.]", "", text))
            assert (number in (0, 100)) == (share in (0, 1)), text
    assert [percent(share, 1) for share in (0.0004, 0.1234, 0.9996)] == [
        "under 0.1%", "12.3%", "over 99.9%"
    ]  # fmt: skip
    assert [short_percent(share) for share in (0, 0.005, 0.12, 0.9999, 1)] == [
        "0", "<1", "12", ">99", "100"
    ]  # fmt: skip
