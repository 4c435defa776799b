"""Games are written down as they are played, and playing never waits for it."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.analysis import Limit
from bot.board import EXPLODED
from bot.digging import hunter
from bot.digging.game import DigGame
from bot.frame import Status
from bot.game import BEGINNER, EXPERT, Level, Rules
from bot.loop import Stopped, Turn, play
from bot.metrics import three_bv
from bot.planner import Action, Style, plan
from bot.waiting import BoardNotSettled
from gui.history import store
from gui.history.schema import HistoryError
from gui.history.writer import GameInfo, GameWriter, write_games
from gui.settings import Settings
from tests.gui.history.made import fill
from tests.gui.tabletop import Tabletop
from tests.support.boards import SESSIONS, reading_of
from tests.support.operators import Unattended
from vision.sessions import load_session
from vision.sessions.audit import MINED, Audit, revealed

ENDED = sorted(path.name for path in SESSIONS.iterdir() if path.name.endswith(("-won", "-lost")))
SKINS = {load_session(SESSIONS / name).info.skin: name for name in ENDED}
"""One recorded game of each skin."""
ABOUT = GameInfo(
    program="classic",
    window="Minesweeper",
    levels={(9, 9, 10): "beginner"},
    rules=Rules.CLASSIC,
    solver="exact",
    style="no flags",
)

# Frames are painted.
pytestmark = pytest.mark.usefixtures("qapp")


def keep(path: Path, turns: Iterator[Turn], about: GameInfo = ABOUT) -> Generator[Turn]:
    """Yield turns whose games are written to a history."""
    yield from write_games(turns, GameWriter(path), lambda: about)


def recorded(name: str) -> list[Turn]:
    """Return the turns of a recorded game."""
    return list(load_session(SESSIONS / name).turns())


def rows(path: Path) -> list[tuple[store.Entry, list[store.Guess]]]:
    """What the history holds, oldest first."""
    with store.History.to_read(path) as history:
        numbers = sorted(history.numbers().tolist())
        entries = history.entries(numbers)
        return [(entries[number], history.guesses(number)) for number in numbers]


def played(level: Level, games: int = 1) -> tuple[Tabletop, Iterator[Turn]]:
    """Turns of games by the real rules and the real solver."""
    table = Tabletop(level)
    settings = Settings(games=games, solver="exact")
    return table, table.play(table.candidate(0), lambda: settings, Unattended())


@pytest.mark.parametrize(
    "name",
    [name if name in SKINS.values() else pytest.param(name, marks=pytest.mark.slow)
     for name in ENDED],
)  # fmt: skip
def test_a_recorded_game_is_written_as_its_recording_says(path: Path, name: str) -> None:
    """Its end, clicks, guesses and what became of them as the audit finds them; its 3BV."""
    turns = recorded(name)
    audit = Audit()
    audit.add(name, turns)
    assert len(list(keep(path, (turn for turn in turns)))) == len(turns)
    ((entry, guesses),) = rows(path)
    end = turns[-1].reading
    assert entry.result == end.status.value
    size = end.board.rows, end.board.cols, end.board.mines
    assert (entry.rows, entry.cols, entry.mines) == size
    assert entry.turns == len(turns) - 1
    assert entry.clicks == sum(e.kind == "click" for turn in turns[1:] for e in turn.events)
    rated = [(guess.risk, guess.hit) for guess in guesses if guess.exact and not guess.first]
    assert rated == audit.guesses
    assert entry.guesses == sum(not guess.first for guess in guesses)
    assert entry.seconds == pytest.approx(end.frame.time - turns[0].reading.frame.time)
    value = three_bv(revealed(turns) == MINED)
    assert entry.three_bv is not None
    if end.status is Status.WON:
        assert entry.three_bv == value
    else:
        assert entry.three_bv < value
    assert (entry.whole, entry.digs, entry.note) == (True, None, "")
    fresh = turns[0].reading.board.unopened.all()
    first = turns[1].reading.board[turns[0].moves[0].cell]
    assert entry.first_tile == (first if fresh else None)


def test_a_stopped_game_is_written(path: Path) -> None:
    """Where the turns are closed in mid-game: what was seen until then, no guess half counted."""
    table, turns = played(EXPERT)
    following = keep(path, turns)
    seen = [next(following) for _ in range(6)]
    following.close()
    assert table.stopped.is_set()
    ((entry, guesses),) = rows(path)
    assert (entry.result, entry.turns, entry.note) == (store.Result.STOPPED, 5, "")
    risks = [move.risk for turn in seen[:-1] for move in turn.moves if move.risk > 0]
    assert [guess.risk for guess in guesses] == risks
    assert not any(guess.hit for guess in guesses)


def test_a_game_in_which_nothing_was_done_is_not_written(path: Path) -> None:
    """Looked at, and left alone; or over when it was first seen."""
    turns = recorded("winemine-expert-lost")
    assert len(list(keep(path, (turn for turn in turns[-1:])))) == 1
    following = keep(path, played(EXPERT)[1])
    next(following)
    following.close()
    assert rows(path) == []


def test_a_game_joined_in_the_middle_says_so(path: Path) -> None:
    """It counts as won or lost; its time and its first click are not those of a whole game."""
    turns = recorded("winemine-expert-won")[3:]
    list(keep(path, (replace(turn, number=place) for place, turn in enumerate(turns))))
    ((entry, _),) = rows(path)
    assert (entry.result, entry.whole, entry.first_tile) == (store.Result.WON, False, None)
    assert (entry.speed, entry.efficiency) == (None, None)
    # Of a game of the user's the moves are counted: no clicks were observed.
    table, played_turns = played(BEGINNER)
    list(keep(path, played_turns, replace(ABOUT, player=store.Player.USER)))
    entry, _ = rows(path)[-1]
    assert entry.player is store.Player.USER
    assert entry.clicks == sum(len(turn.moves) for turn in table.carried_out)


@pytest.mark.parametrize(
    ("error", "note"),
    [
        (Stopped(), ""),
        (ValueError("the tile at row 3,\ncolumn 4 cannot be read"),
         "the tile at row 3, column 4 cannot be read"),
    ],
)  # fmt: skip
def test_error_that_ends_a_game_is_raised_after_its_row(
    path: Path, error: Exception, note: str
) -> None:
    """The game is stopped; why is kept with it, unless the user wished it."""
    table, turns = played(EXPERT)
    table.error = error
    with pytest.raises(type(error)):
        list(keep(path, turns))
    ((entry, _),) = rows(path)
    assert (entry.result, entry.note) == (store.Result.STOPPED, note)


def test_an_unreadable_end_is_a_stop(path: Path) -> None:
    """The result of a guess after which nothing could be read is unknown: it is not counted."""
    turns = recorded("winemine-expert-lost")
    unread = BoardNotSettled("the tile at row 0, column 0 cannot be read", turns[-1].reading)

    def cut_short() -> Iterator[Turn]:
        yield from turns[:-1]
        raise unread

    with pytest.raises(BoardNotSettled):
        list(keep(path, cut_short()))
    ((entry, guesses),) = rows(path)
    assert (entry.result, entry.note) == (store.Result.STOPPED, str(unread))
    assert not any(guess.hit for guess in guesses)


def test_a_game_that_the_user_gives_up_is_a_row(path: Path) -> None:
    """Another game begins in the middle of one without a restart by the run."""
    one = recorded("winemine-expert-won")[:5]
    other = recorded("winemine-expert-lost")
    list(keep(path, (turn for turn in [*one, *other])))
    (first, _), (second, _) = rows(path)
    assert (first.result, first.turns, first.note) == (store.Result.STOPPED, 4, "")
    assert (second.result, second.turns, second.whole) == (store.Result.LOST, len(other) - 1, True)


def digging(seed: int) -> Iterator[Turn]:
    """A game of digging, to its end, by the hunter."""
    game = DigGame(8, 8, 12, seed)
    think = hunter("hunter").start(0)

    def carry_out(turn: Turn) -> None:
        for move in turn.moves:
            assert move.cell is not None
            (game.flag if move.action is Action.FLAG else game.open)(move.cell)

    yield from play(
        lambda last: reading_of(game.board, game.status, 0 if last is None else last.number + 1),
        lambda board: think(board, Limit()),
        lambda reading, analysis: plan(reading.board, analysis, Style.HUNT) if analysis else (),
        carry_out,
    )


def test_the_game_of_digging_counts_digs(path: Path) -> None:
    """A mine ends nothing: it is a guess that came true; there is no 3BV."""
    about = replace(ABOUT, rules=Rules.DIGGING, solver="hunter", style="hunt")
    first = []
    for seed in range(2):
        turns = list(keep(path, digging(seed), about))
        entry, guesses = rows(path)[-1]
        board = turns[-1].reading.board
        mines = int((board.tiles == EXPLODED).sum())
        assert entry.digs == int((board.tiles >= 0).sum()) + mines
        ended = (entry.result, entry.three_bv, entry.rules)
        assert ended == (store.Result.WON, None, Rules.DIGGING)
        sure = sum(
            move.risk == 1 for turn in turns for move in turn.moves if move.action is Action.OPEN
        )
        assert sum(guess.hit for guess in guesses) + sure == mines
        first.append((entry.first_tile, guesses[0].hit))
    assert all((click == store.FIRST_MINE) == hit for click, hit in first)


def test_a_broken_history_stops_nothing(path: Path) -> None:
    """Every turn says what is wrong, so that none who looks misses it; the file is left alone."""
    path.write_text("no database" * 100, encoding="utf-8")
    before = path.read_bytes()
    turns = keep(path, played(BEGINNER, games=2)[1])
    (remarks,) = {turn.reading.remarks for turn in turns}
    assert "was not changed. Move it away" in remarks[0]
    assert path.read_bytes() == before


def test_games_wait_while_the_history_is_locked(path: Path) -> None:
    """They are written as soon as it is free, and then nothing is wrong any more."""
    fill(path, 2)
    following = keep(path, played(BEGINNER, games=3)[1])
    next(following)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        while not (turn := next(following)).reading.status.over:
            assert turn.reading.remarks == ()
    assert "locked by another program" in turn.reading.remarks[0]
    *_, last = following
    assert last.reading.remarks == ()
    assert len(rows(path)) == 5


@pytest.mark.linux
def test_a_history_that_is_deleted_begins_anew(path: Path) -> None:
    """In the middle of a run: the games after that are in the file that is there."""
    following = keep(path, played(BEGINNER, games=3)[1])
    while not next(following).reading.status.over:
        pass
    for one in path.parent.glob("history.sqlite*"):
        one.unlink()
    list(following)
    assert len(rows(path)) == 2


def test_what_no_turn_could_say_is_raised(path: Path) -> None:
    """The history broke after the last turn was shown: the end of the run tells it.

    An error that ended the run is more important.
    """
    following, failing = (keep(path, played(EXPERT)[1]) for _ in range(2))
    for _ in range(3):
        next(following)
        next(failing)
    with closing(sqlite3.connect(path)) as other:
        other.execute("DROP TABLE guesses")
        other.execute("DROP TABLE games")
    with pytest.raises(HistoryError, match="no history of games"):
        following.close()
    with pytest.raises(ValueError, match="more important"):
        failing.throw(ValueError("more important"))
