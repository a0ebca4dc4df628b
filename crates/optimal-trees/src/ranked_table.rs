//! Training rows in the form that the search uses.
//!
//! Values are replaced by ranks, rows with equal values are joined, and weights are counted in units of their
//! class.

use imbcore_core::memory_estimate::MemoryEstimate;
use imbcore_core::{
    Column, Dataset, Error, Result, RunContext, float_key, memory, midpoint, radix_sort, sorted_by_key,
};

pub(crate) const NO_VALUE: u32 = u32::MAX;

/// Maximum total weight of a class, in units of the class.
///
/// Even if one unit costs this much, doubles represent the cost of all rows exactly.
const MOST_UNITS: f64 = 16_777_216.0;

pub(crate) const MOST_CLASSES: usize = 8;

const FEW_KINDS: usize = 16;

/// Checks that there are at most eight classes.
///
/// # Errors
/// [`Error::Unsupported`] for more than eight classes.
pub(crate) fn check_n_classes(n_classes: usize) -> Result<()> {
    if n_classes <= MOST_CLASSES {
        return Ok(());
    }
    Err(Error::Unsupported(format!(
        "exact trees support at most {MOST_CLASSES} classes, but y has {n_classes}; use OVA (OVAClassifier, or method \"ova\")"
    )))
}

/// Returns an error if ranks, keys and sorted rows need more memory than the limits allow.
///
/// All rows have ranks until equal rows are joined. Joined rows also have keys, and every node has a sort
/// order of its rows by each ordered feature. The number of different rows is computed only if memory may not
/// be enough for all rows.
///
/// # Errors
/// [`Error::Estimate`], [`Error::Memory`], [`Error::Cancelled`].
fn check_memory(data: &Dataset<'_>, kept: &[usize], ctl: RunContext<'_>) -> Result<()> {
    let columns = data.frame().columns();
    let n_ordered = columns.iter().filter(|column| matches!(column, Column::Numeric(_))).count();
    let code = size_of::<u32>();
    let ranked = kept.len().saturating_mul(columns.len() * code);
    let searched = columns.len() * code + n_ordered * (size_of::<f64>() + code);
    let check = |n_different: usize| {
        let purpose = format!("{} columns of {n_different} different rows in order", columns.len());
        let bytes = n_different.saturating_mul(searched).max(ranked);
        let remedy = "use fewer rows or columns, or round their values";
        MemoryEstimate::default().with_bytes(bytes, purpose, remedy).check("optimal_tree")
    };
    check(kept.len()).or_else(|_| check(count_distinct_rows(columns, kept, ctl)?))
}

