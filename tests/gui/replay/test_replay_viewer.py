"""A recorded game of a real program, looked at: every button and every key."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QColor
from pytestqt.qtbot import QtBot

from bot.assist.rating import rate_move
from bot.board import COVERED
from gui.panel.boardview import BoardView
from gui.panel.marks import EVIDENCE
from gui.replay.playback import SPEEDS
from tests.gui.replay.shelf import RECORDED, Shelf
from tests.support.images import to_array
from vision.sessions import load_session

WON, SGT, LOST = RECORDED


def test_every_turn_is_shown_as_it_was_recorded(shelf: Shelf, home: Path) -> None:
    """Its frame, board, probabilities, moves and reason, the very ones of the recording."""
    shelf.open(home / WON)
    viewer = shelf.page.viewer
    for index, turn in enumerate(load_session(home / WON).turns()):
        viewer.playback.go(index)
        shelf.pictured()
        shown = viewer.view.turn
        assert shown.reading.board == turn.reading.board
        assert (shown.reading.frame.image == turn.reading.frame.image).all()
        assert shown.moves == turn.moves
        if turn.analysis is not None and shown.analysis is not None:
            assert shown.analysis.reason == turn.analysis.reason
            assert turn.analysis.reason
            assert viewer.side.details.reason.text().startswith(turn.analysis.reason[1:8], 1)
        assert viewer.side.details.game.value("Status") == ("Won" if index == 7 else "Playing")
        assert viewer.slider.value() == index
        assert viewer.transport.where.text().startswith(f"{index} of 7")


def test_the_buttons_of_the_replay(shelf: Shelf, home: Path) -> None:
    """First, previous, next, last; at the ends what leads nowhere cannot be pressed."""
    shelf.open(home / WON)
    viewer, buttons = shelf.page.viewer, shelf.page.viewer.transport.buttons
    assert not buttons["first"].isEnabled()
    buttons["step"].click()
    buttons["step"].click()
    assert viewer.playback.at == 2
    buttons["previous"].click()
    assert viewer.playback.at == 1
    buttons["last"].click()
    assert viewer.playback.at == 7
    assert not buttons["step"].isEnabled()
    buttons["first"].click()
    assert viewer.playback.at == 0


def test_the_keys_of_the_replay(shelf: Shelf, home: Path, qtbot: QtBot) -> None:
    """Arrows, Home, End, brackets and Space, with the focus where it is at first."""
    shelf.open(home / WON)
    viewer = shelf.page.viewer
    focused = viewer.slider
    assert focused.hasFocus()
    for key, turn in (
        (Qt.Key.Key_Right, 1),
        (Qt.Key.Key_Right, 2),
        (Qt.Key.Key_Left, 1),
        (Qt.Key.Key_End, 7),
        (Qt.Key.Key_Home, 0),
    ):
        qtbot.keyClick(focused, key)
        assert viewer.playback.at == turn
    for key, speed in (("]", 0.25), ("]", 0.5), ("[", 0.25), ("[", None), ("[", None)):
        qtbot.keyClicks(focused, key)
        assert viewer.playback.speed == speed
        assert viewer.transport.speed.currentData() == speed
    for _ in SPEEDS:
        qtbot.keyClicks(focused, "]")
    assert viewer.playback.speed == 64
    qtbot.keyClick(focused, Qt.Key.Key_Space)
    assert viewer.playback.playing
    shelf.wait(lambda: viewer.playback.at == 7 and not viewer.playback.playing)
    qtbot.keyClick(focused, Qt.Key.Key_K)
    shelf.wait((home / WON / "kept").exists)
    shelf.wait(viewer.keep.isChecked)
    qtbot.keyClick(focused, Qt.Key.Key_F9)
    assert not viewer.side.isVisible()
    qtbot.keyClick(focused, Qt.Key.Key_F9)
    assert viewer.side.isVisible()


@pytest.mark.parametrize("speed", [None, 32.0, 64.0])
def test_it_plays_to_the_end(shelf: Shelf, home: Path, speed: float | None) -> None:
    """By the button; the button pauses meanwhile, and begins anew at the end."""
    shelf.open(home / WON)
    viewer = shelf.page.viewer
    box = viewer.transport.speed
    box.setCurrentIndex(box.findData(speed))
    box.activated.emit(box.currentIndex())
    play = viewer.transport.buttons["play"]
    play.click()
    assert play.accessibleName() == "Pause, Space"
    shelf.wait(lambda: viewer.playback.at == 7 and not viewer.playback.playing)
    assert play.accessibleName() == "Play, Space"
    play.click()
    assert viewer.playback.at < 7
    play.click()
    assert not viewer.playback.playing


def test_slider_and_timeline_scrub(shelf: Shelf, home: Path, qtbot: QtBot) -> None:
    """A click on the timeline goes to the turn below the pointer, a guess near it first."""
    shelf.open(home / LOST)
    viewer = shelf.page.viewer
    viewer.slider.setValue(2)
    assert viewer.view.turn.number == 2
    line = viewer.timeline
    for guess in viewer.film.guesses() if viewer.film else ():
        x = round(line.x_of(guess)) + 2
        qtbot.mouseClick(line, Qt.MouseButton.LeftButton, pos=QPoint(x, 5))
        assert viewer.playback.at == guess
        assert "a guess" in line.text_at(x)
    last = viewer.slider.maximum()
    assert line.text_at(line.x_of(last)) == f"Turn {last}: lost"


def test_guesses_are_rated_and_lead_to_their_turns(shelf: Shelf, home: Path) -> None:
    """As `bot.assist.rating` rates them, in words beside the board; a click jumps."""
    shelf.open(home / LOST)
    viewer, side = shelf.page.viewer, shelf.page.viewer.side
    guesses = viewer.film.guesses()
    assert guesses
    shelf.rated()
    assert side.view.count() == len(guesses)
    for row, turn in enumerate(guesses):
        side.view.itemClicked.emit(side.view.item(row))
        assert viewer.playback.at == turn
        played, move = viewer.film.turns[turn], viewer.film.guess(turn)
        assert move is not None
        rating = rate_move(played.reading.board, move)
        assert f"{rating.risk:.1%} risk" in side.verdict.text()
        assert rating.chance_before is not None
        assert f"{rating.chance_before:.1%} before" in side.verdict.text()
    assert "0.0% after the cell was opened" in side.verdict.text()
    assert side.count.text() == f"{len(guesses)} guesses"
    assert 0 not in guesses, "the first click is no guess"
    texts = [side.view.item(row).text() for row in range(len(guesses))]
    side.riskiest.click()
    sorted_texts = [side.view.item(row).text() for row in range(len(guesses))]
    risks = [float(risk) for risk in re.findall(r"([\d.]+)% risk", "\n".join(sorted_texts))]
    assert risks == sorted(risks, reverse=True)
    assert sorted(sorted_texts) == sorted(texts)
    viewer.playback.go(len(viewer.film) - 1)
    assert side.verdict.text() == "No guess at this turn."


def test_pause_pressed_just_before_the_end_does_not_begin_again(
    shelf: Shelf, home: Path, qtbot: QtBot
) -> None:
    """The last turn comes while the button is down: it said Pause."""
    shelf.open(home / WON)
    viewer = shelf.page.viewer
    button, left = viewer.transport.buttons["play"], Qt.MouseButton.LeftButton
    viewer.playback.toggle()
    qtbot.mousePress(button, left)
    viewer.playback.jump(viewer.playback.last)
    qtbot.mouseRelease(button, left)
    assert viewer.playback.at == viewer.playback.last
    assert not viewer.playback.playing
    qtbot.mouseClick(button, left)
    assert viewer.playback.playing


def test_leaving_the_page_pauses(shelf: Shelf, home: Path) -> None:
    """Nothing plays out of sight."""
    shelf.open(home / WON)
    viewer = shelf.page.viewer
    viewer.playback.set_speed(0.25)
    viewer.playback.toggle()
    shelf.page.hide()
    assert not viewer.playback.playing


def test_a_cell_of_a_recorded_turn_is_looked_into(shelf: Shelf, home: Path, qtbot: QtBot) -> None:
    """With Shift and arrows, for they alone go from turn to turn; Escape leaves the cell first."""
    shelf.open(home / WON)
    viewer = shelf.page.viewer
    viewer.playback.go(1)
    shelf.pictured()
    viewer.view.setFocus()
    qtbot.keyClick(viewer.view, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    cell = viewer.inspector.pointing.cell
    assert viewer.playback.at == 1
    assert viewer.inspector.card.title.text().startswith(cell.position_text.capitalize())
    qtbot.keyClick(viewer.view, Qt.Key.Key_Right)
    assert viewer.playback.at == 2
    qtbot.keyClick(viewer.view, Qt.Key.Key_Escape)
    assert viewer.inspector.pointing.cell is None
    assert viewer.isVisible()


def test_a_game_of_the_users_explains_the_advice_as_advice(shelf: Shelf, home: Path) -> None:
    """Where they played another cell than the reason is about: it is named, and not marked."""
    folder = home / WON
    info = json.loads((folder / "session.json").read_text())
    (folder / "session.json").write_text(json.dumps(info | {"player": "user"}))
    lines = [json.loads(line) for line in (folder / "turns.jsonl").read_text().splitlines()]
    turns = list(load_session(folder).turns())
    index = next(i for i, turn in enumerate(turns) if i and turn.analysis and turn.moves)
    analysis = turns[index].analysis
    best = analysis.best
    other = next(cell for cell in turns[index].reading.board.cells(COVERED) if cell != best)
    lines[index]["moves"] = [{"action": "open", "cell": other, "risk": 0.25}]
    (folder / "turns.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    shelf.open(folder)
    viewer = shelf.page.viewer
    viewer.playback.go(index)
    shelf.pictured()
    reason = viewer.side.details.reason.text()
    assert reason.startswith(f"Advice: {best.position_text}. ")
    assert f"Row {other.row + 1}, col {other.col + 1}" in viewer.side.details.moves.text()
    assert not shows(viewer.view, EVIDENCE)
    lines[index]["moves"] = [{"action": "open", "cell": best, "risk": 0.0}]
    (folder / "turns.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    viewer.close_film()
    shelf.page.open(folder)
    shelf.wait(lambda: viewer.film is not None)
    viewer.playback.go(index)
    shelf.pictured()
    assert not viewer.side.details.reason.text().startswith("Advice")


def shows(view: BoardView, color: QColor) -> bool:
    """Whether a colour is painted."""
    picture = to_array(view.grab().toImage())
    return bool((picture == [color.blue(), color.green(), color.red()]).all(axis=2).any())
