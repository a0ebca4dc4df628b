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
        "Non-negative weights, one per row or one for all rows, not all zero: a row of weight 2 counts as "
        "two rows. If all products of row weight and class weight are below 1, the products are scaled to "
        "mean 1. None: every row has weight 1.",
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
        "Weights by label, multiplied with ``sample_weight``; labels that are not given have weight 1. "
        '"balanced" weights the classes inversely to their frequencies.',
    ),
    Option(
        "cost_matrix",
        "Any",
        None,
        "Array of shape (n_classes, n_classes), classes in sorted order: row ``k``, column ``j`` is the "
        "cost of predicting class ``j`` for a row of class ``k``. Or a dict from pairs of labels ``(true, "
        'predicted)`` to costs; other pairs cost 0. Costs are finite and non-negative. "balanced": the '
        "cost of an error on a row is inversely proportional to the frequency of its class. "
        '"imbalance": the cost of the error ``j`` for a row of class ``k`` is ``n_j / n_k``, where '
        "``n_j`` and ``n_k`` are the numbers of rows of these classes.",
    ),
    Option(
        "costs",
        "Any",
        None,
        "Costs per row, used instead of ``cost_matrix``: each row is predicted as the class with the minimum "
        "expected cost for this row. Most methods do not use the costs in training. A dict: the keys are "
        "pairs of labels ``(true, predicted)``. For two classes, the keys may also be 'alarm' (false "
        "positive), 'miss' (false negative), 'hit' (true positive) and 'pass' (true negative). Keys that "
        "are not given cost 0. Each value is a number or the name of a column of X, such as "
        "``{'alarm': 5, 'miss': 'amount'}``; the column remains a feature. An array of shape (n_rows, "
        "n_classes, n_classes): ``predict`` then needs such an array for its rows, as its argument "
        "``cost_matrix``. A function: ``fit`` and ``predict`` call it to compute such an array from X.",
    ),
    Option(
        "cost_strategy",
        'Literal["decision", "reweight"]',
        "decision",
        '"decision": the class of minimum expected cost is predicted. "reweight": the model is trained with '
        "class weights that represent the costs (Ting 2002), and the most probable class is predicted.",
    ),
    Option(
        "threshold",
        'float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None',
        None,
        "A number in [0, 1], for two classes: the positive class is predicted if its probability is at "
        "least this number. The name of a metric: the threshold with the best value of the metric; for "
        "more than two classes, one threshold per class. A dict: the threshold that reaches a requirement, "
        'one of ``{"recall": 0.9}``, ``{"precision": 0.5}``, ``{"fpr": 0.001}``, ``{"alert_rate": 0.01}``, '
        '``{"alerts": 200, "per": 50000}`` (at most 200 alerts per 50,000 rows) and ``{"cost": matrix}``. If '
        '``time`` is given, ``{"alerts": 200, "per": "1d", "by": "customer"}`` limits the mean number of '
        "alerts per day. Several alerts of a customer on a day count once, and the column ``customer`` is "
        'then not a feature ("Rows that belong together" in the documentation). Thresholds are chosen on '
        "out-of-bag predictions if the method has these and ``time`` is not given, else on predictions of "
        "inner folds. The key "
        '``"guarantee": 0.95``: new rows meet the requirement with confidence 0.95. The threshold is then '
        'chosen on rows held out of the fit, a fraction ``"guarantee_rows"`` of all rows. If groups are '
        "given, the guarantee is about a random row of a random new group; with the key "
        '``"max_group_size"``, it is about all rows of new groups of at most this size. "prior", only for '
        "Bayesian classifiers: the class with the largest ratio of probability to prior is predicted. None: "
        "the most probable class is predicted.",
    ),
    Option(
        "calibrate",
        'Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None',
        None,
        "Calibration of the probabilities by a curve fitted to out-of-sample predictions: out-of-bag "
        "predictions if the method has these and ``time`` is not given, else predictions of inner folds. "
        "The calibration is applied after ``prior_correction`` and before ``threshold`` and "
        '``cost_matrix``. "sigmoid": Platt 1999, on log-odds. "isotonic": any non-decreasing curve. '
        '"beta": Kull et al. 2017. "venn_abers": Vovk et al. 2015, with an interval for every probability. '
        "For more than two classes, each class is calibrated against the rest, and the probabilities are "
        "normalized to a sum of 1. None: no calibration.",
    ),
    Option(
        "positive",
        "Any",
        None,
        "Label of the class to which ``threshold``, boxes, rules and scores refer. None: label 1 if the "
        "labels are 0 and 1 or -1 and 1, True if they are False and True; for other labels the class "
        'with the smallest total row weight, in case of ties the greatest label. See "The positive class" in '
        "the documentation.",
    ),
    Option(
        "random_state",
        "Any",
        None,
        "Seed of all random choices: a whole number, a numpy Generator or RandomState. Equal seeds give "
        "equal models for any ``n_threads``. None: a new seed is drawn.",
    ),
    Option(
        "n_threads",
        "int | None",
        None,
        "Number of threads; -1 for all cores, -2 for all but one. None uses ``IMBCORE_NUM_THREADS`` if "
        "set, else ``OMP_NUM_THREADS`` if set, else all cores that the process may use.",
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
        "1 or more: the progress of the fit is shown on standard error. The progress is a bar in terminals "
        "and notebooks if tqdm is installed, else lines of text. 0: no output.",
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
        "For text files: field separator. None: of comma, semicolon, tab and bar, the separator that "
        "gives all rows the same number of fields.",
        not_in_estimators=True,
    ),
    Option(
        "decimal",
        "str | None",
        None,
        'For text files: decimal mark, "." or ",". None: the mark is inferred from all numeric columns; '
        "an ambiguous file raises an error.",
        not_in_estimators=True,
    ),
    Option(
        "thousands",
        "str | None",
        None,
        "For text files: thousands separator. None: points and commas are recognized in numbers such as "
        '"1.027,42".',
        not_in_estimators=True,
    ),
    Option(
        "na_values",
        "Sequence[str | float] | str",
        (),
        "For text files: fields that mean a missing value, in addition to the fields that always do: an "
        "empty field, NA, N/A, NaN, null and ?. In columns whose other values are all numbers, n/a, None, "
        "-, ., #N/A, #DIV/0!, <NA> and similar fields are missing values too, in upper or lower case.",
        not_in_estimators=True,
    ),
    Option(
        "encoding",
        "str | None",
        None,
        'For text files: the encoding, such as "latin-1", "cp1252", "gbk" or "utf-16". None: UTF-8, or '
        "UTF-16 if the file starts with a byte order mark.",
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
        'Format of dates in text, as in ``datetime.strptime``, such as "%d.%m.%Y". None: ISO 8601.',
        not_in_estimators=True,
    ),
)

