"""Show the conventions of a skin's program as text, and forget them.

Some are stored in the skin (`skin.toml`), and some are the user's answers
(`gui.runner.stored_answers`). What is forgotten is discovered, or asked, again. Only the user's own
skins can be changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from gui.runner.stored_answers import KeptAnswer
from vision.focus import numberless
from vision.skins.own_skins import change_skin
from vision.skins.skin import Convention, Dialog, Face, Restart, learned_level

if TYPE_CHECKING:
    from vision.skins import Skin

_CHORDS: Final[dict[str | None, str]] = {
    "left": "A click with the left button on a number",
    "double": "A double click on a number",
    "middle": "A click with the middle button on a number",
    "both": "A click with the left and the right button together on a number",
    "none": "None: cells are opened one by one",
}
_COUNTERS: Final[dict[str | None, str]] = {
    "left": "The left one of two numbers beside the board",
    "right": "The right one of two numbers beside the board",
}
_FLOODS: Final[dict[str | None, str]] = {
    None: "All cells around it",
    "orthogonal": "The four cells beside it",
    "none": "Nothing",
}


@dataclass(frozen=True)
class Known:
    """A known convention of a program."""

    title: str
    words: str
    forget: Callable[[], None] | None = None
    """Deletes the value; None if there is nothing to delete."""


def known_of(skin: Skin, answers: Sequence[KeptAnswer], *, own: bool) -> tuple[Known, ...]:
    """Return the known conventions of a skin's program.

    Args:
        skin: The skin.
        answers: The user's answers about this program.
        own: Whether the skin is the user's; else it is read-only.
    """
    known = [
        _restart(skin),
        *(_dialog(skin, dialog) for dialog in skin.dialog),
        _choice(
            skin,
            "chord",
            "Chords",
            _CHORDS,
            "Unknown. It is detected when a game is played in a style with chords.",
        ),
        *_pause(skin, "rest", "Pause before the press", "preceded by a pause of"),
        *_pause(skin, "hold", "Pause before the release", "held for"),
        *_pause(skin, "stay", "Pause after the release", "followed by a pause of"),
        _choice(
            skin,
            "counter",
            "Mine counter",
            _COUNTERS,
            "Detected beside the board in each game.",
        ),
        _choice(
            skin,
            "flood",
            "Opened with an empty cell",
            _FLOODS,
            f"{_FLOODS[None]}, as in most programs.",
        ),
    ]
    if own:
        sizes = dict.fromkeys((rows, cols) for rows, cols, _ in skin.levels.values())
        known += [_keys(skin), *(_level(skin, rows, cols) for rows, cols in sizes)]
    else:
        known = [replace(one, forget=None) for one in known]
    return (
        *known,
        *(_answer("Found out" if one.found_out else "Your answer", one) for one in answers),
    )


def answers_about(skin: Skin, answers: Sequence[KeptAnswer], *, own: bool) -> list[KeptAnswer]:
    """Return the user's answers about the program of a skin."""
    if not skin.window_class:
        return []
    title = numberless(skin.title) if own else ""
    return [
        one
        for one in answers
        if (one.program[0], numberless(one.program[1])) == (skin.window_class, title)
    ]


def others_of(answers: Sequence[KeptAnswer]) -> tuple[Known, ...]:
    """Return the user's answers about programs without a skin."""
    return tuple(
        _answer(f"'{one.program[1]}' ({one.program[0]})" if one.program[1] else one.program[0], one)
        for one in answers
    )


def _answer(title: str, answer: KeptAnswer) -> Known:
    return Known(title, f"{answer.words}.", answer.forget)


def _restart(skin: Skin) -> Known:
    face, key = skin.restart.face, skin.restart.key
    ways = [f"the key {_key_name(key)}"] if key is not None else []
    ways += [f"a click on the button {_place(face)}"] if face is not None else []
    words = "Unknown. It is detected, or you are asked, when the next game ends."
    if ways:
        listed = ", or ".join(ways)
        words = _counted(skin, "restart", listed[:1].upper() + listed[1:], "times")

    forget = partial(_reset, skin, "restart", restart=Restart()) if ways else None
    return Known("Next game", words, forget)


