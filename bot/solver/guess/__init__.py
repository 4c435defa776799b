"""The guess in mid-game: which cell to open where none is certain and too much is unknown.

Every cell nearly as safe as the safest is tried with each hint that it may show. The position
after it is solved exactly, described by some dozens of numbers (`features`), and valued by
small networks (`network`) that were trained on self-played games. The candidates are
compared by that estimate of the chance to win, times a power of the published rule's score.

What was tried, on Expert boards drawn for it by seed, paired on the same boards (95 %
intervals). The published rule wins 40.24 +- 0.68 % of 20,000 (first cell safe), the safest
cell 37.0 +- 0.7; on the 5,000 boards of this table the rule wins 40.5:

| what | games | points above the rule |
|---|---|---|
| a network trained on 140,000 positions labelled with results | 4,000 | -1.2 +- 1.4 |
| 280,000 positions, labels half of what the next guess is thought worth | 5,000 | -0.7 +- 0.9 |
| the same, but it values only what comes after the next move | 5,000 | -0.2 +- 0.9 |
| that times the rule's score | 5,000 | +0.1 +- 0.7 |
| 470,000 positions, part of them from games that the network played | 5,000 | +0.3 +- 0.9 |
| that times the rule's score | 5,000 | +0.8 +- 0.7 |
| and the tree of the end game, up to 400 solutions | 5,000 | +1.0 |
| 570,000 positions, four networks averaged, the tree, without the rule's score | 5,000 | +0.8 |
| that times the rule's score | 5,000 | +0.9 |
| giving up 5 % of the safety, not 10 % | 5,000 | +0.7 |
| 750,000 positions, 180,000 of them played with these networks, times the score | 5,000 | +0.8 |
| without the score | 5,000 | +0.8 |
| times the score to the power of 0.4: what is used | 5,000 | +1.3 +- 0.8 |
| giving up 16 % of the safety, not 10 % | 5,000 | +0.6 |
| a second ply for the four best candidates | 3,000 | -0.3 +- 0.6 to without |

With a zero opened first the power of 0.4 wins 54.5 % of 5,000, 0.1 +- 0.4 more than the
power of 1. All rows are the same boards, and the choice of the last ones was made on them,
so they flatter. On boards that nothing was chosen by (`tests.bench_strength`, 12,000 fresh
ones of each kind) it wins 40.4 +- 0.9 with the first cell safe and 53.7 +- 0.9 with a zero
opened; the record holder wins 41.0 and 54.1 of 20,000. The networks that are used
were fitted to 750,000 positions of five rounds of self-play, as `tests.train_guess` does it.
"""
