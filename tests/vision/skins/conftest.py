"""A copy of a bundled skin."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from vision.skins import BUNDLED


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of a bundled skin, to be spoilt."""
    return Path(shutil.copytree(BUNDLED / "classic", tmp_path / "classic"))
