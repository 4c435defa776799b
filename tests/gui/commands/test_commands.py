"""The command line: what needs no window, and the words for what cannot be done."""

from __future__ import annotations

import csv
import json
import re
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bot.board import Board, Cell
from bot.waiting import PATIENCE
from gui.history.store import Filter, History
from gui.runner.startup import patience_of
from tests.gui.commands.conftest import Bot
from tests.gui.history.made import fill
from tests.support.boards import SESSIONS
from tests.support.readings import recorded_boards
from vision.sessions import load_session
from vision.skins import BUNDLED, SkinLibrary

pytestmark = pytest.mark.long

SCREENS = Path(__file__).parents[2] / "screens"
RECORDED = SESSIONS / "winemine-beginner-won"
LARGER = SESSIONS / "winemine-intermediate-won"
SPOT = (200, 40, 220)
"""A colour that no tile has."""


def a_frame(recorded: Path = RECORDED) -> tuple[Path, Board]:
    """A recorded screenshot in mid-game, and what it shows."""
    session = load_session(recorded)
    number = len(session) // 2
    return recorded / session.records[number].frame, list(recorded_boards(session))[number]


def spoiled(folder: Path, cell: Cell, patch: Any, recorded: Path = RECORDED) -> Path:
    """The recorded screenshot with something over the tiles from a cell on."""
    path, _ = a_frame(recorded)
    image = cv2.imread(str(path))
    grid = next(load_session(recorded).turns()).reading.grid
    top, left = grid.row_edges(grid.view)[cell.row], grid.column_edges(grid.view)[cell.col]
    height, width = np.shape(patch)[:2] if np.ndim(patch) == 3 else (16, 16)
    image[top : top + height, left : left + width] = patch
    cv2.imwrite(str(folder / "spoiled.png"), image)
    return folder / "spoiled.png"


def test_read_prints_a_recorded_screenshot_without_a_display(bot: Bot) -> None:
    """The board's text and the move; or, for programs, a JSON object with the probabilities."""
    path, board = a_frame()
    run = bot("read", str(path))
    assert run.returncode == 0, run.stderr
    assert board.rows_text() in run.stdout
    assert "skin 'winemine', playing" in run.stdout
    assert "open row" in run.stdout
    printed = json.loads(bot("read", "--json", str(path)).stdout)
    assert "\n".join(printed["board"]) == board.rows_text()
    probability = np.array(printed["mine_probability"], dtype=float)
    assert np.array_equal(np.isnan(probability), ~board.unopened)
    assert np.nansum(probability) == pytest.approx(board.mines)


def test_read_names_an_unread_tile(bot: Bot, tmp_path: Path) -> None:
    """As ~, with what is wrong, and with the limits that it fails; many of one cause in one line.

    Rows and columns are counted from 1. The exit code is 1.
    """
    path, board = a_frame()
    cell = next(board.cells(1))
    row, col = cell.row + 1, cell.col + 1
    run = bot("read", str(spoiled(tmp_path, cell, SPOT)))
    assert run.returncode == 1
    assert "1 tile (~) was not recognised." in run.stdout
    why = f"{cell.position_text.capitalize()}: It is not like any picture of the skin"
    assert why in run.stdout
    run = bot("read", "--json", str(spoiled(tmp_path, cell, SPOT)))
    (unread,) = json.loads(run.stdout)["unread"]
    assert (unread["cell"], unread["cause"]) == (list(cell), "unlike")
    measured, limit = unread["broken"]["spot"]
    assert measured > limit
    assert len(unread["nearest"]) == 2
    run = bot("read", str(path), "--explain", f"{row},{col}")
    assert run.returncode == 0, run.stderr
    assert f"Row {row}, column {col} is read as 1" in run.stdout
    run = bot("read", str(spoiled(tmp_path, cell, SPOT)), "--explain", f"{row},{col}")
    assert f"Row {row}, column {col} is not recognised. It is not like any" in run.stdout
    assert re.search(r"spot: .* at most", run.stdout)
    outside = bot("read", str(path), "--explain", f"{board.rows + 1},1")
    assert outside.returncode == 1
    assert f"which has {board.rows} rows and {board.cols} columns" in outside.stdout
    noise = np.random.default_rng(3).integers(0, 256, (48, 80, 3), np.uint8)
    run = bot("read", str(spoiled(tmp_path, Cell(4, 4), noise, LARGER)))
    (line,) = [line for line in run.stdout.split("\n") if "is not like any picture" in line]
    assert line.startswith("Row 5, column 5; row 5")
    assert " and 7 more: " in line


