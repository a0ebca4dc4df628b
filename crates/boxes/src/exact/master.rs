//! The linear program over the boxes met so far.

use crate::exact::budget::Budget;
use crate::exact::codes::Codes;
use crate::exact::column::{Column, Tariff};
use crate::exact::prices::{Pairs, Prices};
use imbcore_base::{Error, Result};
use imbcore_mip::{Col, Found, MipLimits, MipModel, Sense, solve};
use std::collections::{BTreeMap, BTreeSet};

/// Prices of the rows.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    /// `pi_p`.
    pi: Vec<f64>,
    /// `rho_i0`.
    alone: Vec<f64>,
    /// `rho_ip`, in the order of the pairs; pairs that came later have none.
    pairs: Vec<f64>,
    /// Price of one more box.
    pub sigma: f64,
}

impl Point {
    /// `share` of `other` and the rest of this point.
    pub(crate) fn mix(&self, other: &Self, share: f64) -> Self {
        let of = |a: &[f64], b: &[f64]| -> Vec<f64> {
            let b = b.iter().copied().chain(std::iter::repeat(0.0));
            a.iter().zip(b).map(|(a, b)| (1.0 - share) * a + share * b).collect()
        };
        Self {
            pi: of(&self.pi, &other.pi),
            alone: of(&self.alone, &other.alone),
            pairs: of(&self.pairs, &other.pairs),
            ..*self
        }
    }
}

/// A box and the minority codes it gets.
struct Member {
    column: Column,
    taken: Vec<usize>,
    /// What it earns where it pays for no hit.
    earned: f64,
    /// Programs in a row that its row did not bind.
    idle: usize,
}

impl Member {
    fn gets(&self, p: usize) -> bool {
        self.taken.binary_search(&p).is_ok()
    }
}

/// The program.
pub(crate) struct Master<'a> {
    codes: &'a Codes,
    tariff: &'a Tariff,
    members: Vec<Member>,
    seen: BTreeSet<(Vec<u16>, Vec<usize>)>,
    /// Rows of pairs in the order they were added.
    pairs: Vec<Pair>,
    /// Their places.
    places: BTreeMap<(usize, usize), usize>,
}

/// A majority code, a minority code, and for how many programs in a row the pair had no price.
struct Pair {
    hit: usize,
    taken: usize,
    idle: usize,
}

impl Pair {
    /// Whether the pair has a row in the next program.
    fn is_active(&self) -> bool {
        self.idle <= IDLE
    }
}

/// A row of a pair is added if it is broken by more than this.
const BROKEN: f64 = 1e-3;
/// Programs in a row that a box does not bind, or a pair has no price, before it is left out of the next ones.
const IDLE: usize = 5;
/// Boxes of a solution that are handed on at most.
const USED: usize = 60;

impl<'a> Master<'a> {
    /// The program over `pool`.
    pub(crate) fn new(codes: &'a Codes, tariff: &'a Tariff, pool: &[Column]) -> Self {
        let mut master = Self {
            codes,
            tariff,
            members: Vec::new(),
            seen: BTreeSet::new(),
            pairs: Vec::new(),
            places: BTreeMap::new(),
        };
        for column in pool {
            master.add(column.clone(), column.pos.iter().collect());
            if tariff.all_present {
                // Each code goes to one box, and yet there must be K.
                master.add(column.clone(), Vec::new());
            }
        }
        master
    }

    /// Adds a box with the codes it gets; whether it is new.
    pub(crate) fn add(&mut self, column: Column, taken: Vec<usize>) -> bool {
        let new = self.seen.insert((column.at.clone(), taken.clone()));
        if new {
            let mass: f64 = taken.iter().map(|&p| self.codes.pos_mass[p]).sum();
            let earned = mass - self.tariff.per_box + column.width(self.codes);
            self.members.push(Member { column, taken, earned, idle: 0 });
        }
        new
    }

