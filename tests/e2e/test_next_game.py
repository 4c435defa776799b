"""How the next game of an unknown program starts, and what is done about its dialogs."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

import pytest

from gui.private_screen import PrivateScreen
from tests.support.family.options import Options
from tests.support.forked import PYTHON
from tests.support.programs import Running, start
from tests.support.runs import environment
from tests.support.xclient import Keyboard, Mice, wait_until
from vision.desktop import desktop
from vision.skins import Restart, Skin, load_skin

_PLAY = """
import sys
from gui.runner.backend import Desktop
from tests.support.operators import Unattended
from gui.questions import ByUser, ClickAt, PressKey, ProgramQuestion, Yes
from gui.settings import Settings

title, games, mines, said = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
answers = {"me": ByUser(), "close": Yes(), "leave": None}

def say(*words):
    print(*words, flush=True)

def ask(question):
    if not isinstance(question, ProgramQuestion):
        say("TILE", *question.cells[0])
        return None
    say("ASKED", len(question.buttons), question.title)
    answer = said.pop(0) if len(said) > 1 else said[0]
    if answer.startswith("key "):
        return PressKey(answer.removeprefix("key "))
    if answer == "click":
        return ClickAt(*max(question.buttons).center)
    return answers[answer]

class Operator(Unattended):
    can_answer = True

    def ask(self, question, around=None):
        return ask(question)

    def report(self, waiting):
        say("TOLD", waiting)

try:
    settings = Settings(games=games, mines=mines, assume_yes=True)
    for turn in Desktop().play(title, lambda: settings, Operator()):
        if turn.reading.status.over:
            say("OVER", turn.reading.status.value)
except Exception as error:
    say("ENDED", type(error).__name__, error)
"""
"""In a process of its own: the mouse stays with the display that it found first."""
_SECONDS = 300.0
MINES = 6
"""Few, so that no game needs a guess."""


@contextmanager
def opened(
    screen: PrivateScreen, folder: Path, toolkit: str = "tk", *, browser: bool = False, **more: Any
) -> Iterator[Running]:
    """Open a program whose first click opens a region; `more` are its further options."""
    usual = {"art": "flat", "board": f"9x9x{MINES}", "button": "text", "counter": "text",
             "clock": False, "first": "zero", "title": f"{toolkit} Minesweeper"}  # fmt: skip
    options = Options(toolkit, **(usual | more))
    with start(options, screen.environment, folder / toolkit, 1, browser=browser) as game:
        yield game


class Play:
    """A run in a process of its own, on an unknown program.

    Args:
        screen: Where.
        game: What is played.
        home: Where the player keeps its things.
        games: To play.
        answers: To the questions about the program, the last one to all others: 'me', 'leave',
            'key NAME', or 'click' for the button farthest to the right.
    """

    def __init__(
        self, screen: PrivateScreen, game: Running, home: Path, games: int, *answers: str
    ) -> None:
        arguments = [game.title, str(games), str(MINES), *answers]
        self.home = home
        self._printed = home / "printed.txt"
        home.mkdir(parents=True, exist_ok=True)
        with self._printed.open("wb") as output:
            self.process = subprocess.Popen(
                [*PYTHON, "-c", _PLAY, *arguments],
                env=environment(home, screen),
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def lines(self, kind: str) -> list[str]:
        """What it has said of a kind so far."""
        text = self._printed.read_text(errors="replace").splitlines()
        return [line for line in text if line.startswith(kind)]

    def wait_for(self, kind: str, count: int = 1) -> None:
        """Wait until it has said so many lines of a kind."""

        def said() -> bool:
            done = len(self.lines(kind)) >= count
            assert done or self.process.poll() is None, self._printed.read_text("utf-8")
            return done

        wait_until(said, _SECONDS)

    def finish(self) -> None:
        """Wait until it has ended."""
        self.process.wait(_SECONDS)

    @property
    def skins(self) -> list[Skin]:
        """What it has learned and kept."""
        return [load_skin(path.parent) for path in sorted(self.home.glob("skins/*/skin.toml"))]

    def __str__(self) -> str:
        return self._printed.read_text("utf-8")


def played(
    screen: PrivateScreen, game: Running, home: Path, games: int = 1, answer: str = "leave"
) -> Play:
    """Play to the end of the run."""
    with Play(screen, game, home, games, answer) as play:
        play.finish()
    return play


def played_unasked(screen: PrivateScreen, game: Running, home: Path, games: int = 3) -> Play:
    """Play to the end of the run, and check that no question about the program was asked."""
    play = played(screen, game, home, games)
    assert len(play.lines("OVER")) == games, str(play)
    assert play.lines("ASKED") == play.lines("ENDED") == []
    return play


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"button": "none", "menu": "New game"}, id="menu"),
        pytest.param({"end": "dialog", "closes": "Play again"}, id="dialog"),
    ],
)
def test_what_says_that_it_starts_the_next_game_is_clicked(
    tmp_path: Path, screen: PrivateScreen, options: dict[str, str]
) -> None:
    """An entry of a menu, which is kept with its menu, or a dialog's button. No key is sent."""
    with opened(screen, tmp_path, **options) as game:
        play = played_unasked(screen, game, tmp_path / "bot", games=4)
        assert game.events("key") == [], str(play)
    (skin,) = play.skins
    assert bool(skin.restart.menu) is ("menu" in options)


