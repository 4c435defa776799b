"""Compile functions of the solvers to machine code with numba, and keep that on the disk.

`compiled` is numba's nopython mode without the interpreter's lock, so that other threads go on,
and with numpy's floats (1 / 0 is infinite; kernels divide only by numbers that cannot be 0). The
first call compiles, or loads from the disk; `warmup` does both in advance.

Machine code lies where numba puts it: in `__pycache__` beside the source if that can be written,
else in the user's cache folder. Files are renamed into place, so that several processes may compile
at once. If neither can be written, nothing is kept.

numba compiles again if a function's *own* file has changed, but machine code contains the functions
that it calls as well: here a change in any file of this project that it imports makes it stale.
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
    """Return a file of this project and all that it imports, directly or indirectly."""
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
    """Return a digest of a file and of all that it imports."""
    return stamp(_sources(path))


def stamp(sources: Iterable[Path]) -> bytes:
    """Return a digest of the names and contents of some files."""
    digest = hashlib.sha256()
    for source in sorted(sources):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.digest()


class _Stamped:
    """A cache folder whose machine code is stale if any of its sources has changed."""

    _py_file: str

    def get_source_stamp(self) -> bytes:
        """Return the digest that numba compares with the digest stored with the machine code."""
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

    It has no wrapper that unpacks Python's arguments: with some 20 arrays in a named tuple that is
    half of the compiler's time (`/usr/bin/time python -m bot.solver.warmup midgame` with an empty
    cache).
    """
    return _uncallable(_made(function, no_cpython_wrapper=True))


def kernel(function: F) -> F:
    """Compile a function that allocates nothing: without reference counts of its arguments."""
    return _made(function, _nrt=False)


def internal_kernel(function: F) -> F:
    """Compile a function that allocates nothing and that only compiled functions call."""
    return _uncallable(_made(function, _nrt=False, no_cpython_wrapper=True))


def inlined(function: F) -> F:
    """Compile an internal kernel as a part of each caller: for the inner loops."""
    return _uncallable(_made(function, _nrt=False, no_cpython_wrapper=True, forceinline=True))


def merged(function: F) -> F:
    """Make a function a part of the one function that calls it: it is never compiled alone.

    numba generates the machine code of a function again, with all that it calls, for each function
    that calls it: the compiler's time grows with the length of a chain of calls.
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
            # There is no folder that can be written.
            return cast("F", _without_literals(numba.njit(**options)(function)))
    finally:
        config.CACHE_LOCATOR_CLASSES = before


def int64(value: int) -> int:
    """Return a constant for compiled functions.

    If a compiled function passes a Python number to another one, numba compiles that again for the
    literal, and a recursive function that is compiled twice crashes when it is loaded.
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


def cache_folder(function: Callable[..., Any]) -> Path | None:
    """Return the folder of a compiled function's machine code; None if it is not on the disk."""
    dispatcher: Any = function
    folder: str | None = dispatcher.stats.cache_path
    return None if folder is None else Path(folder)
