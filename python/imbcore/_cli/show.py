"""`imbcore show` and `imbcore methods`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from imbcore._cli.console import closest_names_hint
from imbcore._cli.options import NoRepeatedOptionsCommand, find_label_by_text, format_help_examples
from imbcore._validation.digits import score_text
from imbcore.exceptions import UnsupportedError

if TYPE_CHECKING:
    from imbcore._model.model import Model


# Form of a model -> the method that a model needs for it, `None` if all models have it.
# The key `None` is the default form.
_NEEDED = {
    None: None,
    "rules": "rules",
    "json": "rules",
    "dot": "to_dot",
    "sql": "to_sql",
    "summary": None,
    "card": None,
}
_CONTENT = {"rules": "rules", "json": "rules", "dot": "tree to draw", "sql": "SQL"}


@click.command(
    cls=NoRepeatedOptionsCommand,
    epilog=format_help_examples(
        "imbcore methods",
        "imbcore methods hddt",
    ),
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
        raise click.UsageError(f"no method {name!r}; {closest_names_hint(name, list(found))}")
    click.echo(str(found[name]))


@click.command(
    cls=NoRepeatedOptionsCommand,
    epilog=format_help_examples(
        "imbcore show model.imb",
        "imbcore show model.imb --summary",
        "imbcore show model.imb --rules",
        "imbcore show model.imb --rules --positive late --top 5",
        "imbcore show model.imb --dot | dot -Tsvg > tree.svg",
        "imbcore show boxes.imb --sql",
        "imbcore show model.imb --card > README.md",
        "imbcore show model.imb --json | jq .",
    ),
)
@click.argument("model")
@click.option(
    "--rules", "form", flag_value="rules", help="One line per leaf or box, sorted by decreasing lift."
)
@click.option("--summary", "form", flag_value="summary", help="Method, size, classes and parameters.")
@click.option("--json", "form", flag_value="json", help="The rules of the leaves or boxes as JSON.")
@click.option("--dot", "form", flag_value="dot", help="The tree in the DOT language of Graphviz.")
@click.option(
    "--sql", "form", flag_value="sql", help="Boxes as an SQL WHERE condition; other models as a query."
)
@click.option("--card", "form", flag_value="card", help="The model card in Markdown.")
@click.option(
    "--max-depth", type=click.IntRange(1), metavar="N", help="Levels of the tree to show.  [default: all]"
)
@click.option(
    "--positive",
    metavar="LABEL",
    help="Class that the rules describe.  [default: the model's positive class]",
)
@click.option(
    "--top",
    type=click.IntRange(1),
    metavar="N",
    help="Number of rules to show, sorted by decreasing lift.  [default: all]",
)
def show(model: str, form: str | None, max_depth: int | None, positive: str | None, top: int | None) -> None:
    """Show a model file: by default the summary, with the tree, boxes or odds ratios if any.

    Each rule gives the probability of the positive class, its ratio to the class proportion in training
    (lift), and the fraction of the positive class that it covers (recall).
    """
    import imbcore
    from imbcore._model.rule_lines import rule_lines

    fitted = imbcore.load(model)
    label = find_label_by_text(positive, fitted.classes_, "model")
    if top is not None and form not in ("rules", "json"):
        raise click.UsageError("--top needs --rules or --json")
    if max_depth is not None and form not in (None, "dot"):
        raise click.UsageError(f"--max-depth has no effect with --{form}; leave it out")
    if positive is not None and form in ("sql", "summary", "card"):
        raise click.UsageError(f"--positive has no effect with --{form}; leave it out")
    _require_available_form(fitted, form)
    if form == "dot":
        click.echo(fitted.to_dot(max_depth=max_depth, positive=label))
    elif form == "sql":
        click.echo(fitted.to_sql())
    elif form == "json":
        click.echo(json.dumps(fitted.rules(positive=label, top=top), indent=1, ensure_ascii=False))
    elif form == "card":
        click.echo(fitted.to_card(model_file=model), nl=False)
    elif form == "rules":
        click.echo("\n".join(rule_lines(fitted, label, top)))
    else:
        click.echo(f"{summary(fitted)}")
        click.echo(f"classes: {', '.join(map(str, fitted.classes_))}; positive: {fitted.positive_}")
        click.echo(f"parameters: {', '.join(f'{key}={value!r}' for key, value in fitted.params.items())}")
        for line in describe_decision(fitted):
            click.echo(line)
        if form is None and hasattr(fitted, "export_text"):
            click.echo(fitted.export_text(max_depth=max_depth, positive=label).rstrip("\n"))
        elif form is None and hasattr(fitted, "odds_ratios"):
            _print_odds_ratios(fitted)


def _print_odds_ratios(model: Any) -> None:
    """Print the odds ratios of a logistic regression, or why it has none."""
    try:
        ratios = model.odds_ratios()
    except UnsupportedError as error:
        click.echo(f"no odds ratios: {error}")
        return
    click.echo(f"odds ratios of {model.positive_}, shrunk by the penalty:")
    for one in ratios:
        click.echo(f"  {one['feature']}, {one['contrast']}: {score_text(one['odds_ratio'], 4)}")


def _require_available_form(model: Model, form: str | None) -> None:
    """Raise a usage error with the available forms if a model has no such form."""
    needed = _NEEDED.get(form)
    if needed is None or hasattr(model, needed):
        return
    others = [other for other, needed in _NEEDED.items() if other and (not needed or hasattr(model, needed))]
    problem = f"has no {_CONTENT[form or '']}"
    forms = f"{', '.join(f'--{other}' for other in others[:-1])} or --{others[-1]}"
    raise click.UsageError(f"a model of method {model.method!r} {problem}; use {forms}")


def describe_decision(model: Model) -> list[str]:
    """Describe the search, decision rule and calibration of a model that are not the default."""
    from imbcore._model.card import describe_calibration, describe_decision_rule

    lines = []
    if hasattr(model, "status_"):
        lines.append(f"{model.status_}: objective {model.objective_:g}, bound {model.bound_:g}")
    if model.decision_["kind"] not in ("most_probable", "labels"):
        lines.append(f"prediction: {describe_decision_rule(model, str(model.positive_), is_positive=True)}")
    if model.calibration_ is not None:
        lines.append(describe_calibration(model))
    return lines


def summary(model: Model) -> str:
    """Describe a model in one line."""
    depth = f", depth {model.depth_}" if hasattr(model, "depth_") else ""
    size = f"{model.size_text}{depth}"
    return f"{model.method} with {size}, {model.n_features_in_} features, {len(model.classes_)} classes"
