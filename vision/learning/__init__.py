"""Learn an unknown skin: cluster its tiles, infer their states, ask the user about the rest."""
