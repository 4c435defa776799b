"""A Minesweeper made with Tk, for the tests: it reports everything that happens to it.

It acts when a mouse button is released, on the cell under the pointer *at that moment*
(`winfo_pointerxy`), like many small Tk programs: a click is lost if the pointer has moved on.

Each report is a line of JSON on the standard output with an "event" and its "time":

    ready   "board": [left, top] of the first cell and "button": [x, y], the middle of the one that
            begins a game, both on the screen; "cell": its size; sent again after a move
    begin   a game begins: "rows", "cols", "mines"
    mines   the first cell was opened and the mines are laid: "cells": [[row, col], ...]
    press   a mouse button went down: "button", "at": [x, y] on the screen
    click   it was released: "button", "at" of the release, "pointer" where the pointer was when
            that was handled, "cell": [row, col] that was under it or null, "did": open, flag,
            unflag, chord, nothing
    key     a key went down: "key" as Tk calls it, "control"
    end     the game has ended: "won"
    dialog  the dialog at the end of a game is shown or was closed: "shown"

Rows and columns count from 0. It needs no package beside Python and its tkinter; the root of the
repository is in PYTHONPATH.
"""

from __future__ import annotations

import argparse
import random
import tkinter as tk
from tkinter import messagebox

from tests.support.rules import Game, report

BUTTONS = {1: "left", 2: "middle", 3: "right"}
COLOURS = (
    "",
    "#1d4ed8",
    "#15803d",
    "#dc2626",
    "#6d28d9",
    "#9a3412",
    "#0e7490",
    "#111827",
    "#6b7280",
)
COVERED, LIGHT, DARK = "#8fb4d9", "#d3e3f4", "#4f779f"
OPENED, LINE, HIT = "#f4f1e8", "#c9c3b2", "#f87171"


