"""Interpret the texts beside a board: the labels of buttons, and how a game has ended.

The texts are those that `vision.text` reads. Letters that look alike in some fonts, as l, I and 1,
count as the same; otherwise a label has to be one of the known ones in full.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from bot.frame import Status
from vision.text import Line, in_rows

_ALIKE: Final = str.maketrans("01|i5q69", "olllsoba")
"""Letters that look alike, in lower case: 6 and 9 are also how Cyrillic ones are read."""
_DIGITS: Final = str.maketrans("01", "ol")
"""Digits as which letters are read."""
_STARTS: Final = (
    "new", "new game", "start new game", "start a new game", "new round", "next game", "next round",
    "another game", "one more game", "play", "play again", "play a new game",
    "try again", "again", "once more", "start", "start game", "start again", "start over",
    "restart", "restart game", "retry", "replay", "rematch",
    "nuevo", "nuevo juego", "nueva partida", "jugar de nuevo", "reiniciar", "novo jogo",
    "jogar novamente", "nouveau jeu", "nouvelle partie", "rejouer", "recommencer", "neues spiel",
    "neu", "nochmal", "noch einmal", "neustart", "nuovo gioco", "nuova partita", "ricomincia",
    "nowa gra", "zagraj ponownie", "jeszcze raz", "nova hra", "nova igra", "nieuw spel", "opnieuw",
    "nytt spel", "nytt spill", "nyt spil", "uusi peli", "yeni oyun", "uj jatek", "joc nou",
    "hoba", "hobaa", "hoba wrpa", "hobaa wrpa", "hobag wrpa", "hobas wrpa", "hoba rpa", "3ahobo",
    "ha4atb", "ha4atb 3ahobo", "ha4atb wrpy", "wrpatb", "wrpatb choba", "cbirpatb eue", "eue pa3",
    "eue pas", "pectapt", "pecrapr", "ctapt", "crapr", "cha4ana",
    "nepe3anyck", "epe3anyck", "nepe3anyctwtb wrpy", "epe3anyctwtb wrpy",
)  # fmt: skip
"""Labels of buttons that start a game: in English, Spanish, Portuguese, French, German, Italian,
Polish, Czech, Croatian, Dutch, Swedish, Norwegian, Danish, Finnish, Turkish, Hungarian, Romanian,
without accents; and in Russian and Ukrainian, in the Latin letters as which Cyrillic is read."""
_MINES: Final = (
    "mines", "bombs", "mines left", "bombs left", "mines remaining", "bombs remaining",
    "remaining mines", "remaining bombs", "total mines", "total bombs", "number of mines",
    "number of bombs", "flags left", "flags remaining", "remaining flags", "flags available",
)  # fmt: skip
"""Labels of numbers that count mines."""
_COUNT: Final = re.compile(r"(\D*[a-z])\W+\d+\W*", re.IGNORECASE)
"""A label, and a number behind it."""
_COUNTED: Final = (
    "m", "t", "time", "timer", "seconds", "score", "moves", "clicks", "flags", "best",
)  # fmt: skip
"""Labels of other numbers beside a board."""
_ASIDE: Final = (
    "hint", "hints", "get hint", "show hint", "help", "how to play", "rules", "about", "undo",
    "redo", "solve", "solve it", "auto solve", "solver", "auto", "autoplay", "cheat", "reveal",
    "reveal all", "show mines", "show bombs", "give up", "pause",
)  # fmt: skip
"""Labels of buttons that help or stop a player, and start no game."""
_LEVELS: Final = (
    (150, ("beginner", "easy", "small", "facil", "facile", "leicht", "einfach", "principiante",
           "novice", "nerko", "lerko", "nerkwi")),
    (300, ("intermediate", "medium", "normal", "moderate", "medio", "moyen", "mittel", "cepenhbo",
           "cpenhe", "cpenhwi")),
    (600, ("expert", "hard", "advanced", "difficult", "dificil", "difficile", "schwer", "experto",
           "cknanho", "cnoxkho", "cnoxkhbi")),
)  # fmt: skip
"""Names of levels, with the greatest number of cells of their boards; those of Cyrillic letters as
they are read."""
_SIZE: Final = re.compile(r"(?<![\d.])(\d+) *[x*] *(\d+)(?!\d)", re.IGNORECASE)
"""The size of a board."""
_MINED: Final = re.compile(r"(\d+) *(?:mines|bombs)\b", re.IGNORECASE)
"""A number of mines."""
_LEVEL_SUFFIXES: Final = "", " game", " level", " mode"
"""Words that may follow the name of a level."""
_MENUS: Final = (
    "game", "file", "menu", "spiel", "datei", "partie", "jeu", "fichier", "juego", "archivo",
    "jogo", "arquivo", "partita", "gioco", "wrpa", "rpa",
)  # fmt: skip
"""Titles of menus with an entry that starts a game, the likeliest first."""
_SHORTCUT: Final = re.compile(
    r"(^|[\s(]+)(f\d\d?\)?|(ctrl|control|strg|alt|shift)\b.*)$", re.IGNORECASE
)
"""The key at the end of an entry of a menu, or beside it."""
_NEW_KEY: Final = re.compile(r"(^|[\s(])(f2|(ctrl|control|strg)\W*n)\)?$", re.IGNORECASE)
"""The key of the entry that starts a game, whatever its language."""
_LEGIBLE: Final = 0.8
"""Least confidence of a label in letters that can be read; others are read as such with less."""
_KEY: Final = r"r|n|p|space|spacebar|space bar|enter|return|f2|any(?= ?key)"
_NAMED_KEY: Final = rf"\W*({_KEY})\W*(?:or\W+(?:{_KEY})\W*)?"
"""A key, or the first of two."""
_AGAIN_WORDS: Final = r"(?:restart|retry|replay|(?:play|try|start) again|(?:a )?new game)"
_ENDS: Final = r"(?: (?:the |this )?(?:game|round|level))?(?=\W*$|[,.;!/|]| or\b| and\b)"
_NEGATION: Final = re.compile(r"\b(?:not|never|don\W?t)\b", re.IGNORECASE)
_PRESS: Final = re.compile(
    rf"(?:press|hit|tap){_NAMED_KEY}(?:key |button )?(?:to|for) (?:\w+ )?{_AGAIN_WORDS}{_ENDS}|"
    rf"^{_NAMED_KEY}[:=-]\W*{_AGAIN_WORDS}$|\b{_AGAIN_WORDS}\W*(?:press |hit )?\W*{_NAMED_KEY}$",
    re.IGNORECASE,
)
"""A sentence of a game that names the key that starts the next one: one that can do no harm."""
_RESETS: Final = ("reset", "reset game", "reset board")
"""Others that do so; in a dialog they may delete the best times."""
_CLOSES: Final = (
    "ok", "okay", "close", "continue", "done", "got it", "dismiss", "aceptar", "cerrar", "fechar",
    "fermer", "schliessen", "chiudi",
)  # fmt: skip
"""Labels of buttons that close a message."""
_YES: Final = ("yes", "si", "sim", "oui", "ja")
"""Labels of buttons that agree to a question, or close a message without one."""
_DECLINES: Final = (
    "cancel", "no thanks", "not now", "skip", "later", "maybe later", "cancelar", "annuler",
    "abbrechen", "annulla",
)  # fmt: skip
"""Labels of buttons that close a question, about the player's name for example, without effect."""
_OTHERS: Final = (
    *_DECLINES, *_YES, "no", "quit", "exit", "resume", "save", "submit", "share", "menu",
    "nein", "non", "nao", "salir", "sair", "quitter", "beenden", "esci",
    "guardar", "salvar", "speichern", "salva",
     "main menu", "settings", "back", "help", "send", "apply", "discard", "0a", "het", "bbixon",
     "otmeha",
)  # fmt: skip
"""Labels of buttons that show that there is a choice."""
_RETURNS: Final = ("resume", "continue", "back")
"""Labels of buttons that go back to the game: those of a pause."""
_DESTROYS: Final = re.compile(
    r"delete|erase|remove|reset|overwrite|buy|purchase|signin|login|register|install|update|"
    r"subscribe|download|upload|send|loe?sch|efface|supprim|borra|elimina|apaga"
)
"""Words of questions that are never agreed to."""
_HARMFUL: Final = re.compile(rf"quit|exit|leave|clear|{_DESTROYS.pattern}")
"""Words of messages that are not closed without asking."""
_AGAIN: Final = re.compile(
    r"(again(?!st)|newgame|another|onemore|restart|rematch|replay|rejouer|nouvellepartie|nouveaujeu|"
    r"nochmal|nocheinmal|neuesspiel|jugardenuevo|otravez|nuevapartida|nuevojuego|jogarnovamente|"
    r"novojogo|nuovapartita|nuovogioco|giocareancora|ricomincia|zagrajponownie|jeszczeraz|opnieuw).*\?"
)
"""A question whose 'Yes' starts the next game."""
_WON: Final = re.compile(
    r"you('?ve|have)?(win|won|didit|madeit|cleared|arethewinner)|congrat|victory|welldone|"
    r"(game|board|field|level)(clear|won|complete)|"
    r"gewonnen|hasganado|ganaste|gagne|venceu|ganhou|haivinto|b[b6][il1]b[b6][il1]wrpa|no[b6]ena|"
    r"bwbwrpan|nepe[mw]ora"
)
_LOST: Final = re.compile(
    r"you('?ve|have)?(loo?se|lost|died|exploded|hit|failed|aredead)|gameover|boom|defeat|"
    r"verloren|hasperdido|perdiste|perdu|perdeu|haiperso|n?powrpa|n?porpan|opa[3as]ka|opax+k?e"
)


