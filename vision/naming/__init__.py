"""Naming tiles: how a tile picture is described, compared, decided and remembered."""
