"""Sessions: what is written is read back, whole or torn, and nothing foreign is trusted."""

from __future__ import annotations

import itertools
import json
import re
import threading
from collections.abc import Callable, Generator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from bot.frame import Point
from bot.game import FirstClick, Game
from bot.loop import Event, Turn
from bot.solver.explain import count_solutions, explain
from tests.support.boards import play_without_screen
from vision.finder import BoardNotFound
from vision.sessions import SessionError, SessionInfo, load_session
from vision.sessions.session_files import new_session_folder
from vision.sessions.writer import SessionWriter, record

pytestmark = pytest.mark.long

INFO = SessionInfo(
    version="0.1.0",
    started="2026-01-02T03:04:05+00:00",
    window="Minesweeper",
    skin="classic",
    solver="exact",
    style="no flags",
)


def turns(seed: int = 3) -> Iterator[Turn]:
    """A beginner's game with one event a turn."""
    event = Event("click", "left", Point(100.5, 80.25))
    game = Game(9, 9, 10, seed=seed, first_click=FirstClick.ZERO)
    return play_without_screen(game, lambda _turn: (event,))


def test_a_session_comes_back_as_it_was_played(tmp_path: Path) -> None:
    """Every value of every turn, the frames' pixels included."""
    played = list(record(turns(), lambda: SessionWriter(tmp_path / "game", INFO)))
    session = load_session(tmp_path / "game")
    assert session.info == INFO
    assert not session.torn
    assert len(session) == len(played) > 1
    for before, after in zip(played, session.turns(), strict=True):
        for name in ("number", "moves", "events", "seconds"):
            assert getattr(after, name) == getattr(before, name)
        for name in ("board", "grid", "status"):
            assert getattr(after.reading, name) == getattr(before.reading, name)
        assert after.reading.frame.region == before.reading.frame.region
        np.testing.assert_array_equal(after.reading.frame.image, before.reading.frame.image)
        np.testing.assert_allclose(
            after.reading.confidence, before.reading.confidence, atol=1 / 255
        )
        if before.analysis is None:
            assert after.analysis is None
            continue
        assert after.analysis is not None
        np.testing.assert_array_equal(
            after.analysis.mine_probability, before.analysis.mine_probability
        )
        for name in ("best", "exact", "method", "error"):
            assert getattr(after.analysis, name) == getattr(before.analysis, name)
        board = before.reading.board
        assert explain(board, after.analysis) == explain(board, before.analysis)
        assert after.analysis.solutions == count_solutions(board, before.analysis)


def test_a_turn_is_written_while_it_is_carried_out_and_before_the_next(tmp_path: Path) -> None:
    """The play does not wait for the disk, and the disk is one turn behind at the most."""
    done: list[str] = []
    passed_on = threading.Event()

    class Gated(SessionWriter):
        """Writes a turn only after it was passed on, and says when it has."""

        def write(self, turn: Turn) -> None:
            assert passed_on.wait(30)
            passed_on.clear()
            super().write(turn)
            done.append(f"written {turn.number}")

    begin = (turn for turn in turns() if turn.number < 3)
    for number, _turn in enumerate(record(begin, lambda: Gated(tmp_path / "game", INFO))):
        assert len(load_session(tmp_path / "game")) == number
        done.append(f"passed on {number}")
        passed_on.set()
    expected = [f"{what} {number}" for number in range(3) for what in ("passed on", "written")]
    assert done == expected


def test_a_stop_leaves_nothing_unwritten(tmp_path: Path) -> None:
    """The turn that is never carried out is the session's last one."""
    recording = record(turns(), lambda: SessionWriter(tmp_path / "game", INFO))
    for number, _turn in enumerate(itertools.islice(recording, 3), 1):
        assert number - 1 <= len(load_session(tmp_path / "game")) <= number
    recording.close()  # type: ignore[attr-defined]
    assert len(load_session(tmp_path / "game")) == 3


def test_an_error_of_the_play_leaves_nothing_unwritten(tmp_path: Path) -> None:
    """All that was passed on is there, and the error is the play's own."""

    def failing() -> Iterator[Turn]:
        yield from itertools.islice(turns(), 2)
        raise BoardNotFound("gone")

    with pytest.raises(BoardNotFound, match="gone"):
        list(record(failing(), lambda: SessionWriter(tmp_path / "game", INFO)))
    assert len(load_session(tmp_path / "game")) == 2


