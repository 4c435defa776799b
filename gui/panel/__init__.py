"""The control panel: its window, its pages, and what these share."""

from gui.panel.window import CLOSED, SIZE, Panel

__all__ = ["CLOSED", "SIZE", "Panel"]
