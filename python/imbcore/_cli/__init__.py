"""The command line: the `imbcore` command."""

from imbcore._cli.commands import cli, main

__all__ = ["cli", "main"]
