"""Code that reproduces a decision elsewhere: Python, command line, SQL.

A snippet has ``parts``; every other part names a value that the page fills in.
"""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

_NEVER = "No threshold in [0, 1] excludes every row: some rows have probability 1."
# Marks a placeholder; it cannot occur in a name or label.
_MARK = "\x00"


def _placeholder(name: str) -> str:
    return f"{_MARK}{name}{_MARK}"


def _split_at_placeholders(text: str) -> list[str]:
    return re.split(_MARK, text)


def _make_snippet(name: str, text: str, goals: dict[str, str] | None = None) -> dict[str, Any]:
    found = {goal: _split_at_placeholders(lines) for goal, lines in (goals or {}).items()}
    return {"name": name, "parts": _split_at_placeholders(text), "goals": found, "never": _NEVER}


def python_snippet(file: str, method: str, labels: list[Any], positive: Any) -> dict[str, Any]:
    """Reproduce the decision in Python; with two classes also a fit with the threshold rule."""
    at = _placeholder("threshold")
    if len(labels) != 2:
        column = labels.index(positive)
        text = (
            f"import imbcore\n\nmodel = imbcore.load({file!r})\n"
            f"alerts = model.predict_proba(X)[:, {column}] >= {at}  # {positive!r}"
        )
        return _make_snippet("Python", text)
    text = (
        f"import imbcore\n\nmodel = imbcore.load({file!r}).with_threshold({at})\n"
        f"alerts = model.predict(X) == {positive!r}"
    )
    other = labels[1 - labels.index(positive)]
    miss, false_alert = _placeholder("miss"), _placeholder("false_alert")
    costs = f"{{({positive!r}, {other!r}): {miss}, ({other!r}, {positive!r}): {false_alert}}}"

    def goal(words: str) -> str:
        return (
            "\n\n# or fit with a threshold rule, applied to out-of-sample rows:\n"
            f"model = imbcore.fit(\n    X_train, y_train, {method!r}, positive={positive!r},\n"
            f"    threshold={words}, **model.params,\n)"
        )

    return _make_snippet(
        "Python",
        text,
        {
            "recall": goal(f'{{"recall": {_placeholder("recall")}}}'),
            "alerts": goal(f'{{"alerts": {_placeholder("alerts")}, "per": {_placeholder("per")}}}'),
            "cost": goal(f'{{"cost": {costs}}}'),
        },
    )


def command_snippet(file: str, labels: list[Any], positive: Any) -> dict[str, Any]:
    """Reproduce the decision on the command line."""
    at, name = _placeholder("threshold"), "Command line"
    if len(labels) != 2:
        column = json.dumps(f"proba_{positive}", ensure_ascii=False)
        text = (
            f"imbcore predict {shlex.quote(file)} new.csv --proba -o predictions.csv\n"
            f"# alerts are the rows whose {column} is at least {at}"
        )
        return _make_snippet(name, text)
    text = f"imbcore predict {shlex.quote(file)} new.csv --threshold {at} -o predictions.csv"
    other = labels[1 - labels.index(positive)]

    def goal(words: str) -> str:
        return (
            "\n\n# or fit with a threshold rule (and the options of your fit), applied to out-of-sample "
            f"rows:\nimbcore fit train.csv --target y --positive {shlex.quote(str(positive))} "
            f"--threshold {words} -o {shlex.quote(file)}"
        )

    costs = (
        f'{{"cost": {{{_label_to_json(positive)}: {{{_label_to_json(other)}: {_placeholder("miss")}}}, '
        f"{_label_to_json(other)}: {{{_label_to_json(positive)}: {_placeholder('false_alert')}}}}}}}"
    )
    return _make_snippet(
        name,
        text,
        {
            "recall": goal(f"recall={_placeholder('recall')}"),
            "alerts": goal(f"alerts={_placeholder('alerts')},per={_placeholder('per')}"),
            "cost": goal(shlex.quote(costs)),
        },
    )


def _label_to_json(label: Any) -> str:
    return json.dumps(str(label), ensure_ascii=False)


def boxes_sql_snippet(condition: str, counts: tuple[int, int]) -> dict[str, Any]:
    """Return SQL for the rows in any box; counts of positives and others identify the decision."""
    text = f"SELECT * FROM new_rows WHERE\n{condition}"
    otherwise = (
        "The SQL of a box model finds the rows in its boxes. At this threshold other rows raise alerts: use "
        "Python or the command line, or return to the decision of the model."
    )
    return {**_make_snippet("SQL", text), "counts": list(counts), "otherwise": otherwise}


def sql_query_snippet(query: str | None, column: str) -> dict[str, Any]:
    """Return SQL for rows whose probability reaches the threshold; None if it is too long."""
    at, name = _placeholder("threshold"), column.replace('"', '""')
    inner = (
        "-- too long for this page; insert the output of:\n"
        "-- imbcore export model.imb --to sql --proba --table new_rows"
        if query is None
        else query
    )
    text = (
        "-- model.to_sql(..., keep=...) adds columns such as a key, and supports other databases\n"
        f'WITH predictions AS (\n{inner}\n)\nSELECT * FROM predictions WHERE "{name}" >= {at}'
    )
    return _make_snippet("SQL", text)
