"""Start a program of the family manually: `python -m tests.support.family 'qt art=flat'`."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from tests.support.family.options import Options
from tests.support.family.start import start


def main() -> None:
    """Run until it is closed."""
    # A program ended from outside still ends the process that it started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with (
        tempfile.TemporaryDirectory(prefix="family-", ignore_cleanup_errors=True) as folder,
        suppress(KeyboardInterrupt),
        start(Options.parse(sys.argv[1]), os.environ, Path(folder)) as game,
    ):
        game.process.wait()
        sys.stdout.write("\n".join(map(str, game.events())) + "\n")


if __name__ == "__main__":
    main()
