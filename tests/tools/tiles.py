"""Tiles of every style with a glyph on them, for training the digit reader."""

from __future__ import annotations

import cv2
import numpy as np

from tests.support.glyphs import Alpha, Random, Tile

_SHRINKING = (cv2.INTER_LINEAR, cv2.INTER_AREA, cv2.INTER_CUBIC)
_ENLARGING = (*_SHRINKING, cv2.INTER_NEAREST)


def compose(rng: Random, alpha: Alpha) -> Tile:
    """Return a tile (h, w, 3), about square, with the glyph on it, in random colours and state."""
    height, width = alpha.shape
    side = round(max(height / rng.uniform(0.28, 0.95), width / 0.92))
    across = max(side if rng.random() < 0.85 else round(side * rng.uniform(0.9, 1.15)), width + 1)
    down = max(side, height)
    paper, ink = _colours(rng)
    tile = _paper(rng, paper, down, across)
    top = _place(rng, down - height)
    left = _place(rng, across - width)
    _frame(rng, tile, paper, min(top, down - height - top), min(left, across - width - left))
    _glyph(rng, tile, alpha, top, left, paper, ink)
    return _spoilt(rng, tile, 8 / height)


def _colours(rng: Random) -> tuple[np.ndarray, np.ndarray]:
    while True:
        paper, ink = rng.integers(0, 256, 3), rng.integers(0, 256, 3)
        if rng.random() < 0.5:
            paper[:] = rng.choice([0, 30, 128, 176, 192, 224, 240, 255])
        if np.abs(paper - ink).max() >= 45:
            return paper.astype(np.float32), ink.astype(np.float32)


def _place(rng: Random, room: int) -> int:
    return int(np.clip(round(room / 2 + rng.normal(0, 0.06) * room), 0, max(room, 0)))


def _paper(rng: Random, colour: np.ndarray, height: int, width: int) -> np.ndarray:
    tile = np.full((height, width, 3), colour, np.float32)
    if rng.random() < 0.25:
        slope = rng.uniform(-0.5, 0.5, 2) * rng.choice([8, 20, 30])
        shade = np.add.outer(
            np.linspace(-1, 1, height) * slope[0], np.linspace(-1, 1, width) * slope[1]
        )
        tile += shade[..., None].astype(np.float32)
    return tile


