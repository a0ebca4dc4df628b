//! Serialization of trees.

use crate::masses::{NodeClassAmounts, NodeMasses};
use crate::model::TreeModel;
use crate::prediction::leaf_estimate::LeafEstimate;
use crate::statistics::TargetStatisticTables;
use crate::tree::{ColumnKind, Tree, TreeArrays};
use imbcore_core::{ArrayReader, ArrayWriter, Error, Feature, FeatureKind, Persist, Result, Schema};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct LeafOptions {
    leaf: LeafEstimate,
    m: f64,
    fraction: bool,
}

impl Persist for TreeModel {
    fn write(&self, file: &mut ArrayWriter) -> Result<()> {
        self.tree().target_statistic_tables().write(file);
        self.tree().write(file)?;
        file.write_json("tree.answers", &LeafOptions { leaf: self.leaf, m: self.m, fraction: self.fraction })
    }

    fn read(file: &ArrayReader<'_>, schema: &Schema) -> Result<Self> {
        let columns = ColumnKind::kinds_for_features(&schema.features);
        let statistics = TargetStatisticTables::read(file, &columns, schema.classes.len())?;
        let tree = Tree::read_with_statistics(file, schema, statistics)?;
        let LeafOptions { leaf, m, fraction } = file.read_json("tree.answers")?;
        Ok(Self::new(tree, leaf, check_prior_weight(m)?, fraction))
    }
}

/// Checks the parameter `m` of the m-estimate from an untrusted file.
///
/// # Errors
/// [`Error::Format`] for an invalid number.
pub fn check_prior_weight(m: f64) -> Result<f64> {
    if m.is_finite() && m > 0.0 {
        Ok(m)
    } else {
        Err(Error::damaged("the prior weight of a tree is invalid"))
    }
}

impl Persist for Tree {
    fn write(&self, file: &mut ArrayWriter) -> Result<()> {
        let arrays = self.to_arrays();
        file.write_u8s("tree.kind", &arrays.kind);
        file.write_f64s("tree.operand", &arrays.operand);
        file.write_u32s("tree.column", &arrays.column);
        file.write_u32s("tree.first_child", &arrays.first_child);
        file.write_u32s("tree.n_children", &arrays.n_children);
        file.write_u32s("tree.missing_child", &arrays.missing_child);
        file.write_u32s("tree.rows", &arrays.rows);
        file.write_f64s("tree.gain", &arrays.gain);
        match &arrays.mass {
            NodeMasses::Table(mass) => file.write_f64s("tree.mass", mass),
            NodeMasses::Lists(lists) => {
                file.write_u32s("tree.mass.ends", &lists.ends);
                file.write_u32s("tree.mass.classes", &lists.classes);
                file.write_f64s("tree.mass.amounts", &lists.amounts);
                file.write_f64s("tree.mass.units", &lists.units);
            }
        }
        // Few trees have level sets, class groups or lookup tables, so these arrays are optional.
        let words =
            [("tree.sets", &arrays.sets), ("tree.groups", &arrays.groups), ("tree.tables", &arrays.tables)];
        for (name, words) in words {
            if !words.is_empty() {
                file.write_u32s(name, words);
            }
        }
        Ok(())
    }

    fn read(file: &ArrayReader<'_>, schema: &Schema) -> Result<Self> {
        Self::read_with_statistics(file, schema, TargetStatisticTables::default())
    }
}

impl Tree {
    /// Reads a tree, given the target statistics of its model.
    ///
    /// # Errors
    /// [`Error::Format`] for a damaged tree.
    pub(crate) fn read_with_statistics(
        file: &ArrayReader<'_>,
        schema: &Schema,
        statistics: TargetStatisticTables,
    ) -> Result<Self> {
        let few = |name| if file.has_array(name) { file.read_u32s(name) } else { Ok(Vec::new()) };
        let arrays = TreeArrays {
            kind: file.read_u8s("tree.kind")?,
            operand: file.read_f64s("tree.operand")?,
            column: file.read_u32s("tree.column")?,
            first_child: file.read_u32s("tree.first_child")?,
            n_children: file.read_u32s("tree.n_children")?,
            missing_child: file.read_u32s("tree.missing_child")?,
            rows: file.read_u32s("tree.rows")?,
            gain: file.read_f64s("tree.gain")?,
            mass: if file.has_array("tree.mass") {
                NodeMasses::Table(file.read_f64s("tree.mass")?)
            } else {
                NodeMasses::Lists(NodeClassAmounts {
                    ends: file.read_u32s("tree.mass.ends")?,
                    classes: file.read_u32s("tree.mass.classes")?,
                    amounts: file.read_f64s("tree.mass.amounts")?,
                    units: file.read_f64s("tree.mass.units")?,
                    ..NodeClassAmounts::default()
                })
            },
            sets: few("tree.sets")?,
            groups: few("tree.groups")?,
            tables: few("tree.tables")?,
            statistics,
        };
        Self::from_arrays(arrays, &ColumnKind::kinds_for_features(&schema.features), schema.classes.len())
    }
}

impl ColumnKind {
    /// Returns the column kind of each feature: numeric, or nominal with its number of levels.
    pub fn kinds_for_features(features: &[Feature]) -> Vec<Self> {
        let kind = |feature: &Feature| match &feature.kind {
            FeatureKind::Numeric => Self::Numeric,
            FeatureKind::Nominal { levels } => Self::Nominal(levels.len() as u32),
        };
        features.iter().map(kind).collect()
    }
}
