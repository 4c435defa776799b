"""Child processes on every system: started, kept from Ctrl-C, ended with this one.

A terminal sends Ctrl-C to all its processes; what it means is decided by the one that the user
started. The only module of this package that asks for the platform.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from multiprocessing import resource_tracker
from typing import Any, Final

_SIGNALS: Final = frozenset({signal.SIGINT, signal.SIGTERM})
_ignoring: Final = ExitStack()
_END_SECONDS: Final = 5.0
"""Time for a process to end after it was asked to, in seconds."""

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    _kernel: Final = ctypes.WinDLL("kernel32", use_last_error=True)
    _BELOW_NORMAL: Final = 0x4000
    _EXTENDED_LIMITS: Final = 9
    _KILL_ON_CLOSE: Final = 0x2000

    class _JobLimits(ctypes.Structure):
        """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

        _fields_ = [
            ("process_time", ctypes.c_int64),
            ("job_time", ctypes.c_int64),
            ("flags", wintypes.DWORD),
            ("minimum", ctypes.c_size_t),
            ("maximum", ctypes.c_size_t),
            ("processes", wintypes.DWORD),
            ("affinity", ctypes.c_size_t),
            ("priority", wintypes.DWORD),
            ("scheduling", wintypes.DWORD),
            ("io", ctypes.c_uint64 * 6),
            ("memory", ctypes.c_size_t * 4),
        ]

    _Handler = ctypes.WINFUNCTYPE(wintypes.BOOL, wintypes.DWORD)
    _CTRL_C, _CTRL_BREAK = 0, 1
    _CLOSING_SECONDS: Final = 4.5
    """Time for a regular end after the console was closed: Windows grants five seconds."""

    @contextmanager
    def console_events(
        interrupted: Callable[[], bool], closed: Callable[[], object]
    ) -> Iterator[None]:
        """Handle the console's events in the block, in threads of their own.

        Not with pywin32, which holds Python's global lock while Windows waits for a handler.

        Args:
            interrupted: Called for Ctrl-C and Ctrl-Break; returns whether that was all.
            closed: Called when the console is closed, or the user logs off. Windows ends the
                process some seconds later.
        """

        def handle(kind: int) -> bool:
            if kind in (_CTRL_C, _CTRL_BREAK):
                return interrupted()
            closed()
            # When this returns Windows ends the process; its own end ends the waiting.
            threading.Event().wait(_CLOSING_SECONDS)
            return True

        handler = _Handler(handle)
        _kernel.SetConsoleCtrlHandler(handler, True)
        try:
            yield
        finally:
            _kernel.SetConsoleCtrlHandler(handler, False)

    @cache
    def _job() -> int:
        """Return the job whose processes end when this process ends, however it does."""
        _kernel.CreateJobObjectW.restype = wintypes.HANDLE
        job: int = _kernel.CreateJobObjectW(None, None)
        limits = _JobLimits(flags=_KILL_ON_CLOSE)
        size = ctypes.sizeof(limits)
        _kernel.SetInformationJobObject(
            wintypes.HANDLE(job), _EXTENDED_LIMITS, ctypes.byref(limits), size
        )
        return job

    _DETACHED: Final[Mapping[str, Any]] = {
        # Ctrl-C goes to one group of processes, and a window opens for a console program.
        "creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
    }
else:
    _DETACHED: Final[Mapping[str, Any]] = {"start_new_session": True}


def start_detached(command: Sequence[str], **options: Any) -> subprocess.Popen[Any]:
    """Start a process that Ctrl-C in the terminal does not reach.

    Args:
        command: The program and its arguments.
        options: As for `subprocess.Popen`.
    """
    return subprocess.Popen(command, **options, **_DETACHED)  # noqa: S603 - this program's own


def start_dependent(command: Sequence[str], **options: Any) -> subprocess.Popen[Any]:
    """Start a process as `start_detached`; it also ends when this process ends, even if killed.

    On Linux it ends with the starting thread, if `setpriv` is installed.
    """
    if sys.platform == "win32":
        process = start_detached(command, **options)
        handle = wintypes.HANDLE(int(process._handle))  # type: ignore[attr-defined]  # noqa: SLF001
        _kernel.AssignProcessToJobObject(wintypes.HANDLE(_job()), handle)
        return process
    ending = ["setpriv", "--pdeathsig", "TERM"] if shutil.which("setpriv") else []
    return start_detached([*ending, *command], **options)


def end_process(process: subprocess.Popen[Any]) -> None:
    """Terminate a process, and kill it if it does not end."""
    process.terminate()
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def lower_priority(steps: int) -> None:
    """Let this process run after those of the user: on Windows, in one step only."""
    if sys.platform == "win32":
        _kernel.SetPriorityClass(wintypes.HANDLE(-1), _BELOW_NORMAL)
    else:
        os.nice(steps)


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Keep Ctrl-C from processes that start in the block, until they call `ignore_interrupts`."""
    if sys.platform == "win32":
        # A process inherits whether it ignores Ctrl-C. Other threads may start some meanwhile.
        _kernel.SetConsoleCtrlHandler(None, True)
        try:
            yield
        finally:
            _kernel.SetConsoleCtrlHandler(None, False)
        return
    # Otherwise the first worker starts it, which unblocks signals.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def thread_clock() -> float:
    """Return the processor time of this thread, in seconds; of Windows as `process_clock`."""
    return time.perf_counter() if sys.platform == "win32" else time.thread_time()


def process_clock() -> float:
    """Return the processor time of this process, in seconds.

    On Windows the time of day, as the processor's counts in steps of 16 ms.
    """
    return time.perf_counter() if sys.platform == "win32" else time.process_time()


def ignore_interrupts() -> None:
    """Ignore Ctrl-C and the end of the terminal: this process's parent decides what they mean."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "win32":
        # For the life of the process.
        _ignoring.enter_context(console_events(lambda: True, lambda: None))
    else:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
