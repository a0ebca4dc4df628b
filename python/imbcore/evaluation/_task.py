"""Execution of one task: a learner on one fold of one table, and its record."""

from __future__ import annotations

import sys
import time
import warnings
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from imbcore._estimators.row_arguments import fit_arguments
from imbcore.evaluation._budget_groups import with_alert_budget_of_fit
from imbcore.evaluation._fold_fits import FoldFit, Rows
from imbcore.evaluation._fold_ref import FoldRef
from imbcore.evaluation._learners import Learner, estimator_to_fit, warn_of_ungrouped_fits
from imbcore.evaluation._measures import nan_to_none
from imbcore.evaluation._predictions import Predictions
from imbcore.evaluation._records import NO_MEASURES, TIMES, Key, Record, format_error, to_json_value
from imbcore.evaluation._splits import TableSplits
from imbcore.evaluation._tables import EvaluationTable


@dataclass(frozen=True)
class Task:
    """One unit of work of a worker.

    Parameters
    ----------
    dataset, method : str
        Names of the table and of the learner.
    replicate, fold : int
    seed : int
        Seed of the run.
    curves : bool
        Whether the record contains curves.
    """

    dataset: str
    method: str
    replicate: int
    fold: int
    seed: int
    curves: bool

    @property
    def key(self) -> Key:
        """Key of the record."""
        return (self.dataset, self.method, self.replicate, self.fold)


def run_task(task: Task, case: EvaluationTable, splits: TableSplits, learner: Learner) -> Record:
    """Fit, predict and score; an exception of a learner becomes the ``failure`` of its record."""
    place = _fold_ref_of_task(task, case)
    fits = splits.fits(task.replicate, task.fold)
    try:
        # All warnings, independent of filters.
        with warnings.catch_warnings(record=True, action="always") as emitted:
            warn_of_ungrouped_fits(learner, splits.row_dependence)
            done = []
            for fit in fits:
                options = fit_arguments(estimator_to_fit(learner), splits.row_dependence, fit.train)
                own = with_alert_budget_of_fit(learner, splits.budget_groups, fit)
                done.append(fit_and_predict(case, fit, own, place, **options))
        fitted = done[-1][0]
        predictions = Predictions.joined([found for _, found, _ in done])
        seconds = {name: sum(times[name] for *_, times in done) for name in TIMES}
        test = np.concatenate([fit.test for fit in fits])
        measures = predictions.measures() | {"curves": predictions.curves() if task.curves else None}
        measures |= _daily_scores(predictions, test, splits)
    except Exception as error:  # classifiers of other libraries may raise any type of exception
        return failed_record(task, case, splits, format_error(error))
    messages = sorted({str(warning.message) for warning in emitted})
    about_fit = {"chosen": _selected_settings(fitted), "warnings": messages, "failure": None}
    return _initial_record(task, case, splits) | measures | seconds | about_fit


def _daily_scores(predictions: Predictions, test: Rows, splits: TableSplits) -> dict[str, float | None]:
    """Compute the scores per period of time; None if undefined or not available."""
    if splits.daily is None:
        return {}
    labels, positive = predictions.labels, predictions.positive
    found = dict.fromkeys(splits.daily.names, float("nan"))
    if labels is not None:
        is_positive = predictions.truth == positive
        found = splits.daily.scores(test, is_positive, labels == positive, predictions.scores)
    return {name: nan_to_none(value) for name, value in found.items()}


def fit_and_predict(
    case: EvaluationTable, fit: FoldFit, learner: Learner, place: FoldRef, **options: Any
) -> tuple[Any, Predictions, dict[str, float]]:
    """Fit and predict with one thread of every library; returns model, predictions and times."""
    with _threaded_libraries(len(sys.modules)).limit(limits=1):
        X, y = case.rows(fit.train)
        cpu, began = time.process_time(), time.perf_counter()
        fitted = learner.fit(X, y, place, **options)
        fit_seconds, began = time.perf_counter() - began, time.perf_counter()
        predictions = Predictions.from_fitted(fitted, case.rows(fit.test)[0], case.codes[fit.test], place)
        seconds = (fit_seconds, time.perf_counter() - began, time.process_time() - cpu)
    return fitted, predictions, dict(zip(TIMES, seconds, strict=True))


def _selected_settings(fitted: Any) -> Any:
    """Return the settings that a learner selected; None if it selects nothing."""
    for name in ("chosen_", "best_params_"):
        if found := getattr(fitted, name, None):
            return to_json_value(found)
    found = {name: getattr(fitted, f"{name}_", None) for name in ("penalty", "ccp_alpha")}
    return {name: to_json_value(value) for name, value in found.items() if value is not None} or None


def failed_record(task: Task, case: EvaluationTable, splits: TableSplits, reason: str) -> Record:
    """Build the record of a task without a result."""
    nothing = NO_MEASURES | dict.fromkeys((*TIMES, "chosen", "curves", *splits.daily_score_names))
    return _initial_record(task, case, splits) | nothing | {"warnings": [], "failure": reason}


def _fold_ref_of_task(task: Task, case: EvaluationTable) -> FoldRef:
    """Return the place of a fit, which determines its seed."""
    path = (task.seed, task.dataset, task.replicate, task.fold, task.method)
    return FoldRef(path, case.classes, case.classes.tolist()[case.positive])


def _initial_record(task: Task, case: EvaluationTable, splits: TableSplits) -> Record:
    """Build the fields of a record that are known before fitting."""
    place = _fold_ref_of_task(task, case)
    train, test = splits.rows(task.replicate, task.fold)
    return {
        "dataset": task.dataset,
        "method": task.method,
        "replicate": task.replicate,
        "fold": task.fold,
        "seed_path": list(place.path),
        "seed": place.seed,
        "classes": to_json_value(case.classes),
        "positive": to_json_value(place.positive),
        "n_train": len(train),
        "n_test": len(test),
        "n_positive": int(np.sum(case.codes[test] == case.positive)),
    }


@lru_cache(maxsize=1)
def _threaded_libraries(n_modules: int) -> ThreadpoolController:
    """Find libraries with their own thread pools; cached until further modules are imported."""
    return ThreadpoolController()
