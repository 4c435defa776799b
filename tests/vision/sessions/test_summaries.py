"""Sessions at a glance: what is read from their ends is what the whole reader reads."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.board import Board
from tests.support.boards import recordings
from vision.sessions import load_session
from vision.sessions.summaries import session_folders, stamp, summarise

TURNS, INFO = "turns.jsonl", "session.json"


@pytest.mark.parametrize("folder", recordings(), ids=lambda folder: folder.name)
def test_summary_equals_the_whole_session(folder: Path) -> None:
    """Recorded games of every program."""
    summary, session = summarise(folder), load_session(folder)
    last = session.records[-1]
    assert summary.problem == ""
    assert summary.info == session.info
    assert summary.board == Board.parse("\n".join(last.board), last.mines)
    assert summary.status is last.status
    assert summary.turns == len(session)
    assert summary.seconds == pytest.approx(last.time - session.records[0].time)
    assert summary.result == last.status.value
    assert not summary.torn
    assert not summary.kept


@pytest.mark.parametrize("cut", [1, 2, 500])
def test_a_torn_last_line_is_left_out(session: Path, cut: int) -> None:
    """As the reader does it: a line without its end counts where it is whole."""
    turns = session / TURNS
    turns.write_bytes(turns.read_bytes()[:-cut])
    whole = load_session(session)
    summary = summarise(session)
    assert summary.torn == whole.torn == (cut > 1)
    assert summary.turns == len(whole)
    assert summary.board is not None
    assert summary.board.rows_text() == "\n".join(whole.records[-1].board)


def test_an_assumed_number_of_mines_stays_assumed(session: Path) -> None:
    """In the list, as in the opened session."""
    *lines, last = (session / TURNS).read_text("utf-8").splitlines()
    (session / TURNS).write_text(
        "\n".join([*lines, json.dumps(json.loads(last) | {"assumed": True})]), "utf-8"
    )
    board = summarise(session).board
    assert board is not None
    assert board.assumed


def with_fields(**fields: object) -> Callable[[Path], object]:
    """Return what changes fields of a file with one JSON document."""
    return lambda path: path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | fields))


def make_ragged(turns: Path) -> None:
    """Add a cell to a row of the last board."""
    *lines, last = turns.read_text("utf-8").splitlines()
    turn = json.loads(last)
    turn["board"][3] += "#"
    turns.write_text("\n".join([*lines, json.dumps(turn)]) + "\n")


def replace_by_a_folder(path: Path) -> None:
    """Put a folder in the place of a file."""
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("name", "damage", "words"),
    [
        (TURNS, lambda path: path.write_text(""), "holds no turn"),
        (TURNS, lambda path: path.write_text('{"number": 0, "fra'), "no whole turn"),
        (TURNS, Path.unlink, "no turns.jsonl"),
        (INFO, Path.unlink, "no session.json"),
        (INFO, with_fields(format=2), "format"),
        (INFO, with_fields(run="rm -rf"), "run"),
        (TURNS, lambda path: path.write_bytes(b"\xff\xfe\0nothing\n"), "turns.jsonl"),
        (TURNS, make_ragged, "row 4"),
        (TURNS, lambda path: path.write_text(" " * 5_000_000), "longer than any"),
        (TURNS, replace_by_a_folder, "cannot be read"),
    ],
)
def test_a_broken_session_says_what_is_wrong(
    session: Path, name: str, damage: Callable[[Path], object], words: str
) -> None:
    """It is listed with its reason, never hidden and never an error."""
    damage(session / name)
    summary = summarise(session)
    assert summary.result == "broken"
    assert words in summary.problem


def test_the_newest_folder_comes_first(tmp_path: Path) -> None:
    """Names sort by time; files and hidden folders are no sessions."""
    for name in ("2026-01-02T03-04-05", "2026-01-02T03-04-05-2", "2025-12-31T00-00-00", ".hidden"):
        (tmp_path / name).mkdir()
    (tmp_path / "notes.txt").touch()
    names = [folder.name for folder in session_folders(tmp_path)]
    assert names == ["2026-01-02T03-04-05-2", "2026-01-02T03-04-05", "2025-12-31T00-00-00"]
    assert session_folders(tmp_path / "none") == []


def test_a_stamp_changes_with_the_session(session: Path) -> None:
    """Another turn, and a mark."""
    before = stamp(session)
    assert stamp(session) == before
    (session / "kept").touch()
    marked = stamp(session)
    assert marked != before
    with (session / "turns.jsonl").open("ab") as file:
        file.write(b"{}\n")
    assert stamp(session) != marked
