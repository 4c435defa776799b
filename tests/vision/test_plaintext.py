"""Text from outside, made harmless."""

from __future__ import annotations

import pytest

from vision.plaintext import one_line, printable


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Mines",
        "[red]Mines[/]",
        "<b>Mines</b>",
        "地雷 \N{EN DASH} Сапёр 💣",
        "می\u200cروم",
        "👩\u200d💻",
        "no\N{NO-BREAK SPACE}break",
        "\ue000",
    ],
)
def test_visible_text_is_unchanged(text: str) -> None:
    """Whatever the language; markup is not this one's business."""
    assert one_line(text) == text
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\x1b[31mMines\x1b[0m", "Mines"),
        ("\x1b[2J\x1b[HMines", "Mines"),
        ("Mi\x1b]0;another title\x07nes", "Mines"),
        ("Mi\x1b]8;;http://example.org\x1b\\nes", "Mines"),
        ("Mines\x1bPq#0;2\x1b\\", "Mines"),
        ("Mi\x9b31mnes", "Mines"),
        ("Mines\x1b", "Mines"),
        ("\x1b]0;Mines", "0;Mines"),
        ("Mi\x1b(0nes", "Mines"),
        ("Mi\x07\x08\x00\x7fnes", "Mines"),
        ("\u202esseniM\u202c", "sseniM"),
        ("\u2067Mines\u2069\u200f\u061c", "Mines"),
        ("Mi\u200bnes\ufeff", "Mines"),
        ("Mines\nof\r\nmine\u2028here", "Mines of  mine here"),
        ("\n\tMines\n", "Mines"),
        ("Mi\udcffnes", "Mi\N{REPLACEMENT CHARACTER}nes"),
    ],
)
def test_control_sequences_are_removed(text: str, line: str) -> None:
    """Escape sequences as a whole, direction marks, control characters, line breaks."""
    assert one_line(text) == line


def test_several_lines_stay_several() -> None:
    """Where lines are wanted: a report, a note."""
    assert printable("one\n\ttwo \x1b[1mthree\r\n") == "one\n\ttwo three\n"
