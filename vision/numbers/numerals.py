"""Numbers written on a screen: found by their strokes, read by shape.

No letter is ever read. A number is a word of pieces of one height that are all digits, and
of signs that a counter may hold: `-07`, `0/10`, `0 / 10`, `3:25`, `[0:04]`. A word with
anything else in it is a label and is passed over; a digit that is not surely read makes the
whole number unread.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.digits import NO_DIGIT, fitted, read_glyphs
from vision.numbers.segments import read_segments, runs_of
from vision.numbers.strokes import LOWEST, Ink, Line, Piece, brighter, lines_of, only_strokes

CERTAIN: Final = 0.99
"""Least confidence of each digit of a number."""

_WORD_GAP: Final = 0.4
"""Of a digit's height; a wider gap parts two words."""

LABEL, WORD, ICON, UNSURE = "label", "word", "icon", "unsure"
"""Kinds of words that are no number: whatever may hide a digit, a word of several letters, a
single sign that is surely no digit, digits that are not surely read."""


@dataclass(frozen=True)
class Number:
    """A number and where it is, in pixels of the image."""

    text: str
    left: int
    top: int
    right: int
    bottom: int
    seven_segment: bool = False
    bracketed: bool = False

    @property
    def height(self) -> int:
        """Of its digits."""
        return self.bottom - self.top

    def moved(self, by: int) -> Number:
        """The same number elsewhere."""
        box = (self.left + by, self.top + by, self.right + by, self.bottom + by)
        return Number(self.text, *box, self.seven_segment, self.bracketed)

    def clear_of_edges(self, width: int, height: int) -> bool:
        """Whether none of it can be cut off by the edges of the picture."""
        return self.left > 0 and self.top > 0 and self.right < width and self.bottom < height


def numbers(image: NDArray[np.uint8], stroke: int = 15) -> list[Number]:
    """All numbers that are surely read, in no order.

    Args:
        image: (H, W, 3) uint8 BGR.
        stroke: Pixels; strokes of digits are thinner.
    """
    rim = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
    ground = [float(level) for level in np.median(rim, axis=0)]
    # In a small picture the ground would be no wider than a stroke.
    wide = cv2.copyMakeBorder(
        image, stroke, stroke, stroke, stroke, cv2.BORDER_CONSTANT, value=ground
    )
    blue, green, red = wide[..., 0], wide[..., 1], wide[..., 2]
    bright = np.maximum(np.maximum(blue, green), red)
    dark = 255 - np.minimum(np.minimum(blue, green), red)
    inks = [brighter(level, stroke) for level in (bright, dark)]
    strokes = [
        only_strokes(level, ink, stroke) for level, ink in zip((bright, dark), inks, strict=True)
    ]
    found: list[Number] = []
    for ink, own, other in zip(inks, strokes, strokes[::-1], strict=True):
        for line in lines_of(own, stroke):
            for number in _numbers_of(line):
                beside = ink if number.seven_segment else own
                if not _enclosed(number, other) and not _continued(number, beside):
                    found.append(number)
    height, width = image.shape[:2]
    moved = (number.moved(-stroke) for number in found)
    return [number for number in moved if number.clear_of_edges(width, height)]


def _enclosed(number: Number, other: Ink) -> bool:
    """Whether strokes of the other kind are close on all sides: the hole of a digit."""
    reach = max(2, round(0.35 * number.height))
    left, top, right, bottom = number.left, number.top, number.right, number.bottom
    sides = (
        other[max(top - reach, 0) : top, left:right].any(axis=0),
        other[bottom : bottom + reach, left:right].any(axis=0),
        other[top:bottom, max(left - reach, 0) : left].any(axis=1),
        other[top:bottom, right : right + reach].any(axis=1),
    )
    return all(side.mean() >= 0.6 for side in sides)


def _continued(number: Number, own: Ink) -> bool:
    """Whether there is more ink right beside a number: a digit that was not taken for one."""
    if number.bracketed:
        return False
    reach = round((0.7 if number.seven_segment else 0.35) * number.height)
    left, top, right, bottom = number.left, number.top, number.right, number.bottom
    drawn = own > 0.35 * float(own[top:bottom, left:right].max())
    columns = np.asarray(drawn[top:bottom].any(axis=0), np.bool_)
    # What goes on above and below is a line or the edge of a panel.
    columns &= ~(drawn[max(top - 3, 0) : top].any(axis=0) & drawn[bottom : bottom + 3].any(axis=0))
    return bool(
        columns[max(left - reach, 0) : left - 1].any() or columns[right + 1 : right + reach].any()
    )


