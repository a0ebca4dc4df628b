//! Serialization of chosen rules.

use super::rule_set::RuleSetResult;
use imbcore_core::{ArrayReader, ArrayWriter, Result};

impl RuleSetResult {
    pub(crate) fn write(&self, file: &mut ArrayWriter) -> Result<()> {
        file.write_json("list.status", &self.status)?;
        file.write_json("list.objective", &self.objective)?;
        file.write_u32s("list.counts", &[&[self.n_rules], &self.candidates[..]].concat());
        file.write_f64s("list.value", &[&[self.value, self.bound], &self.held[..], &[self.rest]].concat());
        file.write_f64s("list.rates", &self.rates);
        Ok(())
    }

    pub(crate) fn read(n_boxes: usize, file: &ArrayReader<'_>) -> Result<Self> {
        let [n_rules, different, candidates] = file.read_u32_array("list.counts")?;
        let [value, bound, positive, other, rest] = file.read_f64_array("list.value")?;
        let chosen = Self {
            status: file.read_json("list.status")?,
            objective: file.read_json("list.objective")?,
            n_rules,
            value,
            bound,
            held: [positive, other],
            candidates: [different, candidates],
            rates: file.read_f64s("list.rates")?,
            rest,
        };
        chosen.check(n_boxes)
    }
}
