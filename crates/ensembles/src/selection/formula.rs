//! Conversion of selected ensembles to expressions for export.

use super::model::SelectedEnsemble;
use imbcore_core::{PriorShift, Result};
use imbcore_export::{ClassExpr, ExprBuilder, ExprFeatures, ToExpr};

impl<M: ToExpr> ToExpr for SelectedEnsemble<M> {
    fn to_expr(&self, builder: &mut ExprBuilder, features: ExprFeatures<'_>) -> Result<ClassExpr> {
        let mean = self.ensemble().to_expr(builder, features)?.proba()?;
        let calibrated = self.calibration().map(PriorShift::factors);
        Ok(ClassExpr::from_proba(calibrated.map_or(mean, |factors| builder.reweight(mean, factors))))
    }
}
