"""Reference outputs of an independent program for the statistical tests, in `tests/golden/metrics`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import rankdata

from imbcore import stats
from imbcore.stats._ranks import friedman_of_ranks

FOLDER = Path(__file__).parents[2] / "golden" / "metrics"
SIDES = ("two-sided", "greater", "less")


def cases_of(file, part="cases"):
    """Return the cases of a file, each with a function that compares with the tolerance of the file."""
    golden = json.loads((FOLDER / f"{file}.json").read_text(encoding="utf-8"))
    tolerance = float(golden["tolerance"])

    def close(found, expected):
        assert_allclose(found, np.asarray(expected, dtype=float), rtol=tolerance, atol=tolerance)

    return [pytest.param(case, close, id=f"{file}-{n}") for n, case in enumerate(golden[part])]


def cases(file, part="cases"):
    return pytest.mark.parametrize(("case", "close"), cases_of(file, part))


def of_file(value):
    """Read a number that JSON cannot hold."""
    return float(value) if isinstance(value, str) else np.nan if value is None else value


@cases("friedman")
def test_friedman(case, close):
    found = stats.friedman_test(case["table"])
    close(found.ranks, case["ranks"])
    close(found.average_ranks, case["average_ranks"])
    close(found.tie_factor, case["tie_factor"])
    close([found.chi2, found.chi2_p], [case["chi2"], case["p"]])
    close([found.chi2_ties, found.chi2_ties_p], [of_file(case[name]) for name in ("chi2_ties", "p_ties")])
    names = ("iman_davenport", "iman_davenport_p", "iman_davenport_ties", "iman_davenport_ties_p")
    expected = [of_file(case[name]) for name in names]
    # Differs from the file: for an undefined (NaN) chi-square it has F = infinity and p = 0, which would
    # declare methods that tie everywhere significantly different.
    if np.isnan(found.chi2_ties):
        expected[2:] = [np.nan, np.nan]
    close([found.f, found.f_p, found.f_ties, found.f_ties_p], expected)
    difference = stats.critical_difference(len(case["table"][0]), len(case["table"]))
    groups = stats.rank_groups(found.average_ranks, difference)
    assert groups == case["avg_cliques_nemenyi_0.05"]


@cases("metrics", "friedman")
def test_friedman_of_printed_ranks(case, close):
    chi2, _, f, _ = friedman_of_ranks(np.array(case["avg_ranks"]), case["n"], 1.0)
    close([chi2, f], [case["chi2"], case["F"]])
    for level, expected in case["bonferroni_dunn_cd"].items():
        found = stats.critical_difference(
            len(case["avg_ranks"]), case["n"], level=float(level), test="bonferroni-dunn"
        )
        close(found, expected)


@cases("critical_values")
def test_critical_values(case, close):
    test = "nemenyi" if case["test"] == "nemenyi" else "bonferroni-dunn"
    found = stats.critical_difference(case["k"], 17, level=case["alpha"], test=test)
    close(found, case["cd_n17"])
    close(found / np.sqrt(case["k"] * (case["k"] + 1) / (6 * 17)), case["q"])


@cases("paired")
def test_paired(case, close):
    d = np.array(case["d"])
    for side in SIDES:
        found, expected = stats.wilcoxon_test(d, alternative=side), case[side]
        assert (found.n, found.exact) == (expected["n"], expected["mode"] == "exact")
        close([found.plus, found.minus, found.p], [expected[key] for key in ("w_plus", "w_minus", "p")])
        plain = stats.wilcoxon_test(d, alternative=side, method="uncorrected").p
        close(plain, case[f"{side}_no_correction"])
        if f"{side}_exact_perm" in case:
            exact = stats.wilcoxon_test(d, alternative=side, method="exact").p
            close(exact, case[f"{side}_exact_perm"])
        signs, expected = stats.sign_test(d, alternative=side), case[f"sign_{side}"]
        close(signs, [expected[key] for key in ("wins", "losses", "ties", "p")])
    close(stats.wilcoxon_test(d, zeros="pratt", method="normal").p, case["pratt_two-sided"])
    close(stats.hodges_lehmann(d), of_file(case["hodges_lehmann"]))
    close(stats.hodges_lehmann(d[d != 0]), of_file(case["hodges_lehmann_nonzero"]))
    if "hl_interval_0.95" in case:
        found = stats.hodges_lehmann_interval(d)
        close([found.low, found.high], case["hl_interval_0.95"])


def test_files_have_the_optional_cases():
    """Exact distributions with ties, and intervals, which not every case has."""
    paired = json.loads((FOLDER / "paired.json").read_text(encoding="utf-8"))["cases"]
    for name in (*(f"{side}_exact_perm" for side in SIDES), "hl_interval_0.95"):
        assert any(name in case for case in paired), name


def test_exact_distribution_counts_the_signs_of_all_ranks():
    """The definition: the fraction of all signs whose sum of positive ranks is at least the observed one."""
    rng = np.random.default_rng(7)
    for n in [*range(1, 11)] * 2:
        d = rng.choice([-6, -5, -3, -2, -1, 1, 2, 3, 4, 6], n) / 4
        found = stats.wilcoxon_test(d, method="exact", alternative="greater")
        signs = np.arange(2**n)[:, None] >> np.arange(n) & 1
        at_least = signs @ rankdata(abs(d)) >= found.plus - 1e-9
        assert found.p == pytest.approx(at_least.mean(), abs=1e-13)


@cases("published_hddt")
def test_table_2_of_the_multi_class_hddt_paper(case, close):
    table = np.array(case["table"])
    found = stats.friedman_test(table)
    close(found.average_ranks, case["average_ranks"])
    names = ("chi2", "p", "iman_davenport", "iman_davenport_p")
    close([found.chi2, found.chi2_p, found.f, found.f_p], [case[name] for name in names])
    for level in ("0.05", "0.10"):
        cd = stats.critical_difference(2, 17, level=float(level), test="bonferroni-dunn")
        expected = case[f"bonferroni_dunn_{level}"]
        close(cd, expected["cd"])
        assert (abs(np.subtract(*found.average_ranks)) > cd) == expected["significant"]
    # The table has five digits; rounding of differences must not break the ties that it shows.
    d = (table[:, 1] - table[:, 0]).round(5)
    signed, expected = stats.wilcoxon_test(d), case["wilcoxon_hddt_minus_c44"]
    close([signed.plus, signed.p], [expected["w_plus"], expected["p"]])
    close(stats.hodges_lehmann(d), case["hodges_lehmann"])
    close(stats.sign_test(d).p, case["sign"]["p"])


@cases("ttests")
def test_five_by_two_and_adjusted_p_values(case, close):
    found, expected = (
        stats.five_by_two_test(np.stack([case["first_fold"], case["second_fold"]], 1)),
        case["five_by_two"],
    )
    close(found, [expected[key] for key in ("t", "p", "f", "f_p")])
    corrected, expected = (
        stats.corrected_t_test(case["d10"], test_to_train=1 / 9),
        case["corrected_resampled_t_ratio_1_9"],
    )
    close([corrected.t, corrected.p], [expected["t"], expected["p"]])
    for method in ("bonferroni", "holm", "hochberg"):
        close(stats.adjust_p_values(case["p"], method), case[method])


@cases("published_boxes")
def test_table_5_of_the_box_drawing_paper(case, close):
    ranks, n = np.array(case["average_ranks"]), case["n_datasets"]
    found = friedman_of_ranks(ranks, n, 1.0)
    close(found, [case[name] for name in ("chi2", "p", "iman_davenport", "iman_davenport_p")])
    cd = stats.critical_difference(len(ranks), n)
    close(cd, case["nemenyi_cd_0.05"])
    assert stats.rank_groups(ranks, cd) == case["cliques"]
    assert len(case["fast_boxes_rank_per_dataset"]) == n
    close(np.mean(list(case["fast_boxes_rank_per_dataset"].values())), ranks[8])


def test_invariants_of_ranks_and_signs():
    """Ranks depend only on the order of scores, and negated differences reverse one-sided tests."""
    rng = np.random.default_rng(5)
    for _ in range(40):
        table = rng.integers(-6, 7, (int(rng.integers(2, 9)), int(rng.integers(2, 7)))) / 4
        found = stats.friedman_test(table)
        k = table.shape[1]
        assert (found.ranks.sum(axis=1) == k * (k + 1) / 2).all()
        bent = stats.friedman_test(np.exp(table) * 3 - 1)
        assert (found.average_ranks == bent.average_ranks).all()
        assert 0 <= found.chi2_p <= 1
        assert 0 <= found.f_p <= 1
        d = rng.integers(-6, 7, int(rng.integers(1, 30))) / 4
        for zeros in ("drop", "pratt", "split"):
            for method in ("auto", "exact", "normal", "uncorrected"):
                greater = stats.wilcoxon_test(d, zeros=zeros, method=method, alternative="greater")
                less = stats.wilcoxon_test(-d, zeros=zeros, method=method, alternative="less")
                assert (greater.plus, greater.minus) == (less.minus, less.plus)
                assert greater.p == pytest.approx(less.p, abs=1e-14, nan_ok=True)
        turned = stats.sign_test(-d, alternative="less").p
        assert stats.sign_test(d, alternative="greater").p == pytest.approx(turned, abs=1e-14)
        assert stats.hodges_lehmann(d) == -stats.hodges_lehmann(-d)


def test_more_data_sets_need_smaller_differences():
    rng = np.random.default_rng(2)
    drawn = [(int(rng.integers(2, 12)), int(rng.integers(2, 60)), rng.uniform(0.01, 0.5)) for _ in range(5)]
    for k, n, level in [(2, 2, 0.4), (5, 12, 0.05), (11, 40, 0.01), *drawn]:
        for test in ("nemenyi", "bonferroni-dunn"):
            here = stats.critical_difference(k, n, level=level, test=test)
            assert stats.critical_difference(k, n + 1, level=level, test=test) < here
            assert stats.critical_difference(k, n, level=level / 2, test=test) > here
            assert stats.critical_difference(k + 1, n, level=level, test=test) > here
    # With two methods both tests are identical.
    both = {test: stats.critical_difference(2, 17, test=test) for test in ("nemenyi", "bonferroni-dunn")}
    assert both["nemenyi"] == pytest.approx(both["bonferroni-dunn"], abs=1e-11)


def test_limits_without_variance():
    """Zero differences have p = 1, constant ones p = 0; ties everywhere leave no tie correction."""
    assert stats.five_by_two_test(np.zeros(10)) == (0.0, 1.0, 0.0, 1.0)
    assert stats.five_by_two_test(np.full(10, -0.1)) == (-np.inf, 0.0, np.inf, 0.0)
    for zeros in ("drop", "pratt", "split"):
        for method in ("auto", "exact", "normal", "uncorrected"):
            assert stats.wilcoxon_test([0.0, 0.0], zeros=zeros, method=method).p == 1.0
    assert stats.sign_test([0.0]).p == stats.sign_test([]).p == 1.0
    tied = stats.friedman_test(np.ones((3, 4)))
    assert (tied.tie_factor, tied.chi2, tied.f, tied.f_p) == (0.0, 0.0, 0.0, 1.0)
    assert np.isnan([tied.chi2_ties, tied.chi2_ties_p, tied.f_ties, tied.f_ties_p]).all()
    agreed = stats.friedman_test([[3.0, 2.0, 1.0]] * 4)
    assert (agreed.f, agreed.f_p) == (np.inf, 0.0)
