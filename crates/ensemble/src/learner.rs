//! Growing a forest: the columns are sorted once, each tree draws its rows, and workers take tree after tree.

use crate::gains::Gains;
use crate::grower::{CriterionTrees, Grower};
use crate::model::{ForestModel, Reading, divide};
use crate::out_of_bag::scored;
use crate::packed::{MOST_COLUMNS, Packed};
use crate::params::ForestPlan;
use crate::sample::Sampler;
use imbcore_base::{Dataset, Error, Learner, Result, RunCtl, SeedKey, tags};
use imbcore_tree::svr::SvrLearner;
use imbcore_tree::{ColumnKind, Layout, TreeLearner};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// A forest method with checked parameters.
#[derive(Clone, Debug)]
pub struct ForestLearner<G> {
    plan: ForestPlan,
    grower: G,
    method: &'static str,
    positive: u32,
}

/// One grown tree, packed, with what is known of it.
struct Grown {
    packed: Packed,
    importances: Vec<f64>,
    alpha: Option<f64>,
    /// A bit for each row that the tree saw, where out-of-bag answers are asked for.
    seen: Vec<u64>,
}

impl ForestLearner<CriterionTrees> {
    /// A forest of the trees that `tree` grows.
    pub fn new(method: &'static str, plan: ForestPlan, tree: TreeLearner) -> Self {
        let grower = CriterionTrees { tree: tree.layout(Layout::Ranked).draws(true), law: plan.law.clone() };
        Self { plan, grower, method, positive: 1 }
    }
}

impl ForestLearner<SvrLearner> {
    /// A forest of SVR-Trees.
    pub fn of_svr_trees(method: &'static str, plan: ForestPlan, tree: SvrLearner) -> Self {
        Self { plan, grower: tree, method, positive: 1 }
    }
}

impl<G: Grower> ForestLearner<G> {
    /// The class that the score of out-of-bag answers holds to be the positive one; 1 unless said.
    #[must_use]
    pub fn positive(self, positive: u32) -> Self {
        Self { positive, ..self }
    }

    fn grow(
        &self,
        ground: &G::Ground<'_>,
        sampler: &Sampler,
        n_columns: usize,
        key: SeedKey,
        ctl: RunCtl<'_>,
    ) -> Result<Grown> {
        let rows = sampler.rows(key)?;
        let (tree, alpha) = self.grower.grow(ground, rows.as_deref(), key, ctl)?;
        let asked = self.plan.out_of_bag.is_some();
        let seen = if asked { seen(rows.as_deref(), sampler.n_rows()) } else { Vec::new() };
        let mut packed = Packed::new(tree.n_classes());
        packed.push(&tree.to_arrays());
        let importances = self.grower.importances(&tree, key, n_columns);
        Ok(Grown { packed, importances, alpha, seen })
    }

    /// Every tree from number `first` on, in order. There are never more trees in work than threads: each worker takes one after the other,
    /// and what it waits for inside a tree can only be parts of trees already begun.
    fn grow_all(
        &self,
        ground: &G::Ground<'_>,
        sampler: &Sampler,
        (first, n_columns): (u32, usize),
        key: SeedKey,
        ctl: RunCtl<'_>,
    ) -> Result<Vec<Grown>> {
        let n_trees = self.plan.n_trees;
        let (next, done) = (AtomicU32::new(first), AtomicU32::new(first));
        let work = |_| {
            let mut grown = Vec::new();
            loop {
                let tree = next.fetch_add(1, Ordering::Relaxed);
                if tree >= n_trees {
                    return Ok(grown);
                }
                ctl.check()?;
                grown.push((
                    tree,
                    self.grow(ground, sampler, n_columns, key.child(tags::forest::TREE, tree), ctl.quiet())?,
                ));
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                ctl.tick("trees", u64::from(done), u64::from(n_trees));
            }
        };
        let workers = rayon::current_num_threads().min((n_trees - first) as usize);
        let parts = (0..workers).into_par_iter().with_max_len(1).map(work).collect::<Result<Vec<_>>>()?;
        let mut all: Vec<(u32, Grown)> = parts.into_iter().flatten().collect();
        all.sort_unstable_by_key(|&(tree, _)| tree);
        Ok(all.into_iter().map(|(_, grown)| grown).collect())
    }

