"""Learn a skin from screenshots or from a window; ask about ambiguous tiles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from rich.prompt import Confirm
from rich.text import Text

from bot.board import STATE_WORDS
from bot.frame import Frame
from gui import questions
from gui.console import Console
from vision.capture import load_image
from vision.files import data_folder, write_whole
from vision.learning.button import numbered
from vision.learning.questions import Question
from vision.sessions.writer import encode_png
from vision.skins import STATES, Skin, SkinLibrary, forget_skin
from vision.skins.own_skins import check_own_name
from vision.skins.skin import check_key

if TYPE_CHECKING:
    from vision.learning.skin_learner import LearnedSkin


_WORDS: Final = ", ".join(name for name in STATES if not name.isdigit())
_LEFT_OPEN: Final = 1
"""The exit code if a tile cluster was left open."""
_SIDE: Final = 160
"""Approximate width of a saved picture in pixels, for display in a viewer."""
_PICTURE_COLUMNS: Final = 40
"""Largest width of a picture in characters."""
_HALF: Final = "\N{UPPER HALF BLOCK}"
_COLOURS: Final = ("256", "truecolor")
"""Rich's names for terminals with enough colours to show a picture."""


def run_learn(
    images: list[Path], window: str | None, name: str | None, mines: int | None, console: Console
) -> int:
    """Learn a skin, ask about unknown tiles, print the result; return the exit code.

    Args:
        images: Screenshots of one program, in the order in which they were taken.
        window: Instead of them, a part of a window's title, class or skin, captured once.
        name: Of the skin; by default that of the learned skin that is continued, else made from the
            window's title or the first file's name.
        mines: On the board, if its size does not determine it.
        console: Receives the output.

    Raises:
        DisplayError: A window was named but no window can be captured.
        ImageError: A file is no readable picture.
        BoardNotFound: There is no board to learn from.
        SkinError: The name is not allowed, or the skin cannot be written; or another one has the
            name and is kept.
    """
    if name is not None:
        check_own_name(name)
    asked, may = Asked(console), partial(may_replace, console)
    if window is not None:
        from gui.runner.backend import Desktop  # noqa: PLC0415 - opens the display
        from vision.desktop import require_real_desktop  # noqa: PLC0415

        require_real_desktop(Console(stderr=True).print)
        usable_skins()
        learned = Desktop().learn(window, name, mines, asked, may)
    else:
        frames = _frames(images)
        from vision.learning.skin_learner import learn_skin  # noqa: PLC0415 - loads the reader

        learned = learn_skin(
            frames, usable_skins(), name, mines, asked, may_replace=may, title=images[0].stem
        )
    print_learned(console, learned, asked)
    return _LEFT_OPEN if asked.open else 0


def run_forget(name: str, console: Console) -> int:
    """Delete a skin of the user's own and confirm it; return the exit code.

    Raises:
        SkinError: There is no such skin, or it cannot be deleted.
    """
    folder = forget_skin(name)
    console.print(f"Skin '{name}' deleted: {folder}",
                  soft_wrap=True)  # fmt: skip
    return 0


def usable_skins() -> tuple[Skin, ...]:
    """Return the usable skins; print on the error stream which were left out, and why."""
    shelf = SkinLibrary()
    skins = shelf.skins()
    errors = Console(stderr=True)
    for trouble in shelf.broken:
        errors.print(Text(f"a skin was skipped: {trouble}", "yellow"), soft_wrap=True)
    return skins


def may_replace(console: Console, name: str) -> bool:
    """Ask whether to replace a skin of the user's; without input it is kept."""
    question = f"a skin of your own is called '{name}' already: replace it?"
    try:
        return Confirm.ask(Text(question), console=console, default=False)
    except EOFError:
        console.print()
        return False


