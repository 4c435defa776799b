"""Programs that were never met, played by the command with a user who answers its questions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.family.options import Options
from tests.support.runs import audited, sessions
from tests.support.sampling import sampled
from tests.support.shown import require
from tests.support.unknown import Outcome, play_unknown
from vision.skins.skin import SkinFile, load_text


@pytest.mark.parametrize(
    "text",
    sampled(
        [
            "html art=colours scale=1.25 pixels=smooth button=left marks=plain",
            "html art=flat cell=20 scale=1.5 button=left end=dialog",
            "tk art=flat cell=16 button=left counter=text end=text",
            "qt art=large cell=20 scale=1.5 button=right dark=True",
        ]
    ),
)
def test_an_unknown_program_is_played(tmp_path: Path, text: str) -> None:
    """Two games of a usual level, the second one started by the command; nothing is misread."""
    options = Options.parse(text)
    require(options.toolkit)
    outcome = play_unknown(options, 2, tmp_path, ["--level", "beginner"])
    assert (outcome.found, outcome.played, outcome.code) == (True, 2, 0), outcome.printed
    assert (outcome.wrong, outcome.misplaced) == ([], 0), outcome.printed
    assert len(outcome.questions) <= 3, outcome.printed
    assert outcome.asked_restart == 0, outcome.printed


def test_cells_without_lines_are_played_once_the_board_is_marked(tmp_path: Path) -> None:
    """One question, whose answer is kept for the next run, which reads with what was learned."""
    require("tk")
    options = Options.parse("tk art=seamless board=9x9x10")
    outcome = play_unknown(options, 2, tmp_path / "first")
    assert (outcome.played, outcome.code, outcome.wrong) == (2, 0, []), outcome.printed
    assert outcome.questions == ["board: 9x9"], outcome.printed
    outcome = play_unknown(options, 1, tmp_path / "next", after=tmp_path / "first")
    assert (outcome.played, outcome.code, outcome.questions) == (1, 0, []), outcome.printed


def play(
    options: str, games: int, folder: Path, after: Path | None = None
) -> tuple[SkinFile, Outcome]:
    """Play so many games with chords; return the skin that was learned, or continued."""
    outcome = play_unknown(Options.parse(options), games, folder, ["--style", "chords"], after)
    assert (outcome.played, outcome.code, outcome.wrong) == (games, 0, []), outcome.printed
    (skin,) = (folder / "bot" / "skins").glob("*/skin.toml")
    return load_text(skin), outcome


@pytest.mark.slow
def test_chord_gesture_is_learned_and_forgotten(tmp_path: Path) -> None:
    """Both buttons, held for a moment; a version that does not chord is played to its end, too."""
    require("tk")
    first, further = tmp_path / "with", tmp_path / "without"
    found, _ = play("tk art=flat chord=both pause=press button=left", 2, first)
    assert (found.chord, found.hold > 0, found.stay) == ("both", True, 0.0)
    assert {"chord", "hold"} <= found.confirmed.keys()
    left, outcome = play("tk art=flat chord=none pause=press button=left", 1, further, first)
    assert outcome.printed.count("chords by no click that is known") == 1
    assert (left.chord, left.confirmed.get("chord")) == (None, None)
    assert left.confirmed["hold"] >= found.confirmed["hold"]


@pytest.mark.slow
def test_time_until_pointer_moves_on_is_learned(tmp_path: Path) -> None:
    """A program that opens the cell under the pointer some time after a release."""
    require("tk")

    def moved_on(outcome: Outcome) -> bool:
        clicks = [event for event in outcome.events if event["event"] == "click"]
        return any(click["pointer"] != click["at"] for click in clicks)

    text = "tk art=flat board=16x16x25 delay=20 button=left"
    found, outcome = play(text, 2, tmp_path / "first")
    assert found.stay > 0
    assert "stay" in found.confirmed
    assert moved_on(outcome)
    again, outcome = play(text, 1, tmp_path / "next", tmp_path / "first")
    assert again.stay == found.stay
    assert not moved_on(outcome)


@pytest.mark.slow
def test_flood_of_four_neighbours_is_learned_and_forgotten(tmp_path: Path) -> None:
    """A version that opens all neighbours is played with the same skin."""
    require("tk")
    found, _ = play("tk art=flat button=left flood=orthogonal", 3, tmp_path / "beside")
    assert found.flood == "orthogonal"
    assert found.confirmed["flood"] > 1
    text = "tk art=flat button=left flood=all"
    left, _ = play(text, 3, tmp_path / "all", tmp_path / "beside")
    assert (left.flood, left.confirmed.get("flood")) == (None, None)


@pytest.mark.slow
def test_games_that_are_replaced_at_once_are_counted(tmp_path: Path) -> None:
    """A program that shows no end: won by the last proved move, lost after a guess."""
    require("tk")
    options = Options.parse("tk art=flat board=9x9x15 button=left end=again first=zero")
    outcome = play_unknown(options, 4, tmp_path)
    assert (outcome.code, outcome.wrong) == (0, []), outcome.printed
    counted = re.findall(r"^game \d+ of 4: (won|lost) ", outcome.printed, re.MULTILINE)
    assert len(counted) == 4, outcome.printed
    # Of a game whose last cell was a guess it is not known how it ended: it is not counted.
    ended = [event["won"] for event in outcome.events if event["event"] == "end"]
    results = iter("won" if won else "lost" for won in ended)
    assert all(result in results for result in counted), (counted, ended)
    assert audited(sessions(tmp_path / "bot")).findings == []


@pytest.mark.slow
def test_a_board_that_is_dimmed_under_a_text_is_an_end(tmp_path: Path) -> None:
    """None of its tiles can be read, and a click on it begins the next game: nothing is asked."""
    require("qt")
    text = "qt art=flat cell=22 board=8x8x16 button=none counter=text end=dimmed"
    outcome = play_unknown(Options.parse(text), 3, tmp_path)
    assert (outcome.played, outcome.code, outcome.wrong) == (3, 0, []), outcome.printed
    assert outcome.questions == [], outcome.printed
    assert ": lost in" in outcome.printed, outcome.printed
