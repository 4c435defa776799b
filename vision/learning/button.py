"""Find buttons near a board that may start the next game: in many programs a face, or a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.frame import Frame, Grid, Region
from vision.captions import are_illegible, menu_rank, says_aside, says_level, says_new_game
from vision.counters import read_counter, stroke_beside
from vision.counters.numbers import numbers
from vision.skins import Face
from vision.text import Line, lines, text_places

EDGES: Final = (20, 60)
"""Thresholds of `cv2.Canny`, in grey levels."""
_NUMBER: Final = re.compile(r"(?<!\S)\d+(?!\S)")
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
_FRAME: Final = (0, 0, 255)
_PAPER: Final = (255, 255, 255)


@dataclass(frozen=True)
class ButtonLimits:
    """When an outline is a button; `tests/vision/learning/test_button.py` has examples."""

    least: float = 0.8
    """Least side of a button, in pitches."""
    least_points: float = 20.0
    """The same in points if that is less: the cells may be large."""
    high: float = 3.0
    """Greatest height of a button, in pitches."""
    wide: float = 8.0
    """Greatest width of a button, in pitches."""
    in_dialog: float = 0.6
    """Factor on the least side for a button in a dialog, as Chromium's has 19 pixels; and for a
    face in the middle above the board, which may have no frame."""
    square: float = 1.35
    """Largest aspect ratio of a face."""
    round: tuple[float, float] = (0.7, 0.86)
    """Part of its bounding box that a round figure fills; a circle fills 0.79."""
    filled: float = 0.8
    """Part of its bounding box that the outline of a wide button encloses: letters enclose less."""
    letter: float = 0.5
    """Greatest height of letters, as a share of a button's height; a face in a panel is higher."""
    trim: float = 0.25
    """Part of a button's height that its frame may take at each side."""
    label: float = 0.8
    """Largest height of a label as a share of its button's."""
    border: float = 0.15
    """Part of a square button's height that its edge may take at each side."""
    cross_near: float = 0.1
    """Distance from a cross's diagonals up to which there is ink, as a share of half its side."""
    cross_far: float = 0.5
    """The same, from which there is none."""
    cross_ink: float = 0.8
    """Least share of the near pixels with ink, and of the far ones without."""
    smallest_cross: int = 5
    """Least side of a cross in pixels."""


@dataclass(frozen=True)
class PlaceLimits:
    """Where a button may stand; lengths in pitches unless said otherwise."""

    text_reach: float = 12.0
    """Greatest distance between the board and a text that says 'New game'."""
    below: float = 4.0
    """The same below the board of a page, in which anything may follow."""
    aside: float = 0.35
    """Greatest distance between the centres of the board and a centred button."""
    gap: float = 2.0
    """Greatest distance between a button and the board: the game's header ends there."""
    header: float = 20.0
    """Width of a counter, a clock and a text button next to each other, with small cells."""
    row: float = 0.25
    """Share of a button's height, above and below it: numbers within it are in the button's row."""
    tried: int = 3
    """Most square buttons that may be tried: more of them are a tool bar."""
    alike: float = 0.7
    """Least height of such a button as a share of the highest one's."""
    line_levels: int = 6
    """Difference of two rows of pixels at the end of a bar, in levels of a colour channel. Chromium
    draws lines of 16 levels or more across the whole window."""
    line_columns: float = 0.95
    """Least share of columns with that difference."""
    close: float = 3.0
    """Greatest distance of the button that closes a window in a page from above the board's end."""
    bar: float = 2.0
    """Greatest distance of a menu bar's first title from the window's left and upper edges, as a
    share of its height."""


BUTTON: Final = ButtonLimits()
PLACE: Final = PlaceLimits()


class Button(NamedTuple):
    """A region near a board that looks like a button."""

    face: Face
    likely: bool
    """Whether it may be tried without asking the user."""