_RECORD: Final = re.compile(r"(fastest|best)time|newrecord|highscore")
"""What is said of the times of won games."""
_FRAMED: Final = 4
"""Least number of letters of a label before which any letter may be the side of its button."""


def says_new_game(text: str, *, in_dialog: bool = False) -> bool:
    """Return whether a button's label says that it starts a game.

    In a dialog 'Reset' does not count, and a question is no label.
    """
    return not text.endswith("?") and _is_one_of(
        text, _STARTS if in_dialog else (*_STARTS, *_RESETS)
    )


def says_level(text: str, shape: tuple[int, int], mines: int | None) -> bool:
    """Return whether a button's label is the level of a board, which then begins again.

    Args:
        text: The label: '40 mines', '16 x 16', 'Medium', 'Medium game', or 'Medium (16x16)'.
        shape: Number of rows and columns of the board.
        mines: Number of its mines, if known.
    """
    named, size, count = _level_in(text)
    if named == "" or not (count is None or mines in (None, count)):
        return False
    if size is not None:
        return size in (shape, shape[::-1])
    rows, cols = shape
    usual = next((names[0] for most, names in _LEVELS if rows * cols <= most), None)
    if named is None:
        return count is not None and mines is not None
    return named == usual


def _level_in(text: str) -> tuple[str | None, tuple[int, int] | None, int | None]:
    """Return the level that a label names, the size of its board, and its number of mines.

    The level is given by its first name in `_LEVELS`: None if the label has no words, and '' if it
    has others.
    """
    size, count = _SIZE.search(text), _MINED.search(text)
    words = _MINED.sub(" ", _SIZE.sub(" ", text))
    named: str | None = None
    # The sides of a button's frame are read as letters.
    if re.search(r"\d", words) or _letters(words).removeprefix("l").removesuffix("l"):
        named = next((n[0] for _, n in _LEVELS if _is_one_of(words, _labels_of(n))), "")
    return (
        named,
        None if size is None else (int(size[1]), int(size[2])),
        None if count is None else int(count[1]),
    )


