//! Export of models.
//!
//! This module converts a model to an expression. The back ends convert the expression to SQL, JSON or source
//! code.

use crate::model::Model;
use imbcore_core::{Decision, Result};
use imbcore_export::{
    AnnotatedTree, ExportOutput, ExprBuilder, ExprFeatures, ExprRef, Formula, PredictionExpr, SqlRequest,
    TargetLanguage, ToExpr, add_invalid_costs_flag, decided_class_expr,
};
use imbcore_trees::TreeModel;

const PROBA_AND_CLASS: [ExportOutput; 2] = [ExportOutput::Proba, ExportOutput::Class];

impl Model {
    /// Exports the model as a JSON document from which its predictions can be computed.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Unsupported`] for a model that cannot be exported.
    pub fn to_json(&self) -> Result<String> {
        self.formula(&PROBA_AND_CLASS)?.to_json(self.positive_class())
    }

    /// Exports the model as source code.
    ///
    /// In a language without modules, all public names of the source code get the prefix `name`.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Parameter`] for an invalid name; [`imbcore_core::Error::Unsupported`] for a
    /// model or level that cannot be exported.
    pub fn to_source(&self, language: TargetLanguage, name: &str) -> Result<String> {
        self.formula(&PROBA_AND_CLASS)?.to_source(language, name)
    }

    /// Exports the model as an SQL query that predicts the rows of a table.
    ///
    /// If the model rejects missing values, the query returns NULL for rows with a missing value in a column
    /// that the query uses.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Unsupported`] for a model, name or label that cannot be exported;
    /// [`imbcore_core::Error::Parameter`] if the table name is missing.
    pub fn to_sql(&self, request: &SqlRequest) -> Result<String> {
        let formula = self.formula(&[request.output])?;
        // The query of a tree has one prediction per leaf. If costs are read from columns, rows of one leaf
        // may have different predicted classes.
        let of_rows = self.decision().has_row_dependent_costs() && request.output == ExportOutput::Class;
        let tree = self.tree_with_one_path_per_row().filter(|_| !of_rows);
        let tree = tree.map(|tree| self.annotated_tree(tree, request.output)).transpose()?;
        formula.to_sql(request, tree.as_ref())
    }

    fn formula(&self, outputs: &[ExportOutput]) -> Result<Formula<'_>> {
        let (mut builder, columns) = (ExprBuilder::default(), self.all_column_indices());
        let expr = self.expr(&mut builder, self.expr_features(&columns))?;
        let output = |output: &ExportOutput| match output {
            ExportOutput::Proba => expr.proba_expr(),
            ExportOutput::Class => self.class_expr(&mut builder, &expr),
        };
        let steps = outputs.iter().map(output).collect::<Result<Vec<ExprRef>>>()?;
        let features = if self.accepts_missing() { Vec::new() } else { builder.features() };
        let missing = builder.add_any_missing_flag(features);
        let by_class = outputs.contains(&ExportOutput::Class);
        let invalid = if by_class { add_invalid_costs_flag(&mut builder, self.decision()) } else { None };
        let refused = match (missing, invalid) {
            (Some(missing), Some(invalid)) => Some(builder.plus(missing, invalid)),
            (missing, invalid) => missing.or(invalid),
        };
        Ok(Formula::new((self.method(), self.schema()), builder, &steps, refused))
    }

    /// Adds expressions for the predicted class and the final (calibrated) probabilities.
    fn expr(&self, builder: &mut ExprBuilder, features: ExprFeatures<'_>) -> Result<PredictionExpr> {
        self.require_selected_tree_proba()?;
        if let Some(tree) = self.tree_with_one_path_per_row() {
            let proba = self.final_leaf_proba(tree)?;
            return tree.single_path_expr(builder, features, |node| proba[node].clone());
        }
        let mut expr = self.fitted_estimator().to_expr(builder, features)?;
        if let (Some(calibrated), Some(proba)) = (self.calibration(), expr.proba) {
            expr.proba = Some(calibrated.curves.to_expr(builder, proba));
        }
        if let (Some(factors), Some(proba)) = (self.class_priors().prior_ratios(), expr.proba) {
            expr.proba = Some(builder.reweight(proba, &factors));
        }
        Ok(expr)
    }

    fn class_expr(&self, builder: &mut ExprBuilder, expr: &PredictionExpr) -> Result<ExprRef> {
        if self.predicts_estimator_classes() {
            return Ok(expr.class_code_expr(builder));
        }
        let mut proba = expr.proba_expr()?;
        if let (Decision::Argmax, Some(shift), None) =
            (self.decision(), self.fitted_estimator().prior_correction(), self.calibration())
        {
            let factors = builder.constant(shift.factors());
            proba = builder.divide(proba, factors);
        }
        decided_class_expr(builder, proba, self.decision())
    }

    /// The single tree of the model; `None` without one, or if a row can reach several leaves.
    fn tree_with_one_path_per_row(&self) -> Option<&TreeModel> {
        self.fitted_estimator().tree().filter(|tree| !tree.has_fractional_rows(self.expr_features(&[])))
    }

    /// Final (calibrated, corrected) probabilities of each node; empty for inner nodes.
    ///
    /// They are computed once per leaf, because all rows in a leaf have the same probabilities.
    fn final_leaf_proba(&self, tree: &TreeModel) -> Result<Vec<Vec<f64>>> {
        let proba = tree.tree().leaves().flat_map(|leaf| tree.node_proba(leaf).to_vec()).collect();
        let proba = self.finalize_proba(proba)?;
        Ok(per_node_values(tree, proba.chunks_exact(self.n_classes()).map(<[f64]>::to_vec)))
    }

    fn annotated_tree(&self, tree: &TreeModel, output: ExportOutput) -> Result<AnnotatedTree> {
        let nodes = 0..tree.tree().n_nodes();
        let values = match output {
            ExportOutput::Proba => self.final_leaf_proba(tree)?,
            ExportOutput::Class => {
                let own = tree.tree().leaves().map(|leaf| tree.node_class(leaf) as u32).collect();
                let proba = tree.tree().leaves().flat_map(|leaf| tree.node_proba(leaf).to_vec()).collect();
                let (classes, _) = self.final_predictions(own, proba)?;
                per_node_values(tree, classes.into_iter().map(|class| vec![f64::from(class)]))
            }
        };
        let columns = self.all_column_indices();
        let exported = tree.to_export_tree(self.expr_features(&columns), &[], |node| values[node].clone())?;
        Ok(AnnotatedTree {
            tree: exported,
            n_rows: nodes.map(|node| tree.tree().n_node_rows(node)).collect(),
        })
    }

    fn all_column_indices(&self) -> Vec<usize> {
        (0..self.schema().features.len()).collect()
    }

    fn expr_features<'a>(&'a self, columns: &'a [usize]) -> ExprFeatures<'a> {
        ExprFeatures { schema: self.schema(), columns, may_be_missing: self.accepts_missing() }
    }
}

/// Converts a list of leaf values to a list with an entry per node; empty for inner nodes.
///
/// `values` has one entry per leaf, in the order of the leaves.
fn per_node_values(tree: &TreeModel, values: impl Iterator<Item = Vec<f64>>) -> Vec<Vec<f64>> {
    let mut nodes = vec![Vec::new(); tree.tree().n_nodes()];
    for (leaf, value) in tree.tree().leaves().zip(values) {
        nodes[leaf] = value;
    }
    nodes
}
