//! Master program of column generation: the linear program over the boxes found so far.
//!
//! The dual of the linear program is solved, because its rows are boxes, which can be added and removed. The
//! symbols are those of `column_generation`: `m` are the weights of groups of equal rows, `A` are the groups
//! assigned to a box, and `u_p = m_p - pi_p` (`spare`). The variables are `u_p`, `sigma`, and `rho_ip` for
//! the pairs of row groups whose constraint was violated so far:
//!
//! `min sum u_p + K sigma`, subject to
//! - for every box `B` with the assigned groups `A`: `sigma + sum_{p in A} u_p + sum_{i hit} sum_{pairs (i,
//!   p)} r_ip` is at least `m(A) - cost(B) - c m(hit) / K`, where `r_ip = rho_ip ([p in A] - 1 / K)`;
//! - for every majority row group `i`: `sum_p rho_ip <= c m_i` (`limits`).
//!
//! The difference between `c m_i` and the sum of the `rho_ip` is `rho_i0` (`alone`), which needs no variable.
//! The dual values of the rows of this program are the primal weights `lambda_B` of the boxes. A simplex step
//! costs rows times columns, a few hundred of each.

use crate::exact::box_column::BoxColumn;
use crate::exact::encoded_rows::EncodedRows;
use crate::exact::objective_terms::ObjectiveTerms;
use crate::exact::pricing_weights::{PairDuals, PricingWeights};
use imbcore_core::Result;
use imbcore_core::budget::SearchBudget;
use imbcore_solver::{LpStatus, Simplex};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug)]
pub(crate) struct DualPoint {
    /// `pi_p`.
    pi: Vec<f64>,
    /// `rho_i0`.
    alone: Vec<f64>,
    /// Dual value `rho_ip` of each pair of a majority row group `i` and a minority row group `p`.
    ///
    /// Pairs that the linear program got later are not in the list; their dual values are 0.
    pairs: Vec<f64>,
    /// Dual value of the constraint on the number of boxes.
    pub sigma: f64,
}

impl DualPoint {
    /// Weighted mean of `self` and `other`, except that `sigma` is copied from `self`.
    pub(crate) fn interpolate(&self, other: &Self, share: f64) -> Self {
        let interpolate = |a: &[f64], b: &[f64]| -> Vec<f64> {
            let b = b.iter().copied().chain(std::iter::repeat(0.0));
            a.iter().zip(b).map(|(a, b)| (1.0 - share) * a + share * b).collect()
        };
        Self {
            pi: interpolate(&self.pi, &other.pi),
            alone: interpolate(&self.alone, &other.alone),
            pairs: interpolate(&self.pairs, &other.pairs),
            ..*self
        }
    }
}

struct MasterBoxConstraint {
    column: BoxColumn,
    taken: Vec<usize>,
    row: usize,
    /// Number of consecutive solutions in which the box's constraint was not binding.
    idle: usize,
}

impl MasterBoxConstraint {
    fn has_assigned_group(&self, p: usize) -> bool {
        self.taken.binary_search(&p).is_ok()
    }
}

pub(crate) struct BoxMasterProgram<'a> {
    codes: &'a EncodedRows,
    tariff: &'a ObjectiveTerms,
    program: Simplex,
    /// Variable `u_p` of each group of minority rows: its weight less the reward for covering it.
    spare: Vec<usize>,
    sigma: usize,
    /// For each group `i` of majority rows with pairs, the constraint `sum_p rho_ip <= c m_i`.
    limits: BTreeMap<usize, usize>,
    members: Vec<MasterBoxConstraint>,
    seen: BTreeSet<(Vec<u16>, Vec<usize>)>,
    pairs: Vec<GroupPairVariable>,
    places: BTreeMap<(usize, usize), usize>,
}

/// A pair of a group of majority rows, `hit`, and a group of minority rows, `taken`.
///
/// `idle` is the number of consecutive solutions of the linear program in which the pair's dual value was 0.
struct GroupPairVariable {
    hit: usize,
    taken: usize,
    col: Option<usize>,
    idle: usize,
}

