//! Learner of optimal trees.

use crate::best_tree::FittedTree;
use crate::common_unit::to_multiples_of_common_unit;
use crate::constrained_search::{RateConstraint, find_best_constrained_tree};
use crate::f_beta::best_f_measure_tree;
use crate::hull_ranking::HullVoteProbabilities;
use crate::model::{OptimalModel, OptimalityProof};
use crate::params::{
    FBetaObjective, MinPrecision, MinRecall, MissingHandling, OptimalTreeParams, TreeObjective,
    TreeObjectiveName,
};
use crate::prediction_costs::MOST_COST;
use crate::ranked_table::RankedTable;
use crate::roc_area::roc_area;
use crate::solve::{TreeCosts, TreeFamily, solve};
use crate::tree_builder::build_tree;
use crate::tree_certificate::{TreeCertificate, TreeClaim};
use crate::tree_hull::{TreeHull, Vertex, compute_hull};
use crate::tree_plan::TreePlan;
use imbcore_core::budget::{SearchBudget, SearchStatus, StoppingLimits};
use imbcore_core::{
    Column, Costs, Dataset, Error, Frame, Learner, Params, Result, RunContext, SeedKey, rarest_class,
};
use imbcore_trees::ColumnKind;

const DEEPEST: u32 = 4;

/// Warning after a complete search whose bound differs from the objective of its tree.
const ROUNDED: &str = "the search is complete, but weights or costs have no common unit and are too far apart for exact sums, so no \
                       tree is proven optimal (proven_optimal_ is False, and bound_ is valid). For a proof, round the \
                       weights (sample_weight times class_weight) and costs to multiples of one number";

const MOST_BETA: f64 = 64.0;

impl OptimalTreeParams {
    /// Validates the parameters as far as this is possible without data.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(self, method: &'static str) -> Result<OptimalTreeLearner> {
        let specs = self.specs();
        let require = |valid: bool, name: &str, got: &dyn std::fmt::Display| {
            let expected = specs.iter().find(|spec| spec.name == name).map_or("", |spec| spec.expected);
            if valid { Ok(()) } else { Err(Error::parameter(method, name, expected, got)) }
        };
        let at_least_0 = |value: f64| value.is_finite() && value >= 0.0;
        let (name, number, valid) = match self.objective {
            TreeObjective::FBeta(FBetaObjective { f_beta }) => {
                ("f_beta", f_beta, f_beta > 0.0 && f_beta <= MOST_BETA)
            }
            TreeObjective::Recall(MinRecall { recall }) => ("recall", recall, (0.0..=1.0).contains(&recall)),
            TreeObjective::Precision(MinPrecision { precision }) => {
                ("precision", precision, (0.0..=1.0).contains(&precision))
            }
            TreeObjective::Named(_) => ("", 0.0, true),
        };
        require(valid, "objective", &format_args!("{{'{name}': {number}}}"))?;
        require((1..=DEEPEST).contains(&self.max_depth), "max_depth", &self.max_depth)?;
        require(at_least_0(self.min_weight_leaf), "min_weight_leaf", &self.min_weight_leaf)?;
        let share = self.min_weight_fraction_leaf;
        require((0.0..=0.5).contains(&share), "min_weight_fraction_leaf", &share)?;
        require(at_least_0(self.leaf_cost), "leaf_cost", &self.leaf_cost)?;
        if self.leaf_cost > 0.0 && self.objective != TreeObjective::Named(TreeObjectiveName::Cost) {
            let expected = "0 unless objective=\"cost\", because all other objectives count errors only";
            return Err(Error::parameter(method, "leaf_cost", expected, self.leaf_cost));
        }
        if let Some(lookahead) = self.lookahead {
            require((1..DEEPEST).contains(&lookahead), "lookahead", &lookahead)?;
            if matches!(self.objective, TreeObjective::Recall(_) | TreeObjective::Precision(_)) {
                let expected = "None with a minimum recall or precision, which requires a complete search";
                return Err(Error::parameter(method, "lookahead", expected, lookahead));
            }
        }
        if let Some(seconds) = self.time_limit {
            require(seconds > 0.0 && seconds <= StoppingLimits::LONGEST, "time_limit", &seconds)?;
        }
        Ok(OptimalTreeLearner { method, params: self, class_weight: None, costs: None, positive: None })
    }
}

