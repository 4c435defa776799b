"""A Minesweeper of the family as a web page: `python -m tests.support.family.web OPTIONS [SEED]`.

It serves `page.html` on this machine and reports its "address". The page paints and sends its
events; the game itself runs here, as in the other programs.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.support.family.options import Options
from tests.support.family.play import Play
from tests.support.rules import report

_PAGE = Path(__file__).with_name("page.html")


class Page:
    """The content of the page, for the threads that serve it.

    Args:
        options: The options of the program.
        seed: The seed of the mines.
    """

    def __init__(self, options: Options, seed: int | None) -> None:
        self._changed = threading.Condition()
        self._number = 0
        self._dialog: tuple[str, str, Callable[[], None]] | None = None
        self._play = Play(options, self, seed)
        self._play.begin()

    def repaint(self) -> None:
        """See `Shell`."""
        with self._changed:
            self._number += 1
            self._changed.notify_all()

    def after(self, milliseconds: int, call: Callable[[], None]) -> None:
        """See `Shell`."""

        def locked() -> None:
            with self._changed:
                call()

        timer = threading.Timer(milliseconds / 1000, locked)
        timer.daemon = True
        timer.start()

    def show_dialog(self, text: str, button: str, closed: Callable[[], None]) -> None:
        """See `Shell`."""
        self._dialog = text, button, closed
        self.repaint()

    def picture(self, seen: int) -> dict[str, Any]:
        """Return the picture after the last one that the page received, when there is one."""
        with self._changed:
            self._changed.wait_for(lambda: self._number > seen)
            play = self._play
            return {
                "number": self._number,
                "shapes": play.shapes(),
                "dialog": self._dialog[:2] if self._dialog else None,
                "size": [play.width, play.height],
                "ground": play.ground,
                "dark": play.options.dark,
                "pixels": play.options.pixels,
                "title": play.options.title,
                "above": play.options.above,
                "below": play.options.below,
                "scroll": play.options.scroll,
            }

    def handle(self, kind: str, values: dict[str, Any]) -> None:
        """Handle an event of the page."""
        with self._changed:
            if kind == "ready":
                self._play.report_ready(**values)
            elif kind == "key":
                self._play.key(values["name"])
            elif kind == "leave":
                report("leave")
            elif kind == "dialog":
                # The page may have been closed while it reported its button's position.
                if self._dialog is not None:
                    report("dialog", shown=True, **values)
            elif kind == "closed":
                if self._dialog is not None:
                    (*_, closed), self._dialog = self._dialog, None
                    self.repaint()
                    closed()
            elif kind in {"press", "release"}:
                getattr(self._play, kind)(**values)


def handler(page: Page) -> type[BaseHTTPRequestHandler]:
    """Return the handler of the browser's requests."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            """Send the page, or its next picture."""
            if self.path == "/":
                self._send(_PAGE.read_bytes(), "text/html")
            elif self.path.startswith("/picture/"):
                seen = int(self.path.rpartition("/")[2])
                self._send(json.dumps(page.picture(seen)).encode(), "application/json")
            else:
                self.send_error(404)

        def do_POST(self) -> None:
            """Handle an event of the page."""
            values = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            page.handle(self.path.strip("/"), values)
            self._send(b"{}", "application/json")

        def _send(self, content: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    return Handler


if __name__ == "__main__":
    page = Page(Options.parse(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else None)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(page))
    report("address", address=f"http://127.0.0.1:{server.server_address[1]}/")
    server.serve_forever()
