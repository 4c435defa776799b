"""The history as CSV, read by a reader that is not ours."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from bot.analysis import Cancelled
from gui.history.schema import HistoryError
from gui.history.store import FIELDS, History, export_csv
from tests.gui.history.made import fill, game, games


def test_the_table_says_what_the_history_says(tmp_path: Path) -> None:
    """A header, a line a game in the order asked for, the text as RFC 4180 has it."""
    path, out = fill(tmp_path / "history.sqlite", 30), tmp_path / "games.csv"
    with History.to_write(path) as history:
        odd = 'A "title", in\r\ntwo lines'
        history.add([(game(99, window=odd, whole=False, digs=None), [])])
        assert export_csv(history, history.numbers(), out) == 31
    data = out.read_bytes()
    assert not re.search(rb"(?<!\r)\n", data)
    with out.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file, strict=True))
    assert tuple(lines[0]) == FIELDS
    assert lines[0]["window"] == odd
    assert (lines[0]["whole"], lines[0]["digs"], lines[0]["rules"]) == ("no", "", "classic")
    entries = [entry for entry, _ in games(30)]
    for line, entry in zip(lines[1:], reversed(entries), strict=True):
        assert line["started"] == entry.started.isoformat()
        assert float(line["seconds"]) == pytest.approx(entry.seconds, abs=0.001)
        assert (line["result"], line["player"]) == (entry.result.value, entry.player.value)
        assert int(line["three_bv"]) == entry.three_bv


@pytest.mark.parametrize(
    "title", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r\n=1", "\uff1d1"]
)
def test_a_title_is_no_formula(tmp_path: Path, title: str) -> None:
    """A window's title is no formula in a spreadsheet, and begins no other cell."""
    out = tmp_path / "games.csv"
    with History.to_write(tmp_path / "history.sqlite") as history:
        history.add([(game(window=title), []), (game(1, window='a;=1+1\t=2 "b"'), [])])
        export_csv(history, history.numbers(), out)
    assert '"a;=1+1\t=2 ""b"""' in out.read_text(encoding="utf-8")
    with out.open(newline="", encoding="utf-8") as file:
        *_, first = csv.DictReader(file)
        assert first["window"] == f"'{title}"


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path) -> None:
    """A folder that is not there is named; what was broken off leaves nothing behind."""
    path, out = fill(tmp_path / "history.sqlite", 30), tmp_path / "out" / "games.csv"
    with History.to_read(path) as history:
        with pytest.raises(HistoryError, match=r"cannot be written.*Choose"):
            export_csv(history, history.numbers(), out)
        out.parent.mkdir()
        out.write_text("what was there before")

        def cancel(_share: float) -> None:
            raise Cancelled

        with pytest.raises(Cancelled):
            export_csv(history, history.numbers(), out, cancel)
    assert [one.name for one in out.parent.iterdir()] == ["games.csv"]
    assert out.read_text("utf-8") == "what was there before"
