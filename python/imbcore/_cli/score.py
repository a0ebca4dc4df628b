"""`imbcore score`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from imbcore._cli.console import FOUND, progress_bar_callback
from imbcore._cli.options import (
    NoRepeatedOptionsCommand,
    format_help_examples,
    may_force,
    parse_cost_matrix_option,
    parse_number_or_pairs,
    target_option,
    threads_option,
)
from imbcore._cli.outputs import reject_overwriting_outputs, write_text
from imbcore._cli.reading import add_text_file_options, given_text_file_options, text_format_from_options
from imbcore._cli.sources import list_input_paths, pieces_option, reads_in_batches

if TYPE_CHECKING:
    from imbcore._model.model import Model


@click.command(
    cls=NoRepeatedOptionsCommand,
    epilog=format_help_examples(
        "imbcore score model.imb test.csv --target y",
        "imbcore score model.imb 'data/*.parquet' --target y --alerts alerts=200,per=50000",
        "imbcore score model.imb test.parquet --target y --weight w --json scores.json",
        "imbcore score new.imb test.csv --target y --against old.imb --groups customer",
        """imbcore score model.imb test.csv -t y --cost-matrix '{"yes": {"no": 10}, "no": {"yes": 1}}'""",
    ),
)
@click.argument("model")
@click.argument("data", nargs=-1, required=True, metavar="DATA...")
@target_option
@click.option("--weight", metavar="COLUMN", help="Column with the weight of every row.")
@click.option(
    "--alerts",
    callback=parse_number_or_pairs,
    metavar="BUDGET",
    help="Measure precision and recall at this number of alerts for all rows, at alerts=200,per=50000 or at "
    "alert_rate=0.01.",
)
@click.option(
    "--cost-matrix",
    metavar="JSON",
    help="Measure the expected cost with these costs, the cost of every prediction by true label; the "
    "predictions stay the same.  [default: the costs of the model or of its threshold]",
)
@click.option(
    "--against",
    metavar="MODEL",
    help="Compare with this older model file on the same rows, and show 95 % intervals of the differences.",
)
@click.option(
    "--groups",
    metavar="COLUMN",
    help="With --against: column of dependent rows, such as a customer, which the intervals take as a whole.",
)
@click.option(
    "--fail",
    is_flag=True,
    help="With --against: exit with code 3 unless the interval shows that the new model is better, by "
    "expected cost if --cost-matrix is given, else by average precision.",
)
@click.option("--json", "as_json", metavar="FILE", help="Write the scores as JSON; '-' is standard output.")
@may_force
@pieces_option
@add_text_file_options
@threads_option
def score(
    model: str,
    data: tuple[str, ...],
    target: str,
    weight: str | None,
    alerts: Any,
    cost_matrix: str | None,
    against: str | None,
    groups: str | None,
    fail: bool,
    as_json: str | None,
    force: bool,
    batch_size: int | None,
    threads: int | None,
    **reading: Any,
) -> None:
    """Score a model file on labeled rows that were not used for training.

    DATA may be several files, a folder or a quoted glob. Rows are read once, in chunks; only their scores
    are kept. All scores are over rows. Precision, recall, F1 and average precision refer to the positive
    class of the model. With --against, the scores of both models are compared on the rows of one file, which
    neither was trained on.
    """
    from imbcore._api import load
    from imbcore._validation.digits import score_text
    from imbcore.evaluation._scores import METRICS, align_rows, order_scores
    from imbcore.streaming.readers import CHUNK_ROWS

    inputs = [model, *([] if against is None else [against]), *list_input_paths(data)]
    reject_overwriting_outputs([(as_json, "json")], inputs, force=force)
    if against is None and (groups is not None or fail):
        raise click.UsageError(f"{'--fail' if fail else '--groups'} needs --against")
    fitted = load(model)
    costs = None if cost_matrix is None else parse_cost_matrix_option(cost_matrix, fitted.classes_, "model")
    if against is not None:
        unused = {"--weight": weight, "--alerts": alerts, "--batch-size": batch_size}
        if given := [option for option, value in unused.items() if value is not None]:
            raise click.UsageError(f"{given[0]} has no effect with --against; leave it out")
        if reads_in_batches(data, None):
            raise click.UsageError("--against needs all rows at once; give one file")
        differences, about = _differences(
            load(against), fitted, data[0], target, groups, costs, threads, reading
        )
        if as_json:
            write_text(as_json, json.dumps(differences, indent=1) + "\n")
        if as_json != "-":
            click.echo(_differences_text(differences, about))
        if fail and not _decisive(differences)["better"]:
            click.get_current_context().exit(FOUND)
        return
    with progress_bar_callback() as callback:
        found = fitted.score_metrics(
            list(data),
            target,
            sample_weight=weight,
            alerts=alerts,
            cost_matrix=costs,
            batch_size=batch_size or CHUNK_ROWS,
            n_threads=threads,
            callback=callback,
            **given_text_file_options(reading),
        )
    if as_json:
        # JSON has no NaN.
        plain = {name: value if value == value else None for name, value in found.items()}
        write_text(as_json, json.dumps(plain, indent=1) + "\n")
    if as_json != "-":
        click.echo(
            align_rows(
                [[METRICS[name][0], score_text(value, 4)] for name, value in order_scores(found).items()]
            )
        )


def _differences(
    old: Model,
    new: Model,
    path: str,
    target: str,
    groups: str | None,
    costs: Any,
    threads: int | None,
    reading: dict[str, Any],
) -> tuple[list[dict[str, Any]], str]:
    """Compare two models on a labeled file; also describe the draws of the intervals."""
    import numpy as np

    from imbcore._cli.tables import read_labelled
    from imbcore._validation.dependence import distinct_groups
    from imbcore._validation.table import Table
    from imbcore.decisions import compare_models
    from imbcore.decisions._model_comparison import N_DRAWS

    columns: dict[str, Any] = {}
    for model in (old, new):
        features, labels, values = read_labelled(
            path, model, target, text_format_from_options(reading), {"--groups": groups}
        )
        columns |= features.columns
    found = compare_models(
        old,
        new,
        Table(columns),
        labels,
        groups=values.get("--groups"),
        cost_matrix=costs,
        n_threads=threads,
    )
    is_positive = np.asarray(labels) == new.positive_
    rows = f"{int(is_positive.sum()):,} rows are positive"
    if groups is not None:
        n_groups = len(distinct_groups(values["--groups"][is_positive]))
        rows += f", in {n_groups:,} groups, {groups!r}"
    drawn = "rows" if groups is None else "groups"
    lost = N_DRAWS - found[0]["n_draws"]
    skipped = f", of which {lost:,} without a class are skipped" if lost else ""
    return found, f"{rows}; intervals from {N_DRAWS:,} draws of {drawn}{skipped}"


def _decisive(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the difference that decides: that of the costs if they are given."""
    return next((one for one in found if one["metric"] == "expected_cost"), found[0])


def _differences_text(found: list[dict[str, Any]], about: str) -> str:
    """List the differences of two models, and whether the new model is better."""
    from imbcore._validation.digits import score_text
    from imbcore.evaluation._scores import METRICS, align_rows

    titles = {name: title for name, (title, _) in METRICS.items()} | {"alert_rate": "alert rate"}
    rows = [["metric", "old", "new", "difference", "95 % interval"]]
    for one in found:
        numbers = [
            "undefined" if one[name] is None else score_text(one[name], 4)
            for name in ("old", "new", "difference", "low", "high")
        ]
        interval = "" if one["low"] is None else " to ".join(numbers[3:])
        rows.append([titles[one["metric"]], *numbers[:3], interval])
    decisive = _decisive(found)
    result = "yes" if decisive["better"] else "no, worse" if decisive["worse"] else "not proved"
    return f"{align_rows(rows)}\n{about}\nnew model better by {titles[decisive['metric']]}: {result}"
