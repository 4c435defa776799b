"""Numbers in plain type: lines of strokes are cut into words, and digits read by shape.

A line is cut into connected pieces at several thresholds, enlarged if it is small, and the pieces
are grouped into words. All pieces that may be digits are read at once. A word is a number if it
consists of digits and signs, no other piece is near enough to belong to it, it is part of nothing
larger at any threshold, and there is no faint ink between or beside its digits.

A stroke is brighter (or darker) than its surroundings and thinner than a kernel of morphology. Gaps
between strokes look like strokes of the opposite polarity, but they are connected to background of
their own level.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.captions import says_mines
from vision.digits import NO_DIGIT, Digits, fitted, read_glyphs
from vision.text import read_line

LOWEST: Final = 5
"""Least height of a digit, in pixels."""

_CONTRAST: Final = 40
"""Least contrast of a stroke to its surroundings, in grey levels."""
_HIGHEST: Final = 5
"""Greatest height of a counter's digits, in stroke widths."""
_MOST_BLOBS: Final = 1500
_LONGEST: Final = 8
"""Greatest width of a digit, in heights; a longer stroke is a line or an edge."""
_LETTERS: Final = 4
"""Least number of blobs of a text."""
_TEXT, _MINUS = 3.0, 3.3
"""Width of a blob of touching letters, in heights; height of a digit, in heights of a minus
sign."""
_LINE_GAP: Final = 1.6
"""Gap that separates two lines, as a share of the height."""

Ink = NDArray[np.uint8]


@dataclass(frozen=True)
class Piece:
    """A connected piece of writing, or several above each other."""

    left: int
    top: int
    right: int
    bottom: int
    parts: int = 1

    @property
    def width(self) -> int:
        """Number of columns."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Number of rows."""
        return self.bottom - self.top

    def with_part(self, other: Piece) -> Piece:
        """Return both pieces as one."""
        return Piece(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
            self.parts + other.parts,
        )


@dataclass(frozen=True, eq=False)
class Line:
    """Blobs of ink next to each other, of one height."""

    box: Piece
    ink: Ink
    """(h, w) of the box, 0..255: 255 is the line's own full contrast."""


def brighter(level: NDArray[np.uint8], stroke: int) -> Ink:
    """Return how much brighter each pixel is than its surroundings; 0 in wide areas."""
    return np.asarray(cv2.morphologyEx(level, cv2.MORPH_TOPHAT, _square(stroke)), np.uint8)


def only_strokes(level: NDArray[np.uint8], ink: Ink) -> Ink:
    """Return the ink of strokes alone: no gaps between strokes, no frames around others."""
    left: Ink = np.zeros_like(ink)
    x, y, w, h = cv2.boundingRect((ink > _CONTRAST).astype(np.uint8))
    if w:
        # Most of the surroundings of a board are empty.
        rows, cols = slice(max(y - 4, 0), y + h + 4), slice(max(x - 4, 0), x + w + 4)
        left[rows, cols] = _only_strokes(level[rows, cols], ink[rows, cols])
    return left


def _only_strokes(level: NDArray[np.uint8], ink: Ink) -> Ink:
    drawn = (ink > _CONTRAST).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(drawn)
    if not 1 < count < 2**16:
        return np.zeros_like(ink)
    beside = cv2.dilate(drawn, _square(3))
    ring = np.flatnonzero(cv2.dilate(drawn, _square(5)) > beside)
    owners = labels.astype(np.uint16)
    around = cv2.dilate(owners, _square(5)).ravel()[ring].astype(np.intp)
    # A gap between dark strokes leads to background of its own brightness; a stroke does not.
    brightest = cv2.dilate(level * drawn, _square(5)).ravel()[ring].astype(np.int16)
    ground = level.ravel()[ring].astype(np.int16)
    pixels = np.flatnonzero(drawn)
    owner, weight = labels.ravel()[pixels], ink.ravel()[pixels].astype(np.float64)
    mean = np.bincount(owner, weight * level.ravel()[pixels], count) / np.maximum(
        np.bincount(owner, weight, count), 1
    )
    leaks = (np.abs(brightest - ground) < 20) & (ground > mean[around] - 40)
    leaked = np.bincount(around, leaks, count)
    rims = np.bincount(around, minlength=count)
    x, y, w, h, area = stats.T
    sums = cv2.integral(drawn)
    within = sums[y + h, x + w] - sums[y, x + w] - sums[y + h, x] + sums[y, x]
    hollow = (w > 24) & (area < 0.3 * w * h) & (within > 1.1 * area)
    keep = (leaked <= 0.1 * rims) & ~hollow
    keep[0] = False
    kept = keep[labels]
    near = np.asarray(cv2.dilate(kept.astype(np.uint8), _square(3))) > 0
    return np.where(near & (kept | (drawn == 0)), ink, 0).astype(np.uint8)


