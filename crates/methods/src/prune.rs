//! Pruning of fitted models that are single trees.

use crate::fitted::FittedEstimator;
use crate::model::Model;
use imbcore_core::{Costs, Decision, Error, Frame, Result, RunContext};
use imbcore_trees::{ComplexityParameter, PruningPath, Risk, RiskName, StagedPredictions, TreeModel};
use serde_json::{Value, json};

impl Model {
    /// The single tree of the model.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for models that are not a single tree.
    pub fn require_single_tree(&self) -> Result<&TreeModel> {
        self.fitted_estimator().tree().ok_or_else(|| {
            let remedy = match self.fitted_estimator().forest() {
                Some(_) => "; use one of its trees, such as estimators_[0]",
                None => "",
            };
            Error::Unsupported(format!(
                "a model of method `{}` is not a single tree, which this operation requires{remedy}",
                self.method()
            ))
        })
    }

    /// The single tree of the model; an error if there is none or if it cannot be pruned.
    fn require_prunable_tree(&self) -> Result<&TreeModel> {
        if self.fitted_estimator().svr_tree().is_some() {
            let message = "an SVR-Tree cannot be pruned, because its labels are assigned jointly; a larger penalty or a smaller \
                           max_leaf_nodes gives a smaller tree";
            return Err(Error::Unsupported(message.into()));
        }
        if self.fitted_estimator().optimal_tree().is_some() {
            let message = "an exact tree is not pruned, because it is already optimal; a leaf_cost or a smaller max_depth \
                           gives a smaller tree";
            return Err(Error::Unsupported(message.into()));
        }
        self.require_single_tree()
    }

    /// Parses the name of a risk: a measure of the error in leaves that pruning minimizes.
    ///
    /// Without a name, the model's parameter `ccp_criterion` gives the name, or, if there is no such
    /// parameter, it is `gini`.
    fn parse_risk_name(&self, name: Option<&str>) -> Result<RiskName> {
        let Some(name) = name else {
            let own = self.params().get("ccp_criterion").cloned().unwrap_or(Value::Null);
            return Ok(serde_json::from_value(own).unwrap_or(RiskName::Gini));
        };
        serde_json::from_value(Value::from(name)).map_err(|_| {
            let expected = "\"gini\", \"entropy\", \"error\" or \"cost\"";
            Error::parameter(self.method(), "risk", expected, format!("{name:?}"))
        })
    }

    fn costs(&self) -> Option<&[f64]> {
        match self.decision() {
            Decision::Costs(rule) => rule.matrix().map(Costs::cells),
            _ => None,
        }
    }

    /// Cost-complexity pruning path of the tree.
    ///
    /// `risk` is the measure of a leaf's error; if it is None, the model's parameter `ccp_criterion` names
    /// it.
    ///
    /// # Errors
    /// [`Error::Parameter`] for an unknown risk; [`Error::Unsupported`] for models whose tree cannot be
    /// pruned.
    pub fn pruning_path(&self, risk: Option<&str>) -> Result<PruningPath> {
        let risk = Risk::new(self.parse_risk_name(risk)?, self.costs(), self.n_classes())?;
        Ok(self.require_prunable_tree()?.tree().cost_complexity_path(&risk))
    }

    /// The model after cost-complexity pruning of its tree at `alpha`.
    ///
    /// # Errors
    /// Same errors as [`Model::pruning_path`].
    pub fn pruned(&self, alpha: f64, risk: Option<&str>) -> Result<Self> {
        if alpha.is_nan() || alpha < 0.0 {
            let expected = "a number of at least 0, infinity included";
            return Err(Error::parameter(self.method(), "ccp_alpha", expected, alpha));
        }
        let name = self.parse_risk_name(risk)?;
        let tree = self
            .require_prunable_tree()?
            .prune_with_alpha(alpha, &Risk::new(name, self.costs(), self.n_classes())?);
        let mut params = self.params().clone();
        // Models of C4.5 have neither `ccp_alpha` nor `ccp_criterion`, because C4.5 uses another pruning
        // method.
        for (key, value) in [("ccp_alpha", json!(ComplexityParameter(alpha))), ("ccp_criterion", json!(name))]
        {
            if let Some(used) = params.get_mut(key) {
                *used = value;
            }
        }
        let (schema, decision) = (self.schema().clone(), self.decision().clone());
        let pruned = Self::new(
            self.method(),
            params,
            schema,
            FittedEstimator::Tree(tree),
            decision,
            self.positive_class(),
        )?;
        pruned.with_class_priors(self.class_priors().clone())
    }

    /// Prepares predictions of the rows of a frame by every tree of a pruning path.
    ///
    /// # Errors
    /// Same errors as [`Model::proba`]; [`Error::Unsupported`] for models whose tree cannot be pruned.
    pub fn staged_predictions(
        &self,
        path: &PruningPath,
        frame: &Frame<'_>,
        ctl: RunContext<'_>,
    ) -> Result<StagedPredictions> {
        self.check_frame(frame)?;
        StagedPredictions::new(self.require_prunable_tree()?, path, frame, ctl)
    }
}
