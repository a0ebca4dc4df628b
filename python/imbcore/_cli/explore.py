"""`imbcore explore`."""

from __future__ import annotations

from typing import Any

import click

from imbcore._cli.options import examples, label_like, may_force
from imbcore._cli.outputs import check_outputs
from imbcore._cli.reading import format_of, reading_options


@click.command(
    epilog=examples(
        "imbcore explore model.imb test.csv --target y -o page.html",
        "imbcore explore model.imb test.csv --target y --rows-per-day 50000 -o page.html",
        "imbcore explore model.imb test.parquet --target y --positive fraud --title Cards -o page.html",
    )
)
@click.argument("model")
@click.argument("data")
@click.option("--target", "-t", required=True, metavar="COLUMN", help="Column with the class labels.")
@click.option("--output", "-o", required=True, metavar="FILE", help="Page to write, usually *.html.")
@click.option(
    "--positive",
    metavar="LABEL",
    help="Class that raises alerts, against all others.  [default: the model's positive class]",
)
@click.option(
    "--rows-per-day",
    type=click.IntRange(1),
    metavar="N",
    help="Rows per day, for a budget of alerts.  [default: the rows of DATA]",
)
@click.option("--title", metavar="TEXT", help="Heading of the page.")
@may_force
@reading_options
@click.option(
    "--threads", type=int, metavar="N", help="Number of threads; -1 for all cores.  [default: all cores]"
)
def explore(
    model: str,
    data: str,
    target: str,
    output: str,
    positive: str | None,
    rows_per_day: int | None,
    title: str | None,
    force: bool,
    threads: int | None,
    **reading: Any,
) -> None:
    """Write an interactive page for choosing the alert threshold, from the rows of DATA.

    Use rows that were not used for training. The page is one HTML file that needs no network.
    """
    import imbcore
    from imbcore._cli.tables import read_labelled

    check_outputs([(output, "page")], [model, data], force=force)
    fitted = imbcore.load(model)
    label = label_like(positive, fitted.classes_, "model")
    features, labels = read_labelled(data, fitted, target, format_of(reading))
    fitted.explore(
        features,
        labels,
        output,
        positive=label,
        rows_per_day=rows_per_day,
        title=title,
        model_file=model,
        n_threads=threads,
    )
    click.echo(f"page: {output}")
