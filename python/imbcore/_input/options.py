"""What every method takes beside its parameters: one table for the doors, the estimators, their texts."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

__all__ = [
    "ESTIMATOR_OPTIONS",
    "OPTIONS",
    "TEXT_OPTIONS",
    "Option",
    "described",
    "settled",
]

Door = TypeVar("Door", bound=Callable[..., Any])


@dataclass(frozen=True)
class Option:
    """An option: its name, its type, its default and what it does; some are options of the doors only."""

    name: str
    type: str
    default: Any
    doc: str
    door_only: bool = False


OPTIONS = (
    Option(
        "sample_weight",
        "Any",
        None,
        "Weights, one a row or one for all, none negative, not all zero: a row of weight 2 counts as two "
        "rows. Where all, times those of the classes, are below 1, they are scaled to a mean of 1. None "
        "weighs every row 1.",
        door_only=True,
    ),
    Option(
        "categorical_features",
        "Any",
        None,
        "Columns of numbers to read as nominal: a list of names or positions, or a boolean mask. Text and "
        "categorical columns are nominal anyway.",
    ),
    Option(
        "feature_names",
        "Sequence[str] | None",
        None,
        "Names of the columns, for data without names.",
        door_only=True,
    ),
    Option(
        "class_weight",
        'Mapping[Any, float] | Literal["balanced"] | None',
        None,
        'Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes '
        "inversely to their frequencies.",
    ),
    Option(
        "cost_matrix",
        "Any",
        None,
        "Cost of answering class ``j`` when ``k`` is true in row ``k``, column ``j`` of an array of shape "
        "(n_classes, n_classes), classes in sorted order; or a dict from pairs of labels ``(true, "
        'answered)``, other pairs costing 0. Costs are finite and at least 0. "balanced" makes the errors '
        'of a class cost inversely to its frequency, "imbalance" answering ``j`` for ``k`` ``n_j / n_k``.',
    ),
    Option(
        "costs",
        "Any",
        None,
        "What errors cost where rows differ, in place of ``cost_matrix``: a dict from 'alarm' (a false "
        "one), 'miss', 'hit' and 'pass', or from pairs of labels ``(true, answered)``, to a number or the "
        "name of a column of X, such as ``{'alarm': 5, 'miss': 'amount'}``; others cost 0. Every row gets "
        "the answer of least expected cost by its own; the training is not changed, and the column stays a "
        "feature. Also an array of shape (n_rows, n_classes, n_classes), or a function that makes one of X;"
        " ``predict`` then needs one, too.",
    ),
    Option(
        "cost_strategy",
        'Literal["decision", "reweight"]',
        "decision",
        '"decision" answers the class of least expected cost and leaves the training alone; "reweight" '
        "trains with the class weights that stand for the costs (Ting 2002).",
    ),
    Option(
        "threshold",
        'float | Literal["f1", "f2", "g_mean", "mcc", "youden", "prior"] | Mapping[str, Any] | None',
        None,
        "Of two classes: answer the positive class when its probability is at least this, in [0, 1]. A "
        "word takes the one that is best by that measure (of more classes one for each), a dict the one that "
        "reaches something: "
        '``{"recall": 0.9}``, ``{"precision": 0.5}``, ``{"fpr": 0.001}``, ``{"alert_rate": 0.01}``, '
        '``{"alerts": 200, "per": 50000}``, ``{"cost": matrix}``; on out-of-bag answers, or else those of '
        'five inner folds. ``"guarantee": 0.95`` beside it holds with that confidence on rows to come, by a '
        'share of rows, ``"guarantee_rows"``, that is kept out of the fit. "prior", for Bayesian classifiers '
        "of any number of classes: the class whose probability the row raised most. None answers the most "
        "probable class.",
    ),
    Option(
        "calibrate",
        'Literal["sigmoid", "isotonic", "beta", "venn_abers"] | None',
        None,
        "Makes probabilities mean what they say, by a curve fitted to answers about rows that were not seen: "
        "out-of-bag ones, or else those of five inner folds; after ``recalibrate``, and before ``threshold`` "
        'and ``cost_matrix`` decide. "sigmoid": Platt 1999. "isotonic": any curve that never falls. "beta": '
        'Kull et al. 2017. "venn_abers": Vovk et al. 2015, with an interval for every probability. Several '
        "classes: one against the rest, brought to a sum of 1. None leaves them alone.",
    ),
    Option(
        "positive",
        "Any",
        None,
        "Label of the class that ``threshold``, boxes, rules and scores speak of. None: label 1 of 0 and "
        '1, -1 and 1 or False and True; else the rarer class, of equals the greater label. See "The '
        'positive class" in the documentation.',
    ),
    Option(
        "random_state",
        "Any",
        None,
        "Seed of all random choices: a whole number, a numpy Generator or RandomState. Equal seeds give "
        "equal models whatever ``n_threads`` is. None draws a seed.",
    ),
    Option(
        "n_threads",
        "int | None",
        None,
        "Threads; -1 for all cores, -2 for all but one. None takes ``IMBCORE_NUM_THREADS``, else "
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
        "1 or more: a line on standard error says how far the fit is.",
    ),
    Option(
        "callback",
        "Callable[[str, int, int], object] | None",
        None,
        "Called as ``callback(stage, done, total)`` now and then. An exception it raises stops the fit "
        "and comes out.",
        door_only=True,
    ),
)

# What entry points take beside these to read files and other sources.
TEXT_OPTIONS = (
    Option(
        "separator",
        "str | None",
        None,
        "Of text files: the sign between fields. None takes the one of comma, semicolon, tab and bar that "
        "divides all rows alike.",
        door_only=True,
    ),
    Option(
        "decimal",
        "str | None",
        None,
        'Of text files: the sign before decimals, "." or ",". None finds it from all columns of numbers, and '
        "refuses a file that can be read in two ways.",
        door_only=True,
    ),
    Option(
        "thousands",
        "str | None",
        None,
        "Of text files: the mark between groups of thousands. None finds points and commas in numbers such "
        'as "1.027,42".',
        door_only=True,
    ),
    Option(
        "na_values",
        "Sequence[str | float] | str",
        (),
        "Of text files: fields that stand for a missing value, beside the usual ones: an empty field, NA, "
        "N/A, NaN, null and ? everywhere; and n/a, None, -, ., #N/A, #DIV/0!, <NA> and their like, in any "
        "case, in columns whose other values are all numbers.",
        door_only=True,
    ),
    Option(
        "encoding",
        "str | None",
        None,
        'Of text files: the encoding, such as "latin-1", "cp1252", "gbk" or "utf-16". None reads UTF-8, and '
        "UTF-16 that begins with a byte order mark.",
        door_only=True,
    ),
    Option(
        "dates",
        "Sequence[str]",
        (),
        "Of a source: columns of dates to read as days since 1970-01-01; others are refused as features.",
        door_only=True,
    ),
    Option(
        "date_format",
        "str | None",
        None,
        'How text writes dates, as ``datetime.strptime`` reads it, such as "%d.%m.%Y". None reads ISO 8601.',
        door_only=True,
    ),
)

_OF_ENTRY_POINTS = (*OPTIONS, *TEXT_OPTIONS)

# Arguments of the estimators that are not parameters of their methods.
ESTIMATOR_OPTIONS = tuple(option.name for option in OPTIONS if not option.door_only)


def settled(given: dict[str, Any]) -> dict[str, Any]:
    """Take the options out of what a door was given; those that are not given have their defaults."""
    return {option.name: given.pop(option.name, option.default) for option in OPTIONS}


def described(door: Door) -> Door:
    """Give a door that takes options as ``**given`` the signature and the docstring that name them."""
    signature = inspect.signature(door)
    parameters = list(signature.parameters.values())
    keyword = inspect.Parameter.KEYWORD_ONLY
    named = [
        inspect.Parameter(o.name, keyword, default=o.default, annotation=o.type) for o in _OF_ENTRY_POINTS
    ]
    parameters[-1:] = [*named, parameters[-1]]
    door.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    entries = "".join(_entry(option) for option in _OF_ENTRY_POINTS)
    # Python removed the margin of docstrings or left it, depending on its version.
    text = inspect.cleandoc(door.__doc__ or "")
    door.__doc__ = text.replace("**parameters\n", f"{entries}**parameters\n", 1)
    return door


def _entry(option: Option) -> str:
    body = textwrap.indent(textwrap.fill(option.doc, 104, break_on_hyphens=False), "    ")
    default = f'"{option.default}"' if isinstance(option.default, str) else option.default
    return f"{option.name} : {option.type}, default={default}\n{body}\n"
