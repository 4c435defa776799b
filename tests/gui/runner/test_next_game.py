"""What happens between two games of an unknown program, where something comes in between."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.board import Board, Cell
from bot.frame import Frame, Grid, Point, Reading, Region, Status
from bot.loop import Turn
from bot.mouse import AdaptiveTiming
from bot.planner import Action, Move
from gui.questions import ClickAt, LeftOpen, ProgramQuestion
from gui.runner import closing, next_game, timeouts
from gui.runner.closing import DialogCloser, DialogStays
from gui.runner.next_game import BetweenGames
from gui.runner.stored_answers import IN_PAGE, face_of, place_in
from gui.settings import AfterDialog, Settings
from tests.support.boards import grid_of, reading_of
from tests.support.operators import Scripted
from vision.desktop import Desktop, ProgramDialog, Window
from vision.desktop.user_mouse import Interrupted
from vision.focus import NotInFront, StrangeDialog
from vision.learning.button import Button, face_at
from vision.learning.questions import QuestionDelay
from vision.reader import MenuEntry
from vision.skins import BUNDLED, LEARNED, Face, Restart, load_skin
from vision.tracking.pagedialog import PageDialog

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("home")]

LOST = Board.parse("1*1###/112###/01####/02####/01####", mines=4)
OVER = Turn(3, reading_of(LOST, Status.LOST), None, (Move(Action.RESTART),))
FRESH = reading_of(Board.covered(5, 6, 4))
BUTTON = Button(Face(anchor="top", x=0, y=-1.5, width=1.2, height=1.2), likely=True)


DIALOG = Window(9, "Game over", "", Region(0, 0, 80, 60), 12, False)
STALE = Face(anchor="top", x=3, y=-1.5, width=1.2, height=1.2)


@pytest.fixture(autouse=True)
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for nothing: what a program here does, it has done when it is looked at."""
    for name in ("GAME_STARTS", "DIALOG_OPENS", "DIALOG_CLOSES"):
        monkeypatch.setattr(timeouts, name, 0.0)


def nothing(*_: object, **_more: object) -> None:
    """Do nothing, and find nothing."""


