"""Manage the user's own skins: names, renaming, settings."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from vision.files import old_of, remove_folder, write_whole
from vision.focus import same_program
from vision.skins import (
    SKIN_FILE,
    Dialog,
    Restart,
    SkinError,
    bundled_names,
    check_name,
    name_in,
    skin_folders,
    user_folder,
)
from vision.skins.skin import load_text, text_of


class SkinTaken(SkinError):
    """A skin of the user has this name already; replacing it needs the user's consent.

    Attributes:
        name: The skin's name.
    """

    def __init__(self, name: str) -> None:
        super().__init__(
            f"a skin of your own is called '{name}' already: choose another name, or delete that "
            "one first"
        )
        self.name = name


class SkinReserved(SkinError):
    """A bundled skin has this name.

    Attributes:
        name: The skin's name.
        free: A similar name that is not in use.
    """

    def __init__(self, name: str) -> None:
        super().__init__(f"'{name}' is the name of a bundled skin: choose another one")
        self.name = name
        taken = bundled_names()
        tried = (f"{name}-{number}" for number in count(2))
        self.free = next(one for one in tried if one not in taken and own_folder(one) is None)


def own_folder(name: str) -> Path | None:
    """Return the folder of the user's skin of that name, readable or not; None if there is none."""
    for folder in skin_folders(user_folder()):
        if name_in(folder) == name:
            return folder
    there = user_folder() / name
    return there if there.exists() else None


def check_own_name(name: str) -> None:
    """Check that a skin of the user can have this name.

    Raises:
        SkinError: The name is not allowed.
        SkinReserved: A bundled skin has this name.
    """
    check_name(name)
    if name in bundled_names():
        raise SkinReserved(name)


def check_free(name: str) -> None:
    """Check that a new skin of the user can have this name.

    Raises:
        SkinError: The name is not allowed.
        SkinTaken: Another skin has this name.
    """
    check_own_name(name)
    if own_folder(name) is not None:
        raise SkinTaken(name)


def allow_keys(
    name: str, title: str, program: str, restart: Restart | None, dialog: Dialog | None
) -> None:
    """Store in a user's skin which keys the user allowed for a program.

    Nothing is stored if there is no such skin: a bundled one is not changed. None leaves the
    restart unchanged, or adds no dialog.

    Raises:
        SkinError: The skin cannot be written.
    """
    folder = own_folder(name)
    if folder is None:
        return
    file = load_text(folder / SKIN_FILE)
    same = file.keys_allowed and same_program(file, title, program)
    dialogs = file.dialog if same else ()
    if restart is None:
        restart = file.restart if same else Restart(face=file.restart.face)
    if dialog is not None:
        dialogs = (*(one for one in dialogs if one.title != dialog.title), dialog)
    allowed: dict[str, object] = {
        "title": title,
        "window_class": program,
        "restart": restart,
        "dialog": dialogs,
        "keys_allowed": True,
    }
    change_skin(name, **allowed)


def change_skin(name: str, **fields: object) -> None:
    """Change the description of a user's skin.

    Raises:
        SkinError: There is no such skin, or the skin cannot be written.
    """
    folder = own_folder(name)
    if folder is None:
        raise SkinError(f"there is no skin '{name}' of your own")
    file = load_text(folder / SKIN_FILE).model_copy(update=fields)
    try:
        write_whole(folder / SKIN_FILE, text_of(file))
    except OSError as error:
        raise SkinError(f"{folder} cannot be written: {error.strerror or error}") from error


def rename_skin(name: str, new: str) -> Path:
    """Rename a user's skin.

    Returns:
        The new folder.

    Raises:
        SkinError: There is no such skin, the name is not allowed, or the skin cannot be written.
        SkinTaken: Another skin has this name.
    """
    check_free(new)
    folder = own_folder(name)
    if folder is None:
        raise SkinError(f"there is no skin '{name}' of your own")
    file = load_text(folder / SKIN_FILE).model_copy(update={"name": new})
    target = folder.with_name(new)
    try:
        # The name in the file comes first: after any interruption, the skin is usable.
        write_whole(folder / SKIN_FILE, text_of(file))
        # A skin that was being replaced by a killed process would come back.
        remove_folder(old_of(folder), missing_ok=True)
        folder.replace(target)
    except OSError as error:
        raise SkinError(f"{target} cannot be written: {error.strerror or error}") from error
    return target
