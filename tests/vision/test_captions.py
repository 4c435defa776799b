"""The few words that are known in programs of unknown fonts."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.glyphs import application
from tests.tools.train_captions import OTHERS, written
from vision.captions import IN_DIALOG, MINES, NEW_GAME, read_caption

pytestmark = pytest.mark.long

FACE = ("DejaVu Sans", "Book")


@pytest.mark.linux  # Its fonts.
@pytest.mark.parametrize("words", [NEW_GAME, MINES], ids=["new game", "mines"])
@pytest.mark.parametrize(
    ("size", "light"),
    [
        (13, True),
        *(
            pytest.param(*one, marks=pytest.mark.slow)
            for one in [(13, False), (20, True), (20, False)]
        ),
    ],
)
def test_a_word_is_known_and_others_are_not(
    words: tuple[str, ...], size: int, *, light: bool
) -> None:
    """On light paper and on dark; many of the others are one letter away."""
    application()

    def read(text: str) -> str | None:
        ink = np.pad(written(text, FACE, size)[0], 4)
        image = np.repeat((ink if light else 255 - ink)[..., None], 3, axis=2)
        return read_caption(image, words)

    assert [text for text in words if read(text) != text] == []
    assert [text for text in OTHERS[words] if read(text) is not None] == []


@pytest.mark.linux  # Its fonts.
@pytest.mark.parametrize("size", [13, 20])
def test_reset_is_no_button_of_a_dialog(size: int) -> None:
    """There it may delete the best times."""
    application()
    for text in NEW_GAME:
        ink = 255 - np.pad(written(text, FACE, size)[0], 4)
        found = read_caption(np.repeat(ink[..., None], 3, axis=2), IN_DIALOG)
        assert found == (None if text in ("Reset", "RESET") else text)


def test_what_is_no_text_is_no_word() -> None:
    """An even ground, and a picture of a few pixels."""
    assert read_caption(np.full((30, 90, 3), 200, np.uint8), NEW_GAME) is None
    assert read_caption(np.zeros((3, 3, 3), np.uint8), NEW_GAME) is None
