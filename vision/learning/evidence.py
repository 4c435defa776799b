"""How well each state fits a kind of tile by what it looks like and by what became of it.

Scores are logarithms of likelihoods, roughly: 0 fits as well as anything, -5 is a tile in
a hundred and fifty. Nothing is ruled out here for good but by `labelling`'s rules.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION, UNREAD
from vision.learning.features import Features

Floats = NDArray[np.float64]
LABELS: Final = (*range(9), COVERED, FLAG, QUESTION, MINE, EXPLODED, MISFLAG, UNREAD)
"""The states in the order of a row of scores."""
AT: Final = {label: place for place, label in enumerate(LABELS)}
REVEALED: Final = (MINE, EXPLODED, MISFLAG)
"""What is only seen once a game is over."""

_NEVER: Final = -30.0
_UNREAD: Final = -7.5
"""A tile that is nothing of the game: a pointer, a tooltip, an animation."""
_UNREAD_EACH: Final = 0.7
"""Such things do not come in numbers: for each further tile of the kind."""
_UNREAD_LEAST: Final = -16.0
_FLOOR: Final = 1e-4
"""Least probability of a digit: the reader is not believed beyond."""
_SURELY: Final = 0.9
"""Probability of a digit beyond which a mark is nothing else."""
_CLEAR: Final = 0.99
_CLEARLY: Final = 3.0
"""What is nothing of the game seldom reads so clearly as a digit."""
_PERHAPS_FLAG: Final = 0.05
"""Least probability that what the reader takes for a question mark is another symbol: flags
may have its outline. Once the flag is known, that settles the question mark."""
_USUAL: Final = (0.17, 0.34, 0.29, 0.15, 0.046, 0.0092, 0.0011, 2e-4, 3e-5)
"""How often hints occur where one cell in five is a mine: eight draws."""
_USUALLY: Final = 0.25
"""How much of that is believed of a kind's first tile; boards differ."""
_NOT_COVERED: Final = -6.0
"""Several covered tiles that turned into one mark together: they are covered no more."""
AT_ONCE: Final = 3
"""Covered tiles that turn into one mark together: mines are shown, or a won game's flags."""
_WENT_ON: Final = -5.0
"""For each time the game went on after a kind that ends it; without it 82 tiles of KMines' green
theme are read wrongly (`bench_learning`)."""
_BECAME: Final = 3.0
"""Flags that changed where others did not: those were wrong."""
_BLIND: Final = -1.5
"""For each flag that is set where no hint tells of a mine."""
_BLINDEST: Final = 6
"""As many of them as count."""
_INK: Final = 0.35
"""Least difference from the ground of what belongs to a mark."""
_KEPT: Final = 0.9
"""Part of a mark that is in one that adds to it."""
_ADDED_ALIKE: Final = 0.92
"""Least resemblance of a mark and the same with something added."""
_MORE: Final = (0.04, 0.4)
"""Least and greatest part by which it is larger."""
_ADDED: Final = -1.2
"""A flag with something added is as likely a question as a wrong flag, or something else."""
_EXACT: Final = 0.5
"""Distance up to which two grounds and rims are the same one."""
_OTHER_GROUND: Final = -6.0
"""A mark that stands exactly where it should not."""
_NO_OTHER: Final = -2.0
"""A hint on a board that has no other opened cell."""
_SPOT: Final = 32.0
"""Grey levels by which a blurred spot of the same mark may differ."""
_RESEMBLE: Final = 0.85
_MOVES: Final = tuple((x / 2, y / 2) for y in (0, -1, 1, -2, 2) for x in (0, -1, 1, -2, 2))
_ANY_HAND: Final = -3.0
"""Least log probability of a mark that programs draw in many ways."""
_MISLED: Final = 0.012
"""How often the reader of symbols is misled, and very sure of it: `tests.train_symbols`."""
_HINT: Final = 0.95
"""How often a mark beside a zero that reads as no digit is a hint: else a user has set a flag."""
_PASSES: Final = -5.0
"""What is nothing of the game passes: on a board at rest there is little of it."""
_FOREIGN: Final = 3.0
"""Distance from both beyond which a ground is like neither."""


@dataclass
class Past:
    """What became of the tiles of a kind, look after look of a game."""

    went_on: int = 0
    """Looks after which more cells were opened."""
    came: int = 0
    """Tiles that were surely covered at the look before this one."""
    unlike_flag: int = 0
    """Tiles that were flags at the look before, where other flags stayed flags."""
    blind: int = 0
    """Those of them without a hint beside them: players do not flag these."""
    massed: bool = False
    """Whether many came at once on a board without a hint: players do not flag these either."""


