"""Additive explanations of members on the probability scale, whatever their own scale.

A member is additive on some scale: a forest in the probabilities of the classes, boosted trees and logistic
regression in scores, a Bayesian classifier in log-odds. The probability of a class is a function of these
numbers. Along the line from the base values to the values of a row, the change of the probability is the
integral of its gradient, so each number has a mean gradient on this line (Sundararajan, Taly and Yan 2017).
The contribution of a feature to the probability is the sum of its contributions to the numbers times these
means. With two classes this is the rescale rule of Shrikumar, Greenside and Kundaje (2017).
"""

from __future__ import annotations

from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._model.model import Model

Floats = NDArray[np.float64]

# Points of the Gauss-Legendre quadrature.
POINTS = 64
# Differences of log-odds below which the mean gradient is that in the middle.
SMALL = 1e-5


def probability_values(member: Model, X: Any, label: Any, options: dict[str, Any]) -> tuple[Floats, float]:
    """Return contributions (n_rows x n_features) to the probability of a class, and the base value."""
    values, base, scale = _explained(member, X, label, options)
    if scale == "log-odds":
        total = base + values.sum(axis=1)
        return values * _mean_slope(base, total)[:, None], float(_sigmoid(np.array([base]))[0])
    factors = getattr(member._native, "prior_factors", None)
    if scale == "probability" and factors is None:
        return values, base
    classes = list(member.classes_)
    all_values, bases = [], []
    for other in classes:
        values, base, _ = _explained(member, X, other, options)
        all_values.append(values)
        bases.append(base)
    parts, start = np.stack(all_values, axis=2), np.array(bases)
    position = member._code_of("label", label)
    return _rescaled(parts, start, position, None if factors is None else np.asarray(factors))


def _explained(member: Any, X: Any, label: Any, options: dict[str, Any]) -> tuple[Floats, float, str]:
    """Return the values, the base value and the scale of the explanation of a member."""
    if "background" in signature(member.explain).parameters or options["background"] is None:
        known = options if "background" in signature(member.explain).parameters else _threads(options)
        found = member.explain(X, label=label, **known)
        return found.values, found.base_value, found.scale
    # Weights of evidence, minus their means over the background.
    found = member.explain(X, label=label, **_threads(options))
    mean = member.explain(options["background"], label=label, **_threads(options)).values.mean(axis=0)
    return found.values - mean, found.base_value + float(mean.sum()), found.scale


def _threads(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name != "background"}


def _sigmoid(odds: Floats) -> Floats:
    return np.where(odds >= 0, 1, np.exp(np.minimum(odds, 0))) / (1 + np.exp(-np.abs(odds)))


def _mean_slope(start: float, end: Floats) -> Floats:
    """Mean slope of the logistic function between two log-odds."""
    middle = _sigmoid((start + end) / 2)
    difference = end - start
    apart = np.abs(difference) > SMALL
    change = _sigmoid(end) - _sigmoid(np.array([start]))
    return np.where(apart, change / np.where(apart, difference, 1.0), middle * (1 - middle))


def _probabilities(numbers: Floats, factors: Floats | None) -> Floats:
    """Probabilities from scores, or from uncorrected probabilities and the factors of their correction."""
    if factors is None:
        masses = np.exp(numbers - numbers.max(axis=-1, keepdims=True))
    else:
        masses = factors * np.maximum(numbers, 0.0)
    return masses / masses.sum(axis=-1, keepdims=True)


def _rescaled(parts: Floats, start: Floats, position: int, factors: Floats | None) -> tuple[Floats, float]:
    """Contributions to the probability of one class from those to the numbers of all classes."""
    difference = parts.sum(axis=1)
    points, weights = np.polynomial.legendre.leggauss(POINTS)
    slopes = np.zeros_like(difference)
    for point, weight in zip((points + 1) / 2, weights / 2, strict=True):
        numbers = start + point * difference
        proba = _probabilities(numbers, factors)
        of_class = proba[:, [position]]
        # Derivative by the logarithm of the mass of each class.
        slope = of_class * ((np.arange(proba.shape[1]) == position) - proba)
        if factors is not None:
            total = (factors * np.maximum(numbers, 0.0)).sum(axis=1, keepdims=True)
            slope = factors * ((np.arange(proba.shape[1]) == position) - of_class) / total
        slopes += weight * slope
    values = np.einsum("rfc,rc->rf", parts, slopes)
    first = float(_probabilities(start[None], factors)[0, position])
    # The quadrature error is divided in proportion to the contributions.
    wanted = _probabilities(start + difference, factors)[:, position] - first
    sizes = np.abs(values)
    total = sizes.sum(axis=1, keepdims=True)
    error = (wanted - values.sum(axis=1))[:, None]
    return values + error * np.divide(sizes, total, out=np.zeros_like(sizes), where=total > 0), first
