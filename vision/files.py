"""Write files and folders atomically: complete or not at all, even if the process is killed.

An unfinished file has a hidden name that ends with PART, one being deleted a hidden name that ends
with GONE: readers ignore both, and `clear_leftovers` removes those of killed processes.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event
from typing import BinaryIO, Final

import platformdirs
from filelock import BaseFileLock, FileLock, Timeout

PROGRAM: Final = "minesweeper-bot"
APPLICATION_ID: Final = "org.minesweeper_bot.MinesweeperBot"
"""The name of its desktop entry, in the form that portals require."""
HOME_VARIABLE: Final = "MINESWEEPER_BOT_HOME"
"""Environment variable for a single folder for everything, for tests and portable copies."""
PART: Final = ".part"
"""End of the name of a file being written; the name begins with a dot."""
GONE: Final = ".gone"
"""End of the name of a file being deleted; the name begins with a dot."""
OLD: Final = ".old"
"""End of the name of a folder being replaced; the name begins with a dot."""


@dataclass(frozen=True)
class LockTimes:
    """Times of locks and files, in seconds."""

    abandoned: float = 3600.0
    """Seconds after which an unfinished file counts as abandoned."""
    interval: float = 0.01
    """Seconds between two attempts to get a lock."""
    mark: float = 1.0
    """Time to get a mark's lock, which `is_open` holds for a moment."""
    sharing: float = 1.0


_TIMES: Final = LockTimes()

_SHARING_ERRORS: Final = frozenset({5, 32})
"""ERROR_ACCESS_DENIED and ERROR_SHARING_VIOLATION of Windows."""


def data_folder() -> Path:
    """Return the folder of sessions, error pictures and learned skins."""
    home = os.environ.get(HOME_VARIABLE)
    return Path(home) if home else platformdirs.user_data_path(PROGRAM, appauthor=False)


def config_folder() -> Path:
    """Return the folder of the settings and related files."""
    home = os.environ.get(HOME_VARIABLE)
    return Path(home) if home else platformdirs.user_config_path(PROGRAM, appauthor=False)


def read_whole(path: Path, most: int) -> bytes:
    """Read a file of limited size, or a link's target, from an untrusted source.

    Raises:
        OSError: The file cannot be read, is larger, or is no regular file: opening a pipe would
            wait for ever.
    """
    with open_file(path) as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes", str(path))
    return data


def open_file(path: Path) -> BinaryIO:
    """Open a file from an untrusted source for reading.

    Raises:
        OSError: The file cannot be read, or is no regular file: opening a pipe would wait for ever.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is not a file", str(path))
    return os.fdopen(handle, "rb")


def write_whole(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Write a file atomically: readers see the old one or the complete new one.

    With `durable` it is on the disk on return, so that it survives a loss of power.

    Raises:
        OSError: The file cannot be written; the old one is unchanged.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}", suffix=PART)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        _with_retries(partial(Path(name).replace, path))
    finally:
        Path(name).unlink(missing_ok=True)


def replace_folder(new: Path, folder: Path) -> None:
    """Replace a folder, which has another name during the replacement.

    After any failure, one of the two is complete.

    Raises:
        OSError: The folder cannot be moved; the old one still exists.
    """
    old = old_of(folder)
    if folder.exists():
        remove_folder(old, missing_ok=True)
        _with_retries(partial(folder.replace, old))
    try:
        _with_retries(partial(new.replace, folder))
    except OSError:
        if old.exists():
            old.replace(folder)
        raise
    with suppress(OSError):
        remove_folder(old, missing_ok=True)


def remove_folder(folder: Path, *, missing_ok: bool = False) -> None:
    """Delete a folder with its contents: all of it or nothing.

    Raises:
        OSError: The folder cannot be deleted, and still exists.
    """
    gone = folder.with_name(f".{folder.name.removeprefix('.')}{GONE}")
    shutil.rmtree(gone, ignore_errors=True)
    try:
        _with_retries(partial(folder.replace, gone))
    except FileNotFoundError:
        if missing_ok:
            return
        raise
    shutil.rmtree(gone, ignore_errors=True)


def old_of(folder: Path) -> Path:
    """Return the name of a folder while another replaces it."""
    return folder.with_name(f".{folder.name}{OLD}")


def is_leftover(path: Path) -> bool:
    """Return whether a name belongs to an unfinished file, or to one being deleted."""
    return path.name.startswith(".") and path.name.endswith((PART, GONE))


def clear_leftovers(folder: Path, ours: Callable[[str], bool]) -> None:
    """Remove files left in a folder by killed processes; skip those that cannot be removed.

    `ours` returns whether a name, without the dot and the ending, belongs to this program.
    """
    before = time.time() - _TIMES.abandoned
    with suppress(OSError):
        for path in filter(is_leftover, folder.iterdir()):
            begun = path.name.endswith(PART)
            if not ours(path.name[1:].removesuffix(PART if begun else GONE)):
                continue
            with suppress(OSError):
                if begun and path.lstat().st_mtime > before:
                    continue
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink()


@contextmanager
def locked(folder: Path, patience: float = 10.0) -> Iterator[None]:
    """Hold a folder's lock, which one process can have at a time.

    If the folder cannot be locked, as on some file systems, or after `patience` seconds, the block
    runs without the lock: a stopped process may hold it, or one on a busy machine for more than a
    second.
    """
    lock = _acquired(folder / f".lock{PART}", patience)
    try:
        yield
    finally:
        if lock is not None:
            lock.release()


class OpenMark:
    """A mark that shows other processes that this one is writing a file, until it is closed.

    Some file systems have no locks: then the mark is not visible. The mark of a process that was
    killed is not visible either.

    Args:
        path: The file; it need not exist yet.
    """

    def __init__(self, path: Path) -> None:
        self._lock = _acquired(_mark_of(path), _TIMES.mark)

    def close(self) -> None:
        """Remove the mark."""
        if self._lock is not None:
            self._lock.release()
            with suppress(OSError):
                Path(self._lock.lock_file).unlink(missing_ok=True)
            self._lock = None


def is_open(path: Path) -> bool:
    """Return whether a living process has marked a file as open."""
    mark = _mark_of(path)
    if not mark.exists():
        return False
    try:
        FileLock(mark, timeout=0, fallback_to_soft=False).acquire().lock.release()
    except Timeout:
        return True
    except (OSError, NotImplementedError):
        return False
    return False


def _mark_of(path: Path) -> Path:
    return path.with_name(f".{path.name}.open{PART}")


def _acquired(path: Path, seconds: float) -> BaseFileLock | None:
    """Return a lock, held; None if it cannot be had in time, or at all."""
    lock = FileLock(
        path, seconds, thread_local=False, poll_interval=_TIMES.interval, fallback_to_soft=False
    )
    try:
        lock.acquire()
    except (Timeout, OSError, NotImplementedError):
        return None
    return lock


def _with_retries(move: Callable[[], object]) -> None:
    """Carry out a replacement, which Windows refuses while another process has the file open.

    Readers close a file at once, so that it is tried again for a second.
    """
    deadline = time.perf_counter() + _TIMES.sharing
    while True:
        try:
            move()
        except PermissionError as error:
            shared = getattr(error, "winerror", None) in _SHARING_ERRORS
            if not shared or time.perf_counter() > deadline:
                raise
            Event().wait(_TIMES.interval)
        else:
            return
