//! `MetaCost` (Domingos 1999).
//! It replaces labels by the class of least expected cost of a bagged ensemble.

use crate::generic::{Bag, BaseLearner, MemberFit, OutputKind, TrainingContext, output_of, teach};
use imbcore_core::{
    Classifier, Costs, Dataset, Result, RowGroups, RunContext, SeedKey, below, memory, share, tags,
};

/// Maximum number of draws of a bag that lacks a class.
const DRAWS: u32 = 100;

/// Number of bags whose probabilities are in memory at once.
pub const HELD_BAGS: usize = 8;

/// Maximum number of probabilities of several bags in memory at once: 128 MB.
const MOST_HELD: usize = 1 << 24;

/// Configuration of the ensemble that relabels rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelabelEnsemble {
    /// Number of bags.
    pub n_bags: u32,
    /// Number of rows of a bag, or of groups if the rows have groups, drawn with replacement.
    pub bag_size: usize,
    /// Whether a row is predicted only by models whose bag does not contain it.
    /// If all bags contain the row, all models predict it.
    pub out_of_bag: bool,
    /// Whether models contribute probabilities or predicted classes.
    pub output_kind: OutputKind,
}

/// Class of least expected cost for every row, from the mean predictions of models of bags.
/// `learn` fits a model to a bag with a seed key.
///
/// # Errors
/// As `learn`, which must also accept bags of a single class;
/// [`Error::Cancelled`](imbcore_core::Error::Cancelled).
pub fn relabel<M: Classifier>(
    data: &Dataset<'_>,
    costs: &Costs,
    relabel_ensemble: RelabelEnsemble,
    (key, ctl): (SeedKey, RunContext<'_>),
    learn: impl Fn(&Dataset<'_>, SeedKey, RunContext<'_>) -> Result<M> + Sync,
) -> Result<Vec<u32>> {
    judged(data, costs, relabel_ensemble, (key, ctl, HELD_BAGS), |rows, bag| {
        let model =
            fit_bag(data, rows, ctl, |data| learn(data, key.child(tags::wrapped::MODEL, bag), ctl.quiet()))?;
        output_of(&model, (data.frame(), &[]), relabel_ensemble.output_kind, ctl.quiet())
    })
}

/// As [`relabel`], from the same bags with models of an external base learner.
///
/// # Errors
/// As the base learner; [`Error::Cancelled`](imbcore_core::Error::Cancelled).
pub fn relabel_with_learner<T: BaseLearner>(
    base_learner: &T,
    training: &TrainingContext<'_, '_>,
    costs: &Costs,
    relabel_ensemble: RelabelEnsemble,
) -> Result<Vec<u32>> {
    let TrainingContext { data, key, ctl, .. } = *training;
    let ground = base_learner.ground(None, ctl.quiet())?;
    let held = if base_learner.one_at_a_time() { 1 } else { HELD_BAGS };
    judged(data, costs, relabel_ensemble, (key, ctl, held), |rows, bag| {
        let key = key.child(tags::wrapped::MODEL, bag);
        let MemberFit { member, .. } =
            teach(base_learner, training, Bag::from_rows(rows.to_vec()), key, ctl.quiet())?;
        base_learner.member_output(&member, &ground, &[], relabel_ensemble.output_kind, ctl.quiet())
    })
}

/// Relabels rows.
/// `judge` returns the predictions for all rows by a model fitted to the given rows of a bag with the given
/// index. At most `held` bags are processed at once.
fn judged(
    data: &Dataset<'_>,
    costs: &Costs,
    relabel_ensemble: RelabelEnsemble,
    (key, ctl, held): (SeedKey, RunContext<'_>, usize),
    judge: impl Fn(&[u32], u32) -> Result<Vec<f64>> + Sync,
) -> Result<Vec<u32>> {
    let cells = data.n_rows() * data.n_classes();
    // Sums of predictions over all bags, and over the bags that do not contain the row.
    let sums = || memory::filled(cells, 0.0, "sums of predictions");
    let (mut all, mut outside) = (sums()?, sums()?);
    let groups = data.dependence().groups().map(|codes| RowGroups::new(codes.iter().copied()));
    let held = held.min(MOST_HELD / cells.max(1)).max(1);
    let mut n_outside = vec![0_u32; data.n_rows()];
    for first in (0..relabel_ensemble.n_bags).step_by(held) {
        let bags = first..relabel_ensemble.n_bags.min(first + held as u32);
        let judged = share::try_map(bags, |bag| {
            ctl.check()?;
            let rows =
                draw(data, groups.as_ref(), relabel_ensemble.bag_size, key.child(tags::wrapped::BAG, bag));
            let mut inside = vec![false; data.n_rows()];
            for &row in &rows {
                inside[row as usize] = true;
            }
            if let Some(groups) = &groups {
                groups.mark_whole_groups(&mut inside);
            }
            Ok((inside, judge(&rows, bag)?))
        })?;
        for (inside, output) in &judged {
            add(&mut all, output);
            for (row, proba) in
                output.chunks_exact(data.n_classes()).enumerate().filter(|(row, _)| !inside[*row])
            {
                n_outside[row] += 1;
                add(&mut outside[row * data.n_classes()..], proba);
            }
        }
        ctl.tick("models", u64::from(first) + judged.len() as u64, u64::from(relabel_ensemble.n_bags));
    }
    // The class of least expected cost does not change if probabilities are scaled, so the sums need not be
    // divided.
    let cheapest = |row: usize| {
        let sums = if relabel_ensemble.out_of_bag && n_outside[row] > 0 { &outside } else { &all };
        costs.cheapest(&sums[row * data.n_classes()..(row + 1) * data.n_classes()])
    };
    Ok((0..data.n_rows()).map(cheapest).collect())
}

fn add(sums: &mut [f64], terms: &[f64]) {
    sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
}

/// Rows of a bag, ascending.
/// With groups, the rows of `n` drawn groups. Rows are drawn until they contain every class with positive weight, up to 100
/// draws in all.
fn draw(data: &Dataset<'_>, groups: Option<&RowGroups>, n: usize, key: SeedKey) -> Vec<u32> {
    let present = |rows: &mut dyn Iterator<Item = u32>| {
        let mut seen = vec![false; data.n_classes()];
        rows.filter(|&row| data.weight(row as usize) > 0.0)
            .for_each(|row| seen[data.classes()[row as usize] as usize] = true);
        seen
    };
    let wanted = present(&mut (0..data.n_rows() as u32));
    let mut rng = key.rng();
    let mut rows = Vec::new();
    for attempt in 0..DRAWS {
        rows.clear();
        match groups {
            None => rows.extend((0..n).map(|_| below(&mut rng, data.n_rows() as u32))),
            Some(groups) => {
                groups.draw(n, true, key.child(tags::bag::GROUPS, attempt), |row| rows.push(row));
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
    let classes: Vec<u32> = rows.iter().map(|&row| data.classes()[row as usize]).collect();
    let weights: Option<Vec<f64>> =
        data.weights().map(|weights| rows.iter().map(|&row| weights[row as usize]).collect());
    let dependence = data.dependence().take(rows.iter().copied());
    let bag = Dataset::with_any_classes(frame.borrow()?, &classes, data.n_classes(), weights.as_deref())?;
    learn(&bag.with_dependence(dependence.borrow()))
}
