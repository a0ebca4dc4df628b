//! Cost-complexity paths, collapsing and pessimistic pruning compared with a slow independent program.

use imbcore_core::{Column, Dataset, Frame, Learner, RunContext, SeedKey};
use imbcore_tests::{close, codes, golden, items, matrix, number, numbers};
use imbcore_trees::{
    ErrorBounds, ExtraErrorRule, NormalQuantileSource, Risk, RiskName, Tree, TreeParams, TreeSplit,
};
use serde_json::Value;

fn grow(case: &Value, params: TreeParams) -> Tree {
    let rows: Vec<Vec<f64>> = items(&case["X"]).iter().map(numbers).collect();
    let columns: Vec<Vec<f64>> =
        (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect();
    let frame = Frame::new(columns.iter().map(|column| Column::from_numbers(column)).collect()).unwrap();
    let classes = codes(&case["y"]);
    let n_classes = case["n_classes"].as_u64().unwrap() as usize;
    let data = Dataset::new(frame, &classes, n_classes, None).unwrap();
    let learner = params.check("tree").unwrap();
    learner.fit(&data, SeedKey::root(0), RunContext::silent()).unwrap().tree().clone()
}

/// The reference's number of each of our nodes; the trees must agree in splits and class weights.
fn node_ids(tree: &Tree, nodes: &[Value]) -> Vec<u32> {
    let mut ids = vec![u32::MAX; tree.n_nodes()];
    let mut stack = vec![(0, 0_u32)];
    while let Some((ours, theirs)) = stack.pop() {
        let node = &nodes[theirs as usize];
        assert_eq!(tree.class_masses(ours), numbers(&node["mass"]));
        if let TreeSplit::Below(threshold) = tree.split(ours) {
            assert!(close(threshold, number(&node["threshold"]), 1e-12), "threshold {threshold}");
        }
        ids[ours] = theirs;
        let children = codes(&node["children"]);
        assert_eq!(tree.children(ours).len(), children.len());
        stack.extend(tree.children(ours).zip(children));
    }
    assert!(ids.iter().all(|&id| id != u32::MAX));
    ids
}

fn renamed(nodes: &[u32], ids: &[u32]) -> Vec<u32> {
    let mut named: Vec<u32> = nodes.iter().map(|&node| ids[node as usize]).collect();
    named.sort_unstable();
    named
}

#[test]
fn cost_complexity_paths() {
    let file = golden("trees/pruning");
    for case in items(&file["trees"]) {
        let tree = grow(case, TreeParams::cart());
        let ids = node_ids(&tree, items(&case["gini_nodes"]));
        let costs = matrix(&case["cost_matrix"]);
        let paths = case["ccp"].as_object().unwrap();
        assert_eq!(paths.len(), 4);
        for (name, expected) in paths {
            let name: RiskName = serde_json::from_value(Value::from(name.as_str())).unwrap();
            let risk = Risk::new(name, Some(&costs), tree.n_classes()).unwrap();
            let path = tree.cost_complexity_path(&risk);
            assert_eq!(path.alphas.len(), items(expected).len(), "{name:?}");
            for (step, entry) in items(expected).iter().enumerate() {
                assert!(close(path.alphas[step], number(&entry["alpha"]), 1e-12), "{name:?} {step}");
                assert!(close(path.risks[step], number(&entry["risk"]), 1e-12), "{name:?} {step}");
                assert_eq!(f64::from(path.leaves[step]), number(&entry["leaves"]), "{name:?} {step}");
                assert_eq!(renamed(&path.pruned[step], &ids), codes(&entry["pruned"]), "{name:?} {step}");
                let pruned = tree.prune_with_alpha(path.alphas[step], &risk);
                assert_eq!(pruned.n_leaves() as u32, path.leaves[step], "{name:?} {step}");
            }
        }
    }
}

#[test]
fn collapsing_and_pessimism() {
    let file = golden("trees/pruning");
    for case in items(&file["trees"]) {
        let tree = grow(case, TreeParams::c44());
        let ids = node_ids(&tree, items(&case["c44_nodes"]));
        assert_eq!(renamed(&tree.collapsible_nodes(), &ids), codes(&case["collapse"]));
        for (confidence, expected) in case["pessimistic"].as_object().unwrap() {
            let limits = ErrorBounds::new(
                confidence.parse().unwrap(),
                NormalQuantileSource::Exact,
                ExtraErrorRule::C45,
            );
            assert_eq!(renamed(&limits.prunable_nodes(&tree), &ids), codes(expected), "CF {confidence}");
        }
    }
}

#[test]
fn extra_errors() {
    let file = golden("trees/pruning");
    for case in items(&file["added_errors"]) {
        let (n, e, confidence) = (number(&case["n"]), number(&case["e"]), number(&case["cf"]));
        for (floor, name) in [(ExtraErrorRule::C45, "c45"), (ExtraErrorRule::Weka, "weka")] {
            let found = ErrorBounds::new(confidence, NormalQuantileSource::Exact, floor).extra_errors(n, e);
            let expected = number(&case[name]);
            assert!(close(found, expected, 1e-12 * expected.max(1.0)), "{case}: {name} {found}");
        }
    }
}