def lines_of(ink: Ink, stroke: int) -> list[Line]:
    """Group strokes into lines of one height."""
    joined = cv2.dilate((ink > 0).astype(np.uint8), _square(3))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    # The dilation added a pixel on each side.
    x, y, w, h = (stats[1:, :4] + (1, 1, -2, -2)).T
    fit = (h <= _HIGHEST * stroke) & (w >= 1) & (h >= 1)
    order = np.argsort(x[fit], kind="stable")[:_MOST_BLOBS]
    boxes = np.stack([x, y, x + w, y + h], axis=1)[fit][order]
    done: list[Piece] = []
    groups: list[Piece] = []
    for box in boxes.tolist():
        blob = Piece(*box)
        far = [line for line in groups if blob.left - line.right > _LINE_GAP * _HIGHEST * stroke]
        if far:
            done += far
            groups = [line for line in groups if line not in far]
        for index in range(len(groups) - 1, -1, -1):
            if _same_line(groups[index], blob):
                groups[index] = groups[index].with_part(blob)
                break
        else:
            groups.append(blob)
    return [
        Line(box, _contrast(ink[box.top : box.bottom, box.left : box.right]))
        for box in (*done, *groups)
        if box.height >= LOWEST and (box.parts > 1 or box.width <= _LONGEST * box.height)
    ]


def _same_line(line: Piece, blob: Piece) -> bool:
    # A blob twice as high as several letters is no letter: a face is not part of their line.
    text = line.parts >= _LETTERS and blob.height > 2 * line.height
    if _beside_text(line, blob) or _beside_text(blob, line):
        return False
    height = line.height if text else max(line.height, blob.height)
    if blob.left - line.right > _LINE_GAP * height:
        return False
    overlap = min(line.bottom, blob.bottom) - max(line.top, blob.top)
    return overlap >= 0.7 * min(line.height, blob.height)


def _beside_text(text: Piece, other: Piece) -> bool:
    """Return whether a blob is twice as high as touching letters; a minus sign is lower."""
    return text.width >= _TEXT * text.height and 2 < other.height / text.height < _MINUS


