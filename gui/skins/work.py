"""What the page of skins does beside the main thread: read, write, learn."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot.frame import Frame
from gui.panel.jobs import Progress
from gui.settings import data_folder

if TYPE_CHECKING:
    # Loading the eye takes a moment: the page is there before it is.
    from gui.skins.conventions import Known
    from vision.desktop import Window
    from vision.learning.course import Course
    from vision.learning.result import Kind
    from vision.skins import Skin, SkinShelf


OTHERS: Final = "Programs without a skin"


@dataclass(frozen=True, eq=False)
class Entry:
    """A skin as the page lists it."""

    skin: Skin | None
    """None for the programs that have no skin, about which the user answered something."""
    folder: Path
    own: bool
    """Whether it is the user's: then it may be renamed and deleted."""
    known: tuple[Known, ...] = ()
    """What is known of the program beside its pictures."""

    @property
    def name(self) -> str:
        """The skin's."""
        return OTHERS if self.skin is None else self.skin.name


@dataclass(frozen=True, eq=False)
class Shelved:
    """The skins there are."""

    entries: tuple[Entry, ...]
    """The user's own first."""
    broken: tuple[str, ...]
    """Why others are left out."""
    chosen: str | None = None
    """The one to show."""
    told: str = ""
    """What was done, or why it was not; empty where there is nothing to say."""
    done: bool = False
    """Whether it was done."""


@dataclass(frozen=True, eq=False)
class Taken:
    """A skin of the user's has that name: it is replaced only if they say so."""

    name: str


@dataclass(frozen=True, eq=False)
class Reserved:
    """One of our skins has the name of the one in a zip: it needs another one."""

    path: Path
    name: str
    free: str
    """Proposed."""


@dataclass(frozen=True, eq=False)
class Learned:
    """How far a course is."""

    course: Course
    kinds: tuple[Kind, ...]
    name: str
    missing: tuple[str, ...]
    """What is needed before the skin can be kept."""
    refused: tuple[int, int] | None = None
    """A kind and the answer that cannot be."""
    told: str = ""
    """Why a picture was of no use."""


