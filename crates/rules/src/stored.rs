//! Serialization of box models.

use crate::box_drawing::{BoxDrawing, MissingRule};
use crate::drawing_rules::{BoxStats, TrainingRange};
use crate::exact::BoxProof;
use crate::fast::NestedBoxes;
use crate::feature_space::FeatureSpace;
use crate::list::RuleSetResult;
use crate::model::{BoxModel, BoxScoring, BoxTrainingStats};
use crate::prim::PrimCovering;
use imbcore_core::{ArrayReader, ArrayWriter, Error, Persist, Result, Schema};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ScoringKind {
    Nested,
    Covering,
    Proven,
    Chosen,
}

impl Persist for BoxModel {
    fn write(&self, file: &mut ArrayWriter) -> Result<()> {
        let facts = self.training_stats();
        file.write_u32s("boxes.positive", &[self.positive_class()]);
        file.write_json("boxes.missing", &self.missing_rule())?;
        file.write_f64s("boxes.low", &facts.range.low);
        file.write_f64s("boxes.high", &facts.range.high);
        file.write_f64s("boxes.support", &facts.boxes.iter().map(|one| one.support).collect::<Vec<_>>());
        file.write_f64s("boxes.positives", &facts.boxes.iter().map(|one| one.positives).collect::<Vec<_>>());
        file.write_f64s("boxes.totals", &[facts.total, facts.positives]);
        match self.scoring() {
            // The boxes that predict the classes are one of the nested sets of boxes, so they are not written
            // twice.
            BoxScoring::Nested { nested, own } => {
                file.write_json("boxes.kind", &ScoringKind::Nested)?;
                file.write_u32s("fast.own", &[*own as u32]);
                nested.write(file)
            }
            BoxScoring::Covering(covering) => {
                file.write_json("boxes.kind", &ScoringKind::Covering)?;
                self.drawing().write("boxes", file);
                covering.write(file);
                Ok(())
            }
            BoxScoring::Proven(proof) => {
                file.write_json("boxes.kind", &ScoringKind::Proven)?;
                self.drawing().write("boxes", file);
                proof.write(file)
            }
            BoxScoring::Chosen(chosen) => {
                file.write_json("boxes.kind", &ScoringKind::Chosen)?;
                self.drawing().write("boxes", file);
                chosen.write(file)
            }
        }
    }

    fn read(file: &ArrayReader<'_>, schema: &Schema) -> Result<Self> {
        let space = FeatureSpace::from_features(&schema.features);
        let missing: MissingRule = file.read_json("boxes.missing")?;
        let (support, positives) = (file.read_f64s("boxes.support")?, file.read_f64s("boxes.positives")?);
        if support.len() != positives.len() || schema.classes.len() != 2 {
            return Err(Error::damaged("it lacks statistics of a box, or has other than two classes"));
        }
        let [total, all_positives] = file.read_f64_array("boxes.totals")?;
        let [positive] = file.read_u32_array("boxes.positive")?;
        let facts = support.into_iter().zip(positives);
        let boxes: Vec<BoxStats> =
            facts.map(|(support, positives)| BoxStats { support, positives }).collect();
        let n_boxes = boxes.len();
        let range = TrainingRange { low: file.read_f64s("boxes.low")?, high: file.read_f64s("boxes.high")? };
        let drawing = || BoxDrawing::read("boxes", &space, n_boxes, file);
        let (drawing, scores) = match file.read_json("boxes.kind")? {
            ScoringKind::Nested => {
                let [own] = file.read_u32_array("fast.own")?;
                let (nested, own) = (Box::new(NestedBoxes::read(own as usize, &space, file)?), own as usize);
                (nested.drawings[own].clone(), BoxScoring::Nested { nested, own })
            }
            ScoringKind::Covering => {
                (drawing()?, BoxScoring::Covering(PrimCovering::read(n_boxes, &space, file)?))
            }
            ScoringKind::Proven => {
                let drawing = drawing()?;
                let proof = BoxProof::read(n_boxes, file)?.check(&drawing, &range)?;
                (drawing, BoxScoring::Proven(Box::new(proof)))
            }
            ScoringKind::Chosen => {
                (drawing()?, BoxScoring::Chosen(Box::new(RuleSetResult::read(n_boxes, file)?)))
            }
        };
        if positive > 1 {
            return Err(Error::damaged("the class code of the boxes is not 0 or 1"));
        }
        let facts = BoxTrainingStats { range, boxes, total, positives: all_positives };
        let facts = facts.check(space.n_features(), drawing.n_boxes())?;
        Ok(Self::new(drawing, scores, positive, missing, facts))
    }
}

impl BoxDrawing {
    pub(crate) fn write(&self, name: &str, file: &mut ArrayWriter) {
        file.write_f64s(&format!("{name}.lower"), self.lower_bounds());
        file.write_f64s(&format!("{name}.upper"), self.upper_bounds());
        file.write_u32s(&format!("{name}.sets"), self.allowed_level_sets());
        if self.missing_acceptance_flags().contains(&true) {
            let flags: Vec<u8> = self.missing_acceptance_flags().iter().map(|&flag| u8::from(flag)).collect();
            file.write_u8s(&format!("{name}.or_missing"), &flags);
        }
    }

    pub(crate) fn read(
        name: &str,
        space: &FeatureSpace,
        n_boxes: usize,
        file: &ArrayReader<'_>,
    ) -> Result<Self> {
        let lower = file.read_f64s(&format!("{name}.lower"))?;
        let upper = file.read_f64s(&format!("{name}.upper"))?;
        let missing = format!("{name}.or_missing");
        let or_missing = if file.has_array(&missing) { file.read_u8s(&missing)? } else { Vec::new() };
        if or_missing.iter().any(|&flag| flag > 1) {
            return Err(Error::damaged("an `or_missing` flag of a box is not 0 or 1"));
        }
        let or_missing = or_missing.into_iter().map(|flag| flag == 1).collect();
        let sets = file.read_u32s(&format!("{name}.sets"))?;
        Self::from_arrays(space.clone(), n_boxes, lower, upper, sets, or_missing)
    }
}
