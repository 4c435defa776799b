"""A game of the family: its rules, the effects of clicks and keys, and the layout.

It is independent of the toolkit: a `Shell` paints its shapes and passes the events on. Each report
is a line of JSON on the standard output with an "event" and its "time" (`time.monotonic`):

    ready   "board": [left, top] of the first cell; "cell": its size, in pixels of the screen;
            "button": [x, y] where to click for the next game.
            With "page": [width, height] they count from the upper left corner of a web page
    begin   a game begins: "rows", "cols", "mines", "how": start, button, key, click, again
    board   what is shown from now on: "rows", in the text form of a board
    click   a button was released: "button", "at": [x, y], "pointer": where the pointer was when
            that was handled, "cell": [row, col] there or null, "did": open, flag, unflag, chord,
            button, early (it needs a pause), nothing
    key     a key went down: "key"
    end     the game has ended: "won"
    dialog  the dialog at the end is shown or was closed: "shown". Of a web page again when it is
            painted, with its "button": [x, y]
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple, Protocol

from tests.support.family import art
from tests.support.family.options import Options
from tests.support.rules import Cell, Game, report

_PRESS_MS = 30
"""Least duration of a press in ms."""
_STEP_MS = 25
"""Milliseconds until the board is painted."""
_DIM = "#99101418"
"""A translucent colour, as Qt reads it."""
_MARGIN, _ROW, _FRAME, _FACE, _BUTTON = 12, 36, 3, 30, (92, 28)


class Shell(Protocol):
    """A window of a toolkit."""

    def repaint(self) -> None:
        """Paint `Play.shapes` again."""

    def after(self, milliseconds: int, call: Callable[[], None]) -> None:
        """Call something later."""

    def show_dialog(self, text: str, button: str, closed: Callable[[], None]) -> None:
        """Show a modal dialog that Return and its button close."""

    def open_another(self) -> None:
        """Open another window with a new game; for `Options.windows`."""

    def pointer(self) -> tuple[float, float]:
        """Return the pointer's position in the window; for `Options.delay`."""


class Box(NamedTuple):
    """A rectangle in the window."""

    left: float
    top: float
    width: float
    height: float

    def holds(self, x: float, y: float) -> bool:
        """Return whether a point is inside."""
        return 0 <= x - self.left < self.width and 0 <= y - self.top < self.height


