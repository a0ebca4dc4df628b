//! A fitted exact tree, with what is proven of it.

use crate::best_tree::BestTree;
use crate::claim::Certificate;
use crate::floor::{Floor, Under};
use crate::grown::answering;
use crate::ranking::Ranking;
use imbcore_base::budget::Status;
use imbcore_base::{ArrayReader, ArrayWriter, Classifier, Error, Frame, Result, RunCtl, Schema, Stored};
use imbcore_tree::{Tree, TreeModel};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What is proven of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Proof {
    /// Why the search ended.
    pub(crate) status: Status,
    /// What the tree is worth: its cost, its F-measure, or the area under the hull.
    pub(crate) objective: f64,
    /// No tree is worth more, or costs less.
    pub(crate) bound: f64,
    /// Whether weights and costs are multiples of common units, so that all sums are exact.
    pub(crate) exact: bool,
}

/// Relative difference up to which bound and objective are equal: more than the rounding of sums of double precision.
pub(crate) const ROUNDING: f64 = 1e-9;

impl Proof {
    /// A complete search whose bound is further from the objective than rounding explains is no proof.
    pub(crate) fn new(status: Status, objective: f64, bound: f64, exact: bool) -> Self {
        match status {
            Status::Optimal if (bound - objective).abs() <= ROUNDING * objective.abs() => {
                Self { status, objective, bound: objective, exact }
            }
            Status::Optimal => Self { status: Status::Rounded, objective, bound, exact },
            _ => Self { status, objective, bound, exact },
        }
    }
}

/// A floor that a tree of a hull was taken for, and what is proven there: weights of false positives under a floor of recall,
/// recalls under one of precision.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    floor: Floor,
    objective: f64,
    bound: f64,
}

/// The trees of a hull, or one tree, and which of them answers.
#[derive(Clone, Debug, PartialEq)]
pub struct OptimalModel {
    pub(crate) trees: Vec<BestTree>,
    pub(crate) chosen: usize,
    pub(crate) proof: Proof,
    /// Weight of the training rows of the other class, and of the positive one.
    pub(crate) totals: [f64; 2],
    /// Weight of which errors of both kinds are whole multiples.
    pub(crate) unit: [f64; 2],
    /// The floor that the tree was taken for.
    pub(crate) asked: Option<Asked>,
    /// How rows rank by all trees of a hull; none where one tree is all there is, or was taken.
    pub(crate) ranking: Option<Ranking>,
    /// What shows the bound; none where only a part of the rows was looked at.
    pub(crate) certificate: Option<Certificate>,
}

impl Asked {
    fn document(&self) -> Value {
        let (name, share) = match self.floor {
            Floor::Recall(recall) => ("recall", recall),
            Floor::Precision(precision) => ("precision", precision),
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
    /// The tree that answers.
    pub fn tree(&self) -> &TreeModel {
        &self.trees[self.chosen].tree
    }

    /// Whether probabilities are those of a tree, and not of all trees of a hull.
    pub fn speaks_by_tree(&self) -> bool {
        self.ranking.is_none()
    }

    /// What shows to a checker that no tree is better.
    pub fn claims(&self) -> Option<&Certificate> {
        self.certificate.as_ref()
    }

    /// Everything that is proven, as a document; of a hull with every tree.
    pub fn certificate(&self) -> Value {
        let Proof { status, objective, bound, exact } = self.proof;
        let optimal = status == Status::Optimal;
        let gap = if optimal { 0.0 } else { (bound - objective).abs() };
        let mut least = 0.0;
        let mut trees = Vec::with_capacity(self.trees.len());
        for (place, tree) in self.trees.iter().enumerate() {
            // Up to this many false positives for a false negative the next tree is not better.
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
            "at": self.asked.map(|asked| asked.document()),
        })
    }

    /// The same model, answering as another tree of the hull was found to.
    ///
    /// # Errors
    /// [`Error::Data`] where there is no such tree.
    pub fn at(&self, place: usize) -> Result<Self> {
        let n = self.trees.len();
        let Some(tree) = self.trees.get(place) else {
            return Err(Error::Data(format!("the hull has {n} trees, there is no tree {place}")));
        };
        let mut trees = self.trees.clone();
        trees[place].tree = answering(tree.tree.tree().clone(), &tree.labels)?;
        Ok(Self { trees, chosen: place, asked: None, ranking: None, ..self.clone() })
    }

    /// The tree of the hull of least cost at these prices of an error; of equals the one of fewer false positives.
    pub fn cheapest(&self, false_positive: f64, false_negative: f64) -> usize {
        self.best(|tree| -(false_positive * tree.errors[0] + false_negative * tree.errors[1]))
    }

    /// The tree of the hull of largest F-measure, hence of all trees.
    pub fn best_f(&self, beta: f64) -> usize {
        let weight = beta * beta;
        self.best(|tree| {
            let hits = (1.0 + weight) * (self.totals[1] - tree.errors[1]);
            let all = hits + weight * tree.errors[1] + tree.errors[0];
            if all > 0.0 { hits / all } else { 0.0 }
        })
    }

    /// The best tree of the hull under a floor, with what is proven of it.
    ///
    /// # Errors
    /// None; as [`Self::at`].
    pub fn at_floor(&self, floor: Floor) -> Result<Self> {
        let units = |errors: [f64; 2]| [errors[0] / self.unit[0], errors[1] / self.unit[1]];
        let under = Under { floor, positives: self.totals[1] / self.unit[1], unit: self.unit };
        let errors: Vec<[f64; 2]> = self.trees.iter().map(|tree| units(tree.errors)).collect();
        let meeting = (0..errors.len()).filter(|&place| under.meets(errors[place]));
        let kind = under.kind();
        let best = meeting.min_by(|&a, &b| errors[a][kind].total_cmp(&errors[b][kind]));
        let last = if kind == 0 { errors.len() - 1 } else { 0 };
        let place = best.unwrap_or(last);
        let mut least = 0.0;
        if self.proof.status == Status::Optimal {
            for two in errors.windows(2) {
                // No tree lies below an edge.
                let (fp, fal) = (two[0][1] - two[1][1], two[1][0] - two[0][0]);
                least = under.least([fp, fal], fp * two[0][0] + fal * two[0][1]).max(least);
            }
        }
        let worth = |errors: f64| match floor {
            Floor::Recall(_) => errors * self.unit[0],
            Floor::Precision(_) => (1.0 - errors * self.unit[1] / self.totals[1]).max(0.0),
        };
        let found = errors[place][kind];
        let asked = Asked { floor, objective: worth(found), bound: worth(found.min(least)) };
        Ok(Self { asked: Some(asked), ..self.at(place)? })
    }

    fn best(&self, worth: impl Fn(&BestTree) -> f64) -> usize {
        let mut best = 0;
        for (place, tree) in self.trees.iter().enumerate() {
            if worth(tree) > worth(&self.trees[best]) {
                best = place;
            }
        }
        best
    }

    /// Has the leaves answer what `decide` says of their probabilities instead.
    ///
    /// # Errors
    /// As [`TreeModel::answer_by`].
    pub fn answer_by(&mut self, decide: impl Fn(&[f64]) -> Result<Vec<u32>>) -> Result<()> {
        self.trees[self.chosen].tree.answer_by(decide)
    }
}

impl Classifier for OptimalModel {
    fn n_classes(&self) -> usize {
        self.tree().n_classes()
    }

