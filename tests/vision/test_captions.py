"""What the texts beside a board say."""

from __future__ import annotations

import pytest

from bot.frame import Region, Status
from vision.captions import (
    end_button,
    end_line,
    end_of,
    level_button,
    lone_yes,
    menu_entry,
    message_button,
    named_key,
    says_count,
    says_level,
    says_mines,
    says_new_game,
)
from vision.text import Line


def dialog(*texts: str) -> list[Line]:
    """The texts of a dialog, below each other."""
    return [Line(text, Region(20, 30 * at, 100, 14), 0.9) for at, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("texts", "pressed"),
    [
        (("Game over!", "Play again", "Quit"), "Play again"),
        (("You Win! Play again?", "Yes", "No"), "Yes"),
        (("Start a new game?", "OK", "Cancel"), "OK"),
        (("Vous avez gagné! Souhaitez-vous rejouer une partie?", "Cancel", "OK"), "OK"),
        (("Falsch! Noch einmal spielen?", "Ja", "Nein"), "Ja"),
        (("You win!", "OK"), "OK"),
        (("Congratulations!", "Your time: 12 s", "Close"), "Close"),
        (("You lose", "Play again", "New game"), "New game"),
        (("Save your score?", "OK", "Cancel"), "Cancel"),
        (("Best times", "Reset...", "OK"), "OK"),
        # What may end the program, lose something, or go on with an old game.
        (("You lose", "Yes", "No"), None),
        (("Delete all best times", "OK"), None),
        (("Reset all scores and start again?", "Yes", "No"), None),
        (("Alle Zeiten loeschen und noch einmal beginnen?", "Ja", "Nein"), None),
        (("Buy coins to try again?", "Yes", "No"), None),
        (("You play against Bob. Save?", "OK", "Cancel"), "Cancel"),
        (("Paused", "Resume", "Close"), None),
        (("Best times", "Reset", "OK", "Quit"), None),
        (("Play again", "Restart"), None),
        (("Paused", "Resume", "New game"), None),
        (("Restart", "New game", "Quit"), None),
        (("You won!", "5 1"), None),
        (("2 000", "Yes"), None),
        ((), None),
    ],
)
def test_a_dialog_is_left_as_a_player_would(texts: tuple[str, ...], pressed: str | None) -> None:
    """By the one button that goes on; where there is a choice, the user is asked."""
    found = end_button(dialog(*texts))
    assert (found and found.text) == pressed


@pytest.mark.parametrize(
    ("texts", "chosen"),
    [
        (("New game", "F2", "Scores", "Exit"), "New game"),
        (("New  Ctrl+N", "Beginner", "Expert", "Exit"), "New  Ctrl+N"),
        (("New (F2)", "Exit (F4)"), "New (F2)"),
        (("HoBaa Wrpa", "BbIXOn"), "HoBaa Wrpa"),
        (("~~~", "Ctrl+N", "~~", "Ctrl+Q"), "Ctrl+N"),
        (("Beginner", "Intermediate", "Expert", "Exit"), "Beginner"),
        (("New Beginner Game", "New Expert Game", "Exit"), "New Beginner Game"),
        (("New game", "Restart", "Exit"), None),
        (("Scores", "Exit"), None),
    ],
)
def test_menu_entry_is_the_only_one_that_starts_a_game(
    texts: tuple[str, ...], chosen: str | None
) -> None:
    """Or that of the board's level; its shortcut does not matter."""
    found = menu_entry(dialog(*texts), (9, 9), 10)
    assert (found and found.text) == chosen


@pytest.mark.parametrize(
    ("texts", "yes", "line"),
    [
        (("2 000", "Yes"), True, None),
        (("You won!", "Yes"), True, "You won!"),
        (("You won!", "51"), False, "You won!"),
        (("Give up?", "Yes"), False, None),
        (("A message", "Yes", "No"), False, None),
        (("Leaderboard", "You won!"), False, "You won!"),
        (("Best times", "You won!", "Game over"), False, None),
        (("Best times", "Anna 12 s"), False, None),
    ],
)
def test_what_a_box_without_a_choice_offers(
    texts: tuple[str, ...], yes: bool, line: str | None
) -> None:
    """A 'Yes' that answers no question; else the one text that says how the game has ended."""
    assert (lone_yes(dialog(*texts)) is not None) == yes
    said = end_line(dialog(*texts))
    assert (said and said.text) == line


def test_a_row_in_parts_says_how_the_game_ended() -> None:
    """As its words are wide apart, each is a text of its own."""
    you, won = Line("You", Region(40, 60, 60, 28), 0.9), Line("Won", Region(110, 62, 60, 26), 0.9)
    assert end_line([you, won]) == you


