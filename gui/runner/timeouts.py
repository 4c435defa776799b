"""The time-outs and intervals of a run, in seconds.

Those of every wait are in `bot.waiting`: intervals, limits for changes of a board and for the
repetition of clicks. Those of the user's mouse are in `vision.desktop.user_mouse`.
"""

from __future__ import annotations

from typing import Final

# Start
WINDOW_OPENS: Final = 60.0
"""Time for a program to open a window: Wine creates its folders before its first one."""
BOARD_OPENS: Final = 20.0
"""Time for a board to be shown after the last change of the windows: a splash screen may come
first."""
SIMULATOR_OPENS: Final = 60.0
"""Time for a built-in game to open."""
BOARD_APPEARS: Final = 4.0
"""Time for a board to come to the front, or to be gone while another level is set up."""
WINDOW_DRAWN: Final = 0.25
"""Time within which a program draws the part of its window that was covered."""
COUNTER_APPEARS: Final = 1.0
"""Time for the counter of a visible board to be drawn."""
SKIN_UNKNOWN: Final = 0.7
"""Time for which a board must match no known skin to count as unknown."""

# Play
READING_STALE: Final = 0.1
"""Age at which a reading is renewed before a click: there may be another game."""
BOARD_SETTLES: Final = 1.0
"""Time within which a board without obstacles becomes stable."""
END_DRAWN: Final = 1.0
"""Time within which the end of a game is drawn below the dialog that reports it."""
PANEL_FOCUSED: Final = 0.3
"""Time for a window of this program that comes to the front to get the keyboard, too."""
PANEL_MOVES: Final = 2.0
"""Time for a window of this program to move away, or for the game to rise."""

# Recovery: see the table in `gui.runner.recovery`
OBSTACLE_PASSES: Final = 10.0
"""Time that an obstacle may last before the user is asked to remove it."""
USER_NEEDED: Final = 2.0
"""The same for an obstacle that only the user can remove."""
UNATTENDED: Final = 60.0
"""Time after which an obstacle ends a run without a user."""
WINDOW_RETURNS: Final = 10.0
"""Time within which a closed window or a left page may be opened again."""
WINDOW_REPLACED: Final = 2.0
"""The same for a closed window if a user can start the next run; some programs replace theirs."""
OBSTACLE_GONE: Final = 0.25
"""Time for which there must be no obstacle: a menu's action follows its closing."""
INTERIM_SHOWN: Final = 0.25
"""Interval between two states of a long decision that are shown."""

# End
RUN_ENDS: Final = 20.0
"""Time for a run to end after a stop, before its process is ended: that may just be starting. After
Ctrl-C the terminal's own process is ended after 10 s (`gui.interrupt`)."""

PROCESS_ENDS: Final = 15.0
"""Time for the process that plays to end after its supervisor; then it ends itself."""
PROCESS_ENDED: Final = 20.0
"""The same as the supervisor sees it; then it is killed."""
KEY_RELEASED: Final = 1.0
"""Time for a key to be released by a display that may not answer."""
STOP_PASSED: Final = 0.02
"""Interval between two checks whether a call is to be stopped."""

# Between games
DIALOG_OPENS: Final = 1.0
"""Time after the end of a game in which a dialog may open."""
DIALOG_CLOSES: Final = 2.0
"""Time within which a dialog has to close after its key or click."""
GAME_STARTS: Final = 3.0
"""Time within which a way to start the next game must have an effect."""
GAME_UNCHANGED: Final = 0.25
"""Time for which a game that the user has started has to stay unchanged."""

# Assist
ASSIST_SOLVES: Final = 10.0
"""Time after which the solver uses an estimate."""
WINDOW_RESTS: Final = 0.1
"""Time for which a window must not have moved."""
COVER_CHECKED: Final = 0.2
"""Interval between two checks whether a window covers the board."""

# A board that nothing plays
LIVE_SEARCH: Final = 2.0
"""Time between two searches for a board that cannot be read, if the screen has changed."""
LIVE_SOLVES: Final = 2.0
"""Time after which the solver uses an estimate."""
