//! Structure learning: from parameters and a table to a graph.

use super::arc_constraints::ArcConstraints;
use super::best_order_search::search_from_orders;
use super::biased_search::{IteratedSearchParams, biased_search, iterated_local_search};
use super::cached_scorer::CachedScorer;
use super::column_order::{ColumnOrder, ReverseOrderScore, order_columns_by_entropy};
use super::decomposable_score::{CountingScore, DecomposableScore, PairwiseScore};
use super::exact::exact_search;
use super::graph_state::{GraphState, Operation};
use super::hill_climbing::{RestartParams, SearchResult, TabuParams, hill_climb_with_restarts};
use super::multi_start::{MultiStartParams, multi_start_search};
use super::params::{
    ClassRole, Gaps, InitGraph, Mle, Rectify, ScoreName, SearchName, StructureParams, TieOrder,
};
use super::proof_search::find_proven_optimal_graph;
use super::rounding::{missing_class_error, ordered_pairs, score_rounding_tolerance};
use super::search_limits::{SearchLimits, StopReason};
use crate::counts::CodeTableForCounting;
use crate::dag::Dag;
use crate::info::{
    entropy_of, pairwise_mutual_information, rectification_term, rectified_variable_mask, state_counts,
    with_tempered_weights,
};
use crate::proof::{GraphProof, ProofObjective};
use crate::score::{FamilyScorer, RowCount, ScoreFunction};
use crate::table::DiscreteTable;
use imbcore_core::{Error, Result, RunContext, SeedKey, tags};

struct SearchInput<'t> {
    table: &'t DiscreteTable,
    order: ColumnOrder,
    class: Option<u32>,
}

/// Checked parameters of structure search.
#[derive(Clone, Debug, PartialEq)]
pub struct StructureSettings(pub(super) StructureParams);

/// Result of a structure search.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundStructure {
    /// The graph.
    pub dag: Dag,
    /// Score of the graph.
    pub score: f64,
    /// Reason why the search ended.
    pub stopped_by: StopReason,
    /// Number of steps of the search: changes of arcs, moves of variables, or rounds.
    pub iterations: u32,
    /// Upper bound on the score of any allowed graph; `None` unless the search is exact.
    pub bound: Option<f64>,
    /// Proof of the bound.
    pub proof: Option<GraphProof>,
    /// Operations that lead from the start graph to the result, with their gains.
    ///
    /// Complete only for single tabu searches, hill climbing and iterated searches. Searches over orders have
    /// no operations. Other searches have none, or only those of their last tabu search.
    pub trace: Vec<(Operation, f64)>,
}

impl StructureParams {
    /// Checks every parameter against its domain.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(self, method: &str) -> Result<StructureSettings> {
        use imbcore_core::Params as _;
        let fail = |name: &str, got: String| {
            let specs = self.specs();
            let expected = specs.iter().find(|spec| spec.name == name).map_or("valid", |spec| spec.expected);
            Err(Error::parameter(method, name, expected, got))
        };
        let natural = |x: f64| x.is_finite() && x >= 0.0;
        for (name, value) in [("structure_constant", self.structure_constant), ("phi", self.phi)] {
            if !natural(value) {
                return fail(name, value.to_string());
            }
        }
        let imagined = self.equivalent_sample_size;
        if !(imagined.is_finite() && imagined > 0.0) {
            return fail("equivalent_sample_size", imagined.to_string());
        }
        if !(self.geometric_p > 0.0 && self.geometric_p < 1.0) {
            return fail("geometric_p", self.geometric_p.to_string());
        }
        let counts = [
            ("tabu", self.tabu),
            ("max_tabu", self.max_tabu),
            ("perturb", self.perturb),
            ("max_without_improvement", self.max_without_improvement),
            ("candidates", self.candidates),
            ("max_iters", self.max_iters.unwrap_or(1)),
            ("rounds", self.rounds.unwrap_or(1)),
            ("max_scores", self.max_scores.unwrap_or(1)),
        ];
        if let Some((name, _)) = counts.into_iter().find(|&(_, count)| count == 0) {
            return fail(name, "0".into());
        }
        // Time limits are below 100 years, because adding a larger duration to a time may overflow.
        if let Some(seconds) = self.time_limit.filter(|&seconds| !(seconds > 0.0 && seconds < 3.2e9)) {
            return fail("time_limit", seconds.to_string());
        }
        if let Some(density) = self.density.filter(|density| !(0.0..=1.0).contains(density)) {
            return fail("density", density.to_string());
        }
        let likelihood = matches!(self.score, ScoreName::LogLikelihood | ScoreName::Bic | ScoreName::Aic);
        if !likelihood && self.mle == Mle::Pairwise {
            let expected =
                "\"family\" with this score; \"pairwise\" requires a score based on the log-likelihood";
            return Err(Error::parameter(method, "mle", expected, "\"pairwise\""));
        }
        if !likelihood && !matches!(self.rectify, None | Some(Rectify::Tempered)) {
            let expected = "None or \"tempered\" with this score; the other forms require a score based on the log-likelihood";
            return Err(Error::parameter(method, "rectify", expected, "another form"));
        }
        Ok(StructureSettings(self))
    }
}

