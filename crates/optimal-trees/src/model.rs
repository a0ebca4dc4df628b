//! A fitted model of optimal trees, with its proof.

use crate::best_tree::FittedTree;
use crate::constrained_search::{RateConstraint, ScaledConstraint};
use crate::hull_ranking::HullVoteProbabilities;
use crate::tree_builder::build_model;
use crate::tree_certificate::TreeCertificate;
use imbcore_core::budget::SearchStatus;
use imbcore_core::{ArrayReader, ArrayWriter, Classifier, Error, Frame, Persist, Result, RunContext, Schema};
use imbcore_export::{ExprBuilder, ExprFeatures, ExprRef, PredictionExpr, ToExpr, VoteSpec};
use imbcore_trees::{Tree, TreeModel};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OptimalityProof {
    pub(crate) status: SearchStatus,
    pub(crate) objective: f64,
    /// Proven bound on the objective of every tree.
    ///
    /// It is a lower bound if the objective is minimized, otherwise an upper bound.
    pub(crate) bound: f64,
    pub(crate) exact: bool,
}

/// Relative tolerance within which a bound equals an objective.
///
/// It exceeds the rounding errors of sums of doubles.
pub(crate) const ROUNDING: f64 = 1e-9;

impl OptimalityProof {
    /// If the search is complete but bound and objective differ, sets the status `Rounded`.
    ///
    /// The difference must exceed rounding errors.
    pub(crate) fn new(status: SearchStatus, objective: f64, bound: f64, exact: bool) -> Self {
        match status {
            SearchStatus::Optimal if (bound - objective).abs() <= ROUNDING * objective.abs() => {
                Self { status, objective, bound: objective, exact }
            }
            SearchStatus::Optimal => Self { status: SearchStatus::Rounded, objective, bound, exact },
            _ => Self { status, objective, bound, exact },
        }
    }
}

/// Constraint for which a tree of a ROC hull was chosen, with its objective and bound.
///
/// The objective under a minimum recall is the weight of false positives, and under a minimum precision the
/// recall.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConstraintProof {
    floor: RateConstraint,
    objective: f64,
    bound: f64,
}

/// A fitted tree, or all trees of a ROC hull with the index of the tree that predicts.
#[derive(Clone, Debug, PartialEq)]
pub struct OptimalModel {
    pub(crate) trees: Vec<FittedTree>,
    pub(crate) chosen: usize,
    pub(crate) proof: OptimalityProof,
    /// Training weight of the negative class and of the positive class.
    pub(crate) totals: [f64; 2],
    /// Weight of one unit of the negative and of the positive class.
    pub(crate) unit: [f64; 2],
    pub(crate) asked: Option<ConstraintProof>,
    /// Ranking of rows by all trees of a ROC hull.
    ///
    /// `None` if there is only one tree, or if one tree of the hull was chosen.
    pub(crate) ranking: Option<HullVoteProbabilities>,
    /// Certificate of the bound; `None` if the search recorded no claims.
    pub(crate) certificate: Option<TreeCertificate>,
}

impl ConstraintProof {
    fn to_json(self) -> Value {
        let (name, share) = match self.floor {
            RateConstraint::Recall(recall) => ("recall", recall),
            RateConstraint::Precision(precision) => ("precision", precision),
        };
        let gap = (self.objective - self.bound).abs();
        json!({
            name: share,
            "objective": self.objective,
            "bound": self.bound,
            "gap": gap,
            "proven_optimal": gap == 0.0,
        })
    }
}

impl OptimalModel {
    /// Returns the tree that predicts.
    pub fn tree(&self) -> &TreeModel {
        &self.trees[self.chosen].tree
    }

    /// Whether probabilities come from one tree instead of all trees of a ROC hull.
    pub fn uses_single_tree(&self) -> bool {
        self.ranking.is_none()
    }

    /// Returns the certificate, whose claims a verifier can check.
    pub fn tree_certificate(&self) -> Option<&TreeCertificate> {
        self.certificate.as_ref()
    }

    /// Returns the proof as a JSON document, which lists all trees of a ROC hull.
    pub fn proof_to_json(&self) -> Value {
        let OptimalityProof { status, objective, bound, exact } = self.proof;
        let optimal = status == SearchStatus::Optimal;
        let gap = if optimal { 0.0 } else { (bound - objective).abs() };
        let mut least = 0.0;
        let mut trees = Vec::with_capacity(self.trees.len());
        for (place, tree) in self.trees.iter().enumerate() {
            // The next tree has more false positives and fewer false negatives. `most` is the largest ratio
            // of the cost of a false negative to the cost of a false positive at which the next tree is not
            // better.
            let next = self.trees.get(place + 1);
            let most = next.map(|next| (next.errors[0] - tree.errors[0]) / (tree.errors[1] - next.errors[1]));
            let n_leaves = tree.tree.tree().n_leaves();
            trees.push(json!({
                "false_positives": tree.errors[0],
                "false_negatives": tree.errors[1],
                "best_from": least,
                "best_to": most,
                "n_leaves": n_leaves,
            }));
            least = most.unwrap_or(least);
        }
        json!({
            "status": status,
            "objective": objective,
            "bound": bound,
            "gap": gap,
            "proven_optimal": optimal,
            "exact_numbers": exact,
            "negatives": self.totals[0],
            "positives": self.totals[1],
            "chosen": self.chosen,
            "trees": trees,
            "at": self.asked.map(ConstraintProof::to_json),
        })
    }

