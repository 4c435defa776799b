"""Looking into a cell: by pointer and by keys, what is shown, and for how long."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PyQt6.QtCore import QEvent, Qt
from PyQt6.QtGui import QKeySequence, QShortcut
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bot.analysis import Analysis
from bot.board import COVERED, Board, Cell
from bot.game import BEGINNER
from bot.loop import Turn
from bot.solver.outcomes import Outcome, Outcomes, nearby_hints, possible_outcomes
from gui.images import from_qimage
from gui.panel.cell_info import about, outcome_rows, outcomes_text
from tests.gui.panel.conftest import Bench
from tests.gui.panel.test_boardview import turns_of
from tests.gui.simulated import point_at
from tests.gui.tabletop import Tabletop


@pytest.fixture
def bench(bench: Bench) -> Bench:
    """The bench, with a game in its middle."""
    bench.view.show_turn(turns_of(Tabletop(BEGINNER, seed=9), 4)[-1])
    return bench


def covered(turn: Turn) -> Cell:
    """A cell that is neither proved nor apart from all hints."""
    board, risks = turn.reading.board, turn.analysis.mine_probability
    return next(
        one for one in board.cells(COVERED) if 0 < risks[one] < 1 and nearby_hints(board, one)
    )


def hover(bench: Bench, cell: Cell) -> None:
    """Put the pointer on a cell."""
    place = bench.view.place()
    point_at(bench.view, place.cell(cell).center().toPoint())
    QApplication.processEvents()


def test_pointer_on_a_cell_shows_its_information(bench: Bench, qtbot: QtBot) -> None:
    """Its probability and its hints at once, what would follow after a moment; hints light up."""
    turn = bench.view.turn
    cell = covered(turn)
    before = from_qimage(bench.view.grab().toImage())
    with qtbot.waitSignal(bench.inspector.outcomes_shown) as shown:
        hover(bench, cell)
        card = bench.inspector.card
        assert card.isVisible()
        known = about(turn.reading.board, turn.analysis, cell)
        assert card.title.text() == known.title
        assert card.hints.text() == "\n".join(known.lines)
        assert not card.outcomes.isVisible()
    expected = possible_outcomes(turn.reading.board, cell)
    assert shown.args == [cell, expected]
    for row in outcome_rows(expected):
        assert f"<td>{row[1]}&nbsp;" in card.outcomes.text().replace("&lt;", "<")
    assert outcomes_text(expected) in bench.view.accessibleDescription()
    after = from_qimage(bench.view.grab().toImage())
    place = bench.view.place()
    for hint in known.hints:
        square = place.cell(hint).toAlignedRect().adjusted(3, 3, -3, -3)
        inside = np.s_[square.top() : square.bottom(), square.left() : square.right()]
        assert (before[inside] != after[inside]).any()


def test_the_card_never_covers_the_cells_it_is_about(bench: Bench) -> None:
    """Nor leaves the window, whichever cell it is of."""
    place, card, board = bench.view.place(), bench.inspector.card, bench.view.turn.reading.board
    for cell in (Cell(0, 0), Cell(0, 8), Cell(4, 4), Cell(8, 0), Cell(8, 8)):
        hover(bench, cell)
        for one in [cell, *(hint.hint for hint in nearby_hints(board, cell))]:
            middle = bench.view.mapTo(bench, place.cell(one).center().toPoint())
            assert not card.geometry().contains(middle)
        assert bench.rect().contains(card.geometry())
        assert card.window() is bench


def test_leaving_the_cell_ends_it(bench: Bench, qtbot: QtBot) -> None:
    """The card goes, nothing is lit, the description is the board's; the work is cancelled."""
    turn = bench.view.turn
    with qtbot.waitSignal(bench.jobs.started) as started:
        # The pointer may have rested for long enough while the event was handled.
        hover(bench, covered(turn))
    job = started.args[0]
    QApplication.sendEvent(bench.view, QEvent(QEvent.Type.Leave))
    assert job.progress.cancelled.is_set() or not job.running
    assert not bench.inspector.card.isVisible()
    assert "9 columns" in bench.view.accessibleDescription()
    qtbot.waitUntil(lambda: not bench.jobs.running)
    assert not bench.inspector.card.isVisible()