impl StructureSettings {
    /// The parameters.
    pub fn params(&self) -> &StructureParams {
        &self.0
    }

    /// Searches for the arcs between the columns of a table.
    ///
    /// `class` is the class column, if there is one; the parameter `class_role` may restrict its arcs.
    ///
    /// # Errors
    /// [`Error::Data`] or [`Error::Column`] for contradictory constraints, [`Error::Data`] for a missing class
    /// variable, [`Error::Unsupported`] for an exact search over too many variables, [`Error::Cancelled`].
    pub fn learn(
        &self,
        table: &DiscreteTable,
        class: Option<u32>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<FoundStructure> {
        let found = self.learn_interruptible(table, class, key, ctl)?;
        if found.stopped_by == StopReason::Interrupted { Err(Error::Cancelled) } else { Ok(found) }
    }

    /// Same as [`Self::learn`], but an interrupted search returns the best graph found so far.
    ///
    /// An interruption before any graph was found is an error.
    ///
    /// # Errors
    /// Same errors as [`StructureSettings::learn`].
    pub fn learn_interruptible(
        &self,
        table: &DiscreteTable,
        class: Option<u32>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<FoundStructure> {
        let n = table.n_columns();
        if self.0.rectify == Some(Rectify::Tempered) && self.0.phi != 1.0 {
            let class = class.ok_or_else(|| missing_class_error("rectify=\"tempered\""))?;
            let tempered = with_tempered_weights(table.clone(), class, self.0.phi)?;
            return self.learn_with_count_type::<f64>(&tempered, Some(class), key, ctl);
        }
        if self.0.max_parents == Some(0) || n < 2 {
            // Contradictory constraints are an error even with fewer than two columns, or if no variable may
            // have parents.
            self.arc_constraints(&ColumnOrder::identity(n), class)?.required_graph()?;
        }
        match table.weights() {
            Some(_) => self.learn_with_count_type::<f64>(table, class, key, ctl),
            None => self.learn_with_count_type::<u32>(table, class, key, ctl),
        }
    }

    fn learn_with_count_type<N: RowCount>(
        &self,
        table: &DiscreteTable,
        class: Option<u32>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<FoundStructure> {
        let order = match self.0.tie_breaking {
            TieOrder::Column => ColumnOrder::identity(table.n_columns()),
            TieOrder::Entropy | TieOrder::Entropy2 => order_columns_by_entropy(table, ctl)?,
        };
        let over = SearchInput { table, order, class };
        if self.0.mle == Mle::Pairwise {
            let families = self.pairwise_score(table, &over.order, class, ctl)?;
            self.search_column_orders(&families, &over, key, ctl)
        } else {
            let families = self.counting_score::<N>(table, &over.order, class, ctl)?;
            self.search_column_orders(&families, &over, key, ctl)
        }
    }

    /// Searches with one order of the columns, or also with its reverse.
    ///
    /// The parameter `tie_breaking` determines this. Of two results, the better one is returned.
    fn search_column_orders(
        &self,
        families: &dyn DecomposableScore,
        over: &SearchInput<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<FoundStructure> {
        let clock = self.search_limits(ctl);
        // The search "best" itself tries both orders of the columns. The search "exact" finds the best score
        // with any order.
        let once = matches!(self.0.search, SearchName::Best | SearchName::Exact);
        let rules = self.arc_constraints(&over.order, over.class)?;
        if self.0.tie_breaking != TieOrder::Entropy2 || once {
            return self.run_search(families, &rules, over, key, clock);
        }
        let back = SearchInput { order: over.order.reversed(), ..*over };
        let back_rules = self.arc_constraints(&back.order, back.class)?;
        // The searches with the two column orders need many common scores, so they share a cache.
        let memory = CachedScorer::new(families, &rules, score_rounding_tolerance(over.table));
        let (found, other) = rayon::join(
            || self.run_search(&memory, &rules, over, key, clock.for_first_of_two_searches()),
            || {
                self.run_search(
                    &ReverseOrderScore(&memory),
                    &back_rules,
                    &back,
                    key,
                    clock.without_progress_reports(),
                )
            },
        );
        let (found, other) = (found?, other?);
        // If one search was stopped early, the result is marked as stopped early, because this search might
        // have found the better graph with more time.
        let early = [StopReason::Interrupted, StopReason::TimeLimit]
            .into_iter()
            .find(|&why| found.stopped_by == why || other.stopped_by == why);
        let best = if other.score > found.score { other } else { found };
        Ok(FoundStructure { stopped_by: early.unwrap_or(best.stopped_by), ..best })
    }

    /// Limits for all searches of one run together; a run may search with two column orders.
    fn search_limits<'a>(&self, ctl: RunContext<'a>) -> SearchLimits<'a> {
        let limited = matches!(self.0.search, SearchName::Biased | SearchName::IteratedLocal);
        let seconds = self.0.time_limit.or(limited.then_some(30.0));
        let most = self.0.max_iters.or(limited.then_some(1000));
        SearchLimits::start(seconds, most, ctl)
    }

    fn run_search(
        &self,
        families: &dyn DecomposableScore,
        rules: &ArcConstraints,
        over: &SearchInput<'_>,
        key: SeedKey,
        clock: SearchLimits<'_>,
    ) -> Result<FoundStructure> {
        let best = self.search(families, rules, over, key, clock)?;
        let column = |(operation, gain)| (over.order.operation_with_column_numbers(operation), gain);
        Ok(FoundStructure {
            dag: over.order.dag_with_column_numbers(&best.parents)?,
            score: best.score,
            stopped_by: best.stopped_by,
            iterations: best.iterations,
            bound: best.bound,
            proof: best.proof.map(|proof| proof.into_graph_proof(over.order.columns())),
            trace: best.trace.into_iter().map(column).collect(),
        })
    }

    fn score_function(&self, total: f64) -> ScoreFunction {
        let constant = self.0.structure_constant;
        match self.0.score {
            ScoreName::LogLikelihood => ScoreFunction::Likelihood { penalty: 0.0 },
            ScoreName::Bic => ScoreFunction::bic(total, constant),
            ScoreName::Aic => ScoreFunction::Likelihood { penalty: constant },
            ScoreName::K2 => ScoreFunction::K2,
            ScoreName::Bdeu => ScoreFunction::Bdeu { ess: self.0.equivalent_sample_size },
            ScoreName::Bds => ScoreFunction::Bds { ess: self.0.equivalent_sample_size },
            ScoreName::Bdj => ScoreFunction::Bdj,
            ScoreName::Fnml => ScoreFunction::Fnml,
            ScoreName::Qnml => ScoreFunction::Qnml,
        }
    }

    pub(super) fn counting_score<'t, N: RowCount>(
        &self,
        table: &'t DiscreteTable,
        order: &ColumnOrder,
        class: Option<u32>,
        ctl: RunContext<'_>,
    ) -> Result<CountingScore<'t, N>> {
        let (score, bonus) = self.family_scorer(table, order, class);
        let families =
            CountingScore::new(CodeTableForCounting::new(table, order.columns(), ctl)?, score, bonus);
        Ok(match self.0.missing_likelihood {
            Gaps::CommonRows => families.with_common_rows(table, order.columns()),
            Gaps::NodeAverage | Gaps::Available => families,
        })
    }

