"""`imbcore evaluate`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from imbcore._cli.console import parse_parameters, progress_bar_callback, threshold_as_option
from imbcore._cli.options import (
    RESERVED,
    NoRepeatedOptionsCommand,
    add_fitting_options,
    add_group_and_time_options,
    drop_redundant_budget_key,
    format_help_examples,
    may_force,
    options_to_fit_arguments,
    parse_number_or_pairs,
    reject_methods_among_tables,
    split_method_names,
)
from imbcore._cli.outputs import reject_overwriting_outputs, write_text
from imbcore._cli.reading import add_text_file_options
from imbcore._cli.sources import (
    list_input_paths,
    open_training_source,
    pieces_option,
    reads_in_batches,
    sample_option,
)

if TYPE_CHECKING:
    from imbcore._cli.tables import TrainingTable
    from imbcore.evaluation import Evaluations


@click.command(
    cls=NoRepeatedOptionsCommand,
    epilog=format_help_examples(
        "imbcore evaluate data.csv --target y",
        "imbcore evaluate data.csv --target y --method hddt,c44,cart --repeats 3 --positive yes",
        "imbcore evaluate data.csv --target y --method hddt,cart --html report.html --json scores.json",
        "imbcore evaluate data.csv --target y --groups customer --predictions predictions.csv",
        "imbcore evaluate data.csv --target y --groups customer --alerts 200 --cost-matrix balanced",
        "imbcore evaluate data.csv --target y --time day --gap 7d --groups customer --label-time settled",
        "imbcore evaluate 'data/*.parquet' --target y --method naive_bayes,balanced_random_forest",
    ),
)
@click.argument("data", nargs=-1, required=True, metavar="DATA...", callback=reject_methods_among_tables)
@click.option(
    "--method",
    "-m",
    "methods",
    multiple=True,
    default=["forest"],
    show_default=True,
    callback=split_method_names,
    metavar="NAMES",
    help="Names of one or more methods, separated by commas; repeatable.",
)
@click.option(
    "--folds",
    type=click.IntRange(2),
    default=5,
    show_default=True,
    help="Number of folds of the cross-validation.",
)
@click.option(
    "--repeats",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Number of repetitions with different folds.",
)
@add_group_and_time_options
@click.option(
    "--alerts",
    callback=parse_number_or_pairs,
    metavar="BUDGET",
    help="Measure precision and recall for a budget: this number of alerts for the table, "
    "alerts=200,per=50000 or alert_rate=0.01. With --time also alerts per period: alerts=200,per=1d, or "
    "alerts=200,per=1d,by=customer.",
)
@click.option(
    "--policies",
    is_flag=True,
    help="Also score trivial policies: never, always, random, and largest amount first if the cost of a miss "
    "in --costs is a column.",
)
@click.option("--html", metavar="FILE", help="Also write a report page with curves and the tree.")
@click.option(
    "--json", "as_json", metavar="FILE", help="Also write all scores as JSON; '-' is standard output only."
)
@click.option(
    "--predictions",
    metavar="FILE",
    help="Also write the out-of-fold predictions of the first repetition as a table: method, row (counted "
    "from 0), groups, time, fold, label, prediction, and the probability of every class.",
)
@may_force
@pieces_option
@sample_option
@add_fitting_options
@add_text_file_options
def evaluate(
    data: tuple[str, ...],
    methods: list[str],
    html: str | None,
    as_json: str | None,
    predictions: str | None,
    force: bool,
    batch_size: int | None,
    sample: int | None,
    **options: Any,
) -> None:
    """Score methods on the table DATA by stratified, grouped or time-ordered cross-validation.

    DATA may be several files, a folder or a quoted glob such as 'data/*.parquet'; they are read in chunks.
    Every method uses the same folds. A star marks the best mean of each line. Precision, recall, F1 and
    average precision refer to the positive class; with more than two classes they are means over the
    classes. The columns of groups and times are not features. With --cost-matrix or --costs the mean cost
    per prediction is measured, too.
    """
    from imbcore import _api
    from imbcore._cli.tables import DEPENDENCE, read_training_table
    from imbcore._validation.alert_budget import alert_budget_groups
    from imbcore._validation.rows import select_table_rows
    from imbcore._validation.table import table_ending, write_table
    from imbcore.evaluation import evaluate as scored
    from imbcore.evaluation._evaluation import best_method
    from imbcore.evaluation._report_page import write_report
    from imbcore.evaluation._scores_json import scores_json

    parameters = parse_parameters(options["pairs"], reserved=RESERVED)
    if not methods:
        raise click.UsageError("--method needs at least one name")
    outputs = [(html, "page"), (as_json, "json"), (predictions, "table")]
    reject_overwriting_outputs(outputs, list_input_paths(data), force=force)
    protocol = {
        key: options[key] for key in ("folds", "repeats", "time_gap", "alerts", "date_format", "policies")
    }
    protocol["alerts"] = drop_redundant_budget_key(options["alerts"], options["groups"])
    whole = not reads_in_batches(data, batch_size or sample)
    if html and not whole:
        raise click.UsageError("--html needs a model fitted in memory; give one file, or leave --html out")
    if predictions:
        # Reject another kind of file before the fits.
        table_ending(predictions)
    if predictions and not whole:
        raise click.UsageError("--predictions needs all rows at once; give one file, without --batch-size")
    table = read_training_table(data[0], options) if whole else None
    with progress_bar_callback() as callback:
        if table is not None:
            shared = options_to_fit_arguments(options, table) | parameters
            protocol |= table.dependence
            results = scored(table.X, table.y, methods, callback=callback, **protocol, **shared)
        else:
            additional = {key: options[key] for key in DEPENDENCE}
            counted = map(alert_budget_groups, (options["threshold"], options["alerts"]))
            read = [*additional.values(), *counted]
            source, labels = open_training_source(data, options, batch_size, callback, read)
            shared = options_to_fit_arguments(options, labels) | parameters
            results = scored(
                source,
                options["target"],
                methods,
                callback=callback,
                categorical_features=options["nominal"] or None,
                sample=sample,
                **protocol,
                **additional,
                **shared,
            )
    if html and table is not None:
        chosen = best_method(results)
        shared["positive"] = results[chosen].positive
        groups, time = (table.dependence.get(name) for name in ("groups", "time"))
        gap = options["time_gap"]
        related = {"groups": groups, "time": time, "time_gap": gap}
        related |= {"date_format": options["date_format"]} if time is not None else {}
        model = _api.fit(table.X, table.y, chosen, **related, **shared)
        command = click.get_current_context().command_path
        tested = select_table_rows(table.X, results[chosen].rows, fresh_index=True)
        write_report(
            html, results, model, tested, title=data[0], reproduce=f"{command} {_quoted_command_line()}"
        )
    if as_json:
        write_text(as_json, json.dumps(scores_json(results), indent=1, ensure_ascii=False) + "\n")
    if predictions and table is not None:
        write_table(predictions, _prediction_columns(results, table))
    # Write files first: the reader of standard output may stop reading.
    if as_json != "-":
        click.echo(threshold_as_option(str(results)))
    if html and table is not None:
        click.echo(f"report: {html}")


def _prediction_columns(results: Evaluations, table: TrainingTable) -> dict[str, Any]:
    """Return the out-of-fold predictions of all methods, one method below the other."""
    import numpy as np

    parts = []
    for method, found in results.items():
        rows = found.rows
        columns = {"method": np.full(len(rows), method, dtype=object)}
        columns["row"] = rows if table.rows is None else table.rows[rows]
        columns |= {name: values[rows] for name, values in table.dependence.items() if name != "label_time"}
        columns |= {"fold": found.fold, "label": found.y, "prediction": found.predicted}
        # A method may have no probabilities.
        proba = np.full((len(rows), len(found.classes_)), np.nan) if found.proba is None else found.proba
        columns |= {f"proba_{label}": proba[:, place] for place, label in enumerate(found.classes_)}
        parts.append(columns)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _quoted_command_line() -> str:
    import shlex

    return shlex.join(sys.argv[2:])
