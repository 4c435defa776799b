"""A skin that is learned while its board is played: from looks at a board at rest alone."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.board import COVERED, FLAG, QUESTION, UNREAD, Board, Cell
from bot.frame import Frame, Grid, Region, Status
from bot.metrics import hints_of
from gui.looks import LOOKS
from tests.benchmarks.learning import Tally, learn
from tests.support.boards import reading_of
from tests.vision.learning.test_learning import look_game, tiles_of
from vision.desktop import Window
from vision.learning.learner import Learner
from vision.learning.learning_reader import STILL, LearningReader
from vision.learning.questions import (
    AnswerRefused,
    AnswersNeeded,
    Question,
    QuestionDelay,
    answered,
)
from vision.skins import BUNDLED, Dialog, Restart, bundled_names, load_skin

pytestmark = pytest.mark.long

HALF_DRAWN = Path(__file__).parents[1] / "data" / "kmines-half-drawn"
"""A first click in KMines 22.12: before it, 0.03 s and 0.06 s after it. In between the opened
cells are there without their hints."""
TEXTURED = {"kmines-graveyard", "kmines-green"}
"""Skins whose cells differ from each other: one picture of a state is not enough of them."""
OPENED = Board.parse(
    "000001###/0000011##/0011101##/111#101##/####323##/" + "/".join(["#########"] * 4), 10
)


def looks() -> list[np.ndarray]:
    """The three pictures of the board."""
    found = [cv2.imread(str(HALF_DRAWN / f"{number}.png")) for number in range(3)]
    return [np.asarray(image) for image in found if image is not None]


def reader(*, whole: bool = True) -> LearningReader:
    """Who has never seen KMines, in front of a screen."""
    grid = Grid(0, 0, 64, 64, 9, 9)
    one = LearningReader(grid, Learner("learned", (64, 64)), whole=lambda _grid: whole)
    one.mines = 10
    return one


def shown(one: LearningReader, image: np.ndarray, time: float) -> None:
    """One look."""
    one.see(Frame(image, Region(0, 0, image.shape[1], image.shape[0]), time))


def test_nothing_is_learned_from_a_board_in_motion() -> None:
    """Opened cells whose hints are not drawn yet are not taken for another look of covered ones."""
    fresh, half, done = looks()
    one = reader()
    shown(one, fresh, 0.0)
    assert (one.codes == UNREAD).all()
    shown(one, fresh, STILL)
    assert (one.codes == UNREAD).all(), "what covered it may have gone after this picture"
    shown(one, fresh, STILL + 0.01)
    assert (one.codes == COVERED).all()
    for time in (1.0, 1.004, 1.03):
        shown(one, half, time)
        assert not (one.codes[OPENED.tiles >= 0] == COVERED).any()
        assert one.questions == ()
    for time in (1.06, 2.0, 2.01):
        shown(one, done, time)
    assert np.array_equal(one.codes, OPENED.tiles)
    # Not even from a board that stays like that: covered cells do not lose their bevel.
    one = reader()
    for image, time in ((fresh, 0.0), (fresh, 1.0), (half, 2.0), (half, 3.0)):
        shown(one, image, time)
    assert not (one.codes[OPENED.tiles >= 0] == COVERED).any()


@pytest.mark.parametrize(
    ("name", "at"),
    [
        pytest.param(name, at, marks=[] if one % 3 == other else pytest.mark.slow)
        for one, name in enumerate(sorted(bundled_names() - TEXTURED))
        # It opens all, is a hint, or another one.
        for other, at in enumerate(((0, 0), (0, 5), (3, 0)))
    ],
)
def test_a_cell_that_is_held_down_is_not_learned_as_covered(name: str, at: Cell) -> None:
    """In most programs it looks as an empty cell until the button is released."""
    skin = load_skin(BUNDLED / name)
    pictures = {state: looks[0] for state, looks in skin.pictures.items()}
    one = LearningReader(
        Grid(0, 0, *skin.tile, 9, 9), Learner("learned", skin.tile), whole=lambda _grid: True
    )
    one.mines = 10
    fresh = np.full((9, 9), COVERED)
    held = fresh.copy()
    held[at] = 0
    for number, board in enumerate((fresh, held, OPENED.tiles)):
        image = np.vstack([np.hstack([pictures[state] for state in row]) for row in board.tolist()])
        for time in (2.0 * number, 2.0 * number + 1, 2.0 * number + 1.1):
            shown(one, image, time)
            assert ((one.codes == board) | (one.codes == UNREAD)).all(), one.codes
    assert np.array_equal(one.codes, OPENED.tiles)


@pytest.mark.parametrize("name", sorted(bundled_names() - TEXTURED))
def test_empty_cells_stay_empty_beside_one_that_is_held_down(name: str) -> None:
    """It lies beside covered cells, as no empty cell does, and looks like all of them."""
    skin = load_skin(BUNDLED / name)
    learner = Learner("learned", skin.tile)
    for at in ((8, 0), (5, 4)):
        held = OPENED.tiles.copy()
        held[at] = 0
        tiles = np.stack([skin.pictures[state][0] for state in held.ravel().tolist()])
        codes = learner.see(tiles, 9, 9, 10).codes
        assert ((codes == held) | (codes == UNREAD)).all(), codes


def test_nothing_is_learned_from_a_board_under_a_window() -> None:
    """However long it stays like that."""
    fresh, *_ = looks()
    one = reader(whole=False)
    for time in range(5):
        shown(one, fresh, float(time))
    assert one.learned == 0
    assert one.pending


def test_nothing_is_asked_about_a_board_under_a_window() -> None:
    """What lies over it is no tile; the question comes when it is gone, not after the game."""
    seconds = count()
    doubt = QuestionDelay(lambda: float(next(seconds)))
    question = Question(np.zeros((4, 4, 3), np.uint8), (), (FLAG,))
    playing = reading_of(Board.covered(3, 3, 1))
    for _ in range(30):
        doubt.weigh(replace(playing, status=Status.BLOCKED), (question,))
    doubt.weigh(playing, (question,))
    for _ in range(5):
        next(seconds)
    with pytest.raises(AnswersNeeded):
        doubt.weigh(playing, (question,))
    doubt.weigh(replace(playing, status=Status.WON), (question,))


def flagged(seed: int) -> tuple[np.ndarray, Board]:
    """A board with flags that carry an unknown mark."""
    tiles, board = next(
        (tiles, board)
        for tiles, board in look_game("classic", 24, seed)
        if (board.tiles == FLAG).sum() > 1 and board.tiles.min() >= FLAG
    )
    at = np.flatnonzero(board.tiles.ravel() == FLAG)
    tiles[at, 6:18, 6:18] = np.random.default_rng(0).integers(0, 256, (12, 12, 3))
    return tiles, board


def asked() -> tuple[Learner, Question, np.ndarray, Board]:
    """Such a board, and the question about it."""
    learner = learn(look_game("classic", 24, 1), Tally())
    tiles, board = flagged(9)
    result = learner.see(tiles, *board.tiles.shape)
    count = int((board.tiles == FLAG).sum())
    (question,) = (one for one in result.questions if len(one.cells) == count)
    return learner, question, tiles, board


def test_an_answer_is_refused_believed_and_taken_back() -> None:
    """An empty cell among ones cannot be: it says so once, and the next answer is believed.

    Taken back, the kind is unknown and asked about again; what was known before stays.
    """
    learner, question, tiles, board = asked()
    flags = board.tiles == FLAG
    assert np.array_equal(question.picture, tiles[np.flatnonzero(flags)[0]])
    assert len(question.likely) > 1
    with pytest.raises(ValueError, match="no state"):
        learner.answer(question, 9)
    with pytest.raises(AnswerRefused, match="cannot be"):
        learner.answer(question, 0)
    before = learner.see(tiles, *flags.shape).codes
    assert (before[flags] == UNREAD).all()
    refused: list[tuple[int, ...]] = []

    def ask(again: Question) -> int:
        refused.append(again.refused)
        return QUESTION if again.refused else 0

    assert answered(question, ask, learner.answer)
    assert refused == [(), (0,)]
    assert (learner.see(tiles, *flags.shape).codes[flags] == QUESTION).all()
    assert QUESTION in learner.skin().pictures
    assert learner.take_back()
    result = learner.see(tiles, *flags.shape)
    assert np.array_equal(result.codes, before)
    assert [one.cells for one in result.questions] == [question.cells]
    assert not learner.take_back()


def test_an_answer_that_the_game_contradicts_is_given_up() -> None:
    """Who insisted on what cannot be is not believed for ever: three looks, and it is unknown."""
    learner, question, *_ = asked()
    learner.answer(replace(question, refused=(0,)), 0)
    for seed, believed in ((9, True), (10, True), (11, True), (9, False)):
        tiles, board = flagged(seed)
        codes = learner.see(tiles, *board.tiles.shape).codes
        assert set((codes[board.tiles == FLAG] == 0).tolist()) == {believed}


def test_a_message_over_the_board_is_not_learned_from() -> None:
    """Nor asked about: opened cells never change, so that it is none of the board's tiles."""
    learner = learn(look_game("classic", 24, 1), Tally())
    looks = [look for look in look_game("classic", 24, 9) if look[1].tiles.min() == COVERED]
    tiles, board = looks[8]
    learner.see(tiles, *board.tiles.shape)
    under = np.flatnonzero(board.tiles.ravel() >= 0)[:5]
    later, after = (one.copy() for one in (looks[9][0], looks[9][1].tiles))
    clear = later.copy()
    later[under, 4:20] = np.random.default_rng(1).integers(0, 256, (5, 16, 24, 3))
    result = learner.see(later, *after.shape)
    assert result.questions == ()
    assert (result.codes.ravel()[under] == UNREAD).all()
    result = learner.see(clear, *after.shape)
    assert np.array_equal(result.codes, after)


