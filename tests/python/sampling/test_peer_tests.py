"""Tests of imbalanced-learn run on our samplers: the failing tests, with reasons."""

from __future__ import annotations

import pytest
from peer_tests import ran

MODULES = {
    "imblearn.over_sampling._smote.tests": ["test_borderline_smote", "test_smote", "test_smote_nc"],
    "imblearn.over_sampling.tests": ["test_adasyn", "test_common", "test_random_over_sampler"],
    "imblearn.under_sampling._prototype_selection.tests": [
        "test_condensed_nearest_neighbour",
        "test_one_sided_selection",
        "test_random_under_sampler",
        "test_tomek_links",
    ],
    "imblearn.combine.tests": ["test_smote_tomek"],
}
DRAWN = "requires the rows sampled by another random number generator"
OBJECT = "a neighbor estimator instead of a number is rejected with a hint: the search is exact"
WORDS = "requires another error message"
INSIDE = "requires a private attribute without a counterpart here"
STORE = "its condensed set misclassifies rows; ours is consistent"
ENCODER = "levels are stored as codes, so no encoder is used"
# Failing tests, with all their parameters.
DIFFERENT = {
    "test_adasyn::test_ada_fit_resample": DRAWN,
    "test_adasyn::test_ada_fit_resample_nn_obj": OBJECT,
    "test_common::test_heterogeneous_smote_k_custom_nn": "categorical_features is a keyword here",
    "test_condensed_nearest_neighbour::test_cnn_fit_resample": STORE,
    "test_condensed_nearest_neighbour::test_cnn_fit_resample_with_object": OBJECT,
    "test_condensed_nearest_neighbour::test_condensed_nearest_neighbour_multiclass": INSIDE,
    "test_one_sided_selection::test_one_sided_selection_multiclass": INSIDE,
    "test_one_sided_selection::test_oss_fit_resample": DRAWN,
    "test_one_sided_selection::test_oss_with_object": OBJECT,
    "test_random_over_sampler::test_random_over_sampler_shrinkage_error": WORDS,
    "test_random_over_sampler::test_random_over_sampling_heterogeneous_data_smoothed_bootstrap": WORDS,
    "test_random_over_sampler::test_ros_fit_resample": DRAWN,
    "test_random_over_sampler::test_ros_fit_resample_half": DRAWN,
    "test_random_under_sampler::test_rus_fit_resample": DRAWN,
    "test_random_under_sampler::test_rus_fit_resample_half": DRAWN,
    "test_smote::test_sample_regular": DRAWN,
    "test_smote::test_sample_regular_half": DRAWN,
    "test_smote::test_sample_regular_with_nn": OBJECT,
    "test_smote_nc::test_smote_nc_categorical_features_auto_error": WORDS,
    "test_smote_nc::test_smote_nc_with_null_median_std": INSIDE,
    "test_smote_nc::test_smotenc": INSIDE,
    "test_smote_nc::test_smotenc_categorical_encoder": ENCODER,
    "test_smote_nc::test_smotenc_categorical_encoder_dropped_columns": ENCODER,
    "test_smote_nc::test_smotenc_error": WORDS,
    "test_smote_nc::test_smotenc_pandas": INSIDE,
    "test_smote_nc::test_smotenc_raising_error_all_categorical": WORDS,
    "test_smote_nc::test_smotenc_samplers_one_label": WORDS,
    "test_smote_tomek::test_parallelisation": INSIDE,
    "test_smote_tomek::test_sample_regular": DRAWN,
    "test_smote_tomek::test_sample_regular_half": DRAWN,
    "test_smote_tomek::test_validate_estimator_default": DRAWN,
    "test_smote_tomek::test_validate_estimator_init": DRAWN,
}


@pytest.mark.slow
def test_failing_tests_are_those_with_a_reason(tmp_path):
    failed, passed = ran(MODULES, tmp_path)
    assert failed == DIFFERENT.keys()
    assert passed >= 59
