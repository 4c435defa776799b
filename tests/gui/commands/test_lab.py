"""The laboratory's commands, as a user gives them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import cv2
import pytest

from bot.lab.results import read_results
from tests.gui.commands.conftest import Bot
from tests.gui.lab.pages import results

pytestmark = pytest.mark.long  # each run starts a worker


def lab(bot: Bot, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `minesweeper-bot lab` on small boards."""
    return bot("lab", "--workers", "1", *arguments)


@pytest.mark.usefixtures("qapp")
def test_a_table_a_file_and_a_graph(bot: Bot, tmp_path: Path) -> None:
    """Both solvers on the same boards, their difference, a file that goes on, and its picture."""
    out = results(tmp_path / "results.jsonl", ("exact", "human"))
    before = out.read_bytes()
    run = lab(bot, "-s", "exact,human", "--size", "6x6x6", "-o", str(out), "-n", "20")
    assert run.returncode == 0, run.stderr
    assert "continuing after 24 games" in run.stdout
    for words in ("6 x 6, 6 mines", "exact", "human", "McNemar p", "games/s"):
        assert words in run.stdout
    assert out.read_bytes().startswith(before)
    assert len(read_results(out).outcomes) == 40
    picture = tmp_path / "results.png"
    drawn = bot("lab", "plot", str(out), "-s", "human", "-o", str(picture))
    assert drawn.returncode == 0, drawn.stderr
    assert cv2.imread(str(picture)).std() > 5
    wrong = bot("lab", "plot", str(picture))
    assert wrong.returncode == 1
    assert "is no result" in wrong.stderr


@pytest.mark.slow
def test_boards_of_a_file_and_two_files_side_by_side(bot: Bot, tmp_path: Path) -> None:
    """One player a file, put together by `show`; another board is not added."""
    boards = tmp_path / "boards.csv"
    boards.write_text(
        "# rows=4 cols=4 mines=2\nfirst_row,first_col,mines_hex\n0,0,c000\n3,3,3\n0,3,1001\n"
    )
    files = []
    for solver in ("exact", "human"):
        files.append(str(tmp_path / f"{solver}.jsonl"))
        run = lab(bot, "-s", solver, "-n", "3", "--boards", str(boards), "-o", files[-1])
        assert run.returncode == 0, run.stderr
    shown = bot("lab", "show", *files)
    assert "compared with exact" in shown.stdout
    turned = bot("lab", "show", *files, "-s", "human, exact")
    assert "compared with human" in turned.stdout
    stranger = bot("lab", "show", *files, "-s", "local")
    assert stranger.returncode == 1
    assert "'local' has no results here; solvers with results: exact, human" in stranger.stderr
    all_of_it = lab(bot, "--boards", str(boards), "-o", str(tmp_path / "all.jsonl"))
    assert "games 3/3" in all_of_it.stdout, all_of_it.stderr
    other = lab(bot, "--size", "4x4x3", "-n", "3", "-o", files[0])
    assert other.returncode == 1
    assert "other boards" in other.stderr.replace("\n", " ")


@pytest.mark.slow
def test_games_without_a_decision(bot: Bot, tmp_path: Path) -> None:
    """Nothing but mines: no time was taken, and nothing was said on the way."""
    out = tmp_path / "results.jsonl"
    run = lab(bot, "--size", "3x3x9", "-n", "1", "-o", str(out))
    assert run.returncode == 0
    assert run.stderr == ""
    assert "nan" not in run.stdout
    assert "inf" not in run.stdout


@pytest.mark.slow
def test_the_game_of_digging(bot: Bot, tmp_path: Path) -> None:
    """All hunters; digs instead of wins."""
    out = tmp_path / "digs.jsonl"
    asked = ("--game", "digging", "-s", "all", "--size", "6x6x6", "-n", "4")
    run = lab(bot, *asked, "-o", str(out))
    assert run.returncode == 0, run.stderr
    for words in ("algorithm-b", "unproved digs", "100.00%", "digs less its digs"):
        assert words in run.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-s", "nobody"], "no solver 'nobody'; there are: lookahead"),
        (["-s", " , "], "name at least one solver"),
        (["-s", "exact", "--game", "digging"], "no hunter 'exact'; there are: "),
        (["--game", "chess"], "no game 'chess'"),
        (["--level", "hard"], "'hard' is not one of 'beginner', 'intermediate', 'expert'"),
        (["--size", "4x4"], "COLSxROWSxMINES"),
        (["--size", "4x4x17"], "17 mines on 4 x 4 cells are no game"),
        (["--boards", "none.csv"], "none.csv is not a file"),
        (
            ["--boards", "none.csv", "--first-click", "zero"],
            "cannot be combined with --first-click",
        ),
        pytest.param(
            ["--scheduler", "tcp://127.0.0.1:9"],
            "no scheduler answers at tcp://127.0.0.1:9",
            marks=pytest.mark.linux,
        ),
        (["-o", "nowhere/at/all.jsonl"], "cannot be written"),
    ],
)
def test_invalid_arguments_are_reported(
    bot: Bot, tmp_path: Path, arguments: list[str], said: str
) -> None:
    """Before anything is played, and nothing is left behind."""
    run = lab(bot, "-n", "2", "-o", str(tmp_path / "out.jsonl"), *arguments)
    assert run.returncode in (1, 2)
    printed = " ".join(run.stderr.replace("│", " ").split())
    assert said in printed
    assert "Traceback" not in run.stderr
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("qapp")
def test_graphs_are_drawn(bot: Bot, tmp_path: Path) -> None:
    """A picture with something on it, a table, and a file that can go on."""
    run = bot("lab", "graphs", "digs-by-size", "-n", "1", "--workers", "1", "-o", str(tmp_path))
    assert run.returncode == 0, run.stderr
    picture = cv2.imread(str(tmp_path / "digs-by-size.png"))
    assert picture is not None
    assert len({tuple(colour) for colour in picture[::8, ::8].reshape(-1, 3).tolist()}) > 5
    assert "tiles dug" in run.stdout
    assert (tmp_path / "digs-by-size.jsonl").exists()
