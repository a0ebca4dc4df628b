"""`imbcore fit` and `imbcore predict`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from imbcore._cli.adapt import adapting, say_shares
from imbcore._cli.console import parse_parameters, progress
from imbcore._cli.options import RESERVED, examples, fitting_arguments, may_force, with_fitting_options
from imbcore._cli.outputs import check_outputs
from imbcore._cli.show import summary

if TYPE_CHECKING:
    from imbcore._model.model import Model

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
@click.option(
    "--sets",
    is_flag=True,
    help="Of a ConformalClassifier: also write the p-value of every class, and whether the set holds it.",
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
    sets: bool,
    method: str,
    force: bool,
    threads: int | None,
) -> None:
    """Predict the class of every row of the table DATA with a model file.

    The output has one row for each row of DATA, in the same order. Columns that are not features of the
    model, such as the target, are ignored. The file may be that of a classifier of imbcore.decisions.
    """
    from imbcore._cli.tables import read_features, write_columns
    from imbcore._model.model import Model
    from imbcore.decisions import load

    check_outputs([(output, "table")], [model, data], force=force)
    fitted = load(model)
    # What stands around models has no threads of its own.
    options = {"n_threads": threads} if isinstance(fitted, Model) else {}
    for option, given, need in (
        ("--threshold", threshold is not None, "with_threshold"),
        ("--adapt", adapt, "with_threshold"),
        ("--proba", proba, "predict_proba"),
        ("--interval", interval, "predict_proba_interval"),
        ("--sets", sets, "predict_set"),
    ):
        if given and not hasattr(fitted, need):
            what = "model" if options else type(fitted).__name__
            raise click.UsageError(f"{option} says nothing to the {what} in {model}; leave it out")
    if threshold is not None:
        fitted = fitted.with_threshold(threshold)
    features = read_features(data, _model_inside(fitted))
    if adapt:
        fitted = fitted.adapt(features, method=method, n_threads=threads)
        say_shares(fitted, err=True)
    columns: dict[str, Any] = {"prediction": fitted.predict(features, **options)}
    told: dict[str, Any] = {}
    if proba:
        told["proba"] = fitted.predict_proba(features, **options)
    if interval:
        told["low"], told["high"] = fitted.predict_proba_interval(features, **options)
    if sets:
        told["p"], told["set"] = fitted.p_values(features), fitted.predict_set(features)
    for name, table in told.items():
        columns |= {f"{name}_{label}": table[:, k] for k, label in enumerate(fitted.classes_)}
    write_columns(output, columns)


def _model_inside(fitted: Any) -> Model:
    """Give the model that stands in the middle, whose columns are read."""
    from imbcore._model.model import Model

    return fitted if isinstance(fitted, Model) else _model_inside(fitted.estimator_)
