"""Words of plain type on lines of strokes, and the numbers among them.

A line is cut into pieces at several thresholds, enlarged where it is small, and pieces into
words. All pieces that may be digits are read at once. Which words are whole numbers, `whole`
says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.counters.pieces import Zoomed, pieces_of
from vision.counters.strokes import LOWEST, Line, Piece
from vision.digits import NO_DIGIT, Digits, fitted, read_glyphs

CERTAIN: Final = 0.99
"""Least confidence of each digit of a number."""

SHARES: Final = (90, 125)
"""Parts of a line's contrast, of 255, from which on a pixel is drawn."""
_WORD_GAPS: Final = (0.4, 0.6)
"""Of a digit's height; a wider gap parts two words, or a narrow digit from another one."""
APART: Final = 1.6
"""Of a digit's height: within it whatever is no word of letters may be a part of a number."""
KNOWN_GAP: Final = 0.35
"""Of a digit's height: what stands closer to letters is the last of them ('mines', 'mine5'),
and an icon that stands closer may be a digit that is not known."""

LETTERS, ICON, UNSURE = "letters", "icon", "unsure"
"""Kinds of words that are no number: several letters; a single wide sign that is surely no
digit; whatever may hide a digit."""


@dataclass(frozen=True)
class Number:
    """A number and where it is, in pixels of the image."""

    text: str
    left: int
    top: int
    right: int
    bottom: int
    seven_segment: bool = False
    worded: bool = False
    """Whether a word of letters stands beside it: it counts what that word says."""
    counts_mines: bool = False
    """Whether that word is 'mines', or 'bombs'."""

    @property
    def height(self) -> int:
        """Of its digits."""
        return self.bottom - self.top

    def moved(self, by: int) -> Number:
        """Return the same number at another place."""
        box = (self.left + by, self.top + by, self.right + by, self.bottom + by)
        return replace(self, left=box[0], top=box[1], right=box[2], bottom=box[3])

    def clear_of_edges(self, width: int, height: int) -> bool:
        """Return whether none of it can be cut off by the edges of the picture."""
        return self.left > 0 and self.top > 0 and self.right < width and self.bottom < height


def slashed(line: Line, number: Number) -> bool:
    """Return whether a slash stands so near that a number is but a part of what is written."""
    whole = Zoomed(line.ink, 1)
    reach, lowest = APART * number.height, 0.7 * number.height  # in some type a slash is low
    return any(
        whole.is_slash(piece, lowest)
        for piece in pieces_of(line.ink > SHARES[0], 1)
        if number.left - reach < line.box.left + piece.right
        and line.box.left + piece.left < number.right + reach
    )


class Asked:
    """Glyphs that are to be read, all at once and each but once."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self._masks: list[NDArray[np.float32]] = []
        self.read: Digits

    def ask(self, mask: NDArray[np.float32]) -> int:
        """Return the glyph's number among the answers."""
        key = mask.tobytes()
        if key not in self._numbers:
            self._numbers[key] = len(self._masks)
            self._masks.append(mask)
        return self._numbers[key]

    def answer(self) -> None:
        """Read them."""
        self.read = read_glyphs(np.array(self._masks, np.float32).reshape(-1, 24, 16))


@dataclass(eq=False)
class Word:
    """Pieces that stand together."""

    pieces: list[Piece]
    """Without brackets around them."""
    signs: list[str | None]
    bracketed: bool
    even: bool = False
    """Whether all that may be digits are of one height and of a digit's width."""
    digits: list[int] = field(default_factory=list)
    """Their numbers among the answers."""

    def __post_init__(self) -> None:
        self.left, self.right = self.pieces[0].left, self.pieces[-1].right
        written = [piece for piece, sign in zip(self.pieces, self.signs, strict=True) if not sign]
        self.top = min(piece.top for piece in written or self.pieces)
        self.bottom = max(piece.bottom for piece in written or self.pieces)
        self.height = self.bottom - self.top

    @property
    def pieces_height(self) -> int:
        """Of its highest piece: letters stand at several heights."""
        return max(piece.height for piece in self.pieces)

    def part(self, which: slice) -> Word:
        """Return a part of this word, whose pieces may all be digits."""
        pieces = self.pieces[which]
        return Word(pieces, self.signs[which], False, self.even, self.digits[which])

    def overlaps(self, other: Word) -> bool:
        """Return whether they share columns."""
        return self.left < other.right and other.left < self.right