impl GroupPairVariable {
    fn is_active(&self) -> bool {
        self.idle <= IDLE
    }
}

/// Minimum violation at which the constraint of a pair is added to the program.
const BROKEN: f64 = 1e-3;
/// Number of solutions in a row without effect, after which a box or pair may be removed.
const IDLE: usize = 5;
const USED: usize = 60;

impl<'a> BoxMasterProgram<'a> {
    pub(crate) fn new(codes: &'a EncodedRows, tariff: &'a ObjectiveTerms, pool: &[BoxColumn]) -> Self {
        let mut program = Simplex::default();
        let spare = codes.pos_mass.iter().map(|&mass| program.add_col(0.0, mass, 1.0, &[])).collect();
        let ends = |widths: &Vec<f64>| widths.iter().fold(0.0, |most: f64, width| most.max(width.abs()));
        let mut largest = codes.pos_mass.iter().sum::<f64>() + codes.side_width.iter().map(ends).sum::<f64>();
        if tariff.all_present {
            largest += tariff.per_box + tariff.empty_set_value(codes);
        }
        let lowest = if tariff.all_present { -largest } else { 0.0 };
        let sigma = program.add_col(lowest, largest, tariff.n_boxes as f64, &[]);
        let mut master = Self {
            codes,
            tariff,
            program,
            spare,
            sigma,
            limits: BTreeMap::new(),
            members: Vec::new(),
            seen: BTreeSet::new(),
            pairs: Vec::new(),
            places: BTreeMap::new(),
        };
        for column in pool {
            master.add_box_with_groups(column.clone(), column.pos.iter().collect());
            if tariff.all_present {
                // Every set has exactly `K` boxes. A box gets no group of equal rows if other boxes get all
                // groups that it covers. So every box is also added without assigned groups.
                master.add_box_with_groups(column.clone(), Vec::new());
            }
        }
        master
    }

    /// Adds a box with its assigned groups of rows; returns whether this combination is new.
    pub(crate) fn add_box_with_groups(&mut self, column: BoxColumn, taken: Vec<usize>) -> bool {
        let new = self.seen.insert((column.at.clone(), taken.clone()));
        if new {
            let mut member = MasterBoxConstraint { column, taken, row: 0, idle: 0 };
            let mass: f64 = member.taken.iter().map(|&p| self.codes.pos_mass[p]).sum();
            let hits: f64 = member.column.neg.iter().map(|i| self.hit_cost(i)).sum();
            let earned = mass - self.tariff.per_box + member.column.width_reward(self.codes);
            let mut entries = vec![(self.sigma, 1.0)];
            entries.extend(member.taken.iter().map(|&p| (self.spare[p], 1.0)));
            let hit = self.pairs.iter().filter(|pair| member.column.neg.contains(pair.hit));
            entries
                .extend(hit.filter_map(|pair| Some((pair.col?, self.pair_coefficient(&member, pair.taken)))));
            entries.retain(|entry| entry.1 != 0.0);
            member.row = self.program.add_row(&entries, earned - hits / self.tariff.n_boxes as f64);
            self.members.push(member);
        }
        new
    }

    fn pair_coefficient(&self, member: &MasterBoxConstraint, p: usize) -> f64 {
        f64::from(u8::from(member.has_assigned_group(p))) - 1.0 / self.tariff.n_boxes as f64
    }

