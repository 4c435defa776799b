"""The time-outs and intervals of a run, in seconds.

Those of the loop are in `bot.waiting`: how long a board may change, and how soon a click is
repeated.
"""

from __future__ import annotations

from typing import Final

POLL: Final = 0.1
"""Between two checks of what is waited for."""

# Start
BOARD_APPEARS: Final = 4.0
"""A board may take so long to come to the front, or be gone while another level is set up."""
COUNTER_APPEARS: Final = 1.0
"""The counter of a visible board may take so long to be drawn."""
SKIN_UNKNOWN: Final = 0.7
"""A board must match no known skin for so long before it counts as unknown."""

# Play
READING_STALE: Final = 0.1
"""After so long a board is read again before it is clicked: there may be another game."""
BOARD_SETTLES: Final = 1.0
"""A board without obstacles becomes stable within this time."""
END_DRAWN: Final = 1.0
"""The end of a game is drawn below the dialog that reports it within this time."""
PANEL_MOVES: Final = 2.0
"""A window of this program may take so long to move away, or the game to rise."""

# Recovery: see the table in `gui.runner.recovery`
OBSTACLE_PASSES: Final = 10.0
"""An obstacle may last so long before the user is asked to remove it."""
USER_NEEDED: Final = 2.0
"""The same for what only the user can answer."""
UNATTENDED: Final = 60.0
"""After so long an obstacle ends a run without a user."""
WINDOW_RETURNS: Final = 10.0
"""A closed window or a left page may be opened again within this time."""
OBSTACLE_GONE: Final = 0.25
"""There must be no obstacle for so long: a menu's action follows its closing."""
WAIT_REPORTED: Final = 1.0
"""What is waited for is reported after so long."""

# Between games
DIALOG_OPENS: Final = 1.0
"""A dialog may open so long after the end of a game."""
DIALOG_CLOSES: Final = 2.0
"""A dialog has to close within this time after its key or click."""
GAME_STARTS: Final = 3.0
"""A way to start the next game must have an effect within this time."""
GAME_UNCHANGED: Final = 0.25
"""A game that the user has started has to stay unchanged for so long."""

# Assist
ASSIST_SOLVES: Final = 10.0
"""After so long the solver uses an estimate."""
WINDOW_RESTS: Final = 0.1
"""A window must not have moved for so long."""
COVER_CHECKED: Final = 0.2
"""Between two checks whether a window covers the board."""
