"""A game on a private screen: how it is started, shown, played and reliably ended."""