    /// Solves the linear program and returns its dual point; `None` after a numerical failure.
    ///
    /// If `around` contains a point and a number `reach`, each dual value except `sigma` stays near its value
    /// at this point. The distance is at most the fraction `reach` of the largest possible dual value.
    ///
    /// `used` receives the boxes with the largest weights in the solution, in descending order. If `pairs` is
    /// true, violated constraints of pairs are added to the program for its next solution.
    pub(crate) fn solve_dual_point(
        &mut self,
        around: Option<(&DualPoint, f64)>,
        pairs: bool,
        used: &mut Vec<BoxColumn>,
        budget: &SearchBudget<'_>,
    ) -> Result<Option<DualPoint>> {
        self.set_trust_region(around);
        if self.program.minimize(|| budget.check_limits())? != LpStatus::Optimal {
            return Ok(None);
        }
        let mass = self.codes.pos_mass.iter();
        let mut point = DualPoint {
            pi: mass.zip(&self.spare).map(|(mass, &col)| (mass - self.program.value(col)).max(0.0)).collect(),
            alone: (0..self.codes.n_majority_groups()).map(|i| self.hit_cost(i)).collect(),
            pairs: self
                .pairs
                .iter()
                .map(|pair| pair.col.map_or(0.0, |col| self.program.value(col)))
                .collect(),
            sigma: self.program.value(self.sigma),
        };
        self.scale_pair_duals(&mut point);
        let mut shares: Vec<(f64, usize)> = (0..self.members.len())
            .map(|at| (self.program.dual_value(self.members[at].row), at))
            .filter(|(share, _)| *share > 1e-9)
            .collect();
        shares.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        used.clear();
        used.extend(shares.iter().take(USED).map(|&(_, at)| self.members[at].column.clone()));
        let broken = if pairs { self.most_violated_pairs(&shares) } else { Vec::new() };
        self.drop_inactive_boxes_and_pairs(&point, around.map(|(point, _)| point));
        for (i, p) in broken {
            self.add_pair_variable(i, p);
        }
        Ok(Some(point))
    }

    /// Restricts the dual values except `sigma` to the trust region around a point.
    ///
    /// If a pair had no effect in recent solutions, its dual value becomes 0.
    fn set_trust_region(&mut self, around: Option<(&DualPoint, f64)>) {
        let near = |most: f64, at: Option<f64>| match (around, at) {
            (Some((_, reach)), Some(at)) => ((at - reach * most).max(0.0), (at + reach * most).min(most)),
            _ => (0.0, most),
        };
        for (p, (&col, &mass)) in self.spare.iter().zip(&self.codes.pos_mass).enumerate() {
            let (low, high) = near(mass, around.map(|(point, _)| mass - point.pi[p]));
            self.program.set_bounds(col, low, high);
        }
        for (at, pair) in self.pairs.iter().enumerate() {
            let old = around.map(|(point, _)| point.pairs.get(at).copied().unwrap_or(0.0));
            let (low, high) = if pair.is_active() { near(self.hit_cost(pair.hit), old) } else { (0.0, 0.0) };
            if let Some(col) = pair.col {
                self.program.set_bounds(col, low, high);
            }
        }
    }

    fn drop_inactive_boxes_and_pairs(&mut self, point: &DualPoint, around: Option<&DualPoint>) {
        for (at, pair) in self.pairs.iter_mut().enumerate() {
            let priced = |point: &DualPoint| point.pairs.get(at).is_some_and(|price| *price > 0.0);
            pair.idle = if priced(point) || around.is_some_and(priced) { 0 } else { pair.idle + 1 };
            if !pair.is_active() {
                // A variable in the basis cannot be removed, so it stays until it leaves the basis.
                pair.col = pair.col.filter(|&col| !self.program.drop_col_if_nonbasic(col));
            }
        }
        let (seen, program) = (&mut self.seen, &mut self.program);
        self.members.retain_mut(|member| {
            member.idle = if program.is_binding(member.row) { 0 } else { member.idle + 1 };
            let keep =
                member.idle <= IDLE || member.taken.is_empty() || !program.drop_row_if_nonbinding(member.row);
            if !keep {
                seen.remove(&(member.column.at.clone(), std::mem::take(&mut member.taken)));
            }
            keep
        });
    }

