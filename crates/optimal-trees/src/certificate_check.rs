//! Check whether the claims of a certificate prove that the trees of a model are optimal.

use crate::best_tree::FittedTree;
use crate::claim_verifier::{TreeClaimVerifier, VerificationReport, check_claims};
use crate::integer_costs::IntegerCostScale;
use crate::learner::OptimalTreeLearner;
use crate::model::{OptimalModel, ROUNDING};
use crate::params::{FBetaObjective, TreeObjective, TreeObjectiveName};
use crate::reference_table::VerifierTable;
use crate::roc_area::roc_area;
use crate::tree_certificate::{SplitBound, TreeCertificate, TreeClaim};
use imbcore_core::budget::{SearchBudget, StoppingLimits};
use imbcore_core::{Dataset, Result, RunContext, rarest_class};

const NO_CLAIMS: &str = "the certificate has no claims to check; a fit with lookahead records none, because its bound is from a subsample";
const ROOM: &str = "every claim holds, but the bounds leave room for a better tree: the search was not complete, or leaves have a \
                    minimum weight that the claims ignore";
const ROUNDED: &str = "every claim holds, but weights or costs have no common unit, and their rounding leaves room for a better \
                       tree";
const TOO_MANY: &str = "the certificate has more claims than these rows can require";
const NO_COSTS: &str = "the costs of a claim are not the costs that the model states, or not costs of false positives and false \
                        negatives with at least one above 0";
const FLOOR: &str = "the claims prove the hull edges next to the constraint; that no tree between them is better was shown by \
                     enumeration, which only another fit can repeat";

struct TreeErrors {
    answers: Vec<usize>,
    /// Weight of the rows by true and predicted class, `class * n_classes + predicted`.
    weight: Vec<f64>,
    n_leaves: f64,
}

fn is_nearly_equal(a: f64, b: f64) -> bool {
    (a - b).abs() <= ROUNDING * a.abs().max(b.abs())
}

const ALIKE: f64 = 1e-11;

/// Whether the vector `theirs` is a positive multiple of the vector `mine`.
///
/// The tolerance of each element is relative to this element, even if other elements are much larger.
fn is_proportional(mine: &[f64], theirs: &[f64]) -> bool {
    let mut factor = None;
    for (position, value) in mine.iter().enumerate() {
        if factor.is_none_or(|(_, largest)| *value > largest) {
            factor = Some((position, *value));
        }
    }
    let Some((position, largest)) = factor.filter(|(_, largest)| *largest > 0.0) else { return false };
    let factor = theirs[position] / largest;
    let same = |(mine, theirs): (&f64, &f64)| (theirs - factor * mine).abs() <= ALIKE * factor * mine;
    factor > 0.0 && factor.is_finite() && mine.len() == theirs.len() && mine.iter().zip(theirs).all(same)
}

fn flatten_claim_costs(claim: &TreeClaim) -> Vec<f64> {
    claim.prices.iter().flatten().copied().chain([claim.leaf]).collect()
}

impl TreeCertificate {
    pub(crate) fn without_claims(n_classes: usize) -> Self {
        Self { max_depth: 0, min_weight_leaf: 0.0, units: vec![1.0; n_classes], claims: Vec::new() }
    }

    /// Returns the reason if the certificate is for other trees or other rows.
    ///
    /// Later computations take the depth, the weights and the units from the model and the rows, never from
    /// the certificate.
    fn find_mismatch(
        &self,
        plain: &VerifierTable,
        max_depth: u32,
        least_weight: f64,
    ) -> Option<&'static str> {
        let n_classes = plain.unit.len();
        let count = |value: &f64| value.is_finite() && *value >= 0.0;
        let valid_cut = |bounds: &SplitBound| [bounds.first, bounds.second].iter().flatten().all(count);
        let stated = |claim: &TreeClaim| {
            let square = claim.prices.len() == n_classes
                && claim.prices.iter().all(|row| row.len() == n_classes && row.iter().all(count));
            square && count(&claim.leaf) && count(&claim.bound) && claim.cuts.iter().all(valid_cut)
        };
        if self.max_depth != max_depth {
            return Some("the certificate is for trees of another depth");
        }
        if !is_nearly_equal(self.min_weight_leaf, least_weight) {
            return Some("the certificate is for trees with another minimum leaf weight");
        }
        let units = || self.units.iter().zip(&plain.unit);
        if self.units.len() != n_classes || !units().all(|(stated, unit)| is_nearly_equal(*stated, *unit)) {
            return Some("the units of the certificate are not the class units of these rows");
        }
        if !self.claims.iter().all(stated) {
            return Some(
                "a claim of the certificate has a negative or non-finite number, or costs for another number of classes",
            );
        }
        None
    }
}

