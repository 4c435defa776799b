"""Lines of plain text in unknown fonts."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.glyphs import application, written
from vision.text import lines, read_line

LABELS = (
    "New Game",
    "Play again",
    "Restart",
    "Try Again",
    "OK",
    "Close",
    "Mines: 10",
    "Flags 0/40",
)


def label(text: str, size: int, ink: tuple[int, int, int], ground: tuple[int, int, int]) -> NDArray:
    """A text in colours, with a margin around it: (h, w, 3) uint8 BGR."""
    drawn = np.pad(written(text, ("DejaVu Sans", "Book"), size), size // 3)[..., None] / 255.0
    return (drawn * ink + (1 - drawn) * ground).astype(np.uint8)


@pytest.mark.linux  # Its fonts.
@pytest.mark.parametrize("size", [12, 17, 26])
@pytest.mark.parametrize(
    ("ink", "ground"),
    [((0, 0, 0), (240, 240, 240)), ((255, 255, 255), (190, 80, 20)), ((40, 40, 220), (30, 30, 30))],
    ids=["black on white", "white on blue", "red on black"],
)
def test_labels_are_read(
    size: int, ink: tuple[int, int, int], ground: tuple[int, int, int]
) -> None:
    """At usual sizes, in any colours; what is sure is right."""
    application()
    read = [(text, *read_line(label(text, size, ink, ground))[:2]) for text in LABELS]
    found = {text for text, seen, _ in read if seen.replace(" ", "") == text.replace(" ", "")}
    assert len(found) >= len(LABELS) - 1, read
    assert [one for one in read if one[2] > 0.9 and one[0] not in found] == []


@pytest.mark.linux  # Its fonts.
def test_lines_are_found_in_a_window() -> None:
    """Beside a board, on buttons with frames and on a dark bar; the cells are no text."""
    application()
    image = np.full((400, 500, 3), 236, np.uint8)
    image[:40] = 60
    for row in range(8):
        for col in range(8):
            corner = 40 + 24 * col, 100 + 24 * row
            cv2.rectangle(image, corner, (corner[0] + 23, corner[1] + 23), (120, 120, 120))
    places = {"Game over!": (60, 8), "New game": (300, 120), "OK": (330, 200)}
    for text, (x, y) in places.items():
        dark = y < 40
        drawn = label(
            text, 14, (250,) * 3 if dark else (0, 0, 0), (60,) * 3 if dark else (236,) * 3
        )
        high, wide = drawn.shape[:2]
        image[y : y + high, x : x + wide] = drawn
        if not dark:
            cv2.rectangle(image, (x - 4, y - 2), (x + wide + 4, y + high + 2), (90, 90, 90))
    found = {line.text.replace(" ", "").casefold(): line.region for line in lines(image)}
    assert set(found) == {"gameover!", "newgame", "ok"}
    x, y = places["New game"]
    assert abs(found["newgame"].left - x - 4) <= 2
    assert abs(found["newgame"].top - y - 4) <= 3


def test_no_text_is_read_in_noise() -> None:
    """An even ground, a picture of a few pixels, and noise."""
    assert read_line(np.full((30, 90, 3), 200, np.uint8))[0] == ""
    assert read_line(np.zeros((2, 2, 3), np.uint8))[:2] == ("", 0.0)
    assert lines(np.zeros((2, 2, 3), np.uint8)) == []
    noise = np.random.default_rng(0).integers(0, 256, (120, 200, 3)).astype(np.uint8)
    assert [line for line in lines(noise) if line.confidence > 0.5] == []


@pytest.mark.linux  # Its fonts.
def test_several_threads_read_at_a_time() -> None:
    """The list of boards is read while a game is played: each thread reads as if it were alone."""
    application()
    pictures = [label(text, 17, (0, 0, 0), (255, 255, 255)) for text in LABELS]
    alone = [read_line(picture)[0] for picture in pictures]
    with ThreadPoolExecutor(4) as threads:
        read = list(threads.map(lambda picture: read_line(picture)[0], pictures * 8))
    assert read == alone * 8
