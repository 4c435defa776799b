"""The user's settings, and the paths of the program's files.

`settings.toml` is read strictly: an unknown key or a wrong value is an error that names it, because
silently ignoring a misspelt setting is worse. It is written to a temporary file beside it and then
renamed, so that it is never incomplete.
"""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import tomli_w
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_serializer,
    field_validator,
)

from bot.frame import Status
from bot.game import Rules
from bot.planner import Style
from vision import files
from vision.desktop import parse_key

_MOST_BYTES: Final = 1 << 20
"""Limit for a file of settings."""
_OUTDATED: Final = ("assist",)
"""Obsolete settings of earlier versions."""
_OF_ONE_RUN: Final = {"assume_yes"}
"""Settings that are neither written to the file nor read from it."""
ENDLESS: Final = 0
"""The value of 'no limit' of games and clicks in the file, as TOML has no None."""

ThemeName = Literal["system", "light", "dark"]
KeyName = Literal["stop key", "pause key"]
"""The purpose of a key for all windows."""

STOP_KEY: Final = "F8"
"""The default stop key: on every keyboard, and unused by the panel, known games and desktops."""
PAUSE_KEY: Final = "F6"
"""The default pause key: the panel's own, so that one key pauses in every window."""
PACE: Final = 5.0
"""The panel's clicks per second until the user chooses another speed: a game can be followed."""


class AfterGame(Enum):
    """The action after a game, as long as there are games to play."""

    GO_ON = "go on"
    PAUSE = "pause"
    STOP = "stop"


class AfterDialog(Enum):
    """The action when a known dialog opens, at the end of a game or during it."""

    CLOSE = "close"
    PAUSE = "pause"
    STOP = "stop"


class SettingsError(ValueError):
    """The settings cannot be read or written; the message names the file and what is wrong."""


class Settings(BaseModel):
    """A set of settings; use `model_copy(update=...)` for a change."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    solver: str = Field(default="lookahead", min_length=1)
    """The solver: a name in the registry of solvers."""
    digging: bool = False
    """Whether to play the game of digging: find all mines with the fewest digs."""
    hunter: str = Field(default="hunter", min_length=1)
    """The player of that game: a name in the registry of hunters."""
    style: Annotated[Style, Field(strict=False)] = Style.NO_FLAGS
    games: int | None = Field(default=5, ge=1, le=1_000_000)
    """Games per run; None for no limit."""
    mines: int | None = Field(default=None, ge=1, le=10_000)
    """The number of mines, if the screen does not show it; has precedence over the level's.

    0 in a copy for one run clears the user's earlier number for the board.
    """
    level: str | None = Field(default=None, min_length=1)
    """The level to open or to require."""
    record: bool = True
    """Whether every game is recorded as a session."""
    marks: bool = True
    """Whether Assist draws its marks over the game's own window."""
    pace: float | None = Field(default=None, gt=0, le=1000)
    """Limit of clicks per second, for watching; None for no limit.

    A file without it stands for `PACE`, and 0 in a file for no limit.
    """
    think: float = Field(default=10.0, gt=0, le=600)
    """Time limit per move in seconds, after which an estimate is used."""
    simulate: float = Field(default=0.0, ge=0, le=600)
    """Seconds of simulated games at each guess; 0 to decide at once, by the value network."""
    after_win: Annotated[AfterGame, Field(strict=False)] = AfterGame.GO_ON
    after_loss: Annotated[AfterGame, Field(strict=False)] = AfterGame.GO_ON
    after_dialog: Annotated[AfterDialog, Field(strict=False)] = AfterDialog.CLOSE
    sessions: str | None = Field(default=None, min_length=1)
    """The folder for recorded games; None for the default."""
    keep_sessions: int | None = Field(default=None, ge=1, le=1_000_000)
    """Number of recorded games to keep, the newest; None for all."""
    keep_megabytes: int | None = Field(default=None, ge=1, le=10_000_000)
    """Limit of their size in millions of bytes; None for no limit."""
    stop_key: str = STOP_KEY
    """The stop key for all windows (`vision/desktop/`); empty for none."""
    pause_key: str = PAUSE_KEY
    """The key that pauses and resumes from all windows; empty for none."""
    coordinates: bool = True
    """Whether boards show the numbers of their rows and columns, from 1."""
    theme: ThemeName = "system"
    assume_yes: bool = False
    """Whether the user confirmed with `--yes` that this is the game and its whole board.

    Valid for one run, and never in the file.
    """

    @property
    def keys(self) -> dict[KeyName, str]:
        """The keys to hear in every window during a run."""
        return {"stop key": self.stop_key, "pause key": self.pause_key}

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return Rules.DIGGING if self.digging else Rules.CLASSIC

    @property
    def player_name(self) -> str:
        """The name of the solver or hunter that plays."""
        return self.hunter if self.digging else self.solver

    @property
    def sessions_folder(self) -> Path:
        """The folder of recorded games, one subfolder each."""
        return recordings_folder(self.sessions)

    def after_game(self, status: Status) -> AfterGame:
        """Return the action after a game that is won or lost."""
        return self.after_win if status is Status.WON else self.after_loss

    @field_validator("sessions")
    @classmethod
    def _known_home(cls, sessions: str | None) -> str | None:
        recordings_folder(sessions)
        return sessions

    @field_validator("stop_key")
    @classmethod
    def _known_key(cls, key: str) -> str:
        check_keys(key, "")
        return key

    @field_validator("pause_key")
    @classmethod
    def _other_key(cls, key: str, info: ValidationInfo) -> str:
        check_keys(info.data.get("stop_key", ""), key)
        return key

    @field_validator("games", "pace", mode="before")
    @classmethod
    def _without_limit(cls, number: object) -> object:
        return None if number == ENDLESS and type(number) is int else number

    @field_serializer("style", "after_win", "after_loss", "after_dialog")
    def _text(self, choice: Enum) -> str:
        return str(choice.value)