impl TreeErrors {
    fn new(
        tree: &FittedTree,
        plain: &VerifierTable,
        data: &Dataset<'_>,
        weights: &[f64],
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let n = data.n_classes();
        let mut answers = vec![0; plain.n_rows()];
        let mut weight = vec![0.0; n * n];
        let leaves = tree.tree.apply(data.frame(), ctl)?;
        for (row, leaf) in leaves.into_iter().enumerate() {
            let Some(place) = plain.place[row] else { continue };
            answers[place] = tree.labels[leaf as usize] as usize;
            weight[data.class_codes()[row] as usize * n + answers[place]] += weights[row];
        }
        Ok(Self { answers, weight, n_leaves: tree.tree.tree().n_leaves() as f64 })
    }

    /// Whether this tree costs at most the bound that a claim states for all trees.
    fn is_cost_within_claim(&self, claim: &TreeClaim, plain: &VerifierTable) -> bool {
        let Some(whole) = IntegerCostScale::new(&plain.units, &claim.prices, claim.leaf) else {
            return false;
        };
        let rows = plain.units.iter().zip(&self.answers);
        let errors: f64 =
            rows.map(|(units, &predicted)| whole.integer_row_cost(units, &claim.prices, predicted)).sum();
        let cost = errors + whole.integer_leaf_cost(claim.leaf) * self.n_leaves;
        if whole.slack == 0.0 {
            return cost <= claim.bound;
        }
        cost - claim.bound + whole.slack <= ROUNDING * cost
    }

    fn total_class_weight(&self, class: usize) -> f64 {
        let n = self.weight.len().isqrt();
        self.weight[class * n..(class + 1) * n].iter().sum()
    }

    fn error_weights(&self, positive: usize) -> [f64; 2] {
        let n = self.weight.len().isqrt();
        let mut errors = [0.0; 2];
        for (cell, weight) in self.weight.iter().enumerate() {
            let (is, predicted) = (cell / n == positive, cell % n == positive);
            if is != predicted {
                errors[usize::from(is)] += weight;
            }
        }
        errors
    }
}

struct CertificateCheck<'a> {
    learner: &'a OptimalTreeLearner,
    model: &'a OptimalModel,
    certificate: &'a TreeCertificate,
    plain: &'a VerifierTable,
    counted: Vec<TreeErrors>,
    positive: usize,
}

