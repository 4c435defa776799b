"""Programs that were never met, played by the command with a user who answers its questions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shown import may_run
from tests.support.family.options import Options, combinations
from tests.unknown import play_unknown


@pytest.mark.parametrize(
    "text",
    [
        "html art=colours scale=1.25 pixels=smooth button=left marks=plain",
        "tk art=flat button=centre end=text",
        "gtk art=classic cell=16 scale=2.0 button=text fade=150",
        "qt art=large cell=20 scale=1.5 button=right dark=True",
    ],
)
def test_an_unknown_program_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    """Two games of a usual level, the second one started by the command; nothing is misread."""
    options = Options.parse(text)
    # `tests.bench_unknown` plays the others, and nobody may look at a third of them.
    assert options not in combinations()
    if not may_run(options.toolkit, capsys):
        return
    outcome = play_unknown(options, 2, tmp_path, ["--level", "beginner"])
    printed = (tmp_path / "bot" / "printed.txt").read_text()
    assert (outcome.found, outcome.played, outcome.code) == (True, 2, 0), (outcome, printed)
    assert (outcome.wrong, outcome.misplaced) == ([], 0), printed
    assert len(outcome.questions) <= 3, printed
