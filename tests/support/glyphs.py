"""Glyphs of many fonts on tiles, to train and evaluate the digit reader.

Fonts are divided by design family (Arimo, Liberation Sans and FreeSans are one design), so that
evaluation families are never used in training. DejaVu, which sgt Mines uses for its digits, is one
of them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from typing import Final

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
