"""The command `imbcore`: fit, predict, evaluate and look at models from a terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from imbcore._cli.console import nearest, parse_parameters, parse_value, progress, run_command
from imbcore._cli.outputs import check_outputs

if TYPE_CHECKING:
    from imbcore._model.model import Model

__all__ = ["cli", "main"]

Command = TypeVar("Command", bound=Callable[..., Any])
RESERVED = {
    "class_weight": "--class-weight",
    "cost_matrix": "--cost-matrix",
    "cost_strategy": "--cost-strategy",
    "threshold": "--threshold",
    "positive": "--positive",
    "random_state": "--seed",
    "n_threads": "--threads",
    "n_jobs": "--threads",
    "method": "--method",
    "callback": "nothing: bars show by themselves",
    "categorical_features": "--nominal",
    "feature_names": "the header of the file",
    "sample_weight": "--weight",
}


class _Threshold(click.FloatRange):
    """A number in [0, 1], or a word for how it follows from the data."""

    name = "threshold"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Let the words pass."""
        return value if value in ("f1", "prior") else super().convert(value, param, ctx)


fitting_options: list[Callable[[Any], Any]] = [
    click.option("--target", "-t", required=True, metavar="COLUMN", help="Column with the class labels."),
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
        help="'balanced', or the cost of every answer by true label, such as "
        '\'{"yes": {"no": 10}, "no": {"yes": 1}}\'; answers then cost least.',
    ),
    click.option(
        "--cost-strategy",
        type=click.Choice(["decision", "reweight"]),
        default="decision",
        show_default=True,
        help="Whether costs change the answers, or the weights in training.",
    ),
    click.option(
        "--threshold",
        type=_Threshold(0, 1),
        metavar="NUMBER|f1|prior",
        help="Answer the positive class from this probability on, or where its F1 is best on inner "
        "folds; 'prior': answer what a row makes more probable than before (Bayesian classifiers).",
    ),
    click.option(
        "--positive",
        metavar="LABEL",
        help="Class of interest.  [default: label 1 of 0 and 1, or the rarer class]",
    ),
    click.option(
        "--weight", metavar="COLUMN", help="Column with the weight of every row; not a feature then."
    ),
    click.option(
        "--nominal", multiple=True, metavar="COLUMN", help="Column of codes to read as names; repeatable."
    ),
    click.option(
        "--drop", multiple=True, metavar="COLUMN", help="Column to leave out, such as a key; repeatable."
    ),
    click.option(
        "--seed", type=click.IntRange(0), default=0, show_default=True, help="Equal seeds, equal results."
    ),
    click.option("--threads", type=int, metavar="N", help="Threads; -1 for all cores.  [default: all cores]"),
]


def examples(*lines: str) -> str:
    """Lay out the last part of a help page; click keeps the lines after a backspace character apart."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


def with_fitting_options(command: Command) -> Command:
    """Add the options that `fit` and `evaluate` share."""
    for option in reversed(fitting_options):
        command = option(command)
    return command


def _version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted:
        import imbcore

        click.echo(f"imbcore {imbcore.__version__}")
        context.exit()


may_force = click.option("--force", is_flag=True, help="Write over files of other kinds, too.")


@click.group(
    invoke_without_command=True,
    epilog=examples(
        "imbcore evaluate train.csv --target y --method hddt,cart",
        "imbcore fit train.csv --target y --method hddt -o model.imb",
        "imbcore predict model.imb new.csv -o out.csv --proba",
        "imbcore show model.imb --rules",
    ),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and exit.",
)
@click.pass_context
def cli(context: click.Context) -> None:
    """Classification when one class is rare.

    Tables are CSV, CSV.gz or Parquet files, told apart by their names.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@cli.command(
    epilog=examples(
        "imbcore fit train.csv --target y --method hddt -o model.imb",
        "imbcore fit train.csv.gz -t y -m cart -p max_depth=4 --class-weight balanced -o model.imb",
        "imbcore fit train.parquet --target y --method c44 -p leaf=m_estimate -p prior_weight=2 -o model.imb",
    )
)
@click.argument("data")
@click.option(
    "--method", "-m", default="hddt", show_default=True, metavar="NAME", help="See: imbcore methods."
)
@click.option("--output", "-o", required=True, metavar="FILE", help="Model file to write, by habit *.imb.")
@may_force
@with_fitting_options
def fit(data: str, method: str, output: str, force: bool, **options: Any) -> None:
    """Fit a method to the table DATA and write a model file."""
    from imbcore import _api
    from imbcore._cli.tables import read_training_table

    check_outputs([(output, "model")], [data], force=force)
    parameters = parse_parameters(options["pairs"], reserved=RESERVED)
    table = read_training_table(data, options)
    with progress() as callback:
        model = _api.fit(table.X, table.y, method, callback=callback, **_shared(options, table), **parameters)
    model.save(output)
    click.echo(f"{output}: {_summary(model)}, fitted to {len(table.y):,} rows")


