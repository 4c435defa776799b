"""What is given on the command line is looked at before anything is done with it."""

from __future__ import annotations

from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from gui.__main__ import app
from gui.commands.lab_cli import lab
from gui.commands.options import Command
from tests.gui.commands.conftest import Bot

pytestmark = pytest.mark.long


@pytest.mark.parametrize(
    "options",
    [
        ("--digging",),
        ("--solver", "exact"),
        pytest.param(("--private", "--", "xbomb"), marks=pytest.mark.linux),
    ],
)
def test_simulated_games_are_refused_to_what_simulates_none(
    bot: Bot, tmp_path: Path, options: tuple[str, ...]
) -> None:
    """Whether the command line or the settings chose it; no simulated games is no such request."""
    (tmp_path / "settings.toml").write_text('solver = "exact"\n')
    run = bot("play", "--think", "5", *options)
    assert run.returncode == 2
    assert "--think has no effect with" in " ".join(run.stderr.split())


def test_every_command_refuses_empty_texts_and_bounds_its_numbers() -> None:
    """Whatever option is added."""
    commands = [*app.registered_commands, *lab.registered_commands]
    assert {command.cls for command in commands} == {Command}
    groups = [app.registered_callback, lab.registered_callback]
    for command in (*commands, *groups):
        for name, hint in get_type_hints(command.callback, include_extras=True).items():
            kind = getattr(hint, "__origin__", hint)
            if {kind, *get_args(kind)} & {int, float}:
                (option,) = hint.__metadata__
                assert None not in (option.min, option.max), (command, name)


@pytest.mark.parametrize(
    "arguments",
    [
        ("read",),
        ("audit", "x"),
        ("lab", "--out"),
        ("lab", "show"),
        *((command, "--window") for command in ("play", "assist", "learn")),
    ],
    ids=" ".join,
)
def test_an_empty_text_is_refused(bot: Bot, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """As an argument or an option, of a command or a group; the message names it.

    A part of a title that is empty would be a part of every window's.
    """
    for empty in ("", " ", "\t\n", "\u200b"):
        run = bot(*arguments, empty)
        assert run.returncode == 2
        assert "Invalid value for" in run.stderr
        assert list(tmp_path.iterdir()) == []


PRIVATE = ("play", "--private")
WRONG = "Invalid value"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("play", "--games", "99999999999999999999999"), WRONG),
        (("play", "--seed", "-1"), WRONG),
        (("play", "--pace", "inf"), WRONG),
        (("play", "--think", "nan"), WRONG),
        (("simulate", "--size", "101x9x10"), WRONG),
        (("simulate", "--size", "9x9x" + "9" * 5000), WRONG),
        (("simulate", "--terminal", "--size", "99999999x99999999x1"), WRONG),
        pytest.param(
            (*PRIVATE, "--size", "9" * 5000 + "x800", "--", "x"), WRONG, marks=pytest.mark.linux
        ),
        # The panel lists the boards and asks for the mines itself.
        *(
            pytest.param(
                (*PRIVATE, "--panel", option, "10", "--", "xbomb"),
                f"{option} cannot be combined with --private --panel",
                marks=pytest.mark.linux,
            )
            for option in ("--mines", "--window")
        ),
    ],
    ids=lambda value: (value if isinstance(value, str) else " ".join(value))[:60],
)
def test_wrong_arguments_are_refused(bot: Bot, arguments: tuple[str, ...], said: str) -> None:
    """Numbers out of bounds, and options that go with no other, are reported at once."""
    run = bot(*arguments)
    assert run.returncode == 2
    assert said in " ".join(run.stderr.split())
    assert "Traceback" not in run.stderr