@dataclass(frozen=True, eq=False)
class Reading:
    """What the digit reader says of a kind."""

    digits: Floats
    """(11,) probabilities of 0..9 and of no digit."""
    question: float
    """Probability of a question mark, where both readers are asked that of the less sure one."""
    symbols: Floats = field(default_factory=lambda: np.eye(5)[4])
    """(5,) probabilities of `SYMBOLS` and of none."""

    def allows(self, state: int, *, at_all: bool = False) -> bool:
        """Return whether the mark is not surely, or `at_all`, a digit that the state is not."""
        first = int(self.digits.argmax())
        doubtful = float(self.digits[first]) < _SURELY and not at_all
        return doubtful or first in (state, len(self.digits) - 1)


def appearance(features: Features, reading: Reading, cells: int, past: Past) -> Floats:
    """(16,) scores of a kind, by `LABELS`, from its picture and its past alone."""
    scores = np.full(len(LABELS), _NEVER)
    scores[AT[UNREAD]] = max(_UNREAD - _UNREAD_EACH * (cells - 1), _UNREAD_LEAST)
    if features.plain:
        scores[AT[0]] = scores[AT[COVERED]] = 0.0
    else:
        read = float(reading.digits[1:9].max())
        scores[AT[UNREAD]] -= _CLEARLY * np.clip((read - _SURELY) / (_CLEAR - _SURELY), 0, 1)
        scores[:9] = np.log(np.maximum(reading.digits[:9], _FLOOR))
        rare = _USUALLY * (np.log(_USUAL[1:]) - np.log(max(_USUAL)))
        scores[1:9] += rare
        clear = reading.digits[1:9].max() > _CLEAR
        other = float(np.clip(reading.digits[9:].sum() * (0.2 if clear else 1.0), _FLOOR, 1))
        question = float(np.clip(reading.question, 3e-3 * other, other))
        symbol = np.log(max(other - question, _PERHAPS_FLAG * other))
        mine, flag, misflag = np.log(_drawn(reading))
        scores[AT[QUESTION]] = np.log(question) - min(0.3 * (cells - 1), 4.0)
        scores[AT[FLAG]] = symbol + flag
        scores[AT[MINE]] = symbol + mine
        scores[AT[EXPLODED]] = symbol + mine - 2.0 * min(cells - 1, 8)
        scores[AT[MINE]] -= 1.0 * (cells == 1)
        scores[AT[MISFLAG]] = symbol + max(misflag, _ANY_HAND)
        scores[AT[MISFLAG]] += _BECAME * (past.unlike_flag == cells)
        scores[AT[COVERED]] = np.log(other) - 6.0
        scores[AT[0]] = max(scores[AT[0]], np.log(other) - 6.0)
    at_once = past.came >= AT_ONCE and not features.plain
    if at_once:
        scores[AT[COVERED]] += _NOT_COVERED
    blind = _BLINDEST if past.massed else min(past.blind, _BLINDEST) * at_once
    for label in (FLAG, QUESTION):
        scores[AT[label]] += _BLIND * blind
    for label in REVEALED:
        scores[AT[label]] += max(_WENT_ON * past.went_on, 3 * _WENT_ON)
    return scores


def grounded(to_opened: float, to_covered: float) -> Floats:
    """(16,) what a mark's ground adds to its scores; nothing of it is above 0.

    Flags stand on covered cells and hints on opened ones, to the pixel in most programs. In some a
    flag, and in many a mine, has a ground of its own. Given are the `ground_distance` to the
    nearest opened and covered kind, infinite if there is none.
    """
    added = np.zeros(len(LABELS))
    if np.isinf(min(to_opened, to_covered)):
        return added
    flags = [AT[FLAG], AT[QUESTION]]
    if to_covered < _EXACT and to_opened > to_covered + _EXACT:
        added[:9] = _OTHER_GROUND
        added[AT[EXPLODED]] = _OTHER_GROUND / 2
        added[AT[MINE]] = added[AT[MISFLAG]] = _OTHER_GROUND / 3
    elif to_opened < _EXACT and to_covered > to_opened + _EXACT:
        added[flags] = _OTHER_GROUND
        added[AT[EXPLODED]] = -2.0
    elif min(to_covered, to_opened) >= _EXACT:
        # Where the ground is like neither, it matters little which one it is further from.
        most = -1.0 if min(to_covered, to_opened) > _FOREIGN else -4.0
        most = max(most, _NO_OTHER) if np.isinf(to_opened) else most
        added[:9] = min(max(to_covered - to_opened, most), 0.0)
        added[flags] = -1.0 + min(max(to_opened - to_covered, -4.0), 0.0)
        added[AT[MINE]] = -0.5
    return added