class Program:
    """A game that is over, with one button above its board.

    Args:
        restart: What its skin says.
        starts: Says of a click, by its place and its number from 1, whether it starts a game.
        dialogs: How many dialogs a click that starts none opens, one after the other.
        learned: Whether its skin was learned; else a bundled one resembles it.
    """

    in_page = False
    questions = ()
    window: Window | None = None
    level_button = has_menu = new_box = offers_game = nothing
    focus = note_face = confirm_found = nothing
    menus = list

    def __init__(
        self,
        restart: Restart | None = None,
        starts: Callable[[Region | None, int], bool] = lambda _place, _number: True,
        *,
        dialogs: int = 0,
        learned: bool = True,
    ) -> None:
        self.clicks: list[Region | None] = []
        self.grid = grid_of(5, 6)
        self.closed = False
        self.page_dialog: Region | None = None
        self.messages = 1
        """Number of clicks that the box of the page takes: one message after the other."""
        self.menu: Region | None = None
        self.key: str | None = None
        self.pressed = 0
        changed = {"program": LEARNED if learned else "WineMine", "restart": restart or Restart()}
        self.skin = load_skin(BUNDLED / "winemine").model_copy(update=changed)
        self.asked: list[ProgramQuestion] = []
        self.answer: ClickAt | None = None
        self._starts = starts
        self.shown = OVER.reading
        self._dialogs, self._to_open, self._dialog_open = dialogs, 0, False
        self.unlisted: ProgramDialog | None = None
        self.strange: Window | None = None
        """A window that it has opened, and that no key is known to close."""
        self.paused = False
        """Whether the user has paused the run, and resumes it once nothing more is done."""
        self.text: Status | None = None
        """The end that is written over the board."""
        access: Any = SimpleNamespace(
            reader=self,
            mouse=self,
            dialogs=SimpleNamespace(
                note_lost_input=nothing,
                open_dialog=self.open_dialog,
                unlisted_dialog=lambda: self.unlisted,
                opened=list,
                refuse_strange=self.refuse_strange,
                key_of=nothing,
            ),
            conventions=SimpleNamespace(timing=AdaptiveTiming()),
            user=SimpleNamespace(acting=nullcontext),
            operator=Scripted(lambda question, _around: self.ask(question)),
            choices=lambda: Settings(after_dialog=AfterDialog.CLOSE),
            hold=self.hold,
            look=self.look,
            may_be_over=nothing,
            raise_window=nothing,
            question_delay=QuestionDelay(),
            clicks_in=nullcontext,
        )
        self.closer = DialogCloser(access)
        self.between = BetweenGames(access, self.closer)

    def next_game(self) -> None:
        """Play a game to its end, and start the next one."""
        self.shown = OVER.reading
        self.between.start(OVER)

    def hold(self) -> None:
        """Wait until the user resumes."""
        if self.paused:
            self.paused = False
            raise Interrupted

    def menu_entry(
        self, title: Region, _before: Frame, *, below: bool = True, **_more: bool
    ) -> MenuEntry | None:
        """Return the entry of a menu that the last click has opened."""
        opened = below and self.menu is not None and title == self.clicks[-1]
        return MenuEntry(self.menu, None) if opened else None

    def named_key(self) -> str | None:
        """Return the key that a text in its window names."""
        return self.key

    def press(self, key: str) -> None:
        """Press a key."""
        assert key == self.key
        self.pressed += 1
        self.shown = FRESH

    def buttons(self) -> list[Button]:
        """There is one."""
        return [BUTTON]

    def note_restart(self, restart: Restart, _times: int = 0) -> None:
        """Keep it."""
        if self.skin.learned:
            self.skin = self.skin.model_copy(update={"restart": restart})

    def act(self, turn: Turn) -> None:
        """Click."""
        self.clicks.append(turn.reading.grid.face)
        if self._starts(self.clicks[-1], len(self.clicks)):
            self.shown = FRESH
        else:
            self._to_open = self._dialogs

    def look(self) -> Reading:
        """Look; meanwhile the next dialog opens."""
        self._dialog_open = self._to_open > 0
        self._to_open -= self._dialog_open
        return self.shown

    def end_over_board(self) -> Status | None:
        """Return the end that is written over the board."""
        return self.text

    def open_dialog(self) -> Window | None:
        """Say that one is open, once: it is closed at once."""
        was, self._dialog_open = self._dialog_open, False
        return DIALOG if was else self.strange

    def refuse_strange(self) -> None:
        """Raise an error if one is open that no key closes."""
        if self.strange is not None:
            raise StrangeDialog(self.strange.title)

    def click(self, point: Point, _grid: Grid) -> None:
        """Click in the box of the page, which closes it, or on the entry of a menu."""
        if self.menu is not None and self.menu.contains(point):
            self.shown = FRESH
            return
        assert self.page_dialog.contains(point)
        self.messages -= 1
        if self.messages <= 0:
            self.page_dialog = None

    def buttons_of(self, dialog: Region) -> list[Region]:
        """Return its only one."""
        return [Region(dialog.left + 20, dialog.top + 30, 40, 12)]

    def end_button(self, dialog: Region, *, message: bool) -> Region | None:
        """Return that one: it says 'Play again'."""
        assert not message
        return self.buttons_of(dialog)[0]

    def has_vanished(self) -> bool:
        """Say whether its window was closed."""
        return self.closed

    def picture(self, _place: Region | None = None) -> Frame:
        """Look at the window."""
        return OVER.reading.frame

    page = picture

    def ask(self, question: ProgramQuestion) -> ClickAt | None:
        """Leave it open, or answer."""
        self.asked.append(question)
        return self.answer


@pytest.mark.parametrize("boxes", [0, 1])
def test_a_click_on_the_board_is_an_answer(boxes: int) -> None:
    """It is kept at once, as the place of a cell, and made again after the next game.

    If a box interrupts it, the game that it has started is seen once the box is closed.
    """
    grid, shown = grid_of(5, 6), OVER.reading.frame.region
    cell = grid.cell_at(Point(grid.left + 20, shown.top + 75))
    assert cell is not None
    middle = grid.center(cell)
    to_open = [Region(10, 10, 80, 60)] * boxes

    def starts(place: Region | None, _number: int) -> bool:
        started = place is not None and place.contains(middle)
        if started and to_open:
            program.page_dialog = to_open.pop()
        return started

    program = Program(starts=starts)
    program.answer = ClickAt(grid.left + 20 - shown.left, 75)
    program.next_game()
    program.next_game()
    (question,) = program.asked
    assert question.buttons == (), "the button that was clicked in vain is not offered again"
    assert program.skin.restart.face.region(grid).contains(middle)
    answered = [place for place in program.clicks if place and place.contains(middle)]
    assert answered == program.clicks[-2:]


