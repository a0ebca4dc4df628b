//! A ranking of rows from nested boxes.
//!
//! For fixed clusters the boxes grow as c falls, so `s(x) = sup {c : x is positive at c}` ranks rows, and its ROC curve
//! holds every classifier of the sweep. Side by side: a bound lets a row in at distance d beyond its start as long as
//! `c <= (P e^-d + beta) e^-d / N`; `s` is the largest over the boxes of the least over the sides.

use super::bound::{FinalRule, log_critical};
use super::groups::{Groups, NO_CLUSTER};
use super::sums::LEVEL_DISTANCE;
use super::sweep::{Finish, Sweep};
use crate::blocks::{Part, map_rows};
use crate::drawing::{BoxDrawing, MissingRule, broken};
use crate::space::{Axis, add_level, has_level};
use imbcore_base::{Column, Frame, MISSING, Result, RunCtl};
use rayon::prelude::*;

/// Values of the rows of the other class, which say exactly when rule `paper` lets a row in.
#[derive(Clone, Debug, PartialEq)]
pub struct Negatives {
    /// Distinct values of every numeric feature, ascending.
    pub values: Vec<Vec<f64>>,
    /// Levels of the nominal features that occur, in words as in a box.
    pub levels: Vec<u32>,
}

impl Negatives {
    /// The values of the rows that are in no cluster.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Cancelled`].
    pub fn of(groups: &Groups<'_>, sweep: &Sweep, ctl: RunCtl<'_>) -> Result<Self> {
        let space = sweep.start.space();
        let mut levels = vec![0; space.n_words()];
        for (feature, column) in groups.frame.columns().iter().enumerate() {
            let Column::Nominal { codes, .. } = column else { continue };
            let set = &mut levels[space.words(feature)];
            for (&code, _) in codes
                .iter()
                .zip(&groups.cluster)
                .filter(|(code, cluster)| **code != MISSING && **cluster == NO_CLUSTER)
            {
                add_level(set, code);
            }
        }
        let values = groups
            .frame
            .columns()
            .par_iter()
            .map(|column| {
                ctl.check()?;
                let Column::Numeric(values) = column else { return Ok(Vec::new()) };
                let rows =
                    values.iter().zip(&groups.cluster).filter(|(x, c)| **c == NO_CLUSTER && !x.is_nan());
                let mut values: Vec<f64> = rows.map(|(x, _)| x).collect();
                values.sort_unstable_by(f64::total_cmp);
                values.dedup();
                Ok(values)
            })
            .collect::<Result<_>>()?;
        Ok(Self { values, levels })
    }

    /// The farthest a bound of rule `paper` may still be from `x`, going inwards from it, and yet end beyond it.
    fn admitting(&self, feature: usize, x: f64, upper: bool, eps: f64) -> f64 {
        let values = &self.values[feature];
        // The neighbours of x among the negatives: one at x or farther out, one strictly farther in.
        let (out, inner) = if upper {
            let from = values.partition_point(|&value| value < x);
            (values.get(from), from.checked_sub(1).and_then(|index| values.get(index)))
        } else {
            let to = values.partition_point(|&value| value <= x);
            (to.checked_sub(1).and_then(|index| values.get(index)), values.get(to))
        };
        let inner = inner.copied().unwrap_or(if upper { f64::NEG_INFINITY } else { f64::INFINITY });
        let Some(&out) = out else { return inner };
        if eps == 0.0 {
            return inner;
        }
        let reached = if x == out { x } else { out + (x - out) / eps };
        if upper { reached.max(inner) } else { reached.min(inner) }
    }
}

/// Nested boxes and what ranks rows among them.
#[derive(Clone, Debug, PartialEq)]
pub struct Nested {
    /// Start boxes and sums.
    pub sweep: Sweep,
    /// How bounds were finished.
    pub finish: Finish,
    /// Push outwards.
    pub beta: f64,
    /// Weights of the drawings, ascending; the last may be infinite.
    pub weights: Vec<f64>,
    /// Drawings of the weights, each inside the one before.
    pub drawings: Vec<BoxDrawing>,
    /// Exact ranking within rule `paper`, where asked for.
    pub negatives: Option<Negatives>,
}

