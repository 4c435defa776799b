"""Glyphs of many fonts, and seven-segment digits, to train and evaluate the digit reader.

Fonts are divided by design family (Arimo, Liberation Sans and FreeSans are one design), so that
evaluation families are never used in training. DejaVu, which sgt Mines uses for its digits, is one
of them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QImage, QPainter, QRawFont
from PyQt6.QtWidgets import QApplication

from gui.images import from_qimage

Alpha = NDArray[np.uint8]
Tile = NDArray[np.uint8]
Random = np.random.Generator

DIGITS: Final = "0123456789"
LETTERS: Final = "ACEFHKLMNPRUVWXYadefhkmnrtuwxy#%&@*+=<>/\\"
"""Letters without I, O, S, Z, B, l, b, g, q: in some font each of these has a digit's shape."""
SYMBOLS: Final = "⚑⚐★☆☺☹☻✖✗✘●○◆■□▲►▼←→↑↓⇐⇒✓✔☠✹✸✺❌✱✲☼☀♠♣♥♦"

_SEGMENTS: Final = ("abcdef", "bc", "abdeg", "abcdg", "bcfg", "acdfg", "acdefg", "abc", "abcdefg")
_TAILS: Final = ("abcdfg", "abcfg")

TRAIN: Final[dict[str, tuple[str, ...]]] = {
    "helvetica": ("Arimo", "Liberation Sans", "FreeSans", "Nimbus Sans", "Switzera ADF"),
    "times": ("Tinos", "Liberation Serif", "Nimbus Roman", "FreeSerif"),
    "courier": ("FreeMono", "Nimbus Mono", "Courier Prime"),
    "cousine": ("Cousine", "Liberation Mono"),
    "roboto": ("Roboto",),
    "roboto slab": ("Roboto Slab",),
    "anonymous": ("Anonymous Pro",),
    "jetbrains": ("JetBrains Mono",),
    "mononoki": ("mononoki",),
    "go": ("Go", "Go Mono"),
    "unifont": ("Unifont",),
    "proggy": ("ProggyTinyTT",),
    "creep": ("creep2",),
    "dotgothic": ("DotGothic16",),
    "vollkorn": ("Vollkorn",),
    "caladea": ("Caladea",),
    "c059": ("C059",),
    "p052": ("P052",),
    "bookman": ("URW Bookman",),
    "gothic": ("URW Gothic",),
    "humor": ("Humor Sans",),
    "comfortaa": ("Comfortaa",),
    "play": ("Play",),
    "jura": ("Jura",),
    "b612": ("B612",),
    "ocra": ("OCRA",),
    "karla": ("Karla",),
    "cabin": ("Cabin",),
    "dosis": ("Dosis",),
    "gillius": ("Gillius ADF",),
    "mekanus": ("Mekanus ADF",),
    "universalis": ("Universalis ADF",),
    "league mono": ("League Mono",),
    "routed": ("Routed Gothic",),
    "eurofurence": ("eurofurence",),
    "monoid": ("Monoid",),
    "fantasque": ("Fantasque Sans Mono",),
    "agave": ("Agave",),
    "smiley": ("Smiley Sans",),
    "beteckna": ("Beteckna",),
    "averia": ("Averia Sans",),
    "reggae": ("Reggae One",),
    "ipa": ("IPAGothic",),
    "leckerli": ("Leckerli One",),
    "hermit": ("Hermit",),
    "cmu typewriter": ("CMU Typewriter",),
    "notoserif": ("Noto Serif",),
}
CALIBRATE: Final[dict[str, tuple[str, ...]]] = {
    "lato": ("Lato", "Carlito"),
    "inconsolata": ("Inconsolata",),
    "spleen": ("Spleen",),
    "libertine": ("Linux Libertine O", "Linux Biolinum O"),
    "cmu": ("CMU Serif", "CMU Sans Serif", "CMU Bright"),
    "quicksand": ("Quicksand",),
    "bebas": ("Bebas Neue",),
    "clear": ("Clear Sans",),
    "tribun": ("Tribun ADF",),
    "monofur": ("monofur",),
    "mplus": ("Mplus Code 50", "Mplus Code 60"),
    "misaki": ("MisakiGothic",),
}
TEST: Final[dict[str, tuple[str, ...]]] = {
    "dejavu": ("DejaVu Sans", "DejaVu Serif", "Hack", "Verana"),
    "open sans": ("Open Sans", "Noto Sans Display"),
    "cantarell": ("Cantarell",),
    "fira": ("Fira Code",),
    "terminus": ("Terminus",),
    "garamond": ("EB Garamond",),
    "comic": ("Comic Neue",),
    "league spartan": ("League Spartan",),
    "junction": ("Junction",),
    "ocrb": ("OCR B",),
    "manrope": ("Manrope",),
    "3270": ("IBM 3270",),
    "dseg": ("DSEG7 Classic", "DSEG7 Modern"),
}


