"""A Minesweeper of the family with GTK 3: `python -m tests.support.family.gtk OPTIONS [SEED]`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import pi
from typing import Any

import cairo
import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

from tests.support.family.options import Options  # noqa: E402
from tests.support.family.play import Play  # noqa: E402

_BUTTONS = {1: "left", 2: "middle", 3: "right"}


class Window(Gtk.Window):
    """The main window."""

    def __init__(self, options: Options, seed: int | None) -> None:
        super().__init__(title="Minefield", resizable=False)
        self._play = play = Play(options, self, seed)
        self._area = area = Gtk.DrawingArea()
        area.set_size_request(play.width, play.height)
        area.add_events(Gdk.EventMask.BUTTON_PRESS_MASK | Gdk.EventMask.BUTTON_RELEASE_MASK)
        area.connect("draw", self._draw)
        area.connect("button-press-event", self._button, play.press)
        area.connect("button-release-event", self._button, play.release)
        self.connect("key-press-event", lambda _, event: play.key(Gdk.keyval_name(event.keyval)))
        self.connect("configure-event", lambda *_: GLib.idle_add(self._placed) and None)
        self.connect("destroy", Gtk.main_quit)
        self.add(area)
        play.begin()

    def repaint(self) -> None:
        """See `Shell`."""
        self._area.queue_draw()

    def after(self, milliseconds: int, call: Callable[[], None]) -> None:
        """See `Shell`."""
        GLib.timeout_add(milliseconds, call)

    def show_dialog(self, text: str, button: str, closed: Callable[[], None]) -> None:
        """See `Shell`."""
        dialog = Gtk.MessageDialog(transient_for=self, modal=True, text=text, title="Game over")
        dialog.add_button(button, Gtk.ResponseType.OK)
        dialog.set_default_response(Gtk.ResponseType.OK)

        def close(*_: object) -> None:
            dialog.destroy()
            closed()

        dialog.connect("response", close)
        dialog.show_all()

    def _button(
        self,
        _area: object,
        event: Any,
        handle: Callable[[str, float, float, float], None],
    ) -> bool:
        # GTK sends a double click as a separate event besides the press.
        presses = {Gdk.EventType.BUTTON_PRESS, Gdk.EventType.BUTTON_RELEASE}
        if event.type in presses and event.button in _BUTTONS:
            handle(_BUTTONS[event.button], event.x, event.y, event.time)
        return True

    def _placed(self) -> None:
        if (window := self._area.get_window()) is not None:
            _, x, y = window.get_origin()
            self._play.report_ready(x, y)

    def _draw(self, _area: object, draw: Any) -> None:
        def use(colour: str) -> None:
            draw.set_source_rgb(*(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)))

        use(self._play.ground)
        draw.paint()
        for kind, colour, *rest in self._play.shapes():
            use(colour)
            draw.new_path()
            if kind == "poly":
                for x, y in zip(rest[::2], rest[1::2], strict=True):
                    draw.line_to(x, y)
                draw.close_path()
                draw.fill()
            elif kind == "oval":
                left, top, width, height = rest
                draw.save()
                draw.translate(left + width / 2, top + height / 2)
                draw.scale(width / 2, height / 2)
                draw.arc(0, 0, 1, 0, 2 * pi)
                draw.restore()
                draw.fill()
            elif kind == "line":
                width, *places = rest
                draw.set_line_width(width)
                draw.move_to(*places[:2])
                draw.line_to(*places[2:])
                draw.stroke()
            else:
                size, family, bold, x, y, text = rest
                weight = cairo.FONT_WEIGHT_BOLD if bold else cairo.FONT_WEIGHT_NORMAL
                draw.select_font_face(family, cairo.FONT_SLANT_NORMAL, weight)
                draw.set_font_size(size)
                box = draw.text_extents(text)
                draw.move_to(x - box.width / 2 - box.x_bearing, y - box.height / 2 - box.y_bearing)
                draw.show_text(text)
        GLib.idle_add(self._placed)


if __name__ == "__main__":
    GLib.set_prgname("minefield")
    window = Window(Options.parse(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else None)
    window.move(120, 90)
    window.show_all()
    Gtk.main()
