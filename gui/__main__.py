"""The command line: `minesweeper-bot`, or `python -m gui`.

Every command imports what it needs when it runs, so that `--help` is fast and a missing library is
reported by the command that needs it.
"""

from __future__ import annotations

import faulthandler
import re
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.text import Text

from bot.board import Cell
from bot.game import LEVELS, FirstClick
from bot.planner import Style
from gui.commands.lab_cli import lab
from gui.commands.options import (
    MOST_GAMES,
    MOST_SEED,
    Command,
    Digging,
    Group,
    LevelName,
    LookName,
    Mines,
    Size,
    Verbose,
    first_given,
)
from gui.console import Console, tolerate_code_page
from gui.logfile import log_start, start_logging
from gui.questions import MarkedArea, marked_area
from vision.files import PROGRAM

console = Console()
errors = Console(stderr=True)

app = typer.Typer(
    cls=Group,
    name=PROGRAM,
    help="Play the Minesweeper on your screen and explain every move. Without a command, open the "
    "control panel.",
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(lab, name="lab")


_LEAST_SIDE: Final = 200
_MOST_SIDE: Final = 8192
"""Largest side of a private screen in pixels."""


def _version(wanted: bool) -> None:
    if wanted:
        console.print(f"{PROGRAM} {version(PROGRAM)}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def panel(
    context: typer.Context,
    _: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
    _verbose: Verbose = False,
) -> None:
    """Open the control panel if no command is given."""
    if context.invoked_subcommand is None:
        log_start("panel")
        from gui.commands.play import open_panel  # noqa: PLC0415

        raise typer.Exit(open_panel(console))


@app.command(cls=Command)
def play(
    context: typer.Context,
    command: Annotated[
        list[str] | None,
        typer.Argument(
            help="With --private, after '--': the game's command, such as 'gnome-mines --big'.",
            show_default=False,
        ),
    ] = None,
    private: Annotated[
        bool,
        typer.Option(
            "--private", help="Start a game on a private screen and play it there (Linux)."
        ),
    ] = False,
    size: Annotated[
        str,
        typer.Option(metavar="WIDTHxHEIGHT", help="With --private: size of the screen in pixels."),
    ] = "1280x800",
    window: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="Play the window whose title, class or skin contains TEXT. Default: open the "
            "built-in game and play it, on a private screen if there is no desktop.",
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, max=MOST_GAMES, help="How many games to play.")] = 5,
    level: Annotated[
        LevelName | None,
        typer.Option(help="With --window: refuse any other level. Otherwise: the level to open."),
    ] = None,
    mines: Mines = None,
    solver: Annotated[
        str | None,
        typer.Option(help="Solver that chooses the moves. Default: the strongest."),
    ] = None,
    digging: Digging = False,
    style: Annotated[
        Style, typer.Option(help="Whether flags and chords are used.")
    ] = Style.NO_FLAGS,
    look: Annotated[LookName, typer.Option(help="Look of the built-in game.")] = "classic",
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=MOST_SEED, help="Seed of the built-in game's first board."),
    ] = None,
    pace: Annotated[
        float | None,
        typer.Option(min=0.01, max=1000, help="Clicks per second. Default: as fast as possible."),
    ] = None,
    think: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=600,
            metavar="SECONDS",
            help="Simulate games for so long at each guess, to find the cell that wins most. "
            "0: decide at once, by the value network. For the default solver.",
            show_default=False,
        ),
    ] = None,
    with_panel: Annotated[
        bool | None,
        typer.Option(
            "--panel/--no-panel",
            help="Show the control panel. Default: with the built-in game, and with --private if "
            "there is a desktop, unless --window or --mines is given.",
        ),
    ] = None,
    record: Annotated[bool, typer.Option(help="Record every game.")] = True,
    pictures: Annotated[
        Path | None, typer.Option(help="Folder for pictures of the panel and the last board.")
    ] = None,
    yes: Annotated[
        bool,
        typer.Option(
            "--yes",
            help="Answer yes, for this run only, to the questions before the first click: whether "
            "an unknown program is the one to play, and whether its whole board is visible.",
        ),
    ] = False,
    _verbose: Verbose = False,
) -> None:
    """Play games and print the results."""
    if private:
        from gui.private import require_private_screens  # noqa: PLC0415

        require_private_screens()
    from gui.commands.play import PlayOptions, run_play, settings_of_run  # noqa: PLC0415
    from vision.desktop import desktop  # noqa: PLC0415

    if (window is not None or command) and (option := first_given(context, "look", "seed")):
        raise typer.BadParameter(
            f"{option} is for the built-in game only: leave it out to play another program"
        )
    if private != bool(command):
        raise typer.BadParameter(
            "--private needs a command after '--': play --private -- gnome-mines"
        )
    named = [name for name, said in (("window", window), ("mines", mines)) if said is not None]
    if private and with_panel and named:
        raise typer.BadParameter(
            f"--{named[0]} cannot be combined with --private --panel: choose in the panel, or "
            "leave --panel out"
        )
    shown = desktop().has_screen and not named if private else window is None
    opened = ["--level", level or "beginner", "--look", look]
    opened += [] if seed is None else ["--seed", str(seed)]
    options = PlayOptions(
        window=window,
        settings=settings_of_run(
            solver,
            think,
            digging=digging,
            style=style,
            games=games,
            mines=mines,
            level=level if window or command else None,
            record=record,
            pace=pace,
            assume_yes=yes,
        ),
        simulator=(*opened, *(["--digging"] if digging else [])),
        command=tuple(command or ()),
        size=_screen_size(size),
        panel=shown if with_panel is None else with_panel,
        pictures=pictures,
    )
    raise typer.Exit(run_play(options, console))


