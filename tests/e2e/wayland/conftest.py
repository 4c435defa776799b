"""A GNOME session for the tests of this folder, which are left out where it cannot be had."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

import vision.desktop
from tests.e2e.wayland.gnome import Session, User, gnome, missing
from vision.desktop.wayland import WaylandDesktop


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Print what the session's programs show when a test fails, and keep its files in `build`."""
    report = yield
    used = getattr(item, "funcargs", {}).values()
    owned = [one for value in used for one in (value, getattr(value, "user", None))]
    user = next((one for one in owned if isinstance(one, User)), None)
    if report.when == "call" and report.failed and user is not None:
        kept = item.config.rootpath / "build/wayland" / item.name
        shutil.copytree(user.session.folder / "home", kept, dirs_exist_ok=True, symlinks=True)
        report.sections.append(("shown", f"{user.describe()}\nkept in {kept}"))
    return report


@pytest.fixture(scope="package", autouse=True)
def installed() -> None:
    """Skip where the session's programs are not installed."""
    if absent := missing():
        pytest.skip(f"NOT RUN: {', '.join(absent)} missing; 'make test-wayland' installs them")


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    """A session with one monitor, for the tests of a module."""
    # A socket's path must be short.
    with tempfile.TemporaryDirectory(prefix="wl") as folder, gnome(Path(folder)) as made:
        yield made


@pytest.fixture(scope="module")
def user(session: Session) -> User:
    """The session's user."""
    return User(session)


@pytest.fixture
def wayland(session: Session, monkeypatch: pytest.MonkeyPatch) -> Iterator[WaylandDesktop]:
    """The desktop of this process, which has been permitted nothing yet."""
    for name, value in session.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("DISPLAY", raising=False)
    made = WaylandDesktop()
    monkeypatch.setattr(vision.desktop, "_implementation", lambda _kind: made)
    yield made
    made.close()
