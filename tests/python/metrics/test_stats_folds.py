"""Tests on folds, intervals, adjustments and Bayesian tests compared with other packages and definitions."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from imbcore import stats
from imbcore.exceptions import DataError, ParameterError

sp = pytest.importorskip("scipy.stats")
SEEDS = pytest.mark.parametrize("seed", range(4))


def close(found, expected, atol=1e-12):
    assert_allclose(found, expected, rtol=0, atol=atol)


@SEEDS
def test_five_by_two_test_matches_its_definition(seed):
    x, y = np.random.default_rng(seed).random((2, 5, 2))
    d = x - y
    variance = d.var(axis=1, ddof=1)
    found = stats.five_by_two_test(x, y)
    close(found.t, d[0, 0] / np.sqrt(variance.mean()))
    close(found.t_p, 2 * sp.t.sf(abs(found.t), 5))
    close(found.f, (d**2).sum() / (2 * variance.sum()))
    close(found.f_p, sp.f.sf(found.f, 10, 5))
    assert stats.five_by_two_test(d.ravel()) == found


@SEEDS
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_uncorrected_t_test_equals_scipy(seed, alternative):
    d = np.random.default_rng(seed).normal(0.3, 1, 12)
    found = stats.corrected_t_test(d, test_to_train=0, alternative=alternative)
    expected = sp.ttest_1samp(d, 0, alternative=alternative)
    close([found.t, found.p], [expected.statistic, expected.pvalue])
    corrected = stats.corrected_t_test(d, test_to_train=1 / 9)
    close(corrected.t, found.t / np.sqrt(1 + 12 / 9))


@SEEDS
@pytest.mark.parametrize("method", ["bonferroni", "holm", "hochberg"])
def test_adjustments_agree_with_statsmodels(seed, method):
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    p = np.round(np.random.default_rng(seed).random(9) ** 3, 2)
    name = {"hochberg": "simes-hochberg"}.get(method, method)
    close(stats.adjust_p_values(p, method), multitest.multipletests(p, method=name)[1])


@SEEDS
def test_pairwise_tests_after_friedman(seed):
    found = stats.friedman_test(np.random.default_rng(seed).random((6, 4)))
    ranks = found.average_ranks
    pairs = stats.pairwise_tests(ranks, 6, adjust="bonferroni")
    assert pairs.pairs == list(combinations(range(4), 2))
    z = [(ranks[i] - ranks[j]) / np.sqrt(4 * 5 / 36) for i, j in pairs.pairs]
    close(pairs.z, z)
    close(pairs.p, 2 * sp.norm.sf(np.abs(z)))
    close(pairs.adjusted, np.minimum(6 * pairs.p, 1))
    # Bonferroni's pairs with a control are those separated by the Bonferroni-Dunn critical difference.
    control = stats.pairwise_tests(ranks, 6, control=1, adjust="bonferroni")
    cd = stats.critical_difference(4, 6, level=0.2, test="bonferroni-dunn")
    apart = [abs(ranks[1] - ranks[j]) > cd for _, j in control.pairs]
    assert (control.adjusted < 0.2).tolist() == apart


@pytest.mark.parametrize("zeros", ["drop", "pratt", "split"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_exact_distribution_counts_all_signs(zeros, alternative):
    d = np.array([0.0, 1.0, -1.0, 2.0, 2.0, 0.0, -3.0, 4.0, 5.0])
    found = stats.wilcoxon_test(d, zeros=zeros, method="exact", alternative=alternative)
    moving = np.abs(d[d != 0])
    rank = sp.rankdata(moving if zeros == "drop" else np.abs(d))
    rank = rank if zeros == "drop" else rank[d != 0]
    plus = np.array(
        [sum(r for r, sign in zip(rank, s, strict=True) if sign) for s in product((0, 1), repeat=7)]
    )
    seen = rank[d[d != 0] > 0].sum()
    less, greater = (plus <= seen).mean(), (plus >= seen).mean()
    close(
        found.p, {"less": less, "greater": greater, "two-sided": min(1, 2 * min(less, greater))}[alternative]
    )


def by_r(d, level, correct):
    """Interval ends as in R's ``wilcox.test``: where its statistic crosses the normal quantiles."""
    brentq = pytest.importorskip("scipy.optimize").brentq

    def distance(shift, z, sign):
        x = d - shift
        x = x[x != 0]
        ranks = sp.rankdata(np.abs(x))
        ties = np.unique(ranks, return_counts=True)[1]
        sigma = np.sqrt(len(x) * (len(x) + 1) * (2 * len(x) + 1) / 24 - (ties**3 - ties).sum() / 48)
        return (ranks[x > 0].sum() - len(x) * (len(x) + 1) / 4 - sign * correct / 2) / sigma - z

    z = sp.norm.isf((1 - level) / 2)
    return [brentq(distance, d.min(), d.max(), args=side, xtol=1e-13) for side in ((z, 1), (-z, -1))]


