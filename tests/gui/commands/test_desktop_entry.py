"""The entry among a desktop's applications, and the program's icon."""

from __future__ import annotations

import configparser
import shlex
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from PyQt6.QtGui import QImage
from pytestqt.qtbot import QtBot

from gui.application import icon_svg
from gui.commands import desktop_entry
from gui.console import Console


def entry(path: Path) -> configparser.ConfigParser:
    """The file, as its format's sections and keys."""
    parsed = configparser.ConfigParser(interpolation=None)
    parsed.optionxform = str  # type: ignore[assignment, method-assign]
    parsed.read(path)
    return parsed


@pytest.mark.linux
def test_it_is_written_and_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Entry and icon lie where desktops look, the entry starts the program; --remove undoes it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    command = tmp_path / "bin" / "minesweeper-bot"
    command.parent.mkdir()
    command.touch(mode=0o755)
    monkeypatch.setattr("sys.argv", [str(command), "desktop-entry"])
    console = Console(quiet=True)
    applications = tmp_path / "applications"
    applications.mkdir()
    former = applications / "minesweeper-bot.desktop"
    former.touch()
    assert desktop_entry.install(console) == 0
    assert not former.exists()
    written = applications / "org.minesweeper_bot.MinesweeperBot.desktop"
    main = entry(written)["Desktop Entry"]
    assert shlex.split(main["Exec"]) == [str(command)]
    assert shlex.split(entry(written)["Desktop Action simulate"]["Exec"])[1:] == ["simulate"]
    assert (tmp_path / f"icons/hicolor/scalable/apps/{main['Icon']}.svg").read_bytes() == icon_svg()
    assert desktop_entry.uninstall(console) == 0
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [command]


@pytest.mark.linux
def test_any_path_is_quoted() -> None:
    """What a shell makes of the key Exec is the command; the shell's rules are the format's."""
    assert desktop_entry.in_exec(["/a\nTerminal=true\t/b"]) == r'"/a\nTerminal=true\t/b"'
    command = ['/home/a "b" $HOME/`x`\\y z/minesweeper-bot', "100%"]
    value = desktop_entry.in_exec(command).replace("\\\\", "\\")
    printed = subprocess.run(
        ["sh", "-c", f"printf '%s\\n' {value}"], capture_output=True, text=True, check=True
    )
    assert printed.stdout.replace("%%", "%").splitlines() == command


def _target(shortcut: Path) -> Path:
    """What a shortcut starts."""
    import pythoncom  # noqa: PLC0415 - on Windows
    from win32com.shell import shell  # noqa: PLC0415

    link = pythoncom.CoCreateInstance(
        shell.CLSID_ShellLink, None, pythoncom.CLSCTX_INPROC_SERVER, shell.IID_IShellLink
    )
    link.QueryInterface(pythoncom.IID_IPersistFile).Load(str(shortcut))
    return Path(link.GetPath(0)[0])


@pytest.mark.windows
def test_a_shortcut_is_written_and_taken_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    """In the start menu, to the command without a console; --remove undoes it."""
    monkeypatch.setenv("MINESWEEPER_BOT_HOME", str(tmp_path / "hö me"))
    command = tmp_path / "a b" / "minesweeper-bot-panel.exe"
    command.parent.mkdir()
    command.touch()
    monkeypatch.setattr("sys.argv", [str(command.with_name("minesweeper-bot.exe"))])
    shortcut, drawn = desktop_entry._places()
    assert desktop_entry.install(Console(quiet=True)) == 0
    assert _target(shortcut) == command
    assert not QImage(str(drawn)).isNull()

    def is_taken_away() -> bool:
        """Delete it; the shell may still read the new icon."""
        with suppress(desktop_entry.NoDesktopEntry):
            desktop_entry.uninstall(Console(quiet=True))
        return not shortcut.exists() and not drawn.exists()

    qtbot.waitUntil(is_taken_away)
