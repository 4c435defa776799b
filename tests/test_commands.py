"""The command line: what needs no window, and the words for what cannot be done."""

from __future__ import annotations

import json
import re
import shutil
from io import StringIO
from pathlib import Path

import cv2
import numpy as np
import pytest
from rich.console import Console

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION, Board, Cell
from gui.commands.learn import Asked, print_taught, state_named
from gui.private_screen import PrivateScreen
from gui.terminal_picture import terminal_picture
from tests.boards import SESSIONS
from tests.test_play import bot, simulated
from vision.learning.learner import Question
from vision.learning.teaching import Taught
from vision.recording import load_session
from vision.skins import load_skins

RECORDED = SESSIONS / "winemine-expert-won"


def a_frame() -> tuple[Path, Board]:
    """A recorded screenshot in mid-game, and what it shows."""
    session = load_session(RECORDED)
    number = len(session) // 2
    return RECORDED / session.records[number].frame, list(session.boards())[number]


def test_read_prints_a_recorded_screenshot_without_a_display(tmp_path: Path) -> None:
    """The board's text, a line of probabilities for each row, and the move with its reason."""
    path, board = a_frame()
    run = bot(tmp_path, "read", str(path))
    assert run.returncode == 0, run.stderr
    assert board.rows_text() in run.stdout
    assert "skin 'winemine', playing" in run.stdout
    assert "open row" in run.stdout


def test_read_for_programs(tmp_path: Path) -> None:
    """One JSON object a board; probabilities are null where opened, and agree with the count."""
    path, board = a_frame()
    run = bot(tmp_path, "read", "--json", str(path))
    told = json.loads(run.stdout)
    assert "\n".join(told["board"]) == board.rows_text()
    probability = np.array(told["mine_probability"], dtype=float)
    assert np.array_equal(np.isnan(probability), ~board.unopened)
    assert np.nansum(probability) == pytest.approx(board.mines)


def test_read_names_an_unread_tile(tmp_path: Path) -> None:
    """A tile that is like none of the skin's is shown as ~ and named; the exit code tells."""
    path, board = a_frame()
    image = cv2.imread(str(path))
    assert image is not None
    cell = next(board.cells(1))
    grid = next(load_session(RECORDED).turns()).reading.grid
    view = grid.view
    top, left = grid.row_edges(view)[cell.row], grid.column_edges(view)[cell.col]
    image[top : top + 16, left : left + 16] = (200, 40, 220)
    spoiled = tmp_path / "spoiled.png"
    cv2.imwrite(str(spoiled), image)
    run = bot(tmp_path, "read", str(spoiled))
    assert run.returncode == 1
    assert f"row {cell.row}, column {cell.col}" in run.stdout
    assert "~" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["read", "nothing.png"], "nothing.png"),
        (["read", "text.png"], "text.png"),
        (["read", "plain.png"], "no Minesweeper board"),
        (["audit", "."], "no session"),
        (["play", "--solver", "oracle"], "there is no solver 'oracle'; there are: exact"),
        (["play", "--pictures", "text.png"], "no picture can be written there"),
        (["simulate", "--size", "9x9"], "COLSxROWSxMINES"),
        (["simulate", "--size", "9x9x81"], "9 x 9"),
        (["learn"], "give screenshots, or a window"),
        (["learn", "plain.png", "--window", "Mines"], "give screenshots, or a window"),
        (["learn", "plain.png", "nothing.png"], "nothing.png"),
        (["learn", "--window", "Mines"], "there is no display"),
        (["simulate"], "there is no display"),
        ([], "there is no display"),
    ],
)
def test_what_cannot_be_done_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    """In words, on the error stream, with an exit code, and never as a traceback."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.png").write_text("no picture")
    cv2.imwrite("plain.png", np.full((300, 400, 3), 90, np.uint8))
    run = bot(tmp_path, *arguments)
    assert run.returncode != 0
    assert said in run.stderr
    assert "Traceback" not in run.stderr


def test_a_broken_setting_is_named(tmp_path: Path) -> None:
    """The file, the unknown key and what to do."""
    (tmp_path / "settings.toml").write_text("colour = 'red'\n")
    run = bot(tmp_path, "play", "--games", "1")
    assert run.returncode == 1
    assert "settings.toml: unknown setting 'colour'" in run.stderr


def test_an_audit_that_finds_something_ends_non_zero(tmp_path: Path) -> None:
    """One hint changed in one line: named with its turn."""
    folder = tmp_path / "spoiled"
    shutil.copytree(RECORDED, folder)
    assert bot(tmp_path, "audit", str(folder)).returncode == 0
    path = folder / "turns.jsonl"
    lines = path.read_text().splitlines()
    turn = json.loads(lines[3])
    row = next(number for number, text in enumerate(turn["board"]) if "2" in text)
    turn["board"][row] = turn["board"][row].replace("2", "5", 1)
    lines[3] = json.dumps(turn)
    path.write_text("\n".join(lines) + "\n")
    run = bot(tmp_path, "audit", str(folder))
    assert run.returncode == 1
    assert "turn 3" in run.stdout
    assert "was read as 5" in run.stdout


def test_doctor_tells_what_works(tmp_path: Path) -> None:
    """With a display everything does; without one it says so, and what can be done."""
    with PrivateScreen() as screen, simulated(screen, tmp_path):
        able = bot(tmp_path, "doctor", screen=screen)
    assert able.returncode == 0, able.stdout
    assert "moved by 3 points and back" in able.stdout
    unable = bot(tmp_path, "doctor")
    assert unable.returncode == 1
    assert "DISPLAY is not set" in unable.stdout
    assert "on a private screen" in " ".join(unable.stdout.split())


def test_the_version_is_told(tmp_path: Path) -> None:
    """The same as the package's."""
    assert bot(tmp_path, "--version").stdout.strip() == "minesweeper-bot 0.1.0"


