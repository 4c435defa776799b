"""A program that takes clicks in its own way, played by the command: it finds out which."""

from __future__ import annotations

from pathlib import Path

import pytest

from gui.private_screen import PrivateScreen
from tests.runs import account, audited, bot, sessions
from tests.support.programs import start
from tests.xclient import adopt
from vision.skins import load_skin

_PLAY = (
    "play",
    "--window",
    "Tk Minesweeper",
    "--games",
    "1",
    "--mines",
    "25",
    "--yes",
    "--no-panel",
)
_CHORDS = (*_PLAY, "--style", "chords")


def test_what_a_program_does_with_clicks_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes the cell where the pointer is later, and does not chord as its skin says.

    The first game finds out that the pointer has to stay; in the second one, of another process,
    no click is lost. Both say once that they are played without chords.
    """
    options = {"rows": 16, "cols": 16, "mines": 25, "seed": 2, "release_delay": 20}
    options["chord"] = "click"
    with PrivateScreen() as screen:
        adopt(screen, monkeypatch)
        with start("tk", screen.environment, tmp_path / "program", **options) as game:
            run = bot(tmp_path, *_CHORDS, screen=screen)
            assert run.returncode == 0, account(run, tmp_path)
            assert run.stdout.count("it is not known how 'Tk Minesweeper' chords") == 1
            assert any(event["pointer"] != event["at"] for event in game.events("click"))
            assert game.wait_for("end")["won"]
        (folder,) = (tmp_path / "skins").iterdir()
        assert 0.05 <= load_skin(folder).stay <= 0.1
        description = folder / "skin.toml"
        text = description.read_text("utf-8")
        description.write_text(f'chord = "middle"\n{text}', "utf-8")
        with start("tk", screen.environment, tmp_path / "program", **options) as game:
            run = bot(tmp_path, *_CHORDS, screen=screen)
            assert run.returncode == 0, account(run, tmp_path)
            assert run.stdout.count("does not chord with the middle mouse button") == 1
            assert game.wait_for("end")["won"]
            assert all(event["pointer"] == event["at"] for event in game.events("click"))
    assert audited(sessions(tmp_path)).findings == []
