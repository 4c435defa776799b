"""Numbers in plain type: those in the lines of text that `vision.text` reads.

A number is a word of a line: '-07', '0/10', '0 / 10', '3:25', '[0:04]'. All its letters, and the
spaces around them, have to be read with certainty. What is written beside it is its label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, takewhile
from math import ceil, floor, inf
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.frame import Region
from vision.captions import says_mines
from vision.counters.strokes import LOWEST, Number, runs_of
from vision.text import Line, Word, lines, read_line

CERTAIN: Final = 0.5
"""Least probability of each letter of a number."""


@dataclass(frozen=True)
class TypedLimits:
    """Limits of numbers that are written in a font.

    `vision/RESULTS.md` says what single ones are worth.
    """

    highest: int = 5
    """Greatest height of a counter's digits, in stroke widths."""
    same_row: float = 0.5
    """Least share of their height that lines in one row have in common."""
    room: float = 1.2
    """Greatest margin of a number's region, as a share of the height: it may grow by a digit."""
    colour: int = 60
    """Greatest difference of the colours of the signs of a number, in levels of a channel."""
    full: float = 0.8
    """Least contrast of the pixels of a sign that have its full colour, as a share of the
    greatest."""
    ink: float = 0.4
    """Least contrast of ink in a number, as a share of its greatest."""
    icon: int = 2
    """Greatest number of letters that an icon is read as."""
    higher: float = 1.4
    """Least height of an icon before a number, as a share of the height of its digits."""


_TYPED: Final = TypedLimits()

_NUMBER: Final = re.compile(
    r"(?:(?<!\S)|(?<=[A-Za-z]:)|(?<=\b[A-Za-z])(?=[0-9]+/))"
    r"-?[0-9]+(?:\s?/\s?[0-9]+|(?::[0-9]{2}){1,2})?(?![^\s,.]|[,.]\S)"
)
"""An icon in front of '0/10' is read as a letter."""
APART: Final = 1.6
"""Greatest distance of a label from its number, as a share of their height."""
_GAP: Final = "|"
_ICON: Final = "*"


def typed(image: NDArray[np.uint8], stroke: int) -> Iterator[Number]:
    """Yield the numbers in the lines of text of a picture (h, w, 3).

    Args:
        image: The picture, BGR.
        stroke: Upper limit of the stroke width of digits, in pixels.
    """
    for found_row in _rows(lines(image, LOWEST, _TYPED.highest * stroke)):
        row = _without_icons(image, found_row)
        text = row.text
        found = list(_NUMBER.finditer(text))
        for at, match in enumerate(found):
            first, last = (text.count(" ", 0, edge) for edge in match.span())
            number = row.words[first : last + 1]
            begin = text.count(" ", 0, found[at - 1].end()) + 1 if at else 0
            end = text.count(" ", 0, found[at + 1].start()) if at + 1 < len(found) else None
            before, after = row.words[begin:first], row.words[last + 1 : end]
            # A digit beside a number may be a part of it: the sign between them was not read.
            torn = any(_has_digit(one.text) for one in (*before[-1:], *after[:1]))
            if torn or min(word.confidence for word in number) < CERTAIN:
                continue
            label = _label(before[::-1])[::-1]
            words = (*label, *number)
            if not label and not any(word.text.endswith(":") for word in after[-1:]):
                label = _label(after)
                words = (*number, *label)
            box = _ink(image, row.part(number))
            said = match.group().replace(" ", "")
            if icon := _icon(image, box):
                # It was read as a digit, or hinders the reading of one.
                rest = _ink(image, box._replace(left=box.left + icon, width=box.width - icon))
                said, confidence, _ = read_line(_margined(image, rest))
                if not (_NUMBER.fullmatch(said) and confidence >= CERTAIN):
                    continue
                box = rest
            letters = "".join(filter(str.isalpha, "".join(word.text for word in label)))
            yield Number(
                said,
                box.left,
                box.top,
                box.right,
                box.bottom,
                worded=bool(label),
                counts_mines=says_mines(" ".join(word.text for word in label)),
                initial=letters.casefold() if len(letters) == 1 else "",
                room=row.room(words),
            )


