"""The log file: who reads it, who writes it, and what an error report has of it."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

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


LOGS = """
import logging, threading
from gui.logfile import start_logging
start_logging()
thread = threading.Thread(target=lambda: {}["secret"], name="reader")
thread.start(); thread.join()
hostile = "x\\x1b[31m\\n2026-01-01 INFO gui: all is well\\u202e"
try:
    raise ValueError(hostile)
except ValueError:
    logging.getLogger("gui").exception("title %s", hostile)
"""


def test_a_process_writes_a_file_of_its_own(home: Path) -> None:
    """An error that ends a thread, without its message, which may hold a title of a window.

    Control characters are left out; a title with a line break stays in its line. Forty files are
    kept.
    """
    folder = home / "log"
    folder.mkdir()
    for number in range(50):
        old = folder / f"{number}.log"
        old.touch()
        os.utime(old, (number, number))
    run = [sys.executable, "-c", LOGS]
    subprocess.run(run, env=environment(home), check=True, capture_output=True)
    written = newest_log(home)
    ended, titled, *others = written.read_text("utf-8").splitlines()
    assert "ERROR gui: KeyError in reader" in ended
    assert "<lambda>" in ended
    assert "secret" not in ended
    assert titled.endswith("gui: title x 2026-01-01 INFO gui: all is well")
    assert len(others) > 2
    assert all(line.startswith("    ") for line in others)
    assert os.name == "nt" or written.stat().st_mode & 0o777 == 0o600
    assert {path.name for path in folder.iterdir()} == {
        written.name,
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


@pytest.mark.long
def test_verbose_logs_why_nothing_was_found(home: Path) -> None:
    """Write what was seen of a screenshot to the file and to standard error, if it is wanted.

    Else the kind of an error is logged, without its message, which may name a window. The option
    stands before the command's name, or among its own.
    """
    quiet = bot(home, "read", "nothing.png")
    assert quiet.returncode == 1
    text = newest_log(home).read_text("utf-8")
    assert "ERROR gui.failures: ImageError" in text
    assert "nothing.png" not in text
    assert "DEBUG" not in quiet.stderr + text
    newest_log(home).unlink()
    bot(home, "--verbose", "read", "nothing.png")
    assert "nothing.png" in newest_log(home).read_text("utf-8")
    newest_log(home).unlink()
    detailed = bot(home, "read", "--verbose", str(a_frame()[0]))
    for text in (detailed.stderr, newest_log(home).read_text("utf-8")):
        assert "DEBUG vision.finder: Lattice at" in text
        assert text.count("Skin 'winemine' at") == 1


@pytest.mark.long
def test_a_log_that_cannot_be_written_is_reported_once(home: Path) -> None:
    """The command does its work; the reason is printed in one line."""
    (home / "log").write_text("no folder")
    run = bot(home, "history")
    assert "no games yet" in run.stdout
    assert run.stderr.count("cannot be written") == 1
    assert "Traceback" not in run.stderr


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
