"""The boards on the screen, each with the window that it is in, and the one that is meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.frame import Frame, Grid, Region
from vision import windows
from vision.capture import Screen
from vision.finder import BoardNotFound, Sighting, survey
from vision.skins import Skin
from vision.windows import Window


class SeveralBoards(RuntimeError):
    """More than one board may be meant; the message lists them and says how to choose."""


@dataclass(frozen=True, eq=False)
class Target:
    """A board on the screen that can be played."""

    sighting: Sighting
    window: Window | None
    """None where the window system cannot be asked."""

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
        if isinstance(name, int):
            return self.window is not None and self.window.id == name
        names = [self.skin.name]
        if self.window is not None:
            if name == str(self.window.id):
                return True
            names += [self.window.title, self.window.class_name]
        return any(name.casefold() in one.casefold() for one in names)

    def __str__(self) -> str:
        title = self.window.title if self.window else "the screen"
        number = f", window {self.window.id}" if self.window else ""
        grid = self.grid
        return (
            f"'{title}' ({self.skin.name}, {grid.rows} rows and {grid.cols} columns at "
            f"({round(grid.left)}, {round(grid.top)}){number})"
        )


def survey_screen(screen: Screen, skins: Iterable[Skin]) -> tuple[list[Target], list[str]]:
    """The boards on the screen, and a remark for each that was seen but cannot be used.

    This program's own windows are left out.
    """
    frame = screen.grab()
    shown = windows.list_windows()
    frame = _without_own(frame, shown)
    sightings, remarks = survey(frame, skins)
    targets = []
    for sighting in sightings:
        window = _holding(shown, sighting.grid)
        cover = _covering(shown, window, sighting.grid)
        if cover is None:
            targets.append(Target(sighting, window))
        else:
            remarks.append(
                f"a {sighting.skin.name} board is seen, but '{cover.title}' lies over it or "
                "at its very edge: move that away"
            )
    return targets, remarks


def choose(screen: Screen, skins: Iterable[Skin], wanted: str | int | None) -> Target:
    """The one board on the screen that is meant.

    Args:
        screen: Captures.
        skins: Those that may be there.
        wanted: A window's id, or part of its title, class or skin's name.

    Raises:
        BoardNotFound: There is none.
        SeveralBoards: There are more.
    """
    targets, remarks = survey_screen(screen, skins)
    meant = [one for one in targets if wanted is None or one.called(wanted)]
    if not meant:
        raise BoardNotFound(_not_found(wanted, targets, remarks))
    if len(meant) > 1:
        listed = "".join(f"\n  - {one}" for one in meant)
        raise SeveralBoards(
            f"{len(meant)} boards may be meant:{listed}\nsay which with --window and a part "
            "of its title, its skin or its number, or close the others"
        )
    return meant[0]


def _without_own(frame: Frame, shown: Sequence[Window]) -> Frame:
    """The frame with this program's own windows painted out, as far as they can be seen."""
    if not any(window.own for window in shown):
        return frame
    image = frame.image.copy()
    for window in reversed(shown):
        seen = frame.region.intersection(window.region)
        if seen is not None:
            left, top = seen.left - frame.region.left, seen.top - frame.region.top
            part = slice(top, top + seen.height), slice(left, left + seen.width)
            image[part] = 0 if window.own else frame.image[part]
    return Frame(image, frame.region, frame.time, frame.number)


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


def _not_found(wanted: str | int | None, targets: Sequence[Target], remarks: list[str]) -> str:
    seen = f" ({'; '.join(remarks)})" if remarks else ""
    if targets:
        listed = "; ".join(map(str, targets))
        return f"no board is called {wanted!r}{seen}. There is: {listed}"
    asked = "" if wanted is None else f", so none that is called {wanted!r}"
    return (
        f"no Minesweeper board of a known skin is on the screen{seen}{asked}: open the game, bring "
        "it to the front, uncovered, and start again"
    )
