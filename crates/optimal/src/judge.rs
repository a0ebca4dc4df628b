//! What the claims of a certificate say about the trees of a model: whether these are worth what they are said to be, and
//! whether no tree is better.

use crate::best_tree::BestTree;
use crate::claim::{Certificate, Claim};
use crate::learner::OptimalTreeLearner;
use crate::model::OptimalModel;
use crate::params::{FBeta, Objective, ObjectiveName};
use crate::plain::Plain;
use crate::verify::{Root, Verdict, all_hold};
use imbcore_base::budget::{Budget, Limits};
use imbcore_base::{Dataset, Result, RunCtl, rarest};

const OTHERS: &str = "the certificate is about trees of another depth or least weight, or about other classes, or its prices are \
                      no whole numbers";
const NO_CLAIMS: &str =
    "there are no claims to check; a fit with lookahead makes none, since some of the rows gave its bound";
const ROOM: &str = "every claim holds, but they leave room for a better tree: the search did not come to its end, or leaves need \
                    a weight, without which the claims were made";
const FLOOR: &str = "the claims show the hull beside the floor; what lies between it and the tree was closed by listing trees, \
                     which only another fit can repeat";

/// What a tree gets wrong, counted on the rows.
struct Counted {
    /// Weight of each class by answer, `class * n_classes + answer`.
    weight: Vec<f64>,
    /// The same in units.
    units: Vec<f64>,
    n_leaves: f64,
}

/// Whether numbers are equal up to the rounding of sums, or of weights and costs that took part rounded.
fn near(a: f64, b: f64, exact: bool) -> bool {
    let slack = if exact { 1e-9 } else { 1e-5 };
    (a - b).abs() <= slack * (1.0 + a.abs().max(b.abs()))
}

impl Certificate {
    /// One that claims nothing.
    fn blank(n_classes: usize) -> Self {
        Self { max_depth: 0, min_weight_leaf: 0.0, units: vec![1.0; n_classes], claims: Vec::new() }
    }

    /// Whether its numbers are such that they claim anything about trees of this family.
    fn fits(&self, n_classes: usize, max_depth: u32, least_weight: f64) -> bool {
        let count = |value: &f64| value.is_finite() && *value >= 0.0 && value.fract() == 0.0;
        let priced = |claim: &Claim| {
            let square = claim.prices.len() == n_classes
                && claim.prices.iter().all(|row| row.len() == n_classes && row.iter().all(count));
            square && count(&claim.leaf) && claim.bound.is_finite()
        };
        self.max_depth == max_depth
            && near(self.min_weight_leaf, least_weight, true)
            && self.units.len() == n_classes
            && self.units.iter().all(|unit| unit.is_finite() && *unit > 0.0)
            && self.claims.iter().all(priced)
    }
}

impl Counted {
    fn new(
        tree: &BestTree,
        plain: &Plain,
        data: &Dataset<'_>,
        weights: &[f64],
        ctl: RunCtl<'_>,
    ) -> Result<Self> {
        let n = data.n_classes();
        let mut answers = vec![0; plain.n_rows()];
        let mut weight = vec![0.0; n * n];
        let leaves = tree.tree.apply(data.frame(), ctl)?;
        for (row, leaf) in leaves.into_iter().enumerate() {
            let Some(place) = plain.place[row] else { continue };
            answers[place] = tree.labels[leaf as usize] as usize;
            weight[data.classes()[row] as usize * n + answers[place]] += weights[row];
        }
        let mut units = vec![0.0; n * n];
        for (of_row, &answer) in plain.units.iter().zip(&answers) {
            of_row.iter().enumerate().for_each(|(class, count)| units[class * n + answer] += count);
        }
        Ok(Self { weight, units, n_leaves: tree.tree.tree().n_leaves() as f64 })
    }

    fn cost(&self, claim: &Claim) -> f64 {
        let prices = claim.prices.iter().flatten();
        self.units.iter().zip(prices).map(|(n, price)| n * price).sum::<f64>() + claim.leaf * self.n_leaves
    }

    /// Weight of false alarms and of misses.
    fn errors(&self, positive: usize) -> [f64; 2] {
        let n = self.weight.len().isqrt();
        let mut errors = [0.0; 2];
        for (cell, weight) in self.weight.iter().enumerate() {
            let (is, said) = (cell / n == positive, cell % n == positive);
            if is != said {
                errors[usize::from(is)] += weight;
            }
        }
        errors
    }
}

/// A check under way: trees as counted, and what is to be shown.
struct Judge<'a> {
    learner: &'a OptimalTreeLearner,
    model: &'a OptimalModel,
    certificate: &'a Certificate,
    counted: Vec<Counted>,
    positive: usize,
}

