//! Entropy, mutual information and rectified mutual information, in nats.
//!
//! Rectified information is corrected for imbalance (Morán Jiménez 2018, section 5.4.1). The information of a
//! pair of variables is computed from the rows in which no value of the pair is missing.

use crate::counts::FamilyCounts;
use crate::score::x_ln_x;
use crate::search::{Rectify, RectifyOn};
use crate::table::DiscreteTable;
use imbcore_core::{Error, Result, RunContext, parallel};

pub(crate) fn state_counts(table: &DiscreteTable, variable: u32) -> Vec<f64> {
    let codes = table.codes(variable as usize);
    let mut counts = vec![0.0; table.n_states_by_column()[variable as usize] as usize + 1];
    let missing = counts.len() - 1;
    if let Some(weights) = table.weights() {
        for (&code, weight) in codes.iter().zip(weights) {
            counts[usize::from(code).min(missing)] += weight;
        }
    } else {
        // The counts are kept in four copies. Successive rows increment different copies, so that an
        // increment need not wait for the one before.
        let mut apart = vec![[0_u32; 4]; counts.len()];
        for codes in codes.chunks(4) {
            for (part, &code) in codes.iter().enumerate() {
                apart[usize::from(code).min(missing)][part] += 1;
            }
        }
        counts = apart.into_iter().map(|parts| parts.into_iter().map(f64::from).sum()).collect();
    }
    counts.pop();
    counts
}

pub(crate) fn entropy_of(counts: &[f64]) -> f64 {
    let total: f64 = counts.iter().sum();
    if total == 0.0 {
        return 0.0;
    }
    total.ln() - counts.iter().map(|&n| x_ln_x(n)).sum::<f64>() / total
}

pub(crate) fn mutual_information(table: &DiscreteTable, a: u32, b: u32) -> Result<f64> {
    conditional_mutual_information(table, a, b, None)
}

pub(crate) fn conditional_mutual_information(
    table: &DiscreteTable,
    a: u32,
    b: u32,
    given: Option<u32>,
) -> Result<f64> {
    let levels = |v: u32| table.n_states_by_column()[v as usize] as usize;
    // In the number of a parent configuration, the state of the lower-numbered parent varies slower. Either
    // `a` or `given` may have the lower number.
    let mut parents: Vec<u32> = given.into_iter().chain([a]).collect();
    parents.sort_unstable();
    let inner = parents.last().map_or(1, |&last| levels(last)) as u64;
    let split = |key: u64| {
        if given.is_some_and(|given| given < a) {
            (key / inner, key % inner)
        } else {
            (key % inner, key / inner)
        }
    };
    let conditions = given.map_or(1, levels);
    let (mut with_a, mut with_b) = (vec![0.0; conditions * levels(a)], vec![0.0; conditions * levels(b)]);
    let mut alone = vec![0.0; conditions];
    let mut sum = 0.0;
    for (key, row) in FamilyCounts::from_table(table, b, &parents)?.counts_by_configuration() {
        let (condition, a_state) = if given.is_some() { split(key) } else { (0, key) };
        let (condition, a_state) = (condition as usize, a_state as usize);
        for (b_state, &n) in row.iter().enumerate() {
            sum += x_ln_x(n);
            with_a[condition * levels(a) + a_state] += n;
            with_b[condition * levels(b) + b_state] += n;
            alone[condition] += n;
        }
    }
    let total: f64 = alone.iter().sum();
    let part = |counts: &[f64]| counts.iter().map(|&n| x_ln_x(n)).sum::<f64>();
    if total == 0.0 {
        return Ok(0.0);
    }
    Ok(((sum - part(&with_a) - part(&with_b) + part(&alone)) / total).max(0.0))
}

/// Mutual information of each pair of columns x and y, at `y * n + x`; 0 if x is y.
///
/// `reading` is a correction for imbalance with its parameter `phi`. It is applied to each pair whose column
/// y is marked in `damped`.
pub(crate) fn pairwise_mutual_information(
    table: &DiscreteTable,
    reading: Option<(Rectify, f64)>,
    damped: &[bool],
    ctl: RunContext<'_>,
) -> Result<Vec<f64>> {
    let n = table.n_columns();
    let one =
        |at: usize| {
            ctl.check()?;
            let (x, y) = ((at % n) as u32, (at / n) as u32);
            if x == y {
                return Ok(0.0);
            }
            match reading.filter(|_| damped[y as usize]) {
                Some((Rectify::Tempered, phi)) => {
                    mutual_information(&with_tempered_weights(table.clone(), y, phi)?, x, y)
                }
                Some((reading, phi)) => Ok(mutual_information(table, x, y)?
                    + rectification_term(reading, phi, &state_counts(table, y))),
                None => mutual_information(table, x, y),
            }
        };
    parallel::try_map(0..n * n, one)
}

/// Correction for imbalance added to `I(X; Y)`, from the counts of the states of Y.
///
/// The tempered correction adds 0, because it weights rows instead.
pub(crate) fn rectification_term(reading: Rectify, phi: f64, counts: &[f64]) -> f64 {
    let total: f64 = counts.iter().sum();
    let entropy = entropy_of(counts);
    let spread: f64 = counts.iter().map(|&n| x_ln_x(n)).sum();
    match reading {
        Rectify::Tempered => 0.0,
        Rectify::Centered => (1.0 - phi) * ((counts.len() as f64).ln() - entropy),
        Rectify::PerRow => -entropy - phi * spread / total,
        Rectify::Literal => -entropy - phi * spread,
    }
}

/// For each class, the weight of its rows in tempered mutual information.
///
/// With `phi` 1, all weights are 1. With `phi` 0, all classes have equal total weight. The weights of all
/// rows sum to the number of rows. An empty class has weight 0.
pub(crate) fn tempered_class_weights(class_counts: &[f64], phi: f64) -> Vec<f64> {
    let total: f64 = class_counts.iter().sum();
    let power = |count: f64, exponent: f64| if count > 0.0 { (count / total).powf(exponent) } else { 0.0 };
    let mass: f64 = class_counts.iter().map(|&count| power(count, phi)).sum();
    class_counts.iter().map(|&count| power(count, phi - 1.0) / mass).collect()
}

pub(crate) fn rectified_variable_mask(on: RectifyOn, n: usize, class: Option<u32>) -> Vec<bool> {
    (0..n as u32).map(|v| on == RectifyOn::All || class == Some(v)).collect()
}

/// Multiplies the row weights of a table by the class weights of tempered mutual information.
///
/// # Errors
/// [`Error::Data`] for an unknown class.
pub(crate) fn with_tempered_weights(table: DiscreteTable, class: u32, phi: f64) -> Result<DiscreteTable> {
    if class as usize >= table.n_columns() {
        return Err(Error::Data(format!(
            "the class variable {class} is not one of the {} variables",
            table.n_columns()
        )));
    }
    let weights = tempered_class_weights(&state_counts(&table, class), phi);
    let row_weight = |(row, &code): (usize, &u16)| {
        let own = table.weights().map_or(1.0, |weights| weights[row]);
        own * weights.get(usize::from(code)).copied().unwrap_or(1.0)
    };
    let rows: Vec<f64> = table.codes(class as usize).iter().enumerate().map(row_weight).collect();
    Ok(table.with_weights(rows))
}
