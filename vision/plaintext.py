"""Remove characters from untrusted text that would affect a terminal, a label or a file.

Titles of windows, names of files and texts in foreign files may contain anything: colours and
cursor movements (ECMA-48), characters that turn the direction of writing round (Unicode Standard
Annex #9), line breaks, halves of characters.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_SEQUENCE: Final = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # Control sequences.
    r"|(?:\x1b[]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)"  # Strings.
    r"|\x1b[ -/]*[0-~]?"  # Other sequences, and the beginning of a string that has no end.
)
_LINE_BREAKS: Final = dict.fromkeys(map(ord, "\n\r\t\v\f\x85\u2028\u2029"), " ")
_KEPT: Final = frozenset("\n\t\u200c\u200d")
"""Characters that are kept: line breaks and tabs; joiners, required by some languages and
emojis."""


def one_line(text: str) -> str:
    """Return text in one line of visible characters."""
    return text if text.isprintable() else printable(text.translate(_LINE_BREAKS)).strip()


def printable(text: str) -> str:
    """Return text of visible characters, line breaks and tabs."""
    if text.isprintable():
        return text
    return "".join(map(_visible, _SEQUENCE.sub("", text)))


def _visible(character: str) -> str:
    if character in _KEPT:
        return character
    match unicodedata.category(character):
        case "Cc" | "Cf" | "Zl" | "Zp":
            return ""
        case "Cs":
            return "\N{REPLACEMENT CHARACTER}"
        case _:
            return character
