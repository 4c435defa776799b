"""What is given on the command line is looked at before anything is done with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gui.commands.conftest import Bot

pytestmark = pytest.mark.long

TEXTS = (
    ("play", "--window"),
    ("play", "--solver"),
    ("play", "--look"),
    ("play", "--pictures"),
    ("play", "--private", "--"),
    ("assist", "--window"),
    ("read",),
    ("read", "x.png", "--solver"),
    ("learn",),
    ("learn", "--window"),
    ("learn", "x.png", "--name"),
    ("learn", "--forget"),
    ("simulate", "--size"),
    ("simulate", "--terminal", "--solver"),
    ("audit",),
    ("audit", "x"),
    ("history", "--csv"),
    ("replay",),
    ("lab", "--solvers"),
    ("lab", "--boards"),
    ("lab", "--scheduler"),
    ("lab", "--out"),
    ("lab", "show"),
    ("lab", "show", "x", "--solvers"),
    ("lab", "plot", "x", "--out"),
    ("lab", "graphs"),
)
NUMBERS = (
    ("play", "--games", "99999999999999999999999"),
    ("play", "--games", "0"),
    ("play", "--mines", "10001"),
    ("play", "--seed", "-1"),
    ("play", "--seed", "2147483648"),
    ("play", "--pace", "inf"),
    ("play", "--pace", "nan"),
    ("play", "--think", "-1"),
    ("play", "--think", "nan"),
    ("assist", "--window", "x", "--mines", "99999999999999999999999"),
    ("read", "x.png", "--mines", "99999999999999999999999"),
    ("simulate", "--scale", "nan"),
    ("simulate", "--seed", "-1"),
    ("simulate", "--size", "101x9x10"),
    ("simulate", "--size", "9x9x" + "9" * 5000),
    ("simulate", "--terminal", "--seed", "-1"),
    ("simulate", "--terminal", "--size", "99999999x99999999x1"),
    ("lab", "--games", "99999999999999999999999"),
    ("lab", "--seed", "99999999999999999999999"),
    ("lab", "--nodes", "99999999999999999999999"),
    ("lab", "--workers", "99999999999999999999999"),
    ("lab", "graphs", "--games", "99999999999999999999999"),
)


@pytest.mark.parametrize("empty", ["", " ", "\t\n", "\u200b"])
def test_an_empty_window_is_not_every_window(bot: Bot, empty: str) -> None:
    """A part of a title that is empty is a part of all of them."""
    for command in ("play", "assist", "learn"):
        run = bot(command, "--window", empty)
        assert run.returncode == 2
        assert "'--window': the text is empty" in run.stderr


@pytest.mark.linux
@pytest.mark.parametrize(("option", "value"), [("--mines", "10"), ("--window", "Mines")])
def test_what_a_private_panel_does_not_obey_is_refused(bot: Bot, option: str, value: str) -> None:
    """The panel lists the boards and asks for the mines itself."""
    run = bot("play", "--private", "--panel", option, value, "--", "xbomb")
    assert run.returncode == 2
    assert f"{option} cannot be combined with --private --panel" in " ".join(run.stderr.split())


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


@pytest.mark.parametrize("arguments", TEXTS, ids=" ".join)
def test_an_empty_text_is_refused(bot: Bot, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """In every command, for whatever it is; the message names the option."""
    for empty in ("", " "):
        run = bot(*arguments, empty)
        assert run.returncode == 2
        assert "Invalid value for" in run.stderr
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [
        *NUMBERS,
        pytest.param(
            ("play", "--private", "--size", "9" * 5000 + "x800", "--", "x"), marks=pytest.mark.linux
        ),
    ],
    ids=lambda arguments: " ".join(arguments)[:60],
)
def test_a_number_has_bounds(bot: Bot, arguments: tuple[str, ...]) -> None:
    """What cannot be is told at once, in words."""
    run = bot(*arguments)
    assert run.returncode == 2
    assert "Invalid value" in run.stderr
    assert "Traceback" not in run.stderr
