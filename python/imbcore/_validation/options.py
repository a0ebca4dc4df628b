"""Options shared by all methods: one table for functions, estimators and their docstrings."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

EntryPoint = TypeVar("EntryPoint", bound=Callable[..., Any])


@dataclass(frozen=True)
class Option:
    """An option of all methods; ``not_in_estimators`` excludes it from estimators."""

    name: str
    type: str
    default: Any
    doc: str
    not_in_estimators: bool = False


OPTIONS = (
    Option(
        "sample_weight",
        "Any",
        None,
        "Non-negative weights, one per row or one for all, not all zero: a row of weight 2 counts as two "
        "rows. If all weights, times the class weights, are below 1, they are scaled to mean 1. None "
        "weights every row 1.",
        not_in_estimators=True,
    ),
    Option(
        "categorical_features",
        "Any",
        None,
        "Numeric columns to treat as nominal: a list of names or positions, or a boolean mask. Text and "
        "categorical columns are always nominal.",
    ),
    Option(
        "feature_names",
        "Sequence[str] | None",
        None,
        "Column names, for data without names.",
        not_in_estimators=True,
    ),
    Option(
        "class_weight",
        'Mapping[Any, float] | Literal["balanced"] | None',
        None,
        'Weight of every label, multiplied with ``sample_weight``; "balanced" weights the classes '
        "inversely to their frequencies.",
    ),
    Option(
        "cost_matrix",
        "Any",
        None,
        "Array of shape (n_classes, n_classes), classes in sorted order: row ``k``, column ``j`` is the cost "
        "of predicting class ``j`` for a row of class ``k``. Or a dict from pairs of labels ``(true, "
        'predicted)`` to costs; other pairs cost 0. Costs are finite and non-negative. "balanced": errors of '
        'a class cost inversely to its frequency; "imbalance": predicting ``j`` for ``k`` costs '
        "``n_j / n_k``.",
    ),
    Option(
        "costs",
        "Any",
        None,
        "Costs per row, used instead of ``cost_matrix``: a dict from 'alarm' (a false alarm), 'miss', 'hit' "
        "and 'pass', or from pairs of labels ``(true, predicted)``, to a number or the name of a column of "
        "X, such as ``{'alarm': 5, 'miss': 'amount'}``; others cost 0. Every row gets the prediction of "
        "minimum expected cost with its own costs; the training does not change, and the column stays a "
        "feature. Also an array of shape (n_rows, n_classes, n_classes), or a function that computes one "
        "from X; ``predict`` then needs one, too.",
    ),
    Option(
        "cost_strategy",
        'Literal["decision", "reweight"]',
        "decision",
        '"decision" predicts the class of minimum expected cost and does not change the training; "reweight" '
        "trains with class weights that represent the costs (Ting 2002).",
    ),
    Option(
        "threshold",
        'float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None',
        None,
        "For two classes: predict the positive class if its probability is at least this, in [0, 1]. A "
        "metric name chooses the best threshold for this metric (with more classes one per class); a dict "
        "chooses a threshold that reaches a target: "
        '``{"recall": 0.9}``, ``{"precision": 0.5}``, ``{"fpr": 0.001}``, ``{"alert_rate": 0.01}``, '
        '``{"alerts": 200, "per": 50000}``, ``{"cost": matrix}``; on out-of-bag predictions, or else those '
        'of five inner folds. With ``"guarantee": 0.95`` it holds with that confidence on new rows, using a '
        'fraction of the rows, ``"guarantee_rows"``, that is held out of the fit. "prior", for Bayesian '
        "classifiers with any number of classes: the class whose probability exceeds its prior most. None "
        "predicts the most probable class.",
    ),
    Option(
        "calibrate",
        'Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None',
        None,
        "Calibrate probabilities with a curve fitted to out-of-sample predictions: "
        "out-of-bag ones, or else those of five inner folds; after ``prior_correction``, and before "
        '``threshold`` and ``cost_matrix`` are applied. "sigmoid": Platt 1999. "isotonic": any '
        'non-decreasing curve. "beta": Kull et al. 2017. "venn_abers": Vovk et al. 2015, with an '
        "interval for every probability. Several classes: one against the rest, normalized to a sum of 1. "
        "None does not calibrate.",
    ),
    Option(
        "positive",
        "Any",
        None,
        "Label of the class to which ``threshold``, boxes, rules and scores refer. None: label 1 of 0 and "
        '1, -1 and 1 or False and True; else the rarer class, in case of ties the greater label. See "The '
        'positive class" in the documentation.',
    ),
    Option(
        "random_state",
        "Any",
        None,
        "Seed of all random choices: a whole number, a numpy Generator or RandomState. Equal seeds give "
        "equal models for any ``n_threads``. None draws a seed.",
    ),
    Option(
        "n_threads",
        "int | None",
        None,
        "Number of threads; -1 for all cores, -2 for all but one. None uses ``IMBCORE_NUM_THREADS``, else "
        "``OMP_NUM_THREADS``, else all cores that the process may use.",
    ),
    Option(
        "n_jobs",
        "int | None",
        None,
        "Another name of ``n_threads``.",
    ),
    Option(
        "verbose",
        "int",
        0,
        "1 or more: show the progress of the fit on standard error.",
    ),
    Option(
        "callback",
        "Callable[[str, int, int], object] | None",
        None,
        "Called regularly as ``callback(stage, done, total)``. An exception stops the fit "
        "and is raised to the caller.",
        not_in_estimators=True,
    ),
)

# Options of functions for reading files and other sources.
TEXT_OPTIONS = (
    Option(
        "separator",
        "str | None",
        None,
        "For text files: field separator. None uses the one of comma, semicolon, tab and bar that splits "
        "all rows equally.",
        not_in_estimators=True,
    ),
    Option(
        "decimal",
        "str | None",
        None,
        'For text files: decimal mark, "." or ",". None infers it from all numeric columns, and '
        "raises an error for an ambiguous file.",
        not_in_estimators=True,
    ),
    Option(
        "thousands",
        "str | None",
        None,
        "For text files: thousands separator. None recognizes points and commas in numbers such "
        'as "1.027,42".',
        not_in_estimators=True,
    ),
    Option(
        "na_values",
        "Sequence[str | float] | str",
        (),
        "For text files: fields that mean a missing value, in addition to the usual ones: an empty field, "
        "NA, N/A, NaN, null and ? everywhere; and n/a, None, -, ., #N/A, #DIV/0!, <NA> and similar ones, in "
        "any case, in columns whose other values are all numbers.",
        not_in_estimators=True,
    ),
    Option(
        "encoding",
        "str | None",
        None,
        'For text files: the encoding, such as "latin-1", "cp1252", "gbk" or "utf-16". None reads UTF-8, and '
        "UTF-16 with a byte order mark.",
        not_in_estimators=True,
    ),
    Option(
        "dates",
        "Sequence[str]",
        (),
        "For a source: date columns to read as days since 1970-01-01; other date columns cannot be features.",
        not_in_estimators=True,
    ),
    Option(
        "date_format",
        "str | None",
        None,
        'Format of dates in text, as in ``datetime.strptime``, such as "%d.%m.%Y". None means ISO 8601.',
        not_in_estimators=True,
    ),
)

_OF_ENTRY_POINTS = (*OPTIONS, *TEXT_OPTIONS)

# Arguments of the estimators that are not parameters of their methods.
ESTIMATOR_OPTIONS = tuple(option.name for option in OPTIONS if not option.not_in_estimators)


def settled(given: dict[str, Any]) -> dict[str, Any]:
    """Remove the options from the arguments of a function; missing ones get their defaults."""
    return {option.name: given.pop(option.name, option.default) for option in OPTIONS}


def described(function: EntryPoint) -> EntryPoint:
    """Add the options to the signature and docstring of a function with ``**given``."""
    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())
    keyword = inspect.Parameter.KEYWORD_ONLY
    named = [
        inspect.Parameter(o.name, keyword, default=o.default, annotation=o.type) for o in _OF_ENTRY_POINTS
    ]
    parameters[-1:] = [*named, parameters[-1]]
    function.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    entries = "".join(_entry(option) for option in _OF_ENTRY_POINTS)
    # Python removes the indentation of docstrings or not, depending on its version.
    text = inspect.cleandoc(function.__doc__ or "")
    function.__doc__ = text.replace("**parameters\n", f"{entries}**parameters\n", 1)
    return function


def _entry(option: Option) -> str:
    body = textwrap.indent(textwrap.fill(option.doc, 104, break_on_hyphens=False), "    ")
    default = f'"{option.default}"' if isinstance(option.default, str) else option.default
    return f"{option.name} : {option.type}, default={default}\n{body}\n"
