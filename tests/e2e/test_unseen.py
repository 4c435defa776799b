"""Real programs whose skins are left out: found, learned and played by the whole program."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from gui.private_screen import PrivateScreen
from tests.support.boards import SESSIONS
from tests.support.forked import PYTHON, bot
from tests.support.games import start
from tests.support.readings import recorded_boards
from tests.support.real_programs import PROGRAMS
from tests.support.runs import audited, environment, finished, sessions
from tests.support.shown import require, windows_shown
from vision.sessions import load_session
from vision.skins import load_skin

_PLAY = """
import sys
from gui.runner.backend import Desktop
from tests.support.operators import Unattended
from gui.questions import PressKey, ProgramQuestion
from gui.settings import Settings
from vision.matcher import Matcher
from vision.skins import user_folder

title, left_out, games = sys.argv[1], sys.argv[2], int(sys.argv[3])

class Without(Desktop):
    @property
    def skins(self):
        return tuple(skin for skin in super().skins if skin.name != left_out)

user = Matcher(next(skin for skin in Desktop().skins if skin.name == left_out))
desktop = Without()
asked = []

class Operator(Unattended):
    can_answer = True

    def ask(self, question, around=None):
        if isinstance(question, ProgramQuestion):
            return PressKey("n")
        asked.append(int(user.match(question.picture[None])[0][0]))
        return asked[-1]

ended = 0
settings = Settings(games=None, assume_yes=True)
for turn in desktop.play(title, lambda: settings, Operator()):
    ended += turn.reading.status.over
    if ended >= games and user_folder().is_dir():
        break
print("asked", *asked)
"""
"""In a process of its own: the mouse stays with the display that it found first. Who is asked
knows the skin that was left out."""


@pytest.mark.slow
@pytest.mark.parametrize("program", ["winemine", "sgt-mines"])
def test_a_program_never_seen_is_played(tmp_path: Path, program: str) -> None:
    """Three games, the next one started by the face, or by a key that is asked for; nothing wrong.

    The skin is kept.

    No kind of tile is asked about twice. Games that were lost at once taught too little: then
    there are more of them.
    """
    require(program)
    title = PROGRAMS[program].title
    with (
        PrivateScreen(1600, 900) as screen,
        start(program, "beginner", screen.environment, tmp_path / "program") as game,
    ):
        assert windows_shown(screen.environment, title, program=game)
        run = finished(
            [*PYTHON, "-c", _PLAY, title, program, "3"], environment(tmp_path, screen), 300
        )
    assert run.returncode == 0, run.stdout + run.stderr
    asked = run.stdout.splitlines()[-1].split()[1:]
    assert len(asked) == len(set(asked)), asked
    audit = audited(sessions(tmp_path))
    assert audit.findings == []
    assert audit.won + audit.lost >= 3
    (folder,) = (tmp_path / "skins").iterdir()
    learned = load_skin(folder)
    assert learned.learned
    restart = learned.restart
    assert (restart.key, restart.face is None) == {"winemine": (None, False)}.get(
        program, ("n", True)
    )
    assert learned.mines_of(9, 9) == 10


def test_learn_teaches_what_read_then_knows(tmp_path: Path) -> None:
    """Screenshots of an unknown program: another colour, another size, one game."""
    folder = SESSIONS / "winemine-intermediate-won"
    session = load_session(folder)
    pictures = []
    for number, record in enumerate(session.records[:4]):
        image = cv2.imread(str(folder / record.frame))
        assert image is not None
        turned = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
        turned[..., 0] = (turned[..., 0].astype(int) + 70) % 180
        image = cv2.cvtColor(turned, cv2.COLOR_HSV2BGR)
        image = cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)
        path = tmp_path / f"{number}.png"
        cv2.imwrite(str(path), image)
        pictures.append(str(path))
    taught = bot(tmp_path, "learn", *pictures, "--name", "violet", "--mines", "40")
    assert taught.returncode == 0, taught.stdout + taught.stderr
    assert "Skin 'violet' saved to" in taught.stdout
    read = bot(tmp_path, "read", pictures[3])
    assert read.returncode == 0, read.stdout + read.stderr
    assert "skin 'violet'" in read.stdout
    assert list(recorded_boards(session))[3].rows_text() in read.stdout