@cli.command(
    epilog=examples(
        "imbcore predict model.imb new.csv -o out.csv",
        "imbcore predict model.imb new.parquet -o out.parquet --proba",
        "imbcore predict model.imb new.csv | head",
    )
)
@click.argument("model")
@click.argument("data")
@click.option(
    "--output", "-o", default="-", metavar="FILE", help="Table to write; '-' is CSV to standard output."
)
@click.option("--proba", is_flag=True, help="Also write the probability of every class.")
@may_force
@click.option("--threads", type=int, metavar="N", help="Threads; -1 for all cores.  [default: all cores]")
def predict(model: str, data: str, output: str, proba: bool, force: bool, threads: int | None) -> None:
    """Predict the class of every row of the table DATA with a model file.

    The output has one row for each row of DATA, in the same order. Columns that are not features of the
    model, such as the target, are ignored.
    """
    import imbcore
    from imbcore._cli.tables import read_features, write_columns

    check_outputs([(output, "table")], [model, data], force=force)
    fitted = imbcore.load(model)
    features = read_features(data, fitted)
    columns: dict[str, Any] = {"prediction": fitted.predict(features, n_threads=threads)}
    if proba:
        shares = fitted.predict_proba(features, n_threads=threads)
        columns |= {f"proba_{label}": shares[:, k] for k, label in enumerate(fitted.classes_)}
    write_columns(output, columns)


@cli.command(
    epilog=examples(
        "imbcore evaluate data.csv --target y",
        "imbcore evaluate data.csv --target y --method hddt,c44,cart --repeats 3 --positive yes",
        "imbcore evaluate data.csv --target y --method hddt,cart --html report.html --json scores.json",
    )
)
@click.argument("data")
@click.option(
    "--method",
    "-m",
    "names",
    default="hddt",
    show_default=True,
    metavar="NAMES",
    help="One or more, with commas.",
)
@click.option(
    "--folds", type=click.IntRange(2), default=5, show_default=True, help="Folds of the cross-validation."
)
@click.option(
    "--repeats", type=click.IntRange(1), default=1, show_default=True, help="Runs with other folds."
)
@click.option("--html", metavar="FILE", help="Also write a report page with curves and the tree.")
@click.option(
    "--json", "as_json", metavar="FILE", help="Also write all scores as JSON; '-' is standard output only."
)
@may_force
@with_fitting_options
def evaluate(
    data: str, names: str, html: str | None, as_json: str | None, force: bool, **options: Any
) -> None:
    """Score methods on the table DATA by stratified cross-validation.

    Every method sees the same folds. The best mean of each line is marked with a star. Precision,
    recall, F1 and average precision speak of the positive class; with more than two classes they are
    means over the classes.
    """
    from imbcore import _api
    from imbcore._cli.tables import read_training_table
    from imbcore._report.page import write_report
    from imbcore._report.scores import best_method, score_table, scores_json

    parameters = parse_parameters(options["pairs"], reserved=RESERVED)
    methods = list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    if not methods:
        raise click.UsageError("--method needs at least one name")
    check_outputs([(html, "page"), (as_json, "json")], [data], force=force)
    table = read_training_table(data, options)
    protocol = {key: options[key] for key in ("folds", "repeats")}
    shared = _shared(options, table) | parameters
    results = {}
    for name in methods:
        with progress() as callback:
            results[name] = _api.evaluate(table.X, table.y, name, callback=callback, **protocol, **shared)
        # What the first one settled holds for all.
        shared["positive"] = results[name].positive
    if as_json != "-":
        click.echo(score_table(results))
    if html:
        chosen = best_method(results)
        model = _api.fit(table.X, table.y, chosen, **shared)
        command = click.get_current_context().command_path
        write_report(html, results, model, table.X, title=data, reproduce=f"{command} {_retyped()}")
        click.echo(f"report: {html}")
    if as_json:
        _write_text(as_json, json.dumps(scores_json(results), indent=1, ensure_ascii=False) + "\n")


