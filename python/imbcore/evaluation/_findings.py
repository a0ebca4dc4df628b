"""Statistics computed from the records of a comparison."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from imbcore import stats
from imbcore.evaluation._measures import LOWER_IS_BETTER
from imbcore.evaluation._procedure import Procedure
from imbcore.evaluation._summaries import (
    Summary,
    means,
    means_of_complete_tables,
    ranks,
    require_rankable_means,
    values,
)

# Numbers in the text of a warning.
_NUMBER = re.compile(r"\d[\d.,]*")


class PairTest(NamedTuple):
    """Test of two methods.

    Parameters
    ----------
    dataset : str or None
        The table; None for all tables together.
    first, second : str
        Names of the methods.
    difference : float
        Mean score of the first method minus mean score of the second method. For several tables: average rank
        of the first method minus average rank of the second method, negative if the first method is better.
    p : float
        Two-sided p-value of the pair, not adjusted for multiple tests.
    adjusted : float
        P-value adjusted for all pairs by Holm's method.
    test : str
        Name of the test.
    """

    dataset: str | None
    first: str
    second: str
    difference: float
    p: float
    adjusted: float
    test: str


@dataclass(frozen=True)
class ComparisonResults:
    """Means, ranks and tests of methods with one protocol, on one or several tables.

    Parameters
    ----------
    procedure : imbcore.evaluation.Procedure
    score : str
        Metric used for ranks, tests and figures.
    measures : tuple of str
        Metrics that are shown; ``score`` is the first of them.
    level : float
        Significance level of the tests.
    seed : int
    records : list of dict
        Records of :func:`imbcore.evaluation.run`.
    division : str or None, default=None
        Text that describes the splits. None: the text form of ``procedure``.
    policies : tuple of str, default=()
        Names of the methods that are trivial policies, such as predicting no row as positive; they are not
        ranked or tested.
    period : str, default="day"
        Period of the alert budget, for scores such as ``alerts_per_day``.
    """

    procedure: Procedure
    score: str
    measures: tuple[str, ...]
    level: float
    seed: int
    records: list[dict[str, Any]] = field(repr=False)
    division: str | None = None
    policies: tuple[str, ...] = ()
    period: str = "day"

    @property
    def datasets(self) -> list[str]:
        """Names of the tables."""
        return list(dict.fromkeys(record["dataset"] for record in self.records))

    @property
    def methods(self) -> list[str]:
        """Names of the methods, and then of the policies."""
        return list(dict.fromkeys(record["method"] for record in self.records))

    @property
    def compared(self) -> list[str]:
        """Names of the methods without policies."""
        return [name for name in self.methods if name not in self.policies]

    def compared_summary(self, measure: str | None = None) -> Summary:
        """Compute the summary of the methods without policies."""
        records = [record for record in self.records if record["method"] not in self.policies]
        return means(records, measure or self.score)

    def summary(self, measure: str | None = None) -> Summary:
        """Compute mean and standard deviation of a metric for every table and method.

        Parameters
        ----------
        measure : str or None, default=None
            Any numeric field of a record, shown or not; None is ``score``.

        Returns
        -------
        imbcore.evaluation.Summary
        """
        return means(self.records, measure or self.score)

    def ranks(self, measure: str | None = None) -> stats.Friedman:
        """Rank the methods on every table, and test whether they differ (Friedman, Iman-Davenport).

        Parameters
        ----------
        measure : str or None, default=None
            None is ``score``.

        Returns
        -------
        imbcore.stats.Friedman

        Raises
        ------
        DataError
            There are fewer than two methods, or fewer than two tables on which all have a mean.
        """
        return ranks(self.compared_summary(measure))

    @property
    def n_ranked(self) -> int:
        """Number of tables on which all methods, without policies, have a mean of ``score``."""
        return len(means_of_complete_tables(self.compared_summary()))

    def critical_difference(self) -> float:
        """Smallest significant difference of average ranks at ``level`` (Nemenyi).

        Raises
        ------
        DataError
            As for :meth:`ranks`.
        """
        n_tables, n_methods = require_rankable_means(self.compared_summary()).shape
        return stats.critical_difference(n_methods, n_tables, level=self.level)

    def tests(self, measure: str | None = None) -> list[PairTest]:
        """Test every pair of methods, with Holm's adjustment for multiple tests.

        Over several tables the average ranks are tested. On one table it is the combined 5 x 2 F test if the
        protocol is 5 x 2, and the corrected resampled t test otherwise.

        Parameters
        ----------
        measure : str or None, default=None
            None is ``score``.

        Returns
        -------
        list of PairTest
            Empty for one method. On one table, pairs are left out if one of their methods has no score on a
            test set. The p-value is NaN if the difference is equal in all test sets and not 0.
        """
        if len(self.datasets) > 1:
            return self._rank_tests(measure)
        (dataset,) = self.datasets
        of = values(self.records, measure or self.score)
        pairs: list[tuple[str, str, float, float, str]] = []
        for first, second in combinations(self.compared, 2):
            x, y = of[dataset, first], of[dataset, second]
            if len(x) > 1 and not np.isnan(x + y).any():
                pairs.append((first, second, *self._test_on_one_table(x, y)))
        if not pairs:
            return []
        p_values = np.array([p for *_, p, _ in pairs])
        adjusted = np.full(len(pairs), np.nan)
        if len(known := np.flatnonzero(~np.isnan(p_values))):
            adjusted[known] = stats.adjust_p_values(p_values[known], "holm")
        return [
            PairTest(dataset, first, second, difference, p, of_all, name)
            for (first, second, difference, p, name), of_all in zip(pairs, adjusted.tolist(), strict=True)
        ]

    def _test_on_one_table(self, x: Any, y: Any) -> tuple[float, float, str]:
        """Return difference, p-value and name of the test of two methods on one table."""
        rule = self.procedure
        train, test = (sum(record[name] for record in self.records) for name in ("n_train", "n_test"))
        difference, _, p = stats.corrected_t_test(x, y, test_to_train=test / train)
        name = "corrected resampled t"
        if (rule.replicates, rule.folds) == (5, 2):
            p, name = stats.five_by_two_test(x, y).f_p, "5 x 2 F"
        # Equal differences other than 0 give no estimate of their variance.
        unknown = difference != 0 and np.ptp(x - y) <= 1e-12
        return difference, float("nan") if unknown else p, name

    def _rank_tests(self, measure: str | None) -> list[PairTest]:
        n_ranked = len(means_of_complete_tables(self.compared_summary(measure)))
        if len(self.compared) < 2 or n_ranked < 2:
            return []
        average = self.ranks(measure).average_ranks
        found = stats.pairwise_tests(average, n_ranked)
        return [
            PairTest(
                None,
                self.compared[first],
                self.compared[second],
                float(average[first] - average[second]),
                float(p),
                float(adjusted),
                "average ranks",
            )
            for (first, second), p, adjusted in zip(found.pairs, found.p, found.adjusted, strict=True)
        ]

    def practical(self, rope: float = 0.01) -> dict[tuple[str, str], stats.Practical]:
        """Compute probabilities over the tables that one method is better, or both equivalent.

        Parameters
        ----------
        rope : float, default=0.01
            Differences of the mean score up to this size are practically zero.

        Returns
        -------
        dict
            The Bayesian signed-rank test of every pair, by names.

        Raises
        ------
        DataError
            As for :meth:`ranks`.
        """
        sign = -1.0 if self.score in LOWER_IS_BETTER else 1.0
        whole = sign * require_rankable_means(self.compared_summary())
        return {
            (self.compared[first], self.compared[second]): stats.bayesian_signed_rank_test(
                whole[:, first], whole[:, second], rope=rope
            )
            for first, second in combinations(range(len(self.compared)), 2)
        }

    def failures(self) -> list[tuple[str, str, int, str]]:
        """Return table, method, number and first reason of failed fits."""
        found: dict[tuple[str, str], list[str]] = {}
        for record in self.records:
            if record["failure"] is not None:
                found.setdefault((record["dataset"], record["method"]), []).append(record["failure"])
        return [(*pair, len(why), why[0]) for pair, why in found.items()]

    def warnings(self) -> list[tuple[str, int, int, str]]:
        """Return method, number of fits, number of tables and first text of warnings of fits.

        Texts that differ only in numbers are one warning.
        """
        found: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for record in self.records:
            for kind, text in {_NUMBER.sub("", text): text for text in record["warnings"]}.items():
                found.setdefault((record["method"], kind), []).append((record["dataset"], text))
        return [
            (method, len(where), len({dataset for dataset, _ in where}), where[0][1])
            for (method, _), where in found.items()
        ]

    def constant(self) -> list[tuple[str, str]]:
        """Return table and method if every fit predicted a single class for all test rows."""
        trivial: dict[tuple[str, str], bool] = {}
        for record in self.records:
            pair = (record["dataset"], record["method"])
            trivial[pair] = trivial.get(pair, True) and bool(record["trivial"])
        return [pair for pair, always in trivial.items() if always and pair[1] in self.compared]

    def rows(self) -> list[dict[str, Any]]:
        """Return one dict per table and method: names, mean and deviation of every metric, failures."""
        summaries = {measure: self.summary(measure) for measure in self.measures}
        first = summaries[self.score]
        found = []
        for i, dataset in enumerate(first.datasets):
            for j, method in enumerate(first.methods):
                row: dict[str, Any] = {"dataset": dataset, "method": method}
                for measure, of in summaries.items():
                    row |= {measure: float(of.means[i, j]), f"{measure}_sd": float(of.sds[i, j])}
                found.append({**row, "failures": int(first.n_missing[i, j])})
        return found