_OF_ENTRY_POINTS = (*OPTIONS, *TEXT_OPTIONS)

# Arguments of the estimators that are not parameters of their methods.
ESTIMATOR_OPTIONS = tuple(option.name for option in OPTIONS if not option.not_in_estimators)


def pop_fit_options(given: dict[str, Any]) -> dict[str, Any]:
    """Remove the options from the arguments of a function; missing ones get their defaults."""
    return {option.name: given.pop(option.name, option.default) for option in OPTIONS}


def add_options_to_signature(function: EntryPoint) -> EntryPoint:
    """Add the options to the signature and docstring of a function with ``**given``."""
    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())
    keyword = inspect.Parameter.KEYWORD_ONLY
    named = [
        inspect.Parameter(o.name, keyword, default=o.default, annotation=o.type) for o in _OF_ENTRY_POINTS
    ]
    parameters[-1:] = [*named, parameters[-1]]
    function.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    entries = "".join(_option_docstring_entry(option) for option in _OF_ENTRY_POINTS)
    # Python removes the indentation of docstrings or not, depending on its version.
    text = inspect.cleandoc(function.__doc__ or "")
    function.__doc__ = text.replace("**parameters\n", f"{entries}**parameters\n", 1)
    return function


def _option_docstring_entry(option: Option) -> str:
    body = textwrap.indent(textwrap.fill(option.doc, 104, break_on_hyphens=False), "    ")
    default = f'"{option.default}"' if isinstance(option.default, str) else option.default
    return f"{option.name} : {option.type}, default={default}\n{body}\n"
