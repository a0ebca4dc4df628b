"""`imbcore check`."""

from __future__ import annotations

import json
from typing import Any

import click

from imbcore._cli.console import FOUND
from imbcore._cli.options import (
    NoRepeatedOptionsCommand,
    drop_redundant_budget_key,
    format_help_examples,
    may_force,
    parse_number_or_pairs,
    reject_options_without,
    threads_option,
)
from imbcore._cli.outputs import reject_overwriting_outputs, write_text
from imbcore._cli.reading import add_text_file_options, text_format_from_options


@click.command(
    cls=NoRepeatedOptionsCommand,
    epilog=format_help_examples(
        "imbcore check model.imb week.csv --time day --groups customer",
        "imbcore check model.imb week.csv --time day --goal alerts=15,per=7d",
        "imbcore check model.imb month.csv --target y --time day --period 28d --goal precision=0.3",
        "imbcore check model.imb week.csv --train train.csv --fail changed",
    ),
)
@click.argument("model")
@click.argument("data")
@click.option("--time", metavar="COLUMN", help="Column of times, to check the goal in each period.")
@click.option("--target", "-t", metavar="COLUMN", help="Column with the class labels, if they are known.")
@click.option(
    "--groups",
    metavar="COLUMN",
    help="Column of customers or machines. An alert budget counts a group once per time span, other goals "
    "give all groups the same weight, and columns are compared on one random row of each group.  [default: "
    "by= of the budget]",
)
@click.option(
    "--period",
    metavar="SPAN",
    help="Length of a period, such as 7d. Periods of whole weeks begin on Mondays, of whole days at "
    "midnight; the first period starts with the week or day of the earliest row.  [default: per= of the "
    "budget]",
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
@click.option(
    "--fail",
    "fail_on",
    multiple=True,
    type=click.Choice(["missed", "contradicted", "changed"]),
    help="Exit with code 3 if a period misses the goal, if the whole interval of a period misses the goal, "
    "or if a column has changed; repeatable.",
)
@click.option(
    "--drop",
    multiple=True,
    metavar="COLUMN",
    help="With --train: column that is not compared, such as an hour counter; repeatable.",
)
@click.option("--json", "as_json", metavar="FILE", help="Write the results as JSON; '-' is standard output.")
@may_force
@add_text_file_options
@threads_option
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
    fail_on: tuple[str, ...],
    drop: tuple[str, ...],
    as_json: str | None,
    force: bool,
    threads: int | None,
    **reading: Any,
) -> None:
    """Check a model file on new rows: the goal of its threshold, and changed columns.

    With --time, each period of DATA is compared with an alert budget, for which no labels are needed, or
    with a goal such as a precision. With --train, the columns of DATA are compared with the training rows.
    With --target, the table also shows the number of positive rows and how many of them have an alert. A
    period is incomplete if rows are missing at its beginning or end. A goal is contradicted if the whole
    interval misses it.
    """
    from imbcore._api import load
    from imbcore._cli.tables import read_labelled
    from imbcore._validation.alert_budget import BY_VALUES, is_alert_budget

    if time is None and train is None:
        raise click.UsageError("give --time COLUMN to check a goal in each period, --train FILE, or both")
    for need, given, reasons in (
        ("--train", train, {"changed"}),
        ("--time", time, {"missed", "contradicted"}),
    ):
        if given is None and (unused := sorted(reasons.intersection(fail_on))):
            raise click.UsageError(f"--fail {unused[0]} needs {need}")
    reject_options_without(train, "--train", "drop", "level")
    reject_options_without(time, "--time", "target", "period", "goal")
    files = [path for path in (model, data, train) if path is not None]
    reject_overwriting_outputs([(as_json, "json")], files, force=force)
    fitted = load(model)
    text_format = text_format_from_options(reading)
    of_model = fitted.decision_.get("goal")
    if groups is None and isinstance(of_model, dict) and (goal is None or not is_alert_budget(goal)):
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
    texts: list[str] = []
    results: dict[str, Any] = {}
    failures: set[str] = set()
    if time is not None:
        from imbcore.decisions import check_over_time

        if by is not None:
            goal = {**goal, "by": values["--goal by"]}
        periods = check_over_time(
            fitted,
            features,
            labels,
            goal=goal,
            date_format=text_format.date_format,
            n_threads=threads,
            time=values["--time"],
            groups=values.get("--groups"),
            period=period,
        )
        checked: Any = of_model if goal is None else goal
        texts += [_describe_value(checked, groups or by), _periods_text(periods, checked)]
        results |= {"value": texts[0], "periods": periods}
        failures |= {"missed"} if any(one["met"] is False for one in periods) else set()
        failures |= {"contradicted"} if any(one["contradicted"] for one in periods) else set()
    if train is not None:
        from imbcore._validation.table import Table
        from imbcore.decisions import find_drift

        # Rows of one group are dependent, whichever option names the groups.
        counted = groups or by
        # A dropped column may be unknown to the model, but not to the file.
        ignored = {f"--drop {name}": name for name in drop if name not in fitted.feature_names}
        rows, _, of_rows = read_labelled(train, fitted, None, text_format, {"--groups": counted, **ignored})
        pair = (
            None if counted is None else (of_rows["--groups"], values["--groups" if groups else "--goal by"])
        )
        compared = Table({name: column for name, column in rows.columns.items() if name not in drop})
        if not compared.columns:
            raise click.UsageError("--drop leaves no column to compare")
        tests = find_drift(compared, features, level=level, groups=pair)
        texts += [_describe_rows(tests, counted, (train, data)), _drift_text(tests)]
        results |= {"compared": texts[-2], "columns": tests}
        failures |= {"changed"} if any(test["drifted"] for test in tests) else set()
    if as_json:
        write_text(as_json, json.dumps(results, indent=1, default=_to_json_value) + "\n")
    if as_json != "-":
        click.echo("\n".join(texts))
    if failures.intersection(fail_on):
        click.get_current_context().exit(FOUND)


