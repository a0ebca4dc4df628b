//! Exact trees compared with complete enumeration of all trees of tiny tables.

use imbcore_core::budget::{SearchBudget, SearchStatus, StoppingLimits};
use imbcore_core::{Column, Dataset, Frame, MISSING, RunContext, SeedKey, random_below};
use imbcore_optimal_trees::{
    PlanSplit, RankedTable, TreeCosts, TreeFamily, TreeHull, TreePlan, compute_hull, solve,
};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// A tiny problem.
pub(crate) struct Case {
    numbers: Vec<Vec<f64>>,
    levels: Vec<(Vec<u32>, u32)>,
    pub(crate) classes: Vec<u32>,
    n_classes: usize,
    pub(crate) weights: Vec<f64>,
    pub(crate) family: TreeFamily,
    tariff: TreeCosts,
}

/// Lowest costs by depth and rows.
type CostCache = BTreeMap<(u32, Vec<usize>), f64>;

fn pick(rng: &mut ChaCha8Rng, from: &[f64]) -> f64 {
    from[random_below(rng, from.len() as u32) as usize]
}

impl Case {
    pub(crate) fn random(seed: u64) -> Self {
        let rng = &mut SeedKey::root(seed).rng();
        let n_rows = 3 + random_below(rng, 10) as usize;
        let n_classes = if random_below(rng, 4) == 0 { 3 } else { 2 };
        let missing = random_below(rng, 3) == 0;
        let (n_numbers, n_levels) =
            ([1, 2, 2, 3][random_below(rng, 4) as usize], [0, 0, 0, 1][random_below(rng, 4) as usize]);
        let number = |rng: &mut ChaCha8Rng, n_values: u32| {
            if missing && random_below(rng, 5) == 0 {
                f64::NAN
            } else {
                f64::from(random_below(rng, n_values))
            }
        };
        let numbers = (0..n_numbers).map(|_| {
            let n_values = [2, 4, 30][random_below(rng, 3) as usize];
            (0..n_rows).map(|_| number(rng, n_values)).collect()
        });
        let numbers = numbers.collect();
        let levels = (0..n_levels).map(|_| {
            let level = |rng: &mut ChaCha8Rng| {
                if missing && random_below(rng, 5) == 0 { MISSING } else { random_below(rng, 4) }
            };
            ((0..n_rows).map(|_| level(rng)).collect(), 4)
        });
        let levels = levels.collect();
        let mut classes: Vec<u32> = (0..n_rows).map(|_| random_below(rng, n_classes as u32)).collect();
        classes[0] = 0;
        classes[1] = 1;
        let weights = if random_below(rng, 3) == 0 {
            (0..n_rows).map(|_| pick(rng, &[0.5, 1.0, 2.0, 3.0])).collect()
        } else {
            vec![1.0; n_rows]
        };
        let max_depth = 1 + random_below(rng, 3);
        let min_weight_leaf = if random_below(rng, 3) == 0 { pick(rng, &[1.0, 2.0, 3.0]) } else { 0.0 };
        let mut cells: Vec<f64> = (0..n_classes * n_classes).map(|_| pick(rng, &[1.0, 2.0, 5.0])).collect();
        (0..n_classes).for_each(|class| cells[class * (n_classes + 1)] = 0.0);
        let leaf = if random_below(rng, 3) == 0 { pick(rng, &[1.0, 2.0]) } else { 0.0 };
        let family = TreeFamily { max_depth, min_weight_leaf, lookahead: None };
        let tariff = TreeCosts { cells, leaf };
        Self { numbers, levels, classes, n_classes, weights, family, tariff }
    }

