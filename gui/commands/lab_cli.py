"""The command line of `minesweeper-bot lab`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from bot.game import LEVELS, FirstClick
from gui.commands.checked import Command, Group
from gui.commands.options import MOST_GAMES, MOST_SEED
from gui.console import Console

lab = typer.Typer(
    cls=Group,
    help="Play many games with any solvers on the same boards and compare them. A run that was "
    "interrupted (Ctrl-C) continues with the same command.",
    invoke_without_command=True,
    no_args_is_help=False,
)

_console = Console()

_GAMES: Final = 100
"""Default number of boards of a set."""

Games = Annotated[
    int, typer.Option("--games", "-n", min=1, max=MOST_GAMES, help="Boards, each for all solvers.")
]
Seed = Annotated[
    int, typer.Option(min=0, max=MOST_SEED, help="Seed of the first board; the next one is +1.")
]
Nodes = Annotated[
    int,
    typer.Option(
        min=0,
        max=1_000_000_000,
        help="Node limit per move, in the solver's own measure; 0 for no limit. Not "
        "seconds: results must not depend on how busy the machine is.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(min=1, max=1024, help="Processes of this machine; all its cores by default."),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        help="A Dask scheduler (tcp://HOST:PORT): its workers play, not this machine. Trusted "
        "networks only."
    ),
]


@lab.callback()
def play(
    context: typer.Context,
    solvers: Annotated[
        str,
        typer.Option(
            "--solvers",
            "-s",
            help="Names, with commas between them; with --game digging: hunters. 'all' for all.",
        ),
    ] = "lookahead",
    game: Annotated[
        str, typer.Option(help="'classic', or 'digging': all mines with the fewest digs.")
    ] = "classic",
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-n",
            min=1,
            max=MOST_GAMES,
            help=f"Boards, each for all solvers; by default {_GAMES}, or all of a file with fewer.",
        ),
    ] = None,
    boards: Annotated[
        Path | None, typer.Option(help="A file of boards, instead of boards drawn by seed.")
    ] = None,
    level: Annotated[str, typer.Option(help=f"One of {', '.join(LEVELS)}.")] = "expert",
    size: Annotated[
        str | None, typer.Option(help="COLSxROWSxMINES instead of a level: 20x20x80.")
    ] = None,
    first_click: Annotated[
        FirstClick, typer.Option(help="What the first opened cell is promised.")
    ] = FirstClick.SAFE,
    seed: Seed = 0,
    nodes: Nodes = 100_000,
    rollouts: Annotated[
        int,
        typer.Option(
            min=0,
            max=1_000_000,
            help="Games to simulate at each guess, by 'lookahead'. Not seconds: as for --nodes.",
        ),
    ] = 0,
    workers: Workers = None,
    scheduler: Scheduler = None,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The file of results; goes on where it ended.")
    ] = Path("results.jsonl"),
) -> None:
    """Plays games and prints a table of what came of them."""
    if context.invoked_subcommand is not None:
        return
    from gui.commands.lab import LabOptions, names_of, run_lab  # noqa: PLC0415

    if level not in LEVELS:
        raise typer.BadParameter(f"{level!r} is none of {', '.join(LEVELS)}", param_hint="--level")
    if boards is not None:
        _refuse_beside_boards(context)
    players = names_of(game, solvers)
    if not players:
        raise typer.BadParameter("nobody is named", param_hint="--solvers")
    options = LabOptions(
        game=game,
        players=players,
        games=_GAMES if games is None else games,
        boards=boards,
        level=level,
        size=_size(size),
        first_click=first_click,
        seed=seed,
        nodes=nodes or None,
        workers=workers,
        scheduler=scheduler,
        out=out,
        rollouts=rollouts,
        or_fewer=games is None,
    )
    raise typer.Exit(run_lab(options, _console))


@lab.command(cls=Command)
def show(
    results: Annotated[list[Path], typer.Argument(help="Files of results, of the same boards.")],
    solvers: Annotated[
        str | None, typer.Option("--solvers", "-s", help="Only these; the first is compared with.")
    ] = None,
) -> None:
    """Prints what files of results say, side by side where there are several."""
    from gui.commands.lab import show_files, split_names  # noqa: PLC0415

    names = () if solvers is None else split_names(solvers)
    raise typer.Exit(show_files(results, names, _console))


@lab.command(cls=Command)
def plot(
    results: Annotated[list[Path], typer.Argument(help="Files of results, of the same boards.")],
    solvers: Annotated[str | None, typer.Option("--solvers", "-s", help="Only these.")] = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="The picture.")] = Path("results.png"),
) -> None:
    """Draws what files of results say: wins or digs, and times, of all who played."""
    from gui.commands.lab import split_names  # noqa: PLC0415
    from gui.commands.lab_plot import plot_files  # noqa: PLC0415

    names = () if solvers is None else split_names(solvers)
    raise typer.Exit(plot_files(results, names, out, _console))


@lab.command(cls=Command)
def graphs(
    names: Annotated[
        list[str] | None, typer.Argument(help="digs-by-size, digs-by-density, wins-by-density.")
    ] = None,
    games: Games = _GAMES,
    seed: Seed = 0,
    nodes: Nodes = 20_000,
    workers: Workers = None,
    scheduler: Scheduler = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for results and pictures.")] = (
        Path("graphs")
    ),
) -> None:
    """Draws how many digs the hunters need, and how often and how fast solvers win, by density."""
    from gui.commands.lab import LabOptions  # noqa: PLC0415
    from gui.commands.lab_graphs import run_graphs  # noqa: PLC0415

    options = LabOptions(
        game="classic",
        players=(),
        games=games,
        boards=None,
        level="expert",
        size=None,
        first_click=FirstClick.SAFE,
        seed=seed,
        nodes=nodes or None,
        workers=workers,
        scheduler=scheduler,
        out=out,
    )
    raise typer.Exit(run_graphs(options, names or (), _console))


def _refuse_beside_boards(context: typer.Context) -> None:
    """Refuse options that a file of boards determines."""
    for name in ("level", "size", "first_click", "seed"):
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise typer.BadParameter(
                f"goes without --{name.replace('_', '-')}: the file says all of its boards",
                param_hint="--boards",
            )


def _size(text: str | None) -> tuple[int, int, int] | None:
    if text is None:
        return None
    from gui.commands.sizes import parse_size  # noqa: PLC0415

    try:
        return parse_size(text)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--size") from error
