//! Serialization of boosted trees.

use crate::boosted::boosted_tree::BoostedTree;
use crate::boosted::cost_differences::CostProbaConversion;
use crate::boosted::loss::Loss;
use crate::boosted::model::BoostedModel;
use crate::statistics::TargetStatisticTables;
use crate::tree::{ColumnKind, Tree};
use imbcore_core::{ArrayReader, ArrayWriter, Error, Persist, PriorShift, Result, Schema};

impl Persist for BoostedModel {
    fn write(&self, file: &mut ArrayWriter) -> Result<()> {
        self.statistics.write(file);
        let mut members = Vec::with_capacity(self.members.len());
        for member in &self.members {
            let mut array_writer = ArrayWriter::default();
            member.tree.write(&mut array_writer)?;
            array_writer.write_f64s("boosted.values", &member.values);
            members.push(array_writer);
        }
        file.append_models(&members)?;
        file.write_u32s(
            "boosted.scores",
            &self.members.iter().map(|member| member.score).collect::<Vec<_>>(),
        );
        file.write_json("boosted.loss", &self.loss)?;
        file.write_f64s("boosted.start", &self.start);
        file.write_f64s("boosted.path", &self.path);
        if let Some(shift) = &self.shift {
            file.write_f64s("boosted.shift", shift.factors());
        }
        if let Some(differences) = &self.cost_differences {
            file.write_json("boosted.cost_differences", differences)?;
        }
        Ok(())
    }

    fn read(file: &ArrayReader<'_>, schema: &Schema) -> Result<Self> {
        let n_classes = schema.classes.len();
        let loss: Loss = file.read_json("boosted.loss")?;
        let fits = match loss {
            Loss::Softmax => n_classes > 2,
            Loss::Logistic => n_classes == 2,
            Loss::Focal { gamma, level } => {
                n_classes == 2 && (0.0..=10.0).contains(&gamma) && level.is_finite()
            }
            Loss::Order { slope, level, .. } => {
                n_classes == 2 && slope.is_finite() && slope > 0.0 && level.is_finite()
            }
        };
        let (start, path) = (file.read_f64s("boosted.start")?, file.read_f64s("boosted.path")?);
        let numbers = start.iter().chain(&path);
        if !fits
            || start.len() != loss.n_scores(n_classes)
            || !numbers.into_iter().all(|number| number.is_finite())
        {
            return Err(Error::damaged("the scores of boosted trees do not match the number of classes"));
        }
        let scores = file.read_u32s("boosted.scores")?;
        let is_in_order = |(index, &score): (usize, &u32)| score as usize == index % start.len();
        if scores.is_empty()
            || !scores.len().is_multiple_of(start.len())
            || !scores.iter().enumerate().all(is_in_order)
        {
            return Err(Error::damaged("boosted trees do not have one tree per score in every round"));
        }
        let columns = ColumnKind::kinds_for_features(&schema.features);
        let statistics = TargetStatisticTables::read(file, &columns, n_classes)?;
        let member = |(index, &score): (usize, &u32)| {
            let arrays = file.member_arrays(index)?;
            let (tree, values) = (
                Tree::read_with_statistics(&arrays, schema, statistics.clone())?,
                arrays.read_f64s("boosted.values")?,
            );
            let valid = values.len() == tree.n_nodes() && values.iter().all(|value| value.is_finite());
            if valid {
                Ok(BoostedTree { tree, values, score })
            } else {
                Err(Error::damaged("the node values of a boosted tree are invalid"))
            }
        };
        let members = scores.iter().enumerate().map(member).collect::<Result<_>>()?;
        let factors =
            if file.has_array("boosted.shift") { file.read_f64s("boosted.shift")? } else { Vec::new() };
        let shift = PriorShift::from_factors(factors, n_classes)?;
        let cost_differences: Option<CostProbaConversion> = file
            .has_array("boosted.cost_differences")
            .then(|| file.read_json("boosted.cost_differences"))
            .transpose()?;
        if cost_differences.as_ref().is_some_and(|costs| !costs.is_valid(n_classes, columns.len())) {
            return Err(Error::damaged("the costs of boosted trees are invalid"));
        }
        Ok(Self { members, columns, n_classes, loss, start, shift, cost_differences, path, statistics })
    }
}
