"""`imbcore check`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from imbcore._cli.options import (
    NoRepeatedOptionsCommand,
    drop_redundant_budget_key,
    format_help_examples,
    parse_number_or_pairs,
)
from imbcore._cli.reading import add_text_file_options, text_format_from_options

if TYPE_CHECKING:
    from imbcore._model.model import Model


@click.command(
    cls=NoRepeatedOptionsCommand,
    epilog=format_help_examples(
        "imbcore check model.imb week.csv --time day --groups customer",
        "imbcore check model.imb week.csv --time day --goal alerts=15,per=7d",
        "imbcore check model.imb month.csv --target y --time day --period 28d --goal precision=0.3",
        "imbcore check model.imb week.csv --train train.csv",
    ),
)
@click.argument("model")
@click.argument("data")
@click.option("--time", metavar="COLUMN", help="Column of times, to check the goal in each period.")
@click.option("--target", "-t", metavar="COLUMN", help="Column with the class labels, if they are known.")
@click.option(
    "--groups", metavar="COLUMN", help="Column of customers or machines, whose alerts count once per period."
)
@click.option(
    "--period", metavar="SPAN", help="Length of a period, such as 7d.  [default: per= of the budget]"
)
@click.option(
    "--goal",
    callback=parse_number_or_pairs,
    metavar="GOAL",
    help="Goal to check, as in `imbcore fit --threshold`.  [default: the goal of the model's threshold]",
)
@click.option("--train", metavar="FILE", help="Training rows, with which the columns of DATA are compared.")
@click.option(
    "--level",
    type=float,
    default=0.01,
    show_default=True,
    metavar="P",
    help="With --train: probability of a false report if no column has changed.",
)
@add_text_file_options
def check(
    model: str,
    data: str,
    time: str | None,
    target: str | None,
    groups: str | None,
    period: str | None,
    goal: Any,
    train: str | None,
    level: float,
    **reading: Any,
) -> None:
    """Check a model file on new rows: the goal of its threshold, and changed columns.

    With --time, each period of DATA is compared with an alert budget, for which no labels are needed, or
    with a goal such as a precision. With --train, the columns of DATA are compared with the training rows.
    """
    from imbcore._api import load
    from imbcore._cli.tables import read_features, read_labelled
    from imbcore._validation.alert_budget import BY_VALUES, is_alert_budget

    if time is None and train is None:
        raise click.UsageError("give --time COLUMN to check a goal in each period, --train FILE, or both")
    fitted = load(model)
    text_format = text_format_from_options(reading)
    of_model = fitted.decision_.get("goal")
    if goal is None and groups is None and isinstance(of_model, dict):
        # The column that the budget of the model counts by, unless it was given as values.
        groups = None if of_model.get("by") == BY_VALUES else of_model.get("by")
    goal = drop_redundant_budget_key(goal, groups)
    by = goal.get("by") if isinstance(goal, dict) else None
    if time is not None and target is None and not is_alert_budget(of_model if goal is None else goal):
        raise click.UsageError(
            "without --target, only an alert budget can be checked, such as --goal alerts=15,per=7d"
        )
    related = {"--time": time, "--groups": groups, "--goal by": by}
    features, labels, values = read_labelled(data, fitted, target, text_format, related)
    if time is not None:
        if by is not None:
            goal = {**goal, "by": values["--goal by"]}
        given = {"time": values["--time"], "groups": values.get("--groups"), "period": period}
        click.echo(_periods_text(fitted, features, labels, goal, given, text_format.date_format))
    if train is not None:
        click.echo(_drift_text(read_features(train, fitted, text_format), features, level))


def _periods_text(
    fitted: Model, features: Any, labels: Any, goal: Any, given: dict[str, Any], date_format: str | None
) -> str:
    """Compare the target with its value in each period."""
    from imbcore._validation.digits import score_text
    from imbcore.decisions import check_over_time
    from imbcore.evaluation._scores import align_rows

    found = check_over_time(fitted, features, labels, goal=goal, date_format=date_format, **given)
    rows = [["from", "rows", "value", "95 % interval", "goal", "met"]]
    for one in found:
        start = one["start"]
        interval = (
            "" if one["low"] is None else f"{score_text(one['low'], 4)} to {score_text(one['high'], 4)}"
        )
        rows.append(
            [
                f"{start:g}"
                if isinstance(start, float)
                else f"{start:%Y-%m-%d %H:%M}".removesuffix(" 00:00"),
                str(one["n_rows"]),
                "undefined" if one["value"] is None else score_text(one["value"], 4),
                interval,
                score_text(one["target"], 4),
                {True: "yes", False: "no", None: ""}[one["met"]],
            ]
        )
    return align_rows(rows)


def _drift_text(train: Any, new: Any, level: float) -> str:
    """List the columns that have changed, the largest distance first."""
    from imbcore._validation.digits import score_text
    from imbcore.decisions import find_drift
    from imbcore.evaluation._scores import align_rows

    tests = find_drift(train, new, level=level)
    changed = sorted((test for test in tests if test["drifted"]), key=lambda test: -test["distance"])
    if not changed:
        return f"none of {len(tests)} tests of columns shows a change"
    rows = [["changed column", "test", "distance", "p-value"]]
    rows += [
        [test["feature"], test["what"], score_text(test["distance"], 3), f"{test['p_value']:.1e}"]
        for test in changed
    ]
    return align_rows(rows)
