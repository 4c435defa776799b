"""The boards on the screen, each with the window that it is in, and the one that is meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from bot.frame import Frame, Grid, Region
from vision import windows
from vision.capture import Screen
from vision.finder import BoardNotFound, Sighting, survey
from vision.finding.strangers import find_strangers
from vision.learning.learner import Learner
from vision.skins import Skin
from vision.window import GAME_WORDS
from vision.windows import Window


class SeveralBoards(RuntimeError):
    """More than one board may be meant; the message lists them and says how to choose."""


@dataclass(frozen=True, eq=False)
class Target:
    """A board on the screen that can be played."""

    sighting: Sighting
    window: Window | None
    """None where the window system cannot be asked."""
    learner: Learner | None = None
    """Where its skin was never seen: what was learned of it so far."""

    @property
    def grid(self) -> Grid:
        """Where it is."""
        return self.sighting.grid

    @property
    def skin(self) -> Skin:
        """What it looks like."""
        return self.sighting.skin

    def called(self, name: str | int) -> bool:
        """Whether a window's id, or part of a title, class or skin's name, means this one."""
        if self.window is not None and window_called(self.window, name):
            return True
        return not isinstance(name, int) and name.casefold() in self.skin.name.casefold()

    def __str__(self) -> str:
        title = self.window.title if self.window else "the screen"
        number = f", window {self.window.id}" if self.window else ""
        grid = self.grid
        skin = "a skin never seen" if self.learner else self.skin.name
        return (
            f"'{title}' ({skin}, {grid.rows} rows and {grid.cols} columns at "
            f"({round(grid.left)}, {round(grid.top)}){number})"
        )


def survey_screen(screen: Screen, skins: Iterable[Skin]) -> tuple[list[Target], list[str]]:
    """The boards on the screen, and a remark for each that was seen but cannot be used.

    This program's own windows are left out. Boards of a skin never seen come last; a fresh
    one among them only where its window's title speaks for it: an empty table looks the same.
    """
    scene = _Scene.of(screen)
    targets, remarks = scene.known(skins)
    strangers, doubts = scene.strange(targets, _speaks)
    return [*targets, *strangers], remarks + doubts


def choose(
    screen: Screen, skins: Iterable[Skin], wanted: str | int | None, *, strangers: bool = True
) -> Target:
    """The one board on the screen that is meant; one of a known skin, where there is any.

    Where windows are called so, they are looked into first, and nothing else is if that will do.

    Args:
        screen: Captures.
        skins: Those that may be there.
        wanted: A window's id, or part of its title, class or skin's name.
        strangers: Whether a board of a skin never seen may be meant.

    Raises:
        BoardNotFound: There is none.
        SeveralBoards: There are more.
    """
    skins, whole = tuple(skins), _Scene.of(screen)
    for scene in (*whole.within(wanted), whole):
        targets, remarks = scene.known(skins)
        meant = [one for one in targets if wanted is None or one.called(wanted)]
        if not meant and strangers:
            unseen, doubts = scene.strange(
                targets, lambda target: wanted is not None or _speaks(target)
            )
            meant = [one for one in unseen if wanted is None or one.called(wanted)]
            remarks += doubts
        if meant:
            break
    else:
        others = scene.strange(targets, _speaks)[0] if strangers else []
        called = [one.title for one in whole.called(wanted)]
        raise BoardNotFound(_not_found(wanted, [*targets, *others], remarks, called))
    if len(meant) > 1:
        listed = "".join(f"\n  - {one}" for one in meant)
        raise SeveralBoards(
            f"{len(meant)} boards may be meant:{listed}\nsay which with --window and a part "
            "of its title, its skin or its number, or close the others"
        )
    return meant[0]


class _Scene:
    """One picture of the whole screen, and the windows on it."""

    def __init__(self, frame: Frame, shown: Sequence[Window]) -> None:
        self._frame = frame
        self._shown = shown
        self._hidden: list[Grid] = []
        """Boards that something lies over: told once, and not taken for strangers as well."""

    @classmethod
    def of(cls, screen: Screen) -> _Scene:
        """What the screen shows."""
        frame = screen.grab()
        shown = windows.list_windows()
        return cls(_without_own(frame, shown), shown)

    def within(self, wanted: str | int | None) -> list[_Scene]:
        """The same with nothing but the windows that are called so, where there are any."""
        parts = [
            part
            for window in self.called(wanted)
            if (part := _part(self._frame, window)) is not None
        ]
        if not parts:
            return []
        frame = self._frame
        image = np.zeros_like(frame.image)
        for part in parts:
            image[part] = frame.image[part]
        return [_Scene(Frame(image, frame.region, frame.time, frame.number), self._shown)]

    def called(self, wanted: str | int | None) -> list[Window]:
        """The windows that are called so, whatever they show."""
        if wanted is None:
            return []
        return [one for one in self._shown if not one.own and window_called(one, wanted)]

    def known(self, skins: Iterable[Skin]) -> tuple[list[Target], list[str]]:
        """The boards whose skin is known, and remarks on those that cannot be used."""
        sightings, remarks = survey(self._frame, skins)
        targets = [Target(one, _holding(self._shown, one.grid)) for one in sightings]
        return self._uncovered(targets, remarks)

    def strange(
        self, targets: Sequence[Target], trusted: Callable[[Target], bool]
    ) -> tuple[list[Target], list[str]]:
        """The boards whose skin was never seen; a fresh one has to be trusted."""
        strangers, remarks = [], []
        taken = [*(target.grid for target in targets), *self._hidden]
        for one in find_strangers(self._frame, taken):
            target = Target(one.sighting, _holding(self._shown, one.grid), one.learner)
            if not one.fresh or trusted(target):
                strangers.append(target)
            else:
                remarks.append(
                    f"{target} has equal cells, and may be a game that was not begun: name its "
                    "window, or open a cell of it"
                )
        return self._uncovered(strangers, remarks)

    def _uncovered(
        self, targets: Iterable[Target], remarks: list[str]
    ) -> tuple[list[Target], list[str]]:
        """Those that nothing lies over."""
        free = []
        for target in targets:
            cover = _covering(self._shown, target.window, target.grid)
            if cover is None:
                free.append(target)
            else:
                self._hidden.append(target.grid)
                kind = "board of an unknown skin" if target.learner else f"{target.skin.name} board"
                remarks.append(
                    f"a {kind} is seen, but '{cover.title}' lies over it or "
                    "at its very edge: move that away"
                )
        return free, remarks


def _speaks(target: Target) -> bool:
    """Whether the title or class of a board's window names the game."""
    window = target.window
    names = f"{window.title} {window.class_name}".casefold() if window else ""
    return any(word in names for word in GAME_WORDS)


