"""What a run finds out about its program, and stores in its skin: how it is clicked and counts.

The findings of one window do not apply to another one.
"""

from __future__ import annotations

from dataclasses import replace

from bot.frame import Reading, Status
from bot.loop import Turn
from bot.mouse import (
    CONFIRMATIONS,
    NO_CHORDS,
    PAUSES,
    AdaptiveTiming,
    ChordGesture,
    ClickStyle,
    ClickTiming,
)
from bot.planner import Style
from gui.settings import Settings
from vision.focus import names_program
from vision.learning.rules import impossible_zeros
from vision.reader import Reader
from vision.skins.skin import Convention


class Conventions:
    """The conventions of the program in a reader's window, as far as discovered."""

    def __init__(self, reader: Reader) -> None:
        self._reader, skin = reader, reader.skin
        named = names_program(skin, reader.window)
        self.timing = AdaptiveTiming(
            ClickTiming(skin.hold, skin.stay, skin.rest),
            lambda name, seconds: reader.note_found(name, seconds, int(seconds > 0)),
        )
        self.chording = ChordGesture(
            skin.chord if named or skin.learned else None,
            skin.chord,
            tries=skin.learned or not named,
        )
        self.played = False
        """Whether a move was made in the current game."""
        self._side: str | None = None
        """Which of two numbers was the mine counter in the last game."""
        self._zeros = False, False
        """Whether zeros, and covered cells beside them, were observed in the current game."""
        self._floods_fully = 0
        """Consecutive games in which zeros opened all neighbours, contrary to the skin."""
        self._note_due = True
        """Whether the user must still be informed that the program does not chord."""

    @property
    def click_style(self) -> ClickStyle:
        """How the program needs its clicks."""
        return ClickStyle(self.timing.timing, self.chording.gesture)

    def note_effect(self, reading: Reading, last: Turn | None) -> None:
        """Register what a reading shows of the program's chords and zeros."""
        if reading.status is Status.BLOCKED:
            return
        if last is not None:
            self.chording.note_effect(last.reading.board, last.moves)
        tiles = reading.board.tiles
        seen = bool((tiles == 0).any()), bool(impossible_zeros(tiles).any())
        self._zeros = self._zeros[0] or seen[0], self._zeros[1] or seen[1]

    def keep(self) -> None:
        """Store or confirm the conventions that the last game has shown."""
        reader, skin, chording = self._reader, self._reader.skin, self.chording
        lost, played, self.played = self.timing.pop_lost(), self.played, False
        confirmed: list[Convention] = []
        if chording.failed:
            found = NO_CHORDS if skin.chord in (None, NO_CHORDS) else None
            reader.note_found("chord", found, 1 if found else 0)
        elif chording.effects and chording.gesture == skin.chord:
            confirmed.append("chord")
        elif chording.effects >= CONFIRMATIONS:
            reader.note_found("chord", chording.gesture, 1)
        if chording.gesture == skin.chord:
            chording.effects = 0
        chording.failed = False
        confirmed += self._counter_found() + self._flood_found()
        if played and not lost:
            confirmed += [name for name in PAUSES if getattr(skin, name)]
        reader.confirm_found(*confirmed)

    def _counter_found(self) -> list[Convention]:
        """Store which of two numbers is the mine counter after two consistent games."""
        side, known = self._reader.take_counter_side(), self._reader.skin.counter
        before, self._side = self._side, side
        if side is None or side == known:
            return ["counter"] if side else []
        if known is not None:
            self._reader.note_found("counter", None, 0)
        elif side == before:
            self._reader.note_found("counter", side, CONFIRMATIONS)
        return []

    def _flood_found(self) -> list[Convention]:
        """Reset the exception that zeros open fewer cells after two games without it."""
        (zeros, beside), self._zeros = self._zeros, (False, False)
        if self._reader.skin.flood is None or not zeros:
            return []
        self._floods_fully = 0 if beside else self._floods_fully + 1
        if self._floods_fully == CONFIRMATIONS:
            self._reader.note_found("flood", None, 0)
        return ["flood"] if beside else []

    def with_remark(self, reading: Reading, settings: Settings) -> Reading:
        """Return the reading, once with a remark if chords are wanted and not available."""
        skin = self._reader.skin
        wanted = settings.style is Style.CHORDS and not settings.digging
        if not wanted or not self._note_due or self.chording.gesture is not None:
            return reading
        self._note_due = False
        name = self._reader.window.title if self._reader.window is not None else skin.name
        if skin.learned:
            why = f"'{name}' chords by no click that is known"
        elif skin.chord is None:
            why = f"it is not known how '{name}' chords"
        else:
            why = f"'{name}' does not chord with the {skin.chord} mouse button"
        remark = f"{why}: its cells are opened one by one"
        return replace(reading, remarks=(*reading.remarks, remark))