def test_read_reads_a_board_that_is_marked(bot: Bot, tmp_path: Path) -> None:
    """One of covered cells without lines, which is not found; the mark must lie in the picture."""
    image = np.full((320, 400, 3), 220, np.uint8)
    image[80:296, 30:246] = 140, 112, 86
    path = str(tmp_path / "seamless.png")
    cv2.imwrite(path, image)
    assert "no Minesweeper board found" in bot("read", path).stderr
    marked = bot("read", path, "--board", "9x9 from 30,80 to 246,296")
    assert marked.returncode == 0, marked.stderr
    assert marked.stdout.count("#########\n") == 9
    outside = bot("read", path, "--board", "9x9 from 30,80 to 446,496")
    assert "which has 400x320 pixels" in outside.stderr
    assert "enter it as '9x9 from" in bot("read", path, "--board", "9x9").stderr.replace("\n", "")


@pytest.mark.slow
def test_read_prints_every_board_or_its_error(bot: Bot) -> None:
    """Of three boards one contradicts the number that was given: the other two are read."""
    path = SCREENS / "three-games-1920.png"
    run = bot("read", str(path), "--mines", "40")
    assert run.returncode == 1
    assert run.stdout.count(" cells, ") == 3
    assert "skin 'winemine', playing" in run.stdout
    assert "skin 'xdemineur', lost" in run.stdout
    assert "30 x 16 cells, skin 'sgt-mines'\nthe counter of the board of 16 rows" in run.stdout
    printed = bot("read", str(path), "--mines", "40", "--json").stdout.splitlines()
    boards = {one["skin"]: one for one in map(json.loads, printed)}
    assert "but 40 were given" in boards["sgt-mines"]["error"]
    assert "board" not in boards["sgt-mines"]
    assert boards["winemine"]["mines"] == 40
    assert "error" not in boards["winemine"]