def buttons_near(
    frame: Frame, grid: Grid, *, own_bars: bool, mines: int | None = None
) -> list[Button]:
    """Return the button candidates in the rows above and below a board, the likeliest first.

    Candidates are at most a few cells from the board, and are no counters; beside the board, and
    farther off, only a text that says 'New game' counts, and a round face far above. Such a text is
    the likeliest at any position; one that says something else, as 'Hint', is not likely. Below the
    board, any other candidate is likely only if it is a square in the middle: a text there may be
    'Quit'. A candidate that extends sideways beyond the board is likely only beside a number: the
    header of a small board is wider.

    Args:
        frame: The whole width of the window's contents, and the areas above and below the board.
        grid: The board's grid.
        own_bars: Whether the program draws bars of its own into the window (a browser's tool bar, a
            title bar with a close button). Then nothing beyond the first line that crosses the
            whole window is likely, as it may be such a bar or the page's header, and nothing but a
            text is returned; and nothing but a text near the board is likely below it: in a page
            anything may follow, such as sharing icons and advertisements.
        mines: On the board, if known: its level's label, as '40 mines' or 'Easy', begins a game,
            too.
    """
    region, scale, height = frame.region, frame.scale, frame.image.shape[0]
    pitch = min(grid.pitch_x, grid.pitch_y) * scale
    left = (grid.left - region.left) * scale
    sides = left, left + grid.cols * grid.pitch_x * scale
    top, bottom = (round((y - region.top) * scale) for y in (grid.top, grid.region.bottom))
    found: list[tuple[Region, bool]] = []
    counts: list[Region] = []
    for boxes, most in zip(
        _near(frame.image[: max(top, 0)], sides, pitch, scale, own_bars),
        (PLACE.tried, 1),
        strict=True,
    ):
        others = [box for box in boxes if not _counts(frame.image, box)]
        counts += [box for box in boxes if box not in others]
        near = [
            box
            for box in others
            if _over(box, *sides, pitch) or _beside_number(frame.image, box, sides, pitch)
        ]
        many = len(near) > most
        tried = _face_in_bar(frame.image, near, sides, pitch, own_bars) if many else near
        found += [(box, box in tried) for box in others]
    above = frame.image[: max(top, 0)]
    seen = counts or _numbers_above(above, sides, pitch)
    face, sure = _between(above, seen, sides, pitch, scale), True
    if face is None and not any(likely and _is_square(box) for box, likely in found):
        face, sure = _round_face(above, sides, pitch), not own_bars
    if face is not None and not any(box.intersection(face) for box, _ in found):
        found.append((face, sure))
    # The area below the board is treated like the area above, upside down.
    squares, wides = _near(frame.image[min(bottom, height) :][::-1], sides, pitch, scale, own_bars)
    centred = [box for box in squares if _centred(box, *sides, pitch)]
    tried = centred if len(centred) == 1 and not own_bars else []
    for box in squares + wides:
        turned = Region(box.left, height - box.bottom, box.width, box.height)
        if not _counts(frame.image, turned):
            found.append((turned, box in tried))
    # A text that says so may stand farther off, but not in a bar of the program's own.
    begin = max(top - round(PLACE.text_reach * pitch), 0)
    end = min(bottom + round((PLACE.below if own_bars else PLACE.text_reach) * pitch), height)
    named: dict[Region, bool] = {}
    """Buttons by their texts, and whether the text is only a level."""
    aside: set[Region] = set()
    """Buttons whose texts say something else, and those of a title bar."""
    texts = [line.moved(0, begin) for line in lines(np.ascontiguousarray(frame.image[begin:end]))]
    first = _bars_end(frame.image[: max(top, 0)], texts, mines) if own_bars else 0
    for line in _whole(texts, frame.image.shape[1]):
        there = line.region
        if there.top < first:
            if says_new_game(line.text):
                found.append((there, False))
            continue
        if says_aside(line.text):
            # A letter may have been taken for a button.
            aside |= {box for box, _ in found if box.intersection(there)}
        starts = says_new_game(line.text)
        named_so = starts or says_level(line.text, (grid.rows, grid.cols), mines)
        if named_so and (there.top < bottom or not own_bars or _over(there, *sides, pitch)):
            around = [box for box, _ in found if _holds(box, there)]
            found += [] if around else [(there, True)]
            named |= dict.fromkeys(around or [there], not starts)
    if own_bars:
        aside |= _window_buttons(frame.image, [box for box, _ in found], sides, pitch)
    return [
        Button(face_at(frame.region_of(box), grid), (likely and box not in aside) or box in named)
        for box, likely in sorted(
            found, key=lambda one: (one[0] not in named, named.get(one[0], False))
        )
    ]


