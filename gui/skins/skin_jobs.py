"""The background jobs of the page of skins: read, write, learn."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot.board import OPENED, STATE_WORDS
from bot.frame import Frame
from gui.panel.jobs import Progress
from vision.files import data_folder

if TYPE_CHECKING:
    # Loading the reader takes a moment, so the page imports it late.
    from gui.skins.conventions import Known
    from vision.desktop import Window
    from vision.learning.questions import TileCluster
    from vision.learning.skin_learner import SkinLearner
    from vision.skins import Skin, SkinLibrary


OTHERS: Final = "Programs without a skin"


@dataclass(frozen=True, eq=False)
class Entry:
    """A skin in the page's list."""

    skin: Skin | None
    """The skin; None for the entry of programs without a skin about which the user answered
    something."""
    folder: Path
    own: bool
    """Whether it is the user's, and can be renamed and deleted."""
    known: tuple[Known, ...] = ()
    """The known conventions of the program."""

    @property
    def name(self) -> str:
        """The skin's name."""
        return OTHERS if self.skin is None else self.skin.name


@dataclass(frozen=True, eq=False)
class SkinList:
    """The list of skins."""

    entries: tuple[Entry, ...]
    """The skins, the user's own first."""
    broken: tuple[str, ...]
    """The reasons why other skins are left out."""
    chosen: str | None = None
    """The skin to show."""
    message: str = ""
    """A message about the action or its failure; empty for none."""
    done: bool = False
    """Whether the action succeeded."""
    saved: Path | None = None
    """The file or folder that it wrote for the user."""


@dataclass(frozen=True, eq=False)
class NameTaken:
    """A skin of the user's has that name; replacing it needs their consent."""

    name: str


@dataclass(frozen=True, eq=False)
class Reserved:
    """A bundled skin has the name of the one in a zip, which needs another name."""

    path: Path
    name: str
    free: str
    """The proposed name."""


@dataclass(frozen=True, eq=False)
class Learned:
    """The state of a skin learner."""

    skin_learner: SkinLearner
    kinds: tuple[TileCluster, ...]
    name: str
    missing: tuple[str, ...]
    """The facts that are missing before the skin can be saved."""
    refused: tuple[int, int] | None = None
    """A cluster and the answer that was refused."""
    message: str = ""
    """The reason why a picture could not be used."""