class Play:
    """A program without its window.

    Args:
        options: The options of the program.
        shell: The window; not used before `begin`.
        seed: The seed of the mines.
    """

    def __init__(self, options: Options, shell: Shell, seed: int | None = None) -> None:
        self.options = options
        self._art = art.ARTS[options.art]
        self._shell = shell
        self._generator = random.Random(seed)
        self._down: dict[str, tuple[float, Cell | None]] = {}
        """Time and cell of the press, by button."""
        self._chorded = False
        self._seconds, self._ticking = 0, False
        self._told: object = None
        self._place()

    def begin(self, how: str = "start") -> None:
        """Begin a game."""
        rows, cols, mines = self.options.size
        zero = self.options.first == "zero"
        self._game = Game(
            *(rows, cols, mines, zero, self._generator, self.options.flood),
            flags_to_win=self.options.by_flags,
        )
        self._seconds = 0
        report("begin", rows=rows, cols=cols, mines=mines, how=how)
        self._show()

    # Layout

    def _place(self) -> None:
        options = self.options
        rows, cols, _ = options.size
        head: dict[str, list[str]] = {"left": [], "centre": [], "right": []}
        foot = []
        if options.button in head:
            head[options.button].append("face")
        elif options.button in ("text", "two"):
            head["right"] += ["new", "scores"][: 1 + (options.button == "two")]
        elif options.button == "below":
            foot.append("new")
        head["left"].append("counter")
        head["right"] += ["clock"] * options.clock
        shown = (*head["left"], *head["centre"], *head["right"])
        least = sum(self._size(name)[0] + _MARGIN for name in shown)
        side = options.cell
        board = cols * side, rows * side
        self.width = round(max(board[0], least, 170) + 2 * _MARGIN)
        top = _MARGIN + (_ROW + 6 if shown else 0)
        self.board = Box((self.width - board[0]) // 2, top, *board)
        self._boxes: dict[str, Box] = {}
        for names, begin, step in (
            (head["left"], _MARGIN, 1),
            (head["right"], self.width - _MARGIN, -1),
            (head["centre"], self.width / 2, 0),
            (foot, _MARGIN, 1),
        ):
            x = begin
            for name in names:
                wide, high = self._size(name)
                left = x - {1: 0, 0: wide / 2, -1: wide}[step]
                row = top + board[1] + 8 if name in foot else _MARGIN
                self._boxes[name] = Box(round(left), row + (_ROW - high) // 2, wide, high)
                x += step * (wide + _MARGIN)
        self.height = top + board[1] + _MARGIN + (_ROW + 4 if foot else 0)
        self._text_row = self.height + 6
        self.height += 28 if options.end == "text" else 0

    def _size(self, name: str) -> tuple[int, int]:
        if name == "face":
            return _FACE, _FACE
        if name in ("new", "scores"):
            return _BUTTON
        if self.options.counter == "led":
            return art.LED_SIZE
        return 84, 22

    def report_ready(self, x: float, y: float, **more: object) -> None:
        """Report the positions of the board and the button.

        Args:
            x: Left edge of the window's contents on the screen, before scaling.
            y: Upper edge, likewise.
            more: Additional data of the shell.
        """
        options = self.options
        box = next((self._boxes[name] for name in ("face", "new") if name in self._boxes), None)
        middle = box and [
            round((x + box.left + box.width / 2) * options.scale),
            round((y + box.top + box.height / 2) * options.scale),
        ]
        place = {
            "board": [(x + self.board.left) * options.scale, (y + self.board.top) * options.scale],
            "cell": options.cell * options.scale,
            "button": middle,
        } | more
        if place != self._told:
            self._told = place
            report("ready", **place)

    # Events

    def press(self, button: str, x: float, y: float, at: float) -> None:
        """Handle a button that went down.

        Args:
            button: 'left', 'middle' or 'right'.
            x: Distance from the left of the window's contents.
            y: Distance from the top.
            at: Time in milliseconds of any clock.
        """
        self._chorded &= bool(self._down)
        self._down[button] = at, self._cell(x, y)

    def release(self, button: str, x: float, y: float, at: float) -> None:
        """Handle a button that was released; see `press`."""
        pressed, start = self._down.pop(button, (-1e9, None))
        held = at - pressed
        if self.options.delay:
            self._shell.after(self.options.delay, lambda: self._click(button, (x, y), held))
        else:
            self._click(button, (x, y), held, start)

    def _click(
        self, button: str, at: tuple[float, float], held: float, start: Cell | None = None
    ) -> None:
        """Handle a click at `at`, or at the pointer if it is handled late."""
        x, y = place = self._shell.pointer() if self.options.delay else at
        cell = self._cell(x, y)
        start = cell if self.options.delay else start
        over = self._game.over
        if over and cell and (self.options.by_flags or self.options.end == "dimmed"):
            self.begin("click")
        if self.options.pause == "press" and held < _PRESS_MS:
            did = "early"
        elif button == "left" and self._boxes_hold(x, y):
            did = "button"
        elif cell is None or cell != start:
            did = "nothing"
        else:
            did = self._act(button, cell)
        report("click", button=button, at=at, pointer=place, cell=cell, did=did)
        if did == "button" and self.options.windows:
            self._shell.open_another()
        elif did == "button":
            self.begin(did)
        elif did not in {"nothing", "early"}:
            self._show()
        if self._game.over and not over:
            report("end", won=self._game.won)
            self._end()

    def key(self, name: str) -> None:
        """Handle a key; `name` is the toolkit's name of it."""
        report("key", key=name)
        if name == self.options.key:
            self.begin("key")

    def _act(self, button: str, cell: Cell) -> str:
        game = self._game
        if (
            self.options.chord == "both"
            and self._down.keys() & {"left", "right"}
            and button != "middle"
        ):
            self._chorded = True
            return game.chord(cell)
        if self._chorded:
            # The other one of the two buttons.
            self._chorded = False
            return "nothing"
        if button == "right":
            return game.flag(cell)
        if cell in game.opened and self.options.chord == "click" and button == "left":
            return game.chord(cell)
        return game.open(cell) if button == "left" and cell not in game.opened else "nothing"

    def _boxes_hold(self, x: float, y: float) -> bool:
        return any(box.holds(x, y) for name, box in self._boxes.items() if name in {"face", "new"})

    def _cell(self, x: float, y: float) -> Cell | None:
        if not self.board.holds(x, y):
            return None
        side = self.options.cell
        return int((y - self.board.top) // side), int((x - self.board.left) // side)

    def _end(self) -> None:
        if self.options.end == "again":
            self.begin("again")
        if self.options.end not in ("dialog", "endless", "messagebox", "withdrawn", "levels"):
            return

        def closed() -> None:
            report("dialog", shown=False)
            if self.options.end == "endless":
                show()
            elif self.options.by_flags or self.options.end in ("withdrawn", "levels"):
                self.begin("dialog")

        # The board is painted first.
        def show() -> None:
            report("dialog", shown=True)
            self._shell.show_dialog(self._verdict, self.options.closes, closed)

        self._shell.after(_STEP_MS, show)

    @property
    def won(self) -> bool:
        """Whether the game was won."""
        return self._game.won

    @property
    def _verdict(self) -> str:
        return "You have won!" if self.won else "You hit a mine."

    # Display

    def _show(self) -> None:
        game = self._game
        signs = {cell: game.sign(cell, self.options.marks) for cell in game.cells}
        cols = self.options.size[1]
        text = "".join(signs.values())
        report("board", rows=[text[at : at + cols] for at in range(0, len(text), cols)])
        self._shell.repaint()
        if game.opened and not self._ticking:
            self._ticking = True
            self._shell.after(1000, self._tick)

    def _tick(self) -> None:
        self._ticking = bool(self._game.opened) and not self._game.over
        if self._ticking:
            self._seconds += 1
            self._shell.repaint()
            self._shell.after(1000, self._tick)

    @property
    def ground(self) -> str:
        """The background colour."""
        return "#23272e" if self.options.dark else "#dcdee0"

    def shapes(self) -> list[art.Shape]:
        """Return all shapes in the window."""
        options, game = self.options, self._game
        shapes = self._head()
        board = self.board
        if self._art.shape == "bevel":
            low, high = board.left - _FRAME, board.top - _FRAME
            far, deep = board.left + board.width + _FRAME, board.top + board.height + _FRAME
            shapes += [
                ["poly", self._art.dark, low, high, far, high, low, deep],
                ["poly", self._art.light, far, deep, far, high, low, deep],
            ]
        tiles: dict[str, list[art.Shape]] = {}
        for cell in game.cells:
            sign = game.sign(cell, options.marks)
            if sign not in tiles:
                tiles[sign] = art.tile(self._art, sign, options.cell)
            left, top = board.left + cell[1] * options.cell, board.top + cell[0] * options.cell
            shapes += art.moved(tiles[sign], left, top)
        if options.end == "dimmed" and game.over:
            left, top, wide, high = board.left, board.top, board.width, board.height
            corners = left, top, left + wide, top, left + wide, top + high, left, top + high
            text = "You win!" if game.won else "BOOM!"
            shapes.append(["poly", _DIM, *corners])
            middle = left + wide / 2, top + high / 2
            shapes.append(["text", "#ffffff", wide / 7, art.SANS, True, *middle, text])
        return shapes

    def _head(self) -> list[art.Shape]:
        options, game = self.options, self._game
        ink = "#e8e8e8" if options.dark else "#202428"
        left = game.count - len(game.flags)
        values = {"counter": left, "clock": min(999, self._seconds)}
        lit = "#ff3828" if not options.dark else "#38e8c0"
        shapes = []
        for name, box in self._boxes.items():
            if name == "face":
                over = "won" if game.won else "lost" if game.hit else "playing"
                drawn = art.face(box.width, over)
            elif name in ("new", "scores"):
                text = options.text if name == "new" else "Scores"
                drawn = art.text_button(box.width, box.height, text, dark=options.dark)
            elif options.counter == "led":
                drawn = art.led(values[name], lit)
            else:
                text = f"{options.label}: {left}" if name == "counter" else f"{values[name]} s"
                drawn = [["text", ink, 15, art.SANS, False, box.width / 2, box.height / 2, text]]
            shapes += art.moved(drawn, box.left, box.top)
        if options.end == "text" and game.over:
            middle = self.width / 2, self._text_row + 6
            shapes.append(["text", ink, 16, art.SANS, True, *middle, self._verdict])
        return shapes