def menus_above(frame: Frame, grid: Grid, *, in_page: bool = False) -> list[Region]:
    """Return the titles of menus above a board that may start a game, in points, likeliest first.

    If none of them is known, it is the first one of a menu bar in letters that cannot be read.

    Args:
        frame: The window's contents.
        grid: The board's grid.
        in_page: Whether that is a page. Then only a window that it draws around the board has
            menus, below its title bar: elsewhere such a text may be a link.
    """
    height = round((grid.top - frame.region.top) * frame.scale)
    if height < 1:
        return []
    above = np.ascontiguousarray(frame.image[:height])
    found = []
    if in_page:
        left = (grid.left - frame.region.left) * frame.scale
        right = left + grid.cols * grid.pitch_x * frame.scale
        bar = _title_bar_end(above, (left, right), min(grid.pitch_x, grid.pitch_y), frame.scale)
        if bar is None:
            return []
        below = [
            line
            for line in lines(above)
            if bar <= line.region.top and left <= line.region.center.x < right
        ]
        # The first text below it is the menu bar.
        row = min((line.region.bottom for line in below), default=0)
        first = (line for line in below if line.region.top < row)
        read = sorted(first, key=lambda line: line.region.left)[:1]
    else:
        read = lines(above)
    for line in read:
        for word in line.words[: 1 if in_page else None]:
            rank = menu_rank(word.text)
            if rank is not None:
                left, right = round(word.left), round(word.right)
                place = line.region._replace(left=left, width=max(right - left, 1))
                found.append((rank, place))
    places = [place for _, place in sorted(found)] or [
        place
        for place in text_rows(above)[: 0 if in_page else 1]
        if max(place.left, place.top) <= PLACE.bar * place.height
        and are_illegible(line for line in read if line.region.intersection(place))
    ]
    return [frame.region_of(place) for place in places]


def text_rows(image: NDArray[np.uint8]) -> list[Region]:
    """Return where the rows of text in a picture begin, in pixels, from the top."""
    rows: list[Region] = []
    for box in sorted(text_places(image), key=lambda box: box.left):
        if not any(box.top < row.bottom and row.top < box.bottom for row in rows):
            rows.append(box)
    return sorted(rows, key=lambda row: row.top)


def changed_below(frame: Frame, before: Frame, place: Region) -> Region | None:
    """Return the part of a picture below a region that has changed, in points; None if nothing has.

    Args:
        frame: The picture.
        before: The one before, of the same region of the screen.
        place: The region, in points.
    """
    if frame.image.shape != before.image.shape or frame.region != before.region:
        return None
    below = frame.pixels(place)[0].stop
    changed = np.abs(frame.image[below:].astype(np.int16) - before.image[below:]).max(axis=2) > 0
    if not changed.any():
        return None
    rows, cols = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    left, top = int(cols[0]), int(rows[0]) + below
    box = Region(left, top, int(cols[-1]) + 1 - left, int(rows[-1]) + 1 + below - top)
    return frame.region_of(box)


def _whole(texts: Iterable[Line], width: int) -> list[Line]:
    """Return the texts that do not touch a side of a picture, beyond which they may go on."""
    return [line for line in texts if line.region.left > 1 and line.region.right < width - 1]


