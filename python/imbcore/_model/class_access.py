"""Attribute access on model classes and missing attributes of models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# Reason why an attribute of a family is missing in some of its models.
NEEDS = {
    **dict.fromkeys(
        ("status_", "objective_", "bound_", "gap_", "proven_optimal_"),
        'methods "optimal_tree", "exact_boxes" and "rule_list" have it',
    ),
    "alphas_": 'only method "beat" has them',
    "diagnose": "the estimator classes have it: imbcore.bayes.FullBayesClassifier().fit(X, y).diagnose()",
    "feature_names_in_": "the data of the fit had no names",
    "oob_decision_function_": "fit with oob_score",
    "oob_score_": "fit with oob_score",
}


class ModelMetaclass(type):
    """Type of the model classes."""

    def __getattr__(cls, name: str) -> Any:
        """Raise the error of a missing attribute, naming the model classes that have it."""
        owners = sorted(family.__name__ for family in _all_subclasses(cls) if name in vars(family))
        hint = ""
        if owners and not name.startswith("_"):
            hint = f"; {join_as_sentence(owners)} have it; call model.{name}(...) on what imbcore.fit returns"
        raise AttributeError(f"class {cls.__name__!r} has no {name}{hint}")


def join_as_sentence(names: Sequence[str]) -> str:
    """Join names as in a sentence: a, b and c."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _all_subclasses(cls: type) -> list[type]:
    own: list[type] = type.__subclasses__(cls)
    return [*own, *(further for one in own for further in _all_subclasses(one))]
