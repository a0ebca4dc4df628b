//! Properties of pruning on random data.

use imbcore_core::{Classifier, Dataset, Learner, RunContext, SeedKey, parse_params};
use imbcore_tests::toy::{Kinds, Toy, toys, toys_and_settings};
use imbcore_trees::{
    C45Params, ErrorBounds, ExtraErrorRule, NormalQuantileSource, Risk, StagedPredictions,
    ThresholdPlacement, Tree, TreeModel, TreeParams, TreeSplit,
};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// Every risk, with unequal costs.
fn risks(n_classes: usize) -> Vec<Risk> {
    let cost = |at: usize| {
        let (truth, decision) = (at / n_classes, at % n_classes);
        if truth == decision { 0.0 } else { 1.0 + (3 * truth + decision) as f64 }
    };
    vec![Risk::Error, Risk::Cost((0..n_classes * n_classes).map(cost).collect()), Risk::Gini, Risk::Entropy]
}

fn node_risk(tree: &Tree, risk: &Risk, node: usize) -> f64 {
    let total: f64 = tree.class_masses(0).iter().sum();
    if tree.n_node_rows(node) == 0 { 0.0 } else { risk.leaf_risk(&tree.class_masses(node)) / total }
}

fn leaf_risk(tree: &Tree, risk: &Risk) -> f64 {
    let leaves = (0..tree.n_nodes()).filter(|&node| tree.split(node) == TreeSplit::Leaf);
    leaves.map(|leaf| node_risk(tree, risk, leaf)).sum()
}

/// Lowest risk of a pruning of the subtree of `node` with `1, 2, ...` leaves, by exact dynamic programming.
fn least_risks(tree: &Tree, risk: &Risk, node: usize) -> Vec<f64> {
    let as_leaf = node_risk(tree, risk, node);
    if tree.split(node) == TreeSplit::Leaf {
        return vec![as_leaf];
    }
    // `joined[n]` is the lowest risk of the children so far with n leaves in total.
    let mut joined = vec![0.0];
    for child in tree.children(node) {
        let part = least_risks(tree, risk, child);
        let mut next = vec![f64::INFINITY; joined.len() + part.len()];
        for (n, a) in joined.iter().enumerate() {
            for (m, b) in part.iter().enumerate() {
                next[n + m + 1] = f64::min(next[n + m + 1], a + b);
            }
        }
        joined = next;
    }
    let mut least = joined[1..].to_vec();
    least[0] = as_leaf;
    least
}

fn proba(model: &TreeModel, toy: &Toy) -> Vec<f64> {
    model.proba(&toy.frame(), RunContext::silent()).unwrap()
}

