"""Tests on a real Wayland desktop without a screen: GNOME, its portal and its dialog."""
