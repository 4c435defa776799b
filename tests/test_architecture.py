"""One direction: gui -> vision -> bot, each library in its package, and the picture of both."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parent.parent
ALLOWED = {
    "bot": {"bot", "numpy", "filelock"},
    "vision": {
        "bot", "vision", "numpy", "cv2", "filelock", "mss", "pydantic", "platformdirs", "tomli_w",
    },
    "gui": {
        "bot", "vision", "gui", "numpy", "PyQt6", "typer", "rich", "platformdirs", "pydantic",
        "tomli_w", "textual", "pyqtgraph", "distributed", "PIL", "psutil",
    },
}  # fmt: skip
"""What a folder may import beside the standard library."""

OWNERS = {
    "jeepney": {"vision/desktop/accessibility.py", "vision/desktop/portal.py"},
    "pyautogui": {"vision/desktop/pyautogui_pointer.py"},
    "mss": {"vision/desktop/mss_screen.py", "vision/desktop/x11_screen.py"},
    "Xlib": {
        "vision/desktop/x11_connection.py",
        "vision/desktop/x11_desktop.py",
        "vision/desktop/x11_input.py",
    },
    "pywin32": {
        "vision/desktop/windows_api.py",
        "vision/desktop/windows_desktop.py",
        "vision/desktop/windows_input.py",
        "vision/desktop/windows_screen.py",
        "gui/commands/desktop_entry.py",
        "gui/interrupt.py",
    },
    "numba": {"bot/solver"},
    "textual": {"gui/terminal"},
    "pyqtgraph": {"gui/graphs.py", "gui/games/graphs.py"},
    "distributed": {"gui/cluster.py"},
    "psutil": {"gui/private/keeper.py"},
    "PIL": {"gui/games/export.py", "gui/commands/learn.py"},
}
"""Libraries that a single file or folder may import."""
PYWIN32 = ("pythoncom", "pywintypes", "win32")
"""Beginnings of the names of pywin32's modules."""

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
    "bot/processes.py": "how processes are started and ended",
    "gui/frozen.py": "where libraries are searched",
    "gui/interrupt.py": "how Ctrl-C and the end of a session are noticed",
    "gui/commands/desktop_entry.py": "menus of freedesktop.org, and the start menu of Windows",
}
"""Where else the platform is asked for, and for what."""
OF_ONE_PLATFORM = {
    "fcntl", "grp", "msvcrt", "pty", "pwd", "resource", "select", "termios", "tty", "winreg",
    "os.fork", "os.getuid", "os.kill", "os.killpg", "os.mkfifo", "os.name", "os.nice",
    "os.set_blocking", "platform.system", "signal.SIGCHLD", "signal.SIGHUP", "signal.SIGKILL",
    "signal.pthread_sigmask", "sys.platform", "platformName",
}  # fmt: skip
"""Modules, functions and signals that another platform does not have, and what asks for it."""
ATTRIBUTES = {name.rpartition(".")[2] for name in OF_ONE_PLATFORM}
"""Only these are compared by their full names, which takes long to write."""
FAMILIES = (
    {"x11_connection", "x11_desktop", "x11_input", "x11_screen"},
    {"windows_api", "windows_desktop", "windows_input", "windows_screen"},
    {"accessibility", "pipewire", "portal", "portal_key", "wayland"},
    {"other"},
)
"""The modules of each implementation of the desktop."""


@cache
def trees() -> dict[str, ast.Module]:
    """Return the syntax tree of every file of the program."""
    return {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8"))
        for package in ALLOWED
        for path in sorted(ROOT.glob(f"{package}/**/*.py"))
    }


@cache
def nodes() -> dict[str, list[ast.AST]]:
    """Return the nodes of every file of the program."""
    return {name: [*ast.walk(tree)] for name, tree in trees().items()}


def imports(name: str) -> Iterator[str]:
    """Every module that a file imports, wherever in it; a relative import begins with a dot."""
    for node in nodes()[name]:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def package_of(module: str) -> str:
    """The library that a module belongs to."""
    first = module.partition(".")[0]
    return "pywin32" if first.startswith(PYWIN32) else first


def owned(name: str, package: str) -> bool:
    """Whether a file is the one that may import this library."""
    return any(name == owner or name.startswith(f"{owner}/") for owner in OWNERS.get(package, ()))


def test_imports_go_one_way() -> None:
    """A file imports only what design allows its folder, and no library owned by another."""
    wrong = [
        f"{name} imports {module}"
        for name in trees()
        for module in imports(name)
        for package in [package_of(module)]
        if package not in sys.stdlib_module_names | ALLOWED[name.partition("/")[0]] - OWNERS.keys()
        and not owned(name, package)
    ]
    assert not wrong, "\n".join(wrong)


def test_only_the_desktop_knows_the_window_system() -> None:
    """No other file names its variables, or branches on the platform because of windows."""
    wrong = []
    for name, file_nodes in nodes().items():
        if name.startswith(WINDOW_SYSTEM):
            continue
        found = {node.value for node in file_nodes if isinstance(node, ast.Constant)} & VARIABLES
        found |= {one for one in imports(name) if one.startswith("vision.desktop.")}
        if name not in PLATFORMS:
            asked = {
                ast.unparse(node)
                for node in file_nodes
                if isinstance(node, ast.Attribute) and node.attr in ATTRIBUTES
            }
            asked |= {one.rpartition(".")[2] for one in asked if one.endswith("platformName")}
            found |= (asked | {*imports(name)}) & OF_ONE_PLATFORM
        wrong += [f"{name}: {one}" for one in found - {"vision.desktop.user_mouse"}]
    assert not wrong, "\n".join(wrong)


