//! Classifiers with a restricted graph: naive Bayes, TAN, KDB and AODE.
//!
//! TAN is tree-augmented naive Bayes, and KDB the k-dependence classifier. AODE averages one graph per
//! super-parent, a feature that is a parent of all other features.

use crate::counts::{ClassPairCounts, CodeTableForCounting, CountScratch, FamilyCounts, GroupedFamily};
use crate::dag::Dag;
use crate::info::{conditional_mutual_information, mutual_information};
use crate::score::{FamilyScorer, RowCount, ScoreFunction};
use crate::smoothed::SparseColumns;
use crate::table::DiscreteTable;
use imbcore_core::{Result, RunContext, memory, parallel};

/// Information is rounded to a whole number of this many units per nat.
///
/// Values that differ only because of the order of summation become equal.
const UNITS_PER_NAT: f64 = 1e12;

/// Estimated memory of a table without cells, and of its variable name, in units of 8 bytes.
const OF_A_TABLE: usize = 128;

pub(crate) fn naive_bayes_graph(n_variables: usize, class: u32) -> Dag {
    add_class_as_parent(vec![Vec::new(); n_variables], class)
}

pub(crate) fn selective_naive_bayes_graph(
    table: &DiscreteTable,
    class: u32,
    score: &FamilyScorer,
    ctl: RunContext<'_>,
) -> Result<Dag> {
    let mut parents = vec![Vec::new(); table.n_columns()];
    for feature in feature_variables(table, class) {
        ctl.check()?;
        let alone = score.score_counts(&FamilyCounts::from_table(table, feature, &[])?);
        if score.score_counts(&FamilyCounts::from_table(table, feature, &[class])?) > alone {
            parents[feature as usize].push(class);
        }
    }
    Dag::new(parents)
}

/// Tree-augmented naive Bayes (Friedman, Geiger and Goldszmidt 1997).
///
/// The features form a maximum spanning tree, whose edges have the weights `I(a; b | class)`, corrected for
/// sparse columns (many states, few rows per state). Of several edges with equal weights, the edge of the
/// features with lower numbers is taken. An edge of a sparse column is left out if its corrected weight is 0.
/// With `prune_arcs`, only edges that raise the BIC are kept. If edges are left out, there may be several
/// trees. Each tree is rooted at its feature with the lowest number. The class is a parent of each feature.
pub(crate) fn tan_graph(
    table: &DiscreteTable,
    class: u32,
    sparse: &SparseColumns,
    prune_arcs: bool,
    ctl: RunContext<'_>,
) -> Result<Dag> {
    let features: Vec<u32> = feature_variables(table, class).collect();
    let n = features.len();
    let weights = sparsity_corrected_information(table, &features, class, sparse, ctl)?;
    let mut edges: Vec<(f64, u32, u32)> = Vec::new();
    for (i, &a) in features.iter().enumerate() {
        for (j, &b) in features.iter().enumerate().skip(i + 1) {
            edges.push((weights[i * n + j], a, b));
        }
    }
    if prune_arcs {
        let penalty = table.total_weight().ln() / 2.0;
        let levels = |v: u32| f64::from(table.n_states_by_column()[v as usize]);
        let free = |a: u32, b: u32| (levels(a) - 1.0) * (levels(b) - 1.0) * levels(class);
        edges.retain(|&(weight, a, b)| table.total_weight() * weight > UNITS_PER_NAT * penalty * free(a, b));
    }
    edges.retain(|&(weight, a, b)| weight > 0.0 || !sparse.contains(a) && !sparse.contains(b));
    edges.sort_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
    let mut neighbors = vec![Vec::new(); table.n_columns()];
    let mut tree: Vec<u32> = (0..table.n_columns() as u32).collect();
    for (_, a, b) in edges {
        let (root_a, root_b) = (tree[a as usize], tree[b as usize]);
        if root_a != root_b {
            tree.iter_mut().filter(|root| **root == root_a).for_each(|root| *root = root_b);
            neighbors[a as usize].push(b);
            neighbors[b as usize].push(a);
        }
    }
    Ok(add_class_as_parent(orient_forest_from_lowest(neighbors), class))
}