def _numbers_of(line: Line) -> list[Number]:
    found = list(_displayed(line))
    return found or list(_written(line))


def _displayed(line: Line) -> Iterator[Number]:
    """Seven-segment numbers; gaps within them are narrower than their digits are high."""
    lit = line.ink > 127
    boxes = _displays(lit)
    for box in boxes:
        if any(_beside(box, other) for other in boxes):
            continue
        text = read_segments(lit[box.top : box.bottom, box.left : box.right])
        if text is not None:
            x, y = line.box.left, line.box.top
            yield Number(text, x + box.left, y + box.top, x + box.right, y + box.bottom, True)


def _beside(box: Piece, other: Piece) -> bool:
    """Whether another piece is so near, and of such a height, that it may be one more digit."""
    gap = max(other.left - box.right, box.left - other.right)
    if not 0 <= gap < 0.8 * box.height or other.height > 1.15 * box.height:
        return False
    return min(box.bottom, other.bottom) - max(box.top, other.top) > 0.4 * box.height


def _displays(lit: NDArray[np.bool_]) -> list[Piece]:
    """Runs of columns side by side, none of which rises above the others; wide ones alone."""
    found: list[Piece] = []
    joinable = False
    for left, right in runs_of(lit):
        rows = np.flatnonzero(lit[:, left:right].any(axis=1))
        run = Piece(left, int(rows[0]), right, int(rows[-1]) + 1)
        wide = run.width > 0.85 * run.height and run.height > 0.4 * lit.shape[0]
        if (
            joinable
            and not wide
            and _within(found[-1], run)
            and run.left - found[-1].right <= 0.8 * max(run.height, found[-1].height)
        ):
            found[-1] = found[-1].with_part(run)
        else:
            found.append(run)
        joinable = not wide
    return found


def _within(one: Piece, other: Piece) -> bool:
    """Whether the rows of one lie within those of the other, but for a little."""
    small, large = sorted((one, other), key=lambda piece: piece.height)
    slack = 0.12 * large.height
    return small.top >= large.top - slack and small.bottom <= large.bottom + slack


def _written(line: Line) -> Iterator[Number]:
    """Numbers in plain type; strokes that break or touch are tried at two thresholds."""
    found = [number for share in (90, 125) for number in _words(line, share)]
    for number in found:
        rivals = [other for other in found if _overlap(number, other)]
        if all(other.text == number.text for other in rivals) and rivals[0] is number:
            yield number


def _overlap(one: Number, other: Number) -> bool:
    return one.left < other.right and other.left < one.right


def _words(line: Line, share: int) -> Iterator[Number]:
    pieces = _pieces(line.ink > share)
    tall = [piece.height for piece in pieces if piece.height >= 0.55 * line.box.height]
    if not tall:
        return
    height = float(np.median(tall))
    words: list[list[Piece]] = []
    for piece in pieces:
        if words and _one_word(line, words[-1][-1], piece, height):
            words[-1].append(piece)
        else:
            words.append([piece])
    texts = [_text_of(line, word) for word in words]
    for index, (word, text) in enumerate(zip(words, texts, strict=True)):
        if not _is_number(text) or not _alone(words, texts, index, height):
            continue
        bare = _bare(word)
        digits = [piece for piece in bare if _sign(line, piece, round(height)) is None]
        yield Number(
            text,
            line.box.left + bare[0].left,
            line.box.top + min(piece.top for piece in digits),
            line.box.left + bare[-1].right,
            line.box.top + max(piece.bottom for piece in digits),
            bracketed=bare is not word,
        )


def _one_word(line: Line, before: Piece, piece: Piece, height: float) -> bool:
    gap = piece.left - before.right
    step = (piece.left + piece.right - before.left - before.right) / 2
    if gap <= 0.2 * height or (gap <= _WORD_GAP * height and step <= height):
        return True
    return gap <= 1.1 * height and (
        _is_slash(line, before, round(height)) or _is_slash(line, piece, round(height))
    )


def _alone(words: list[list[Piece]], texts: list[str], index: int, height: float) -> bool:
    """Whether nothing is so near that it may be a digit of this number that was not read."""
    if _bare(words[index]) is not words[index]:
        return True
    for near in (index - 1, index + 1):
        if not 0 <= near < len(words) or not texts[near].strip(":"):
            continue
        first, second = sorted((index, near))
        gap = words[second][0].left - words[first][-1].right
        # On a display a 1 stands far from what is before it.
        one = words[second][0].width < 0.45 * height
        apart = {WORD: 0.0, ICON: 0.35}.get(texts[near], 0.8 if one else 0.5)
        if gap <= apart * height:
            return False
    return True


