//! `MetaCost` (Domingos 1999).
//! It replaces each label by the class of least expected cost, according to a bagged ensemble.

use crate::generic::{Bag, BaseLearner, MemberFit, OutputKind, TrainingContext, fit_to_bag, model_output};
use imbcore_core::{
    Classifier, Costs, CostsWithColumnSums, Dataset, Frame, Result, RowGroups, RunContext, SeedKey, memory,
    parallel, random_below, tags,
};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Maximum number of attempts to draw a bag that contains all classes.
const DRAWS: u32 = 100;

/// Maximum number of probabilities in a block of rows: 512 KB.
/// Blocks are predicted in parallel.
const BLOCK_CELLS: usize = 1 << 16;

/// Maximum number of probabilities in a block, for learners that predict blocks sequentially.
///
/// Blocks are larger than [`BLOCK_CELLS`], because such a learner may need a long time for each call.
const SEQUENTIAL_BLOCK_CELLS: usize = 1 << 21;

/// Configuration of the ensemble that relabels rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelabelEnsembleConfig {
    /// Number of bags.
    pub n_bags: u32,
    /// Number of rows drawn with replacement for a bag.
    /// If rows have groups, the number of groups drawn.
    pub bag_size: usize,
    /// Whether a row is predicted only by models whose bag does not contain it.
    /// If all bags contain the row, all models predict it.
    pub out_of_bag: bool,
    /// Kind of model output that is averaged: probabilities or predicted classes.
    pub output_kind: OutputKind,
}

/// Class of least expected cost for every row, by the mean predictions of a bagged ensemble.
///
/// # Errors
/// Same errors as `learn`, which must also accept bags of a single class;
/// [`Error::Cancelled`](imbcore_core::Error::Cancelled).
pub fn relabel_by_expected_cost<M: Classifier>(
    data: &Dataset<'_>,
    costs: &Costs,
    relabel_ensemble: RelabelEnsembleConfig,
    (key, ctl): (SeedKey, RunContext<'_>),
    learn: impl Fn(&Dataset<'_>, SeedKey, RunContext<'_>) -> Result<M> + Sync,
) -> Result<Vec<u32>> {
    let models = BagModelFunctions {
        fit: |rows: &[u32], bag: u32| {
            fit_bag(data, rows, ctl, |data| {
                learn(data, key.child(tags::wrapped::MODEL, bag), ctl.without_observer())
            })
        },
        rows: |rows: Range<usize>| Ok(data.frame().slice_rows(rows)),
        output: |model: &M, rows: &Frame<'_>| {
            model_output(model, (rows, &[]), relabel_ensemble.output_kind, ctl.without_observer())
        },
        is_sequential: false,
    };
    models.relabel(data, costs, relabel_ensemble, (key, ctl))
}

/// Like [`relabel_by_expected_cost`], with the same bags and an external base learner.
///
/// # Errors
/// Same errors as the base learner; [`Error::Cancelled`](imbcore_core::Error::Cancelled).
pub fn relabel_with_learner<T: BaseLearner>(
    base_learner: &T,
    training: &TrainingContext<'_, '_>,
    costs: &Costs,
    relabel_ensemble: RelabelEnsembleConfig,
) -> Result<Vec<u32>> {
    let TrainingContext { data, key, ctl, .. } = *training;
    let models = BagModelFunctions {
        fit: |rows: &[u32], bag: u32| {
            let key = key.child(tags::wrapped::MODEL, bag);
            let MemberFit { member, .. } = fit_to_bag(
                base_learner,
                training,
                Bag::from_rows(rows.to_vec()),
                key,
                ctl.without_observer(),
            )?;
            Ok(member)
        },
        rows: |rows: Range<usize>| {
            let rows: Vec<u32> = rows.map(|row| row as u32).collect();
            base_learner.prepare(Some(&rows), ctl.without_observer())
        },
        output: |member: &T::Member, prepared: &T::Preparation| {
            base_learner.member_output(
                member,
                prepared,
                &[],
                relabel_ensemble.output_kind,
                ctl.without_observer(),
            )
        },
        is_sequential: base_learner.is_sequential(),
    };
    models.relabel(data, costs, relabel_ensemble, (key, ctl))
}

/// A model and the set of rows of its bag, with one bit per row.
struct BagModel<M> {
    model: M,
    inside: Vec<u64>,
}

impl<M> BagModel<M> {
    fn bag_contains_row(&self, row: usize) -> bool {
        self.inside[row / 64] >> (row % 64) & 1 == 1
    }
}

struct BagModelFunctions<F, R, O> {
    fit: F,
    rows: R,
    output: O,
    is_sequential: bool,
}

