//! Peeling: removal of one thin slice at a time (Friedman and Fisher 1999, section 8.1).

use super::prim_data::{PrimData, PrimFeatureValues, TotalAndPositiveMass};
use crate::box_drawing::MissingRule;
use crate::feature_space::{BoxBounds, remove_level};
use imbcore_core::{MISSING, Result, RunContext, parallel};

/// Change of a box by one step of peeling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BoxChange {
    /// No change: the unbounded box.
    Start,
    /// New lower bound of a feature.
    Lower(usize, f64),
    /// New upper bound of a feature.
    Upper(usize, f64),
    /// Removal of a level of a feature.
    Without(usize, u32),
}

/// One box of a trajectory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeelingStep {
    /// Change from the previous box.
    pub change: BoxChange,
    /// Weight of the rows in the box.
    pub mass: f64,
    /// Weight of the positive rows in the box.
    pub positives: f64,
}

/// For each numeric feature, the row numbers sorted by value, without missing values.
pub(crate) struct SortedRows(Vec<Vec<u32>>);

impl SortedRows {
    pub(crate) fn new(field: &PrimData<'_>, rows: &[u32], ctl: RunContext<'_>) -> Result<Self> {
        let sorted = |cells: &PrimFeatureValues<'_>| {
            ctl.check()?;
            let PrimFeatureValues::Numbers(values) = cells else { return Ok(Vec::new()) };
            let mut pairs: Vec<(f64, u32)> = rows
                .iter()
                .map(|&row| (values[row as usize], row))
                .filter(|(value, _)| !value.is_nan())
                .collect();
            // Adding 0.0 converts -0.0 to 0.0, so that the sort treats both as equal, as comparisons of
            // floats do.
            pairs.sort_unstable_by(|a, b| (a.0 + 0.0).total_cmp(&(b.0 + 0.0)).then(a.1.cmp(&b.1)));
            Ok(pairs.into_iter().map(|(_, row)| row).collect())
        };
        Ok(Self(parallel::try_map(&field.cells, sorted)?))
    }

    pub(crate) fn retain_rows(&mut self, keep: &(dyn Fn(u32) -> bool + Sync)) {
        parallel::map(&mut self.0, |order| order.retain(|&row| keep(row)));
    }

    fn restrict_to(&self, rows: &dyn Fn(u32) -> bool) -> Self {
        Self(self.0.iter().map(|order| order.iter().copied().filter(|&row| rows(row)).collect()).collect())
    }
}

/// A slice of rows that a peel can remove, and the weights of the rows outside the slice.
#[derive(Clone, Copy, Debug)]
struct PeelSlice {
    change: BoxChange,
    left: TotalAndPositiveMass,
}

impl PeelSlice {
    /// Whether removing this slice is better than removing the other slice.
    ///
    /// The rows that are left should have a larger positive fraction, or an equal fraction and a larger
    /// weight.
    fn is_better(self, other: Self) -> bool {
        let (mean, other_mean) = (self.left.positive_fraction(), other.left.positive_fraction());
        mean > other_mean || (mean == other_mean && self.left.all > other.left.all)
    }
}

/// Peels slices from the box without bounds, as long as a weight of at least `least` is left.
pub(crate) fn peel_trajectory(
    field: &PrimData<'_>,
    orders: &SortedRows,
    rows: &[u32],
    alpha: f64,
    least: f64,
    ctl: RunContext<'_>,
) -> Result<Vec<PeelingStep>> {
    let mut active = vec![false; field.task.positive.len()];
    for &row in rows {
        active[row as usize] = true;
    }
    let mut orders = orders.restrict_to(&|row| active[row as usize]);
    let mut rows = rows.to_vec();
    let mut bounds = field.space.unbounded_box();
    let mass = field.total_mass(rows.iter().copied());
    let mut steps = vec![PeelingStep { change: BoxChange::Start, mass: mass.all, positives: mass.positive }];
    let mut listed = rows.len();
    loop {
        ctl.check()?;
        let mass = field.total_mass(rows.iter().copied());
        let slices: Vec<Option<PeelSlice>> = parallel::map(0..field.cells.len(), |feature| {
            best_peel_slice(field, &orders.0[feature], &active, &rows, &bounds, (feature, mass), alpha, least)
        });
        // Slices are in the order of the features, so the first of several equal slices is chosen.
        let best = slices.into_iter().flatten().fold(None, |best: Option<PeelSlice>, slice| match best {
            Some(best) if !slice.is_better(best) => Some(best),
            _ => Some(slice),
        });
        let Some(PeelSlice { change, .. }) = best else { return Ok(steps) };
        apply_change(&mut bounds, field, change);
        let kept = field.rows_inside(&bounds, &rows);
        for &row in &rows {
            active[row as usize] = false;
        }
        for &row in &kept {
            active[row as usize] = true;
        }
        rows = kept;
        if rows.len() * 2 < listed {
            listed = rows.len();
            orders.retain_rows(&|row| active[row as usize]);
        }
        let mass = field.total_mass(rows.iter().copied());
        steps.push(PeelingStep { change, mass: mass.all, positives: mass.positive });
    }
}

