"""Draw the words for `vision.captions`, and evaluate their recognition.

    python -m tests.tools.train_captions FOLDER           writes vision/captions.npz
    python -m tests.tools.train_captions FOLDER --check   only judges what is there

FOLDER holds fonts, at any depth, as Debian's packages unpack them: fonts-dejavu-core,
fonts-liberation, fonts-open-sans, fonts-cantarell, fonts-roboto-unhinted, fonts-lato, fonts-inter,
fonts-clear-sans; and for the evaluation: fonts-manrope, fonts-cabin, fonts-karla, fonts-go,
fonts-b612, fonts-comic-neue.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PyQt6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QImage, QPainter
from rich.console import Console

from tests.support.glyphs import application
from vision import captions
from vision.captions import HEIGHT, MINES, NEW_GAME, read_caption

DRAWN = (
    "DejaVu Sans", "Liberation Sans", "Open Sans", "Cantarell", "Roboto", "Lato", "Inter",
    "Clear Sans", "DejaVu Serif", "Liberation Serif",
)  # fmt: skip
JUDGING = ("Manrope", "Cabin", "Karla", "Go", "B612", "Comic Neue")
STYLES = ("Regular", "Book", "Normal", "Bold")
OTHERS = {
    NEW_GAME: (
        "New name", "No game", "News", "Undo", "Quit", "Exit", "Close", "Hint", "Menu", "Pause",
        "Settings", "Options", "Restore", "Remove", "Beset", "Reject", "Report", "Restaurant",
        "Share", "Donate", "Play store", "Log in", "Next game", "New page", "View game",
        "New gate", "Play video", "Best", "Rest", "Resume", "Select", "Respect", "Net game",
        "Rename", "Level", "Help", "Stats", "Cancel",
    ),
    MINES: (
        "Lines", "Mined", "Minus", "Miles", "Mince", "Times", "Nines", "Moves", "Time", "Lives",
        "Deaths", "Level", "Score", "Wins", "Flags", "Minor", "Misses", "Points", "Clicks",
        "Boxes", "Bonus", "Tombs", "Best", "Games", "Money", "Coins",
    ),
}  # fmt: skip
"""Other words, many of them one letter away from the known ones."""
SIZES = (11, 13, 16, 24)
_LARGE = 48
_LEVELS = 15
say = Console(soft_wrap=True, highlight=False).print


def written(
    text: str, face: tuple[str, str], size: int, *, hinted: bool = True
) -> tuple[NDArray[np.uint8], list[float]]:
    """Return a word as drawn by a font, cropped, and the columns at which its letters begin."""
    font = QFontDatabase.font(*face, 12)
    font.setPixelSize(size)
    if not hinted:
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    metrics = QFontMetricsF(font)
    wide, high = int(metrics.horizontalAdvance(text)) + 2 * size, 3 * size
    image = QImage(wide, high, QImage.Format.Format_Grayscale8)
    image.fill(0)
    painter = QPainter(image)
    painter.setFont(font)
    painter.setPen(QColor("white"))
    painter.drawText(size, 2 * size, text)
    painter.end()
    bits = image.constBits()
    assert bits is not None
    bits.setsize(image.sizeInBytes())
    drawn = np.frombuffer(bits, np.uint8).reshape(high, image.bytesPerLine())[:, :wide]
    rows, cols = (np.flatnonzero((drawn > 60).any(axis=axis)) for axis in (1, 0))
    edges = [size + metrics.horizontalAdvance(text[:at]) - cols[0] for at in range(len(text) + 1)]
    return drawn[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1].copy(), edges


def faces(families: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Return the (family, style) pairs of some families."""
    for family in families:
        for style in STYLES:
            if style in QFontDatabase.styles(family):
                yield family, style


def draw_all() -> None:
    """Write every word in every font."""
    inks, texts, edges = [], [], []
    for face in faces(DRAWN):
        for text in NEW_GAME + MINES:
            ink, begins = written(text, face, _LARGE, hinted=False)
            width = max(1, round(ink.shape[1] * HEIGHT / len(ink)))
            inks.append(cv2.resize(ink, (width, HEIGHT), interpolation=cv2.INTER_AREA))
            scaled = [begin * width / ink.shape[1] for begin in begins]
            edges.append(scaled + [0.0] * (12 - len(scaled)))
            texts.append(text)
    levels = np.rint(np.hstack(inks) / 255 * _LEVELS).astype(np.uint8)
    np.savez_compressed(
        captions._FILE,
        ink=levels,
        levels=_LEVELS,
        widths=np.array([ink.shape[1] for ink in inks]),
        edges=np.array(edges, np.float32),
        texts=np.array(texts),
    )
    say(f"{len(texts)} words written")


def judge(families: tuple[str, ...]) -> None:
    """Print how many words are recognised, and how many others are mistaken for them."""
    known = asked = wrong = others = 0
    for face in faces(families):
        for size in SIZES:
            for words, strange in OTHERS.items():
                for text in words + strange:
                    read = read_caption(_on_paper(written(text, face, size)[0]), words)
                    asked, others = asked + (text in words), others + (text in strange)
                    known += text in words and read is not None
                    if text in strange and read is not None:
                        wrong += 1
                        say(f"  {text} of {' '.join(face)} at {size} as {read}")
    say(f"{known / asked:.0%} of {asked} known, {wrong} of {others} others taken for one")


def _on_paper(ink: NDArray[np.uint8]) -> NDArray[np.uint8]:
    paper = np.pad(255 - ink, 4, constant_values=255)
    return np.repeat(paper[..., None], 3, axis=2)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.train_captions")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    application()
    for path in asked.folder.rglob("*.[to]tf"):
        QFontDatabase.addApplicationFont(str(path))
    if not asked.check:
        draw_all()
    for families in (DRAWN, JUDGING):
        say(", ".join(families))
        judge(families)


if __name__ == "__main__":
    main()
