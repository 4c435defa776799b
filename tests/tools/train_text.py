"""Train the reader of text lines, and evaluate it on fonts that it never saw.

    python -m tests.tools.train_text FOLDER           writes vision/text.onnx, half an hour
    python -m tests.tools.train_text FOLDER --check   only judges the network that is there

FOLDER holds fonts, at any depth, as Debian's packages unpack them, and the word list of wamerican:
those that `tests.tools.train_digits` names, and fonts-andika,
fonts-bitstream-vera, fonts-essays1743, fonts-gfs-didot, fonts-hosny-amiri, fonts-ibm-plex,
fonts-lmodern, fonts-lobster, fonts-nanum, fonts-oldstandard, fonts-oxygen, fonts-prociono,
fonts-sil-charis, fonts-sil-gentium, fonts-sora, fonts-stix, fonts-tiresias, fonts-tlwg-loma-ttf,
fonts-tuffy, fonts-umeplus, fonts-unfonts-core, fonts-vlgothic, fonts-wine, fonts-wqy-zenhei,
fonts-yanone-kaffeesatz. Needs the packages of the extra 'training'.

A line is drawn in a random font, size and colour, with whatever may be beside it in a window: parts
of frames, icons, other lines. Fonts are divided by design: the first word of the family's name.
"""

from __future__ import annotations

import argparse
import multiprocessing
import queue
import string
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PyQt6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QImage, QPainter, QRawFont
from rich.console import Console

from tests.support.glyphs import Alpha, Random, application, seven_segment
from tests.support.marks import NO_DIGITS
from vision import text as reader
from vision.text import ALPHABET, HEIGHT, normalised

JUDGING: Final = (
    "cabin", "karla", "manrope", "b612", "comic", "go", "play", "quicksand", "cantarell", "fira",
    "junction", "vollkorn", "carlito", "lato", "oxygen", "oxygen-sans", "tuffy", "sora", "ibm",
    "spleen", "andika", "mononoki", "yanone", "tiresias",
)  # fmt: skip
"""Designs that are only evaluated."""
CALIBRATING: Final = (
    "inconsolata", "clear", "tribun", "gillius", "charis", "bookman", "universalis", "hermit",
    "nanumgothic", "routed", "eb", "loma", "fantasque",
)  # fmt: skip
"""Designs for the temperature of the confidence."""
COMMON: Final = (
    "dejavu", "bitstream", "liberation", "arimo", "nimbus", "freesans", "open", "roboto", "noto",
    "inter", "tahoma", "ms", "verana", "system",
)  # fmt: skip
"""Designs of most programs: they are drawn four times as often."""
UNUSABLE: Final = (
    "abecedario", "abydos", "aegean", "aegyptus", "akkadian", "alexander", "alfa-beta", "analecta",
    "anatolian", "cretan", "cypro-minoan", "ecolier_court", "elegante", "ellhnikh", "standard",
    "esint10", "cmex10", "cmmi10", "cmsy10", "msam10", "stmary10", "d050000l", "jsmath", "assyrian",
    "femkeklaver", "cupola", "kristi", "linux biolinum keyboard", "gardiner", "symbol", "unidings",
    "isabella", "breip", "domestic", "junkyard", "maya", "musica", "ethiopi", "nilus", "atavyros",
    "z003", "go smallcaps", "marlett", "stix math", "anaktoria", "conakry", "dseg", "lm math",
    "quercus", "stixgeneral", "penguin", ".",
)  # fmt: skip
"""Families without plain Latin letters: scripts, small capitals, symbols."""
CAPITALS: Final = ("bebas", "humor")
"""Designs whose small letters are capitals."""

