"""The entry point of the one-folder build (`make app`), which acts as its own Python.

Parts of the program run in processes started as `sys.executable -m MODULE`: the built-in games and
the compilers of the solver. In the build `sys.executable` is the program itself, so it accepts `-m`
for its own modules.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import sys
from typing import Final

OURS: Final = frozenset({"bot", "vision", "gui"})
_SEARCHED: Final = "LD_LIBRARY_PATH"


def main() -> None:
    """Run a worker, one of the program's modules, or the command line, as the arguments request."""
    _forget_own_libraries()
    multiprocessing.freeze_support()
    if len(sys.argv) > 2 and sys.argv[1] == "-m" and sys.argv[2].partition(".")[0] in OURS:
        del sys.argv[1]
        module = sys.argv.pop(1)
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        return
    from gui.__main__ import main as command_line  # noqa: PLC0415 - loads what a worker must not

    command_line()


def _forget_own_libraries() -> None:
    """Let child processes use the system's libraries instead of the build's.

    Source: PyInstaller's manual, 'LD_LIBRARY_PATH / LIBPATH considerations'.
    """
    before = os.environ.pop(f"{_SEARCHED}_ORIG", None)
    if before is not None:
        os.environ[_SEARCHED] = before
    elif sys.platform == "linux":
        os.environ.pop(_SEARCHED, None)
