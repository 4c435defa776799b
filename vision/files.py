"""Files, and folders of files, that are there whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

OLD: Final = ".old"
"""Ends the name that a folder has while another takes its place; a dot begins it."""


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


def replace_folder(new: Path, folder: Path) -> None:
    """Put a folder in the place of another, which is there under another name meanwhile.

    Whatever goes wrong, one of the two is there as a whole.

    Raises:
        OSError: It cannot be moved; what was there before is there still.
    """
    old = folder.with_name(f".{folder.name}{OLD}")
    if folder.exists():
        shutil.rmtree(old, ignore_errors=True)
        folder.replace(old)
    try:
        new.replace(folder)
    except OSError:
        if old.exists():
            old.replace(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)
