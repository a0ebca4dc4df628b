"""Additive explanations of members on the probability scale, whatever their own scale.

A member is additive on some scale: a forest in the probabilities of the classes, boosted trees and logistic
regression in scores, a Bayesian classifier in log-odds.
"""

from __future__ import annotations

from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._model.model import Model

Floats = NDArray[np.float64]


def explain_member_probability(
    member: Model, X: Any, label: Any, options: dict[str, Any]
) -> tuple[Floats, float]:
    """Return contributions to the probability of a class, and the base value."""
    values, base, scale = _explained(member, X, label, options)
    factors = getattr(member._native, "prior_factors", None)
    if scale == "probability" and factors is None:
        return values, base
    parts = [(values, base)]
    if scale != "log-odds":
        parts = [_explained(member, X, other, options)[:2] for other in member.classes_.tolist()]
    return native.models.SelectedModel.probability_contributions(
        [np.ascontiguousarray(values) for values, _ in parts],
        [base for _, base in parts],
        member._code_of("label", label),
        factors,
    )


def _explained(member: Any, X: Any, label: Any, options: dict[str, Any]) -> tuple[Floats, float, str]:
    """Return the values, the base value and the scale of the explanation of a member."""
    threads = {name: value for name, value in options.items() if name != "background"}
    if "background" in signature(member.explain).parameters:
        found = member.explain(X, label=label, **options)
        return found.values, found.base_value, found.scale
    found = member.explain(X, label=label, **threads)
    if options["background"] is None:
        return found.values, found.base_value, found.scale
    # Weights of evidence, minus their means over the background.
    others = member.explain(options["background"], label=label, **threads).values
    mean = others.sum(axis=0) / len(others)
    return found.values - mean, found.base_value + float(mean.sum()), found.scale