/// Number of different rows; it may be too small if the hashes of different rows are equal.
fn count_distinct_rows(columns: &[Column<'_>], kept: &[usize], ctl: RunContext<'_>) -> Result<usize> {
    let mut hashes = memory::filled(kept.len(), 0_u64, "hashes of rows")?;
    for column in columns {
        ctl.check()?;
        let value = |row: usize| match column {
            Column::Numeric(values) if values.get(row).is_nan() => u64::MAX,
            // 0 and -0 are equal. Adding 0.0 gives both the same bits.
            Column::Numeric(values) => (values.get(row) + 0.0).to_bits(),
            Column::Nominal { codes, levels } => u64::from(codes[row].min(*levels)),
        };
        for (hash, &row) in hashes.iter_mut().zip(kept) {
            let mixed = (*hash ^ value(row)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            *hash = mixed ^ mixed >> 32;
        }
    }
    hashes.sort_unstable();
    hashes.dedup();
    Ok(hashes.len())
}

#[derive(Debug)]
pub(crate) enum RankedFeature {
    /// Numeric feature: `ranks` has the rank of every row's value among the distinct `values`.
    ///
    /// The values ascend, and [`NO_VALUE`] stands for a missing value. `keys` has the ranks as floats, and
    /// infinity for a missing value.
    Ordered { ranks: Vec<u32>, keys: Vec<f64>, values: Vec<f64> },
    /// Nominal feature: level of every row. A missing value has the code `n_levels`.
    Levels { codes: Vec<u32>, n_levels: u32 },
}

/// Training rows; rows with equal values of all features are joined to one row.
#[derive(Debug)]
pub struct RankedTable {
    features: Vec<RankedFeature>,
    n_classes: usize,
    /// Kind of every joined row; the rows of a kind have the same weight of each class.
    kinds: Vec<u32>,
    /// For each kind of joined rows, weight of each class in a row, `n_kinds x n_classes`.
    ///
    /// The weight of a class is in units of the class.
    units: Vec<f64>,
    totals: Vec<f64>,
    /// Unit of each class; if `exact`, the row weights of a class are integer multiples of it.
    unit: Vec<f64>,
    /// Weight of each class in every joined row, `n_rows x n_classes`.
    mass: Vec<f64>,
    /// Number of training rows of positive weight in every joined row.
    count: Vec<u32>,
    exact: bool,
}

impl RankedTable {
    /// Ranks the values of the rows and joins rows with equal values.
    ///
    /// `class_weight` multiplies the row weights. Rows of weight 0 are dropped. Weights that are not
    /// multiples of a common unit are rounded.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for more than eight classes, [`Error::Data`] if the sum of the weights is
    /// infinite, [`Error::Memory`], [`Error::Cancelled`].
    pub fn new(data: &Dataset<'_>, class_weight: Option<&[f64]>, ctl: RunContext<'_>) -> Result<Self> {
        Self::with_optional_rounding(data, class_weight, true, ctl)
    }

    pub(crate) fn without_rounding(
        data: &Dataset<'_>,
        class_weight: Option<&[f64]>,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        Self::with_optional_rounding(data, class_weight, false, ctl)
    }

    fn with_optional_rounding(
        data: &Dataset<'_>,
        class_weight: Option<&[f64]>,
        rounds: bool,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        check_n_classes(data.n_classes())?;
        let weigh = |row: usize| {
            data.weight(row) * class_weight.map_or(1.0, |weights| weights[data.class_codes()[row] as usize])
        };
        let kept: Vec<usize> = (0..data.n_rows()).filter(|&row| weigh(row) > 0.0).collect();
        check_memory(data, &kept, ctl)?;
        let features = data.frame().columns().iter().map(|column| {
            ctl.check()?;
            rank_column(column, &kept, ctl)
        });
        let features = features.collect::<Result<Vec<RankedFeature>>>()?;
        let joined = group_equal_rows(&features, kept.len(), ctl)?;
        let n_classes = data.n_classes();
        let n_rows = joined.iter().max().map_or(0, |last| *last as usize + 1);
        let mut mass = memory::filled(n_rows * n_classes, 0.0, "weights of rows")?;
        let mut count = memory::filled(n_rows, 0, "weights of rows")?;
        for (&row, &place) in kept.iter().zip(&joined) {
            mass[place as usize * n_classes + data.class_codes()[row] as usize] += weigh(row);
            count[place as usize] += 1;
        }
        let mut first = vec![usize::MAX; n_rows];
        for (position, &place) in joined.iter().enumerate().rev() {
            first[place as usize] = position;
        }
        let of_first = features.into_iter().map(|feature| {
            ctl.check()?;
            Ok(feature.select_rows(&first))
        });
        let features = of_first.collect::<Result<_>>()?;
        let (units, unit, exact) = weights_to_units(&mass, n_classes, rounds, ctl)?;
        let mut totals = vec![0.0; n_classes];
        for row in units.chunks_exact(n_classes) {
            totals.iter_mut().zip(row).for_each(|(total, units)| *total += units);
        }
        let (kinds, units) = group_rows_by_class_weights(&units, n_classes);
        Ok(Self { features, n_classes, kinds, units, totals, unit, mass, count, exact })
    }

    /// Number of joined rows.
    pub fn n_rows(&self) -> usize {
        self.count.len()
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    pub(crate) fn n_features(&self) -> usize {
        self.features.len()
    }

    pub(crate) fn feature(&self, feature: usize) -> &RankedFeature {
        &self.features[feature]
    }

    pub(crate) fn has_nominal_features(&self) -> bool {
        self.features.iter().any(|feature| matches!(feature, RankedFeature::Levels { .. }))
    }

    pub(crate) fn row_class_units(&self, row: usize) -> &[f64] {
        let kind = self.kinds[row] as usize;
        &self.units[kind * self.n_classes..(kind + 1) * self.n_classes]
    }

    pub(crate) fn row_weight_kinds(&self) -> &[u32] {
        &self.kinds
    }

    pub(crate) fn class_units_by_kind(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.units.chunks_exact(self.n_classes)
    }

    /// Unit of a class; the row weights of the class are integer multiples of its unit.
    ///
    /// If no such unit exists, a small fraction of the total weight of the class is used instead.
    pub fn class_weight_unit(&self, class: usize) -> f64 {
        self.unit[class]
    }

    /// Total weight of every class, in units of the class.
    pub fn class_unit_totals(&self) -> &[f64] {
        &self.totals
    }

    pub(crate) fn total_class_masses(&self) -> Vec<f64> {
        let mut masses = vec![0.0; self.n_classes];
        for row in self.mass.chunks_exact(self.n_classes) {
            masses.iter_mut().zip(row).for_each(|(sum, mass)| *sum += mass);
        }
        masses
    }

    pub(crate) fn row_class_masses(&self, row: usize) -> &[f64] {
        &self.mass[row * self.n_classes..(row + 1) * self.n_classes]
    }

    pub(crate) fn row_weight(&self, row: usize) -> f64 {
        self.row_class_masses(row).iter().sum()
    }

    pub(crate) fn n_joined_training_rows(&self, row: usize) -> u32 {
        self.count[row]
    }

    /// Whether every row weight is an integer multiple of the unit of its class.
    ///
    /// If not, [`Self::new`] rounds each weight by less than 2^-24 of the total weight of its class.
    pub fn has_exact_weights(&self) -> bool {
        self.exact
    }

    pub(crate) fn threshold_between_ranks(&self, feature: usize, below: u32, above: u32) -> f64 {
        match &self.features[feature] {
            RankedFeature::Ordered { values, .. } => midpoint(values[below as usize], values[above as usize]),
            RankedFeature::Levels { .. } => f64::NAN,
        }
    }
}

impl RankedFeature {
    fn select_rows(self, rows: &[usize]) -> Self {
        let take = |codes: Vec<u32>| rows.iter().map(|&row| codes[row]).collect();
        match self {
            Self::Ordered { ranks, values, .. } => {
                let ranks: Vec<u32> = take(ranks);
                let key = |&rank: &u32| if rank == NO_VALUE { f64::INFINITY } else { f64::from(rank) };
                Self::Ordered { keys: ranks.iter().map(key).collect(), ranks, values }
            }
            Self::Levels { codes, n_levels } => Self::Levels { codes: take(codes), n_levels },
        }
    }

    pub(crate) fn n_values(&self) -> usize {
        match self {
            Self::Ordered { values, .. } => values.len(),
            Self::Levels { n_levels, .. } => *n_levels as usize,
        }
    }

    pub(crate) fn codes(&self) -> &[u32] {
        match self {
            Self::Ordered { ranks, .. } => ranks,
            Self::Levels { codes, .. } => codes,
        }
    }
}

fn rank_column(column: &Column<'_>, kept: &[usize], ctl: RunContext<'_>) -> Result<RankedFeature> {
    match column {
        Column::Numeric(values) => {
            let value = |position: u32| values.get(kept[position as usize]) + 0.0;
            let known: Vec<u32> =
                (0..kept.len() as u32).filter(|&position| !value(position).is_nan()).collect();
            let mut ranks = memory::filled(kept.len(), NO_VALUE, "ranks of a column")?;
            let mut distinct: Vec<f64> = Vec::new();
            for position in sorted_by_key(&known, |position| float_key(value(position)), ctl)? {
                let value = value(position);
                if distinct.last() != Some(&value) {
                    distinct.push(value);
                }
                ranks[position as usize] = distinct.len() as u32 - 1;
            }
            Ok(RankedFeature::Ordered { ranks, keys: Vec::new(), values: distinct })
        }
        Column::Nominal { codes, levels } => {
            let level = |&row: &usize| codes[row].min(*levels);
            Ok(RankedFeature::Levels { codes: kept.iter().map(level).collect(), n_levels: *levels })
        }
    }
}

/// For every training row, the index of its joined row.
///
/// Rows with equal values of all features have the same index. The indices are in the order of first
/// occurrence.
fn group_equal_rows(features: &[RankedFeature], n_rows: usize, ctl: RunContext<'_>) -> Result<Vec<u32>> {
    // The rows are sorted by each feature, from the last to the first. The sorts are stable, so equal rows
    // become adjacent, in row order.
    let mut order: Vec<(u32, u32)> = (0..n_rows as u32).map(|row| (0, row)).collect();
    for feature in features.iter().rev() {
        let codes = feature.codes();
        ctl.check()?;
        for (key, row) in &mut order {
            *key = codes[*row as usize];
        }
        radix_sort(&mut order, ctl)?;
    }
    let key = |row: u32| features.iter().map(move |feature| feature.codes()[row as usize]);
    let mut first: Vec<u32> = vec![0; n_rows];
    for run in order.chunk_by(|&(_, a), &(_, b)| key(a).eq(key(b))) {
        ctl.check()?;
        for &(_, row) in run {
            first[row as usize] = run[0].1;
        }
    }
    // The first row of a run of equal rows has the smallest index, so its number is known before the later
    // rows need it.
    let mut numbers = Vec::with_capacity(n_rows);
    let mut n_joined = 0;
    for (row, &first) in first.iter().enumerate() {
        let is_first = first as usize == row;
        numbers.push(if is_first { n_joined } else { numbers[first as usize] });
        n_joined += u32::from(is_first);
    }
    Ok(numbers)
}

/// Returns the kind of every row, and for each kind the weight of each class, in units.
///
/// Mostly there are few kinds. A row is compared only with the first kinds, so later kinds may be equal to
/// each other.
fn group_rows_by_class_weights(units: &[f64], n_classes: usize) -> (Vec<u32>, Vec<f64>) {
    let mut of_kinds: Vec<f64> = Vec::new();
    let number = |row: &[f64]| {
        let found = of_kinds.chunks_exact(n_classes).take(FEW_KINDS).position(|kind| kind == row);
        let kind = found.unwrap_or(of_kinds.len() / n_classes);
        if found.is_none() {
            of_kinds.extend(row);
        }
        kind as u32
    };
    (units.chunks_exact(n_classes).map(number).collect(), of_kinds)
}

/// Converts row weights to numbers of units, where each class has its own unit.
///
/// Returns these numbers, the weight of one unit of each class, and whether all weights are integer multiples
/// of the units. If `rounds` is true, the numbers are rounded to integers.
fn weights_to_units(
    mass: &[f64],
    n_classes: usize,
    rounds: bool,
    ctl: RunContext<'_>,
) -> Result<(Vec<f64>, Vec<f64>, bool)> {
    let mut units = memory::filled(mass.len(), 0.0, "weights of rows")?;
    let (mut unit, mut exact) = (vec![1.0; n_classes], true);
    for class in 0..n_classes {
        ctl.check()?;
        let of_class = || mass.iter().skip(class).step_by(n_classes).copied();
        let total: f64 = of_class().sum();
        if !total.is_finite() {
            return Err(Error::Data(
                "the sum of the row weights is infinite; divide all weights by a constant".into(),
            ));
        }
        let whole =
            |unit: f64| total / unit <= MOST_UNITS && of_class().all(|mass| (mass / unit).fract() == 0.0);
        let smallest = of_class().filter(|&mass| mass > 0.0).fold(f64::INFINITY, f64::min);
        let dyadic = (0..24).map(|exponent| 0.5_f64.powi(exponent)).find(|&unit| whole(unit));
        let (of_unit, is_exact) = match dyadic {
            _ if total <= 0.0 => (1.0, true),
            Some(unit) => (unit, true),
            None if whole(smallest) => (smallest, true),
            None => (total / MOST_UNITS, false),
        };
        (unit[class], exact) = (of_unit, exact && is_exact);
        let into = units.iter_mut().skip(class).step_by(n_classes);
        into.zip(of_class()).for_each(|(units, mass)| {
            *units = if is_exact || rounds { (mass / of_unit).round() } else { mass / of_unit };
        });
    }
    Ok((units, unit, exact))
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::{SeedKey, random_below};

    #[test]
    fn every_row_has_the_units_of_its_kind() {
        let rng = &mut SeedKey::root(5).rng();
        for most in [2, 30] {
            let units: Vec<f64> = (0..600).map(|_| f64::from(random_below(rng, most))).collect();
            let (kinds, of_kinds) = group_rows_by_class_weights(&units, 3);
            let expanded: Vec<f64> =
                kinds.iter().flat_map(|&kind| &of_kinds[3 * kind as usize..][..3]).copied().collect();
            assert_eq!(expanded, units);
            assert_eq!(of_kinds.len() == 3 * 8, most == 2);
        }
    }
}
