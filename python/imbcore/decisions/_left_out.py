"""Conformal prediction from out-of-bag rows, in the form with a proven bound."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from imbcore._bindings import native
from imbcore._bindings.fitted import fitted_model
from imbcore._bindings.options import resolve_threads
from imbcore._estimators.seeding import seed_nested_estimators
from imbcore._validation.labels import Target
from imbcore._validation.rows import select_table_rows
from imbcore._validation.value_text import value_text
from imbcore._validation.values import Codes, Numbers
from imbcore.ensembles._base import BaseForest
from imbcore.exceptions import DataError, ParameterError

# Class codes of the rows, the members not fitted to each row, and the scores from these members.
JackknifeRows = tuple[Codes, NDArray[np.bool_], Numbers]

# Maximum number of member predictions held in memory at a time.
_CELLS = 1 << 22


def fit_jackknife_forest(estimator: Any, X: Any, target: Target, seed: int) -> tuple[Any, JackknifeRows]:
    """Fit a forest to all rows; returns it and the rows with their out-of-bag scores.

    Parameters
    ----------
    estimator : BaseForest
        Forest with uniform row sampling.
    X : table of shape (n_rows, n_features)
    target : Target
        Labels of the rows.
    seed : int
        Seed of the number of trees, and of a forest without its own seed.

    Returns
    -------
    member : BaseForest
        The forest.
    rows : JackknifeRows
        Calibration rows with which new rows are compared.
    """
    _reject_unproven_estimator(estimator)
    labels, n_classes = target.classes[target.codes], len(target.classes)
    asked = estimator.n_estimators
    if isinstance(asked, bool) or not isinstance(asked, (int, np.integer)) or not 1 <= asked < 2**24:
        raise ParameterError(f"n_estimators must be a whole number of at least 1, got {value_text(asked)}")
    drawn = native.decisions.draw_n_members(len(labels), int(asked), seed)
    if drawn == 0:
        raise DataError(
            f'method="out_of_bag_plus" draws the number of trees, with mean {asked}, and '
            "the draw was 0; raise n_estimators"
        )
    member = seed_nested_estimators(clone(estimator).set_params(oob_score=True, n_estimators=drawn), seed, 0)
    member.fit(X, labels)
    left_out = member.model_._native_attribute("left_out")()
    scores = [
        native.decisions.jackknife_scores(target.codes[rows], left_out[rows], proba)
        for rows, proba in _tree_probabilities(member, X, len(labels), n_classes)
    ]
    return member, (target.codes, left_out, np.concatenate(scores))


def jackknife_p_values(member: Any, rows: JackknifeRows, X: Any, n_rows: int, n_classes: int) -> Numbers:
    """Compute the p-values of a table, of shape (n_rows, n_classes)."""
    compared = native.decisions.JackknifeConformal(*rows, n_classes)
    threads = resolve_threads(*_thread_options(member))
    found = [
        compared.p_values(proba, threads) for _, proba in _tree_probabilities(member, X, n_rows, n_classes)
    ]
    return np.concatenate(found)


def _reject_unproven_estimator(estimator: Any) -> None:
    needs = (
        'ConformalClassifier: method="out_of_bag_plus" needs an imbcore forest that samples rows uniformly'
    )
    if not isinstance(estimator, BaseForest):
        raise ParameterError(f'{needs}, got {value_text(estimator)}; method="cross" works with any')
    given = estimator.get_params()
    if "sampling_strategy" in given:
        raise ParameterError(
            f"{needs}, but {type(estimator).__name__} samples each class separately; use a "
            'RandomForestClassifier, or method="cross"'
        )
    wanted = {"bootstrap": True, "max_samples": None, "max_bins": None, "calibrate": None}
    for name, value in wanted.items():
        if given.get(name, value) != value:
            raise ParameterError(f"{needs} with {name}={value!r}, got {value_text(given[name])}")


def _thread_options(member: Any) -> tuple[Any, Any]:
    """Return the thread options of an estimator; a model from a file has none."""
    return getattr(member, "n_threads", None), getattr(member, "n_jobs", None)


def _tree_probabilities(
    member: Any, X: Any, n_rows: int, n_classes: int
) -> Iterator[tuple[NDArray[Any], Numbers]]:
    """Yield chunks of rows with the probabilities of each tree, (n_trees, n_rows, n_classes)."""
    model = fitted_model(member, "ConformalClassifier")
    step = max(1, _CELLS // (model._native.n_trees * n_classes))
    for first in range(0, max(n_rows, 1), step):
        rows = np.arange(first, min(first + step, n_rows))
        part = X if len(rows) == n_rows else select_table_rows(X, rows, fresh_index=True)
        yield rows, model._call_method_on_rows("trees_proba", part, *_thread_options(member))
