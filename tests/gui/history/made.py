"""Games for a history, made up: quickly many, and one with what a test cares for."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

from bot.game import LEVELS, FirstClick, Rules
from gui.history.store import Entry, Guess, History, Player, Result

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
GAME = Entry(
    started=START.astimezone(timezone(timedelta(hours=2))),
    program="winemine",
    window="WineMine",
    rows=16,
    cols=30,
    mines=99,
    level="expert",
    rules=Rules.CLASSIC,
    solver="lookahead",
    style="no flags",
    player=Player.BOT,
    whole=True,
    seconds=8.0,
    result=Result.WON,
    turns=60,
    clicks=200,
    guesses=0,
    digs=None,
    three_bv=160,
    first_click=FirstClick.SAFE,
    first_tile=0,
    session="2026-03-01T14-00-00",
    note="",
)
"""A game that was won."""


def game(number: int = 0, **other: object) -> Entry:
    """`GAME`, so many minutes later, with other values."""
    made = replace(GAME, started=GAME.started + timedelta(minutes=number))
    return replace(made, **other)  # type: ignore[arg-type]


def games(number: int, seed: int = 1) -> Iterator[tuple[Entry, list[Guess]]]:
    """Many games as they may have been played, from the oldest on; guesses are honest."""
    dice = random.Random(seed)
    for minute in range(number):
        level = dice.choices(list(LEVELS.values()), (5, 3, 6))[0]
        risks = [min(0.95, 0.02 + dice.expovariate(5)) for _ in range(dice.randrange(4))]
        guesses: list[Guess] = []
        for risk in risks:
            guesses.append(Guess(risk, dice.random() < risk))
            if guesses[-1].hit:
                break
        stopped = dice.random() < 0.02
        lost = bool(guesses) and guesses[-1].hit
        result = Result.STOPPED if stopped else Result.LOST if lost else Result.WON
        value = round(level.rows * level.cols * dice.uniform(0.2, 0.45) * (0.4 if lost else 1))
        yield (
            game(
                minute,
                program=dice.choices(("winemine", "kmines-default", "gnome-mines"), (6, 2, 1))[0],
                rows=level.rows,
                cols=level.cols,
                mines=level.mines,
                level=level.name,
                solver=dice.choices(("lookahead", "exact"), (4, 1))[0],
                player=Player.USER if dice.random() < 0.1 else Player.BOT,
                result=result,
                seconds=0.3 + value * dice.lognormvariate(-4, 0.4),
                clicks=max(1, round(value * dice.uniform(1.0, 1.4))),
                guesses=len(guesses),
                three_bv=value,
                session=f"game-{minute}",
                note="the tile at row 3, column 4 cannot be read" if stopped else "",
            ),
            guesses,
        )


def fill(path: Path, number: int) -> Path:
    """A history of many games."""
    with History.to_write(path) as history:
        history.add(games(number))
    return path
