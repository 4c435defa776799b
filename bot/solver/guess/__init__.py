"""Choose a guess in mid-game: no cell is certain, and too much is unknown to search.

The candidates are the cells nearly as safe as the safest. For each hint that a candidate may show,
the position after it is solved exactly, described by 197 features (`features`) and valued by small
networks (`network`) that were trained on self-played games. `choice` compares the candidates by a
score that is computed from this estimate of the chance to win, *Hill's rule* and 55 of the
features, and was fitted to rollouts (`tests.tools.fit_score`). Hill's rule is the best published
one (David N. Hill, JSMinesweeper): safety times that of the best next move, with a bonus for proved
safe cells. With time to think, games are simulated to compare the candidates (`race`, `rollouts`).

Policies are compared in *weighted* games (`tests/support/guess_games.py`): each guess multiplies
the weight of the game by its exact safety, and the game goes on as if it had survived. The mean
weight is the chance to win, with a smaller variance than the share of games won: over 20,000 Expert
boards +-0.37 points (95 %) instead of +-0.67. On the same boards 6,000 games compare two policies
to +-0.25 points:

    python -m tests.benchmarks.strength --fresh 0 --solver 0 --weighted 6000 --seed 0

prints the chance to win with the code as it is; to compare two values of a threshold, run it with
each, and to compare weights, with `--against FILE`. Boards with seeds from 900,000,000 on, the
default, are for the final measurement only: choose nothing by them. bot/RESULTS.md says what was
tried.
"""
