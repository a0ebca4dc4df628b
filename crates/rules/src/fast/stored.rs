//! Serialization of nested boxes.

use super::bound_sums::LogBoundSums;
use super::closed_form::BoundAdjustmentRule;
use super::nested_boxes::{NegativeValues, NestedBoxes};
use super::sweep::{FastBoxesSweep, FinalAdjustment};
use crate::box_drawing::BoxDrawing;
use crate::feature_space::FeatureSpace;
use imbcore_core::{ArrayReader, ArrayWriter, Error, Result};

impl NestedBoxes {
    pub(crate) fn write(&self, file: &mut ArrayWriter) -> Result<()> {
        let NestedBoxes { sweep, finish, beta, weights, drawings, negatives } = self;
        file.write_u32s("fast.n_boxes", &[sweep.start.n_boxes() as u32]);
        file.write_json("fast.rule", &finish.rule)?;
        file.write_f64s("fast.finish", &[finish.eps, *beta]);
        file.write_f64s("fast.weights", weights);
        file.write_f64s("fast.units", &sweep.units);
        file.write_f64s("fast.log_p", &sweep.sums.log_p);
        file.write_f64s("fast.log_n", &sweep.sums.log_n);
        sweep.start.write("fast.start", file);
        // The arrays contain the sets of boxes of all weights of negative rows, one after the other.
        file.write_f64s(
            "fast.lower",
            &drawings.iter().flat_map(|d| d.lower_bounds().to_vec()).collect::<Vec<_>>(),
        );
        file.write_f64s(
            "fast.upper",
            &drawings.iter().flat_map(|d| d.upper_bounds().to_vec()).collect::<Vec<_>>(),
        );
        file.write_u32s(
            "fast.sets",
            &drawings.iter().flat_map(|d| d.allowed_level_sets().to_vec()).collect::<Vec<_>>(),
        );
        if let Some(negatives) = negatives {
            let ends = negatives.values.iter().scan(0, |end, values| {
                *end += values.len() as u32;
                Some(*end)
            });
            file.write_u32s("fast.negative_ends", &ends.collect::<Vec<_>>());
            file.write_f64s("fast.negatives", &negatives.values.concat());
            file.write_u32s("fast.negative_levels", &negatives.levels);
        }
        Ok(())
    }

    /// Reads nested sets of boxes; `own` is the index of the set that predicts the classes.
    pub(crate) fn read(own: usize, space: &FeatureSpace, file: &ArrayReader<'_>) -> Result<Self> {
        let [n_boxes] = file.read_u32_array("fast.n_boxes")?.map(|n| n as usize);
        let [eps, beta] = file.read_f64_array("fast.finish")?;
        let rule: BoundAdjustmentRule = file.read_json("fast.rule")?;
        let start = BoxDrawing::read("fast.start", space, n_boxes, file)?;
        let sums =
            LogBoundSums { log_p: file.read_f64s("fast.log_p")?, log_n: file.read_f64s("fast.log_n")? };
        let sweep = FastBoxesSweep { start, units: file.read_f64s("fast.units")?, sums };
        let weights = file.read_f64s("fast.weights")?;
        let (lower, upper) = (file.read_f64s("fast.lower")?, file.read_f64s("fast.upper")?);
        let sets = file.read_u32s("fast.sets")?;
        let (cells, words) = (n_boxes * space.n_features(), n_boxes * space.n_level_words());
        if lower.len() != cells * weights.len()
            || upper.len() != lower.len()
            || sets.len() != words * weights.len()
        {
            return Err(Error::damaged("it does not have the boxes of every weight"));
        }
        let drawing = |level: usize| {
            let cells = level * cells..(level + 1) * cells;
            let words = level * words..(level + 1) * words;
            let (lower, upper) = (lower[cells.clone()].to_vec(), upper[cells].to_vec());
            BoxDrawing::from_arrays(space.clone(), n_boxes, lower, upper, sets[words].to_vec(), Vec::new())
        };
        let drawings = (0..weights.len()).map(drawing).collect::<Result<Vec<_>>>()?;
        let negatives =
            if file.has_array("fast.negative_ends") { Some(NegativeValues::read(file)?) } else { None };
        let nested =
            Self { sweep, finish: FinalAdjustment { rule, eps }, beta, weights, drawings, negatives };
        nested.check(own)
    }
}

impl NegativeValues {
    fn read(file: &ArrayReader<'_>) -> Result<Self> {
        let values = file.read_f64s("fast.negatives")?;
        let mut start = 0;
        let part = |end: u32| {
            let part = values.get(start..end as usize).map(<[f64]>::to_vec);
            start = end as usize;
            part.ok_or_else(|| Error::damaged("the offsets of array `fast.negatives` exceed its length"))
        };
        let values =
            file.read_u32s("fast.negative_ends")?.into_iter().map(part).collect::<Result<Vec<_>>>()?;
        Ok(Self { values, levels: file.read_u32s("fast.negative_levels")? })
    }
}
