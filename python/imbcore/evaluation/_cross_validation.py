"""Loop over the folds of an evaluation: fit, predict, score."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings.progress import Callback
from imbcore.evaluation._dependence import Splits
from imbcore.evaluation._fold_fits import FoldFit, Rows
from imbcore.evaluation._predictions import Predictions
from imbcore.evaluation._records import format_error
from imbcore.exceptions import DataError, ImbcoreError

__all__ = ["cross_validate", "name_training_rows_in_errors"]


def cross_validate(
    splits: Splits,
    truth: NDArray[np.uint32],
    n_classes: int,
    predict_test_rows: Callable[[FoldFit, tuple[int, int], str], Predictions],
    *,
    name: str = "",
    weights: NDArray[np.float64] | None = None,
    callback: Callback | None = None,
) -> dict[str, Any]:
    """Fit and score every fold.

    The format of the result is the same as for a method that the native module evaluates.

    Parameters
    ----------
    splits
        The splits, and the scores.
    truth
        Class codes of all rows.
    n_classes
    predict_test_rows
        Takes training and test rows of a fit, repetition and fold, and a name of the training rows for
        errors; returns predictions of the test rows, with labels.
    name
        Start of these names.
    weights
        Weights of all rows in the scores.
    callback

    Returns
    -------
    dict
        ``values`` of shape (n_folds, n_scores); ``predicted``, ``proba`` and ``scores`` of all rows in the
        first repetition, the latter two None if the classifier does not have them.
    """
    predicted = np.zeros(len(truth), dtype=np.uint32)
    proba: NDArray[np.float64] | None = np.full((len(truth), n_classes), np.nan)
    scores: NDArray[np.float64] | None = np.full(len(truth), np.nan)
    values = []
    trial = splits.trial
    for done, (repeat, fold) in enumerate(tests := splits.tests, 1):
        fits = splits.fits(repeat, fold)
        part = f"{name}training part of fold {fold}"
        advice = splits.advice
        if len(fits) > 1:
            part += " for a third of the test groups"
            advice = "; leave out groups or time, or use fewer folds"
        for fit in fits:
            if len(np.unique(truth[fit.train])) < 2:
                raise DataError(f"{part}: y has only one class; at least two classes are needed{advice}")
        test: Rows = np.concatenate([fit.test for fit in fits])
        found = Predictions.joined([predict_test_rows(fit, (repeat, fold), part) for fit in fits])
        labels = found.labels
        assert labels is not None
        own = None if found.proba is None else np.ascontiguousarray(found.proba)
        fold_weights = None if weights is None else weights[test]
        values.append(
            trial.metric_values(test, truth[test], labels, n_classes, own, found.scores, fold_weights)
        )
        if repeat == 0:
            predicted[test] = labels
            if own is None or proba is None:
                proba = None
            else:
                proba[test] = own
            if found.scores is None or scores is None:
                scores = None
            else:
                scores[test] = found.scores
        if callback is not None:
            callback("folds", done, len(tests))
    return {"values": np.array(values), "predicted": predicted, "proba": proba, "scores": scores}


@contextmanager
def name_training_rows_in_errors(part: str, kind: type[Exception]) -> Iterator[None]:
    """Start the message of an error with the name of the training rows.

    The error is raised again as an error of the library.
    """
    try:
        yield
    except MemoryError:
        raise
    except kind as error:
        message = f"{part}: {format_error(error)}"
        if isinstance(error, DataError):
            raise type(error)(message, error.column) from error
        raise (type(error) if isinstance(error, ImbcoreError) else DataError)(message) from error
