"""The page for users of LightGBM maps every parameter to one that exists.

Kind: a table of names that no program reads, such as `n_estimators` for a parameter called `n_rounds`.
"""

import inspect
import re

import pytest
from rust_source import root

import imbcore

PAGE = (root() / "python" / "docs" / "coming-from-lightgbm.md").read_text(encoding="utf-8")
TABLE = PAGE.split("## Parameters\n")[1].split("\nThese parameters have a counterpart outside")[0]
ROWS = [
    [cell.strip() for cell in line.split("|")[1:-1]]
    for line in TABLE.splitlines()
    if line.startswith("| ") and not line.startswith("| LightGBM")
]
OURS = inspect.signature(imbcore.BoostedTreesClassifier).parameters
# All parameters of LightGBM 4.6 (`lightgbm.basic._ConfigAliases`) and those of its `LGBMClassifier`.
LIGHTGBM = """
alpha auc_mu_weights bagging_by_query bagging_fraction bagging_freq bagging_seed bin_construct_sample_cnt
boost_from_average boosting cat_l2 cat_smooth categorical_feature cegb_penalty_feature_coupled
cegb_penalty_feature_lazy cegb_penalty_split cegb_tradeoff config convert_model convert_model_language data
data_random_seed data_sample_strategy deterministic device_type drop_rate drop_seed early_stopping_min_delta
early_stopping_round enable_bundle eval_at extra_seed extra_trees fair_c feature_contri feature_fraction
feature_fraction_bynode feature_fraction_seed feature_pre_filter first_metric_only force_col_wise
force_row_wise forcedbins_filename forcedsplits_filename gpu_device_id gpu_device_id_list gpu_platform_id
gpu_use_dp group_column header histogram_pool_size ignore_column input_model interaction_constraints
is_enable_sparse
is_provide_training_metric is_unbalance label_column label_gain lambda_l1 lambda_l2 lambdarank_norm
lambdarank_position_bias_regularization lambdarank_truncation_level learning_rate linear_lambda linear_tree
local_listen_port machine_list_filename machines max_bin max_bin_by_feature max_cat_threshold
max_cat_to_onehot max_delta_step max_depth max_drop metric metric_freq min_data_in_bin min_data_in_leaf
min_data_per_group min_gain_to_split min_sum_hessian_in_leaf monotone_constraints
monotone_constraints_method monotone_penalty multi_error_top_k neg_bagging_fraction num_class num_gpu
num_grad_quant_bins num_iteration_predict num_iterations num_leaves num_machines num_threads objective
objective_seed other_rate output_model output_result parser_config_file path_smooth poisson_max_delta_step
pos_bagging_fraction pre_partition precise_float_parser pred_early_stop pred_early_stop_freq
pred_early_stop_margin predict_contrib predict_disable_shape_check predict_leaf_index predict_raw_score
quant_train_renew_leaf refit_decay_rate reg_sqrt save_binary saved_feature_importance_type scale_pos_weight
seed sigmoid skip_drop snapshot_freq start_iteration_predict stochastic_rounding task time_out top_k top_rate
tree_learner tweedie_variance_power two_round uniform_drop use_missing use_quantized_grad valid verbosity
weight_column xgboost_dart_mode zero_as_missing
boosting_type class_weight colsample_bytree importance_type min_child_samples min_child_weight min_split_gain
n_estimators n_jobs random_state reg_alpha reg_lambda subsample subsample_for_bin subsample_freq
"""
# Those of `XGBClassifier` of XGBoost 3 that change the model.
XGBOOST = """
base_score booster colsample_bylevel colsample_bynode colsample_bytree early_stopping_rounds
enable_categorical eval_metric feature_types gamma grow_policy interaction_constraints learning_rate max_bin
max_cat_threshold max_cat_to_onehot max_delta_step max_depth max_leaves min_child_weight missing
monotone_constraints n_estimators n_jobs num_parallel_tree objective random_state reg_alpha reg_lambda
sampling_method scale_pos_weight subsample verbosity
"""


def values(cell):
    """The keyword arguments of a cell of the table."""
    (code,) = re.fullmatch(r"`([^`]+)`", cell).groups()
    return eval(f"dict({code})")


def test_every_row_names_parameters_of_the_classifier():
    assert len(ROWS) > 25
    assert all(len(row) == 4 for row in ROWS)
    assert {name for row in ROWS for name in values(row[2])} <= OURS.keys()


@pytest.mark.parametrize("names", [LIGHTGBM, XGBOOST], ids=["LightGBM", "XGBoost"])
def test_every_parameter_of_the_other_library_is_on_the_page(names):
    text = re.sub(r"^```.*?^```$", "", PAGE, flags=re.DOTALL | re.MULTILINE)
    mapped = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", text))))
    assert set(re.findall(r"\w+", names)) - mapped == set()


def test_every_own_parameter_of_boosting_is_mapped():
    """Parameters of rounds and trees that neither library has are the exceptions."""
    mapped = {name for row in ROWS for name in values(row[2])}
    decisions = {"cost_matrix", "costs", "cost_strategy", "threshold", "calibrate", "positive", "n_threads"}
    assert OURS.keys() - mapped - decisions == {"stopping_folds", "categorical_split"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[2].strip("`"))
def test_values_of_the_table_fit(row):
    X = [[float(i % 7), float(i % 5)] for i in range(60)]
    y = [i % 6 == 0 for i in range(60)]
    options = {"n_rounds": 3, "random_state": 0} | values(row[2])
    if options["n_rounds"] == 300:
        options |= {"max_leaf_nodes": 2}
    model = imbcore.BoostedTreesClassifier(**options).fit(X, y)
    assert model.predict_proba(X).shape == (60, 2)