    fn check(&self, sampler: &Sampler, n_columns: usize) -> Result<()> {
        if n_columns > MOST_COLUMNS {
            return Err(Error::Data(format!(
                "a forest takes at most {MOST_COLUMNS} features, got {n_columns}"
            )));
        }
        if self.plan.out_of_bag.is_some() && !sampler.leaves_out() {
            let expected = "False when every tree sees every row: set bootstrap=True or max_samples";
            return Err(Error::parameter(self.method, "oob_score", expected, "True"));
        }
        Ok(())
    }
}

impl<G: Grower> Learner for ForestLearner<G> {
    type Model = ForestModel;

    fn fit(&self, data: &Dataset<'_>, key: SeedKey, ctl: RunCtl<'_>) -> Result<ForestModel> {
        self.fit_from(None, data, key, ctl)
    }
}

impl<G: Grower> ForestLearner<G> {
    /// The same forest as [`Learner::fit`] gives, to the last bit, which takes its first trees from `earlier`: a forest of
    /// the same rows, parameters and key, but fewer trees. One out of a file, which knows no sums of gains, serves nothing.
    ///
    /// # Errors
    /// As [`Learner::fit`].
    pub fn fit_from(
        &self,
        earlier: Option<&ForestModel>,
        data: &Dataset<'_>,
        key: SeedKey,
        ctl: RunCtl<'_>,
    ) -> Result<ForestModel> {
        let plan = &self.plan;
        let sampling = (plan.max_samples.as_ref(), plan.bootstrap);
        let sampler = Sampler::new(data, self.grower.class_weights(), &plan.draw, sampling, self.method)?;
        let n_columns = data.frame().n_columns();
        self.check(&sampler, n_columns)?;
        let begun = earlier.filter(|earlier| earlier.n_trees() <= plan.n_trees as usize);
        let begun = begun.and_then(|earlier| Some((earlier, earlier.gains.clone()?)));
        let (mut packed, mut alphas, mut gains) = match begun {
            Some((earlier, gains)) => (earlier.packed.clone(), earlier.alphas.clone(), gains),
            None => (Packed::new(data.n_classes()), Vec::new(), Gains::new(n_columns)),
        };
        let first = packed.n_trees() as u32;
        let ground = self.grower.prepare(data, ctl)?;
        let grown = self.grow_all(&ground, &sampler, (first, n_columns), key, ctl)?;
        drop(ground);
        for tree in &grown {
            packed.append(&tree.packed);
            gains.add(&tree.importances);
        }
        packed.shrink();
        alphas.extend(grown.iter().filter_map(|tree| tree.alpha));
        let (leaf, m, fraction) = self.grower.leaf_rule();
        let (vote, weighted_votes) = (plan.vote, plan.weighted_votes);
        let reading = Reading { leaf, m, fraction, vote, weighted_votes };
        let columns = data.frame().columns().iter().map(ColumnKind::of).collect();
        let shares = sampler.class_masses(data, self.grower.class_weights());
        let model = ForestModel::new(packed, columns, reading)
            .with_facts(gains, alphas)
            .recalibrated(plan.recalibrate.shift(&shares, &data.class_masses()));
        let Some(score) = plan.out_of_bag else { return Ok(model) };
        // What a tree saw is drawn again in less time than it takes to keep it.
        let of_earlier = |tree| {
            let rows = sampler.rows(key.child(tags::forest::TREE, tree))?;
            Ok(seen(rows.as_deref(), data.n_rows()))
        };
        let mut seen = (0..first).map(of_earlier).collect::<Result<Vec<_>>>()?;
        seen.extend(grown.into_iter().map(|tree| tree.seen));
        let votes = out_of_bag(&model, &seen, data, ctl)?;
        let out_of_bag = scored(votes, (score, model.shift.as_ref()), (data, self.positive))?;
        Ok(model.with_out_of_bag(out_of_bag, seen))
    }
}

/// A bit for each of the rows that a tree saw; None: all of them.
fn seen(rows: Option<&[u32]>, n_rows: usize) -> Vec<u64> {
    let mut seen = vec![0; n_rows.div_ceil(64)];
    for &row in rows.into_iter().flatten() {
        seen[row as usize / 64] |= 1 << (row % 64);
    }
    seen
}

fn out_of_bag(
    model: &ForestModel,
    seen: &[Vec<u64>],
    data: &Dataset<'_>,
    ctl: RunCtl<'_>,
) -> Result<Vec<f64>> {
    let unseen = |tree: usize, row: usize| seen[tree][row / 64] >> (row % 64) & 1 == 0;
    let (mut sums, weights) = model.sums(data.frame(), Some(&unseen), ctl)?;
    divide(&mut sums, &weights);
    Ok(sums)
}