PHRASES: Final = tuple(
    """
New Game|New game|Play again|Play Again|Try Again|Try again|OK|Ok|Yes|No|Cancel|Restart|Reset|
Restart Game|Restart game|Start|Start Game|Start game|Start New Game|Begin|Play|Replay|Retry|Again|
Continue|Resume|Pause|Paused|Stop|Quit|Quit Game|Exit|Exit Game|Close|Back|Next|Previous|Done|
Apply|Save|Load|Open|Undo|Redo|Hint|Hints|Help|About|Options|Settings|Preferences|Menu|Main Menu|
Game|File|Edit|View|Tools|Window|Level|Levels|Difficulty|Easy|Medium|Hard|Beginner|Intermediate|
Expert|Custom|Custom Game|Change Difficulty|Select Difficulty|Choose difficulty|Novice|Advanced|
Extreme|Normal|Small|Large|Huge|Board Size|Size|Width|Height|Rows|Columns|Cols|Mines|Bombs|Flags|
Time|Timer|Score|High Score|High Scores|Best Time|Best Times|Statistics|Stats|Leaderboard|Records|
Reset scores|Moves|Clicks|Lives|Points|Round|Games played|Games won|Win rate|Wins|Losses|Streak|
Remaining|Mines left|Mines remaining|Bombs left|Flags left|Remaining mines|Remaining flags|
Cells left|Tiles left|Elapsed|Time elapsed|Elapsed time|Seconds|Minutes|Game Over|Game Over!|
Game over|GAME OVER|Game over!|You win|You win!|You Win!|YOU WIN!|You won|You won!|You Won!|
You lose|You lose!|You Lose!|YOU LOSE|You lost|You lost!|You Lost!|Congratulations|
Congratulations!|Well done!|Victory|Victory!|Defeat|Winner!|Boom!|BOOM!|Ouch!|Oops!|Sorry|
Sorry, you lost.|You hit a mine|You hit a mine!|You hit a mine. Game Over.|You stepped on a mine!|
You found all the mines!|All mines found!|You cleared the field!|Board cleared!|
You have won the game!|You have lost the game.|Sorry, you lost this game|Better luck next time!|
Do you want to play again?|Play again?|Try again?|Would you like to play again?|
Want to play another game?|Another game?|New game?|Are you sure?|Start a new game?|
Do you really want to quit?|Quit the game?|Click to start|Click to restart|Press any key|
Press R to restart|Press space to start|Press F2 for a new game|Tap to play|Loading...|Minesweeper|
Mine Sweeper|MINESWEEPER|Mines - Game|Minefield|Bomb Squad|Sweeper|Game Info|Message|Information|
Warning|Error|Question|Confirm|Notice|Enter your name|Your name|Name|Anonymous|Player|Player 1|
Language|English|Sound|Sound on|Sound off|Music|Mute|Theme|Dark|Light|Dark mode|Light mode|
Full screen|Fullscreen|Zoom|Zoom in|Zoom out|Flag|Flag mode|Dig|Dig mode|Reveal|Mark|Marks (?)|
Chord|Question marks|Safe first click|First click safe|No guessing|Auto open|Seed|Random|
Daily challenge|Share|Donate|Source code|View on GitHub|GitHub|Made by|Made with love|Log in|
Log out|Sign up|Sign in|Register|Home|Contact|Privacy|Terms|Rules|How to play|Instructions|
Tutorial|Controls|Left click|Right click|Left click: reveal|Right click: flag|Open a cell|
Place a flag|Version 1.0|v1.2.3|Copyright|All rights reserved.|Untitled|Default|Submit|Send|Delete|
Remove|Add|Create|Generate|Solve|Solver|Auto|Step|Speed|Fast|Slow|On|Off|Status|Ready|Playing|
In progress|Not started|Started|Waiting|Won|Lost|Win|Lose|Won!|Lost!|Win!|Loser|Winner|Dead|Alive|
Result|Results|Total|Average|Best|Worst|Fastest|Your time|Your score|Your best|Current|Rank|Date|
Today|Week|Month|All time|New record!|Beginner (9x9)|Easy (9x9, 10 mines)|Medium (16x16)|
Hard (30x16)|Expert 16x30|8x8|9x9|16x16|30x16|9 x 9|16 x 30|10 mines|40 mines|99 mines|Give up|
Surrender|Show solution|Show mines|Reveal all|Yes, play again|No, thanks|Maybe later|Got it|Okay|
Dismiss|Discard|Accept|Decline|Ignore|Abort|Welcome|Welcome!|Hello|Good luck!|Have fun|
Thanks for playing|Bye|Don't show again|Don't save|&New Game|New Game (F2)|Exit (Esc)|Ctrl+N|
Ctrl+Q|F2|Alt+F4|Esc|Enter|Space|Shift+Click|Time: 0:00|Mines: 10|Flags: 0/10|Flags 0/10|10 Mines|
Time: 0:04|Score: 0|Level 1|Level: Easy|Bombs: 10|Mines left: 10|Time: 000|Timer: 0|Time 00:00|
00:00|0:00|000|010|099|0/40|10/10|3/99|Number of mines|Number of rows|Game time|Minutes played|
Percent complete|Progress: 0%|100%|Difficulty: Medium|Mode: Classic|Classic|Modern|Retro|Hexagonal|
Square|Triangle|Endless|Survival
""".replace("\n", "").split("|")
)
"""What windows of games say."""
LABELS: Final = (
    "Mines", "Bombs", "Flags", "Time", "Timer", "Score", "Level", "Moves", "Clicks", "Lives",
    "Left", "Mines left", "Bombs left", "Flags left", "Remaining", "Remaining mines",
    "Mines remaining", "Hints", "Seconds", "Elapsed", "Time elapsed", "Best", "Best time",
    "High score", "Points", "Rows", "Columns", "Width", "Height", "Size", "Games", "Wins",
    "Losses", "Found", "Total", "Marked", "Cells", "Tiles", "Safe", "Revealed", "Opened",
    "Mine count", "Flag count", "Bomb", "Mine", "Flag", "Round", "Turn", "Unflagged mines",
    "Mines to find", "Minas", "Minen", "Zeit", "Tempo", "Temps", "Players", "Coins",
)  # fmt: skip
UNITS: Final = (
    "Mines", "mines", "Bombs", "bombs", "Flags", "flags", "seconds", "sec", "s", "left",
    "mines left", "bombs left", "flags left", "min", "ms", "points", "moves", "remaining",
    "clicks", "x", "%", "to go", "mines remaining", "pts", "lives", "wins",
)  # fmt: skip

