"""Options shared by several commands, and their conversion to arguments."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from imbcore._cli.console import closest_names_hint, parse_value

Command = TypeVar("Command", bound=Callable[..., Any])
RESERVED = {
    "class_weight": "--class-weight",
    "cost_matrix": "--cost-matrix",
    "costs": "--costs",
    "cost_strategy": "--cost-strategy",
    "threshold": "--threshold",
    "calibrate": "--calibrate",
    "positive": "--positive",
    "random_state": "--seed",
    "n_threads": "--threads",
    "n_jobs": "--threads",
    "method": "--method",
    "callback": "nothing: progress bars are shown automatically",
    "categorical_features": "--nominal",
    "feature_names": "the header of the file",
    "sample_weight": "--weight",
}

# Options of other commands, and names of the Python arguments -> candidates.
_NAMES_ELSEWHERE = {
    **dict.fromkeys(("--threads", "--jobs", "--n-threads", "--n-jobs"), ("--threads", "--jobs")),
    "--random-state": ("--seed",),
}


class NoRepeatedOptionsCommand(click.Command):
    """Command that refuses a repeated option, of which click would silently use the last value."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Check that options with one value are given once, and parse the arguments."""
        single = {
            name: option
            for option in self.params
            if isinstance(option, click.Option) and not option.multiple and not option.is_flag
            for name in option.opts
        }
        ahead = args[: args.index("--")] if "--" in args else args
        names = [arg.partition("=")[0] if arg.startswith("--") else arg[:2] for arg in ahead]
        given = [single[name] for name in names if name in single]
        for option in given:
            if given.count(option) > 1:
                raise click.UsageError(
                    f"{option.opts[0]} is given {given.count(option)} times; give it once", ctx
                )
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            known = {name for option in self.params for name in option.opts}
            for meant in _NAMES_ELSEWHERE.get(error.option_name, ()):
                if meant in known:
                    # click suggests names with similar letters, such as --thousands for --threads.
                    text = f"No such option {error.option_name!r}. Did you mean {meant!r}?"
                    raise click.UsageError(text, ctx) from None
            raise