    pub(crate) fn with_data<T>(&self, body: impl FnOnce(&Dataset<'_>) -> T) -> T {
        let numbers = self.numbers.iter().map(|column| Column::from_numbers(column));
        let levels = self.levels.iter().map(|(codes, levels)| Column::Nominal { codes, levels: *levels });
        let frame = Frame::new(numbers.chain(levels).collect()).unwrap();
        body(&Dataset::new(frame, &self.classes, self.n_classes, Some(&self.weights)).unwrap())
    }

    /// Weight units of a row: half units if some class has half weights.
    fn units(&self, table: &RankedTable, row: usize) -> f64 {
        self.weights[row] / table.class_weight_unit(self.classes[row] as usize)
    }

    fn leaf(&self, table: &RankedTable, rows: &[usize]) -> f64 {
        let cost = |answer: usize| {
            let of_row = |&row: &usize| {
                self.units(table, row)
                    * self.tariff.cells[self.classes[row] as usize * self.n_classes + answer]
            };
            rows.iter().map(of_row).sum::<f64>()
        };
        self.tariff.leaf + (0..self.n_classes).map(cost).fold(f64::INFINITY, f64::min)
    }

    /// Lowest cost by enumerating all trees, with a cache by rows and depth.
    fn best(&self, table: &RankedTable, rows: Vec<usize>, depth: u32, cache: &mut CostCache) -> f64 {
        if let Some(&best) = cache.get(&(depth, rows.clone())) {
            return best;
        }
        let mut best = self.leaf(table, &rows);
        let splits = if depth == 0 { Vec::new() } else { self.splits(&rows) };
        for (first, second, sides) in splits {
            let depth = if sides { depth - 1 } else { 0 };
            let cost = self.best(table, first, depth, cache) + self.best(table, second, depth, cache);
            best = best.min(cost);
        }
        cache.insert((depth, rows), best);
        best
    }

    /// Both children of every split, and whether they may be split again.
    pub(crate) fn splits(&self, rows: &[usize]) -> Vec<(Vec<usize>, Vec<usize>, bool)> {
        let mut splits = Vec::new();
        let mut split = |takes: &dyn Fn(usize) -> bool, sides: bool| {
            let (first, second): (Vec<usize>, Vec<usize>) = rows.iter().partition(|&&row| takes(row));
            let weight = |rows: &[usize]| rows.iter().map(|&row| self.weights[row]).sum::<f64>();
            let heavy = |rows: &[usize]| !rows.is_empty() && weight(rows) >= self.family.min_weight_leaf;
            if heavy(&first) && heavy(&second) {
                splits.push((first, second, sides));
            }
        };
        for column in &self.numbers {
            split(&|row| !column[row].is_nan(), true);
            for &row in rows {
                let value = column[row];
                split(&|row| column[row] <= value, true);
                split(&|row| column[row] <= value || column[row].is_nan(), true);
            }
        }
        for (codes, n_levels) in &self.levels {
            for level in (0..*n_levels).chain([MISSING]) {
                split(&|row| codes[row] == level, true);
                split(&|row| codes[row] == level || codes[row] == MISSING, true);
            }
            if self.family.min_weight_leaf == 0.0 {
                for set in 0..1_u32 << (n_levels + 1) {
                    split(&|row| set >> codes[row].min(*n_levels) & 1 == 1, false);
                }
            }
        }
        splits
    }

    /// Merges all classes above the second into it.
    pub(crate) fn merge_to_two_classes(&mut self) {
        self.classes.iter_mut().for_each(|class| *class = (*class).min(1));
        self.n_classes = 2;
    }

    /// Cost of a plan, computed by classifying every row.
    fn cost(&self, table: &RankedTable, plan: &TreePlan) -> f64 {
        let mut cost = self.tariff.leaf * plan.leaves().count() as f64;
        let mut weight = vec![0.0; plan.nodes.len()];
        for (row, &class) in self.classes.iter().enumerate() {
            let mut at = 0;
            weight[0] += self.weights[row];
            loop {
                let node = &plan.nodes[at];
                let missing = if node.feature < self.numbers.len() {
                    self.numbers[node.feature][row].is_nan()
                } else {
                    self.levels[node.feature - self.numbers.len()].0[row] == MISSING
                };
                let code = || self.levels[node.feature - self.numbers.len()].0[row];
                let first = match &node.cut {
                    PlanSplit::Leaf => break,
                    PlanSplit::Known => !missing,
                    _ if missing => node.missing_child == 0,
                    PlanSplit::Below(threshold) => self.numbers[node.feature][row] <= *threshold,
                    PlanSplit::IsLevel(level) => code() == *level,
                    PlanSplit::InLevels(levels) => levels.contains(&code()),
                };
                at = node.first_child + usize::from(!first);
                weight[at] += self.weights[row];
            }
            let answer = plan.nodes[at].answer as usize;
            cost += self.units(table, row) * self.tariff.cells[class as usize * self.n_classes + answer];
        }
        for (node, weight) in plan.nodes.iter().zip(&weight) {
            assert_eq!(node.mass.iter().sum::<f64>(), *weight);
            assert!(plan.nodes.len() == 1 || *weight >= self.family.min_weight_leaf);
            let is_leaf = |at: usize| matches!(plan.nodes[at].cut, PlanSplit::Leaf);
            let ends = || is_leaf(node.first_child) && is_leaf(node.first_child + 1);
            assert!(
                !matches!(node.cut, PlanSplit::InLevels(_)) || ends(),
                "children of a set of levels are leaves"
            );
        }
        cost
    }
}

pub(crate) fn budget(n_steps: Option<u64>) -> SearchBudget<'static> {
    SearchBudget::start(
        "test",
        StoppingLimits { max_checks: n_steps, ..StoppingLimits::default() },
        RunContext::silent(),
    )
    .unwrap()
}

