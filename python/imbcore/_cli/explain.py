"""`imbcore explain`."""

from __future__ import annotations

from inspect import signature
from typing import Any

import click

from imbcore._cli.options import (
    NoRepeatedOptionsCommand,
    find_label_by_text,
    format_help_examples,
    may_force,
    threads_option,
)
from imbcore._cli.outputs import reject_overwriting_outputs
from imbcore._cli.reading import add_text_file_options, text_format_from_options
from imbcore._cli.standard_streams import write_error_line


@click.command(
    cls=NoRepeatedOptionsCommand,
    epilog=format_help_examples(
        "imbcore explain model.imb alerts.csv -o reasons.csv",
        "imbcore explain model.imb alerts.csv --top 5 --label fraud -o reasons.csv",
        "imbcore explain model.imb alerts.csv --background harmless.csv -o reasons.csv",
        "imbcore explain model.imb alerts.csv --text",
    ),
)
@click.argument("model")
@click.argument("data")
@click.option(
    "--output", "-o", default="-", metavar="FILE", help="Table to write; '-' is CSV to standard output."
)
@click.option(
    "--top", type=click.IntRange(1), default=3, show_default=True, help="Number of reasons per row."
)
@click.option(
    "--label", metavar="LABEL", help="Class to explain; not for boxes.  [default: the model's positive class]"
)
@click.option(
    "--background",
    metavar="FILE",
    help="Table of background rows; not for boxes and Bayesian classifiers.  [default: the training rows]",
)
@click.option("--text", is_flag=True, help="Write the reasons as sentences to standard output.")
@click.option(
    "--keep",
    multiple=True,
    metavar="COLUMN",
    help="Column of DATA to write before the reasons, such as a key; repeatable.",
)
@may_force
@add_text_file_options
@threads_option
def explain(
    model: str,
    data: str,
    output: str,
    top: int,
    label: str | None,
    background: str | None,
    text: bool,
    keep: tuple[str, ...],
    force: bool,
    threads: int | None,
    **reading: Any,
) -> None:
    """Explain the predictions of a model file for every row of the table DATA.

    The output has one row for each row of DATA, in the same order: the probability of the explained class,
    or its score, and the features with the largest contributions, described in text. For box models: the
    boxes that contain the row, or the conditions that keep it out of the nearest box. Columns that are not
    features of the model are ignored. The column `probability` is that of `predict --proba`. The reasons
    explain the output before calibration or correction of the class prior: as log-odds if there is a column
    `log_odds`, as a score if there is a column `score`, else as a probability.
    """
    import imbcore
    from imbcore._bindings.fitted import fitted_model
    from imbcore._cli.tables import read_features, read_features_and_kept_columns, write_columns
    from imbcore._model.sourced import join_kept_columns

    if text and (output != "-" or keep):
        raise click.UsageError("--text writes sentences to standard output; leave out -o and --keep")
    inputs = [model, data, *([background] if background else [])]
    reject_overwriting_outputs([(output, "table")], inputs, force=force)
    fitted = fitted_model(imbcore.load(model), "explain", "explain")
    options: dict[str, Any] = {}
    if label is not None:
        options["label"] = find_label_by_text(label, fitted.classes_, "model")
    if background is not None:
        options["background"] = read_features(background, fitted, text_format_from_options(reading))
    for name in options.keys() - signature(fitted.explain).parameters.keys():
        raise click.UsageError(f"--{name} has no effect on a model of method {fitted.method!r}; leave it out")
    features, kept = read_features_and_kept_columns(data, fitted, text_format_from_options(reading), keep)
    found = fitted.explain(features, n_threads=threads, **options)
    if fitted.calibration_ is not None:
        write_error_line(
            "imbcore: the reasons explain the output before calibration; the column probability is calibrated"
        )
    if text:
        click.echo(found.to_text(top), nl=False)
    else:
        write_columns(output, join_kept_columns({name: kept[name] for name in keep}, found.to_columns(top)))