impl OptimalTreeLearner {
    /// Verifies that the trees of a model are optimal on the training rows.
    ///
    /// The certificate is `given`, or the certificate of the model if `given` is `None`.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`], and [`imbcore_core::Error::Parameter`] for invalid limits.
    pub fn verify(
        &self,
        model: &OptimalModel,
        given: Option<&TreeCertificate>,
        data: &Dataset<'_>,
        limits: StoppingLimits,
        ctl: RunContext<'_>,
    ) -> Result<VerificationReport> {
        let budget = SearchBudget::start("optimal_tree", limits, ctl)?;
        let weights = self.class_weighted_row_weights(data);
        let (depth, least_weight) = (self.params.max_depth, self.min_leaf_weight(weights.iter().sum()));
        let asked = given.or(model.certificate.as_ref());
        let rounds = self.params.objective.needs_integer_weights();
        let plain = VerifierTable::new(data, self.class_weight.as_deref(), rounds, ctl)?;
        let misfit = asked.and_then(|certificate| certificate.find_mismatch(&plain, depth, least_weight));
        let none = TreeCertificate::without_claims(data.n_classes());
        let certificate = asked.filter(|_| misfit.is_none()).unwrap_or(&none);
        let count = |tree: &FittedTree| TreeErrors::new(tree, &plain, data, &weights, ctl);
        let counted = model.trees.iter().map(count).collect::<Result<Vec<_>>>()?;
        let mut mass = vec![0.0; data.n_classes()];
        weights.iter().zip(data.class_codes()).for_each(|(weight, &class)| mass[class as usize] += weight);
        let positive = self.positive.unwrap_or_else(|| rarest_class(&mass)) as usize;
        let judge = CertificateCheck { learner: self, model, certificate, plain: &plain, counted, positive };
        if let Err(reason) = judge.check_objective(&mass) {
            return Ok(VerificationReport {
                proves_optimal: Some(false),
                ..failure_report(false, None, &reason)
            });
        }
        if asked.is_none_or(|certificate| certificate.claims.is_empty()) {
            return Ok(failure_report(true, None, NO_CLAIMS));
        }
        if let Some(reason) = misfit {
            return Ok(failure_report(true, Some(false), reason));
        }
        if let Some(reason) = judge.find_wrong_costs() {
            return Ok(failure_report(true, Some(false), reason));
        }
        let rows = plain.all_rows();
        let ladders = plain.split_sequences(&rows);
        let root = TreeClaimVerifier { plain: &plain, depth, least_weight, rows, ladders, budget: &budget };
        Ok(match check_claims(&root, &certificate.claims)? {
            None => failure_report(true, None, "the time limit was reached"),
            Some(Err(reason)) => failure_report(true, Some(false), &reason),
            Some(Ok(())) => {
                let (proves_optimal, reason) = judge.check_optimality();
                VerificationReport { objective_holds: true, bounds_hold: Some(true), proves_optimal, reason }
            }
        })
    }

    fn class_weighted_row_weights(&self, data: &Dataset<'_>) -> Vec<f64> {
        let of_class = |row: usize| {
            self.class_weight.as_ref().map_or(1.0, |weights| weights[data.class_codes()[row] as usize])
        };
        (0..data.n_rows()).map(|row| data.weight(row) * of_class(row)).collect()
    }
}

fn failure_report(objective_holds: bool, bounds_hold: Option<bool>, reason: &str) -> VerificationReport {
    VerificationReport {
        objective_holds,
        bounds_hold,
        proves_optimal: bounds_hold,
        reason: Some(reason.to_owned()),
    }
}