def test_while_a_game_may_go_on_only_a_message_is_closed() -> None:
    """A new game would lose it."""
    assert message_button(dialog("Best time! Your name:", "OK")) is not None
    assert message_button(dialog("New game", "OK")) is None


@pytest.mark.parametrize(
    ("text", "starts"),
    [("New Game", True), ("NEWGAME", True), ("+ Play agaln", True), ("Reset", True),
     ("3aHoB0", True), ("Nowa gra", True),
     ("News", False), ("New name", False), ("Play again?", False), ("Game", False), ("", False)],
)  # fmt: skip
def test_a_label_that_starts_a_game(text: str, *, starts: bool) -> None:
    """With an icon or letters that look alike, but not with others."""
    assert says_new_game(text) is starts
    assert not says_new_game("Reset", in_dialog=True)


@pytest.mark.parametrize(
    ("text", "key"),
    [("Game over! Press R to restart", "r"), ("Press 'SPACE' to play again", "space"),
     ("Hit Enter for a new game", "enter"), ("press space or enter to play again", "space"),
     ("Press any key to restart", "space"), ("R: Restart", "r"), ("Restart (F2)", "f2"),
     ("Press Q to quit", None), ("Press R to see the results", None), ("Restart", None),
     ("Press Ctrl+R to restart", None), ("Press ESC to restart", None),
     ("Press R to restart the game or Q to quit", "r"), ("Don't press R to restart", None),
     ("Press R to reset scores", None), ("Press N to restart scores", None)],
)  # fmt: skip
def test_a_key_is_named_by_the_game(text: str, key: str | None) -> None:
    """Only one that can do no harm."""
    assert named_key(dialog("Mines: 10", text)) == key


def test_end_of_a_game_is_read_from_texts() -> None:
    """And whose number it is."""
    assert end_of(["Game Clear!!!"]) is Status.WON
    assert end_of(["GAME OVER", "You won"]) is Status.WON
    assert end_of(["Bbl BbiWrpanw!"]) is Status.WON
    assert end_of(["B6l npowrpanw!"]) is Status.LOST
    assert end_of(["nepemora!"]) is Status.WON
    assert end_of(["nopA3KA!"]) is Status.LOST
    assert end_of(["You hit a mine. Game Over."]) is Status.LOST
    assert end_of(["YOU LOOSE", "RESTART"]) is Status.LOST
    # Letters that stand apart: l and o are read as digits, but not in a number.
    assert end_of(["y O u", "1", "0 s t."]) is Status.LOST
    assert end_of(["It took you", "10 seconds"]) is None
    assert end_of(["Minesweeper", "Time: 12"]) is None
    assert all(map(says_count, ("Bombs: 10", "Flags Left: 60", "M:12", "Mines 10")))
    assert not any(map(says_count, ("Restart F2", "Restart (F2)", "10", "5 1", "40 mines")))
    assert not any(map(says_count, ("Play again (5)", "OK 1", "Easy (10)")))
    assert says_mines("Mines:")
    assert says_mines("Flags available:")
    assert not says_mines("Minutes")


def test_a_level_is_named_by_its_size_or_its_mines() -> None:
    """In a menu of levels the one of the board is chosen; a single word may be anything."""
    assert says_level("40 mines", (16, 16), 40)
    assert says_level("Easy", (9, 9), None)
    assert says_level("Easy Game", (9, 9), None)
    assert not says_level("Easy", (16, 16), 40)
    assert says_level("30 x 16", (16, 30), None)
    assert says_level("Beginner (9x9)", (9, 9), None)
    assert not says_level("16x16", (9, 9), None)
    for other in ("Mines 10", "10 mines left", "Easy 10", "11 10 mines", "Easy (16x16)"):
        assert not says_level(other, (9, 9), 10)
    menu = ("Minesweeper", "Easy (8x8)", "Medium (12x12, 20 mines)", "Hard 16x16", "Quit")
    for texts, size, mines, chosen in (
        (("New Game", "Easy", "Medium", "Hard"), (16, 16), 40, "Medium"),
        (("MINESWEEPER", "9x9", "16x16", "20x20"), (16, 16), 40, "16x16"),
        (("Medium",), (16, 16), 40, None),
        (menu, (12, 12), None, "Medium (12x12, 20 mines)"),
        (menu, (12, 12), 30, None),
    ):
        found = level_button(dialog(*texts), size, mines)
        assert (found and found.text) == chosen
