//! Box drawings as a family of methods.

use crate::fitted::Fitted;
use crate::recipe::{ReadRows, Recipe, Run};
use imbcore_base::{Learner, Result};
use imbcore_boxes::{ExactBoxesParams, FastBoxesParams, PrimParams};

macro_rules! recipes {
    ($($params:ty => { $($more:tt)* }),* $(,)?) => {$(
        impl Recipe for $params {
            fn fit(self, method: &'static str, run: Run<'_, '_>) -> Result<Fitted> {
                let learner = self.check(method)?.class_weight(run.class_weight).positive(Some(run.positive));
                Ok(Fitted::Boxes(learner.fit(run.data, run.key, run.ctl)?))
            }

            $($more)*
        }
    )*};
}

recipes! {
    FastBoxesParams => {
        fn fit_rows(self, method: &'static str, rows: ReadRows<'_>, run: Run<'_, '_>) -> Result<Fitted> {
            let learner = self.check(method)?.class_weight(run.class_weight).positive(Some(run.positive));
            let classes = (rows.classes, &*run.data.class_masses());
            Ok(Fitted::Boxes(learner.fit_pieces(rows.pieces, classes, run.key, run.ctl)?))
        }
    },
    ExactBoxesParams => {},
    PrimParams => {},
}
