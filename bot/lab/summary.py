"""What a file of results says of each player, and of one beside another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from bot.lab.playing import Outcome
from bot.lab.results import Results
from bot.lab.statistics import Interval, Paired, mcnemar, mean, quantile, wilson


@dataclass(frozen=True)
class Summary:
    """One player on one set of boards."""

    player: str
    games: int
    won: Interval
    opened: Interval
    """Cells opened by the player's moves, a game; in the game of digging: digs."""
    guesses: Interval
    """A game."""
    median: float
    """Seconds a decision: half of them took no longer."""
    p95: float
    worst: float
    rate: float
    """Games a second, by the processor time of the decisions."""
    memory: int | None
    """Most bytes that a worker needed."""


def summarise(outcomes: Sequence[Outcome]) -> Summary:
    """What games of one player say.

    Raises:
        ValueError: There are none.
    """
    times: Counter[int] = Counter()
    for outcome in outcomes:
        times.update(outcome.buckets)
    seconds = fsum(outcome.seconds for outcome in outcomes)
    worst = max(outcome.worst for outcome in outcomes)
    return Summary(
        outcomes[0].player,
        len(outcomes),
        wilson(sum(outcome.won for outcome in outcomes), len(outcomes)),
        mean([outcome.opened for outcome in outcomes]),
        mean([outcome.guesses for outcome in outcomes]),
        min(quantile(times, 0.5), worst),
        min(quantile(times, 0.95), worst),
        worst,
        len(outcomes) / seconds if seconds else float("inf"),
        max((o.memory for o in outcomes if o.memory is not None), default=None),
    )


def of_player(results: Results, boards: int, player: str) -> list[Outcome]:
    """What one player did on one set of boards, in the boards' order."""
    found = (o for (b, p, _), o in results.outcomes.items() if b == boards and p == player)
    return sorted(found, key=lambda outcome: outcome.number)


def players(results: Results) -> list[str]:
    """Everybody who played, in the order of their first games."""
    return list(dict.fromkeys(player for _, player, _ in results.outcomes))


def paired(first: Sequence[Outcome], second: Sequence[Outcome]) -> Paired | None:
    """Wins on the boards that both have played; None where there are none."""
    both = _both(first, second)
    return mcnemar([a.won for a, _ in both], [b.won for _, b in both]) if both else None


def fewer(first: Sequence[Outcome], second: Sequence[Outcome]) -> Interval | None:
    """Cells opened by the first less those of the second, a board that both have played."""
    both = _both(first, second)
    return mean([a.opened - b.opened for a, b in both]) if both else None


def _both(first: Sequence[Outcome], second: Sequence[Outcome]) -> list[tuple[Outcome, Outcome]]:
    others = {outcome.number: outcome for outcome in second}
    return [(one, others[one.number]) for one in first if one.number in others]
