//! The native module `imbcore._imbcore`: bindings without algorithms or defaults.

mod allocator;
mod arrays;
mod binning;
mod boxes;
mod calibrate;
mod calls;
mod clusterer;
mod conformal;
mod costs;
mod decompose;
mod discretize;
mod evaluations;
mod fit;
mod json_document;
mod metrics;
mod models;
mod network;
mod network_input;
mod network_proof;
mod prior_adaptation;
mod pruning;
mod python_members;
mod remote_rows;
mod sample;
mod solver;
mod splits;
mod stats;
mod streaming_fit;
mod summary;
mod svr;
mod synth;
mod table;
mod thread_pool;
mod threshold_sweep;
mod training_args;

use pyo3::prelude::*;

/// Native core of imbcore, with one submodule per topic.
#[pymodule]
mod _imbcore {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::calls::{_panic, check_thread_memory};
    #[pymodule_export]
    use crate::fit::version;

    // PyO3 requires a result.
    #[allow(clippy::unnecessary_wraps)]
    #[pymodule_init]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::thread_pool::disable_global_pool();
        imbcore_core::reserve::allocate_process_reserve();
        Ok(())
    }

    /// Fitting and fitted models: one class per model family.
    #[pymodule]
    mod models {
        #[pymodule_export]
        use crate::binning::Binning;
        #[pymodule_export]
        use crate::evaluations::{NativeEvaluation, create_evaluation, evaluate};
        #[pymodule_export]
        use crate::fit::{
            cost_matrix, criteria, draw, estimate_fit_memory, fit, list_methods, merge, unit_weight,
            update_class_stats,
        };
        #[pymodule_export]
        use crate::models::boosted::BoostedModel;
        #[pymodule_export]
        use crate::models::boxes::BoxModel;
        #[pymodule_export]
        use crate::models::decomposed::DecomposedModel;
        #[pymodule_export]
        use crate::models::ensemble::EnsembleModel;
        #[pymodule_export]
        use crate::models::families::{ensemble_member, from_bytes, unwrap, wrap};
        #[pymodule_export]
        use crate::models::forest::ForestModel;
        #[pymodule_export]
        use crate::models::linear::LinearModel;
        #[pymodule_export]
        use crate::models::model::{Model, quoted_name, quoted_text};
        #[pymodule_export]
        use crate::models::network::NetworkModel;
        #[pymodule_export]
        use crate::models::optimal::OptimalTreeModel;
        #[pymodule_export]
        use crate::models::selected::SelectedModel;
        #[pymodule_export]
        use crate::models::svr::SvrTreeModel;
        #[pymodule_export]
        use crate::models::tree::{SingleTree, TreeModel};
        #[pymodule_export]
        use crate::remote_rows::{fit_remote_rows, respond_with_rows};
        #[pymodule_export]
        use crate::streaming_fit::StreamingFit;
    }

    /// Single trees: pruning paths, and fits of SVR-Trees for several penalties.
    #[pymodule]
    mod trees {
        #[pymodule_export]
        use crate::pruning::{PrunedPredictions, choose_pruning, pruning_betas};
        #[pymodule_export]
        use crate::svr::{svr_path, svr_penalties, svr_validate};
    }

    /// Box drawings: fits for several class weights, and selection of settings.
    #[pymodule]
    mod boxes {
        #[pymodule_export]
        use crate::boxes::{box_selection, exact_path, generalization_bound};
    }

    #[pymodule]
    mod networks {
        #[pymodule_export]
        use crate::network::{
            Network, network_bins, network_cpdag, network_cuts, network_estimate, network_learn, network_shd,
        };
        #[pymodule_export]
        use crate::network_proof::{network_proof, network_verify};
    }

    /// Conversion of scores to predictions: class priors, thresholds and conformal prediction.
    #[pymodule]
    mod decisions {
        #[pymodule_export]
        use crate::conformal::{
            Conformal, JackknifeConformal, check_levels, conformal_classes, conformal_sets,
            cross_conformal_coverage, draw_n_members, jackknife_coverage, jackknife_scores, miss_level,
            one_row_per_group_and_class,
        };
        #[pymodule_export]
        use crate::prior_adaptation::{
            correct_prior, estimate_prior_bbse, estimate_prior_em, label_frequency, n_training_groups,
            positive_proba, prior_adaptation, prior_ratio_confusion, reweigh, training_priors,
            unlabelled_weights, with_threshold,
        };
    }

    /// Decomposition of several classes into binary tasks, with members fitted in Python.
    #[pymodule]
    mod decompositions {
        #[pymodule_export]
        use crate::decompose::{column_task, decode, logistic, outline_decomposition};
    }

    /// Ensembles whose members are fitted in Python.
    #[pymodule]
    mod ensembles {
        #[pymodule_export]
        use crate::python_members::{combine_votes, decision, fit_external_ensemble, relabel};
    }

    #[pymodule]
    mod discretization {
        #[pymodule_export]
        use crate::discretize::{discretizer_encode, discretizer_fit};
    }

    #[pymodule]
    mod sampling {
        #[pymodule_export]
        use crate::sample::{PyAddedRows, resample, samplers};
    }

    #[pymodule]
    mod costs {
        #[pymodule_export]
        use crate::costs::{
            decide, elkan_negative_weight, elkan_threshold, expected_cost, prior_shift, ting_weights,
        };
    }

    #[pymodule]
    mod metrics {
        #[pymodule_export]
        use crate::calibrate::{
            Calibration, brier_parts, calibration_errors, calibration_line, calibration_table,
        };
        #[pymodule_export]
        use crate::metrics::{
            Confusion, brier, brier_by_class, brier_multiclass, convex_hull, cost_summary, hand_till,
            hull_operating_point, imbalance, log_loss, one_vs_rest, one_vs_rest_mean, positive_class,
            power_mean,
        };
        #[pymodule_export]
        use crate::splits::{roc_surface, skew_sensitivity};
        #[pymodule_export]
        use crate::summary::{agreement, positive_rates};
        #[pymodule_export]
        use crate::threshold_sweep::{
            Sweep, check_guarantee, map_score_scale, mean_roc, performance_at, threshold_for,
        };
    }

    #[pymodule]
    mod stats {
        #[pymodule_export]
        use crate::stats::{
            bayesian_signed_rank, bayesian_t, corrected_t, hodges_lehmann, hodges_lehmann_interval,
        };
    }

    #[pymodule]
    mod protocols {
        #[pymodule_export]
        use crate::evaluations::{corrected_interval, corrected_pairs};
        #[pymodule_export]
        use crate::splits::{held_out_split, inner_folds, stratified_folds, stratified_split};
        #[pymodule_export]
        use crate::summary::{best_setting, spread};
    }

    /// Tables read from files and simulated.
    #[pymodule]
    mod data {
        #[pymodule_export]
        use crate::synth::{disjunct_grid, four_gaussians, shape};
        #[pymodule_export]
        use crate::table::{PyTextBatches, PyTextScan, PyTextTable};
    }

    #[pymodule]
    mod solver {
        #[pymodule_export]
        use crate::solver::{serve, set_command};
    }
}
