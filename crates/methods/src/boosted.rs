//! Boosted trees as a family of methods.

use crate::fitted::Fitted;
use crate::recipe::{Recipe, Run};
use imbcore_base::{Learner, Result};
use imbcore_tree::boosted::BoostedParams;

impl Recipe for BoostedParams {
    fn fit(self, method: &'static str, run: Run<'_, '_>) -> Result<Fitted> {
        let learner = self.check(method)?.class_weight(run.class_weight).positive(run.positive);
        Ok(Fitted::Boosted(learner.fit(run.data, run.key, run.ctl)?))
    }
}