BATCH: Final = 8192
"""Columns of a batch of lines, before they are padded to the longest."""
RATE: Final = 2.5e-3
MAKERS: Final = 1
"""Processes that draw lines; the network is trained by one thread."""
_PAST: Final = 600
"""Number of batches that may be used again when no new one is ready."""
_SHARES: Final = np.array([3, 2, 1, 1, 1, 1, 1, 1, 1]) / 12
"""How often the kinds of numbers are drawn."""
_SYLLABLES: Final = (
    "ba", "ti", "lor", "en", "sku", "mi", "ix", "qua", "zej", "vy", "op", "ulf", "gr",
)  # fmt: skip
_AROUND: Final = ("({})", "'{}'", "{},", "{}:", "{}-x", "# {}", "& {}", "{}'s")
_LONGEST: Final = 42
_FIR: Final = np.array([8, 77, 86, 77, 8], np.float32) / 256
"""FreeType's default filter against colour fringes."""
say = Console(soft_wrap=True, highlight=False).print
Picture = NDArray[np.float32]
Crop = NDArray[np.uint8]


def words_in(folder: Path) -> list[str]:
    """Return the words of the word list that the alphabet can spell."""
    path = next(folder.rglob("american-english"))
    words = path.read_text("utf-8").split()
    return [word for word in words if set(word) <= set(ALPHABET) and len(word) < 15]


def some_text(rng: Random, words: list[str]) -> str:
    """Return a random line of text."""
    kind = rng.random()
    if kind < 0.27:
        text = str(rng.choice(PHRASES))
    elif kind < 0.5:
        text = _numbered(rng)
    elif kind < 0.62:
        text = _number(rng)
    elif kind < 0.9:
        text = _sentence(rng, words)
    else:
        pool = (string.digits, string.ascii_letters, ALPHABET, string.digits + ":/.-+,%")
        letters = list(str(rng.choice(pool)))
        text = "".join(rng.choice(letters, rng.integers(1, 9)))
    how = rng.random()
    if how < 0.08:
        text = text.upper()
    elif how < 0.12:
        text = text.lower()
    elif how < 0.14:
        text = text.title()
    elif how < 0.15:
        text = text.swapcase()
    return " ".join(text[:_LONGEST].split())


def _number(rng: Random) -> str:
    big = int(10 ** rng.uniform(0, 4))
    hour, minute, second = (int(rng.integers(0, most)) for most in (24, 60, 60))
    most = int(rng.choice([10, 40, 99, big]))
    decimal = f"{rng.uniform(0, 200):.{rng.integers(1, 4)}f}"
    head = f"{hour:02d}:" if rng.random() < 0.7 else "0:"
    made = (
        str(int(rng.integers(0, rng.choice([10, 100, 1000])))),
        f"{rng.integers(0, 1000):03d}",
        f"{minute}:{second:02d}",
        f"{minute:02d}:{second:02d}",
        f"{head}{minute:02d}:{second:02d}",
        f"{rng.integers(0, most + 1)}{rng.choice(['/', ' / ', ' of '])}{most}",
        str(rng.choice(["-", "+", "#", "x", ""])) + str(big),
        decimal + str(rng.choice(["", "s", " s", "%"])),
        str(rng.choice([f"{rng.integers(0, 101)}%", f"({big})", f"{big:04d}", f"{big:,}"])),
    )
    return made[int(rng.choice(len(made), p=_SHARES))]


def _numbered(rng: Random) -> str:
    number = _number(rng)
    if rng.random() < 0.25:
        return f"{number} {rng.choice(UNITS)}"
    label = str(rng.choice(LABELS))
    between = str(rng.choice([": ", ": ", ": ", " ", ":", " : ", " - ", " = "])).replace("=", "-")
    text = label + between + number
    if rng.random() < 0.12:
        text += str(rng.choice([" ", "  ", ", ", " - "])) + _numbered(rng)
    return text


def _sentence(rng: Random, words: list[str]) -> str:
    count = int(rng.choice([1, 1, 1, 2, 2, 3]))
    chosen = [words[at] for at in rng.integers(len(words), size=count)]
    if rng.random() < 0.12:
        chosen[0] = "".join(rng.choice(_SYLLABLES, rng.integers(1, 5)))
    how = rng.random()
    if how < 0.4:
        chosen = [word[:1].upper() + word[1:] for word in chosen]
    elif how < 0.65:
        chosen[0] = chosen[0][:1].upper() + chosen[0][1:]
    elif how < 0.8:
        chosen = [word.upper() for word in chosen]
    if rng.random() < 0.1:
        at = int(rng.integers(len(chosen)))
        chosen[at] = str(rng.choice(_AROUND)).format(chosen[at])
    return " ".join(chosen) + (str(rng.choice(list("!.?:"))) if rng.random() < 0.2 else "")


