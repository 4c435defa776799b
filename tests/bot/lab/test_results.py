"""The file of results: kept, gone on with, and refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bot.lab.results import Plan, ResultsError, open_results, players_version, read_results
from bot.lab.worker import Outcome

PLAN = Plan("classic", ("9x9/10: seeds from 0",), ("beginner",), 1000)


def outcome(number: int) -> Outcome:
    """Return the outcome of a game."""
    return Outcome("exact", number, True, 12, 1, {-300: 11, -200: 1}, 0.5, 0.25, 1 << 20)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of two games."""
    path = tmp_path / "results.jsonl"
    with open_results(path, PLAN) as file:
        file.add(0, [outcome(0), outcome(1)])
    return path


def test_a_file_goes_on_where_it_ended(path: Path) -> None:
    """Results are read again when the file is reopened; one run at a time adds to them."""
    with open_results(path, PLAN) as file:
        assert list(file.results.outcomes) == [(0, "exact", 0), (0, "exact", 1)]
        with pytest.raises(ResultsError, match="another run is writing"):
            open_results(path, PLAN).__enter__()
        file.add(0, [outcome(2)])
    assert [*path.parent.iterdir()] == [path]
    found = read_results(path)
    assert found.plan == PLAN
    assert found.outcomes == {(0, "exact", n): outcome(n) for n in range(3)}


def test_half_a_line_is_cut_off(path: Path) -> None:
    """As a full disk or a lost machine leaves it: the game is played again."""
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    assert list(read_results(path).outcomes) == [(0, "exact", 0)]
    with open_results(path, PLAN) as file:
        file.add(0, [outcome(1)])
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (replace(PLAN, boards=("9x9/10: seeds from 5",)), "other boards"),
        (replace(PLAN, boards=(*PLAN.boards, "x"), labels=("a", "b")), "1 sets of boards, not 2"),
        (replace(PLAN, game="digging"), "game 'classic'"),
        (replace(PLAN, nodes=None), "limit was 1000 nodes"),
        (replace(PLAN, rollouts=500), "0 games were simulated at each guess, not 500"),
    ],
)
def test_results_of_something_else_are_refused(path: Path, other: Plan, message: str) -> None:
    """They cannot go on with other boards, another game or another limit, and are kept."""
    before = path.read_bytes()
    with pytest.raises(ResultsError, match=message), open_results(path, other):
        pass
    assert path.read_bytes() == before


@pytest.mark.parametrize("played_by", [', "players": "0.1.0 0123456789abcdef"', ""])
def test_games_of_changed_solvers_are_not_mixed(path: Path, played_by: str) -> None:
    """They are read and compared, also those of a file that keeps no version; not continued."""
    text = path.read_text("utf-8")
    assert players_version() in text
    path.write_text(text.replace(f', "players": "{players_version()}"', played_by))
    before = path.read_bytes()
    assert read_results(path).plan == PLAN
    with pytest.raises(ResultsError, match="other versions"), open_results(path, PLAN):
        pass
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no first line"),
        ("hello\n", "line 1"),
        ('{"version": 2, "nodes": null}\n', "line 1 is no result: version 2"),
        ("[]\n", "line 1"),
        (
            '{"version": 1, "game": "classic", "boards": ["a"], "labels": [], "nodes": 1}\n',
            "1 sets of boards, and 0 names",
        ),
        ("[" * 100_000 + "\n", "line 1"),
    ],
)
def test_a_file_that_is_none(path: Path, text: str, message: str) -> None:
    """The file, the line and the reason are named."""
    path.write_text(text)
    with pytest.raises(ResultsError, match=message):
        read_results(path)


@pytest.mark.parametrize(
    ("written", "wrong"),
    [
        ('"seconds": 0.5', '"seconds": NaN'),
        ('"worst": 0.25', '"worst": -1'),
        ('"-300": 11', '"99999999": 11'),
        ('"won": true, ', ""),
        ('"boards": 0', '"boards": 9'),
        ('"boards": 0', '"boards": -1'),
        (None, '{"boards": 0}'),
        (None, "{}"),
        (None, "7"),
    ],
)
def test_a_wrong_line_is_named(path: Path, written: str | None, wrong: str) -> None:
    """Times that cannot be and what is missing: before anything is reckoned with them."""
    *lines, last = path.read_text("utf-8").splitlines()
    assert (written or "") in last
    path.write_text("\n".join([*lines, last.replace(written, wrong) if written else wrong, ""]))
    with pytest.raises(ResultsError, match="line 3 is no result"):
        read_results(path)


@contextmanager
def disk_of(size: int) -> Iterator[None]:
    """No file can grow past so many bytes meanwhile."""
    import resource  # noqa: PLC0415 - on Linux

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.linux
def test_a_full_disk_keeps_what_was_played(path: Path) -> None:
    """The error says how many games are kept, and they are."""
    with (
        disk_of(path.stat().st_size + 40),
        pytest.raises(ResultsError, match="2 games written before are kept"),
        open_results(path, PLAN) as file,
    ):
        file.add(0, [outcome(2)])
    assert list(read_results(path).outcomes) == [(0, "exact", 0), (0, "exact", 1)]
    with open_results(path, PLAN) as file:
        file.add(0, [outcome(2)])
    assert list(read_results(path).outcomes) == [(0, "exact", n) for n in range(3)]