fn c45(toy: &Toy, own: &C45Params, params: &Value) -> TreeModel {
    let inner = parse_params("c45", &TreeParams::default(), params.as_object().unwrap()).unwrap();
    let learner = own.check(inner, "c45").unwrap().with_class_weight(toy.class_weight.clone());
    let data = Dataset::new(toy.frame(), &toy.classes, toy.n_classes, toy.weights.as_deref()).unwrap();
    learner.fit(&data, SeedKey::root(3), RunContext::silent()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(imbcore_tests::cases(384)))]

    /// After subtree raising, every leaf counts the rows that reach it, and fractional rows conserve their
    /// weight.
    #[test]
    fn raised_branches_are_recounted((toy, mut params) in toys_and_settings(Kinds::ALL)) {
        let own = C45Params { subtree_raising: true, collapse: false, ..C45Params::default() };
        params["missing"] = json!("direction");
        // Raising moves rows after the constraints were checked, so the two exclude each other.
        params["monotonic_cst"] = serde_json::Value::Null;
        let model = c45(&toy, &own, &params);
        let tree = model.tree();
        let mut arrived = vec![vec![0.0; toy.n_classes]; tree.n_nodes()];
        let leaves = model.apply(&toy.frame(), RunContext::silent()).unwrap();
        for ((&leaf, &class), weight) in leaves.iter().zip(&toy.classes).zip(toy.row_weights()) {
            arrived[leaf as usize][class as usize] += weight;
        }
        for leaf in (0..tree.n_nodes()).filter(|&node| tree.split(node) == TreeSplit::Leaf && tree.n_node_rows(node) > 0) {
            prop_assert!(tree.class_masses(leaf).iter().zip(&arrived[leaf]).all(|(a, b)| (a - b).abs() < 1e-9));
        }
        params["missing"] = json!("fraction");
        let tree = c45(&toy, &own, &params).tree().clone();
        for node in (0..tree.n_nodes()).filter(|&node| tree.split(node) != TreeSplit::Leaf) {
            for class in 0..toy.n_classes {
                let reached = tree.children(node).filter(|&child| tree.n_node_rows(child) > 0);
                let below: f64 = reached.map(|child| tree.class_masses(child)[class]).sum();
                prop_assert!((below - tree.class_masses(node)[class]).abs() < 1e-9);
            }
        }
    }

    /// Thresholds at data values send every training row to the same child as midpoints.
    #[test]
    fn thresholds_at_data_values_separate_training_rows_alike((toy, params) in toys_and_settings(Kinds::ALL)) {
        let own = C45Params { confidence: None, collapse: false, ..C45Params::default() };
        let middle = c45(&toy, &own, &params);
        let data = c45(&toy, &C45Params { threshold_placement: ThresholdPlacement::Data, ..own }, &params);
        let heavy = toy.row_weights();
        let (a, b) = (proba(&middle, &toy), proba(&data, &toy));
        for row in (0..heavy.len()).filter(|&row| heavy[row] > 0.0) {
            let cells = row * toy.n_classes..(row + 1) * toy.n_classes;
            prop_assert_eq!(&a[cells.clone()], &b[cells]);
        }
    }

    /// Every tree of the path minimizes risk + alpha x leaves, and is the smallest minimizer.
    #[test]
    fn pruning_path_is_the_exact_minimizer((toy, params) in toys_and_settings(Kinds::ALL), which in 0..4_usize) {
        let model = toy.fit(&params);
        let tree = model.tree();
        let risk = &risks(toy.n_classes)[which];
        let path = tree.cost_complexity_path(risk);
        let n = path.alphas.len();
        prop_assert_eq!(path.alphas[0], 0.0);
        prop_assert_eq!(path.leaves[n - 1], 1);
        prop_assert!(path.alphas.windows(2).all(|pair| pair[0] <= pair[1]));
        prop_assert!(path.leaves.windows(2).all(|pair| pair[0] > pair[1]));
        // At alpha = 0 the risk does not increase.
        prop_assert!((path.risks[0] - leaf_risk(tree, risk)).abs() < 1e-9);
        let least = least_risks(tree, risk, 0);
        for (step, &alpha) in path.alphas.iter().enumerate() {
            let pruned = tree.collapse_to_leaves(path.pruned_nodes(step));
            prop_assert_eq!(pruned.n_leaves(), path.leaves[step] as usize);
            prop_assert!((leaf_risk(&pruned, risk) - path.risks[step]).abs() < 1e-9);
            let next = path.alphas.get(step + 1).copied().unwrap_or(2.0 * alpha + 1.0);
            for alpha in [alpha, f64::midpoint(alpha, next)] {
                let price = |leaves: usize| least[leaves - 1] + alpha * leaves as f64;
                let best = (1..=least.len()).map(price).fold(f64::INFINITY, f64::min);
                let ours = path.risks[step] + alpha * f64::from(path.leaves[step]);
                prop_assert!(ours <= best + 1e-9, "{} instead of {}", ours, best);
                let smaller = (1..path.leaves[step] as usize).map(price).fold(f64::INFINITY, f64::min);
                prop_assert!(smaller > best + 1e-13, "a smaller tree is as good");
            }
        }
    }

    /// Fitting with `ccp_alpha` prunes the grown tree; infinity leaves the root.
    #[test]
    fn ccp_alpha_prunes_the_grown_tree((toy, mut params) in toys_and_settings(Kinds::ALL), raw in 0..10_u32) {
        let whole = toy.fit(&params);
        params["ccp_criterion"] = json!("error");
        params["ccp_alpha"] = json!(f64::from(raw) / 100.0);
        prop_assert_eq!(toy.fit(&params), whole.prune_with_alpha(f64::from(raw) / 100.0, &Risk::Error));
        params["ccp_alpha"] = json!("inf");
        prop_assert_eq!(toy.fit(&params).tree().n_nodes(), 1);
    }

    /// Staged predictions of the path equal those of the pruned models.
    #[test]
    fn stages_predict_as_pruned_models((toy, params) in toys_and_settings(Kinds::ALL)) {
        let model = toy.fit(&params);
        let path = model.tree().cost_complexity_path(&Risk::Gini);
        let staged = StagedPredictions::new(&model, &path, &toy.frame(), RunContext::silent()).unwrap();
        for (step, &alpha) in path.alphas.iter().enumerate() {
            let pruned = model.prune_with_alpha(alpha, &Risk::Gini);
            let (found, classes) = staged.predict_step(step);
            let expected = proba(&pruned, &toy);
            prop_assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12));
            if params["missing"] == "direction" {
                prop_assert_eq!(classes, pruned.predict(&toy.frame(), RunContext::silent()).unwrap());
            }
        }
    }

    /// Pruning with integer weights equals pruning with repeated rows.
    #[test]
    fn integer_weights_equal_repeated_rows(toy in toys(Kinds { weights: false, ..Kinds::ALL }), raw in prop::collection::vec(1..4_u32, 40), risk in select(vec!["error", "gini"])) {
        let whole = &raw[..toy.classes.len()];
        let weighed = Toy { weights: Some(whole.iter().map(|&w| f64::from(w)).collect()), ..toy.clone() };
        let rows: Vec<u32> =
            (0_u32..).zip(whole).flat_map(|(row, &times)| std::iter::repeat_n(row, times as usize)).collect();
        let params = json!({"ccp_alpha": 0.017, "ccp_criterion": risk});
        let (a, b) = (weighed.fit(&params), toy.take(&rows).fit(&params));
        prop_assert_eq!(a.tree().n_leaves(), b.tree().n_leaves());
        prop_assert!((0..a.tree().n_nodes()).all(|node| a.tree().split(node) == b.tree().split(node)));
    }

    /// Error-based pruning and collapsing never enlarge a tree, and a second pass changes nothing.
    #[test]
    fn error_based_pruning_is_idempotent((toy, params) in toys_and_settings(Kinds::ALL), confidence in select(vec![0.05, 0.25, 0.5]), table in any::<bool>()) {
        let tree = toy.fit(&params).tree().clone();
        let z = if table { NormalQuantileSource::Table } else { NormalQuantileSource::Exact };
        for floor in [ExtraErrorRule::C45, ExtraErrorRule::Weka] {
            let limits = ErrorBounds::new(confidence, z, floor);
            let pruned = tree.collapse_to_leaves(limits.prunable_nodes(&tree));
            prop_assert!(limits.prunable_nodes(&pruned).is_empty());
        }
        let collapsed = tree.collapse_useless_subtrees();
        prop_assert!(collapsed.n_leaves() <= tree.n_leaves());
        let lost = leaf_risk(&collapsed, &Risk::Error) - leaf_risk(&tree, &Risk::Error);
        prop_assert!(lost * tree.class_masses(0).iter().sum::<f64>() <= 1e-3 * tree.n_nodes() as f64);
    }
}
