//! Encoding of rows by the first candidate of each side that excludes the row.
//!
//! A box is a vector of candidate numbers, one per side. Side `2 j` is the lower bound of feature `j`, and
//! side `2 j + 1` its upper bound. The candidates of a side are its possible positions, counted from 0
//! inwards. A side excludes a row if the side is at the row's code or further in. A minority row that a side
//! excludes is lost; a majority row that a side excludes costs nothing. The search modules use only codes.

use crate::bit_set::{BitSet, BitSetTable};
use crate::exact::problem::{BoxObjective, ROUNDING, ScaledBox, ScaledRows};
use imbcore_core::memory_estimate::MemoryEstimate;
use imbcore_core::{Error, Result, RunContext};
use std::collections::BTreeMap;

/// The encoded rows.
///
/// Rows of a class with equal codes form one row group, with their total weight; no box separates them.
#[derive(Clone, Debug)]
pub(crate) struct EncodedRows {
    pub n_sides: usize,
    pub n_candidates: Vec<u16>,
    /// For each minority row group and side, the outermost candidate that excludes the group.
    ///
    /// The number is at least 1, and `n_candidates` if no candidate excludes the group. The index is
    /// `[group * n_sides + side]`.
    pub lost_at: Vec<u16>,
    /// For each majority row group and side, the outermost candidate that excludes the group.
    ///
    /// The number is `n_candidates` if no candidate excludes the group. The index is `[group * n_sides +
    /// side]`.
    pub out_at: Vec<u16>,
    /// Transposes of `lost_at` and `out_at`, with the index `[side * groups + group]`.
    by_side: [Vec<u16>; 2],
    /// Minority rows that some box can cover, ascending, and the index of each row's group.
    pub pos_rows: Vec<(usize, usize)>,
    /// Majority rows that some box can hit, ascending, and the index of each row's group.
    pub neg_rows: Vec<(usize, usize)>,
    pub pos_mass: Vec<f64>,
    pub neg_mass: Vec<f64>,
    /// For each side and candidate, its contribution to the reward for the width of a box.
    ///
    /// The list is empty if the objective has no reward for width.
    pub side_width: Vec<Vec<f64>>,
    /// Weight of all majority rows, including those that no box can hit.
    pub neg_total: f64,
    /// Tables of the minority and majority row groups that each candidate does not exclude.
    ///
    /// The candidates of all sides follow each other in each table.
    beyond: [BitSetTable; 2],
    /// For each side of a box, the index of its first position in the two tables `beyond`.
    first: Vec<usize>,
    /// Edge of each candidate position, `[side][candidate]`; negated for upper bounds.
    ///
    /// Without a reward for width, the edge is the value of the outermost minority row that the side
    /// includes. With a reward, it is the value of a majority row that the side must not pass, or the limit
    /// of the side. The position of the side is the edge plus `to_wall`.
    edge: Vec<Vec<f64>>,
    /// Signed distance from the edge of a candidate position to the position of the side.
    to_wall: f64,
}

/// Candidate positions of one side of a box, and for each row the first that excludes it.
///
/// The values of an upper side are negated, so that values increase inwards.
struct SideCandidates {
    edge: Vec<f64>,
    lost_at: Vec<u16>,
    out_at: Vec<u16>,
}

/// Number of visits of groups of equal rows between two checks of the budget.
const VISITS_PER_CHECK: usize = 1 << 22;

const MOST_NODES_PER_CHECK: usize = 32;

