"""The replay page over recorded games of real programs: every button and every key."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest
from PyQt6.QtCore import QMimeData, QPoint, QPointF, QRect, Qt, QUrl
from PyQt6.QtGui import QDesktopServices, QDragEnterEvent, QDropEvent
from PyQt6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from bot.board import Board
from bot.rating import rate
from gui.panel.boardview import Show
from gui.panel.theme import DARK
from gui.replay.page import ReplayPage
from gui.replay.playback import SPEEDS
from gui.replay.thumbnails import LARGEST, thumbnail
from tests.boards import SESSIONS
from tests.gui.replay.shelf import RECORDED, Shelf
from vision.recording import load_session

WON, SGT, LOST = RECORDED


def choose(shelf: Shelf, folder: Path) -> None:
    """The row of a session, as by a click."""
    shelf.page.listing.select(folder)
    assert shelf.page.listing.current is not None
    assert shelf.page.listing.current.folder == folder


def test_all_sessions_are_listed(shelf: Shelf, home: Path) -> None:
    """With result, size, mines, program, solver, time and length; the newest first."""
    assert len(shelf.listed()) == len(RECORDED)
    started = [load_session(home / name).info.started for name in RECORDED]
    shown = shelf.page.listing.filter
    folders = [shown.index(row, 0).data(Qt.ItemDataRole.UserRole).folder.name for row in range(3)]
    assert folders == [name for _, name in sorted(zip(started, RECORDED, strict=True))][::-1]
    told = shown.index(folders.index(LOST), 0).data(Qt.ItemDataRole.ToolTipRole)
    for words in (
        "Lost",
        "16 \N{MULTIPLICATION SIGN} 16",
        "40 mines",
        "WineMine",
        "exact",
        "turns",
        " s",
    ):
        assert words in told
    assert shelf.page.listing.note.text() == "3 sessions"


def test_every_row_gets_a_thumbnail(shelf: Shelf) -> None:
    """Painted behind, when the row is looked at."""
    shown = shelf.page.listing.filter
    index = [shown.index(row, 0) for row in range(3)]
    shelf.wait(lambda: all(one.data(Qt.ItemDataRole.DecorationRole) is not None for one in index))


def test_a_broken_session_is_listed_with_its_reason(shelf: Shelf, home: Path) -> None:
    """And cannot be opened; what else can be done with it can."""
    (home / SGT / "turns.jsonl").write_bytes(b"nothing\n")
    shelf.page.listing.refresh.click()
    shelf.wait(lambda: any("Broken" in title for title in shelf.listed()))
    choose(shelf, home / SGT)
    buttons = shelf.page.listing.buttons
    assert not buttons["open"].isEnabled()
    assert buttons["delete"].isEnabled()
    detail = shelf.page.listing.view.currentIndex().data(Qt.ItemDataRole.UserRole + 1)
    assert "turns.jsonl" in detail[0]


@pytest.mark.parametrize(
    ("words", "kind", "count"),
    [
        ("", "all", 3),
        ("winemine", "all", 1),
        ("WINEMINE lost", "all", 1),
        ("winemine won", "all", 0),
        ("", "won", 2),
        ("", "lost", 1),
        ("beginner 9", "won", 2),
        ("", "unfinished", 0),
        ("", "broken", 0),
        ("", "kept", 0),
    ],
)
def test_the_list_is_searched_and_filtered(shelf: Shelf, words: str, kind: str, count: int) -> None:
    """Each word must occur; the kinds are results, and what is kept."""
    listing = shelf.page.listing
    listing.search.setText(words)
    listing.kind.setCurrentIndex(listing.kind.findData(kind))
    assert len(shelf.listed()) == count
    assert listing.note.text() == ("3 sessions" if count == 3 else f"{count} of 3 sessions") or (
        count == 0 and "No session" in listing.note.text()
    )


def test_hundreds_are_listed_without_their_frames(shelf: Shelf, home: Path) -> None:
    """Three hundred games whose pictures are not even there."""
    for number in range(300):
        folder = home / f"2026-01-01T00-00-00-{number + 2}"
        folder.mkdir()
        for name in ("session.json", "turns.jsonl"):
            shutil.copyfile(SESSIONS / SGT / name, folder / name)
    with shelf.qtbot.waitSignal(shelf.page.sessions.scanned) as scanned:
        shelf.page.look()
    assert scanned.args == [303]


def test_the_buttons_of_the_list(shelf: Shelf, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep, show folder, delete: each does it to the chosen session."""
    listing = shelf.page.listing
    assert not listing.buttons["open"].isEnabled()
    choose(shelf, home / LOST)
    listing.buttons["keep"].click()
    shelf.wait((home / LOST / "kept").exists)
    shelf.wait(listing.buttons["keep"].isChecked)
    listing.kind.setCurrentIndex(listing.kind.findData("kept"))
    assert len(shelf.listed()) == 1
    shown: list[str] = []
    monkeypatch.setattr(
        QDesktopServices, "openUrl", lambda url: shown.append(url.toLocalFile()) or True
    )
    listing.buttons["reveal"].click()
    assert shown == [str(home / LOST)]
    shelf.answers.yes = False
    listing.buttons["delete"].click()
    assert "marked to be kept" in shelf.answers.asked[-1]
    assert (home / LOST).exists()
    shelf.answers.yes = True
    listing.buttons["delete"].click()
    shelf.wait(lambda: not (home / LOST).exists())
    shelf.wait(lambda: shelf.page.sessions.rowCount() == 2)


