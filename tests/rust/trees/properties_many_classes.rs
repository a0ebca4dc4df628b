//! Trees of many classes: time and memory grow with the rows, not with classes times nodes or cuts, and the
//! faster code paths give the same tree.

use imbcore_core::{
    ColumnBuf, Dataset, FrameBuf, Learner, MISSING, RunContext, SeedKey, parse_params, random_below,
};
use imbcore_trees::{ColumnKind, NodeMasses, RowLayout, Tree, TreeModel, TreeParams, TreeSplit};
use serde_json::{Value, json};

/// Rows of many classes; two columns with few values are informative, one has missing values.
struct ManyClasses {
    columns: [Vec<f64>; 3],
    classes: Vec<u32>,
    n_classes: usize,
    weights: Option<Vec<f64>>,
    class_weight: Option<Vec<f64>>,
    are_nominal: bool,
}

impl ManyClasses {
    fn new(seed: u64, n_rows: usize, n_classes: usize) -> Self {
        let mut rng = SeedKey::root(seed).rng();
        let classes: Vec<u32> = (0..n_rows).map(|row| (row % n_classes) as u32).collect();
        let mut column = |spread: u32, missing: u32| -> Vec<f64> {
            let value = |&class: &u32| {
                let value = f64::from(class / 3 + random_below(&mut rng, spread));
                if random_below(&mut rng, 100) < missing { f64::NAN } else { value }
            };
            classes.iter().map(value).collect()
        };
        let columns = [column(9, 0), column(200, 0), column(40, 15)];
        let drawn = |of: u32, rng: &mut _| 0.25 + f64::from(random_below(rng, of)) / 3.0;
        let weights = (seed % 3 == 1).then(|| (0..n_rows).map(|_| drawn(7, &mut rng)).collect());
        let class_weight = (seed % 3 == 2).then(|| (0..n_classes).map(|_| drawn(5, &mut rng)).collect());
        Self { columns, classes, n_classes, weights, class_weight, are_nominal: false }
    }

    fn frame(&self) -> FrameBuf {
        let nominal = |values: &Vec<f64>| ColumnBuf::Nominal {
            codes: values.iter().map(|&x| if x.is_nan() { MISSING } else { x as u32 }).collect(),
            levels: values.iter().map(|&x| x as u32 + 1).max().unwrap(),
        };
        let column =
            |values| if self.are_nominal { nominal(values) } else { ColumnBuf::Numeric(values.clone()) };
        FrameBuf::new(self.columns.iter().map(column).collect()).unwrap()
    }

    fn fit(&self, params: &Value, layout: RowLayout, every_cut: bool) -> TreeModel {
        let params = parse_params("tree", &TreeParams::default(), params.as_object().unwrap()).unwrap();
        let learner = params.check("tree").unwrap().with_row_layout(layout).with_every_threshold(every_cut);
        let frame = self.frame();
        let frame = frame.borrow().unwrap();
        let data = Dataset::new(frame, &self.classes, self.n_classes, self.weights.as_deref()).unwrap();
        learner
            .with_class_weight(self.class_weight.clone())
            .fit(&data, SeedKey::root(1), RunContext::silent())
            .unwrap()
    }

    /// Checks that bounds do not change the tree. Returns whether the tree has many leaves.
    fn check_screen(&self, params: &Value, layout: RowLayout) -> bool {
        let all = self.fit(params, layout, true);
        let screened = self.fit(params, layout, false);
        let is_large = all.tree().n_leaves() > 20;
        let (mut screened, mut all) = (screened.tree().to_arrays(), all.tree().to_arrays());
        if self.weights.is_some() {
            // The class order, and so the rounding of sums of uneven weights, depends on the cut tried
            // before.
            let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * b.abs();
            assert!(screened.gain.iter().zip(&all.gain).all(close));
            (screened.gain, all.gain) = (Vec::new(), Vec::new());
        }
        assert!(screened == all, "{params} {layout:?}");
        is_large
    }
}

fn criteria() -> [Value; 9] {
    [
        json!("gini"),
        json!("entropy"),
        json!("gain_ratio"),
        json!("c45"),
        json!("hellinger"),
        json!("chi2"),
        json!("twoing"),
        json!({"name": "alpha", "alpha": 0.5}),
        json!({"name": "alpha_ext", "alpha": 0.5}),
    ]
}

/// Cuts excluded by bounds cannot win: the tree equals that of scoring every cut by its table.
#[test]
fn screened_cuts_give_the_tree_of_all_cuts() {
    for seed in 0..6 {
        let many = ManyClasses::new(seed, 240, 60);
        for criterion in criteria() {
            for (missing, layout) in [
                ("direction", RowLayout::Presorted),
                ("fraction", RowLayout::Listed),
                ("direction", RowLayout::Ranked),
            ] {
                let params =
                    json!({"criterion": criterion, "missing": missing, "min_samples_leaf": 1 + seed % 2});
                assert!(many.check_screen(&params, layout), "{params}");
            }
        }
    }
}

