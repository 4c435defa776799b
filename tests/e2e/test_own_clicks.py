"""A program that takes clicks in its own way, played by the command: it finds out which."""

from __future__ import annotations

from pathlib import Path

import pytest

from gui.private_screen import PrivateScreen
from tests.support.forked import bot
from tests.support.programs import start
from tests.support.runs import account, audited, sessions
from tests.support.xclient import adopt
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
_ONE_BY_ONE = "its cells are opened one by one"


@pytest.mark.slow
def test_click_handling_of_a_program_is_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes the cell where the pointer is later, and chords by a click that no skin names.

    The first game finds out that the pointer has to stay, and which click chords. The second one is
    of another process that does not chord, though its skin says so: that is reported once and
    forgotten, and no click is lost.
    """
    options = {"rows": 16, "cols": 16, "mines": 25, "seed": 2, "delay": 20}
    with PrivateScreen() as screen:
        adopt(screen, monkeypatch)
        with start(
            "tk", screen.environment, tmp_path / "program", **options, chord="click"
        ) as game:
            run = bot(tmp_path, *_CHORDS, screen=screen)
            assert run.returncode == 0, account(run, tmp_path)
            assert _ONE_BY_ONE not in run.stdout
            assert any(event["pointer"] != event["at"] for event in game.events("click"))
            assert any(event["did"] == "chord" for event in game.events("click"))
            assert game.wait_for("end")["won"]
        (folder,) = (tmp_path / "skins").iterdir()
        found = load_skin(folder)
        assert 0.05 <= found.stay <= 0.1
        assert found.chord == "left"
        description = folder / "skin.toml"
        text = description.read_text("utf-8")
        assert text.count('chord = "left"') == 1
        description.write_text(text.replace('chord = "left"', 'chord = "middle"'), "utf-8")
        with start("tk", screen.environment, tmp_path / "program", **options, chord="none") as game:
            run = bot(tmp_path, *_CHORDS, screen=screen)
            assert run.returncode == 0, account(run, tmp_path)
            reported = f"'Tk Minesweeper' chords by no click that is known: {_ONE_BY_ONE}"
            assert run.stdout.count(reported) == 1
            assert game.wait_for("end")["won"]
            clicks = game.events("click")
            assert any(event["button"] == "middle" for event in clicks)
            assert all(event["pointer"] == event["at"] for event in clicks)
        assert load_skin(folder).chord is None
        assert load_skin(folder).stay == found.stay
    assert audited(sessions(tmp_path)).findings == []
