"""Start programs of the family manually.

python -m tests.support.family                list the combinations
python -m tests.support.family 17             start one of them on this display
python -m tests.support.family 'qt art=flat'  start any other
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from tests.support.family.options import Options, combinations, held_out
from tests.support.family.start import start


def main() -> None:
    """Run until it is closed."""
    known = combinations()
    if len(sys.argv) == 1:
        for number, options in enumerate(known):
            sys.stdout.write(f"{number:3} {'held out' if held_out(options) else '':9} {options}\n")
        return
    # A program ended from outside still ends the process that it started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with (
        tempfile.TemporaryDirectory(prefix="family-", ignore_cleanup_errors=True) as folder,
        suppress(KeyboardInterrupt),
    ):
        options = known[int(sys.argv[1])] if sys.argv[1].isdecimal() else Options.parse(sys.argv[1])
        with start(options, os.environ, Path(folder)) as game:
            game.process.wait()
            sys.stdout.write("\n".join(map(str, game.events())) + "\n")


if __name__ == "__main__":
    main()