def test_no_implementation_of_the_desktop_needs_another() -> None:
    """Each is loaded on its own system only; what they share is in modules of its own."""
    owner = {module: number for number, family in enumerate(FAMILIES) for module in family}
    wrong = [
        f"{name} imports {module}"
        for name in trees()
        for module in imports(name)
        if name.startswith("vision/desktop/") and Path(name).stem != "__init__"
        for stem in [module.removeprefix("vision.desktop.")]
        if stem in owner and owner[stem] != owner.get(Path(name).stem)
    ]
    assert not wrong, "\n".join(wrong)


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


@cache
def modules() -> dict[str, ast.Module]:
    """Return the syntax tree of every module, by its dotted name."""
    return {
        name.removesuffix(".py").replace("/", ".").removesuffix(".__init__"): tree
        for name, tree in trees().items()
    }


def imported_modules(nodes: Iterable[ast.AST]) -> set[str]:
    """Return those modules of the program that these statements import."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inner & modules().keys() or {node.module or ""}
    return found & modules().keys()


def test_no_import_leads_back_to_itself() -> None:
    """Modules can be read, and loaded, one after the other."""
    order = TopologicalSorter(
        {name: imported_modules(imported_when_loaded(tree)) for name, tree in modules().items()}
    )
    # It raises CycleError, which names the modules.
    assert set(order.static_order()) == modules().keys()


class Picture:
    """The picture of the packages in CONTRIBUTING.md: its boxes and arrows."""

    def __init__(self) -> None:
        text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
        (block,) = re.findall(r"```mermaid\n(.*?)```", text, flags=re.DOTALL)
        boxes = re.findall(r'^ *(\w+)\["(.+?)(?:<br/>(.+?))?"\]$', block, flags=re.MULTILINE)
        self.packages = {box: inside.split(", ") for box, inside, _ in boxes}
        self.values = {box: values.split(", ") for box, _, values in boxes if values}
        drawn = re.findall(r"^ *(\w+) (<?-->) (\w+)$", block, flags=re.MULTILINE)
        self.arrows = {(one, other) for one, _, other in drawn}
        self.arrows |= {(other, one) for one, kind, other in drawn if kind == "<-->"}

    def box(self, module: str) -> str | None:
        """Return the box of a module: that of its nearest package. None: it is in no box."""
        near = [
            (len(package), box)
            for box, packages in self.packages.items()
            for package in packages
            if f"{module}.".startswith(f"{package}.")
        ]
        return max(near)[1] if near else None

    def imports(self) -> set[tuple[str, str]]:
        """Return the imports from one box to another, of whichever module and function."""
        found = set()
        for name, tree in modules().items():
            box = self.box(name)
            others = {self.box(other) for other in imported_modules(ast.walk(tree))}
            found |= {(box, other) for other in others - {box, None} if box and other}
        return found

    def along_arrows(self, start: str) -> set[str]:
        """Return the boxes that arrows lead to from this one, directly or one after the other."""
        reached, todo = set(), [start]
        while todo:
            box = todo.pop()
            todo += [other for one, other in self.arrows if one == box and other not in reached]
            reached |= {other for one, other in self.arrows if one == box}
        return reached


def test_the_picture_shows_every_package() -> None:
    """Each sub-package is in one box; a box holds nothing that does not exist."""
    shown = [package for packages in Picture().packages.values() for package in packages]
    folders = {name.rpartition("/")[0].replace("/", ".") for name in trees()}
    assert sorted(shown) == sorted(set(shown)), "a package is in two boxes of CONTRIBUTING.md"
    missing = {name for name in folders if name.count(".") == 1} - set(shown)
    assert not missing, f"add to a box of the picture in CONTRIBUTING.md: {sorted(missing)}"
    gone = set(shown) - modules().keys()
    assert not gone, f"remove from the picture in CONTRIBUTING.md: {sorted(gone)}"


def test_the_picture_shows_every_import_between_packages() -> None:
    """Whatever a box imports, arrows lead to; no arrow is drawn where nothing is imported."""
    picture = Picture()
    imported = picture.imports()
    missing = {(one, other) for one, other in imported if other not in picture.along_arrows(one)}
    assert not missing, f"imports without an arrow: {sorted(missing)}"
    assert picture.arrows <= imported, f"no imports: {sorted(picture.arrows - imported)}"


def test_the_values_in_the_picture_are_defined_in_their_box() -> None:
    """A value that was renamed or moved is renamed or moved in the picture."""
    picture = Picture()
    defined = {
        (picture.box(name), node.name)
        for name, tree in modules().items()
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }
    shown = {(box, value) for box, values in picture.values.items() for value in values}
    gone = sorted(shown - defined)
    assert not gone, f"no such class in this box of the picture in CONTRIBUTING.md: {gone}"


def test_no_page_loads_the_solvers() -> None:
    """The panel's main thread would wait for that; what needs them is a job."""
    loads = "import gui.panel, sys; from gui.panel.pages import PAGES as pages; "
    loads += "[__import__(page.module) for page in pages]; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", loads], check=True, cwd=ROOT)


def test_no_module_sleeps() -> None:
    """The only wait is on an event: no call of any `sleep` in the product."""
    wrong = [
        f"{name}:{node.lineno}"
        for name, file_nodes in nodes().items()
        for node in file_nodes
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", getattr(node.func, "id", ""))
        in {"sleep", "msleep", "usleep", "qWait"}
    ]
    assert not wrong, "\n".join(wrong)