def _near(
    strip: NDArray[np.uint8], sides: tuple[float, float], pitch: float, scale: float, own_bars: bool
) -> tuple[list[Region], list[Region]]:
    """Return the squares and wide boxes near a board in the strip above it, the likeliest first.

    `pitch` is in pixels. With `own_bars`, nothing beyond a line across the strip counts.
    """
    bottom = len(strip)
    top = max(0, bottom - round((PLACE.gap + BUTTON.high) * pitch))
    if own_bars:
        top = max(top, _last_line(strip))
    if bottom - top < _least(pitch, scale):
        return [], []
    left, right = sides
    aside, least = _header_reach(left, right, pitch), _least(pitch, scale)
    squares, wides = (
        [
            Region(box.left, box.top + top, box.width, box.height)
            for box in boxes
            if (box.height >= least or (_is_square(box) and _centred(box, left, right, pitch)))
            and left - aside <= box.left
            and box.right <= right + aside
            and bottom - top - box.bottom <= PLACE.gap * pitch
        ]
        for boxes in _outlined(strip[top:], pitch, scale)
    )
    squares.sort(key=lambda box: (not _centred(box, left, right, pitch), -box.width * box.height))
    return squares, wides


def buttons_in(frame: Frame, pitch: float) -> list[Region]:
    """Return the button candidates in the picture of a dialog, in points, the lowest first.

    `pitch` is that of the game's cells, in points: buttons have about that height.
    """
    squares, wides = _outlined(frame.image, pitch * frame.scale, frame.scale, filled=True)
    found = [frame.region_of(box) for box in squares + wides]
    return sorted(found, key=lambda box: (-box.bottom, box.left))


def texts_in(frame: Frame, pitch: float) -> list[Line]:
    """Return the lines of text in the picture of a dialog, in its pixels; `pitch` as above."""
    image = frame.image
    found = lines(image)
    squares, wides = _outlined(image, pitch * frame.scale, frame.scale, filled=True)
    for box in squares + wides:
        # A thick frame is taken for a part of the text within it.
        if not any(
            box.contains(line.region.center) and line.region.height <= BUTTON.label * box.height
            for line in found
        ):
            trim = round(BUTTON.trim * box.height)
            top, left = box.top + trim, box.left + trim
            inner = image[top : box.bottom - trim, left : box.right - trim]
            again = [line.moved(left, top) for line in lines(np.ascontiguousarray(inner))]
            if again:
                found = [line for line in found if not box.contains(line.region.center)] + again
    return found


def face_at(place: Region, grid: Grid) -> Face:
    """Return a position (points) beside a board as a `Face`, relative to its alignment."""
    width = grid.cols * grid.pitch_x
    middle = place.left + place.width / 2 - grid.left
    down = place.top + place.height / 2 - grid.top
    height = grid.rows * grid.pitch_y
    # On a board of another size, a button keeps its alignment: centre, left or right.
    if abs(middle - width / 2) <= PLACE.aside * grid.pitch_x:
        across, side = 0.5, ""
    else:
        across, side = (0.0, "-left") if middle < width / 2 else (1.0, "-right")
    below = down > height
    return Face(
        anchor=f"{'bottom' if below else 'top'}{side}",  # type: ignore[arg-type]  # one of six
        x=(middle - across * width) / grid.pitch_x,
        y=(down - height if below else down) / grid.pitch_y,
        width=place.width / grid.pitch_x,
        height=place.height / grid.pitch_y,
    )


def numbered(picture: NDArray[np.uint8], buttons: Iterable[Region]) -> NDArray[np.uint8]:
    """Return a picture with a frame and a number, from 1, at each button; positions in pixels."""
    drawn = picture.copy()
    for number, box in enumerate(buttons, start=1):
        corner, opposite = (box.left - 2, box.top - 2), (box.right + 1, box.bottom + 1)
        cv2.rectangle(drawn, corner, opposite, _FRAME, 2)
        place = box.left, max(box.top - 5, 10)
        for color, thick in ((_PAPER, 4), (_FRAME, 1)):
            cv2.putText(drawn, str(number), place, _FONT, 0.5, color, thick, cv2.LINE_AA)
    return drawn


