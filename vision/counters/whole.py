"""Which words in plain type are whole numbers.

Those of digits and signs, where nothing stands so near that it may be a part of it, which at
no threshold are part of something larger, and with no faint ink between their digits or
beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.captions import MINES, read_caption
from vision.counters.pieces import enlarged
from vision.counters.strokes import Line, Piece
from vision.counters.words import (
    APART,
    ICON,
    KNOWN_GAP,
    LETTERS,
    SHARES,
    UNSURE,
    Asked,
    Draft,
    Number,
    Word,
    is_number,
)

_LOW: Final = 0.8
"""Of what is highest on its line; what is lower is no digit but a small letter, as s for 5
(small letters of the test's fonts have 0.7 of a digit's height)."""
_FAINT: Final = 0.25
"""Part of a number's contrast that is something drawn where nothing should be."""
_PARTS: Final = 3
"""Parts that a word before a number may be cut into."""
_BESIDE: Final = 0.8
"""Of a digit's height, beside a number, where nothing else may be drawn."""


def written(image: NDArray[np.uint8], lines: Sequence[Line], border: int) -> list[list[Number]]:
    """Return the numbers in plain type on each of some lines of an image, in its pixels.

    Args:
        image: (H, W, 3) uint8 BGR.
        lines: Of that image.
        border: Pixels around the image that are none of the picture.
    """
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
    """Numbers that no version of a line contradicts, by another text or as part of something."""
    read = [[*draft.read()] for draft in versions]
    zoom = versions[0].zoom
    captions = [one for version in read for one in _captions(image, line, version, zoom)]
    read = _known_letters(read, captions)
    every = [one for version in read for one in version]
    pieces = [piece for word, _ in every for piece in word.pieces]
    begin, end = ((edge - line.box.left) * zoom for edge in edges)
    # A word that the edge of the picture cuts in two is letters or digits, nobody knows; all
    # that is known of it is that it is another word.
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
        highest = max(
            one.pieces_height for one, said in every if said == LETTERS or is_number(said)
        )
        if word.height < _LOW * highest:
            continue
        alone = word.bracketed or all(_alone(word, version) for version in whole)
        whole_word = alone and not any(_between(piece, word) for piece in pieces)
        if whole_word and not _faint(image, line, word, pieces, zoom):
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
    """Return 'Mines', or the like, where it stands before a number in parts that are not known."""
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
    """Return whether nothing is so near that it may be a digit of this number that was not read."""
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
    """Columns between two words."""
    return max(one.left - other.right, other.left - one.right)


def _labels(word: Word, version: Sequence[tuple[Word, str]]) -> list[Word]:
    """Return letters so near that they speak of a number; a colon may be between."""
    words = [one for one, text in version if text == LETTERS]
    return [one for one in words if _gap(one, word) <= APART * word.height]


def _says_mines(image: NDArray[np.uint8], line: Line, label: Word, zoom: int) -> bool:
    """Return whether a label is 'Mines', or the like, with or without a colon."""
    ends = {label.pieces[-1].right}
    if label.signs[-1] == ":" and len(label.pieces) > 1:
        ends.add(label.pieces[-2].right)
    top, left = line.box.top + label.top // zoom, line.box.left + label.left // zoom
    bottom = line.box.top - (-label.bottom // zoom)
    for end in ends:
        right = line.box.left - (-end // zoom)
        shown = image[max(0, top - 2) : bottom + 2, max(0, left - 2) : right + 2]
        if read_caption(shown, MINES) is not None:
            return True
    return False


def _between(piece: Piece, word: Word) -> bool:
    """Return whether a piece stands between those of a word.

    A dot of a colon that faded elsewhere.
    """
    if not word.left <= piece.left < piece.right <= word.right:
        return False
    shared = [min(piece.right, own.right) - max(piece.left, own.left) for own in word.pieces]
    return max(shared) <= 0.5 * piece.width


def _faint(
    image: NDArray[np.uint8], line: Line, word: Word, pieces: Sequence[Piece], zoom: int
) -> bool:
    """Return whether something is drawn between the pieces of a number or right beside it.

    Faintly, or as something else than a stroke; but no line that goes on above and below.
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