fn check(seed: u64) {
    let mut case = Case::random(seed);
    // Greatest depth, for every sixth problem.
    case.family.max_depth += u32::from(case.family.max_depth == 3 && seed.is_multiple_of(2));
    case.with_data(|data| {
        let table = RankedTable::new(data, None, RunContext::silent()).unwrap();
        let rows = (0..case.classes.len()).collect();
        let best = case.best(&table, rows, case.family.max_depth, &mut CostCache::new());
        let solution = solve(&table, &case.family, &case.tariff, &budget(None)).unwrap();
        assert_eq!(solution.status, SearchStatus::Optimal);
        assert_eq!(solution.cost, best, "seed {seed}");
        assert_eq!(case.cost(&table, &solution.plan), best, "seed {seed}");
        assert!(solution.bound <= best, "seed {seed}");
        assert!(solution.bound == best || case.family.min_weight_leaf > 0.0, "seed {seed}");
        let ahead = TreeFamily { lookahead: Some(1 + (seed % 2) as u32), ..case.family };
        let good = solve(&table, &ahead, &case.tariff, &budget(None)).unwrap();
        assert_eq!(case.cost(&table, &good.plan), good.cost, "seed {seed}");
        assert!(good.bound <= best && best <= good.cost, "seed {seed}");
        assert!(good.status == SearchStatus::Heuristic || good.cost == best, "seed {seed}");
        let n_steps = u64::from(random_below(&mut SeedKey::root(!seed).rng(), 40));
        let cut = solve(&table, &case.family, &case.tariff, &budget(Some(n_steps))).unwrap();
        assert!(cut.bound <= best && best <= cut.cost, "seed {seed}, {n_steps} steps");
        assert_eq!(case.cost(&table, &cut.plan), cut.cost, "seed {seed}");
    });
}

#[test]
fn costs_and_bounds_match_complete_enumeration() {
    // The seed differs in every round of `make fuzz`.
    let seed = imbcore_tests::seed();
    (0..u64::from(imbcore_tests::cases(1500)))
        .for_each(|case| check(seed.wrapping_mul(1_000_003).wrapping_add(case)));
}

/// A greedy tree split this table by a set of levels and split a child again, which the tree family excludes.
#[test]
fn children_of_a_set_of_levels_are_leaves() {
    check(424_243_272_873);
}

/// The best stump splits by the set of levels 0 and 1, with two errors; a split by one level and then by the
/// number has none.
#[test]
fn lookahead_grows_past_a_set_of_levels() {
    let cells = [(0, 0.0, 1, 5), (0, 1.0, 0, 2), (1, 0.0, 1, 7), (2, 0.0, 0, 7), (3, 1.0, 0, 7)];
    let rows: Vec<(u32, f64, u32)> =
        cells.iter().flat_map(|&(level, x, class, n)| vec![(level, x, class); n]).collect();
    let case = Case {
        numbers: vec![rows.iter().map(|row| row.1).collect()],
        levels: vec![(rows.iter().map(|row| row.0).collect(), 4)],
        classes: rows.iter().map(|row| row.2).collect(),
        n_classes: 2,
        weights: vec![1.0; rows.len()],
        family: TreeFamily { max_depth: 3, min_weight_leaf: 0.0, lookahead: Some(1) },
        tariff: TreeCosts { cells: vec![0.0, 1.0, 1.0, 0.0], leaf: 0.0 },
    };
    case.with_data(|data| {
        let table = RankedTable::new(data, None, RunContext::silent()).unwrap();
        let stump = TreeFamily { max_depth: 1, ..case.family };
        assert_eq!(solve(&table, &stump, &case.tariff, &budget(None)).unwrap().cost, 2.0);
        let grown = solve(&table, &case.family, &case.tariff, &budget(None)).unwrap();
        assert_eq!((grown.cost, case.cost(&table, &grown.plan)), (0.0, 0.0));
    });
}