class Shelf:
    """The skins on the disk."""

    def __init__(self) -> None:
        self._shelf: SkinLibrary | None = None
        self._reading = threading.Lock()

    def skins(self) -> tuple[Skin, ...]:
        """Return all usable skins; only changed ones are read again."""
        from vision.skins import SkinLibrary  # noqa: PLC0415

        with self._reading:
            if self._shelf is None:
                self._shelf = SkinLibrary()
            return self._shelf.skins()

    def listed(
        self, chosen: str | None, message: str, progress: Progress, *, done: bool = False
    ) -> SkinList:
        """Return the list of skins, reading what has changed; the arguments are its fields."""
        from gui.runner.stored_answers import kept_answers  # noqa: PLC0415
        from gui.skins.conventions import answers_about, known_of, others_of  # noqa: PLC0415
        from vision.skins import BUNDLED  # noqa: PLC0415

        progress.report(None, "Reading the skins")
        skins = self.skins()
        assert self._shelf is not None  # noqa: S101 - it was just read
        folders = self._shelf.folders
        answers = kept_answers()
        others, entries = list(answers), []
        for skin in skins:
            own = folders[skin.name].parent != BUNDLED
            about = answers_about(skin, answers, own=own)
            others = [one for one in others if one not in about]
            known = known_of(skin, about, own=own)
            entries.append(Entry(skin, folders[skin.name], own, known))
        entries.sort(key=lambda entry: (not entry.own, entry.name))
        if others:
            entries.append(Entry(None, data_folder(), own=False, known=others_of(others)))
        broken = tuple(map(str, self._shelf.broken))
        return SkinList(tuple(entries), broken, chosen, message, done)

    def rename(self, name: str, new: str, progress: Progress) -> SkinList:
        """Rename a skin."""
        from vision.skins import SkinError  # noqa: PLC0415
        from vision.skins.own_skins import rename_skin  # noqa: PLC0415

        try:
            rename_skin(name, new)
        except SkinError as error:
            return self.listed(name, str(error), progress)
        return self.listed(new, f"'{name}' was renamed to '{new}'.", progress, done=True)

    def delete(self, name: str, progress: Progress) -> SkinList:
        """Delete a skin of the user's."""
        from vision.skins import SkinError, forget_skin  # noqa: PLC0415

        try:
            folder = forget_skin(name)
        except SkinError as error:
            return self.listed(name, str(error), progress)
        return self.listed(None, f"Skin '{name}' deleted: {folder}", progress, done=True)

    def forget(
        self, name: str, forget: Callable[[], None], message: str, progress: Progress
    ) -> SkinList:
        """Forget a convention of a program; `message` is the success message."""
        try:
            forget()
        except ValueError as error:
            return self.listed(name, str(error), progress)
        return self.listed(name, message, progress, done=True)

    def export(self, entry: Entry, path: Path, progress: Progress) -> SkinList:
        """Write a skin as a zip."""
        from vision.skins import SkinError  # noqa: PLC0415
        from vision.skins.skin_zip import export_skin  # noqa: PLC0415

        path = path if path.suffix.lower() == ".zip" else path.with_name(f"{path.name}.zip")
        try:
            export_skin(entry.folder, path)
        except SkinError as error:
            return self.listed(entry.name, str(error), progress)
        message = f"'{entry.name}' saved to {path}"
        return replace(self.listed(entry.name, message, progress, done=True), saved=path)

    def take_in(
        self, path: Path, name: str | None, may_replace: bool, progress: Progress
    ) -> SkinList | NameTaken | Reserved:
        """Import the skin of a zip; with `name` None it keeps its own."""
        from vision.skins import SkinError  # noqa: PLC0415
        from vision.skins.own_skins import SkinReserved, SkinTaken  # noqa: PLC0415
        from vision.skins.skin_zip import import_skin  # noqa: PLC0415

        try:
            skin = import_skin(path, name=name, replace=may_replace)
        except SkinTaken as error:
            return NameTaken(error.name)
        except SkinReserved as error:
            return Reserved(path, error.name, error.free)
        except SkinError as error:
            return self.listed(None, str(error), progress)
        return self.listed(skin.name, f"Skin '{skin.name}' imported.", progress, done=True)

    def keep(
        self, skin_learner: SkinLearner, name: str, may_replace: bool, progress: Progress
    ) -> SkinList | NameTaken | str:
        """Save what a skin learner has learned; a returned text is the reason why not."""
        from vision.skins import STATES, SkinError  # noqa: PLC0415
        from vision.skins.own_skins import SkinTaken  # noqa: PLC0415

        try:
            learned = skin_learner.keep(name, replace=may_replace)
        except SkinTaken as error:
            return NameTaken(error.name)
        except SkinError as error:
            return str(error)
        codes = [STATES[state] for state in learned.missing]
        states = ", ".join(STATE_WORDS[code] for code in codes if code != OPENED)
        missing = (
            f" Not seen yet: {states}. They are learned when a game shows them." if states else ""
        )
        message = f"The skin '{name}' is saved: {learned.folder}.{missing}"
        return replace(self.listed(name, message, progress, done=True), saved=learned.folder)


def begin(
    shelf: Shelf,
    pictures: Iterable[Path | Frame],
    window: Window | None,
    skin_learner: SkinLearner | None,
    progress: Progress,
) -> Learned | str:
    """Learn from pictures, with a new skin learner or an existing one.

    Args:
        shelf: The skins.
        pictures: Files or pixels of one program.
        window: The program's, if it is on the screen.
        skin_learner: The existing one; None for a new one.
        progress: Receives the number of the picture.

    Returns:
        The state of the skin learner; a text is the reason why nothing could be learned.
    """
    from vision.capture import ImageError, load_image  # noqa: PLC0415
    from vision.finder import BoardNotFound  # noqa: PLC0415
    from vision.learning.skin_learner import SkinLearner  # noqa: PLC0415

    fresh = skin_learner is None
    skin_learner = skin_learner or SkinLearner(shelf.skins(), window=window)
    seen, message = 0, ""
    for picture in pictures:
        name = picture.name if isinstance(picture, Path) else ""
        progress.report(None, f"Learning from {name or 'the picture'}")
        try:
            skin_learner.show(load_image(picture) if isinstance(picture, Path) else picture)
            seen += 1
        except ImageError as error:
            message = str(error)
        except BoardNotFound as error:
            # Numbered names are not needed if the files have names.
            message = re.sub(r"^picture \d+", name or "The picture", str(error))
    if fresh and not seen:
        return message
    return replace(_so_far(skin_learner), message=message)


def correct(
    skin_learner: SkinLearner, kind: int, state: int, insist: bool, _progress: Progress
) -> Learned:
    """Apply the user's label for a cluster."""
    from vision.learning.questions import AnswerRefused  # noqa: PLC0415

    try:
        skin_learner.correct(kind, state, insist=insist)
    except AnswerRefused:
        return replace(_so_far(skin_learner), refused=(kind, state))
    return _so_far(skin_learner)


def confirm_all(skin_learner: SkinLearner, _progress: Progress) -> Learned:
    """Confirm all guesses; clusters without a guess stay open."""
    skin_learner.confirm()
    return _so_far(skin_learner)


def _so_far(skin_learner: SkinLearner) -> Learned:
    return Learned(skin_learner, skin_learner.kinds, skin_learner.name, skin_learner.missing)
