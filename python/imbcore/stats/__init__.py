"""Statistical tests of classifiers over data sets, or over folds of one data set.

Several methods over data sets: :func:`friedman_test`, then :func:`critical_difference` or
:func:`pairwise_tests`. Two methods over data sets: :func:`wilcoxon_test`, :func:`sign_test`, or
:func:`bayesian_signed_rank_test`. Two methods on the folds of one data set: :func:`five_by_two_test`,
:func:`corrected_t_test` or :func:`bayesian_t_test`. The choice and the formulas follow Demsar 2006 and
Benavoli et al. 2017.

Examples
--------
Average precision of three methods (columns) on four data sets (rows):

>>> from imbcore import stats
>>> table = [[0.71, 0.69, 0.60], [0.55, 0.52, 0.50], [0.83, 0.84, 0.79], [0.62, 0.60, 0.59]]
>>> found = stats.friedman_test(table)
>>> found.average_ranks.tolist()
[1.25, 1.75, 3.0]
>>> round(found.f_p, 4)
0.0066
>>> round(stats.critical_difference(3, 4), 3)
1.657
"""

from __future__ import annotations

from imbcore.stats._folds import (
    CorrectedT,
    FiveByTwo,
    Practical,
    bayesian_signed_rank_test,
    bayesian_t_test,
    corrected_t_test,
    five_by_two_test,
)
from imbcore.stats._paired import (
    Interval,
    SignedRanks,
    SignTest,
    hodges_lehmann,
    hodges_lehmann_interval,
    sign_test,
    wilcoxon_test,
)
from imbcore.stats._ranks import (
    Friedman,
    PairwiseTests,
    adjust_p_values,
    critical_difference,
    friedman_test,
    pairwise_tests,
    rank_groups,
)

__all__ = [
    "CorrectedT",
    "FiveByTwo",
    "Friedman",
    "Interval",
    "PairwiseTests",
    "Practical",
    "SignTest",
    "SignedRanks",
    "adjust_p_values",
    "bayesian_signed_rank_test",
    "bayesian_t_test",
    "corrected_t_test",
    "critical_difference",
    "five_by_two_test",
    "friedman_test",
    "hodges_lehmann",
    "hodges_lehmann_interval",
    "pairwise_tests",
    "rank_groups",
    "sign_test",
    "wilcoxon_test",
]