/// A table on which a search needs several rounds.
fn larger(n_rows: usize, body: impl FnOnce(&RankedTable)) {
    random_table(5, n_rows, false, body);
}

/// The same with another seed, and optionally some missing values.
fn random_table(seed: u64, n_rows: usize, missing: bool, body: impl FnOnce(&RankedTable)) {
    let rng = &mut SeedKey::root(seed).rng();
    let mut number = || {
        let value = f64::from(random_below(rng, 90));
        if missing && random_below(rng, 9) == 0 { f64::NAN } else { value }
    };
    let columns: Vec<Vec<f64>> = (0..4).map(|_| (0..n_rows).map(|_| number()).collect()).collect();
    let classes: Vec<u32> = (0..n_rows)
        .map(|row| {
            u32::from((columns[0][row] > 60.0 && columns[1][row] < 40.0) != (random_below(rng, 6) == 0))
        })
        .collect();
    let frame = Frame::new(columns.iter().map(|column| Column::from_numbers(column)).collect()).unwrap();
    let data = Dataset::new(frame, &classes, 2, None).unwrap();
    body(&RankedTable::new(&data, None, RunContext::silent()).unwrap());
}

#[test]
fn search_does_not_depend_on_the_number_of_threads() {
    larger(300, |table| {
        let tariff = TreeCosts { cells: vec![0.0, 1.0, 3.0, 0.0], leaf: 0.0 };
        for (max_depth, min_weight_leaf) in [(2, 0.0), (3, 0.0), (3, 9.0)] {
            let family = TreeFamily { max_depth, min_weight_leaf, lookahead: None };
            let found = [1, 2, 7].map(|n_threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
                pool.install(|| solve(table, &family, &tariff, &budget(None)).unwrap())
            });
            assert!(found.iter().all(|of| of.plan == found[0].plan && of.bound == found[0].bound));
        }
    });
}

#[test]
fn bounds_of_stopped_searches_hold() {
    larger(300, |table| {
        let tariff = TreeCosts { cells: vec![0.0, 2.0, 3.0, 0.0], leaf: 0.0 };
        let family = TreeFamily { max_depth: 3, min_weight_leaf: 0.0, lookahead: None };
        let whole = solve(table, &family, &tariff, &budget(None)).unwrap();
        assert_eq!((whole.status, whole.bound), (SearchStatus::Optimal, whole.cost));
        let mut last = 0.0;
        for n_steps in [0, 3, 30, 300, 1000, 3000] {
            let cut = solve(table, &family, &tariff, &budget(Some(n_steps))).unwrap();
            assert!(cut.bound <= whole.cost && whole.cost <= cut.cost, "{n_steps} steps");
            assert!(cut.bound >= last || cut.status == SearchStatus::Optimal);
            last = cut.bound;
        }
    });
}

/// Slopes with their bounds, and errors of the corners of a hull.
fn slopes_and_corners(hull: &TreeHull) -> (Vec<[f64; 3]>, Vec<[f64; 2]>) {
    let slopes = hull.slopes.iter().map(|of| [of.false_positive, of.false_negative, of.bound]);
    let corners = hull.vertices.iter().map(|of| [of.false_positives, of.false_negatives]);
    (slopes.collect(), corners.collect())
}

#[test]
fn hull_proves_the_optimum_at_every_cost_ratio() {
    let mut proven = 0;
    for seed in 0..8 {
        let (n_rows, missing) = (40 + 10 * seed as usize, seed % 3 == 0);
        let min_weight_leaf = if seed % 4 == 1 { 4.0 } else { 0.0 };
        let family = TreeFamily { max_depth: 3, min_weight_leaf, lookahead: None };
        random_table(seed, n_rows, missing, |table| {
            let found = [1, 3].map(|n_threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
                pool.install(|| compute_hull(table, &family, 1, &budget(None)).unwrap())
            });
            assert_eq!(slopes_and_corners(&found[0]), slopes_and_corners(&found[1]), "seed {seed}");
            assert_eq!(found[0].status, SearchStatus::Optimal);
            proven += found[0].slopes.len();
            for slope in &found[0].slopes {
                let tariff = TreeCosts {
                    cells: vec![0.0, slope.false_positive, slope.false_negative, 0.0],
                    leaf: 0.0,
                };
                let alone = solve(table, &family, &tariff, &budget(None)).unwrap();
                assert_eq!(alone.cost, slope.bound, "seed {seed}, {slope:?}");
            }
        });
    }
    assert!(proven > 40, "only {proven} slopes were compared");
}