@pytest.mark.parametrize("dialog", ["none", "messagebox"])
def test_a_game_that_ends_when_its_mines_are_flagged(
    dialog: str, tmp_path: Path, screen: PrivateScreen
) -> None:
    """All safe cells are open, and nothing starts a game: flags are set, and kept for later ones.

    The user is not asked. The click on the finished board opens a cell of the next game, or the end
    of a dialog begins it.
    """
    with opened(screen, tmp_path, button="none", by_flags=True, end=dialog) as game:
        play = played_unasked(screen, game, tmp_path / "bot")
        assert [end["won"] for end in game.events("end")] == [True] * 3, str(play)
    assert play.lines("TILE") == []
    (skin,) = play.skins
    assert skin.flags_to_win


@pytest.mark.parametrize("end", ["withdrawn", "levels"])
def test_a_message_leads_to_the_next_game(end: str, tmp_path: Path, screen: PrivateScreen) -> None:
    """A win hides the window behind it, or a menu of levels follows it in place of the board."""
    # Tk shows the message in the middle of the screen, and a window at another place is no dialog.
    with opened(screen, tmp_path, button="none", end=end, position="+540+300") as game:
        play = played_unasked(screen, game, tmp_path / "bot")
        assert any(end["won"] for end in game.events("end")), str(play)
    assert play.lines("TILE") == []


@pytest.mark.slow
def test_the_user_starts_the_next_game(tmp_path: Path, screen: PrivateScreen) -> None:
    """They are told that they are waited for, after each game, and asked once."""
    with (
        opened(screen, tmp_path, button="two", text="Deal") as game,
        Play(screen, game, tmp_path / "bot", 3, "me") as play,
        Mice() as mouse,
    ):
        for number in (1, 2):
            play.wait_for("TOLD Start the next game in", number)
            mouse.send(*game.button)
            mouse.send_click()
        play.finish()
        assert game.events("key") == [], str(play)
    assert len(play.lines("OVER")) == 3, str(play)
    assert play.lines("ASKED") == ["ASKED 2 How does the next game start?"]
    assert [skin.restart for skin in play.skins] == [Restart()]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "answer"),
    [
        pytest.param({"button": "none", "key": "n"}, "key n", id="key"),
        pytest.param({"button": "two", "text": "Deal"}, "click", id="click"),
        # A text below the board may end the program: it is clicked once the user has chosen it.
        pytest.param({"button": "below", "text": "Deal"}, "click", id="below"),
    ],
)
def test_what_the_user_answers_is_kept_at_once(
    tmp_path: Path, screen: PrivateScreen, options: dict[str, str], answer: str
) -> None:
    """It starts the next game, and those of later runs, which ask no more."""
    with opened(screen, tmp_path, **options) as game:
        play = played(screen, game, tmp_path / "bot", games=2, answer=answer)
        assert len(play.lines("OVER")) == 2, str(play)
        assert len(play.lines("ASKED")) == 1, str(play)
        (skin,) = play.skins
        assert (skin.restart.key, skin.restart.face is None) == (
            ("n", True) if answer == "key n" else (None, False)
        )
        again = played(screen, game, tmp_path / "bot", games=2)
        # The board shows the end of the last game at first.
        assert len(again.lines("OVER")) >= 2, str(again)
        assert again.lines("ASKED") == again.lines("ENDED") == []
        assert {event["key"] for event in game.events("key")} <= {"n"}


@pytest.mark.slow
def test_a_game_is_counted_before_its_dialog_is_met(tmp_path: Path, screen: PrivateScreen) -> None:
    """The board is read beneath the dialog, whose text and button are offered. No key is sent."""
    with opened(screen, tmp_path, end="dialog", closes="Quit") as game:
        play = played(screen, game, tmp_path / "bot", games=2)
        assert game.events("key") == [], str(play)
        assert [event["shown"] for event in game.events("dialog")] == [True]
    assert len(play.lines("OVER")) == 1, str(play)
    assert play.lines("ASKED") == ["ASKED 2 How is 'Game over' closed?"]
    assert play.lines("ENDED")[0].startswith("ENDED LeftOpen the game has opened the window")
    assert len(play.skins) == 1


@pytest.mark.parametrize(
    "position",
    [
        "+160+130",
        pytest.param("+120+90", id="exactly over the last one", marks=pytest.mark.slow),
        pytest.param("+600+90", marks=pytest.mark.slow),
    ],
)
def test_a_next_game_may_have_a_window_of_its_own(
    position: str, tmp_path: Path, screen: PrivateScreen
) -> None:
    """The last one stays open; none of the next one's texts and buttons is clicked."""
    with opened(screen, tmp_path, windows=position, label="Bombs") as game:
        play = played_unasked(screen, game, tmp_path / "bot")
        clicks = [event["did"] for event in game.events("click")]
        assert clicks.count("button") == len(game.events("begin")) - 1 == 2, str(play)
        assert clicks.count("nothing") == 0, str(play)


