"""The guess in mid-game: which cell to open where none is certain and too much is unknown.

Every cell nearly as safe as the safest is tried with each hint that it may show. The position
after it is solved exactly, described by some 200 numbers (`features`), and valued by
small networks (`network`) that were trained on self-played games. The candidates are
compared by that estimate of the chance to win, times a power of their score by the best rule
that was published: safety times that of the best next move, and a bonus for proved safe cells
(David N. Hill's solvers; his is JSMinesweeper). It is called Hill's rule here.

What was tried, on Expert boards drawn for it by seed. A game won or lost says little, so
these are *weighted* games (`tests.guess_games`): a guess multiplies the weight of the game by its
exact safety, and the game goes on. The mean weight is the chance to win as well (20,000 boards,
first cell safe, always the safest cell: 37.09 +- 0.67 % won, mean weight 37.24 +- 0.37 %), and
policies are compared on the same boards to +- 0.25 points (95 %) with 6,000 games. Here Hill's rule
with the tree of the end game wins 41.15 +- 0.66 % with the first cell safe; points above it:

| what | games | points |
|---|---|---|
| before: 750,000 positions labelled with results, with the score | 6,000 | +0.20 +- 0.22 |
| 177,000 positions of weighted games by the rule, 197 features | 6,000 | -0.50 +- 0.28 |
| that times the score to the power of 0.4 | 6,000 | -0.07 +- 0.24 |
| 1,190,000 positions of games by a quick policy (see below) | 6,000 | +0.13 +- 0.27 |
| that times the score to the power of 0.4 | 6,000 | +0.27 +- 0.24 |
| trained on with 123,000 positions of games played with it | 6,000 | +0.11 +- 0.27 |
| that times the score to the power of 0.4 | 6,000 | +0.32 +- 0.24 |
| the same with 215,000 positions: what is used | 4,000 | +0.04 +- 0.31 |
| giving up 20 % of the safety, not 10 % | 4,000 | +0.01 +- 0.13 to what is used |
| a second guess looked at for up to three cells within 2 % | 2,500 | -0.02 +- 0.39 |
| the same for up to five cells within 5 % | 4,000 | +0.02 +- 0.31 to what is used |

With a zero opened first (4,000 games): the rule 54.43 +- 0.91, what is used +0.03 +- 0.28, the
older networks +0.08 +- 0.3. Looking wider, at cells that give up 50 % of the safety, wins
+0.03 +- 0.16 (3,000 games, first cell safe) and takes twice the time. The estimate itself
became better: the mean squared error on games kept apart fell by 115e-5 from 100,000 to 440,000
positions, by 20e-5 with averaging, by 160e-5 with training on; labels mixed with what the next
guess was thought worth were 20e-5 to 40e-5 worse. The share of games won hardly moves with it.

What is still lost, the tree can tell: in 1,000 end games with 64 to 5,000 solutions, of which
perfect play wins 51.7 %, the guess chosen here gives away 1.50 +- 0.14 points (without the
rule's score 1.59; with a second guess looked at 1.47 to 1.50). 0.55 of them are cells outside
the band: a risk that must be taken some time, and tells something when it is taken early. Giving
up 50 % of the safety loses 1.41, and 1.37 without the rule's score. The estimates are off by
0.07 (standard deviation) there, whatever is looked at: what each component will cost by itself
is what the features do not see.

On boards that nothing was chosen by (`tests.bench_strength --fresh 50000`, 50,000 of each kind)
it wins 40.78 +- 0.44 % with the first cell safe and 54.40 +- 0.44 % with a zero opened; the
record holder wins 41.0 and 54.1 of 20,000 (+- 0.7).

The quick policy takes the safety times 1 + 0.15 times the chance that the hint decides all cells
around it (39.2 +- 0.5 % where the safest cell wins 38.0, 1,000 games a second), `tests.train_guess`
how the networks were made.
"""