def _frame(rng: Random, tile: np.ndarray, paper: np.ndarray, room_y: int, room_x: int) -> None:
    """Draw lines, bevels, dots or rounded corners, if there is room beside the glyph."""
    height, width = tile.shape[:2]
    room = min(room_x, room_y)
    thick = min(int(rng.choice([1, 1, 1, 2, 3])) * max(1, height // 40), room)
    kind = int(rng.integers(6))
    if thick < 1 or kind == 0:
        return
    colours = np.clip(paper + rng.choice([-1, 1], (4, 1)) * rng.uniform(8, 200, (4, 1)), 0, 255)
    if rng.random() < 0.2:
        colours = rng.integers(0, 256, (4, 3)).astype(np.float64)
    colours = colours * np.ones((1, 3))
    if kind == 1:
        colours[:] = colours[0]
    if kind == 2:
        colours[1], colours[3] = colours[0], colours[2]
    if kind == 5:
        radius = min(3 * room, round(0.2 * height))
        inside = np.zeros((height, width), np.uint8)
        cv2.rectangle(inside, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
        cv2.rectangle(inside, (0, radius), (width - 1, height - 1 - radius), 255, -1)
        for x in (radius, width - 1 - radius):
            for y in (radius, height - 1 - radius):
                cv2.circle(inside, (x, y), radius, 255, -1, cv2.LINE_AA)
        share = inside[..., None].astype(np.float32) / 255
        tile[:] = tile * share + colours[0].astype(np.float32) * (1 - share)
        return
    sides = rng.random(4) < (0.5 if kind in (1, 3) else 1.0)
    dotted = int(rng.choice([1, 1, 1, 2]))
    for step in range(thick):
        low, high = (step, -1 - step) if kind != 4 else (step, step - 1)
        if sides[0]:
            tile[step, step::dotted] = colours[0]
        if sides[1]:
            tile[step::dotted, step] = colours[1]
        if sides[2]:
            tile[high, low::dotted] = colours[2]
        if sides[3]:
            tile[low::dotted, high] = colours[3]


def _glyph(
    rng: Random,
    tile: np.ndarray,
    alpha: Alpha,
    top: int,
    left: int,
    paper: np.ndarray,
    ink: np.ndarray,
) -> None:
    """Draw the glyph, sometimes with a shadow, an outline, an emboss or a gradient."""
    share = np.zeros(tile.shape[:2], np.float32)
    part = share[top : top + alpha.shape[0], left : left + alpha.shape[1]]
    part[:] = alpha[: part.shape[0], : part.shape[1]].astype(np.float32) / 255
    style = int(rng.integers(12))
    reach = max(1, round(alpha.shape[0] * rng.uniform(0.02, 0.08)))
    dark = np.clip(paper - rng.uniform(30, 120), 0, 255).astype(np.float32)
    if style == 0:
        _over(tile, _shifted(share, reach, reach), dark)
    elif style == 1:
        light = np.clip(paper + rng.uniform(30, 120), 0, 255).astype(np.float32)
        _over(tile, _shifted(share, reach, reach), light)
        _over(tile, _shifted(share, -reach, -reach), dark)
    elif style == 2:
        edge = rng.integers(0, 256, 3).astype(np.float32)
        _over(tile, cv2.dilate(share, np.ones((2 * reach + 1,) * 2, np.uint8)), edge)
    elif style == 3:
        soft = cv2.GaussianBlur(_shifted(share, reach, reach), (0, 0), reach)
        _over(tile, soft * float(rng.uniform(0.2, 0.6)), dark)
    if style == 4:
        fade = np.linspace(0, 1, tile.shape[0], dtype=np.float32)[:, None, None]
        ink = ink + fade * rng.uniform(-40, 40)
    _over(tile, share, ink)


def _over(tile: np.ndarray, share: np.ndarray, colour: np.ndarray) -> None:
    tile += share[..., None] * (colour - tile)


def _shifted(share: np.ndarray, down: int, right: int) -> np.ndarray:
    moved = np.zeros_like(share)
    height, width = share.shape
    moved[max(down, 0) : height + min(down, 0), max(right, 0) : width + min(right, 0)] = share[
        max(-down, 0) : height + min(-down, 0), max(-right, 0) : width + min(-right, 0)
    ]
    return moved


def _spoilt(rng: Random, tile: np.ndarray, smallest: float) -> Tile:
    """Return a tile scaled, blurred, noisy, compressed, cropped or padded, each at random."""
    image = np.clip(tile, 0, 255).astype(np.uint8)
    height = image.shape[0]
    if rng.random() < 0.45:
        factor = float(np.exp(rng.uniform(np.log(min(1.0, max(0.5, smallest))), np.log(2.2))))
        new = (max(8, round(image.shape[1] * factor)), max(8, round(height * factor)))
        how = rng.choice(_ENLARGING if factor > 1 else _SHRINKING)
        image = cv2.resize(image, new, interpolation=int(how))
    if rng.random() < 0.15 and min(image.shape[:2]) > 16:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 0.02 * min(image.shape[:2]) + 0.4))
    if rng.random() < 0.2:
        cut = rng.integers(0, 2, 4)
        image = image[cut[0] : image.shape[0] - cut[1], cut[2] : image.shape[1] - cut[3]]
    if rng.random() < 0.25:
        noise = rng.normal(0, rng.uniform(1, 6), image.shape)
        image = np.clip(image + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        quality = int(rng.integers(55, 96))
        _, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        image = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    return np.ascontiguousarray(image)