    /// Solves the program and adds rows of pairs that its solution breaks; the boxes of the solution.
    pub(crate) fn cover(&mut self, budget: &Budget<'_>) -> Result<Vec<Column>> {
        let (codes, tariff) = (self.codes, self.tariff);
        let n_boxes = tariff.n_boxes as f64;
        let mut model = MipModel::new(Sense::Maximise);
        model.add_constant(tariff.base(codes));
        let lambda: Vec<Col> =
            self.members.iter().map(|member| model.continuous(0.0, n_boxes, member.earned)).collect();
        let hits: Vec<Col> =
            (0..codes.n_neg()).map(|i| model.continuous(0.0, n_boxes, -self.cost(i))).collect();
        let mut of_pos: Vec<Vec<(Col, f64)>> = vec![Vec::new(); codes.n_pos()];
        let mut of_neg: Vec<Vec<(Col, f64)>> = vec![Vec::new(); codes.n_neg()];
        for (member, &col) in self.members.iter().zip(&lambda) {
            member.taken.iter().for_each(|&p| of_pos[p].push((col, 1.0)));
            member.column.neg.iter().for_each(|i| of_neg[i].push((col, 1.0 / n_boxes)));
        }
        for row in &of_pos {
            model.at_most(row, 1.0);
        }
        let all: Vec<(Col, f64)> = lambda.iter().map(|&col| (col, 1.0)).collect();
        model.at_most(&all, n_boxes);
        if tariff.all_present {
            model.at_least(&all, n_boxes);
        }
        for (row, &hit) in of_neg.iter_mut().zip(&hits).filter(|(row, _)| !row.is_empty()) {
            row.push((hit, -1.0));
            model.at_most(row, 0.0);
        }
        for &Pair { hit: i, taken: p, .. } in self.pairs.iter().filter(|pair| pair.is_active()) {
            let both = |&(col, _): &(Col, f64)| self.members[col.index()].column.neg.has(i);
            let mut row: Vec<(Col, f64)> = of_pos[p].iter().copied().filter(both).collect();
            row.push((hits[i], -1.0));
            model.at_most(&row, 0.0);
        }
        let found = optimum(&model, budget)?;
        self.separate(&found.x, &hits, &of_pos);
        let used = self.members.iter().zip(&found.x).filter(|(_, lambda)| **lambda > 1e-6);
        Ok(used.map(|(member, _)| member.column.clone()).take(USED).collect())
    }

    /// The prices that prove the optimum: the dual program, solved as such, since CBC is not asked for prices.
    pub(crate) fn point(&mut self, around: Option<(&Point, f64)>, budget: &Budget<'_>) -> Result<Point> {
        let (codes, tariff) = (self.codes, self.tariff);
        let n_boxes = tariff.n_boxes as f64;
        let mut model = MipModel::new(Sense::Minimise);
        model.add_constant(tariff.base(codes));
        // The price of a row that costs at most `most`, within reach of the point around which it is sought.
        let near = |most: f64, at: Option<f64>| match (around, at) {
            (Some((_, reach)), Some(at)) => ((at - reach * most).max(0.0), (at + reach * most).min(most)),
            _ => (0.0, most),
        };
        let spare: Vec<Col> = codes
            .pos_mass
            .iter()
            .enumerate()
            .map(|(p, &mass)| {
                let (low, high) = near(mass, around.map(|(point, _)| mass - point.pi[p]));
                model.continuous(low, high, 1.0)
            })
            .collect();
        let largest = codes.pos_mass.iter().sum::<f64>()
            + self.members.iter().map(|member| member.earned.abs()).fold(0.0, f64::max);
        let sigma = model.continuous(if tariff.all_present { -largest } else { 0.0 }, largest, n_boxes);
        let alone: Vec<Col> = (0..codes.n_neg()).map(|i| model.continuous(0.0, self.cost(i), 0.0)).collect();
        let pairs: Vec<Col> = self
            .pairs
            .iter()
            .enumerate()
            .map(|(at, pair)| {
                let old = around.map(|(point, _)| point.pairs.get(at).copied().unwrap_or(0.0));
                let (low, high) = if pair.is_active() { near(self.cost(pair.hit), old) } else { (0.0, 0.0) };
                model.continuous(low, high, 0.0)
            })
            .collect();
        let mut of_neg: Vec<Vec<(usize, Col)>> = vec![Vec::new(); codes.n_neg()];
        for (pair, &col) in self.pairs.iter().zip(&pairs).filter(|(pair, _)| pair.is_active()) {
            of_neg[pair.hit].push((pair.taken, col));
        }
        for member in &self.members {
            let mut row = vec![(sigma, 1.0)];
            row.extend(member.taken.iter().map(|&p| (spare[p], 1.0)));
            for i in member.column.neg.iter() {
                row.push((alone[i], 1.0 / n_boxes));
                row.extend(of_neg[i].iter().filter(|(p, _)| member.gets(*p)).map(|&(_, col)| (col, 1.0)));
            }
            model.at_least(&row, member.earned);
        }
        for (i, of) in of_neg.iter().enumerate().filter(|(_, of)| !of.is_empty()) {
            let mut row: Vec<(Col, f64)> = of.iter().map(|&(_, col)| (col, 1.0)).collect();
            row.push((alone[i], 1.0));
            model.at_most(&row, self.cost(i));
        }
        let found = optimum(&model, budget)?;
        let x = |col: &Col| found.x[col.index()];
        let mut point = Point {
            pi: spare
                .iter()
                .zip(&codes.pos_mass)
                .map(|(col, mass)| (mass - x(col)).clamp(0.0, *mass))
                .collect(),
            alone: alone.iter().map(x).collect(),
            pairs: pairs.iter().map(x).collect(),
            sigma: x(&sigma),
        };
        self.settle(&mut point);
        self.retire(&point, around.map(|(point, _)| point));
        Ok(point)
    }

