"""Read lines of plain text in unknown fonts: labels of buttons, counters, messages.

A line is scaled to a fixed height and projected on the colour that distinguishes its ink from the
background. A small convolutional network (`tests/tools/train_text.py` trains it) gives the scores
of each letter per two columns; they are decoded by connectionist temporal classification (Graves et
al. 2006). The confidence is the calibrated probability that the whole line is right.

Lines are found without a network: small connected pieces on their background, of either polarity,
are grouped by height, baseline and distance.

In fonts that it never saw, and often in colours that are hard to read, 67 % of the lines are read
without an error; of those with a confidence of 0.8 or more (46 %) it is 95 %, of 0.9 (37 %) 97 %
(`python -m tests.tools.train_text FONTS --check`).
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.frame import Region

ALPHABET: Final = " 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz:/!.,-+()'?#%&"
"""The letters that are read; the network's first score is that of no letter."""
HEIGHT: Final = 32
"""Height of a normalised line, in pixels."""

_FILE: Final = Path(__file__).with_name("text.onnx")


@dataclass(frozen=True)
class LineLimits:
    """When edges in a picture are letters, and letters one line.

    `python -m tests.tools.train_text FONTS --check` measures how many lines are read.
    """

    edge: int = 22
    """Least change between neighbouring pixels at the edge of a letter, in grey levels."""
    relative: float = 0.25
    """The same as a share of the greatest change nearby."""
    nearby: int = 15
    """What is nearby, in pixels."""
    smallest: int = 2
    """Least width and height of a letter, in pixels."""
    gap: float = 0.85
    """Greatest gap within a line, as a share of the height of its letters."""
    dot: float = 0.4
    """Greatest height of a dot or dash, as a share of the height of its line."""
    ratio: float = 2.0
    """Greatest ratio of the heights of neighbouring letters."""
    frame: int = 16
    """Least height of a frame, in pixels."""
    long_frame: float = 0.25
    """Greatest share of its box that the edges of a long frame cover; letters cover more."""
    frame_row: float = 0.33
    """The same for a row of frames with letters inside."""
    frame_filled: float = 0.18
    """The same for another frame with letters inside."""
    pieces: int = 1500
    """Greatest number of letters in a picture."""
    lines: int = 80
    """Greatest number of lines in a picture."""


@dataclass(frozen=True)
class ReadingLimits:
    """How a line is normalised, read and divided; measured as `LineLimits`."""

    widths: tuple[int, ...] = (64, 96, 128, 192, 256, 384, 512, 768, 1032)
    """Normalised lines are padded to one of these widths: setting up a width takes OpenCV long."""
    padding: int = 8
    """Least padding of a normalised line, in pixels."""
    faint: int = 8
    """Least contrast of ink to its background, in grey levels."""
    margins: tuple[tuple[float, float], ...] = ((0.12, 0.3), (0.3, 0.6))
    """Margins above and beside a line for reading, as shares of its height."""
    confidence: float = 0.1
    """Least confidence of a line in a picture."""
    unsure: float = 0.7
    """A line of lower confidence is read again with the other margins."""
    splits: int = 3
    """Number of times that an unsure line is cut in two."""
    ink: float = 0.3
    """Least share of the contrast in a column with ink."""
    cut: float = 0.22
    """Least gap at which a line is cut, as a share of its height."""
    beside: float = 0.6
    """Greatest height of a line as a share of that of a picture that was taken for a part of it."""
    apart: float = 0.4
    """Least gap between words that needs a space, as a share of the line's height."""

    @property
    def widest(self) -> int:
        """Greatest width of a normalised line; a longer one is compressed."""
        return self.widths[-1] - self.padding


LINES: Final = LineLimits()
READING: Final = ReadingLimits()

_LOCK: Final = threading.Lock()
"""A network is used by one thread at a time: lists of boards are read beside a game."""
_DIGITS: Final = str.maketrans("oOlI", "0011")

Scores = NDArray[np.float32]
Boxes = NDArray[np.int32]


class Line(NamedTuple):
    """A line of text in a picture."""

    text: str
    region: Region
    """Pixels of the picture."""
    confidence: float
    """Probability that the whole text is right."""
    words: tuple[Word, ...] = ()

    def moved(self, dx: int, dy: int) -> Line:
        """Return the same line at another place."""
        words = tuple(
            word._replace(left=word.left + dx, right=word.right + dx) for word in self.words
        )
        return self._replace(region=self.region.moved(dx, dy), words=words)