    /// Scales down the dual values of pairs if their sum exceeds the cost of a hit.
    ///
    /// The sum is over the pairs of one group of majority rows. The rest of the cost, which no pair uses, is
    /// stored in `alone`. The scaling also removes rounding errors.
    fn scale_pair_duals(&self, point: &mut DualPoint) {
        let mut total = vec![0.0; self.codes.n_majority_groups()];
        self.pairs.iter().zip(&point.pairs).for_each(|(pair, price)| total[pair.hit] += price);
        for (pair, price) in self.pairs.iter().zip(&mut point.pairs) {
            *price *= (self.hit_cost(pair.hit) / total[pair.hit]).min(1.0);
        }
        point.alone.iter_mut().zip(&total).for_each(|(alone, total)| *alone = (*alone - total).max(0.0));
    }

    fn hit_cost(&self, i: usize) -> f64 {
        self.tariff.hit * self.codes.neg_mass[i]
    }

    /// For each group of equal majority rows, its pair whose constraint is most violated, if any.
    ///
    /// `shares` has the weights of the boxes in the solution of the linear program.
    fn most_violated_pairs(&self, shares: &[(f64, usize)]) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let mut taken = vec![0.0; self.codes.n_minority_groups()];
        for i in 0..self.codes.n_majority_groups() {
            taken.fill(0.0);
            let mut all = 0.0;
            for &(share, at) in shares.iter().filter(|(_, at)| self.members[*at].column.neg.contains(i)) {
                all += share;
                self.members[at].taken.iter().for_each(|&p| taken[p] += share);
            }
            // `h_i` is the fraction of row group `i` that is hit. `hit` becomes the smallest `h_i` that
            // satisfies the constraints in the program.
            let mut hit = all / self.tariff.n_boxes as f64;
            let mut worst = (0.0, None);
            for (p, &sum) in taken.iter().enumerate() {
                if self.has_active_pair(i, p) {
                    hit = hit.max(sum);
                } else if sum > worst.0 {
                    worst = (sum, Some(p));
                }
            }
            found.extend(worst.1.filter(|_| worst.0 > hit + BROKEN).map(|p| (i, p)));
        }
        found
    }

    fn has_active_pair(&self, hit: usize, taken: usize) -> bool {
        self.places.get(&(hit, taken)).is_some_and(|&place| self.pairs[place].is_active())
    }

    fn add_pair_variable(&mut self, hit: usize, taken: usize) {
        let place = *self.places.entry((hit, taken)).or_insert(self.pairs.len());
        if place == self.pairs.len() {
            self.pairs.push(GroupPairVariable { hit, taken, col: None, idle: 0 });
        }
        self.pairs[place].idle = 0;
        if self.pairs[place].col.is_some() {
            return;
        }
        let cost = self.hit_cost(hit);
        let program = &mut self.program;
        let limit = *self.limits.entry(hit).or_insert_with(|| program.add_row(&[], -cost));
        let members = self.members.iter().filter(|member| member.column.neg.contains(hit));
        let mut entries: Vec<(usize, f64)> = members
            .map(|member| (member.row, self.pair_coefficient(member, taken)))
            .filter(|entry| entry.1 != 0.0)
            .collect();
        entries.push((limit, -1.0));
        self.pairs[place].col = Some(self.program.add_col(0.0, cost, 0.0, &entries));
    }

    pub(crate) fn pricing_weights(&self, point: &DualPoint) -> PricingWeights {
        let n_boxes = self.tariff.n_boxes as f64;
        let mut triples: Vec<(usize, u16, f64)> = self
            .pairs
            .iter()
            .zip(&point.pairs)
            .map(|(pair, &price)| (pair.hit, pair.taken as u16, price))
            .collect();
        triples.sort_by_key(|&(i, p, _)| (i, p));
        PricingWeights {
            pos: point.pi.clone(),
            neg: point.alone.iter().map(|price| price / n_boxes).collect(),
            pairs: PairDuals::new(self.codes.n_majority_groups(), triples.into_iter()),
        }
    }
}
