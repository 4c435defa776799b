"""The history as it is written, asked, and exported as CSV for a reader that is not ours."""

from __future__ import annotations

import csv
import re
import sqlite3
import threading
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from enum import Enum
from pathlib import Path

import pytest

from bot.analysis import Cancelled
from bot.game import Rules
from gui.history import store
from gui.history.schema import HistoryError
from tests.gui.history.made import GAME, START, fill, game, games
from tests.support.history_race import race


def test_a_game_comes_back_as_it_was(path: Path) -> None:
    """Every field, and the guesses in their order; the time keeps its offset."""
    guesses = [store.Guess(0.25, hit=False, first=True), store.Guess(0.5, hit=True, exact=False)]
    written = game(
        window="Mines \N{EN DASH} 'quoted', \udcff",
        rules=Rules.DIGGING,
        player=store.Player.USER,
        result=store.Result.STOPPED,
        whole=False,
        digs=31,
        three_bv=None,
        first_click=None,
        first_tile=None,
        note="why",
        guesses=1,
        worst_guess=0.5,
    )
    with store.History.to_write(path) as history:
        history.add([(written, guesses)])
        (number,) = history.numbers()
        assert history.guesses(int(number)) == guesses
        read = history.entries([int(number), 99])
    assert read == {1: replace(written, window="Mines \N{EN DASH} 'quoted', ?")}
    assert read[1].started.utcoffset() == timedelta(hours=2)


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (store.Filter(), {1, 2, 3, 4}),
        (store.Filter(program="kmines-default"), {2}),
        (store.Filter(size=store.Size(9, 9, 10)), {2, 3}),
        (store.Filter(words="find all MINES"), {4}),
        (store.Filter(words="9x9 lost"), {3}),
        (store.Filter(words="30 \N{MULTIPLICATION SIGN} 16, 99 (expert)"), {1, 4}),
        (store.Filter(words="9 X 9"), {2, 3}),
        (store.Filter(words="0x16"), set()),
        (store.Filter(words="mines"), {2, 4}),
        (store.Filter(solver="exact"), {3}),
        (store.Filter(player=store.Player.USER), {2}),
        (store.Filter(result=store.Result.LOST, size=store.Size(9, 9, 10)), {3}),
        (store.Filter(since=START + timedelta(minutes=2)), {3, 4}),
        (store.Filter(since=GAME.started + timedelta(minutes=2)), {3, 4}),
        (store.Filter(program="no such"), set()),
    ],
)
def test_a_filter_chooses(path: Path, chosen: store.Filter, expected: set[int]) -> None:
    """By everything that it can say, alone and together."""
    small = {"rows": 9, "cols": 9, "mines": 10}
    with store.History.to_write(path) as history:
        history.add([
            (game(0), []),
            (game(1, program="kmines-default", player=store.Player.USER, **small), []),
            (game(2, solver="exact", result=store.Result.LOST, **small), []),
            (game(3, rules=Rules.DIGGING, three_bv=None, digs=8), []),
        ])  # fmt: skip
        assert set(history.numbers(chosen).tolist()) == expected
        assert len(history.outcomes(chosen).won) == len(expected)


@pytest.mark.parametrize("by", [by for by in store.ORDERS if by != "recording"])
def test_games_are_sorted_by_anything(path: Path, by: str) -> None:
    """Both ways; what has no value comes last."""
    fill(path, 60)
    with store.History.to_read(path) as history:
        for falling in (False, True):
            numbers = history.numbers(order=store.Order(by, falling)).tolist()
            found = history.entries(numbers)
            entries = [found[number] for number in numbers]
            if by == "size":
                keys = [(e.rows * e.cols, e.mines, e.rows) for e in entries]
            else:
                keys = [getattr(e, by) for e in entries]
            known = [key for key in keys if key is not None]
            known = [key.value if isinstance(key, Enum) else key for key in known]
            assert known == sorted(known, reverse=falling)
            assert all(key is None for key in keys[len(known) :])


def test_the_first_click_is_no_guess(path: Path) -> None:
    """Neither counted nor the worst, also in a file whose numbers still count it.

    Nor is it grouped by its risk, nor an estimate; a certain mine falls in the last part.
    """
    risks = [
        store.Guess(0.6, hit=False, first=True),
        store.Guess(0.3, hit=False),
        store.Guess(0.2, hit=False),
    ]
    with store.History.to_write(path) as history:
        history.add([(game(0, guesses=3), risks), (game(1, guesses=1), risks[:1])])
        entries = history.entries([1, 2])
        assert [(e.guesses, e.worst_guess) for e in entries.values()] == [(2, 0.3), (0, None)]
        assert history.outcomes().guesses.tolist() == [2, 0]
        assert history.numbers(order=store.Order("worst_guess", falling=False)).tolist() == [1, 2]
        guesses = [
            store.Guess(0.11, hit=False),
            store.Guess(0.19, hit=True),
            store.Guess(1.0, hit=True),
            store.Guess(0.5, hit=True, first=True),
            store.Guess(0.5, hit=True, exact=False),
        ]
        history.add([(game(program="other"), guesses)])
        rows = history.guessed(store.Filter(program="other"), 10)
    assert [(part, count, hits) for part, count, _, hits in rows] == [(1, 2, 1), (9, 1, 1)]
    assert rows[0][2] == pytest.approx(0.15)


