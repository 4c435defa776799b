"""The history's file: its versions, and everything that may be wrong with it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from gui.history import schema
from gui.history.schema import VERSION, HistoryBusy, HistoryError, open_for_writing
from gui.history.store import History
from tests.gui.history.made import fill, games

NOBODY = 65534


@contextmanager
def without_rights() -> Iterator[None]:
    """The user root, who may write everywhere, is replaced for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_history_is_made_where_there_is_none(tmp_path: Path) -> None:
    """To read it makes no file; to write makes the folder, the file and its version."""
    path = tmp_path / "home" / "history.sqlite"
    with History.to_read(path) as history:
        assert history.state() == (0, 0)
        assert len(history.numbers()) == 0
        assert history.choices() == ((), (), ())
    assert not path.exists()
    open_for_writing(path, 0).close()
    with closing(sqlite3.connect(path)) as plain:
        assert plain.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert plain.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    # A crash may leave an empty file: to read it is enough to make it whole.
    empty = tmp_path / "empty.sqlite"
    empty.touch()
    with History.to_read(empty) as history:
        assert history.state() == (0, 0)
    assert fill(empty, 1)


def test_an_older_version_is_brought_to_this_one(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each step is taken once, all together or not at all; the games stay."""
    fill(path, 3)
    further = ("ALTER TABLE games ADD COLUMN mood TEXT",)
    with monkeypatch.context() as patch:
        patch.setattr(schema, "STEPS", (*schema.STEPS, further, ("SELECT * FROM nowhere",)))
        patch.setattr(schema, "VERSION", VERSION + 2)
        with pytest.raises(HistoryError, match="no such table"):
            History.to_write(path)
    with closing(sqlite3.connect(path)) as plain:
        assert plain.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert "mood" not in [column[1] for column in plain.execute("PRAGMA table_info(games)")]
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, further))
    monkeypatch.setattr(schema, "VERSION", VERSION + 1)
    with History.to_read(path) as history:
        assert history.state() == (3, 3)
    with closing(sqlite3.connect(path)) as plain:
        assert plain.execute("PRAGMA user_version").fetchone() == (VERSION + 1,)
        assert plain.execute("SELECT COUNT(*) FROM games WHERE mood IS NULL").fetchone() == (3,)


def test_a_proved_mine_that_was_opened_becomes_a_guess_of_earlier_games(path: Path) -> None:
    """Games that were lost by it had none that hit; nothing is added to other games."""
    fill(path, 3)
    with closing(sqlite3.connect(path, isolation_level=None)) as plain:
        plain.execute("DELETE FROM guesses")
        plain.execute("UPDATE games SET player = 'user', result = 'lost' WHERE id < 3")
        plain.execute("UPDATE games SET player = 'bot', result = 'lost' WHERE id = 3")
        plain.execute("INSERT INTO guesses VALUES (2, 0, 0.5, 1, 0, 1)")
        plain.execute("PRAGMA user_version = 2")
    with History.to_read(path) as history:
        risks = [[guess.risk for guess in history.guesses(number)] for number in (1, 2, 3)]
        assert risks == [[1.0], [0.5], []]
        (worst,) = (entry.worst_guess for entry in history.entries([1]).values())
    assert worst == 1.0


def later(path: Path) -> None:
    """A history of a version that this program does not know yet."""
    fill(path, 2)
    with closing(sqlite3.connect(path)) as plain:
        plain.execute("PRAGMA user_version = 7")


def no_database(path: Path) -> None:
    """A text that was saved there."""
    path.write_text("These are my best times:\n" * 400, encoding="utf-8")


def cut_off(path: Path) -> None:
    """Half of a history."""
    fill(path, 400)
    os.truncate(path, path.stat().st_size // 2)


def anothers(path: Path) -> None:
    """A database of another program."""
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")


def spoiled(path: Path) -> None:
    """A history whose first page is overwritten behind the header."""
    fill(path, 50)
    with path.open("r+b") as file:
        file.seek(100)
        file.write(b"\xff" * 3000)


@pytest.mark.parametrize("opened", [History.to_read, History.to_write])
@pytest.mark.parametrize("made", [no_database, cut_off, anothers, spoiled, later])
def test_an_unusable_file_is_left_alone(
    path: Path, made: Callable[[Path], None], opened: Callable[[Path], History]
) -> None:
    """Not a byte changes; the words say what was seen, and to update or to move it away."""
    made(path)
    before = path.read_bytes()
    words = r"history\.sqlite.*was not changed. Move it away"
    if made is later:
        words = rf"version 7, this program knows {VERSION}.*Update"
    with pytest.raises(HistoryError, match=words):
        opened(path)
    assert path.read_bytes() == before


def test_locked_history_is_read_and_reported_to_a_writer(path: Path) -> None:
    """Who writes does not keep others from reading; another writer hears who is in the way."""
    fill(path, 5)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with History.to_read(path) as reading:
            assert reading.state() == (5, 5)
        with (
            History.to_write(path, 0.01) as history,
            pytest.raises(HistoryBusy, match="locked by another program"),
        ):
            history.add(games(1))
    with History.to_write(path) as history:
        history.add(games(1))
        assert history.state() == (6, 6)


@pytest.mark.linux
def test_a_folder_that_may_not_be_written(capfd: pytest.CaptureFixture[str]) -> None:
    """What is there is read, its log included; to write says why not."""
    folder = Path(tempfile.mkdtemp())
    try:
        path = fill(folder / "history.sqlite", 5)
        path.chmod(0o444)
        folder.chmod(0o555)
        with without_rights():
            with History.to_read(path) as history:
                assert history.state() == (5, 5)
            with pytest.raises(HistoryError, match=r"cannot be written.*MINESWEEPER_BOT_HOME"):
                History.to_write(path)
            with pytest.raises(HistoryError, match=r"cannot be written \(Permission"):
                History.to_write(folder / "new" / "history.sqlite")
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)
    assert capfd.readouterr().err == ""
