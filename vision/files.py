"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Write beside the file and move into place: readers see the old one or the whole new one.

    Args:
        path: In a folder that exists.
        data: All of it.
        durable: Wait until it is on the disk: it then survives a loss of power as well.

    Raises:
        OSError: It cannot be written; what was there before is untouched.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)