@cache
def application() -> QApplication:
    """Return the process's only application object, without a screen, as drawing text needs one.

    It is one with widgets: a process cannot replace it when a later test needs them.
    """
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    return QApplication(["", "-platform", "offscreen"])


def faces(families: Sequence[str]) -> list[tuple[str, str]]:
    """Return the installed (family, style) pairs of some families that have their own digits."""
    application()
    found = []
    for family in QFontDatabase.families():
        if not any(family == name or family.startswith(name + " ") for name in families):
            continue
        drawn = QRawFont.fromFont(QFont(family, 20))
        if drawn.familyName().split(" ")[0] != family.split(" ")[0]:
            continue
        if all(drawn.supportsCharacter(ord(digit)) for digit in DIGITS):
            found += [(family, style) for style in QFontDatabase.styles(family)]
    return found


def draw(face: tuple[str, str], size: int, smooth: bool, characters: str) -> list[Alpha]:
    """Return each character's coverage, cropped; empty if the font has no such character."""
    application()
    font = QFontDatabase.font(*face, 12)
    font.setPixelSize(size)
    if not smooth:
        font.setStyleStrategy(QFont.StyleStrategy.NoAntialias)
        font.setHintingPreference(QFont.HintingPreference.PreferFullHinting)
    known = QRawFont.fromFont(font)
    return [
        _drawn(font, size, character)
        if known.supportsCharacter(ord(character))
        else np.zeros((0, 0), np.uint8)
        for character in characters
    ]


def _drawn(font: QFont, size: int, character: str) -> Alpha:
    side = 2 * size + 8
    image = QImage(side, side, QImage.Format.Format_Grayscale8)
    image.fill(0)
    painter = QPainter(image)
    painter.setFont(font)
    painter.setPen(QColor("white"))
    painter.drawText(image.rect(), Qt.AlignmentFlag.AlignCenter, character)
    painter.end()
    return cropped(from_qimage(image)[..., 0])


def cropped(alpha: Alpha) -> Alpha:
    """Return a picture without its empty margins."""
    rows, cols = np.flatnonzero(alpha.any(axis=1)), np.flatnonzero(alpha.any(axis=0))
    if len(rows) == 0:
        return np.zeros((0, 0), np.uint8)
    return alpha[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1].copy()


def written(text: str, face: tuple[str, str], size: int) -> NDArray[np.uint8]:
    """Return a text as a font's family and style draw it in white on black, cropped: (h, w)."""
    font = QFontDatabase.font(*face, 12)
    font.setPixelSize(size)
    wide, high = int(QFontMetricsF(font).horizontalAdvance(text)) + 2 * size, 3 * size
    image = QImage(wide, high, QImage.Format.Format_Grayscale8)
    image.fill(0)
    painter = QPainter(image)
    painter.setFont(font)
    painter.setPen(QColor("white"))
    painter.drawText(size, 2 * size, text)
    painter.end()
    return cropped(from_qimage(image)[..., 0])


def seven_segment(rng: Random, digit: int, height: int) -> Alpha:
    """Return a seven-segment digit of some thickness, gap and slant; sometimes all segments."""
    width = max(4, round(height * rng.uniform(0.45, 0.7)))
    thick = max(1, round(height * rng.uniform(0.07, 0.2)))
    gap = rng.choice([0, 0, 0.3, 0.6]) * thick / 2
    lit = (*_SEGMENTS, _TAILS[int(rng.integers(2))])[digit]
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
