"""imbcore.stats compared with scipy and the printed table of paper 2; errors."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from imbcore import stats
from imbcore.evaluation import StratifiedFolds
from imbcore.exceptions import DataError, ParameterError, UnsupportedError

sp = pytest.importorskip("scipy.stats")


def close(found, expected, atol=1e-12):
    assert_allclose(found, expected, rtol=0, atol=atol)


@pytest.mark.parametrize("seed", range(6))
def test_friedman_agrees_with_scipy(seed):
    rng = np.random.default_rng(seed)
    table = np.round(rng.random((4 + seed, 3 + seed % 3)), 1 + seed % 3)
    found = stats.friedman_test(table)
    expected = sp.friedmanchisquare(*table.T)
    close([found.chi2_ties, found.chi2_ties_p], [expected.statistic, expected.pvalue])
    close(found.ranks, sp.rankdata(-table, axis=1))
    n, k = table.shape
    close(found.f_p, sp.f.sf(found.f, k - 1, (k - 1) * (n - 1)))


def test_the_permutation_p_of_methods_in_equal_order_is_exact():
    for (n, k), expected in {(2, 3): 1 / 6, (3, 2): 1 / 4, (3, 4): 1 / 24**2, (2, 2): 1 / 2}.items():
        found = stats.friedman_test([list(range(k))] * n)
        assert found.f_p == 0.0
        assert found.permutation_p == pytest.approx(expected, rel=1e-12)
    assert stats.friedman_test([[1.0, 1.0, 1.0]] * 2).permutation_p == pytest.approx(1.0)
    # By hand: in two orders of (1, 2.5, 2.5) of three, the tied ranks of both data sets coincide.
    assert stats.friedman_test([[3, 1, 1], [3, 2, 2]]).permutation_p == pytest.approx(1 / 3)


@pytest.mark.parametrize(("n", "k"), [(3, 3), (6, 2), (2, 4)])
def test_the_permutation_p_keeps_its_level_in_all_tables(n, k):
    orders = list(permutations(range(k)))
    every = [stats.friedman_test([orders[0], *of]) for of in product(orders, repeat=n - 1)]
    p = np.array([found.permutation_p for found in every])
    for level in np.unique(p):
        assert (p <= level + 1e-9).mean() == pytest.approx(level)


def test_the_permutation_p_of_many_methods_keeps_its_level():
    """The p-value comes from draws; F rejects in 5.9 % of such tables."""
    rng = np.random.default_rng(0)
    p = [stats.friedman_test(rng.random((5, 6))).permutation_p for _ in range(400)]
    assert 0.03 <= np.mean(np.array(p) <= 0.05) <= 0.07
    table = rng.random((12, 6)) + np.linspace(0, 0.4, 6)
    found = stats.friedman_test(table)
    assert found.permutation_p == pytest.approx(found.f_p, abs=0.01)
    assert found.permutation_p == stats.friedman_test(table[::-1, ::-1]).permutation_p


def test_errors_are_ranked_in_reverse():
    table = np.random.default_rng(0).random((5, 4))
    assert stats.friedman_test(table).f == stats.friedman_test(-table, larger_is_better=False).f


@pytest.mark.parametrize("k", [2, 3, 5, 10])
def test_critical_differences_agree_with_scipy(k):
    scale = np.sqrt(k * (k + 1) / (6 * 12))
    found = stats.critical_difference(k, 12, level=0.1)
    close(found, sp.studentized_range.ppf(0.9, k, np.inf) / np.sqrt(2) * scale, 1e-6)
    found = stats.critical_difference(k, 12, level=0.1, test="bonferroni-dunn")
    close(found, sp.norm.isf(0.1 / (2 * (k - 1))) * scale)


@pytest.mark.parametrize("zeros", ["drop", "pratt", "split"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("seed", range(4))
def test_wilcoxon_agrees_with_scipy(seed, alternative, zeros):
    rng = np.random.default_rng(seed)
    x, y = np.round(rng.random((2, 40)), 1) * 2
    zero_method = {"drop": "wilcox", "pratt": "pratt", "split": "zsplit"}[zeros]
    for method, correction in (("normal", True), ("uncorrected", False)):
        found = stats.wilcoxon_test(x, y, alternative=alternative, zeros=zeros, method=method)
        expected = sp.wilcoxon(
            x, y, zero_method=zero_method, alternative=alternative, correction=correction, method="asymptotic"
        )
        close(found.p, expected.pvalue)
    smooth = rng.normal(size=15)
    exact = stats.wilcoxon_test(smooth, alternative=alternative)
    assert exact.exact
    close(exact.p, sp.wilcoxon(smooth, alternative=alternative, method="exact").pvalue)


def test_sign_test_agrees_with_scipy():
    d = np.random.default_rng(2).normal(0.3, 1, 31)
    found = stats.sign_test(d)
    close(found.p, sp.binomtest(found.wins, 31).pvalue)
    close(stats.sign_test(d, alternative="less").p, sp.binomtest(found.wins, 31, alternative="less").pvalue)


def test_hodges_lehmann_is_the_median_of_the_means():
    x, y = np.random.default_rng(3).random((2, 12))
    d = x - y
    means = [(d[i] + d[j]) / 2 for i in range(12) for j in range(i, 12)]
    close(stats.hodges_lehmann(x, y), np.median(means))


def test_invalid_arguments_are_named():
    with pytest.raises(DataError, match="finite"):
        stats.friedman_test([[1.0, np.nan], [2.0, 3.0]])
    with pytest.raises(DataError, match="axes"):
        stats.friedman_test([1.0, 2.0])
    with pytest.raises(DataError, match="at least 2"):
        stats.friedman_test([[1.0, 2.0]])
    with pytest.raises(ParameterError, match="nemenyi"):
        stats.critical_difference(3, 5, test="nemeny")
    with pytest.raises(ParameterError, match="level"):
        stats.critical_difference(3, 5, level=5)
    with pytest.raises(ParameterError, match="n_datasets"):
        stats.critical_difference(3, 0)
    with pytest.raises(DataError, match="pairs"):
        stats.wilcoxon_test([1.0, 2.0], [1.0])
    with pytest.raises(DataError, match="finite"):
        stats.sign_test([np.inf])
    with pytest.raises(UnsupportedError, match="1000"):
        stats.wilcoxon_test(np.ones(1001), method="exact")
    for word in ({"alternative": "more"}, {"zeros": "wilcox"}, {"method": "exat"}):
        with pytest.raises(ParameterError):
            stats.wilcoxon_test([1.0, 2.0], **word)


def test_folds_are_shared_stratified_and_reproducible():
    y = np.array(["rare"] * 7 + ["common"] * 40)
    folds = StratifiedFolds(2, 5, random_state=1)
    pairs = list(folds.split(y=y))
    assert len(pairs) == folds.get_n_splits() == 10
    for train, test in pairs:
        assert np.array_equal(np.sort(np.concatenate([train, test])), np.arange(47))
        assert (y[test] == "rare").sum() in (3, 4)
    again = [test.tolist() for _, test in StratifiedFolds(2, 5, random_state=1).split(None, y)]
    assert [test.tolist() for _, test in pairs] == again
    assert len({tuple(test) for test in again}) == 10


@pytest.mark.parametrize("numbers", [{"folds": 1}, {"repeats": 0}, {"folds": 2.0}, {"repeats": True}])
def test_invalid_folds_are_rejected(numbers):
    with pytest.raises(ParameterError):
        StratifiedFolds(**numbers)
    with pytest.raises(ParameterError, match="needs y"):
        next(StratifiedFolds(random_state=0).split())
