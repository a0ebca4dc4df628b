//! Clusters of the positive rows; each box starts as the smallest box around a cluster.

use super::first_pass::TableAfterFirstPass;
use crate::kmeans::{ClusterAssignment, KMeans, Seeding, WeightedPoints, encode_level};
use crate::row_pass::{PartitionRequestKind, deserialize_next, send_to_partitions};
use crate::row_source::RowSource;
use imbcore_core::{Column, Frame, Result, RunContext, SeedKey, memory};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Code that stands for "no cluster", used for every row that is not positive.
pub const NO_CLUSTER: u32 = u32::MAX;

/// Method of clustering the positive rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clustering {
    /// k-means with restarts on scaled features.
    KMeans,
    /// k-means with one start on standardized features, as in the program of Goh and Rudin.
    Program,
}

/// A table whose positive rows are assigned to clusters.
pub struct ClusteredRows<'a> {
    /// All rows.
    pub rows: &'a dyn RowSource,
    /// The positive rows.
    pub positives: Frame<'a>,
    /// Numbers of the positive rows, ascending.
    pub of: &'a [usize],
    /// Cluster of each positive row, or [`NOISE`](super::NOISE) if the row has no cluster.
    pub cluster: Vec<u32>,
    /// Number of clusters; no cluster is empty.
    pub n_clusters: usize,
    /// Weight of every row, above 0; if absent, every weight is 1.
    pub weights: Option<Vec<f64>>,
}

impl ClusteredRows<'_> {
    pub(crate) fn row_weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row])
    }

    pub(crate) fn positive_row_weight(&self, place: usize) -> f64 {
        self.row_weight(self.of[place])
    }

    pub(crate) fn cluster_members(&self) -> Vec<Vec<usize>> {
        let mut members = vec![Vec::new(); self.n_clusters];
        for (place, &cluster) in self.cluster.iter().enumerate() {
            if let Some(members) = members.get_mut(cluster as usize) {
                members.push(place);
            }
        }
        members
    }
}

/// Fills `clusters` with the cluster of each row in the range `rows`.
///
/// Rows of the other class get [`NO_CLUSTER`].
pub(crate) fn write_clusters_of_rows(
    rows: &Range<usize>,
    of: &[usize],
    cluster: &[u32],
    clusters: &mut Vec<u32>,
) {
    clusters.clear();
    clusters.resize(rows.len(), NO_CLUSTER);
    let range = of.partition_point(|&row| row < rows.start)..of.partition_point(|&row| row < rows.end);
    for (&row, &cluster) in of[range.clone()].iter().zip(&cluster[range]) {
        clusters[row - rows.start] = cluster;
    }
}

/// Clusters the positive rows into at most `k` clusters.
///
/// Returns the cluster of each positive row, and the number of clusters. Each level of a nominal feature is
/// one coordinate. Its scale is such that rows of different levels are as far apart as the two ends of a
/// scaled numeric feature. A missing number is replaced by the midrange of the positive rows.
///
/// # Errors
/// [`imbcore_core::Error::Cancelled`].
pub(crate) fn cluster_positive_rows(
    look: &TableAfterFirstPass<'_>,
    weights: Option<&[f64]>,
    units: &[f64],
    how: (Clustering, KMeans),
    key: SeedKey,
    ctl: RunContext<'_>,
) -> Result<(Vec<u32>, usize)> {
    let (rows, frame) = (&look.of, look.positives.borrow()?);
    let units = match how.0 {
        Clustering::KMeans => units.to_vec(),
        Clustering::Program => standard_deviations(look.rows, frame.n_columns(), weights, ctl)?,
    };
    // The memory check covers the coordinates of all positive rows and of the distinct points among them.
    memory::check_values_fit_in_memory::<f64>(
        2 * rows.len() * frame.n_columns(),
        "rows of the positive class",
    )?;
    let (values, width) = (row_coordinates(&frame, &units), frame.n_columns());
    let levels_of = |column: &Column<'_>| match column {
        Column::Numeric(_) => 0,
        Column::Nominal { levels, .. } => *levels,
    };
    let levels = frame.columns().iter().map(levels_of).collect();
    // Equal rows are merged into one weighted point, and the points are sorted. The clusters therefore do not
    // depend on the order of the rows or on duplicates.
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let point = |index: usize| &values[index * width..(index + 1) * width];
    order.sort_by(|&a, &b| {
        point(a).iter().zip(point(b)).map(|(a, b)| a.total_cmp(b)).find(|o| o.is_ne()).unwrap_or(a.cmp(&b))
    });
    let mut points = WeightedPoints { values: Vec::new(), weights: Vec::new(), width, levels };
    let mut point_of = vec![0; rows.len()];
    for (place, &index) in order.iter().enumerate() {
        let weight = weights.map_or(1.0, |weights| weights[rows[index]]);
        if place > 0 && point(order[place - 1]) == point(index) {
            let last = points.weights.len() - 1;
            points.weights[last] += weight;
        } else {
            points.values.extend_from_slice(point(index));
            points.weights.push(weight);
        }
        point_of[index] = points.weights.len() - 1;
    }
    let seeding = if how.0 == Clustering::Program { Seeding::Farthest } else { Seeding::PlusPlus };
    let n_init = if how.0 == Clustering::Program { 1 } else { how.1.n_init };
    let ClusterAssignment { of, n_clusters, .. } =
        KMeans { n_init, seeding, ..how.1 }.fit(&points, key, ctl)?;
    Ok((point_of.into_iter().map(|point| of[point]).collect(), n_clusters))
}

