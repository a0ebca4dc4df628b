"""Summaries of records: values, sums over folds, means over test sets, ranks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from imbcore import stats
from imbcore._bindings import native
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.value_text import value_text
from imbcore._validation.values import validate_list, validate_text
from imbcore.evaluation._measures import LOWER_IS_BETTER, confusion_metrics
from imbcore.evaluation._records import NO_MEASURES, Record, record_key
from imbcore.exceptions import DataError, ParameterError

Numbers = NDArray[np.float64]


class Summary(NamedTuple):
    """Means of one metric, from :func:`means`; arrays are of shape (n_datasets, n_methods).

    Parameters
    ----------
    measure : str
    datasets, methods : list of str
        Names of the tables and of the methods, in the order of the records.
    means : ndarray
        Means over the test sets for which the metric is defined; NaN if there is none.
    sds : ndarray
        Standard deviations with divisor n - 1; NaN below two values.
    n_defined : ndarray
        Numbers of test sets for which the metric is defined.
    n_missing : ndarray
        Numbers of test sets with a failure, such as a time limit.
    """

    measure: str
    datasets: list[str]
    methods: list[str]
    means: Numbers
    sds: Numbers
    n_defined: NDArray[np.int64]
    n_missing: NDArray[np.int64]


def _validate_records(records: Iterable[Record]) -> list[Record]:
    found = validate_list("records", records)
    if not all(isinstance(record, Mapping) for record in found):
        raise ParameterError("records must be a list of records, as evaluation.run returns them")
    return found


def values(records: Iterable[Record], measure: str) -> dict[tuple[str, str], Numbers]:
    """Return a metric by pairs of data set and method, in the order of the splits.

    Parameters
    ----------
    records : iterable of dict
        Result of :func:`run`.
    measure : str
        Any numeric field of a record.

    Returns
    -------
    dict of ndarray of shape (n_parts,)
        NaN where the metric is undefined.

    Raises
    ------
    DataError
        The records do not have the metric.
    ParameterError
        The input is not a list of records.
    """
    validate_text("measure", measure)
    found: dict[tuple[str, str], list[tuple[int, int, float]]] = {}
    for record in _validate_records(records):
        if measure not in record:
            raise DataError(f"records have no {measure!r}; they have {', '.join(record)}")
        value = record[measure]
        at = (record["replicate"], record["fold"], np.nan if value is None else float(value))
        found.setdefault((record["dataset"], record["method"]), []).append(at)
    return {pair: np.array([value for *_, value in sorted(of)]) for pair, of in found.items()}


def means(records: Iterable[Record], measure: str) -> Summary:
    """Compute mean and standard deviation of a metric for every table and method.

    Parameters
    ----------
    records : iterable of dict
        Result of :func:`run`, :func:`pooled` or :func:`select_variant`.
    measure : str
        Any numeric field of a record.

    Returns
    -------
    Summary

    Raises
    ------
    DataError
        The records do not have the metric.
    ParameterError
        The input is not a list of records.
    """
    records = _validate_records(records)
    datasets = list(dict.fromkeys(record["dataset"] for record in records))
    methods = list(dict.fromkeys(record["method"] for record in records))
    shape = (len(datasets), len(methods))
    mean, sd = np.full(shape, np.nan), np.full(shape, np.nan)
    n_defined, n_missing = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for (dataset, method), of_pair in values(records, measure).items():
        at = datasets.index(dataset), methods.index(method)
        mean[at], sd[at], n_defined[at] = native.protocols.spread(of_pair)
    for record in records:
        at = datasets.index(record["dataset"]), methods.index(record["method"])
        n_missing[at] += record["failure"] is not None
    return Summary(measure, datasets, methods, mean, sd, n_defined, n_missing)


def ranks(summary: Summary) -> stats.Friedman:
    """Rank the methods on tables in which every method has a mean; test whether they differ.

    Parameters
    ----------
    summary : Summary
        Means of a metric, from :func:`means`; lower is better for the metrics in ``LOWER_IS_BETTER``.

    Returns
    -------
    imbcore.stats.Friedman

    Raises
    ------
    DataError
        There are fewer than two methods, or fewer than two tables in which every method has a mean.
    ParameterError
        The input is not a summary.
    """
    if not hasattr(summary, "means"):
        raise ParameterError(f"summary must be a result of evaluation.means, got {value_text(summary)}")
    return stats.friedman_test(
        require_rankable_means(summary), larger_is_better=summary.measure not in LOWER_IS_BETTER
    )


def means_of_complete_tables(summary: Summary) -> Numbers:
    """Return the means of the tables that have a mean of every method."""
    return summary.means[~np.isnan(summary.means).any(axis=1)]


def require_rankable_means(summary: Summary) -> Numbers:
    """Return these means if they suffice to compare methods over tables, else raise."""
    whole = means_of_complete_tables(summary)
    if len(summary.methods) < 2 or len(whole) < 2:
        raise DataError(
            f"comparing methods over tables needs at least two methods with a mean of {summary.measure} on "
            f"at least two tables; methods here: {len(summary.methods)}, such tables: {len(whole)}"
        )
    return whole


def pooled(records: Iterable[Record]) -> list[Record]:
    """Compute metrics of counts summed over the folds of a repetition (Zhu, Li, Dunson 2021).

    Parameters
    ----------
    records : iterable of dict
        Result of :func:`run`.

    Returns
    -------
    list of dict
        One record per table, method and repetition, with ``fold`` 0. It has the metrics that depend only on
        counts; other metrics are None. Its times are the sums of the times of the folds. If a fold has
        failed, the pooled record is a failure, too.
    """
    groups: dict[tuple[str, str, int], list[Record]] = {}
    for record in _validate_records(records):
        groups.setdefault(record_key(record)[:3], []).append(record)
    return [_pool_folds(of) for of in groups.values()]


def _pool_folds(records: list[Record]) -> Record:
    first, sums = records[0], ("n_test", "n_positive", "fit_seconds", "predict_seconds", "cpu_seconds")
    found = {**first, "fold": 0, **NO_MEASURES, "curves": None}
    for record in records:
        if record["failure"] is not None:
            return {**found, "failure": record["failure"]}
    found |= {name: sum(record[name] for record in records) for name in sums}
    if any(record["confusion"] is None for record in records):
        return found
    matrix = np.sum([record["confusion"] for record in records], axis=0)
    return found | _confusion_metrics(matrix, first["classes"].index(first["positive"]))


def select_variant(records: Iterable[Record], name: str) -> list[Record]:
    """Select the results of one variant, such as a tuned threshold, from records.

    A record has variants if one fit gave several classifiers: for each setting of a :class:`Sweep`, or
    with the thresholds of a :class:`TunedThreshold`.

    Parameters
    ----------
    records : iterable of dict
        Records of :func:`run`; those without variants are left out.
    name : str
        A key of ``variants``.

    Returns
    -------
    list of dict
        Records with the counts and metrics of the selected variant. Metrics that are not computed from
        counts are those of the original records.

    Raises
    ------
    DataError
        No record has the variant.
    """
    found = []
    validate_text("name", name)
    for record in _validate_records(records):
        counts = (record["variants"] or {}).get(name)
        if counts is not None:
            tp, fn, fp, tn = counts
            found.append({**record, **_confusion_metrics(np.array([[tn, fp], [fn, tp]]), 1)})
    if not found:
        raise DataError(f"no record has the variant {name!r}")
    return found


def _confusion_metrics(matrix: NDArray[np.int64], positive: int) -> Record:
    """Compute counts and metrics from a matrix of true by predicted class."""
    n_classes = len(matrix)
    truth, answers = (codes.ravel().astype(np.uint32) for codes in np.indices(matrix.shape))
    table = native.metrics.Confusion(truth, answers, n_classes, matrix.ravel().astype(np.float64))
    return confusion_metrics(table, n_classes, positive)


name_package_in_errors(globals())
