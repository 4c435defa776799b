"""Learn an unknown skin: cluster its tiles, infer their states, ask about the rest."""
