"""Skins."""

from gui.panel.page import Page


class SkinsPage(Page):
    """Skins."""
