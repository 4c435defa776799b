"""What `make test` says of its own coverage is right, and only machine code is left out."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.tools.covered import ASKED

ROOT = Path(__file__).parents[2]


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
