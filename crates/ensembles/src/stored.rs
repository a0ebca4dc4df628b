//! Serialization of forests.

use crate::arrays::ForestArrays;
use crate::compact_forest::CompactForest;
use crate::model::{ForestModel, LeafPredictionRule, OutOfBag};
use crate::shrinkage_choice::ShrinkageChoice;
use imbcore_core::{ArrayReader, ArrayWriter, Error, Persist, PriorShift, Result, Schema, memory};
use imbcore_trees::{ColumnKind, TargetStatisticTables, check_prior_weight};

impl Persist for ForestModel {
    fn write(&self, file: &mut ArrayWriter) -> Result<()> {
        // Each array grows one value at a time, so it may reserve up to twice its final size.
        memory::check_values_fit_in_memory::<u8>(
            self.packed.memory_size_bytes().saturating_mul(2),
            "arrays of a model file",
        )?;
        self.statistics.write(file);
        self.packed.to_arrays().write(file);
        file.write_json("forest.reading", &self.prediction_rule)?;
        file.write_f64s("forest.importances", &self.importances);
        file.write_f64s("forest.alphas", &self.alphas);
        if let Some(shift) = &self.shift {
            file.write_f64s("forest.shift", shift.factors());
        }
        if let Some(choice) = &self.shrinkage {
            file.write_json("forest.shrinkage", choice)?;
        }
        let answers = self.out_of_bag.as_ref();
        file.write_f64s("forest.oob_decision", answers.map_or(&[], |out| &out.decision));
        file.write_f64s("forest.oob_score", answers.map(|out| out.score).as_slice());
        Ok(())
    }

    fn read(file: &ArrayReader<'_>, schema: &Schema) -> Result<Self> {
        let columns = ColumnKind::kinds_for_features(&schema.features);
        let statistics = TargetStatisticTables::read(file, &columns, schema.classes.len())?;
        let encoded = statistics.encoded_kinds(&columns);
        let packed = CompactForest::from_arrays(&ForestArrays::read(file)?, &encoded, schema.classes.len())?;
        let prediction_rule: LeafPredictionRule = file.read_json("forest.reading")?;
        check_prior_weight(prediction_rule.m)?;
        let (decision, score) = (file.read_f64s("forest.oob_decision")?, file.read_f64s("forest.oob_score")?);
        let (importances, alphas) = (file.read_f64s("forest.importances")?, file.read_f64s("forest.alphas")?);
        let share = |value: &f64| (0.0..=1.0 + 1e-9).contains(value);
        let valid = importances.len() == columns.len()
            && importances.iter().all(share)
            && (alphas.is_empty() || alphas.len() == packed.n_trees())
            && alphas.iter().all(|alpha| (0.0..=2.0).contains(alpha))
            && decision.len().is_multiple_of(schema.classes.len())
            && decision.iter().all(|value| value.is_nan() || share(value));
        if !valid {
            return Err(Error::damaged("its importances, alphas or out-of-bag predictions are invalid"));
        }
        let has_shift = file.has_array("forest.shift");
        let factors = if has_shift { file.read_f64s("forest.shift")? } else { Vec::new() };
        let shift = PriorShift::from_factors(factors, schema.classes.len())?;
        let shrinkage: Option<ShrinkageChoice> =
            file.has_array("forest.shrinkage").then(|| file.read_json("forest.shrinkage")).transpose()?;
        if shrinkage.is_some_and(|choice| !choice.is_valid()) {
            return Err(Error::damaged("the choice of its shrinkage is invalid"));
        }
        let out_of_bag = score.first().map(|&score| OutOfBag { decision, score });
        let (seen, gains) = ([].into(), None);
        Ok(Self {
            packed,
            columns,
            prediction_rule,
            importances,
            alphas,
            out_of_bag,
            seen,
            shift,
            gains,
            statistics,
            shrinkage,
        })
    }
}

impl ForestArrays {
    fn write(&self, file: &mut ArrayWriter) {
        file.write_u32s("forest.nodes", &self.nodes);
        file.write_f64s("forest.root_mass", &self.root_mass);
        file.write_u8s("forest.kind", &self.kind);
        file.write_u32s("forest.rows", &self.rows);
        file.write_f64s("forest.operand", &self.operand);
        file.write_u32s("forest.column", &self.column);
        file.write_u32s("forest.first_child", &self.first_child);
        file.write_u32s("forest.n_children", &self.n_children);
        file.write_u32s("forest.missing_child", &self.missing_child);
        file.write_u32s("forest.set_words", &self.set_words);
        file.write_u32s("forest.group_words", &self.group_words);
        file.write_u32s("forest.sets", &self.sets);
        file.write_u32s("forest.groups", &self.groups);
        file.write_f64s("forest.gain", &self.gain);
        file.write_f64s("forest.leaf_mass", &self.leaf_mass);
        // Only forests with many classes store lists of classes for their leaves.
        if !self.leaf_sizes.is_empty() {
            file.write_u32s("forest.leaf_sizes", &self.leaf_sizes);
            file.write_u32s("forest.leaf_classes", &self.leaf_classes);
        }
    }

    fn read(file: &ArrayReader<'_>) -> Result<Self> {
        let of_lists = |name| if file.has_array(name) { file.read_u32s(name) } else { Ok(Vec::new()) };
        Ok(Self {
            nodes: file.read_u32s("forest.nodes")?,
            root_mass: file.read_f64s("forest.root_mass")?,
            kind: file.read_u8s("forest.kind")?,
            rows: file.read_u32s("forest.rows")?,
            operand: file.read_f64s("forest.operand")?,
            column: file.read_u32s("forest.column")?,
            first_child: file.read_u32s("forest.first_child")?,
            n_children: file.read_u32s("forest.n_children")?,
            missing_child: file.read_u32s("forest.missing_child")?,
            set_words: file.read_u32s("forest.set_words")?,
            group_words: file.read_u32s("forest.group_words")?,
            sets: file.read_u32s("forest.sets")?,
            groups: file.read_u32s("forest.groups")?,
            gain: file.read_f64s("forest.gain")?,
            leaf_mass: file.read_f64s("forest.leaf_mass")?,
            leaf_sizes: of_lists("forest.leaf_sizes")?,
            leaf_classes: of_lists("forest.leaf_classes")?,
        })
    }
}
