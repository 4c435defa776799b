"""The one way to compile a function of the solvers to machine code, and when that happens.

`compiled` is numba's nopython mode: without the interpreter's lock (a panel beside it goes
on), floats as in numpy (1 / 0 is infinite; kernels divide by what they know not to be 0),
kept on disk. A first call compiles, or loads what was kept; `warm_up` does both beforehand.

What is kept lies where numba puts it: in `__pycache__` beside the source where that may be
written, else in the user's cache folder; files are renamed into place, so that several
processes may compile at once. numba asks only whether a function's *own* file has changed,
but machine code holds what it calls as well: here a change in any file of `bot` that it
imports from makes it stale.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba
from numba.core import caching

from bot.analysis import Limit
from bot.board import Board, InconsistentBoard

F = TypeVar("F", bound=Callable[..., Any])

_ROOT: Final = Path(__file__).parents[2]
_IMPORT: Final = re.compile(r"^from (bot\.[\w.]+) import", re.MULTILINE)


@cache
def _sources(path: Path) -> frozenset[Path]:
    """A file of `bot` and all those that it imports from, directly or not."""
    found = {path}
    waiting = [path]
    for source in waiting:
        for module in _IMPORT.findall(source.read_text("utf-8")):
            other = _ROOT.joinpath(*module.split(".")).with_suffix(".py")
            if other.exists() and other not in found:
                found.add(other)
                waiting.append(other)
    return frozenset(found)


@cache
def _stamp(path: Path) -> bytes:
    """Names the contents of a file and of all that it imports from."""
    digest = hashlib.sha256()
    for source in sorted(_sources(path)):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.digest()


class _Stamped:
    """A place where machine code is kept: stale when a source that it was made from changes."""

    _py_file: str

    def get_source_stamp(self) -> bytes:
        """What is compared with the stamp of the code that was kept."""
        return _stamp(Path(self._py_file))


class _Provided(_Stamped, caching.UserProvidedCacheLocator):
    """The folder that NUMBA_CACHE_DIR names."""


class _InTree(_Stamped, caching.InTreeCacheLocator):
    """`__pycache__` beside the source."""


class _UserWide(_Stamped, caching.UserWideCacheLocator):
    """The user's cache folder."""


_LOCATORS: Final = ",".join(
    f"{__name__}.{place.__name__}" for place in (_Provided, _InTree, _UserWide)
)


def compiled(function: F) -> F:
    """Compile at the first call; other compiled functions may call it directly."""
    return _made(function, inline=False)


def inlined(function: F) -> F:
    """The same, made part of whatever calls it: for the inner loops."""
    return _made(function, inline=True)


def _made(function: F, inline: bool) -> F:
    config: Any = numba.config
    before = config.CACHE_LOCATOR_CLASSES
    config.CACHE_LOCATOR_CLASSES = _LOCATORS
    try:
        jit = numba.njit(nogil=True, cache=True, error_model="numpy", forceinline=inline)
        return cast("F", jit(function))
    finally:
        config.CACHE_LOCATOR_CLASSES = before


def warm_up() -> None:
    """Compile, or load, all that the exact solver may need: a minute on a slow machine, once.

    Meant for a process or a thread in the background; whoever solves something meanwhile
    waits for what it needs itself.
    """
    # These import this module.
    from bot.solver import exact  # noqa: PLC0415
    from bot.solver.kernel.whole import placements  # noqa: PLC0415

    board = Board.parse("#1#x#1#1#", 2)
    exact.solve(board).solutions  # noqa: B018 - works it out
    # Enough for the first component, not for the second: that is estimated.
    exact.solve(board, Limit(nodes=2))
    placements(board, by_remainders=True)
    with suppress(InconsistentBoard):
        exact.solve(Board.parse("1#0", 1))
