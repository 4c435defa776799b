"""Learn an unknown skin: cluster its tiles, infer their states, ask the user about the rest.

- `features`, `clustering`: descriptions of tile pictures, and kinds of tiles that look alike
- `evidence`, `puzzle`, `rules`: how well a state fits a kind, by pictures, changes and rules
- `labelling`: the best states of all kinds, and the alternatives
- `learner`: learns from one board after the other, and asks `questions`
- `learning_reader`, `skin_learner`: read a board meanwhile; learn from pictures, and save the skin
- `button`: a button near the board that may start the next game
"""