def _dialog(skin: Skin, dialog: Dialog) -> Known:
    others = tuple(one for one in skin.dialog if one != dialog)

    return Known(
        f"Dialog '{dialog.title}'",
        f"Closed with the key {_key_name(dialog.key)}.",
        lambda: change_skin(skin.name, dialog=others),
    )


def _keys(skin: Skin) -> Known:
    keys = [skin.restart.key, *(one.key for one in skin.dialog)]
    named = list(dict.fromkeys(key for key in keys if key is not None))
    if not named:
        return Known("Keys", "No key is sent to this program.")
    listed = " and ".join(map(_key_name, named))
    if not skin.keys_allowed:
        return Known("Keys", f"{listed}: not sent, because you have not allowed them.")
    restart = Restart(face=skin.restart.face)
    return Known(
        "Keys",
        f"{listed}. You have allowed them for this program; no other key is sent to it.",
        forget=lambda: change_skin(skin.name, restart=restart, dialog=(), keys_allowed=False),
    )


def _choice(
    skin: Skin,
    name: Convention,
    title: str,
    options: Mapping[str | None, str],
    unknown: str,
) -> Known:
    """Return a convention with a few possible values; `unknown` is shown without a value."""
    current: str | None = getattr(skin, name)
    if current is None:
        return Known(title, unknown)
    words = _counted(skin, name, options[current], "games")
    return Known(title, words, partial(_reset, skin, name, **{name: None}))


def _pause(skin: Skin, name: Convention, title: str, verb: str) -> Iterator[Known]:
    """Yield a pause that clicks need, if they need one."""
    seconds: float = getattr(skin, name)
    if seconds:
        words = _counted(skin, name, f"Each click is {verb} {seconds * 1000:.0f} ms", "games")
        yield Known(title, words, partial(_reset, skin, name, **{name: 0.0}))


def _level(skin: Skin, rows: int, cols: int) -> Known:
    """Return the mines of a size: those that the user or a game gave, else the copied ones."""
    size, learned = (rows, cols), learned_level(rows, cols)
    others = {name: level for name, level in skin.levels.items() if level[:2] != size}
    mines = next(level[2] for name, level in skin.levels.items() if name not in others)
    mines = skin.levels[learned][2] if learned in skin.levels else mines
    copied = skin.learned and learned not in skin.levels
    return Known(
        f"Mines, {cols} columns, {rows} rows",
        f"{mines} mines{', as in a similar program. Not confirmed yet' if copied else ''}.",
        lambda: change_skin(skin.name, levels=others),
    )


def _reset(skin: Skin, name: Convention, **fields: object) -> None:
    """Reset a convention of a skin and its count of confirmations."""
    confirmed = {other: count for other, count in skin.confirmed.items() if other != name}
    change_skin(skin.name, confirmed=confirmed, **fields)


def _key_name(key: str) -> str:
    return "+".join(part.capitalize() for part in key.split("+")) if len(key) > 1 else key


def _counted(skin: Skin, name: Convention, words: str, what: str) -> str:
    """Return a convention, with the number of its confirmations if the skin was learned."""
    count = skin.confirmed.get(name, 0)
    if not skin.learned:
        return f"{words}."
    if not count:
        return f"{words}. Not confirmed yet."
    if what == "times":
        return f"{words}. Confirmed {'once' if count == 1 else f'{count} times'}."
    return f"{words}. Confirmed in {count} game{'' if count == 1 else 's'}."


def _place(face: Face) -> str:
    """Return the position of a button relative to the board."""
    across = next((side for side in ("left", "right") if side in face.anchor), "")
    if face.anchor.startswith("top") and face.y < 0:
        down = "above the board"
    elif face.anchor.startswith("bottom") and face.y > 0:
        down = "below the board"
    else:
        return f"beside the board, on the {across}" if across else "on the board"
    return f"{down}, on the {across}" if across else f"{down}, in the middle"