class Window(tk.Tk):
    """The main window.

    Args:
        asked: The parsed command line.
    """

    def __init__(self, asked: argparse.Namespace) -> None:
        super().__init__(className="TkMines")
        self._asked = asked
        self._generator = random.Random(asked.seed)
        self._place: object = None
        self.title(asked.title)
        self.geometry(asked.position)
        self.resizable(width=False, height=False)
        if asked.menu:
            bar, menu = tk.Menu(self), tk.Menu(self, tearoff=False)
            menu.add_command(label="Scores")
            menu.add_command(label=asked.menu, accelerator="F2", command=self._begin)
            bar.add_cascade(label="Game", menu=menu)
            bar.add_cascade(label="Help", menu=tk.Menu(bar))
            self.configure(menu=bar)
        above = tk.Frame(self, padx=8, pady=8)
        above.pack(fill="x")
        self._counter = tk.Label(above, font=("DejaVu Sans", -16))
        self._counter.pack(side="left")
        below = tk.Frame(self, padx=8, pady=8)
        row = below if asked.button == "below" else above
        self._button = tk.Button(row, text=asked.text, command=self._begin, takefocus=False)
        if asked.button != "none":
            self._button.pack(side="right")
        if asked.button == "two":
            tk.Button(row, text="Scores", takefocus=False).pack(side="right")
        size = asked.cell_size
        self._canvas = tk.Canvas(
            self,
            width=asked.cols * size,
            height=asked.rows * size,
            highlightthickness=0,
            background=OPENED,
        )
        self._canvas.pack(padx=8, pady=(0, 8))
        if asked.button == "below":
            below.pack(fill="x")
        for number in BUTTONS:
            self._canvas.bind(f"<ButtonPress-{number}>", self._pressed)
            self._canvas.bind(f"<ButtonRelease-{number}>", self._released)
        self.bind_all("<KeyPress>", self._typed)
        self.bind("<Configure>", self._placed)
        self.bind("<Visibility>", self._placed)
        self._begin()

    def _placed(self, _event: object = None) -> None:
        canvas, button = self._canvas, self._button
        # Computes the layout of the window.
        self.update_idletasks()
        shown = button.winfo_viewable() or self._asked.button == "none"
        if not (canvas.winfo_viewable() and shown):
            return
        place = {
            "board": (canvas.winfo_rootx(), canvas.winfo_rooty()),
            "button": (
                button.winfo_rootx() + button.winfo_width() // 2,
                button.winfo_rooty() + button.winfo_height() // 2,
            ),
            "cell": self._asked.cell_size,
        }
        if place != self._place:
            self._place = place
            report("ready", **place)

    def _begin(self) -> None:
        asked = self._asked
        self._game = Game(
            asked.rows, asked.cols, asked.mines, True, self._generator, flags_to_win=asked.by_flags
        )
        report("begin", rows=asked.rows, cols=asked.cols, mines=asked.mines)
        self._paint()

    def _typed(self, event: tk.Event[tk.Misc]) -> None:
        report("key", key=event.keysym, control=bool(int(event.state) & 4))
        if event.keysym == self._asked.key:
            self._begin()

    def _pressed(self, event: tk.Event[tk.Misc]) -> None:
        report("press", button=BUTTONS[int(event.num)], at=(event.x_root, event.y_root))

    def _released(self, event: tk.Event[tk.Misc]) -> None:
        at, button = (event.x_root, event.y_root), BUTTONS[int(event.num)]
        if self._asked.release_delay:
            self.after(self._asked.release_delay, self._clicked, button, at)
        else:
            self._clicked(button, at)

    def _clicked(self, button: str, at: tuple[int, int]) -> None:
        pointer = self.winfo_pointerxy()
        cell = self._cell(*pointer)
        over = self._game.over
        if over and self._asked.by_flags:
            self._begin()
        did = self._act(button, cell) if cell else "nothing"
        report("click", button=button, at=at, pointer=pointer, cell=cell, did=did)
        self._paint()
        if self._game.over and not over:
            report("end", won=self._game.won)
            # The board is painted first.
            self.after_idle(self._end)

    def _act(self, button: str, cell: tuple[int, int]) -> str:
        game = self._game
        if button == "right":
            return game.flag(cell)
        chords = self._asked.chord
        if cell in game.opened and chords == ("middle" if button == "middle" else "click"):
            return game.chord(cell)
        return game.open(cell) if button == "left" else "nothing"

    def _cell(self, x: int, y: int) -> tuple[int, int] | None:
        size = self._asked.cell_size
        row = (y - self._canvas.winfo_rooty()) // size
        col = (x - self._canvas.winfo_rootx()) // size
        inside = 0 <= row < self._asked.rows and 0 <= col < self._asked.cols
        return (row, col) if inside else None

    def _end(self) -> None:
        text = "You have won." if self._game.won else "You have lost."
        if self._asked.dialog == "messagebox":
            report("dialog", shown=True)
            messagebox.showinfo("Game over", text, parent=self)
            report("dialog", shown=False)
        elif self._asked.dialog in ("toplevel", "endless"):
            self._show_toplevel(text)

    def _show_toplevel(self, text: str) -> None:
        dialog = tk.Toplevel(self, padx=24, pady=16)
        dialog.title("Game over")
        dialog.transient(self)
        tk.Label(dialog, text=text).pack(pady=(0, 12))

        def close(_event: object = None) -> None:
            dialog.destroy()
            report("dialog", shown=False)
            if self._asked.dialog == "endless":
                self._show_toplevel(text)

        button = tk.Button(dialog, text=self._asked.closes, command=close)
        button.pack()
        button.focus_set()
        dialog.bind("<Return>", close)
        dialog.bind("<Escape>", close)
        dialog.protocol("WM_DELETE_WINDOW", close)
        dialog.wait_visibility()
        dialog.grab_set()
        report("dialog", shown=True)

    def _paint(self) -> None:
        game = self._game
        self._counter.configure(text=f"{self._asked.label}: {game.count - len(game.flags)}")
        self._canvas.delete("all")
        for cell in game.cells:
            self._paint_cell(cell)

    def _paint_cell(self, cell: tuple[int, int]) -> None:
        game, size, draw = self._game, self._asked.cell_size, self._canvas
        left, top = cell[1] * size, cell[0] * size
        right, bottom = left + size, top + size
        shown = game.over and not game.won and cell in game.mines and cell not in game.flags
        if cell in game.opened or shown:
            fill = HIT if cell in game.hit else OPENED
            draw.create_rectangle(left, top, right - 1, bottom - 1, fill=fill, outline=LINE)
            if shown:
                self._paint_mine(left, top)
            elif game.hint(cell):
                draw.create_text(
                    left + size / 2,
                    top + size / 2,
                    text=str(game.hint(cell)),
                    fill=COLOURS[game.hint(cell)],
                    font=("DejaVu Sans", -round(size * 0.66), "bold"),
                )
            return
        edge = max(2, size // 10)
        draw.create_rectangle(left, top, right, bottom, fill=DARK, width=0)
        draw.create_polygon(left, top, right, top, left, bottom, fill=LIGHT)
        draw.create_rectangle(
            left + edge, top + edge, right - edge, bottom - edge, fill=COVERED, width=0
        )
        if cell in game.flags or game.won:
            self._paint_flag(left, top)
        if game.hit and cell in game.flags - game.mines:
            third = size // 3
            for start, end in ((top + third, bottom - third), (bottom - third, top + third)):
                draw.create_line(left + third, start, right - third, end, fill="black", width=3)

    def _paint_mine(self, left: int, top: int) -> None:
        size, draw = self._asked.cell_size, self._canvas
        middle_x, middle_y, out, radius = left + size / 2, top + size / 2, size * 0.36, size * 0.24
        for x, y in ((out, 0), (0, out), (out * 0.7, out * 0.7), (out * 0.7, -out * 0.7)):
            draw.create_line(middle_x - x, middle_y - y, middle_x + x, middle_y + y, width=2)
        draw.create_oval(
            middle_x - radius, middle_y - radius, middle_x + radius, middle_y + radius, fill="black"
        )

    def _paint_flag(self, left: int, top: int) -> None:
        size, draw = self._asked.cell_size, self._canvas
        pole, foot = left + size * 0.38, top + size * 0.82
        draw.create_line(pole, top + size * 0.2, pole, foot, width=max(2, size // 12))
        cloth = (
            pole,
            top + size * 0.2,
            left + size * 0.8,
            top + size * 0.35,
            pole,
            top + size * 0.52,
        )
        draw.create_polygon(*cloth, fill="#b91c1c")


def main() -> None:
    """Open the window."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=9)
    parser.add_argument("--cols", type=int, default=9)
    parser.add_argument("--mines", type=int, default=10)
    parser.add_argument("--seed", type=int, help="the same mines for the same clicks")
    parser.add_argument("--cell-size", type=int, default=24, help="pixels")
    dialogs = ["none", "messagebox", "toplevel", "endless"]
    parser.add_argument("--dialog", choices=dialogs, default="none")
    parser.add_argument("--closes", default="OK", help="the toplevel's button")
    parser.add_argument("--button", choices=["above", "below", "two", "none"], default="above")
    parser.add_argument("--menu", default="", help="an entry of a menu that begins a new game")
    parser.add_argument("--text", default="New game", help="of the button")
    parser.add_argument("--label", default="Mines", help="of the mine counter")
    parser.add_argument("--key", default="", help="begins a new game, as Tk calls it")
    parser.add_argument("--chord", choices=["none", "click", "middle"], default="none")
    parser.add_argument(
        "--release-delay",
        type=int,
        default=0,
        help="milliseconds after the release until it asks where the pointer is",
    )
    parser.add_argument(
        "--by-flags",
        action="store_true",
        help="a game is won when its mines are flagged, too; a click then begins the next one",
    )
    parser.add_argument("--title", default="Tk Minesweeper")
    parser.add_argument("--position", default="+100+100", help="as in X11: +X+Y")
    asked = parser.parse_args()
    if not 0 < asked.mines < asked.rows * asked.cols:
        parser.error("there must be a mine, and a cell without one")
    Window(asked).mainloop()


if __name__ == "__main__":
    main()