# Learning


def terminal(**options: object) -> tuple[Console, StringIO]:
    """A console as a colour terminal has it, and what is printed on it."""
    printed = StringIO()
    options = {"force_terminal": True, "color_system": "truecolor"} | options
    return Console(file=printed, width=100, legacy_windows=False, **options), printed


def a_question(*cells: tuple[int, int], likely: tuple[int, ...] = ()) -> Question:
    """About a small tile of two colours: the left half red, the right half blue."""
    picture = np.zeros((6, 4, 3), np.uint8)
    picture[:, :2], picture[:, 2:] = (0, 0, 255), (255, 0, 0)
    return Question(picture, tuple(Cell(*cell) for cell in cells), likely)


def answers(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """What somebody types, or a file gives, until it ends."""
    monkeypatch.setattr("sys.stdin", StringIO("".join(f"{line}\n" for line in lines)))


@pytest.mark.parametrize(
    ("text", "state"),
    [
        *((str(hint), hint) for hint in range(9)),
        ("covered", COVERED),
        ("c", COVERED),
        ("flag", FLAG),
        (" F ", FLAG),
        ("question", QUESTION),
        ("q", QUESTION),
        ("mine", MINE),
        ("min", MINE),
        ("Misflag", MISFLAG),
        ("mis", MISFLAG),
        ("e", EXPLODED),
    ],
)
def test_states_by_name(text: str, state: int) -> None:
    """The digits, the words, and their beginnings where they are clear."""
    assert state_named(text) == state


@pytest.mark.parametrize(
    ("text", "said"),
    [("m", "mine or misflag"), ("9", "0 to 8"), ("10", "0 to 8"), ("bomb", "covered, flag"),
     ("-1", "0 to 8")],
)  # fmt: skip
def test_words_that_are_no_state(text: str, said: str) -> None:
    """What is not clear is never guessed; the message says what is possible."""
    with pytest.raises(ValueError, match=said):
        state_named(text)


def test_a_picture_in_the_terminal() -> None:
    """Two pixels a character: the ink is the upper one, the ground the lower one."""
    picture = np.zeros((3, 2, 3), np.uint8)
    picture[0, 0], picture[1, 0], picture[2, 1] = (1, 2, 3), (4, 5, 6), (7, 8, 9)
    text = terminal_picture(picture, columns=3)
    assert text.plain == "\u2580\u2580\n\u2580\u2580"
    styles = [str(span.style) for span in text.spans]
    assert styles[0] == "#030201 on #060504"
    # The last of an odd number of rows stands on the terminal's own ground.
    assert styles[-1] == "#090807"


def test_a_large_picture_is_averaged() -> None:
    """Nothing of it is skipped: a fine pattern becomes its mean."""
    fine = np.indices((90, 90)).sum(axis=0) % 2 * 200
    text = terminal_picture(np.repeat(fine[..., None], 3, 2).astype(np.uint8), columns=45)
    assert {str(span.style) for span in text.spans} == {"#646464", "#646464 on #646464"}


@pytest.mark.parametrize("side", [1, 7, 16, 24, 40, 41, 120])
def test_a_picture_is_as_wide_as_there_is_room(side: int) -> None:
    """Enlarged by a whole number, so that no pixel of it is wider than another, or shrunk."""
    lines = terminal_picture(np.zeros((side, side, 3), np.uint8)).plain.split("\n")
    width = {len(line) for line in lines}
    assert width == ({side * (40 // side)} if side <= 40 else {40})
    assert len(lines) == -(-width.pop() // 2)


def test_a_question_in_a_colour_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The picture, the places and what is likely; what is no answer is asked again."""
    console, printed = terminal()
    answers(monkeypatch, "bomb", "m", "fl")
    asked = Asked(console)
    assert asked(a_question((0, 5), (3, 7), (4, 4), likely=(3, FLAG))) == FLAG
    told = printed.getvalue()
    assert "38;2;255;0;0" in told
    assert "48;2;0;0;255" in told
    plain = re.sub(r"\x1b\[[0-9;]*m", "", told)
    assert "3 cells look like this: row 0, column 5; row 3, column 7; and 1 more." in plain
    assert "It looks most like: 3 or flag." in plain
    assert "'bomb' is no tile" in plain
    assert "'m' can be mine or misflag" in plain
    assert asked.open == {}


def test_a_question_without_colours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The picture is saved enlarged, and its path printed; nothing is drawn."""
    monkeypatch.setenv("MINESWEEPER_BOT_HOME", str(tmp_path))
    console, printed = terminal(force_terminal=False, color_system=None)
    answers(monkeypatch, "7")
    question = a_question((2, 2))
    assert Asked(console)(question) == 7
    path = tmp_path / "questions" / "tile-1.png"
    assert str(path) in printed.getvalue()
    assert "One cell looks like this: row 2, column 2." in printed.getvalue()
    assert "most like" not in printed.getvalue()
    saved = cv2.imread(str(path))
    assert saved is not None
    assert saved.shape[1] == 160
    assert np.array_equal(saved[::40, ::40], question.picture)
    assert "\u2580" not in printed.getvalue()


def test_questions_are_left_open(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One by an empty line; all that are left where the input ends."""
    monkeypatch.setenv("MINESWEEPER_BOT_HOME", str(tmp_path))
    console, _ = terminal(force_terminal=False, color_system=None)
    answers(monkeypatch, "", "3")
    asked = Asked(console)
    questions = [a_question((0, number)) for number in range(4)]
    assert [asked(question) for question in questions] == [None, 3, None, None]
    assert asked.open == {1: questions[0], 3: questions[2], 4: questions[3]}


def test_what_was_learned_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where the skin is, what it has, what is missing, and which kinds stayed open."""
    console, printed = terminal(force_terminal=False, color_system=None)
    monkeypatch.setenv("MINESWEEPER_BOT_HOME", str(tmp_path))
    answers(monkeypatch, "3")
    asked = Asked(console)
    for number in range(2):
        asked(a_question((4, number)))
    skin = next(skin for skin in load_skins() if skin.name == "winemine")
    folder = tmp_path / "skins" / "winemine"
    missing = ("question", "8")
    print_taught(console, Taught(skin, folder, missing, 2), asked)
    told = printed.getvalue()
    assert f"the skin 'winemine' is saved: {folder}" in told
    assert "it has: empty, 1, 2, 3" in told
    assert "not met so far: 8, question mark; they are learned while playing" in told
    assert "left open: (2) One cell looks like this: row 4, column 1." in told
    assert "left open: (1)" not in told