def _counts(image: NDArray[np.uint8], box: Region) -> bool:
    """Return whether a box contains only a number, which is the mine counter or the clock."""
    return read_counter(_cut(image, box)) is not None


def _window_buttons(
    image: NDArray[np.uint8], boxes: Sequence[Region], sides: tuple[float, float], pitch: float
) -> set[Region]:
    """Return the boxes in the title bar of a window that a page draws, in pixels.

    The one that closes it shows a cross, and all others are at its left.
    """
    closing = [box for box in boxes if _closes(image, box, sides, pitch)]
    return {
        box
        for box in boxes
        for close in closing
        if abs(box.center.y - close.center.y) < close.height / 2 and box.left <= close.left
    }


def _title_bar_end(
    above: NDArray[np.uint8], sides: tuple[float, float], pitch: float, scale: float
) -> int | None:
    """Return where the title bar ends of a window that a page draws around its board, in pixels."""
    squares, _ = _near(above, sides, pitch * scale, scale, own_bars=True)
    ends = [box.bottom for box in squares if _closes(above, box, sides, pitch * scale)]
    return max(ends, default=None)


def _closes(
    image: NDArray[np.uint8], box: Region, sides: tuple[float, float], pitch: float
) -> bool:
    """Return whether a box closes a window that a page draws: a cross above the board's end."""
    at_end = abs(box.center.x - sides[1]) <= PLACE.close * pitch
    return at_end and _is_square(box) and _shows_cross(image, box)


