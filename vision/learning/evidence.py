"""Score how well each state fits a kind of tile, by its picture and its changes.

Scores are logarithms of likelihoods, roughly: 0 is a perfect fit, -5 occurs for one tile in a
hundred and fifty. `EvidenceLimits.never` excludes a state; the rules in `labelling` exclude others.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION, UNREAD
from vision.learning.features import Features, moved

Floats = NDArray[np.float64]
LABELS: Final = (*range(9), COVERED, FLAG, QUESTION, MINE, EXPLODED, MISFLAG, UNREAD)
"""The states in the order of a row of scores."""
AT: Final = {label: place for place, label in enumerate(LABELS)}
REVEALED: Final = (MINE, EXPLODED, MISFLAG)
"""States that are only seen once a game is over."""


@dataclass(frozen=True)
class EvidenceLimits:
    """Scores of how well a state fits: logarithms of likelihoods, where no unit is given.

    Measured by `python -m tests.benchmarks.learning`; `vision/RESULTS.md` says what single ones
    are worth.
    """

    never: float = -30.0
    unread: float = -7.5
    """Score of a tile that does not belong to the game: a pointer, a tooltip, an animation."""
    unread_each: float = 0.7
    """Penalty for each further tile of such a kind: they are rarely numerous."""
    unread_least: float = -16.0
    floor: float = 1e-4
    """Least probability of a digit: the reader's errors are not rarer."""
    surely: float = 0.9
    """Probability of a digit above which a mark is nothing else."""
    clear: float = 0.99
    clearly: float = 3.0
    """Penalty for a tile outside the game that reads clearly as a digit, which is rare."""
    perhaps_flag: float = 0.05
    """Least probability that a mark read as a question mark is another symbol: flags may have its
    outline. A known flag decides it."""
    usual: tuple[float, ...] = (0.17, 0.34, 0.29, 0.15, 0.046, 0.0092, 0.0011, 2e-4, 3e-5)
    """Frequencies of hints with one mine in five cells: eight draws."""
    usually: float = 0.25
    """Weight of these frequencies for a kind's first tile; boards differ."""
    not_covered: float = -6.0
    """Several covered tiles that changed into one mark together: they are no longer covered."""
    went_on: float = -5.0
    """Penalty for each time the game went on after a kind that ends it; without it 82 tiles of
    KMines' green theme are read wrongly (`tests.benchmarks.learning`)."""
    became: float = 3.0
    """Score for flags that changed while others did not: they were wrong."""
    blind: float = -1.5
    """Penalty for each flag set without a hint that implies a mine."""
    blindest: int = 6
    """Most such flags that count."""
    ink: float = 0.35
    """Least difference from the background for a pixel of a mark."""
    kept: float = 0.9
    """Least share of a mark that is contained in one with an addition."""
    added_alike: float = 0.92
    """Least correlation of a mark and the same mark with an addition."""
    more: tuple[float, float] = (0.04, 0.4)
    """Least and greatest share by which the mark with an addition is larger."""
    added: float = -1.2
    """Score of a flag with an addition, which may be a question mark or a wrong flag or something
    else."""
    exact: float = 0.5
    """Largest distance of two equal backgrounds and rims."""
    other_ground: float = -6.0
    """Penalty for a mark exactly on the wrong background."""
    no_other: float = -2.0
    """Penalty for a hint on a board without any other opened cell."""
    many_hit: float = -4.0
    """Penalty for each further tile of a kind of exploded mines; the eighth is the last."""
    plain_hit: float = -3.0
    """Score of an exploded mine without a mark, as a plain red cell."""
    spot: float = 32.0
    """Grey levels by which a blurred spot of the same mark may differ."""
    resemble: float = 0.85
    any_hand: float = -3.0
    """Least log probability of a mark that programs draw in many ways."""
    misled: float = 0.012
    """Rate of confident errors by the reader of symbols: `tests.tools.train_symbols`."""
    hint: float = 0.95
    """Probability that a mark beside a zero that reads as no digit is a hint: else a user has set
    a flag."""
    passes: float = -5.0
    """Penalty for tiles outside the game on a board at rest, where they are rare."""
    foreign: float = 3.0
    """Distance from both beyond which a background resembles neither."""


