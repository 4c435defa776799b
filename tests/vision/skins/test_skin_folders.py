"""The user's skins on the disk: replaced as a whole, read again, left out, renamed, forgotten."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import cv2
import pytest

from tests.vision.skins.test_skins import edit, same, with_a_set
from vision.skins import (
    BUNDLED,
    SKIN_FILE,
    SkinError,
    SkinLibrary,
    bundled_names,
    forget_skin,
    load_skin,
    save_skin,
    skin_folders,
    user_folder,
)
from vision.skins.own_skins import SkinTaken, check_free, own_folder, rename_skin
from vision.skins.skin import Skin

pytestmark = pytest.mark.usefixtures("home")


def own(name: str, folder: str = "") -> Path:
    """A skin of the user's, in a folder that may be called otherwise."""
    place = user_folder() / (folder or name)
    save_skin(load_skin(BUNDLED / "winemine").model_copy(update={"name": name}), place)
    return place


def by_name(library: SkinLibrary) -> dict[str, Skin]:
    """The skins of a library."""
    return {skin.name: skin for skin in library.skins()}


# A folder that was there before


def _many(folder: Path, count: int) -> Skin:
    """The skin with so many pictures of a flag."""
    flag = cv2.imread(str(folder / "flag.png"))
    assert flag is not None
    for number in range(2, count + 1):
        flag[0, 0] = (number, 0, 0)
        assert cv2.imwrite(str(folder / f"flag@{number}.png"), flag)
    return load_skin(folder)


def test_a_saved_skin_replaces_the_old_one(folder: Path, tmp_path: Path) -> None:
    """One that held more pictures, of another size, and sets; its licence stays.

    Pictures come back in their order, the tenth after the second: the first ones are kept where
    there are too many.
    """
    place = tmp_path / "skins" / "saved"
    many = _many(with_a_set(folder), 13)
    save_skin(many, place)
    assert same(load_skin(place), many)
    (place / "LICENSE").write_text("theirs")
    other = load_skin(BUNDLED / "winemine")
    save_skin(other, place)
    assert same(load_skin(place), other)
    assert not (place / "24").exists()
    assert (place / "LICENSE").read_text("utf-8") == "theirs"
    assert list(place.parent.iterdir()) == [place]


def test_a_skin_that_cannot_be_written_leaves_the_old_one(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of a new skin is never seen: not where a picture of it cannot be written either."""
    place = tmp_path / "skins" / "saved"
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
    assert same(load_skin(place), old)
    assert list(place.parent.iterdir()) == [place]


def test_a_skin_that_was_half_replaced_is_still_there() -> None:
    """A loss of power between two renames: the old one is read, and replaced for good later."""
    folder = own("taught")
    folder.rename(folder.with_name(".taught.old"))
    save_skin(by_name(SkinLibrary())["taught"], folder)
    assert list(user_folder().iterdir()) == [folder]
    assert "taught" in by_name(SkinLibrary())


# What there is


def test_a_library_reads_what_has_changed() -> None:
    """A skin that was added, changed or taken away since; what was not touched is the same.

    One with the name of a bundled skin is used in its place.
    """
    folder, library = own("taught"), SkinLibrary()
    before = by_name(library)
    assert by_name(library) == before
    taught = before["taught"]
    save_skin(taught.model_copy(update={"version": "2"}), folder)
    own("more")
    own("classic", "mine")
    after = by_name(library)
    assert list(after) == sorted(after)
    assert after["taught"].version == "2"
    assert after["classic"].program == taught.program
    assert after.keys() - before.keys() == {"more"}
    assert all(after[name] is before[name] for name in bundled_names() - {"classic"})
    shutil.rmtree(folder)
    assert "taught" not in by_name(library)
    assert library.broken == ()


def test_folders_without_a_usable_skin_are_reported() -> None:
    """Every other skin is there. Of two with the same name, the first folder's is used."""
    first, broken = own("taught"), own("broken")
    (broken / "covered.png").rename(broken / "covered.txt")
    (user_folder() / "unfinished").mkdir()
    (user_folder() / "notes.txt").write_text("no folder")
    second = own("taught", "zz-copy")
    edit(second, 'program = "', 'program = "Another ')
    library = SkinLibrary()
    found = by_name(library)
    assert found.keys() == bundled_names() | {"taught"}
    assert not found["taught"].program.startswith("Another")
    picture, unfinished, twice = map(str, library.broken)
    assert "covered.png is missing" in picture
    assert str(user_folder() / "unfinished" / SKIN_FILE) in unfinished
    assert str(first) in twice
    assert str(second) in twice
    (broken / "covered.txt").rename(broken / "covered.png")
    assert "broken" in by_name(library)
    assert len(library.broken) == 2


def test_a_skin_is_renamed() -> None:
    """Its folder and its text; not to a name that is taken, bundled, or leads elsewhere."""
    own("mine")
    own("other")
    assert rename_skin("mine", "new") == user_folder() / "new"
    assert load_skin(user_folder() / "new").name == "new"
    assert own_folder("mine") is None
    for name, said in (
        ("other", "called 'other' already"),
        ("winemine", "a bundled skin"),
        ("../up", "cannot be a skin's name"),
    ):
        with pytest.raises(SkinError, match=said):
            rename_skin("new", name)
    with pytest.raises(SkinError, match="there is no skin 'gone'"):
        rename_skin("gone", "here")
    assert {path.name for path in user_folder().iterdir()} == {"new", "other"}


def test_a_skin_is_known_by_its_name_and_not_by_its_folder() -> None:
    """As it is when it is loaded; a folder that cannot be read keeps its own name."""
    folder = own("mine", "elsewhere")
    assert own_folder("mine") == folder
    with pytest.raises(SkinTaken):
        check_free("mine")
    # The name of the folder is taken as well: nothing else can be put there.
    with pytest.raises(SkinTaken):
        check_free("elsewhere")
    (folder / SKIN_FILE).write_text("no = ")
    assert own_folder("elsewhere") == folder
    assert own_folder("mine") is None
    check_free("mine")


def test_a_skin_is_forgotten() -> None:
    """With all its pictures; ours and those that are not there are refused.

    One that cannot be read is forgotten by the name of its folder.
    """
    folder = own("taught")
    for name in ("winemine", "nothing", "../taught"):
        with pytest.raises(SkinError, match="skins of your own: taught"):
            forget_skin(name)
    assert forget_skin("taught") == folder
    (own("spoilt") / SKIN_FILE).write_text("not toml")
    forget_skin("spoilt")
    assert list(user_folder().iterdir()) == []


@pytest.mark.parametrize("leave", [forget_skin, lambda name: rename_skin(name, "new")])
def test_remains_of_a_killed_process_are_no_skin(leave: Callable[[str], object]) -> None:
    """The one that was being replaced is gone with the one that replaced it."""
    folder = own("mine")
    shutil.copytree(folder, folder.with_name(".mine.old"))
    leave("mine")
    assert own_folder("mine") is None
    assert not any("mine" in path.name for path in skin_folders(user_folder()))
