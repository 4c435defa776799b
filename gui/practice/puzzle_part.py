"""The puzzles: a board as it was, the user's answer, and the solver's reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final

from PyQt6.QtCore import QSignalBlocker
from PyQt6.QtWidgets import QComboBox

from bot.analysis import Analysis
from bot.assist.patterns import what_to_look_for
from bot.board import UNOPENED, Board, Cell
from bot.planner import Action, Move
from bot.solver.explain import Explanation
from gui.analyse.positions import turn_of
from gui.history.store import Attempt, Puzzle, today
from gui.panel import widgets
from gui.panel.boardview import Legend
from gui.panel.cell_info import chance_text
from gui.panel.cell_label import CellLabel
from gui.panel.jobs import Job, JobBar, Progress
from gui.panel.pages import Context
from gui.practice.board_part import BoardPart
from gui.practice.puzzles import (
    ENOUGH,
    add_examples,
    analyse_puzzle,
    explain_cell,
    in_order,
    is_due,
    keep_attempt,
    read_puzzles,
    search_games,
)

_HOW: Final = (
    "This is an example. Positions from your own games appear here when you have played with "
    "Assist while 'Record every game' is on, and guessed although a cell was proved safe."
)
_TASK: Final = "Find a safe cell"
_HELP: Final = (
    "Click a covered cell that is certainly no mine: with the mouse, or with the arrow keys and "
    "Space."
)


class PuzzlePart(BoardPart):
    """The puzzles, as a board view and a column of texts and controls."""

    def __init__(self, context: Context, bar: JobBar) -> None:
        super().__init__(context, bar)
        self.puzzles: list[Puzzle] = []
        """All puzzles."""
        self.puzzle: Puzzle | None = None
        """The puzzle that is shown."""
        self.analysis: Analysis | None = None
        """Its analysis; None until it is known."""
        self.solved = False
        """Whether its solution is shown."""
        self._board: Board | None = None
        self._answered = False
        self._searching: Job | None = None
        self.pattern = QComboBox()
        widgets.name_control(self.pattern, "Pattern", "Practise only positions with this pattern")
        self.title = widgets.headline()
        self.title.setAccessibleName("The answer")
        self.reason = CellLabel("The reason")
        self.reason.highlight_on(self.view)
        self.count, self.notice = (
            widgets.explanation("Positions due"),
            widgets.explanation("Where they come from"),
        )
        self.legend = Legend(self.view)
        self.solution = widgets.KeyedButton(
            "&Show solution", "Show a safe cell, and why it is safe", "S"
        )
        self.next = widgets.KeyedButton("&Next", "Show the next position", "N")
        # Above the texts, whose height changes, the buttons stay under the pointer.
        widgets.lay_column(
            self.pattern, widgets.Flow(self.solution, self.next), self.count, self.title,
            self.reason, self.legend, self.notice, 1,
            on=self.side,
        )  # fmt: skip
        widgets.connect_keyed(
            self.side,
            {self.solution: self.show_solution, self.next: self.show_next},
        )
        self.input.opened.connect(self.answer)
        self.pattern.currentIndexChanged.connect(self.show_next)
        self._update()

    @property
    def busy(self) -> bool:
        """Whether the games are searched, or the position is analysed."""
        return self._searching is not None or (self.puzzle is not None and self.analysis is None)

    def enter(self) -> None:
        """Search the games that were played since the last visit."""
        if self._searching is None:
            job = self._run("Reading the positions", read_puzzles)
            job.done.connect(self._search)

    def answer(self, cell: Cell) -> None:
        """Check the user's answer; the first one to a position counts."""
        board, analysis = self._board, self.analysis
        if board is None or analysis is None or self.solved or board[cell] not in UNOPENED:
            return
        risk = float(analysis.mine_probability[cell])
        where = cell.position_text.capitalize()
        self._keep(solved=risk == 0)
        if risk == 0:
            self._show_solution("Right", cell)
            return
        self._report(
            "Wrong",
            f"{where}: {chance_text(risk)}. Another cell is proved safe: try again, or press "
            "Show solution.",
        )

    def show_solution(self) -> None:
        """Show the safe cell that is the easiest to find; without an answer that is a mistake."""
        if self.analysis is not None and self.analysis.best is not None and not self.solved:
            self._keep(solved=False)
            self._show_solution("Solution", self.analysis.best)

    def show_next(self) -> None:
        """Show the next position: the longest due first, then those that are due later."""
        chosen = self.pattern.currentData()
        left = [one for one in self.puzzles if chosen in (None, one.pattern)]
        others = [one for one in left if self.puzzle is None or one.number != self.puzzle.number]
        ordered = in_order(others or left, today())
        self.puzzle = ordered[0] if ordered else None
        self._board = self.analysis = None
        self._answered = self.solved = False
        self._update()
        puzzle = self.puzzle
        if puzzle is None:
            return
        job = self._context.jobs.start(
            "Analysing the position", partial(analyse_puzzle, puzzle), only_looks=True
        )
        job.done.connect(partial(self._show, puzzle))
        job.failed.connect(self.failed)

    # The puzzles

    def _run(self, title: str, work: Callable[[Progress], list[Puzzle]]) -> Job:
        job = self._searching = self._context.jobs.start(title, work)
        job.done.connect(self._take)
        job.failed.connect(self.failed)
        job.ended.connect(partial(self._searched, job))
        self._update()
        return job

    def _search(self) -> None:
        """Search the new games; if that is cancelled, show what is known."""
        folder = self._context.settings().sessions_folder
        job = self._run("Searching your games", partial(_puzzles_after_search, folder))
        self._bar.follow(job)
        job.cancelled.connect(lambda: self._run("Reading the positions", _puzzles_or_examples))

    def _take(self, puzzles: list[Puzzle]) -> None:
        known = {one.number: one for one in self.puzzles}
        # An answer that was given meanwhile may not have been written when they were read.
        self.puzzles = [
            max(known.get(one.number, one), one, key=lambda puzzle: len(puzzle.attempts))
            for one in puzzles
        ]
        self._list_patterns()
        if self.puzzle is None:
            self.show_next()

    def _searched(self, job: Job) -> None:
        if job is self._searching:
            self._searching = None
            self._update()

    def _list_patterns(self) -> None:
        """List the patterns with the number of their positions, the most frequent first."""
        chosen = self.pattern.currentData()
        numbers = Counter(one.pattern for one in self.puzzles)
        with QSignalBlocker(self.pattern):
            self.pattern.clear()
            self.pattern.addItem(f"All patterns ({len(self.puzzles)})", None)
            for pattern, number in numbers.most_common():
                self.pattern.addItem(f"{pattern[:1].upper()}{pattern[1:]} ({number})", pattern)
            self.pattern.setCurrentIndex(max(self.pattern.findData(chosen), 0))

    # The position

    def _show(self, puzzle: Puzzle, solved: tuple[Board, Analysis]) -> None:
        if puzzle is not self.puzzle:
            return
        self._board, self.analysis = solved
        self.view.show_turn(turn_of(self._board))
        self._update()

    def _show_solution(self, title: str, cell: Cell) -> None:
        board, analysis = self._board, self.analysis
        if board is None or analysis is None:
            return
        self.solved = True
        why: Explanation = explain_cell(board, analysis, cell)
        shown = replace(analysis, best=cell, reason=why.reason, evidence=why.evidence)
        turn = turn_of(board)
        self.view.show_turn(replace(turn, analysis=shown, moves=(Move(Action.OPEN, cell),)))
        self._update()
        where = cell.position_text.capitalize()
        hint = f" {what_to_look_for(self.puzzle.pattern)}" if self.puzzle is not None else ""
        self._report(title, widgets.sentence(f"{where}: {why.reason}") + hint)

    def _report(self, title: str, reason: str) -> None:
        """Show what an answer was worth, also to screen readers: the board keeps the focus."""
        self.title.setText(title)
        self.reason.setText(reason)
        self.view.describe(f"{title}. {reason}")

    def _keep(self, *, solved: bool) -> None:
        """Write the first answer to this position."""
        if self._answered or self.puzzle is None:
            return
        self._answered = True
        attempt = Attempt(today(), solved)
        answered = replace(self.puzzle, attempts=(*self.puzzle.attempts, attempt))
        self.puzzles = [answered if one is self.puzzle else one for one in self.puzzles]
        self.puzzle = answered
        work = partial(keep_attempt, answered.number, attempt)
        job = self._context.jobs.start("Saving the answer", work, keeps=True)
        job.failed.connect(self.failed)
        self._count()

    def _update(self) -> None:
        """Show what can be done now."""
        ready = self.analysis is not None
        self.solution.setEnabled(ready and not self.solved)
        self.next.setEnabled(len(self.puzzles) > 0)
        self.legend.setVisible(self.solved)
        if not self.solved and not self._answered:
            analysed = "Analysing the position" if self.puzzle is not None else ""
            waits = "Searching your games" if self._searching is not None else analysed
            self.title.setText(_TASK if ready else waits)
            self.reason.setText(_HELP if ready else "")
        self.notice.setText(_HOW if self.puzzle is not None and not self.puzzle.day else "")
        self._count()

    def _count(self) -> None:
        text = due_text(self.puzzles, today())
        if self._answered and self.puzzle is not None:
            text += f". This one again on {self.puzzle.due}"
        if self._board is not None:
            text += f"\n{self._board.mines:,} mines on the board"
        self.count.setText(text)


def due_text(puzzles: Sequence[Puzzle], day: date) -> str:
    """Return how many puzzles are due on a day, and when the next one is."""
    if not puzzles:
        return ""
    due = sum(is_due(one, day) for one in puzzles)
    if due:
        return f"{due:,} of {len(puzzles):,} due today"
    following = min(one.due for one in puzzles)
    return f"None of {len(puzzles):,} due today; the next is due on {following}"


def _puzzles_after_search(folder: Path, progress: Progress) -> list[Puzzle]:
    """Search the new games, and return all puzzles."""
    search_games(folder, progress)
    return _puzzles_or_examples(progress)


def _puzzles_or_examples(progress: Progress) -> list[Puzzle]:
    puzzles = read_puzzles(progress)
    own = sum(bool(one.day) for one in puzzles)
    if own < ENOUGH and own == len(puzzles):
        add_examples(progress)
        puzzles = read_puzzles(progress)
    return puzzles
