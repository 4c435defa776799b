"""The command line of `minesweeper-bot lab`."""

from __future__ import annotations

from functools import partial
from os import cpu_count
from pathlib import Path
from typing import Annotated, Final

import typer

from bot.game import FirstClick
from gui.commands import options
from gui.console import Console

lab = typer.Typer(
    cls=options.Group,
    help="Play many games with any solvers on the same boards and compare them. A run that was "
    "interrupted (Ctrl-C) continues with the same command.",
    invoke_without_command=True,
    no_args_is_help=False,
)

_console = Console()

_GAMES: Final = 100
"""Default number of boards of a set."""

Games = Annotated[
    int | None,
    typer.Option(
        "--games",
        "-n",
        min=1,
        max=options.MOST_GAMES,
        help="Number of boards; every solver plays all of them. Default: "
        f"{_GAMES}, or all of a file with fewer.",
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        min=0,
        max=options.MOST_SEED,
        help="Seed of the first board; each further board uses the next number.",
    ),
]
Nodes = Annotated[
    int,
    typer.Option(
        min=0,
        max=1_000_000_000,
        help="Node limit per move, counted by the solver; 0 for no limit. Unlike a time limit, it "
        "gives the same results on a busy machine.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(min=1, max=1024, help="Number of worker processes. Default: one per core."),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        help="Play on the workers of this Dask scheduler (tcp://HOST:PORT), not on this machine. "
        "Use it in trusted networks only."
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
            help="Solvers, separated by commas, or 'all'; with --game digging, hunters.",
        ),
    ] = "lookahead",
    game: Annotated[
        str, typer.Option(help="'classic', or 'digging': find all mines with the fewest digs.")
    ] = "classic",
    games: Games = None,
    boards: Annotated[
        Path | None, typer.Option(help="A file of boards. Default: boards generated from the seed.")
    ] = None,
    level: Annotated[options.LevelName, typer.Option(help="The level.")] = "expert",
    size: options.Size = None,
    first_click: Annotated[
        FirstClick, typer.Option(help="What the first opened cell is guaranteed.")
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
        Path,
        typer.Option(
            "--out", "-o", help="The file of results; an interrupted run continues in it."
        ),
    ] = Path("results.jsonl"),
) -> None:
    """Play games and print a table of the results."""
    if context.invoked_subcommand is not None:
        return
    from gui.commands.lab import names_of, run_lab  # noqa: PLC0415
    from gui.lab.runs import Order  # noqa: PLC0415

    option = options.first_given(context, "level", "size", "first_click", "seed")
    if boards is not None and option:
        raise typer.BadParameter(
            f"cannot be combined with {option}: the file sets the boards", param_hint="--boards"
        )
    players = names_of(game, solvers)
    if not players:
        raise typer.BadParameter("name at least one solver", param_hint="--solvers")
    order = Order(
        game=game,
        players=players,
        games=games or _GAMES,
        boards=None if boards is None else str(boards),
        all_boards=games is not None,
        level=level,
        size=None if size is None else (size.rows, size.cols, size.mines),
        first_click=first_click,
        seed=seed,
        nodes=nodes or None,
        rollouts=rollouts,
        workers=workers or cpu_count() or 1,
    )
    raise typer.Exit(run_lab(order, out, scheduler, _console))


@lab.command(cls=options.Command)
def show(
    results: Annotated[list[Path], typer.Argument(help="Files of results, of the same boards.")],
    solvers: Annotated[
        str | None,
        typer.Option(
            "--solvers", "-s", help="Show only these; the others are compared with the first."
        ),
    ] = None,
) -> None:
    """Print the results of one or more files, side by side."""
    from gui.commands.lab import show_files, split_names  # noqa: PLC0415

    raise typer.Exit(show_files(results, split_names(solvers), _console))


@lab.command(cls=options.Command)
def plot(
    results: Annotated[list[Path], typer.Argument(help="Files of results, of the same boards.")],
    solvers: Annotated[str | None, typer.Option("--solvers", "-s", help="Show only these.")] = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="The picture to write.")] = Path(
        "results.png"
    ),
) -> None:
    """Draw the results of one or more files: wins or digs, and times, of all solvers."""
    from gui.commands.lab import split_names  # noqa: PLC0415
    from gui.commands.lab_graphs import plot_files  # noqa: PLC0415

    raise typer.Exit(plot_files(results, split_names(solvers), out, _console))


@lab.command(cls=options.Command)
def graphs(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="digs-by-size, digs-by-density, wins-by-density. Default: all."),
    ] = None,
    games: Games = None,
    seed: Seed = 0,
    nodes: Nodes = 20_000,
    workers: Workers = None,
    scheduler: Scheduler = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for results and pictures.")] = (
        Path("graphs")
    ),
) -> None:
    """Draw the digs of the hunters, and the win rates and times of the solvers, by density."""
    from gui.commands.lab_graphs import run_graphs  # noqa: PLC0415
    from gui.lab.runs import Order  # noqa: PLC0415

    order = partial(
        Order,
        games=games or _GAMES,
        seed=seed,
        nodes=nodes or None,
        workers=workers or cpu_count() or 1,
    )
    raise typer.Exit(run_graphs(order, out, names or (), scheduler, _console))
