"""What holds for every test.

In any test that plays, no event is sent outside of the board, its face or a known dialog.
"""

from __future__ import annotations

import faulthandler
import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, settings
from pytestqt.qtbot import QtBot
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

from tests.support.strays import Strays, found
from vision.files import HOME_VARIABLE

IN_TURN: Final = tuple(
    f"tests/e2e/test_{name}.py"
    for name in ("faults", "programs", "start_button", "stopping", "unknown", "unseen")
)
"""Tests of real programs and of a user's mouse: one after the other, as on a user's desktop."""
TOGETHER: Final = (
    "tests/bot/lab/test_pool.py",
    "tests/bot/solver/test_rollouts.py",
    "tests/e2e/test_panel_pages.py",
    "tests/test_architecture.py",
)
"""Tests that share what takes longer to make than they take."""
CALCULATING: Final = (
    "tests/bot/solver/test_rollouts.py",
    *(
        f"tests/vision/{part}/"
        for part in ("counters", "finder", "learning", "matcher", "tracking")
    ),
    *(f"tests/vision/test_{name}.py" for name in ("digits", "recorded_games", "whole_screens")),
)
"""Tests of pictures and boards alone, expected to be the same on every system."""

for _wait in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitSignals, QtBot.waitExposed):
    # A limit ends what hangs. The library's 5 seconds also end what waits for a busy machine.
    _wait.__kwdefaults__["timeout"] = 60_000
# An example that takes 0.2 seconds on a busy machine is no failure either.
settings.register_profile(
    "busy", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("busy")


class Scheduling(LoadScopeScheduling):
    """Give one worker the tests of `IN_TURN`, first, and the others one test or file at a time."""

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(IN_TURN):
            return "in turn"
        return nodeid.partition("::")[0] if nodeid.startswith(TOGETHER) else nodeid

    def remove_node(self, node: WorkerController) -> str | None:
        """Take the tests of a worker that crashed back, without the one that crashed it.

        As it is, that test is run again, and a worker that is given only tests that have ended
        waits for ever.
        """
        work = self.assigned_work[node]
        left = [(unit, test) for unit in work.values() for test, done in unit.items() if not done]
        for unit, test in left[:1]:
            unit[test] = True
        for scope in [scope for scope, unit in work.items() if all(unit.values())]:
            del work[scope]
        super().remove_node(node)
        return left[0][1] if left else None

    def _reschedule(self, node: WorkerController) -> None:
        # A worker that replaces another one may not have found its tests yet.
        if node in self.registered_collections:
            super()._reschedule(node)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling:
    """Return what hands out the tests."""
    return Scheduling(config, log)


def pytest_collection_finish() -> None:
    """Exempt what was collected from garbage collection: all of it is kept until the end."""
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Limit what ends a test as well: once a test has failed, its own limit is gone."""
    seconds = float(item.config.getini("faulthandler_timeout"))
    faulthandler.dump_traceback_later(seconds, file=sys.__stderr__, exit=True)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out, on Windows, modules about what only Linux has: they cannot be imported there."""
    if sys.platform != "win32" or collection_path.suffix != ".py":
        return None
    return (
        "\npytestmark = pytest.mark.linux" in collection_path.read_text("utf-8")
        or ("\npytestmark = [pytest.mark.linux" in collection_path.read_text("utf-8"))
        or None
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests of what this system does not have, and mark those of the other kinds."""
    others = "linux" if sys.platform == "win32" else "windows"
    for item in items:
        if "private_screen" in getattr(item, "fixturenames", ()):
            item.add_marker("desktop")
        if item.get_closest_marker("long") and item.nodeid.startswith(CALCULATING):
            item.add_marker("calculation")
    left = [item for item in items if item.get_closest_marker(others) is None]
    config.hook.pytest_deselected(items=[item for item in items if item not in left])
    items[:] = left


@pytest.fixture(scope="session", autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Give the tests a data folder of their own: they neither read nor change the user's files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(HOME_VARIABLE, str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the program's files, which is not there yet."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def strays(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Strays]:
    """Looks at everything that is sent in this process, and by the programs that it starts."""
    made = Strays(monkeypatch.setattr)
    # After Ctrl-C the test's own arguments are gone.
    uses_folder = "tmp_path" in request.fixturenames
    folder: Path | None = request.getfixturevalue("tmp_path") if uses_folder else None
    yield made
    assert made.found + (found(folder) if folder else []) == []