class Word(NamedTuple):
    """A word of a line, up to the next space or bracket."""

    text: str
    left: float
    """The column where it begins, about: of the scores, or of the picture for a `Line`."""
    right: float
    confidence: float
    """Probability that it is right."""


class Text(NamedTuple):
    """What scores say."""

    text: str
    confidence: float
    """Probability that the whole text is right."""
    words: tuple[Word, ...] = ()


def read_line(image: NDArray[np.uint8]) -> Text:
    """Return the text of a crop (h, w, 3), BGR; '' with a confidence of 0 if there is none."""
    if min(image.shape[:2]) < 3:
        return Text("", 0.0)
    return decoded(scores_of(normalised(image)))


def lines(image: NDArray[np.uint8], least: int = 7, most: int = 60) -> list[Line]:
    """Return the lines of text in a picture (h, w, 3), row by row, each from left to right.

    Only text from `least` to `most` pixels high is found; lone signs on a grid are left out.
    """
    found: list[Line] = []
    for region in text_places(image, least, most):
        found += _lines_within(image, region, READING.splits)
    boxes = np.array([[*line.region[:2], line.region.right, line.region.bottom] for line in found])
    inner = np.any(_contains(boxes.reshape(-1, 4)), axis=0).tolist()
    left = (line for line, within in zip(found, inner, strict=True) if not within)
    return [line for row in in_rows(left) for line in row]


def in_rows(found: Iterable[Line]) -> list[list[Line]]:
    """Return rows of lines, which may not have the same top, each from left to right."""
    rows: list[list[Line]] = []
    for line in sorted(found, key=lambda line: line.region.top):
        beside = (row for row in rows if _is_level(row[0].region, line.region))
        if (row := next(beside, None)) is not None:
            row.append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.region.left) for row in rows]


def _is_level(one: Region, other: Region) -> bool:
    """Return whether the middle of each of two boxes is beside the other."""
    first, second = one.center.y, other.center.y
    return one.top <= second <= one.bottom and other.top <= first <= other.bottom


def text_places(image: NDArray[np.uint8], least: int = 7, most: int = 60) -> list[Region]:
    """Return where lines of text may be, in whatever letters, as `lines` finds them."""
    return [
        Region(x, y, end - x, bottom - y)
        for x, y, end, bottom in regions(image, least, most).tolist()
    ]


def _lines_within(image: NDArray[np.uint8], region: Region, splits: int) -> list[Line]:
    """Return the line in a region, or several: an icon between words is no letter of either."""
    if min(region.width, region.height) < LINES.smallest:
        return []
    best = Line("", region, 0.0)
    for margins in READING.margins:
        above, beside = (max(1, round(share * region.height)) for share in margins)
        rows = slice(max(region.top - above, 0), region.bottom + above)
        columns = slice(max(region.left - beside, 0), region.right + beside)
        read = read_line(image[rows, columns])
        # Two columns of the normalised line have one score.
        wide = 2 * image[rows, columns].shape[0] / HEIGHT
        words = tuple(
            word._replace(
                left=max(region.left, columns.start + word.left * wide),
                right=min(region.right, columns.start + word.right * wide),
            )
            for word in read.words
        )
        line = Line(read.text, region, read.confidence, words)
        best = max(best, line, key=lambda line: line.confidence)
        if best.confidence >= READING.unsure:
            break
    gap = _widest_gap(image, region) if splits else None
    # Text with a wide gap but without a space is two numbers with an icon between them.
    apart = (
        gap is not None and gap[1] - gap[0] > READING.apart * region.height and " " not in best.text
    )
    if gap is not None and (apart or best.confidence < READING.unsure):
        first, last = (region.left + at for at in gap)
        halves = (
            _inked(image, region._replace(width=first - region.left)),
            _inked(image, region._replace(left=last, width=region.right - last)),
        )
        parts = [line for half in halves for line in _lines_within(image, half, splits - 1)]
        score = sum(part.region.width * part.confidence for part in parts)
        least = READING.confidence if apart else max(best.confidence, READING.confidence)
        if score > least * region.width:
            return parts
    return [best] if best.text and best.confidence >= READING.confidence else []