class Asked:
    """A dialogue about tile clusters in the terminal, with a list of those left open.

    Args:
        console: Receives the output. Answers are read from the standard input; after its end the
            remaining clusters stay open.
        leaving: What an empty answer does, as text.
        read: Waits for a line.
    """

    def __init__(
        self, console: Console, leaving: str = "leave it", read: Callable[[], str] = input
    ) -> None:
        self._console = console
        self._read = read
        self._prompt = f"0-8, {_WORDS} (empty: {leaving})"
        self._over = False
        self._number = 0
        self.open: dict[int, Question] = {}
        """By the number under which it was asked."""

    def __call__(self, question: Question, around: questions.Around | None = None, /) -> int | None:
        """Return the tile code that the user entered; None if it is left open, now or before."""
        for one in self.open.values():
            if one.cells == question.cells and np.array_equal(one.picture, question.picture):
                return None
        self._number += 1
        self._show(question, around)
        state = None if self._over else self._answer()
        if state is None:
            self.open[self._number] = question
        return state

    def _show(self, question: Question, around: questions.Around | None) -> None:
        say = self._console.print
        say(f"\nWhat is this? ({self._number})", style="bold")
        shown = {"its picture": (question.picture, f"tile-{self._number}.png")}
        if around is not None:
            name = f"around-{self._number}.png"
            shown["where it is, in the red frame"] = (around.framed(), name)
        for words, (picture, name) in shown.items():
            if shows_pictures(self._console):
                say(f"{words}:")
                say(terminal_picture(picture), soft_wrap=True)
            else:
                say(f"{words}: {_saved(picture, name)}", soft_wrap=True)
        texts = (questions.refused_text, questions.cells_text, questions.likely_text)
        for sentence in (words(question) for words in texts):
            if sentence:
                say(sentence, soft_wrap=True)

    def _answer(self) -> int | None:
        while True:
            try:
                text = _prompted(self._console, self._prompt, self._read)
            except EOFError:
                self._console.print()
                self._over = True
                return None
            if not text.strip():
                return None
            try:
                return state_named(text)
            except ValueError as error:
                self._console.print(Text(str(error), "red"), soft_wrap=True)


def ask_about_program(
    question: questions.ProgramQuestion, console: Console, read: Callable[[], str] = input
) -> questions.ProgramAnswer | None:
    """Ask a question about the program in a terminal.

    Returns:
        The answer; None if it is left open.
    """

    def say(text: str) -> None:
        console.print(Text(text), soft_wrap=True)

    say(f"\n{question.refused or question.why}")
    console.print(Text(question.title, "bold"), soft_wrap=True)
    say(f"the window: {_saved(numbered(question.picture, question.buttons), 'window.png')}")
    ways = []
    for number, box in enumerate(question.buttons, start=1):
        rows, cols = slice(box.top, box.bottom), slice(box.left, box.right)
        if shows_pictures(console):
            say(f"{number}:")
            console.print(terminal_picture(question.picture[rows, cols]), soft_wrap=True)
        ways.append(f"{number} (click on it)")
    suggested = f", for example 'key {question.key}'" if question.key else ""
    if question.keys:
        ways.append(f"key NAME (press that key{suggested})")
    if question.by_user:
        ways.append(f"me ({question.by_user})")
    if question.yes:
        ways.append(f"yes ({question.yes})")
    if question.marks:
        likely = question.board
        seen = (
            ""
            if likely is None
            else f"COLUMNSxROWS if the board is {questions.corners(likely)}, or "
        )
        ways.append(f"{seen}COLUMNSxROWS from LEFT,TOP to RIGHT,BOTTOM in pixels of the picture")
    if question.most:
        ways.append(f"a number from 1 to {question.most}")
    say(f"{', '.join(ways)}, or nothing ({question.leave})")
    while True:
        try:
            return answer_named(_prompted(console, "Your answer", read), question)
        except EOFError:
            console.print()
            return None
        except ValueError as error:
            console.print(Text(str(error), "red"), soft_wrap=True)


def _prompted(console: Console, prompt: str, read: Callable[[], str]) -> str:
    console.print(Text(f"{prompt}: "), end="", soft_wrap=True)
    return read()


def answer_named(text: str, question: questions.ProgramQuestion) -> questions.ProgramAnswer | None:
    """Return the answer that a line means for a question about the program.

    Raises:
        ValueError: It is invalid; the message lists the possible answers.
    """
    word, _, rest = text.strip().partition(" ")
    word = word.lower()
    if not word or (word in {"n", "no"} and question.yes and not rest):
        return None
    said: dict[str, questions.ProgramAnswer] = {}
    if question.yes:
        said |= {"y": questions.Yes(), "yes": questions.Yes()}
    if question.by_user:
        said["me"] = questions.ByUser()
    if word in said and not rest:
        return said[word]
    if word == "key" and question.keys:
        return questions.PressKey(check_key(rest))
    if question.marks:
        return questions.marked_area(text, question.board)
    number = int(word[:9]) if word.isdecimal() and not rest else 0
    if 1 <= number <= question.most:
        return questions.Number(number)
    if 1 <= number <= len(question.buttons):
        return questions.ClickAt(*question.buttons[number - 1].center)
    possible = {
        f"a number from 1 to {question.most or len(question.buttons)}": question.most
        or question.buttons,
        "key NAME": question.keys,
        "me": question.by_user,
        "yes, no": question.yes,
    }
    listed = ", ".join(words for words, is_answer in possible.items() if is_answer)
    raise ValueError(f"'{text.strip()[:32]}' is not an answer: enter {listed}, or nothing")


