//! The native module `imbcore._imbcore`: bindings without algorithms or defaults.

mod adapt;
mod allocator;
mod arrays;
mod binning;
mod boxes;
mod calibrate;
mod calls;
mod clusterer;
mod compare;
mod conformal;
mod costs;
mod decompose;
mod discretize;
mod document;
mod evaluations;
mod fit;
mod measure;
mod models;
mod network;
mod network_input;
mod network_proof;
mod pieces;
mod prune;
mod python_members;
mod read_rows;
mod sample;
mod solver;
mod stats;
mod summary;
mod svr;
mod sweep;
mod synth;
mod table;
mod thread_pool;
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
        imbcore_core::reserve::allocate_standing();
        Ok(())
    }

    /// Fitting and fitted models: one class per model family.
    #[pymodule]
    mod models {
        #[pymodule_export]
        use crate::binning::Binning;
        #[pymodule_export]
        use crate::evaluations::{Trial, evaluate, trial};
        #[pymodule_export]
        use crate::fit::{
            add_facts, cost_matrix, criteria, draw, fit, list_methods, memory_of_fit, merge, row_unit,
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
        use crate::pieces::StreamingFit;
        #[pymodule_export]
        use crate::read_rows::{answer_rows, fit_asking};
    }

    /// Single trees: pruning paths and penalty paths.
    #[pymodule]
    mod trees {
        #[pymodule_export]
        use crate::prune::{StagedAnswers, choose_pruning, pruning_betas};
        #[pymodule_export]
        use crate::svr::{svr_path, svr_penalties, svr_validate};
    }

    /// Box drawings: weight paths, and selection of settings.
    #[pymodule]
    mod boxes {
        #[pymodule_export]
        use crate::boxes::{box_selection, exact_path, generalization_bound};
    }

    /// Bayesian networks.
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
        use crate::adapt::{
            adapted, answered_by_growth, bbse_prior, correct_prior, em_prior, label_frequency,
            n_training_groups, positive_proba, reweigh, training_shares, unlabelled_weights, with_threshold,
        };
        #[pymodule_export]
        use crate::conformal::{
            Conformal, LeftOut, check_levels, conformal_answers, conformal_sets, cross_coverage,
            left_out_coverage, left_out_scores, members_drawn, miss_level, one_row_per_group_and_class,
        };
    }

    /// Decomposition of several classes into binary tasks, with members fitted in Python.
    #[pymodule]
    mod decompositions {
        #[pymodule_export]
        use crate::decompose::{column_task, decode, outline_decomposition, squash};
    }

    /// Ensembles whose members are fitted in Python.
    #[pymodule]
    mod ensembles {
        #[pymodule_export]
        use crate::python_members::{assemble, decision, relabel, tally};
    }

    /// Discretization of numbers.
    #[pymodule]
    mod discretization {
        #[pymodule_export]
        use crate::discretize::{discretizer_encode, discretizer_fit};
    }

    /// Samplers.
    #[pymodule]
    mod sampling {
        #[pymodule_export]
        use crate::sample::{PyAddedRows, resample, samplers};
    }

    /// Cost matrices and decisions.
    #[pymodule]
    mod costs {
        #[pymodule_export]
        use crate::costs::{
            decide, elkan_negative_weight, elkan_threshold, expected_cost, prior_shift, ting_weights,
        };
    }

    /// Scores and curves.
    #[pymodule]
    mod metrics {
        #[pymodule_export]
        use crate::calibrate::{
            Calibration, brier_parts, calibration_errors, calibration_line, calibration_table,
        };
        #[pymodule_export]
        use crate::compare::{roc_surface, skew_sensitivity};
        #[pymodule_export]
        use crate::measure::{
            Confusion, brier, brier_by_class, brier_multiclass, convex_hull, hand_till, hull_operating_point,
            imbalance, log_loss, one_vs_rest, one_vs_rest_mean, paid, positive_class, power_mean,
        };
        #[pymodule_export]
        use crate::summary::{agreement, answer_rates};
        #[pymodule_export]
        use crate::sweep::{Sweep, check_guarantee, mean_roc, performance_at, threshold_for};
    }

    /// Statistical tests between methods.
    #[pymodule]
    mod stats {
        #[pymodule_export]
        use crate::stats::{
            bayesian_signed_rank, bayesian_t, corrected_t, hodges_lehmann, hodges_lehmann_interval,
        };
    }

    /// Folds and splits.
    #[pymodule]
    mod protocols {
        #[pymodule_export]
        use crate::compare::{held_out_split, inner_folds, stratified_folds, stratified_split};
        #[pymodule_export]
        use crate::evaluations::{corrected_interval, corrected_pairs};
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

    /// The solver process.
    #[pymodule]
    mod solver {
        #[pymodule_export]
        use crate::solver::{serve, set_command};
    }
}
