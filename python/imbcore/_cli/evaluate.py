"""`imbcore evaluate`."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from imbcore._cli.console import parse_parameters, progress
from imbcore._cli.options import RESERVED, examples, fitting_arguments, may_force, with_fitting_options
from imbcore._cli.outputs import check_outputs

__all__ = ["evaluate"]


@click.command(
    epilog=examples(
        "imbcore evaluate data.csv --target y",
        "imbcore evaluate data.csv --target y --method hddt,c44,cart --repeats 3 --positive yes",
        "imbcore evaluate data.csv --target y --method hddt,cart --html report.html --json scores.json",
    )
)
@click.argument("data")
@click.option(
    "--method",
    "-m",
    "names",
    default="hddt",
    show_default=True,
    metavar="NAMES",
    help="One or more, with commas.",
)
@click.option(
    "--folds", type=click.IntRange(2), default=5, show_default=True, help="Folds of the cross-validation."
)
@click.option(
    "--repeats", type=click.IntRange(1), default=1, show_default=True, help="Runs with other folds."
)
@click.option("--html", metavar="FILE", help="Also write a report page with curves and the tree.")
@click.option(
    "--json", "as_json", metavar="FILE", help="Also write all scores as JSON; '-' is standard output only."
)
@may_force
@with_fitting_options
def evaluate(
    data: str, names: str, html: str | None, as_json: str | None, force: bool, **options: Any
) -> None:
    """Score methods on the table DATA by stratified cross-validation.

    Every method sees the same folds. The best mean of each line is marked with a star. Precision,
    recall, F1 and average precision speak of the positive class; with more than two classes they are
    means over the classes.
    """
    from imbcore import _api
    from imbcore._cli.tables import read_training_table
    from imbcore._report.page import write_report
    from imbcore._report.scores import best_method, score_table, scores_json

    parameters = parse_parameters(options["pairs"], reserved=RESERVED)
    methods = list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    if not methods:
        raise click.UsageError("--method needs at least one name")
    check_outputs([(html, "page"), (as_json, "json")], [data], force=force)
    table = read_training_table(data, options)
    protocol = {key: options[key] for key in ("folds", "repeats")}
    shared = fitting_arguments(options, table) | parameters
    results = {}
    for name in methods:
        with progress() as callback:
            results[name] = _api.evaluate(table.X, table.y, name, callback=callback, **protocol, **shared)
        # What the first one settled holds for all.
        shared["positive"] = results[name].positive
    if as_json != "-":
        click.echo(score_table(results))
    if html:
        chosen = best_method(results)
        model = _api.fit(table.X, table.y, chosen, **shared)
        command = click.get_current_context().command_path
        write_report(html, results, model, table.X, title=data, reproduce=f"{command} {_retyped()}")
        click.echo(f"report: {html}")
    if as_json:
        _write_text(as_json, json.dumps(scores_json(results), indent=1, ensure_ascii=False) + "\n")


def _retyped() -> str:
    import shlex

    return shlex.join(sys.argv[2:])


def _write_text(path: str, text: str) -> None:
    from imbcore._input.files import atomic_write

    if path == "-":
        click.echo(text, nl=False)
        return
    with atomic_write(path) as file:
        file.write(text.encode())