def _labels_of(names: Sequence[str]) -> list[str]:
    """Return the labels of a level with these names."""
    labels = [f"{name}{what}" for name in names for what in _LEVEL_SUFFIXES]
    return labels + [f"new {name} game" for name in names]


def level_button(lines: Sequence[Line], shape: tuple[int, int], mines: int | None) -> Line | None:
    """Return the text of a board's level in a menu of levels; None if there is no such menu.

    Args:
        lines: The texts of a window.
        shape: Number of rows and columns of the board.
        mines: Number of its mines, if known.
    """
    own = [one for one in lines if says_level(one.text, shape, mines)]
    found = [_level_in(one.text) for one in lines]
    levels = [named for named, size, _ in found if named or (named is None and size)]
    return own[0] if len(own) == 1 and len(levels) > 1 else None


def menu_rank(text: str) -> int | None:
    """Return the rank of a menu's title among those that start games, from 0; None for others."""
    letters = _letters(text)
    return next((n for n, title in enumerate(_MENUS) if letters == _letters(title)), None)


def menu_entry(lines: Sequence[Line], shape: tuple[int, int], mines: int | None) -> Line | None:
    """Return the entry of a menu that starts a game; None if there is none, or more than one.

    It says so, has the usual key for it, or names the board's level.

    Args:
        lines: The texts of the menu.
        shape: Number of rows and columns of the board.
        mines: Number of its mines, if known.
    """
    labels = [_SHORTCUT.sub("", one.text.strip()) for one in lines]
    for own in (
        [one for one, label in zip(lines, labels, strict=True) if says_new_game(label)],
        [one for one in lines if _NEW_KEY.search(one.text)],
        [one for one, label in zip(lines, labels, strict=True) if says_level(label, shape, mines)],
    ):
        if own:
            return own[0] if len(own) == 1 else None
    return None