_EVIDENCE: Final = EvidenceLimits()

AT_ONCE: Final = 3
"""Least number of covered tiles that change into one mark together when mines, or a won game's
flags, are shown."""
_MOVES: Final = tuple((x / 2, y / 2) for y in (0, -1, 1, -2, 2) for x in (0, -1, 1, -2, 2))


@dataclass
class Past:
    """Changes of a kind's tiles over the readings of a game."""

    went_on: int = 0
    """Number of readings after which more cells were opened."""
    came: int = 0
    """Number of tiles that were certainly covered at the previous reading."""
    unlike_flag: int = 0
    """Number of tiles that were flags at the previous reading, while other flags stayed flags."""
    blind: int = 0
    """Number of new flags without a hint beside them: players do not flag these."""
    opened: bool = False
    """Whether a covered tile changed into it by a click that opens: such a click sets no flag."""
    proved: bool = False
    """Whether a covered tile that was proved safe changed into it by such a click."""
    flagged: bool = False
    """Whether a covered tile changed into it by a click that sets a flag."""
    massed: bool = False
    """Whether many appeared at once on a board without a hint: players do not flag these either."""


@dataclass(frozen=True, eq=False)
class Reading:
    """The digit reader's result for a kind."""

    digits: Floats
    """(11,) probabilities of 0..9 and of no digit."""
    question: float
    """Probability of a question mark; if both readers were used, that of the less certain one."""
    symbols: Floats = field(default_factory=lambda: np.eye(5)[4])
    """(5,) probabilities of `SYMBOLS` and of none."""
    parts: int = 0
    """Number of equal parts of a mark that is no digit; 0 if they are not alike."""
    part: NDArray[np.float32] | None = None
    """The shape of these parts."""


def appearance(
    features: Features, reading: Reading, cells: int, past: Past, *, at_rest: bool = False
) -> Floats:
    """Return (16,) scores of a kind, by `LABELS`, from its picture and its changes alone."""
    scores = np.full(len(LABELS), _EVIDENCE.never)
    scores[AT[UNREAD]] = max(
        _EVIDENCE.unread - _EVIDENCE.unread_each * (cells - 1), _EVIDENCE.unread_least
    )
    if at_rest and (features.plain or cells > 1):
        scores[AT[UNREAD]] += _EVIDENCE.passes
    if features.plain:
        scores[AT[0]] = scores[AT[COVERED]] = 0.0
        if cells == 1:
            scores[AT[EXPLODED]] = _EVIDENCE.plain_hit
    else:
        read = float(reading.digits[1:9].max())
        scores[AT[UNREAD]] -= _EVIDENCE.clearly * np.clip(
            (read - _EVIDENCE.surely) / (_EVIDENCE.clear - _EVIDENCE.surely), 0, 1
        )
        scores[:9] = np.log(np.maximum(reading.digits[:9], _EVIDENCE.floor))
        rare = _EVIDENCE.usually * (np.log(_EVIDENCE.usual[1:]) - np.log(max(_EVIDENCE.usual)))
        scores[1:9] += rare
        clear = reading.digits[1:9].max() > _EVIDENCE.clear
        other = float(
            np.clip(reading.digits[9:].sum() * (0.2 if clear else 1.0), _EVIDENCE.floor, 1)
        )
        question = float(np.clip(reading.question, 3e-3 * other, other))
        symbol = np.log(max(other - question, _EVIDENCE.perhaps_flag * other))
        mine, flag, misflag = np.log(_drawn(reading))
        scores[AT[QUESTION]] = np.log(question) - min(0.3 * (cells - 1), 4.0)
        scores[AT[FLAG]] = symbol + flag
        scores[AT[MINE]] = symbol + mine
        scores[AT[EXPLODED]] = symbol + mine + _EVIDENCE.many_hit * min(cells - 1, 8)
        scores[AT[MINE]] -= 1.0 * (cells == 1)
        scores[AT[MISFLAG]] = symbol + max(misflag, _EVIDENCE.any_hand)
        scores[AT[MISFLAG]] += _EVIDENCE.became * (past.unlike_flag == cells)
        scores[AT[COVERED]] = np.log(other) - 6.0
        scores[AT[0]] = max(scores[AT[0]], np.log(other) - 6.0)
    at_once = past.came >= AT_ONCE and not features.plain
    if at_once:
        scores[AT[COVERED]] += _EVIDENCE.not_covered
    blind = _EVIDENCE.blindest if past.massed else min(past.blind, _EVIDENCE.blindest) * at_once
    for label in (FLAG, QUESTION):
        scores[AT[label]] += _EVIDENCE.blind * blind
    if past.opened:
        for label in (FLAG, QUESTION, MISFLAG):
            scores[AT[label]] += _EVIDENCE.never
    elif past.flagged:
        # The pointer may be drawn over it, so that nothing else is excluded.
        scores[AT[FLAG]] = max(scores[AT[FLAG]], 0.0)
        for label in REVEALED:
            scores[AT[label]] += _EVIDENCE.never
    for label in REVEALED:
        scores[AT[label]] += max(_EVIDENCE.went_on * past.went_on, 3 * _EVIDENCE.went_on)
    return scores


