//! Markov equivalence of graphs: completed partially directed graphs, and a distance.

use crate::dag::Dag;
use imbcore_core::{Error, Result};
use std::collections::BTreeMap;

/// Completed partially directed acyclic graph (CPDAG) of a Markov equivalence class.
///
/// Equivalent graphs represent the same conditional independences. An edge is directed if it has the same
/// direction in all equivalent graphs; all other edges are undirected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cpdag {
    /// Arcs `(parent, child)`, ascending.
    pub directed: Vec<(u32, u32)>,
    /// Edges `(lower, higher)`, ascending.
    pub undirected: Vec<(u32, u32)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum EdgeMark {
    Out,
    In,
    Open,
}

struct PartiallyOrientedGraph(Vec<BTreeMap<u32, EdgeMark>>);

impl PartiallyOrientedGraph {
    fn from_dag(dag: &Dag) -> Self {
        let mut pattern = Self(vec![BTreeMap::new(); dag.n_variables()]);
        for (from, to) in dag.arcs() {
            pattern.orient_edge(from, to);
        }
        pattern
    }

    fn orient_edge(&mut self, from: u32, to: u32) {
        self.0[from as usize].insert(to, EdgeMark::Out);
        self.0[to as usize].insert(from, EdgeMark::In);
    }

    fn add_undirected_edge(&mut self, a: u32, b: u32) {
        self.0[a as usize].insert(b, EdgeMark::Open);
        self.0[b as usize].insert(a, EdgeMark::Open);
    }

    fn is_adjacent(&self, a: u32, b: u32) -> bool {
        self.0[a as usize].contains_key(&b)
    }

    fn neighbors(&self, a: u32, mark: EdgeMark) -> impl Iterator<Item = u32> + Clone {
        self.0[a as usize].iter().filter(move |&(_, &found)| found == mark).map(|(&b, _)| b)
    }

    /// Whether the first three rules of Meek (1995) direct the edge `a - b` as `a -> b`.
    fn is_direction_forced(&self, a: u32, b: u32) -> bool {
        // Rule 1: directing the edge as `b -> a` would make a new v-structure at `a`, which is excluded.
        let rule_1 = || self.neighbors(a, EdgeMark::In).any(|c| !self.is_adjacent(c, b));
        // Rule 2: `b -> a` would close a cycle.
        let rule_2 =
            || self.neighbors(a, EdgeMark::Out).any(|c| self.0[c as usize].get(&b) == Some(&EdgeMark::Out));
        // Rule 3: directing the edge as `b -> a` would make a new v-structure or a cycle.
        let rule_3 = || {
            let between: Vec<u32> = self
                .neighbors(a, EdgeMark::Open)
                .filter(|&c| self.0[c as usize].get(&b) == Some(&EdgeMark::Out))
                .collect();
            between.iter().enumerate().any(|(at, &c)| between[..at].iter().any(|&d| !self.is_adjacent(c, d)))
        };
        rule_1() || rule_2() || rule_3()
    }

    fn undirected_edges(&self) -> Vec<(u32, u32)> {
        let edges_from =
            |a: u32| self.neighbors(a, EdgeMark::Open).filter(move |&b| a < b).map(move |b| (a, b));
        (0..self.0.len() as u32).flat_map(edges_from).collect()
    }
}

/// CPDAG of the equivalence class of `dag`.
///
/// Keeps all edges, and the direction of those in v-structures: `a -> c <- b` with `a` and `b` not adjacent.
/// Then applies the first three rules of Meek (1995). The fourth rule is needed only with background
/// knowledge.
pub fn cpdag(dag: &Dag) -> Cpdag {
    let pattern = completed_graph_of_dag(dag);
    let arcs_from = |a: u32| pattern.neighbors(a, EdgeMark::Out).map(move |b| (a, b));
    Cpdag {
        directed: (0..dag.n_variables() as u32).flat_map(arcs_from).collect(),
        undirected: pattern.undirected_edges(),
    }
}

fn completed_graph_of_dag(dag: &Dag) -> PartiallyOrientedGraph {
    let mut pattern = PartiallyOrientedGraph::from_dag(dag);
    let collides = |child: u32, from: u32| {
        dag.parents(child as usize).iter().any(|&other| other != from && !pattern.is_adjacent(from, other))
    };
    let open: Vec<_> = dag.arcs().into_iter().filter(|&(from, to)| !collides(to, from)).collect();
    for &(from, to) in &open {
        pattern.add_undirected_edge(from, to);
    }
    // The result does not depend on the order in which the rules are applied.
    loop {
        let mut changed = false;
        for (a, b) in pattern.undirected_edges() {
            if pattern.is_direction_forced(a, b) {
                pattern.orient_edge(a, b);
                changed = true;
            } else if pattern.is_direction_forced(b, a) {
                pattern.orient_edge(b, a);
                changed = true;
            }
        }
        if !changed {
            return pattern;
        }
    }
}