def test_cell_information_follows_the_board(bench: Bench) -> None:
    """It is the new board's, and says what was hardly read; a smaller board ends it."""
    turn, card, cell = bench.view.turn, bench.inspector.card, Cell(8, 8)
    hover(bench, cell)
    assert "confidence" not in card.title.text()
    tiles = turn.reading.board.tiles.copy()
    tiles[cell] = 1
    for confidence, said in ((1.0, "shows 1"), (0.4, "shows 1, read with low confidence")):
        read = np.full(tiles.shape, confidence, np.float32)
        opened = replace(turn.reading, board=Board(tiles, 10), confidence=read)
        bench.view.show_turn(replace(turn, reading=opened, analysis=None))
        assert card.title.text() == f"Row 9, column 9: {said}"
        assert said in bench.view.accessibleDescription()
    small = replace(opened, board=Board(tiles[:4, :4], 2), confidence=read[:4, :4])
    bench.view.show_turn(replace(turn, reading=small, analysis=None))
    assert not card.isVisible()
    hover(bench, Cell(0, 0))
    bench.view.show_turn(None)
    assert not card.isVisible()


def test_arrow_keys_move_a_cursor(bench: Bench, qtbot: QtBot) -> None:
    """From the best cell, not beyond the edge; screen readers hear the cell; Escape leaves."""
    turn = bench.view.turn
    best = turn.analysis.best
    bench.view.setFocus()
    qtbot.keyClick(bench.view, Qt.Key.Key_Up)
    assert bench.inspector.pointing.cell == best
    info = about(turn.reading.board, turn.analysis, best).text
    assert info in bench.view.accessibleDescription()
    for key, cell in (
        (Qt.Key.Key_Up, Cell(0, best.col)),
        (Qt.Key.Key_Left, Cell(0, 0)),
        (Qt.Key.Key_Down, Cell(8, 0)),
        (Qt.Key.Key_Right, Cell(8, 8)),
    ):
        for _ in range(10):
            qtbot.keyClick(bench.view, key)
        assert bench.inspector.pointing.cell == cell
    pressed: list[bool] = []
    QShortcut(QKeySequence("Esc"), bench).activated.connect(lambda: pressed.append(True))
    # The pointer leaving says nothing of the keys.
    QApplication.sendEvent(bench.view, QEvent(QEvent.Type.Leave))
    assert bench.inspector.card.isVisible()
    qtbot.keyClick(bench.view, Qt.Key.Key_Escape)
    assert bench.inspector.pointing.cell is None
    assert not bench.inspector.card.isVisible()
    # Only the next one does what Escape does in the panel.
    assert pressed == []
    qtbot.keyClick(bench.view, Qt.Key.Key_Escape)
    assert pressed == [True]
    qtbot.keyClick(bench.view, Qt.Key.Key_Right)
    bench.view.clearFocus()
    assert not bench.inspector.card.isVisible()


def test_words_for_a_cell() -> None:
    """Proofs, chances, estimates, opened cells and marks each have words of their own."""
    board = Board.parse("2F#/1?~/*x!", 4)
    nan = float("nan")
    risks = np.array([[nan, 0.25, 0.0], [nan, 1.0, nan], [nan, nan, nan]])
    known = Analysis(risks, None, True, "test", "because")
    info = about(board, known, Cell(0, 1))
    assert info.title == "Row 1, column 2: 25.00% mine, flagged"
    assert info.lines
    assert info.worth_opening
    titles = {cell: about(board, known, Cell(*cell)).title.partition(": ")[2]
              for cell in ((0, 0), (0, 2), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2))}  # fmt: skip
    assert titles == {
        (0, 0): "shows 2",
        (0, 2): "proved safe",
        (1, 1): "proved to be a mine, marked with a question mark",
        (1, 2): "not recognised",
        (2, 0): "a visible mine",
        (2, 1): "a wrong flag",
        (2, 2): "the mine that was hit",
    }
    estimate = about(board, replace(known, exact=False), Cell(0, 1)).title
    assert estimate == "Row 1, column 2: about 25.00% mine, flagged, an estimate"
    assert not about(board, None, Cell(0, 1)).worth_opening
    # A tiny chance does not read as zero.
    rows = outcome_rows(Outcomes((Outcome(5, 0.0004, 0, 3, 0.0002),), 0.0003))
    assert rows == [("5", "under 0.1%", "3 proved mines", "under 0.1%")]
