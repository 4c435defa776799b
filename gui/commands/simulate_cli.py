"""The command line of `minesweeper-bot simulate`."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from bot.game import LEVELS, FirstClick
from gui.commands.options import MOST_SEED, Digging, LevelName, LookName, parse_size

_OF_THE_WINDOW: Final = {
    "look": "--look",
    "scale": "--scale",
    "animation": "--animation",
    "win_dialog": "--win-dialog",
}
"""Options without effect in a terminal."""


def simulate(
    context: typer.Context,
    level: Annotated[LevelName, typer.Option(help="The level.")] = LevelName.BEGINNER,
    size: Annotated[
        str | None, typer.Option(help="A custom board, COLSxROWSxMINES, such as 24x20x99.")
    ] = None,
    look: Annotated[LookName, typer.Option(help="Look of the game.")] = LookName.CLASSIC,
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

    rows, cols, count = _size(size, level)
    if terminal:
        for name, option in _OF_THE_WINDOW.items():
            source = context.get_parameter_source(name)
            if source is not None and source.name != "DEFAULT":
                raise typer.BadParameter(
                    f"{option} has no effect with --terminal: leave one of them out"
                )
        from gui.terminal.app import run_terminal  # noqa: PLC0415
        from gui.terminal.options import TerminalOptions  # noqa: PLC0415

        try:
            chosen = TerminalOptions(
                rows, cols, count, first_click, seed, question_marks, solver, digging
            )
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--size") from error
        raise typer.Exit(run_terminal(chosen))
    if solver is not None:
        raise typer.BadParameter("--solver needs --terminal")
    from gui.simulator import SimulatorOptions, run_simulator  # noqa: PLC0415

    try:
        options = SimulatorOptions(
            rows=rows,
            cols=cols,
            mines=count,
            look=look.value,
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


def _size(size: str | None, level: LevelName) -> tuple[int, int, int]:
    if size is None:
        chosen = LEVELS[level.value]
        return chosen.rows, chosen.cols, chosen.mines
    try:
        return parse_size(size)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
