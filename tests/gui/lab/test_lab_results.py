"""The laboratory's results: real files, the words of `lab show`, real pictures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PyQt6.QtCore import QCoreApplication
from PyQt6.QtGui import QImage
from PyQt6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from bot.lab.results import read_results
from gui.lab.lab_page import LabPage
from gui.lab.runs import Standings, remaining_text
from gui.lab.sheets import put_together, sheets_of
from gui.panel import Panel
from tests.gui.lab.pages import results, words
from tests.gui.panels import message


def test_runs_are_compared(panel: Panel, page: LabPage, qtbot: QtBot, home: Path) -> None:
    """Two files side by side: the tables of `lab show`, with McNemar's test; on the same boards."""
    paths = [results(home / "lab" / f"{name}.jsonl", [name]) for name in ("local", "human")]
    page.enter()
    qtbot.waitUntil(lambda: len(page.runs) == 2)
    page.list.selectAll()
    qtbot.waitUntil(page.findings.isVisible)
    chosen = [run.path for run in page.chosen()]
    assert sorted(chosen) == sorted(paths)
    wanted = sheets_of(*put_together(chosen, ()))
    for view, sheet in zip(page.findings.sheets, wanted, strict=True):
        assert view.title.text() == sheet.title
        assert words(view) == [list(row) for row in sheet.rows]
    assert "McNemar p" in wanted[1].head
    note = page.findings.sheets[1].note
    assert re.fullmatch(
        r"(\w+) wins [\d.]+ points more than (?!\1)\w+ \(-?[\d.]+ to [\d.]+\): .*certain.*\.",
        note.text(),
    )
    qtbot.waitUntil(lambda: page.findings.graphs is not None)
    page.list.clearSelection()
    qtbot.waitUntil(lambda: not page.findings.isVisible())
    results(home / "lab" / "other.jsonl", ["local"], seed=5)
    page.enter()
    qtbot.waitUntil(lambda: len(page.runs) == 3)
    page.list.selectAll()
    qtbot.waitUntil(lambda: "cannot be compared with" in message(panel))
    assert not page.findings.isVisible()


def test_an_equal_number_of_wins_proves_nothing(tmp_path: Path) -> None:
    """The same games twice: neither wins more, and a few games cannot show that it stays so."""
    paths = [results(tmp_path / f"{name}.jsonl", ["human"]) for name in ("one", "two")]
    note = sheets_of(*put_together(paths, ()))[1].note
    assert "win equally often" in note
    assert note.endswith("not certain, play more games.")


def test_a_file_from_elsewhere_is_shown_with_its_graphs(
    panel: Panel, page: LabPage, qtbot: QtBot, tmp_path: Path
) -> None:
    """It is opened with the dialog; an invalid file is reported.

    Graphs are drawn while the page is visible: opened again, it goes on; a closed window may have
    deleted them.
    """
    page.open_file.click()
    (dialog,) = page.findChildren(QFileDialog)
    qtbot.waitUntil(dialog.isVisible)
    dialog.filesSelected.emit([str(results(tmp_path / "some.jsonl", ["local", "human"]))])
    dialog.close()
    qtbot.waitUntil(page.findings.isVisible)
    assert not page.go_on.isEnabled()
    panel.shell.open("help")
    panel.shell.open("lab")
    qtbot.waitUntil(lambda: page.findings.graphs is not None)
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{}\n{}\n")
    page.open_results(broken)
    qtbot.waitUntil(lambda: "is no result" in message(panel))
    assert len(page.runs) == 2
    page.open_results(results(tmp_path / "other.jsonl", ["local"]))
    qtbot.waitUntil(page.findings.isVisible)
    panel.close()
    # Each call would draw another part.
    for _ in range(50):
        QCoreApplication.processEvents()
    assert page.findings.graphs is None


@pytest.mark.slow
def test_graphs_are_saved(panel: Panel, page: LabPage, qtbot: QtBot, tmp_path: Path) -> None:
    """As a PNG, as `lab plot` draws it; a missing folder is reported."""
    page.open_results(results(tmp_path / "some.jsonl", ["local", "human"]))
    qtbot.waitUntil(page.findings.isVisible)
    page.findings.save.click()
    (dialog,) = page.findings.findChildren(QFileDialog)
    qtbot.waitUntil(dialog.isVisible)
    assert dialog.defaultSuffix() == "png"
    dialog.fileSelected.emit(str(tmp_path / "graphs.png"))
    qtbot.waitUntil(lambda: "graphs.png" in message(panel))
    assert not QImage(str(tmp_path / "graphs.png")).isNull()
    dialog.fileSelected.emit(str(tmp_path / "nowhere" / "graphs.png"))
    dialog.close()
    qtbot.waitUntil(lambda: "cannot be written" in message(panel))


def test_standings_are_those_of_the_results(tmp_path: Path) -> None:
    """The live table's shares and intervals are the final table's."""
    found = read_results(results(tmp_path / "some.jsonl", ["local", "human"]))
    standings = Standings("classic", ["local", "human"])
    standings.add(found.outcomes.values())
    final = sheets_of(found, ["local", "human"])[0]
    live = standings.sheet("some")
    assert live.head[1:4] == final.head[1:4]
    assert [row[:4] for row in live.rows] == [row[:4] for row in final.rows]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "0 s"), (89, "89 s"), (100, "2 min"), (3600, "60 min"), (11_100, "3 h 5 min")],
)
def test_time_that_is_left(seconds: float, text: str) -> None:
    """In words that are short."""
    assert remaining_text(seconds) == text
