//! Box drawings as a family of methods.

use crate::fitted::FittedEstimator;
use crate::recipe::{FitRun, LabeledRowStream, Method};
use imbcore_base::{Learner, Result};
use imbcore_boxes::{ExactBoxesParams, FastBoxesParams, PrimParams};

impl Method for FastBoxesParams {
    fn fit(self, method: &'static str, run: FitRun<'_, '_>) -> Result<FittedEstimator> {
        let learner = self.check(method)?.class_weight(run.class_weight).positive(Some(run.positive));
        Ok(FittedEstimator::Boxes(learner.clusterer(run.clusterer).fit(run.data, run.key, run.ctl)?))
    }

    fn fit_rows(
        self,
        method: &'static str,
        rows: LabeledRowStream<'_>,
        run: FitRun<'_, '_>,
    ) -> Result<FittedEstimator> {
        let learner = self.check(method)?.class_weight(run.class_weight).positive(Some(run.positive));
        let classes = (rows.classes, &*run.data.class_masses());
        let learner = learner.clusterer(run.clusterer);
        Ok(FittedEstimator::Boxes(learner.fit_pieces(rows.pieces, classes, run.key, run.ctl)?))
    }
}

macro_rules! recipes {
    ($($params:ty),* $(,)?) => {$(
        impl Method for $params {
            fn fit(self, method: &'static str, run: FitRun<'_, '_>) -> Result<FittedEstimator> {
                let learner = self.check(method)?.class_weight(run.class_weight).positive(Some(run.positive));
                Ok(FittedEstimator::Boxes(learner.fit(run.data, run.key, run.ctl)?))
            }
        }
    )*};
}

recipes!(ExactBoxesParams, PrimParams);