/// Learner of optimal trees with checked parameters.
#[derive(Clone, Debug)]
pub struct OptimalTreeLearner {
    method: &'static str,
    pub(crate) params: OptimalTreeParams,
    pub(crate) class_weight: Option<Vec<f64>>,
    costs: Option<Costs>,
    pub(crate) positive: Option<u32>,
}

struct FoundTrees {
    trees: Vec<TreePlan>,
    chosen: usize,
    proof: OptimalityProof,
    claims: Vec<TreeClaim>,
}

impl OptimalTreeLearner {
    /// Sets class weights, which multiply row weights.
    #[must_use]
    pub fn with_class_weight(self, class_weight: Option<Vec<f64>>) -> Self {
        Self { class_weight, ..self }
    }

    /// Sets misclassification costs; by default every error costs 1.
    #[must_use]
    pub fn with_costs(self, costs: Option<Costs>) -> Self {
        Self { costs, ..self }
    }

    /// Sets the code of the positive class; the default is the rarest class.
    #[must_use]
    pub fn with_positive_class(self, positive: Option<u32>) -> Self {
        Self { positive, ..self }
    }

    pub(crate) fn min_leaf_weight(&self, total: f64) -> f64 {
        self.params.min_weight_leaf.max(self.params.min_weight_fraction_leaf * total)
    }

    fn tree_family(&self, table: &RankedTable) -> TreeFamily {
        let min_weight_leaf = self.min_leaf_weight(table.total_class_masses().iter().sum());
        TreeFamily { max_depth: self.params.max_depth, min_weight_leaf, lookahead: self.params.lookahead }
    }

    pub(crate) fn error_cost(&self, class: usize, predicted: usize) -> f64 {
        self.costs
            .as_ref()
            .map_or(f64::from(u8::from(class != predicted)), |costs| costs.cost(class, predicted))
    }

    /// Cost of a tree, including the costs of its leaves, minus the cost of the best predictions.
    ///
    /// The best prediction of a row is the cheapest prediction for its class.
    fn excess_cost(&self, plan: &TreePlan) -> f64 {
        let leaves = plan.leaves().map(|leaf| {
            let cell = |(class, mass): (usize, &f64)| {
                mass * (self.error_cost(class, leaf.answer as usize)
                    - self.min_class_cost(class, leaf.mass.len()))
            };
            leaf.mass.iter().enumerate().map(cell).sum::<f64>() + self.params.leaf_cost
        });
        leaves.sum()
    }

    pub(crate) fn min_class_cost(&self, class: usize, n_classes: usize) -> f64 {
        (0..n_classes).map(|predicted| self.error_cost(class, predicted)).fold(f64::INFINITY, f64::min)
    }

    fn minimize_cost(&self, table: &RankedTable, budget: &SearchBudget<'_>) -> Result<FoundTrees> {
        let n = table.n_classes();
        let mut cells = Vec::with_capacity(n * n + 1);
        let mut spared = 0.0;
        for (class, units) in table.class_unit_totals().iter().enumerate() {
            // The least cost of each class is subtracted. This does not change the order of the trees, and it
            // keeps sums small enough to be exact doubles.
            let prices = || (0..n).map(|predicted| self.error_cost(class, predicted));
            let least = self.min_class_cost(class, n);
            spared += least * units * table.class_weight_unit(class);
            cells.extend(prices().map(|price| (price - least) * table.class_weight_unit(class)));
        }
        cells.push(self.params.leaf_cost);
        let most = MOST_COST / 2.0 / (table.class_unit_totals().iter().sum::<f64>() + 16.0);
        let whole = if table.has_exact_weights() { to_multiples_of_common_unit(&cells, most) } else { None };
        let exact = whole.is_some();
        let (mut cells, unit) = whole.unwrap_or((cells, 1.0));
        let leaf = cells.pop().unwrap_or_default();
        let found = solve(table, &self.tree_family(table), &TreeCosts { cells, leaf }, budget)?;
        // If the costs are not multiples of a common unit, the search used rounded costs. The actual cost of
        // the tree is then reported.
        let excess = if exact { found.cost * unit } else { self.excess_cost(&found.plan) };
        let OptimalityProof { status, objective, bound, .. } =
            OptimalityProof::new(found.status, excess, found.bound * unit, exact);
        let proof = OptimalityProof { status, objective: objective + spared, bound: bound + spared, exact };
        let claims = found.claim.into_iter().collect();
        Ok(FoundTrees { trees: vec![found.plan], chosen: 0, proof, claims })
    }

