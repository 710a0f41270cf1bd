"""surefoot: UI automation whose recordings replay without ever acting on the wrong element."""
