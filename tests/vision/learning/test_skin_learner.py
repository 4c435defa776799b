"""Learning a skin from pictures, every kind confirmed or corrected, and keeping it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bot.board import COVERED, FLAG, QUESTION, UNREAD, Board
from bot.frame import Frame
from tests.gui.strangers import middle_game, strange_screen
from tests.support.sampling import sampled
from tests.vision.scenes import recorded
from vision.finder import BoardNotFound, survey
from vision.learning.questions import AnswerRefused, TileCluster
from vision.learning.skin_learner import SkinLearner, learn_skin
from vision.matcher import Matcher
from vision.skins import SkinError, SkinLibrary, load_skin, save_skin, user_folder
from vision.skins.own_skins import SkinTaken

SEED = 4
"""Of a skin that is known but for what its flags carry."""


pytestmark = [
    pytest.mark.long,
    pytest.mark.usefixtures("home"),
]


def picture(board: Board) -> Frame:
    """A screenshot whose flags carry an unknown mark."""
    return Frame.of_image(strange_screen(SEED, board, scribbled=True))


def begun() -> tuple[SkinLearner, Board]:
    """A skin learner that has seen one picture."""
    board = middle_game(SEED).board
    skin_learner = SkinLearner(SkinLibrary().skins())
    skin_learner.show(picture(board))
    return skin_learner, board


def kind_of(skin_learner: SkinLearner, board: Board, code: int) -> TileCluster:
    """The kind of the first cell with a tile."""
    cell = next(board.cells(code))
    return next(kind for kind in skin_learner.kinds if cell in kind.cells)


def test_all_clusters_have_a_guess() -> None:
    """Every cell is of one kind, what is open comes first, and the guesses are right."""
    skin_learner, board = begun()
    assert skin_learner.frame is not None
    kinds = skin_learner.kinds
    cells = [cell for kind in kinds for cell in kind.cells]
    assert sorted(cells) == sorted(board.cells())
    assert kinds[0].state == UNREAD
    assert kinds[0].likely[0] == FLAG
    assert set(kinds[0].cells) == set(board.cells(FLAG))
    for kind in kinds[1:]:
        assert {board[cell] for cell in kind.cells} == {kind.state}
        assert kind.confidence > 0.9
        assert not kind.confirmed
    assert skin_learner.missing == ()


def test_a_corrected_kind_is_used() -> None:
    """In the skin that is kept, as it is read from the disk; the wrong guess is not.

    An impossible state is refused, but the one who insists is believed. A kind that is left out is
    no tile of the game: the skin has no picture of it, and it is not asked about again.
    """
    skin_learner, board = begun()
    before = {kind.number: kind.state for kind in skin_learner.kinds}
    with pytest.raises(AnswerRefused):
        skin_learner.correct(kind_of(skin_learner, board, COVERED).number, 0)
    assert {kind.number: kind.state for kind in skin_learner.kinds} == before
    skin_learner.correct(kind_of(skin_learner, board, COVERED).number, 0, insist=True)
    assert kind_of(skin_learner, board, COVERED).state == 0
    skin_learner.correct(kind_of(skin_learner, board, COVERED).number, COVERED)
    assert {kind.number: kind.state for kind in skin_learner.kinds} == before
    covered = kind_of(skin_learner, board, COVERED)
    flag = kind_of(skin_learner, board, FLAG)
    skin_learner.correct(flag.number, FLAG)
    assert kind_of(skin_learner, board, FLAG).state == FLAG
    taught = skin_learner.keep("strange")
    skin = load_skin(taught.folder)
    codes = Matcher(skin).match(np.stack([flag.picture, covered.picture])).codes
    assert codes.tolist() == [FLAG, COVERED]
    # And once more: the answer was wrong.
    skin_learner.correct(kind_of(skin_learner, board, FLAG).number, QUESTION)
    skin = load_skin(skin_learner.keep("strange", replace=True).folder)
    codes = Matcher(skin).match(np.stack([flag.picture])).codes
    assert codes.tolist() == [QUESTION]
    assert FLAG not in skin.pictures
    skin_learner.correct(kind_of(skin_learner, board, FLAG).number, UNREAD)
    assert skin_learner.questions == ()
    left_out = kind_of(skin_learner, board, FLAG)
    assert (left_out.state, left_out.confirmed) == (UNREAD, True)
    skin = skin_learner.keep("strange", replace=True).skin
    assert all(
        not np.array_equal(look, flag.picture) for looks in skin.pictures.values() for look in looks
    )


def test_incomplete_skin_is_not_kept() -> None:
    """A fresh board has no hints: what is missing is named, and nothing is written."""
    skin_learner, _ = begun()
    plain = [kind.number for kind in skin_learner.kinds if kind.state in (0, 1)]
    for number in plain:
        skin_learner.correct(number, UNREAD)
    assert set(skin_learner.missing) >= {"0", "1"}
    with pytest.raises(SkinError, match="too little was learned"):
        skin_learner.keep("strange")
    assert not user_folder().exists()


def test_no_skin_is_replaced_unasked() -> None:
    """Another skin of that name stays; the same one is learned further under its own name.

    `learn_skin` asks about the name before the tiles: who says no is asked nothing else.
    """
    skins = SkinLibrary().skins()
    winemine = next(skin for skin in skins if skin.name == "winemine")
    save_skin(winemine.model_copy(update={"name": "mine"}), user_folder() / "mine")
    skin_learner, board = begun()
    assert skin_learner.takes("mine")
    with pytest.raises(SkinTaken, match="'mine' already"):
        skin_learner.keep("mine")
    with pytest.raises(SkinError, match="a bundled skin"):
        skin_learner.keep("winemine")
    asked: list[object] = []

    def ask(question: object) -> int:
        asked.append(question)
        return FLAG

    frame = picture(board)
    with pytest.raises(SkinTaken):
        learn_skin([frame], skins, "mine", None, ask)
    assert asked == []
    assert load_skin(user_folder() / "mine").title == winemine.title
    taught = learn_skin([frame], skins, "mine", None, ask, may_replace="mine".__eq__)
    assert len(asked) == 1
    assert taught.skin.learned
    skin_learner.keep("mine", replace=True)
    assert load_skin(user_folder() / "mine").learned
    further = SkinLearner(SkinLibrary().skins())
    further.show(picture(middle_game(SEED, opened=60).board))
    assert further.name == "mine"
    assert not further.takes("mine")
    assert further.keep().skin.name == "mine"


def test_nothing_to_learn_from() -> None:
    """No picture, no board in it, one of a bundled skin, or a fresh one: nothing is written."""
    blank, winemine, fresh = (
        Frame.of_image(np.full((200, 300, 3), 90, np.uint8)),
        *(
            recorded(name).frame
            for name in ("winemine-intermediate-lost", "sgt-mines-intermediate-won")
        ),
    )
    skins = SkinLibrary().skins()
    with pytest.raises(BoardNotFound, match="no picture to learn from"):
        _ = SkinLearner(()).kinds
    with pytest.raises(BoardNotFound, match="picture 1 shows no board to learn from"):
        SkinLearner(()).show(blank)
    with pytest.raises(BoardNotFound, match=r"known skin \(winemine\)"):
        learn_skin([winemine], skins, None, None, lambda _question: None)
    with pytest.raises(SkinError, match="covered and empty cells, 1s and 2s"):
        learn_skin([fresh], (), None, None, lambda _question: None)
    assert not user_folder().exists()


def ended() -> Board:
    """The same game at its end: nothing is covered, every mine is flagged."""
    game = middle_game(SEED)
    assert game.layout is not None
    for cell in game.board.cells(COVERED):
        if game.layout[cell]:
            game.flag(cell)
        elif game.board[cell] == COVERED:
            game.open(cell)
    assert COVERED not in game.board.tiles
    return game.board


def test_two_pictures_make_one_skin() -> None:
    """Kinds of the first one stay known, whatever is said about the second, which lacks them.

    Confirming all keeps every guess; what was not guessed stays open.
    """
    skin_learner, board = begun()
    assert kind_of(skin_learner, board, COVERED).state == COVERED
    skin_learner.show(picture(ended()))
    hint = kind_of(skin_learner, ended(), 1)
    skin_learner.correct(hint.number, 1)
    assert {kind.state for kind in skin_learner.kinds} >= {COVERED, 0, 1, 2, 3}
    assert skin_learner.missing == ()
    guessed = {kind.number: kind.state for kind in skin_learner.kinds if kind.state != UNREAD}
    open_kinds = {kind.number for kind in skin_learner.kinds} - guessed.keys()
    skin_learner.confirm()
    after = {kind.number: kind for kind in skin_learner.kinds}
    assert {number: after[number].state for number in guessed} == guessed
    assert all(after[number].confirmed for number in guessed)
    assert not any(after[number].confirmed for number in open_kinds)
    assert skin_learner.missing == ()


@pytest.mark.parametrize("factor", sampled([1.3, 1.25, 1.4]))
def test_a_scaled_picture_has_as_many_kinds_as_tiles(factor: float) -> None:
    """Cells that begin between two pixels look alike all the same; each kind is one tile."""
    reading = recorded("xdemineur-intermediate-lost", "last")
    scaled = cv2.resize(reading.frame.image, None, fx=factor, fy=factor)
    around = cv2.copyMakeBorder(scaled, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(90, 90, 90))
    skins = [skin for skin in SkinLibrary().skins() if skin.name != "xdemineur"]
    skin_learner = SkinLearner(skins)
    skin_learner.show(Frame.of_image(np.asarray(around, np.uint8)))
    tiles = reading.board.tiles
    for kind in skin_learner.kinds:
        assert len({tiles[cell] for cell in kind.cells}) == 1
    assert len(skin_learner.kinds) < 2 * len(np.unique(tiles))


def test_a_covered_board_may_resemble_another_program() -> None:
    """The first board waits until the next one is learned."""
    skin_learner, board = begun()
    grid = skin_learner.reader.grid
    skins = SkinLibrary().skins()
    dark = next(skin for skin in skins if skin.name == "dark")
    size = round(grid.pitch_x)
    tile = cv2.resize(dark.pictures[COVERED][0], (size, size), interpolation=cv2.INTER_AREA)
    image = picture(board).image.copy()
    fresh = image.copy()
    for cell in board.cells():
        x, y = round(grid.left + cell.col * size), round(grid.top + cell.row * size)
        place = np.s_[y : y + size, x : x + size]
        fresh[place] = tile
        if board[cell] == COVERED:
            image[place] = tile
    (seen,), _ = survey(Frame.of_image(fresh), skins)
    assert seen.skin.name == "dark"
    frames = map(Frame.of_image, (fresh, image))
    learned = learn_skin(frames, skins, None, None, lambda _: None, title="Mine Game (3)")
    assert learned.skin.name == "mine-game-3", "no name was given"
    matcher = Matcher(learned.skin)
    assert matcher.match(tile[None])[0].tolist() == [COVERED]
    with pytest.raises(BoardNotFound, match="covered cells only"):
        SkinLearner(skins).show(Frame.of_image(fresh))
