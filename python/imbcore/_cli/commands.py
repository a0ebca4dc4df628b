"""The command `imbcore`: fit, predict, evaluate and inspect models from a terminal."""

from __future__ import annotations

import sys

import click

from imbcore._cli.check import check
from imbcore._cli.compare import compare
from imbcore._cli.console import run_command
from imbcore._cli.correct_prior import correct_prior
from imbcore._cli.datasets import datasets
from imbcore._cli.evaluate import evaluate
from imbcore._cli.explain import explain
from imbcore._cli.explore import explore
from imbcore._cli.export import export
from imbcore._cli.fit import fit, predict
from imbcore._cli.options import format_help_examples
from imbcore._cli.score import score
from imbcore._cli.show import methods, show
from imbcore._cli.standard_streams import open_standard_streams


def _print_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted:
        import imbcore

        click.echo(f"imbcore {imbcore.__version__}")
        context.exit()


@click.group(
    invoke_without_command=True,
    epilog=format_help_examples(
        "imbcore evaluate train.csv --target y --method hddt,cart",
        "imbcore fit train.csv --target y --method hddt -o model.imb",
        "imbcore predict model.imb new.csv -o out.csv --proba",
        "imbcore show model.imb --rules",
    ),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
@click.pass_context
def cli(context: click.Context) -> None:
    """Classification with a rare class.

    Tables are CSV, CSV.gz or Parquet files, recognized by their file names.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


_COMMANDS = (
    fit,
    predict,
    score,
    explain,
    check,
    correct_prior,
    explore,
    evaluate,
    compare,
    methods,
    show,
    export,
    datasets,
)
for command in _COMMANDS:
    cli.add_command(command)


def main() -> None:
    """Run the command line and leave with its exit code."""
    open_standard_streams()
    sys.exit(run_command(cli))