    fn maximize_f_beta(
        &self,
        table: &RankedTable,
        positive: usize,
        beta: f64,
        budget: &SearchBudget<'_>,
    ) -> Result<FoundTrees> {
        let found = best_f_measure_tree(table, &self.tree_family(table), positive, beta, budget)?;
        let proof = OptimalityProof::new(
            found.status,
            found.value,
            found.bound,
            table.has_exact_weights() && found.exact,
        );
        let claims = found.claim.into_iter().collect();
        Ok(FoundTrees { trees: vec![found.vertex.plan], chosen: 0, proof, claims })
    }

    fn solve_constrained(
        &self,
        table: &RankedTable,
        positive: usize,
        floor: RateConstraint,
        budget: &SearchBudget<'_>,
    ) -> Result<FoundTrees> {
        let found = find_best_constrained_tree(table, &self.tree_family(table), positive, floor, budget)?;
        let masses = table.total_class_masses();
        // Rounded sums of weights could give a recall below 0.
        let worth = |errors: f64| match floor {
            RateConstraint::Recall(_) => errors,
            RateConstraint::Precision(_) => (1.0 - errors / masses[positive]).max(0.0),
        };
        let kind = usize::from(matches!(floor, RateConstraint::Precision(_)));
        let unit = table.class_weight_unit(if kind == 0 { 1 - positive } else { positive });
        let objective = worth(error_weights(&found.vertex.plan, positive)[kind]);
        // If weights were rounded, the search may have ignored trees that satisfy the constraint with the
        // exact weights. Its bound may then be wrong, so the trivial bound of 0 errors is used.
        let bound = worth(if table.has_exact_weights() { found.bound * unit } else { 0.0 });
        let proof = OptimalityProof::new(found.status, objective, bound, table.has_exact_weights());
        Ok(FoundTrees { trees: vec![found.vertex.plan], chosen: 0, proof, claims: found.claims })
    }

    fn compute_hull(
        &self,
        table: &RankedTable,
        positive: usize,
        budget: &SearchBudget<'_>,
    ) -> Result<FoundTrees> {
        let found: TreeHull = compute_hull(table, &self.tree_family(table), positive, budget)?;
        let masses = table.total_class_masses();
        let of_trees: Vec<[f64; 2]> =
            found.vertices.iter().map(|vertex| error_weights(&vertex.plan, positive)).collect();
        let objective = roc_area(masses[positive], masses[1 - positive], &of_trees);
        // Rounding changes the weight of each row by at most half a unit.
        let moved = |class: usize| 0.5 * table.n_rows() as f64 / table.class_unit_totals()[class];
        let rounding = if table.has_exact_weights() { 0.0 } else { 2.0 * (moved(0) + moved(1)) };
        let bound = if found.status == SearchStatus::Optimal { (objective + rounding).min(1.0) } else { 1.0 };
        let proof = OptimalityProof::new(found.status, objective, bound, table.has_exact_weights());
        let prices = [self.error_cost(1 - positive, positive), self.error_cost(positive, 1 - positive)];
        let cost = |vertex: &Vertex| {
            vertex.cost(
                prices[0] * table.class_weight_unit(1 - positive),
                prices[1] * table.class_weight_unit(positive),
            )
        };
        let mut chosen = 0;
        for (place, vertex) in found.vertices.iter().enumerate() {
            if cost(vertex) < cost(&found.vertices[chosen]) {
                chosen = place;
            }
        }
        let trees = found.vertices.into_iter().map(|vertex| vertex.plan).collect();
        Ok(FoundTrees { trees, chosen, proof, claims: found.claims })
    }

