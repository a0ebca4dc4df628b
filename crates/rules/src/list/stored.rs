//! Serialization of chosen rules.

use super::rule_set::RuleSetResult;
use imbcore_core::{ArrayReader, ArrayWriter, Result};

impl RuleSetResult {
    pub(crate) fn write(&self, file: &mut ArrayWriter) -> Result<()> {
        file.json("list.status", &self.status)?;
        file.json("list.objective", &self.objective)?;
        file.u32s("list.counts", &[&[self.n_rules], &self.candidates[..]].concat());
        file.f64s("list.value", &[&[self.value, self.bound], &self.held[..], &[self.rest]].concat());
        file.f64s("list.rates", &self.rates);
        Ok(())
    }

    pub(crate) fn read(n_boxes: usize, file: &ArrayReader<'_>) -> Result<Self> {
        let [n_rules, different, candidates] = file.u32_array("list.counts")?;
        let [value, bound, positive, other, rest] = file.f64_array("list.value")?;
        let chosen = Self {
            status: file.json("list.status")?,
            objective: file.json("list.objective")?,
            n_rules,
            value,
            bound,
            held: [positive, other],
            candidates: [different, candidates],
            rates: file.f64s("list.rates")?,
            rest,
        };
        chosen.check(n_boxes)
    }
}
