"""How is an element acted on? Aim, act through real input, say what came of it (web.md, "Acting")."""