class Draft:
    """One way to cut a line into words."""

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
        """Return whether two pieces stand in one word."""
        gap = piece.left - before.right
        step = (piece.left + piece.right - before.left - before.right) / 2
        height = self.height
        # A 1 stands far from what is beside it.
        narrow = min(before.width, piece.width) < 0.45 * height
        narrow &= min(before.height, piece.height) >= 0.85 * height
        near = gap <= _WORD_GAPS[0] * height and step <= height
        near |= bool(narrow) and gap <= _WORD_GAPS[1] * height and step <= 0.9 * height
        if near or gap <= 0.2 * height:
            return True
        return gap <= 1.1 * height and (
            self._line.is_slash(before, round(height)) or self._line.is_slash(piece, round(height))
        )

    def _word(self, word: list[Piece]) -> Word:
        """Return a word, and its digits asked for."""
        bare = _bare(word)
        height = max(piece.height for piece in bare)
        zoom = self._line.zoom
        among = max(height, round(self.height)) if len(word) == 1 else height
        signs = [self._sign(piece, among) for piece in bare]
        made = Word(bare, signs, bracketed=bare is not word)
        digits = [piece for piece, sign in zip(bare, signs, strict=True) if sign is None]
        if not digits or height < LOWEST * zoom:
            return made
        heights, widest = [piece.height for piece in digits], max(piece.width for piece in digits)
        # Letters of two heights; pieces that touch; a 1 that is a bar may as well be a caret.
        made.even = min(heights) >= 0.85 * height - zoom
        made.even &= 0.27 * height <= widest <= 1.1 * height
        if len(word) <= 8 and (made.even or len(digits) > 2):
            made.digits = [self._asked.ask(fitted(self._line.of(piece))) for piece in digits]
        return made

    def read(self) -> Iterator[tuple[Word, str]]:
        """Its words and what they say, or of which kind they are."""
        for word in self.words:
            for part in self._cut(word):
                yield part, self._text(part)

    def _cut(self, word: Word) -> list[Word]:
        """Return a number without an icon before or behind it, and that icon."""
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
        """Return what a word says, or of which kind it is."""
        read = self._asked.read
        written = [piece for piece, sign in zip(word.pieces, word.signs, strict=True) if not sign]
        if len(word.pieces) > 8:
            return LETTERS
        if not word.digits:
            return UNSURE
        letter = read.scores[word.digits, NO_DIGIT]
        if len(word.pieces) >= 3 and letter.max() > CERTAIN:
            # A slash that was not taken for one is no digit either, but it is high.
            low = np.array([piece.height for piece in written]) < 0.85 * word.height
            if (letter > 0.9).sum() >= 2 or letter[low].max(initial=0) > CERTAIN:
                return LETTERS
        sure = (read.digit[word.digits] >= 0) & (read.confidence[word.digits] >= CERTAIN)
        if word.even and sure.all() and word.signs[-1] != ":":
            rest = iter(read.digit[word.digits].tolist())
            return "".join(sign or str(next(rest)) for sign in word.signs)
        wide = word.pieces[0].width >= 0.6 * word.pieces[0].height
        return ICON if len(word.pieces) == 1 and letter[0] > CERTAIN and wide else UNSURE

    def _sign(self, piece: Piece, height: int) -> str | None:
        """'-', ':' or '/'; None for whatever may be a digit."""
        if piece.height <= 0.3 * height and 0.2 * height <= piece.width <= 0.9 * height:
            return "-"
        narrow = piece.width <= 0.35 * height and piece.height <= 0.9 * height
        if piece.parts == 2 and narrow:
            return ":"
        return "/" if self._line.is_slash(piece, height) else None


def is_number(text: str) -> bool:
    """Return whether digits and signs stand as a counter has them."""
    for sign in "/:":
        if sign in text:
            parts = text.split(sign)
            return len(parts) <= 3 and all(part.isdigit() for part in parts)
    return text.removeprefix("-").isdigit()


def _bare(word: list[Piece]) -> list[Piece]:
    """Return a word without the brackets around it: they are higher than what they hold."""
    inner = word[1:-1]
    if len(inner) == 0:
        return word
    height = max(piece.height for piece in inner)
    ends = (word[0], word[-1])
    if all(end.height >= 1.15 * height and end.width < 0.6 * height for end in ends):
        return inner
    return word
