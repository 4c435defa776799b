"""What `make test` says of its own coverage is right, and only machine code is left out."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.tools.covered import ASKED, Part, lacking, rooms

ROOT = Path(__file__).parents[2]
RULE = '''\
from threading import Thread

def sign(number):
    """Below its docstring lie three lines and two branches, of which one is taken."""
    if number < 0:
        return -1
    return 1

one = Thread(target=sign, args=(2,))
one.start()
one.join()
'''


def test_lines_and_branches_are_measured_and_counted(tmp_path: Path) -> None:
    """Of a small program with one way not taken: 7 of 8 lines, a thread's too, 1 of 2 branches."""
    for room in ASKED:
        (tmp_path / room).mkdir()
        # Without one the real package, which is installed, would be imported.
        (tmp_path / room / "__init__.py").touch()
    (tmp_path / "bot" / "sign.py").write_text(RULE)
    (tmp_path / "gui" / "never.py").write_text("asked = False\nif asked:\n    asked = True\n")
    (tmp_path / "start.py").write_text("import bot.sign\n")
    options = ["--branch", "--source", "bot,vision,gui", "--json", "--out", "measured.json"]
    command = [sys.executable, "-m", "slipcover", *options, "start.py"]
    # The run that this test belongs to may be measured itself.
    own = {name: value for name, value in os.environ.items() if not name.startswith("SLIPCOVER")}
    subprocess.run(command, cwd=tmp_path, env=own, check=True)

    found = rooms(json.loads((tmp_path / "measured.json").read_text("utf-8")))
    assert found == {
        "bot": {"lines": Part(7, 8), "branches": Part(1, 2), "together": Part(8, 10)},
        "vision": {"lines": Part(0, 0), "branches": Part(0, 0), "together": Part(0, 0)},
        "gui": {"lines": Part(0, 3), "branches": Part(0, 2), "together": Part(0, 5)},
    }
    assert lacking(found) == [
        "bot: 80.00 % of its lines and branches are run, 95 % are asked for",
        "gui: 0.00 % of its lines and branches are run, 85 % are asked for",
    ]


@pytest.mark.parametrize(("missing", "code"), [([], 0), ([2], 1)])
def test_only_too_low_coverage_fails(tmp_path: Path, missing: list[int], code: int) -> None:
    """It ends as a command does that `make` asks."""
    lines = {"executed_lines": [1], "missing_lines": missing}
    file = {**lines, "executed_branches": [], "missing_branches": []}
    (tmp_path / "measured.json").write_text(json.dumps({"files": {"bot/one.py": file}}))
    command = [sys.executable, "-m", "tests.tools.covered", str(tmp_path / "measured.json")]
    reported = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert reported.returncode == code
    assert ("50.00 %" in reported.stderr) is bool(missing)


def test_only_compiled_modules_are_omitted() -> None:
    """Each file with a compiled function is named in pyproject.toml, and each of other desktops."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["slipcover"]
    texts = {
        path: path.read_text("utf-8") for room in ASKED for path in (ROOT / room).glob("**/*.py")
    }
    # Of another module: `name = merged(function)`.
    called = re.compile(r"^\w+ = (?:compiled|inlined|merged)\((\w+)\)$", re.MULTILINE)
    names = {name for text in texts.values() for name in called.findall(text)}
    assert names
    defined = re.compile(rf"^@(compiled|inlined|merged)$|^def ({'|'.join(names)})\(", re.MULTILINE)
    found = [path for path, text in texts.items() if defined.search(text)]
    wayland = "accessibility", "pipewire", "portal", "portal_key", "wayland"
    windows = "windows_api", "windows_desktop", "windows_input", "windows_screen"
    elsewhere = {f"vision/desktop/{name}.py" for name in (*wayland, *windows)}
    compiled = {path.relative_to(ROOT).as_posix() for path in found}
    assert compiled | elsewhere == set(settings["omit"])
    assert set(settings["source"]) == set(ASKED)