@pytest.mark.slow
def test_the_user_closes_the_dialog(tmp_path: Path, screen: PrivateScreen) -> None:
    """They are told which; the run goes on when it is gone, and does not ask again."""
    with (
        opened(screen, tmp_path, end="dialog", closes="Quit") as game,
        Play(screen, game, tmp_path / "bot", 3, "me") as play,
        Keyboard() as keyboard,
    ):
        for number in (1, 2):
            play.wait_for("TOLD the game has opened the window 'Game over'", number)
            dialog = next(one for one in desktop().list_windows() if "Game over" in one.title)
            desktop().activate(dialog)
            wait_until(lambda: (seen := desktop().focused()) is not None and "over" in seen.title)
            keyboard.press("Return")
        play.finish()
        assert len(game.events("key")) == 2
    assert len(play.lines("OVER")) == 3, str(play)
    assert len(play.lines("ASKED")) == 1


@pytest.mark.slow
def test_what_was_said_of_a_window_does_not_hold_for_another(
    tmp_path: Path, screen: PrivateScreen
) -> None:
    """One of the same kind, taken after the first was closed: how its next game starts is asked."""
    deal = {"button": "two", "text": "Deal"}
    other = {**deal, "title": "tk Minesweeper, another", "position": "+600+100"}
    with ExitStack() as first:
        game = first.enter_context(opened(screen, tmp_path, **deal))
        with Play(screen, game, tmp_path / "bot", 3, "me", "leave") as play:
            play.wait_for("TOLD Start the next game in")
            with opened(screen, tmp_path / "other", **other):
                first.close()
                play.wait_for("ENDED")
    assert len(play.lines("ASKED")) == 2, str(play)
    assert play.lines("ENDED")[0].startswith("ENDED LeftOpen"), str(play)


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["click", "key return", "close"])
def test_an_answer_about_the_dialog_is_kept(
    tmp_path: Path, screen: PrivateScreen, answer: str
) -> None:
    """Given once, it closes the dialogs of all games, in the next run too."""
    with opened(screen, tmp_path, end="dialog", closes="Quit") as game:
        play = played(screen, game, tmp_path / "bot", games=2, answer=answer)
        keys = {event["key"] for event in game.events("key")}
        assert keys == ({"Return"} if answer == "key return" else set()), str(play)
        assert len(play.lines("OVER")) == 2, str(play)
        assert len(play.lines("ASKED")) == 1
        again = played(screen, game, tmp_path / "bot", games=2)
        assert again.lines("ASKED") == [], str(again)
        # The board shows the end of the last game at first.
        assert len(again.lines("OVER")) >= 2, str(again)


@pytest.mark.slow
def test_a_dialog_that_opens_again_is_not_sent_keys_for_ever(
    tmp_path: Path, screen: PrivateScreen
) -> None:
    """The key that the user named opens the next dialog: after three the user is asked again."""
    with opened(screen, tmp_path, end="endless", closes="Quit") as game:
        with Play(screen, game, tmp_path / "bot", 2, "key return", "leave") as play:
            play.wait_for("ENDED")
        assert len(game.events("key")) == 3, str(play)
    assert len(play.lines("ASKED")) == 2, str(play)
    assert play.lines("ENDED")[0].startswith("ENDED LeftOpen")


@pytest.mark.slow
@pytest.mark.parametrize(("face", "browser"), [("left", True), ("right", False)])
def test_a_page_is_not_loaded_again(
    tmp_path: Path, screen: PrivateScreen, face: str, browser: bool
) -> None:
    """The face above the board starts its next game, wherever it is; no key is sent."""
    page = {"above": 60, "below": 800, "button": face, "chord": "click"}
    with opened(screen, tmp_path, "html", browser=browser, **page) as game:
        play = played_unasked(screen, game, tmp_path / "bot")
        assert game.events("key", "leave") == [], str(play)


@pytest.mark.slow
def test_a_browsers_buttons_are_left_alone(tmp_path: Path, screen: PrivateScreen) -> None:
    """With the page's own buttons scrolled away the tool bar lies right above the board."""
    page = {"above": 400, "below": 800, "scroll": 472, "button": "left", "chord": "click"}
    with opened(screen, tmp_path, "html", browser=True, **page) as game:
        play = played(screen, game, tmp_path / "bot", games=2)
        assert game.events("key", "leave") == [], str(play)
        open_windows = [one for one in desktop().list_windows() if "Chromium" in one.class_name]
        assert len(open_windows) == 1
    assert len(play.lines("ASKED")) == 1, str(play)
    assert play.lines("ENDED")[0].startswith("ENDED LeftOpen the run ended after this game")
