"""Read and write `skin.toml`; an error names the file and the reason."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

import tomli_w
from pydantic import ValidationError

from vision.skins.skin import SkinFile

SKIN_FILE: Final = "skin.toml"
NAME_RULE: Final = (
    "1 to 64 lower-case letters, digits, '.', '_' or '-', the first one a letter or a digit"
)
"""What a skin may be called, in words."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_MAX_TEXT: Final = 1 << 16
_NAMED_KEYS: Final = frozenset(
    {
        *("alt", "backspace", "ctrl", "del", "delete", "down", "end", "enter", "esc", "escape"),
        *("help", "home", "insert", "left", "pagedown", "pageup", "pause", "pgdn", "pgup"),
        *("return", "right", "shift", "space", "tab", "up"),
        *(f"f{number}" for number in range(1, 25)),
    }
)
"""Keys with a name, as pyautogui calls them: it ignores every other word without a sign."""
_HELD_KEYS: Final = frozenset({"ctrl", "alt", "shift"})
_KEY_RULE: Final = (
    "write a character, f1 to f24, or the name of a key such as enter, esc, space or ctrl+n"
)
_IDLE_KEYS: Final = ("scalable",)
"""Keys that say nothing: skins that an earlier version learned carry them."""
_SAID: Final = {
    "extra_forbidden": "is no key that a skin has",
    "missing": "is missing",
}
_WANTED: Final = {
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
    "string_type": "a text",
    "too_long": "{max_length} values",
    "too_short": "{min_length} values",
    "greater_than": "more than {gt}",
    "greater_than_equal": "{ge} or more",
    "less_than_equal": "{le} or less",
}
"""By pydantic's names for what is wrong; where none is here, its own words are taken."""


class SkinError(ValueError):
    """A skin cannot be used; the message names the file and the reason."""


def check_name(name: str) -> None:
    """Make sure that a skin can be called so.

    Raises:
        SkinError: It cannot.
    """
    if _NAME.fullmatch(name) is None:
        raise SkinError(f"'{name}' cannot be a skin's name: use {NAME_RULE}")


def check_key(text: str) -> str:
    """Return the name of a key, or of keys that are held together, as a skin writes it.

    Args:
        text: As a user writes it: `F2`, `n`, `Ctrl+N`.

    Raises:
        ValueError: There is no such key.
    """
    name = text.strip().lower()
    *held, last = name.split("+") if len(name) > 1 else [name]
    single = len(last) == 1 and last.isascii() and last.isprintable() and last != " "
    if not (single or last in _NAMED_KEYS) or not {*held} <= _HELD_KEYS:
        raise ValueError(f"there is no key '{text.strip()[:32]}': {_KEY_RULE}")
    return name


def load_text(path: Path) -> SkinFile:
    """Read one description.

    Raises:
        SkinError: It is no file, no TOML, or says what cannot be.
    """
    try:
        # Opening a pipe would wait for ever.
        if path.exists() and not path.is_file():
            raise SkinError(f"{path} is not a file")
        with path.open("rb") as file:
            data = file.read(_MAX_TEXT + 1)
    except OSError as error:
        raise SkinError(f"{path} cannot be read: {error.strerror or error}") from error
    if len(data) > _MAX_TEXT:
        raise SkinError(f"{path} is larger than {_MAX_TEXT >> 10} kB: that is no skin.toml")
    try:
        # Editors of Windows begin a file with a byte order mark.
        says = tomllib.loads(data.decode("utf-8-sig"))
        file_says = SkinFile.model_validate(
            {key: value for key, value in says.items() if key not in _IDLE_KEYS}
        )
    except ValidationError as error:
        raise SkinError(f"{path}: {_error_text(error)}") from error
    except (ValueError, RecursionError) as error:
        # A number of ten thousand digits is no error of TOML's.
        raise SkinError(f"{path} is not TOML: {error}") from error
    _refuse_levels(path, file_says)
    _refuse_keys(path, file_says)
    return file_says


def text_of(file: SkinFile) -> bytes:
    """Return the description as `load_text` reads it."""
    fields: dict[str, Any] = file.model_dump(include=set(SkinFile.model_fields), exclude_none=True)
    return tomli_w.dumps(fields).encode()


def _error_text(error: ValidationError) -> str:
    """Return the first of what is wrong: where, what stands there, and what should."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"]) or "the file"
    kind, found = first["type"], first["input"]
    if kind in _SAID:
        return f"'{where}' {_SAID[kind]}"
    if kind == "string_pattern_mismatch":
        if where == "name":
            return f"name: '{found}' cannot be a skin's name: use {NAME_RULE}"
        return f"{where}: there is no key '{found}': {_KEY_RULE}"
    if kind in _WANTED:
        wanted = f"it should be {_WANTED[kind].format(**first.get('ctx', {}))}"
    else:
        wanted = first["msg"].replace("Input should", "it should")
    return f"{where}: {wanted}, and is {found!r}"


def _refuse_levels(path: Path, file: SkinFile) -> None:
    for name, (rows, cols, mines) in file.levels.items():
        if mines >= rows * cols:
            raise SkinError(
                f"{path}: levels.{name}: {mines} mines do not fit on {rows} rows and {cols} columns"
            )


def _refuse_keys(path: Path, file: SkinFile) -> None:
    """Refuse keys that do not exist, when the skin is read and not during a game."""
    restart = file.restart
    named = [("restart.key", restart.key)] if restart.key is not None else []
    named += [("restart.confirm", key) for key in restart.confirm]
    named += [("dialog.key", dialog.key) for dialog in file.dialog]
    for where, combination in named:
        keys = combination.split("+") if len(combination) > 1 else [combination]
        for key in keys:
            if len(key) > 1 and key.lower() not in _NAMED_KEYS:
                raise SkinError(f"{path}: {where}: there is no key '{key}': {_KEY_RULE}")
