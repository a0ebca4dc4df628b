//! Random under-sampling of the rows with positive weight, repeated for every round.

use super::rounds::rows_with_positive_weight;
use crate::generic::TrainingContext;
use imbcore_core::{Result, RunContext, SeedKey};
use imbcore_resample::{RandomUnderParams, ResamplingTask, Sampler};

pub(super) struct RoundUnderSampler {
    pub(super) rows: Vec<u32>,
    classes: Vec<u32>,
    params: RandomUnderParams,
}

impl RoundUnderSampler {
    pub(super) fn new(params: RandomUnderParams, training: &TrainingContext<'_, '_>) -> Self {
        let rows = rows_with_positive_weight(training.data);
        let classes = rows.iter().map(|&row| training.data.class_codes()[row as usize]).collect();
        Self { rows, classes, params }
    }

    /// Returns the positions in `self.rows` of the rows in a new sample, ascending.
    pub(super) fn draw_positions(
        &self,
        method: &str,
        training: &TrainingContext<'_, '_>,
        key: SeedKey,
    ) -> Result<Vec<u32>> {
        let task = ResamplingTask::new(None, &self.classes, training.labels)?;
        let plan = self.params.plan(method, &task, key, RunContext::silent())?;
        Ok(plan.kept.unwrap_or_default())
    }
}
