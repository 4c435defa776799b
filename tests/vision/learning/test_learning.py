"""Skins never seen before: read with certainty or not at all, and asked about once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, OPENED, QUESTION, UNREAD, Board, Cell
from bot.game import FirstClick, Game
from bot.metrics import hints_of
from bot.planner import Action, Move
from gui.looks import LOOKS
from tests.benchmarks.learning import Look, Tally, learn, looks_of, made_up_game
from tests.support.boards import SESSIONS
from tests.support.strange import Strange, new_game, played
from tests.vision.scenes import drawn
from vision.finder.placing import cut_tiles
from vision.learning.learner import Learner
from vision.learning.questions import LearningResult
from vision.learning.rules import possible

pytestmark = pytest.mark.long


def look_game(look: str, cell: int, seed: int) -> Iterator[Look]:
    """A game in one of the simulated window's looks."""
    rng = np.random.default_rng(seed)
    for board in played(new_game(rng), rng):
        yield tiles_of(board, look, cell), board


def tiles_of(board: Board, look: str = "classic", cell: int = 24) -> np.ndarray:
    """The tile pictures of a board in one of the looks."""
    edges = np.arange(board.rows) * cell, np.arange(board.cols) * cell
    return cut_tiles(drawn(board, look, cell), *edges, (cell, cell))


def board_of(*rows: str, mines: int = 10) -> Board:
    """A board of nine columns; rows that are not given are covered."""
    return Board.parse("/".join([*rows, *["#########"] * (9 - len(rows))]), mines)


@pytest.mark.parametrize("look", LOOKS)
def test_a_look_is_learned_in_play(look: str) -> None:
    """Nothing is read wrongly, and nearly everything is read, without a question."""
    tally = Tally()
    for seed, cell in ((1, 20), (2, 32)):
        learn(look_game(look, cell, seed), tally)
    assert tally.wrong == 0
    assert np.mean([tally.shares[state] for state in (COVERED, 0, 1, 2, 3)]) > 0.97


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(seed, marks=[] if seed % 4 == 0 else pytest.mark.slow)
        for seed in range(2000, 2012)
    ],
)
def test_made_up_skins_are_never_read_wrongly(seed: int) -> None:
    """Whatever a skin looks like: right or unread, and one question a state settles it."""
    tally = Tally()
    learn(made_up_game(seed), tally)
    learn(made_up_game(seed), tally, answering=True)
    assert tally.wrong == 0
    assert tally.most <= 2, "two shades of one state may be asked about one by one"


