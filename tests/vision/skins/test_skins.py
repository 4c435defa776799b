"""Skin folders: what is whole is read, what is not is refused by name."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.board import COVERED
from vision.skins import (
    SkinError,
    SkinLibrary,
    load_skin,
    save_skin,
)
from vision.skins.skin import Skin


def edit(folder: Path, old: str, new: str) -> None:
    """Change what a description says."""
    path = folder / "skin.toml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1))


def with_a_set(folder: Path) -> Path:
    """The skin with a second set of pictures, of 24 pixels."""
    edit(folder, "hold = 0.0", "sizes = [24]\nhold = 0.0")
    (folder / "24").mkdir()
    for path in folder.glob("*.png"):
        picture = cv2.imread(str(path))
        assert picture is not None
        small = cv2.resize(picture, (24, 24), interpolation=cv2.INTER_AREA)
        assert cv2.imwrite(str(folder / "24" / path.name), small)
    return folder


def same(one: Skin, other: Skin) -> bool:
    """Whether two skins say the same and hold the same pictures in the same order."""
    pictures = {"pictures", "sets"}
    looks = [
        {code: [look.tobytes() for look in looks] for code, looks in skin.pictures.items()}
        for skin in (one, other)
    ]
    return (
        one.model_dump(exclude=pictures) == other.model_dump(exclude=pictures)
        and looks[0] == looks[1]
        and len(one.sets) == len(other.sets)
        and all(map(same, one.sets, other.sets))
    )


def test_skins_of_the_working_folder_do_not_count(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user's own folder called `templates` never wins over the bundled one."""
    edit(folder, 'program = "', 'program = "Mine, not ')
    (tmp_path / "templates").mkdir()
    folder.rename(tmp_path / "templates" / "classic")
    monkeypatch.chdir(tmp_path)
    assert "Mine, not" not in next(
        skin.program for skin in SkinLibrary().skins() if skin.name == "classic"
    )


def test_pictures_cannot_be_written_on(folder: Path) -> None:
    """A skin is shared between threads."""
    skin = load_skin(folder)
    with pytest.raises(ValueError, match="read-only"):
        skin.pictures[COVERED][0][0, 0] = 0


def test_obsolete_keys_are_ignored(folder: Path) -> None:
    """Skins that an earlier version learned have a key more; saved again, they have it no more."""
    edit(folder, "hold = 0.0", "scalable = true\nhold = 0.0")
    skin = load_skin(folder)
    assert skin.name == "classic"
    save_skin(skin, folder)
    assert "scalable" not in (folder / "skin.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('name = "', 'nme = "', "nme|name"),
        ("hold = 0.0", 'flags_to_win = "yes"', "flags_to_win: it should be true or false"),
        ("hold = 0.0", "hold = -1.0", "hold: it should be 0.0 or more, and is -1.0"),
        ("tile = [", "tile = [\n 1,", "tile: it should be 2 values"),
        ("    10,", '    "x",', "levels.beginner.2: it should be a whole number, and is 'x'"),
        ('title = "', 'title = [ "', "not TOML"),
        ('program = "', 'colour = "red"\nprogram = "', "'colour' is no key that a skin has"),
        ('licence = "', 'license = "', "'licence' is missing"),
        ('name = "classic"', 'name = "../up"', "'../up' cannot be .* lower-case letters"),
        ('name = "classic"', 'name = "My Skin!"', "'My Skin!' cannot be .* lower-case letters"),
        ("    10,", "    81,", "beginner: 81 mines do not fit on 9 rows and 9 columns"),
    ],
)
def test_wrong_descriptions_are_refused(folder: Path, old: str, new: str, reason: str) -> None:
    """A key that is missing, unknown, of the wrong type or out of range is named."""
    edit(folder, old, new)
    with pytest.raises(SkinError, match=reason) as caught:
        load_skin(folder)
    assert "skin.toml" in str(caught.value)


def test_wrong_pictures_are_refused(folder: Path) -> None:
    """Missing, of another size, damaged, twice the same: each named."""
    whole = cv2.imread(str(folder / "1.png"))

    def refused(name: str, picture: np.ndarray | bytes | None, reason: str) -> None:
        path = folder / name
        before = path.read_bytes() if path.exists() else None
        path.unlink(missing_ok=True)
        if isinstance(picture, bytes):
            path.write_bytes(picture)
        elif picture is not None:
            assert cv2.imwrite(str(path), picture)
        with pytest.raises(SkinError, match=reason):
            load_skin(folder)
        path.unlink(missing_ok=True)
        if before is not None:
            path.write_bytes(before)

    refused("covered.png", None, r"covered\.png is missing")
    refused("2.png", whole[:-1], "pixels, but")
    refused("2.png", b"\x89PNG\r\n\x1a\n", "incomplete")
    refused("2.png", b"", r"2\.png is empty$")
    refused("2.png", whole, "same picture")
    assert load_skin(folder).name == "classic"