def grounded(to_opened: float, to_covered: float) -> Floats:
    """Return (16,) scores, at most 0, for the background of a mark.

    Flags are on covered cells and hints on opened ones, pixel by pixel in most programs. In some a
    flag, and in many a mine, has its own background. The arguments are the `ground_distance` to the
    nearest opened and covered kind, infinite if there is none.
    """
    added = np.zeros(len(LABELS))
    if np.isinf(min(to_opened, to_covered)):
        return added
    flags = [AT[FLAG], AT[QUESTION]]
    if to_covered < _EVIDENCE.exact and to_opened > to_covered + _EVIDENCE.exact:
        added[:9] = _EVIDENCE.other_ground
        added[AT[EXPLODED]] = _EVIDENCE.other_ground / 2
        added[AT[MINE]] = added[AT[MISFLAG]] = _EVIDENCE.other_ground / 3
    elif to_opened < _EVIDENCE.exact and to_covered > to_opened + _EVIDENCE.exact:
        # Without a covered cell to compare with, it may be the same as theirs.
        added[flags] = _EVIDENCE.other_ground / (2 if np.isinf(to_covered) else 1)
        added[AT[EXPLODED]] = -2.0
    elif min(to_covered, to_opened) >= _EVIDENCE.exact:
        # If the background resembles neither, it matters little which one is nearer.
        most = -1.0 if min(to_covered, to_opened) > _EVIDENCE.foreign else -4.0
        most = max(most, _EVIDENCE.no_other) if np.isinf(to_opened) else most
        added[:9] = min(max(to_covered - to_opened, most), 0.0)
        if not np.isinf(to_covered):  # At the end of a game every closed cell may have a flag.
            added[flags] = -1.0 + min(max(to_opened - to_covered, -4.0), 0.0)
        added[AT[MINE]] = -0.5
    return added


def beside_zero(plain: bool, reading: Reading, *, at_rest: bool) -> Floats:
    """Return (16,) scores to add to a kind if a tile of it is beside a zero.

    A zero has opened its neighbours, and none of them is a mine. So a mark there is a hint in any
    style: dots, roman numbers. The rules of the game decide which one.
    """
    added = np.zeros(len(LABELS))
    if not plain:
        read = reading.digits[1:9]
        unlike = max(1.0 - float(read.sum()), 0.0)
        added[1:9] = np.log(
            (read + _EVIDENCE.hint * unlike / 8 + _EVIDENCE.floor)
            / np.maximum(read, _EVIDENCE.floor)
        )
        added[[AT[state] for state in (FLAG, QUESTION, MISFLAG)]] = np.log(1 - _EVIDENCE.hint)
        added[[AT[MINE], AT[EXPLODED]]] = _EVIDENCE.never
        added[AT[UNREAD]] = _EVIDENCE.passes * at_rest
    return added


