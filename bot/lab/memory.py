"""How much memory this process has needed at most, since it was last asked to forget."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_STATUS: Final = Path("/proc/self/status")
_FORGET: Final = Path("/proc/self/clear_refs")


def forget_peak() -> None:
    """Start again from what is in use now; where the system cannot, the peak stays."""
    try:
        _FORGET.write_text("5")
    except OSError:
        return


def peak() -> int | None:
    """Bytes; None where the system does not say."""
    try:
        lines = _STATUS.read_text().splitlines()
    except OSError:
        return None
    found = [line.split()[1] for line in lines if line.startswith("VmHWM:")]
    return int(found[0]) * 1024 if found else None