def _to_json_value(value: Any) -> Any:
    """Convert a date to ISO 8601 text, and a number of NumPy to one of Python."""
    return value.isoformat() if hasattr(value, "isoformat") else value.item()


def _describe_value(goal: dict[str, Any], groups: str | None) -> str:
    """Describe the values of the periods, and whether they refer to rows or groups."""
    from imbcore._validation.alert_budget import is_per_period

    if is_per_period(goal):
        once = "" if groups is None else f"; each {groups!r} counts once per {_span_text(goal)}"
        return f"value: mean number of alerts per {_span_text(goal)}{once}"
    if "alerts" in goal or "alert_rate" in goal:
        measure = "alert rate"
    else:
        measure = next(name for name in ("recall", "precision", "fpr", "cost") if name in goal)
    if groups is None:
        return f"value: {measure}, over rows"
    if "max_group_size" in goal:
        return f"value: {measure}, over rows; interval by groups, {groups!r}"
    return f"value: {measure} of rows, weighted so that each {groups!r} has the same total weight"


def _span_text(goal: dict[str, Any]) -> str:
    per = goal["per"]
    return f"{per['time']:g} units of time" if isinstance(per, dict) else str(per)


def _describe_rows(tests: list[dict[str, Any]], groups: str | None, files: tuple[str, str]) -> str:
    """Describe which rows the tests of columns compare."""
    counts = [tests[0][name] for name in ("n_rows", "n_new")] if tests else [0, 0]
    shown = " and ".join(f"{count:,} in {file}" for count, file in zip(counts, files, strict=True))
    if groups is None:
        return f"compared: all rows, as if independent, {shown}; --groups compares one row of each group"
    return f"compared: one random row of each {groups!r}, {shown}"


def _periods_text(periods: list[dict[str, Any]], goal: dict[str, Any]) -> str:
    """List the values of the periods, the goal, and remarks."""
    from imbcore._validation.alert_budget import is_per_period
    from imbcore._validation.digits import score_text
    from imbcore.evaluation._scores import align_rows

    counts = is_per_period(goal)
    labelled = any(one["n_positives"] is not None for one in periods)
    of_labels = ["positives", "found"] if labelled else []
    rows = [["from", "rows", *of_labels, "value", "95 % interval", "goal", "met"]]
    notes = [""]
    for one in periods:
        start, low = one["start"], one["low"]
        interval = "" if low is None else f"{score_text(low, 4)} to {score_text(one['high'], 4)}"
        rows.append(
            [
                f"{start:g}"
                if isinstance(start, float)
                else f"{start:%Y-%m-%d %H:%M}".removesuffix(" 00:00"),
                str(one["n_rows"]),
                *([str(one["n_positives"]), str(one["n_found"])] if labelled else []),
                "undefined" if one["value"] is None else score_text(one["value"], 4),
                interval,
                score_text(one["target"], 4),
                {True: "yes", False: "no", None: ""}[one["met"]],
            ]
        )
        remarks = {
            "contradicted": one["contradicted"],
            "less than half of the budget": counts and one["value"] < one["target"] / 2,
            "incomplete period": not one["complete"],
        }
        notes.append(", ".join(text for text, holds in remarks.items() if holds))
    lines = align_rows(rows).splitlines()
    # A header may be shorter than its column.
    width = max(map(len, lines))
    text = "\n".join(f"{line.ljust(width)}  {note}".rstrip() for line, note in zip(lines, notes, strict=True))
    if counts and any(one["low"] is None for one in periods):
        text += (
            f"\na period with one time span of {_span_text(goal)} has no interval: chance cannot be judged; "
            "give a longer --period"
        )
    return text


def _drift_text(tests: list[dict[str, Any]]) -> str:
    """List the columns that have changed, the largest distance first."""
    from imbcore._validation.digits import score_text
    from imbcore.evaluation._scores import align_rows

    changed = sorted((test for test in tests if test["drifted"]), key=lambda test: -test["distance"])
    if not changed:
        return f"none of {len(tests)} tests of columns shows a change"
    rows = [["changed column", "test", "distance", "p-value"]]
    rows += [
        [test["feature"], test["what"], score_text(test["distance"], 3), f"{test['p_value']:.1e}"]
        for test in changed
    ]
    return align_rows(rows)