def _widest_gap(image: NDArray[np.uint8], region: Region) -> tuple[int, int] | None:
    """Return the first and last column of the widest gap between words of a region."""
    part = image[region.top : region.bottom, region.left : region.right]
    ink = np.abs(normalised(part)).max(axis=0)
    filled = np.flatnonzero(ink > READING.ink)
    if len(filled) < 2:
        return None
    steps = np.diff(filled)
    at = int(steps.argmax())
    if steps[at] < READING.cut * HEIGHT:
        return None
    scale = region.width / len(ink)
    return round((filled[at] + 1) * scale), round(filled[at + 1] * scale)


def _inked(image: NDArray[np.uint8], region: Region) -> Region:
    """Return the rows of a line within a region that a picture beside it has made higher."""
    if min(region.width, region.height) < LINES.smallest:
        return region
    part = image[region.top : region.bottom, region.left : region.right]
    inked = (np.abs(normalised(part)) > READING.ink).any(axis=1)
    ends = np.flatnonzero(np.diff(inked, prepend=False, append=False)).reshape(-1, 2)
    first, last = max(ends.tolist(), key=lambda run: run[1] - run[0], default=(0, HEIGHT))
    if last - first > READING.beside * HEIGHT:
        return region
    scale = region.height / HEIGHT
    return region._replace(
        top=region.top + round(first * scale), height=max(round((last - first) * scale), 1)
    )


def regions(image: NDArray[np.uint8], least: int, most: int) -> Boxes:
    """Return where lines of text may be: (n, 4) of left, top, right, bottom."""
    pieces = _pieces(image, most)
    tall = pieces[:, 3] - pieces[:, 1]
    letters = pieces[tall >= 0.6 * least]
    letters = letters[np.argsort(letters[:, 1], kind="stable")[: LINES.pieces]]
    boxes, counts = _merged(letters, np.ones(len(letters), np.intp))
    # A dash or a colon may be all that is between two words.
    boxes = np.array([_with_dots(box, pieces) for box in boxes], np.int32).reshape(-1, 4)
    boxes, counts = _merged(boxes, counts)
    high, wide = boxes[:, 3] - boxes[:, 1], boxes[:, 2] - boxes[:, 0]
    fit = (high >= least) & (high <= most) & (wide >= 0.2 * high)
    fit &= ~_on_grid(boxes, counts)
    boxes, counts = boxes[fit], counts[fit]
    boxes = boxes[np.argsort(-counts, kind="stable")[: LINES.lines]]
    found: Boxes = boxes[np.lexsort([boxes[:, 0], boxes[:, 1]])]
    return found


def _merged(boxes: Boxes, counts: NDArray[np.intp]) -> tuple[Boxes, NDArray[np.intp]]:
    """Return the boxes of lines of neighbouring boxes, and the number of letters of each."""
    owners = _joined(boxes)
    names, groups = np.unique(owners, return_inverse=True)
    ends = np.full((len(names), 4), np.iinfo(np.int32).max, np.int32)
    np.minimum.at(ends, groups, boxes * np.array([1, 1, -1, -1], np.int32))
    total = np.zeros(len(names), np.intp)
    np.add.at(total, groups, counts)
    return ends * np.array([1, 1, -1, -1], np.int32), total


def _pieces(image: NDArray[np.uint8], most: int) -> Boxes:
    """Return the boxes of connected edges that may be letters."""
    # A square of three pixels would join letters with a frame two pixels away.
    square = np.ones((2, 2), np.uint8)
    change = cv2.morphologyEx(image, cv2.MORPH_GRADIENT, square).max(axis=2)
    around = cv2.dilate(change, np.ones((LINES.nearby, LINES.nearby), np.uint8))
    edges = (change >= np.maximum(LINES.edge, LINES.relative * around)).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(edges)
    x, y, w, h, area = stats[1:].T
    # The gradient widens a letter by a pixel to the right and below.
    fit = (h - 1 <= most) & (w >= 2) & (h >= 2) & (w <= 40 * h)
    boxes: Boxes = np.stack([x, y, x + w - 1, y + h - 1], axis=1)[fit].astype(np.int32)
    share = (area / (w * h))[fit]
    long = ((w > 2 * h) & (h > LINES.frame))[fit]
    row = (w > 6 * h)[fit]
    filled = np.where(row, LINES.frame_row, LINES.frame_filled)
    frame = (long & (share < LINES.long_frame)) | ((_inside(boxes) >= 2) & (share < filled))
    kept: Boxes = boxes[~frame]
    return kept


