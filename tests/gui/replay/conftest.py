"""What the tests of the replay share."""

from __future__ import annotations

from tests.gui.replay.shelf import home, shelf

__all__ = ["home", "shelf"]
