"""How is a browser found, started, shared and spoken to? Processes, pipes, sockets, sessions."""