    /// Score function, and for each variable the constant added to its score if it has parents.
    ///
    /// Variables are numbered by their rank in `order`.
    fn family_scorer(
        &self,
        table: &DiscreteTable,
        order: &ColumnOrder,
        class: Option<u32>,
    ) -> (FamilyScorer, Option<Vec<f64>>) {
        let total = table.total_weight();
        let score =
            FamilyScorer::new(self.score_function(total), total, self.0.missing_likelihood.is_node_average());
        let damp = rectified_variable_mask(self.0.variables, table.n_columns(), class);
        let bonus = |&column: &u32| match self.0.rectify {
            Some(reading) if reading != Rectify::Tempered && damp[column as usize] => {
                total * rectification_term(reading, self.0.phi, &state_counts(table, column))
            }
            _ => 0.0,
        };
        let bonus: Option<Vec<f64>> = match self.0.rectify {
            None | Some(Rectify::Tempered) => None,
            Some(_) => Some(order.columns().iter().map(bonus).collect()),
        };
        (score, bonus)
    }

    /// Score function and constraints for a proof checker; variables are numbered by column.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for scores that have no upper bounds; otherwise the errors of
    /// [`StructureSettings::learn`].
    pub(crate) fn proof_objective(
        &self,
        table: &DiscreteTable,
        class: Option<u32>,
    ) -> Result<ProofObjective> {
        let tempered = self.0.rectify == Some(Rectify::Tempered) && self.0.phi != 1.0;
        if tempered || self.0.mle == Mle::Pairwise {
            return Err(Error::Unsupported(
                "this score has no upper bounds, so it cannot have a certificate".into(),
            ));
        }
        let order = ColumnOrder::identity(table.n_columns());
        let (score, bonus) = self.family_scorer(table, &order, class);
        let bonus = bonus.unwrap_or_else(|| vec![0.0; table.n_columns()]);
        Ok(ProofObjective { score, bonus, rules: self.arc_constraints(&order, class)? })
    }