/// Structural Hamming distance of two graphs.
///
/// The distance is the number of pairs of variables whose edge is present in only one graph or has another
/// direction. If `of_cpdags` is true, the CPDAGs are compared (Tsamardinos, Brown and Aliferis 2006),
/// otherwise the graphs themselves.
///
/// # Errors
/// [`Error::Data`] for graphs over different numbers of variables.
pub fn structural_hamming_distance(a: &Dag, b: &Dag, of_cpdags: bool) -> Result<usize> {
    if a.n_variables() != b.n_variables() {
        let (a, b) = (a.n_variables(), b.n_variables());
        return Err(Error::Data(format!(
            "graphs over {a} and {b} variables cannot be compared; both need the same variables"
        )));
    }
    let pattern = if of_cpdags { completed_graph_of_dag } else { PartiallyOrientedGraph::from_dag };
    let differ = |(mine, other): (&BTreeMap<u32, EdgeMark>, &BTreeMap<u32, EdgeMark>)| {
        let changed = mine.iter().filter(|&(to, mark)| other.get(to) != Some(mark)).count();
        changed + other.keys().filter(|to| !mine.contains_key(to)).count()
    };
    // The sum counts each differing pair of variables twice, once from each end.
    Ok(pattern(a).0.iter().zip(&pattern(b).0).map(differ).sum::<usize>() / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::golden;
    use proptest::prelude::*;
    use serde_json::Value;

    fn arcs(value: &Value) -> Vec<(u32, u32)> {
        serde_json::from_value(value.clone()).unwrap()
    }

    #[test]
    fn as_the_reference() {
        let golden = golden("graph_synth");
        let graphs = golden["graphs"].as_array().unwrap();
        assert_eq!(graphs.len(), 8);
        for case in graphs {
            let n = usize::try_from(case["n"].as_u64().unwrap()).unwrap();
            let dag = |name: &str| Dag::from_arcs(n, &arcs(&case[name])).unwrap();
            let (a, b) = (dag("a"), dag("b"));
            for (name, dag) in [("cpdag_a", &a), ("cpdag_b", &b)] {
                let (directed, undirected) = (arcs(&case[name]["directed"]), arcs(&case[name]["undirected"]));
                assert_eq!(cpdag(dag), Cpdag { directed, undirected });
            }
            let distance = |of_cpdags| structural_hamming_distance(&a, &b, of_cpdags).unwrap() as u64;
            assert_eq!(Some(distance(true)), case["shd_cpdag"].as_u64());
            assert_eq!(Some(distance(false)), case["shd_dag"].as_u64());
        }
    }

    #[test]
    fn every_rule_has_its_case() {
        let directed = |n, arcs: &[(u32, u32)]| cpdag(&Dag::from_arcs(n, arcs).unwrap()).directed;
        // Rule 1: 0 -> 2 <- 1 forces 2 -> 3.
        assert_eq!(directed(4, &[(0, 2), (1, 2), (2, 3)]), [(0, 2), (1, 2), (2, 3)]);
        // Rule 3: 1 -> 3 <- 2, and 0 is adjacent to 1, 2 and 3.
        assert_eq!(directed(4, &[(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)]), [(0, 3), (1, 3), (2, 3)]);
        assert!(structural_hamming_distance(&Dag::empty(2), &Dag::empty(3), true).is_err());
    }

    fn dags(n: u32) -> impl Strategy<Value = Dag> {
        let pairs: Vec<(u32, u32)> = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
        let order = Just((0..n).collect::<Vec<_>>()).prop_shuffle();
        (order, proptest::sample::subsequence(pairs.clone(), 0..=pairs.len())).prop_map(
            move |(order, pairs)| {
                let arcs: Vec<_> =
                    pairs.iter().map(|&(a, b)| (order[a as usize], order[b as usize])).collect();
                Dag::from_arcs(n as usize, &arcs).unwrap()
            },
        )
    }

    type Collisions = Vec<(u32, u32, u32)>;

    /// Skeleton and v-structures, which determine the equivalence class (Verma and Pearl 1990).
    fn class_of(dag: &Dag) -> (Vec<(u32, u32)>, Collisions) {
        let arcs = dag.arcs();
        let mut edges: Vec<_> = arcs.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
        edges.sort_unstable();
        let mut collisions = Vec::new();
        for c in 0..dag.n_variables() {
            for &a in dag.parents(c) {
                for &b in dag.parents(c) {
                    if a < b && !edges.contains(&(a, b)) {
                        collisions.push((a, b, c as u32));
                    }
                }
            }
        }
        (edges, collisions)
    }

    proptest! {
        /// Brute force: an arc is directed if all equivalent orientations of the edges agree on it.
        #[test]
        fn directed_arcs_are_shared_by_all_equivalent_graphs(dag in dags(5)) {
            let (edges, collisions) = class_of(&dag);
            let mut members = Vec::new();
            for ways in 0..1_u32 << edges.len() {
                let turn = |(at, &(a, b)): (usize, &(u32, u32))| if ways >> at & 1 == 0 { (a, b) } else { (b, a) };
                let arcs: Vec<_> = edges.iter().enumerate().map(turn).collect();
                if let Ok(member) = Dag::from_arcs(5, &arcs) && class_of(&member).1 == collisions {
                    members.push(member);
                }
            }
            let shared: Vec<_> = dag.arcs().into_iter().filter(|arc| members.iter().all(|m| m.arcs().contains(arc))).collect();
            prop_assert_eq!(cpdag(&dag).directed, shared);
            for member in &members {
                prop_assert_eq!(cpdag(member), cpdag(&dag));
                prop_assert_eq!(structural_hamming_distance(member, &dag, true).unwrap(), 0);
            }
        }

        #[test]
        fn distance_is_a_metric(a in dags(6), b in dags(6), c in dags(6), of_cpdags: bool) {
            let d = |x: &Dag, y: &Dag| structural_hamming_distance(x, y, of_cpdags).unwrap();
            prop_assert_eq!(d(&a, &b), d(&b, &a));
            prop_assert!(d(&a, &c) <= d(&a, &b) + d(&b, &c));
            prop_assert_eq!(d(&a, &a), 0);
        }
    }
}
