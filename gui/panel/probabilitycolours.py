"""The colours of probabilities, proofs and next moves.

The scale of probabilities runs from light to dark as well as from blue to red-brown. Its steps are
distinguishable with every kind of colour blindness, in greyscale and in print, because lightness
alone orders them (a test checks that). Proofs are not on the scale: each has its own colour and
shape.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from PyQt6.QtGui import QColor

SAFE: Final = QColor("#00695c")
"""A cell proved safe; always with a tick."""
MINE: Final = QColor("#16181c")
"""A cell proved to be a mine; always with a cross."""
ON_PROOF: Final = QColor("#ffffff")
CHOSEN: Final = QColor("#d81b60")
"""The next moves and their path: a hue that no board uses."""
EVIDENCE: Final = QColor("#6a3df0")
"""The hints and cells of the reason."""
UNSURE: Final = QColor("#b34700")
"""A cell that was read with low confidence; always with a dashed frame."""

_SCALE: Final = (
    (0.00, (236, 246, 255)),
    (0.15, (190, 221, 245)),
    (0.35, (240, 196, 118)),
    (0.55, (226, 141, 63)),
    (0.75, (168, 74, 40)),
    (1.00, (84, 24, 42)),
)
"""(probability, sRGB), in order of decreasing lightness."""


def probability_color(probability: float) -> QColor:
    """Return the colour of an unproved cell's mine probability (0..1)."""
    wanted = min(max(probability, 0.0), 1.0)
    for (low, dark), (high, light) in pairwise(_SCALE):
        if wanted <= high:
            share = (wanted - low) / (high - low)
            mixed = (round(a + (b - a) * share) for a, b in zip(dark, light, strict=True))
            return QColor(*mixed)
    return QColor(*_SCALE[-1][1])


def luminance(color: QColor) -> float:
    """Return the relative luminance, 0..1. Source: WCAG 2.2, 'relative luminance'."""
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (color.redF(), color.greenF(), color.blueF())
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast ratio, 1..21. Source: WCAG 2.2, 'contrast ratio'."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def text_on(background: QColor) -> QColor:
    """Return black or white, the more readable of the two."""
    return max(QColor("#101418"), QColor("#ffffff"), key=lambda ink: contrast(ink, background))
