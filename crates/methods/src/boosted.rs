//! Boosted trees as a family of methods.

use crate::fitted::Fitted;
use crate::recipe::{Recipe, Run};
use crate::trees::turned;
use imbcore_base::Result;
use imbcore_tree::boosted::BoostedParams;
use imbcore_tree::{Edges, Sketch};

impl Recipe for BoostedParams {
    fn bins(&self, _method: &'static str) -> Result<usize> {
        Ok(self.max_bins as usize)
    }

    fn edges(
        self,
        method: &'static str,
        sketches: Vec<Option<Sketch>>,
        run: Run<'_, '_>,
    ) -> Result<Vec<Option<Edges>>> {
        self.check(method)?.class_weight(run.class_weight).edges(run.data, sketches, run.ctl)
    }

    fn fit(self, method: &'static str, run: Run<'_, '_>) -> Result<Fitted> {
        let signs = if run.positive == 1 { self.monotonic_cst } else { turned(self.monotonic_cst) };
        let params = Self { monotonic_cst: signs, ..self };
        let learner = params
            .check(method)?
            .class_weight(run.class_weight)
            .positive(run.positive)
            .costs(run.costs.cloned());
        Ok(Fitted::Boosted(learner.fit_from(run.start.boosted(), run.data, run.key, run.ctl)?))
    }
}