    pub(super) fn pairwise_score(
        &self,
        table: &DiscreteTable,
        order: &ColumnOrder,
        class: Option<u32>,
        ctl: RunContext<'_>,
    ) -> Result<PairwiseScore> {
        let ScoreFunction::Likelihood { penalty } = self.score_function(table.total_weight()) else {
            return Err(Error::Internal("a pairwise score is a likelihood".into()));
        };
        // For tempered information, no correction is added, because the rows of the table are already
        // weighted.
        let reading = self.0.rectify.filter(|&reading| reading != Rectify::Tempered);
        let reading = reading.map(|reading| (reading, self.0.phi));
        let n = table.n_columns();
        let arcs = pairwise_mutual_information(
            table,
            reading,
            &rectified_variable_mask(self.0.variables, n, class),
            ctl,
        )?;
        let columns = order.columns();
        let place =
            |at: usize| arcs[columns[at / n] as usize * n + columns[at % n] as usize] * table.total_weight();
        let alone = |&column: &u32| -table.total_weight() * entropy_of(&state_counts(table, column));
        Ok(PairwiseScore {
            levels: columns.iter().map(|&column| table.n_states_by_column()[column as usize]).collect(),
            arcs: (0..n * n).map(place).collect(),
            alone: columns.iter().map(alone).collect(),
            penalty,
        })
    }

