"""The dialogs of an export."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from PyQt6.QtGui import QImageReader

from bot.analysis import Cancelled
from gui.games.export import AnimationOptions, painted, write_animation
from gui.games.film import Film, load_film
from gui.images import from_qimage
from gui.panel.boardview import Show
from gui.panel.jobs import Progress
from gui.panel.theme import DARK, LIGHT
from tests.gui.games.shelf import NAME, Shelf
from tests.gui.panels import silent
from tests.support.boards import SESSIONS
from vision.sessions import SessionError

# Text is painted only in an application.
pytestmark = pytest.mark.usefixtures("qapp")


def test_an_animated_picture_is_written(shelf: Shelf, recorded: Path, tmp_path: Path) -> None:
    """Its appearance is chosen, then its file, whose ending is the format."""
    shelf.open(recorded / NAME)
    shelf.page.exporter.actions["animation"].trigger()
    shelf.press("Cancel")
    assert not shelf.dialogs
    shelf.page.exporter.actions["animation"].trigger()
    (dialog,) = shelf.dialogs
    assert dialog.options == AnimationOptions()
    dialog.show_box.setCurrentIndex(dialog.show_box.findData(Show.PARSED))
    dialog.marks.setCurrentIndex(1)
    dialog.speed.setCurrentIndex(0)
    dialog.size_box.setCurrentIndex(2)
    assert dialog.options == AnimationOptions(Show.PARSED, False, None, 28)
    shelf.press("Save")
    (dialog,) = shelf.dialogs
    assert dialog.defaultSuffix() == "webp"
    target = tmp_path / "game.webp"
    shelf.choose(target)
    shelf.wait(lambda: shelf.messages)
    assert shelf.messages == [f"Saved to {target}"]
    film = shelf.page.viewer.film
    assert film is not None
    assert QImageReader(str(target)).imageCount() == len(film)


@pytest.fixture(scope="module")
def film() -> Film:
    """A recorded game."""
    return load_film(SESSIONS / NAME, silent())


@pytest.mark.parametrize(
    ("suffix", "show"), [(".gif", Show.BOTH), (".webp", Show.FRAME), (".webp", Show.PARSED)]
)
def test_another_decoder_reads_the_animation(
    film: Film, tmp_path: Path, suffix: str, show: Show
) -> None:
    """Qt's: every turn is there, for as long as it should; WebP keeps every pixel."""
    target = tmp_path / f"game{suffix}"
    options = AnimationOptions(show=show, speed=4.0, cell=12)
    write_animation(film, options, LIGHT, target, silent())
    reader = QImageReader(str(target))
    assert reader.supportsAnimation()
    assert reader.imageCount() == len(film)
    for index in range(len(film)):
        image = reader.read()
        assert not image.isNull(), reader.errorString()
        delay = reader.nextImageDelay()
        assert delay == (2000 if index == len(film) - 1 else 250)
        expected = from_qimage(painted(film.session.turn(index), options, LIGHT))
        difference = np.abs(from_qimage(image).astype(int) - expected)
        assert difference.mean() <= (0.0 if suffix == ".webp" else 1.0)


def test_apng_is_read_by_opencv(film: Film, tmp_path: Path) -> None:
    """Which decodes it with libpng: every turn, every pixel."""
    target = tmp_path / "game.png"
    options = AnimationOptions(show=Show.PARSED, speed=None, cell=12, marks=False)
    write_animation(film, options, DARK, target, silent())
    data = np.frombuffer(target.read_bytes(), np.uint8)
    done, animation = cv2.imdecodeanimation(data)
    assert done
    assert len(animation.frames) == len(film)
    for index, frame in enumerate(animation.frames):
        expected = from_qimage(painted(film.session.turn(index), options, DARK))
        assert (frame[:, :, :3] == expected).all()


def test_a_cancelled_animation_leaves_nothing(film: Film, tmp_path: Path) -> None:
    """While it is being painted."""

    def report(share: float | None, _words: str) -> None:
        if share:
            raise Cancelled

    with pytest.raises(Cancelled):
        write_animation(film, AnimationOptions(), LIGHT, tmp_path / "a.webp", Progress(report))
    assert not list(tmp_path.iterdir())


def test_an_animation_says_what_it_cannot(film: Film, tmp_path: Path) -> None:
    """Another ending; a folder that is not there; pictures that are too many."""
    with pytest.raises(SessionError, match=r"\.webp"):
        write_animation(film, AnimationOptions(), LIGHT, tmp_path / "game.avi", silent())
    with pytest.raises(SessionError, match="cannot be written"):
        write_animation(film, AnimationOptions(), LIGHT, tmp_path / "no" / "a.webp", silent())
    with pytest.raises(SessionError, match="smaller cells"):
        write_animation(film, AnimationOptions(cell=2000), LIGHT, tmp_path / "a.webp", silent())


def test_a_damaged_frame_ends_the_animation_with_its_reason(tmp_path: Path) -> None:
    """The parsed board needs none."""
    folder = Path(shutil.copytree(SESSIONS / NAME, tmp_path / "game"))
    (folder / "frames" / "0003.png").unlink()
    film = load_film(folder, silent())
    with pytest.raises(SessionError, match=r"0003\.png"):
        write_animation(film, AnimationOptions(), LIGHT, tmp_path / "a.webp", silent())
    parsed = tmp_path / "parsed.webp"
    write_animation(film, AnimationOptions(show=Show.PARSED), LIGHT, parsed, silent())
    assert QImageReader(str(parsed)).imageCount() == len(film)
