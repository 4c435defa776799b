"""Choose a guess in mid-game: no cell is certain, and too much is unknown to search.

The candidates are the cells nearly as safe as the safest. For each hint that a candidate may show,
the position after it is solved exactly, described by 197 features (`features`) and valued by small
networks (`network`) that were trained on self-played games. `choice` compares the candidates by a
score that is computed from this estimate of the chance to win, *Hill's rule* and 55 of the
features, and was fitted to rollouts (`tests.tools.fit_score`). Hill's rule is the best published
one (David N. Hill, JSMinesweeper): safety times that of the best next move, with a bonus for proved
safe cells.

Experiments. Policies were compared in *weighted* games (`tests/support/guess_games.py`): each guess
multiplies the weight of the game by its exact safety, and the game goes on as if it had survived.
The mean weight is the chance to win, with a smaller variance than the share of games won (20,000
Expert boards, first cell safe, always the safest cell: 37.24 +- 0.37 % by weight, 37.09 +- 0.67 %
by games won). On the same boards, 6,000 games compare two policies to +- 0.25 points (95 %).

`python -m tests.benchmarks.strength --fresh 0 --solver 0 --weighted 6000 --seed 0` prints the
chance to win with the code as it is. No command prints the tables below: to compare two values of a
threshold, run it with each. Boards with seeds from 900,000,000 on, the default, are for the final
measurement only: choose nothing by them.

Hill's rule with the end-game search wins 41.15 +- 0.66 % of Expert games with the first cell safe.
The other policies differ from it in the positions that the networks were trained on, and in whether
their estimate is multiplied by the score of Hill's rule. They win so many points more:

| policy | games | points more than Hill's rule |
|---|---|---|
| older networks: 750,000 positions labelled with results; with the score | 6,000 | +0.20 +- 0.22 |
| 177,000 positions of weighted games by Hill's rule, 197 features | 6,000 | -0.50 +- 0.28 |
| that times the score to the power of 0.4 | 6,000 | -0.07 +- 0.24 |
| 1,190,000 positions of games by the quick policy (below) | 6,000 | +0.13 +- 0.27 |
| that times the score to the power of 0.4 | 6,000 | +0.27 +- 0.24 |
| trained further with 123,000 positions of games played with it | 6,000 | +0.11 +- 0.27 |
| that times the score to the power of 0.4 | 6,000 | +0.32 +- 0.24 |
| the same with 215,000 positions: the policy of the following tables | 4,000 | +0.04 +- 0.31 |
| a second guess searched for up to three cells within 2 % | 2,500 | -0.02 +- 0.39 |

Two steps lead from there to the present policy:

1. The networks were trained on with 2,878,000 positions of games that they played themselves.
2. The score was fitted to 100 or 50 rollouts of each candidate of 3,478 guesses in mid-game
   (`tests.tools.rollout_values`), nearly equally many by both rules of the first click. The chance
   to win differs by 0.0140 (standard deviation) between candidates that are nearly the best, and
   from the score by 0.0092 (cross-validated). More features, functions of single candidates, and
   functions that are not linear have about the same error.

Both gain on boards that nothing was chosen by (`python -m tests.benchmarks.strength --fresh 0
--solver 0 --weighted 24000 --against FILE`, with older weights from the history of the repository):

| 24,000 games each | points more by the networks | by both |
|---|---|---|
| Expert, first cell safe | +0.12 +- 0.10 | +0.20 +- 0.10 |
| Expert, a zero opened first | +0.10 +- 0.09 | +0.16 +- 0.10 |
| Intermediate, first cell safe | +0.01 +- 0.04 | +0.03 +- 0.04 |
| Beginner, first cell safe | +0.02 +- 0.01 | +0.01 +- 0.01 |

The estimates of the older networks differ from those of the present ones by 0.029 (the root of the
mean square, on 6,000 other games), those of two trainings from different initial weights by 0.008:
the older ones had seen too few positions. On these games the mean squared error falls from 0.05210
to 0.05166, 0.05150 and 0.05140 with 250,000, 970,000 and 1,560,000 positions. Networks of 128 and
32 units that were trained on 1,410,000 of them alone have 0.05143, those of 48 and 24 units
0.05145, and the mean of two sets of networks 0.05139. So neither more positions nor larger networks
can gain much more: what is left is the result's own variance, and what the features do not show.

| change of the older policy | games | points more than the older policy |
|---|---|---|
| candidates give up 20 % of the safety, not 10 % (`BAND`) | 4,000 | +0.01 +- 0.13 |
| candidates give up 50 %: twice the time | 3,000 | +0.03 +- 0.16 |
| a second guess searched for up to five cells within 5 % | 4,000 | +0.02 +- 0.31 |

`BAND` was chosen with older networks, by games won of 5,000 on the same boards: giving up 16 % of
the safety won 0.6 points more than Hill's rule, 10 % won 1.3 +- 0.8 points more.

A score that was fitted to 2,757 of the guesses, all candidates alike, gained +0.11 +- 0.07 (first
cell safe) and +0.12 +- 0.09 over the networks alone, on 24,000 other boards. An earlier one that
was used in the opening, too, lost 0.7 +- 0.5 points with the first cell safe (4,000 games): it was
fitted to few such positions (`OPENING`).

With a zero opened first (4,000 games) Hill's rule wins 54.43 +- 0.91 %, the older policy +0.03
+- 0.28 points more, the older networks +0.08 +- 0.3.

The mean squared error of the estimate on other games fell by 115e-5 from 100,000 to 440,000
positions, by 20e-5 with averaging of networks, by 160e-5 with further training; labels mixed with
the value of the next guess were 20e-5 to 40e-5 worse. The share of games won hardly depends on it.

The remaining loss was measured with the end-game search: in 1,000 end games with 64 to 5,000
solutions, of which perfect play wins 51.7 %, this policy loses 1.50 +- 0.14 points (1.59 without
the score, 1.47 to 1.50 with a second guess). 0.55 of them are cells that are no candidates: a risk
that must be taken at some time, and gives information if it is taken early. With candidates that
give up 50 % of the safety it loses 1.41, and 1.37 without the score. The standard deviation
of the estimate's error is 0.07 there in all cases: the features do not show the later cost of each
component. The chance to win each component alone shows a part of it: in 273 of 511 other end games
with several independent components, the error falls from 0.073 to 0.065 with their product (linear,
cross-validated; each component's placements equally likely). The product alone errs by 0.12, as the
number of mines connects them.

On boards that were used for no choice (`tests.benchmarks.strength --fresh 50000`, 50,000 of each
kind) the older policy wins 40.78 +- 0.44 % with the first cell safe and 54.40 +- 0.44 % with a zero
opened first; the record holder wins 41.0 and 54.1 of 20,000 (+- 0.7).

The remaining error of the comparison was measured with rollouts that end at the next guess, where
the network's estimate counts: 48 of each of up to six candidates of 2,879 guesses, nine in ten of
them on Expert, by both rules of the first click. The standard deviation is that of a candidate
within its guess, after 0.75 times the difference of the older score; the last column
is what a choice without error would gain if the errors were normal:

| solutions, bits | guesses a game | standard deviation | points a game |
|---|---|---|---|
| 12 to 60 | 0.30 | 0.021 | 0.36 |
| 60 to 200 | 0.26 | 0.014 | 0.17 |
| 200 to 330 | 0.72 | 0.010 | 0.29 |
| above 330 | 0.66 | 0.003 | 0.02 |

The features show little of this error. A linear function of all 197 explains 26 % of the variance
of the network's error in these differences (cross-validated), one of the network's value, the
safety and the score 21 %, the score with its fixed weights 24 %. An error of 0.01 takes about 100
rollouts of each candidate to halve its variance.

Rollouts that end at the next guess take an eighth of the time of whole ones, and their differences
have 0.75 of the variance. They are biased where few solutions are left: up to 60 bits the mean
square of the bias is 6.8 +- 1.6, that of the network's error 14.0 +- 2.9, in 1e-4 (78 guesses). A
rollout that ends at the fourth guess has a bias of 0.4 +- 0.2.

Choices were compared at each guess of plain games by the changed player: where the two players open
different cells, 24 to 40 rollouts by VALUE of both, on the same boards. The mean sum over a game is
the difference between the players (the performance difference lemma: Kakade and Langford 2002).

| change of the older policy | games | points a game more |
|---|---|---|
| up to 60 bits: 240 rollouts (0.3 s of a busy core, at 0.3 guesses) | 2,151 | +0.08 +- 0.04 |
| from 60 to 120 bits too (0.5 s, at 0.14 guesses) | 1,137 | +0.03 +- 0.02 |
| from 120 to 330 bits too (0.65 s, at one guess) | 448 | +0.01 +- 0.15 |
| another score, fitted to the rollouts above | 421 | 0.00 +- 0.12 |

In 1,014 of the games of the first row candidates gave up 30 % of the safety: 24 changes to a cell
that is at least 2 % riskier gained 0.0 +- 1.2 points each.

With time to think the candidates are compared by games that are simulated to their end (`rollouts`,
`race`). `python -m tests.benchmarks.rollouts OUT --games 589 --bits 330` measures the gain at one
guess of each game, times the number of its guesses (Expert, first cell safe, guesses with up to 2
** 330 solutions; the first 94 games with another prior):

| games simulated at a guess | s of one core | another cell | points a game more |
|---|---|---|---|
| 90 | 0.11 | 82 of 365 | +0.15 +- 0.11 |
| 900, less where one is soon best | 0.84 | 134 of 365 | +0.22 +- 0.13 |

The network overrates the candidate with the highest score: by 150 rollouts of each candidate of 33
guesses, the others are 0.9 +- 0.5 points better than it says
(`python -m tests.tools.rollout_values`).

The quick policy (`QUICK` in `policies`, for training) maximises the safety times
1 + 0.15 times the probability that all neighbours are decided. It wins 39.2 +- 0.5 % where the
safest cell wins 38.0, with 1,000 games a second.
`python -m tests.tools.train_guess` trains the networks.
"""