class _ThresholdOptionType(click.FloatRange):
    """A number in [0, 1], or a rule: a metric name or a target value."""

    name = "threshold"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Parse ``recall=0.9,guarantee=0.95`` and JSON to dicts, and leave metric names as they are."""
        if not isinstance(value, str) or value[:1] in "0123456789.+-":
            return super().convert(value, param, ctx)
        if value.startswith("{"):
            return parse_value(value)
        return parse_pairs(value) if "=" in value else value


def _parse_costs(
    _context: click.Context, _option: click.Parameter, text: str | None
) -> dict[str, Any] | None:
    """Parse ``alarm=5,miss=amount``, and JSON, to dicts."""
    if text is None:
        return None
    found = parse_pairs(text) if "=" in text and not text.startswith("{") else parse_value(text)
    if not isinstance(found, dict):
        raise click.BadParameter(f"{text!r} is not a set of costs; write for example alarm=5,miss=amount")
    return found


# Keys of an alert budget whose values are names of columns, which may look like numbers.
_COLUMN_KEYS = ("by", "amount")


def parse_pairs(text: str) -> dict[str, Any]:
    """Parse ``name=value,name=value``."""
    pairs = [(name.strip(), value.strip()) for name, _, value in (p.partition("=") for p in text.split(","))]
    return {name: value if name in _COLUMN_KEYS else parse_value(value) for name, value in pairs}


def reject_options_without(needed: Any, flag: str, *names: str) -> None:
    """Reject options that were given and have no effect without another one.

    Raises
    ------
    click.UsageError
        ``needed`` is None, and one of these parameters was given.
    """
    context = click.get_current_context()
    default = click.core.ParameterSource.DEFAULT
    for name in names:
        if needed is None and context.get_parameter_source(name) is not default:
            option = next(one.opts[0] for one in context.command.params if one.name == name)
            raise click.UsageError(f"{option} has no effect without {flag}; leave it out")


def split_method_names(
    _context: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> list[str]:
    """Return each name once; the option is repeatable and takes names separated by commas."""
    names = (name.strip() for text in given for name in text.split(","))
    return list(dict.fromkeys(name for name in names if name))


def reject_methods_among_tables(
    _context: click.Context, _argument: click.Parameter, given: tuple[str, ...]
) -> tuple[str, ...]:
    """Reject names of methods among the tables, and explain how to give them."""
    absent = [name for name in given if not os.path.exists(name)]
    if absent:
        import imbcore

        for name in {method.name for method in imbcore.methods()}.intersection(absent):
            raise click.BadParameter(
                f"{name} is a method, and there is no such file; separate methods by commas, as in "
                f"--method forest,{name}"
            )
    return given


def parse_number_or_pairs(_context: click.Context, _option: click.Parameter, value: str | None) -> Any:
    """Parse a number, text or pairs (alerts=200,per=50000); the called function validates them."""
    if value is None:
        return None
    return parse_pairs(value) if "=" in value else parse_value(value)


target_option = click.option(
    "--target", "-t", required=True, metavar="COLUMN", help="Column with the class labels."
)
_POSITIVE = click.option(
    "--positive",
    metavar="LABEL",
    help="Positive class.  [default: 1 if the labels are 0 and 1 or -1 and 1, True if they are False and "
    "True, else the rarest class]",
)
_NOMINAL = click.option(
    "--nominal",
    multiple=True,
    metavar="COLUMN",
    help="Column of numeric codes to read as categories; repeatable.",
)
_DROP = click.option(
    "--drop", multiple=True, metavar="COLUMN", help="Column to ignore, such as a key; repeatable."
)
threads_option = click.option(
    "--threads", type=int, metavar="N", help="Number of threads; -1 for all cores.  [default: all cores]"
)
_SEED = click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Random seed; equal seeds give equal results.",
)
table_options: list[Callable[[Any], Any]] = [target_option, _POSITIVE, _NOMINAL, _DROP, _SEED]
fitting_options: list[Callable[[Any], Any]] = [
    target_option,
    click.option(
        "-p",
        "--param",
        "pairs",
        multiple=True,
        metavar="NAME=VALUE",
        help="Parameter of the method; repeatable.",
    ),
    click.option(
        "--class-weight",
        metavar="balanced|JSON",
        help="'balanced', or a weight for every label such as '{\"yes\": 10, \"no\": 1}'.",
    ),
    click.option(
        "--cost-matrix",
        metavar="balanced|JSON",
        help="'balanced', or the cost of every prediction by true label, such as "
        '\'{"yes": {"no": 10}, "no": {"yes": 1}}\'; predictions then minimize the expected cost.',
    ),
    click.option(
        "--costs",
        callback=_parse_costs,
        metavar="alarm=5,miss=amount|JSON",
        help="Costs per row: of a false alarm, a miss, a hit or a pass, each a number or a column (which "
        "stays "
        "a feature); or by true label as for --cost-matrix, with columns as costs. Predictions then minimize "
        "the expected cost of each row.",
    ),
    click.option(
        "--cost-strategy",
        type=click.Choice(["decision", "reweight"]),
        default="decision",
        show_default=True,
        help="Apply costs to the predictions or to the training weights.",
    ),
    click.option(
        "--threshold",
        type=_ThresholdOptionType(0, 1),
        metavar="NUMBER|WORD|GOAL",
        help="Predict the positive class from this probability on. f1, f2, g_mean, mcc, youden: the "
        "threshold "
        "that maximizes this metric on out-of-sample rows. recall=0.9, precision=0.5, fpr=0.001, "
        "alert_rate=0.01, alerts=200,per=50000: a threshold that reaches this value. "
        '\'{"cost": {"yes": {"no": 10}, "no": {"yes": 1}}}\': the threshold of least cost, with costs as for '
        "--cost-matrix, which is then left out. With --time also alerts=200,per=1d, or "
        "alerts=200,per=1d,by=customer to count every customer once a day; with ,guarantee=0.95 the target "
        "holds with this confidence on new rows. prior: predict the class whose probability exceeds its "
        "prior most (Bayesian classifiers).",
    ),
    click.option(
        "--calibrate",
        type=click.Choice(["sigmoid", "isotonic", "beta", "venn_abers"]),
        help="Calibrate the probabilities on out-of-sample rows.",
    ),
    _POSITIVE,
    click.option("--weight", metavar="COLUMN", help="Column of row weights; it is then not a feature."),
    click.option(
        "--drop-unlabeled",
        is_flag=True,
        help="Leave out rows without a label, such as empty lines at the end of a table.",
    ),
    _NOMINAL,
    _DROP,
    _SEED,
    threads_option,
]


def format_help_examples(*lines: str) -> str:
    """Format the examples of a help page; click keeps line breaks after a backspace character."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


def add_fitting_options(command: Command) -> Command:
    """Add the options shared by `fit` and `evaluate`."""
    for option in reversed(fitting_options):
        command = option(command)
    return command


def add_table_options(command: Command) -> Command:
    """Add the options that describe the columns of a table."""
    for option in reversed(table_options):
        command = option(command)
    return command