/// k-dependence classifier (Sahami 1996).
///
/// Features are ordered by decreasing mutual information with the class. The parents of a feature are the
/// class and at most `k` earlier features. These are the earlier features whose conditional mutual
/// information with the feature, given the class, is largest. A pair with a sparse column (many states, few
/// rows per state) must have more information than independent columns are expected to have. Of equally good
/// features, the one with the lower number is taken.
pub(crate) fn kdb_graph(
    table: &DiscreteTable,
    class: u32,
    sparse: &SparseColumns,
    k: u32,
    ctl: RunContext<'_>,
) -> Result<Dag> {
    let features: Vec<u32> = feature_variables(table, class).collect();
    let n = features.len();
    let order = rank_features(table, &features, class, sparse, ctl)?;
    let weights = sparsity_corrected_information(table, &features, class, sparse, ctl)?;
    let mut parents = vec![Vec::new(); table.n_columns()];
    for (place, &feature) in order.iter().enumerate() {
        let mut earlier = order[..place].to_vec();
        let weight = |other: usize| weights[feature.min(other) * n + feature.max(other)];
        earlier.sort_by(|&a, &b| weight(b).total_cmp(&weight(a)).then(a.cmp(&b)));
        let is_sparse = |at: usize| sparse.contains(features[at]);
        earlier.retain(|&other| weight(other) > 0.0 || !is_sparse(feature) && !is_sparse(other));
        earlier.truncate(k as usize);
        parents[features[feature] as usize] = earlier.into_iter().map(|other| features[other]).collect();
    }
    Ok(add_class_as_parent(parents, class))
}

/// Graphs of averaged one-dependence estimators: one graph per super-parent.
///
/// See Webb, Boughton and Wang 2005, equation 5. The class is a parent of all features, and the super-parent
/// of all other features. The super-parents are all features, or the `most` features with the largest mutual
/// information with the class. Without features, there is a single graph of only the class.
///
/// # Errors
/// [`imbcore_core::Error::Memory`] if the tables of all networks do not fit into memory.
pub(crate) fn aode_graphs(
    table: &DiscreteTable,
    class: u32,
    sparse: &SparseColumns,
    most: Option<u32>,
    ctl: RunContext<'_>,
) -> Result<Vec<Dag>> {
    let features: Vec<u32> = feature_variables(table, class).collect();
    if features.is_empty() {
        return Ok(vec![naive_bayes_graph(table.n_columns(), class)]);
    }
    let mut chosen = features.clone();
    if let Some(most) = most.filter(|&most| (most as usize) < features.len()) {
        let order = rank_features(table, &features, class, sparse, ctl)?;
        chosen = order[..most as usize].iter().map(|&at| features[at]).collect();
        chosen.sort_unstable();
    }
    let states =
        |of: &[u32]| of.iter().map(|&v| table.n_states_by_column()[v as usize] as usize).sum::<usize>();
    let classes = table.n_states_by_column()[class as usize] as usize;
    let cells = classes.saturating_mul(states(&chosen)).saturating_mul(states(&features));
    let own = (chosen.len() * features.len()).saturating_mul(OF_A_TABLE);
    memory::check_values_fit_in_memory::<f64>(
        cells.saturating_add(own),
        "the tables of one network per column (lower max_super_parents to reduce them)",
    )?;
    let below = |parent: u32| {
        let above = |v: u32| if v == parent || v == class { Vec::new() } else { vec![parent] };
        add_class_as_parent((0..table.n_columns() as u32).map(above).collect(), class)
    };
    Ok(chosen.into_iter().map(below).collect())
}

/// Positions in `features`, sorted by decreasing mutual information with the class.
///
/// The information of columns with many states and few rows per state (sparse columns) is corrected. Of
/// features with equal information, the feature with the lower number comes first.
fn rank_features(
    table: &DiscreteTable,
    features: &[u32],
    class: u32,
    sparse: &SparseColumns,
    ctl: RunContext<'_>,
) -> Result<Vec<usize>> {
    let worth = |&feature: &u32| {
        ctl.check()?;
        let information = mutual_information(table, feature, class)?;
        if !sparse.contains(feature) {
            return Ok(information);
        }
        let freedom = SparseColumns::degrees_of_freedom(table, feature, None, class)?;
        Ok(information - freedom / (2.0 * table.total_weight()))
    };
    let worth: Vec<f64> = features.iter().map(worth).collect::<Result<_>>()?;
    let mut order: Vec<usize> = (0..features.len()).collect();
    order.sort_by(|&a, &b| {
        round_information(worth[b]).total_cmp(&round_information(worth[a])).then(a.cmp(&b))
    });
    Ok(order)
}

fn feature_variables(table: &DiscreteTable, class: u32) -> impl Iterator<Item = u32> + use<> {
    (0..table.n_columns() as u32).filter(move |&v| v != class)
}

/// Converts information in nats to a whole number of units, see [`UNITS_PER_NAT`].
fn round_information(information: f64) -> f64 {
    (information * UNITS_PER_NAT).round()
}

fn add_class_as_parent(mut parents: Vec<Vec<u32>>, class: u32) -> Dag {
    for (_, own) in parents.iter_mut().enumerate().filter(|&(v, _)| v != class as usize) {
        own.push(class);
    }
    // The arcs between features form a forest or follow an order, so there is no cycle, and the fallback to
    // the empty graph is never used.
    Dag::new(parents).unwrap_or_else(|_| Dag::empty(0))
}