def test_nothing_is_clicked_while_the_user_has_paused() -> None:
    """Neither before the first way is tried, nor between two of them."""

    def pauses(_place: Region | None, number: int) -> bool:
        program.paused = number == 1
        return number > 1

    program = Program(starts=pauses)
    program.paused = True
    for clicks in (0, 1):
        with pytest.raises(Interrupted):
            program.next_game()
        assert len(program.clicks) == clicks
    program.next_game()
    assert len(program.clicks) == 2


def test_a_button_may_open_a_menu() -> None:
    """Its entry that starts a game is chosen, and both are remembered."""
    program = Program(starts=lambda _place, _number: False)
    program.menu = Region(10, 60, 50, 12)
    for number in (1, 2):
        program.next_game()
        assert len(program.clicks) == number, "the menu is not opened in vain"
    assert program.asked == []
    assert program.skin.restart == Restart(face=BUTTON.face, menu=True)


def test_a_new_game_may_hide_a_few_cells() -> None:
    """Until its first click; the end of a game that began with a mine is no new game."""
    hint = reading_of(Board.parse("######/######/##~###/######/######", mines=4))
    for end, begun in ((OVER, True), (replace(OVER, reading=hint), False)):
        program = Program(starts=lambda _place, _number: False)
        program.act = lambda _turn, program=program: setattr(program, "shown", hint)
        with nullcontext() if begun else pytest.raises(LeftOpen):
            program.between.start(end)
        assert bool(program.asked) is not begun


def test_a_key_that_the_window_names_is_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not stored, so that it is pressed only where it is read."""
    program = Program()
    program.key, program.window = "r", DIALOG
    monkeypatch.setattr(next_game, "desktop", lambda: SimpleNamespace(is_same=lambda _window: True))
    for number in (1, 2, 3):
        program.next_game()
        assert program.pressed == number
    assert program.clicks == program.asked == []
    assert program.skin.restart == Restart()


def test_box_that_met_the_last_click_is_left_by_its_button() -> None:
    """While the game may go on, only a message is closed; once it is over, the next one starts."""

    def starts(_place: Region | None, number: int) -> bool:
        if number == 1:
            program.page_dialog = Region(10, 10, 80, 60)
            assert program.closer.meets_box()
        return number > 1

    program = Program(starts=starts)
    program.next_game()
    assert program.asked == []


def test_a_hint_of_the_finished_board_is_clicked_where_no_button_helps() -> None:
    """A click does nothing to a hint. The user is not asked; a later run clicks one at once."""
    button = BUTTON.face.region(grid_of(5, 6))
    other = Board.parse("######/####11/####1*/####11/##2!##", mines=4)
    first = Program(starts=lambda place, _number: place != button)

    def clicked_in_vain(program: Program) -> list[Region | None]:
        in_vain = []
        for end in (OVER.reading, reading_of(other, Status.LOST)):
            program.clicks.clear()
            program.shown = end
            program.between.start(Turn(3, end, None, OVER.moves))
            *before, place = program.clicks
            in_vain += before
            assert place is not None
            cell = program.grid.cell_at(place.center)
            assert cell is not None
            assert end.board[cell] >= 0
        return in_vain

    assert clicked_in_vain(first) == [button]
    later = Program(first.skin.restart)
    assert clicked_in_vain(later) == []
    assert first.asked == later.asked == []


def test_a_board_that_is_played_again_is_not_clicked() -> None:
    """A button may undo moves: a cell that was a hint is covered, and a click would open it."""
    button = BUTTON.face.region(grid_of(5, 6))

    taken_back = Board.parse("1#####/11####/01####/02####/01####", mines=4)

    def starts(_place: Region | None, _number: int) -> bool:
        program.shown = reading_of(taken_back)
        return False

    program = Program(starts=starts)
    with pytest.raises(LeftOpen):
        program.next_game()
    assert program.clicks[0] == button
    cells = [program.grid.cell_at(place.center) for place in program.clicks[1:] if place]
    assert all(cell is not None and taken_back[cell] >= 0 for cell in cells)


def test_a_box_in_a_page_is_clicked_at_the_same_place_until_it_is_gone() -> None:
    """The place is kept after two successes, as one may have been a mistake.

    A page may open one message for each cell of a flood, at the same place.
    """
    program, kept = Program(), []
    for program.messages in (1, 6):
        program.page_dialog = Region(40, 30, 80, 50)
        assert program.closer.close_page_dialog()
        assert program.page_dialog is None
        kept.append(place_in(None, program.skin, IN_PAGE) is not None)
    assert kept == [False, True]
    assert program.asked == []


def test_a_window_of_the_program_comes_before_a_box() -> None:
    """A board that is dimmed below a dialog is seen as a box in the page."""
    program = Program()
    program.shown = replace(OVER.reading, status=Status.BLOCKED)
    program.page_dialog = Region(40, 30, 80, 50)
    with pytest.raises(PageDialog):
        program.closer.read()
    assert program.closer.meets_box()
    program.strange = DIALOG
    assert not program.closer.meets_box()
    with pytest.raises(StrangeDialog):
        program.closer.read()
    with pytest.raises(StrangeDialog):
        program.closer.close_page_dialog()
    assert program.asked == []


def test_what_may_be_another_window_is_not_clicked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where windows are not listed, a box with a button over a game that goes on may be one."""
    monkeypatch.setattr(closing, "desktop", Desktop)
    program = Program()
    for _ in range(2):
        program.shown, program.page_dialog = FRESH, Region(40, 30, 80, 50)
        with pytest.raises(NotInFront, match="another window"):
            program.closer.close_page_dialog()
        # Where the one of the game was closed, another program's may lie next time.
        assert program.closer.close_page_dialog(over=True)
    program.page_dialog, program.text = Region(40, 30, 80, 50), Status.WON
    assert program.closer.close_page_dialog()


