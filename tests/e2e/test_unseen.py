"""A skin that the command learns from screenshots."""

from __future__ import annotations

from pathlib import Path

import cv2

from tests.support.boards import SESSIONS
from tests.support.forked import bot
from tests.support.readings import recorded_boards
from vision.sessions import load_session


def test_learn_teaches_what_read_then_knows(tmp_path: Path) -> None:
    """Screenshots of an unknown program: another colour, another size, one game."""
    folder = SESSIONS / "winemine-intermediate-won"
    session = load_session(folder)
    pictures = []
    for number, record in enumerate(session.records[:4]):
        image = cv2.imread(str(folder / record.frame))
        assert image is not None
        turned = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
        turned[..., 0] = (turned[..., 0].astype(int) + 70) % 180
        image = cv2.cvtColor(turned, cv2.COLOR_HSV2BGR)
        image = cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)
        path = tmp_path / f"{number}.png"
        cv2.imwrite(str(path), image)
        pictures.append(str(path))
    taught = bot(tmp_path, "learn", *pictures, "--name", "violet", "--mines", "40")
    assert taught.returncode == 0, taught.stdout + taught.stderr
    assert "Skin 'violet' saved to" in taught.stdout
    read = bot(tmp_path, "read", pictures[3])
    assert read.returncode == 0, read.stdout + read.stderr
    assert "skin 'violet'" in read.stdout
    assert list(recorded_boards(session))[3].rows_text() in read.stdout