impl CertificateCheck<'_> {
    /// Returns a message if there are too many claims, or if a claim has unsuitable costs.
    ///
    /// The costs must be those of the model, or costs of false positives and false negatives only.
    fn find_wrong_costs(&self) -> Option<&'static str> {
        let claims = &self.certificate.claims;
        let totals = |class: usize| self.plain.units.iter().map(|units| units[class]).sum::<f64>();
        let most = match self.learner.params.objective {
            TreeObjective::Named(TreeObjectiveName::Cost | TreeObjectiveName::F1)
            | TreeObjective::FBeta(_) => 1.0,
            // The limit exceeds the number of vertices and edges of a ROC hull. A hull has at most one vertex
            // for each number of errors of one kind.
            _ => 2.0 * totals(0).min(totals(1)) + 4.0,
        };
        if claims.len() as f64 > most {
            return Some(TOO_MANY);
        }
        let of_cost = self.learner.params.objective == TreeObjective::Named(TreeObjectiveName::Cost);
        let expected = self.cost_matrix_and_leaf_cost();
        let right = |claim: &TreeClaim| {
            let cells = flatten_claim_costs(claim);
            if of_cost { is_proportional(&expected, &cells) } else { has_two_error_costs(claim) }
        };
        (!claims.iter().all(right)).then_some(NO_COSTS)
    }

    fn check_objective(&self, mass: &[f64]) -> Result<(), String> {
        let proof = self.model.proof;
        for (place, (tree, counted)) in self.model.trees.iter().zip(&self.counted).enumerate() {
            let [alarms, misses] = counted.error_weights(self.positive);
            if !is_nearly_equal(alarms, tree.errors[0]) || !is_nearly_equal(misses, tree.errors[1]) {
                return Err(format!(
                    "tree {place} has {alarms} false positives and {misses} false negatives on these rows, not {} and {}: \
                     these are not the rows of the fit",
                    tree.errors[0], tree.errors[1]
                ));
            }
        }
        let [alarms, misses] = self.counted[self.model.chosen].error_weights(self.positive);
        let hits = mass[self.positive] - misses;
        // The tolerance exceeds that of the fit. It is larger if weights are not multiples of a common unit,
        // because the fit then rounds them.
        let slack = 2e-9 + if self.plain.exact { 0.0 } else { self.plain.units.len() as f64 / 16_777_216.0 };
        let (name, meets) = match self.learner.params.objective {
            TreeObjective::Recall(target) => {
                ("recall", hits >= (target.recall - slack) * mass[self.positive])
            }
            TreeObjective::Precision(target) => {
                ("precision", hits >= (target.precision - slack) * (hits + alarms))
            }
            TreeObjective::Named(_) | TreeObjective::FBeta(_) => ("", true),
        };
        if !meets {
            return Err(format!("the tree does not reach the minimum {name} of the objective on these rows"));
        }
        let objective = self.objective(mass);
        if is_nearly_equal(objective, proof.objective) {
            return Ok(());
        }
        Err(format!("the objective of the model is {objective} on these rows, not {}", proof.objective))
    }

    fn objective(&self, mass: &[f64]) -> f64 {
        let positives = mass[self.positive];
        let errors: Vec<[f64; 2]> =
            self.counted.iter().map(|counted| counted.error_weights(self.positive)).collect();
        let [alarms, misses] = errors[self.model.chosen];
        match self.learner.params.objective {
            TreeObjective::Named(TreeObjectiveName::Cost) => {
                self.total_cost(&self.counted[self.model.chosen])
            }
            TreeObjective::Named(TreeObjectiveName::F1) => f_measure(1.0, positives, [alarms, misses]),
            TreeObjective::FBeta(FBetaObjective { f_beta }) => f_measure(f_beta, positives, [alarms, misses]),
            TreeObjective::Recall(_) => alarms,
            TreeObjective::Precision(_) => 1.0 - misses / positives,
            TreeObjective::Named(TreeObjectiveName::Hull) => {
                roc_area(positives, mass.iter().sum::<f64>() - positives, &errors)
            }
        }
    }

    fn total_cost(&self, counted: &TreeErrors) -> f64 {
        self.cost_above_class_minima(counted, |_| 0.0)
    }

    fn excess_cost(&self, counted: &TreeErrors) -> f64 {
        self.cost_above_class_minima(counted, |class| {
            self.learner.min_class_cost(class, self.plain.unit.len())
        })
    }

    fn cost_above_class_minima(&self, counted: &TreeErrors, least: impl Fn(usize) -> f64) -> f64 {
        let n = self.plain.unit.len();
        let cell = |(index, weight): (usize, &f64)| {
            weight * (self.learner.error_cost(index / n, index % n) - least(index / n))
        };
        let errors: f64 = counted.weight.iter().enumerate().map(cell).sum();
        errors + self.learner.params.leaf_cost * counted.n_leaves
    }

    fn check_optimality(&self) -> (Option<bool>, Option<String>) {
        let chosen = &self.counted[self.model.chosen];
        let shown = match self.learner.params.objective {
            TreeObjective::Recall(_) | TreeObjective::Precision(_) => {
                return (None, Some(FLOOR.into()));
            }
            // If every row has its cheapest prediction and leaves cost nothing, the excess cost is 0. No tree
            // costs less, so no claim is needed.
            TreeObjective::Named(TreeObjectiveName::Cost) => {
                self.excess_cost(chosen) == 0.0
                    || self.claim_proves_optimal(chosen, &self.cost_matrix_and_leaf_cost())
            }
            TreeObjective::Named(TreeObjectiveName::F1) => self.proves_f_measure_optimal(1.0, chosen),
            TreeObjective::FBeta(FBetaObjective { f_beta }) => self.proves_f_measure_optimal(f_beta, chosen),
            TreeObjective::Named(TreeObjectiveName::Hull) => self.proves_hull_optimal(),
        };
        let reason = if self.plain.exact { ROOM } else { ROUNDED };
        (Some(shown), (!shown).then(|| reason.into()))
    }

    /// Whether a claim at costs proportional to `prices` proves that the tree is optimal.
    ///
    /// The last number of `prices` is the cost of a leaf.
    fn claim_proves_optimal(&self, counted: &TreeErrors, prices: &[f64]) -> bool {
        let alike = |claim: &&TreeClaim| is_proportional(prices, &flatten_claim_costs(claim));
        self.certificate
            .claims
            .iter()
            .filter(alike)
            .any(|claim| counted.is_cost_within_claim(claim, self.plain))
    }

    /// Cost matrix of the model per unit of each class, followed by the cost of a leaf.
    ///
    /// The least cost of each class is subtracted, because this does not change the order of the trees.
    fn cost_matrix_and_leaf_cost(&self) -> Vec<f64> {
        let n = self.plain.unit.len();
        let least = |class: usize| self.learner.min_class_cost(class, n);
        let cell = |index: usize| {
            (self.learner.error_cost(index / n, index % n) - least(index / n)) * self.plain.unit[index / n]
        };
        (0..n * n).map(cell).chain([self.learner.params.leaf_cost]).collect()
    }

    fn proves_tree_optimal(&self, counted: &TreeErrors, [alarm, miss]: [f64; 2]) -> bool {
        let unit = &self.plain.unit;
        let price =
            |class: usize, predicted: usize| match (class == self.positive, predicted == self.positive) {
                (false, true) => alarm * unit[class],
                (true, false) => miss * unit[class],
                _ => 0.0,
            };
        let cells: Vec<f64> = (0..4).map(|index| price(index / 2, index % 2)).chain([0.0]).collect();
        alarm >= 0.0 && miss >= 0.0 && self.claim_proves_optimal(counted, &cells)
    }

    /// Whether a claim proves that no tree has a larger F-measure than this tree.
    ///
    /// The F-measure of this tree is `f`. A better tree would cost less than this tree, if a false positive
    /// costs `f` and a false negative `1 + beta^2 - f` (Dinkelbach 1967).
    fn proves_f_measure_optimal(&self, beta: f64, counted: &TreeErrors) -> bool {
        let f =
            f_measure(beta, counted.total_class_weight(self.positive), counted.error_weights(self.positive));
        counted.error_weights(self.positive) == [0.0; 2]
            || self.proves_tree_optimal(counted, [f, 1.0 + beta * beta - f])
    }

    /// Whether claims prove that no tree lies below an edge between neighbors on the hull.
    ///
    /// The first tree must have no false positives. The first edge then proves that no other tree without
    /// false positives has fewer false negatives. The last tree must have no false negatives. The last edge
    /// then proves that no other tree without false negatives has fewer false positives.
    fn proves_hull_optimal(&self) -> bool {
        let errors: Vec<[f64; 2]> =
            self.counted.iter().map(|counted| counted.error_weights(self.positive)).collect();
        let edges = errors.windows(2).zip(&self.counted);
        let inner = edges.map(|(two, tree)| (tree, [two[0][1] - two[1][1], two[1][0] - two[0][0]]));
        let ends = errors.first().zip(errors.last());
        ends.is_some_and(|(first, last)| first[0] == 0.0 && last[1] == 0.0)
            && inner.into_iter().all(|(tree, prices)| self.proves_tree_optimal(tree, prices))
    }
}

fn has_two_error_costs(claim: &TreeClaim) -> bool {
    match &claim.prices[..] {
        [first, second] => {
            claim.leaf == 0.0 && first[0] == 0.0 && second[1] == 0.0 && first[1].max(second[0]) > 0.0
        }
        _ => false,
    }
}

fn f_measure(beta: f64, positives: f64, [alarms, misses]: [f64; 2]) -> f64 {
    let hits = (1.0 + beta * beta) * (positives - misses);
    let all = hits + beta * beta * misses + alarms;
    if all > 0.0 { hits / all } else { 0.0 }
}