@cli.command(
    epilog=examples(
        "imbcore methods",
        "imbcore methods hddt",
    )
)
@click.argument("name", required=False)
def methods(name: str | None) -> None:
    """List the methods, or the parameters of the method NAME."""
    import imbcore

    known = imbcore.methods()
    if name is None:
        click.echo(str(known))
        return
    found = {method.name: method for method in known}
    if name not in found:
        raise click.UsageError(f"no method {name!r}; {nearest(name, list(found))}")
    click.echo(str(found[name]))


@cli.command(
    epilog=examples(
        "imbcore show model.imb",
        "imbcore show model.imb --rules",
        "imbcore show model.imb --rules --positive late --top 5",
        "imbcore show model.imb --dot | dot -Tsvg > tree.svg",
        "imbcore show boxes.imb --sql",
        "imbcore show model.imb --json | jq .",
    )
)
@click.argument("model")
@click.option(
    "--rules", "form", flag_value="rules", help="One line for each leaf or box, the largest lift first."
)
@click.option("--json", "form", flag_value="json", help="The rules of the leaves or boxes as JSON.")
@click.option("--dot", "form", flag_value="dot", help="The tree in the DOT language of Graphviz.")
@click.option("--sql", "form", flag_value="sql", help="The boxes as what follows WHERE in SQL.")
@click.option(
    "--max-depth", type=click.IntRange(1), metavar="N", help="Levels of the tree to show.  [default: all]"
)
@click.option(
    "--positive", metavar="LABEL", help="Class that rules speak of.  [default: the model's positive class]"
)
@click.option(
    "--top",
    type=click.IntRange(1),
    metavar="N",
    help="Rules to show, the largest lift first.  [default: all]",
)
def show(model: str, form: str | None, max_depth: int | None, positive: str | None, top: int | None) -> None:
    """Show what a model file holds.

    Rules say how probable the positive class is, how many times its share of the training data that is
    (lift), and which part of the class they hold (recall).
    """
    import imbcore
    from imbcore._border.fitted import fitted_model
    from imbcore._model.rule_lines import rule_lines

    fitted = imbcore.load(model)
    label = _label(positive, fitted.classes_, "model")
    if top is not None and form not in ("rules", "json"):
        raise click.UsageError("--top needs --rules or --json")
    if form == "dot":
        click.echo(fitted_model(fitted, f"--{form}", "to_dot").to_dot(max_depth=max_depth, positive=label))
    elif form == "sql":
        click.echo(fitted_model(fitted, f"--{form}", "to_sql").to_sql())
    elif form == "json":
        rules = fitted_model(fitted, f"--{form}", "rules").rules(positive=label, top=top)
        click.echo(json.dumps(rules, indent=1, ensure_ascii=False))
    elif form == "rules":
        click.echo("\n".join(rule_lines(fitted, label, top)))
    else:
        click.echo(f"{_summary(fitted)}")
        click.echo(f"classes: {', '.join(map(str, fitted.classes_))}; positive: {fitted.positive_}")
        click.echo(f"parameters: {', '.join(f'{key}={value!r}' for key, value in fitted.params.items())}")
        if fitted.method == "exact_boxes":
            proof = fitted.certificate()
            click.echo(f"{proof['status']}: objective {proof['objective']:g}, bound {proof['bound']:g}")
        if hasattr(fitted, "export_text"):
            click.echo(fitted.export_text(max_depth=max_depth, positive=label).rstrip("\n"))
        else:
            click.echo("not a single tree, so there is none to show")


