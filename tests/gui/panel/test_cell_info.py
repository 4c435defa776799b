"""Looking into a cell: by pointer and by keys, what is shown, and for how long."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PyQt6.QtCore import QEvent, Qt
from PyQt6.QtGui import QKeySequence, QShortcut, QTextDocument
from PyQt6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from bot.analysis import Analysis
from bot.board import UNREAD, Board, Cell
from bot.game import BEGINNER
from bot.loop import Turn
from bot.solver.outcomes import Outcome, Outcomes, nearby_hints, possible_outcomes
from bot.solver.warmup import PREPARATION
from bot.unread import Cause, Unread
from gui.failures import Failure
from gui.images import from_qimage
from gui.panel.boardview import BoardView
from gui.panel.cell_info import (
    Inspector,
    Pointing,
    about,
    outcome_rows,
    outcomes_text,
)
from gui.panel.jobs import Jobs
from gui.settings import Settings
from tests.gui.simulated import point_at
from tests.gui.tabletop import Tabletop
from tests.support.operators import Unattended


class Bench(QWidget):
    """A board view with a button beside it."""

    def __init__(self, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        super().__init__()
        self.view, self.other = BoardView(), QPushButton("Other")
        self.jobs = Jobs(lambda error: Failure(str(error)), self)
        self.inspector = Inspector(self.view, self.jobs, Pointing(self.view, held))
        column = QVBoxLayout(self)
        column.addWidget(self.other)
        column.addWidget(self.view)
        self.resize(700, 560)


@pytest.fixture(scope="module", autouse=True)
def ready() -> None:
    """The solver is compiled: that may take longer than a signal is waited for."""
    PREPARATION.wait()


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    """The bench, shown, with a game in its middle."""
    made = Bench()
    qtbot.addWidget(made)
    made.view.show_turn(middle())
    with qtbot.waitExposed(made):
        made.show()
    made.activateWindow()
    return made


def middle() -> Turn:
    """A turn in the middle of a game."""
    table = Tabletop(BEGINNER, seed=9)
    game = table.play(table.candidate(0), lambda: Settings(games=1), Unattended())
    return [turn for turn, _ in zip(game, range(4), strict=False)][-1]


def covered(turn: Turn) -> Cell:
    """A cell that is neither proved nor apart from all hints."""
    probability = turn.analysis.mine_probability
    for row, col in np.argwhere((probability > 0) & (probability < 1)):
        cell = Cell(int(row), int(col))
        if about(turn.reading.board, turn.analysis, cell).hints:
            return cell
    raise AssertionError("there is none")


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
        rows, cols = (
            slice(square.top(), square.bottom()),
            slice(square.left(), square.right()),
        )
        assert (before[rows, cols] != after[rows, cols]).any()


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
    assert turn is not None
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


def test_a_cell_that_was_hardly_read_says_so(bench: Bench) -> None:
    """What it shows, and that it was read with low confidence; a covered one does not."""
    turn = bench.view.turn
    tiles = turn.reading.board.tiles.copy()
    tiles[7, 6] = 1
    hardly = replace(
        turn.reading,
        board=Board(tiles, turn.reading.board.mines),
        confidence=np.full_like(turn.reading.confidence, 0.4),
    )
    bench.view.show_turn(replace(turn, reading=hardly, analysis=None))
    hover(bench, Cell(7, 6))
    title = bench.inspector.card.title.text()
    assert title == "Row 8, column 7: shows 1, read with low confidence"
    assert "confidence" in bench.view.accessibleDescription()


def test_cell_information_follows_the_board(bench: Bench) -> None:
    """The cell stays, what is said of it is the new board's; a smaller board ends it."""
    turn = bench.view.turn
    cell = Cell(8, 8)
    hover(bench, cell)
    first = bench.inspector.card.title.text()
    board = turn.reading.board
    tiles = board.tiles.copy()
    tiles[cell] = 1
    opened = replace(turn.reading, board=Board(tiles, board.mines))
    bench.view.show_turn(replace(turn, reading=opened, analysis=None))
    assert bench.inspector.card.title.text() == "Row 9, column 9: shows 1" != first
    small = replace(
        turn.reading, board=Board(tiles[:4, :4], 2), confidence=turn.reading.confidence[:4, :4]
    )
    bench.view.show_turn(replace(turn, reading=small, analysis=None))
    assert not bench.inspector.card.isVisible()
    hover(bench, Cell(0, 0))
    bench.view.show_turn(None)
    assert not bench.inspector.card.isVisible()


def test_arrow_keys_move_a_cursor(bench: Bench, qtbot: QtBot) -> None:
    """From the best cell, not beyond the edge; screen readers hear the cell; Escape leaves."""
    turn = bench.view.turn
    assert turn.analysis.best is not None
    bench.view.setFocus()
    qtbot.keyClick(bench.view, Qt.Key.Key_Up)
    best = turn.analysis.best
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
    bench.other.setFocus()
    assert not bench.inspector.card.isVisible()


def _analysis(probability: list[list[float]], *, exact: bool = True) -> Analysis:
    return Analysis(np.array(probability), None, exact, "test", "because")


def test_words_for_a_cell() -> None:
    """Proofs, chances, estimates, opened cells and marks each have words of their own."""
    board = Board.parse("2F#/1?~/*x!", 4)
    nan = float("nan")
    risks = [[nan, 0.25, 0.0], [nan, 1.0, nan], [nan, nan, nan]]
    info = about(board, _analysis(risks), Cell(0, 1))
    assert info.title == "Row 1, column 2: 25.00% mine, flagged"
    assert info.lines
    assert info.worth_opening
    titles = {cell: about(board, _analysis(risks), Cell(*cell)).title.partition(": ")[2]
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
    estimate = about(board, _analysis(risks, exact=False), Cell(0, 1)).title
    assert estimate == "Row 1, column 2: about 25.00% mine, flagged, an estimate"
    assert not about(board, None, Cell(0, 1)).worth_opening


def test_an_unread_cell_says_why(bench: Bench) -> None:
    """What was seen and what to do, in the card and for screen readers, and for how long."""
    reading, cell = bench.view.turn.reading, Cell(0, 0)
    tiles = reading.board.tiles.copy()
    tiles[cell] = UNREAD
    why = Unread(Cause.AMBIGUOUS, nearest=((3, 0.9), (8, 0.8)), since=reading.frame.time - 4)
    board = replace(reading.board, tiles=tiles)
    bench.view.show_turn(Turn(0, replace(reading, board=board, unread={cell: why}), None, ()))
    hover(bench, cell)
    card = bench.inspector.card
    assert card.title.text() == "Row 1, column 1: not recognised"
    assert card.hints.text() == (
        "It may be '3' or '8', which look too much alike here. Show the board larger or sharper. "
        "Unread for 4 s."
    )
    assert card.hints.text() in bench.view.accessibleDescription()


def test_a_tiny_chance_can_be_read(bench: Bench) -> None:
    """It does not read as zero."""
    card = bench.inspector.card
    card.show_outcomes(Outcomes((Outcome(5, 0.0004, 0, 3, 0.0002),), 0.0003))
    document = QTextDocument()
    document.setHtml(card.outcomes.text())
    assert document.toPlainText().count("under 0.1%") == 3
