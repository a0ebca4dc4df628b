"""Cross-validation of methods by name if training rows were dropped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from imbcore._bindings import training
from imbcore._bindings.options import resolve_threads
from imbcore._bindings.progress import progress_callback
from imbcore._bindings.training import validate_sample_weights
from imbcore._bindings.trials import Rows as NativeRows
from imbcore._estimators.selection import select_frame_rows
from imbcore._validation.costs import COST_OPTIONS
from imbcore._validation.labels import Target
from imbcore.evaluation._cross_validation import cross_validate, name_training_rows_in_errors
from imbcore.evaluation._dependence import Splits
from imbcore.evaluation._entries import MethodToEvaluate
from imbcore.evaluation._fold_fits import FoldFit
from imbcore.evaluation._predictions import Predictions
from imbcore.exceptions import DataError

__all__ = ["evaluate_method"]


def evaluate_method(
    entry: MethodToEvaluate,
    parameters: Mapping[str, Any],
    rows: NativeRows,
    splits: Splits,
    given: Mapping[str, Any],
) -> dict[str, Any]:
    """Cross-validate a method as the native module does, on any training rows."""
    frame, target, schema = rows
    classes, codes, positive = target.classes, target.codes, splits.trial.positive
    weights = validate_sample_weights(given["sample_weight"], len(codes))
    unit = training.compute_weight_unit(
        target,
        (schema.names, positive),
        sample_weight=weights,
        class_weight=given["class_weight"],
        costs=tuple(given[name] for name in COST_OPTIONS),
    )
    threads = resolve_threads(given["n_threads"], given["n_jobs"])
    related = splits.groups_and_times_for_fit(given["threshold"], len(codes))
    of_fits = {**given, "verbose": 0, "callback": None}
    del of_fits["sample_weight"], of_fits["threshold"]

    def predict_test_rows(fit: FoldFit, at: tuple[int, int], part: str) -> Predictions:
        train, test, _ = fit
        if weights is not None:
            train = train[weights[train] > 0]
        with name_training_rows_in_errors(part, DataError):
            model = training.fit(
                entry.what,
                parameters,
                select_frame_rows(frame, train),
                Target(codes[train], classes, False),
                schema,
                constant=False,
                unit=unit,
                fold=at,
                sample_weight=None if weights is None else weights[train],
                dependence=related.pick(train),
                threshold=fit.threshold(given["threshold"]),
                **of_fits,
            )
        asked = select_frame_rows(frame, test)
        labels, proba = model.predict(asked, threads), model.predict_proba(asked, threads)
        return Predictions(codes[test], len(classes), positive, labels, None, proba, {})

    with progress_callback(entry.name, given["verbose"], given["callback"]) as callback:
        return cross_validate(
            splits, codes, len(classes), predict_test_rows, weights=weights, callback=callback
        )