impl OptimalTreeLearner {
    /// Checks the trees of a model and a certificate, its own where none is given, on the training rows.
    ///
    /// # Errors
    /// [`imbcore_base::Error::Cancelled`], and [`imbcore_base::Error::Parameter`] of the limits.
    pub fn verify(
        &self,
        model: &OptimalModel,
        given: Option<&Certificate>,
        data: &Dataset<'_>,
        limits: Limits,
        ctl: RunCtl<'_>,
    ) -> Result<Verdict> {
        let budget = Budget::start("optimal_tree", limits, ctl)?;
        let weights = self.weights(data);
        let (depth, least_weight) = (self.params.max_depth, self.least_weight(weights.iter().sum()));
        let asked = given.or(model.certificate.as_ref());
        let fitting = asked.filter(|of| of.fits(data.n_classes(), depth, least_weight));
        let none = Certificate::blank(data.n_classes());
        let certificate = fitting.unwrap_or(&none);
        let plain = Plain::new(data, self.class_weight.as_deref(), &certificate.units, ctl)?;
        let count = |tree: &BestTree| Counted::new(tree, &plain, data, &weights, ctl);
        let counted = model.trees.iter().map(count).collect::<Result<Vec<_>>>()?;
        let mut mass = vec![0.0; data.n_classes()];
        weights.iter().zip(data.classes()).for_each(|(weight, &class)| mass[class as usize] += weight);
        let positive = self.positive.unwrap_or_else(|| rarest(&mass)) as usize;
        let judge = Judge { learner: self, model, certificate, counted, positive };
        if let Err(reason) = judge.worth(&mass) {
            return Ok(Verdict { proves_optimal: Some(false), ..verdict(false, None, &reason) });
        }
        if asked.is_some() && fitting.is_none() {
            return Ok(verdict(true, Some(false), OTHERS));
        }
        if certificate.claims.is_empty() {
            return Ok(verdict(true, None, NO_CLAIMS));
        }
        let rows = plain.all();
        let ladders = plain.ladders(&rows);
        let root = Root { plain: &plain, depth, least_weight, rows, ladders, budget: &budget };
        Ok(match all_hold(&root, &certificate.claims)? {
            None => verdict(true, None, "the time ran out"),
            Some(Err(reason)) => verdict(true, Some(false), &reason),
            Some(Ok(())) => {
                let (proves_optimal, reason) = judge.proves();
                Verdict { objective_holds: true, bounds_hold: Some(true), proves_optimal, reason }
            }
        })
    }

    fn weights(&self, data: &Dataset<'_>) -> Vec<f64> {
        let of_class =
            |row: usize| self.class_weight.as_ref().map_or(1.0, |of| of[data.classes()[row] as usize]);
        (0..data.n_rows()).map(|row| data.weight(row) * of_class(row)).collect()
    }
}

/// What is said where claims alone decide.
fn verdict(objective_holds: bool, bounds_hold: Option<bool>, reason: &str) -> Verdict {
    Verdict { objective_holds, bounds_hold, proves_optimal: bounds_hold, reason: Some(reason.to_owned()) }
}