def beside_zero(plain: bool, reading: Reading, *, at_rest: bool) -> Floats:
    """(16,) what is added to the scores of a kind if a tile of it is beside a zero.

    A zero has opened what is around it, and none of that is a mine. So a mark there is a hint,
    whatever it looks like: dots, roman numbers. Which one is left to the rules of the game.
    """
    added = np.zeros(len(LABELS))
    if not plain:
        read = reading.digits[1:9]
        unlike = max(1.0 - float(read.sum()), 0.0)
        added[1:9] = np.log((read + _HINT * unlike / 8 + _FLOOR) / np.maximum(read, _FLOOR))
        added[[AT[state] for state in (FLAG, QUESTION, MISFLAG)]] = np.log(1 - _HINT)
        added[[AT[MINE], AT[EXPLODED]]] = _NEVER
        added[AT[UNREAD]] = _PASSES * at_rest
    return added


def ground_distance(one: Features, other: Features) -> float:
    """Return how unlike the grounds and rims of two kinds are; 3 is another ground."""
    ground = float(np.abs(one.ground - other.ground).max())
    if len(one.rim) != len(other.rim):
        return ground / 10
    return ground / 10 + float(np.abs(one.rim - other.rim).mean()) / 40


def same_mark(one: Features, other: Features) -> bool:
    """Return whether two kinds carry the very same mark in the same colours.

    Every spot of the one must be in the other, give or take a pixel: a 5 and a 6 correlate
    by 0.95, and differ in one stroke.
    """
    return kin_mark(one, other) and _spots_apart(one, other) < _SPOT


def other_mark(one: Features, other: Features) -> bool:
    """Return whether two kinds surely carry different marks, whatever ground they are on."""
    if one.plain or other.plain:
        return one.plain != other.plain
    return not _resemble(one, other) or _spots_apart(one, other) >= 2 * _SPOT


def _spots_apart(one: Features, other: Features) -> float:
    """Grey levels by which two marks differ at the most, give or take a pixel."""
    soft, its = (cv2.GaussianBlur(features.drawn, (3, 3), 0) for features in (one, other))
    size = its.shape[1], its.shape[0]
    least = np.inf
    for x, y in _MOVES:
        move = np.array([[1, 0, x], [0, 1, y]], np.float32)
        least = min(least, float(np.abs(cv2.warpAffine(its, move, size) - soft).max()))
    return least


def kin_mark(one: Features, other: Features) -> bool:
    """Return whether two marks are much alike, as a mine and one that exploded are."""
    return not (one.plain or other.plain) and _resemble(one, other)


def _resemble(one: Features, other: Features) -> bool:
    return resemblance(one, other) > _RESEMBLE


def resemblance(one: Features, other: Features) -> float:
    """Correlation of two marks, whatever their colours; 0 where there is none."""
    a, b = one.mark - one.mark.mean(), other.mark - other.mark.mean()
    both = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / both if both > 0 else 0.0


def adds_to(one: Features, other: Features) -> bool:
    """Return whether a mark is another one and more: a flag with a '?', a crossed mine."""
    if one.plain or other.plain or resemblance(one, other) < _ADDED_ALIKE:
        return False
    ink, its = one.mark > _INK, other.mark > _INK
    kept = (np.abs(one.drawn - other.drawn).max(axis=2) < _SPOT)[its].mean()
    more = ink & (cv2.dilate(its.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0)
    return bool(kept > _KEPT and _MORE[0] < more.sum() / its.sum() < _MORE[1])


def with_addition(scores: Floats, cells: int) -> Floats:
    """(16,) scores of a mark that is another one with something added: often a question."""
    other = float(np.logaddexp.reduce([scores[AT[FLAG]], scores[AT[MINE]], scores[AT[QUESTION]]]))
    scores = scores.copy()
    question = other + _ADDED - min(0.3 * (cells - 1), 4.0)
    scores[AT[QUESTION]] = max(scores[AT[QUESTION]], question)
    return scores


def another_of(scores: Floats) -> Floats:
    """(16,) scores of one more kind with the same mark: its shape is no second witness."""
    scores = scores.copy()
    symbol = max(scores[AT[FLAG]], scores[AT[MINE]])
    scores[AT[EXPLODED]] += min(symbol - scores[AT[MINE]], -scores[AT[EXPLODED]])
    scores[AT[FLAG]] = scores[AT[MINE]] = symbol
    return scores


def _drawn(reading: Reading) -> Floats:
    """(3,) how likely what is drawn is a mine, a flag or a wrong flag, if it is any of them."""
    none = float(reading.symbols[-1])
    shares: Floats = reading.symbols[:3] + _MISLED + none / 8
    parts: Floats = shares / shares.sum()
    return parts
