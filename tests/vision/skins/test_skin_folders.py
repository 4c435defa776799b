"""The user's skins on the disk: replaced as a whole, read again, left out, forgotten."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import pytest

from tests.vision.skins.test_skins import a_copy, edit, with_a_set
from vision.skins import (
    BUNDLED,
    SkinError,
    SkinLibrary,
    bundled_names,
    forget_skin,
    load_skin,
    save_skin,
)
from vision.skins.skin import Skin


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of a bundled skin."""
    return a_copy(tmp_path)


# A folder that was there before


def _same(one: Skin, other: Skin) -> bool:
    """Whether two skins say the same and hold the same pictures in the same order."""
    pictures = {"pictures", "playing", "sets"}
    reported = one.model_dump(exclude=pictures) == other.model_dump(exclude=pictures)
    looks = [
        {code: [look.tobytes() for look in looks] for code, looks in skin.pictures.items()}
        for skin in (one, other)
    ]
    return reported and looks[0] == looks[1] and all(map(_same, one.sets, other.sets))


def _many(folder: Path, count: int) -> Skin:
    """The skin with so many pictures of a flag."""
    flag = cv2.imread(str(folder / "flag.png"))
    assert flag is not None
    for number in range(2, count + 1):
        flag[0, 0] = (number, 0, 0)
        assert cv2.imwrite(str(folder / f"flag@{number}.png"), flag)
    return load_skin(folder)


def test_old_pictures_are_removed_when_a_skin_is_replaced(folder: Path, tmp_path: Path) -> None:
    """A folder that held more pictures, of another size, and sets; its licence stays."""
    place = tmp_path / "saved"
    save_skin(_many(with_a_set(folder), 12), place)
    (place / "LICENSE").write_text("theirs")
    other = load_skin(BUNDLED / "winemine")
    save_skin(other, place)
    assert _same(load_skin(place), other)
    assert not (place / "24").exists()
    assert (place / "LICENSE").read_text("utf-8") == "theirs"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_pictures_come_back_in_their_order(folder: Path, tmp_path: Path) -> None:
    """The tenth after the second: the first ones are kept where there are too many."""
    skin = _many(folder, 13)
    save_skin(skin, tmp_path / "saved")
    assert _same(load_skin(tmp_path / "saved"), skin)


def test_a_skin_that_cannot_be_written_leaves_the_old_one(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of a new skin is never seen: not where a picture of it cannot be written either."""
    place = tmp_path / "saved"
    old = load_skin(folder)
    save_skin(old, place)
    whole = Path.replace

    def full(path: Path, target: Path) -> Path:
        if Path(target) == place and ".part" in path.name:
            raise OSError(28, "No space left on device")
        return whole(path, target)

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(SkinError, match="cannot be written: No space left"):
        save_skin(load_skin(BUNDLED / "winemine"), place)
    assert _same(load_skin(place), old)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


# What there is


@pytest.fixture
def own(home: Path) -> Path:
    """The user's own skins: one that is called 'taught'."""
    skins = home / "skins"
    shutil.copytree(BUNDLED / "winemine", skins / "taught")
    edit(skins / "taught", 'name = "winemine"', 'name = "taught"')
    return skins


def test_a_skin_that_was_half_replaced_is_still_there(own: Path) -> None:
    """A loss of power between two renames: the old one is read, and replaced for good later."""
    (own / "taught").rename(own / ".taught.old")
    skin = next(skin for skin in SkinLibrary().skins() if skin.name == "taught")
    save_skin(skin, own / "taught")
    assert [path.name for path in own.iterdir()] == ["taught"]
    assert "taught" in {skin.name for skin in SkinLibrary().skins()}


def test_a_shelf_reads_what_has_changed(own: Path) -> None:
    """A skin that was added, changed or taken away since; what was not touched is the same."""
    shelf = SkinLibrary()
    before = {skin.name: skin for skin in shelf.skins()}
    assert {skin.name: skin for skin in shelf.skins()} == before
    save_skin(before["taught"].model_copy(update={"version": "2"}), own / "taught")
    save_skin(before["taught"].model_copy(update={"name": "more"}), own / "more")
    after = {skin.name: skin for skin in shelf.skins()}
    assert after["taught"].version == "2"
    assert after.keys() - before.keys() == {"more"}
    assert all(after[name] is before[name] for name in bundled_names())
    shutil.rmtree(own / "taught")
    assert "taught" not in {skin.name for skin in shelf.skins()}
    assert shelf.broken == ()


def test_broken_skin_is_left_out_and_reported(own: Path) -> None:
    """Every other one is there; the message names the file, until it is mended."""
    picture = own / "taught" / "covered.png"
    data = picture.read_bytes()
    picture.unlink()
    shelf = SkinLibrary()
    assert {skin.name for skin in shelf.skins()} == bundled_names()
    (reported,) = shelf.broken
    assert "covered.png is missing" in str(reported)
    picture.write_bytes(data)
    assert "taught" in {skin.name for skin in shelf.skins()}
    assert shelf.broken == ()


def test_folder_without_a_description_is_reported(own: Path) -> None:
    """It is no skin, but was meant to be one."""
    (own / "unfinished").mkdir()
    (own / "notes.txt").write_text("no folder")
    shelf = SkinLibrary()
    assert "taught" in {skin.name for skin in shelf.skins()}
    (reported,) = shelf.broken
    assert "unfinished" in str(reported)
    assert "skin.toml" in str(reported)


def test_two_skins_of_one_name_are_reported(own: Path) -> None:
    """The first folder's is used, and the message names both."""
    shutil.copytree(own / "taught", own / "zz-copy")
    edit(own / "zz-copy", 'program = "', 'program = "Another ')
    shelf = SkinLibrary()
    (taught,) = [skin for skin in shelf.skins() if skin.name == "taught"]
    assert not taught.program.startswith("Another")
    (reported,) = shelf.broken
    assert str(own / "taught") in str(reported)
    assert str(own / "zz-copy") in str(reported)


def test_a_byte_order_mark_is_skipped(folder: Path) -> None:
    """Editors of Windows write one."""
    path = folder / "skin.toml"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert load_skin(folder).name == "classic"


def test_a_skin_is_forgotten(own: Path) -> None:
    """It is gone with all its pictures; ours and those that are not there are refused."""
    for name in ("winemine", "nothing", "../taught"):
        with pytest.raises(SkinError, match="skins of your own: taught"):
            forget_skin(name)
    assert forget_skin("taught") == own / "taught"
    assert list(own.iterdir()) == []


def test_a_skin_that_cannot_be_read_is_forgotten_by_its_folder(own: Path) -> None:
    """Whatever is wrong with it."""
    (own / "taught" / "skin.toml").write_text("not toml")
    assert forget_skin("taught") == own / "taught"
    assert SkinLibrary().broken == ()
