"""The thin command and the entry point behind it."""