@pytest.mark.linux
@pytest.mark.parametrize("go_on", [next, Generator.close], ids=["next turn", "end"])
def test_a_full_disk_ends_the_play(
    tmp_path: Path, go_on: Callable[[Generator[Turn]], object]
) -> None:
    """In words; what was not carried out is not passed on, and the play is closed.

    Nor is the last turn that was passed on lost without a word.
    """
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "turns.jsonl").symlink_to("/dev/full")
    played = turns()
    recording = record(played, lambda: SessionWriter(tmp_path / "game", INFO))
    assert isinstance(recording, Generator)
    assert next(recording).number == 0
    with pytest.raises(SessionError, match=r"game cannot be written: .*No space left"):
        go_on(recording)
    assert next(played, None) is None


def test_a_game_that_was_over_before_is_not_recorded(tmp_path: Path) -> None:
    """A look at its end is no game; the next one is recorded."""
    *_, end = turns()
    names = iter(["one", "two"])
    seen = (turn for part in ([end], turns()) for turn in part)
    for _ in record(seen, lambda: SessionWriter(tmp_path / next(names), INFO)):
        pass
    assert len(load_session(tmp_path / "one")) == sum(1 for _ in turns())
    assert not (tmp_path / "two").exists()


def spoil(folder: Path, **fields: object) -> None:
    """Change fields of the first turn's line."""
    path = folder / "turns.jsonl"
    first, *rest = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text(json.dumps(json.loads(first) | fields) + "\n" + "".join(rest))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"frame": "../../secret.png"}, "frame"),
        ({"frame": "frames/0000.png/../../x.png"}, "frame"),
        ({"frame": "/etc/passwd"}, "frame"),
        ({"colour": "red"}, "colour"),
        ({"status": "asleep"}, "status"),
        ({"mines": -1}, "mines"),
        ({"region": [0, 0, 10**9, 10]}, "region"),
        ({"region": [0, 0, 0, 0]}, "region"),
        ({"region": [0, 0, -5, 5]}, "region"),
    ],
)
def test_a_foreign_line_is_refused(session: Path, fields: dict[str, object], said: str) -> None:
    """The error names the file, the line and the field; nothing outside is opened."""
    spoil(session, **fields)
    with pytest.raises(SessionError, match=rf"turns\.jsonl, line 1: {said}"):
        load_session(session)


@pytest.mark.parametrize(
    "fields",
    [
        {"board": ["###", "##"]},
        {"board": ["#"]},
        {"board": []},
        {"board": ["abc"]},
        {"confidence": "AA=="},
        {"moves": [{"action": "open", "cell": [99, 0], "risk": 0.0}]},
        {"confidence": "%%"},
    ],
)
def test_a_contradictory_turn_is_named(session: Path, fields: dict[str, object]) -> None:
    """A record that cannot be a turn says which one it is."""
    spoil(session, **fields)
    with pytest.raises(SessionError, match="turn 0"):
        list(load_session(session).turns())


def test_a_missing_frame_is_named(session: Path) -> None:
    """The turns before it can still be read."""
    (session / "frames" / "0001.png").unlink()
    reading = load_session(session).turns()
    assert next(reading).number == 0
    with pytest.raises(SessionError, match=r"turn 1 \(frames/0001\.png\)"):
        next(reading)


def test_invalid_sessions_are_reported(session: Path, tmp_path: Path) -> None:
    """A folder without a session, a later version, a file that is no JSON."""
    with pytest.raises(SessionError, match=r"no session.json"):
        load_session(tmp_path)
    path = session / "session.json"
    path.write_text(path.read_text("utf-8").replace('"format": 1', '"format": 2'))
    with pytest.raises(SessionError, match="format"):
        load_session(session)
    path.write_text("{")
    with pytest.raises(SessionError, match=re.escape(str(path))):
        load_session(session)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    """A file stands where the sessions should go."""
    (tmp_path / "sessions").write_text("")
    with pytest.raises(SessionError, match="cannot be written"):
        SessionWriter(tmp_path / "sessions" / "game", INFO)
    with pytest.raises(SessionError, match="without recording"):
        new_session_folder(tmp_path / "sessions", datetime(2026, 1, 2, tzinfo=UTC))
