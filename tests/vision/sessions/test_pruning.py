"""Old recordings go, the oldest first; what the user marked and what is no session stays."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.analysis import Cancelled
from bot.board import Board
from bot.loop import Turn
from tests.support.boards import reading_of
from tests.support.clients import wait_until
from tests.vision.sessions.test_recording import INFO, turns
from vision.files import OpenMark
from vision.sessions import SessionError, session_files
from vision.sessions.session_files import Room, held, keep, new_session_folder, prune
from vision.sessions.summaries import session_folders
from vision.sessions.writer import SessionWriter, record


def session(sessions: Path, number: int, size: int = 1000) -> Path:
    """A session folder with frames of so many bytes."""
    folder = sessions / f"2026-01-{number:02}T12-00-00"
    (folder / "frames").mkdir(parents=True)
    (folder / "session.json").write_text("{}")
    (folder / "frames" / "0000.png").write_bytes(bytes(size - 2))
    return folder


def names(sessions: Path) -> list[int]:
    """Which are left."""
    return sorted(int(one.name[8:10]) for one in sessions.iterdir() if one.name[:2] == "20")


def test_the_oldest_recordings_are_pruned_first(tmp_path: Path) -> None:
    """As many as are too many, or too large together; never the newest, however large it is."""
    for number in (3, 1, 2, 5, 4):
        session(tmp_path, number, 1_000_000)
    assert [one.folder.name[8:10] for one in held(tmp_path)] == ["01", "02", "03", "04", "05"]
    assert prune(tmp_path, None, None) == 0
    assert prune(tmp_path, 4, None) == 1
    assert names(tmp_path) == [2, 3, 4, 5]
    assert prune(tmp_path, 10, 3) == 1
    assert names(tmp_path) == [3, 4, 5]
    session(tmp_path, 6, 3_000_000)
    assert prune(tmp_path, 1, 1) == 3
    assert names(tmp_path) == [6]


def test_marked_recordings_and_those_in_progress_are_not_pruned(tmp_path: Path) -> None:
    """The next older one goes in their place. One in progress may be another process's."""
    folders = [session(tmp_path, number) for number in range(1, 7)]
    keep(folders[0], kept=True)
    keep(folders[1], kept=True)
    keep(folders[1], kept=False)
    with closing(OpenMark(folders[2] / "turns.jsonl")):
        assert prune(tmp_path, 3, None) == 3
    assert names(tmp_path) == [1, 3, 6]
    assert prune(tmp_path, 2, None) == 1
    assert names(tmp_path) == [1, 6]


def test_what_is_no_session_is_not_pruned(tmp_path: Path) -> None:
    """Files, other folders, links to elsewhere; and foreign files in a session, which are reported.

    The other sessions go all the same, and the next time all is well.
    """
    elsewhere = session(tmp_path / "elsewhere", 1)
    sessions = tmp_path / "sessions"
    folders = [session(sessions, number) for number in range(2, 6)]
    (sessions / "0-notes").mkdir()
    (sessions / "2026-01-01T12-00-00").symlink_to(elsewhere)
    foreign = [sessions / "0-notes" / "mine.txt", sessions / "0.txt", folders[0] / "notes.txt"]
    for file in foreign:
        file.write_text("mine")
    with pytest.raises(SessionError, match=r"notes\.txt"):
        prune(sessions, 1, None)
    assert all(file.exists() for file in (*foreign, elsewhere / "session.json"))
    assert [folder.exists() for folder in folders] == [True, False, False, True]
    assert prune(sessions, 1, None) == 0


def test_pruning_can_be_cancelled(tmp_path: Path) -> None:
    """What was not removed until then stays whole."""
    for number in range(1, 6):
        session(tmp_path, number)
    ticks: list[None] = []

    def tick() -> None:
        ticks.append(None)
        if len(ticks) == 7:
            raise Cancelled

    with pytest.raises(Cancelled):
        prune(tmp_path, 1, None, tick)
    assert names(tmp_path) == [2, 3, 4, 5]


def test_a_clock_that_jumps_changes_no_order(tmp_path: Path) -> None:
    """Set back by a day, the newest game is still the last to go; ten in one second are too."""
    now = datetime(2026, 3, 2, 12, 0, 0, tzinfo=UTC)
    clock = [now, *[now + timedelta(days=1)] * 12, now, now - timedelta(days=400)]
    folders = [new_session_folder(tmp_path, moment) for moment in clock]
    assert len({*folders}) == len(clock)
    assert [one.folder for one in held(tmp_path)] == folders
    assert session_folders(tmp_path) == folders[::-1]
    assert prune(tmp_path, 2, None) == len(clock) - 2
    assert sorted(tmp_path.iterdir()) == sorted(folders[-2:])


def test_room_is_made_while_games_are_recorded(tmp_path: Path) -> None:
    """However many games a run has; the last one counts when it is over."""
    session(tmp_path, 30)
    games: list[Path] = []
    room = Room()

    def open_session() -> SessionWriter:
        games.append(new_session_folder(tmp_path, datetime(2026, 3, 1, tzinfo=UTC)))
        writer = SessionWriter(games[-1], INFO)
        room.make(tmp_path, 2, None)
        return writer

    for _ in record((turn for seed in range(3) for turn in turns(seed)), open_session):
        pass

    def made() -> bool:
        # As the next game does; what was still in progress left out the last one.
        room.make(tmp_path, 2, None)
        return sorted(tmp_path.iterdir()) == sorted(games[-2:])

    # Closed before, it would break off.
    wait_until(made)
    room.close()
    assert sorted(tmp_path.iterdir()) == sorted(games[-2:])


@pytest.mark.parametrize(
    ("error", "reported"),
    [(SessionError("it is written"), "it is written"), (OSError("gone"), "cannot be read: gone")],
)
def test_pruning_errors_are_remarked_until_it_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, reported: str
) -> None:
    """The game goes on meanwhile, and its turns say it. Without limits nothing is tried."""
    turn = Turn(0, reading_of(Board.parse("1#/##", 1)), None, ())
    room = Room()

    def make_room(most: int | None) -> Turn:
        room.make(tmp_path, most, None)
        room.close()
        room.close()
        return room.remarked(turn)

    with monkeypatch.context() as patched:

        def refuse(*_: object) -> int:
            raise error

        patched.setattr(session_files, "prune", refuse)
        assert make_room(None) is turn
        assert reported in make_room(1).reading.remarks[0]
    assert make_room(1) is turn
