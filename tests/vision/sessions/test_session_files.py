"""Sessions as files: copied, packed and written they are the whole game; deleted they are gone."""

from __future__ import annotations

import json
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from bot.analysis import Cancelled
from vision.files import OpenMark
from vision.sessions import SessionError, load_session
from vision.sessions.session_files import copy, delete, pack, write_json


def same(one: Path, other: Path) -> bool:
    """Whether two sessions hold the same game, pictures included."""
    first, second = load_session(one), load_session(other)
    pairs = zip(first.turns(), second.turns(), strict=True)
    return (
        first.info == second.info
        and first.records == second.records
        and all((a.reading.frame.image == b.reading.frame.image).all() for a, b in pairs)
    )


def test_a_copy_is_the_same_session(session: Path, tmp_path: Path) -> None:
    """And nothing is written over."""
    reported: list[float] = []
    copy(session, tmp_path / "copies" / "game", reported.append)
    assert same(session, tmp_path / "copies" / "game")
    assert reported == sorted(reported)
    with pytest.raises(SessionError, match="there already"):
        copy(session, tmp_path / "copies" / "game")


def test_a_zip_holds_the_same_session(session: Path, tmp_path: Path) -> None:
    """In a folder of its name, and nothing else."""
    (session / "notes.txt").write_text("mine")
    pack(session, tmp_path / "game.zip")
    with zipfile.ZipFile(tmp_path / "game.zip") as archive:
        assert {name.split("/")[0] for name in archive.namelist()} == {"game"}
        assert not any("notes" in name for name in archive.namelist())
        archive.extractall(tmp_path / "unpacked")
    assert same(session, tmp_path / "unpacked" / "game")


@pytest.mark.parametrize("write", [copy, pack])
def test_a_cancelled_copy_leaves_nothing_behind(
    session: Path, tmp_path: Path, write: object
) -> None:
    """A cancel in the middle."""

    def tell(share: float) -> None:
        if share > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        write(session, tmp_path / "target", tell)  # type: ignore[operator]
    assert {path.name for path in tmp_path.iterdir()} == {"game"}


def test_json_holds_info_and_all_turns(session: Path, tmp_path: Path) -> None:
    """The very fields of the lines."""
    write_json(load_session(session), tmp_path / "game.json")
    document = json.loads((tmp_path / "game.json").read_text("utf-8"))
    lines = [json.loads(line) for line in (session / "turns.jsonl").read_text("utf-8").splitlines()]
    assert (
        document["info"].items()
        >= json.loads((session / "session.json").read_text("utf-8")).items()
    )
    assert len(document["turns"]) == len(lines)
    for turn, line in zip(document["turns"], lines, strict=True):
        assert turn["board"] == line["board"]
        assert turn["moves"] == line["moves"]
        assert turn["events"] == line["events"]
    assert document["torn"] is False


def test_only_files_of_the_session_are_deleted(session: Path, tmp_path: Path) -> None:
    """Neither another folder, nor a file that lies in a session, nor what a link points to."""
    other = tmp_path / "photos"
    other.mkdir()
    (other / "one.png").touch()
    with pytest.raises(SessionError, match="no session"):
        delete(other)
    (tmp_path / "link").symlink_to(session)
    with pytest.raises(SessionError, match="link"):
        delete(tmp_path / "link")
    (session / "frames" / "notes.txt").write_text("mine")
    with pytest.raises(SessionError, match=r"notes\.txt"):
        delete(session)
    assert (other / "one.png").exists()
    assert (session / "frames" / "notes.txt").read_text("utf-8") == "mine"
    assert not (session / "turns.jsonl").exists()


def test_unwritable_targets_are_reported(session: Path, tmp_path: Path) -> None:
    """A file lies where a folder should be."""
    (tmp_path / "file").touch()
    for write in (
        lambda: pack(session, tmp_path / "file" / "game.zip"),
        lambda: copy(session, tmp_path / "file" / "game"),
        lambda: write_json(load_session(session), tmp_path / "file" / "game.json"),
    ):
        with pytest.raises(SessionError, match="cannot be written"):
            write()


def test_remains_of_a_killed_writer_do_not_matter(session: Path, tmp_path: Path) -> None:
    """Half a frame, a folder without anything in it, a deletion that was broken off."""
    (session / "frames" / ".0003.pngabcd.part").touch()
    (session / ".session.jsonabcd.part").touch()
    delete(session)
    (session / "frames").mkdir(parents=True)
    delete(session)
    assert not list(tmp_path.iterdir())


def test_a_session_that_is_being_written_stays(session: Path) -> None:
    """It can be deleted as soon as its writer is gone."""
    with (
        closing(OpenMark(session / "turns.jsonl")),
        pytest.raises(SessionError, match="stop the game first"),
    ):
        delete(session)
    delete(session)
    assert not session.exists()


@pytest.mark.linux
def test_no_link_is_followed_out_of_a_session(session: Path, tmp_path: Path) -> None:
    """No picture outside a session's folder is copied or packed with it."""
    secret = tmp_path / "secret.png"
    frame = session / "frames" / "0001.png"
    frame.rename(secret)
    frame.symlink_to(secret)
    with pytest.raises(SessionError, match="is a link"):
        load_session(session).turn(1)
    pack(session, tmp_path / "game.zip")
    with zipfile.ZipFile(tmp_path / "game.zip") as archive:
        assert "game/frames/0001.png" not in archive.namelist()
    with pytest.raises(SessionError, match=r"0001\.png"):
        delete(session)
    assert secret.exists()
