"""Tests of imbalanced-learn run on our ensembles: the failing tests, with reasons."""

import pytest
from peer_tests import ran

MODULES = {
    "imblearn.ensemble.tests": ["test_bagging", "test_easy_ensemble", "test_forest", "test_weight_boosting"]
}
COLD = "a fit without warm_start stores no members, so the next one starts from scratch"
JUDGED = "even with warm_start, out-of-bag predictions equal those of a fit from scratch"
INSIDE = "requires a private attribute without a counterpart here"
SAMPLER = "samplers must be those of imbcore.sampling, because bags are row plans"
AFTER = "estimators_samples_ are rows after sampling, and members have no sampler step"
POOLED = "the ensemble is flat: estimators_ are the members of all samples"
FIRST = "the estimator is the first parameter, as in all classes here, and the number of samples a keyword"
DRAWN = "compares with samples of another random number generator"
OLD = "`algorithm` has had no effect there since 0.12; the option here is `loss`"
FIRST_DRAWN = "a bootstrap sample is drawn and then balanced, and all rows not in it are out of bag"
# Failing tests, with all their parameters.
DIFFERENT = {
    "test_bagging::test_balanced_bagging_classifier_samplers": SAMPLER,
    "test_bagging::test_balanced_bagging_classifier_with_function_sampler": SAMPLER,
    "test_bagging::test_estimator": INSIDE,
    "test_bagging::test_estimators_samples": AFTER,
    "test_bagging::test_max_samples_consistency": INSIDE,
    "test_bagging::test_single_estimator": AFTER,
    "test_bagging::test_warm_start": INSIDE,
    "test_bagging::test_warm_start_with_oob_score_fails": JUDGED,
    "test_easy_ensemble::test_easy_ensemble_classifier": POOLED,
    "test_easy_ensemble::test_easy_ensemble_classifier_single_estimator": DRAWN,
    "test_easy_ensemble::test_estimator": FIRST,
    "test_easy_ensemble::test_warm_start": INSIDE,
    "test_forest::test_balanced_random_forest": INSIDE,
    "test_forest::test_balanced_random_forest_attributes": INSIDE,
    "test_forest::test_balanced_random_forest_error_warning_warm_start": COLD,
    "test_forest::test_balanced_random_forest_oob_binomial": FIRST_DRAWN,
    "test_weight_boosting::test_rusboost": INSIDE,
    "test_weight_boosting::test_rusboost_algorithm": OLD,
}


@pytest.mark.slow
def test_failing_tests_are_those_with_a_reason(tmp_path):
    failed, passed = ran(MODULES, tmp_path)
    assert failed == DIFFERENT.keys()
    assert passed >= 166
