"""Groups of parameters, for the first lines of a docstring and for a short signature."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

# Parameters that most people set, in the order in which they are tried.
BASIC = (
    "estimator",
    "n_estimators",
    "n_rounds",
    "objective",
    "criterion",
    "learning_rate",
    "max_depth",
    "max_leaf_nodes",
    "min_samples_leaf",
    "max_features",
    "class_weight",
    "random_state",
    "n_jobs",
)
DECISION = ("threshold", "calibrate", "cost_matrix", "costs", "cost_strategy", "positive", "prior_correction")
DATA = (
    "categorical_features",
    "missing",
    "handle_unknown",
    "discretizer",
    "max_bins",
    "exact_split_max_rows",
    "categorical_split",
    "monotonic_cst",
    "interaction_cst",
)
# Classes with fewer parameters need no groups.
FEWEST = 12
_WIDTH = 100


def group_parameter_names(names: Iterable[str]) -> dict[str, list[str]]:
    """Divide the parameters of a class into groups; the second group has those of the method."""
    known = list(names)
    elsewhere = {*BASIC, *DECISION, *DATA}
    title = "Tree" if {"max_depth", "max_leaf_nodes"} & set(known) else "Method"
    groups = {
        "Basic": [name for name in BASIC if name in known],
        title: [name for name in known if name not in elsewhere],
        "Decision": [name for name in DECISION if name in known],
        "Data": [name for name in DATA if name in known],
    }
    return {name: members for name, members in groups.items() if members}


def usage_and_parameter_groups(class_name: str, names: Sequence[str]) -> str:
    """Write how to use a classifier or sampler, and the groups of its parameters."""
    if "threshold" in names:
        use = (
            f"Use: ``model = {class_name}().fit(X, y)``, then ``model.predict(X_new)``. The group Basic "
            "lists the parameters that most users set; ``threshold`` determines the predicted class."
        )
    else:
        use = f"Use: ``X_new, y_new = {class_name}().fit_resample(X, y)``. The parameters by purpose:"
    lines = [*textwrap.wrap(use, _WIDTH), ""]
    for group, members in group_parameter_names(names).items():
        lines += textwrap.wrap(f"- {group}: {', '.join(members)}.", _WIDTH, subsequent_indent="  ")
    return "\n".join(lines)


class ShortSignature(inspect.Signature):
    """Signature whose text has the basic parameters only.

    The text of ``help`` then starts with the docstring.
    """

    def __str__(self) -> str:
        """Write the signature; all parameters are written if they are few."""
        shown = self.parameters
        if len(shown) <= FEWEST:
            return super().__str__()
        basic = [f"{name}={shown[name].default!r}" for name in BASIC if name in shown]
        return f"(*, {', '.join(basic)}, ...)"

    def format(self, **options: Any) -> str:
        """Write the signature; Python 3.13 and newer call this for ``help``."""
        return str(self)