def _without_own(frame: Frame, shown: Sequence[Window]) -> Frame:
    """The frame with this program's own windows painted out, as far as they can be seen."""
    if not any(window.own for window in shown):
        return frame
    image = frame.image.copy()
    for window in reversed(shown):
        part = _part(frame, window)
        if part is not None:
            image[part] = 0 if window.own else frame.image[part]
    return Frame(image, frame.region, frame.time, frame.number)


def _part(frame: Frame, window: Window) -> tuple[slice, slice] | None:
    """The rows and columns of a frame that show a window; None where none do."""
    seen = frame.region.intersection(window.region)
    return None if seen is None else frame.pixels(seen)


def window_called(window: Window, name: str | int) -> bool:
    """Whether its id, or part of its title or class, is meant."""
    if isinstance(name, int) or name == str(window.id):
        return window.id == int(name)
    return any(name.casefold() in one.casefold() for one in (window.title, window.class_name))


def _holding(shown: Sequence[Window], grid: Grid) -> Window | None:
    """The topmost window that a board lies in as a whole."""
    board = grid.region
    return next((window for window in shown if window.region.intersection(board) == board), None)


def _covering(shown: Sequence[Window], window: Window | None, grid: Grid) -> Window | None:
    """A window above the board's that reaches within a cell of the board.

    It may hide more rows or columns exactly.
    """
    if window is None:
        return None
    reach_x, reach_y = round(grid.pitch_x), round(grid.pitch_y)
    board = grid.region
    near = Region(
        board.left - reach_x,
        board.top - reach_y,
        board.width + 2 * reach_x,
        board.height + 2 * reach_y,
    )
    above = shown[: list(shown).index(window)]
    return next((other for other in above if other.region.intersection(near)), None)


def _not_found(
    wanted: str | int | None, targets: Sequence[Target], remarks: list[str], called: list[str]
) -> str:
    seen = "; ".join(remarks)
    if wanted is not None and targets:
        listed = "; ".join(map(str, targets))
        return f"no board is called {wanted!r}{seen and f' ({seen})'}. There is: {listed}"
    if called and not seen:
        return (
            f"the window {called[0]!r} shows no Minesweeper board: begin a game in it, uncovered "
            "and not paused, and start again"
        )
    asked = "" if wanted is None else f", and none is called {wanted!r}"
    if seen:
        return f"no board on the screen can be played{asked}: {seen}"
    return (
        f"no Minesweeper board is on the screen{asked}: open the game, bring "
        "it to the front, uncovered, and start again"
    )