def _inside(boxes: Boxes) -> NDArray[np.intp]:
    """Return for each box the number of boxes at least a quarter as high within it."""
    within = _contains(boxes)
    tall = (boxes[:, 3] - boxes[:, 1])[:, None]
    counts: NDArray[np.intp] = (within & (tall <= 4 * tall.T)).sum(axis=1)
    return counts


def _contains(boxes: Boxes) -> NDArray[np.bool_]:
    """Return which box (row) contains which other (column)."""
    left, top, right, bottom = (boxes[:, at, None] for at in range(4))
    within: NDArray[np.bool_] = (left < left.T) & (right > right.T)
    within &= (top <= top.T) & (bottom >= bottom.T)
    return within


def _joined(letters: Boxes) -> NDArray[np.intp]:
    """Return for each letter the number of its line: neighbours of one height and baseline."""
    owners = np.arange(len(letters))
    if len(letters) == 0:
        return owners
    left, top, right, bottom = (letters[:, at, None] for at in range(4))
    tall = bottom - top
    low, high = np.minimum(tall, tall.T), np.maximum(tall, tall.T)
    gap = np.maximum(left, left.T) - np.minimum(right, right.T)
    overlap = np.minimum(bottom, bottom.T) - np.maximum(top, top.T)
    near = (gap <= LINES.gap * high) & (overlap >= 0.55 * low) & (high <= LINES.ratio * low)
    for first, second in zip(*np.nonzero(np.triu(near, 1)), strict=True):
        one, other = _root(owners, first), _root(owners, second)
        owners[max(one, other)] = min(one, other)
    return np.array([_root(owners, at) for at in range(len(owners))])


def _root(owners: NDArray[np.intp], at: int) -> int:
    while owners[at] != at:
        owners[at] = owners[owners[at]]
        at = int(owners[at])
    return at


def _with_dots(box: Boxes, dots: Boxes) -> Boxes:
    """Return a line's box with the dots, points and dashes that are near it."""
    left, top, right, bottom = box
    tall = bottom - top
    near = (
        (dots[:, 3] - dots[:, 1] <= LINES.dot * tall)
        & (dots[:, 0] <= right + 0.6 * tall)
        & (dots[:, 2] >= left - 0.6 * tall)
        & (dots[:, 1] >= top - 0.35 * tall)
        & (dots[:, 3] <= bottom + 0.3 * tall)
    )
    both = np.vstack([box[None], dots[near]])
    return np.concatenate([both[:, :2].min(axis=0), both[:, 2:].max(axis=0)])


