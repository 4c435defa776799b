"""The one way to compile a function of the solvers to machine code, and when that happens.

`compiled` is numba's nopython mode: without the interpreter's lock (a panel beside it goes
on), floats as in numpy (1 / 0 is infinite; kernels divide by what they know not to be 0),
kept on disk. A first call compiles, or loads what was kept; `ready` does both beforehand.

What is kept lies where numba puts it: in `__pycache__` beside the source where that may be
written, else in the user's cache folder; files are renamed into place, so that several
processes may compile at once. Where neither may be written nothing is kept.

numba asks only whether a function's *own* file has changed, but machine code holds what it
calls as well: here a change in any file of ours that it imports from makes it stale.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba
import numpy as np
from numba.core import caching
from numba.core.types import signed_domain, unliteral

F = TypeVar("F", bound=Callable[..., Any])

_ROOT: Final = Path(__file__).parents[2]
_IMPORT: Final = re.compile(r"^from ((?:bot|tests)\.[\w.]+) import", re.MULTILINE)


@cache
def _sources(path: Path) -> frozenset[Path]:
    """Return a file of ours and all those that it imports from, directly or not."""
    found = {path}
    waiting = [path]
    for source in waiting:
        for module in _IMPORT.findall(source.read_text("utf-8")):
            place = _ROOT.joinpath(*module.split("."))
            for other in (place.with_suffix(".py"), place / "__init__.py"):
                if other.exists() and other not in found:
                    found.add(other)
                    waiting.append(other)
    return frozenset(found)


@cache
def _stamp(path: Path) -> bytes:
    """Return a digest of a file and of all that it imports from."""
    return stamp(_sources(path))


def stamp(sources: Iterable[Path]) -> bytes:
    """Return a digest of the names and contents of some files."""
    digest = hashlib.sha256()
    for source in sorted(sources):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.digest()


class _Stamped:
    """A place where machine code is kept: stale when a source that it was made from changes."""

    _py_file: str

    def get_source_stamp(self) -> bytes:
        """Return what is compared with the stamp of the code that was kept."""
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
    """Compile a function that Python and other compiled functions call."""
    return _made(function)


def internal(function: F) -> F:
    """Compile a function that only compiled functions call.

    It has no wrapper that unpacks Python's arguments: with some 20 arrays in a named tuple
    that is half of what the compiler is busy with (`/usr/bin/time python -m bot.solver.warmup
    midgame` without machine code in the cache).
    """
    return _uncallable(_made(function, no_cpython_wrapper=True))


def kernel(function: F) -> F:
    """Compile a function that allocates nothing: without reference counts of its arguments."""
    return _made(function, _nrt=False)


def internal_kernel(function: F) -> F:
    """Compile a function that allocates nothing and that only compiled functions call."""
    return _uncallable(_made(function, _nrt=False, no_cpython_wrapper=True))


def inlined(function: F) -> F:
    """Compile an internal kernel as a part of whatever calls it: for the inner loops."""
    return _uncallable(_made(function, _nrt=False, no_cpython_wrapper=True, forceinline=True))


def merged(function: F) -> F:
    """Return a part of the one function that calls it: it is never compiled alone.

    Machine code of a function is made anew, with all that it calls, for each function that
    calls it: a chain of large ones costs the compiler their number times.
    """
    return _made(function, inline="always")


def _uncallable(dispatcher: F) -> F:
    """Raise an error when Python calls it: numba would call a null pointer."""

    def refuse(*_: Any, **__: Any) -> None:
        raise TypeError(f"only compiled functions may call {dispatcher.__name__}")

    changed: Any = dispatcher
    changed._insert = lambda *_, **__: None  # noqa: SLF001 - there is no public way
    changed._compile_for_args = refuse  # noqa: SLF001
    return dispatcher


def _made(function: F, **options: Any) -> F:
    config: Any = numba.config
    before = config.CACHE_LOCATOR_CLASSES
    config.CACHE_LOCATOR_CLASSES = _LOCATORS
    try:
        options |= {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
        try:
            return cast("F", _without_literals(numba.njit(cache=True, **options)(function)))
        except RuntimeError:
            # There is no folder that may be written.
            return cast("F", _without_literals(numba.njit(**options)(function)))
    finally:
        config.CACHE_LOCATOR_CLASSES = before


def int64(value: int) -> int:
    """Return a constant for compiled functions.

    If one passes a Python number to another, numba compiles that one again for the literal,
    and a recursive function that is compiled twice crashes when it is loaded from the cache.
    """
    return cast("int", np.int64(value))


def _without_literals(dispatcher: Any) -> Any:
    """Compile one version for all signed integers, not one for each constant or width."""
    call_template = dispatcher.get_call_template

    def get_call_template(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return call_template(tuple(_widened(one) for one in args), kws)

    dispatcher.get_call_template = get_call_template
    return dispatcher


def _widened(kind: Any) -> Any:
    """Return the type that a function is compiled for, when it is called with `kind`."""
    plain: Any = unliteral(kind)  # type: ignore[no-untyped-call]
    return numba.int64 if plain in signed_domain else plain


def kept_in(function: Callable[..., Any]) -> Path | None:
    """Return the folder where a compiled function's machine code is kept; None where nothing is."""
    dispatcher: Any = function
    folder: str | None = dispatcher.stats.cache_path
    return None if folder is None else Path(folder)
