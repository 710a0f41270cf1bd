"""How does a call run? From admission to answer, alone, as a replayed step or within a composition."""
