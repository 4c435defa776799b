"""Where the one-folder build starts; all else is in `gui/frozen.py`."""

from gui.frozen import main

main()