def add_group_and_time_options(command: Command) -> Command:
    """Add the options that name columns of groups and times."""
    for option in reversed([*_DEPENDENCE, _LABEL_TIME]):
        command = option(command)
    return command


def add_training_group_options(command: Command) -> Command:
    """Add the options that name columns of groups and times of training rows."""
    for option in reversed(_DEPENDENCE):
        command = option(command)
    return command


_DEPENDENCE: list[Callable[[Any], Any]] = [
    click.option(
        "--groups",
        metavar="COLUMN",
        help="Column of group identifiers, such as a customer; a group is never split between folds.",
    ),
    click.option(
        "--time",
        metavar="COLUMN",
        help="Column of times, numbers or dates such as 2024-02-29 (others: --date-format); test rows are "
        "then always later than their training rows.",
    ),
    click.option(
        "--gap",
        "--time-gap",
        "time_gap",
        callback=parse_number_or_pairs,
        metavar="ROWS|SPAN",
        help="Gap between training and test rows: rows, or 7d, 12h, 30min; time=7 if times are numbers.",
    ),
]
_LABEL_TIME = click.option(
    "--label-time",
    metavar="COLUMN",
    help="With --time: column of the times when the labels became known; rows with labels that became "
    "known after the first test row are not used for training.",
)

may_force = click.option("--force", is_flag=True, help="Also overwrite files of other kinds.")


def options_to_fit_arguments(options: dict[str, Any], table: Any) -> dict[str, Any]:
    """Convert the options shared by `fit` and `evaluate` to arguments of the Python functions."""
    weight, costs = options["class_weight"], options["cost_matrix"]
    return {
        "sample_weight": table.weight,
        "class_weight": None if weight is None else _parse_class_weight(weight, table.y),
        "cost_matrix": None if costs is None else parse_cost_matrix_option(costs, table.y),
        "costs": _costs_with_label_keys(options["costs"], table.y),
        "cost_strategy": options["cost_strategy"],
        "threshold": _threshold_with_label_costs(options, table.y),
        "calibrate": options["calibrate"],
        "positive": find_label_by_text(options["positive"], table.y),
        "random_state": options["seed"],
        "n_threads": options["threads"],
    }


def drop_redundant_budget_key(budget: Any, groups: str | None) -> Any:
    """Leave out the key "by" of an alert budget if it names the column of groups."""
    if groups is None or not isinstance(budget, dict) or budget.get("by") != groups:
        return budget
    return {name: value for name, value in budget.items() if name != "by"}


def _parse_class_weight(text: str, y: Any) -> Any:
    value = parse_value(text)
    if not isinstance(value, dict):
        return value
    return {find_label_by_text(label, y): weight for label, weight in value.items()}


def _threshold_with_label_costs(options: dict[str, Any], y: Any) -> Any:
    goal = options["threshold"]
    if isinstance(goal, dict) and isinstance(goal.get("cost"), dict):
        return goal | {"cost": _costs_by_label_pair("--threshold", goal["cost"], y)}
    return goal


def parse_cost_matrix_option(text: str, y: Any, where: str = "target column") -> Any:
    """Convert the text of a cost matrix; its labels must be in ``y``."""
    value = parse_value(text)
    return _costs_by_label_pair("--cost-matrix", value, y, where) if isinstance(value, dict) else value


def _costs_with_label_keys(costs: dict[str, Any] | None, y: Any) -> Any:
    if costs is not None and any(isinstance(row, dict) for row in costs.values()):
        return _costs_by_label_pair("--costs", costs, y)
    return costs


def _costs_by_label_pair(
    option: str, value: dict[str, Any], y: Any, where: str = "target column"
) -> dict[tuple[Any, Any], Any]:
    if not all(isinstance(row, dict) for row in value.values()):
        raise click.UsageError(
            f"{option} takes costs as a JSON object of objects: true label, predicted label, cost"
        )
    return {
        (find_label_by_text(truth, y, where), find_label_by_text(answer, y, where)): cost
        for truth, row in value.items()
        for answer, cost in row.items()
    }


def find_label_by_text(text: str | None, y: Any, where: str = "target column") -> Any:
    """Find the label whose text is ``text``."""
    if text is None:
        return None
    found = sorted(set(y.tolist()))
    # "1" also matches the label 1.0.
    labels = {str(label).removesuffix(".0"): label for label in found} | {
        str(label): label for label in found
    }
    if text not in labels:
        raise click.UsageError(f"no label {text!r} in the {where}; {closest_names_hint(text, list(labels))}")
    return labels[text]
