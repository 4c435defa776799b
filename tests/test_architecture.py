"""One direction: gui -> vision -> bot, and each library in the room that owns it."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted(path for room in ("bot", "vision", "gui") for path in ROOT.glob(f"{room}/**/*.py"))

ALLOWED = {
    "bot": {"bot", "numpy"},
    "vision": {
        "bot", "vision", "numpy", "cv2", "mss", "pydantic", "platformdirs", "tomli_w", "Xlib",
        "jeepney",
    },
    "gui": {
        "bot", "vision", "gui", "numpy", "PyQt6", "typer", "rich", "platformdirs", "pydantic",
        "tomli_w", "textual", "pyqtgraph", "distributed", "PIL",
    },
}  # fmt: skip
"""What a folder may import beside the standard library."""

OWNERS = {
    "jeepney": {"vision/desktop/portal.py"},
    "pyautogui": {"vision/desktop/other.py"},
    "mss": {"vision/desktop/screens.py"},
    "Xlib": {
        "vision/desktop/x11_connection.py",
        "vision/desktop/x11_desktop.py",
        "vision/desktop/x11_input.py",
    },
    "numba": {"bot/solver"},
    "textual": {"gui/terminal"},
    "pyqtgraph": {"gui/graphs.py", "gui/history/graphs.py"},
    "distributed": {"gui/cluster.py"},
    "PIL": {"gui/replay/export.py"},
}
"""Libraries that a single file or folder may import."""

WINDOW_SYSTEM = ("vision/desktop", "gui/private", "gui/private_screen.py")
"""What may know which window system there is: the interface to it, and what starts X servers."""
VARIABLES = {
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "WAYLAND_SOCKET",
    "XAUTHORITY",
    "XDG_CURRENT_DESKTOP",
    "XDG_SESSION_TYPE",
}
PLATFORMS = {
    "vision/files.py": "how files are locked",
    "gui/frozen.py": "where libraries are searched",
    "gui/commands/desktop_entry.py": "menus of freedesktop.org",
    "gui/commands/doctor.py": "how packages are installed",
}
"""Where else the platform is asked for, and for what."""


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in it; relative imports are not used here."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            yield node.module or ""


def owned(path: Path, package: str) -> bool:
    """Whether a file is the one that may import this library."""
    name = path.relative_to(ROOT).as_posix()
    return any(name == owner or name.startswith(f"{owner}/") for owner in OWNERS.get(package, ()))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_points_back(path: Path) -> None:
    """A file imports only what design allows its folder, and no library owned by another."""
    room = path.relative_to(ROOT).parts[0]
    for module in imports(path):
        package = module.partition(".")[0]
        if package in sys.stdlib_module_names or owned(path, package):
            continue
        assert package in ALLOWED[room] - OWNERS.keys(), f"{path.name} imports {module}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_the_desktop_knows_the_window_system(path: Path) -> None:
    """No other file names its variables, or branches on the platform because of windows."""
    name = path.relative_to(ROOT).as_posix()
    if name.startswith(WINDOW_SYSTEM):
        return
    nodes = list(ast.walk(ast.parse(path.read_text())))
    texts = {node.value for node in nodes if isinstance(node, ast.Constant)}
    inside = {one for one in imports(path) if one.startswith("vision.desktop.")}
    assert inside <= {"vision.desktop.user_mouse"}
    assert not texts & VARIABLES
    asked = {ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)}
    if name not in PLATFORMS:
        assert not asked & {"sys.platform", "os.name", "platform.system"}


def imported_when_loaded(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports that run when a module is loaded: outside functions, not for types alone."""
    todo: list[ast.AST] = list(tree.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            todo += node.orelse
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            todo += ast.iter_child_nodes(node)


def test_no_import_leads_back_to_itself() -> None:
    """Modules can be read, and loaded, one after the other."""
    names = {
        path.relative_to(ROOT)
        .with_suffix("")
        .as_posix()
        .replace("/", ".")
        .removesuffix(".__init__"): path
        for path in SOURCES
    }
    needs: dict[str, set[str]] = {}
    for name, path in names.items():
        needs[name] = set()
        for node in imported_when_loaded(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                found = {alias.name for alias in node.names}
            else:
                inner = {f"{node.module}.{alias.name}" for alias in node.names}
                found = inner & names.keys() or {node.module or ""}
            needs[name] |= found & names.keys()
    order = TopologicalSorter(needs)
    # It raises CycleError, which names the modules.
    assert set(order.static_order()) == names.keys()


def test_every_folder_has_files() -> None:
    """The walls above are drawn around something."""
    assert {path.relative_to(ROOT).parts[0] for path in SOURCES} == set(ALLOWED)


def test_every_folder_is_installed() -> None:
    """A folder that pyproject.toml's patterns leave out is missing from an installed program."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    find = project["tool"]["setuptools"]["packages"]["find"]
    folders = {path.parent.relative_to(ROOT).as_posix().replace("/", ".") for path in SOURCES}
    wanted = {name for name in folders if any(fnmatch(name, one) for one in find["include"])}
    assert wanted == folders
    assert not any(fnmatch(name, one) for name in folders for one in find["exclude"])


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_sleeps(path: Path) -> None:
    """The only wait is on an event: no call of any `sleep` in the product."""
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    names = {getattr(c.func, "attr", getattr(c.func, "id", "")) for c in calls}
    assert not names & {"sleep", "msleep", "usleep", "qWait"}
