"""A game on a private screen: started, kept, shown, played there, and ended whatever happens."""
