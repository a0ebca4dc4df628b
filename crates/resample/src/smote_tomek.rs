//! SMOTE followed by the removal of Tomek links from the enlarged data.
//!
//! Batista, Prati and Monard 2004.

use crate::resampling_task::{ResamplingPlan, ResamplingTask};
use crate::sampler::{Sampler, sampler_params};
use crate::smote::SmoteParams;
use crate::strategy::{Strategy, StrategyName};
use crate::tomek::TomekParams;
use imbcore_core::{
    Error, Frame, Label, NameResolver, Params, Result, RunContext, SeedKey, memory, parse_params,
};
use serde_json::{Map, Value};

sampler_params! {
    /// Parameters of SMOTE with Tomek links.
    pub struct SmoteTomekParams {
        smote: Option<Map<String, Value>> = None, "None or a dict of parameters of SMOTE",
            "Parameters of the first step, SMOTE. None: the defaults, with the `sampling_strategy` of this sampler; \
             a dict uses its own `sampling_strategy`.";
        tomek: Option<Map<String, Value>> = None, "None or a dict of parameters of TomekLinks",
            "Parameters of the second step, TomekLinks. None: both ends of every link are removed.";
    }
}

fn parse_step_params<P: Params>(
    given: Option<&Map<String, Value>>,
    method: &str,
    usual: P,
    defaults: &P,
) -> Result<P> {
    given.map_or(Ok(usual), |given| parse_params(method, defaults, given))
}

impl Sampler for SmoteTomekParams {
    fn labels_to_codes(
        method: &str,
        given: &Map<String, Value>,
        labels: &[Label],
    ) -> Result<Map<String, Value>> {
        let mut found =
            NameResolver { features: &[], classes: Some(labels) }.resolve(method, &Self::default(), given)?;
        if let Some(Value::Object(smote)) = given.get("smote") {
            found.insert("smote".into(), SmoteParams::labels_to_codes("smote", smote, labels)?.into());
        }
        if let Some(Value::Object(tomek)) = given.get("tomek") {
            found.insert("tomek".into(), TomekParams::labels_to_codes("tomek_links", tomek, labels)?.into());
        }
        Ok(found)
    }

    fn plan(
        &self,
        _: &str,
        task: &ResamplingTask<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<ResamplingPlan> {
        let usual = SmoteParams {
            sampling_strategy: self.sampling_strategy.clone(),
            ratio: self.ratio,
            ..SmoteParams::default()
        };
        let smote = parse_step_params(self.smote.as_ref(), "smote", usual, &SmoteParams::default())?;
        let both_ends =
            TomekParams { sampling_strategy: Strategy::Named(StrategyName::All), ..TomekParams::default() };
        let tomek =
            parse_step_params(self.tomek.as_ref(), "tomek_links", both_ends, &TomekParams::default())?;
        let plan = smote.plan("smote", task, key, ctl)?;
        let frame = task.frame()?;
        let width = frame.n_columns();
        let mut numbers =
            memory::try_with_capacity((frame.n_rows() + plan.added.len()) * width, "the enlarged table")?;
        for row in 0..frame.n_rows() {
            for column in frame.columns() {
                let imbcore_core::Column::Numeric(values) = column else {
                    return Err(Error::Internal("SMOTE accepted a nominal column".into()));
                };
                numbers.push(values.get(row));
            }
        }
        numbers.extend(plan.added.numeric_values(frame)?);
        let classes: Vec<u32> = task.classes().iter().chain(&plan.added.classes).copied().collect();
        let enlarged = Frame::from_row_major(&numbers, classes.len(), width)?;
        let cleaned = tomek.plan(
            "tomek_links",
            &ResamplingTask::new(Some(&enlarged), &classes, task.labels())?,
            key,
            ctl,
        )?;
        Ok(ResamplingPlan { kept: cleaned.kept, links: cleaned.links, ..plan })
    }
}