class Fonts:
    """The fonts of a folder, by design."""

    def __init__(self, folder: Path) -> None:
        application()
        self.designs: dict[str, list[tuple[str, list[str]]]] = {}
        families: set[str] = set()
        for path in sorted(folder.rglob("*.[to]tf")):
            number = QFontDatabase.addApplicationFont(str(path))
            families.update(QFontDatabase.applicationFontFamilies(number))
        for family in sorted(families):
            design = family.lower().split(" ")[0]
            if family.lower().startswith(UNUSABLE):
                continue
            known = QRawFont.fromFont(QFont(family, 20))
            if all(known.supportsCharacter(ord(letter)) for letter in ALPHABET):
                entry = family, QFontDatabase.styles(family)
                self.designs.setdefault(design, []).append(entry)
        held = set(JUDGING + CALIBRATING)
        self.training = [design for design in self.designs if design not in held]
        weights = [4.0 if design in COMMON else 1.0 for design in self.training]
        self.weights = np.array(weights) / sum(weights)

    def font(self, rng: Random, design: str, size: int) -> QFont:
        """Return a random font of a design."""
        entries = self.designs[design]
        family, styles = entries[int(rng.integers(len(entries)))]
        plain = [style for style in styles if style in {"Regular", "Book", "Normal", "Medium"}]
        bold = [style for style in styles if style in {"Bold", "SemiBold", "Semibold"}]
        kind = rng.random()
        pool = plain if kind < 0.5 else bold if kind < 0.8 else styles
        chosen = str(rng.choice(pool or styles))
        font = QFontDatabase.font(family, chosen, 12)
        font.setPixelSize(size)
        if rng.random() < 0.05:
            font.setBold(True)
        if rng.random() < 0.03:
            font.setItalic(True)
        if rng.random() < 0.15:
            font.setLetterSpacing(
                QFont.SpacingType.PercentageSpacing, float(rng.choice([95, 98, 104, 108, 115, 130]))
            )
        if rng.random() < 0.08:
            font.setStretch(int(rng.choice([80, 90, 110, 125])))
        hinting = QFont.HintingPreference
        font.setHintingPreference(
            (hinting.PreferNoHinting, hinting.PreferVerticalHinting, hinting.PreferFullHinting)[
                int(rng.integers(3))
            ]
        )
        if rng.random() < 0.1:
            font.setStyleStrategy(QFont.StyleStrategy.NoAntialias)
            font.setHintingPreference(hinting.PreferFullHinting)
        return font


def written(rng: Random, font: QFont, text: str) -> tuple[Alpha, int]:
    """Return the coverage of a line (h, w) or, with colour fringes, (h, w, 3), and an edge.

    The edge is the column at which some letter begins. Rows without ink are cut off.
    """
    metrics, size = QFontMetricsF(font), font.pixelSize()
    fringes = 3 if rng.random() < 0.3 else 1
    wide, high = int(metrics.horizontalAdvance(text)) + 2 * size, 3 * size
    image = QImage(wide * fringes, high, QImage.Format.Format_Grayscale8)
    image.fill(0)
    painter = QPainter(image)
    painter.scale(fringes, 1)
    painter.setFont(font)
    painter.setPen(QColor("white"))
    painter.drawText(size, 2 * size, text)
    if rng.random() < 0.04:
        at = int(rng.integers(len(text)))
        left, right = (metrics.horizontalAdvance(text[:to]) for to in (at, at + 1))
        thick = max(1, round(size / 14))
        painter.fillRect(
            round(size + left), 2 * size + thick, round(right - left), thick, QColor("white")
        )
    painter.end()
    bits = image.constBits()
    assert bits is not None
    bits.setsize(image.sizeInBytes())
    drawn = np.frombuffer(bits, np.uint8).reshape(high, image.bytesPerLine())[:, : wide * fringes]
    if fringes == 3:
        drawn = cv2.filter2D(drawn, -1, _FIR[None]).reshape(high, wide, 3)
    ink = drawn > 60 if fringes == 1 else drawn.max(axis=2) > 60
    rows, cols = (np.flatnonzero(ink.any(axis=axis)) for axis in (1, 0))
    if len(rows) == 0:
        return np.zeros((0, 0), np.uint8), 0
    at = int(rng.integers(len(text)))
    edge = round(size + metrics.horizontalAdvance(text[:at]) - cols[0])
    return drawn[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1].copy(), edge