def are_illegible(labels: Iterable[Line]) -> bool:
    """Return whether labels are in letters that cannot be read; keys beside them do not count."""
    return not any(
        one.confidence >= _LEGIBLE and sum(map(str.isalpha, _SHORTCUT.sub("", one.text))) > 1
        for one in labels
    )


def named_key(lines: Iterable[Line]) -> str | None:
    """Return the key with which a game says that its next one starts; None if it does not."""
    for one in lines:
        named = None if _NEGATION.search(one.text) else _PRESS.search(one.text.strip())
        key = next((name for name in named.groups() if name), "") if named else ""
        if key:
            return "space" if key.casefold().startswith(("space", "any")) else key.casefold()
    return None


def says_aside(text: str) -> bool:
    """Return whether a button's label says that it does something else than start a game."""
    return text.strip(" |()[]") == "?" or _is_one_of(text, _ASIDE)


def says_count(text: str) -> bool:
    """Return whether a text is a label and the number that it counts, which is no button."""
    found = _COUNT.fullmatch(text.strip())
    return found is not None and (says_mines(found[1]) or _is_one_of(found[1], _COUNTED))


def says_mines(text: str) -> bool:
    """Return whether a label names the mines that a number beside it counts."""
    return _is_one_of(text, _MINES)


def end_button(lines: Sequence[Line]) -> Line | None:
    """Return the text of the button with which a player goes on after a game; None if unsure.

    It is the only one that says so, or where a text says how the game has ended the only one of
    them that says 'new', as 'Restart' beside it may lay the same mines; the 'Yes' to a question
    about another game; or the button of a message without a choice. A pause has none.

    Args:
        lines: The texts of a dialog.
    """
    starts = [one for one in lines if says_new_game(one.text, in_dialog=True)]
    if starts:
        ended = end_of([one.text for one in lines]) is not None
        if not ended and any(_is_one_of(one.text, _RETURNS) for one in lines):
            return None
        if ended and len(starts) > 1:
            starts = [one for one in starts if "new" in one.text.lower()]
        return starts[0] if len(starts) == 1 else None
    yes = [one for one in lines if _is_one_of(one.text, (*_YES, "ok"))]
    asked = _whole(one.text for one in lines)
    if len(yes) == 1 and _AGAIN.search(asked) and not _DESTROYS.search(asked):
        return yes[0]
    return message_button(lines)


