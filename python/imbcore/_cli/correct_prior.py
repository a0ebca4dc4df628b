"""`imbcore correct-prior`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from imbcore._cli.options import NoRepeatedOptionsCommand, examples, may_force
from imbcore._cli.outputs import reject_overwriting_outputs
from imbcore._cli.reading import add_text_file_options, text_format_from_options
from imbcore._cli.standard_streams import write_error_line
from imbcore._validation.digits import score_text

if TYPE_CHECKING:
    from imbcore._model.model import Model


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
    epilog=examples(
        "imbcore correct-prior model.imb new.csv -o adapted.imb",
        "imbcore correct-prior model.imb new.csv --by bbse -o adapted.imb",
        "imbcore predict adapted.imb new.csv -o out.csv",
    ),
)
@click.argument("model")
@click.argument("data")
@click.option("--output", "-o", required=True, metavar="FILE", help="Model file to write, usually *.imb.")
@prior_estimation_option
@may_force
@add_text_file_options
@click.option(
    "--threads", type=int, metavar="N", help="Number of threads; -1 for all cores.  [default: all cores]"
)
def correct_prior(
    model: str, data: str, output: str, method: str, force: bool, threads: int | None, **reading: Any
) -> None:
    """Correct a model file for the class proportions of the unlabeled table DATA.

    The proportions are estimated without labels. The estimate assumes that only the proportions changed; a
    shifted column, such as by a sensor offset, gives a wrong estimate. Columns that are not features of the
    model are ignored.
    """
    import imbcore
    from imbcore._cli.tables import read_features

    reject_overwriting_outputs([(output, "model")], [model, data], force=force)
    fitted = imbcore.load(model)
    adapted = fitted.correct_prior(
        read_features(data, fitted, text_format_from_options(reading)), method=method, n_threads=threads
    )
    adapted.save(output)
    print_class_proportions(adapted)


def print_class_proportions(adapted: Model, *, err: bool = False) -> None:
    """Print the class proportions that a model was adapted to; `err` selects standard error."""
    found = adapted.decision_["adapted"]
    put = write_error_line if err else click.echo
    for label, share in found["prior"].items():
        low, high, before = (score_text(found[key][label], 4) for key in ("low", "high", "before"))
        put(f"{label}: {score_text(share, 4)} [{low}, {high}], in training {before}")
    put(
        "this estimate assumes that only the class proportions changed; first compare the columns with those "
        'of the training rows ("Watch the service" in the documentation)'
    )
