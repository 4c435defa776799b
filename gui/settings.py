"""What the user has chosen, and where the program keeps things.

`settings.toml` is read strictly: an unknown key or a wrong value is an error that names
it, because a misspelt setting that is ignored is worse than none. It is written into a
temporary file beside it and moved into place, so that no moment leaves half a file.
"""

from __future__ import annotations

import os
import tempfile
import tomllib
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import platformdirs
import tomli_w
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_serializer,
    field_validator,
)

from bot.game import Rules
from bot.planner import Style
from vision.desktop import parse_key
from vision.files import clear_leftovers, read_whole, write_whole

PROGRAM: Final = "minesweeper-bot"
HOME_VARIABLE: Final = "MINESWEEPER_BOT_HOME"
"""Environment variable: one folder for everything, for tests and for a portable copy."""
_MOST_BYTES: Final = 1 << 20
"""Of a file of settings."""
_OUTDATED: Final = ("assist",)
"""Settings that earlier versions wrote and that mean nothing any more."""
_OF_ONE_RUN: Final = {"assume_yes"}
"""Settings that are neither written to the file nor read from it."""
ENDLESS: Final = 0
"""How 'games without end' is written in the file: TOML has no word for None."""

ThemeName = Literal["system", "light", "dark"]

STOP_KEY: Final = "F8"
"""Beside the panel's own keys, on every keyboard, used by no game and no desktop that we know."""


class AfterGame(Enum):
    """What follows the end of a game, as long as there are games to play."""

    GO_ON = "go on"
    PAUSE = "pause"
    STOP = "stop"


class AfterDialog(Enum):
    """What follows where the game opens a dialog at the end of a game."""

    CLOSE = "close"
    PAUSE = "pause"
    STOP = "stop"


class SettingsError(ValueError):
    """The settings cannot be read or written; the message names the file and what is wrong."""


class Settings(BaseModel):
    """One set of choices; a change makes another one (`model_copy(update=...)`)."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    solver: str = Field(default="lookahead", min_length=1)
    """A name in the registry of solvers."""
    digging: bool = False
    """Whether the game is the other one: all mines with the fewest digs (`bot/digging/game.py`)."""
    hunter: str = Field(default="hunter", min_length=1)
    """Who plays that one: a name in the registry of hunters."""
    style: Annotated[Style, Field(strict=False)] = Style.NO_FLAGS
    games: int | None = Field(default=5, ge=1, le=1_000_000)
    """Games to play at one go; None for no end."""
    mines: int | None = Field(default=None, ge=1, le=10_000)
    """Mines on the board where the screen does not tell; wins over what the level says. 0 in a copy
    for one run forgets what the user said of the board earlier."""
    level: str | None = Field(default=None, min_length=1)
    """Level to play, where the program is started by us."""
    record: bool = True
    """Whether every game is kept as a session."""
    marks: bool = True
    """Whether Assist draws its marks over the game's own window."""
    pace: float | None = Field(default=None, gt=0, le=1000)
    """Clicks a second at the most, so that one can watch; None for as fast as it goes."""
    think: float = Field(default=10.0, gt=0, le=600)
    """Seconds that a decision may take; after so long an estimate is better than more waiting."""
    after_win: Annotated[AfterGame, Field(strict=False)] = AfterGame.GO_ON
    after_loss: Annotated[AfterGame, Field(strict=False)] = AfterGame.GO_ON
    after_dialog: Annotated[AfterDialog, Field(strict=False)] = AfterDialog.CLOSE
    sessions: str | None = Field(default=None, min_length=1)
    """The folder for recorded games; None for the usual place."""
    keep_sessions: int | None = Field(default=None, ge=1, le=1_000_000)
    """Recorded games that are kept, the newest; None for all."""
    keep_megabytes: int | None = Field(default=None, ge=1, le=10_000_000)
    """Millions of bytes that they may take; None for any number."""
    stop_key: str = STOP_KEY
    """Stops from wherever the focus is (`vision/desktop/`); empty for none."""
    theme: ThemeName = "system"
    assume_yes: bool = False
    """Whether the user confirmed beforehand, with `--yes`, what is asked before the first click:
    that this is the game to play, and its whole board; of one run, and never in the file."""

    @property
    def rules(self) -> Rules:
        """Which game it is."""
        return Rules.DIGGING if self.digging else Rules.CLASSIC

    @property
    def player_name(self) -> str:
        """Who plays it: a solver's name, or a hunter's."""
        return self.hunter if self.digging else self.solver

    @property
    def sessions_folder(self) -> Path:
        """Where recorded games are kept, one folder each."""
        return Path(self.sessions).expanduser() if self.sessions else sessions_folder()

    @field_validator("stop_key")
    @classmethod
    def _known_key(cls, key: str) -> str:
        if key:
            parse_key(key)
        return key

    @field_validator("games", mode="before")
    @classmethod
    def _endless(cls, games: object) -> object:
        return None if games == ENDLESS and type(games) is int else games

    @field_serializer("style", "after_win", "after_loss", "after_dialog")
    def _text(self, choice: Enum) -> str:
        return str(choice.value)


