"""Summaries of models: the small card of a notebook, and the model card in Markdown."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Mapping
from typing import Any

from imbcore._bindings import native
from imbcore._model.rules import SHOWN_LEVELS, condition_text
from imbcore._validation.by_name import unseen_level_policy
from imbcore._validation.digits import score_text
from imbcore._validation.value_text import value_text
from imbcore.exceptions import DataError, ParameterError

# Maximum number of leaves with rules on a card, because cards are rendered on every display.
MOST_LEAVES = 1000
# Maximum number of listed rules, features and levels per feature.
MOST_RULES, MOST_FEATURES, MOST_LEVELS = 5, 20, 8
# Header for model hubs.
_HEAD = """\
---
library_name: imbcore
pipeline_tag: tabular-classification
tags:
- imbalanced-classification
---"""
_CODE = """\
```python
import imbcore

model = imbcore.load({!r})
model.predict(rows)
model.predict_proba(rows)
```"""
_SOURCES = {
    "out_of_bag": "out-of-bag predictions",
    "out_of_fold": "predictions of inner folds",
    "held_out": "rows held out of the fit",
    "adapted": "unlabeled rows to which it was adapted",
}


def percent_text(share: float) -> str:
    """Format a fraction as a percentage with a non-breaking space."""
    return f"{100 * share:.3g}\u00a0%"


def _threshold_text(threshold: float, digits: int) -> str:
    """Format a threshold with some significant digits, or with all if these would be 1."""
    text = f"{threshold:.{digits}g}"
    return text if float(text) < 1 or threshold == 1 else repr(threshold)


def describe_decision_rule(model: Any, label: str, is_positive: bool) -> str:
    """Describe the decision rule of a model in one sentence."""
    rule = model.decision_
    if rule["kind"] == "threshold" and is_positive:
        goal = f", chosen for {rule['goal']}" if "goal" in rule else ""
        return f"{label} if its probability is at least {_threshold_text(rule['threshold'], 4)}{goal}."
    if rule["kind"] == "thresholds":
        each = ", ".join(f"{_threshold_text(at, 3)} of {name}" for name, at in rule["thresholds"].items())
        return f"The class whose probability is the largest multiple of its threshold: {each}."
    return {
        "most_probable": "The most probable class.",
        "votes": "The class with the most votes. Only the probabilities are corrected for the class priors.",
        "labels": "The label of the leaf, rule or box that contains the row.",
        "costs": "The class of minimum expected cost.",
        "prior": "The class whose probability exceeds its prior most.",
    }.get(rule["kind"], "By a threshold on another class.")


def describe_calibration(model: Any) -> str:
    """Describe the calibration of a model in one sentence."""
    calibrated = model.calibration_
    if calibrated is None:
        return "Probabilities are not calibrated."
    source = _SOURCES.get(calibrated["source"], calibrated["source"])
    return (
        f"Probabilities are calibrated ({calibrated['method']}) on {source}: {calibrated['n_rows']:,} rows."
    )


def _training_proportions(model: Any) -> dict[str, float]:
    """Return the class proportions in training, by label, if the model stores them."""
    found = native.decisions.training_priors(model._native) or ()
    return dict(zip(map(str, model.classes_.tolist()), found, strict=False))


def _expected_performance(model: Any) -> list[tuple[str, str]]:
    """List the expected performance of the decision, with intervals."""
    expected = model.decision_.get("expected", {})
    of_classes = model.decision_["kind"] == "thresholds"
    every = [
        (f"{name} of {label}" if of_classes else name, found)
        for name, part in expected.items()
        if isinstance(part, dict)
        for label, found in (part.items() if of_classes else [("", part)])
    ]
    return [
        (name, f"{found['value']:.3g}" + _interval_text(found["low"], found["high"]))
        for name, found in every
        if found is not None
    ]


def _interval_text(low: float | None, high: float | None) -> str:
    """Format an interval; empty without one, as for alerts in a single period."""
    return "" if low is None or high is None else f" [{low:.3g}, {high:.3g}]"


def _first_model_rules(model: Any, top: int) -> list[dict[str, Any]]:
    """Return the first rules of a model with a limited number of rules."""
    if hasattr(type(model), "rules") and getattr(model, "n_leaves_", 0) <= MOST_LEAVES:
        return model.rules(top=top)
    return []


def html_summary_table(model: Any) -> str:
    """Format a small HTML table of a model: size, class proportions, decision rule, first rules."""
    label = str(model.positive_)
    facts = [
        ("Model", f"{model.method}, {model.size_text}"),
        ("Classes", ", ".join(map(str, model.classes_.tolist()))),
        ("Positive", label),
        ("Prediction", describe_decision_rule(model, label, True)),
    ]
    shares = _training_proportions(model)
    if shares:
        facts.append(("Prevalence", f"{percent_text(shares[label])} of the weight in training"))
    facts += [(f"Expected {name}", words) for name, words in _expected_performance(model)]
    facts += [
        (f"Rule {place}", f"{condition_text(rule, SHOWN_LEVELS)}: {label} {percent_text(rule['share'])}")
        for place, rule in enumerate(_first_model_rules(model, 3), 1)
    ]
    rows = "".join(
        f'<tr><th scope="row" style="text-align:left">{html.escape(name)}</th>'
        f'<td style="text-align:left">{html.escape(words)}</td></tr>'
        for name, words in facts
    )
    return f"<table><caption>imbcore model</caption><tbody>{rows}</tbody></table>"


def model_card_markdown(model: Any, evaluation: Any, words: Mapping[str, str | None], file: str) -> str:
    """Write the model card."""
    for name, text in words.items():
        if not isinstance(text, (str, type(None))):
            raise ParameterError(f"{name} must be text or None, got {value_text(text)}")
    if evaluation is not None and not hasattr(evaluation, "parts"):
        raise ParameterError(f"evaluation must be a result of imbcore.evaluate, got {value_text(evaluation)}")
    if evaluation is not None and evaluation.classes_.tolist() != model.classes_.tolist():
        raise DataError(
            f"the evaluation has the classes {evaluation.classes_.tolist()}, the model "
            f"{model.classes_.tolist()}; evaluate the method on the training data of the model"
        )
    known = {method["name"]: method for method in json.loads(native.models.methods())}[model.method]
    label = str(model.positive_)
    parts = [
        _HEAD,
        f"# {words['title'] or f'{model.method}: detects {_escape_markdown(label)}'}",
        (
            f"{known['title']} ({known['source']}): {model.size_text}, {model.n_features_in_} features, "
            f"{len(model.classes_)} classes. Written by imbcore {native.version()}."
        ),
        "## Intended use",
        words["intended_use"] or "Not described yet. Describe the intended use before others use the model.",
        "## How to use it",
        _CODE.format(file),
        "## Predictions",
        *_decision_section(model, label),
        "## Training data",
        *_training_section(model),
        "## Performance",
        *_performance_section(evaluation),
        *_members_section(model),
        *_rules_section(model, label),
        "## Limits",
        *_limitations_section(model, words["limitations"]),
        "## Parameters",
        _markdown_table(
            ("parameter", "value"), ((name, json.dumps(value)) for name, value in model.params.items())
        ),
    ]
    return "\n\n".join(parts) + "\n"


def _escape_markdown(text: str) -> str:
    for mark in "\\`*_|<":
        text = text.replace(mark, f"\\{mark}")
    return " ".join(text.split())


def _markdown_table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(head)
    lines = [head, ["---"] * len(head), *([_escape_markdown(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _decision_section(model: Any, label: str) -> list[str]:
    rule = model.decision_
    found = [
        f"The positive class is {_escape_markdown(label)}. Predicted class: "
        + describe_decision_rule(model, label, True)
    ]
    if "n_rows" in rule:
        sure = rule.get("confidence")
        found.append(
            f"Chosen on {_SOURCES.get(rule['source'], rule['source'])}: {rule['n_rows']:,} rows"
            + (f", {rule['n_positives']:,} of them positive. " if "n_positives" in rule else ". ")
            + (
                f"The target is reached on new rows with a confidence of {sure}."
                if sure
                else "Expected values are slightly optimistic, because the same rows chose the threshold."
            )
        )
    if "assumes" in rule:
        found.append(f"Assumption: {_escape_markdown(rule['assumes'])}.")
    expected = _expected_performance(model)
    if expected:
        found.append(_markdown_table(("expected", "value and 95 % interval"), expected))
    found.append(describe_calibration(model))
    return found


def _training_section(model: Any) -> list[str]:
    shares = _training_proportions(model)
    found = [
        _markdown_table(
            ("class", "fraction of the training weight"),
            (
                (label, percent_text(shares[label]) if label in shares else "")
                for label in map(str, model.classes_)
            ),
        )
    ]
    features = model._schema.features
    found.append(
        _markdown_table(
            ("feature", "values"),
            (
                (one.name, "numeric" if one.levels is None else _shortened_level_list(one.levels))
                for one in features[:MOST_FEATURES]
            ),
        )
    )
    if len(features) > MOST_FEATURES:
        found.append(f"And {len(features) - MOST_FEATURES:,} more features.")
    return found


def _shortened_level_list(levels: list[Any]) -> str:
    shown = ", ".join(map(str, levels[:MOST_LEVELS]))
    return shown + (f" and {len(levels) - MOST_LEVELS} more" if len(levels) > MOST_LEVELS else "")


def _performance_section(evaluation: Any) -> list[str]:
    if evaluation is None:
        return ["Not measured. Pass the result of `imbcore.evaluate` as `evaluation=`."]
    rows = [
        (
            row["metric"],
            score_text(row["mean"], 4),
            f"{score_text(row['low'], 4)} to {score_text(row['high'], 4)}",
        )
        for row in evaluation.table()
    ]
    return [
        (
            f"Measured on held-out rows, {evaluation.parts}, of a table of "
            f"{evaluation.n_rows:,} rows; {100 * evaluation.level:g} % confidence intervals of Nadeau and "
            "Bengio (2003)."
        ),
        _markdown_table(("score", "mean", "interval"), rows),
    ]


def _members_section(model: Any) -> list[str]:
    """Format the selected members of an ensemble of several methods."""
    if not hasattr(model, "leaderboard_"):
        return []
    rows = [
        (row["member"], score_text(row["score"], 4), score_text(row["weight"], 3))
        for row in model.leaderboard_
        if row["weight"] > 0
    ]
    rows.insert(0, ("ensemble", score_text(model.validation_score_, 4), ""))
    return [
        "## Members",
        "Scores of the inner folds of the fit, and weights in the ensemble.",
        _markdown_table(("member", str(model.params["metric"]), "weight"), rows),
    ]


def _rules_section(model: Any, label: str) -> list[str]:
    """Format the rules, or else the feature importances."""
    rules = _first_model_rules(model, MOST_RULES)
    if rules:
        # A class without training weight has no recall.
        held = ("" if rule["recall"] is None else percent_text(rule["recall"]) for rule in rules)
        rows = (
            (condition_text(rule, SHOWN_LEVELS), percent_text(rule["share"]), of_all)
            for rule, of_all in zip(rules, held, strict=True)
        )
        head = ("rule", f"fraction of {_escape_markdown(label)}", "recall")
        return [
            "## Rules",
            "Rules with the largest lift, computed on the training rows.",
            _markdown_table(head, rows),
        ]
    shares = getattr(model, "feature_importances_", None)
    if shares is None:
        return []
    named = sorted(zip(shares.tolist(), model.feature_names, strict=True), key=lambda one: -one[0])
    largest = ((name, score_text(share)) for share, name in named[:MOST_RULES] if share > 0.0)
    return ["## Feature importances", _markdown_table(("feature", "fraction of the total gain"), largest)]


def _limitations_section(model: Any, limitations: str | None) -> list[str]:
    found = [] if limitations is None else [limitations]
    adapted = model.decision_.get("adapted")
    proportions = "the same class proportions" if adapted is None else "the class proportions stated below"
    facts = [f"Valid for rows like the training data, with {proportions}."]
    if any(one.levels is not None for one in model._schema.features):
        rejected = unseen_level_policy(model._native.params) == "error"
        treated = "rejected" if rejected else "treated as a missing value, with a warning"
        facts.append(f"A level not seen in training is {treated}.")
    if adapted is not None:
        to = "given proportions" if adapted["method"] == "given" else "unlabeled rows"
        facts.append(
            f"Class proportions were adapted to {to}. The expected performance of the threshold applies "
            "after the adaptation; scores of an evaluation were computed before it."
        )
    return [*found, "\n".join(f"- {fact}" for fact in facts)]