def test_a_skin_is_drawn_at_several_sizes(folder: Path) -> None:
    """The set captured nearest to a pitch is taken, by ratio."""
    skin = load_skin(with_a_set(folder))
    assert [skin.drawn_at(pitch).tile[0] for pitch in (10, 24, 27, 28, 32, 90)] == [
        24, 24, 24, 32, 32, 32,
    ]  # fmt: skip
    assert skin.drawn_at(24) is skin.drawn_at(20)
    assert skin.drawn_at(24).name == skin.name
    assert {look.shape for looks in skin.drawn_at(24).pictures.values() for look in looks} == {
        (24, 24, 3)
    }


def test_every_set_of_pictures_is_whole(folder: Path) -> None:
    """A picture that one size lacks, or that has another size, is named with its folder."""
    sized = with_a_set(folder)
    (sized / "24" / "7.png").unlink()
    with pytest.raises(SkinError, match=r"24.7\.png is missing"):
        load_skin(sized)
    shutil.copy(sized / "7.png", sized / "24")
    with pytest.raises(SkinError, match=r"24.7\.png is 32 x 32 pixels, but"):
        load_skin(sized)
    shutil.rmtree(sized / "24")
    with pytest.raises(SkinError, match=r"24.0\.png is missing"):
        load_skin(sized)


@pytest.mark.parametrize(
    "name",
    [
        "9.png",
        "..png",
        "1@..png",
        "1@ß.png",
        pytest.param("flag@-\n.png", marks=pytest.mark.linux),
        "-rf.png",
    ],
)
def test_strange_file_names_are_refused(folder: Path, name: str) -> None:
    """Whatever a picture is called, it is a state or an error."""
    shutil.copy(folder / "1.png", folder / name)
    with pytest.raises(SkinError, match="not the picture of a tile state"):
        load_skin(folder)


@pytest.mark.parametrize(
    "kind",
    [
        "folder",
        *(pytest.param(kind, marks=pytest.mark.linux) for kind in ("pipe", "device", "nowhere")),
    ],
)
@pytest.mark.parametrize("name", ["1@odd.png", "skin.toml"])
def test_special_files_are_refused(folder: Path, name: str, kind: str) -> None:
    """A pipe, a device, a folder or a link to nowhere is never waited for."""
    path = folder / name
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero" if kind == "device" else folder / "none")
    with pytest.raises(SkinError, match=f"{name} (is not a file|cannot be read)"):
        load_skin(folder)


def test_too_large_skins_are_refused(folder: Path) -> None:
    """A description that never ends, and more pictures than any skin has."""
    text = (folder / "skin.toml").read_bytes()
    (folder / "skin.toml").write_bytes(text + b"#" * (1 << 17))
    with pytest.raises(SkinError, match="larger than 64 kB"):
        load_skin(folder)
    (folder / "skin.toml").write_bytes(text)
    for number in range(257):
        shutil.copy(folder / "1.png", folder / f"1@{number}.png")
    with pytest.raises(SkinError, match="at most 256"):
        load_skin(folder)


@pytest.mark.parametrize(
    "key", ["", "ctrl+", "meta+q", "a b", "x" * 17, "notakey", "ctrl+f25", "Retrun", "win"]
)
def test_keys_are_checked(folder: Path, key: str) -> None:
    """A key that cannot be typed is reported when the skin is read, not in mid-game."""
    edit(folder, 'key = "f2"', f'key = "{key}"')
    with pytest.raises(SkinError, match=r"restart\.key: there is no key '.*': write a character"):
        load_skin(folder)


@pytest.mark.parametrize(
    "key", ["f2", "F2", "Return", "space", "ctrl+n", "ctrl+shift+F5", "+", "~"]
)
def test_keys_that_can_be_typed(folder: Path, key: str) -> None:
    """Characters, names in any case, and keys that are held meanwhile."""
    edit(folder, 'key = "f2"', f'key = "{key}"')
    assert load_skin(folder).restart.key == key


def test_a_byte_order_mark_is_skipped(folder: Path) -> None:
    """Editors of Windows write one."""
    path = folder / "skin.toml"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert load_skin(folder).name == "classic"
