//! Structure learning of classifiers.

use crate::dag::Dag;
use crate::info::with_tempered_weights;
use crate::restricted::{aode_graphs, kdb_graph, naive_bayes_graph, selective_naive_bayes_graph, tan_graph};
use crate::score::{FamilyScorer, ScoreFunction};
use crate::search::{ClassRole, InitGraph, Mle, Rectify, ScoreName, StopReason, StructureParams};
use crate::smoothed::SparseColumns;
use crate::table::DiscreteTable;
use imbcore_core::{Error, Result, RunContext, SeedKey};

#[derive(Clone, Debug)]
pub(super) enum StructureMethod {
    /// A search over all graphs.
    ///
    /// In the parameters, arcs refer to columns of the data; the class has the number after the last column.
    Search { method: &'static str, params: Box<StructureParams>, require_class_arc: bool },
    /// If `tempered` is given, it is the exponent of the class weights for learning the graph.
    Restricted { form: RestrictedGraphForm, tempered: Option<f64> },
}

/// Restricted forms of graphs; the class has no parents in any of them.
#[derive(Clone, Copy, Debug)]
pub(super) enum RestrictedGraphForm {
    /// Naive Bayes.
    ///
    /// If `feature_selection` is given, only columns that raise the BIC are used. The value of
    /// `feature_selection` is the factor of the penalty of the BIC.
    Naive { feature_selection: Option<f64> },
    /// Tree-augmented naive Bayes: columns form a tree, and the class is a parent of each column.
    ///
    /// With `prune_arcs`, arcs of the tree that do not raise the BIC are left out.
    Tan { prune_arcs: bool },
    /// k-dependence classifier: each column has up to `k` parents in addition to the class.
    Kdb { k: u32 },
    /// Averaged one-dependence estimators (AODE): one graph per super-parent.
    ///
    /// In each graph, the super-parent and the class are parents of all other columns. If `most` is given,
    /// only the `most` columns with the largest mutual information with the class are super-parents.
    SuperParents { most: Option<u32> },
}

pub(super) struct LearnedGraph {
    pub(super) dag: Dag,
    pub(super) score: Option<f64>,
    pub(super) stopped_by: String,
}

impl StructureMethod {
    /// Learns the graphs of a table whose last column is the class.
    ///
    /// Averaged one-dependence estimators have one graph per super-parent; all other methods have one graph.
    /// Column `i` of the table is column `columns[i]` of the data. The data have `n_features` columns.
    pub(super) fn learn(
        &self,
        (table, sparse): (&DiscreteTable, &SparseColumns),
        columns: &[u32],
        n_features: u32,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<Vec<LearnedGraph>> {
        match self {
            Self::Search { method, params, require_class_arc } => {
                let places = ColumnVariableMap { method, columns, n_features };
                let params = places.map_params_to_variables(params)?;
                let learned = search_structure(method, params, *require_class_arc, table, key, ctl);
                Ok(vec![learned.map_err(|error| places.to_column_error(error))?])
            }
            Self::Restricted { form, tempered: phi } => {
                let class = columns.len() as u32;
                let weighted = phi.map(|phi| with_tempered_weights(table.clone(), class, phi)).transpose()?;
                let dags = form.learn_graphs(weighted.as_ref().unwrap_or(table), class, sparse, ctl)?;
                let learned = |dag| LearnedGraph { dag, score: None, stopped_by: String::new() };
                Ok(dags.into_iter().map(learned).collect())
            }
        }
    }

    /// Penalty per parameter, and exponent of tempered weights; `None` if gains have no bound.
    ///
    /// The gain of an arc has a bound if the search uses BIC or AIC with [`Mle::Family`]. The search may
    /// correct imbalance by tempered weights, but by no other method. Without tempered weights, the exponent
    /// is 1.
    pub(super) fn penalty_per_parameter(&self, total: f64) -> Option<(f64, f64)> {
        let Self::Search { params, .. } = self else { return None };
        let phi = match params.rectify {
            None => 1.0,
            Some(Rectify::Tempered) => params.phi,
            Some(_) => return None,
        };
        let price = match params.score {
            ScoreName::Bic => params.structure_constant * total.ln() / 2.0,
            ScoreName::Aic => params.structure_constant,
            _ => return None,
        };
        (params.mle == Mle::Family).then_some((price, phi))
    }
}

impl RestrictedGraphForm {
    fn learn_graphs(
        self,
        table: &DiscreteTable,
        class: u32,
        sparse: &SparseColumns,
        ctl: RunContext<'_>,
    ) -> Result<Vec<Dag>> {
        let dag = match self {
            Self::Naive { feature_selection: None } => Ok(naive_bayes_graph(table.n_columns(), class)),
            Self::Naive { feature_selection: Some(constant) } => {
                let total = table.total_weight();
                selective_naive_bayes_graph(
                    table,
                    class,
                    &FamilyScorer::new(ScoreFunction::bic(total, constant), total, true),
                    ctl,
                )
            }
            Self::Tan { prune_arcs } => tan_graph(table, class, sparse, prune_arcs, ctl),
            Self::Kdb { k } => kdb_graph(table, class, sparse, k, ctl),
            Self::SuperParents { most } => return aode_graphs(table, class, sparse, most, ctl),
        };
        Ok(vec![dag?])
    }
}

fn search_structure(
    method: &str,
    params: StructureParams,
    require_class_arc: bool,
    table: &DiscreteTable,
    key: SeedKey,
    ctl: RunContext<'_>,
) -> Result<LearnedGraph> {
    let class = table.n_columns() as u32 - 1;
    let settings = params.check(method)?;
    let found = settings.learn(table, Some(class), key, ctl)?;
    let mut learned = LearnedGraph {
        dag: found.dag,
        score: Some(found.score),
        stopped_by: stop_reason_name(found.stopped_by).to_owned(),
    };
    let isolated = learned.dag.arcs().iter().all(|&(from, to)| from != class && to != class);
    if require_class_arc && isolated {
        let mut best: Option<(f64, Dag)> = None;
        for (from, to) in possible_class_arcs(settings.params(), &learned.dag, class) {
            ctl.check()?;
            let mut arcs = learned.dag.arcs();
            arcs.push((from, to));
            let dag = Dag::from_arcs(table.n_columns(), &arcs)?;
            let score = settings.score_dag(table, Some(class), &dag, ctl)?;
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, dag));
            }
        }
        if let Some((score, dag)) = best {
            learned = LearnedGraph { dag, score: Some(score), ..learned };
        }
    }
    Ok(learned)
}

