"""Start one of the programs on this display, and print its reports."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from tests.support.programs import start


def main() -> None:
    """Run until it is closed."""
    if len(sys.argv) < 2:
        sys.exit("usage: python -m tests.support.programs tk|html|unsupported [OPTION=VALUE ...]")
    name, *given = sys.argv[1:]
    options = dict(option.split("=", 1) for option in given)
    # Ended from outside, it still ends the program that it started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with (
        tempfile.TemporaryDirectory(
            prefix="minesweeper-bot-", ignore_cleanup_errors=True
        ) as folder,
        suppress(KeyboardInterrupt),
        start(name, os.environ, Path(folder), **options) as game,
    ):
        game.process.wait()
        sys.stdout.write("\n".join(map(str, game.events())) + "\n")


if __name__ == "__main__":
    main()