@pytest.mark.parametrize("offers", [True, False])
def test_a_level_is_chosen_only_behind_a_box_that_offers_a_game(
    monkeypatch: pytest.MonkeyPatch, offers: bool
) -> None:
    """A menu of levels may be in the page all the time: another box is just closed."""
    monkeypatch.setattr(closing, "desktop", lambda: SimpleNamespace(lists_windows=True))
    program = Program()
    program.menu = Region(10, 60, 50, 12)
    program.shown = reading_of(Board.parse("/".join(["~" * 6] * 5), mines=4))
    program.page_dialog = Region(40, 30, 80, 50)
    monkeypatch.setattr(program, "level_button", lambda: program.menu)
    monkeypatch.setattr(program, "offers_game", lambda _box: offers)
    assert program.closer.close_page_dialog()
    assert program.page_dialog is None
    assert (program.shown is FRESH) is offers


@pytest.mark.parametrize("works", [True, False])
def test_a_dialog_in_no_list_is_closed_by_its_button(
    monkeypatch: pytest.MonkeyPatch, works: bool
) -> None:
    """A button without effect is not pressed for ever: the user is waited for."""
    monkeypatch.setattr(timeouts, "UNATTENDED", 0.0)
    program = Program()
    monkeypatch.setattr(program.closer._operator, "can_answer", False)
    pressed = []

    def press() -> None:
        pressed.append(1)
        if works:
            program.unlisted = None

    program.unlisted = ProgramDialog("Best Times", press)
    if works:
        assert program.closer.close_dialogs()
    else:
        with pytest.raises(DialogStays, match="'Best Times'"):
            program.closer.close_dialogs()
    assert len(pressed) == (1 if works else 3)


