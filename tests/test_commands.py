"""The command line: what needs no window, and the words for what cannot be done."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.board import Board
from gui.private_screen import PrivateScreen
from tests.boards import SESSIONS
from tests.test_play import bot, simulated
from vision.recording import load_session

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
