"""The recorded games of a folder, matched with the rows of the history.

A recording without a row, such as a game opened from elsewhere or older than the history, becomes a
row of the list. It is not stored and does not count in the statistics.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.game import LEVELS, Rules
from gui.history.store import Entry, Player, Recording, Result
from gui.panel.jobs import Progress
from gui.settings import sessions_folder
from vision.sessions import SessionError
from vision.sessions.session_files import is_kept
from vision.sessions.summaries import Summary, session_folders, stamp, summarise

_RESULTS: Final = {"won": Result.WON, "lost": Result.LOST, "ended": Result.ENDED}


@dataclass(frozen=True)
class Found:
    """The recordings that exist."""

    recordings: dict[str, Recording]
    """By `Entry.session`."""
    entries: tuple[Entry, ...]
    """Rows for the recordings that the history has no row of."""
    problem: str = ""
    """The reason why the folder cannot be read; empty if it can."""


class Recordings:
    """A reader of recordings that reads an unchanged one only once."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[tuple[object, ...], Summary]] = {}

    def find(
        self, folder: Path, others: Iterable[Path], rows: AbstractSet[str], progress: Progress
    ) -> Found:
        """Return the recordings of a folder, and others.

        Args:
            folder: The folder of recorded games.
            others: Recordings from elsewhere.
            rows: `Entry.session` of every row of the history.
            progress: Of the job.

        Raises:
            Cancelled: The job was cancelled.
        """
        problem = ""
        try:
            folders = session_folders(folder)
        except SessionError as error:
            folders, problem = [], str(error)
        elsewhere = (sessions_folder() / row for row in rows if Path(row).name != row and row)
        folders += [other for other in (*others, *elsewhere) if other.is_dir()]
        recordings: dict[str, Recording] = {}
        entries: list[Entry] = []
        for one in dict.fromkeys(folders):
            progress.report(None)
            row = next((name for name in (one.name, str(one)) if name in rows), None)
            if row is not None:
                recordings[row] = Recording(one, is_kept(one))
                continue
            summary = self._summary(one)
            recordings[str(one)] = Recording(one, summary.kept, summary.problem)
            entries.append(_entry(summary))
        return Found(recordings, tuple(entries), problem)

    def _summary(self, folder: Path) -> Summary:
        before, now = self._known.get(folder), stamp(folder)
        if before is None or before[0] != now:
            before = self._known[folder] = now, summarise(folder)
        return before[1]


def _entry(summary: Summary) -> Entry:
    info, board = summary.info, summary.board
    rows, cols, mines = (board.rows, board.cols, board.mines) if board else (0, 0, 0)
    sizes = {(level.rows, level.cols, level.mines): name for name, level in LEVELS.items()}
    status = summary.status.value if summary.status else ""
    return Entry(
        started=summary.started,
        program=info.skin if info else "",
        window=info.window if info else "",
        rows=rows,
        cols=cols,
        mines=mines,
        level=sizes.get((rows, cols, mines), ""),
        rules=info.rules if info else Rules.CLASSIC,
        solver=info.solver if info else "",
        style=info.style if info else "",
        player=Player(info.player) if info else Player.BOT,
        whole=False,
        seconds=summary.seconds,
        result=_RESULTS.get(status, Result.STOPPED),
        turns=max(0, summary.turns - 1),
        clicks=0,
        guesses=0,
        session=str(summary.folder),
        note=summary.problem,
    )