def state_named(text: str) -> int:
    """Return the tile code of a word, also of one that a question suggests.

    An unambiguous beginning is enough.

    Raises:
        ValueError: It is unknown or ambiguous; the message lists the possible words.
    """
    word = text.strip().lower()
    codes = {words: state for state, words in STATE_WORDS.items()} | STATES
    if word in codes:
        return codes[word]
    meant = [name for name in STATES if word and name.startswith(word)]
    if len(meant) == 1:
        return STATES[meant[0]]
    if meant:
        raise ValueError(f"'{word}' is ambiguous: {' or '.join(meant)}")
    raise ValueError(f"'{word}' is not a tile: enter 0 to 8, {_WORDS}, or nothing to skip it")


def print_learned(console: Console, learned: LearnedSkin, asked: Asked) -> None:
    """Print where the skin is, which states it has, which it lacks, and what was left open."""

    def say(text: str, style: str = "") -> None:
        console.print(text, style=style, soft_wrap=True)

    skin = learned.skin
    say(f"\nSkin '{skin.name}' saved to {learned.folder}", "bold")
    say(f"it has: {', '.join(_words(skin.pictures))}")
    if learned.missing:
        missing = _words(STATES[state] for state in learned.missing)
        say(f"not seen yet: {', '.join(missing)}; they are learned when a game shows them")
    for number, question in asked.open.items():
        say(f"left open: ({number}) {questions.cells_text(question)}", "yellow")
    if asked.open:
        say("run the same command again to answer, or play: you are asked there as well")
    say(f"to undo this: minesweeper-bot learn --forget {skin.name}")


def _words(codes: Iterable[int]) -> list[str]:
    """Return the names of the states, in their usual order."""
    wanted = set(codes)
    return [word for code, word in STATE_WORDS.items() if code in wanted]


def _frames(images: list[Path]) -> Iterator[Frame]:
    """Yield the screenshots; an unreadable file is reported before anything is asked."""
    for path in images:
        load_image(path)
    return map(load_image, images)


def _saved(picture: NDArray[np.uint8], name: str) -> Path:
    """Save a picture for a viewer, enlarged if it is small, and return its path."""
    folder = data_folder() / "questions"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    factor = max(1, round(_SIDE / picture.shape[1]))
    write_whole(path, encode_png(enlarged(picture, factor)))
    return path


def shows_pictures(console: Console) -> bool:
    """Return whether the terminal can show a picture."""
    return console.is_terminal and console.color_system in _COLOURS


def terminal_picture(image: NDArray[np.uint8]) -> Text:
    """Return a picture, (h, w, 3) uint8 BGR, enlarged by a whole factor if small, else shrunk."""
    height, width = image.shape[:2]
    if width > _PICTURE_COLUMNS:
        size = _PICTURE_COLUMNS, max(round(height * _PICTURE_COLUMNS / width), 1)
        shown = np.asarray(Image.fromarray(image).resize(size, Image.Resampling.BOX))
    else:
        shown = enlarged(image, _PICTURE_COLUMNS // width)
    text = Text(no_wrap=True)
    for row in range(0, len(shown), 2):
        above, below = shown[row], shown[row + 1] if row + 1 < len(shown) else None
        for col, ink in enumerate(above):
            ground = "" if below is None else f" on {_colour(below[col])}"
            text.append(_HALF, f"{_colour(ink)}{ground}")
        text.append("\n")
    text.right_crop()
    return text


def enlarged(image: NDArray[np.uint8], factor: int) -> NDArray[np.uint8]:
    """Return a picture enlarged by `factor`, which is at least 1."""
    factor = max(factor, 1)
    return image.repeat(factor, axis=0).repeat(factor, axis=1)


def _colour(pixel: NDArray[np.uint8]) -> str:
    blue, green, red = pixel.tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"