impl EncodedRows {
    /// Encodes the rows.
    ///
    /// Without a reward for width, some optimal box is the hull of the minority rows that it covers.
    /// Therefore only values of minority rows are candidates. A value is used only if it excludes more
    /// majority rows than the previous candidate. With a reward for width, a side is at its limit or next to
    /// a majority row that it must not pass.
    ///
    /// # Errors
    /// [`Error::Unsupported`] above 65,000 candidates per side or 65,000 rows per class, [`Error::Estimate`]
    /// or [`Error::Memory`] if the memory is too small, [`Error::Cancelled`].
    pub(crate) fn new(rows: &ScaledRows<'_>, goal: &BoxObjective, ctl: RunContext<'_>) -> Result<Self> {
        let wall = goal.strict_margin();
        let (low, high) = (goal.min_bound + wall, goal.max_bound - wall);
        let reachable = |&row: &usize| rows.columns().iter().all(|x| x[row] >= low && x[row] <= high);
        let pos: Vec<usize> = rows.rows_of_class(true).into_iter().filter(reachable).collect();
        let neg = rows.rows_of_class(false);
        let sides: Vec<SideCandidates> = (0..2 * rows.n_features())
            .map(|side| {
                ctl.check()?;
                let sign = if side % 2 == 0 { 1.0 } else { -1.0 };
                let values = |row_numbers: &[usize]| -> Vec<f64> {
                    row_numbers.iter().map(|&row| sign * rows.columns()[side / 2][row]).collect()
                };
                let limit = if side % 2 == 0 { goal.min_bound } else { -goal.max_bound };
                let far = if side % 2 == 0 { goal.max_bound } else { -goal.min_bound };
                Ok(if goal.expand > 0.0 {
                    candidates_next_to_rows(&values(&pos), &values(&neg), wall, limit, far)
                } else {
                    hull_candidates(&values(&pos), &values(&neg), wall)
                })
            })
            .collect::<Result<_>>()?;
        if sides.iter().any(|side| side.edge.len() > 65_000) || pos.len() > 65_000 || neg.len() > 65_000 {
            return Err(Error::Unsupported(
                "Exact Boxes handle at most 65,000 rows per class; use a sample or Fast Boxes".into(),
            ));
        }
        let code =
            |candidate: &dyn Fn(&SideCandidates) -> u16| sides.iter().map(candidate).collect::<Vec<u16>>();
        let (merged_pos, pos_rows) = merge_equal_rows(rows, &pos, |p| code(&|side| side.lost_at[p]), ctl)?;
        let (merged_neg, neg_rows) = merge_equal_rows(rows, &neg, |i| code(&|side| side.out_at[i]), ctl)?;
        let side_width = if goal.expand > 0.0 {
            let width =
                |side: &SideCandidates| side.edge.iter().map(|edge| -goal.expand * (edge + wall)).collect();
            sides.iter().map(width).collect()
        } else {
            Vec::new()
        };
        let n_sides = sides.len();
        let lost_at: Vec<u16> = merged_pos.keys().flatten().copied().collect();
        let out_at: Vec<u16> = merged_neg.keys().flatten().copied().collect();
        let turned = |codes: &[u16]| -> Result<Vec<u16>> {
            let mut turned = Vec::with_capacity(codes.len());
            for side in 0..n_sides {
                ctl.check()?;
                turned.extend(codes.iter().skip(side).step_by(n_sides));
            }
            Ok(turned)
        };
        let by_side = [turned(&lost_at)?, turned(&out_at)?];
        let mut beyond = [&lost_at, &out_at].map(|codes| BitSetTable::new(codes.len() / n_sides));
        let n_candidates: usize = sides.iter().map(|side| side.edge.len()).sum();
        let n_words: usize =
            [&lost_at, &out_at].iter().map(|codes| (codes.len() / n_sides).div_ceil(64)).sum();
        let purpose = format!("the rows beyond each of {n_candidates} candidate bounds of boxes");
        let remedy = "use fewer rows or columns, or fast_boxes";
        let bytes = n_candidates.saturating_mul(n_words).saturating_mul(size_of::<u64>());
        MemoryEstimate::default().with_bytes(bytes, purpose, remedy).check("exact_boxes")?;
        for beyond in &mut beyond {
            beyond.reserve(n_candidates)?;
        }
        let mut first = Vec::new();
        let mut place = 0;
        for (side, of) in sides.iter().enumerate() {
            ctl.check()?;
            first.push(place);
            place += of.edge.len();
            for (beyond, codes) in beyond.iter_mut().zip(&by_side) {
                let n = codes.len() / n_sides;
                append_unexcluded_groups(beyond, &codes[side * n..(side + 1) * n], of.edge.len());
            }
        }
        Ok(Self {
            n_sides,
            n_candidates: sides.iter().map(|side| side.edge.len() as u16).collect(),
            beyond,
            first,
            lost_at,
            out_at,
            by_side,
            pos_rows,
            neg_rows,
            pos_mass: merged_pos.into_values().collect(),
            neg_mass: merged_neg.into_values().collect(),
            side_width,
            neg_total: rows.total_class_weight(false),
            edge: sides.into_iter().map(|side| side.edge).collect(),
            to_wall: if goal.expand > 0.0 { wall } else { -wall },
        })
    }

