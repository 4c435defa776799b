"""Files that are there whole or not at all, and what killed processes leave of them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from vision.files import (
    OpenMark,
    clear_leftovers,
    is_open,
    read_whole,
    remove_folder,
    replace_folder,
    write_whole,
)


@pytest.mark.linux
def test_a_failed_write_keeps_the_old_file(tmp_path: Path) -> None:
    """A disk that takes no more in the middle of a file: a limit of the system's, in a child."""
    path = tmp_path / "file"
    write_whole(path, b"old")
    script = (
        "import resource, signal, sys; from pathlib import Path; from vision.files import *\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try: write_whole(Path(sys.argv[1]), bytes(5000))\n"
        "except OSError as error: print(error.strerror)"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
    )
    assert run.stdout == "File too large\n"
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.linux
def test_a_pipe_a_folder_and_too_much_are_refused(tmp_path: Path) -> None:
    """Opening a pipe would wait for ever; `/dev/zero` has no end."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        with pytest.raises(OSError, match="it is not a file"):
            read_whole(path, 100)
    write_whole(tmp_path / "file", bytes(101))
    with pytest.raises(OSError, match="more than 100 bytes"):
        read_whole(tmp_path / "file", 100)
    assert read_whole(tmp_path / "file", 101) == bytes(101)


def test_a_folder_goes_and_comes_as_a_whole(tmp_path: Path) -> None:
    """Nothing is left of the old one, nor of one whose replacing was broken off."""
    folder, new = tmp_path / "mine", tmp_path / "new"
    for number, one in enumerate((tmp_path / ".mine.old", tmp_path / ".mine.gone", folder, new)):
        one.mkdir()
        (one / "file").write_text(str(number))
    replace_folder(new, folder)
    assert (folder / "file").read_text("utf-8") == "3"
    assert not (tmp_path / ".mine.old").exists()
    remove_folder(folder)
    assert not list(tmp_path.iterdir())
    with pytest.raises(FileNotFoundError):
        remove_folder(folder)


def test_temporary_files_are_removed(tmp_path: Path) -> None:
    """Ours alone, and of what is begun only what has been left alone for long."""
    for name in (".mine-1.part", ".mine-2.part", ".mine.gone", ".other.part", "mine.part"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").touch()
    long_ago = time.time() - 100_000
    for name in (".mine-1.part", ".other.part"):
        os.utime(tmp_path / name, (long_ago, long_ago))
    clear_leftovers(tmp_path, lambda name: name.startswith("mine"))
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {".mine-2.part", ".other.part", "mine.part"}
    clear_leftovers(tmp_path / "nowhere", lambda _name: True)


def test_a_file_is_open_until_its_process_ends(tmp_path: Path) -> None:
    """However it ends: the system takes the mark away."""
    path = tmp_path / "turns.jsonl"
    assert not is_open(path)
    script = (
        "import sys; from vision.files import *; mark = OpenMark(Path(sys.argv[1]))\n"
        "print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"open"
        assert is_open(path)
        process.kill()
        process.wait()
    assert not is_open(path)
    with closing(OpenMark(path)):
        assert is_open(path)
    assert not is_open(path)
    assert not list(tmp_path.iterdir())