def _screen_size(text: str) -> tuple[int, int]:
    if re.fullmatch("[0-9]{1,9}x[0-9]{1,9}", text) is None:
        raise typer.BadParameter("use the form WIDTHxHEIGHT, such as 1280x800", param_hint="--size")
    width, _, height = text.partition("x")
    if not all(_LEAST_SIDE <= int(side) <= _MOST_SIDE for side in (width, height)):
        raise typer.BadParameter(
            f"width and height must be {_LEAST_SIDE} to {_MOST_SIDE} pixels", param_hint="--size"
        )
    return int(width), int(height)


@app.command(cls=Command)
def assist(
    window: Annotated[
        str,
        typer.Option(
            metavar="TEXT", help="The window you play in: its title, class or skin contains TEXT."
        ),
    ],
    mines: Mines = None,
    record: Annotated[bool, typer.Option(help="Record every game.")] = True,
    _verbose: Verbose = False,
) -> None:
    """Watch you play, show every probability and comment on your moves; click nothing."""
    from gui.commands.play import run_assist  # noqa: PLC0415

    raise typer.Exit(run_assist(window, mines, console, record=record))


def _cell(text: str) -> Cell:
    """Return a cell that is given as 'ROW,COL', both counted from 1."""
    row, _, col = text.replace(" ", "").partition(",")
    if not all(re.fullmatch("[1-9][0-9]{0,4}", one) for one in (row, col)):
        raise typer.BadParameter("use the form ROW,COL, both counted from 1, such as 3,12")
    return Cell(int(row) - 1, int(col) - 1)


