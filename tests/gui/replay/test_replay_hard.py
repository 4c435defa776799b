"""Damaged and hostile sessions are shown as far as they go; exports are whole or not there."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from gui.panel.boardview import Show
from tests.gui.replay.shelf import RECORDED, Shelf
from tests.support.boards import SESSIONS

WON, SGT, LOST = RECORDED


def test_a_missing_and_a_damaged_frame_are_said(shelf: Shelf, home: Path) -> None:
    """The parsed board is shown in their place, and the other turns as ever."""
    (home / WON / "frames" / "0002.png").unlink()
    damaged = home / WON / "frames" / "0003.png"
    damaged.write_bytes(damaged.read_bytes()[:200])
    shelf.open(home / WON)
    viewer = shelf.page.viewer
    for turn in (2, 3):
        viewer.playback.go(turn)
        shelf.pictured()
        shelf.wait(viewer.note.isVisible)
        assert f"000{turn}.png" in viewer.note.text()
        assert viewer.view.layers is Show.PARSED
        assert viewer.view.turn is not None
    viewer.playback.go(4)
    shelf.pictured()
    shelf.wait(lambda: not viewer.note.isVisible())
    assert viewer.view.layers is Show.BOTH


@pytest.mark.parametrize(
    ("where", "value", "words"),
    [
        (("moves", 0, "cell"), [900, 900], "off the board"),
        (("grid", "rows"), 900, "its grid 9 x 900"),
        (("grid", "left"), 1e200, "far off any screen"),
        (("board",), ["#" * 300] * 300, "turn 3"),
        (("mines",), 99, "99 mines"),
        (("confidence",), "AAAA", "turn 3"),
        (("analysis", "mine_probability"), [0.5], "1 probabilities for"),
        (("analysis", "best"), [500, 0], "names a cell off the board"),
        (("analysis", "solutions"), "9" * 5000, "no whole number"),
    ],
    ids=lambda value: str(value[0]) if isinstance(value, tuple) else None,
)
def test_a_turn_that_contradicts_itself_is_said(
    shelf: Shelf, home: Path, where: tuple[str | int, ...], value: object, words: str
) -> None:
    """It is left empty; the turns beside it are shown."""
    change(home / WON, 3, where, value)
    shelf.open(home / WON)
    viewer = shelf.page.viewer
    viewer.playback.go(3)
    assert viewer.view.turn is None
    assert words in viewer.note.text()
    viewer.playback.go(4)
    shelf.wait(lambda: viewer.view.turn is not None)
    assert not shelf.failed


@pytest.mark.parametrize("region", [[0, 0, 100_000, 100_000], [0, 0, 8, 8], [0, 0, 8, 4000]])
def test_a_picture_of_another_size_is_said(shelf: Shelf, home: Path, region: list[int]) -> None:
    """The parsed board is shown in its place; nobody reserves room for what it claims to be."""
    change(home / WON, 3, ("region",), region)
    shelf.open(home / WON)
    viewer = shelf.page.viewer
    viewer.playback.go(3)
    shelf.pictured()
    assert "the picture has" in viewer.note.text()
    assert viewer.view.layers is Show.PARSED
    assert not viewer.grab().isNull()


def change(session: Path, turn: int, where: tuple[str | int, ...], value: object) -> None:
    """Put another value into a recorded turn."""
    path = session / "turns.jsonl"
    lines = path.read_text().splitlines()
    record = json.loads(lines[turn])
    part = record
    for key in where[:-1]:
        part = part[key]
    part[where[-1]] = value
    path.write_text("\n".join([*lines[:turn], json.dumps(record), *lines[turn + 1 :]]) + "\n")


def test_a_torn_session_is_shown_up_to_its_last_whole_turn(shelf: Shelf, home: Path) -> None:
    """As a killed program leaves it."""
    path = home / WON / "turns.jsonl"
    path.write_bytes(path.read_bytes()[:-300])
    shelf.open(home / WON)
    assert shelf.page.viewer.film is not None
    assert len(shelf.page.viewer.film) == 7


def test_the_zip_is_a_session_again(shelf: Shelf, home: Path, tmp_path: Path) -> None:
    """Written by the menu, told, unpacked, opened."""
    shelf.open(home / WON)
    shelf.page.exporter.actions["zip"].trigger()
    shelf.choose(tmp_path / f"{WON}.zip")
    shelf.wait(lambda: shelf.told)
    assert shelf.told == [f"Saved to {tmp_path / f'{WON}.zip'}"]
    with zipfile.ZipFile(tmp_path / f"{WON}.zip") as archive:
        archive.extractall(tmp_path / "unpacked")
    shelf.open(tmp_path / "unpacked" / WON)


@pytest.mark.parametrize(
    ("action", "name"), [("folder", WON), ("json", f"{WON}.json"), ("rawvf", f"{WON}.rawvf")]
)
def test_every_export_is_written(
    shelf: Shelf, home: Path, tmp_path: Path, action: str, name: str
) -> None:
    """Where the user said; what is in them is tested beside what writes them."""
    shelf.open(home / WON)
    shelf.page.exporter.actions[action].trigger()
    shelf.choose(tmp_path if action == "folder" else tmp_path / name)
    shelf.wait(lambda: shelf.told)
    assert (tmp_path / name).exists()
    assert all(one.isEnabled() for one in shelf.page.exporter.actions.values())


@pytest.mark.parametrize("action", ["zip", "folder", "animation", "json", "rawvf"])
def test_an_export_that_is_given_up_writes_nothing(
    shelf: Shelf, home: Path, tmp_path: Path, action: str
) -> None:
    """The dialog was closed."""
    shelf.open(home / WON)
    shelf.page.exporter.actions[action].trigger()
    shelf.press("Cancel")
    assert not shelf.dialogs
    assert all(one.isEnabled() for one in shelf.page.exporter.actions.values())
    assert {path.name for path in tmp_path.iterdir()} == {"home"}


def test_rawvf_says_why_not(shelf: Shelf, home: Path, tmp_path: Path) -> None:
    """A game whose end hides mines is no file, but a sentence."""
    hidden = home / "hidden"
    shutil.copytree(SESSIONS / LOST, hidden)
    path = hidden / "turns.jsonl"
    path.write_text("\n".join(path.read_text().splitlines()[:-1]) + "\n")
    shelf.open(hidden)
    shelf.page.exporter.actions["rawvf"].trigger()
    shelf.choose(tmp_path / "hidden.rawvf")
    shelf.wait(lambda: shelf.failed)
    assert "where all mines are" in shelf.failed[0].message
    assert not list(tmp_path.glob("*.rawvf"))
