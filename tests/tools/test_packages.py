"""What is installed: all that the program reads at run time, and nothing else.

`make wheel` and `make app` prove the rest, on a built wheel and on a one-folder build.
"""

from __future__ import annotations

import tomllib
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
FOLDERS = ("bot", "vision", "gui", "templates")
DOCUMENTS = (".md", "gui/pictures/")
"""Read in the project's tree only: not installed."""


def sources() -> list[str]:
    """Return every file of the program's folders but what Python itself writes there."""
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
    kept = [path for path in found if path.parent.name != "__pycache__"]
    return sorted(path.relative_to(ROOT).as_posix() for path in kept)


def installed(path: str) -> bool:
    """Whether pyproject.toml has it installed: as a module, or as data of a package."""
    folder, _, name = path.rpartition("/")
    if name.endswith(".py"):
        package = folder.replace("/", ".")
        found = TOOLS["packages"]["find"]
        named = any(fnmatch(package, pattern) for pattern in found["include"])
        return named and not any(fnmatch(package, pattern) for pattern in found["exclude"])
    return any(
        fnmatch(path, f"{package.replace('.', '/')}/{pattern}")
        for package, patterns in TOOLS["package-data"].items()
        for pattern in patterns
    )


def test_every_file_is_installed() -> None:
    """A weight, a picture or a licence that is forgotten is missing from every wheel."""
    wanted = [path for path in sources() if not any(part in path for part in DOCUMENTS)]
    assert len(wanted) > 1000
    assert [path for path in wanted if not installed(path)] == []


def test_the_one_folder_build_holds_the_data() -> None:
    """Its list of files names all data that the wheel's does."""
    spec = (ROOT / ".ci" / "app" / "minesweeper-bot.spec").read_text("utf-8")
    data = [path for path in sources() if path.endswith(".npz")]
    assert data
    assert [path for path in data if path not in spec] == []
