"""`imbcore fit` and `imbcore predict`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from imbcore._cli.console import file_size_text, parse_parameters, progress_bar_callback
from imbcore._cli.correct_prior import print_class_proportions, prior_estimation_option
from imbcore._cli.options import (
    RESERVED,
    NoRepeatedOptionsCommand,
    add_fitting_options,
    add_training_group_options,
    format_help_examples,
    may_force,
    options_to_fit_arguments,
    reject_options_without,
    threads_option,
)
from imbcore._cli.outputs import reject_overwriting_outputs
from imbcore._cli.reading import add_text_file_options, text_format_from_options
from imbcore._cli.show import describe_decision, summary
from imbcore._cli.sources import (
    list_input_paths,
    open_training_source,
    pieces_option,
    reads_in_batches,
    sample_option,
    write_batch_predictions,
)

if TYPE_CHECKING:
    from imbcore._model.model import Model


@click.command(
    cls=NoRepeatedOptionsCommand,
    epilog=format_help_examples(
        "imbcore fit train.csv --target y --method hddt -o model.imb",
        "imbcore fit train.csv.gz -t y -m cart -p max_depth=4 --class-weight balanced -o model.imb",
        "imbcore fit train.parquet --target y --method c44 -p leaf_estimate=m_estimate -o model.imb",
        "imbcore fit 'data/*.parquet' --target y --method naive_bayes -o model.imb",
        "imbcore fit train.csv -t y --method auto --time-limit 60 -o model.imb",
        "imbcore fit data.csv -t y --threshold f1 --time day --time-gap 7d -o model.imb",
        "imbcore fit data.csv -t y --threshold alerts=200,per=1d,by=customer --time booked_at -o model.imb",
    ),
)
@click.argument("data", nargs=-1, required=True, metavar="DATA...")
@click.option(
    "--method", "-m", default="forest", show_default=True, metavar="NAME", help="See: imbcore methods."
)
@click.option("--output", "-o", required=True, metavar="FILE", help="Model file to write, usually *.imb.")
@click.option(
    "--time-limit",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="Maximum time of the fit, for methods such as auto; same as -p time_limit=SECONDS.",
)
@may_force
@add_training_group_options
@pieces_option
@sample_option
@add_fitting_options
@add_text_file_options
def fit(
    data: tuple[str, ...],
    method: str,
    output: str,
    time_limit: float | None,
    force: bool,
    batch_size: int | None,
    sample: int | None,
    **options: Any,
) -> None:
    """Fit a method to the table DATA and write a model file.

    DATA may be several files, a folder or a quoted glob such as 'data/*.parquet'; they are read in chunks.
    """
    from imbcore import _api
    from imbcore._cli.tables import read_training_table
    from imbcore._validation.alert_budget import alert_budget_groups

    reject_overwriting_outputs([(output, "model")], list_input_paths(data), force=force)
    parameters = parse_parameters(options["pairs"], reserved=RESERVED)
    if time_limit is not None:
        if "time_limit" in parameters:
            raise click.UsageError("the time limit is given as --time-limit and as -p; give it once")
        parameters["time_limit"] = time_limit
    whole = not reads_in_batches(data, batch_size or sample)
    table = read_training_table(data[0], options) if whole else None
    with progress_bar_callback() as callback:
        if table is not None:
            given = options_to_fit_arguments(options, table) | parameters
            n_rows = len(table.y)
            model = _api.fit(
                table.X,
                table.y,
                method,
                callback=callback,
                groups=table.dependence.get("groups"),
                time=table.dependence.get("time"),
                time_gap=options["time_gap"],
                date_format=options["date_format"] if options["time"] else None,
                **given,
            )
        else:
            additional = {key: options[key] for key in ("groups", "time")}
            read = [*additional.values(), alert_budget_groups(options["threshold"])]
            source, labels = open_training_source(data, options, batch_size, callback, read)
            given = options_to_fit_arguments(options, labels) | parameters
            n_rows = source.n_rows
            codes = options["nominal"] or None
            model = _api.fit(
                source,
                options["target"],
                method,
                categorical_features=codes,
                sample=sample,
                callback=callback,
                time_gap=options["time_gap"],
                date_format=options["date_format"] if options["time"] else None,
                **additional,
                **given,
            )
    model.save(output)
    click.echo(f"{output}: {summary(model)}, fitted to {n_rows:,} rows, {file_size_text(output)}")
    for line in describe_decision(model):
        click.echo(line)
    if hasattr(model, "leaderboard_text"):
        click.echo(model.leaderboard_text(), nl=False)


@click.command(
    cls=NoRepeatedOptionsCommand,
    epilog=format_help_examples(
        "imbcore predict model.imb new.csv -o out.csv",
        "imbcore predict model.imb new.parquet -o out.parquet --proba",
        "imbcore predict model.imb new.csv --threshold 0.31 -o out.csv",
        "imbcore predict model.imb new.csv | head",
        "imbcore predict model.imb new.csv --correct-prior -o out.csv",
        "imbcore predict model.imb 'data/*.parquet' --proba -o scores.parquet",
    ),
)
@click.argument("model")
@click.argument("data", nargs=-1, required=True, metavar="DATA...")
@click.option(
    "--output", "-o", default="-", metavar="FILE", help="Table to write; '-' is CSV to standard output."
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    metavar="NUMBER",
    help="Predict the positive class from this probability on.  [default: as the model was fitted]",
)
@click.option("--proba", is_flag=True, help="Also write the probability of every class.")
@click.option(
    "--interval",
    is_flag=True,
    help="Also write an interval for every probability of a model fitted with --calibrate venn_abers.",
)
@click.option(
    "--correct-prior",
    is_flag=True,
    help="First estimate the class proportions among these rows, as imbcore correct-prior does, and print "
    "them to standard error. Only for rows of which nothing but the proportions changed.",
)
@click.option(
    "--sets",
    is_flag=True,
    help="For a ConformalClassifier: also write the p-value of every class and its membership in the set.",
)
@prior_estimation_option
@may_force
@click.option(
    "--keep",
    multiple=True,
    metavar="COLUMN",
    help="Column of DATA to write before the predictions, such as a key; repeatable.",
)
@pieces_option
@add_text_file_options
@threads_option
def predict(
    model: str,
    data: tuple[str, ...],
    output: str,
    threshold: float | None,
    proba: bool,
    interval: bool,
    correct_prior: bool,
    sets: bool,
    method: str,
    force: bool,
    keep: tuple[str, ...],
    batch_size: int | None,
    threads: int | None,
    **reading: Any,
) -> None:
    """Predict the class of every row of the table DATA with a model file.

    DATA may be several files, a folder or a quoted glob; predictions are then written while rows are read.
    The output has one row for each row of DATA, in the same order. Columns that are not features of the
    model, such as the target, are ignored. The model file may hold a classifier of imbcore.decisions.
    """
    from imbcore._cli.tables import read_features_and_kept_columns, write_columns
    from imbcore._model.model import Model
    from imbcore._model.sourced import join_kept_columns
    from imbcore.decisions import load

    reject_overwriting_outputs([(output, "table")], [model, *list_input_paths(data)], force=force)
    fitted = load(model)
    # Decision wrappers have no thread option of their own.
    options = {"n_threads": threads} if isinstance(fitted, Model) else {}
    for option, given, need in (
        ("--threshold", threshold is not None, "with_threshold"),
        ("--correct-prior", correct_prior, "with_threshold"),
        ("--proba", proba, "predict_proba"),
        ("--interval", interval, "predict_proba_interval"),
        ("--sets", sets, "predict_set"),
    ):
        if given and not hasattr(fitted, need):
            what = "model" if options else type(fitted).__name__
            raise click.UsageError(f"{option} has no effect on the {what} in {model}; leave it out")
    pieces = reads_in_batches(data, batch_size)
    if pieces and correct_prior:
        raise click.UsageError(
            "--correct-prior needs all rows at once; first correct the model for one table with "
            "imbcore correct-prior"
        )
    reject_options_without(correct_prior or None, "--correct-prior", "method")
    if threshold is not None:
        fitted = fitted.with_threshold(threshold)

    def answers(features: Any) -> dict[str, Any]:
        columns: dict[str, Any] = {"prediction": fitted.predict(features, **options)}
        tables: dict[str, Any] = {}
        if proba:
            tables["proba"] = fitted.predict_proba(features, **options)
        if interval:
            tables["low"], tables["high"] = fitted.predict_proba_interval(features, **options)
        if sets:
            tables["p"], tables["set"] = fitted.p_values(features), fitted.predict_set(features)
        for name, table in tables.items():
            columns |= {f"{name}_{label}": table[:, k] for k, label in enumerate(fitted.classes_)}
        return columns

    if pieces:
        write_batch_predictions(
            output,
            data,
            _unwrap_innermost_model(fitted),
            answers,
            batch_size,
            text_format_from_options(reading),
            keep,
        )
        return
    features, kept = read_features_and_kept_columns(
        data[0], _unwrap_innermost_model(fitted), text_format_from_options(reading), keep
    )
    if correct_prior:
        fitted = fitted.correct_prior(features, method=method, n_threads=threads)
        print_class_proportions(fitted, err=True)
    write_columns(output, join_kept_columns({name: kept[name] for name in keep}, answers(features)))


def _unwrap_innermost_model(fitted: Any) -> Model:
    """Return the innermost model, whose feature columns are read."""
    from imbcore._model.model import Model

    return fitted if isinstance(fitted, Model) else _unwrap_innermost_model(fitted.estimator_)