/// Parents of each variable if the edges of an undirected forest point away from roots.
///
/// The root of each tree is its variable with the lowest number.
fn orient_forest_from_lowest(mut neighbors: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    for own in &mut neighbors {
        own.sort_unstable();
    }
    let mut parents = vec![Vec::new(); neighbors.len()];
    let mut seen = vec![false; neighbors.len()];
    for root in 0..neighbors.len() {
        let mut queue = std::collections::VecDeque::from([root]);
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        while let Some(from) = queue.pop_front() {
            for &to in &neighbors[from] {
                if !std::mem::replace(&mut seen[to as usize], true) {
                    parents[to as usize].push(from as u32);
                    queue.push_back(to as usize);
                }
            }
        }
    }
    parents
}

/// Same as [`class_conditional_information`], but corrected for pairs with a sparse column.
///
/// A sparse column has many states and few rows per state. The information of such a pair is reduced by its
/// expected value for independent columns, but not below 0. The expected value is the number of degrees of
/// freedom divided by twice the number of rows (Miller 1955).
fn sparsity_corrected_information(
    table: &DiscreteTable,
    features: &[u32],
    class: u32,
    sparse: &SparseColumns,
    ctl: RunContext<'_>,
) -> Result<Vec<f64>> {
    let mut weights = class_conditional_information(table, features, class, ctl)?;
    let n = features.len();
    for (i, &a) in features.iter().enumerate() {
        for (j, &b) in features.iter().enumerate().skip(i + 1) {
            if sparse.contains(a) || sparse.contains(b) {
                ctl.check()?;
                let freedom = SparseColumns::degrees_of_freedom(table, a, Some(b), class)?;
                let weight = &mut weights[i * n + j];
                *weight = (*weight - round_information(freedom / (2.0 * table.total_weight()))).max(0.0);
            }
        }
    }
    Ok(weights)
}

/// `I(a; b | class)` of each pair of features, in units, at `lower * n + higher`.
///
/// See [`UNITS_PER_NAT`] for the units.
///
/// Here n is the number of features, and `lower` and `higher` are the positions of the pair in `features`.
fn class_conditional_information(
    table: &DiscreteTable,
    features: &[u32],
    class: u32,
    ctl: RunContext<'_>,
) -> Result<Vec<f64>> {
    let n = features.len();
    let mut order = features.to_vec();
    order.push(class);
    let likelihood =
        FamilyScorer::new(ScoreFunction::Likelihood { penalty: 0.0 }, table.total_weight(), false);
    let gaps = order.iter().any(|&column| table.has_missing(column as usize));
    let whole = !gaps && table.weights().is_none();
    if let Some(pairs) = if whole { ClassPairCounts::from_table(table, &order, ctl)? } else { None } {
        let row = |i: usize| {
            pairs
                .second_parent_gains(i, &likelihood)
                .into_iter()
                .map(|gain| round_information(gain / table.total_weight()))
        };
        return Ok((0..n).flat_map(|i| (0..=i).map(|_| 0.0).chain(row(i)).collect::<Vec<_>>()).collect());
    }
    let counter = CodeTableForCounting::new(table, &order, ctl)?;
    let row = |i: usize| {
        ctl.check()?;
        let measured = if gaps {
            let one = |j: usize| {
                ctl.check()?;
                conditional_mutual_information(table, features[i], features[j], Some(class))
            };
            (i + 1..n).map(one).collect::<Result<Vec<_>>>()?
        } else if table.weights().is_some() {
            second_parent_gains::<f64>(&counter, &likelihood, i, n, ctl)?
        } else {
            second_parent_gains::<u32>(&counter, &likelihood, i, n, ctl)?
        };
        let mean = |gain: f64| if gaps { gain } else { gain / table.total_weight() };
        let zeros = (0..=i).map(|_| 0.0);
        Ok(zeros.chain(measured.into_iter().map(|gain| round_information(mean(gain)))).collect::<Vec<f64>>())
    };
    Ok(parallel::try_map(0..n, row)?.concat())
}

/// For each feature after `i`, the likelihood gain if `i` gets this feature as a parent.
///
/// The class, which is the last variable, already is a parent of `i`.
fn second_parent_gains<N: RowCount>(
    counter: &CodeTableForCounting<'_>,
    likelihood: &FamilyScorer,
    i: usize,
    n: usize,
    ctl: RunContext<'_>,
) -> Result<Vec<f64>> {
    let family: GroupedFamily<'_, N> = counter.group_rows_by_family(i as u32, &[n as u32]);
    let alone = family.score(likelihood);
    let mut scratch = CountScratch::default();
    let one = |j: usize| {
        ctl.check()?;
        Ok(family.score_with_parent(j as u32, likelihood, &mut scratch) - alone)
    };
    (i + 1..n).map(one).collect()
}
