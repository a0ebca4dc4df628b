//! Box drawings as a family of methods.

use crate::fitted::Fitted;
use crate::recipe::{Recipe, Run};
use imbcore_base::{Learner, Result};
use imbcore_boxes::{ExactBoxesParams, FastBoxesParams, PrimParams};

macro_rules! recipes {
    ($($params:ty),*) => {$(
        impl Recipe for $params {
            fn fit(self, method: &'static str, run: Run<'_, '_>) -> Result<Fitted> {
                let learner = self.check(method)?.class_weight(run.class_weight).positive(Some(run.positive));
                Ok(Fitted::Boxes(learner.fit(run.data, run.key, run.ctl)?))
            }
        }
    )*};
}

recipes! { FastBoxesParams, ExactBoxesParams, PrimParams }