class Shelf:
    """The skins on the disk."""

    def __init__(self) -> None:
        self._shelf: SkinShelf | None = None
        self._reading = threading.Lock()

    def skins(self) -> tuple[Skin, ...]:
        """All that can be used; only what has changed is read."""
        from vision.skins import SkinShelf  # noqa: PLC0415

        with self._reading:
            if self._shelf is None:
                self._shelf = SkinShelf()
            return self._shelf.skins()

    def listed(
        self, chosen: str | None, told: str, progress: Progress, *, done: bool = False
    ) -> Shelved:
        """Read what has changed.

        Args:
            chosen: The skin to show.
            told: What the user is to be told.
            progress: Of the job.
            done: Whether that is something that was done.
        """
        from gui.kept import kept_answers  # noqa: PLC0415
        from gui.skins.conventions import answers_about, known_of, others_of  # noqa: PLC0415
        from vision.skins import BUNDLED  # noqa: PLC0415

        progress.tell(None, "Reading the skins")
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
        return Shelved(tuple(entries), broken, chosen, told, done)

    def rename(self, name: str, new: str, progress: Progress) -> Shelved:
        """Call a skin otherwise."""
        from vision.ownskins import rename_skin  # noqa: PLC0415
        from vision.skins import SkinError  # noqa: PLC0415

        try:
            rename_skin(name, new)
        except SkinError as error:
            return self.listed(name, str(error), progress)
        return self.listed(new, f"'{name}' is called '{new}' from now on.", progress, done=True)

    def delete(self, name: str, progress: Progress) -> Shelved:
        """Delete a skin of the user's."""
        from vision.skins import SkinError, forget_skin  # noqa: PLC0415

        try:
            folder = forget_skin(name)
        except SkinError as error:
            return self.listed(name, str(error), progress)
        return self.listed(None, f"The skin '{name}' is deleted: {folder}", progress, done=True)

    def change(
        self, name: str, change: Callable[[], None], told: str, progress: Progress
    ) -> Shelved:
        """Change or forget something that is known of a program; `told` says that it was done."""
        try:
            change()
        except ValueError as error:
            return self.listed(name, str(error), progress)
        return self.listed(name, told, progress, done=True)

    def export(self, entry: Entry, path: Path, progress: Progress) -> Shelved:
        """Write a skin as a zip."""
        from vision.skins import SkinError  # noqa: PLC0415
        from vision.skinzip import export_skin  # noqa: PLC0415

        path = path if path.suffix.lower() == ".zip" else path.with_name(f"{path.name}.zip")
        try:
            export_skin(entry.folder, path)
        except SkinError as error:
            return self.listed(entry.name, str(error), progress)
        told = f"'{entry.name}' is saved: {path}"
        return self.listed(entry.name, told, progress, done=True)

    def take_in(
        self, path: Path, name: str | None, may_replace: bool, progress: Progress
    ) -> Shelved | Taken | Reserved:
        """Keep the skin of a zip; `name` None leaves it its own."""
        from vision.ownskins import SkinReserved, SkinTaken  # noqa: PLC0415
        from vision.skins import SkinError  # noqa: PLC0415
        from vision.skinzip import import_skin  # noqa: PLC0415

        try:
            skin = import_skin(path, name=name, replace=may_replace)
        except SkinTaken as error:
            return Taken(error.name)
        except SkinReserved as error:
            return Reserved(path, error.name, error.free)
        except SkinError as error:
            return self.listed(None, str(error), progress)
        return self.listed(skin.name, f"The skin '{skin.name}' is imported.", progress, done=True)

    def keep(
        self, course: Course, name: str, may_replace: bool, progress: Progress
    ) -> Shelved | Taken | str:
        """Keep what a course has learned; a text says why it cannot be."""
        from vision.ownskins import SkinTaken  # noqa: PLC0415
        from vision.skins import SkinError  # noqa: PLC0415

        try:
            taught = course.keep(name, replace=may_replace)
        except SkinTaken as error:
            return Taken(error.name)
        except SkinError as error:
            return str(error)
        missing = f" Not met so far: {', '.join(taught.missing)}." if taught.missing else ""
        told = f"The skin '{name}' is saved: {taught.folder}.{missing}"
        return self.listed(name, told, progress, done=not missing)


def begin(
    shelf: Shelf,
    pictures: Iterable[Path | Frame],
    window: Window | None,
    course: Course | None,
    progress: Progress,
) -> Learned | str:
    """Learn from pictures, in a new course or in one that has begun.

    Args:
        shelf: Knows the skins there are.
        pictures: Of one program, files or pixels.
        window: The program's, if it is on the screen.
        course: That has begun; None for a new one.
        progress: Told which picture it is.

    Returns:
        How far it is; a text says why nothing could be learned at all.
    """
    from vision.capture import ImageError, load_image  # noqa: PLC0415
    from vision.finder import BoardNotFound  # noqa: PLC0415
    from vision.learning.course import Course  # noqa: PLC0415

    fresh = course is None
    course = course or Course(shelf.skins(), window=window)
    seen, told = 0, ""
    for picture in pictures:
        name = picture.name if isinstance(picture, Path) else "the picture"
        progress.tell(None, f"Learning from {name}")
        try:
            course.show(load_image(picture) if isinstance(picture, Path) else picture)
            seen += 1
        except ImageError as error:
            told = str(error)
        except BoardNotFound as error:
            # Whoever has names for them does not count pictures.
            told = re.sub(r"^picture \d+ ", f"{name} ", str(error))
    if fresh and not seen:
        return told
    return replace(_so_far(course), told=told)


def correct(course: Course, kind: int, state: int, insist: bool, _progress: Progress) -> Learned:
    """Take the user's word for a kind."""
    from vision.learning.result import AnswerRefused  # noqa: PLC0415

    try:
        course.correct(kind, state, insist=insist)
    except AnswerRefused:
        return replace(_so_far(course), refused=(kind, state))
    return _so_far(course)


def confirm_all(course: Course, _progress: Progress) -> Learned:
    """Take all guesses as they are; what was not guessed stays open."""
    course.confirm()
    return _so_far(course)


def _so_far(course: Course) -> Learned:
    return Learned(course, course.kinds, course.name, course.missing)