def test_the_keys_of_the_list(shelf: Shelf, home: Path, qtbot: QtBot) -> None:
    """K, Del, Ctrl+F, Return, F5, Ctrl+O; letters that are typed into the search stay there."""
    listing = shelf.page.listing
    choose(shelf, home / LOST)
    listing.view.setFocus()
    qtbot.keyClick(listing.view, Qt.Key.Key_K)
    shelf.wait((home / LOST / "kept").exists)
    shelf.wait(listing.buttons["keep"].isChecked)
    qtbot.keyClick(listing.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert listing.search.hasFocus()
    qtbot.keyClicks(listing.search, "sgt k")
    qtbot.keyClick(listing.search, Qt.Key.Key_Delete)
    assert listing.search.text() == "sgt k"
    assert (home / LOST / "kept").exists()
    listing.search.setText("sgt")
    qtbot.keyClick(listing.search, Qt.Key.Key_Return)
    assert listing.view.hasFocus()
    qtbot.keyClick(listing.view, Qt.Key.Key_Delete)
    shelf.wait(lambda: not (home / SGT).exists())
    listing.search.clear()
    shutil.copytree(SESSIONS / SGT, home / SGT)
    qtbot.keyClick(listing.view, Qt.Key.Key_F5)
    shelf.wait(lambda: len(shelf.listed()) == 3)
    shelf.answers.into = home / WON
    qtbot.keyClick(listing.view, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    shelf.wait(lambda: shelf.page.viewer.film)


def test_a_row_is_opened_and_left(shelf: Shelf, home: Path, qtbot: QtBot) -> None:
    """By Return or the button; Esc or the button goes back to the same row."""
    page = shelf.page
    choose(shelf, home / LOST)
    page.listing.view.setFocus()
    qtbot.keyClick(page.listing.view, Qt.Key.Key_Return)
    shelf.wait(lambda: page.viewer.film)
    assert page.stack.currentWidget() is page.viewer
    assert "Lost" in page.viewer.title.text()
    qtbot.keyClick(page.viewer, Qt.Key.Key_Escape)
    assert page.stack.currentWidget() is page.listing
    assert page.viewer.film is None
    assert page.listing.current is not None
    assert page.listing.current.folder == home / LOST
    page.listing.buttons["open"].click()
    shelf.wait(lambda: page.viewer.film)
    page.viewer.back.click()
    assert page.stack.currentWidget() is page.listing


def test_another_page_opens_a_session(shelf: Shelf, home: Path) -> None:
    """`enter` with a folder, from the history or the command line."""
    shelf.page.enter(home / WON)
    shelf.wait(lambda: shelf.page.viewer.film)
    assert shelf.page.viewer.film is not None
    assert shelf.page.viewer.film.session.folder == home / WON


@pytest.mark.parametrize("part", ["", "session.json"])
def test_a_folder_is_dropped(shelf: Shelf, part: str) -> None:
    """From anywhere: the folder, or its session.json. Other files are not taken."""
    folder = SESSIONS / "xbomb-large-hint-6"
    drop(shelf.page, folder / part)
    shelf.wait(lambda: shelf.page.viewer.film)
    assert shelf.page.viewer.film is not None
    assert shelf.page.viewer.film.session.folder == folder
    other = drop(shelf.page, Path(__file__))
    assert not other.isAccepted()


def drop(page: ReplayPage, path: Path) -> QDropEvent:
    """As Qt tells a page of it."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    kind = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton
    enter = QDragEnterEvent(QPoint(20, 20), *kind, Qt.KeyboardModifier.NoModifier)
    enter.ignore()
    page.dragEnterEvent(enter)
    event = QDropEvent(QPointF(20, 20), *kind, Qt.KeyboardModifier.NoModifier)
    event.ignore()
    if enter.isAccepted():
        page.dropEvent(event)
    return event


def test_what_is_no_session_is_said(shelf: Shelf, tmp_path: Path) -> None:
    """The list stays."""
    (tmp_path / "photos").mkdir()
    shelf.page.open(tmp_path / "photos")
    shelf.wait(lambda: shelf.failed)
    assert "is no session" in shelf.failed[0].message
    assert shelf.page.stack.currentWidget() is shelf.page.listing


def test_every_turn_is_shown_as_it_was_recorded(shelf: Shelf, home: Path) -> None:
    """Its frame, board, probabilities, moves and reason, the very ones of the recording."""
    shelf.open(home / WON)
    viewer = shelf.page.viewer
    for index, turn in enumerate(load_session(home / WON).turns()):
        viewer.playback.go(index)
        shelf.pictured()
        shown = viewer.view.turn
        assert shown is not None
        assert shown.reading.board == turn.reading.board
        assert (shown.reading.frame.image == turn.reading.frame.image).all()
        assert shown.moves == turn.moves
        if turn.analysis is not None and shown.analysis is not None:
            assert shown.analysis.reason == turn.analysis.reason
            assert viewer.side.details.reason.text().startswith(turn.analysis.reason[1:8], 1)
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
    """Arrows, Home, End, brackets and Space, with the focus on the board."""
    shelf.open(home / WON)
    viewer = shelf.page.viewer
    assert viewer.view.hasFocus()
    for key, turn in (
        (Qt.Key.Key_Right, 1),
        (Qt.Key.Key_Right, 2),
        (Qt.Key.Key_Left, 1),
        (Qt.Key.Key_End, 7),
        (Qt.Key.Key_Home, 0),
    ):
        qtbot.keyClick(viewer.view, key)
        assert viewer.playback.at == turn
    for key, speed in (("]", 0.25), ("]", 0.5), ("[", 0.25), ("[", None), ("[", None)):
        qtbot.keyClicks(viewer.view, key)
        assert viewer.playback.speed == speed
        assert viewer.transport.speed.currentData() == speed
    for _ in SPEEDS:
        qtbot.keyClicks(viewer.view, "]")
    assert viewer.playback.speed == 64
    qtbot.keyClick(viewer.view, Qt.Key.Key_Space)
    assert viewer.playback.playing
    shelf.wait(lambda: viewer.playback.at == 7 and not viewer.playback.playing)
    qtbot.keyClick(viewer.view, Qt.Key.Key_K)
    shelf.wait((home / WON / "kept").exists)
    shelf.wait(viewer.keep.isChecked)
    qtbot.keyClick(viewer.view, Qt.Key.Key_F9)
    assert not viewer.side.isVisible()
    qtbot.keyClick(viewer.view, Qt.Key.Key_F9)
    assert viewer.side.isVisible()


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_exports_are_offered(shelf: Shelf, home: Path, qtbot: QtBot) -> None:
    """By the button, and by Ctrl+E."""
    shelf.open(home / WON)
    viewer, menu = shelf.page.viewer, shelf.page.exporter.menu
    viewer.export.click()
    assert menu.isVisible()
    menu.close()
    qtbot.keyClick(viewer.view, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert menu.isVisible()
    menu.close()


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
    assert viewer.view.turn is not None
    assert viewer.view.turn.number == 2
    line = viewer.timeline
    for guess in viewer.film.guesses() if viewer.film else ():
        x = round(line.x_of(guess)) + 2
        qtbot.mouseClick(line, Qt.MouseButton.LeftButton, pos=QPoint(x, 5))
        assert viewer.playback.at == guess
        assert "a guess" in line.told_at(x)
    last = viewer.slider.maximum()
    assert line.told_at(line.x_of(last)) == f"Turn {last}: lost"


def test_layers_are_switched(shelf: Shelf, home: Path) -> None:
    """The same three as on the page that plays."""
    shelf.open(home / WON)
    viewer = shelf.page.viewer
    for show in (Show.FRAME, Show.PARSED, Show.BOTH):
        viewer.layers.buttons[show].click()
        assert viewer.view.layers is show


def test_guesses_are_rated_and_lead_to_their_turns(shelf: Shelf, home: Path) -> None:
    """As `bot.rating` rates them, in words beside the board; a click jumps."""
    shelf.open(home / LOST)
    viewer, side = shelf.page.viewer, shelf.page.viewer.side
    assert viewer.film is not None
    guesses = viewer.film.guesses()
    assert guesses
    shelf.rated()
    assert side.guesses.rowCount() == len(guesses)
    for row, turn in enumerate(guesses):
        side.view.clicked.emit(side.guesses.index(row))
        assert viewer.playback.at == turn
        played, move = viewer.film.turns[turn], viewer.film.guess(turn)
        assert played is not None
        assert move is not None
        rating = rate(played.reading.board, move)
        assert f"{rating.risk:.1%} risk" in side.verdict.text()
        assert rating.chance_before is not None
        assert f"{rating.chance_before:.1%} before" in side.verdict.text()
    assert "0.0% after what it showed" in side.verdict.text()
    assert side.count.text() == f"{len(guesses)} guesses"
    viewer.playback.go(len(viewer.film) - 1)
    assert side.verdict.text() == "Nothing is guessed at this turn."


def test_a_missing_and_a_damaged_frame_are_said(shelf: Shelf, home: Path) -> None:
    """The parsed board is shown in their place, and the other turns as ever."""
    (home / WON / "frames" / "0002.png").unlink()
    damaged = home / WON / "frames" / "0003.png"
    damaged.write_bytes(damaged.read_bytes()[:200])
    shelf.open(home / WON)
    viewer = shelf.page.viewer
    for turn in (2, 3):
        viewer.playback.go(turn)
        shelf.pictured()
        shelf.wait(viewer.note.isVisible)
        assert f"000{turn}.png" in viewer.note.text()
        assert viewer.view.layers is Show.PARSED
        assert viewer.view.turn is not None
    viewer.playback.go(4)
    shelf.pictured()
    shelf.wait(lambda: not viewer.note.isVisible())
    assert viewer.view.layers is Show.BOTH


@pytest.mark.parametrize(
    ("where", "value", "words"),
    [
        (("moves", 0, "cell"), [900, 900], "off the board"),
        (("grid", "rows"), 900, "its grid 9 x 900"),
        (("grid", "left"), 1e200, "far off any screen"),
        (("board",), ["#" * 300] * 300, "turn 3"),
        (("mines",), 99, "99 mines"),
        (("confidence",), "AAAA", "turn 3"),
        (("analysis", "mine_probability"), [0.5], "1 probabilities for"),
        (("analysis", "best"), [500, 0], "names a cell off the board"),
        (("analysis", "solutions"), "9" * 5000, "no whole number"),
    ],
    ids=lambda value: str(value[0]) if isinstance(value, tuple) else None,
)
def test_a_turn_that_contradicts_itself_is_said(
    shelf: Shelf, home: Path, where: tuple[str | int, ...], value: object, words: str
) -> None:
    """It is left empty; the turns beside it are shown."""
    change(home / WON, 3, where, value)
    shelf.open(home / WON)
    viewer = shelf.page.viewer
    viewer.playback.go(3)
    assert viewer.view.turn is None
    assert words in viewer.note.text()
    viewer.playback.go(4)
    shelf.wait(lambda: viewer.view.turn is not None)
    assert not shelf.failed


@pytest.mark.parametrize("region", [[0, 0, 100_000, 100_000], [0, 0, 8, 8], [0, 0, 8, 4000]])
def test_a_picture_of_another_size_is_said(shelf: Shelf, home: Path, region: list[int]) -> None:
    """The parsed board is shown in its place; nobody reserves room for what it claims to be."""
    change(home / WON, 3, ("region",), region)
    shelf.open(home / WON)
    viewer = shelf.page.viewer
    viewer.playback.go(3)
    shelf.pictured()
    assert "the picture has" in viewer.note.text()
    assert viewer.view.layers is Show.PARSED
    assert not viewer.grab().isNull()


def change(session: Path, turn: int, where: tuple[str | int, ...], value: object) -> None:
    """Put another value into a recorded turn."""
    path = session / "turns.jsonl"
    lines = path.read_text().splitlines()
    record = json.loads(lines[turn])
    part = record
    for key in where[:-1]:
        part = part[key]
    part[where[-1]] = value
    path.write_text("\n".join([*lines[:turn], json.dumps(record), *lines[turn + 1 :]]) + "\n")


def test_a_torn_session_is_shown_up_to_its_last_whole_turn(shelf: Shelf, home: Path) -> None:
    """As a killed program leaves it."""
    path = home / WON / "turns.jsonl"
    path.write_bytes(path.read_bytes()[:-300])
    shelf.open(home / WON)
    assert shelf.page.viewer.film is not None
    assert len(shelf.page.viewer.film) == 7


def test_leaving_the_page_pauses(shelf: Shelf, home: Path) -> None:
    """Nothing plays out of sight."""
    shelf.open(home / WON)
    viewer = shelf.page.viewer
    viewer.playback.set_speed(0.25)
    viewer.playback.toggle()
    shelf.page.hide()
    assert not viewer.playback.playing


def test_dark_colours_reach_every_part(shelf: Shelf, home: Path) -> None:
    """The theme may change while a session is shown."""
    shelf.open(home / LOST)
    viewer = shelf.page.viewer
    before = viewer.grab().toImage()
    shelf.page.set_theme(DARK)
    assert viewer.grab().toImage() != before


@pytest.mark.parametrize("size", [(464, 330), (700, 384), (960, 720)])
def test_nothing_is_cut_off(shelf: Shelf, home: Path, size: tuple[int, int]) -> None:
    """From a 1024x768 screen at 200 % on: every control is inside the page."""
    page = shelf.page
    shelf.open(home / LOST)
    page.viewer.back.click()
    page.resize(*size)
    assert page.minimumSizeHint().width() <= size[0]
    assert page.minimumSizeHint().height() <= size[1]
    parts = [page.listing.search, page.listing.refresh, *page.listing.buttons.values()]
    assert all(inside(part, page) for part in parts)
    shelf.open(home / LOST)
    viewer = page.viewer
    for _ in range(2):
        parts = [viewer.back, viewer.keep, viewer.export, viewer.side_button]
        parts += [viewer.view, *viewer.transport.buttons.values(), viewer.transport.speed]
        parts += [viewer.transport.where, viewer.slider, *viewer.layers.buttons.values()]
        assert all(inside(part, page) for part in parts)
        viewer.side_button.click()


def inside(part: QWidget, page: QWidget) -> bool:
    """Whether all of a control is on the page, or it is hidden."""
    place = QRect(part.mapTo(page, QPoint(0, 0)), part.size())
    return not part.isVisible() or page.rect().contains(place)


def test_every_control_has_a_name_and_a_tip(shelf: Shelf, home: Path) -> None:
    """For screen readers, and for those who wonder."""
    shelf.open(home / LOST)
    viewer, listing = shelf.page.viewer, shelf.page.listing
    controls = [viewer.back, viewer.keep, viewer.export, viewer.side_button, viewer.slider]
    controls += [*viewer.transport.buttons.values(), viewer.transport.speed, viewer.side.view]
    controls += [listing.search, listing.kind, listing.refresh, *listing.buttons.values()]
    for control in controls:
        assert control.accessibleName()
        assert control.toolTip()


def test_the_zip_is_a_session_again(shelf: Shelf, home: Path, tmp_path: Path) -> None:
    """Written by the menu, told, unpacked, opened."""
    shelf.open(home / WON)
    shelf.page.exporter.actions["zip"].trigger()
    shelf.wait(lambda: shelf.told)
    assert shelf.told == [f"Written: {tmp_path / f'{WON}.zip'}"]
    with zipfile.ZipFile(tmp_path / f"{WON}.zip") as archive:
        archive.extractall(tmp_path / "unpacked")
    shelf.open(tmp_path / "unpacked" / WON)


@pytest.mark.parametrize(
    ("action", "name"), [("folder", WON), ("json", f"{WON}.json"), ("rawvf", f"{WON}.rawvf")]
)
def test_every_export_is_written(
    shelf: Shelf, home: Path, tmp_path: Path, action: str, name: str
) -> None:
    """Where the user said; what is in them is tested beside what writes them."""
    shelf.open(home / WON)
    shelf.page.exporter.actions[action].trigger()
    shelf.wait(lambda: shelf.told)
    assert (tmp_path / name).exists()
    assert all(one.isEnabled() for one in shelf.page.exporter.actions.values())


@pytest.mark.parametrize("action", ["zip", "folder", "animation", "json", "rawvf"])
def test_an_export_that_is_given_up_writes_nothing(
    shelf: Shelf, home: Path, tmp_path: Path, action: str
) -> None:
    """The dialog was closed."""
    shelf.answers.into = None
    shelf.open(home / WON)
    shelf.page.exporter.actions[action].trigger()
    assert {path.name for path in tmp_path.iterdir()} == {"home"}


def test_rawvf_says_why_not(shelf: Shelf, home: Path, tmp_path: Path) -> None:
    """A game whose end hides mines is no file, but a sentence."""
    hidden = home / "hidden"
    shutil.copytree(SESSIONS / LOST, hidden)
    path = hidden / "turns.jsonl"
    path.write_text("\n".join(path.read_text().splitlines()[:-1]) + "\n")
    shelf.open(hidden)
    shelf.page.exporter.actions["rawvf"].trigger()
    shelf.wait(lambda: shelf.failed)
    assert "where all mines are" in shelf.failed[0].message
    assert not list(tmp_path.glob("*.rawvf"))


def test_a_big_board_gets_a_thumbnail_too() -> None:
    """More cells than the thumbnail has pixels."""
    picture = thumbnail(Board.covered(300, 200, 5), "dark")
    assert picture.width() <= LARGEST[0]
    assert picture.height() <= LARGEST[1]