    /// Leaves out boxes and pairs that long did not matter; the pool still has the boxes.
    fn retire(&mut self, point: &Point, around: Option<&Point>) {
        for (at, pair) in self.pairs.iter_mut().enumerate() {
            let priced = |of: &Point| of.pairs.get(at).is_some_and(|price| *price > 0.0);
            pair.idle = if priced(point) || around.is_some_and(priced) { 0 } else { pair.idle + 1 };
        }
        let prices = self.prices(point);
        let price_of = |member: &Member| -> f64 {
            let spare: f64 = member.taken.iter().map(|&p| self.codes.pos_mass[p] - prices.pos[p]).sum();
            let of = |i: usize| prices.pairs.of(i).iter().filter(|(p, _)| member.gets(usize::from(*p)));
            let paired: f64 = member.column.neg.iter().flat_map(of).map(|(_, price)| price).sum();
            spare + member.column.neg.sum(&prices.neg) + paired
        };
        for member in &mut self.members {
            let binds = member.earned - price_of(member) > point.sigma - 1e-6;
            member.idle = if binds { 0 } else { member.idle + 1 };
        }
        let seen = &mut self.seen;
        self.members.retain_mut(|member| {
            let keep = member.idle <= IDLE || member.taken.is_empty();
            if !keep {
                seen.remove(&(member.column.at.clone(), std::mem::take(&mut member.taken)));
            }
            keep
        });
    }

    /// Makes the prices of each majority code sum to its cost: the solver's rounding goes, what is left over pays alone.
    fn settle(&self, point: &mut Point) {
        let mut total = point.alone.clone();
        self.pairs.iter().zip(&point.pairs).for_each(|(pair, price)| total[pair.hit] += price);
        let shrink: Vec<f64> = (0..total.len()).map(|i| (self.cost(i) / total[i]).min(1.0)).collect();
        for (i, alone) in point.alone.iter_mut().enumerate() {
            *alone = *alone * shrink[i] + (self.cost(i) - total[i]).max(0.0);
        }
        self.pairs.iter().zip(&mut point.pairs).for_each(|(pair, price)| *price *= shrink[pair.hit]);
    }

    /// What hitting a majority code costs.
    fn cost(&self, i: usize) -> f64 {
        self.tariff.hit * self.codes.neg_mass[i]
    }

    /// Adds, for each majority code, the row of the pair that is broken most.
    fn separate(&mut self, x: &[f64], hits: &[Col], of_pos: &[Vec<(Col, f64)>]) {
        let mut used = vec![Vec::new(); self.codes.n_pos()];
        for (p, row) in of_pos.iter().enumerate() {
            used[p] = row.iter().map(|(col, _)| col.index()).filter(|&at| x[at] > 1e-9).collect();
        }
        for (i, &col) in hits.iter().enumerate() {
            let mut worst = (BROKEN, None);
            for (p, used) in used.iter().enumerate() {
                let sum: f64 =
                    used.iter().filter(|&&at| self.members[at].column.neg.has(i)).map(|&at| x[at]).sum();
                let broken = sum - x[col.index()];
                if broken > worst.0 && !self.has_row(i, p) {
                    worst = (broken, Some(p));
                }
            }
            if let (_, Some(p)) = worst {
                let place = *self.places.entry((i, p)).or_insert(self.pairs.len());
                if place == self.pairs.len() {
                    self.pairs.push(Pair { hit: i, taken: p, idle: 0 });
                }
                self.pairs[place].idle = 0;
            }
        }
    }

    fn has_row(&self, hit: usize, taken: usize) -> bool {
        self.places.get(&(hit, taken)).is_some_and(|&place| self.pairs[place].is_active())
    }

    /// The prices of a point, by box.
    pub(crate) fn prices(&self, point: &Point) -> Prices {
        let n_boxes = self.tariff.n_boxes as f64;
        let mut triples: Vec<(usize, u16, f64)> = self
            .pairs
            .iter()
            .zip(&point.pairs)
            .map(|(pair, &price)| (pair.hit, pair.taken as u16, price))
            .collect();
        triples.sort_by_key(|&(i, p, _)| (i, p));
        Prices {
            pos: point.pi.clone(),
            neg: point.alone.iter().map(|price| price / n_boxes).collect(),
            pairs: Pairs::new(self.codes.n_neg(), triples.into_iter()),
        }
    }
}

/// The solved linear program; out of time the caller keeps the bound it has.
fn optimum(model: &MipModel, budget: &Budget<'_>) -> Result<Found> {
    budget.check()?;
    let limits =
        MipLimits { seconds: budget.left().as_secs_f64().max(0.1), tolerance: 1e-3, ..MipLimits::default() };
    solve(model, &limits, None, budget.ctl())?.found.ok_or(Error::Cancelled)
}