impl Judge<'_> {
    /// Whether the trees are worth what the model says, on rows of these masses.
    fn worth(&self, mass: &[f64]) -> Result<(), String> {
        let proof = self.model.proof;
        for (place, (tree, counted)) in self.model.trees.iter().zip(&self.counted).enumerate() {
            let [alarms, misses] = counted.errors(self.positive);
            if !near(alarms, tree.errors[0], proof.exact) || !near(misses, tree.errors[1], proof.exact) {
                return Err(format!(
                    "tree {place} has {alarms} false positives and {misses} false negatives on these rows, not {} and {}: \
                     these are not the rows of the fit",
                    tree.errors[0], tree.errors[1]
                ));
            }
        }
        let positives = mass[self.positive];
        let errors: Vec<[f64; 2]> = self.counted.iter().map(|of| of.errors(self.positive)).collect();
        let [alarms, misses] = errors[self.model.chosen];
        let objective = match self.learner.params.objective {
            Objective::Named(ObjectiveName::Cost) => self.real_cost(&self.counted[self.model.chosen]),
            Objective::Named(ObjectiveName::F1) => f_measure(1.0, positives, [alarms, misses]),
            Objective::FBeta(FBeta { f_beta }) => f_measure(f_beta, positives, [alarms, misses]),
            Objective::Recall(_) => alarms,
            Objective::Precision(_) => 1.0 - misses / positives,
            Objective::Named(ObjectiveName::Hull) => {
                area(positives, mass.iter().sum::<f64>() - positives, &errors)
            }
        };
        if near(objective, proof.objective, proof.exact) {
            return Ok(());
        }
        Err(format!("the model is worth {objective} on these rows, not {}", proof.objective))
    }

    fn real_cost(&self, counted: &Counted) -> f64 {
        let n = counted.weight.len().isqrt();
        let cell = |(at, weight): (usize, &f64)| weight * self.learner.price(at / n, at % n);
        let errors: f64 = counted.weight.iter().enumerate().map(cell).sum();
        errors + self.learner.params.leaf_cost * counted.n_leaves
    }

    /// Whether claims that hold say that no tree is better; why not, where they do not.
    fn proves(&self) -> (Option<bool>, Option<String>) {
        let chosen = &self.counted[self.model.chosen];
        let shown = match self.learner.params.objective {
            Objective::Recall(_) | Objective::Precision(_) => {
                return (None, Some(FLOOR.into()));
            }
            Objective::Named(ObjectiveName::Cost) => self.cheapest(chosen),
            Objective::Named(ObjectiveName::F1) => self.best_f(1.0, chosen),
            Objective::FBeta(FBeta { f_beta }) => self.best_f(f_beta, chosen),
            Objective::Named(ObjectiveName::Hull) => self.convex(),
        };
        (Some(shown), (!shown).then(|| ROOM.into()))
    }

    /// Whether a tree costs no more than a claim of its prices allows.
    fn meets(&self, counted: &Counted, prices: impl Fn(usize, usize) -> f64, leaf: f64) -> bool {
        let n = self.certificate.units.len();
        let cells: Vec<f64> =
            (0..n * n).map(|at| prices(at / n, at % n) * self.certificate.units[at / n]).collect();
        let largest = |cells: &mut dyn Iterator<Item = &f64>| cells.copied().fold(0.0, f64::max);
        let mine = largest(&mut cells.iter().chain([&leaf]));
        // Shares of beta are fractions of numbers up to 4096, and other prices may have been rounded.
        let slack = match self.learner.params.objective {
            Objective::FBeta(_) => 1e-6,
            _ if self.model.proof.exact => 1e-9,
            _ => 1e-5,
        };
        let alike = |claim: &&Claim| {
            let theirs = largest(&mut claim.prices.iter().flatten().chain([&claim.leaf]));
            let same = |(a, b): (&f64, &f64)| (a * theirs - b * mine).abs() <= slack * mine * theirs;
            cells.iter().zip(claim.prices.iter().flatten()).all(same) && same((&leaf, &claim.leaf))
        };
        self.certificate.claims.iter().filter(alike).any(|claim| counted.cost(claim) <= claim.bound)
    }

    fn cheapest(&self, counted: &Counted) -> bool {
        let n = self.certificate.units.len();
        let least = |class: usize| {
            (0..n).map(|answer| self.learner.price(class, answer)).fold(f64::INFINITY, f64::min)
        };
        let price = |class: usize, answer: usize| self.learner.price(class, answer) - least(class);
        self.meets(counted, price, self.learner.params.leaf_cost)
    }

    /// Two kinds of error at these prices.
    fn shown(&self, counted: &Counted, [alarm, miss]: [f64; 2]) -> bool {
        let price = |class: usize, answer: usize| match (class == self.positive, answer == self.positive) {
            (false, true) => alarm,
            (true, false) => miss,
            _ => 0.0,
        };
        self.meets(counted, price, 0.0)
    }

    /// A tree has a larger F-measure than `f` where it costs less at prices of `f` for a false alarm and
    /// `1 + beta^2 - f` for a miss than this one, of which `f` is the F-measure (Dinkelbach 1967).
    fn best_f(&self, beta: f64, counted: &Counted) -> bool {
        let f = self.model.proof.objective;
        counted.errors(self.positive) == [0.0; 2] || self.shown(counted, [f, 1.0 + beta * beta - f])
    }

    /// Whether no tree lies below any edge between neighbouring trees. Those at both ends have no errors of one kind, so that
    /// their edge also says that no such tree has fewer of the other kind.
    fn convex(&self) -> bool {
        let errors: Vec<[f64; 2]> = self.counted.iter().map(|of| of.errors(self.positive)).collect();
        let edges = errors.windows(2).zip(&self.counted);
        let inner = edges.map(|(two, tree)| (tree, [two[0][1] - two[1][1], two[1][0] - two[0][0]]));
        let ends = errors.first().zip(errors.last());
        ends.is_some_and(|(first, last)| first[0] == 0.0 && last[1] == 0.0)
            && inner.into_iter().all(|(tree, prices)| self.shown(tree, prices))
    }
}

fn f_measure(beta: f64, positives: f64, [alarms, misses]: [f64; 2]) -> f64 {
    let hits = (1.0 + beta * beta) * (positives - misses);
    let all = hits + beta * beta * misses + alarms;
    if all > 0.0 { hits / all } else { 0.0 }
}

/// Area under the ROC curve through trees of these errors.
fn area(positives: f64, negatives: f64, errors: &[[f64; 2]]) -> f64 {
    let points = || std::iter::once([0.0, positives]).chain(errors.iter().copied()).chain([[negatives, 0.0]]);
    let under: f64 = points().zip(points().skip(1)).map(|(a, b)| (b[0] - a[0]) * (a[1] + b[1]) / 2.0).sum();
    1.0 - under / (positives * negatives)
}