    pub(crate) fn words_per_majority_set(&self) -> usize {
        self.n_majority_groups().div_ceil(64).max(1)
    }

    pub(crate) fn nodes_per_check(&self) -> usize {
        self.steps_per_check(self.n_minority_groups() + self.n_majority_groups()).min(MOST_NODES_PER_CHECK)
    }

    /// Number of steps between two checks of the budget.
    ///
    /// A step visits `visited` items, such as row groups, on each side of a box.
    pub(crate) fn steps_per_check(&self, visited: usize) -> usize {
        (VISITS_PER_CHECK / (self.n_sides * visited).max(1)).max(1)
    }

    pub(crate) fn n_minority_groups(&self) -> usize {
        self.pos_mass.len()
    }

    pub(crate) fn n_majority_groups(&self) -> usize {
        self.neg_mass.len()
    }

    #[inline]
    pub(crate) fn exclusions_of_minority_group(&self, pos: usize) -> &[u16] {
        &self.lost_at[pos * self.n_sides..(pos + 1) * self.n_sides]
    }

    #[inline]
    pub(crate) fn exclusions_of_majority_group(&self, neg: usize) -> &[u16] {
        &self.out_at[neg * self.n_sides..(neg + 1) * self.n_sides]
    }

    #[inline]
    pub(crate) fn minority_exclusions_by_side(&self, side: usize) -> &[u16] {
        &self.by_side[0][side * self.n_minority_groups()..(side + 1) * self.n_minority_groups()]
    }

    #[inline]
    pub(crate) fn majority_exclusions_by_side(&self, side: usize) -> &[u16] {
        &self.by_side[1][side * self.n_majority_groups()..(side + 1) * self.n_majority_groups()]
    }

    #[inline]
    pub(crate) fn minority_groups_within_side(&self, side: usize, at: u16) -> &[u64] {
        self.beyond[0].set_words(self.first[side] + usize::from(at))
    }

    #[inline]
    pub(crate) fn majority_groups_within_side(&self, side: usize, at: u16) -> &[u64] {
        self.beyond[1].set_words(self.first[side] + usize::from(at))
    }

    pub(crate) fn covered_and_hit_groups(&self, at: &[u16]) -> (BitSet, BitSet) {
        let (mut pos, mut neg) =
            (BitSet::full(self.n_minority_groups()), BitSet::full(self.n_majority_groups()));
        for (side, &at) in at.iter().enumerate() {
            pos.intersect_words(self.minority_groups_within_side(side, at));
            neg.intersect_words(self.majority_groups_within_side(side, at));
        }
        (pos, neg)
    }

    pub(crate) fn hit_majority_groups(&self, at: &[u16]) -> BitSet {
        let mut neg = BitSet::full(self.n_majority_groups());
        for (side, &at) in at.iter().enumerate() {
            neg.intersect_words(self.majority_groups_within_side(side, at));
        }
        neg
    }

    /// Position of a side at candidate `at`.
    ///
    /// The position of an upper side is negated, so that positions increase inwards.
    pub(crate) fn side_position(&self, side: usize, at: u16) -> f64 {
        self.edge[side][usize::from(at)] + self.to_wall
    }

    pub(crate) fn decode_box(&self, at: &[u16]) -> ScaledBox {
        let wall = |side: usize| self.side_position(side, at[side]);
        ScaledBox {
            lower: (0..self.n_sides / 2).map(|feature| wall(2 * feature)).collect(),
            upper: (0..self.n_sides / 2).map(|feature| -wall(2 * feature + 1)).collect(),
        }
    }

