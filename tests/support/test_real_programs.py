"""The real programs: their skins are complete, and the set-up installs their packages."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.board import COVERED, EXPLODED, FLAG, MISFLAG, OPENED, QUESTION
from gui.looks import LOOKS
from tests.support.games import packages
from tests.support.programs import PACKAGES
from tests.support.real_programs import PROGRAMS
from vision.skins import BUNDLED, STATE_NAMES, STATES, bundled_names, load_skin

SKINS = sorted(bundled_names() - LOOKS.keys())
NEVER_SHOWN = {
    "sgt-mines": {QUESTION},
    "xbomb": {QUESTION, MISFLAG},
    "xbomb-large": {8, QUESTION, MISFLAG},
}
"""States that a program does not have; an 8 comes up once in 100,000 small XBomb boards."""


@pytest.mark.parametrize("name", SKINS)
def test_skin_is_whole(name: str) -> None:
    """Every state that the program shows has its picture, and no other state has one."""
    skin = load_skin(BUNDLED / name)
    expected = set(STATES.values()) - {OPENED} - NEVER_SHOWN.get(name, set())
    named = {STATE_NAMES[code] for code in skin.pictures}
    missing = sorted({STATE_NAMES[code] for code in expected} - named)
    assert not missing, f"add pictures to {BUNDLED / name}, or the states to NEVER_SHOWN: {missing}"
    further = sorted(named - {STATE_NAMES[code] for code in expected})
    assert not further, f"{BUNDLED / name} has pictures of them; correct NEVER_SHOWN: {further}"
    assert {COVERED, FLAG, EXPLODED} <= set(skin.pictures)


@pytest.mark.parametrize("name", SKINS)
def test_skin_names_its_origin(name: str) -> None:
    """Its program and licence are named, and the levels are those of its starts."""
    folder = BUNDLED / name
    skin = load_skin(folder)
    programs = [one for one in PROGRAMS.values() if f"{name}-".startswith(f"{one.name}-")]
    assert programs, f"no name in PROGRAMS (tests/support/real_programs.py) begins '{name}'"
    (program,) = programs
    assert skin.name == name
    assert skin.title in program.title
    assert all((skin.title, skin.window_class, skin.licence))
    assert not skin.learned
    assert any(path.stat().st_size for path in folder.glob("LICENSE*")), f"no LICENSE in {folder}"
    for level, size in skin.levels.items():
        assert program.levels[level] == size


def test_the_set_up_installs_them() -> None:
    """`make test` gets every package that a program needs."""
    installed = (Path(__file__).parents[2] / ".ci" / "system").read_text("utf-8").split()
    needed = {*packages(), *filter(None, PACKAGES.values())}
    assert needed <= {word.strip('";').removeprefix('games="') for word in installed}
