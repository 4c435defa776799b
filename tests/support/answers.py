"""The file of the user's answers about programs."""

from __future__ import annotations

from pathlib import Path

from vision.files import data_folder


def kept_file() -> Path:
    """Return the path of the file."""
    return data_folder() / "answers.json"