/// Logarithms of the weights with a floor and a ceiling: a row that is in at weight i, and not at i + 1, is at least at
/// floor i and at most at ceiling i.
struct Steps {
    floor: Vec<f64>,
    ceiling: Vec<f64>,
}

impl Nested {
    /// Parts of a file of unknown origin, checked; drawing number `own` answers.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Format`] naming the broken rule.
    pub fn check(self, own: usize) -> Result<Self> {
        let space = self.sweep.start.space();
        let sides = self.sweep.start.n_boxes() * space.n_sides();
        let sums = &self.sweep.sums;
        let lengths = self.sweep.units.len() == space.n_features()
            && sums.log_p.len() == sides
            && sums.log_n.len() == sides
            && own < self.weights.len()
            && self.drawings.len() == self.weights.len();
        let numbers = self.sweep.units.iter().all(|unit| unit.is_finite() && *unit >= 0.0)
            && sums.log_p.iter().chain(&sums.log_n).all(|log| !log.is_nan() && *log < f64::INFINITY)
            && self.weights.iter().all(|&c| c > 0.0)
            && self.weights.windows(2).all(|pair| pair[0].ln() < pair[1].ln())
            && (0.0..=1.0).contains(&self.finish.eps)
            && self.beta.is_finite()
            && self.beta >= 0.0;
        if !lengths || !numbers {
            return broken("the sums or the weights of nested boxes are impossible");
        }
        let ascending = |values: &Vec<f64>| values.windows(2).all(|pair| pair[0] < pair[1]);
        let negatives = self.negatives.as_ref().is_none_or(|negatives| {
            negatives.values.len() == space.n_features()
                && negatives.levels.len() == space.n_words()
                && negatives
                    .values
                    .iter()
                    .all(|values| values.iter().all(|value| !value.is_nan()) && ascending(values))
        });
        if negatives { Ok(self) } else { broken("values of the other class are impossible") }
    }

    /// Logarithm of `s` for every row. A row is in the drawing of weight c, one of `weights`, iff this is at least ln c.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Data`] for a table with other features, [`imbcore_base::Error::Cancelled`].
    pub fn log_scores(&self, frame: &Frame<'_>, missing: MissingRule, ctl: RunCtl<'_>) -> Result<Vec<f64>> {
        self.sweep.start.space().check(frame)?;
        // One place a weight, from none of them to all.
        let mut floor: Vec<f64> = self.weights.iter().map(|c| c.ln()).collect();
        let mut ceiling: Vec<f64> = floor.iter().map(|log| log.next_down()).collect();
        floor.insert(0, f64::NEG_INFINITY);
        ceiling.push(f64::INFINITY);
        let steps = Steps { floor, ceiling };
        let parts = map_rows(frame, ctl, Vec::new, |scores: &mut Vec<f64>, rows, parts| {
            for place in 0..rows.len() {
                scores.push(self.log_score(parts, place, missing, &steps));
            }
            Ok(())
        });
        Ok(parts?.concat())
    }