@cli.command(
    epilog=examples(
        "imbcore datasets",
        "imbcore datasets yeast4",
        "imbcore datasets digits8 -o digits8.csv",
    )
)
@click.argument("name", required=False)
@click.option(
    "--output", "-o", metavar="FILE", help="Write the data set as a table; the label column is 'target'."
)
@click.option("--folder", metavar="FOLDER", help="Look for the file here first; also: IMBCORE_DATA.")
@click.option("--offline", is_flag=True, help="Do not fetch anything.")
@may_force
def datasets(name: str | None, output: str | None, folder: str | None, offline: bool, force: bool) -> None:
    """List the data sets of the literature, or describe or export the set NAME.

    The sets that scikit-learn brings work offline; others are taken from a folder or a cache, or fetched from
    their public source.
    """
    from imbcore import datasets as known
    from imbcore._cli.tables import write_columns

    if name is None:
        click.echo(known.listing())
        return
    entry = known.info(name)
    if output is None:
        click.echo(f"{entry.name}: {entry.original_source}")
        click.echo(f"{entry.rows:,} rows, {entry.features} features, {len(entry.nominal)} of them nominal")
        click.echo(
            f"classes: {', '.join(f'{label} ({rows:,})' for label, rows in entry.class_counts.items())}"
        )
        for title, text in (
            ("positive class", entry.positive_class),
            ("note", entry.note),
            ("licence", entry.licence),
        ):
            if text:
                click.echo(f"{title}: {text}")
        return
    check_outputs([(output, "table")], [], force=force)
    with progress() as callback:
        data = known.load(name, folder=folder, download=not offline, callback=callback)
    write_columns(output, {**{column: data.X[column] for column in data.X.names}, "target": data.y})
    if output != "-":
        click.echo(f"{output}: {entry.rows:,} rows, {entry.features} features and the column 'target'")


def _shared(options: dict[str, Any], table: Any) -> dict[str, Any]:
    weight, costs = options["class_weight"], options["cost_matrix"]
    return {
        "sample_weight": table.weight,
        "class_weight": None if weight is None else _class_weight(weight, table.y),
        "cost_matrix": None if costs is None else _cost_matrix(costs, table.y),
        "cost_strategy": options["cost_strategy"],
        "threshold": options["threshold"],
        "positive": _label(options["positive"], table.y),
        "random_state": options["seed"],
        "n_threads": options["threads"],
    }


def _class_weight(text: str, y: Any) -> Any:
    value = parse_value(text)
    if not isinstance(value, dict):
        return value
    return {_label(label, y): weight for label, weight in value.items()}


def _cost_matrix(text: str, y: Any) -> Any:
    value = parse_value(text)
    if not isinstance(value, dict):
        return value
    if not all(isinstance(row, dict) for row in value.values()):
        raise click.UsageError("--cost-matrix takes a JSON object of objects: true label, answer, cost")
    return {
        (_label(truth, y), _label(answer, y)): cost
        for truth, row in value.items()
        for answer, cost in row.items()
    }


def _label(text: str | None, y: Any, where: str = "target column") -> Any:
    """Find the label that is written like ``text``."""
    if text is None:
        return None
    labels = {str(label): label for label in sorted(set(y.tolist()))}
    if text not in labels:
        raise click.UsageError(f"no label {text!r} in the {where}; {nearest(text, list(labels))}")
    return labels[text]


def _summary(model: Model) -> str:
    depth = f", depth {model.depth_}" if hasattr(model, "depth_") else ""
    size = f"{model.size_text}{depth}"
    return f"{model.method} with {size}, {model.n_features_in_} features, {len(model.classes_)} classes"


def _retyped() -> str:
    import shlex

    return shlex.join(sys.argv[2:])


def _write_text(path: str, text: str) -> None:
    from imbcore._input.files import atomic_write

    if path == "-":
        click.echo(text, nl=False)
        return
    with atomic_write(path) as file:
        file.write(text.encode())


def main() -> None:
    """Run the command line and leave with its exit code."""
    sys.exit(run_command(cli))
