"""Whole frames, changed like screens, remote desktops and people change them.

Each change has a kind, a strength and a seed, and reports how it moved the pixels and which of them
are covered. The states of the tiles do not change: a covered cell may be UNREAD, but never another
tile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.frame import Frame, Grid, Region

Image = NDArray[np.uint8]
Random = np.random.Generator


@dataclass(frozen=True, eq=False)
class Perturbed:
    """A changed frame."""

    image: Image
    grid: Grid
    """The board in the changed frame: in points as before, with `scale` pixels each."""
    foreign: NDArray[np.bool_]
    """(rows, cols): the covered cells."""
    region: Region
    """The region of the image, in points."""

    @property
    def frame(self) -> Frame:
        """The frame as captured on a screen with such pixels."""
        return Frame(self.image, self.region)


def _unscaled(_strength: float, _rng: Random) -> float:
    return 1.0


def _unchanged(image: Image, _strength: float, _rng: Random) -> Image:
    return image


@dataclass(frozen=True)
class Kind:
    """A way to change a frame: scale it, then change its pixels."""

    change: Callable[[Image, float, Random], Image]
    strengths: tuple[float, ...]
    band: tuple[float, float] | None = None
    """Strengths at which almost every tile has to be read."""
    factor: Callable[[float, Random], float] = _unscaled
    """Returns the scale factor of the frame."""

    def within(self, strength: float) -> bool:
        """Return whether almost every tile has to be read at that strength."""
        return self.band is not None and self.band[0] <= strength <= self.band[1]


def perturb(image: Image, grid: Grid, kind: str, strength: float, seed: int) -> Perturbed:
    """Change a frame whose points are its pixels.

    Args:
        image: (H, W, 3) uint8, BGR.
        grid: The board's grid in the image.
        kind: A key of `KINDS` or of `COVERS`.
        strength: The strength; each kind has its own unit.
        seed: The seed of all random choices.
    """
    rng = np.random.default_rng([seed, round(1000 * abs(strength)), *kind.encode()])
    region = Region(0, 0, image.shape[1], image.shape[0])
    if kind in COVERS:
        changed = image.copy()
        mask = np.zeros(image.shape[:2], bool)
        COVERS[kind].cover(changed, mask, grid, strength, rng)
        return Perturbed(changed, grid, cells_of(mask, grid), region)
    factor = KINDS[kind].factor(strength, rng)
    changed = KINDS[kind].change(_scaled(image, factor), strength, rng)
    nothing = np.zeros((grid.rows, grid.cols), bool)
    return Perturbed(changed, replace(grid, scale=factor), nothing, region)


def cells_of(mask: NDArray[np.bool_], grid: Grid) -> NDArray[np.bool_]:
    """Return (rows, cols): the cells with a marked pixel."""
    cells = np.zeros((grid.rows, grid.cols), bool)
    region = Region(0, 0, mask.shape[1], mask.shape[0])
    tops, lefts = grid.row_edges(region), grid.column_edges(region)
    for row in range(grid.rows):
        for col in range(grid.cols):
            part = mask[tops[row] : tops[row + 1] + 1, lefts[col] : lefts[col + 1] + 1]
            cells[row, col] = bool(part.any())
    return cells


def _curve(image: Image, values: NDArray[np.float64]) -> Image:
    """Return an image with each value replaced by a table of 256 values, or of (256, 3)."""
    table = values.round().clip(0, 255).astype(np.uint8)
    if table.ndim == 1:
        table = np.repeat(table[:, None], 3, axis=1)
    return np.asarray(cv2.LUT(image, table.reshape(1, 256, 3)), np.uint8)


_RAMP: Final = np.arange(256.0)


def _jpeg(image: Image, quality: float, rng: Random) -> Image:
    """Compress like remote desktops: mostly with colours at half the resolution."""
    sampling = (0x411111, 0x221111, 0x111111)[int(rng.choice(3, p=(0.1, 0.7, 0.2)))]
    options = [cv2.IMWRITE_JPEG_QUALITY, int(quality), cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sampling]
    data = cv2.imencode(".jpg", image, options)[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _gamma(image: Image, gamma: float, _: Random) -> Image:
    return _curve(image, 255 * (_RAMP / 255) ** gamma)


def _noise(image: Image, sigma: float, rng: Random) -> Image:
    noise = rng.standard_normal(image.shape, np.float32) * np.float32(sigma)
    return (image + noise).round().clip(0, 255).astype(np.uint8)


def _scaled(image: Image, factor: float) -> Image:
    """Scale exactly by a factor; cut off a partial last pixel."""
    if factor == 1:
        return image
    scaled = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_LINEAR)
    return np.asarray(scaled, np.uint8)


def _warm(image: Image, strength: float, _: Random) -> Image:
    """Apply a night light: less blue, somewhat less green; negative strengths are cold."""
    gains = (1 - strength, 1 - 0.45 * strength, 1.0)
    if strength < 0:
        gains = (1.0, 1 + 0.35 * strength, 1 + strength)
    return _curve(image, _RAMP[:, None] * np.array(gains))


def _brightness(image: Image, levels: float, _: Random) -> Image:
    return _curve(image, _RAMP + levels)


def _contrast(image: Image, gain: float, _: Random) -> Image:
    return _curve(image, 127.5 + gain * (_RAMP - 127.5))


def _blur(image: Image, sigma: float, _: Random) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8)


def _chroma(image: Image, factor: float, _: Random) -> Image:
    """Reduce the resolution of the colours, with the brightness unchanged."""
    split = cv2.cvtColor(image, cv2.COLOR_BGR2YCrCb)
    height, width = image.shape[:2]
    small = max(round(width / factor), 1), max(round(height / factor), 1)
    coarse = cv2.resize(split[:, :, 1:], small, interpolation=cv2.INTER_AREA)
    split[:, :, 1:] = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.cvtColor(split, cv2.COLOR_YCrCb2BGR), np.uint8)


def _dim(image: Image, light: float, _: Random) -> Image:
    """Darken like a screen saver that has begun, or a desktop that asks for a password."""
    return _curve(image, _RAMP * light)


def _invert(image: Image, strength: float, _: Random) -> Image:
    return _curve(image, (1 - strength) * _RAMP + strength * (255 - _RAMP))


def _washed(image: Image, veil: float, _: Random) -> Image:
    """Apply a grey veil, as over a window that does not answer."""
    return _curve(image, (1 - veil) * _RAMP + veil * 160)


def _grey(image: Image, strength: float, _: Random) -> Image:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)[:, :, None]
    return ((1 - strength) * image + strength * grey).round().astype(np.uint8)


def _together(image: Image, strength: float, rng: Random) -> Image:
    """Apply several changes, each with a strength from a range that grows with `strength`."""
    image = _gamma(image, float(2 ** rng.uniform(-0.3 * strength, 0.3 * strength)), rng)
    image = _warm(image, float(rng.uniform(0, 0.3 * strength)), rng)
    image = _noise(image, float(rng.uniform(0, 4 * strength)), rng)
    return _jpeg(image, float(rng.uniform(95 - 20 * strength, 95)), rng)


KINDS: Final[Mapping[str, Kind]] = {
    "jpeg": Kind(_jpeg, (95, 90, 85, 80, 75, 60, 45, 30), (75, 100)),
    "gamma": Kind(_gamma, (0.5, 0.65, 0.8, 0.9, 1.1, 1.25, 1.5, 2.0), (0.8, 1.25)),
    "noise": Kind(_noise, (1, 2, 4, 8, 16), (0, 4)),
    "scale": Kind(
        _unchanged,
        (0.5, 0.65, 0.8, 0.9, 1.1, 1.25, 1.37, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0),
        (0.8, 2.5),
        lambda strength, _: strength,
    ),
    "warm": Kind(_warm, (-0.3, 0.1, 0.2, 0.35, 0.5, 0.7)),
    "brightness": Kind(_brightness, (-80, -40, -15, 15, 40, 80)),
    "contrast": Kind(_contrast, (0.4, 0.7, 0.9, 1.1, 1.4)),
    "blur": Kind(_blur, (0.5, 0.8, 1.2, 2.0)),
    "chroma": Kind(_chroma, (2, 4)),
    "grey": Kind(_grey, (0.5, 1.0)),
    "dim": Kind(_dim, (0.8, 0.6, 0.4, 0.2, 0.08)),
    "veil": Kind(_washed, (0.2, 0.4, 0.7)),
    "invert": Kind(_invert, (0.25, 0.5, 0.75, 1.0)),
    "together": Kind(
        _together,
        (0.5, 1.0, 1.5),
        factor=lambda strength, rng: float(2 ** rng.uniform(-0.3 * strength, strength)),
    ),
}
"""Changes of the whole frame; `band` is the required range."""


@dataclass(frozen=True)
class Cover:
    """An object that covers a board."""

    cover: Callable[[Image, NDArray[np.bool_], Grid, float, Random], None]
    """Changes an image in place and marks the pixels."""
    strengths: tuple[float, ...]


_ARROW: Final = np.array([(0, 0), (0, 16), (4, 12), (7, 18), (9, 17), (6, 11), (11, 11)], np.int32)


def _pointers(image: Image, mask: NDArray[np.bool_], grid: Grid, size: float, rng: Random) -> None:
    """Draw pointers over a tenth of the cells: black with a white rim, or vice versa."""
    for _ in range(max(grid.rows * grid.cols // 10, 1)):
        x = grid.left + rng.uniform(0, grid.cols) * grid.pitch_x
        y = grid.top + rng.uniform(0, grid.rows) * grid.pitch_y
        shape = np.rint(_ARROW * size + (x, y)).astype(np.int32)
        inner, rim = (0, 255) if rng.random() < 0.5 else (255, 0)
        area = np.zeros(mask.shape, np.uint8)
        cv2.fillPoly(image, [shape], (inner,) * 3)
        cv2.polylines(image, [shape], True, (rim,) * 3, 1)
        cv2.fillPoly(area, [shape], 1)
        cv2.polylines(area, [shape], True, 1, 1)
        mask |= area > 0


def _box(image: Image, mask: NDArray[np.bool_], corner: tuple[int, int], size: tuple[int, int],
         colour: tuple[int, int, int], text: str) -> None:  # fmt: skip
    (x, y), (width, height) = corner, size
    other = (x + width, y + height)
    cv2.rectangle(image, corner, other, colour, -1)
    cv2.rectangle(image, corner, other, (90, 90, 90), 1)
    ink = (20, 20, 20) if sum(colour) > 380 else (235, 235, 235)
    for line in range(max(height // 18, 1)):
        at = x + 6, y + 14 + 18 * line
        if at[1] < y + height:
            cv2.putText(image, text[: max(width // 8, 1)], at, cv2.FONT_HERSHEY_SIMPLEX, 0.42, ink)
    area = np.zeros(mask.shape, np.uint8)
    cv2.rectangle(area, corner, other, 1, -1)
    mask |= area > 0


def _tooltip(image: Image, mask: NDArray[np.bool_], grid: Grid, size: float, rng: Random) -> None:
    """Draw a tooltip at a random place, in a random colour."""
    colours = ((225, 255, 255), (40, 40, 40), (255, 255, 255), (200, 240, 250))
    x = round(grid.left + rng.uniform(0, grid.cols - 1) * grid.pitch_x)
    y = round(grid.top + rng.uniform(0, grid.rows - 1) * grid.pitch_y)
    colour = colours[int(rng.integers(4))]
    _box(image, mask, (x, y), (round(90 * size), 20), colour, "Click to open it. 12 3 4")


def _dialog(image: Image, mask: NDArray[np.bool_], grid: Grid, part: float, rng: Random) -> None:
    """Draw a dialog over a part of the board, with its edges anywhere in the cells."""
    width = round(grid.cols * grid.pitch_x * part + rng.uniform(0, grid.pitch_x))
    height = round(grid.rows * grid.pitch_y * part + rng.uniform(0, grid.pitch_y))
    x = round(grid.left + rng.uniform(-0.2, 1 - 0.8 * part) * grid.cols * grid.pitch_x)
    y = round(grid.top + rng.uniform(-0.2, 1 - 0.8 * part) * grid.rows * grid.pitch_y)
    shade = tuple(int(v) for v in rng.integers(0, 256, 3)) if rng.random() < 0.6 else (192,) * 3
    corner = max(x, 0), max(y, 0)
    _box(image, mask, corner, (width, height), shade, "Congratulations! 1 2 3 4 5 6 7 8 Your name:")


COVERS: Final[Mapping[str, Cover]] = {
    "pointer": Cover(_pointers, (0.7, 1.0, 2.0)),
    "tooltip": Cover(_tooltip, (0.6, 1.0, 2.0)),
    "dialog": Cover(_dialog, (0.2, 0.5, 0.8)),
}
"""Objects that cover a board."""
