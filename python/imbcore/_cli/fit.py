"""`imbcore fit` and `imbcore predict`."""

from __future__ import annotations

from typing import Any

import click

from imbcore._cli.adapt import adapting, say_shares
from imbcore._cli.console import parse_parameters, progress
from imbcore._cli.options import RESERVED, examples, fitting_arguments, may_force, with_fitting_options
from imbcore._cli.outputs import check_outputs
from imbcore._cli.show import summary

__all__ = ["fit", "predict"]


@click.command(
    epilog=examples(
        "imbcore fit train.csv --target y --method hddt -o model.imb",
        "imbcore fit train.csv.gz -t y -m cart -p max_depth=4 --class-weight balanced -o model.imb",
        "imbcore fit train.parquet --target y --method c44 -p leaf=m_estimate -p prior_weight=2 -o model.imb",
    )
)
@click.argument("data")
@click.option(
    "--method", "-m", default="hddt", show_default=True, metavar="NAME", help="See: imbcore methods."
)
@click.option("--output", "-o", required=True, metavar="FILE", help="Model file to write, by habit *.imb.")
@may_force
@with_fitting_options
def fit(data: str, method: str, output: str, force: bool, **options: Any) -> None:
    """Fit a method to the table DATA and write a model file."""
    from imbcore import _api
    from imbcore._cli.tables import read_training_table

    check_outputs([(output, "model")], [data], force=force)
    parameters = parse_parameters(options["pairs"], reserved=RESERVED)
    table = read_training_table(data, options)
    with progress() as callback:
        model = _api.fit(
            table.X, table.y, method, callback=callback, **fitting_arguments(options, table), **parameters
        )
    model.save(output)
    click.echo(f"{output}: {summary(model)}, fitted to {len(table.y):,} rows")


@click.command(
    epilog=examples(
        "imbcore predict model.imb new.csv -o out.csv",
        "imbcore predict model.imb new.parquet -o out.parquet --proba",
        "imbcore predict model.imb new.csv --threshold 0.31 -o out.csv",
        "imbcore predict model.imb new.csv | head",
        "imbcore predict model.imb new.csv --adapt -o out.csv",
    )
)
@click.argument("model")
@click.argument("data")
@click.option(
    "--output", "-o", default="-", metavar="FILE", help="Table to write; '-' is CSV to standard output."
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    metavar="NUMBER",
    help="Answer the positive class from this probability on.  [default: as the model was fitted]",
)
@click.option("--proba", is_flag=True, help="Also write the probability of every class.")
@click.option(
    "--interval", is_flag=True, help="Also write the interval of every probability (--calibrate venn_abers)."
)
@click.option(
    "--adapt",
    is_flag=True,
    help="First estimate the shares of the classes among these rows, as: imbcore adapt. What is found is "
    "said on standard error.",
)
@adapting
@may_force
@click.option("--threads", type=int, metavar="N", help="Threads; -1 for all cores.  [default: all cores]")
def predict(
    model: str,
    data: str,
    output: str,
    threshold: float | None,
    proba: bool,
    interval: bool,
    adapt: bool,
    method: str,
    force: bool,
    threads: int | None,
) -> None:
    """Predict the class of every row of the table DATA with a model file.

    The output has one row for each row of DATA, in the same order. Columns that are not features of the
    model, such as the target, are ignored.
    """
    import imbcore
    from imbcore._cli.tables import read_features, write_columns

    check_outputs([(output, "table")], [model, data], force=force)
    fitted = imbcore.load(model)
    if threshold is not None:
        fitted = fitted.with_threshold(threshold)
    features = read_features(data, fitted)
    if adapt:
        fitted = fitted.adapt(features, method=method, n_threads=threads)
        say_shares(fitted, err=True)
    columns: dict[str, Any] = {"prediction": fitted.predict(features, n_threads=threads)}
    if proba:
        shares = fitted.predict_proba(features, n_threads=threads)
        columns |= {f"proba_{label}": shares[:, k] for k, label in enumerate(fitted.classes_)}
    if interval:
        ends = fitted.predict_proba_interval(features, n_threads=threads)
        for name, end in zip(("low", "high"), ends, strict=True):
            columns |= {f"{name}_{label}": end[:, k] for k, label in enumerate(fitted.classes_)}
    write_columns(output, columns)