def test_read_shows_a_board_that_cannot_be(bot: Bot, tmp_path: Path) -> None:
    """A hint with more mines than covered cells around it: printed, and why nothing is thought."""
    _, board = a_frame()
    closed = np.pad(board.unopened.astype(int), 1)
    cell = next(
        cell
        for cell in board.cells(1)
        if closed[cell.row : cell.row + 3, cell.col : cell.col + 3].sum() < 5
    )
    five = cv2.imread(str(BUNDLED / "winemine" / "5.png"))
    run = bot("read", str(spoiled(tmp_path, cell, five)))
    assert run.returncode == 1
    rows = board.rows_text().split("\n")
    rows[cell.row] = f"{rows[cell.row][: cell.col]}5{rows[cell.row][cell.col + 1 :]}"
    assert "\n".join(rows) in run.stdout
    assert f"the 5 at {cell.position_text}" in run.stdout
    assert "probability of a mine" not in run.stdout
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["read", "nothing.png"], "nothing.png"),
        (["read", "text.png"], "text.png"),
        (["read", "plain.png"], "no Minesweeper board"),
        (["read", "plain.png", "--explain", "0,1"], "3,12"),
        (["read", "plain.png", "--explain", "1,2,3"], "3,12"),
        (["audit", "."], "no session"),
        (["play", "--solver", "oracle"], "there is no solver 'oracle'; there are: lookahead"),
        (["play", "--pictures", "text.png"], "text.png cannot be written: it is a file. Choose"),
        (["simulate", "--size", "9x9"], "COLSxROWSxMINES"),
        (["simulate", "--size", "9x9x81"], "9 x 9"),
        (["learn"], "give screenshots, or a window"),
        (["learn", "plain.png", "--window", "Mines"], "give screenshots, or a window"),
        (["learn", "plain.png", "nothing.png"], "nothing.png"),
        (["learn", "plain.png", "--name", "My Skin!"], "'My Skin!' cannot be a skin's name"),
        (["learn", "nothing.png", "--name", "classic"], "'classic' is the name of a bundled skin"),
        (["learn", "plain.png", "--forget", "mine"], "give screenshots, or a window"),
        (["learn", "--forget", "winemine"], "'winemine' is bundled, and stays"),
        (["learn", "--forget", "mine"], "'mine' does not exist; skins of your own: none"),
        (["simulate", "--terminal", "--size", "9x9x82"], "82 mines on 9 x 9 cells are no game"),
        (["simulate", "--terminal", "--look", "dark"], "--look has no effect with --terminal"),
        (["simulate", "--terminal"], "--terminal needs a terminal"),
        (["simulate", "--terminal", "--solver", "oracle"], "there is no solver 'oracle'"),
        (["replay", "nothing"], "there is no nothing"),
        (["lab", "graphs", "pie", "-o", "."], "there is no graph 'pie'; there are: digs-by-size"),
        *(
            pytest.param(arguments, "no display", marks=pytest.mark.linux)
            for arguments in (
                [],
                ["simulate"],
                ["replay", "."],
                ["learn", "--window", "Mines"],
                ["play", "--window", "mines"],
            )
        ),
    ],
)
def test_invalid_command_is_reported(
    bot: Bot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    """In words, on the error stream, with an exit code, and never as a traceback."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.png").write_text("no picture")
    cv2.imwrite("plain.png", np.full((300, 400, 3), 90, np.uint8))
    run = bot(*arguments)
    assert run.returncode != 0
    assert said in run.stderr
    assert "Traceback" not in run.stderr


def test_a_broken_skin_is_left_out_and_deleted(bot: Bot, tmp_path: Path) -> None:
    """It is named, with what can be done, by `doctor` too; the picture is read all the same.

    A skin in place of a bundled one is used and named: a later version may bundle one of a name
    that the user has chosen.
    """
    shutil.copytree(BUNDLED / "winemine", tmp_path / "skins" / "winemine")
    folder = tmp_path / "skins" / "mine"
    folder.mkdir(parents=True)
    (folder / "skin.toml").write_text("name = 'mine'")
    path, board = a_frame()
    run = bot("read", str(path))
    assert run.returncode == 0
    assert board.rows_text() in run.stdout
    assert "a skin was skipped" in run.stderr
    assert f"{Path('mine', 'skin.toml')}: 'program' is missing" in run.stderr
    (tmp_path / "log").write_text("no folder")
    printed = bot("doctor").stdout
    assert "your own 'winemine' is used instead of the bundled one" in printed
    assert "learn --forget winemine" in printed
    # The command is not folded, so that it can be copied.
    (remedy,) = [line for line in printed.splitlines() if line.startswith("unusable skin: ")]
    assert "delete a skin of your own: minesweeper-bot learn --forget NAME." in remedy
    assert "cannot be written" in printed.partition("log ")[2]
    run = bot("learn", "--forget", "mine")
    assert run.returncode == 0, run.stderr
    assert f"Skin 'mine' deleted: {folder}" in run.stdout
    assert not folder.exists()


def test_a_broken_setting_is_named(bot: Bot, tmp_path: Path) -> None:
    """The file, the unknown key and what to do."""
    (tmp_path / "settings.toml").write_text("colour = 'red'\n")
    run = bot("play", "--games", "1")
    assert run.returncode == 1
    assert "settings.toml: unknown setting 'colour'" in run.stderr


def test_an_audit_that_finds_something_ends_non_zero(bot: Bot, tmp_path: Path) -> None:
    """One hint changed in one line: named with its turn."""
    folder = tmp_path / "spoiled"
    shutil.copytree(RECORDED, folder)
    assert bot("audit", str(folder)).returncode == 0
    path = folder / "turns.jsonl"
    lines = path.read_text("utf-8").splitlines()
    turn = json.loads(lines[3])
    row = next(number for number, text in enumerate(turn["board"]) if "2" in text)
    turn["board"][row] = turn["board"][row].replace("2", "5", 1)
    lines[3] = json.dumps(turn)
    path.write_text("\n".join(lines) + "\n")
    run = bot("audit", str(folder))
    assert run.returncode == 1
    assert "turn 3" in run.stdout
    assert "was read as 5" in run.stdout


@pytest.mark.parametrize(("animation", "seconds"), [(0.0, PATIENCE), (0.5, 10.0), (3.0, 60.0)])
def test_a_slow_program_is_waited_for(animation: float, seconds: float) -> None:
    """A tile is unread after a twentieth of the patience: not before its animation is over."""
    skin = next(skin for skin in SkinLibrary().skins() if skin.name == "winemine")
    assert patience_of(skin.model_copy(update={"animation": animation})) == seconds


def test_the_history_is_printed(bot: Bot, tmp_path: Path) -> None:
    """A line a program, solver and board, and one for all; as CSV a line a game; or an error."""
    assert "no games yet" in bot("history").stdout
    path = fill(tmp_path / "history.sqlite", 80)
    printed = bot("history").stdout
    with History.to_read(path) as history:
        chosen = Filter(program="winemine", solver="exact", size=history.choices().sizes[0][0])
        played = len(history.numbers(chosen))
    assert re.search(rf"winemine\W+exact\W+\w+\W+{played} ", printed)
    assert re.search(r"all\W+80 ", printed)
    out = tmp_path / "games.csv"
    assert bot("history", "--csv", str(out)).stdout == f"80 games: {out}\n"
    with out.open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 80
    path.write_text("no database" * 100)
    run = bot("history")
    assert run.returncode == 1
    assert "was not changed. Move it away" in run.stderr
    assert "Traceback" not in run.stderr
