"""What the process that plays sends, and what it does when its panel has gone."""

from __future__ import annotations

import time
from multiprocessing import Pipe

from bot.board import Board
from bot.loop import Turn
from gui.runner.process import REPAINTS, Outbox
from gui.runner.protocol import Ended, Played
from tests.support.boards import reading_of


def test_repaints_are_few_and_the_newest_wins() -> None:
    """Of a thousand turns at once as many as there is time for are pictures; the last is one."""
    near, far = Pipe()
    outbox = Outbox(far)
    reading = reading_of(Board.covered(2, 2, 1))
    begin = time.monotonic()
    for number in range(1000):
        outbox.put(Turn(number, reading, None, ()))
    outbox.put(Ended())
    played: list[Played] = []
    while isinstance(event := near.recv(), Played):
        played.append(event)
    took = time.monotonic() - begin
    outbox.close()
    assert isinstance(event, Ended)
    turns = [turn for one in played for turn in one.turns]
    assert [turn.number for turn in turns] == list(range(1000))
    pictures = [turn.number for turn in turns if turn.reading.frame.image.size]
    assert pictures == [one.turns[-1].number for one in played if one.turns]
    assert len(pictures) <= 2 + REPAINTS * took
    assert pictures[-1] == 999
    assert played[-1].explained
    assert REPAINTS <= 10
