"""Why a tile is unread: a value that is made where the tile becomes UNREAD.

That is in `vision.matcher` and its `decision` for the pictures of a skin, in
`vision.learning.learner` for a skin that is being learned, in `vision.tracking.tracked_board` for
what covers the board, and in `vision.tracking.tile_reader` for contradictions. Shown by `read`, its
`--explain` and `--json`, the panel's *Why that cell?* and page *Analyse*, the reason of a pause
(`bot.effects`) and the picture of a failure (`gui.failures`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from bot.board import STATE_WORDS


class Cause(Enum):
    """A reason for which a tile is unread."""

    COVERED = "covered"
    DIALOG = "dialog"
    CHANGING = "changing"
    UNLIKE = "unlike"
    """No picture of the skin is near enough."""
    AMBIGUOUS = "ambiguous"
    """The pictures of two states are too near each other."""
    COLOURS = "colours"
    """The colours of the board were changed so much that they do not distinguish its states."""
    NO_PICTURE = "no picture"
    """It may be a hint of which the skin has no picture."""
    UNLEARNED = "unlearned"
    EXCLUDED = "excluded"
    """The user has left it out of the skin."""
    CONTRADICTION = "contradiction"
    """The state that it resembles is impossible by the rules of the game."""


_TEXTS: Final = {
    Cause.COVERED: "Something covers the board. Move it aside.",
    Cause.DIALOG: "A box lies over the board. Close it.",
    Cause.CHANGING: "The board is changing. Wait until it is still.",
    Cause.UNLIKE: "It is not like any picture of the skin; the nearest is {0}. Move away what "
    "covers it, or undo a change of the colours, the size or the sharpness.",
    Cause.AMBIGUOUS: "It may be {1}, which look too much alike here. Show the board larger or "
    "sharper.",
    Cause.COLOURS: "It may be {1}, which the colours of this picture do not distinguish. Undo the "
    "change of the colours, for example a night mode.",
    Cause.NO_PICTURE: "It may be a number of which the skin has no picture. Add one on the page "
    "Skins.",
    Cause.UNLEARNED: "It is like no picture that was learned; it may be {1}. Move away what covers "
    "it. If nothing does, say what it is when the panel asks, or on the page Skins.",
    Cause.EXCLUDED: "It was left out of the skin. Say what it is on the page Skins.",
    Cause.CONTRADICTION: "It looks like {0}, which contradicts the tiles around it. Make sure that "
    "nothing covers the board, or say what it is on the page Skins.",
}
"""What was seen, then what to do; {0} stands for the nearest state, {1} for the nearest two."""


@dataclass(frozen=True)
class BrokenLimit:
    """A measured value of a tile that is not within its limit."""

    name: str
    """A field of `vision.matcher.decision.Limits`, or 'margin' of `vision.learning.labelling`."""
    value: float
    limit: float
    upper: bool
    """Whether the limit is the largest value, not the least one."""


@dataclass(frozen=True)
class Unread:
    """Why a tile is unread."""

    cause: Cause
    broken: tuple[BrokenLimit, ...] = ()
    nearest: tuple[tuple[int, float], ...] = ()
    """At most two most similar states, the nearest first: tile code and score, 0..1. The score is
    one minus the root mean square difference of the pictures. For a tile that is being learned, it
    is the probability by its look; states that the rules of the game exclude are left out."""
    since: float = 0.0
    """Monotonic seconds of the frame since which the tile is unread. Shown for a running game only:
    a picture has no earlier frame."""
    missing: tuple[int, ...] = ()
    """Tile codes of the states of which the skin that was compared has no picture."""

    @property
    def text(self) -> str:
        """The cause as sentences for the user: what was seen, then what to do."""
        names = [f"'{STATE_WORDS[code]}'" for code, _ in self.nearest] or ["unknown"]
        text = _TEXTS[self.cause].format(names[0], " or ".join(names))
        if not self.missing:
            return text
        missing = " or ".join(f"'{STATE_WORDS[code]}'" for code in self.missing)
        add = "if it is that, add one on the page Skins"
        return f"{text} The skin has no picture of {missing}; {add}."
