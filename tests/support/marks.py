"""Mines, flags, question marks and other marks in many styles, for training the readers.

Drawn large, made smaller, in shades that represent colours; not modelled on any program's picture.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from tests.support.glyphs import Alpha, Random, cropped

Painter = Callable[[Random, int], Alpha]
_LARGE = 160
"""Side at which they are drawn, in pixels."""


def bomb(rng: Random, side: int) -> Alpha:
    """Return a ball with a fuse, straight or bent; perhaps a neck, a spark, a shine, a rim."""
    image = _empty()
    x, y = _LARGE * rng.uniform(0.4, 0.6), _LARGE * rng.uniform(0.52, 0.66)
    radius = _LARGE * rng.uniform(0.2, 0.34)
    angle = -np.pi / 2 + rng.choice([0, 1, -1, 1]) * rng.uniform(0, 1.1)
    ahead, aside = (
        np.array([np.cos(angle), np.sin(angle)]),
        np.array([-np.sin(angle), np.cos(angle)]),
    )
    middle = np.array([x, y])
    start = middle + 0.9 * radius * ahead
    tip = start + radius * rng.uniform(0.3, 1.2) * ahead
    tip = tip + radius * rng.choice([0, 0, 1, -1]) * rng.uniform(0.2, 0.9) * aside
    bend = (start + tip) / 2 + radius * rng.uniform(-0.4, 0.4) * aside
    fuse = np.stack([_between(start, bend, tip, t) for t in np.linspace(0, 1, 12)])
    cv2.polylines(image, [_whole(fuse)], False, _shade(rng), _thick(rng, 0.03, 0.1), cv2.LINE_AA)
    if rng.random() < 0.5:
        half = radius * rng.uniform(0.2, 0.45)
        top = start + radius * rng.uniform(0.1, 0.3) * ahead
        corners = [
            start - half * aside,
            start + half * aside,
            top + half * aside,
            top - half * aside,
        ]
        cv2.fillPoly(image, [_whole(np.stack(corners))], _shade(rng), cv2.LINE_AA)
    if rng.random() < 0.4:
        _burst(rng, image, tip, radius * rng.uniform(0.15, 0.5))
    _ball(rng, image, middle, radius)
    return _small(rng, image, side)


def sea_mine(rng: Random, side: int) -> Alpha:
    """Return a ball with horns, spikes or knobs all around, or none, in their own shade."""
    image = _empty()
    middle = np.array([_LARGE / 2, _LARGE / 2]) + rng.normal(0, 3, 2)
    radius = _LARGE * rng.uniform(0.2, 0.36)
    count, shade = int(rng.choice([0, 4, 4, 5, 6, 7, 8, 8, 10, 12])), _shade(rng)
    reach, thick = radius * rng.uniform(1.15, 1.6), _thick(rng, 0.03, 0.12)
    knob = rng.random() < 0.4
    start = rng.choice([0.0, np.pi / max(count, 1), rng.uniform(0, 1)])
    for angle in start + 2 * np.pi * np.arange(count) / max(count, 1):
        end = middle + reach * np.array([np.cos(angle), np.sin(angle)])
        cv2.line(image, _at(middle), _at(end), shade, thick, cv2.LINE_AA)
        if knob:
            cv2.circle(image, _at(end), thick, shade, -1, cv2.LINE_AA)
    _ball(rng, image, middle, radius)
    return _small(rng, image, side)


def banner(rng: Random, side: int) -> Alpha:
    """Return a flag: pole, cloth of five cuts, foot of four; tilted, in two tones, marked."""
    image = _empty()
    pole, way = _LARGE * rng.uniform(0.25, 0.75), 1
    if pole > _LARGE / 2:
        way = -1
    top, foot = _LARGE * rng.uniform(0.04, 0.2), _LARGE * rng.uniform(0.75, 0.96)
    thick = _thick(rng, 0.03, 0.13)
    shade = _shade(rng)
    if rng.random() < 0.92:
        cv2.line(image, _at((pole, top)), _at((pole, foot)), shade, thick, cv2.LINE_AA)
    _foot(rng, image, pole, foot, thick, shade)
    long, deep = way * _LARGE * rng.uniform(0.28, 0.68), _LARGE * rng.uniform(0.25, 0.6)
    cloth = _cloth(rng, pole, top, long, deep)
    tone = _shade(rng)
    cv2.fillPoly(image, [_whole(cloth)], tone, cv2.LINE_AA)
    if rng.random() < 0.3:
        half = cloth.copy()
        half[:, 1] = np.maximum(half[:, 1], top + deep * rng.uniform(0.4, 0.7))
        cv2.fillPoly(image, [_whole(half)], _shade(rng), cv2.LINE_AA)
    if rng.random() < 0.25:
        cv2.polylines(image, [_whole(cloth)], True, 255, _thick(rng, 0.02, 0.05), cv2.LINE_AA)
    if rng.random() < 0.15:
        cv2.circle(image, _at((pole, top)), thick, shade, -1, cv2.LINE_AA)
    if rng.random() < 0.15:
        ink = int(rng.choice([0, 255]))
        at = np.array([pole + 0.45 * long, top + 0.5 * deep])
        _query(rng, image, at, 0.7 * deep, ink, max(round(0.12 * deep), 2))
    if rng.random() < 0.3:
        turn = cv2.getRotationMatrix2D((_LARGE / 2, _LARGE / 2), float(rng.normal(0, 10)), 1)
        image = np.asarray(cv2.warpAffine(image, turn, (_LARGE, _LARGE)), np.uint8)
    return _small(rng, image, side)


def struck(rng: Random, side: int) -> Alpha:
    """Return a cross or a stroke, mostly over a bomb, a mine or a flag."""
    image = _empty()
    under: Painter | None = rng.choice([bomb, sea_mine, banner, bomb, sea_mine, banner, None])
    if under is not None:
        part = under(rng, _LARGE)
        scale = max(round(_LARGE * rng.uniform(0.55, 1.0)), 8) / max(part.shape)
        part = cv2.resize(
            part, (max(round(part.shape[1] * scale), 4), max(round(part.shape[0] * scale), 4))
        )
        top, left = (_LARGE - part.shape[0]) // 2, (_LARGE - part.shape[1]) // 2
        part = (part * rng.uniform(0.35, 1.0)).astype(np.uint8)
        image[top : top + part.shape[0], left : left + part.shape[1]] = part
    thick, shade, kind = (
        _thick(rng, 0.06, 0.18),
        int(rng.choice([255, 255, _shade(rng)])),
        rng.integers(5),
    )
    low = _LARGE * rng.uniform(0.0, 0.2)
    high = _LARGE - low
    strokes = [((low, low), (high, high)), ((high, low), (low, high))]
    for one, other in strokes[: 1 if kind == 3 else 2]:
        if rng.random() < 0.3:
            cv2.line(image, _at(one), _at(other), 0, thick + 6, cv2.LINE_AA)
        cv2.line(image, _at(one), _at(other), shade, thick, cv2.LINE_AA)
    return _small(rng, image, side)


def emblem(rng: Random, side: int) -> Alpha:
    """Return a picture: a skull, a heart, a star, a burst, a drop, a gem, a face or a clock."""
    image = _empty()
    middle, kind = np.array([_LARGE / 2, _LARGE / 2]), int(rng.integers(8))
    reach = _LARGE * rng.uniform(0.38, 0.48)
    if kind == 0:
        _skull(rng, image)
    elif kind == 1:
        t = np.linspace(0, 2 * np.pi, 60)
        x = 16 * np.sin(t) ** 3
        y = -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
        _filled(rng, image, middle + np.stack([x, y], axis=1) * reach / 17)
    elif kind == 2:
        points = int(rng.integers(4, 9))
        _filled(
            rng,
            image,
            _star(middle, points, reach, reach * rng.uniform(0.3, 0.7), rng.uniform(0, 1)),
        )
    elif kind == 3:
        _burst(rng, image, middle, reach)
        if rng.random() < 0.5:
            _ball(rng, image, middle, reach * rng.uniform(0.3, 0.6))
    elif kind == 4:
        cv2.circle(
            image,
            _at(middle + np.array([0, 0.2 * reach])),
            round(0.6 * reach),
            255,
            -1,
            cv2.LINE_AA,
        )
        tip = np.array([(-0.55, 0.1), (0.55, 0.1), (rng.uniform(-0.3, 0.3), -1)]) * reach + middle
        cv2.fillPoly(image, [_whole(tip)], 255, cv2.LINE_AA)
    elif kind == 5:
        corners = np.array([(-1, -0.3), (-0.5, -0.8), (0.5, -0.8), (1, -0.3), (0, 1)]) * reach
        _filled(rng, image, middle + corners)
    elif kind == 6:
        _smiley(rng, image, middle, reach)
    else:
        _clock(rng, image, middle, reach)
    return _small(rng, image, side)


def scrap(rng: Random, side: int) -> Alpha:
    """Return what is no picture: bars, corners, boxes, blobs, hatching, noise."""
    image = np.zeros((side, side), np.uint8)
    kind = int(rng.integers(7))
    thick = max(1, round(side * rng.uniform(0.05, 0.3)))
    a, b = rng.uniform(0, side, 2), rng.uniform(0, side, 2)
    if kind == 0:
        cv2.line(image, _at((0, a[1])), _at((side, a[1])), 255, thick)
    elif kind == 1:
        cv2.rectangle(image, _at(np.minimum(a, b)), _at(np.maximum(a, b)), 255, -1)
    elif kind == 2:
        points = rng.uniform(0, side, (int(rng.integers(3, 7)), 2))
        cv2.fillPoly(image, [_whole(points)], 255)
    elif kind == 3:
        image[:] = 255 * (rng.random(image.shape) < rng.uniform(0.05, 0.5))
    elif kind == 4:
        step = int(rng.integers(2, 5))
        image[np.add.outer(np.arange(side), np.arange(side)) % step == 0] = 255
    elif kind == 5:
        cv2.line(image, (0, 0), (side, 0), 255, thick)
        cv2.line(image, (0, 0), (0, side), 255, thick)
        image = np.ascontiguousarray(np.rot90(image, int(rng.integers(4))))
    else:
        noise = cv2.GaussianBlur(rng.random(image.shape).astype(np.float32), (0, 0), side / 10)
        image[noise > np.quantile(noise, rng.uniform(0.5, 0.9))] = 255
    return cropped(image)


def query(rng: Random, side: int) -> Alpha:
    """Return question marks that no font has; sometimes two or three, touching or apart."""
    image = _empty()
    count = int(rng.choice([1, 1, 1, 2, 2, 3]))
    high = _LARGE * rng.uniform(0.6, 0.92)
    thick = max(round(high * rng.uniform(0.06, 0.2)), 2)
    step = high * rng.uniform(0.36, 0.6)
    state = rng.bit_generator.state
    for place in range(count):
        rng.bit_generator.state = state
        x = _LARGE / 2 + (place - (count - 1) / 2) * step
        _query(rng, image, np.array([x, _LARGE / 2]), high, 255, thick)
    return _small(rng, image, side)


NO_DIGITS: Final[tuple[Painter, ...]] = (
    bomb, bomb, sea_mine, sea_mine, banner, banner, banner, struck, struck, struck, emblem, emblem,
    emblem, scrap,
)  # fmt: skip
"""The painters of marks that are no digits and no question marks, as often as they are drawn."""


def _query(rng: Random, image: Alpha, at: np.ndarray, high: float, ink: int, thick: int) -> None:
    radius = high * rng.uniform(0.2, 0.28)
    bow = at - (0, high / 2 - radius)
    start, end = rng.uniform(160, 200), rng.uniform(390, 440)
    angles = np.radians(np.linspace(start, end, 24))
    curve = bow + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    stem = at + np.array([[0, high * rng.uniform(0.0, 0.06)], [0, high * rng.uniform(0.12, 0.22)]])
    cv2.polylines(image, [_whole(np.concatenate([curve, stem]))], False, ink, thick, cv2.LINE_AA)
    dot = at + np.array([0, high * rng.uniform(0.38, 0.46)])
    size = max(round(thick * rng.uniform(0.5, 0.75)), 1)
    if rng.random() < 0.5:
        cv2.circle(image, _at(dot), size, ink, -1, cv2.LINE_AA)
    else:
        cv2.rectangle(image, _at(dot - size), _at(dot + size), ink, -1)


def _ball(rng: Random, image: Alpha, middle: np.ndarray, radius: float) -> None:
    shade = _shade(rng)
    cv2.circle(image, _at(middle), round(radius), shade, -1, cv2.LINE_AA)
    kind = int(rng.integers(6))
    if kind == 0:
        cv2.circle(image, _at(middle), round(radius), 255, _thick(rng, 0.02, 0.06), cv2.LINE_AA)
    elif kind == 1:
        for part in np.linspace(0.9, 0.1, 8):
            tone = round(shade * (0.5 + 0.5 * part))
            cv2.circle(
                image, _at(middle - (1 - part) * 0.4 * radius), round(part * radius), tone, -1
            )
    if rng.random() < 0.65:
        shine = middle + radius * rng.uniform(0.15, 0.5) * np.array([rng.choice([-1, -1, 1]), -1])
        axes = _at(radius * rng.uniform(0.08, 0.4, 2))
        tone, turn = int(rng.choice([0, 0, 60, 120])), float(rng.uniform(0, 180))
        if rng.random() < 0.7:
            cv2.ellipse(image, _at(shine), axes, turn, 0, 360, tone, -1, cv2.LINE_AA)
        else:
            size = _at((0.65 * radius, 0.65 * radius))
            cv2.ellipse(image, _at(middle), size, 180, 5, 85, tone, _thick(rng, 0.02, 0.06))


def _burst(rng: Random, image: Alpha, middle: np.ndarray, reach: float) -> None:
    points = int(rng.integers(5, 14))
    if rng.random() < 0.5:
        star = _star(middle, points, reach, reach * rng.uniform(0.35, 0.7), rng.uniform(0, 1))
        star += rng.normal(0, 0.08 * reach, star.shape)
        cv2.fillPoly(image, [_whole(star)], _shade(rng), cv2.LINE_AA)
        return
    shade, thick = _shade(rng), max(round(0.12 * reach), 2)
    for angle in rng.uniform(0, 1) + 2 * np.pi * np.arange(points) / points:
        ray = np.array([np.cos(angle), np.sin(angle)]) * reach
        cv2.line(image, _at(middle + 0.4 * ray), _at(middle + ray), shade, thick, cv2.LINE_AA)


def _star(middle: np.ndarray, points: int, outer: float, inner: float, turn: float) -> np.ndarray:
    angles = turn + np.pi * np.arange(2 * points) / points
    radii = np.where(np.arange(2 * points) % 2, inner, outer)
    return middle + radii[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _skull(rng: Random, image: Alpha) -> None:
    middle, radius = np.array([_LARGE / 2, 0.42 * _LARGE]), _LARGE * rng.uniform(0.26, 0.38)
    if rng.random() < 0.4:
        thick, shade = _thick(rng, 0.06, 0.12), _shade(rng)
        for one, other in (((10, 70), (150, 150)), ((150, 70), (10, 150))):
            cv2.line(image, one, other, shade, thick, cv2.LINE_AA)
    cv2.circle(image, _at(middle), round(radius), 255, -1, cv2.LINE_AA)
    jaw = np.array([0.55 * radius, 1.5 * radius])
    cv2.rectangle(image, _at(middle - (jaw[0], 0)), _at(middle + jaw), 255, -1)
    for way in (-1, 1):
        eye = middle + radius * np.array([way * 0.4, 0.1])
        cv2.circle(image, _at(eye), round(radius * rng.uniform(0.18, 0.3)), 0, -1, cv2.LINE_AA)
    nose = middle + radius * np.array([(0, 0.45), (-0.15, 0.75), (0.15, 0.75)])
    cv2.fillPoly(image, [_whole(nose)], 0)
    for tooth in (-0.2, 0.2):
        x = middle[0] + tooth * radius
        cv2.line(image, _at((x, middle[1] + 1.1 * radius)), _at((x, middle[1] + jaw[1])), 0, 3)


def _smiley(rng: Random, image: Alpha, middle: np.ndarray, reach: float) -> None:
    full, thick = rng.random() < 0.5, _thick(rng, 0.04, 0.1)
    ink = 0 if full else 255
    cv2.circle(image, _at(middle), round(reach), 255, -1 if full else thick, cv2.LINE_AA)
    for way in (-1, 1):
        cv2.circle(image, _at(middle + reach * np.array([0.38 * way, -0.26])), thick, ink, -1)
    mouth, turn = _at(middle + np.array([0, 0.22 * reach])), int(rng.choice([0, 180]))
    cv2.ellipse(image, mouth, _at((0.5 * reach, 0.33 * reach)), turn, 10, 170, ink, thick)


def _clock(rng: Random, image: Alpha, middle: np.ndarray, reach: float) -> None:
    """Draw a clock as beside a counter: a ring with two hands; sometimes with a knob."""
    thick = _thick(rng, 0.04, 0.14)
    cv2.circle(image, _at(middle), round(reach - thick / 2), 255, thick, cv2.LINE_AA)
    for length in (0.5, 0.8):
        angle = rng.choice([-np.pi / 2, 0.0, rng.uniform(0, 2 * np.pi)])
        end = middle + length * reach * np.array([np.cos(angle), np.sin(angle)])
        cv2.line(image, _at(middle), _at(end), 255, thick, cv2.LINE_AA)
    if rng.random() < 0.2:
        top = middle - (0, reach)
        cv2.line(image, _at(top), _at(top - (0, thick)), 255, 2 * thick)


def _cloth(rng: Random, x: float, top: float, long: float, deep: float) -> np.ndarray:
    kind = int(rng.integers(5))
    if kind == 0:
        return np.array([(x, top), (x + long, top + deep * rng.uniform(0.3, 0.7)), (x, top + deep)])
    if kind == 1:
        return np.array([(x, top), (x + long, top), (x + long, top + deep), (x, top + deep)])
    if kind == 2:
        notch = x + long * rng.uniform(0.5, 0.8)
        return np.array([
            (x, top), (x + long, top), (notch, top + deep / 2),
            (x + long, top + deep), (x, top + deep),
        ])  # fmt: skip
    along = np.linspace(0, 1, 16)
    wave = deep * rng.uniform(0.06, 0.2) * np.sin(along * rng.uniform(3, 7) + rng.uniform(0, 6))
    fall = deep * (1 - along * rng.choice([0, 0.4, 0.9]))
    upper = np.stack([x + long * along, top + (deep - fall) / 2 + wave], axis=1)
    lower = np.stack([x + long * along, top + (deep + fall) / 2 + wave], axis=1)
    return np.concatenate([upper, lower[::-1]])


def _foot(rng: Random, image: Alpha, x: float, y: float, thick: int, shade: int) -> None:
    kind, half = int(rng.integers(5)), _LARGE * rng.uniform(0.1, 0.38)
    if kind == 1:
        cv2.line(image, _at((x - half, y)), _at((x + half, y)), shade, thick, cv2.LINE_AA)
    elif kind == 2:
        for step in (0, 1):
            wide = half / (1 + step)
            low = y - step * thick
            cv2.rectangle(image, _at((x - wide, low)), _at((x + wide, low + thick)), shade, -1)
    elif kind == 3:
        hill = np.array([(x - half, y), (x, y - 0.6 * half), (x + half, y)])
        cv2.fillPoly(image, [_whole(hill)], shade, cv2.LINE_AA)
    elif kind == 4:
        cv2.ellipse(
            image, _at((x, y)), _at((half, 0.4 * half)), 0, 180, 360, shade, -1, cv2.LINE_AA
        )


def _filled(rng: Random, image: Alpha, points: np.ndarray) -> None:
    if rng.random() < 0.8:
        cv2.fillPoly(image, [_whole(points)], _shade(rng), cv2.LINE_AA)
    else:
        cv2.polylines(image, [_whole(points)], True, 255, _thick(rng, 0.05, 0.12), cv2.LINE_AA)


def _small(rng: Random, image: Alpha, side: int) -> Alpha:
    """Return a picture cropped and scaled to `side`, smooth, or in few shades like old programs."""
    part = cropped(image)
    if part.size == 0:
        return part
    scale = side / max(part.shape)
    size = max(round(part.shape[1] * scale), 1), max(round(part.shape[0] * scale), 1)
    smooth = rng.random() < 0.7
    how = cv2.INTER_AREA if smooth or rng.random() < 0.5 else cv2.INTER_NEAREST
    small = np.asarray(cv2.resize(part, size, interpolation=how), np.uint8)
    if not smooth:
        small = np.asarray(np.where(small < 64, 0, small), np.uint8)
    return cropped(small)


def _between(start: np.ndarray, bend: np.ndarray, end: np.ndarray, t: float) -> np.ndarray:
    return np.asarray((1 - t) ** 2 * start + 2 * t * (1 - t) * bend + t * t * end)


def _empty() -> Alpha:
    return np.zeros((_LARGE, _LARGE), np.uint8)


def _shade(rng: Random) -> int:
    return 255 if rng.random() < 0.4 else int(rng.integers(90, 256))


def _thick(rng: Random, low: float, high: float) -> int:
    return max(round(_LARGE * rng.uniform(low, high)), 1)


def _whole(points: np.ndarray) -> np.ndarray:
    return np.round(points).astype(np.int32)


def _at(point: np.ndarray | tuple[float, float]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