Choices = Callable[[], Settings]
"""The settings at this moment: a run asks again and again, so that a change takes effect."""


def data_folder() -> Path:
    """Where sessions, error pictures and learnt skins are kept."""
    home = os.environ.get(HOME_VARIABLE)
    return Path(home) if home else platformdirs.user_data_path(PROGRAM, appauthor=False)


def sessions_folder() -> Path:
    """Where recorded games are kept, one folder each, where the user chose no other place."""
    return data_folder() / "sessions"


def errors_folder() -> Path:
    """Where the frames of errors are kept."""
    return data_folder() / "errors"


def lab_folder() -> Path:
    """Where the laboratory's results are kept, one file a run."""
    return data_folder() / "lab"


def check_writable(folder: Path) -> None:
    """See to it that files can be written there; the folder is made where it is missing.

    Raises:
        SettingsError: They cannot.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        reason = error.strerror or error
        raise SettingsError(f"{folder} cannot be written: {reason}. Choose another one") from error


def settings_file() -> Path:
    """Where `load` and `save` look by themselves."""
    home = os.environ.get(HOME_VARIABLE)
    folder = Path(home) if home else platformdirs.user_config_path(PROGRAM, appauthor=False)
    return folder / "settings.toml"


def load(path: Path | None = None) -> Settings:
    """Read the settings; the defaults where there is no file.

    Args:
        path: The file; `settings_file()` without.

    Raises:
        SettingsError: It cannot be read, is not TOML, has an unknown key or a wrong value.
    """
    path = path or settings_file()
    try:
        values = tomllib.loads(read_whole(path, _MOST_BYTES).decode("utf-8-sig"))
        for outdated in _OUTDATED:
            values.pop(outdated, None)
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        raise SettingsError(
            f"{path} cannot be read: {error.strerror or error}. Move it away, or name another "
            f"folder with {HOME_VARIABLE}"
        ) from error
    except (ValueError, RecursionError) as error:
        # A number of ten thousand digits is no error of TOML's.
        reason = "it is no text" if isinstance(error, UnicodeError) else error
        raise SettingsError(f"{path} is not TOML: {reason}. {_REMEDY}") from error
    for name in _OF_ONE_RUN:
        if name in values:
            raise SettingsError(f"{path}: {_unknown(name)}. {_REMEDY}")
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        raise SettingsError(f"{path}: {_problems(error)}. {_REMEDY}") from error


def save(settings: Settings, path: Path | None = None) -> None:
    """Write the settings: either all of them or nothing.

    Raises:
        SettingsError: The folder or the file cannot be written.
    """
    path = path or settings_file()
    values: dict[str, Any] = settings.model_dump(exclude=_OF_ONE_RUN, exclude_none=True)
    if settings.games is None:
        values["games"] = ENDLESS
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        clear_leftovers(path.parent, lambda name: name.startswith(path.name))
        write_whole(path, tomli_w.dumps(values).encode(), durable=True)
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror or error}") from error


_REMEDY: Final = "Correct it, or delete the file to start from the defaults"


def _problems(error: ValidationError) -> str:
    """Every wrong key in words, in the file's order."""
    return "; ".join(_problem(detail["type"], detail) for detail in error.errors())


def _unknown(key: str) -> str:
    known = ", ".join(name for name in Settings.model_fields if name not in _OF_ONE_RUN)
    return f"unknown setting '{key}' (known are {known})"


def _problem(kind: str, detail: Any) -> str:
    key = ".".join(str(part) for part in detail["loc"])
    if kind == "extra_forbidden":
        return _unknown(key)
    return f"setting '{key}' = {detail['input']!r}: {detail['msg']}"