@pytest.mark.parametrize("look", LOOKS)
def test_a_game_first_met_at_its_end_is_known_when_it_starts_again(look: str) -> None:
    """Its covered cells were never seen: all are alike, and lie over nothing."""
    mines = np.zeros((9, 9), bool)
    mines[[0, 1, 1, 3, 7, 8], [8, 6, 8, 8, 3, 0]] = True
    won = Board(np.where(mines, np.int8(FLAG), hints_of(mines)), 6)
    learner = Learner("learned", (24, 24))
    result = learner.see(tiles_of(won, look), 9, 9, 6)
    for question in result.questions:
        learner.answer(question, FLAG)
    fresh = Board.covered(9, 9, 6)
    result = learner.see(tiles_of(fresh, look), 9, 9, 6)
    assert (result.codes == COVERED).all()
    assert result.questions == ()


def test_conventions_are_kept_with_the_skin() -> None:
    """How a game begins and how long a click is held: also after the window was moved.

    A key that is allowed goes with the skin and its program's class; one of another program is
    forgotten.
    """
    fresh, *_ = looks()
    one = reader()
    for time in (0.0, STILL):
        shown(one, fresh, time)
    one.restart = Restart(key="ctrl+r")
    one.note("hold", 0.03, 2)
    for skin in (one.skin, one.moved(5, 5).skin):
        assert (skin.restart.key, skin.hold, skin.confirmed) == ("ctrl+r", 0.03, {"hold": 2})
    place = Region(0, 0, 99, 99)
    one.allow(Window(1, "One", "First", place, None, False), None, Dialog(title="Won", key="esc"))
    # What was there before was never allowed.
    assert one.skin.restart.key is None
    one.allow(Window(1, "One", "First", place, None, False), Restart(key="f2"), None)
    for skin in (one.skin, one.moved(5, 5).skin):
        assert (skin.restart.key, skin.window_class, skin.keys_allowed) == ("f2", "First", True)
        assert [dialog.title for dialog in skin.dialog] == ["Won"]
    one.allow(Window(1, "Page", "First", place, None, False), None, None)
    assert (one.skin.restart.key, one.skin.dialog) == (None, ())
    one.allow(Window(1, "One", "First", place, None, False), Restart(key="f2"), None)
    one.allow(Window(2, "Two", "Second", place, None, False), None, None)
    assert (one.skin.restart.key, one.skin.dialog) == (None, ())
    assert one.skin.window_class == "Second"
