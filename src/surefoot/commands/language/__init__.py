"""What may be said, and what does it mean? Arguments, their forms, the gate to an args struct."""