def _board(text: str) -> MarkedArea:
    """Return a board that is given as `marked_area` reads it."""
    try:
        return marked_area(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


@app.command(cls=Command)
def read(
    image: Annotated[
        Path | None,
        typer.Argument(
            help="A screenshot, best as PNG: lossy formats blur the tiles.",
            show_default=False,
        ),
    ] = None,
    window: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="Instead of a screenshot: a window whose title, class or skin contains TEXT.",
        ),
    ] = None,
    explain: Annotated[
        Cell | None,
        typer.Option(
            parser=_cell,
            metavar="ROW,COL",
            help="Print how the tile in this row and column was read, or why it was not. "
            "Both are counted from 1.",
        ),
    ] = None,
    board: Annotated[
        MarkedArea | None,
        typer.Option(
            parser=_board,
            metavar="TEXT",
            help="Where the board is in a screenshot in which none is recognised: "
            "'9x9 from 12,80 to 228,296' for 9 columns, 9 rows, and the corners in pixels.",
        ),
    ] = None,
    mines: Mines = None,
    solver: Annotated[str, typer.Option(help="Solver that chooses the moves.")] = "lookahead",
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print one JSON object per board, for programs; rows and columns count from 0.",
        ),
    ] = False,
    _verbose: Verbose = False,
) -> None:
    """Print the board and the probabilities of a screenshot; needs no display."""
    if (image is None) == (window is None):
        raise typer.BadParameter("give a screenshot, or a window with --window TEXT")
    if explain is not None and as_json:
        raise typer.BadParameter("--explain and --json cannot be combined: leave one out")
    if board is not None and image is None:
        raise typer.BadParameter("--board needs a screenshot: play asks where a window's board is")
    from gui.commands import read as reading  # noqa: PLC0415

    if image is not None:
        boards, remarks = reading.read_picture(image, mines, solver, board)
    else:
        boards, remarks = reading.read_window(window or "", mines, solver)
    there = True
    for number, seen in enumerate(boards):
        if explain is not None:
            there &= reading.print_explanation(console, seen, explain)
            continue
        if as_json:
            print(reading.as_json(seen))  # noqa: T201 - for programs
            continue
        if number:
            console.print()
        reading.print_boards(console, seen)
    for remark in remarks:
        errors.print(Text(f"not read: {remark}", "yellow"), soft_wrap=True)
    good = there if explain is not None else all(seen.whole for seen in boards)
    raise typer.Exit(0 if good else 1)


@app.command(cls=Command)
def learn(
    images: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Screenshots of one program, the oldest first.",
            show_default=False,
        ),
    ] = None,
    window: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="Instead of screenshots: capture once the window whose title or class contains "
            "TEXT.",
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(help="Name of the skin: lower-case letters, digits, '.', '_' and '-'."),
    ] = None,
    mines: Mines = None,
    forget: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Delete a learned skin, with all answers given for it."),
    ] = None,
    _verbose: Verbose = False,
) -> None:
    """Learn the skin of an unknown program; ask about tiles that cannot be recognised."""
    if (bool(images), window is not None, forget is not None).count(True) != 1:
        raise typer.BadParameter(
            "give screenshots, or a window with --window TEXT, or a skin with --forget NAME"
        )
    from gui.commands.learn import run_forget, run_learn  # noqa: PLC0415

    if forget is not None:
        raise typer.Exit(run_forget(forget, console))
    raise typer.Exit(run_learn(images or [], window, name, mines, console))


@app.command(cls=Command)
def simulate(
    context: typer.Context,
    level: Annotated[LevelName, typer.Option(help="The level.")] = "beginner",
    size: Size = None,
    look: Annotated[LookName, typer.Option(help="Look of the game.")] = "classic",
    scale: Annotated[
        float,
        typer.Option(min=0.5, max=8, help="Scale of the cells; 1 is the natural size of the look."),
    ] = 1.0,
    first_click: Annotated[
        FirstClick, typer.Option(help="What the first opened cell is guaranteed.")
    ] = FirstClick.SAFE,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=MOST_SEED,
            help="Seed of the first game; each further game uses the next number.",
        ),
    ] = None,
    question_marks: Annotated[
        bool, typer.Option(help="Right clicks also set question marks.")
    ] = False,
    animation: Annotated[bool, typer.Option(help="Open cells in a wave.")] = False,
    win_dialog: Annotated[bool, typer.Option(help="Show a dialog after a win.")] = False,
    announce: Annotated[
        bool, typer.Option(hidden=True, help="Print the window's id when it is shown.")
    ] = False,
    corner: Annotated[
        bool, typer.Option(hidden=True, help="Open in the corner of the screen.")
    ] = False,
    digging: Digging = False,
    terminal: Annotated[
        bool, typer.Option(help="Play in this terminal, with keys and mouse; '?' shows the help.")
    ] = False,
    solver: Annotated[
        str | None, typer.Option(help="With --terminal: the solver that gives hints and plays.")
    ] = None,
) -> None:
    """Open the built-in game: a Minesweeper that you or the bot can play."""
    from vision.desktop import require_display  # noqa: PLC0415

    chosen = size or LEVELS[level]
    board = chosen.rows, chosen.cols, chosen.mines
    if terminal:
        if option := first_given(context, "look", "scale", "animation", "win_dialog"):
            raise typer.BadParameter(
                f"{option} has no effect with --terminal: leave one of them out"
            )
        from gui.terminal.app import TerminalOptions, run_terminal  # noqa: PLC0415

        try:
            in_terminal = TerminalOptions(
                *board, first_click, seed, question_marks, solver, digging
            )
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--size") from error
        raise typer.Exit(run_terminal(in_terminal))
    if solver is not None:
        raise typer.BadParameter("--solver needs --terminal")
    from gui.simulator import SimulatorOptions, run_simulator  # noqa: PLC0415

    try:
        options = SimulatorOptions(
            *board,
            look=look,
            scale=scale,
            first_click=first_click,
            seed=seed,
            question_marks=question_marks,
            animation=animation,
            win_dialog=win_dialog,
            digging=digging,
        )
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    require_display()
    raise typer.Exit(run_simulator(options, announce=announce, corner=corner))