def _is_number(text: str) -> bool:
    """Whether digits and signs stand as a counter has them."""
    for sign in "/:":
        if sign in text:
            parts = text.split(sign)
            return len(parts) <= 3 and all(part.isdigit() for part in parts)
    return text.removeprefix("-").isdigit()


def _pieces(drawn: NDArray[np.bool_]) -> list[Piece]:
    """Connected pieces from left to right; what lies above each other is one piece."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(drawn.astype(np.uint8))
    found: list[Piece] = []
    for x, y, w, h, area in sorted(stats[1:].tolist()):
        if area < 2:
            continue
        piece = Piece(x, y, x + w, y + h)
        if found and _above_each_other(found[-1], piece):
            found[-1] = found[-1].with_part(piece)
        else:
            found.append(piece)
    return found


def _above_each_other(one: Piece, other: Piece) -> bool:
    shared = min(one.right, other.right) - max(one.left, other.left)
    return shared > 0.5 * min(one.width, other.width)


def _bare(word: list[Piece]) -> list[Piece]:
    """A word without the brackets around it: they are higher than what they hold."""
    inner = word[1:-1]
    if len(inner) == 0:
        return word
    height = max(piece.height for piece in inner)
    ends = (word[0], word[-1])
    if all(end.height >= 1.15 * height and end.width < 0.6 * height for end in ends):
        return inner
    return word


def _text_of(line: Line, word: list[Piece]) -> str:
    """What a word of digits and signs says, or one of the kinds that are no number."""
    word = _bare(word)
    height = max(piece.height for piece in word)
    label = WORD if len(word) > 2 else LABEL
    if len(word) > 8 or height < LOWEST:
        return label
    signs = [_sign(line, piece, height) for piece in word]
    if len(word) > 1 and signs[-1] == ":":
        return WORD
    digits = [piece for piece, sign in zip(word, signs, strict=True) if sign is None]
    named = _digits_of(line, digits, height) if digits else []
    if isinstance(named, str):
        return label if named == LABEL else named
    rest = iter(named)
    return "".join(sign or str(next(rest)) for sign in signs)


def _digits_of(line: Line, pieces: list[Piece], height: int) -> list[int] | str:
    """The digits that pieces are, all of them certain; else what kind of word that is."""
    low = min(piece.height for piece in pieces) < 0.85 * height - 1
    widest = max(piece.width for piece in pieces)
    if low or widest > 1.1 * height:
        return LABEL
    if widest < 0.27 * height:
        return UNSURE  # bars: a 1, but as well a caret or the edge of a panel
    read = read_glyphs(np.stack([fitted(_ink_of(line, piece)) for piece in pieces]))
    if read.digit.min() >= 0 and read.confidence.min() >= CERTAIN:
        return [int(digit) for digit in read.digit]
    if read.scores[:, NO_DIGIT].max() <= CERTAIN:
        return UNSURE
    return ICON if len(pieces) == 1 else LABEL


def _ink_of(line: Line, piece: Piece) -> NDArray[np.float32]:
    ink = line.ink[piece.top : piece.bottom, piece.left : piece.right].astype(np.float32) / 255
    return np.clip((ink - 0.12) / 0.7, 0, 1)


def _sign(line: Line, piece: Piece, height: int) -> str | None:
    """'-', ':' or '/'; None for whatever may be a digit."""
    if piece.height <= 0.3 * height and 0.2 * height <= piece.width <= 0.9 * height:
        return "-"
    if piece.parts == 2 and piece.width <= 0.35 * height and piece.height <= 0.9 * height:
        return ":"
    return "/" if _is_slash(line, piece, height) else None


def _is_slash(line: Line, piece: Piece, height: int) -> bool:
    """A straight stroke that leans to the right by more than an italic digit does."""
    if piece.height < 0.85 * height or piece.width > piece.height:
        return False
    ink = _ink_of(line, piece)
    weight = ink.sum(axis=1)
    if weight.min() <= 0 or weight.max() > 3.2 * np.median(weight) + 0.5:
        return False
    at = (ink @ np.arange(piece.width, dtype=np.float32)) / weight
    rows = np.arange(piece.height)
    slope, start = np.polyfit(rows, at, 1)
    spread = np.sqrt((ink * (np.arange(piece.width)[None] - at[:, None]) ** 2).sum(axis=1) / weight)
    straight = np.abs(at - (start + slope * rows)).max() <= 0.35 + 0.05 * piece.height
    return bool(straight and slope <= -0.22 and spread.max() <= 0.6 + 0.12 * piece.height)
