//! Serialization of PRIM results.

use super::covering::{PeelingTrajectory, PrimCovering};
use super::peeling::{BoxChange, PeelingStep};
use crate::feature_space::FeatureSpace;
use imbcore_core::{ArrayReader, ArrayWriter, Error, Result};

impl PrimCovering {
    pub(crate) fn write(&self, file: &mut ArrayWriter) {
        let steps = || self.trajectories.iter().flat_map(|trajectory| &trajectory.steps);
        let parts = |change: &BoxChange| match *change {
            BoxChange::Start => (0, 0, 0.0),
            BoxChange::Lower(feature, value) => (1, feature as u32, value),
            BoxChange::Upper(feature, value) => (2, feature as u32, value),
            BoxChange::Without(feature, level) => (3, feature as u32, f64::from(level)),
        };
        let changes: Vec<(u8, u32, f64)> = steps().map(|step| parts(&step.change)).collect();
        file.write_f64s("prim.rates", &self.rates);
        file.write_f64s("prim.rest", &[self.rest, self.c]);
        file.write_u32s(
            "prim.chosen",
            &self.trajectories.iter().map(|t| t.chosen as u32).collect::<Vec<_>>(),
        );
        file.write_u32s(
            "prim.steps",
            &self.trajectories.iter().map(|t| t.steps.len() as u32).collect::<Vec<_>>(),
        );
        file.write_u8s("prim.kind", &changes.iter().map(|change| change.0).collect::<Vec<_>>());
        file.write_u32s("prim.feature", &changes.iter().map(|change| change.1).collect::<Vec<_>>());
        file.write_f64s("prim.value", &changes.iter().map(|change| change.2).collect::<Vec<_>>());
        file.write_f64s("prim.mass", &steps().map(|step| step.mass).collect::<Vec<_>>());
        file.write_f64s("prim.positives", &steps().map(|step| step.positives).collect::<Vec<_>>());
    }

    pub(crate) fn read(n_boxes: usize, space: &FeatureSpace, file: &ArrayReader<'_>) -> Result<Self> {
        let [rest, c] = file.read_f64_array("prim.rest")?;
        let (kinds, features) = (file.read_u8s("prim.kind")?, file.read_u32s("prim.feature")?);
        let (values, masses) = (file.read_f64s("prim.value")?, file.read_f64s("prim.mass")?);
        let positives = file.read_f64s("prim.positives")?;
        let (chosen, lengths) = (file.read_u32s("prim.chosen")?, file.read_u32s("prim.steps")?);
        let n_steps = lengths.iter().map(|&length| length as usize).sum::<usize>();
        let arrays = [kinds.len(), features.len(), values.len(), masses.len(), positives.len()];
        if arrays.iter().any(|&length| length != n_steps) || chosen.len() != lengths.len() {
            return Err(Error::damaged("arrays of a trajectory have different lengths"));
        }
        let step = |at: usize| {
            let feature = features[at] as usize;
            let change = match kinds[at] {
                0 => BoxChange::Start,
                1 => BoxChange::Lower(feature, values[at]),
                2 => BoxChange::Upper(feature, values[at]),
                3 if values[at].fract() == 0.0 && (0.0..f64::from(u32::MAX)).contains(&values[at]) => {
                    // The level code was stored as a float. It is a whole number below 2^32, so the
                    // conversion is exact.
                    #[allow(clippy::cast_sign_loss)]
                    BoxChange::Without(feature, values[at] as u32)
                }
                _ => return Err(Error::damaged("a step of a trajectory is invalid")),
            };
            Ok(PeelingStep { change, mass: masses[at], positives: positives[at] })
        };
        let mut start = 0;
        let mut trajectories = Vec::with_capacity(chosen.len());
        for (&chosen, &length) in chosen.iter().zip(&lengths) {
            let end = start + length as usize;
            let steps = (start..end).map(step).collect::<Result<Vec<_>>>()?;
            trajectories.push(PeelingTrajectory { steps, chosen: chosen as usize });
            start = end;
        }
        Self { rates: file.read_f64s("prim.rates")?, rest, c, trajectories }.check(n_boxes, space)
    }
}
