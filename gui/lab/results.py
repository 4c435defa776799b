"""The findings of files of results: tables and graphs, computed in a job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gui.commands.lab import put_together
from gui.commands.lab_tables import Sheet, sheets_of
from gui.lab.order import sweep_of
from gui.panel.jobs import Progress

if TYPE_CHECKING:
    # The plotting library is loaded by the job that needs it.
    from gui.graphs import Graph


@dataclass(frozen=True)
class Findings:
    """The tables and graphs that the page shows."""

    names: str
    """The names of the files."""
    sheets: tuple[Sheet, ...]
    graphs: tuple[Graph, ...]


def find_out(paths: Sequence[Path], progress: Progress) -> Findings:
    """Read files of results, merged if there are several.

    Raises:
        ResultsError: A file is invalid, or they are of different boards.
        Cancelled: The job was cancelled.
    """
    results, names = put_together(paths, ())
    progress.tell(None, "Computing statistics")
    sheets = sheets_of(results, names)
    progress.tell(None, "Drawing")
    from gui.commands.lab_graphs import graphs_of  # noqa: PLC0415 - loads the plots
    from gui.commands.lab_plot import graphs_of_set  # noqa: PLC0415

    sweep = sweep_of(results.plan)
    if sweep is not None and len(paths) == 1:
        graphs = graphs_of(sweep, results)
    else:
        graphs = [
            graph
            for place in range(len(results.plan.boards))
            for graph in graphs_of_set(results, place, names)
        ]
    return Findings(", ".join(path.stem for path in paths), tuple(sheets), tuple(graphs))