def _without_icons(image: NDArray[np.uint8], row: _Row) -> _Row:
    """Return a row with a sign in place of what stands before a number, and is higher than it."""
    words = list(row.words)
    for at, (word, after) in enumerate(pairwise(row.words)):
        # An icon may be read as a digit, but not as a number of two.
        short = len(word.text) <= _TYPED.icon and not re.fullmatch(r"\d\d", word.text)
        if short and word.text != _GAP and _has_digit(after.text):
            high, digits = (_ink(image, row.part((one,))).height for one in (word, after))
            if high > _TYPED.higher * digits:
                words[at] = word._replace(text=_ICON)
    return row._replace(words=tuple(words))


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _label(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return the words up to the first wide gap; none if no letter is among them."""
    label = tuple(takewhile(lambda word: word.text != _GAP, words))
    return label if any(any(map(str.isalpha, word.text)) for word in label) else ()


def _ink(image: NDArray[np.uint8], region: Region) -> Region:
    """Return the part of a region that contains its ink."""
    left, top = region.left, region.top
    part = image[top : region.bottom, left : region.right].astype(np.int16)
    apart = np.abs(part - np.median(part, axis=(0, 1))).max(axis=2)
    drawn = apart > _TYPED.ink * apart.max(initial=1)
    rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
    if len(rows) == 0:
        return region
    width, height = int(columns[-1] - columns[0]) + 1, int(rows[-1] - rows[0]) + 1
    return Region(left + int(columns[0]), top + int(rows[0]), width, height)


def _icon(image: NDArray[np.uint8], box: Region) -> int:
    """Return the columns up to the second sign of a number if its first is an icon; or 0.

    The signs of a number have one height and colour, which an icon in front of it rarely has.
    """
    part = image[box.top : box.bottom, box.left : box.right].astype(np.float32)
    apart = np.abs(part - np.median(part, axis=(0, 1))).max(axis=2)
    runs = runs_of(apart > _TYPED.ink * apart.max(initial=1))
    if len(runs) < 2:
        return 0
    colours = [
        part[:, begin:end][apart[:, begin:end] >= _TYPED.full * apart[:, begin:end].max()].mean(
            axis=0
        )
        for begin, end in runs
    ]
    others = np.abs(np.diff(colours[1:], axis=0)).max(initial=0)
    differs = np.abs(colours[0] - np.median(colours[1:], axis=0)).max()
    drawn = apart > _TYPED.ink * apart.max(initial=1)
    heights = [int(np.ptp(np.flatnonzero(drawn[:, slice(*run)].any(axis=1)))) + 1 for run in runs]
    higher = heights[0] > _TYPED.higher * max(heights[1:])
    return runs[1][0] if higher or differs > _TYPED.colour > others else 0


def _margined(image: NDArray[np.uint8], box: Region) -> NDArray[np.uint8]:
    """Return the picture of a region with a little room above, below and to the right."""
    room = max(1, box.height // 6)
    top, bottom = max(box.top - room, 0), box.bottom + room
    return np.ascontiguousarray(image[top:bottom, max(box.left - 1, 0) : box.right + room])


class _Row(NamedTuple):
    """Lines of text beside each other."""

    words: tuple[Word, ...]
    """From left to right; '|' is a wide gap."""
    region: Region

    @property
    def text(self) -> str:
        """The words with a space between any two."""
        return " ".join(word.text for word in self.words)

    def part(self, words: tuple[Word, ...]) -> Region:
        """Return the part of the region with some of the words."""
        left = max(round(words[0].left), self.region.left)
        right = min(round(words[-1].right), self.region.right)
        return self.region._replace(left=left, width=max(right - left, 1))

    def room(self, words: tuple[Word, ...]) -> tuple[int, int]:
        """Return the columns (begin, end) around some words that no others reach."""
        reach, (first, last) = _TYPED.room * self.region.height, (words[0].left, words[-1].right)
        others = [one for one in self.words if one.text != _GAP and one not in words]
        before = max((one.right for one in others if one.left < first), default=-inf)
        after = min((one.left for one in others if one.left > first), default=inf)
        begin, end = max(first - reach, (before + first) / 2), min(last + reach, (after + last) / 2)
        return ceil(begin), floor(end)


def _rows(found: list[Line]) -> list[_Row]:
    """Return lines with those beside them."""
    rows: list[_Row] = []
    for line in sorted(found, key=lambda line: line.region.left):
        region, words = line.region, line.words
        for at, row in enumerate(rows):
            top, bottom = max(region.top, row.region.top), min(region.bottom, row.region.bottom)
            low = min(region.height, row.region.height)
            if bottom - top > _TYPED.same_row * low:
                apart = region.left - row.region.right > APART * low
                gap = (Word(_GAP, row.region.right, region.left, 1.0),) if apart else ()
                rows[at] = _Row((*row.words, *gap, *words), row.region.union(region))
                break
        else:
            rows.append(_Row(words, region))
    return rows