def test_what_there_is_to_choose(path: Path) -> None:
    """The most frequent first; a level's name where all games of that size agree on it."""
    with store.History.to_write(path) as history:
        history.add([
            (game(), []),
            (game(program="sgt-mines", rows=9, cols=9, mines=10, level="beginner"), []),
            (game(program="sgt-mines", rows=9, cols=9, mines=10, level="easy"), []),
        ])  # fmt: skip
        choices = history.choices()
    assert choices.programs == ("sgt-mines", "winemine")
    assert choices.sizes == ((store.Size(9, 9, 10), ""), (store.Size(16, 30, 99), "expert"))
    assert choices.solvers == ("lookahead",)


def test_forgotten_games_are_gone(path: Path) -> None:
    """With their guesses; the state of the history is another one after every change."""
    fill(path, 40)
    with store.History.to_write(path) as history:
        before = history.state()
        some = history.numbers(store.Filter(program="winemine")).tolist()
        history.forget(some)
        assert len(history.numbers(store.Filter(program="winemine"))) == 0
        assert history.state() != before
        assert not any(history.guesses(number) for number in some)
        after = history.state()
        history.add([(GAME, [])])
        assert history.state() != after


def test_a_question_is_ended(path: Path) -> None:
    """A cancelled one answers nothing, and soon."""
    fill(path, 3000)
    cancelled = threading.Event()
    with store.History.to_read(path, cancelled) as history:
        assert len(history.numbers()) == 3000
        cancelled.set()
        with pytest.raises(Cancelled):
            history.outcomes()


def test_answers_of_one_moment_agree(path: Path) -> None:
    """A game that is written meanwhile is not seen before the end."""
    fill(path, 5)
    with store.History.to_read(path) as history, store.History.to_write(path) as other:
        with history.at_one_moment():
            assert history.state() == (5, 5)
            other.add([(GAME, [])])
            assert len(history.numbers()) == 5
        assert len(history.numbers()) == 6


def test_invalid_row_is_reported(path: Path) -> None:
    """A value that was put there by hand: named, with what to do."""
    fill(path, 1)
    with closing(sqlite3.connect(path)) as plain, plain:
        plain.execute("UPDATE games SET result = 'drawn'")
    with (
        store.History.to_read(path) as history,
        pytest.raises(HistoryError, match=r"'drawn'.*Correct"),
    ):
        history.entries([1])


def test_the_table_says_what_the_history_says(path: Path, tmp_path: Path) -> None:
    """A header, a line a game in the order asked for, the text as RFC 4180 has it."""
    out = tmp_path / "games.csv"
    with store.History.to_write(fill(path, 30)) as history:
        odd = 'A "title", in\r\ntwo lines'
        history.add([(game(99, window=odd, whole=False, digs=None), [])])
        assert store.export_csv(history, history.numbers(), out) == 31
    data = out.read_bytes()
    assert not re.search(rb"(?<!\r)\n", data)
    with out.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file, strict=True))
    assert tuple(lines[0]) == store.FIELDS
    assert lines[0]["window"] == odd
    assert (lines[0]["whole"], lines[0]["digs"], lines[0]["rules"]) == ("no", "", "classic")
    entries = [entry for entry, _ in games(30)]
    for line, entry in zip(lines[1:], reversed(entries), strict=True):
        assert line["started"] == entry.started.isoformat()
        assert float(line["seconds"]) == pytest.approx(entry.seconds, abs=0.001)
        assert (line["result"], line["player"]) == (entry.result.value, entry.player.value)
        assert int(line["three_bv"]) == entry.three_bv


@pytest.mark.parametrize(
    "title", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r\n=1", "\uff1d1"]
)
def test_a_title_is_no_formula(path: Path, tmp_path: Path, title: str) -> None:
    """A window's title is no formula in a spreadsheet, and begins no other cell."""
    out = tmp_path / "games.csv"
    with store.History.to_write(path) as history:
        history.add([(game(window=title), []), (game(1, window='a;=1+1\t=2 "b"'), [])])
        store.export_csv(history, history.numbers(), out)
    assert '"a;=1+1\t=2 ""b"""' in out.read_text(encoding="utf-8")
    with out.open(newline="", encoding="utf-8") as file:
        *_, first = csv.DictReader(file)
        assert first["window"] == f"'{title}"


def test_a_file_that_cannot_be_written_stays_as_it_was(path: Path, tmp_path: Path) -> None:
    """A folder that is not there is named; what was broken off leaves nothing behind."""
    out = tmp_path / "out" / "games.csv"
    with store.History.to_read(fill(path, 30)) as history:
        with pytest.raises(HistoryError, match=r"cannot be written.*Choose"):
            store.export_csv(history, history.numbers(), out)
        out.parent.mkdir()
        out.write_text("what was there before")

        def cancel(_share: float) -> None:
            raise Cancelled

        with pytest.raises(Cancelled):
            store.export_csv(history, history.numbers(), out, cancel)
    assert [one.name for one in out.parent.iterdir()] == ["games.csv"]
    assert out.read_text("utf-8") == "what was there before"


@pytest.mark.slow
def test_processes_that_make_the_history_at_once_lose_no_game(tmp_path: Path) -> None:
    """Three write a first game at the same moment and one reads: nothing is lost or refused."""
    assert race(tmp_path, rounds=20) == (0, [])
