"""A Minesweeper of the family with Tk: `python -m tests.support.family.tk OPTIONS [SEED]`."""

from __future__ import annotations

import sys
import tkinter as tk
from collections.abc import Callable, Iterable
from dataclasses import replace
from tkinter import messagebox

from tests.support.family.art import Shape
from tests.support.family.options import Options
from tests.support.family.play import Play
from tests.support.rules import report

_BUTTONS = {1: "left", 2: "middle", 3: "right"}


class Window(tk.Tk):
    """The main window."""

    def __init__(self, options: Options, seed: int | None) -> None:
        super().__init__(className="Minefield")
        self.title(options.title)
        self._seed = seed
        self.geometry(options.position)
        self.resizable(width=False, height=False)
        self._play = play = Play(options, self, seed)
        if options.menu:
            bar, menu = tk.Menu(self), tk.Menu(self, tearoff=False)
            menu.add_command(label="Scores")
            menu.add_command(label=options.menu, accelerator="F2", command=play.begin)
            bar.add_cascade(label="Game", menu=menu)
            bar.add_cascade(label="Help", menu=tk.Menu(bar))
            self.configure(menu=bar)
        self._canvas = tk.Canvas(
            self, width=play.width, height=play.height, highlightthickness=0, background=play.ground
        )
        self._canvas.pack()
        for number in _BUTTONS:
            self._canvas.bind(f"<ButtonPress-{number}>", self._button(play.press))
            self._canvas.bind(f"<ButtonRelease-{number}>", self._button(play.release))
        self.bind_all("<KeyPress>", lambda event: play.key(event.keysym))
        for event in ("<Configure>", "<Visibility>"):
            self.bind(event, self._placed)
        play.begin()

    def _button(
        self, handle: Callable[[str, float, float, float], None]
    ) -> Callable[[tk.Event[tk.Misc]], None]:
        def handled(event: tk.Event[tk.Misc]) -> None:
            handle(_BUTTONS[int(event.num)], event.x, event.y, event.time)

        return handled

    def _placed(self, _event: object) -> None:
        self.update_idletasks()
        if self._canvas.winfo_viewable():
            self._play.report_ready(self._canvas.winfo_rootx(), self._canvas.winfo_rooty())

    def repaint(self) -> None:
        """See `Shell`."""
        self._canvas.delete("all")
        paint(self._canvas, self._play.shapes())

    def pointer(self) -> tuple[float, float]:
        """See `Shell`."""
        x, y = self.winfo_pointerxy()
        return x - self._canvas.winfo_rootx(), y - self._canvas.winfo_rooty()

    def open_another(self) -> None:
        """See `Shell`."""
        seed = None if self._seed is None else self._seed + 1
        options = self._play.options
        Window(replace(options, position=options.windows), seed)

    def show_dialog(self, text: str, button: str, closed: Callable[[], None]) -> None:
        """See `Shell`."""
        end = self._play.options.end
        if end in ("withdrawn", "messagebox", "levels"):
            if end == "withdrawn" and self._play.won:
                self.withdraw()
            messagebox.showinfo("Game over", text, parent=self)
            if end == "levels":
                self._show_levels(closed)
            else:
                closed()
                self.deiconify()
            return
        dialog = tk.Toplevel(self, padx=24, pady=16)
        dialog.title("Game over")
        dialog.transient(self)
        tk.Label(dialog, text=text).pack(pady=(0, 12))

        def close(_event: object = None) -> None:
            dialog.destroy()
            closed()

        pressed = tk.Button(dialog, text=button, command=close)
        pressed.pack()
        pressed.focus_set()
        dialog.bind("<Return>", close)
        dialog.bind("<Escape>", close)
        dialog.protocol("WM_DELETE_WINDOW", close)
        dialog.wait_visibility()
        dialog.grab_set()

    def _show_levels(self, chosen: Callable[[], None]) -> None:
        """Show a menu of levels in place of the board; only the board's own one has an effect."""
        rows, cols, _ = self._play.options.size
        self._canvas.pack_forget()
        menu = tk.Frame(self, padx=60, pady=40)
        menu.pack()

        def choose() -> None:
            menu.destroy()
            self._canvas.pack()
            chosen()

        for name, size, press in (
            ("Easy", (rows, cols), choose),
            ("Medium", (16, 16), lambda: None),
            ("Hard", (16, 30), lambda: None),
        ):
            label = f"{name} ({size[1]}x{size[0]})"
            tk.Button(menu, text=label, width=20, command=press).pack(pady=4)


def paint(canvas: tk.Canvas, shapes: Iterable[Shape]) -> None:
    """Paint shapes on a canvas."""
    for kind, colour, *rest in shapes:
        if kind == "poly":
            canvas.create_polygon(*rest, fill=colour, outline="")
        elif kind == "oval":
            left, top, width, height = rest
            canvas.create_oval(left, top, left + width, top + height, fill=colour, outline="")
        elif kind == "line":
            width, *places = rest
            canvas.create_line(*places, fill=colour, width=width)
        else:
            size, family, bold, x, y, text = rest
            font = (family, -round(size), "bold" if bold else "normal")
            canvas.create_text(x, y, text=text, fill=colour, font=font)


if __name__ == "__main__":
    report("python", version=sys.version)
    Window(Options.parse(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else None).mainloop()
