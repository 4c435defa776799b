"""The records of a run: a session for each game, and a row of the history."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from importlib.metadata import version

from bot.game import FirstClick
from bot.loop import Turn
from bot.planner import Style
from gui.history.schema import history_file
from gui.history.store import Player
from gui.history.writer import GameInfo, GameWriter, write_games
from gui.settings import Settings, sessions_folder
from vision.files import PROGRAM
from vision.reader import Reader
from vision.sessions import SessionInfo
from vision.sessions.session_files import Room, new_session_folder
from vision.sessions.writer import SessionWriter, record


def recorded(
    turns: Iterator[Turn],
    reader: Reader,
    choices: Callable[[], Settings],
    player: Player = Player.BOT,
) -> Iterator[Turn]:
    """Record games while they are played: sessions if the user wants, rows always.

    Closing this closes `turns` too.

    Args:
        turns: Turns of any number of games.
        reader: The reader, for the window and its skin.
        choices: Returns the current settings.
        player: The player of the moves.

    Raises:
        SessionError: A session cannot be written.
        HistoryError: At the end, if a game was not written and no turn could report it.
    """
    session = ""
    room = Room()

    def open_session() -> SessionWriter | None:
        nonlocal session
        session = ""
        if not choices().record:
            return None
        writer = _new_session(reader, choices(), player)
        folder = writer.folder
        room.make(folder.parent, choices().keep_sessions, choices().keep_megabytes)
        # If the data folder is moved as a whole, the history's links stay valid.
        session = folder.name if folder.parent == sessions_folder() else str(folder)
        return writer

    def about() -> GameInfo:
        settings = choices()
        return GameInfo(
            program=reader.skin.name,
            window=_title(reader),
            levels={size: name for name, size in reader.skin.levels.items()},
            rules=settings.rules,
            solver=settings.player_name,
            style=(Style.HUNT if settings.digging else settings.style).value,
            first_click=FirstClick.NONE if settings.digging else reader.skin.first_click,
            player=player,
            session=session,
        )

    return write_games(record(turns, open_session, room), GameWriter(history_file()), about)


def _new_session(reader: Reader, settings: Settings, player: Player) -> SessionWriter:
    started = datetime.now().astimezone()
    info = SessionInfo(
        version=version(PROGRAM),
        started=started.isoformat(timespec="seconds"),
        window=_title(reader),
        skin=reader.skin.name,
        solver=settings.player_name,
        style=settings.style.value,
        rules=settings.rules,
        player=player.value,
    )
    return SessionWriter(new_session_folder(settings.sessions_folder, started), info)


def _title(reader: Reader) -> str:
    grid = reader.grid
    return reader.window.title if reader.window else f"a board of {grid.cols} x {grid.rows}"
