//! Conversion of selected ensembles to expressions for export.

use super::model::SelectedEnsemble;
use imbcore_core::{PriorShift, Result};
use imbcore_export::{ExprBuilder, ExprFeatures, PredictionExpr, ToExpr};

impl<M: ToExpr> ToExpr for SelectedEnsemble<M> {
    fn to_expr(&self, builder: &mut ExprBuilder, features: ExprFeatures<'_>) -> Result<PredictionExpr> {
        let mean = self.ensemble().to_expr(builder, features)?.proba_expr()?;
        let calibrated = self.calibration().map(PriorShift::factors);
        Ok(PredictionExpr::from_proba(calibrated.map_or(mean, |factors| builder.reweight(mean, factors))))
    }
}