def segments(rng: Random, text: str, height: int) -> Alpha:
    """Return a number in seven-segment digits, with the same look for each digit."""
    seed = int(rng.integers(2**31))
    parts = []
    for letter in text:
        if letter == ":":
            part = np.zeros((height, max(2, height // 6)), np.uint8)
            half = max(1, height // 12)
            for row in (height // 3, 2 * height // 3):
                part[row - half : row + half] = 255
        elif letter == "-":
            part = np.zeros((height, height // 2), np.uint8)
            half = max(1, height // 14)
            part[height // 2 - half : height // 2 + half] = 255
        else:
            part = seven_segment(np.random.default_rng(seed), int(letter), height)
            if part.shape[0] < height:
                part = np.pad(part, ((0, height - part.shape[0]), (0, 0)))
            if letter == "1" and rng.random() < 0.9:
                part = np.pad(part, ((0, 0), (max(0, round(0.45 * height) - part.shape[1]), 0)))
        gap = np.zeros((part.shape[0], max(1, round(height * 0.15))), np.uint8)
        parts += [part, gap]
    high = max(len(part) for part in parts)
    return np.hstack([np.pad(part, ((high - len(part), 0), (0, 0))) for part in parts[:-1]])


def _contrasting(rng: Random, ground: Picture) -> Picture:
    while True:
        if rng.random() < 0.5:
            ink = np.full(3, rng.choice([0, 0, 20, 50, 90, 160, 220, 255, 255]), np.float32)
        else:
            ink = rng.integers(0, 256, 3).astype(np.float32)
        apart = np.abs(ink - ground)
        if apart.max() > 60 or (apart.max() > 35 and rng.random() < 0.2):
            return ink


def _ground(rng: Random, height: int, width: int) -> tuple[Picture, Picture]:
    """Return a background, and its main colour."""
    if rng.random() < 0.6:
        colour = np.full(3, rng.choice([255, 255, 240, 224, 192, 128, 64, 40, 30, 0]), np.float32)
        if rng.random() < 0.3:
            colour = np.clip(colour + rng.normal(0, 12, 3), 0, 255).astype(np.float32)
    else:
        colour = rng.integers(0, 256, 3).astype(np.float32)
    image = np.full((height, width, 3), colour, np.float32)
    kind = rng.random()
    if kind < 0.15:
        slope = rng.uniform(-1, 1, 3) * rng.choice([10, 25, 50])
        image += np.linspace(-0.5, 0.5, height)[:, None, None] * slope
    elif kind < 0.22:
        slope = rng.uniform(-1, 1, 3) * rng.choice([15, 40, 80])
        image += np.linspace(-0.5, 0.5, width)[None, :, None] * slope
    elif kind < 0.27:
        coarse = rng.normal(0, rng.uniform(2, 12), (2 + height // 8, 2 + width // 8, 3))
        image += cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    elif kind < 0.29:
        image[:: int(rng.integers(2, 5))] += rng.uniform(-8, 8)
    return image.astype(np.float32), colour


def _paste(image: Picture, alpha: Alpha, top: int, left: int, ink: Picture) -> None:
    """Blend ink into an image; what is outside is cut off."""
    high, wide = image.shape[:2]
    first, last = max(top, 0), min(top + alpha.shape[0], high)
    begin, end = max(left, 0), min(left + alpha.shape[1], wide)
    if first >= last or begin >= end:
        return
    part = alpha[first - top : last - top, begin - left : end - left].astype(np.float32) / 255
    if part.ndim == 2:
        part = part[..., None]
    paper = image[first:last, begin:end]
    full = ink if ink.ndim == 1 else ink[None, begin - left : end - left]
    paper += (full - paper) * part


def _icon(rng: Random, image: Picture, top: int, left: int, side: int) -> None:
    """Draw a symbol, sometimes on a disc or a square, as beside a label."""
    painter = NO_DIGITS[int(rng.integers(len(NO_DIGITS)))]
    colour = rng.integers(0, 256, 3).astype(np.float32)
    if rng.random() < 0.4:
        disc = np.zeros((side, side), np.uint8)
        if rng.random() < 0.7:
            cv2.circle(disc, (side // 2, side // 2), side // 2 - 1, 255, -1, cv2.LINE_AA)
        else:
            disc[:] = 255
        _paste(image, disc, top, left, rng.integers(0, 256, 3).astype(np.float32))
        inner = painter(rng, max(5, round(0.7 * side)))
        if inner.size:
            move = [(side - extent) // 2 for extent in inner.shape]
            _paste(image, inner, top + move[0], left + move[1], colour)
        return
    shape = painter(rng, max(6, side))
    if shape.size:
        _paste(image, shape, top + (side - shape.shape[0]) // 2, left, colour)


def _frame(
    rng: Random,
    image: Picture,
    room: tuple[int, int, int, int],
    colour: Picture,
) -> None:
    """Draw parts of a frame in the free margin: (top, bottom, left, right) are its sizes."""
    high, wide = image.shape[:2]
    thick = int(rng.choice([1, 1, 1, 2, 3]))
    colours = np.clip(colour + rng.choice([-1, 1], (4, 1)) * rng.uniform(10, 200, (4, 1)), 0, 255)
    if rng.random() < 0.4:
        colours[:] = colours[0]
    sides = rng.random(4) < rng.choice([0.3, 0.6, 1.0])
    at = [int(rng.integers(0, max(1, free - thick))) for free in room]
    outside = _ground(rng, 1, 1)[1]
    top, bottom, left, right = (
        place if free > thick + 1 and drawn else None
        for place, free, drawn in zip(at, room, sides, strict=True)
    )
    if top is not None:
        image[:top] = outside
        image[top : top + thick] = colours[0]
    if bottom is not None:
        image[high - bottom :] = outside
        image[high - bottom - thick : high - bottom] = colours[1]
    if left is not None:
        image[:, :left] = outside
        image[:, left : left + thick] = colours[2]
    if right is not None:
        image[:, wide - right :] = outside
        image[:, wide - right - thick : wide - right] = colours[3]


def composed(rng: Random, alpha: Alpha, edge: int, size: int, other: Alpha | None) -> Crop:
    """Return a crop (h, w, 3) with the line on it, and whatever may be beside it."""
    high, wide = alpha.shape[:2]
    least = max(high, round(0.5 * size))
    spread = rng.beta(1.0, 2.2, 4) * 0.6
    if rng.random() < 0.3:
        spread[:] = spread[0]
    above, below = (round(share * least) + (least - high) // 2 for share in spread[:2])
    before, after = (round(share * least * 1.5) for share in spread[2:])
    if rng.random() < 0.03:
        above, below = -round(0.06 * high), -round(0.06 * high)
    icons = rng.random(2) < 0.07
    side = round(least * rng.uniform(0.7, 1.3))
    gap = round(least * rng.uniform(0.25, 1.0))
    before += (side + gap) * int(icons[0])
    after += (side + gap) * int(icons[1])
    height, width = high + above + below, wide + before + after
    image, colour = _ground(rng, height, width)
    if rng.random() < 0.25:
        _frame(rng, image, (above, below, before, after), colour)
    if other is not None and min(above, below) >= 1:
        # The next line of a paragraph reaches into the crop.
        grown = rng.random() < 0.5
        top = above - other.shape[0] - 1 if grown else height - below + 1 + round(0.1 * high)
        if (above if grown else below) > 0.3 * high:
            _paste(image, other, top, before, _contrasting(rng, colour))
    if icons[0]:
        _icon(rng, image, (height - side) // 2, before - side - gap, side)
    if icons[1]:
        _icon(rng, image, (height - side) // 2, before + wide + gap, side)
    ink = _contrasting(rng, colour)
    kind = rng.random()
    if kind < 0.05:
        shadow = max(1, round(size / 16))
        dim = (alpha * 0.6).astype(np.uint8)
        _paste(image, dim, above + shadow, before + shadow, _contrasting(rng, colour))
    elif kind < 0.08 and alpha.ndim == 2:
        wider = cv2.dilate(alpha, np.ones((3, 3), np.uint8))
        _paste(image, wider, above, before, _contrasting(rng, ink))
    if rng.random() < 0.1 and edge > 0:
        inks = np.tile(ink, (wide, 1))
        inks[edge:] = _contrasting(rng, colour)
        _paste(image, alpha, above, before, inks)
    else:
        _paste(image, alpha, above, before, ink)
    return _spoilt(rng, image, high)


def _spoilt(rng: Random, image: Picture, high: int) -> Crop:
    """Scale, blur, compress and disturb an image a little."""
    if rng.random() < 0.3:
        scale = max(rng.choice([0.67, 0.8, 1.25, 1.5, 2.0]), 8 / high)
        how = rng.choice([cv2.INTER_LINEAR, cv2.INTER_AREA, cv2.INTER_CUBIC, cv2.INTER_NEAREST])
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=int(how))
        high = round(high * scale)
    if rng.random() < 0.15:
        image = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.2, 0.05 * high + 0.25)))
    if rng.random() < 0.08:
        image = image + rng.normal(0, rng.uniform(1, 8), image.shape).astype(np.float32)
    pixels = np.clip(np.rint(image), 0, 255).astype(np.uint8)
    if rng.random() < 0.12:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 96))]
        pixels = cv2.imdecode(cv2.imencode(".jpg", pixels, quality)[1], cv2.IMREAD_COLOR)
    return pixels


def empty(rng: Random) -> Crop:
    """Return a crop without text: icons, frames, a gradient, tiles."""
    high = int(np.exp(rng.uniform(np.log(9), np.log(50))))
    wide = round(high * np.exp(rng.uniform(np.log(0.6), np.log(5))))
    image, colour = _ground(rng, high, wide)
    kind = rng.random()
    if kind < 0.5:
        left = int(rng.integers(0, 1 + high // 2))
        while left < wide - 0.6 * high:
            side = round(high * rng.uniform(0.5, 1.0))
            _icon(rng, image, (high - side) // 2, left, side)
            left += side + int(rng.integers(0, 1 + high))
            if rng.random() < 0.5:
                break
    elif kind < 0.65:
        pitch = max(5, round(high * rng.uniform(0.5, 1.5)))
        line = _contrasting(rng, colour)
        image[::pitch, :] = line
        image[:, int(rng.integers(pitch)) :: pitch] = line
    elif kind < 0.75:
        for _ in range(int(rng.integers(1, 6))):
            first = [int(v) for v in rng.integers(0, (wide, high))]
            last = [int(v) for v in rng.integers(0, (wide, high))]
            shade = [float(v) for v in rng.integers(0, 256, 3)]
            if rng.random() < 0.5:
                cv2.line(image, first, last, shade, int(rng.integers(1, 4)), cv2.LINE_AA)
            else:
                cv2.rectangle(image, first, last, shade, -1)
    if rng.random() < 0.4:
        _frame(rng, image, (high // 3, high // 3, high // 3, high // 3), colour)
    return _spoilt(rng, image, high)


def a_line(
    rng: Random, fonts: Fonts, words: list[str], design: str | None = None
) -> tuple[Crop, str]:
    """Return a random crop, and the text on it."""
    if design is None and rng.random() < 0.06:
        return empty(rng), ""
    size = round(float(np.exp(rng.uniform(np.log(9), np.log(40)))))
    while True:
        if design is None and rng.random() < 0.07:
            text = f"{rng.integers(0, 1000):03d}"
            if rng.random() < 0.5:
                more = (f"{text[1:]}:{text[:2]}", f"-{text[1:]}", text + text[:1], text[1:])
                text = str(rng.choice(more))
            alpha = segments(rng, text, max(8, size))
            return composed(rng, alpha, 0, size, None), text
        chosen = design or str(rng.choice(fonts.training, p=fonts.weights))
        text = some_text(rng, words)
        if chosen in CAPITALS:
            text = text.upper()
        if not text:
            continue
        font = fonts.font(rng, chosen, size)
        alpha, edge = written(rng, font, text)
        if alpha.size == 0:
            continue
        other = None
        if rng.random() < 0.06:
            other = written(rng, font, some_text(rng, words) or "x")[0]
            other = other if other.size else None
        return composed(rng, alpha, edge, size, other), text


def batches(folder: Path, seed: int) -> Iterator[tuple[Picture, list[str]]]:
    """Return batches of normalised lines (n, HEIGHT, width) of about the same width."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    fonts, words = Fonts(folder), words_in(folder)
    while True:
        pool = []
        for _ in range(1000):
            crop, text = a_line(rng, fonts, words)
            line = normalised(crop)
            if line.shape[1] <= 640 and line.shape[1] >= 5 * len(text):
                pool.append((line, text))
        pool.sort(key=lambda one: one[0].shape[1])
        groups, group = [], []
        for one in pool:
            if group and (len(group) + 1) * one[0].shape[1] > BATCH:
                groups.append(group)
                group = []
            group.append(one)
        for index in rng.permutation(len(groups)):
            yield stacked([line for line, _ in groups[index]]), [text for _, text in groups[index]]


def stacked(lines: list[Picture]) -> Picture:
    """Return lines of different widths in one array, padded as the reader pads them."""
    width = reader.padded_width(max(line.shape[1] for line in lines))
    return np.stack([np.pad(line, ((0, 0), (0, width - line.shape[1]))) for line in lines])


def _produce(folder: Path, seed: int, found: Any) -> None:
    for batch in batches(folder, seed):
        found.put(batch)


LAYERS: Final = (
    # (kernel, stride, channels before, channels)
    ((5, 5), (2, 2), 1, 20),
    ((3, 3), (1, 1), 20, 40),
    ((3, 3), (2, 1), 40, 64),
    ((3, 3), (2, 1), 64, 96),
    ((4, 3), (4, 1), 96, 128),
    ((1, 5), (1, 1), 128, 96),
    ((1, 7), (1, 1), 96, 96),
)


def network() -> Any:
    """Return the untrained network."""
    import torch  # noqa: PLC0415

    parts: list[Any] = []
    for kernel, stride, before, channels in LAYERS:
        pad = (kernel[0] // 2 if kernel[0] % 2 else 0, kernel[1] // 2)
        parts += [
            torch.nn.Conv2d(before, channels, kernel, stride, pad, bias=False),
            torch.nn.BatchNorm2d(channels),
            torch.nn.ReLU(inplace=True),
        ]
    parts += [torch.nn.Dropout(0.1), torch.nn.Conv2d(LAYERS[-1][3], len(ALPHABET) + 1, 1)]
    return torch.nn.Sequential(*parts)


def train(folder: Path, minutes: float) -> Any:
    """Train by AdamW with a rate that decreases to zero."""
    import torch  # noqa: PLC0415

    torch.set_num_threads(1)
    torch.manual_seed(7)
    net = network()
    context = multiprocessing.get_context("spawn")
    found = context.Queue(24)
    seed = int(time.time())
    makers = [
        context.Process(target=_produce, args=(folder, seed + number, found), daemon=True)
        for number in range(MAKERS)
    ]
    for maker in makers:
        maker.start()
    index = {letter: at + 1 for at, letter in enumerate(ALPHABET)}
    loss_of = torch.nn.CTCLoss(zero_infinity=True, reduction="sum")
    optimizer = torch.optim.AdamW(net.parameters(), RATE, weight_decay=0.01)
    rng, past = np.random.default_rng(seed), [found.get()]
    began, step, lines, losses, fresh = time.perf_counter(), 0, 0, [], 0
    net.train()
    net = net.to(memory_format=torch.channels_last)
    while (passed := (time.perf_counter() - began) / (60 * minutes)) < 1:
        images, texts = _next_batch(found, past, rng)
        fresh += images is past[-1][0]
        warm = min(1.0, (step + 1) / 200)
        rate = RATE * warm * 0.5 * (1 + np.cos(np.pi * passed))
        for group in optimizer.param_groups:
            group["lr"] = rate
        inputs = torch.from_numpy(images)[:, None].contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            scores = net(inputs)
        logs = scores.float()[:, :, 0].permute(2, 0, 1).log_softmax(2)
        targets = torch.tensor(
            [index[letter] for text in texts for letter in text], dtype=torch.long
        )
        sizes = torch.tensor([len(text) for text in texts])
        loss = loss_of(logs, targets, torch.full((len(texts),), logs.shape[0]), sizes) / max(
            1, int(sizes.sum())
        )
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimizer.step()
        step, lines = step + 1, lines + len(texts)
        losses.append(float(loss.detach()))
        if step % 200 == 0:
            say(
                f"step {step}, {lines} lines, {100 * passed:.0f} %, "
                f"loss {np.mean(losses[-200:]):.3f}, {100 * fresh / step:.0f} % of batches new"
            )
    for maker in makers:
        maker.terminate()
    say(f"{lines} lines in {step} steps, {(time.perf_counter() - began) / 60:.1f} min")
    return net


def _next_batch(
    found: Any, past: list[tuple[Picture, list[str]]], rng: Random
) -> tuple[Picture, list[str]]:
    """Return a new batch, or a past one with its contrast and noise changed."""
    try:
        past.append(found.get_nowait())
    except queue.Empty:
        images, texts = past[int(rng.integers(len(past)))]
        gain = rng.uniform(0.8, 1.15, (len(images), 1, 1)).astype(np.float32)
        noise = rng.standard_normal(images.shape, np.float32) * np.float32(rng.uniform(0, 0.06))
        return images * gain + noise, texts
    if len(past) > _PAST:
        del past[0]
    return past[-1]


def save(net: Any, heat: float, path: Path) -> None:
    """Write a network as ONNX in half precision, with the scores divided by the temperature."""
    import onnx  # noqa: PLC0415
    import torch  # noqa: PLC0415
    from onnx import TensorProto, helper, numpy_helper  # noqa: PLC0415

    nodes, weights = [], []
    net = net.eval()
    name, parts, number = "line", list(net), 0

    def constant(values: Picture, title: str) -> str:
        weights.append(numpy_helper.from_array(values.astype(np.float16), title + "h"))
        nodes.append(helper.make_node("Cast", [title + "h"], [title], to=TensorProto.FLOAT))
        return title

    for at, part in enumerate(parts):
        if isinstance(part, torch.nn.Conv2d):
            number += 1
            values = part.weight.detach().float().numpy()
            if part.bias is None:
                norm = parts[at + 1]
                scale = (norm.weight / torch.sqrt(norm.running_var + norm.eps)).detach().numpy()
                values = values * scale[:, None, None, None]
                bias = norm.bias.detach().numpy() - norm.running_mean.numpy() * scale
            else:
                values, bias = values / heat, part.bias.detach().numpy() / heat
            inputs = [name, constant(values, f"w{number}"), constant(bias, f"b{number}")]
            name = f"c{number}"
            rows, cols = part.padding
            nodes.append(
                helper.make_node(
                    "Conv",
                    inputs,
                    [name],
                    kernel_shape=list(part.kernel_size),
                    strides=list(part.stride),
                    pads=[rows, cols, rows, cols],
                )
            )
        elif isinstance(part, torch.nn.ReLU):
            nodes.append(helper.make_node("Relu", [name], [f"r{number}"]))
            name = f"r{number}"
    nodes[-1].output[0] = "scores"
    graph = helper.make_graph(
        nodes,
        "text",
        [helper.make_tensor_value_info("line", TensorProto.FLOAT, ["n", 1, HEIGHT, "width"])],
        [
            helper.make_tensor_value_info(
                "scores", TensorProto.FLOAT, ["n", len(ALPHABET) + 1, 1, "columns"]
            )
        ],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())


def drawn(
    folder: Path, designs: tuple[str, ...], count: int, seed: int
) -> list[tuple[Crop, str, str]]:
    """Return (crop, text, design) of lines in some designs."""
    rng = np.random.default_rng(seed)
    fonts, words = Fonts(folder), words_in(folder)
    return [
        (*a_line(rng, fonts, words, design), design)
        for design in designs
        if design in fonts.designs
        for _ in range(count)
    ]


def temperature(sample: list[tuple[Crop, str, str]]) -> float:
    """Return the divisor of the scores that calibrates the confidence (Guo et al. 2017)."""
    scores = [(reader.scores_of(normalised(crop)), text) for crop, text, _ in sample]

    def loss(heat: float) -> float:
        total = 0.0
        for one, text in scores:
            read, confidence, _ = reader.decoded(one / heat)
            kept = np.clip(confidence if read == text else 1 - confidence, 1e-6, 1)
            total -= float(np.log(kept))
        return total

    return float(min(np.arange(0.7, 2.6, 0.1), key=loss))


def judge(title: str, sample: list[tuple[Crop, str, str]]) -> None:
    """Print how many lines are read, right and wrong, at several thresholds."""
    began = time.perf_counter()
    found = [(*reader.read_line(crop)[:2], text, design) for crop, text, design in sample]
    spent = (time.perf_counter() - began) / max(1, len(found))
    right = np.array([read == text for read, _, text, _ in found])
    confidence = np.array([sure for _, sure, _, _ in found])
    say(
        f"{title}: {len(found)} lines, {100 * right.mean():.1f} % right, {1000 * spent:.2f} ms each"
    )
    for threshold in (0.5, 0.7, 0.8, 0.9, 0.95, 0.98):
        kept = confidence >= threshold
        say(
            f"  at {threshold}: {100 * kept.mean():.1f} % read, of these"
            f" {100 * right[kept].mean():.2f} % right; {100 * (kept & ~right).mean():.2f} % wrong"
        )
    designs = sorted({design for *_, design in found})
    rates = {one: right[[design == one for *_, design in found]].mean() for one in designs}
    say("  " + ", ".join(f"{one} {100 * rate:.0f}" for one, rate in rates.items()))


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.train_text")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--check", action="store_true", help="only judge the network there is")
    parser.add_argument("--minutes", type=float, default=36)
    asked = parser.parse_args()
    path = Path(reader.__file__).with_name("text.onnx")
    if not asked.check:
        net = train(asked.folder, asked.minutes)
        save(net, 1.0, path)
        reader.network.cache_clear()
        heat = temperature(drawn(asked.folder, CALIBRATING, 60, 102))
        save(net, heat, path)
        reader.network.cache_clear()
        say(f"temperature {heat:.1f}, {path.stat().st_size / 1000:.0f} kB")
    judge("Calibration", drawn(asked.folder, CALIBRATING, 60, 103))
    judge("Judging", drawn(asked.folder, JUDGING, 60, 104))


if __name__ == "__main__":
    main()
