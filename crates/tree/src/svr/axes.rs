//! The axes of the cube, and the rows sorted along each.

use crate::rows::entry::{Entry as Row, TrainColumn, row_of};
use crate::rows::presort::sorted;
use crate::rows::training::Table;
use crate::tree::ColumnKind;
use imbcore_base::{Dataset, MISSING, Result, RunCtl};
use rayon::prelude::*;

/// Most levels of a nominal column that get an axis each.
pub const MOST_LEVEL_AXES: u32 = 32;

/// One axis of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    pub(super) column: u32,
    pub(super) along: Along,
}

/// What lies along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Along {
    /// The values of a numeric column.
    Values,
    /// A level of a nominal column, at 0 for its rows and at 1 for others.
    Level(u32),
    /// So many levels of a nominal column, in an order that hangs on the rows of the tree.
    Levels(u32),
}

/// The axes that columns of these kinds give: a numeric column is one; so is a nominal one of up to two levels, or of more than `most`;
/// other nominal columns give one for each level.
pub(super) fn axes_of(kinds: impl Iterator<Item = ColumnKind>, most: u32) -> Vec<Axis> {
    let axes = |(column, kind): (usize, ColumnKind)| {
        let column = column as u32;
        let all = match kind {
            ColumnKind::Numeric => vec![Along::Values],
            ColumnKind::Nominal(0..=2) => vec![Along::Level(0)],
            ColumnKind::Nominal(levels) if levels > most => vec![Along::Levels(levels)],
            ColumnKind::Nominal(levels) => (0..levels).map(Along::Level).collect(),
        };
        all.into_iter().map(move |along| Axis { column, along })
    };
    kinds.enumerate().flat_map(axes).collect()
}

/// A data set whose rows were sorted once along every axis, for any number of trees on any of its rows.
pub struct SvrGround<'a> {
    pub(super) table: Table<'a>,
    pub(super) weights: Option<&'a [f64]>,
    pub(super) axes: Vec<Axis>,
    /// Usable rows along each axis, ascending, those without a value last; none where the order hangs on the rows of the tree.
    pub(super) orders: Vec<Vec<Row>>,
}

impl<'a> SvrGround<'a> {
    /// Sorts the rows of positive weight; classes of weight 0 are left out.
    pub(super) fn new(data: &Dataset<'a>, class_weight: Option<&[f64]>, ctl: RunCtl<'_>) -> Result<Self> {
        let mut table = Table::new(data, class_weight)?;
        table.copy_spread(ctl)?;
        let usable = table.usable();
        let axes = axes_of(data.frame().columns().iter().map(ColumnKind::of), MOST_LEVEL_AXES);
        let order = |axis: &Axis| match (&table.columns[axis.column as usize], axis.along) {
            (_, Along::Levels(_)) => Ok(Vec::new()),
            (column @ TrainColumn::Numeric(_), _) => sorted(&usable, column, ctl),
            (TrainColumn::Nominal { codes, .. }, along) => {
                ctl.check()?;
                let mut order = usable.clone();
                // Stable: the level, the others, the missing.
                order.sort_by_key(|&row| match codes[row_of(row)] {
                    MISSING => 2,
                    code => u8::from(Along::Level(code) != along),
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

    /// Where a row lies on an axis of values or of a level, in units of the data; NaN where it has no value.
    pub(super) fn value(&self, axis: usize, row: Row) -> f64 {
        let Axis { column, along } = self.axes[axis];
        match &self.table.columns[column as usize] {
            TrainColumn::Numeric(values) => values.all().get(row_of(row)),
            TrainColumn::Nominal { codes, .. } => match codes[row_of(row)] {
                MISSING => f64::NAN,
                code => f64::from(u8::from(Along::Level(code) != along)),
            },
        }
    }

    /// The codes of an axis of many levels, and how many levels there are.
    pub(super) fn many_levels(&self, axis: usize) -> Option<(&[u32], u32)> {
        let Axis { column, along } = self.axes[axis];
        match (&self.table.columns[column as usize], along) {
            (TrainColumn::Nominal { codes, .. }, Along::Levels(levels)) => Some((codes, levels)),
            _ => None,
        }
    }

    /// Weight of a row before class weights.
    pub(super) fn unit(&self, row: Row) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row_of(row)])
    }
}