fn stop_reason_name(stopped_by: StopReason) -> &'static str {
    match stopped_by {
        StopReason::Optimal => "optimal",
        StopReason::NoImprovement => "no_improvement",
        StopReason::MaxIters => "max_iters",
        StopReason::MaxScores => "max_scores",
        StopReason::MaxSets => "max_sets",
        StopReason::TimeLimit => "time_limit",
        StopReason::Interrupted => "interrupted",
    }
}

/// Arcs between the class and a column that the constraints allow to add to a graph.
///
/// Arcs from the class come first. The class must not have any arc in the graph, so no cycle can result.
fn possible_class_arcs(params: &StructureParams, dag: &Dag, class: u32) -> Vec<(u32, u32)> {
    let from = (0..class).map(|column| (class, column)).filter(|_| params.class_role != ClassRole::Leaf);
    let to = (0..class).map(|column| (column, class)).filter(|_| params.class_role != ClassRole::Root);
    let most = params.max_parents.map_or(usize::MAX, |most| most as usize);
    let legal = |&(from, to): &(u32, u32)| {
        let tier = |v: u32| params.tiers.as_ref().map_or(0, |tiers| tiers[v as usize]);
        !params.forbidden_arcs.iter().flatten().any(|&arc| arc == (from, to))
            && tier(from) <= tier(to)
            && dag.parents(to as usize).len() < most
    };
    from.chain(to).filter(legal).collect()
}

struct ColumnVariableMap<'a> {
    method: &'a str,
    columns: &'a [u32],
    n_features: u32,
}

impl ColumnVariableMap<'_> {
    fn map_params_to_variables(&self, params: &StructureParams) -> Result<StructureParams> {
        for &(from, to) in params.required_arcs.iter().flatten() {
            if let Some(column) =
                [from, to].into_iter().find(|&v| v <= self.n_features && self.variable_of_column(v).is_none())
            {
                return Err(Error::Column {
                    column: column as usize,
                    message: "has only one bin or level, so it is not in the network, but a required arc \
                              refers to it; use another discretizer or remove the arc"
                        .into(),
                });
            }
        }
        let tiers = params.tiers.as_ref().map(|tiers| self.map_tiers_to_variables(tiers)).transpose()?;
        let init_graph = match &params.init_graph {
            Some(InitGraph::Arcs(arcs)) => {
                self.map_arcs_to_variables("init_graph", Some(arcs))?.map(InitGraph::Arcs)
            }
            rule => rule.clone(),
        };
        Ok(StructureParams {
            required_arcs: self.map_arcs_to_variables("required_arcs", params.required_arcs.as_ref())?,
            forbidden_arcs: self.map_arcs_to_variables("forbidden_arcs", params.forbidden_arcs.as_ref())?,
            init_graph,
            tiers,
            ..params.clone()
        })
    }

    fn to_column_error(&self, error: Error) -> Error {
        match error {
            Error::Column { column, message } => match self.columns.get(column) {
                Some(&column) => Error::Column { column: column as usize, message },
                None => Error::Data(format!("the class {message}")),
            },
            other => other,
        }
    }

    fn variable_of_column(&self, column: u32) -> Option<u32> {
        if column == self.n_features {
            return Some(self.columns.len() as u32);
        }
        self.columns.binary_search(&column).ok().map(|at| at as u32)
    }

    /// Leaves out arcs with a column that is not in the network.
    fn map_arcs_to_variables(
        &self,
        name: &str,
        arcs: Option<&Vec<(u32, u32)>>,
    ) -> Result<Option<Vec<(u32, u32)>>> {
        let Some(arcs) = arcs else { return Ok(None) };
        if let Some(&(from, to)) = arcs.iter().find(|(from, to)| from.max(to) > &self.n_features) {
            let last = self.n_features;
            let expected = format!("made of columns from 0 to {} and the class, {last}", last - 1);
            return Err(Error::parameter(self.method, name, &expected, from.max(to)));
        }
        Ok(Some(
            arcs.iter()
                .filter_map(|&(from, to)| self.variable_of_column(from).zip(self.variable_of_column(to)))
                .collect(),
        ))
    }

    fn map_tiers_to_variables(&self, tiers: &[u32]) -> Result<Vec<u32>> {
        if tiers.len() != self.n_features as usize + 1 {
            let expected = format!("a tier for each of the {} columns and the class", self.n_features);
            return Err(Error::parameter(self.method, "tiers", &expected, format!("{} tiers", tiers.len())));
        }
        Ok(self.columns.iter().chain([&self.n_features]).map(|&column| tiers[column as usize]).collect())
    }
}