def _contrast(ink: Ink) -> Ink:
    count = max(3, ink.size // 100)
    if ink.size <= count:
        return ink
    peak = float(np.partition(ink, -count, axis=None)[-count:].mean())
    return np.asarray(cv2.convertScaleAbs(ink, alpha=255 / max(peak, 1)), np.uint8)


def _square(side: int) -> NDArray[np.uint8]:
    return np.ones((side, side), np.uint8)


_LARGE: Final = 20
"""Height in pixels; lower lines are enlarged to about that."""
_THIN: Final = 0.06
"""Least height of a colon's dot, as a share of a line's height."""
_FLAT: Final = 0.2
"""Height as a share of the width, below which a piece as long as the line is high is the edge of a
panel (seen in the rounded look at 125 and 150 %)."""


@dataclass(frozen=True, eq=False)
class Zoomed:
    """The ink of a line, enlarged."""

    ink: Ink
    zoom: int

    @cached_property
    def leaning(self) -> dict[Piece, bool]:
        """Cache of `is_slash`, by piece."""
        return {}

    def is_slash(self, piece: Piece, height: float) -> bool:
        """Return whether a piece is a slash among digits of that height."""
        if piece.height < 0.85 * height or piece.width > piece.height or piece.width < 3:
            return False
        if piece not in self.leaning:
            self.leaning[piece] = _leans(self.of(piece), self.zoom)
        return self.leaning[piece]

    def of(self, piece: Piece) -> NDArray[np.float32]:
        """Return the ink of a piece, 0..1."""
        ink = self.ink[piece.top : piece.bottom, piece.left : piece.right].astype(np.float32) / 255
        return np.clip((ink - 0.12) / 0.7, 0, 1)


def enlarged(line: Line) -> Zoomed:
    """Return a line at least some twenty pixels high, enlarged at most four times."""
    height, width = line.ink.shape
    zoom = min(ceil(_LARGE / height), 4)
    if zoom == 1:
        return Zoomed(line.ink, 1)
    size = (width * zoom, height * zoom)
    return Zoomed(np.asarray(cv2.resize(line.ink, size, interpolation=cv2.INTER_CUBIC)), zoom)


def pieces_of(drawn: NDArray[np.bool_], zoom: int) -> list[Piece]:
    """Return connected pieces from left to right; overlapping columns form one piece."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(drawn.astype(np.uint8))
    found: list[Piece] = []
    high = drawn.shape[0]
    for x, y, w, h, area in sorted(stats[1:].tolist()):
        if area < 2 * zoom * zoom or h < _THIN * high or (w > high and h < _FLAT * w):
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


def _leans(ink: NDArray[np.float32], zoom: int) -> bool:
    """Return whether a piece is a straight stroke that leans further right than an italic digit."""
    height, width = ink.shape
    weight = ink.sum(axis=1)
    if weight.min() <= 0:
        return False
    at = (ink * np.arange(width, dtype=np.float32)).sum(axis=1) / weight
    rows = np.arange(height) - (height - 1) / 2
    slope = float(rows @ at / (rows @ rows))
    if slope > -0.22:
        return False
    spread = np.sqrt((ink * (np.arange(width)[None] - at[:, None]) ** 2).sum(axis=1) / weight)
    straight = np.abs(at - (at.mean() + slope * rows)).max() <= 0.35 * zoom + 0.05 * height
    return bool(straight and spread.max() <= 0.6 * zoom + 0.12 * height)


CERTAIN: Final = 0.99
"""Least confidence of each digit of a number."""

SHARES: Final = (90, 125)
"""Thresholds of ink, in parts of 255 of a line's contrast."""
_WORD_GAP: Final = 0.4
"""Gap that separates two words, as a share of a digit's height."""
_MOST: Final = 8
"""Most pieces of a number."""
APART: Final = 1.6
"""Distance, as a share of a digit's height, within which anything that is no word may be a part of
a number."""
KNOWN_GAP: Final = 0.35
"""Distance, as a share of a digit's height: a piece closer to letters is the last of them ('mines',
'mine5'), and a closer icon may be an unknown digit."""

LETTERS, ICON, UNSURE = "letters", "icon", "unsure"
"""Kinds of words that are no number: several letters; a single wide sign that is certainly no
digit; anything that may contain a digit."""


@dataclass(frozen=True)
class Number:
    """A number and its position, in pixels of the image."""

    text: str
    left: int
    top: int
    right: int
    bottom: int
    seven_segment: bool = False
    worded: bool = False
    """Whether a label is next to it: it counts what the label says."""
    counts_mines: bool = False
    """Whether that label is 'mines' or 'bombs'."""

    @property
    def height(self) -> int:
        """Height of its digits."""
        return self.bottom - self.top

    def moved(self, by: int) -> Number:
        """Return the same number at another position."""
        box = (self.left + by, self.top + by, self.right + by, self.bottom + by)
        return replace(self, left=box[0], top=box[1], right=box[2], bottom=box[3])

    def meets(self, other: Number) -> bool:
        """Return whether both share a part of the picture."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def clear_of_edges(self, width: int, height: int) -> bool:
        """Return whether no part of it can be cut off by the edges of the picture."""
        return self.left > 0 and self.top > 0 and self.right < width and self.bottom < height


class Asked:
    """Glyphs to be read, all at once and each only once."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self._masks: list[NDArray[np.float32]] = []
        self.read: Digits

    def ask(self, mask: NDArray[np.float32]) -> int:
        """Add a glyph; return its index among the answers."""
        key = mask.tobytes()
        if key not in self._numbers:
            self._numbers[key] = len(self._masks)
            self._masks.append(mask)
        return self._numbers[key]

    def answer(self) -> None:
        """Read the glyphs."""
        self.read = read_glyphs(np.array(self._masks, np.float32).reshape(-1, 24, 16))


@dataclass(eq=False)
class Word:
    """Pieces that form a word."""

    pieces: list[Piece]
    """The pieces, without brackets around them."""
    signs: list[str | None]
    bracketed: bool
    even: bool = False
    """Whether all possible digits have one height and the width of a digit."""
    digits: list[int] = field(default_factory=list)
    """Indices of its digits among the answers."""

    def __post_init__(self) -> None:
        self.left, self.right = self.pieces[0].left, self.pieces[-1].right
        written = [piece for piece, sign in zip(self.pieces, self.signs, strict=True) if not sign]
        self.top = min(piece.top for piece in written or self.pieces)
        self.bottom = max(piece.bottom for piece in written or self.pieces)
        self.height = self.bottom - self.top

    def part(self, which: slice) -> Word:
        """Return a part of this word, whose pieces may all be digits."""
        pieces = self.pieces[which]
        return Word(pieces, self.signs[which], False, self.even, self.digits[which])

    def overlaps(self, other: Word) -> bool:
        """Return whether two words share columns."""
        return self.left < other.right and other.left < self.right


class Draft:
    """One segmentation of a line into words."""

    def __init__(self, line: Zoomed, share: int, asked: Asked) -> None:
        self._line, self._asked, self.zoom = line, asked, line.zoom
        pieces = pieces_of(line.ink > share, line.zoom)
        tall = [piece.height for piece in pieces if piece.height >= 0.55 * line.ink.shape[0]]
        self.height = float(np.median(tall)) if tall else 0.0
        self.words = list(self._words(pieces)) if tall else []

    def _words(self, pieces: Sequence[Piece]) -> Iterator[Word]:
        word: list[Piece] = []
        for piece in pieces:
            if word and not self._together(word[-1], piece):
                yield self._word(word)
                word = []
            word.append(piece)
        if word:
            yield self._word(word)

    def _together(self, before: Piece, piece: Piece) -> bool:
        """Return whether two pieces belong to one word."""
        gap = piece.left - before.right
        step = (piece.left + piece.right - before.left - before.right) / 2
        height = self.height
        if gap <= 0.2 * height or (gap <= _WORD_GAP * height and step <= height):
            return True
        return gap <= 1.1 * height and (
            self._line.is_slash(before, round(height)) or self._line.is_slash(piece, round(height))
        )

    def _word(self, word: list[Piece]) -> Word:
        """Return a word, and request the reading of its digits."""
        bare = _bare(word)
        height = max(piece.height for piece in bare)
        among = max(height, round(self.height)) if len(word) == 1 else height
        signs = [self._sign(piece, among) for piece in bare]
        made = Word(bare, signs, bracketed=bare is not word)
        digits = [piece for piece, sign in zip(bare, signs, strict=True) if sign is None]
        if not digits or height < LOWEST * self.zoom:
            return made
        heights, widest = [piece.height for piece in digits], max(piece.width for piece in digits)
        # Letters of two heights; pieces that touch; a 1 that is a bar may also be a caret.
        made.even = min(heights) >= 0.85 * height - self.zoom
        made.even &= 0.27 * height <= widest <= 1.1 * height
        if len(word) <= _MOST and (made.even or len(digits) > 2):
            made.digits = [self._asked.ask(fitted(self._line.of(piece))) for piece in digits]
        return made

    def read(self) -> Iterator[tuple[Word, str]]:
        """Yield the line's words with their texts or kinds."""
        for word in self.words:
            for part in self._cut(word):
                yield part, self._text(part)

    def _cut(self, word: Word) -> list[Word]:
        """Return a number without an icon before or after it, and that icon."""
        if word.bracketed or len(word.pieces) < 2 or any(word.signs) or not word.digits:
            return [word]
        for at in (1, len(word.pieces) - 1):
            parts = [word.part(slice(at)), word.part(slice(at, None))]
            gap = parts[1].left - parts[0].right
            icons = [len(one.pieces) == 1 and self._text(one) == ICON for one in parts]
            if any(icons) and gap > KNOWN_GAP * word.height:
                return parts
        return [word]

    def _text(self, word: Word) -> str:
        """Return the text of a word, or its kind."""
        read = self._asked.read
        if len(word.pieces) > _MOST:
            return LETTERS
        if not word.digits:
            return UNSURE
        letter = read.scores[word.digits, NO_DIGIT]
        # A piece may be a slash that was not recognised.
        if len(word.pieces) >= 3 and letter.max() > CERTAIN and (letter > 0.9).sum() >= 2:
            return LETTERS
        sure = (read.digit[word.digits] >= 0) & (read.confidence[word.digits] >= CERTAIN)
        if word.even and sure.all() and word.signs[-1] != ":":
            rest = iter(read.digit[word.digits].tolist())
            return "".join(sign or str(next(rest)) for sign in word.signs)
        wide = word.pieces[0].width >= 0.6 * word.pieces[0].height
        return ICON if len(word.pieces) == 1 and letter[0] > CERTAIN and wide else UNSURE

    def _sign(self, piece: Piece, height: int) -> str | None:
        """Return '-', ':' or '/'; None for a piece that may be a digit."""
        if piece.height <= 0.3 * height and 0.2 * height <= piece.width <= 0.9 * height:
            return "-"
        narrow = piece.width <= 0.35 * height and piece.height <= 0.9 * height
        if piece.parts == 2 and narrow:
            return ":"
        return "/" if self._line.is_slash(piece, height) else None


def is_number(text: str) -> bool:
    """Return whether digits and signs form a counter's number."""
    for sign in "/:":
        if sign in text:
            parts = text.split(sign)
            return len(parts) <= 3 and all(part.isdigit() for part in parts)
    return text.removeprefix("-").isdigit()


def _bare(word: list[Piece]) -> list[Piece]:
    """Return a word without the brackets around it, which are higher than its content."""
    inner = word[1:-1]
    if len(inner) == 0:
        return word
    height = max(piece.height for piece in inner)
    ends = (word[0], word[-1])
    if all(end.height >= 1.15 * height and end.width < 0.6 * height for end in ends):
        return inner
    return word


_FAINT: Final = 0.25
"""Part of a number's contrast that counts as faint ink where nothing should be."""
_PARTS: Final = 3
"""Most parts into which a word before a number may be cut."""
_BESIDE: Final = 0.8
"""Distance from a number, as a share of a digit's height, in which there must be no other ink."""


def written(image: NDArray[np.uint8], lines: Sequence[Line], border: int) -> list[list[Number]]:
    """Return the numbers in plain type on each line of an image with a border, in its pixels."""
    asked = Asked()
    drafts = [[Draft(zoomed, share, asked) for share in SHARES] for zoomed in map(enlarged, lines)]
    asked.answer()
    edges = (border, image.shape[1] - border)
    return [
        list(_agreed(image, line, versions, edges))
        for line, versions in zip(lines, drafts, strict=True)
    ]


def _agreed(
    image: NDArray[np.uint8], line: Line, versions: Sequence[Draft], edges: tuple[int, int]
) -> Iterator[Number]:
    """Yield numbers that no version of a line contradicts by other or longer text."""
    read = [[*draft.read()] for draft in versions]
    zoom = versions[0].zoom
    captions = [one for version in read for one in _captions(image, line, version, zoom)]
    read = _known_letters(read, captions)
    every = [one for version in read for one in version]
    pieces = [piece for word, _ in every for piece in word.pieces]
    begin, end = ((edge - line.box.left) * zoom for edge in edges)
    # A word cut by the edge of the picture may be letters or digits; it counts only as another
    # word.
    whole = [
        [one for one in version if one[0].left > begin + zoom and one[0].right < end - zoom]
        for version in read
    ]
    met: list[Word] = []
    for word, text in every:
        if not is_number(text) or any(word.overlaps(other) for other in met):
            continue
        met.append(word)
        same = [one for one in every if one[0].overlaps(word)]
        if not all(
            _within(other, word) and text == said for other, said in same if is_number(said)
        ):
            continue
        if not all(_within(other, word) for other, _ in same):
            continue
        alone = word.bracketed or all(_alone(word, version) for version in whole)
        if alone and not _faint(image, line, word, pieces, zoom):
            left, right = word.left // zoom, -(-word.right // zoom)
            top, bottom = word.top // zoom, -(-word.bottom // zoom)
            x, y = line.box.left, line.box.top
            box = (x + left, y + top, x + right, y + bottom)
            labels = [label for version in whole for label in _labels(word, version)]
            named = [one for one in captions if _gap(one, word) <= APART * word.height]
            counts = any(_says_mines(image, line, label, zoom) for label in (*labels, *named))
            yield Number(text, *box, worded=bool(labels), counts_mines=counts)


def _captions(
    image: NDArray[np.uint8], line: Line, version: Sequence[tuple[Word, str]], zoom: int
) -> Iterator[Word]:
    """Yield 'Mines' or a similar label before a number, if its parts are unknown."""
    for at, (_, text) in enumerate(version):
        if not is_number(text):
            continue
        for begin in range(max(0, at - _PARTS), at):
            parts = version[begin:at]
            if (
                all(said in (LETTERS, UNSURE) for _, said in parts)
                and UNSURE in dict(parts).values()
            ):
                words = [word for word, _ in parts]
                whole = Word(
                    [piece for word in words for piece in word.pieces],
                    [sign for word in words for sign in word.signs],
                    bracketed=False,
                )
                if _says_mines(image, line, whole, zoom):
                    yield whole


def _known_letters(
    read: list[list[tuple[Word, str]]], captions: Sequence[Word]
) -> list[list[tuple[Word, str]]]:
    """Return the same words, with letters of one version marked as letters in all."""
    letters = [word for version in read for word, text in version if text == LETTERS]
    letters += captions
    return [
        [
            (word, LETTERS)
            if text == UNSURE
            and any(one.left <= word.left and word.right <= one.right for one in letters)
            else (word, text)
            for word, text in version
        ]
        for version in read
    ]


def _within(one: Word, other: Word) -> bool:
    slack = 0.3 * other.height
    return one.left >= other.left - slack and one.right <= other.right + slack


def _alone(word: Word, version: Sequence[tuple[Word, str]]) -> bool:
    """Return whether nothing nearby may be an unread digit of this number."""
    before = [one for one in version if one[0].right <= word.left][::-1]
    after = [one for one in version if one[0].left >= word.right]
    for side in (before, after):
        if not side or _gap(side[0][0], word) > APART * word.height:
            continue
        if side[0][0].signs == [":"]:  # 'Time : 0'
            del side[0]
            if not side or side[0][1] != LETTERS:
                return False
        near, text = side[0]
        apart = KNOWN_GAP if text in (LETTERS, ICON) else APART
        if _gap(near, word) <= apart * word.height:
            return False
    return True


def _gap(one: Word, other: Word) -> int:
    """Return the number of columns between two words."""
    return max(one.left - other.right, other.left - one.right)


def _labels(word: Word, version: Sequence[tuple[Word, str]]) -> list[Word]:
    """Return the labels that are near enough to describe a number; a colon may be between."""
    words = [one for one, text in version if text == LETTERS]
    return [one for one in words if _gap(one, word) <= APART * word.height]


def _says_mines(image: NDArray[np.uint8], line: Line, label: Word, zoom: int) -> bool:
    """Return whether a label is 'Mines' or a similar word, with or without a colon."""
    ends = {label.pieces[-1].right}
    if label.signs[-1] == ":" and len(label.pieces) > 1:
        ends.add(label.pieces[-2].right)
    top, left = line.box.top + label.top // zoom, line.box.left + label.left // zoom
    bottom = line.box.top - (-label.bottom // zoom)
    for end in ends:
        right = line.box.left - (-end // zoom)
        shown = image[max(0, top - 2) : bottom + 2, max(0, left - 2) : right + 2]
        if says_mines(read_line(shown)[0]):
            return True
    return False


def _faint(
    image: NDArray[np.uint8], line: Line, word: Word, pieces: Sequence[Piece], zoom: int
) -> bool:
    """Return whether there is other ink between the pieces of a number or directly beside it.

    It may be faint, or no stroke; a line that goes on above and below does not count.
    """
    reach = 0 if word.bracketed else round(_BESIDE * word.height / zoom)
    left, right = line.box.left + word.left // zoom, line.box.left - (-word.right // zoom)
    top, bottom = line.box.top + word.top // zoom, line.box.top - (-word.bottom // zoom)
    begin, end = max(left - reach, 0), right + reach
    rows = image[max(top - 3, 0) : bottom + 3, begin:end].astype(np.int16)
    free = np.ones(rows.shape[1], np.bool_)
    halo = 1 + round(0.1 * word.height / zoom)
    start = line.box.left - begin
    for piece in pieces:
        first, last = start + piece.left // zoom - halo, start - (-piece.right // zoom) + halo
        free[max(first, 0) : max(last, 0)] = False
    if not free.any():
        return False
    apart = np.abs(rows - np.median(rows[:, free], axis=1, keepdims=True)).max(axis=2)
    inner = apart[3:-3]
    level = _FAINT * np.percentile(inner[:, left - begin : right - begin], 95)
    free &= ~((apart[:3].max(axis=0) > level) & (apart[-3:].max(axis=0) > level))
    return bool(free.any() and (cv2.blur(inner[:, free], (1, 2)) > level).any())
