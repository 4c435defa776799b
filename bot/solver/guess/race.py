"""Decide a guess by rollouts: race the candidates.

In each round all candidates that are left get as many rollouts, and at its end the worse half is
dropped (sequential halving). After each block of rollouts those are dropped that can hardly gain
anything over the best (`LIMITS.gain`), so a race ends early when one is clearly best. Candidates
are compared by the posterior mean of the difference to the best. The prior (`Candidate.prior`)
comes from their scores; the standard deviation of its error is `LIMITS.prior`.

A rollout depends only on its number and the board, so the result of a number of rollouts depends
neither on the number of threads nor on their order. The threads take numbers from a common counter.
The machine code runs without the interpreter's lock, and a flag that it checks at each turn breaks
it off.

Source: Z. Karnin, T. Koren, O. Somekh, Almost Optimal Exploration in Multi-Armed Bandits, 2013.
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from math import ceil, erfc, exp, isnan, log2, pi, sqrt
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Cancelled, Comparison, Limit, Thinking
from bot.board import COVERED, Board, Cell
from bot.solver.guess.policies import FAST
from bot.solver.guess.rollouts import NODES, RolloutWork, allocate_for_rollouts, roll_out
from bot.solver.kernel.counting import UNSCALED_CELLS
from bot.solver.kernel.position import solve_position
from bot.solver.kernel.tables import SOLVED, Floats

MOST_CANDIDATES: Final = 8
"""The candidates with the highest scores are compared."""


@dataclass(frozen=True)
class _Limits:
    """When a candidate of a race is dropped; in chances to win unless another unit is named.

    `python -m tests.benchmarks.rollouts OUT` measures what races with them gain.
    """

    prior: float = 0.01
    """Standard deviation of the error of a difference between two candidates' scores, times the
    chance to win (`python -m tests.tools.fit_score`)."""
    gain: float = 0.0002
    """Expected gain below which a candidate is dropped."""
    variance: float = 0.02
    """Approximate variance of the difference between two candidates in one rollout ..."""
    known: int = 8
    """... and the number of rollouts for which it counts, as few rollouts give little
    information."""
    equal: float = 1e-6
    """Largest difference between equivalent cells."""
    block: int = 32
    """Rollouts of each candidate between two decisions what to drop."""
    poll: float = 0.01
    """Seconds between two checks of the limit while rollouts are played."""


LIMITS: Final = _Limits()


@dataclass(frozen=True)
class Candidate:
    """A cell to compare."""

    cell: int
    """A flat index."""
    risk: float
    """Its mine probability."""
    prior: float
    """Approximate chance to win with this cell, before any rollout."""
    value: float
    """The network's estimate of the chance to win: the mean of `hint_values`, times the safety."""
    hint_values: Floats
    """(9,): the network's estimates after each hint, NaN if unknown."""


@dataclass(frozen=True)
class Verdict:
    """The result of a comparison by rollouts."""

    place: int
    """The candidate to open."""
    chance: float
    """Approximate chance to win with that candidate."""
    next_best: float | None
    """Chance to win with the second-best candidate; None if all others are equivalent."""
    confidence: float
    """The probability that the best candidate is better than the second-best one."""
    rollouts: int
    """Games that were simulated."""


def compare(
    board: Board, candidates: Sequence[Candidate], thinking: Thinking, limit: Limit
) -> Verdict | None:
    """Compare the candidates of a guess by rollouts.

    Args:
        board: Has no safe cell.
        candidates: The one with the highest score first.
        thinking: How long.
        limit: Its time ends the comparison, too.

    Returns:
        None if there is nothing to compare, it was ended before any rollout, the board is too
        expensive to solve, or no solutions can be drawn: more than `UNSCALED_CELLS` cells are
        covered, or a mine shows.

    Raises:
        Cancelled: The user stopped.
    """
    drawable = bool((board.unopened | (board.tiles >= 0)).all())
    if len(candidates) < 2 or not drawable or board.unopened.sum() > UNSCALED_CELLS:
        return None
    race = Race([one.prior for one in candidates])
    with _Rollouts(board, candidates, race, thinking, limit) as rollouts:
        if rollouts.too_expensive:
            return None
        rounds = ceil(log2(len(candidates)))
        for stage in range(1, rounds + 1):
            while len(race.left) > 1:
                block = rollouts.play(race.left, stage / rounds)
                if not len(block):
                    break
                race.add(block)
            if stage < rounds:
                race.drop_worse_half()
        rollouts.check()
    return race.verdict(rollouts.played) if rollouts.played else None


