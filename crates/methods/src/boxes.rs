//! Implementations of `Method` for the parameters of box drawings.

use crate::fitted::FittedEstimator;
use crate::memory_estimate::{self, MemoryEstimator};
use crate::method::{FitRun, LabeledRowStream, Method};
use imbcore_core::memory_estimate::MemoryEstimate;
use imbcore_core::{Learner, Result};
use imbcore_rules::{ExactBoxesParams, FastBoxesParams, PrimParams};

impl Method for FastBoxesParams {
    const MEMORY: MemoryEstimator = |_, _, table| memory_estimate::fast_boxes_memory(table);

    fn fit(self, method: &'static str, run: FitRun<'_, '_>) -> Result<FittedEstimator> {
        let learner =
            self.check(method)?.with_class_weight(run.class_weight).with_positive_class(Some(run.positive));
        Ok(FittedEstimator::Boxes(learner.with_clusterer(run.clusterer).fit(run.data, run.key, run.ctl)?))
    }

    fn fit_row_stream(
        self,
        method: &'static str,
        rows: LabeledRowStream<'_>,
        run: FitRun<'_, '_>,
    ) -> Result<FittedEstimator> {
        let learner =
            self.check(method)?.with_class_weight(run.class_weight).with_positive_class(Some(run.positive));
        let classes = (rows.classes, &*run.data.class_masses());
        let learner = learner.with_clusterer(run.clusterer);
        Ok(FittedEstimator::Boxes(learner.fit_batches(rows.pieces, classes, run.key, run.ctl)?))
    }
}

macro_rules! recipes {
    ($($params:ty: $memory:expr),* $(,)?) => {$(
        impl Method for $params {
            const MEMORY: MemoryEstimator = $memory;

            fn fit(self, method: &'static str, run: FitRun<'_, '_>) -> Result<FittedEstimator> {
                let learner = self.check(method)?.with_class_weight(run.class_weight).with_positive_class(Some(run.positive));
                Ok(FittedEstimator::Boxes(learner.fit(run.data, run.key, run.ctl)?))
            }
        }
    )*};
}

recipes! {
    // No estimate is made here: the memory of Exact Boxes depends on candidate bounds, which the fit derives
    // from the data. The fit checks the memory itself.
    ExactBoxesParams: |_, _, _| MemoryEstimate::default(),
    PrimParams: |_, params, table| memory_estimate::prim_memory(params, table),
}
