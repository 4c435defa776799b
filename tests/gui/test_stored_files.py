"""Files that version 0.1.0 wrote, in `tests/stored/`, are read as they were written.

They are never written again: what a later version cannot read of them, it cannot read of a user's.
"""

from __future__ import annotations

import shutil
import tomllib
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from bot.game import Rules
from bot.planner import Style
from gui import settings
from gui.games.film import load_film
from gui.history import store
from gui.history.schema import history_file
from gui.lab.runs import Order as LabOrder
from gui.lab.runs import find_runs
from gui.panel.jobs import Progress
from gui.settings import AfterDialog, AfterGame, Settings, lab_folder
from tests.gui.history.made import GAME
from vision import skins
from vision.sessions.summaries import summarise

STORED = Path(__file__).parents[1] / "stored"
SESSION = "2026-11-23T13-16-56"
GAMES = (
    replace(
        GAME,
        started=datetime.fromisoformat("2026-11-23T14:00:00+02:00"),
        seconds=8.25,
        result=store.Result.LOST,
        guesses=1,
        first_tile=1,
        session=SESSION,
        worst_guess=0.5,
    ),
    store.Entry(
        started=datetime.fromisoformat("2026-11-23T12:01:00+00:00"),
        program="mine",
        window="Minen \N{SNOWMAN}",
        rows=9,
        cols=9,
        mines=10,
        level="",
        rules=Rules.DIGGING,
        solver="hunter",
        style="hunt",
        player=store.Player.USER,
        whole=False,
        seconds=3.5,
        result=store.Result.STOPPED,
        turns=4,
        clicks=9,
        guesses=0,
        digs=12,
        three_bv=None,
        first_click=None,
        first_tile=None,
        session="",
        note="the tile at row 3, column 4 cannot be read",
    ),
)

GUESSES = [store.Guess(0.20625, hit=False, first=True), store.Guess(0.5, hit=True, exact=False)]
"""Of the first game."""


@pytest.fixture(autouse=True)
def home(home: Path) -> Path:
    """A copy of the files, as the program's own folder."""
    return Path(shutil.copytree(STORED, home))


def test_the_settings_are_read(home: Path) -> None:
    """Every setting; saved again, the file has all of them still."""
    chosen = Settings(
        solver="exact",
        digging=True,
        style=Style.FLAGS,
        games=None,
        mines=40,
        level="expert",
        record=False,
        marks=False,
        pace=2.5,
        think=1.5,
        after_win=AfterGame.PAUSE,
        after_loss=AfterGame.STOP,
        after_dialog=AfterDialog.PAUSE,
        sessions="~/games",
        keep_sessions=7,
        keep_megabytes=50,
        stop_key="Pause",
        theme="dark",
    )
    assert settings.load() == chosen
    settings.save(chosen)
    stored = tomllib.loads((STORED / "settings.toml").read_text("utf-8"))
    assert stored.items() <= tomllib.loads((home / "settings.toml").read_text("utf-8")).items()


def test_the_history_is_read(home: Path) -> None:
    """Its games and their guesses; it is upgraded once, and read without a change from then on."""
    with store.History.to_read(history_file()) as history:
        numbers = history.numbers(order=store.Order(falling=False)).tolist()
        assert tuple(history.entries(numbers).values()) == GAMES
        assert [history.guesses(number) for number in numbers] == [
            GUESSES,
            [],
        ]
        assert history.puzzles() == history.unsearched() == []
    upgraded = (home / "history.sqlite").read_bytes()
    with store.History.to_read(history_file()) as history:
        assert tuple(history.entries(numbers).values()) == GAMES
    assert (home / "history.sqlite").read_bytes() == upgraded
    # It is continued: a game is added to those of the earlier version, and one is deleted.
    with store.History.to_write(history_file()) as history:
        history.add([(GAMES[0], GUESSES)])
        history.forget([1])
        assert tuple(history.entries([1, 2, 3]).values()) == GAMES[::-1]


def test_the_skin_is_read() -> None:
    """One that was learned, with all that is known of its program."""
    shelf = skins.SkinLibrary()
    (skin,) = (skin for skin in shelf.skins() if skin.name == "mine")
    assert (shelf.broken, shelf.folders["mine"]) == ((), skins.user_folder() / "mine")
    assert (skin.program, skin.title, skin.window_class) == (skins.LEARNED, "Minefield", "Tk")
    assert skin.restart == skins.Restart(
        key="f2", face=skins.Face(anchor="top", x=0.0, y=-1.5, width=1.5, height=1.5)
    )
    assert skin.dialog == (skins.Dialog(title="Game over", key="enter"),)
    assert (skin.chord, skin.hold, skin.stay, skin.counter) == ("double", 0.03, 0.1, "left")
    assert (skin.levels, skin.flood, skin.keys_allowed) == ({"9x9": (9, 9, 10)}, "orthogonal", True)
    assert skin.confirmed == {"restart": 5, "chord": 4, "hold": 1, "stay": 2, "flood": 3}
    assert len(skin.pictures) == 15


def test_the_recorded_game_is_read(home: Path) -> None:
    """Its summary, its turns and their pictures."""
    folder = home / "sessions" / SESSION
    summary = summarise(folder)
    assert (summary.result, summary.turns, summary.problem) == ("won", 6, "")
    film = load_film(folder, Progress(lambda _share, _words: None))
    assert (len(film), film.problems, film.guesses()) == (6, {}, ())
    for index in range(len(film)):
        turn = film.session.turn(index)
        assert turn.reading.board.tiles.shape == (9, 9)
        assert turn.reading.frame.image.shape == (206, 168, 3)


def test_the_laboratory_run_is_read() -> None:
    """Its results and the order by which it can be resumed."""
    (run,) = find_runs(lab_folder())
    assert (run.path.stem, run.label, run.games, run.whole) == ("beginner", "beginner", 4, True)
    assert run.order == LabOrder(
        players=("exact", "local"), games=2, level="beginner", nodes=1000, workers=1, seed=5
    )