@app.command(cls=Command)
def audit(
    sessions: Annotated[list[Path], typer.Argument(help="Folders of recorded games.")],
) -> None:
    """Verify recorded games against the mines shown at the end."""
    from gui.commands.history import run_audit  # noqa: PLC0415

    raise typer.Exit(run_audit(sessions, console))


@app.command(cls=Command)
def history(
    out: Annotated[
        Path | None,
        typer.Option("--csv", help="Write all games to this file, one per line, for spreadsheets."),
    ] = None,
) -> None:
    """Print statistics of all games: win rates with 95% intervals, and times."""
    from gui.commands.history import run_history  # noqa: PLC0415

    raise typer.Exit(run_history(out, console))


@app.command(cls=Command)
def replay(
    session: Annotated[
        Path | None,
        typer.Argument(
            help="Folder of a recorded game. Default: list all of them.", show_default=False
        ),
    ] = None,
) -> None:
    """Show recorded games in the panel, turn by turn, and rate every guess."""
    from gui.commands.play import open_panel  # noqa: PLC0415

    if session is not None and not session.exists():
        raise typer.BadParameter(f"there is no {session}", param_hint="SESSION")
    raise typer.Exit(open_panel(console, "games", session and session.absolute()))


@app.command(cls=Command)
def desktop_entry(
    remove: Annotated[bool, typer.Option("--remove", help="Remove it again.")] = False,
) -> None:
    """Add the program to the application menu of your desktop, or to the start menu."""
    from gui.commands.desktop_entry import install, uninstall  # noqa: PLC0415

    raise typer.Exit(uninstall(console) if remove else install(console))


@app.command(cls=Command)
def doctor() -> None:
    """Check this machine, also by moving the pointer, and explain how to fix what fails."""
    from gui.commands.doctor import examine  # noqa: PLC0415

    raise typer.Exit(0 if examine(console) else 1)


def main(arguments: list[str] | None = None) -> Any:
    """Run a command and report an error in words; the program's entry point.

    Args:
        arguments: Instead of the process's own.
    """
    from gui.failures import describe  # noqa: PLC0415
    from gui.interrupt import INTERRUPTED, end_after_signals  # noqa: PLC0415

    if arguments is None:
        tolerate_code_page()
        end_after_signals()
        start_logging()
        if sys.stderr is not None:
            # Print the traceback of a crash of the interpreter.
            faulthandler.enable()
    try:
        return app(arguments)
    except KeyboardInterrupt:
        errors.print("stopped")
        sys.exit(INTERRUPTED)
    except Exception as error:  # noqa: BLE001 - the entry point reports every error
        failure = describe(error, None)
        errors.print(Text(failure.report, "dim"), Text(str(failure), "red"), sep="", soft_wrap=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
