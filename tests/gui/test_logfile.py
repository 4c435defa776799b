"""The log file: who reads it, who writes it, and what an error report has of it."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from PyQt6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from bot.board import Board, Cell
from bot.effects import find_problem
from bot.unread import Cause, Unread
from bot.waiting import BoardNotSettled
from gui.failures import Failure, describe
from gui.logfile import last_lines, log_file
from gui.panel.banner import Banner
from tests.gui.commands.test_commands import a_frame
from tests.support.boards import reading_of
from tests.support.forked import bot
from tests.support.runs import environment
from vision.capture import load_image
from vision.files import HOME_VARIABLE


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for the program's files."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    return tmp_path


def newest_log(home: Path) -> Path:
    """The file of the process that began to log last."""
    return max((home / "log").iterdir(), key=lambda path: path.stat().st_mtime_ns)


def logged(home: Path, script: str) -> str:
    """What a process that starts logging and runs a script writes to the file."""
    begin = "import logging; from gui.logfile import start_logging; start_logging()\n"
    run = [sys.executable, "-c", begin + script]
    subprocess.run(run, env=environment(home), check=True, capture_output=True)
    return newest_log(home).read_text("utf-8")


def test_an_error_that_ends_a_thread_is_logged(home: Path) -> None:
    """With its place, but without its message, which may hold a title of a window."""
    text = logged(
        home,
        "import threading\n"
        "thread = threading.Thread(target=lambda: {}['title'], name='reader')\n"
        "thread.start(); thread.join()",
    )
    (line,) = text.splitlines()
    assert "ERROR gui: KeyError in reader" in line
    assert "<lambda>" in line
    assert "title" not in line
    assert os.name == "nt" or newest_log(home).stat().st_mode & 0o777 == 0o600


def test_the_oldest_files_are_deleted(home: Path) -> None:
    """Each process has a file of its own; forty are kept."""
    folder = home / "log"
    folder.mkdir()
    for number in range(50):
        old = folder / f"{number}.log"
        old.touch()
        os.utime(old, (number, number))
    logged(home, "logging.getLogger('gui').info('hello')")
    assert {path.name for path in folder.iterdir()} == {
        newest_log(home).name,
        *(f"{number}.log" for number in range(11, 50)),
    }


def test_the_picture_of_a_failure_shows_what_was_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The frame as it was, and beside it one with the unread cell framed and the reason below."""
    monkeypatch.setattr("gui.failures.errors_folder", lambda: tmp_path)
    reading = reading_of(Board.parse("1#~/###", 2))
    why = Unread(Cause.UNLIKE, nearest=((3, 0.5),))
    reading = replace(reading, unread={Cell(0, 2): why})
    problem = find_problem(reading, None, ())
    assert problem is not None
    assert "row 1, column 3 cannot be read. It is not like any picture of the skin" in problem
    failure = describe(BoardNotSettled(problem, reading), None)
    plain, marked = sorted(tmp_path.iterdir(), key=lambda path: len(path.name))
    assert failure.picture == marked
    assert np.array_equal(load_image(plain).image, reading.frame.image)
    image, (height, width) = load_image(marked).image, reading.frame.image.shape[:2]
    differs = (image[:height, :width] != reading.frame.image).any(axis=2)
    grid, region = reading.grid, reading.frame.region
    rows, cols = grid.row_edges(region), grid.column_edges(region)
    framed = np.argwhere(differs)
    assert framed.min(axis=0).tolist() == [rows[0], cols[2]]
    assert framed.max(axis=0).tolist() == [rows[1] - 1, cols[3] - 1]
    assert image.shape[0] > height


def test_foreign_text_imitates_no_message(home: Path) -> None:
    """Control characters are left out; a title with a line break stays in its line."""
    hostile = "x\x1b[31m\n2026-01-01 INFO gui: all is well\u202e"
    script = f"""
try:
    raise ValueError({hostile!r})
except ValueError:
    logging.getLogger("gui").exception("title %s", {hostile!r})
"""
    lines = logged(home, script).splitlines()
    assert lines[0].endswith("gui: title x 2026-01-01 INFO gui: all is well")
    assert len(lines) > 3
    assert all(line.startswith("    ") for line in lines[1:])


@pytest.mark.long
def test_verbose_logs_why_nothing_was_found(home: Path) -> None:
    """What was seen of a screenshot, to the file and to standard error; only if it is wanted."""
    path, _board = a_frame()
    quiet = bot(home, "read", str(path))
    assert "DEBUG" not in quiet.stderr + newest_log(home).read_text("utf-8")
    for words in (("--verbose", "read"), ("read", "--verbose")):
        newest_log(home).unlink()
        detailed = bot(home, *words, str(path))
        assert detailed.stdout == quiet.stdout
        for text in (detailed.stderr, newest_log(home).read_text("utf-8")):
            assert "DEBUG vision.finder: Lattice at" in text
            assert text.count("Skin 'winemine' at") == 1


@pytest.mark.long
def test_a_log_that_cannot_be_written_is_reported_once(home: Path) -> None:
    """The command does its work; the reason is printed in one line, and by `doctor`."""
    (home / "log").write_text("no folder")
    path, _board = a_frame()
    run = bot(home, "read", "--json", str(path))
    assert json.loads(run.stdout)["skin"] == "winemine"
    assert run.stderr.count("cannot be written") == 1
    assert "Traceback" not in run.stderr
    assert "cannot be written" in bot(home, "doctor").stdout.partition("log ")[2]


@pytest.mark.long
def test_an_error_of_a_command_is_logged(home: Path) -> None:
    """By its kind; the message, which may name a window, only in detail."""
    empty = home / "empty.png"
    cv2.imwrite(str(empty), np.zeros((50, 50, 3), np.uint8))
    assert bot(home, "read", str(empty)).returncode == 1
    assert "ERROR gui.failures: BoardNotFound" in newest_log(home).read_text("utf-8")
    assert "no Minesweeper board" not in newest_log(home).read_text("utf-8")


def test_a_report_ends_with_the_last_lines(qtbot: QtBot) -> None:
    """At most a hundred lines, after the message and the traceback."""
    banner = Banner()
    qtbot.addWidget(banner)
    banner.show_failure(Failure("it broke", report="Traceback: no"))
    clipboard = QGuiApplication.clipboard()
    banner.copy.click()
    assert clipboard.text().endswith("Traceback: no")
    log_file().parent.mkdir()
    times = [f"2026-11-26 10:00:00,{number:03} line" for number in range(1000)]
    for one in (0, 1):
        # Of two processes, which write in turn.
        log_file().with_suffix(f".log.{one}").write_text("\n".join(times[one::2]) + "\n")
    banner.copy.click()
    assert clipboard.text().endswith("Traceback: no\n\n" + last_lines())
    assert last_lines().splitlines() == times[900:]
    log_file().write_text((times[0] + " x" * 100 + "\n") * 10_000)
    assert len(last_lines()) < 100_000


def test_message_of_an_unexpected_error_is_only_logged_in_detail(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It may contain the title of a window."""
    caplog.set_level(logging.DEBUG, "gui")
    opened: dict[str, int] = {}
    title = "Letter " + "to Anna"
    try:
        opened[title] += 1
    except KeyError as error:
        describe(error, None)
    (brief,) = [one.getMessage() for one in caplog.records if one.levelno > logging.DEBUG]
    assert "KeyError" in brief
    assert "test_logfile.py" in brief
    assert "Anna" not in brief
    assert any("Anna" in one.getMessage() for one in caplog.records)
