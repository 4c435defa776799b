"""Track boards: choose one, follow its window, read its tiles and the state of its game.

- `targets`: the boards on the screen, and the choice of one
- `tracked_board`: a board that follows its window
- `tile_reader`: its tiles, read again in each frame
- `cells`: the changes, durations and pictures of its cells
- `lookalikes`: which boards a bundled skin may claim
- `pagedialog`: a dialog that a web page draws over its board
"""