def _shows_cross(image: NDArray[np.uint8], box: Region) -> bool:
    """Return whether a box contains nothing but two diagonal strokes."""
    trim = round(BUTTON.border * box.height)
    inner = _cut(image, box)[trim:-trim, trim:-trim].astype(np.int16)
    if not inner.size:
        return False
    rim = np.concatenate([inner[0], inner[-1], inner[:, 0], inner[:, -1]])
    apart = np.abs(inner - np.median(rim, axis=0)).max(axis=2)
    ink = apart > max(apart.max() / 2, EDGES[1])
    rows, cols = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if min(len(rows), len(cols)) < BUTTON.smallest_cross:
        return False
    if ink[[0, -1]].any() or ink[:, [0, -1]].any():
        # The outline of the cross itself was taken for a button.
        return False
    drawn = ink[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    if not _is_square(Region(0, 0, drawn.shape[1], drawn.shape[0])):
        return False
    down, across = (np.linspace(-1, 1, size) for size in drawn.shape)
    # The distance of each pixel from the nearest diagonal, as a share of half a side.
    off = np.abs(np.abs(down)[:, None] - np.abs(across)[None])
    # A thin stroke is a pixel wide.
    near = min(BUTTON.cross_near, 1 / max(drawn.shape))
    on, beside = drawn[off <= near], drawn[off >= BUTTON.cross_far]
    return bool(on.mean() >= BUTTON.cross_ink and beside.mean() <= 1 - BUTTON.cross_ink)


def _cut(image: NDArray[np.uint8], box: Region) -> NDArray[np.uint8]:
    return image[box.top : box.bottom, box.left : box.right]


def _numbers_above(
    above: NDArray[np.uint8], sides: tuple[float, float], pitch: float
) -> list[Region]:
    """Return the numbers above a board that have no frame, in pixels."""
    left, right = max(0, round(sides[0] - pitch)), round(sides[1] + pitch)
    top = max(0, len(above) - round((PLACE.gap + BUTTON.high) * pitch))
    strip = Region(left, top, right - left, len(above) - top)
    return _numbers_in(above, strip, stroke_beside(pitch))


def _numbers_in(image: NDArray[np.uint8], box: Region, stroke: int) -> list[Region]:
    """Return the numbers in a part of a picture, in pixels."""
    part = np.ascontiguousarray(image[box.top : box.bottom, box.left : box.right])
    return [
        Region(one.left + box.left, one.top + box.top, one.right - one.left, one.height)
        for one in numbers(part, stroke)
    ]


def _face_in_bar(
    image: NDArray[np.uint8],
    boxes: list[Region],
    sides: tuple[float, float],
    pitch: float,
    own_bars: bool,
) -> list[Region]:
    """Return the box that may be tried of many above a board, which may be a tool bar."""
    squares = [box for box in boxes if _is_square(box)]
    # In a window of its own, a square in the middle above the board is the face.
    middle = [box for box in squares if _centred(box, *sides, pitch)]
    if len(middle) == 1 and not own_bars:
        return middle
    # Beside numbers, letters and icons are smaller than a button.
    high = max((box.height for box in squares), default=0)
    large = [box for box in squares if box.height >= PLACE.alike * high]
    return large if len(large) == 1 and _beside_number(image, large[0], sides, pitch) else []


def _between(
    above: NDArray[np.uint8],
    counts: list[Region],
    sides: tuple[float, float],
    pitch: float,
    scale: float,
) -> Region | None:
    """Return the face between the counter and the clock, or the middle, where it may be unframed.

    It may be farther from the board than other buttons.
    """
    middle = sum(sides) / 2
    left = [box for box in counts if box.right < middle]
    right = [box for box in counts if box.left > middle]
    if len(left) != 1 or len(right) != 1:
        return None
    (one,), (other,) = left, right
    top, side = max(one.top, other.top), min(one.height, other.height)
    if abs(one.top - other.top) > side / 2 or other.left - one.right < side:
        return None
    begin = max(0, top - side)
    squares, _ = _outlined(above[begin : top + 2 * side], pitch, scale)
    faces = [
        Region(box.left, box.top + begin, box.width, box.height)
        for box in squares
        if _centred(box, *sides, pitch) and one.right <= box.left and box.right <= other.left
    ]
    faces = [box for box in faces if box.top < top + side and box.bottom > top]
    if len(faces) == 1:
        return faces[0]
    return Region((one.right + other.left - side) // 2, top, side, side)


def _round_face(
    above: NDArray[np.uint8], sides: tuple[float, float], pitch: float
) -> Region | None:
    """Return the only round figure in the middle above a board, as a character may be the face.

    It may be farther off than other buttons, and is no letter.
    """
    top = max(0, len(above) - round(PLACE.text_reach * pitch))
    found = []
    for outline in _outlines(above[top:]) if top < len(above) else ():
        box = Region(*cv2.boundingRect(outline))
        full = cv2.contourArea(cv2.convexHull(outline)) / (box.width * box.height)
        size = BUTTON.in_dialog * pitch <= box.height <= BUTTON.high * pitch
        if size and BUTTON.round[0] <= full <= BUTTON.round[1] and _is_square(box):
            found.append(box.moved(0, top))
    faces = [box for box in _outermost(found) if _centred(box, *sides, pitch)]
    if len(faces) != 1:
        return None
    (face,) = faces
    # A face alone may be read as a letter.
    beside = above[face.top : face.bottom, max(0, face.left - face.width) : face.right + face.width]
    words = [line for line in lines(np.ascontiguousarray(beside)) if not _is_square(line.region)]
    return None if words else face


def _outlines(image: NDArray[np.uint8]) -> Sequence[NDArray[np.int32]]:
    edges = cv2.Canny(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), *EDGES)
    return cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]  # type: ignore[return-value]


def _over(box: Region, left: float, right: float, pitch: float) -> bool:
    return left - pitch <= box.left and box.right <= right + pitch


def _header_reach(left: float, right: float, pitch: float) -> float:
    """Return how far sideways a board's header may extend: a small board's header is wider."""
    return max(pitch, (PLACE.header * pitch - (right - left)) / 2)


def _beside_number(
    image: NDArray[np.uint8], box: Region, sides: tuple[float, float], pitch: float
) -> bool:
    """Return whether a number is in the row of a box: then it is the row of the counters."""
    reach, aside = round(PLACE.row * box.height), _header_reach(*sides, pitch)
    begin, end = max(0, round(sides[0] - aside)), round(sides[1] + aside)
    row = image[max(0, box.top - reach) : box.bottom + reach, begin:end]
    return bool(numbers(np.ascontiguousarray(row), stroke_beside(pitch)))


