"""Command that reruns the tables and figures of the papers."""

from __future__ import annotations

import sys
from typing import Any

import click

import reproduce
from imbcore._cli.console import progress_bar_callback, run_command
from imbcore._cli.options import format_help_examples
from imbcore._cli.standard_streams import (
    OutputPipeClosedError,
    discard_output,
    open_standard_streams,
    write_error_line,
)
from imbcore.exceptions import ImbcoreError, ParameterError
from reproduce._names import find

PROGRAM = "python python/papers/reproduce"


def _listed(_context: click.Context, _option: click.Parameter, text: str | None) -> tuple[str, ...] | None:
    names = tuple(name.strip() for name in (text or "").split(",") if name.strip())
    return names or None


@click.command(
    epilog=format_help_examples(
        f"{PROGRAM} --list",
        f"{PROGRAM} hddt-table1 beat-table1 --quick",
        f"{PROGRAM} svr-table3 --variant code --datasets yeast,glass --jobs -1 --out paper",
        f"{PROGRAM} all --quick",
    )
)
@click.argument("names", nargs=-1, metavar="NAME...")
@click.option("--list", "listing", is_flag=True, help="List the tables and figures, and exit.")
@click.option("--data", metavar="FOLDER", help="Use data sets from here only; also: IMBCORE_DATA.")
@click.option("--datasets", callback=_listed, metavar="A,B", help="Only these data sets.")
@click.option("--methods", callback=_listed, metavar="M,N", help="Only these methods.")
@click.option(
    "--replicates", type=click.IntRange(1), metavar="N", help="Replications.  [default: the paper's]"
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Random seed; equal seeds give equal results.",
)
@click.option("--jobs", type=int, default=1, show_default=True, help="Fits at a time; -1 for all cores.")
@click.option(
    "--time-limit",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="For one fit; a slower fit counts as missing.",
)
@click.option("--variant", metavar="WORD", help="Another interpretation of the paper; --list names them.")
@click.option("--quick", is_flag=True, help="Fewer replications and sets: about two minutes each.")
@click.option(
    "--out", default="paper", show_default=True, metavar="FOLDER", help="Folder for tables and figures."
)
def command(names: tuple[str, ...], listing: bool, **options: Any) -> int:
    """Rerun tables and figures of the papers and compare them with the printed values.

    NAME is one or more of the list, or "all". Finished runs are not repeated: records in the output folder
    are read back, and the run resumes where it stopped. The exit code is 0 if every table was written.
    """
    if listing:
        _list()
        return 0
    if not names:
        raise click.UsageError("name a table or figure, or all; --list shows them")
    chosen = reproduce.names() if "all" in names else names
    unknown = [name for name in chosen if name not in reproduce.names()]
    if unknown:
        raise click.UsageError(f"there is no table or figure {unknown[0]!r}; --list shows them")
    options["n_jobs"] = options.pop("jobs")
    return max([_one(name, options, alone=len(chosen) == 1) for name in chosen])


def _one(name: str, options: dict[str, Any], *, alone: bool) -> int:
    """Run one experiment; if there are several, report its error and let the others continue."""
    try:
        with progress_bar_callback() as callback:
            report = reproduce.reproduce(name, callback=callback, **options)
    except (ImbcoreError, OSError) as error:
        if alone or isinstance(error, ParameterError):
            raise
        write_error_line(f"imbcore: error: {name}: {error}")
        return 1
    try:
        click.echo(report.markdown())
        click.echo(f"files: {options['out']}/{name}")
    except OutputPipeClosedError:
        # A closed reader does not stop the experiments that follow.
        discard_output(sys.stdout)
    return 0


def _list() -> None:
    width = max(map(len, reproduce.names()))
    for name in reproduce.names():
        experiment = find(name)
        variants = f" (variants: {', '.join(experiment.variants)})" if experiment.variants else ""
        click.echo(f"{name.ljust(width)}  {experiment.title}{variants}")


def main() -> None:
    """Run the command and leave with its exit code."""
    open_standard_streams()
    sys.exit(run_command(command, program=PROGRAM))
