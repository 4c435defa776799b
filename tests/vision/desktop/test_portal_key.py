"""The stop key of a portal: its name, and where there is none. `tests/e2e/wayland` presses it."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.desktop import KeyTaken, parse_key
from vision.desktop.portal_key import PortalKey, trigger_of

pytestmark = pytest.mark.linux


@pytest.mark.parametrize(
    ("key", "trigger"),
    [("F8", "F8"), ("Ctrl+Alt+S", "CTRL+ALT+s"), ("Meta+PgUp", "LOGO+Page_Up")],
)
def test_a_key_is_named_as_portals_do(key: str, trigger: str) -> None:
    """By the Shortcuts Specification."""
    assert trigger_of(parse_key(key)) == trigger


def test_no_session_has_no_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With the reason."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/none")
    key = PortalKey("stop key", lambda: None)
    with pytest.raises(KeyTaken, match="no stop key: the session bus does not answer"):
        key.hold("F8").result()
    key.close()
    key.join()
