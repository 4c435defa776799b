"""The page of the laboratory: start, observe, cancel, resume and compare runs.

The form of a run, the list of runs, and the view of their results, top to bottom.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PyQt6.QtCore import QSignalBlocker, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QHideEvent, QShowEvent
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QFrame,
    QHeaderView,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from bot.digging import HUNTERS
from bot.game import LEVELS, FirstClick
from bot.lab.worker import CLASSIC, DIGGING
from bot.solver import PLAYER, SOLVERS
from gui.commands.options import MOST_GAMES
from gui.dialogs import ask_open, ask_save, confirm
from gui.failures import Failure
from gui.lab.result_graphs import graphs_of, graphs_of_sets
from gui.lab.runs import (
    ENDING,
    Order,
    Run,
    delete_runs,
    find_runs,
    run,
    sweep_named,
    sweep_of,
)
from gui.lab.sheets import SOURCE, Sheet, put_together, sheets_of
from gui.lab.sweeps import SWEEPS, Sweep
from gui.panel import widgets
from gui.panel.jobs import Job, JobBar, Jobs, LatestJob, Progress
from gui.panel.pages import Context, Page
from gui.panel.theme import SPACE, current_theme, on_theme_change
from gui.settings import lab_folder

if TYPE_CHECKING:
    # The plotting library is loaded by the job that needs it.
    from gui.graphs import Graph


_NO_RUNS: Final = (
    "No finished runs yet. Start one on the left; its results are kept here. Several chosen runs "
    "(Ctrl, Shift) are compared."
)
_BOTH: Final = (
    "The bot is playing too, and has priority: the run uses the remaining processor time, so its "
    "times per move are longer than usual."
)
_GAMES: Final = {"Minesweeper": CLASSIC, "Find all mines": DIGGING}
_FIRST: Final = {
    "Is safe": FirstClick.SAFE,
    "Opens a zero": FirstClick.ZERO,
    "May be a mine": FirstClick.NONE,
}
_SIZE: Final = "a size"
_FILE: Final = "a file"
_SWEEP: Final = "graph "
_AT_FIRST: Final = {CLASSIC: ("lookahead", "exact"), DIGGING: ("hunter", "algorithm-b")}
"""The initial selection."""
COMPARED: Final = 500
"""Number of the boards on which solvers are compared, from seed 0."""
_COMPARE: Final = "&Compare on fixed boards"
STRENGTHS: Final = (0, 10, 100, 1000)
"""Simulated games at each guess, by level."""
_NAMED: Final = 10
"""Runs that a question names; more are counted."""
_HEADINGS: Final = {
    "won %": "Share of the games that were won",
    "95% interval": "95% confidence interval of the number before it",
    "opened": "Cells opened per game, on average",
    "guesses": "Moves per game that were not certain, without the first click",
    "points more": "Wins less those of the other solver, in percentage points",
    "only it won": "Boards that only this solver won",
    "only the other won": "Boards that only the other solver won",
    "McNemar p": "Probability of such a difference if both were equally good; small: it is real",
    "95% within": "95% of the moves took at most so long",
    "MB": "Largest memory of a process",
}
"""Explanations of the columns."""


class LabPage(Page):
    """The laboratory.

    Signals:
        advanced(Sheet): The current standings of the run.
    """

    advanced = pyqtSignal(object)

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.form, self.list = Form(), QListWidget()
        self.runs: list[Run] = []
        """The runs that are listed."""
        self.open_file = widgets.named_button("&Open …", "Open a file of results")
        self.go_on = widgets.named_button("Co&ntinue", "Continue the chosen run")
        self.delete = widgets.named_button(
            "D&elete …", "Delete the chosen runs", "Delete the chosen runs and their results (Del)"
        )
        self._empty = widgets.explanation("No runs", _NO_RUNS)
        self._place = widgets.explanation("Which of the runs")
        self.bar, self.both = JobBar(), widgets.explanation("Note on playing meanwhile", _BOTH)
        self.live, self.findings = SheetView(Sheet("", (), ())), FindingsView(context.jobs)
        self.job: Job | None = None
        self._others: list[Path] = []
        self._reading = LatestJob(context.jobs, self._not_read)
        self._wanted: set[Path] = set()
        self._unfinished: Path | None = None
        """The cancelled run that the message is about."""
        self._waiting: list[Order] = []
        """The orders that follow the running one."""
        self._played: list[Path] = []
        """The files of the runs that were started together."""
        self._selection_timer = QTimer(self)
        self._selection_timer.setSingleShot(True)
        self._selection_timer.setInterval(150)
        self._lay_out()
        self._connect()

    def enter(self, what: object = None) -> None:
        """List the runs again, as `minesweeper-bot lab` may have added some."""
        del what
        with QSignalBlocker(self.form.digging):
            self.form.digging.setChecked(self.context.settings().digging)
        self.form.digging.setEnabled(not self.context.playing())
        self._update_note()
        self._list()

    def chosen(self) -> list[Run]:
        """Return the selected runs, in the order of selection."""
        selection = self.list.selectionModel()
        indexes = selection.selectedIndexes() if selection is not None else []
        return [self.runs[index.row()] for index in indexes]

    def open_results(self, path: Path) -> None:
        """List a file of results from elsewhere and show it."""
        path = path.resolve()
        if path not in self._others:
            self._others.append(path)
        self._list(path)

    def start(self, order: Order, out: Path | None = None) -> None:
        """Run an order, one at a time.

        Args:
            order: The order.
            out: The file to resume; by default a new one.
        """
        if self.job is not None:
            self.message.emit(
                "A run is in progress. Cancel it first; the games it has played are kept."
            )
            return
        path = out or _new_file(order)
        self._played.append(path)
        number, all_runs = len(self._played), len(self._played) + len(self._waiting)
        self._place.setText(f"Run {number} of {all_runs}")
        self._place.setVisible(all_runs > 1)
        self.outdated.emit()
        job = self.job = self.context.jobs.start(
            f"Starting {path.stem} …",
            lambda progress: run(order, path, progress, self.advanced.emit),
        )
        self.bar.follow(job)
        self.findings.show_findings(None)
        self.live.show_sheet(Sheet(path.stem, (), ()))
        self.live.show()
        self._update_note()
        self._allow()
        job.cancelled.connect(partial(self._cancelled, path))
        job.failed.connect(self._fail)
        job.ended.connect(self._ended)

    def start_all(self, orders: Sequence[Order]) -> None:
        """Run orders one after the other, and show their results together.

        Args:
            orders: The orders; at least one.
        """
        if self.job is None:
            self._waiting = list(orders[1:])
        self.start(orders[0])

    def _lay_out(self) -> None:
        runs = widgets.Card("Runs")
        self.list.setAccessibleName("Runs; choose several to compare them")
        self.list.setToolTip("Choose one to see it, several (Ctrl, Shift) to compare them")
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setUniformItemSizes(True)
        self.list.setSpacing(3)
        self.list.setMinimumHeight(130)
        self.list.setMaximumHeight(180)
        runs.whole(self.list)
        runs.whole(self._empty)
        runs.whole(widgets.button_row(self.go_on, self.open_file, self.delete))
        self._watch = widgets.Card("In progress")
        for part in (self._place, self.bar, self.both, self.live):
            self._watch.whole(part)
        self._watch.hide()
        columns = widgets.Columns()
        columns.add(self.form, stretch=2)
        columns.add(runs, self._watch, self.findings, stretch=3)
        widgets.fill_page(self, "Lab", columns)
        self._allow()

    def _connect(self) -> None:
        self.form.started.connect(self.start_all)
        self.form.refused.connect(self.message)
        self.form.digging.toggled.connect(self._choose_game)
        self.findings.saved.connect(self.saved)
        self.findings.failed.connect(self.failed)
        self.advanced.connect(self._advance)
        self.open_file.clicked.connect(self._browse)
        self.go_on.clicked.connect(self._go_on)
        self.delete.clicked.connect(self.ask_delete)
        widgets.add_key("Del", self.list, self.delete.click, focused=True)
        self._selection_timer.timeout.connect(self._show_chosen)
        self.list.itemSelectionChanged.connect(self._choose)

    def _choose_game(self, digging: bool) -> None:
        """Choose the game that the bot plays."""
        settings = self.context.settings()
        self.context.change(settings.model_copy(update={"digging": digging}))

    def _advance(self, sheet: Sheet) -> None:
        self.live.show_sheet(sheet)
        self._update_note()

    def _update_note(self) -> None:
        self.both.setVisible(self.job is not None and self.context.playing())
        self._watch.setVisible(self.job is not None)

    def _fail(self, failure: Failure) -> None:
        self._waiting.clear()
        self.failed.emit(failure)

    def _cancelled(self, path: Path) -> None:
        self._waiting.clear()
        self._unfinished = path.resolve()
        self.message.emit(
            f"{path.stem} was cancelled. Its games are kept; press Continue to play the rest."
        )

    def _ended(self) -> None:
        self.job = None
        if self._waiting:
            self._list()
            self.start(self._waiting.pop(0))
            return
        self._allow()
        self._update_note()
        played, self._played = self._played, []
        self._list(*played)

    def _list(self, *wanted: Path) -> None:
        """List the runs and select some of them."""
        others = tuple(self._others)

        def work(progress: Progress) -> list[Run]:
            return find_runs(lab_folder(), others, lambda: progress.report(None))

        self._wanted = {path.resolve() for path in wanted} or self._wanted
        job = self.context.jobs.start("Looking for runs", work)
        job.done.connect(self._listed)
        job.failed.connect(self.failed)

    def _listed(self, runs: list[Run]) -> None:
        before = {run.path for run in self.chosen()}
        # A search that started earlier does not contain it yet.
        if self._wanted and self._wanted <= {run.path for run in runs}:
            before, self._wanted = self._wanted, set()
        elif [(run.path, run.changed) for run in runs] == [
            (run.path, run.changed) for run in self.runs
        ]:
            return
        self.list.clear()
        self.runs = runs
        self._empty.setVisible(not runs)
        for one in runs:
            item = QListWidgetItem(f"{one.path.stem}\n{one.words}", self.list)
            item.setToolTip(str(one.path))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{one.path.stem}, {one.words}")
            item.setSelected(one.path in before)
        self._choose()

    def _choose(self) -> None:
        self._allow()
        self._selection_timer.start()

    def _allow(self) -> None:
        chosen = self.chosen()
        able = len(chosen) == 1 and chosen[0].order is not None and not chosen[0].whole
        self.go_on.setEnabled(able and self.job is None)
        running = {path.resolve() for path in self._played}
        self.delete.setEnabled(bool(chosen) and not running & {run.path for run in chosen})
        for button in self.form.starting:
            if self.job is not None and button.hasFocus():
                # The page would scroll to the next control that takes it.
                self.list.setFocus()
            button.setEnabled(self.job is None)

    def _show_chosen(self) -> None:
        """Read the selected runs, cancelling the previous job."""
        paths = [run.path for run in self.chosen() if run.games]
        if paths:
            work = partial(find_out, paths)
            self._reading.start("Reading the results", work, self.findings.show_findings)
        else:
            self._reading.cancel()
            self.findings.show_findings(None)

    def _not_read(self, failure: Failure) -> None:
        self.findings.show_findings(None)
        self.failed.emit(failure)

    def _browse(self) -> None:
        ask_open(
            self, "Open a file of results", f"Results (*{ENDING})",
            lambda paths: self.open_results(paths[0]), folder=lab_folder(),
        )  # fmt: skip

    def ask_delete(self) -> None:
        """Delete the chosen runs after confirmation."""
        paths = [run.path for run in self.chosen()]
        names = ", ".join(path.stem for path in paths[:_NAMED])
        more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
        whose = "its" if len(paths) == 1 else "their"
        confirm(
            self,
            "Delete runs",
            f"Delete {names}{more}? The results of all {whose} games are deleted.",
            "&Delete",
            lambda: self._delete(paths),
        )

    def _delete(self, paths: Sequence[Path]) -> None:
        # What is being read of them is dropped: it may report a missing file.
        self._selection_timer.stop()
        self._reading.cancel()
        job = self.context.jobs.start("Deleting runs", lambda _progress: delete_runs(paths))
        if self._unfinished in paths:
            job.done.connect(self.outdated)
        job.failed.connect(self.failed)
        job.failed.connect(self._choose)
        job.ended.connect(self._list)

    def _go_on(self) -> None:
        chosen = self.chosen()
        if len(chosen) == 1 and chosen[0].order is not None:
            self.start(chosen[0].order, chosen[0].path)


def _new_file(order: Order) -> Path:
    stamp = datetime.now().astimezone().strftime("%Y-%m-%dT%H-%M-%S")
    return lab_folder() / f"{order.name}-{stamp}{ENDING}"


class Form(widgets.Card):
    """The form of a run.

    Signals:
        started(list[Order]): A button was pressed; the orders are to be run one after the other.
        refused(str): It was pressed, but something is missing.
    """

    started = pyqtSignal(object)
    refused = pyqtSignal(str)

    def __init__(self) -> None:
        super().__init__("New run")
        self.game = widgets.box(_GAMES, CLASSIC)
        self.players, self.boards = QListWidget(), widgets.box(_boards(), "expert")
        self.cols, self.rows, self.mines = (
            widgets.NumberBox(1, 100, 16),
            widgets.NumberBox(1, 100, 16),
            widgets.NumberBox(0, 10_000, 40),
        )
        self.file = QPushButton("Choose a file …")
        self.games, self.seed = (
            widgets.NumberBox(1, MOST_GAMES, 100),
            widgets.NumberBox(0, 1_000_000_000),
        )
        self.first = widgets.box(_FIRST, FirstClick.SAFE)
        self.nodes, self.workers = (
            widgets.NumberBox(0, 1_000_000_000, 100_000, "No limit"),
            widgets.NumberBox(1, 1024, os.cpu_count() or 1),
        )
        self.rollouts = widgets.NumberBox(0, 1_000_000, least_text="None")
        self.start = QPushButton("&Start the run")
        self.compare = widgets.named_button(
            _COMPARE,
            "Compare the ticked solvers on fixed boards",
            f"Each ticked solver plays the same {COMPARED:,} boards of the chosen level each time, "
            "whatever 'Games' and 'Seed' are, with published results beside them",
        )
        self.levels = widgets.named_button(
            "S&trength levels",
            "Play at several levels of strength",
            f"'{PLAYER}' plays the boards above with "
            f"{', '.join(f'{level:,}' for level in STRENGTHS)} simulated games at each guess; "
            "a graph shows how much the time is worth",
        )
        self.starting = (self.start, self.compare, self.levels)
        self.more = widgets.named_button(
            "Mo&re", "More", "Show the seed, the node limit, the workers"
        )
        self.more.setCheckable(True)
        self.digging = QCheckBox("The bot plays it, too")
        widgets.name_control(
            self.digging,
            "The bot plays 'Find all mines' on the page Play",
            "Play starts 'Find all mines' in place of Minesweeper",
        )
        self.path: Path | None = None
        self.start.setProperty("primary", True)
        self._size = QWidget()
        self._lay_out()
        self._list_players()
        self.game.currentIndexChanged.connect(self._list_players)
        self.boards.currentIndexChanged.connect(self._choose_boards)
        self.file.clicked.connect(self._browse)
        self.start.clicked.connect(self._start)
        self.compare.clicked.connect(self._compare)
        self.levels.clicked.connect(self._play_levels)
        self.players.itemChanged.connect(self._count_games)
        self.more.toggled.connect(self._show_rows)

    def chosen(self) -> tuple[str, ...]:
        """Return the players whose boxes are ticked."""
        items = (self.players.item(row) for row in range(self.players.count()))
        ticked = (item for item in items if item and item.checkState() is Qt.CheckState.Checked)
        return tuple(item.text() for item in ticked)

    def _lay_out(self) -> None:
        for spin, name in ((self.cols, "Columns"), (self.rows, "Rows"), (self.mines, "Mines")):
            widgets.name_control(spin, name)
        sizes = ((self.cols, 1), (self.rows, 1), (self.mines, 1))
        widgets.lay_row(*sizes, on=self._size, gap=SPACE // 2)
        self.players.setMinimumHeight(64)
        self.players.setMaximumHeight(96)
        self.row(
            "G&ame", self.game, "Which game is played", "Open all safe cells, or find all mines"
        )
        self.whole(self.digging)
        self.row(
            "Sol&vers",
            self.players,
            "Solvers that play",
            "Press Space to tick a solver. All play the same boards",
        )
        self.row(
            "&Boards", self.boards, "Boards", "A level, a size, a file, or the boards of a graph"
        )
        self.row("Size", self._size, "Columns, rows and mines", "Columns, rows and mines")
        self.row(
            "File",
            self.file,
            "File of boards",
            "First line: # rows=R cols=C mines=M; then one board per line",
        )
        self.row("First click", self.first, "First click", "What the first click is guaranteed")
        self.row("&Games", self.games, "Number of boards", "Every solver plays all of these boards")
        self.row("Sim&ulations", self.rollouts, "Games to simulate at each guess",
                 "Games that 'lookahead' simulates at each guess to compare the best cells: slower "
                 "and a little stronger. 1,000 take about 1 s")  # fmt: skip
        widgets.name_control(
            self.start, "Start the run", "Start the run; every game is saved at once"
        )
        self.whole(self.start)
        self.whole(self.compare)
        self.whole(self.levels)
        self.whole(widgets.button_row(self.more))
        self.row(
            "See&d", self.seed, "Seed of the first board", "Each further board uses the next number"
        )
        self.row("Node limit", self.nodes, "Node limit per move",
                 "Unlike a time limit, it gives the same results on a busy machine")  # fmt: skip
        self.row("&Workers", self.workers, "Worker processes",
                 "Processes on this machine; they run with low priority")  # fmt: skip

    def _list_players(self) -> None:
        game = self.game.currentData()
        sweep = self._sweep
        at_first = _AT_FIRST[game] if sweep is None else sweep.players
        self.players.clear()
        for name, info in (HUNTERS if game == DIGGING else SOLVERS).items():
            item = QListWidgetItem(name)
            ticked = name in at_first
            item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
            item.setToolTip(widgets.tip_text(f"{info.summary}\nSource: {info.source}"))
            self.players.addItem(item)
        self.players.setCurrentRow(0)
        self._count_games()
        self._show_rows()

    def _count_games(self) -> None:
        """Show on the button how many games a comparison plays: it does not use the field."""
        games = COMPARED * len(self.chosen())
        self.compare.setText(_COMPARE + (f": {games:,} games" if games else ""))

    @property
    def _sweep(self) -> Sweep | None:
        """The selected graph, or None."""
        kind = self.boards.currentData()
        return sweep_named(kind.removeprefix(_SWEEP)) if kind.startswith(_SWEEP) else None

    def _choose_boards(self) -> None:
        """Set game and players of the selected graph, which determines them."""
        sweep = self._sweep
        self.game.setEnabled(sweep is None)
        if sweep is not None:
            widgets.choose(self.game, sweep.game)
            self._list_players()
        self._show_rows()

    def _show_rows(self) -> None:
        """Show the fields that the choice of boards requires."""
        kind = self.boards.currentData()
        drawn = kind != _FILE and self._sweep is None
        digging = self.game.currentData() == DIGGING
        self.form.setRowVisible(self._size, kind == _SIZE)
        self.form.setRowVisible(self.file, kind == _FILE)
        more = self.more.isChecked()
        for control in (self.nodes, self.workers):
            self.form.setRowVisible(control, more)
        self.form.setRowVisible(self.seed, more and kind != _FILE)
        self.form.setRowVisible(self.digging, digging)
        self.form.setRowVisible(self.first, drawn and not digging)
        self.form.setRowVisible(self.rollouts, not digging)
        self.compare.setVisible(self._sweep is None)
        self.levels.setVisible(not digging and self._sweep is None)

    def _browse(self) -> None:
        ask_open(self, "Choose a file of boards", "", self._choose_file)

    def _choose_file(self, paths: list[Path]) -> None:
        (self.path,) = paths
        self.file.setText(self.path.name)

    def _start(self) -> None:
        if (order := self._checked(self.chosen())) is not None:
            self.started.emit([order])

    def _compare(self) -> None:
        players = self.chosen()
        if not players:
            self.refused.emit("Tick at least one solver.")
            return
        level = self.boards.currentData()
        order = Order(
            game=self.game.currentData(),
            players=players,
            games=COMPARED,
            level=level if level in LEVELS else "expert",
            first_click=self.first.currentData(),
            workers=self.workers.value(),
        )
        self.started.emit([order])

    def _play_levels(self) -> None:
        order = self._checked((PLAYER,))
        if order is not None:
            self.started.emit([order.model_copy(update={"rollouts": level}) for level in STRENGTHS])

    def _checked(self, players: tuple[str, ...]) -> Order | None:
        """Return the order of these players; None if something is missing, which is reported."""
        kind = self.boards.currentData()
        if not players:
            self.refused.emit("Tick at least one solver.")
        elif kind == _FILE and self.path is None:
            self.refused.emit("Choose the file of boards first.")
        else:
            return self._order(kind, players)
        return None

    def _order(self, kind: str, players: tuple[str, ...]) -> Order:
        chosen: dict[str, Any] = {"game": self.game.currentData()}
        if kind.startswith(_SWEEP):
            chosen["sweep"] = kind.removeprefix(_SWEEP)
        elif kind == _FILE:
            chosen["boards"] = str(self.path)
        elif kind == _SIZE:
            chosen["size"] = (self.rows.value(), self.cols.value(), self.mines.value())
        else:
            chosen["level"] = kind
        return Order(
            players=players,
            games=self.games.value(),
            first_click=self.first.currentData(),
            seed=self.seed.value(),
            nodes=self.nodes.value() or None,
            rollouts=self.rollouts.value() if self.form.isRowVisible(self.rollouts) else 0,
            workers=self.workers.value(),
            **chosen,
        )


def _boards() -> dict[str, str]:
    levels = {name.capitalize(): name for name in LEVELS}
    graphs = {f"Graph: {sweep.name.replace('-', ' ')}": _SWEEP + sweep.name for sweep in SWEEPS}
    return levels | {"A size …": _SIZE, "A file of boards …": _FILE} | graphs


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
    progress.report(None, "Computing statistics")
    sheets = sheets_of(results, names)
    progress.report(None, "Drawing")
    sweep = sweep_of(results.plan)
    if sweep is not None and len(paths) == 1:
        graphs = graphs_of(sweep, results)
    else:
        graphs = graphs_of_sets(results, names)
    return Findings(", ".join(path.stem for path in paths), tuple(sheets), tuple(graphs))


class FindingsView(QFrame):
    """A view of results, hidden until something is selected.

    Signals:
        saved(str, Path): A picture was written.
        failed(Failure): A picture could not be written.
    """

    saved = pyqtSignal(str, object)
    failed = pyqtSignal(object)

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self.setProperty("card", True)
        self._jobs = jobs
        self._findings: Findings | None = None
        self._shown: list[QWidget] = []
        self._graphs: QWidget | None = None
        self._parts: Iterator[None] = iter(())
        self._maker = QTimer(self)
        self._maker.setInterval(0)
        self.heading = widgets.explanation("Selected runs")
        self.save = widgets.named_button(
            "Save the &graphs …", "Save the graphs as a picture", "As PNG, dark on white"
        )
        row = widgets.lay_row((self.heading, 1), self.save, gap=-1)
        self._column = widgets.lay_column(row, on=self, margins=SPACE + 4)
        self._maker.timeout.connect(self._make_part)
        self.save.clicked.connect(self._ask_where)
        self.hide()
        on_theme_change(self._draw_again)

    @property
    def sheets(self) -> list[SheetView]:
        """The tables that are shown."""
        return [widget for widget in self._shown if isinstance(widget, SheetView)]

    @property
    def graphs(self) -> QWidget | None:
        """The widget with the graphs; None until they are complete."""
        return None if self._graphs is None or self._graphs.isHidden() else self._graphs

    def showEvent(self, event: QShowEvent | None) -> None:
        """Go on with unfinished graphs."""
        super().showEvent(event)
        if self._graphs is not None and self._graphs.isHidden():
            self._maker.start()

    def hideEvent(self, event: QHideEvent | None) -> None:
        """Stop creating the graphs; the window may be closed and its graphs deleted."""
        super().hideEvent(event)
        self._maker.stop()

    def _draw_again(self) -> None:
        if self._findings is not None:
            self.show_findings(self._findings)

    def show_findings(self, findings: Findings | None) -> None:
        """Show other findings; None for nothing."""
        self._findings = findings
        self._maker.stop()
        self._graphs = None
        for widget in self._shown:
            self._column.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self._shown = []
        self.setVisible(findings is not None)
        if findings is None:
            return
        # A name has no blanks at which a narrow label could wrap it.
        self.heading.setText(findings.names.replace("-", "-\N{ZERO WIDTH SPACE}"))
        self._shown += [SheetView(sheet) for sheet in findings.sheets]
        self.save.setEnabled(bool(findings.graphs))
        for widget in self._shown:
            self._column.addWidget(widget)
        if findings.graphs:
            self._begin_graphs(findings)

    def _begin_graphs(self, findings: Findings) -> None:
        """Start creating the graphs, hidden until they are complete."""
        from gui.graphs import empty_canvas, filled, small_height  # noqa: PLC0415 - the plots are loaded late

        drawn = self._graphs = empty_canvas(current_theme().card)
        drawn.hide()
        drawn.setMinimumHeight(small_height(findings.graphs))
        drawn.setMinimumWidth(200)
        drawn.setAccessibleName("Graphs: " + "; ".join(one.title for one in findings.graphs))
        self._shown.append(drawn)
        self._column.addWidget(drawn)
        self._parts = filled(drawn, findings.graphs, current_theme().text, small=True)
        if self.isVisible():
            self._maker.start()

    def _make_part(self) -> None:
        """Create the next part of the graphs, leaving time for other events."""
        done = object()
        if next(self._parts, done) is done and self._graphs is not None:
            self._maker.stop()
            self._graphs.show()

    def _ask_where(self) -> None:
        ask_save(
            self, "Save the graphs", "PNG pictures (*.png)", "graphs.png", self.save_graphs,
            folder=lab_folder(),
        )  # fmt: skip

    def save_graphs(self, path: Path) -> None:
        """Save the graphs as PNG."""
        if self._findings is None:
            return
        from gui.graphs import picture, write  # noqa: PLC0415 - the plots are loaded late

        image = picture(self._findings.graphs)

        def work(_progress: Progress) -> None:
            write(image, path)

        job = self._jobs.start("Saving the graphs", work)
        job.done.connect(lambda _answer: self.saved.emit(f"Graphs saved to {path}", path))
        job.failed.connect(self.failed)


class SheetView(QWidget):
    """A table with its title."""

    def __init__(self, sheet: Sheet) -> None:
        super().__init__()
        self.title, self.note = (
            widgets.explanation("Title of the table"),
            widgets.explanation("In words"),
        )
        self.table = QTableWidget()
        # As high as its rows: the page scrolls, not the table.
        self.table.setSizeAdjustPolicy(QTableWidget.SizeAdjustPolicy.AdjustToContents)
        self.table.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setFrameShape(QFrame.Shape.NoFrame)
        self.table.setShowGrid(False)
        self.table.setAlternatingRowColors(True)
        self.table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setTabKeyNavigation(False)
        down, across = self.table.verticalHeader(), self.table.horizontalHeader()
        if down is not None and across is not None:
            down.hide()
            down.setDefaultSectionSize(24)
            across.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
            across.setHighlightSections(False)
            across.setStretchLastSection(False)
        widgets.lay_column(self.title, self.table, self.note, on=self, gap=2)
        self.show_sheet(sheet)

    def show_sheet(self, sheet: Sheet) -> None:
        """Show another sheet."""
        self.table.setRowCount(len(sheet.rows))
        self.table.setColumnCount(len(sheet.head))
        for col, title in enumerate(sheet.head):
            text = not col or title == SOURCE
            heading = _cell(title, text=text)
            heading.setToolTip(widgets.tip_text(_HEADINGS.get(title, "")))
            self.table.setHorizontalHeaderItem(col, heading)
            for row, texts in enumerate(sheet.rows):
                self.table.setItem(
                    row, col, _cell(texts[col] if col < len(texts) else "", text=text)
                )
        self.title.setText(sheet.title)
        self.note.setText(sheet.note)
        self.note.setVisible(bool(sheet.note))
        self.table.setAccessibleName(f"Table: {sheet.title}")
        self.table.setAccessibleDescription(", ".join(sheet.head) or "No results yet")
        self.table.setVisible(bool(sheet.rows))
        self.table.updateGeometry()


def _cell(words: str, *, text: bool) -> QTableWidgetItem:
    """Return a cell; numbers are right-aligned."""
    cell = QTableWidgetItem(words)
    side = Qt.AlignmentFlag.AlignLeft if text else Qt.AlignmentFlag.AlignRight
    cell.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
    return cell
