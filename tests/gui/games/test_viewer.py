"""An opened game: its turns, ratings, damaged recordings, and exports."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from PyQt6.QtCore import QEvent, QPoint, Qt
from PyQt6.QtGui import QColor, QHelpEvent
from PyQt6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from bot.assist.rating import rate_move, winning_chance
from bot.board import COVERED
from gui.games.playback import SPEEDS
from gui.games.viewer import detail_lines
from gui.images import from_qimage
from gui.panel.boardview import BoardView, Show
from gui.panel.marks import EVIDENCE
from tests.gui.games.shelf import RECORDED, Shelf, change
from tests.gui.panels import drop_files
from tests.support.boards import SESSIONS
from vision.sessions import load_session
from vision.sessions.summaries import summarise

pytestmark = pytest.mark.long

WON, SGT, LOST = RECORDED


def test_a_session_is_dropped(shelf: Shelf, tmp_path: Path) -> None:
    """The folder, or its session.json. Other files are not taken; another folder is an error."""
    shelf.page.open(tmp_path)
    shelf.wait(lambda: shelf.failed)
    assert "is no session" in shelf.failed[0].message
    assert shelf.page.stack.currentIndex() == 0
    for dropped in (SESSIONS / "xbomb-large-hint-6", SESSIONS / WON / "session.json"):
        assert drop_files(shelf.page, dropped)
        shelf.wait_for_film(dropped if dropped.is_dir() else dropped.parent)
    assert not drop_files(shelf.page, Path(__file__))


def test_every_turn_is_shown_as_it_was_recorded(shelf: Shelf, recorded: Path) -> None:
    """Its frame, board, probabilities, moves and reason, the very ones of the recording."""
    shelf.open(recorded / WON)
    viewer = shelf.page.viewer
    for index, turn in enumerate(load_session(recorded / WON).turns()):
        viewer.playback.go(index)
        shelf.pictured()
        shown = viewer.view.turn
        assert shown.reading.board == turn.reading.board
        assert (shown.reading.frame.image == turn.reading.frame.image).all()
        assert shown.moves == turn.moves
        if turn.analysis is not None:
            assert shown.analysis.reason == turn.analysis.reason
            assert viewer.side.details.reason.text().startswith(turn.analysis.reason[1:8], 1)
        assert viewer.side.details.game.value("Status") == ("Won" if index == 7 else "Playing")
        assert viewer.slider.value() == index
        assert viewer.transport.where.text().startswith(f"{index} of 7")


def test_the_keys_of_the_replay(shelf: Shelf, recorded: Path, qtbot: QtBot) -> None:
    """Arrows, Home, End, brackets and Space, with the focus where it is at first.

    The button pauses a replay, and begins anew at the end; out of sight it pauses.
    """
    shelf.open(recorded / WON)
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
    for keys, speed in (("]]", 0.5), ("[[[", None), ("]" * len(SPEEDS), 64)):
        qtbot.keyClicks(focused, keys)
        assert viewer.playback.speed == viewer.transport.speed.currentData() == speed
    play = viewer.transport.buttons["play"]
    qtbot.keyClick(focused, Qt.Key.Key_Space)
    assert viewer.playback.playing
    assert play.accessibleName() == "Pause, Space"
    shelf.wait(lambda: viewer.playback.at == 7 and not viewer.playback.playing)
    assert play.accessibleName() == "Play, Space"
    box = viewer.transport.speed
    box.setCurrentIndex(box.findData(0.25))
    box.activated.emit(box.currentIndex())
    assert viewer.playback.speed == 0.25
    play.click()
    assert viewer.playback.playing
    assert viewer.playback.at == 0
    play.click()
    assert not viewer.playback.playing
    qtbot.keyClick(focused, Qt.Key.Key_F9)
    assert not viewer.side.isVisible()
    qtbot.keyClick(focused, Qt.Key.Key_F9)
    # A narrow page shows either the board or the side, and the focus follows.
    shelf.page.resize(600, 500)
    shelf.wait(focused.isVisible)
    qtbot.keyClick(focused, Qt.Key.Key_F9)
    assert viewer.side.view.hasFocus()
    qtbot.keyClick(viewer.side.view, Qt.Key.Key_F9)
    assert focused.hasFocus()
    play.click()
    assert viewer.playback.playing
    shelf.page.hide()
    assert not viewer.playback.playing


def test_slider_and_timeline_scrub(shelf: Shelf, recorded: Path, qtbot: QtBot) -> None:
    """A click on the timeline goes to the turn below the pointer, a guess near it first."""
    shelf.open(recorded / LOST)
    viewer = shelf.page.viewer
    viewer.slider.setValue(2)
    assert viewer.view.turn.number == 2
    line = viewer.timeline
    for guess in viewer.film.guesses():
        x = round(line.x_of(guess)) + 2
        qtbot.mouseClick(line, Qt.MouseButton.LeftButton, pos=QPoint(x, 5))
        assert viewer.playback.at == guess
        assert "a guess" in line.text_at(x)
    assert "A bar is a guess" in " ".join(line.accessibleDescription().split())
    place = QPoint(round(line.x_of(1)), line.height() // 2)
    event = QHelpEvent(QEvent.Type.ToolTip, place, line.mapToGlobal(place))
    QApplication.sendEvent(line, event)
    assert QToolTip.text().startswith("Turn 1")
    last = viewer.slider.maximum()
    assert line.text_at(line.x_of(last)) == f"Turn {last}: lost"


def test_guesses_and_the_chance_to_win_are_shown_along_the_game(
    shelf: Shelf, recorded: Path, qtbot: QtBot
) -> None:
    """At every turn, down to the loss. Guesses are rated, as `bot.assist.rating` does it.

    A click on one shows its turn; G and M go to the next guess, or mistake.
    """
    shelf.open(recorded / LOST)
    viewer, side = shelf.page.viewer, shelf.page.viewer.side
    shelf.wait(lambda: side.judge.done)
    film, verdicts = viewer.film, side.judge.verdicts
    points = side.judge.chances
    assert sorted(points) == list(range(len(film)))
    assert points[0] == winning_chance(film.turns[0].reading.board).value
    assert points[len(film) - 1] == 0.0
    guesses = film.guesses()
    assert side.count.text() == f"{len(guesses)} guesses"
    assert 0 not in guesses, "the first click is no guess"
    for row, turn in enumerate(guesses):
        side.view.itemClicked.emit(side.view.item(row))
        assert viewer.playback.at == turn
        rating = rate_move(film.turns[turn].reading.board, film.guess(turn))
        assert verdicts[turn].rating == rating
        assert points[turn] == rating.chance_before
        assert f"{rating.risk:.1%} risk" in side.verdict.text()
        assert f"{rating.chance_before:.1%} before" in side.verdict.text()
    assert "0.0% after the cell was opened" in side.verdict.text()
    side.riskiest.click()
    riskiest = max(guesses, key=lambda turn: verdicts[turn].rating.risk)
    assert side.view.item(0).text().startswith(f"Turn {riskiest}: ")
    viewer.playback.go(len(film) - 1)
    assert side.verdict.text() == "No guess at this turn."
    quiet = next(turn for turn in points if turn not in guesses)
    for turn, words in (
        (guesses[0], f"{points[guesses[0]]:.0%} before"),
        (quiet, f"Chance to win: {points[quiet]:.0%}"),
    ):
        assert words in viewer.timeline.text_at(viewer.timeline.x_of(turn))
    mistakes = sorted(turn for turn, verdict in verdicts.items() if verdict.mistake)
    for name, turns in (("guess", guesses), ("mistake", mistakes)):
        button = side.next[name]
        viewer.playback.jump(0)
        seen = []
        while button.isEnabled():
            qtbot.keyClicks(viewer, name[0])
            seen.append(viewer.playback.at)
        assert seen == list(turns)
        assert button.toolTip() == f"No {name} follows this turn"
        assert button.accessibleDescription() == button.toolTip()


def test_a_cell_of_a_recorded_turn_is_looked_into(
    shelf: Shelf, recorded: Path, qtbot: QtBot
) -> None:
    """With Shift and arrows, for they alone go from turn to turn; Escape leaves the cell first."""
    shelf.open(recorded / WON)
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


def test_a_game_of_the_users_explains_the_advice_as_advice(shelf: Shelf, recorded: Path) -> None:
    """Where they played another cell than the reason is about: it is named, and not marked."""
    folder = recorded / WON
    info = json.loads((folder / "session.json").read_text("utf-8"))
    (folder / "session.json").write_text(json.dumps(info | {"player": "user"}))
    turns = list(load_session(folder).turns())
    index = next(i for i, turn in enumerate(turns) if i and turn.analysis and turn.moves)
    best = turns[index].analysis.best
    other = next(cell for cell in turns[index].reading.board.cells(COVERED) if cell != best)
    assert detail_lines(summarise(folder))[0].endswith("you played")
    viewer = shelf.page.viewer
    for played in (other, best):
        change(folder, index, ("moves",), [{"action": "open", "cell": played, "risk": 0.25}])
        viewer.close_film()
        shelf.open(folder)
        viewer.playback.go(index)
        shelf.pictured()
        details = viewer.side.details
        advice = f"Advice: {best.position_text}. "
        assert details.reason.text().startswith(advice) == (played == other)
        assert f"Row {played.row + 1}, col {played.col + 1}" in details.moves.text()
        assert shows(viewer.view, EVIDENCE) == (played == best)


def shows(view: BoardView, color: QColor) -> bool:
    """Whether a colour is painted."""
    picture = from_qimage(view.grab().toImage())
    return bool((picture == [color.blue(), color.green(), color.red()]).all(axis=2).any())


def test_turns_that_cannot_be_shown_say_why(shelf: Shelf, recorded: Path) -> None:
    """A frame that is missing, damaged or of another size; a move off the board."""
    folder = recorded / WON
    (folder / "frames" / "0002.png").unlink()
    damaged = folder / "frames" / "0003.png"
    damaged.write_bytes(damaged.read_bytes()[:200])
    change(folder, 4, ("region",), [0, 0, 100_000, 100_000])
    change(folder, 5, ("moves", 0, "cell"), [900, 900])
    shelf.open(folder)
    viewer = shelf.page.viewer
    for turn, said in ((2, "0002.png"), (3, "0003.png"), (4, "the picture has"), (5, "off the")):
        viewer.playback.go(turn)
        shelf.pictured()
        shelf.wait(viewer.note.isVisible)
        assert said in viewer.note.text()
        assert viewer.view.layers is Show.PARSED
        assert (viewer.view.turn is None) == (turn == 5)
    viewer.playback.go(6)
    shelf.pictured()
    shelf.wait(lambda: not viewer.note.isVisible())
    assert viewer.view.layers is Show.BOTH
    assert not shelf.failed


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_a_game_is_exported_in_every_format(
    shelf: Shelf, recorded: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    """By button or Ctrl+E. A cancelled dialog writes nothing; what fails is reported."""
    shelf.open(recorded / WON)
    viewer, exporter = shelf.page.viewer, shelf.page.exporter
    for show_menu in (
        viewer.export.click,
        partial(qtbot.keyClick, viewer.view, "E", Qt.KeyboardModifier.ControlModifier),
    ):
        show_menu()
        assert exporter.menu.isVisible()
        exporter.menu.close()
    for action, name in (
        ("folder", WON), ("json", f"{WON}.json"), ("rawvf", f"{WON}.rawvf"), ("zip", f"{WON}.zip")
    ):  # fmt: skip
        exporter.actions[action].trigger()
        shelf.press("Cancel")
        assert not shelf.dialogs
        assert not (tmp_path / name).exists()
        exporter.actions[action].trigger()
        shelf.choose(tmp_path if action == "folder" else tmp_path / name)
        shelf.wait(lambda name=name: shelf.messages == [f"Saved to {tmp_path / name}"])
        shelf.messages.clear()
        assert (tmp_path / name).exists()
        assert all(one.isEnabled() for one in exporter.actions.values())
    # Where the mines are is not known of a game without its end.
    turns = recorded / LOST / "turns.jsonl"
    turns.write_text("".join(turns.read_text("utf-8").splitlines(keepends=True)[:-1]))
    shelf.open(recorded / LOST)
    shelf.wait(lambda: viewer.side.judge.done)
    exporter.actions["rawvf"].trigger()
    shelf.choose(tmp_path / "hidden.rawvf")
    shelf.wait(lambda: shelf.failed)
    assert "where all mines are" in shelf.failed[0].message
    assert not (tmp_path / "hidden.rawvf").exists()