    fn arc_constraints(&self, order: &ColumnOrder, class: Option<u32>) -> Result<ArcConstraints> {
        let n = order.columns().len();
        let mut rules = ArcConstraints::new(n, self.0.max_parents);
        let known = |arc: &(u32, u32)| (arc.0 as usize) < n && (arc.1 as usize) < n && arc.0 != arc.1;
        let init_arcs = self.0.init_graph.as_ref().and_then(InitGraph::given_arcs);
        let listed = [self.0.required_arcs.as_ref(), self.0.forbidden_arcs.as_ref(), init_arcs];
        let listed = listed.into_iter().flatten().flatten();
        if let Some((from, to)) = listed.into_iter().find(|&arc| !known(arc)) {
            if from == to && (*from as usize) < n {
                let message = "has an arc to itself, which is not allowed in a network".into();
                return Err(Error::Column { column: *from as usize, message });
            }
            return Err(Error::Data(format!(
                "the arc {from} -> {to} is not between two of the {n} variables"
            )));
        }
        for &(from, to) in self.0.required_arcs.iter().flatten() {
            rules.require_arc(order.rank(from), order.rank(to));
        }
        for &(from, to) in self.0.forbidden_arcs.iter().flatten() {
            rules.forbid_arc(order.rank(from), order.rank(to));
        }
        if let Some(tiers) = &self.0.tiers {
            if tiers.len() != n {
                return Err(Error::Data(format!(
                    "tiers has {} entries, but there are {n} variables",
                    tiers.len()
                )));
            }
            for (from, to) in ordered_pairs(n).filter(|&(from, to)| tiers[from as usize] > tiers[to as usize])
            {
                rules.forbid_arc(order.rank(from), order.rank(to));
            }
        }
        if self.0.class_role != ClassRole::Free {
            let class = class.ok_or_else(|| missing_class_error("class_role"))?;
            let inward = self.0.class_role == ClassRole::Root;
            for (from, to) in ordered_pairs(n).filter(|&(from, to)| class == if inward { to } else { from }) {
                rules.forbid_arc(order.rank(from), order.rank(to));
            }
        }
        if let Some((to, message)) = rules.find_contradiction() {
            let column = order.columns()[to as usize] as usize;
            return Err(Error::Column { column, message: message.into() });
        }
        Ok(rules)
    }

    fn search(
        &self,
        families: &dyn DecomposableScore,
        rules: &ArcConstraints,
        over: &SearchInput<'_>,
        key: SeedKey,
        clock: SearchLimits<'_>,
    ) -> Result<SearchResult> {
        let params = &self.0;
        let tolerance = score_rounding_tolerance(over.table);
        let iterated = IteratedSearchParams {
            tolerance,
            patience: params.max_without_improvement,
            geometric_p: params.geometric_p,
            candidates: params.candidates,
            accept: params.accept,
        };
        let downhill = TabuParams { remember: params.tabu as usize, patience: params.max_tabu };
        if params.search == SearchName::Exact {
            if !families.has_tight_bounds() {
                return exact_search(families, rules, clock.ctl);
            }
            let rounds =
                MultiStartParams { most: 10, max_scores: 20_000_000, perturb: params.perturb, downhill };
            return find_proven_optimal_graph(families, rules, rounds, tolerance, key, clock);
        }
        let start = self.initial_graph(rules, &over.order, over.class, key)?;
        if matches!(params.search, SearchName::Boss | SearchName::Best) {
            let memory = CachedScorer::new(families, rules, tolerance);
            return match params.search {
                SearchName::Boss => search_from_orders(&memory, &start, params.restarts, key, clock),
                _ => multi_start_search(&memory, &start, self.multi_start_params(downhill), key, clock),
            };
        }
        let restarts = RestartParams {
            number: params.restarts,
            size: params.perturb,
            perturbation: params.perturbation,
        };
        let state = if params.search == SearchName::HillClimbing && params.restarts == 0 {
            GraphState::with_min_gain(families, rules, &start, -tolerance, clock.ctl)?
        } else {
            GraphState::new(families, rules, &start, clock.ctl)?
        };
        let mut rng = key.child(tags::structure::STEPS, 0).rng();
        match params.search {
            SearchName::Tabu => {
                hill_climb_with_restarts(state, tolerance, Some(downhill), restarts, key, clock)
            }
            SearchName::HillClimbing => {
                hill_climb_with_restarts(state, tolerance, None, restarts, key, clock)
            }
            SearchName::Biased => biased_search(state, iterated, &mut rng, clock),
            _ => iterated_local_search(state, iterated, &mut rng, clock),
        }
    }
}

impl StructureSettings {
    fn multi_start_params(&self, downhill: TabuParams) -> MultiStartParams {
        let params = &self.0;
        // The maximum number of scores also limits the memory: a cached score takes about ten bytes.
        let (rounds, scores) =
            if params.time_limit.is_some() { (u32::MAX, 200_000_000) } else { (40, 20_000_000) };
        MultiStartParams {
            most: params.rounds.unwrap_or(rounds),
            max_scores: params.max_scores.unwrap_or(scores).into(),
            perturb: params.perturb,
            downhill,
        }
    }
}