def _is_square(box: Region) -> bool:
    return max(box.width, box.height) <= BUTTON.square * min(box.width, box.height)


def _centred(box: Region, left: float, right: float, pitch: float) -> bool:
    return abs(box.left + box.width / 2 - (left + right) / 2) <= PLACE.aside * pitch


def _least(pitch: float, scale: float) -> float:
    return min(BUTTON.least * pitch, BUTTON.least_points * scale)


def _last_line(above: NDArray[np.uint8]) -> int:
    """Return the first row below the lowest line that crosses a whole picture; 0 if none."""
    apart = np.abs(np.diff(above.astype(np.int16), axis=0)).max(axis=2) > PLACE.line_levels
    across = (apart.mean(axis=1) >= PLACE.line_columns) & apart[:, 0] & apart[:, -1]
    lines = np.flatnonzero(across)
    return int(lines[-1]) + 1 if len(lines) else 0


def _bars_end(above: NDArray[np.uint8], texts: Iterable[Line], mines: int | None) -> int:
    """Return the first row below the bars of a program that shows a page; 0 if it has none.

    A bar in which the board's mines are counted is the header of the page.
    """
    end = _last_line(above)
    counts = [
        line.region.top
        for line in texts
        if line.region.bottom <= end and str(mines) in _NUMBER.findall(line.text)
    ]
    return _last_line(above[: max(counts)]) if counts else end


def _outlined(
    above: NDArray[np.uint8],
    pitch: float,
    scale: float,
    *,
    filled: bool = False,
) -> tuple[list[Region], list[Region]]:
    """Return the squares and the wide boxes in a picture, each once, in pixels.

    In a dialog (`filled`) the outline of a square must enclose it, too (a face is round), and a
    button may be as wide as the dialog.
    """
    least = _least(pitch, scale) * BUTTON.in_dialog
    squares, wides = [], []
    for outline in _outlines(above):
        box = Region(*cv2.boundingRect(outline))
        if box.height < least or box.height > BUTTON.high * pitch or box.top == 0:
            continue
        square = _is_square(box)
        encloses = cv2.contourArea(outline) >= BUTTON.filled * box.width * box.height
        if square:
            if box.width <= BUTTON.high * pitch and (encloses or not filled):
                squares.append(box)
        elif encloses and box.height < box.width and (filled or box.width <= BUTTON.wide * pitch):
            wides.append(box)
    # Letters of a button's text and digits of a display are not separate buttons, nor is an icon
    # beside them.
    most = BUTTON.label if filled else BUTTON.letter
    squares = [
        box
        for box in squares
        if not any(box.height < most * one.height and _holds(one, box) for one in wides)
    ]
    if not filled:
        shown = [
            number for one in wides for number in _numbers_in(above, one, stroke_beside(pitch))
        ]
        squares = [box for box in squares if not any(one.contains(box.center) for one in shown)]
    squares = _outermost(squares)
    wides = [box for box in wides if not any(map(box.intersection, squares))]
    return squares, _outermost(wides)


def _holds(outer: Region, inner: Region) -> bool:
    return outer.intersection(inner) == inner


def _outermost(boxes: list[Region]) -> list[Region]:
    """Return the boxes without those that overlap a larger one: borders have two outlines."""
    boxes = sorted(boxes, key=lambda box: -box.width * box.height)
    ends = np.array([[*box[:2], box.right, box.bottom] for box in boxes]).reshape(-1, 4)
    left = np.ones(len(boxes), np.bool_)
    for at, (x, y, right, bottom) in enumerate(ends.tolist()):
        if left[at]:
            apart = (ends[:, 2] <= x) | (ends[:, 0] >= right)
            left[at + 1 :] &= (apart | (ends[:, 3] <= y) | (ends[:, 1] >= bottom))[at + 1 :]
    return list(compress(boxes, left))
