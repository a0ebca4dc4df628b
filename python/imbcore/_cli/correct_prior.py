"""`imbcore correct-prior`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from imbcore._cli.options import (
    NoRepeatedOptionsCommand,
    find_label_by_text,
    format_help_examples,
    may_force,
    threads_option,
)
from imbcore._cli.outputs import reject_overwriting_outputs
from imbcore._cli.reading import add_text_file_options, text_format_from_options
from imbcore._cli.standard_streams import write_error_line
from imbcore._validation.digits import score_text

if TYPE_CHECKING:
    from imbcore._model.model import Model


_DEFAULT = click.core.ParameterSource.DEFAULT

prior_estimation_option = click.option(
    "--by",
    "method",
    type=click.Choice(["em", "bbse"]),
    default="em",
    show_default=True,
    help="Estimate of proportions: em uses calibrated probabilities, bbse the out-of-bag confusion matrix.",
)


@click.command(
    cls=NoRepeatedOptionsCommand,
    epilog=format_help_examples(
        "imbcore correct-prior model.imb new.csv -o adapted.imb",
        "imbcore correct-prior model.imb new.csv --by bbse -o adapted.imb",
        "imbcore correct-prior model.imb --prior ill=0.03 -o adapted.imb",
        "imbcore predict adapted.imb new.csv -o out.csv",
    ),
)
@click.argument("model")
@click.argument("data", required=False)
@click.option("--output", "-o", required=True, metavar="FILE", help="Model file to write, usually *.imb.")
@click.option(
    "--prior",
    "priors",
    multiple=True,
    metavar="LABEL=NUMBER",
    help="Known proportion of a class in the new data instead of an estimate; repeat it for more classes. "
    "One class may be absent and gets the rest to 1.",
)
@prior_estimation_option
@may_force
@add_text_file_options
@threads_option
def correct_prior(
    model: str,
    data: str | None,
    output: str,
    priors: tuple[str, ...],
    method: str,
    force: bool,
    threads: int | None,
    **reading: Any,
) -> None:
    """Correct a model file for other class proportions, of the unlabeled table DATA or known.

    The proportions of DATA are estimated without labels. The estimate assumes that only the proportions
    changed; a shifted column, such as by a sensor offset, gives a wrong estimate. Columns that are not
    features of the model are ignored.
    """
    import imbcore
    from imbcore._cli.tables import read_features

    if data is None and not priors:
        raise click.UsageError("give DATA, a table of unlabeled rows, or --prior LABEL=NUMBER")
    if priors and click.get_current_context().get_parameter_source("method") is not _DEFAULT:
        raise click.UsageError("--by estimates proportions and has no effect with --prior; leave it out")
    inputs = [model] if data is None else [model, data]
    reject_overwriting_outputs([(output, "model")], inputs, force=force)
    fitted = imbcore.load(model)
    rows = None if data is None else read_features(data, fitted, text_format_from_options(reading))
    known = _proportions(priors, fitted) if priors else None
    adapted = fitted.correct_prior(rows, method=method, prior=known, n_threads=threads)
    adapted.save(output)
    print_class_proportions(adapted)


def _proportions(priors: tuple[str, ...], fitted: Model) -> dict[Any, float]:
    """Parse the proportions LABEL=NUMBER, by the label of the model."""
    found: dict[Any, float] = {}
    for text in priors:
        name, _, number = text.rpartition("=")
        try:
            proportion = float(number) if name else None
        except ValueError:
            proportion = None
        if proportion is None:
            raise click.UsageError(f"--prior needs LABEL=NUMBER, such as ill=0.03, got {text!r}")
        label = find_label_by_text(name, fitted.classes_, "model")
        if label in found:
            raise click.UsageError(f"--prior gives the proportion of {name} twice; give it once")
        found[label] = proportion
    return found


def print_class_proportions(adapted: Model, *, err: bool = False) -> None:
    """Print the class proportions that a model was adapted to; `err` selects standard error."""
    found = adapted.decision_["adapted"]
    put = write_error_line if err else click.echo
    for label, share in found["prior"].items():
        low, high, before = (score_text(found[key][label], 4) for key in ("low", "high", "before"))
        interval = "" if found["method"] == "given" else f" [{low}, {high}]"
        put(f"{label}: {score_text(share, 4)}{interval}, in training {before}")
    if found["method"] == "given":
        return
    put(
        "this estimate assumes that only the class proportions changed; first compare the columns with those "
        'of the training rows ("Watch the service" in the documentation)'
    )
