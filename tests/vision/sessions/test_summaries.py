"""Sessions at a glance: what is read from their ends is what the whole reader reads."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from bot.board import Board
from tests.support.boards import SESSIONS
from vision.sessions import load_session
from vision.sessions.summaries import session_folders, stamp, summarise

FOLDERS = sorted(path.parent for path in SESSIONS.glob("*/session.json"))


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A copy of a recorded game, to be damaged."""
    return Path(shutil.copytree(SESSIONS / "winemine-expert-lost", tmp_path / "game"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_ends_tell_what_the_whole_tells(folder: Path) -> None:
    """Every recorded game of every program."""
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
    turns = session / "turns.jsonl"
    turns.write_bytes(turns.read_bytes()[:-cut])
    whole = load_session(session)
    summary = summarise(session)
    assert summary.torn == whole.torn == (cut > 1)
    assert summary.turns == len(whole)
    assert summary.board is not None
    assert summary.board.rows_text() == "\n".join(whole.records[-1].board)


def damage_nothing_written(session: Path) -> None:
    """Killed before the first turn."""
    (session / "turns.jsonl").write_bytes(b"")


def damage_only_a_torn_line(session: Path) -> None:
    """Killed while writing it."""
    (session / "turns.jsonl").write_bytes(b'{"number": 0, "fra')


def damage_no_turns(session: Path) -> None:
    """The turns are gone."""
    (session / "turns.jsonl").unlink()


def damage_no_info(session: Path) -> None:
    """Nobody says who played."""
    (session / "session.json").unlink()


def damage_later_version(session: Path) -> None:
    """A format of tomorrow."""
    info = json.loads((session / "session.json").read_text())
    (session / "session.json").write_text(json.dumps(info | {"format": 2}))


def damage_unknown_field(session: Path) -> None:
    """A field that nobody knows."""
    info = json.loads((session / "session.json").read_text())
    (session / "session.json").write_text(json.dumps(info | {"run": "rm -rf"}))


def damage_no_json(session: Path) -> None:
    """Bytes of anything."""
    (session / "turns.jsonl").write_bytes(b"\xff\xfe\x00nothing\n")


def damage_ragged_board(session: Path) -> None:
    """A board whose rows differ."""
    lines = (session / "turns.jsonl").read_text().splitlines()
    last = json.loads(lines[-1])
    last["board"][3] += "#"
    (session / "turns.jsonl").write_text("\n".join([*lines[:-1], json.dumps(last)]) + "\n")


def damage_endless_line(session: Path) -> None:
    """Megabytes without an end."""
    with (session / "turns.jsonl").open("ab") as file:
        file.write(b" " * 5_000_000)


def damage_folder_in_its_place(session: Path) -> None:
    """A folder of the file's name."""
    (session / "turns.jsonl").unlink()
    (session / "turns.jsonl").mkdir()


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (damage_nothing_written, "holds no turn"),
        (damage_only_a_torn_line, "no whole turn"),
        (damage_no_turns, "no turns.jsonl"),
        (damage_no_info, "no session.json"),
        (damage_later_version, "format"),
        (damage_unknown_field, "run"),
        (damage_no_json, "turns.jsonl"),
        (damage_ragged_board, "row 4"),
        (damage_endless_line, "longer than any"),
        (damage_folder_in_its_place, "cannot be read"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_broken_session_says_what_is_wrong(session: Path, damage: object, words: str) -> None:
    """It is listed with its reason, never hidden and never an error."""
    damage(session)  # type: ignore[operator]
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
