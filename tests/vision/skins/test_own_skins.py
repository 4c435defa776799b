"""The user's own skins: called otherwise, and never lost."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from vision.skins import (
    BUNDLED,
    SKIN_FILE,
    SkinError,
    forget_skin,
    load_skin,
    save_skin,
    skin_folders,
    user_folder,
)
from vision.skins.own_skins import SkinTaken, check_free, own_folder, rename_skin

pytestmark = pytest.mark.usefixtures("home")


def own(name: str, folder: str = "") -> Path:
    """A skin of the user's, in a folder that may be called otherwise."""
    skin = load_skin(BUNDLED / "winemine").model_copy(update={"name": name})
    place = user_folder() / (folder or name)
    save_skin(skin, place)
    return place


def test_a_skin_is_renamed() -> None:
    """Its folder and its text; not to a name that is taken, empty, or a bundled skin's."""
    own("mine")
    own("other")
    assert rename_skin("mine", "new") == user_folder() / "new"
    assert load_skin(user_folder() / "new").name == "new"
    assert own_folder("mine") is None
    for name, said in (
        ("other", "called 'other' already"),
        ("winemine", "a bundled skin"),
        ("No!", "cannot be a skin's name"),
        ("..", "cannot be a skin's name"),
        ("a/b", "cannot be a skin's name"),
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


@pytest.mark.parametrize("leave", [forget_skin, lambda name: rename_skin(name, "new")])
def test_remains_of_a_killed_process_are_no_skin(
    leave: Callable[[str], object],
) -> None:
    """The one that was being replaced is gone with the one that replaced it."""
    folder = own("mine")
    shutil.copytree(folder, folder.with_name(".mine.old"))
    leave("mine")
    assert own_folder("mine") is None
    assert not any("mine" in path.name for path in skin_folders(user_folder()))