    /// Returns a copy of the model in which another tree of the ROC hull predicts.
    ///
    /// # Errors
    /// [`Error::Data`] if there is no such tree.
    pub fn with_predicting_tree(&self, place: usize) -> Result<Self> {
        let n = self.trees.len();
        let Some(tree) = self.trees.get(place) else {
            return Err(Error::Data(format!(
                "the hull has {n} trees, numbered from 0, but got tree {place}"
            )));
        };
        let mut trees = self.trees.clone();
        trees[place].tree = build_model(tree.tree.tree().clone(), &tree.labels)?;
        Ok(Self { trees, chosen: place, asked: None, ranking: None, ..self.clone() })
    }

    /// Index of the cheapest tree of the ROC hull; on ties the tree with fewer false positives.
    pub fn min_cost_tree_index(&self, false_positive: f64, false_negative: f64) -> usize {
        self.best_tree_index(|tree| -(false_positive * tree.errors[0] + false_negative * tree.errors[1]))
    }

    /// Index of the tree of the ROC hull with the largest F-measure.
    ///
    /// If the hull is proven, no other tree has a larger F-measure.
    pub fn max_f_beta_tree_index(&self, beta: f64) -> usize {
        let weight = beta * beta;
        self.best_tree_index(|tree| {
            let hits = (1.0 + weight) * (self.totals[1] - tree.errors[1]);
            let all = hits + weight * tree.errors[1] + tree.errors[0];
            if all > 0.0 { hits / all } else { 0.0 }
        })
    }

    /// Returns a copy that predicts by the best tree of the ROC hull that meets a constraint.
    ///
    /// # Errors
    /// Same errors as [`Self::with_predicting_tree`].
    pub fn with_constrained_tree(&self, floor: RateConstraint) -> Result<Self> {
        let units = |errors: [f64; 2]| [errors[0] / self.unit[0], errors[1] / self.unit[1]];
        let under = ScaledConstraint { floor, positives: self.totals[1] / self.unit[1], unit: self.unit };
        let errors: Vec<[f64; 2]> = self.trees.iter().map(|tree| units(tree.errors)).collect();
        let meeting = (0..errors.len()).filter(|&place| under.is_satisfied_by(errors[place]));
        let kind = under.minimized_error_kind();
        let best = meeting.min_by(|&a, &b| errors[a][kind].total_cmp(&errors[b][kind]));
        let last = if kind == 0 { errors.len() - 1 } else { 0 };
        let place = best.unwrap_or(last);
        let mut least = 0.0;
        if self.proof.status == SearchStatus::Optimal {
            for two in errors.windows(2) {
                // No tree lies below an edge, so each edge bounds the errors under the constraint.
                let (fp, fneg) = (two[0][1] - two[1][1], two[1][0] - two[0][0]);
                least = under.minimized_error_bound([fp, fneg], fp * two[0][0] + fneg * two[0][1]).max(least);
            }
        }
        let worth = |errors: f64| match floor {
            RateConstraint::Recall(_) => errors * self.unit[0],
            RateConstraint::Precision(_) => (1.0 - errors * self.unit[1] / self.totals[1]).max(0.0),
        };
        let found = errors[place][kind];
        let asked = ConstraintProof { floor, objective: worth(found), bound: worth(found.min(least)) };
        Ok(Self { asked: Some(asked), ..self.with_predicting_tree(place)? })
    }

    fn best_tree_index(&self, worth: impl Fn(&FittedTree) -> f64) -> usize {
        let mut best = 0;
        for (place, tree) in self.trees.iter().enumerate() {
            if worth(tree) > worth(&self.trees[best]) {
                best = place;
            }
        }
        best
    }

    /// Sets the predictions of the leaves; `decide` computes them from the leaf probabilities.
    ///
    /// # Errors
    /// Same errors as [`TreeModel::set_decision_rule`].
    pub fn set_decision_rule(&mut self, decide: impl Fn(&[f64]) -> Result<Vec<u32>>) -> Result<()> {
        self.trees[self.chosen].tree.set_decision_rule(decide)
    }
}