    fn log_score(&self, parts: &[Part<'_>], place: usize, missing: MissingRule, steps: &Steps) -> f64 {
        let mut best = f64::NEG_INFINITY;
        for number in 0..self.sweep.start.n_boxes() {
            let mut least = f64::INFINITY;
            for (feature, part) in parts.iter().enumerate() {
                let side = match part {
                    Part::Numbers(values) => self.number(number, feature, values[place], missing, steps),
                    Part::Codes(codes) => self.level(number, feature, codes[place], missing, steps),
                };
                least = if side < least { side } else { least };
                if least <= best {
                    break;
                }
            }
            best = if least > best { least } else { best };
        }
        best
    }

    /// Number of weights, from the smallest on, whose drawings pass `test`.
    fn passed(&self, test: impl Fn(&BoxDrawing) -> bool) -> usize {
        self.drawings.iter().take_while(|drawing| test(drawing)).count()
    }

    fn number(&self, number: usize, feature: usize, x: f64, missing: MissingRule, steps: &Steps) -> f64 {
        let (lower, upper, _) = self.sweep.start.parts(number);
        let (low, high) = (lower[feature], upper[feature]);
        let cell = number * lower.len() + feature;
        if low == f64::NEG_INFINITY {
            return f64::INFINITY;
        }
        if x.is_nan() {
            if missing == MissingRule::Inside {
                return f64::INFINITY;
            }
            let free = self.passed(|drawing| {
                drawing.lower()[cell] == f64::NEG_INFINITY && drawing.upper()[cell] == f64::INFINITY
            });
            return if free == self.drawings.len() { f64::INFINITY } else { steps.floor[free] };
        }
        let inwards = self.finish.rule == FinalRule::None;
        if !inwards && x >= low && x <= high {
            return f64::INFINITY;
        }
        let mut least = f64::INFINITY;
        if x < low || inwards {
            let passed = self.passed(|drawing| x >= drawing.lower()[cell]);
            least = self.side(number, feature, (x, false), passed, steps);
        }
        if x > high || inwards {
            let passed = self.passed(|drawing| x <= drawing.upper()[cell]);
            let above = self.side(number, feature, (x, true), passed, steps);
            least = if above < least { above } else { least };
        }
        least
    }

    /// Critical weight of one bound for a number beyond it, kept between those of the drawings around it.
    fn side(&self, number: usize, feature: usize, at: (f64, bool), passed: usize, steps: &Steps) -> f64 {
        let (x, upper) = at;
        let space = self.sweep.start.space();
        let side = number * space.n_sides() + space.side(feature) + usize::from(upper);
        let cell = number * space.n_features() + feature;
        let x = match &self.negatives {
            Some(negatives) if self.finish.rule == FinalRule::Paper => {
                negatives.admitting(feature, x, upper, self.finish.eps)
            }
            _ => x,
        };
        let distance =
            if upper { x - self.sweep.start.upper()[cell] } else { self.sweep.start.lower()[cell] - x };
        let critical = if distance <= 0.0 && self.finish.rule != FinalRule::None {
            f64::INFINITY
        } else {
            self.critical(side, distance / self.sweep.units[feature])
        };
        critical.clamp(steps.floor[passed], steps.ceiling[passed])
    }

    fn critical(&self, side: usize, distance: f64) -> f64 {
        let sums = &self.sweep.sums;
        log_critical(sums.log_p[side], sums.log_n[side], self.beta.ln(), distance)
    }

    fn level(&self, number: usize, feature: usize, code: u32, missing: MissingRule, steps: &Steps) -> f64 {
        let space = self.sweep.start.space();
        let (_, _, start) = self.sweep.start.parts(number);
        let words = space.words(feature);
        let cells = number * space.n_words() + words.start..number * space.n_words() + words.end;
        if code == MISSING {
            if missing == MissingRule::Inside {
                return f64::INFINITY;
            }
            let free = self.passed(|drawing| space.all_levels(feature, &drawing.sets()[cells.clone()]));
            return if free == self.drawings.len() { f64::INFINITY } else { steps.floor[free] };
        }
        if has_level(&start[words], code) {
            return f64::INFINITY;
        }
        let passed = self.passed(|drawing| has_level(&drawing.sets()[cells.clone()], code));
        let admitted = self.negatives.as_ref().is_some_and(|negatives| {
            self.finish.rule == FinalRule::Paper
                && self.finish.admits(space, &negatives.levels, feature, code)
        });
        let side = number * space.n_sides() + space.side(feature) + code as usize;
        let critical = if admitted { f64::INFINITY } else { self.critical(side, LEVEL_DISTANCE) };
        debug_assert!(matches!(space.axes()[feature], Axis::Nominal(_)));
        critical.clamp(steps.floor[passed], steps.ceiling[passed])
    }
}