def lone_yes(lines: Sequence[Line]) -> Line | None:
    """Return the text 'Yes' of a message that asks nothing and offers nothing else, or None."""
    yes = [one for one in lines if _is_one_of(one.text, _YES) and not re.search(r"\d", one.text)]
    left = [one for one in lines if one not in yes]
    choice = any(_is_one_of(one.text, (*_OTHERS, *_CLOSES, *_STARTS)) for one in left)
    whole = _whole(one.text for one in lines)
    unsure = choice or "?" in whole or _HARMFUL.search(whole)
    return yes[0] if len(yes) == 1 and not unsure else None


def end_line(lines: Sequence[Line]) -> Line | None:
    """Return the first text of the only row that says how the game has ended; None if unsure."""
    said = []
    for row in in_rows(lines):
        texts = [one.text for one in row]
        if end_of(texts) and not _RECORD.search(_whole(texts)):
            said.append(row)
    return said[0][0] if len(said) == 1 else None


def message_button(lines: Sequence[Line]) -> Line | None:
    """Return the text of the button that closes a message without any effect; None if unsure.

    It is the only button, or the one that declines what the others offer.
    """
    closes = [one for one in lines if _is_one_of(one.text, _CLOSES)]
    choice = any(
        _is_one_of(one.text, _OTHERS) or says_new_game(one.text, in_dialog=True) for one in lines
    )
    # 'Reset...' beside 'OK' is a button of its own; 'Reset all scores?' is answered by 'OK'.
    sentences = [one.text for one in lines if "?" in one.text or " " in one.text.strip()]
    asked = any("?" in text for text in sentences)
    harmful = _HARMFUL.search(_whole(one.text for one in lines) if asked else _whole(sentences))
    if len(closes) == 1 and not (choice or harmful):
        return closes[0]
    declines = [one for one in lines if _is_one_of(one.text, _DECLINES)]
    return declines[0] if len(declines) == 1 else None


def may_do_harm(lines: Sequence[Line]) -> bool:
    """Return whether a text speaks of more than a game, or is a label that shows a choice."""
    choice = any(_is_one_of(one.text, _OTHERS) for one in lines)
    return choice or bool(_HARMFUL.search(_whole(one.text for one in lines)))


def end_of(texts: Sequence[str]) -> Status | None:
    """Return how a game has ended by what is written about it; None if nothing is."""
    # Where letters stand apart, l and o are read as digits.
    apart = (all(len(word.strip(".!")) <= 1 for word in text.split()) for text in texts)
    whole = _whole(
        text.translate(_DIGITS) if single else text
        for text, single in zip(texts, apart, strict=True)
    )
    if _WON.search(whole) or _RECORD.search(whole):
        return Status.WON
    return Status.LOST if _LOST.search(whole) else None


def end_of_message(lines: Sequence[Line]) -> Status | None:
    """Return how the game has ended by a message that asks nothing; None if it does not say so."""
    asks = any("?" in one.text or _is_one_of(one.text, _DECLINES) for one in lines)
    return None if asks else end_of([one.text for one in lines])


def _whole(texts: Iterable[str]) -> str:
    """Return texts without spaces, which are not always read."""
    return "".join(texts).casefold().replace(" ", "")


def _is_one_of(text: str, labels: Sequence[str]) -> bool:
    # The sides of a button's frame are read as letters, an icon before the label as any one.
    first, _, rest = text.strip().partition(" ")
    read = _letters(text)
    seen = {read, read.removeprefix("l"), read.removesuffix("l")}
    seen |= {read[1:]} if len(read) > _FRAMED else set()
    seen |= {_letters(rest)} if len(first) == 1 else set()
    return not seen.isdisjoint(map(_letters, labels))


def _letters(text: str) -> str:
    """Return what distinguishes a label from others: icons and signs around it do not."""
    return re.sub(r"[^a-z0-9]", "", text.casefold().translate(_ALIKE))