class Race:
    """The results of rollouts, and the candidates that are left."""

    def __init__(self, priors: Sequence[float]) -> None:
        self._priors = priors
        self._chances: list[list[float]] = [[] for _ in priors]
        self.left = list(range(len(priors)))
        """The candidates that may still be the best, by place."""

    def add(self, block: Floats) -> None:
        """Add rollouts, (n, candidates left), and drop those that can hardly gain anything."""
        for column, place in enumerate(self.left):
            self._chances[place] += block[:, column].tolist()
        best = self.best()
        self.left = [
            place
            for place in self.left
            if place == best or expected_gain(*self.difference(place, best)) > LIMITS.gain
        ]

    def drop_worse_half(self) -> None:
        """Drop the worse half of the candidates that are left."""
        best = self.best()
        ranked = sorted(self.left, key=lambda place: -self.difference(place, best)[0])
        self.left = sorted(ranked[: ceil(len(ranked) / 2)])

    def best(self) -> int:
        """Return the best candidate, dropped or not."""
        return max(range(len(self._priors)), key=lambda place: self.difference(place, 0)[0])

    def difference(self, one: int, other: int) -> tuple[float, float]:
        """Return by how much one candidate is better than another, and the standard deviation."""
        prior = self._priors[one] - self._priors[other]
        count = min(len(self._chances[one]), len(self._chances[other]))
        found = np.subtract(self._chances[one][:count], self._chances[other][:count])
        found = found[np.isfinite(found)]
        if one == other or len(found) < 2:
            return prior, LIMITS.prior
        if len(found) >= LIMITS.block and np.abs(found).max() < LIMITS.equal:
            # The cells are equivalent, such as two of the same box.
            return 0.0, LIMITS.equal
        squares = float(found.var()) * len(found) + LIMITS.variance * LIMITS.known
        variance = squares / (len(found) - 1 + LIMITS.known) / len(found)
        share = LIMITS.prior**2 / (LIMITS.prior**2 + variance)
        return share * float(found.mean()) + (1 - share) * prior, sqrt(share * variance)

    def chances(self) -> dict[int, float]:
        """Return the approximate chance to win with each candidate, the best first."""
        best, chance = self._best_chance()
        behind = {one: max(self.difference(best, one)[0], 0.0) for one in range(len(self._priors))}
        return {one: _clip(chance - behind[one]) for one in sorted(behind, key=behind.__getitem__)}

    def _best_chance(self) -> tuple[int, float]:
        """Return the best candidate and its approximate chance to win."""
        best = self.best()
        chances = [one for one in self._chances[best] if not isnan(one)]
        return best, float(np.mean(chances)) if chances else self._priors[best]

    def verdict(self, rollouts: int) -> Verdict:
        """Return the best candidate, compared with all others."""
        best, chance = self._best_chance()
        found = (self.difference(place, best) for place in range(len(self._priors)))
        others = [one for place, one in enumerate(found) if place != best and one[1] > LIMITS.equal]
        next_best, confidence = None, 1.0
        if others:
            ahead, deviation = max(others)
            next_best = _clip(chance + ahead)
            confidence = _normal(-ahead / deviation)
        return Verdict(best, _clip(chance), next_best, confidence, rollouts)


def expected_gain(mean: float, deviation: float) -> float:
    """Return the mean of the positive part of a normal variable."""
    score = mean / deviation
    return deviation * exp(-score * score / 2) / sqrt(2 * pi) + mean * _normal(score)


def _clip(chance: float) -> float:
    """Return an estimated probability, within 0 and 1."""
    return min(max(chance, 0.0), 1.0)


def _normal(score: float) -> float:
    """Return the normal distribution function."""
    return 0.5 * erfc(-score / sqrt(2))


