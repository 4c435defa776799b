"""The description of a cell as text, for the inspector and for screen readers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from bot.analysis import Analysis
from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION, UNREAD, Board, Cell
from bot.solver.outcomes import NearbyHint, Outcomes, nearby_hints

_TILES: Final = {
    COVERED: "covered",
    FLAG: "flagged",
    QUESTION: "marked with a question mark",
    MINE: "a mine that shows",
    EXPLODED: "the mine that was hit",
    MISFLAG: "a flag on no mine",
    UNREAD: "not read: it looks like no known tile",
}


@dataclass(frozen=True)
class About:
    """The description of a cell that needs no solving."""

    title: str
    """Its position and its analysis."""
    lines: tuple[str, ...]
    """A sentence for each hint that determines it."""
    hints: tuple[Cell, ...]
    """These hints."""
    worth_opening: bool
    """Whether its possible outcomes can be computed."""

    @property
    def text(self) -> str:
        """The whole text, for screen readers."""
        return " ".join((f"{self.title}.", *self.lines))


def chance_text(probability: float) -> str:
    """Return a cell's probability as text."""
    if probability == 0:
        return "proved safe"
    if probability == 1:
        return "proved to be a mine"
    return f"{probability:.2%} mine"


def about(board: Board, analysis: Analysis | None, cell: Cell, *, unsure: bool = False) -> About:
    """Return the description of a cell by the board and the solver.

    Args:
        board: As it was read.
        analysis: Of the board.
        cell: On the board.
        unsure: The cell was read with low confidence.
    """
    code = board[cell]
    hint = 0 <= code <= 8
    risk = float("nan") if analysis is None else float(analysis.mine_probability[cell])
    thought = not np.isnan(risk)
    words = f"shows {code}" if hint else _TILES[code]
    if unsure and hint:
        words += ", read with low confidence"
    if thought:
        marked = "" if code == COVERED else f", {words}"
        words = chance_text(risk) + marked
        if analysis is not None and not analysis.exact and risk not in (0.0, 1.0):
            words = f"about {words}, an estimate"
    told = nearby_hints(board, cell)
    lines = tuple(_sentence(one) for one in told)
    if thought and not told:
        lines = ("No hint touches it: it shares the mines that are left with all such cells.",)
    return About(
        f"{cell.position_text.capitalize()}: {words}",
        lines,
        tuple(one.hint for one in told),
        thought and risk < 1.0,
    )


def prospect_lines(prospect: Outcomes) -> list[tuple[str, str, str, str]]:
    """Return a row for each hint that may appear: hint, probability, consequences, win chance.

    The last is empty if unknown.
    """
    return [
        (
            str(one.value),
            _percent(one.chance),
            _proved(one.safe, one.mines),
            "" if one.win is None else _percent(one.win),
        )
        for one in prospect.by_hint
    ]


def prospect_text(prospect: Outcomes) -> str:
    """Return the same as sentences, for screen readers."""
    rows = prospect_lines(prospect)
    told = [f"{value} with {chance}, then {follows}" for value, chance, follows, _ in rows]
    if not told:
        return ""
    win = "" if prospect.win is None else f" {win_text(prospect.win)}"
    return f"Opening it may show {'; '.join(told)}.{win}"


def win_text(chance: float) -> str:
    """Return the win chance as a sentence."""
    return f"Chance to win if it is opened now: {_percent(chance)}."


def _sentence(speaker: NearbyHint) -> str:
    hint, covered, mines = speaker.hint, speaker.covered, speaker.mines
    where = f"The {speaker.value} at {hint.position_text}"
    if not covered:
        return f"{where} has no covered cell left."
    if mines == 0:
        among = "no mine among them" if covered > 1 else "no mine in it"
    elif mines == covered:
        among = "all of them mines" if covered > 1 else "a mine"
    else:
        among = f"{mines} mine{'' if mines == 1 else 's'} among them"
    return f"{where} has {covered} covered cell{'' if covered == 1 else 's'} left, {among}."


def _proved(safe: int, mines: int) -> str:
    parts = [f"{safe} proved safe"] if safe else []
    if mines:
        parts.append(f"{mines} proved mine{'' if mines == 1 else 's'}")
    return ", ".join(parts) or "nothing more proved"


def _percent(share: float) -> str:
    """Return a percentage; an uncertain event never reads 0 % or 100 %."""
    if 0 < share < 0.001:
        return "<0.1%"
    if 0.999 < share < 1:
        return ">99.9%"
    return f"{share:.1%}"
