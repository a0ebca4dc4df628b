//! Incremental scores of the thresholds of a column.
//!
//! The score of a contingency table takes time proportional to the number of classes; incremental scores are
//! faster. A scan of the thresholds moves rows one by one from the right child to the left, and each row
//! updates a few sums. For criteria that are sums over classes, a score then takes constant time. Criteria
//! that group classes take time proportional to the number of distinct left fractions. The left fraction of a
//! class is the fraction of its rows in the left child.
//!
//! Incremental scores and table scores are rounded differently. So an incremental score has error bounds, and
//! splits that may be the best are scored again from their tables.

/// Incremental scorer of thresholds: rows move from the right child to the left child.
#[derive(Debug)]
pub struct ThresholdScorer {
    totals: Vec<f64>,
    total: f64,
    left: Vec<f64>,
    n_left: f64,
    n_moves: f64,
    /// Whether all weights so far are integers, so that their sums are exact.
    whole: bool,
    sums: BranchSums,
}

#[derive(Debug)]
enum BranchSums {
    Power(ClassSumState),
    Shares(LeftFractionGroups, BipartitionCriterion),
}

enum SavedSums {
    Power(f64, f64),
    Shares(Vec<LeftFractionGroup>, Vec<f64>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ClassSumCriterion {
    /// Gini decrease `(sum_b S_b / n_b - S / n) / n`.
    ///
    /// `S` is the sum over the classes of their squared weights at the node, and `S_b` in branch `b`. The
    /// total weights are `n` and `n_b`.
    Gini,
    /// Alpha-divergence times a factor; the fields are `alpha` and the factor.
    ///
    /// It is computed from sums of `n_k^(1-alpha) n_bk^alpha`, or `n_bk ln n_bk` if `alpha` is 1. Class `k`
    /// has the weight `n_k` in total and `n_bk` in branch `b`.
    Divergence(f64, f64),
    GainRatio,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum BipartitionCriterion {
    Hellinger,
    Twoing,
}

#[derive(Debug)]
struct ClassSumState {
    score: ClassSumCriterion,
    factors: Vec<f64>,
    left: f64,
    right: f64,
    whole: f64,
}

#[derive(Clone, Copy, Debug)]
struct LeftFractionGroup {
    share: f64,
    n_classes: u32,
    left: f64,
    right: f64,
}

/// Groups of classes with equal left fractions, in ascending order of the fraction.
#[derive(Debug)]
struct LeftFractionGroups {
    /// Number of rows of each class, in total and in the left child.
    ///
    /// `None` if rows of a class differ in weight, so that left fractions are computed from weights.
    rows: Option<(Vec<u32>, Vec<u32>)>,
    shares: Vec<f64>,
    groups: Vec<LeftFractionGroup>,
}

impl ThresholdScorer {
    pub(crate) fn for_class_sums(score: ClassSumCriterion, totals: &[f64]) -> Self {
        let factor = |&total: &f64| match score {
            ClassSumCriterion::Divergence(alpha, _) if alpha != 1.0 && total > 0.0 => total.powf(1.0 - alpha),
            _ => 1.0,
        };
        let factors = totals.iter().map(factor).collect();
        let sums = ClassSumState { score, factors, left: 0.0, right: 0.0, whole: 0.0 };
        Self::new(totals, BranchSums::Power(sums))
    }

    pub(crate) fn for_bipartitions(
        score: BipartitionCriterion,
        totals: &[f64],
        rows: Option<&[u32]>,
    ) -> Self {
        let rows = rows.map(|rows| (rows.to_vec(), vec![0; rows.len()]));
        let groups = LeftFractionGroups { rows, shares: vec![0.0; totals.len()], groups: Vec::new() };
        Self::new(totals, BranchSums::Shares(groups, score))
    }

    fn new(totals: &[f64], sums: BranchSums) -> Self {
        let whole = totals.iter().all(|total| total.fract() == 0.0);
        let total = branch_mass(totals);
        let left = vec![0.0; totals.len()];
        let mut tracker =
            Self { totals: totals.to_vec(), total, left, n_left: 0.0, n_moves: 0.0, whole, sums };
        tracker.move_all_rows_right();
        tracker
    }

    /// Moves all rows back to the right child.
    pub fn move_all_rows_right(&mut self) {
        self.left.fill(0.0);
        (self.n_left, self.n_moves) = (0.0, 0.0);
        match &mut self.sums {
            BranchSums::Power(sums) => {
                let terms = self.totals.iter().zip(&sums.factors);
                sums.whole = terms.map(|(&total, factor)| factor * sums.score.class_term(total)).sum();
                (sums.left, sums.right) = (0.0, sums.whole);
            }
            BranchSums::Shares(groups, _) => {
                if let Some((_, left)) = &mut groups.rows {
                    left.fill(0);
                }
                groups.shares.fill(0.0);
                let present = self.totals.iter().filter(|&&total| total > 0.0).count() as u32;
                groups.groups =
                    vec![LeftFractionGroup { share: 0.0, n_classes: present, left: 0.0, right: self.total }];
            }
        }
    }

    /// Moves rows of a class, with total weight `mass`, to the left child.
    pub fn move_rows_left(&mut self, class: usize, n_rows: u32, mass: f64) {
        if n_rows == 0 {
            return;
        }
        let (before, total) = (self.left[class], self.totals[class]);
        let after = before + mass;
        self.left[class] = after;
        self.n_left += mass;
        self.n_moves += 1.0;
        self.whole &= mass.fract() == 0.0;
        match &mut self.sums {
            BranchSums::Power(sums) => {
                let (factor, score) = (sums.factors[class], sums.score);
                let rest = |left: f64| score.class_term((total - left).max(0.0));
                sums.left += factor * (score.class_term(after) - score.class_term(before));
                sums.right += factor * (rest(after) - rest(before));
            }
            BranchSums::Shares(groups, _) => {
                groups.move_class_to_new_group(class, n_rows, [before, after, total]);
            }
        }
    }

    /// Returns the result of [`Self::score_bounds`] as if `rows` were also in the left child.
    ///
    /// An item of `rows` is a class, the number of its rows and their total weight; classes are distinct.
    pub fn score_bounds_after_move(
        &mut self,
        rows: impl Iterator<Item = (usize, u32, f64)> + Clone,
        unknown: f64,
    ) -> (f64, f64) {
        let (n_left, n_moves, whole) = (self.n_left, self.n_moves, self.whole);
        let left: Vec<f64> = rows.clone().map(|(class, ..)| self.left[class]).collect();
        let saved = match &self.sums {
            BranchSums::Power(sums) => SavedSums::Power(sums.left, sums.right),
            BranchSums::Shares(groups, _) => {
                let shares = rows.clone().map(|(class, ..)| groups.shares[class]).collect();
                SavedSums::Shares(groups.groups.clone(), shares)
            }
        };
        rows.clone().for_each(|(class, n_rows, mass)| self.move_rows_left(class, n_rows, mass));
        let bounds = self.score_bounds(unknown);
        (self.n_left, self.n_moves, self.whole) = (n_left, n_moves, whole);
        rows.clone().zip(left).for_each(|((class, ..), left)| self.left[class] = left);
        match (&mut self.sums, saved) {
            (BranchSums::Power(sums), SavedSums::Power(left, right)) => {
                (sums.left, sums.right) = (left, right);
            }
            (BranchSums::Shares(groups, _), SavedSums::Shares(saved, shares)) => {
                groups.groups = saved;
                for ((class, n_rows, _), share) in rows.zip(shares) {
                    groups.shares[class] = share;
                    if let Some((_, left)) = &mut groups.rows {
                        left[class] -= n_rows;
                    }
                }
            }
            _ => {}
        }
        bounds
    }

    /// Returns a lower and an upper bound on the score of the current split.
    ///
    /// They bound the score that is computed from the table of class masses, with its rounding error.
    /// `unknown` is the weight of the rows in which the split feature is missing.
    pub fn score_bounds(&mut self, unknown: f64) -> (f64, f64) {
        let n = self.total;
        let (left, right) = (self.n_left, (n - self.n_left).max(0.0));
        if left <= 0.0 || right <= 0.0 {
            return (0.0, f64::INFINITY);
        }
        match &self.sums {
            BranchSums::Power(sums) => {
                let lost = if self.whole && sums.score == ClassSumCriterion::Gini && sums.whole < 9e15 {
                    0.0
                } else {
                    4.0 * self.n_moves * f64::EPSILON
                };
                let (score, error) =
                    sums.score_with_error_bound([left, right], n, unknown, lost + 64.0 * f64::EPSILON);
                (score - error, score + error)
            }
            BranchSums::Shares(groups, score) => {
                let (score, error) = match score {
                    BipartitionCriterion::Hellinger => (groups.hellinger_distance(), 1e-12),
                    BipartitionCriterion::Twoing => (groups.twoing_score([left, right], n), 1e-12),
                };
                // If weights are not integers, sums are rounded, and cancellation enlarges the error.
                let error = if self.whole { error } else { 1e-9 };
                (score - error, score + error)
            }
        }
    }
}

impl ClassSumCriterion {
    fn class_term(self, mass: f64) -> f64 {
        match self {
            Self::Gini | Self::Divergence(2.0, _) => mass * mass,
            Self::Divergence(alpha, _) if alpha != 1.0 => mass.powf(alpha),
            _ if mass > 0.0 => mass * mass.ln(),
            _ => 0.0,
        }
    }
}

impl ClassSumState {
    /// `sides` are the weights of the children; `lost` bounds the relative error of the sums.
    fn score_with_error_bound(&self, sides: [f64; 2], n: f64, unknown: f64, lost: f64) -> (f64, f64) {
        let [left, right] = sides;
        let log = |mass: f64| mass * mass.ln();
        let gain = || {
            let gain = log(n) - self.whole - (log(left) - self.left) - (log(right) - self.right);
            (gain / n, lost * (log(n).abs() + self.whole.abs() + n) / n)
        };
        match self.score {
            ClassSumCriterion::Gini => {
                let parts = self.left / left + self.right / right;
                let wrong = lost * self.whole * (1.0 / left + 1.0 / right);
                ((parts - self.whole / n) / n, wrong / n)
            }
            ClassSumCriterion::Divergence(1.0, factor) => {
                let (gain, wrong) = gain();
                (factor * gain, factor * wrong)
            }
            ClassSumCriterion::Divergence(alpha, factor) => {
                let size = |side: f64| (side / n).powf(1.0 - alpha) / n;
                let parts = size(left) * self.left + size(right) * self.right;
                let wrong = 1.0 + (size(left) + size(right)) * self.whole.abs();
                let scale = factor / (alpha * (1.0 - alpha));
                ((1.0 - parts) * scale, lost * wrong * scale.abs())
            }
            ClassSumCriterion::GainRatio => {
                let (gain, wrong) = gain();
                let info = entropy_of_parts([left, right, unknown].into_iter());
                (gain / info, (wrong + 1e-14 * gain.abs()) / info)
            }
        }
    }
}

impl LeftFractionGroups {
    /// Moves a class to the group of classes with its new left fraction.
    ///
    /// `masses` are weights of the class: in the left child before and after the move, and at the node.
    fn move_class_to_new_group(&mut self, class: usize, n_rows: u32, masses: [f64; 3]) {
        let [before, after, total] = masses;
        let was = self.shares[class];
        let share = match &mut self.rows {
            Some((all, left)) => {
                left[class] += n_rows;
                f64::from(left[class]) / f64::from(all[class])
            }
            // The left fraction differs from 1 only by rounding, so all rows of the class are in the left
            // child.
            None if after >= total * (1.0 - 1e-12) => 1.0,
            None => after / total,
        };
        self.shares[class] = share;
        let sides = |share: f64, left: f64| match share {
            0.0 => [0.0, total],
            1.0 => [total, 0.0],
            _ => [left, total - left],
        };
        let at = self.groups.partition_point(|group| group.share < was);
        let [left, right] = sides(was, before);
        let old = &mut self.groups[at];
        old.n_classes -= 1;
        if old.n_classes == 0 {
            self.groups.remove(at);
        } else {
            old.left -= left;
            old.right -= right;
        }
        let [left, right] = sides(share, after);
        let at = self.groups.partition_point(|group| group.share < share);
        match self.groups.get_mut(at) {
            Some(group) if group.share == share => {
                group.n_classes += 1;
                group.left += left;
                group.right += right;
            }
            _ => self.groups.insert(at, LeftFractionGroup { share, n_classes: 1, left, right }),
        }
    }

    /// The best bipartition has all classes with equal left fractions in the same group.
    fn hellinger_distance(&self) -> f64 {
        let (mut c, mut d) = (0.0, 0.0);
        for group in &self.groups {
            (c, d) = (c + group.left, d + group.right);
        }
        let (all_left, all_right) = (c, d);
        let (mut a, mut b) = (0.0, 0.0);
        let mut least: f64 = 1.0;
        for group in &self.groups[..self.groups.len() - 1] {
            (a, b) = (a + group.left, b + group.right);
            (c, d) = ((all_left - a).max(0.0), (all_right - b).max(0.0));
            let (left, right) = (a * c, b * d);
            least = least.min((left + right + 2.0 * (left * right).sqrt()) / ((a + b) * (c + d)));
        }
        2.0 - 2.0 * least.max(0.0).sqrt()
    }

    fn twoing_score(&self, [left, right]: [f64; 2], n: f64) -> f64 {
        let difference: f64 =
            self.groups.iter().map(|group| (group.left * right - group.right * left).abs()).sum();
        let share = difference / n;
        share * share / (4.0 * left * right)
    }
}

#[inline]
pub(crate) fn branch_mass(branch: &[f64]) -> f64 {
    branch.iter().sum()
}

/// Entropy of the distribution of a mass over parts, in nats.
///
/// The logarithm of the largest proportion is computed from the sum of the other parts. If this proportion is
/// close to 1, its own logarithm has a large relative error.
pub(crate) fn entropy_of_parts(parts: impl Iterator<Item = f64> + Clone) -> f64 {
    let total: f64 = parts.clone().sum();
    let largest = parts.clone().fold(0.0, f64::max);
    let (mut entropy, mut others, mut is_skipped) = (0.0, 0.0, false);
    for part in parts.filter(|&part| part > 0.0) {
        if part == largest && !is_skipped {
            is_skipped = true;
            continue;
        }
        others += part;
        entropy -= part / total * (part / total).ln();
    }
    if others > 0.0 { entropy - largest / total * (-others / total).ln_1p() } else { 0.0 }
}
