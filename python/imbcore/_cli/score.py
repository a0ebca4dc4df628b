"""`imbcore score`."""

from __future__ import annotations

import json
from typing import Any

import click

from imbcore._cli.console import progress_bar_callback
from imbcore._cli.options import (
    NoRepeatedOptionsCommand,
    format_help_examples,
    may_force,
    parse_cost_matrix_option,
    parse_number_or_pairs,
    target_option,
)
from imbcore._cli.outputs import reject_overwriting_outputs, write_text
from imbcore._cli.reading import add_text_file_options, given_text_file_options
from imbcore._cli.sources import list_input_paths, pieces_option


@click.command(
    cls=NoRepeatedOptionsCommand,
    epilog=format_help_examples(
        "imbcore score model.imb test.csv --target y",
        "imbcore score model.imb 'data/*.parquet' --target y --alerts alerts=200,per=50000",
        "imbcore score model.imb test.parquet --target y --weight w --json scores.json",
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
@click.option("--json", "as_json", metavar="FILE", help="Write the scores as JSON; '-' is standard output.")
@may_force
@pieces_option
@add_text_file_options
@click.option(
    "--threads", type=int, metavar="N", help="Number of threads; -1 for all cores.  [default: all cores]"
)
def score(
    model: str,
    data: tuple[str, ...],
    target: str,
    weight: str | None,
    alerts: Any,
    cost_matrix: str | None,
    as_json: str | None,
    force: bool,
    batch_size: int | None,
    threads: int | None,
    **reading: Any,
) -> None:
    """Score a model file on labeled rows that were not used for training.

    DATA may be several files, a folder or a quoted glob. Rows are read once, in chunks; only their scores
    are kept. Precision, recall, F1 and average precision refer to the positive class of the model.
    """
    from imbcore._api import load
    from imbcore._validation.digits import score_text
    from imbcore.evaluation._scores import METRICS, align_rows, order_scores
    from imbcore.streaming.readers import CHUNK_ROWS

    reject_overwriting_outputs([(as_json, "json")], [model, *list_input_paths(data)], force=force)
    fitted = load(model)
    costs = None if cost_matrix is None else parse_cost_matrix_option(cost_matrix, fitted.classes_, "model")
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
