"""Read boards from pictures and from recorded sessions, without a screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.board import Board
from bot.frame import Frame, Reading
from vision.counters.header import Header
from vision.sessions import Session
from vision.skins import Skin
from vision.tracking.tile_reader import reading_of, tile_readers_of


def read_image(
    frame: Frame, skins: Iterable[Skin], mines: int | None = None
) -> list[tuple[Reading, Skin]]:
    """Return every board of a picture, as read by the command `read`.

    Args:
        frame: The picture.
        skins: The possible skins.
        mines: The number of mines, if the skin's is unknown or wrong.
    """
    readings = []
    for tile_reader in tile_readers_of(frame, skins)[0]:
        tile_reader.see(frame)
        readings.append(
            (
                reading_of(frame, tile_reader, Header(frame, tile_reader.grid, mines)),
                tile_reader.skin,
            )
        )
    return readings


def recorded_boards(session: Session) -> Iterator[Board]:
    """Return the board of each turn, without loading a frame."""
    return (Board.parse("\n".join(record.board), record.mines) for record in session.records)