pub(crate) fn apply_change(bounds: &mut BoxBounds, field: &PrimData<'_>, change: BoxChange) {
    match change {
        BoxChange::Start => {}
        BoxChange::Lower(feature, value) => bounds.lower[feature] = value,
        BoxChange::Upper(feature, value) => bounds.upper[feature] = value,
        BoxChange::Without(feature, level) => {
            remove_level(&mut bounds.sets[field.space.level_word_range(feature)], level);
        }
    }
}

#[allow(clippy::too_many_arguments)] // The state of one peel.
fn best_peel_slice(
    field: &PrimData<'_>,
    order: &[u32],
    active: &[bool],
    rows: &[u32],
    bounds: &BoxBounds,
    (feature, mass): (usize, TotalAndPositiveMass),
    alpha: f64,
    least: f64,
) -> Option<PeelSlice> {
    let lost = mass_of_missing_values(field, rows, bounds, feature);
    let mut best: Option<PeelSlice> = None;
    let mut offer = |change: BoxChange, removed: TotalAndPositiveMass| {
        let slice = PeelSlice { change, left: mass.subtract(removed.add(lost)) };
        if slice.left.all >= least && slice.left.all > 0.0 && best.is_none_or(|best| slice.is_better(best)) {
            best = Some(slice);
        }
    };
    match &field.cells[feature] {
        PrimFeatureValues::Numbers(values) => {
            let value = |row: u32| values[row as usize];
            let budget = alpha * (mass.all - lost.all);
            let up = order.iter().copied().filter(|&row| active[row as usize]);
            if let Some((removed, bound)) = find_slice_at_end(field, up, value, budget) {
                offer(BoxChange::Lower(feature, bound), removed);
            }
            let down = order.iter().rev().copied().filter(|&row| active[row as usize]);
            if let Some((removed, bound)) = find_slice_at_end(field, down, value, budget) {
                offer(BoxChange::Upper(feature, bound), removed);
            }
        }
        PrimFeatureValues::Codes(codes, levels) => {
            let mut masses = vec![TotalAndPositiveMass::default(); *levels as usize];
            for &row in rows.iter().filter(|&&row| codes[row as usize] != MISSING) {
                let sum = &mut masses[codes[row as usize] as usize];
                *sum = sum.add(field.row_mass(row));
            }
            let present = masses.iter().filter(|mass| mass.all > 0.0).count();
            for (level, &removed) in
                masses.iter().enumerate().filter(|(_, mass)| mass.all > 0.0 && present > 1)
            {
                offer(BoxChange::Without(feature, level as u32), removed);
            }
        }
    }
    best
}

/// Weights of rows with a missing value that leave the box at the first peel of a feature.
///
/// The weights are 0 if the box already restricts the feature, or if missing values never exclude a row.
fn mass_of_missing_values(
    field: &PrimData<'_>,
    rows: &[u32],
    bounds: &BoxBounds,
    feature: usize,
) -> TotalAndPositiveMass {
    if !field.with_missing[feature]
        || field.missing != MissingRule::Outside
        || field.restricts_feature(bounds, feature)
    {
        return TotalAndPositiveMass::default();
    }
    match &field.cells[feature] {
        PrimFeatureValues::Numbers(values) => {
            field.total_mass(rows.iter().copied().filter(|&row| values[row as usize].is_nan()))
        }
        PrimFeatureValues::Codes(codes, _) => {
            field.total_mass(rows.iter().copied().filter(|&row| codes[row as usize] == MISSING))
        }
    }
}

/// Finds the slice of rows at one end of a numeric feature, and the bound after its removal.
///
/// `rows` are in the order from this end. The slice has all rows before the value at which their weight
/// exceeds `budget`. If no rows are before that value, the slice has all rows with the outermost value.
fn find_slice_at_end(
    field: &PrimData<'_>,
    rows: impl Iterator<Item = u32>,
    value: impl Fn(u32) -> f64,
    budget: f64,
) -> Option<(TotalAndPositiveMass, f64)> {
    // Weights of all visited rows, and weights of the rows visited before the current value.
    let (mut sum, mut before) = (TotalAndPositiveMass::default(), TotalAndPositiveMass::default());
    let mut present: Option<f64> = None;
    let mut full = false;
    for row in rows {
        let x = value(row);
        if present != Some(x) {
            if full {
                // The rows with the outermost value alone exceed the budget, so the slice has exactly these
                // rows.
                return Some((sum, x));
            }
            before = sum;
            present = Some(x);
        }
        sum = sum.add(field.row_mass(row));
        if !full && sum.all > budget {
            if before.all > 0.0 {
                return Some((before, x));
            }
            full = true;
        }
    }
    // There is no slice: all rows have the same value, or their total weight does not exceed the budget.
    None
}