    fn search_for_objective(
        &self,
        table: &RankedTable,
        positive: usize,
        budget: &SearchBudget<'_>,
    ) -> Result<FoundTrees> {
        let objective = self.params.objective;
        if objective == TreeObjective::Named(TreeObjectiveName::Cost) {
            return self.minimize_cost(table, budget);
        }
        if table.n_classes() != 2 {
            let n = table.n_classes();
            return Err(Error::Unsupported(format!(
                "{}: this objective requires two classes, but y has {n}; use objective=\"cost\", or OVA \
                 (OVAClassifier, or method \"ova\")",
                self.method
            )));
        }
        match objective {
            TreeObjective::FBeta(FBetaObjective { f_beta }) => {
                self.maximize_f_beta(table, positive, f_beta, budget)
            }
            TreeObjective::Recall(MinRecall { recall }) => {
                self.solve_constrained(table, positive, RateConstraint::Recall(recall), budget)
            }
            TreeObjective::Precision(MinPrecision { precision }) => {
                self.solve_constrained(table, positive, RateConstraint::Precision(precision), budget)
            }
            TreeObjective::Named(TreeObjectiveName::F1) => self.maximize_f_beta(table, positive, 1.0, budget),
            TreeObjective::Named(_) => self.compute_hull(table, positive, budget),
        }
    }
}

fn reject_missing(method: &str, frame: &Frame<'_>) -> Result<()> {
    let holey = |column: &Column<'_>| (0..column.len()).any(|row| column.is_missing(row));
    let Some(column) = frame.columns().iter().position(holey) else { return Ok(()) };
    let message = format!(
        "has missing values (NaN), which {method} rejects with missing=\"error\"; fill them, or use missing=\"direction\""
    );
    Err(Error::Column { column, message })
}

fn error_weights(plan: &TreePlan, positive: usize) -> [f64; 2] {
    let mut errors = [0.0; 2];
    for leaf in plan.leaves() {
        for (class, mass) in leaf.mass.iter().enumerate() {
            let (is, predicted) = (class == positive, leaf.answer as usize == positive);
            if is != predicted {
                errors[usize::from(is)] += mass;
            }
        }
    }
    errors
}

impl Learner for OptimalTreeLearner {
    type Model = OptimalModel;

    /// Fits the tree; a search that is cancelled returns its best tree so far with its status.
    fn fit(&self, data: &Dataset<'_>, _key: SeedKey, ctl: RunContext<'_>) -> Result<OptimalModel> {
        if self.params.missing == MissingHandling::Error {
            reject_missing(self.method, data.frame())?;
        }
        let limits = StoppingLimits {
            seconds: self.params.time_limit.unwrap_or(StoppingLimits::LONGEST),
            ..StoppingLimits::default()
        };
        let budget = SearchBudget::start(self.method, limits, ctl)?;
        let class_weight = self.class_weight.as_deref();
        let table = if self.params.objective.needs_integer_weights() {
            RankedTable::new(data, class_weight, ctl)?
        } else {
            RankedTable::without_rounding(data, class_weight, ctl)?
        };
        let masses = table.total_class_masses();
        let positive = self.positive.unwrap_or_else(|| rarest_class(&masses)) as usize;
        let FoundTrees { trees, chosen, proof, claims } =
            self.search_for_objective(&table, positive, &budget)?;
        if proof.status == SearchStatus::Rounded {
            ctl.warn(ROUNDED);
        }
        proof.status.warn_of_time_limit(self.method, ctl);
        let certificate = (!claims.is_empty()).then(|| TreeCertificate {
            max_depth: self.params.max_depth,
            min_weight_leaf: self.tree_family(&table).min_weight_leaf,
            units: (0..table.n_classes()).map(|class| table.class_weight_unit(class)).collect(),
            claims,
        });
        let columns: Vec<ColumnKind> = data.frame().columns().iter().map(ColumnKind::from_column).collect();
        let tree = |plan: &TreePlan| {
            let labels = plan.nodes.iter().map(|node| node.answer).collect();
            FittedTree::new(
                build_tree(plan, &columns, data.n_classes())?,
                labels,
                error_weights(plan, positive),
            )
        };
        let trees = trees.iter().map(tree).collect::<Result<Vec<_>>>()?;
        let others = masses.iter().sum::<f64>() - masses[positive];
        let unit = [table.class_weight_unit(1 - positive.min(1)), table.class_weight_unit(positive)];
        let ranks = self.params.objective == TreeObjective::Named(TreeObjectiveName::Hull) && trees.len() > 1;
        let ranking = || {
            HullVoteProbabilities::new(
                &trees,
                positive as u32,
                data,
                self.class_weight.as_deref(),
                RunContext::silent(),
            )
        };
        let ranking = ranks.then(ranking).transpose()?;
        let totals = [others, masses[positive]];
        Ok(OptimalModel { trees, chosen, proof, totals, unit, asked: None, ranking, certificate })
    }
}
