"""One normalisation, byte-bounded truncation, safe single-line rendering."""