    fn proba(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<f64>> {
        match &self.ranking {
            Some(ranking) => ranking.proba(&self.trees, frame, ctl),
            None => self.tree().proba(frame, ctl),
        }
    }

    fn predict(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<Vec<u32>> {
        self.tree().predict(frame, ctl)
    }

    fn answers(&self, frame: &Frame<'_>, ctl: RunCtl<'_>) -> Result<(Vec<u32>, Vec<f64>)> {
        match self.ranking {
            Some(_) => Ok((self.tree().predict(frame, ctl)?, self.proba(frame, ctl)?)),
            None => self.tree().answers(frame, ctl),
        }
    }
}

impl Stored for OptimalModel {
    fn write(&self, file: &mut ArrayWriter) -> Result<()> {
        file.json("optimal.proof", &self.proof)?;
        file.u32s("optimal.trees", &[self.trees.len() as u32, self.chosen as u32]);
        file.f64s("optimal.totals", &self.totals);
        file.f64s("optimal.unit", &self.unit);
        file.json("optimal.asked", &self.asked)?;
        file.json("optimal.ranking", &self.ranking)?;
        file.json("optimal.certificate", &self.certificate)?;
        let mut parts = Vec::with_capacity(self.trees.len());
        for tree in &self.trees {
            let mut part = ArrayWriter::default();
            tree.tree.tree().write(&mut part)?;
            part.u32s("optimal.labels", &tree.labels);
            part.f64s("optimal.errors", &tree.errors);
            parts.push(part);
        }
        file.join(&parts)
    }

    fn read(file: &ArrayReader<'_>, schema: &Schema) -> Result<Self> {
        let [n_trees, chosen] = file.u32_array("optimal.trees")?;
        if chosen >= n_trees {
            return Err(Error::damaged("it has no tree that answers"));
        }
        let totals: [f64; 2] = file.f64_array("optimal.totals")?;
        let unit: [f64; 2] = file.f64_array("optimal.unit")?;
        let asked: Option<Asked> = file.json("optimal.asked")?;
        let proof: Proof = file.json("optimal.proof")?;
        if !unit.iter().all(|unit| *unit > 0.0) {
            return Err(Error::damaged("its errors are multiples of nothing"));
        }
        if !totals.iter().chain(&unit).chain([&proof.objective, &proof.bound]).all(|value| value.is_finite())
        {
            return Err(Error::damaged("what is proven of its trees is no number"));
        }
        let one = |place: u32| {
            let part = file.member(place as usize)?;
            let tree = Tree::read(&part, schema)?;
            let labels = part.u32s("optimal.labels")?;
            let n_classes = tree.n_classes();
            if labels.len() != tree.n_nodes() || labels.iter().any(|&label| label as usize >= n_classes) {
                return Err(Error::damaged("a node has no valid label"));
            }
            BestTree::new(tree, labels, part.f64_array("optimal.errors")?)
        };
        let trees = (0..n_trees).map(one).collect::<Result<Vec<_>>>()?;
        let ranking: Option<Ranking> = file.json("optimal.ranking")?;
        let ranking = ranking.map(|ranking| ranking.check(trees.len())).transpose()?;
        if ranking.is_some() && schema.classes.len() != 2 {
            return Err(Error::damaged("a hull is about two classes"));
        }
        // Files of before there were certificates have none.
        let certificate = file.has("optimal.certificate").then(|| file.json("optimal.certificate"));
        let certificate = certificate.transpose()?.flatten();
        Ok(Self { trees, chosen: chosen as usize, proof, totals, unit, asked, ranking, certificate })
    }
}
