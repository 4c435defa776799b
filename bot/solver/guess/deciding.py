"""Choose the cell to open on a board without a safe cell, and explain the choice.

The first of these that applies: the exhaustive search of the end game, a forced guess
(`endgame.forced`), the highest score (`choice.score`). With time to think, games are simulated to
compare the candidates with the highest scores (`race`). The limit is checked between candidates,
about every millisecond on Expert.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.analysis import Evidence, Limit, Thinking
from bot.board import Board, Cell, neighbours
from bot.solver.endgame import Endgame, Forced, forced_guess, solve_endgame
from bot.solver.guess.choice import (
    GuessWork,
    allocate_for_guess,
    better_guess,
    is_endgame,
    list_candidates,
    list_other_cells,
)
from bot.solver.guess.network import load_network
from bot.solver.guess.race import MOST_CANDIDATES, Candidate, Verdict, compare
from bot.solver.kernel.position import MOST_NODES, solve_position
from bot.solver.kernel.tables import SOLVED, Floats
from bot.solver.phrases import percent

EVEN: Final = "a 50/50 guess that cannot be avoided"

_kept = threading.local()


@dataclass(frozen=True)
class Decision:
    """A guess."""

    board: Board
    cell: Cell
    reason: Callable[[], str]
    """Returns the reason for this cell, in one sentence."""

    def evidence(self) -> Evidence:
        """Return the cell, and the hints that it touches."""
        index = self.cell.row * self.board.cols + self.cell.col
        around = neighbours(self.board.rows, self.board.cols)[index]
        cells = [Cell(*divmod(other, self.board.cols)) for other in around]
        return Evidence(tuple(c for c in cells if self.board[c] >= 0), (self.cell,))


def decide(board: Board, limit: Limit) -> Decision | None:
    """Choose a cell on a board that has no safe cell; None if it is too expensive to solve.

    Raises:
        Cancelled: The user stopped.
    """
    space = solve_for_guess(board)
    if space is None:
        return None
    if is_endgame(space.work):
        ending = solve_endgame(board, limit)
        if ending is not None and ending.best:
            return Decision(board, ending.best[0], lambda: explain_endgame(ending))
    forced = forced_guess(board, limit)
    if forced is not None:
        return Decision(board, forced.cell, lambda: explain_forced(forced))
    return _choose_by_value(board, space, limit)


def solve_for_guess(board: Board) -> GuessWork | None:
    """Solve a board in this thread's arrays; None if that is too expensive.

    They are valid until this thread's next call.
    """
    space: GuessWork | None = getattr(_kept, "space", None)
    if space is None or len(space.cells) < board.tiles.size:
        space = _kept.space = allocate_for_guess(board.tiles.size)
    status = solve_position(board.tiles.copy(), board.mines, space.work, MOST_NODES)
    return space if status == SOLVED else None


def _choose_by_value(board: Board, space: GuessWork, limit: Limit) -> Decision | None:
    """Choose the candidate with the highest score; None if no candidate could be evaluated.

    If every candidate is uninformative, the other cells follow, the safest first, up to the first
    informative one.
    """
    tiles = board.tiles.copy()
    count = list_candidates(space.work, space.cells, space.risks)
    network = load_network()
    best = -1
    place, end = 0, count
    hint_values: list[Floats] = []
    while place < end and not (limit.spent(place) and best >= 0):
        best = better_guess(tiles, board.mines, place, best, space, network)
        hint_values.append(space.hint_values[0].copy())
        place += 1
        if place == count and best >= 0 and space.uninformative[best]:
            end = list_other_cells(space.work, space.cells, space.risks, count)
        elif place > count and not space.uninformative[best]:
            break
    if best < 0:
        return None
    simulated = None
    if limit.thinking is not None and best < count:
        simulated = _choose_by_rollouts(
            board, space, best, hint_values[:count], limit.thinking, limit
        )
    if simulated is not None:
        return simulated
    cell = Cell(*divmod(int(space.cells[best]), board.cols))
    value, risk, least = (float(x) for x in (space.values[best], space.risks[best], space.risks[0]))
    looked_at = count if best < count else 0
    return Decision(board, cell, lambda: explain_estimate(value, risk, least, looked_at))


def _choose_by_rollouts(
    board: Board,
    space: GuessWork,
    best: int,
    hint_values: Sequence[Floats],
    thinking: Thinking,
    limit: Limit,
) -> Decision | None:
    """Choose among the candidates with the highest scores by simulated games.

    Args:
        board: Solved in `space`, with the candidates evaluated.
        space: See above.
        best: The place of the candidate with the highest score.
        hint_values: Of each candidate that was evaluated: see `GuessWork.hint_values`.
        thinking: How long.
        limit: See `decide`.

    Returns:
        None if nothing can be simulated.
    """
    places = [
        place
        for place in range(len(hint_values))
        if space.uninformative[place] == space.uninformative[best]
    ]
    places.sort(key=lambda place: (place != best, -space.scores[place]))
    candidates = [
        Candidate(
            int(space.cells[place]),
            float(space.risks[place]),
            _prior(space, place, best),
            float(space.values[place]),
            hint_values[place],
        )
        for place in places[:MOST_CANDIDATES]
    ]
    verdict = compare(board, candidates, thinking, limit)
    if verdict is None:
        return None
    chosen = candidates[verdict.place]
    cell = Cell(*divmod(chosen.cell, board.cols))
    return Decision(board, cell, lambda: explain_verdict(verdict, chosen.risk))


def _prior(space: GuessWork, place: int, best: int) -> float:
    """Return the approximate chance to win with a candidate, before any rollout."""
    ahead = float(space.scores[place] - space.scores[best])
    return float(space.values[best]) * max(1 + ahead, 0.0)


def explain_endgame(ending: Endgame) -> str:
    """Explain a guess of the end game search."""
    left = f"the {ending.solutions:,} solutions left"
    have = "has" if ending.mined == 1 else "have"
    start = f"{ending.mined:,} of {left} {have} a mine here"
    if ending.solutions == 2 and ending.won == 1:
        return f"{EVEN}: {start}"
    if ending.without_guess:
        start += f"; if it is safe, no guess is left in {ending.without_guess:,} of them"
    return f"{start}; perfect play wins in {ending.won:,} of them ({percent(ending.chance)})"


def explain_forced(forced: Forced) -> str:
    """Explain a forced guess."""
    if forced.solutions == 2 and forced.won == 1:
        return EVEN
    return (
        f"a part of the board that is independent of the rest: perfect play wins "
        f"{forced.won:,} of its {forced.solutions:,} placements, now or later"
    )


def explain_estimate(value: float, risk: float, least: float, looked_at: int) -> str:
    """Explain a guess in mid-game.

    Args:
        value: The estimated chance to win.
        risk: Its probability of a mine.
        least: The least probability of a mine on the board.
        looked_at: Number of cells that are about as safe as the safest; 0 if none of them is
            informative.
    """
    wins = f"{risk:.1%} risk here; about {percent(value)} chance of winning"
    if looked_at == 0:
        return f"{wins}. Opening a safer cell would give no information"
    if looked_at == 1:
        return f"{wins}. No other cell is nearly as safe"
    # Smaller gaps would read as 0.0 points.
    if risk > least + 5e-4:
        gap = 100 * (risk - least)
        return f"{wins}. Another cell is {gap:.1f} points safer, but gives less information"
    return f"{wins}. The best of {looked_at} cells that are about as safe"


def explain_verdict(verdict: Verdict, risk: float) -> str:
    """Explain a guess that was chosen by rollouts; `risk` is its probability of a mine."""
    found = f"about {percent(verdict.chance)} to win with {risk:.1%} risk of a mine here"
    played = f"{verdict.rollouts:,} games simulated"
    if verdict.next_best is None:
        return f"{found}, as with the other candidates; {played}"
    return (
        f"{found}; the next best cell {percent(verdict.next_best)}; {played}, "
        f"{percent(verdict.confidence)} sure that it is better"
    )
