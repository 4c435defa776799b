"""Dialogs of the pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from gui.dialogs import LastFolder


@pytest.mark.linux
def test_dialogs_open_in_the_documents_then_where_one_was_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Never where the program happens to run; a folder that is gone is forgotten."""
    monkeypatch.setenv("HOME", str(tmp_path))
    where = LastFolder()
    assert where.folder == tmp_path
    documents = tmp_path / "Documents"
    documents.mkdir()
    assert where.folder == documents
    used = tmp_path / "used"
    used.mkdir()
    where.note(str(used / "game.zip"))
    assert where.folder == used
    used.rmdir()
    assert where.folder == documents