/// The same for sets of levels: each level against the rest, and prefixes of an order of the levels.
#[test]
fn screened_sets_of_levels_give_the_tree_of_all_sets() {
    let mut are_large = Vec::new();
    for seed in 0..3 {
        let mut many = ManyClasses::new(seed, 240, 60);
        many.are_nominal = true;
        for (at, criterion) in criteria().into_iter().enumerate() {
            for (place, missing) in ["direction", "fraction", "value"].into_iter().enumerate() {
                let turn = at + place + seed as usize;
                let split = ["ovr", "subset", "ovr_multiway"][turn % 3];
                let weight = [0.0, 2.0, 2.5][turn / 3 % 3];
                let params = json!({
                    "criterion": criterion,
                    "missing": missing,
                    "categorical_split": split,
                    "min_samples_leaf": 1 + seed % 2,
                    "min_weight_leaf": weight,
                });
                let layout = [RowLayout::Presorted, RowLayout::Listed][turn % 2];
                are_large.push(many.check_screen(&params, layout));
            }
        }
    }
    // A minimum weight in all branches of a multiway split may leave a single leaf.
    let n_large = are_large.iter().filter(|&&is_large| is_large).count();
    assert!(2 * n_large > are_large.len(), "{n_large} of {}", are_large.len());
}

/// Class lists of the leaves replace the class weights of all nodes, which are those of the rows that reach
/// them.
#[test]
fn masses_of_every_node_are_those_of_its_rows() {
    for seed in 0..3 {
        let many = ManyClasses::new(seed, 400, 80);
        let params = json!({"criterion": "hellinger", "missing": "direction", "max_depth": 12});
        let model = many.fit(&params, RowLayout::Presorted, false);
        let tree = model.tree();
        let frame = many.frame();
        let (starts, nodes) = model.decision_path(&frame.borrow().unwrap(), RunContext::silent()).unwrap();
        let mut wanted = vec![vec![0.0; many.n_classes]; tree.n_nodes()];
        for row in 0..many.classes.len() {
            let class = many.classes[row] as usize;
            let weight = many.weights.as_ref().map_or(1.0, |weights| weights[row])
                * many.class_weight.as_ref().map_or(1.0, |weights| weights[class]);
            for &node in &nodes[starts[row]..starts[row + 1]] {
                wanted[node as usize][class] += weight;
            }
        }
        let mut seen = 0;
        tree.visit_node_masses(|node, mass| {
            seen += 1;
            assert_eq!(mass, &*tree.class_masses(node));
            for (mass, wanted) in mass.iter().zip(&wanted[node]) {
                assert!((mass - wanted).abs() <= 1e-12 * wanted, "node {node}: {mass} {wanted}");
            }
            assert_eq!(tree.total_mass(node), mass.iter().sum::<f64>());
        });
        assert_eq!(seen, tree.n_nodes());
        let columns = [ColumnKind::Numeric; 3];
        assert_eq!(&Tree::from_arrays(tree.to_arrays(), &columns, many.n_classes).unwrap(), tree);
        // Pruned trees store the class weights of their new leaves.
        let inner = (1..tree.n_nodes()).filter(|&node| tree.split(node) != TreeSplit::Leaf && node % 3 == 0);
        let pruned = tree.collapse_to_leaves(inner.map(|node| node as u32));
        assert!(pruned.n_nodes() < tree.n_nodes());
        assert_eq!(pruned.class_masses(0), tree.class_masses(0));
        let leaves = (0..pruned.n_nodes()).filter(|&node| pruned.split(node) == TreeSplit::Leaf);
        let total: f64 = leaves.map(|leaf| pruned.total_mass(leaf)).sum();
        assert!((total / pruned.total_mass(0) - 1.0).abs() < 1e-12);
    }
}

/// Storage of a tree grows with its rows: one row per leaf has one class.
#[test]
fn lists_grow_with_the_rows_and_not_with_classes_times_nodes() {
    for n_classes in [100, 200, 400] {
        let many = ManyClasses::new(0, 4 * n_classes, n_classes);
        let model = many.fit(&json!({"criterion": "hellinger"}), RowLayout::Presorted, false);
        let NodeMasses::Lists(lists) = model.tree().to_arrays().mass else { panic!("a table") };
        assert!(lists.classes.len() <= 4 * n_classes);
    }
}

#[test]
fn damaged_lists_are_rejected() {
    let many = ManyClasses::new(0, 100, 20);
    let tree = many.fit(&json!({"max_depth": 3}), RowLayout::Presorted, false).tree().clone();
    let columns = [ColumnKind::Numeric; 3];
    let arrays = tree.to_arrays();
    let NodeMasses::Lists(whole) = &arrays.mass else { panic!("a table") };
    let mut broken = vec![whole.clone(); 6];
    broken[0].ends.pop();
    broken[1].classes[0] = 20;
    let of_two = (1..whole.ends.len()).find(|&node| whole.ends[node] >= whole.ends[node - 1] + 2).unwrap();
    let start = whole.ends[of_two - 1] as usize;
    broken[2].classes.swap(start, start + 1);
    broken[3].amounts[0] = f64::NAN;
    broken[4].units.pop();
    let last = broken[5].ends.len() - 1;
    broken[5].ends[last - 1] = broken[5].ends[last];
    for (case, lists) in broken.into_iter().enumerate() {
        let arrays = imbcore_trees::TreeArrays { mass: NodeMasses::Lists(lists), ..arrays.clone() };
        assert!(Tree::from_arrays(arrays, &columns, 20).is_err(), "{case}");
    }
}
