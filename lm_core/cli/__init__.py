"""The command line: one module a sub-command, each with `HELP`, `add_arguments` and `run`."""