impl OptimalModel {
    fn require_single_tree(&self) -> Result<&TreeModel> {
        if self.uses_single_tree() {
            return Ok(self.tree());
        }
        Err(Error::Unsupported(
            "an optimal_tree with objective=\"hull\" predicts by all its trees, which cannot be exported; fit it with another objective"
                .into(),
        ))
    }
}

impl ToExpr for OptimalModel {
    fn to_expr(&self, builder: &mut ExprBuilder, features: ExprFeatures<'_>) -> Result<PredictionExpr> {
        self.require_single_tree()?.to_expr(builder, features)
    }

    fn to_vote(
        &self,
        builder: &mut ExprBuilder,
        features: ExprFeatures<'_>,
        vote: VoteSpec,
    ) -> Result<ExprRef> {
        self.require_single_tree()?.to_vote(builder, features, vote)
    }
}

impl Classifier for OptimalModel {
    fn n_classes(&self) -> usize {
        self.tree().n_classes()
    }

    fn proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<f64>> {
        match &self.ranking {
            Some(ranking) => ranking.proba(&self.trees, frame, ctl),
            None => self.tree().proba(frame, ctl),
        }
    }

    fn predict(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<Vec<u32>> {
        self.tree().predict(frame, ctl)
    }

    fn predict_with_proba(&self, frame: &Frame<'_>, ctl: RunContext<'_>) -> Result<(Vec<u32>, Vec<f64>)> {
        match self.ranking {
            Some(_) => Ok((self.tree().predict(frame, ctl)?, self.proba(frame, ctl)?)),
            None => self.tree().predict_with_proba(frame, ctl),
        }
    }
}

impl Persist for OptimalModel {
    fn write(&self, file: &mut ArrayWriter) -> Result<()> {
        file.write_json("optimal.proof", &self.proof)?;
        file.write_u32s("optimal.trees", &[self.trees.len() as u32, self.chosen as u32]);
        file.write_f64s("optimal.totals", &self.totals);
        file.write_f64s("optimal.unit", &self.unit);
        file.write_json("optimal.asked", &self.asked)?;
        file.write_json("optimal.ranking", &self.ranking)?;
        file.write_json("optimal.certificate", &self.certificate)?;
        let mut parts = Vec::with_capacity(self.trees.len());
        for tree in &self.trees {
            let mut part = ArrayWriter::default();
            tree.tree.tree().write(&mut part)?;
            part.write_u32s("optimal.labels", &tree.labels);
            part.write_f64s("optimal.errors", &tree.errors);
            parts.push(part);
        }
        file.append_models(&parts)
    }

    fn read(file: &ArrayReader<'_>, schema: &Schema) -> Result<Self> {
        let [n_trees, chosen] = file.read_u32_array("optimal.trees")?;
        if chosen >= n_trees {
            return Err(Error::damaged("the index of its predicting tree is out of range"));
        }
        let totals: [f64; 2] = file.read_f64_array("optimal.totals")?;
        let unit: [f64; 2] = file.read_f64_array("optimal.unit")?;
        let asked: Option<ConstraintProof> = file.read_json("optimal.asked")?;
        let proof: OptimalityProof = file.read_json("optimal.proof")?;
        if !unit.iter().all(|unit| *unit > 0.0) {
            return Err(Error::damaged("a unit of its errors is not positive"));
        }
        if !totals.iter().chain(&unit).chain([&proof.objective, &proof.bound]).all(|value| value.is_finite())
        {
            return Err(Error::damaged("a total, objective or bound of its trees is not finite"));
        }
        let one = |place: u32| {
            let part = file.member_arrays(place as usize)?;
            let tree = Tree::read(&part, schema)?;
            let labels = part.read_u32s("optimal.labels")?;
            let n_classes = tree.n_classes();
            if labels.len() != tree.n_nodes() || labels.iter().any(|&label| label as usize >= n_classes) {
                return Err(Error::damaged("a node has an invalid label"));
            }
            FittedTree::new(tree, labels, part.read_f64_array("optimal.errors")?)
        };
        let trees = (0..n_trees).map(one).collect::<Result<Vec<_>>>()?;
        let ranking: Option<HullVoteProbabilities> = file.read_json("optimal.ranking")?;
        let ranking = ranking.map(|ranking| ranking.check(trees.len())).transpose()?;
        if ranking.is_some() && schema.classes.len() != 2 {
            return Err(Error::damaged("a hull requires two classes"));
        }
        // Files of older versions have no certificate.
        let certificate =
            file.has_array("optimal.certificate").then(|| file.read_json("optimal.certificate"));
        let certificate = certificate.transpose()?.flatten();
        Ok(Self { trees, chosen: chosen as usize, proof, totals, unit, asked, ranking, certificate })
    }
}