    pub(crate) fn has_ordered_bounds(&self, at: &[u16]) -> bool {
        let wall = |side: usize| self.side_position(side, at[side]);
        (0..self.n_sides / 2).all(|feature| wall(2 * feature) + wall(2 * feature + 1) <= 0.0)
    }

    /// Encodes a given box by the innermost candidate positions that do not cut into the box.
    ///
    /// The result covers at least the minority rows that the given box covers.
    pub(crate) fn encode_box(&self, walls: &ScaledBox) -> Vec<u16> {
        (0..self.n_sides)
            .map(|side| {
                let given = if side % 2 == 0 { walls.lower[side / 2] } else { -walls.upper[side / 2] };
                let inner = self.edge[side].partition_point(|edge| edge + self.to_wall <= given + ROUNDING);
                inner.saturating_sub(1) as u16
            })
            .collect()
    }
}

fn append_unexcluded_groups(table: &mut BitSetTable, codes: &[u16], n_candidates: usize) {
    let mut order: Vec<usize> = (0..codes.len()).collect();
    order.sort_by_key(|&code| codes[code]);
    let mut order = order.into_iter().peekable();
    let mut still = BitSet::full(codes.len());
    for at in 0..n_candidates {
        while let Some(code) = order.next_if(|&code| usize::from(codes[code]) <= at) {
            still.remove(code);
        }
        table.push(&still);
    }
}

type RowGroupWeights = BTreeMap<Vec<u16>, f64>;

/// Merges rows with equal codes into row groups.
///
/// Returns the weight of each group, and each row with the index of its group. Bounds are limited and need a
/// margin, so the outermost candidate of a side can already exclude a row. No box covers or hits such a row,
/// so it is dropped.
fn merge_equal_rows(
    rows: &ScaledRows<'_>,
    of: &[usize],
    code: impl Fn(usize) -> Vec<u16>,
    ctl: RunContext<'_>,
) -> Result<(RowGroupWeights, Vec<(usize, usize)>)> {
    let mut merged = RowGroupWeights::new();
    for (at, &row) in of.iter().enumerate() {
        ctl.check()?;
        *merged.entry(code(at)).or_default() += rows.weight(row);
    }
    merged.retain(|code, _| code.iter().all(|&at| at > 0));
    let places: Vec<&Vec<u16>> = merged.keys().collect();
    let mut numbered = Vec::with_capacity(of.len());
    for (at, &row) in of.iter().enumerate() {
        ctl.check()?;
        numbered.extend(places.binary_search(&&code(at)).map(|place| (row, place)));
    }
    Ok((merged, numbered))
}

fn count_prefix(sorted: &[f64], below: impl Fn(f64) -> bool) -> u16 {
    sorted.partition_point(|&value| below(value)) as u16
}

fn sort_distinct(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.dedup();
    sorted
}

/// Candidate positions of a side of a box at which its edge is the value of a minority row.
///
/// A majority row with the value `x` is excluded if `x <= edge - 2 g`. Here `g`, the parameter `wall`, is the
/// distance between a side and the rows that it separates. The comparison has the rounding tolerance of
/// [`crate::exact::problem::score_boxes`], because values on a grid are often at exactly this distance.
fn hull_candidates(pos: &[f64], neg: &[f64], wall: f64) -> SideCandidates {
    let gap = 2.0 * wall - ROUNDING;
    let sorted_neg = {
        let mut sorted = neg.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted
    };
    let mut edge: Vec<f64> = Vec::new();
    let mut kept_out = 0;
    for value in sort_distinct(pos) {
        let out = sorted_neg.partition_point(|&x| x <= value - gap);
        if edge.is_empty() || out > kept_out {
            edge.push(value);
            kept_out = out;
        }
    }
    if edge.is_empty() {
        // Without minority rows no box increases the value, so one arbitrary candidate is enough.
        edge.push(0.0);
    }
    SideCandidates {
        lost_at: pos.iter().map(|&x| count_prefix(&edge, |edge| edge <= x)).collect(),
        out_at: neg.iter().map(|&x| count_prefix(&edge, |edge| edge - gap < x)).collect(),
        edge,
    }
}

