"""One module a family of commands: argument structs, handlers, descriptors."""
