"""The command line, called as a function."""

from imbcore._cli import cli
from imbcore._cli.console import run_command


def run(*args: str) -> int:
    return run_command(cli, list(args))


def fit(*more: str) -> None:
    assert run("fit", "train.csv", "--target", "label", "--drop", "key", "-o", "model.imb", *more) == 0
