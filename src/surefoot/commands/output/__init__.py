"""What does a caller read? Results, errors, help, divergences: as text, as JSON, without secrets."""
