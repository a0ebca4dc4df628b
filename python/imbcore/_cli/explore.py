"""`imbcore explore`."""

from __future__ import annotations

from typing import Any

import click

from imbcore._cli.options import (
    NoRepeatedOptionsCommand,
    drop_redundant_budget_key,
    find_label_by_text,
    format_help_examples,
    may_force,
    parse_number_or_pairs,
    threads_option,
)
from imbcore._cli.outputs import reject_overwriting_outputs
from imbcore._cli.reading import add_text_file_options, text_format_from_options


@click.command(
    cls=NoRepeatedOptionsCommand,
    epilog=format_help_examples(
        "imbcore explore model.imb test.csv --target y -o page.html",
        "imbcore explore model.imb test.csv --target y --rows-per-day 50000 -o page.html",
        "imbcore explore model.imb test.parquet --target y --positive fraud --title Cards -o page.html",
        "imbcore explore model.imb test.csv -t y --time day --alerts alerts=200,per=1d,by=card -o page.html",
    ),
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
    help="Rows per day, for a budget of alerts.  [default: with --time the mean, else the rows of DATA]",
)
@click.option(
    "--groups", metavar="COLUMN", help="Column of cards or customers, whose alerts count once per day."
)
@click.option(
    "--time",
    metavar="COLUMN",
    help="Column of times, numbers or dates (formats: --date-format); the page then has scores per day.",
)
@click.option(
    "--alerts",
    callback=parse_number_or_pairs,
    metavar="BUDGET",
    help="With --time: alerts that are checked per period, and columns of customers and amounts: "
    "alerts=200,per=1d,by=customer,amount=amount.  [default: 100 per day]",
)
@click.option("--title", metavar="TEXT", help="Heading of the page.")
@may_force
@add_text_file_options
@threads_option
def explore(
    model: str,
    data: str,
    target: str,
    output: str,
    positive: str | None,
    rows_per_day: int | None,
    groups: str | None,
    time: str | None,
    alerts: Any,
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
    from imbcore._validation.table import Table

    reject_overwriting_outputs([(output, "page")], [model, data], force=force)
    fitted = imbcore.load(model)
    label = find_label_by_text(positive, fitted.classes_, "model")
    alerts = drop_redundant_budget_key(alerts, groups)
    pairs = alerts if isinstance(alerts, dict) else {}
    related = {"--groups": groups, "--time": time}
    related |= {f"--alerts {key}": pairs.get(key) for key in ("by", "amount")}
    text_format = text_format_from_options(reading)
    features, labels, values = read_labelled(data, fitted, target, text_format, related)
    columns = dict(features._imbcore_columns_())
    if (amount := pairs.get("amount")) is not None:
        columns = {amount: values["--alerts amount"], **columns}
    if "--alerts by" in values:
        alerts = {**pairs, "by": values["--alerts by"]}
    fitted.explore(
        Table(columns),
        labels,
        output,
        positive=label,
        rows_per_day=rows_per_day,
        groups=values.get("--groups"),
        time=values.get("--time"),
        alerts=alerts,
        date_format=text_format.date_format,
        title=title,
        model_file=model,
        n_threads=threads,
    )
    click.echo(f"page: {output}")