fn row_coordinates(frame: &Frame<'_>, units: &[f64]) -> Vec<f64> {
    let (n_rows, width) = (frame.n_rows(), frame.n_columns());
    let mut values = vec![0.0; n_rows * width];
    for (axis, (column, &unit)) in frame.columns().iter().zip(units).enumerate() {
        match column {
            // A constant feature does not separate rows, so its coordinate stays 0.
            Column::Numeric(_) if unit == 0.0 => {}
            Column::Numeric(numbers) => {
                // Missing values are replaced by the midrange. Unlike the mean, it does not depend on weights
                // or on the order of summation.
                let present = || numbers.iter().map(|value| value / unit).filter(|z| !z.is_nan());
                let (low, high) =
                    (present().fold(f64::INFINITY, f64::min), present().fold(f64::NEG_INFINITY, f64::max));
                let middle = if low <= high { f64::midpoint(low, high) } else { 0.0 };
                for (index, value) in numbers.iter().enumerate() {
                    // Adding 0.0 converts -0.0 to 0.0, so that equal rows are recognized.
                    values[index * width + axis] = if value.is_nan() { middle } else { value / unit + 0.0 };
                }
            }
            Column::Nominal { codes, .. } => {
                for (index, &code) in codes.iter().enumerate() {
                    values[index * width + axis] = encode_level(code);
                }
            }
        }
    }
    values
}

/// Sample standard deviation of every numeric feature over all rows; 1 for a nominal feature.
fn standard_deviations(
    table: &dyn RowSource,
    n_columns: usize,
    weights: Option<&[f64]>,
    ctl: RunContext<'_>,
) -> Result<Vec<f64>> {
    let mut so_far = StandardDeviationPass { sums: vec![[0.0; 3]; n_columns], squares: false, weights };
    for squares in [false, true] {
        so_far.squares = squares;
        so_far.run(table, ctl)?;
    }
    let deviation =
        |[total, _, squares]: [f64; 3]| if total > 1.0 { (squares / (total - 1.0)).sqrt() } else { 1.0 };
    Ok(so_far.sums.into_iter().map(deviation).collect())
}

#[derive(Serialize, Deserialize)]
pub(crate) struct StandardDeviationPass<'a> {
    /// For each column: total weight, weighted sum, and weighted sum of squared deviations.
    sums: Vec<[f64; 3]>,
    squares: bool,
    #[serde(skip)]
    weights: Option<&'a [f64]>,
}

impl StandardDeviationPass<'_> {
    fn run(&mut self, table: &dyn RowSource, ctl: RunContext<'_>) -> Result<()> {
        let Some(holders) = table.remote_partitions() else {
            return table.for_each_batch(&mut |first, frame| self.add_batch(first, frame, ctl), ctl);
        };
        if let Some(last) =
            send_to_partitions(holders, PartitionRequestKind::Deviations, self, true, ctl)?.last()
        {
            self.sums = deserialize_next::<StandardDeviationPass<'_>>(&mut last.as_slice())?.sums;
        }
        Ok(())
    }

    pub(crate) fn add_batch(&mut self, first: usize, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<()> {
        let weight = |row: usize| self.weights.map_or(1.0, |weights| weights[row]);
        for (column, [total, sum, squares]) in frame.columns().iter().zip(&mut self.sums) {
            ctl.check()?;
            let Column::Numeric(values) = column else { continue };
            for (row, value) in values.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
                let weight = weight(first + row);
                if self.squares {
                    let mean = *sum / *total;
                    *squares += weight * (value - mean) * (value - mean);
                } else {
                    *total += weight;
                    *sum += weight * value;
                }
            }
        }
        Ok(())
    }
}
