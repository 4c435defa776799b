"""Print how large the project is: files, lines and numeric constants of each package.

    python -m tests.tools.size            of the working tree
    python -m tests.tools.size HEAD~20    of another commit, beside it

A numeric constant is a name of a module that is bound to a number, or to a tuple of numbers.
"""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path
from typing import Final, NamedTuple

from rich.table import Table

from tests.tools.report.console import Console, parser_of

_ROOT: Final = Path(__file__).parents[2]
_PACKAGES: Final = ("bot", "vision", "gui", "tests")


class Size(NamedTuple):
    """How large some files are together."""

    files: int
    lines: int
    constants: int


def size(package: str, commit: str | None) -> Size:
    """Return the size of a package's Python files, in the working tree or in a commit."""
    listed = ("ls-tree", "-r", "--name-only", commit) if commit else ("ls-files",)
    names = [name for name in _git(*listed, "--", package).splitlines() if name.endswith(".py")]
    texts = [_git("show", f"{commit}:{one}") if commit else (_ROOT / one).read_text("utf-8")
             for one in names]  # fmt: skip
    bound = [value for text in texts for value in _bound(ast.parse(text))]
    return Size(len(names), sum(map(len, map(str.splitlines, texts))), sum(map(_numeric, bound)))


def _bound(module: ast.Module) -> list[ast.expr]:
    """Return what the names of a module are bound to."""
    kinds = (ast.Assign, ast.AnnAssign)
    return [one.value for one in module.body if isinstance(one, kinds) and one.value is not None]


def _numeric(value: ast.expr) -> bool:
    match value:
        case ast.Constant():
            return isinstance(value.value, int | float) and not isinstance(value.value, bool)
        case ast.UnaryOp():
            return _numeric(value.operand)
        case ast.BinOp():
            return _numeric(value.left) and _numeric(value.right)
        case ast.Tuple():
            return bool(value.elts) and all(map(_numeric, value.elts))
    return False


def _git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=_ROOT, check=True, capture_output=True, text=True
    ).stdout


def main() -> None:
    """Run the command line."""
    parser = parser_of("tests.tools.size", __doc__)
    parser.add_argument("commit", nargs="?", help="shown beside the working tree")
    commit = parser.parse_args().commit
    table = Table("package", "files", "lines", "constants")
    for package in _PACKAGES:
        sizes = [size(package, at) for at in dict.fromkeys((commit, None))]
        cells = (" / ".join(f"{one:,}" for one in column) for column in zip(*sizes, strict=True))
        table.add_row(package, *cells)
    Console().print(table)


if __name__ == "__main__":
    main()