impl<F, R, O> BagModelFunctions<F, R, O> {
    /// Relabels the rows in blocks, which limits the memory.
    ///
    /// All models predict each block.
    fn relabel<M: Send + Sync, P>(
        &self,
        data: &Dataset<'_>,
        costs: &Costs,
        relabel_ensemble: RelabelEnsembleConfig,
        (key, ctl): (SeedKey, RunContext<'_>),
    ) -> Result<Vec<u32>>
    where
        F: Fn(&[u32], u32) -> Result<M> + Sync,
        R: Fn(Range<usize>) -> Result<P> + Sync,
        O: Fn(&M, &P) -> Result<Vec<f64>> + Sync,
    {
        let groups = data.dependence().groups().map(|codes| RowGroups::new(codes.iter().copied()));
        let n_fitted = AtomicU64::new(0);
        let fit = |bag: u32| {
            ctl.check()?;
            let rows = draw_bag_rows(
                data,
                groups.as_ref(),
                relabel_ensemble.bag_size,
                key.child(tags::wrapped::BAG, bag),
            );
            let mut inside = vec![false; data.n_rows()];
            for &row in &rows {
                inside[row as usize] = true;
            }
            if let Some(groups) = &groups {
                groups.mark_whole_groups(&mut inside);
            }
            let bits = |rows: &[bool]| {
                rows.iter().rev().fold(0_u64, |bits, &is_inside| bits << 1 | u64::from(is_inside))
            };
            let inside = inside.chunks(64).map(bits).collect();
            let model = (self.fit)(&rows, bag)?;
            let n_fitted = n_fitted.fetch_add(1, Ordering::Relaxed) + 1;
            ctl.report_progress("models", n_fitted, u64::from(relabel_ensemble.n_bags));
            Ok(BagModel { model, inside })
        };
        let bags = 0..relabel_ensemble.n_bags;
        let models: Vec<BagModel<M>> =
            if self.is_sequential { bags.map(fit).collect() } else { parallel::try_map(bags, fit) }?;
        let cells = if self.is_sequential { SEQUENTIAL_BLOCK_CELLS } else { BLOCK_CELLS };
        let size = (cells / data.n_classes().max(1)).max(1);
        let smoothed = CostsWithColumnSums::new(costs);
        let block = |start: usize| {
            let rows = start..data.n_rows().min(start + size);
            self.relabel_block(&models, &smoothed, rows, relabel_ensemble.out_of_bag, ctl)
        };
        let starts = (0..data.n_rows()).step_by(size);
        let blocks: Vec<Vec<u32>> =
            if self.is_sequential { starts.map(block).collect() } else { parallel::try_map(starts, block) }?;
        Ok(blocks.concat())
    }

    fn relabel_block<M, P>(
        &self,
        models: &[BagModel<M>],
        costs: &CostsWithColumnSums<'_>,
        rows: Range<usize>,
        out_of_bag: bool,
        ctl: RunContext<'_>,
    ) -> Result<Vec<u32>>
    where
        R: Fn(Range<usize>) -> Result<P>,
        O: Fn(&M, &P) -> Result<Vec<f64>>,
    {
        let n_classes = costs.n_classes();
        let prepared = (self.rows)(rows.clone())?;
        let sums = || memory::filled(rows.len() * n_classes, 0.0, "sums of predictions");
        let (mut all, mut outside) = (sums()?, sums()?);
        let mut is_outside = vec![false; rows.len()];
        for bag in models {
            ctl.check()?;
            let output = (self.output)(&bag.model, &prepared)?;
            add_elementwise(&mut all, &output);
            for (at, proba) in output.chunks_exact(n_classes).enumerate() {
                if out_of_bag && !bag.bag_contains_row(rows.start + at) {
                    is_outside[at] = true;
                    add_elementwise(&mut outside[at * n_classes..], proba);
                }
            }
        }
        for (at, sums) in outside.chunks_exact_mut(n_classes).enumerate() {
            if !is_outside[at] {
                sums.copy_from_slice(&all[at * n_classes..][..n_classes]);
            }
        }
        // Dividing the sums by the number of models would scale all expected costs of a row equally. The
        // class of least expected cost would not change.
        Ok(costs.cheapest_classes(&outside))
    }
}

fn add_elementwise(sums: &mut [f64], terms: &[f64]) {
    sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
}

/// Draws the rows of a bag: `n` rows with replacement, ascending.
/// With groups, the bag has all rows of `n` groups drawn with replacement. If a class with positive weight is
/// absent, the bag is drawn again, up to 100 draws in all.
fn draw_bag_rows(data: &Dataset<'_>, groups: Option<&RowGroups>, n: usize, key: SeedKey) -> Vec<u32> {
    let present = |rows: &mut dyn Iterator<Item = u32>| {
        let mut seen = vec![false; data.n_classes()];
        rows.filter(|&row| data.weight(row as usize) > 0.0)
            .for_each(|row| seen[data.class_codes()[row as usize] as usize] = true);
        seen
    };
    let wanted = present(&mut (0..data.n_rows() as u32));
    let mut rng = key.rng();
    let mut rows = Vec::new();
    for attempt in 0..DRAWS {
        rows.clear();
        match groups {
            None => rows.extend((0..n).map(|_| random_below(&mut rng, data.n_rows() as u32))),
            Some(groups) => {
                groups.draw_groups(n, true, key.child(tags::bag::GROUPS, attempt), |row| rows.push(row));
            }
        }
        if present(&mut rows.iter().copied()) == wanted {
            break;
        }
    }
    rows.sort_unstable();
    rows
}

fn fit_bag<M>(
    data: &Dataset<'_>,
    rows: &[u32],
    ctl: RunContext<'_>,
    learn: impl FnOnce(&Dataset<'_>) -> Result<M>,
) -> Result<M> {
    let frame = data.frame().take(rows, ctl)?;
    let classes: Vec<u32> = rows.iter().map(|&row| data.class_codes()[row as usize]).collect();
    let weights: Option<Vec<f64>> =
        data.weights().map(|weights| rows.iter().map(|&row| weights[row as usize]).collect());
    let dependence = data.dependence().take(rows.iter().copied());
    let bag =
        Dataset::with_single_class_allowed(frame.borrow()?, &classes, data.n_classes(), weights.as_deref())?;
    learn(&bag.with_dependence(dependence.borrow()))
}