@SEEDS
@pytest.mark.parametrize(("method", "correct"), [("normal", 1), ("uncorrected", 0)])
def test_normal_intervals_equal_those_of_r(seed, method, correct):
    rng = np.random.default_rng(seed)
    for d in (rng.normal(size=30), np.round(rng.normal(0.3, 1, 25), 1)):
        found = stats.hodges_lehmann_interval(d, method=method, level=0.9)
        close([found.low, found.high], by_r(d, 0.9, correct), 1e-9)
        assert found.level == pytest.approx(0.9)


@SEEDS
def test_exact_intervals_contain_the_values_that_the_exact_test_accepts(seed):
    d = np.random.default_rng(seed).normal(0.4, 1, 11)
    found = stats.hodges_lehmann_interval(d, level=0.9)
    assert found.level >= 0.9
    assert found.estimate == stats.hodges_lehmann(d)
    width = 1e-9
    for end, inside in ((found.low, width), (found.high, -width)):
        assert stats.wilcoxon_test(d - end - inside).p > 0.1
        assert stats.wilcoxon_test(d - end + inside).p <= 0.1
        assert stats.wilcoxon_test(d - end - inside).exact


@SEEDS
@pytest.mark.parametrize("rope", [0.0, 0.05])
def test_bayesian_t_agrees_with_baycomp(seed, rope):
    baycomp = pytest.importorskip("baycomp")
    x, y = np.random.default_rng(seed).normal(0.7, 0.05, (2, 20))
    less, *inside, greater = baycomp.CorrelatedTTest.probs(y, x, rope=rope, runs=2)
    found = stats.bayesian_t_test(x, y, test_to_train=1 / 9, rope=rope)
    close(found, [less, *(inside or [0.0]), greater])


@SEEDS
@pytest.mark.parametrize(("rope", "prior"), [(0.0, 0.5), (0.02, 0.5), (0.02, 2.0)])
def test_bayesian_signed_ranks_agree_with_baycomp(seed, rope, prior):
    baycomp = pytest.importorskip("baycomp")
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(0.7, 0.05, 15), 2)
    y = np.round(x - rng.normal(0.01, 0.03, 15), 2)
    test, draws = baycomp.SignedRankTest, 20_000
    less, *inside, greater = test.probs(y, x, rope=rope, prior=prior, nsamples=draws, random_state=seed)
    found = stats.bayesian_signed_rank_test(x, y, rope=rope, prior=prior, draws=draws)
    # Proportions of two independent samples: at most five standard deviations of their difference.
    close(found, [less, *(inside or [0.0]), greater], 5 * np.sqrt(0.5 / draws))
    assert found == stats.bayesian_signed_rank_test(x, y, rope=rope, prior=prior, draws=draws)
    other = stats.bayesian_signed_rank_test(x, y, rope=rope, prior=prior, draws=draws, random_state=1)
    close(found, other, 5 * np.sqrt(0.5 / draws))


def test_invalid_arguments_are_named():
    with pytest.raises(DataError, match="5 replications"):
        stats.five_by_two_test(np.zeros((2, 5)))
    with pytest.raises(DataError, match="at least 2 pairs"):
        stats.corrected_t_test([0.1], test_to_train=1)
    with pytest.raises(ParameterError, match="test_to_train"):
        stats.bayesian_t_test([0.1, 0.2], test_to_train=-1)
    with pytest.raises(ParameterError, match="rope"):
        stats.bayesian_signed_rank_test([0.1], rope=-1)
    with pytest.raises(ParameterError, match="draws"):
        stats.bayesian_signed_rank_test([0.1], draws=0)
    with pytest.raises(DataError, match="at least 1 pair"):
        stats.bayesian_signed_rank_test([])
    with pytest.raises(ParameterError, match="holm"):
        stats.adjust_p_values([0.1], "hol")
    with pytest.raises(DataError, match="p-values"):
        stats.adjust_p_values([1.1])
    with pytest.raises(ParameterError, match="control"):
        stats.pairwise_tests([1.0, 2.0], 5, control=2)
    with pytest.raises(ParameterError, match="level"):
        stats.hodges_lehmann_interval([1.0], level=95)
    with pytest.raises(ParameterError, match="difference"):
        stats.rank_groups([1.0, 2.0], -1)