def ground_distance(one: Features, other: Features) -> float:
    """Return the distance of the backgrounds and rims of two kinds; 3 is another background."""
    ground = float(np.abs(one.ground - other.ground).max())
    if len(one.rim) != len(other.rim):
        return ground / 10
    return ground / 10 + float(np.abs(one.rim - other.rim).mean()) / 40


def same_mark(one: Features, other: Features) -> bool:
    """Return whether two kinds show exactly the same mark in the same colours.

    Every spot of one must be in the other, within a pixel: a 5 and a 6 correlate by 0.95, and
    differ in one stroke.
    """
    if one.plain or other.plain or _spots_apart(one, other) >= _EVIDENCE.spot:
        return False
    return _resemble(one, other) or any(
        _resemble(replace(one, mark=moved(one.mark, x, y, cv2.BORDER_CONSTANT)), other)
        for x, y in _MOVES
    )


def other_mark(one: Features, other: Features) -> bool:
    """Return whether two kinds certainly show different marks, on any background."""
    if one.plain or other.plain:
        return one.plain != other.plain
    return not _resemble(one, other) or _spots_apart(one, other) >= 2 * _EVIDENCE.spot


def _spots_apart(one: Features, other: Features) -> float:
    """Return the largest difference in grey levels between two marks, within a pixel."""
    soft, its = (cv2.GaussianBlur(features.drawn, (3, 3), 0) for features in (one, other))
    others = (moved(its, x, y, cv2.BORDER_CONSTANT) for x, y in _MOVES)
    return min(float(np.abs(one - soft).max()) for one in others)


def kin_mark(one: Features, other: Features) -> bool:
    """Return whether two marks are similar, like a mine and an exploded one."""
    return not (one.plain or other.plain) and _resemble(one, other)


def _resemble(one: Features, other: Features) -> bool:
    return resemblance(one, other) > _EVIDENCE.resemble


def resemblance(one: Features, other: Features) -> float:
    """Return the correlation of two marks in any colours; 0 if there is no mark."""
    a, b = one.mark - one.mark.mean(), other.mark - other.mark.mean()
    both = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / both if both > 0 else 0.0


def adds_to(one: Features, other: Features) -> bool:
    """Return whether a mark is another one with an addition: a flag with a '?', a crossed mine."""
    if one.plain or other.plain or resemblance(one, other) < _EVIDENCE.added_alike:
        return False
    ink, its = one.mark > _EVIDENCE.ink, other.mark > _EVIDENCE.ink
    if not its.any():
        return False
    kept = (np.abs(one.drawn - other.drawn).max(axis=2) < _EVIDENCE.spot)[its].mean()
    more = ink & (cv2.dilate(its.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0)
    return bool(
        kept > _EVIDENCE.kept and _EVIDENCE.more[0] < more.sum() / its.sum() < _EVIDENCE.more[1]
    )


def with_addition(scores: Floats, cells: int) -> Floats:
    """Return (16,) scores of a mark that is another one with an addition: often a question mark."""
    other = float(np.logaddexp.reduce([scores[AT[FLAG]], scores[AT[MINE]], scores[AT[QUESTION]]]))
    scores = scores.copy()
    question = other + _EVIDENCE.added - min(0.3 * (cells - 1), 4.0)
    scores[AT[QUESTION]] = max(scores[AT[QUESTION]], question)
    return scores


def another_of(scores: Floats) -> Floats:
    """Return (16,) scores of one more kind with the same mark, whose shape was counted already."""
    scores = scores.copy()
    symbol = max(scores[AT[FLAG]], scores[AT[MINE]])
    if symbol == -np.inf:
        return scores
    scores[AT[EXPLODED]] += min(symbol - scores[AT[MINE]], -scores[AT[EXPLODED]])
    scores[AT[FLAG]] = scores[AT[MINE]] = symbol
    return scores


def _drawn(reading: Reading) -> Floats:
    """Return (3,) log probabilities of mine, flag and wrong flag, if the mark is one of them."""
    none = float(reading.symbols[-1])
    shares: Floats = reading.symbols[:3] + _EVIDENCE.misled + none / 8
    parts: Floats = shares / shares.sum()
    return parts