/// Candidate positions of a side of a box: its outer limit, and next to majority rows.
///
/// The edge of a position next to a majority row is the value of this row, which the side must not pass.
fn candidates_next_to_rows(pos: &[f64], neg: &[f64], wall: f64, limit: f64, far: f64) -> SideCandidates {
    let mut edge = vec![limit - wall];
    edge.extend(sort_distinct(neg).into_iter().filter(|&x| x > limit - wall && x + wall <= far));
    SideCandidates {
        lost_at: pos.iter().map(|&x| count_prefix(&edge, |edge| edge + 2.0 * wall <= x + ROUNDING)).collect(),
        out_at: neg.iter().map(|&x| count_prefix(&edge, |edge| edge < x)).collect(),
        edge,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::problem::score_boxes;
    use imbcore_core::{Observer, Progress};
    use std::sync::atomic::AtomicBool;

    struct NoObserver;

    impl Observer for NoObserver {
        fn progress(&self, _: Progress) {}
    }

    #[test]
    fn encoding_can_be_cancelled() {
        let columns = vec![vec![0.0, 0.5, 1.0]];
        let rows = ScaledRows::new(&columns, &[true, false, true]).unwrap();
        let stop = AtomicBool::new(true);
        let stopped = EncodedRows::new(&rows, &BoxObjective::default(), RunContext::new(&NoObserver, &stop));
        assert_eq!(stopped.err(), Some(Error::Cancelled));
    }

    #[test]
    fn rows_at_the_margin_are_excluded_despite_rounding() {
        // The required distance 2 g is 0.022, and many values on a grid with steps of 0.002 have exactly this
        // distance.
        let goal = BoxObjective::default();
        for step in 0..1000 {
            let columns = vec![vec![f64::from(step) * 0.002, f64::from(step) * 0.002 - 0.022]];
            let rows = ScaledRows::new(&columns, &[true, false]).unwrap();
            let codes = EncodedRows::new(&rows, &goal, RunContext::silent()).unwrap();
            assert_eq!(codes.n_majority_groups(), 0, "{step}");
            assert_eq!(
                score_boxes(&rows, &goal, &[codes.decode_box(&[0, 0])]).n_majority_not_excluded,
                0,
                "{step}"
            );
        }
    }

    #[test]
    fn candidates_exclude_further_rows() {
        // Minority rows have the values 0, 0.1 and 0.5, majority rows 0.3 and 0.7. With g = 0.01, the values
        // of a covered and an excluded row must differ by at least 0.02.
        let columns = vec![vec![0.0, 0.1, 0.5, 0.3, 0.7]];
        let positive = [true, true, true, false, false];
        let rows = ScaledRows::new(&columns, &positive).unwrap();
        let goal = BoxObjective { margin: 0.009, ..BoxObjective::default() };
        let codes = EncodedRows::new(&rows, &goal, RunContext::silent()).unwrap();
        // As lower bounds, 0 and 0.1 exclude the same majority rows, so there is only one candidate for both.
        // As upper bounds, 0.1 excludes one more row than 0.5, namely 0.3, and 0 excludes no more rows than
        // 0.1.
        assert_eq!(codes.n_candidates, [2, 2]);
        assert_eq!(codes.n_minority_groups(), 2, "0 and 0.1 are alike");
        assert_eq!(codes.pos_mass, [2.0, 1.0]);
        assert_eq!(codes.neg_mass, [1.0], "0.7 lies outside every hull");
        assert_eq!(codes.exclusions_of_minority_group(0), [1, 2]);
        assert_eq!(codes.exclusions_of_minority_group(1), [2, 1]);
        assert_eq!(codes.exclusions_of_majority_group(0), [1, 1]);
        let walls = codes.decode_box(&[0, 1]);
        assert!((walls.lower[0] + 0.01).abs() < 1e-12 && (walls.upper[0] - 0.11).abs() < 1e-12);
        assert_eq!(codes.encode_box(&walls), [0, 1]);
    }
}
