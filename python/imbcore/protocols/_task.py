"""Execution of one task: a learner on one fold of one table, and its record."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from imbcore.exceptions import ImbcoreError
from imbcore.protocols._answers import NOTHING, Answers, asked
from imbcore.protocols._deals import Deal
from imbcore.protocols._learners import Learner, Place
from imbcore.protocols._tables import Case, Rows

Record = dict[str, Any]
Key = tuple[str, str, int, int]
"""Table, method, replicate and fold."""
TIMES = ("fit_seconds", "predict_seconds", "cpu_seconds")


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


def key_of(record: Mapping[str, Any]) -> Key:
    """Return the key of a record."""
    return (record["dataset"], record["method"], record["replicate"], record["fold"])


def carried_out(task: Task, case: Case, folds: Deal, learner: Learner) -> Record:
    """Fit, predict and score; an exception of a learner becomes the ``failure`` of its record."""
    record, fold, place = _begun(task, case, folds)
    try:
        with _quiet() as remarks:
            train, test = np.flatnonzero(fold != task.fold), np.flatnonzero(fold == task.fold)
            fitted, answers, spent = answered(case, train, test, learner, place)
        found = answers.measures() | {"curves": answers.curves() if task.curves else None}
    except Exception as error:  # other libraries raise any type of exception
        return _failed(record, sentence(error))
    said = {"chosen": _chosen(fitted), "warnings": sorted({str(remark.message) for remark in remarks})}
    return record | found | spent | said | {"failure": None}


def answered(
    case: Case, train: Rows, test: Rows, learner: Learner, place: Place, **options: Any
) -> tuple[Any, Answers, dict[str, float]]:
    """Fit and predict with one thread of every library; returns model, predictions and times."""
    with _libraries(len(sys.modules)).limit(limits=1):
        X, y = case.rows(train)
        cpu, began = time.process_time(), time.perf_counter()
        fitted = learner.fit(X, y, place, **options)
        fit_seconds, began = time.perf_counter() - began, time.perf_counter()
        answers = asked(fitted, case.rows(test)[0], case.codes[test], place)
        spent = (fit_seconds, time.perf_counter() - began, time.process_time() - cpu)
    return fitted, answers, dict(zip(TIMES, spent, strict=True))


def _chosen(fitted: Any) -> Any:
    """Return the settings that a learner selected; None if it selects nothing."""
    for name in ("chosen_", "best_params_"):
        if found := getattr(fitted, name, None):
            return plain(found)
    found = {name: getattr(fitted, f"{name}_", None) for name in ("penalty", "ccp_alpha")}
    return {name: plain(value) for name, value in found.items() if value is not None} or None


def overrun(task: Task, case: Case, folds: Deal, limit: float) -> Record:
    """Build the record of a task that exceeded its time limit."""
    return lost(task, case, folds, f"time limit of {limit:g} s")


def lost(task: Task, case: Case, folds: Deal, why: str) -> Record:
    """Build the record of a task without a result from any worker."""
    return _failed(_begun(task, case, folds)[0], why)


def _begun(task: Task, case: Case, folds: Deal) -> tuple[Record, Any, Place]:
    """Build the fields of a record that are known before fitting."""
    fold = folds[task.replicate]
    path = (task.seed, task.dataset, task.replicate, task.fold, task.method)
    label = case.classes.tolist()[case.positive]
    place = Place(path, case.classes, label)
    test = case.codes[fold == task.fold]
    record = {
        "dataset": task.dataset,
        "method": task.method,
        "replicate": task.replicate,
        "fold": task.fold,
        "seed_path": list(path),
        "seed": place.seed,
        "classes": plain(case.classes),
        "positive": plain(label),
        "n_train": len(fold) - len(test),
        "n_test": len(test),
        "n_positive": int(np.sum(test == case.positive)),
    }
    return record, fold, place


def _failed(record: Record, why: str) -> Record:
    """Build the record of a failed task."""
    nothing = NOTHING | dict.fromkeys((*TIMES, "chosen", "curves"))
    return record | nothing | {"warnings": [], "failure": why}


def sentence(error: Exception) -> str:
    """Format an error in one line; errors of other libraries with their type."""
    said = " ".join(str(error).split())
    return said if isinstance(error, ImbcoreError) else f"{type(error).__name__}: {said}"


@lru_cache(maxsize=1)
def _libraries(n_modules: int) -> ThreadpoolController:
    """Find libraries with their own thread pools; repeated when modules were loaded."""
    return ThreadpoolController()


@contextmanager
def _quiet() -> Iterator[list[warnings.WarningMessage]]:
    """Collect all warnings for the record, independent of filters."""
    with warnings.catch_warnings(record=True) as remarks:
        warnings.simplefilter("always")
        yield remarks


def plain(value: Any) -> Any:
    """Convert a value to JSON types; other types become text."""
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, Mapping):
        return {str(name): plain(of) for name, of in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(of) for of in value]
    return str(value)
