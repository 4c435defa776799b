"""The real program writes its games into the real history, and tells of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.metrics import three_bv
from gui.history.store import Entry, History, Player, Result
from tests.support.forked import bot
from tests.support.runs import sessions
from vision.sessions.audit import MINED, revealed
from vision.skins import BUNDLED, load_skin

pytestmark = pytest.mark.long


def written(home: Path) -> list[Entry]:
    """The games of a home's history, oldest first."""
    with History.to_read(home / "history.sqlite") as history:
        numbers = sorted(history.numbers().tolist())
        return list(history.entries(numbers).values())


def same_games(printed: str, home: Path) -> None:
    """Hold what a run of three games printed against its recordings and its history."""
    printed = re.findall(
        r"^game \d of 3: (won|lost) in ([\d.]+) s, (\d+) turns, (\d+) clicks, (no|\d+) guess",
        printed,
        re.MULTILINE,
    )
    entries = written(home)
    assert [
        (entry.result.value, f"{entry.seconds:.1f}", str(entry.turns), str(entry.clicks))
        for entry in entries
    ] == [tuple(one[:4]) for one in printed]
    assert [entry.guesses for entry in entries] == [
        0 if one[4] == "no" else int(one[4]) for one in printed
    ]
    recorded = sessions(home)
    assert [entry.session for entry in entries] == [one.folder.name for one in recorded]
    for entry, session in zip(entries, recorded, strict=True):
        assert (entry.program, entry.window) == (session.info.skin, session.info.window)
        assert (entry.level, entry.player, entry.whole) == ("beginner", Player.BOT, True)
        promise = load_skin(BUNDLED / entry.program).first_click
        assert (entry.first_click and entry.first_click.value) == promise
        if entry.result is Result.WON:
            assert entry.three_bv == three_bv(revealed(list(session.turns())) == MINED)


@pytest.mark.slow
def test_without_recording_the_row_is_written_all_the_same(tmp_path: Path) -> None:
    """A broken history does not prevent playing; it is reported once."""
    run = bot(tmp_path, "play", "--games", "1", "--no-panel", "--no-record")
    assert run.returncode == 0, run.stderr
    (entry,) = written(tmp_path)
    assert entry.session == ""
    path = tmp_path / "history.sqlite"
    path.write_text("no database" * 100)
    before = path.read_bytes()
    run = bot(tmp_path, "play", "--games", "2", "--no-panel", "--no-record")
    assert run.returncode == 0, run.stderr
    assert "game 2 of 2" in run.stdout
    assert run.stdout.count("the history is broken") == 1
    assert path.read_bytes() == before