def test_a_button_that_also_brings_a_dialog_is_not_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every new game is covered by the best times of the last one, until they are closed."""
    monkeypatch.setattr(timeouts, "GAME_STARTS", 1.0)
    program = Program()
    click = program.act

    def close() -> None:
        program.unlisted, program.shown = None, FRESH

    def act(turn: Turn) -> None:
        click(turn)
        program.shown = reading_of(FRESH.board, Status.BLOCKED)
        program.unlisted = ProgramDialog("Best Times", close)

    program.act = act  # type: ignore[method-assign]
    for _ in range(4):
        program.between.note_move(OVER)
        program.next_game()
    assert program.clicks == [BUTTON.face.region(program.grid)] * 4
    assert program.asked == []


@pytest.mark.slow
def test_an_answer_is_kept_where_a_bundled_skin_resembles_the_program() -> None:
    """For later runs, until it starts no game any more."""
    grid = grid_of(5, 6)
    corner = grid.center(Cell(4, 5))

    def run(*, works: bool) -> Program:
        program = Program(
            starts=lambda place, _number: works and place is not None and place.contains(corner),
            learned=False,
        )
        program.buttons = list  # type: ignore[method-assign]  # there is none
        shown = OVER.reading.frame.region
        program.answer = ClickAt(corner.x - shown.left, corner.y - shown.top) if works else None
        return program

    first = run(works=True)
    first.next_game()
    assert len(first.asked) == 1
    second = run(works=True)
    second.next_game()
    assert face_of(None, second.skin) is not None
    assert second.asked == []
    assert len(second.clicks) == 1
    third = run(works=False)
    with pytest.raises(LeftOpen):
        third.next_game()
    assert face_of(None, third.skin) is None


@pytest.mark.parametrize(("row", "kept"), [(-2, True), (2, False)])
def test_a_button_beside_the_board_is_not_kept(row: int, kept: bool) -> None:
    """In a window of another size it is as many points from the board, not as many cells.

    At an Expert board the place of a Beginner's button was clicked, which was the clock there.
    """
    program = Program(learned=False)
    grid = program.grid
    place = Region(grid.region.right + 20, round(grid.top + row * grid.pitch_y), 60, 16)
    program.buttons = lambda: [Button(face_at(place, grid), likely=True)]  # type: ignore[method-assign]
    for _ in range(3):
        program.next_game()
    assert len(program.clicks) == 3
    assert (face_of(None, program.skin) is not None) is kept


def test_a_click_that_may_have_missed_the_button_is_made_again() -> None:
    """The first one is interrupted; at the second one only the picture tells that the window moved.

    Such a button was not tried: nothing is asked.
    """

    def starts(_place: Region | None, number: int) -> bool:
        if number == 1:
            raise Interrupted
        program.grid = program.grid.moved(300, 0)
        return number == 3

    program = Program(starts=starts)
    with pytest.raises(Interrupted):
        program.next_game()
    program.next_game()
    assert len(program.clicks) == 3
    assert program.asked == []


def test_a_button_of_a_game_that_was_closed_is_not_forgotten() -> None:
    """On a screen where only the picture tells that: nothing is asked about the next game."""

    def starts(_place: Region | None, number: int) -> bool:
        program.closed = number == 1
        return not program.closed

    program = Program(Restart(face=STALE), starts)
    with pytest.raises(NotInFront):
        program.next_game()
    program.closed = False
    program.next_game()
    assert program.clicks == [STALE.region(grid_of(5, 6))] * 2
    assert program.asked == []


def test_a_learned_button_that_starts_no_game_is_forgotten() -> None:
    """The next one is tried, and kept once it worked twice."""
    stale = STALE.region(grid_of(5, 6))
    program = Program(Restart(face=STALE), lambda place, _number: place != stale)
    program.next_game()
    assert program.skin.restart == Restart()
    program.next_game()
    assert program.skin.restart == Restart(face=BUTTON.face)
    assert program.clicks.count(stale) == 2
    assert program.asked == []


@pytest.mark.parametrize("dialogs", [0, 1, 2])
def test_a_button_that_no_longer_starts_a_game_is_forgotten(*, dialogs: int) -> None:
    """Kept after two games, it is clicked twice in vain, not again and again: the user is asked.

    The dialogs that it opens, as 'You won' and 'Enter your name', are closed first.
    """
    program = Program(starts=lambda _place, number: number <= 2, dialogs=dialogs)
    program.next_game()
    program.next_game()
    assert program.skin.restart == Restart(face=BUTTON.face)
    with pytest.raises(LeftOpen):
        program.next_game()
    assert program.skin.restart == Restart()
    assert len(program.asked) == 1
    on_board = [place for place in program.clicks if place and place.top > program.grid.top]
    assert len(program.clicks) - len(on_board) == 4
    assert len(on_board) == (2 if dialogs else 1)


def test_a_button_that_was_missed_once_is_kept() -> None:
    """As when the user moves the mouse between the press and the release."""
    program = Program(starts=lambda _place, number: number != 3)
    for _ in range(3):
        program.next_game()
    assert len(program.clicks) == 4
    assert program.skin.restart == Restart(face=BUTTON.face)
    assert program.asked == []