def check_keys(stop: str, pause: str) -> None:
    """Check that two keys for all windows can be used together; empty for none.

    Raises:
        ValueError: They cannot, or one is unsuitable; the message says why.
    """
    for key in filter(None, (stop, pause)):
        parse_key(key)
    if stop == PAUSE_KEY:
        raise ValueError(f"{stop} pauses in the panel: choose another stop key")
    if stop and stop == pause:
        raise ValueError(f"{stop} cannot both stop and pause: choose another key")


Choices = Callable[[], Settings]
"""Returns the current settings; a run calls it repeatedly, so that changes take effect."""


def sessions_folder() -> Path:
    """Return the default folder of recorded games, one subfolder each."""
    return files.data_folder() / "sessions"


def errors_folder() -> Path:
    """Return the folder of the frames of errors."""
    return files.data_folder() / "errors"


def lab_folder() -> Path:
    """Return the folder of the laboratory's results, one file per run."""
    return files.data_folder() / "lab"


def recordings_folder(sessions: str | None) -> Path:
    """Return the folder that the setting `sessions` names; `~` is the user's home.

    Raises:
        SettingsError: It begins with the name of a user who has no home.
    """
    try:
        return Path(sessions).expanduser() if sessions else sessions_folder()
    except RuntimeError as error:
        raise SettingsError(
            f"{sessions} names the home of an unknown user. Choose another folder"
        ) from error


def check_writable(folder: Path) -> None:
    """Check that files can be written to a folder, and create it if it is missing.

    Raises:
        SettingsError: Files cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        reason = "it is a file" if folder.is_file() else error.strerror or error
        raise SettingsError(f"{folder} cannot be written: {reason}. Choose another one") from error


def settings_file() -> Path:
    """Return the default path for `load` and `save`."""
    return files.config_folder() / "settings.toml"


def defaults() -> Settings:
    """Return the settings of the panel's first start."""
    return Settings(pace=PACE)


def load(path: Path | None = None) -> Settings:
    """Read the settings; return the defaults if there is no file.

    Args:
        path: The file; by default `settings_file()`.

    Raises:
        SettingsError: It cannot be read, is not TOML, has an unknown key or a wrong value.
    """
    path = path or settings_file()
    try:
        values = tomllib.loads(files.read_whole(path, _MOST_BYTES).decode("utf-8-sig"))
        for outdated in _OUTDATED:
            values.pop(outdated, None)
    except FileNotFoundError:
        return defaults()
    except OSError as error:
        raise SettingsError(
            f"{path} cannot be read: {error.strerror or error}. Move it away, or name another "
            f"folder with {files.HOME_VARIABLE}"
        ) from error
    except (ValueError, RecursionError) as error:
        # A number of ten thousand digits is no error for the TOML parser.
        reason = "it is not a text file" if isinstance(error, UnicodeError) else error
        raise SettingsError(f"{path} is not TOML: {reason}. {_REMEDY}") from error
    for name in _OF_ONE_RUN:
        if name in values:
            raise SettingsError(f"{path}: {_unknown(name)}. {_REMEDY}")
    try:
        return Settings.model_validate({"pace": PACE} | values)
    except ValidationError as error:
        raise SettingsError(f"{path}: {_problems(error)}. {_REMEDY}") from error


def save(settings: Settings, path: Path | None = None) -> None:
    """Write the settings, all of them or nothing.

    Raises:
        SettingsError: The folder or the file cannot be written.
    """
    path = path or settings_file()
    values: dict[str, Any] = settings.model_dump(exclude=_OF_ONE_RUN, exclude_none=True)
    values = {"games": ENDLESS, "pace": ENDLESS} | values
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        files.clear_leftovers(path.parent, lambda name: name.startswith(path.name))
        files.write_whole(path, tomli_w.dumps(values).encode(), durable=True)
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror or error}") from error


_REMEDY: Final = "Correct it, or delete the file to start from the defaults"


def _problems(error: ValidationError) -> str:
    """Return a text about every wrong key, in the file's order."""
    return "; ".join(_problem(detail["type"], detail) for detail in error.errors())


def _unknown(key: str) -> str:
    known = ", ".join(name for name in Settings.model_fields if name not in _OF_ONE_RUN)
    return f"unknown setting '{key}' (known are {known})"


def _problem(kind: str, detail: Any) -> str:
    key = ".".join(str(part) for part in detail["loc"])
    if kind == "extra_forbidden":
        return _unknown(key)
    # pydantic's own text begins with 'Value error'.
    reason = detail["ctx"]["error"] if kind == "value_error" else detail["msg"]
    return f"setting '{key}' = {detail['input']!r}: {reason}"