class _Rollouts:
    """Play rollouts in threads, within a limit."""

    def __init__(
        self,
        board: Board,
        candidates: Sequence[Candidate],
        race: Race,
        thinking: Thinking,
        limit: Limit,
    ) -> None:
        self._tiles = np.where(board.unopened, np.int8(COVERED), board.tiles).astype(np.int8)
        self._mines = board.mines
        self._cells = np.array([one.cell for one in candidates], np.int32)
        self._estimates = np.array(
            [one.hint_values - one.value / (1 - one.risk) for one in candidates]
        )
        self._seed = zlib.crc32(self._tiles.tobytes()) >> 1
        self._thinking = thinking
        self._limit = limit
        self._started = time.perf_counter()
        self._numbers = 0
        self.played = 0
        """Rollouts so far, of all candidates, without the block in progress."""
        self._block = 0
        """Rollouts of the block in progress."""
        self._race = race
        self._chances = race.chances()
        self._chances_at = 0
        """Number of rollouts after which `_chances` was asked for."""
        self._places = [Cell(*divmod(one.cell, board.cols)) for one in candidates]
        threads = thinking.threads or os.cpu_count() or 1
        self._stop = np.zeros(1, np.int8)
        self._works = [_borrow(self._tiles.size, self._stop) for _ in range(threads)]
        self._executor = ThreadPoolExecutor(threads, "rollouts")
        status = solve_position(self._tiles.copy(), self._mines, self._works[0].root, NODES)
        self.too_expensive = status != SOLVED
        """Whether the board is too expensive to solve again and again."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop[0] = 1
        self._executor.shutdown()
        _idle.extend(self._works)

    def play(self, places: Sequence[int], share: float) -> Floats:
        """Play a block of rollouts.

        Args:
            places: Of the candidates.
            share: Of the thinking time that may be used up.

        Returns:
            (n, places): chances to win; empty if that time is used up.

        Raises:
            Cancelled: The user stopped.
        """
        # A block may take less time than the limit is polled.
        self.check()
        size = LIMITS.block
        if self._thinking.rollouts is not None:
            room = int(self._thinking.rollouts * share) - self.played
            size = min(size, room // len(places))
        deadline = float("inf")
        if self._thinking.seconds is not None:
            deadline = self._started + self._thinking.seconds * share
        cells = self._cells[list(places)]
        estimates = self._estimates[list(places)]
        chances = np.full((max(size, 0), len(places)), np.nan)
        numbers = iter(range(len(chances)))
        done = [0] * len(self._works)

        def work_off(thread: int, work: RolloutWork) -> None:
            while time.perf_counter() < deadline and not self._stop[0]:
                number = next(numbers, None)
                if number is None:
                    break
                seed = (self._seed + self._numbers + number) & 0x7FFFFFFF
                roll_out(
                    self._tiles, self._mines, cells, estimates, seed, FAST, work, chances[number]
                )
                done[thread] += 1

        futures = [self._executor.submit(work_off, *one) for one in enumerate(self._works)]
        try:
            while wait(futures, LIMITS.poll).not_done:
                self._block = sum(done) * len(places)
                self.check()
        except Cancelled:
            self._stop[0] = 1
            raise
        for future in futures:
            future.result()
        # Numbers are taken in order; a rollout that was broken off has NaN.
        played = sum(done)
        self._numbers += played
        self.played += played * len(places)
        self._block = 0
        return chances[:played]

    def check(self) -> None:
        """Break the rollouts off if the limit or the caller of the decision says so.

        Raises:
            Cancelled: The user stopped.
        """
        enough = self._thinking.is_enough
        if self._limit.spent(0) or (enough is not None and enough(self._comparison())):
            self._stop[0] = 1

    def _comparison(self) -> Comparison:
        if self._chances_at != self.played:
            self._chances_at, self._chances = self.played, self._race.chances()
        return Comparison(
            {self._places[place]: chance for place, chance in self._chances.items()},
            tuple(self._places[place] for place in self._race.left),
            self.played + self._block,
        )


_idle: Final[list[RolloutWork]] = []
"""Arrays for reuse."""


def _borrow(cells: int, stop: NDArray[np.int8]) -> RolloutWork:
    """Return arrays that no other thread uses, for boards with the given number of cells."""
    work = _idle.pop() if _idle else allocate_for_rollouts(cells)
    if len(work.tiles) < cells:
        work = allocate_for_rollouts(cells)
    return work._replace(policy=work.policy._replace(stop=stop))