def buttons(board: Board, width: int, height: int, points: int, zero: str = "0") -> np.ndarray:
    """The tiles of a board of buttons, which are sunken and show a black number when opened."""
    tiles, font = [], ImageFont.load_default(points)
    for code in board.tiles.ravel().tolist():
        tile = Image.new("RGB", (width, height), (255, 255, 255))
        draw = ImageDraw.Draw(tile)
        right, bottom = width - 5, height - 5
        draw.rectangle((4, 4, right, bottom), fill=(217, 217, 217), outline=(130, 130, 130))
        closed = code == COVERED
        lit = ((4, bottom), (4, 4) if closed else (right, bottom), (right, 4))
        draw.line(lit, fill=(255, 255, 255))
        text = "" if closed else str(code or zero)
        draw.text((width // 2, height // 2), text, (0, 0, 0), font, "mm")
        tiles.append(np.asarray(tile))
    return np.stack(tiles)


def test_two_small_hints_in_large_cells_may_look_alike() -> None:
    """A 5 that was opened after a 3 differs from it in a few pixels, and its digit is certain."""
    learner = Learner("learned", (90, 88))
    for text in ("########/" * 8, "001#####/001#####/001#####/001#####/123#####/" + "########/" * 3,
                 "001#####/001#5###/0012####/001#####/123#####/" + "########/" * 3):  # fmt: skip
        board = Board.parse(text.rstrip("/"), mines=22)
        codes = learner.see(buttons(board, 90, 88, 11), 8, 8, 22).codes
    assert (codes == board.tiles).all()


@pytest.mark.parametrize("seed", [0, 1])
def test_a_written_zero_may_open_no_neighbour(seed: int) -> None:
    """Beside covered cells it is no other hint, and a zero once the game went on after its click.

    A number that a click has opened is no flag, though it is on the ground of covered cells.
    """
    rng, tiles = np.random.default_rng(seed), np.full((9, 9), COVERED, np.int8)
    mined = np.arange(81) < 10
    hints = hints_of(rng.permutation(mined).reshape(9, 9))
    learner, safe = Learner("learned", (40, 40)), rng.permutation(np.flatnonzero(hints >= 0))
    first = next(at for at in safe if hints.ravel()[at] > 0)
    for number, at in enumerate((None, first, *(one for one in safe[:40] if one != first))):
        if at is not None:
            move = Move(Action.OPEN, Cell(*divmod(int(at), 9)), 0.1 if number == 1 else 0.0)
            learner.note_moves((move,))
            tiles.ravel()[at] = hints.ravel()[at]
        board = Board(tiles.copy(), 10)
        pictures = buttons(board, 40, 40, 16)
        codes = learner.see(pictures, 9, 9, 10).codes
        if (codes < 0).sum() > (tiles < 0).sum() and (learner.conclude() or learner.pass_over()):
            codes = learner.see(pictures, 9, 9, 10).codes
        assert set(codes[codes != tiles].tolist()) <= {OPENED}, number
    assert (codes == tiles).all()
    assert learner.flood == "none"


def test_a_mark_that_a_click_has_opened_is_no_flag() -> None:
    """Whatever it looks like and however many readings it takes, while other cells are covered."""
    text = "...F####/...F####/..FF####/FFF#####" + "/########" * 4
    fresh, half, begun = (
        np.concatenate([np.split(row, 8, axis=1) for row in np.split(picture, 8)])
        for board in (
            Board.covered(8, 8, 10), Board.parse(text.replace("F", "#"), 10), Board.parse(text, 10)
        )
        for picture in [drawn(board, "classic", 24.0)]
    )  # fmt: skip
    hovered = begun.copy()
    hovered[-1] += 4
    for shown in ((begun,), (half, begun), (begun, hovered)):
        learner = Learner("learned", (24, 24))
        learner.see(fresh, 8, 8, 10)
        learner.note_moves((Move(Action.OPEN, Cell(0, 0), 0.1),))
        for tiles in shown:
            result = learner.see(tiles, 8, 8, 10)
        question = next(one for one in result.questions if Cell(0, 3) in one.cells)
        assert question.likely[0] > 0


@pytest.mark.parametrize(
    ("sessions", "states"),
    [
        (["xdemineur-intermediate-lost"], {MINE, EXPLODED}),
        # What became of the mines at the loss tells nothing of the flags at the win.
        (["winemine-intermediate-lost", "winemine-intermediate-won"], {FLAG}),
        # The exploded mine differs from the others by its lines alone, as neighbours' lines do.
        (["xbomb-intermediate-lost"], {MINE, EXPLODED}),
        # At a loss the ground of covered cells darkens: question marks stay, wrong flags turn red.
        (["gnome-mines-default-hand-2"], {QUESTION, MISFLAG, FLAG}),
    ],
    ids=["xdemineur", "winemine", "xbomb", "gnome-mines"],
)
def test_real_programs_are_read_without_their_skins(sessions: list[str], states: set[int]) -> None:
    """Recorded games to their ends: nothing wrong, and all marks known without a question."""
    tally = Tally()
    learn(chain.from_iterable(looks_of(SESSIONS / session) for session in sessions), tally)
    assert tally.wrong == 0
    assert {tally.shares[state] for state in states} == {1.0}


@pytest.mark.parametrize("seed", [7023, 7034])
def test_a_board_that_is_read_from_scratch_is_not_asked_about(seed: int) -> None:
    """The last guess of a won game opens a hint that is new, while the mines become flags."""
    won = Board.parse(
        ".1F1.2F4F/.111.2FF2/.....1221/...122111/...1FF11F/...122111/......122/......1FF/......122",
        mines=10,
    )
    last = np.where(won.tiles == FLAG, np.int8(COVERED), won.tiles)
    last[0, 7] = COVERED
    skin, learner = Strange(seed), Learner("learned", (24, 24))
    for tiles, clicked in ((np.full((9, 9), COVERED, np.int8), (4, 0)), (last, (0, 7))):
        learner.see(skin.tiles(Board(tiles, 10), 24), 9, 9, 10)
        learner.note_moves((Move(Action.OPEN, Cell(*clicked), 0.3),))
    found = learner.see(skin.tiles(won, 24), 9, 9, 10)
    assert UNREAD in found.codes
    assert learner.conclude()
    assert (learner.see(skin.tiles(won, 24), 9, 9, 10).codes == won.tiles).all()


def test_a_plain_exploded_mine_is_known_for_its_game_only() -> None:
    """An empty cell of a later game may look so below the pointer."""
    learner = Learner("learned", (24, 24))

    def look(board: Board, plain: Cell | None = None) -> np.ndarray:
        tiles = tiles_of(board, "flat")
        if plain is not None:
            tiles[plain.row * 9 + plain.col] = 190
        return learner.see(tiles, 9, 9, 10).codes

    game = Game(9, 9, 10, 1, FirstClick.ZERO)
    for number in range(2):
        look(game.board)
        layout = game.layout
        clicked = Cell(4, 4) if layout is None else Cell(*map(int, np.argwhere(layout)[number]))
        learner.note_moves((Move(Action.OPEN, clicked, 0.2),))
        game.open(clicked)
    assert look(game.board, clicked)[clicked] == EXPLODED
    assert EXPLODED not in learner.skin().pictures
    game = Game(9, 9, 10, 2, FirstClick.ZERO)
    look(game.board)
    learner.note_moves((Move(Action.OPEN, Cell(4, 4), 0.2),))
    game.open((4, 4))
    assert look(game.board, Cell(4, 4))[4, 4] in (0, UNREAD)


def test_a_picture_in_place_of_a_hint_need_not_be_known() -> None:
    """Beside a zero it is an opened cell; what a user calls one is read as one from then on."""
    tiles, board = list(look_game("classic", 24, 9))[4]
    beside = next(
        cell
        for cell in board.cells()
        if board[cell] > 0 and 0 in map(board.__getitem__, board.around(cell))
    )
    at = beside.row * board.cols + beside.col
    tiles[at, 4:20, 4:20] = np.random.default_rng(0).integers(0, 256, (16, 16, 3))
    learner = Learner("learned", (24, 24))
    result = learner.see(tiles, board.rows, board.cols)
    (question,) = (one for one in result.questions if one.cells == (beside,))
    assert learner.pass_over()
    result = learner.see(tiles, board.rows, board.cols)
    assert result.codes[beside] == OPENED
    assert [one.cells for one in result.passed] == [(beside,)]
    assert OPENED not in learner.skin().pictures
    learner.answer(question, OPENED)
    again = Learner("learned", (24, 24), known=learner.skin())
    assert again.see(tiles, board.rows, board.cols).codes[beside] == OPENED


def chess(rng: np.random.Generator) -> np.ndarray:
    """A chess board with pieces."""
    tiles = np.empty((64, 32, 32, 3), np.uint8)
    for at, tile in enumerate(tiles):
        tile[:] = (240, 240, 240) if (at // 8 + at) % 2 else (60, 90, 60)
        if at // 8 in (0, 1, 6, 7) and rng.random() < 0.9:
            letter = "RNBQKBNR"[at % 8] if at // 8 in (0, 7) else "P"
            colour = (0, 0, 0) if at < 32 else (255, 255, 255)
            cv2.putText(tile, letter, (8, 24), cv2.FONT_HERSHEY_TRIPLEX, 0.7, colour, 2)
    return tiles


def written(texts: list[str], side: int = 32) -> np.ndarray:
    """Cells with lines around them and text in them."""
    tiles = np.full((len(texts), side, side, 3), 250, np.uint8)
    for tile, text in zip(tiles, texts, strict=True):
        cv2.rectangle(tile, (0, 0), (side - 1, side - 1), (180, 180, 180))
        cv2.putText(tile, text, (5, side - 9), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (60, 60, 60), 1)
    return tiles


def look_alikes() -> Iterator[tuple[str, np.ndarray, int, int]]:
    """Rectangles of squares that are no Minesweeper."""
    rng = np.random.default_rng(0)
    yield "chess", chess(rng), 8, 8
    yield "calendar", written([*map(str, range(1, 32)), *[""] * 4]), 5, 7
    yield "keyboard", written([chr(65 + n % 26) for n in range(40)]), 4, 10
    yield "numbers", written([str(n) for n in rng.integers(0, 10, 120)]), 10, 12
    sudoku = [str(n) if n else "" for n in rng.integers(1, 10, 81) * (rng.random(81) < 0.4)]
    yield "sudoku", written(sudoku), 9, 9
    yield "sheet", written(["" if n else "7" for n in rng.integers(0, 3, 120)]), 10, 12
    yield "icons", rng.integers(0, 255, (48, 32, 32, 3)).astype(np.uint8), 6, 8
    yield "paper", np.full((100, 24, 24, 3), 255, np.uint8), 10, 10


@pytest.mark.parametrize(
    "alike",
    [
        pytest.param(
            one, marks=pytest.mark.slow if one[0] in ("calendar", "icons") else (), id=one[0]
        )
        for one in look_alikes()
    ],
)
def test_look_alikes_are_not_believed(alike: tuple[str, np.ndarray, int, int]) -> None:
    """No labelling makes a game of a chess board, a calendar, a keyboard or a sudoku."""
    _, tiles, rows, cols = alike
    learner = Learner("learned", (tiles.shape[2], tiles.shape[1]))
    assert not learner.see(tiles, rows, cols).believable


@pytest.mark.parametrize(
    ("text", "mines", "may_be"),
    [
        ("1#/##", None, True),
        ("0#/##", None, False),
        ("3#/1#", None, False),
        ("0~/~~", None, True),
        ("00/00", None, False),
        ("1*/1*", None, False),
        ("1#/##", 4, False),
        ("0F/11", None, False),
    ],
)
def test_boards_that_the_rules_allow(text: str, mines: int | None, may_be: bool) -> None:
    """Zeros open what is around them, hints are kept, and unread tiles may be anything."""
    assert possible(Board.parse(text, 0).tiles, mines) == may_be


def signs(board: Board, cell: int = 20) -> np.ndarray:
    """The tiles of a program whose hints are no digits: a dot, a bar, a ring and a cross."""
    tiles = np.full((board.tiles.size, cell, cell, 3), (192, 220, 230), np.uint8)
    middle, low, high = cell // 2, cell // 4, cell - cell // 4
    for tile, state in zip(tiles, board.tiles.ravel().tolist(), strict=True):
        if state == COVERED:
            tile[:] = (90, 155, 110)
            tile[:2], tile[-2:] = (130, 190, 155), (55, 110, 75)
        else:
            tile[0] = tile[:, 0] = (125, 155, 170)
        if state == 1:
            cv2.circle(tile, (middle, middle), 2, (60, 40, 60), -1)
        elif state == 2:
            cv2.rectangle(tile, (low, middle - 1), (high, middle + 1), (60, 40, 60), -1)
        elif state == 3:
            cv2.circle(tile, (middle, middle), cell // 4, (60, 40, 60), 1)
        elif state == 4:
            cv2.line(tile, (low, low), (high, high), (60, 40, 60), 2)
            cv2.line(tile, (low, high), (high, low), (60, 40, 60), 2)
    return tiles


FRESH = board_of()
SIGNS = Board.parse(
    "..1######/..12#####/...1#####/...112###/.....2###/.11212###/12#######/#########/#########",
    mines=10,
)
ONE_RING = Board.parse(
    "....1####/11..1####/#1..2####/11..1####/....13###/1221.1###/###1.2###/1221.1###/.....1###",
    mines=10,
)


def seen(learner: Learner, *boards: Board) -> LearningResult:
    """Show boards, one after the other."""
    results = [learner.see(signs(one), one.rows, one.cols, one.mines) for one in boards]
    return results[-1]


def test_a_mark_on_most_cells_is_asked_about_as_covered() -> None:
    """A question mark or a letter on every covered cell is neither a flag nor a mine."""
    for text in "?M":
        tiles = tiles_of(SIGNS).copy()
        for at in np.flatnonzero(SIGNS.tiles.ravel() == COVERED):
            cv2.putText(tiles[at], text, (6, 18), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 2)
        (question,) = Learner("learned", (24, 24)).see(tiles, 9, 9, 10).questions
        assert question.likely[0] == COVERED


def test_clicks_distinguish_hints_from_flags() -> None:
    """What a click that opens leaves behind is no flag; what one that flags leaves is one."""
    ring = board_of(*["#########"] * 4, "####3####")
    for action in (Action.OPEN, Action.FLAG):
        learner = Learner("learned", (20, 20))
        seen(learner, FRESH)
        learner.note_moves((Move(action, Cell(4, 4)),))
        result = seen(learner, ring)
        if action is Action.FLAG:
            assert result.codes[4, 4] == FLAG
        else:
            (question,) = result.questions
            assert FLAG not in question.likely


def test_a_click_that_opens_its_neighbours_was_on_an_empty_cell() -> None:
    """A look seen once, of one cell, might else be that of a covered cell under the pointer."""
    hint = Board.parse("/".join(["1#######"] + ["########"] * 8), mines=10)
    corner = Board.parse("/".join(["1#####1.", "######21"] + ["########"] * 7), mines=10)
    for known in (False, True):
        learner = Learner("learned", (24, 24))
        for board in (Board.covered(9, 8, 10), hint, corner):
            result = learner.see(tiles_of(board), 9, 8, 10)
            clicked = Cell(0, 0) if board.tiles[0, 0] == COVERED else Cell(0, 7)
            learner.note_moves((Move(Action.OPEN, clicked),) if known else ())
        assert (result.codes[0, 7] == UNREAD) is not known


def decorated(board: Board, state: int) -> np.ndarray:
    """The tiles of a board with a picture in each cell of a state."""
    tiles = tiles_of(board).copy()
    for at in np.flatnonzero(board.tiles.ravel() == state):
        cv2.circle(tiles[at], (12, 12), 7, (0, 200, 255), -1)
        cv2.circle(tiles[at], (12, 8), 2, (0, 0, 80), -1)
    return tiles


@pytest.mark.parametrize("known", [False, True])
def test_a_picture_that_one_click_opened_with_hints_is_an_empty_cell(known: bool) -> None:
    """A click on a mine opens no hint and leaves cells covered; without the click it is asked."""
    learner = Learner("learned", (24, 24))
    opened = board_of("..1######", "..12#####", "1112#####")
    learner.see(decorated(FRESH, 0), 9, 9, 10)
    learner.note_moves((Move(Action.OPEN, Cell(0, 0)),) if known else ())
    learner.see(decorated(opened, 0), 9, 9, 10)
    codes = learner.see(decorated(opened, 0), 9, 9, 10).codes
    assert np.array_equal(codes, np.where(opened.tiles == 0, 0 if known else UNREAD, opened.tiles))


def test_a_clicked_cell_that_hardly_changes_is_no_covered_one() -> None:
    """A '0' that is written 13 grey levels darker than its ground, which is that of all cells."""

    def faint(board: Board) -> np.ndarray:
        tiles = np.full((board.tiles.size, 40, 40, 3), 187, np.uint8)
        tiles[:, -1] = tiles[:, :, -1] = 144
        for tile, state in zip(tiles, board.tiles.ravel().tolist(), strict=True):
            if state >= 0:
                ink = (200, 40 * state, 20) if state else (174, 174, 174)
                cv2.putText(tile, str(state), (10, 30), cv2.FONT_HERSHEY_SIMPLEX, 1.0, ink, 2)
        return tiles

    learner = Learner("learned", (40, 40))
    opened = board_of("001######", "002######", "112######")
    assert (learner.see(faint(FRESH), 9, 9, 10).codes == COVERED).all()
    learner.note_moves((Move(Action.OPEN, Cell(0, 0)),))
    assert np.array_equal(learner.see(faint(opened), 9, 9, 10).codes, opened.tiles)


def test_a_cell_that_each_click_lights_is_one_kind() -> None:
    """The user has said that it is covered; its click has no effect yet, again and again."""
    board = board_of("001######", "002######", "112######")
    lit = flat(board)
    lit[-1] += 20
    learner = Learner("learned", (32, 32))
    asked = []
    for _ in range(4):
        learner.see(flat(board), 9, 9, 10)
        learner.note_moves((Move(Action.OPEN, Cell(8, 8)),))
        questions = learner.see(lit, 9, 9, 10).questions
        asked.append(len(questions))
        for question in questions:
            learner.answer(question, COVERED)
    assert asked == [1, 0, 0, 0]


@pytest.mark.parametrize("held", [None, np.s_[1:2, 1:2], np.s_[1:3, 1:4], np.s_[:2, 7:]])
def test_lines_lost_to_rounding_are_no_cells_held_down(held: tuple[slice, slice] | None) -> None:
    """On a fresh scaled board, bevels are missing in each second line, not in a block of cells."""
    tiles = tiles_of(FRESH).reshape(9, 9, 24, 24, 3)
    level = np.zeros((9, 9), bool)
    level[np.s_[1:8:2, 1:8:2] if held is None else held] = True
    tiles[level] = tiles[0, 0, 12, 12]
    codes = Learner("learned", (24, 24)).see(tiles.reshape(81, 24, 24, 3), 9, 9).codes
    assert np.array_equal(codes == COVERED, ~level | (held is None))


def test_a_hovered_cell_may_look_like_an_empty_one() -> None:
    """It is known as covered until a click opens several cells that look the same."""
    opened = Board.parse(
        "1####1.../#####1.../#####1.../#####1.../#####1.11/#####2#1#" + 3 * "/#########", 10
    )
    lit = tiles_of(FRESH, cell=32)

    def shown(board: Board) -> np.ndarray:
        tiles = np.where((board.tiles == COVERED).ravel()[:, None, None, None], lit * 0.8, lit)
        tiles = tiles.astype(np.uint8)
        for tile, hint in zip(tiles, board.tiles.ravel().tolist(), strict=True):
            if hint > 0:
                cv2.putText(
                    tile, str(hint), (10, 24), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (9, 9, 200), 2
                )
        return tiles

    hovered = shown(FRESH)
    hovered[0] = lit[0]
    learner = Learner("learned", (32, 32))
    learner.see_covered(hovered, 9, 9)
    assert np.array_equal(learner.see(hovered, 9, 9, 10).codes, FRESH.tiles)
    learner.see(shown(FRESH), 9, 9, 10)
    learner.note_moves((Move(Action.OPEN, Cell(0, 8)),))
    codes = learner.see(shown(opened), 9, 9, 10).codes
    assert np.array_equal(codes == 0, opened.tiles == 0)


def flat(board: Board, cell: int = 32) -> np.ndarray:
    """The tiles of a checkered board without lines: green covered cells, sandy opened ones."""
    tiles = []
    for (row, col), state in np.ndenumerate(board.tiles):
        shade = 8 * ((row + col) % 2)
        ground = (80 - shade, 215 - shade, 170) if state == COVERED else (160, 194, 229 - 2 * shade)
        tile = np.full((cell, cell, 3), ground, np.uint8)
        if state > 0:
            cv2.putText(tile, str(state), (9, 24), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (200, 90, 20), 2)
        tiles.append(tile)
    return np.array(tiles)


def test_a_wrong_number_of_mines_is_no_reason_to_misread_a_board() -> None:
    """More mines than covered cells: then the number is wrong."""
    opened = Board.parse(
        "/".join(["1#1......", "111......", ".....1221", ".....1###", ".....1###"])
        + "/.....1###/.....1###/11...1###/#1...1###",
        10,
    )
    learner = Learner("learned", (32, 32))
    for board in (FRESH, opened):
        codes = learner.see(flat(board), 9, 9, 40).codes
        assert np.array_equal(codes == COVERED, board.tiles == COVERED)


@pytest.mark.parametrize(
    ("rows", "flood"),
    [
        (["..#", "11#", "###"], "none"),
        ([".1#", "1##", "###"], "orthogonal"),
        (["..1", "111"], None),
        # The board has moved, and what is beside it looks like two columns of zeros.
        (["..#######"] * 9, None),
        ([".........", "11.111111", "##1######"], "orthogonal"),
    ],
)
def test_zeros_that_open_less_are_inferred_from_a_clicked_one(
    rows: list[str], flood: str | None
) -> None:
    """From a board at rest; without the click a cell may be held down."""
    for known in (False, True):
        learner = Learner("learned", (24, 24))
        opened = board_of(*(row.ljust(9, "#") for row in rows))
        for board in (FRESH, opened):
            learner.see(tiles_of(board), 9, 9, 10)
            learner.note_moves((Move(Action.OPEN, Cell(0, 0)),) if known else ())
        learner.conclude()
        assert learner.flood == (flood if known else None)


@pytest.mark.parametrize(
    ("opened", "flood"),
    [
        (
            (
                "#########/1########/.2#######/.122#####/....1####"
                "/11..1####/#1..2####/11..2####/....1####"
            ),
            "orthogonal",
        ),
        # Each cell was opened by a click of its own.
        (
            (
                "###1##1##/##2####.#/#3#1###.#/##1###2##/#32###2.#"
                "/###1#2#.#/2#1..##11/#...#####/.###.###1"
            ),
            "none",
        ),
        # The zero in row 6 has a covered cell at a corner, and nothing else tells.
        (
            (
                "....1####/11..1####/#1..2####/11..1####/....1####"
                "/1221.1###/###1.2###/1221.1###/.....1###"
            ),
            "orthogonal",
        ),
    ],
)
def test_what_a_zero_opens_is_known_from_a_single_picture(opened: str, flood: str) -> None:
    """It shows a zero beside a covered cell, and no other reading of it is likely."""
    board = Board.parse(opened, 12)
    learner = Learner("learned", (24, 24))
    result = learner.see(tiles_of(board), 9, 9)
    assert np.array_equal(result.codes, board.tiles)
    assert learner.flood == flood


def test_a_written_zero_that_a_guess_has_opened_is_no_mine() -> None:
    """Before a zero is known, a '0' beside covered cells may be one: the next click tells."""
    mined = np.random.default_rng(3).permutation(np.arange(81) < 14).reshape(9, 9)
    hints, tiles = hints_of(mined), np.full((9, 9), COVERED, np.int8)
    learner = Learner("learned", (40, 40))
    learner.see(buttons(Board(tiles, 14), 40, 40, 16), 9, 9, 14)
    for hint in (1, 2, 3, 0):
        cell = Cell(*np.argwhere(hints == hint)[0].tolist())
        learner.note_moves((Move(Action.OPEN, cell, 0.3),))
        tiles[cell] = hint
        pictures = buttons(Board(tiles, 14), 40, 40, 16)
        if UNREAD in learner.see(pictures, 9, 9, 14).codes:
            assert learner.conclude() or learner.pass_over()
    assert learner.see(pictures, 9, 9, 14).codes[cell] == OPENED


@pytest.mark.parametrize("side", ["right", "top"])
def test_an_outer_line_of_another_look_is_what_the_cells_beside_it_allow(side: str) -> None:
    """An empty last column beside opened cells is not covered, nor is a fresh first row empty."""
    learner, fresh = Learner("learned", (40, 40)), buttons(FRESH, 40, 40, 16)
    board, tiles = FRESH, fresh.copy()
    if side == "right":
        fresh[8::9, :, -4:] = 180
        board = board_of(*["######1.."] * 9)
        tiles = buttons(board, 40, 40, 16, zero="")
        tiles[8::9, :, -4:] = 230
    else:
        # Its window has become the active one.
        tiles[:9, :2] = tiles[0, :, :2] = 40
    learner.see(fresh, 9, 9, 10)
    codes = learner.see(tiles, 9, 9, 10).codes
    assert np.isin(codes[codes != board.tiles], UNREAD).all()


@pytest.mark.parametrize(("risk", "mark"), [(0.0, ""), (0.3, ""), (0.3, "0"), (0.3, "8")])
def test_a_guess_that_opened_no_digit_has_hit_a_mine(risk: float, mark: str) -> None:
    """Alone on a board with known hints, once it is at rest; a proved cell is asked about.

    A mark like a '0' is no hint either, as fonts without the sign of a mine draw a box; nor is a
    digit that cannot be there.
    """
    learner = Learner("learned", (24, 24))
    rows = ["..1######", "..12#####", "..12#####", "123######"] + ["#########"] * 4
    for last in ("#########", "########*"):
        board = Board.parse("/".join([*rows, last]), 10)
        tiles = decorated(board, MINE)
        if mark and board[Cell(8, 8)] == MINE:
            tiles[-1] = (0, 0, 240)
            cv2.putText(tiles[-1], mark, (5, 19), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (20, 20, 20), 2)
        learner.see(tiles, 9, 9, 10)
        learner.note_moves((Move(Action.OPEN, Cell(8, 8), risk),))
    assert learner.conclude() == (risk > 0)
    result = learner.see(tiles, 9, 9, 10)
    assert result.codes[8, 8] == (EXPLODED if risk else UNREAD)


def test_a_first_click_that_opened_no_digit_has_hit_a_mine() -> None:
    """In a later game, whose hints are known from the ones before."""
    learner = Learner("learned", (24, 24))
    opened = board_of("..1######", "..12#####", "..12#####", "123######")
    for board in (opened, FRESH, board_of("*########")):
        tiles = decorated(board, MINE)
        learner.see(tiles, 9, 9, 10)
        learner.conclude()
        learner.note_moves((Move(Action.OPEN, Cell(0, 0), 0.1),))
    assert learner.see(tiles, 9, 9, 10).codes[0, 0] == EXPLODED


@pytest.mark.parametrize("clicks", [(0, 4, 0, 4), (0, 0)])
def test_a_mine_with_another_rim_was_hit_only_by_a_click(clicks: tuple[int, ...]) -> None:
    """Else its neighbours' lines have changed it, also if it looks like one that was hit before."""
    lost = board_of("*###*####", "####*####", mines=3)
    learner = Learner("learned", (24, 24))
    for game, col in enumerate(clicks):
        learner.see(decorated(Board.covered(9, 9, 3), MINE), 9, 9, 3)
        learner.note_moves((Move(Action.OPEN, Cell(0, col), 0.1),))
        tiles = decorated(lost, MINE)
        if game:
            tiles[4, :, -3:] = (30, 30, 30)
        codes = learner.see(tiles, 9, 9, 3).codes
        assert codes[0, 4] == (EXPLODED if col else MINE)


def test_a_lone_mark_on_a_board_without_a_move_is_on_a_covered_cell() -> None:
    """Some mark the cell to begin at, or frame the board; a digit there is a hint."""
    rows = ["#########"] * 8
    marked, hint = (decorated(board_of(*rows, f"########{last}"), MINE) for last in "*2")
    framed = decorated(FRESH, MINE)
    framed[-1, -2:] = framed[-1, :, -2:] = (200, 60, 90)
    for tiles, covered in ((marked, True), (hint, False), (framed, True)):
        codes = Learner("learned", (24, 24)).see(tiles, 9, 9, 10).codes
        assert (codes[8, 8] == COVERED) == covered
        assert (codes.ravel()[:-1] == COVERED).all()


@pytest.mark.parametrize("clicked", [True, False])
def test_mines_in_more_places_than_a_click_opens_are_known(clicked: bool) -> None:
    """Under a wrong number of them, before any hint is known; not without the one that was hit."""
    lost = board_of("*###*####", "####*####", *["#########"] * 5, "#*######*")
    learner = Learner("learned", (24, 24))
    learner.see(decorated(FRESH, MINE), 9, 9, 10)
    learner.note_moves((Move(Action.OPEN, Cell(0, 0) if clicked else Cell(8, 0), 0.1),))
    codes = learner.see(decorated(lost, MINE), 9, 9, 10).codes
    assert (codes == MINE).sum() == (5 if clicked else 0)


@pytest.mark.parametrize("marks", ["alike", "one of its own", "like a 0"])
def test_all_mines_are_known_with_the_one_that_was_clicked(marks: str) -> None:
    """A loss at the first click shows marks that the program has not shown before.

    They may look like a 0: no zero stays alone among covered cells.
    """
    lost = board_of("*###*####", "####*####", mines=3)
    learner = Learner("learned", (24, 24))
    learner.see(decorated(Board.covered(9, 9, 3), MINE), 9, 9, 3)
    learner.note_moves((Move(Action.OPEN, Cell(0, 0), 0.1),))
    tiles = decorated(lost, MINE)
    if marks == "one of its own":
        tiles[0, 2:6, 2:6] = (20, 20, 230)
    elif marks == "like a 0":
        tile = np.full((24, 24, 3), (165, 165, 252), np.uint8)
        cv2.rectangle(tile, (9, 6), (14, 17), (38, 38, 220), 1)
        tiles[lost.tiles.ravel() == MINE] = tile
    codes = learner.see(tiles, 9, 9, 3).codes
    assert codes[0, 0] == (EXPLODED if marks == "one of its own" else MINE)
    assert codes[0, 4] == codes[1, 4] == MINE


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("hidden", [False, True])
def test_mines_that_all_hints_count_are_known_under_a_wrong_number_of_them(
    hidden: bool, text: bool
) -> None:
    """The usual number of a level need not be that of a program; a text may lie over tiles."""
    lost = board_of(
        "..1*#####",
        "..12###*#",
        "..12*####",
        "123*#####",
        "*#*######" if hidden else "*#**#####",
    )
    learner = Learner("learned", (24, 24))
    for board in (FRESH, board_of("..1######", "..12#####", "..12#####", "123######")):
        learner.see(decorated(board, MINE), 9, 9, 10)
    learner.note_moves((Move(Action.OPEN, Cell(1, 7)),))
    tiles = decorated(lost, MINE)
    for number, at in enumerate(range(9, 15) if text else ()):
        # Its letters are parts of the words that a program writes across a row.
        cv2.putText(
            tiles[at], "GAME O"[number], (2, 20), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 255)
        )
    codes = learner.see(tiles, 9, 9, 10).codes
    assert (codes[1, 7] == MINE) == (not hidden)


def test_the_only_hint_that_the_rules_allow_is_not_asked_about() -> None:
    """Of an opened cell whose mark, like those of other hints, is no digit."""
    board = board_of("..2######", "..3######", "..2######", "..11#####", *["...1#####"] * 5)
    tiles = decorated(board, MINE).copy()
    one, two, three = (9 * row + col for row, col in ((3, 2), (0, 2), (1, 2)))
    tiles[three] = tiles[two]
    tiles[three, 8:16, 9:12] = tiles[one, 8:16, 9:12]
    tiles[three, 14:18, 14:18] = tiles[two, 2, 12]
    learner = Learner("learned", (24, 24))
    learner.see(decorated(FRESH, MINE), 9, 9, 10)
    learner.note_moves((Move(Action.OPEN, Cell(0, 0), 0.1),))
    learner.see(tiles, 9, 9, 10)
    assert learner.pass_over()
    assert learner.see(tiles, 9, 9, 10).codes[1, 2] == OPENED
    assert learner.conclude()
    assert learner.see(tiles, 9, 9, 10).codes[1, 2] == 3


def test_clicks_without_effect_show_that_the_first_one_hit_a_mine() -> None:
    """Only before any hint is known: then the first cell is passed over, not asked about."""
    hit = board_of("*########")
    learner = Learner("learned", (24, 24))
    learner.see(decorated(FRESH, MINE), 9, 9, 10)
    learner.note_moves((Move(Action.OPEN, Cell(0, 0), 0.1),))
    learner.see(decorated(hit, MINE), 9, 9, 10)
    assert learner.pass_over()
    assert learner.see(decorated(hit, MINE), 9, 9, 10).codes[0, 0] == OPENED
    assert learner.end_at_passed()
    assert learner.see(decorated(hit, MINE), 9, 9, 10).codes[0, 0] == EXPLODED


def test_stable_board_settles_a_rare_hint() -> None:
    """A sign that was seen once is none of the numbers that have other signs."""
    learner = Learner("learned", (20, 20))
    result = seen(learner, FRESH, ONE_RING)
    (question,) = result.questions
    assert question.cells == ((4, 5),)
    assert learner.conclude()
    result = seen(learner, ONE_RING)
    assert not result.questions
    assert np.array_equal(result.codes, ONE_RING.tiles)
    assert not learner.conclude()


def test_hints_without_digits_follow_from_the_rules() -> None:
    """What is beside a zero is a hint, and only one number a sign makes the board possible.

    A sign stays what it was if the rim of its cell changes with its neighbours.
    """
    learner = Learner("learned", (20, 20))
    result = seen(learner, FRESH, SIGNS)
    assert not result.questions
    assert np.array_equal(result.codes, SIGNS.tiles)
    tiles = signs(SIGNS)
    tiles[9 + 3, :, -2:] = tiles[9 + 3, -2:] = (40, 90, 60)
    result = learner.see(tiles, SIGNS.rows, SIGNS.cols, SIGNS.mines)
    assert np.array_equal(result.codes, SIGNS.tiles)


def squares(board: Board) -> np.ndarray:
    """The tiles of a board of squares with gaps between them, of which mines are red ones."""
    colours = {COVERED: (183, 194, 202), MINE: (255, 105, 97)}
    tiles, font = [], ImageFont.load_default(16)
    for code in board.tiles.ravel().tolist():
        tile = Image.new("RGB", (30, 30), (255, 255, 255))
        draw = ImageDraw.Draw(tile)
        draw.rounded_rectangle((2, 2, 27, 27), 4, colours.get(code, (231, 235, 239)))
        if code > 0:
            draw.text((15, 15), str(code), (20, 80, 200), font, "mm")
        tiles.append(np.asarray(tile)[..., ::-1])
    return np.stack(tiles)


def test_what_the_mines_become_at_a_win_is_known_once_a_game_is_lost() -> None:
    """They may be flags there. The fresh board of the lost game is read with what is known."""
    game, fresh = Game(9, 9, 10, 3, FirstClick.ZERO), Board.covered(9, 9, 10)
    game.open((4, 4))
    begun, mines = game.board, game.layout
    assert mines is not None
    won = Board(np.where(mines, np.int8(MINE), hints_of(mines)), 10)
    lost = Board(np.where(mines, np.int8(MINE), np.int8(COVERED)), 10)
    learner = Learner("learned", (30, 30))
    for board in (fresh, begun, won):
        codes = learner.see(squares(board), 9, 9, 10).codes
        known = board.tiles != MINE
        assert (codes[known] == board.tiles[known]).all()
    assert (learner.recall(squares(fresh), 9, 9)[0] == COVERED).all()
    clicked = Cell(*map(int, np.argwhere(mines)[0]))
    learner.note_moves((Move(Action.OPEN, clicked, 0.1),))
    assert (learner.see(squares(lost), 9, 9, 10).codes == lost.tiles).all()


BEGUN = Board.parse(
    "....1####/11..1####/F1..2####/11..1F###/....13###/1221.1###/FFF1.2###/1221.1###/.....1###",
    10,
)


@pytest.mark.parametrize("cell", [Cell(3, 5), Cell(8, 8), Cell(2, 4)], ids=["flag", "covered", "2"])
def test_a_tile_in_the_negative_is_under_a_cursor(cell: Cell) -> None:
    """Some programs invert the tile under their keyboard cursor."""
    tiles = decorated(BEGUN, MINE)
    learner = Learner("learned", (24, 24))
    (flags,) = learner.see(tiles, 9, 9, 10).questions
    learner.answer(flags, FLAG)
    at = 9 * cell.row + cell.col
    tiles[at] = 255 - tiles[at]
    codes = learner.see(tiles, 9, 9, 10).codes
    assert np.array_equal(codes, BEGUN.tiles)


@pytest.mark.parametrize("hides", ["a corner", "the middle"])
@pytest.mark.parametrize("cell", [Cell(8, 8), Cell(2, 4)], ids=["covered", "2"])
def test_a_tile_beside_the_tip_of_a_pointer_is_read(cell: Cell, hides: str) -> None:
    """As in a screenshot; over the middle it could hide a flag."""
    tiles = decorated(BEGUN, MINE)
    corner = np.array([(0, 10), (0, 24), (9, 20)])
    middle = np.array([(0, 0), (4, 23), (22, 18)])
    shape = [corner if hides == "a corner" else middle]
    tile = np.ascontiguousarray(tiles[9 * cell.row + cell.col])
    cv2.fillPoly(tile, shape, (255, 255, 255))
    cv2.polylines(tile, shape, True, (0, 0, 0))
    tiles[9 * cell.row + cell.col] = tile
    codes = Learner("learned", (24, 24)).see(tiles, 9, 9, 10).codes
    read = np.where(codes == UNREAD, BEGUN.tiles, codes)
    assert np.array_equal(read, BEGUN.tiles)
    assert (codes[cell] == UNREAD) == (hides == "the middle")


def test_large_dots_are_counted() -> None:
    """They hide most of the background and reach into its corners; one is like those of others."""
    places = {1: "5", 2: "46", 3: "138", 4: "1379", 5: "13579"}
    board = Board.parse(
        "112234##/2#3####3/#3#345#2/23222#32/1#11#22#/11222111/..1#1.../..111...", 14
    )
    tiles = np.full((64, 60, 60, 3), (28, 26, 30), np.uint8)
    for tile, state in zip(tiles, board.tiles.ravel().tolist(), strict=True):
        tile[:2] = tile[:, :2] = 102
        if state == COVERED:
            tile[:] = 70
            tile[:7] = tile[:, :7] = 5
            tile[-7:] = tile[:, -7:] = 138
        for place in places.get(state, ""):
            row, col = divmod(int(place) - 1, 3)
            cv2.circle(tile, (15 + 16 * col, 15 + 16 * row), 10, (250, 70, 10 * state), -1)
    codes = Learner("learned", (60, 60)).see(tiles, 8, 8).codes
    assert np.array_equal(codes, board.tiles)


def test_ends_of_games_are_read_in_one_picture() -> None:
    """Flags on all mines of a won game, mines on the other shade of a checkered board, a red cell.

    At the win no covered cell is left to compare with. A single mine on another ground may be the
    exploded one, which some programs show as a red cell without a mark.
    """
    *_, (_, board) = look_game("classic", 24, 9)
    won = Board(np.where(board.tiles < 0, np.int8(FLAG), board.tiles), board.mines)
    *_, (tiles, lost) = look_game("classic", 24, 7)
    darker, red = tiles.copy(), tiles.copy()
    mines = np.flatnonzero(lost.tiles == MINE)[1:3]
    darker[mines] = np.maximum(tiles[mines], 50) - 50
    red[np.flatnonzero(lost.tiles == EXPLODED)] = (40, 40, 220)
    for shown, end in ((tiles_of(won), won), (darker, lost), (red, lost)):
        codes = Learner("learned", (24, 24)).see(shown, end.rows, end.cols).codes
        assert np.array_equal(codes, end.tiles)


@pytest.mark.parametrize("seed", [4, 9, 10])
def test_a_covered_mine_of_a_lost_game_is_no_second_exploded_one(seed: int) -> None:
    """The only raised cell that is left is unread; said is what it may be, the likeliest first."""
    board = Board.parse(
        ".2*2...../13*2..111/1*21..2!2/222...2*2/1*1...111/222....../2*2....11/2*31...1#/12*1...11",
        10,
    )
    learner = Learner("learned", (24, 24))
    tiles = Strange(seed).tiles(board, 24)
    learner.see(tiles, 9, 9)
    learner.conclude()
    result = learner.see(tiles, 9, 9)
    assert result.codes[7, 8] == UNREAD
    states, shares = zip(*result.unread[Cell(7, 8)].nearest, strict=True)
    assert states[0] == COVERED
    assert 0 not in states, "its neighbours count a mine there"
    assert list(shares) == sorted(shares, reverse=True)