def _on_grid(boxes: Boxes, count: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return which lone signs have several others in line, above and beside: cells of a board."""
    single = count == 1
    alone = boxes[single]
    middle = (alone[:, :2] + alone[:, 2:]) / 2
    tall = (alone[:, 3] - alone[:, 1])[:, None]
    alike = np.abs(tall - tall.T) <= 0.3 * tall
    beside = (np.abs(middle[:, 1, None] - middle[:, 1]) <= 0.3 * tall) & alike
    above = (np.abs(middle[:, 0, None] - middle[:, 0]) <= 0.5 * tall) & alike
    grid = np.zeros(len(boxes), np.bool_)
    grid[single] = (beside.sum(axis=1) > 2) & (above.sum(axis=1) > 2)
    return grid


def normalised(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return a crop at the height that the network expects: 0 is background, about 1 is ink."""
    height, width = image.shape[:2]
    size = min(max(8, round(width * HEIGHT / height)), READING.widest), HEIGHT
    how = cv2.INTER_AREA if height > HEIGHT else cv2.INTER_LINEAR
    pixels = cv2.resize(image, size, interpolation=how).reshape(-1, 3).astype(np.float32)
    apart = pixels - np.median(pixels, axis=0)
    length = np.sqrt((apart * apart).sum(axis=1))
    axis = length @ apart
    norm = float(np.sqrt(axis @ axis))
    if norm == 0:
        return np.zeros((HEIGHT, size[0]), np.float32)
    level = apart @ (axis / norm)
    level /= max(READING.faint, float(np.percentile(np.abs(level), 98)))
    line: NDArray[np.float32] = np.clip(level, -1, 1.25).astype(np.float32)
    return line.reshape(HEIGHT, size[0])


def padded_width(width: int) -> int:
    """Return the width to which a normalised line is padded with background."""
    return next(wide for wide in READING.widths if wide >= width + READING.padding)


def scores_of(line: NDArray[np.float32]) -> Scores:
    """Return the network's scores of a normalised line: (columns / 2, letters + 1)."""
    wide = padded_width(line.shape[1])
    padded = np.zeros((1, 1, HEIGHT, wide), np.float32)
    padded[0, 0, :, : line.shape[1]] = line
    with _LOCK:
        net = network(wide)
        net.setInput(padded)
        # The net's own memory is used again for the next line.
        scores: Scores = np.array(net.forward(), np.float32)[0, :, 0].T
    return scores


@cache
def network(width: int) -> cv2.dnn.Net:
    """Return the network for lines of a padded width; to change the width would be slow."""
    del width
    return cv2.dnn.readNetFromONNX(str(_FILE))


def decoded(scores: Scores) -> Text:
    """Return the most likely text of scores (columns, letters + 1).

    An O within a number is a zero; a zero within a word is an O.
    """
    logs = scores - scores.max(axis=1, keepdims=True)
    chances = np.exp(logs)
    chances /= chances.sum(axis=1, keepdims=True)
    best = chances.argmax(axis=1)
    changes = np.flatnonzero(np.diff(best, prepend=0, append=0))
    begins = changes[:-1][best[changes[:-1]] > 0]
    ends = changes[np.searchsorted(changes, begins) + 1]
    text = _corrected("".join(ALPHABET[letter - 1] for letter in best[begins]))
    words = []
    for match in re.finditer("[^ ()]+", text):
        first, last = match.span()
        left = int(ends[first - 1]) if first else 0
        right = int(begins[last]) if last < len(text) else len(chances)
        alike = _with_look_alikes(chances[left:right], match.group())
        confidence = _probability(alike, _indices(match.group()))
        words.append(Word(match.group(), left, right, confidence))
    # Spaces at either end are margins.
    text = text.strip(" ")
    confidence = _probability(_with_look_alikes(chances, text), _indices(text))
    return Text(text, confidence, tuple(words))


def _indices(text: str) -> NDArray[np.intp]:
    """Return the indices of a text's letters among the scores."""
    return np.array([ALPHABET.index(letter) + 1 for letter in text], np.intp)


def _corrected(text: str) -> str:
    """Return a text with the look-alikes of digits and letters as their neighbours suggest."""
    numeric = any(letter in "23456789" for letter in text)
    words = re.split("([^0-9A-Za-z]+)", text)
    for at, word in enumerate(words):
        digits = sum(letter in "23456789" for letter in word)
        letters = sum(letter.isalpha() and letter not in "oOlI" for letter in word)
        if letters == 0 and (digits or (numeric and "/" in text) or word.count("0") > 1):
            words[at] = word.translate(_DIGITS)
        elif digits == 0 and letters > 1:
            words[at] = word.replace("0", "O" if word.upper() == word else "o")
    return "".join(words)


def _with_look_alikes(chances: Scores, text: str) -> Scores:
    """Return probabilities in which a zero or an O has that of all its look-alikes."""
    chances = chances.copy()
    group = [ALPHABET.index(letter) + 1 for letter in "0Oo"]
    named = [index for index in group if ALPHABET[index - 1] in text]
    if len(named) == 1:
        chances[:, named[0]] = chances[:, group].sum(axis=1)
    return chances


def _probability(chances: Scores, letters: NDArray[np.intp]) -> float:
    """Return the probability of a text over all its alignments (the forward variable)."""
    states = np.zeros(2 * len(letters) + 1, np.intp)
    states[1::2] = letters
    skips = np.zeros(len(states), np.float64)
    skips[3::2] = letters[1:] != letters[:-1]
    emitted = chances[:, states].astype(np.float64)
    forward = np.zeros(len(states))
    forward[:2] = emitted[0, :2]
    scale = 0.0
    for column in emitted[1:]:
        moved = forward.copy()
        moved[1:] += forward[:-1]
        moved[2:] += skips[2:] * forward[:-2]
        forward = moved * column
        total = float(forward.sum())
        if total == 0:
            return 0.0
        scale += float(np.log(total))
        forward /= total
    return float(min(1.0, forward[-2:].sum() * np.exp(scale)))
