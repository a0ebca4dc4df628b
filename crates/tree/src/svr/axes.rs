//! The axes of the cube, and the rows sorted along each.

use crate::rows::entry::{Entry as Row, TrainColumn, row_of};
use crate::rows::presort::sorted;
use crate::rows::training::Table;
use crate::tree::ColumnKind;
use imbcore_base::{Dataset, MISSING, Result, RunCtl};
use rayon::prelude::*;

/// One axis: a numeric column, or one level of a nominal one, at 0 for rows of the level and at 1 for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    pub(super) column: u32,
    pub(super) level: Option<u32>,
}

/// The axes that columns of these kinds give: a numeric column is one; so is a nominal one of up to two levels; other
/// nominal columns give one for each level.
pub(super) fn axes_of(kinds: impl Iterator<Item = ColumnKind>) -> Vec<Axis> {
    let axes = |(column, kind): (usize, ColumnKind)| {
        let column = column as u32;
        let levels = match kind {
            ColumnKind::Numeric => vec![None],
            ColumnKind::Nominal(0..=2) => vec![Some(0)],
            ColumnKind::Nominal(levels) => (0..levels).map(Some).collect(),
        };
        levels.into_iter().map(move |level| Axis { column, level })
    };
    kinds.enumerate().flat_map(axes).collect()
}

/// A data set whose rows were sorted once along every axis, for any number of trees on any of its rows.
pub struct SvrGround<'a> {
    pub(super) table: Table<'a>,
    pub(super) weights: Option<&'a [f64]>,
    pub(super) axes: Vec<Axis>,
    /// Usable rows along each axis, ascending, those without a value last.
    pub(super) orders: Vec<Vec<Row>>,
}

impl<'a> SvrGround<'a> {
    /// Sorts the rows of positive weight; classes of weight 0 are left out.
    pub(super) fn new(data: &Dataset<'a>, class_weight: Option<&[f64]>, ctl: RunCtl<'_>) -> Result<Self> {
        let table = Table::new(data, class_weight, ctl)?;
        let usable = table.usable();
        let axes = axes_of(data.frame().columns().iter().map(ColumnKind::of));
        let order = |axis: &Axis| match &table.columns[axis.column as usize] {
            column @ TrainColumn::Numeric(_) => sorted(&usable, column, ctl),
            TrainColumn::Nominal { codes, .. } => {
                ctl.check()?;
                let mut order = usable.clone();
                // Stable: the level, the others, the missing.
                order.sort_by_key(|&row| match codes[row_of(row)] {
                    MISSING => 2,
                    code => u8::from(Some(code) != axis.level),
                });
                Ok(order)
            }
        };
        let orders = axes.par_iter().map(order).collect::<Result<_>>()?;
        Ok(Self { table, weights: data.weights(), axes, orders })
    }

    /// Number of rows of the data set, also of those without weight.
    pub fn n_rows(&self) -> usize {
        self.table.classes.len()
    }

    /// Number of columns of the data set.
    pub fn n_columns(&self) -> usize {
        self.table.columns.len()
    }

    /// Where a row lies on an axis, in units of the data; NaN where it has no value.
    pub(super) fn value(&self, axis: usize, row: Row) -> f64 {
        let Axis { column, level } = self.axes[axis];
        match &self.table.columns[column as usize] {
            TrainColumn::Numeric(values) => values[row_of(row)],
            TrainColumn::Nominal { codes, .. } => match codes[row_of(row)] {
                MISSING => f64::NAN,
                code => f64::from(u8::from(Some(code) != level)),
            },
        }
    }

    /// Weight of a row before class weights.
    pub(super) fn unit(&self, row: Row) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row_of(row)])
    }
}
