"""Drawn shapes without fonts: seven-segment digits, and marks on tiles that are no digits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import cv2
import numpy as np

from tests.support.glyphs import Alpha, Random, cropped

SEGMENTS: Final = ("abcdef", "bc", "abdeg", "abcdg", "bcfg", "acdfg", "acdefg", "abc", "abcdefg")
_TAILS: Final = ("abcdfg", "abcfg")


def seven_segment(rng: Random, digit: int, height: int) -> Alpha:
    """Return a seven-segment digit of some thickness, gap and slant; sometimes all segments."""
    width = max(4, round(height * rng.uniform(0.45, 0.7)))
    thick = max(1, round(height * rng.uniform(0.07, 0.2)))
    gap = rng.choice([0, 0, 0.3, 0.6]) * thick / 2
    lit = (*SEGMENTS, _TAILS[int(rng.integers(2))])[digit]
    if digit in (6, 7) and rng.random() < 0.3:
        lit = {6: "cdefg", 7: "abcf"}[digit]
    faint = int(rng.choice([0, 0, 30, 60]))
    slant = float(rng.choice([0, 0, 0.1]))
    big = 4
    image = np.zeros((height * big, width * big), np.uint8)
    t, g, w, h = thick * big, gap * big, width * big, height * big
    middle = h / 2
    ends = {
        "a": (t / 2, t / 2, w - t / 2, t / 2),
        "d": (t / 2, h - t / 2, w - t / 2, h - t / 2),
        "g": (t / 2, middle, w - t / 2, middle),
        "f": (t / 2, t / 2, t / 2, middle),
        "b": (w - t / 2, t / 2, w - t / 2, middle),
        "e": (t / 2, middle, t / 2, h - t / 2),
        "c": (w - t / 2, middle, w - t / 2, h - t / 2),
    }
    for name in sorted(ends, key=lambda name: name in lit):
        x0, y0, x1, y1 = ends[name]
        across = x0 != x1
        dx, dy = (g + (t / 2 if gap else -t / 2), 0) if across else (0, g + (t / 2 if gap else 0))
        half = t / 2
        if across:
            points = [
                (x0 + dx, y0 - half),
                (x1 - dx, y0 - half),
                (x1 - dx + half * bool(gap), y0),
                (x1 - dx, y0 + half),
                (x0 + dx, y0 + half),
                (x0 + dx - half * bool(gap), y0),
            ]
        else:
            points = [
                (x0 - half, y0 + dy),
                (x0, y0 + dy - half),
                (x0 + half, y0 + dy),
                (x0 + half, y1 - dy),
                (x0, y1 - dy + half),
                (x0 - half, y1 - dy),
            ]
        cv2.fillPoly(image, [np.round(points).astype(np.int32)], 255 if name in lit else faint)
    if slant:
        shift = slant * h
        turn = np.float32([[1, -slant, shift], [0, 1, 0]])
        image = cv2.warpAffine(image, turn, (round(w + shift), h))
    small = cv2.resize(image, (image.shape[1] // big, height), interpolation=cv2.INTER_AREA)
    return small if faint else cropped(small)


def disc_with_spikes(rng: Random, side: int) -> Alpha:
    """Return a mine: a disc, spikes or none, perhaps a shine or a hole."""
    image = np.zeros((side, side), np.uint8)
    c, radius = side / 2, side * rng.uniform(0.25, 0.42)
    cv2.circle(image, _at(c, c), round(radius), 255, -1, cv2.LINE_AA)
    count = int(rng.choice([0, 4, 8, 8, 6]))
    start = rng.choice([0.0, np.pi / 4, rng.uniform(0, 1)])
    thick = max(1, round(side * rng.uniform(0.04, 0.12)))
    for angle in start + 2 * np.pi * np.arange(count) / max(count, 1):
        end = _at(c + 0.47 * side * np.cos(angle), c + 0.47 * side * np.sin(angle))
        cv2.line(image, _at(c, c), end, 255, thick, cv2.LINE_AA)
    if rng.random() < 0.6:
        at = _at(c - radius * rng.uniform(0, 0.5), c - radius * rng.uniform(0, 0.5))
        cv2.circle(image, at, round(radius * rng.uniform(0.15, 0.5)), 0, -1, cv2.LINE_AA)
    if rng.random() < 0.2:
        cv2.line(image, _at(c, c - radius), _at(c + radius, 0), 255, thick, cv2.LINE_AA)
    return cropped(image)


def flag(rng: Random, side: int) -> Alpha:
    """Return a flag: a staff, a cloth to one side, a base of some form; parts of several shades."""
    image = np.zeros((side, side), np.uint8)
    x = side * rng.uniform(0.3, 0.7)
    thick = max(1, round(side * rng.uniform(0.04, 0.14)))
    top, foot = side * rng.uniform(0.02, 0.2), side * rng.uniform(0.8, 0.98)
    cv2.line(image, _at(x, top), _at(x, foot), int(rng.integers(120, 256)), thick, cv2.LINE_AA)
    way = rng.choice([-1, 1])
    reach, deep = way * side * rng.uniform(0.25, 0.6), side * rng.uniform(0.25, 0.55)
    cloth = [(x, top), (x + reach, top + deep / 2), (x, top + deep)]
    if rng.random() < 0.4:
        cloth = [(x, top), (x + reach, top), (x + reach, top + deep), (x, top + deep)]
    cv2.fillPoly(image, [np.round(cloth).astype(np.int32)], int(rng.integers(140, 256)))
    base = side * rng.uniform(0.0, 0.35)
    shade = int(rng.integers(120, 256))
    for step in range(int(rng.integers(0, 3))):
        y = foot - step * thick * 1.5
        cv2.line(
            image,
            _at(x - base / (step + 1), y),
            _at(x + base / (step + 1), y),
            shade,
            2 * thick,
            cv2.LINE_AA,
        )
    return cropped(image)


def cross(rng: Random, side: int) -> Alpha:
    """Return a cross, sometimes over a mine or a flag; sometimes only one stroke."""
    under: Callable[[Random, int], Alpha] | None = rng.choice([None, disc_with_spikes, flag])
    image = np.zeros((side, side), np.uint8)
    if under:
        part = under(rng, side) // 2
        image[: part.shape[0], : part.shape[1]] = part
    thick = max(1, round(side * rng.uniform(0.05, 0.2)))
    edge = side * rng.uniform(0.02, 0.15)
    cv2.line(image, _at(edge, edge), _at(side - edge, side - edge), 255, thick, cv2.LINE_AA)
    if rng.random() < 0.9:
        cv2.line(image, _at(side - edge, edge), _at(edge, side - edge), 255, thick, cv2.LINE_AA)
    return cropped(image)


def smiley(rng: Random, side: int) -> Alpha:
    """Return a face: a ring or a disc, two eyes, a mouth."""
    full = rng.random() < 0.5
    image = np.zeros((side, side), np.uint8)
    thick = max(1, round(side * rng.uniform(0.04, 0.1)))
    c = side / 2
    cv2.circle(image, _at(c, c), round(0.45 * side), 255, -1 if full else thick, cv2.LINE_AA)
    ink = 0 if full else 255
    for way in (-1, 1):
        cv2.circle(image, _at(c + way * 0.17 * side, 0.38 * side), max(1, thick), ink, -1)
    turn = int(rng.choice([0, 180]))
    cv2.ellipse(
        image,
        _at(c, 0.6 * side),
        (round(0.22 * side), round(0.15 * side)),
        turn,
        10,
        170,
        ink,
        thick,
    )
    return cropped(image)


def clock(rng: Random, side: int) -> Alpha:
    """Return a clock as beside a counter: a ring with two hands; sometimes with a knob."""
    image = np.zeros((side, side), np.uint8)
    thick = max(1, round(side * rng.uniform(0.04, 0.14)))
    c, radius = side / 2, 0.5 * side - thick
    cv2.circle(image, _at(c, c), round(radius), 255, thick, cv2.LINE_AA)
    for length in (0.5, 0.8):
        angle = rng.choice([-np.pi / 2, 0.0, rng.uniform(0, 2 * np.pi)])
        end = _at(c + length * radius * np.cos(angle), c + length * radius * np.sin(angle))
        cv2.line(image, _at(c, c), end, 255, thick, cv2.LINE_AA)
    if rng.random() < 0.2:
        cv2.line(image, _at(c, 0), _at(c, thick), 255, 2 * thick)
    return cropped(image)


def scrap(rng: Random, side: int) -> Alpha:
    """Return another mark: bars, corners, blobs, stars, hatching, noise, a box, an ellipse."""
    image = np.zeros((side, side), np.uint8)
    kind = int(rng.integers(8))
    thick = max(1, round(side * rng.uniform(0.05, 0.3)))
    a, b = rng.uniform(0, side, 2), rng.uniform(0, side, 2)
    if kind == 0:
        cv2.line(image, _at(0, a[1]), _at(side, a[1]), 255, thick)
    elif kind == 1:
        cv2.rectangle(image, _at(*np.minimum(a, b)), _at(*np.maximum(a, b)), 255, -1)
    elif kind == 2:
        points = rng.uniform(0, side, (int(rng.integers(3, 7)), 2))
        cv2.fillPoly(image, [np.round(points).astype(np.int32)], 255)
    elif kind == 3:
        image[:] = 255 * (rng.random(image.shape) < rng.uniform(0.05, 0.5))
    elif kind == 4:
        step = int(rng.integers(2, 5))
        image[np.add.outer(np.arange(side), np.arange(side)) % step == 0] = 255
    elif kind == 5:
        cv2.line(image, _at(0, 0), _at(side, 0), 255, thick)
        cv2.line(image, _at(0, 0), _at(0, side), 255, thick)
        image = np.ascontiguousarray(np.rot90(image, int(rng.integers(4))))
    elif kind == 6:
        angles = np.pi * np.arange(10) / 5 - np.pi / 2
        radii = side / 2 * np.where(np.arange(10) % 2, rng.uniform(0.35, 0.6), 1)
        points = side / 2 + radii[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        cv2.fillPoly(image, [np.round(points).astype(np.int32)], 255)
    else:
        noise = cv2.GaussianBlur(rng.random(image.shape).astype(np.float32), (0, 0), side / 10)
        image[noise > np.quantile(noise, rng.uniform(0.5, 0.9))] = 255
    return cropped(image)


def _at(x: float, y: float) -> tuple[int, int]:
    return round(float(x)), round(float(y))


def drawings() -> Iterator[Callable[[Random, int], Alpha]]:
    """Yield the painters of marks that are no digits."""
    yield from (disc_with_spikes, flag, cross, smiley, clock, scrap)
