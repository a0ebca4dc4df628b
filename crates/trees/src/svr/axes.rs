//! Axes of the unit cube, and the rows sorted along each axis.

use crate::rows::train_column::{FlaggedRow as Row, TrainColumn, row_of_entry};
use crate::rows::training::TrainingTable;
use crate::tree::ColumnKind;
use imbcore_core::{Dataset, MISSING, Result, RunContext, parallel};
use std::borrow::Cow;

/// Maximum number of levels of a nominal column for which each level gets its own axis.
pub const MOST_LEVEL_AXES: u32 = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UnitCubeAxis {
    pub(super) column: u32,
    pub(super) along: AxisColumnPart,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AxisColumnPart {
    Values,
    /// One level of a nominal column: its rows have the value 0, rows of other levels 1.
    Level(u32),
    /// All levels of a nominal column, ordered by class proportions; the field is their number.
    ///
    /// The order depends on the rows that are drawn for the tree.
    Levels(u32),
}

/// Lists one axis per column; a column with 3 to `most` levels gets one axis per level.
pub(super) fn list_axes(kinds: impl Iterator<Item = ColumnKind>, most: u32) -> Vec<UnitCubeAxis> {
    let axes = |(column, kind): (usize, ColumnKind)| {
        let column = column as u32;
        let all = match kind {
            ColumnKind::Numeric => vec![AxisColumnPart::Values],
            ColumnKind::Nominal(0..=2) => vec![AxisColumnPart::Level(0)],
            ColumnKind::Nominal(levels) if levels > most => vec![AxisColumnPart::Levels(levels)],
            ColumnKind::Nominal(levels) => (0..levels).map(AxisColumnPart::Level).collect(),
        };
        all.into_iter().map(move |along| UnitCubeAxis { column, along })
    };
    kinds.enumerate().flat_map(axes).collect()
}

/// Training data of SVR trees.
///
/// Unless only a single tree is grown, rows are sorted once along every axis that is the same for all trees.
pub struct SvrData<'a> {
    pub(super) table: TrainingTable<'a>,
    pub(super) weights: Option<&'a [f64]>,
    pub(super) axes: Vec<UnitCubeAxis>,
    /// Rows with positive weight, sorted along each axis; missing values come last.
    ///
    /// The list of an axis is empty if its order of levels depends on the rows that a tree draws. If only one
    /// tree is grown, there are no lists, because the tree sorts its rows itself.
    orders: Vec<Vec<Row>>,
}

impl<'a> SvrData<'a> {
    /// Sorts the rows with positive weight; rows of classes with weight 0 are left out.
    pub(super) fn new(data: &Dataset<'a>, class_weight: Option<&[f64]>, ctl: RunContext<'_>) -> Result<Self> {
        let mut ground = Self::for_one_tree(data, class_weight)?;
        // Every tree reads the values of its rows again, so strided columns are copied.
        ground.table.copy_strided_columns(ctl)?;
        let usable = ground.table.usable_entries();
        let order = |axis: usize, numbers: &[f64]| ground.sort_rows(axis, &usable, numbers, ctl);
        let orders = ground.map_axes(order, ctl)?;
        Ok(Self { orders, ..ground })
    }

    /// Prepares the data for a single tree without sorting or copying columns, to save memory.
    pub(super) fn for_one_tree(data: &Dataset<'a>, class_weight: Option<&[f64]>) -> Result<Self> {
        let table = TrainingTable::new(data, class_weight)?;
        let axes = list_axes(data.frame().columns().iter().map(ColumnKind::from_column), MOST_LEVEL_AXES);
        Ok(Self { table, weights: data.weights(), axes, orders: Vec::new() })
    }

    /// Calls `work` for every axis, with the values of its column as a slice.
    ///
    /// # Errors
    /// Same errors as `work`; [`imbcore_core::Error::Cancelled`], [`imbcore_core::Error::Memory`].
    pub(super) fn map_axes<R: Send>(
        &self,
        work: impl Fn(usize, &[f64]) -> Result<R> + Sync,
        ctl: RunContext<'_>,
    ) -> Result<Vec<R>> {
        let before = |column: usize| self.axes.partition_point(|axis| (axis.column as usize) < column);
        let of_column = |column: usize, numbers: &[f64]| {
            let axes = before(column)..before(column + 1);
            parallel::try_map(axes, |axis| work(axis, numbers))
        };
        Ok(self.table.map_columns(of_column, ctl)?.into_iter().flatten().collect())
    }

    /// Returns the rows with positive weight, sorted along an axis.
    /// `numbers` are the values of a numeric column.
    ///
    /// # Errors
    /// [`imbcore_core::Error::Cancelled`].
    pub(super) fn rows_along_axis(
        &self,
        axis: usize,
        usable: &[Row],
        numbers: &[f64],
        ctl: RunContext<'_>,
    ) -> Result<Cow<'_, [Row]>> {
        match self.orders.get(axis) {
            Some(order) => Ok(Cow::Borrowed(order)),
            None => Ok(Cow::Owned(self.sort_rows(axis, usable, numbers, ctl)?)),
        }
    }

    fn sort_rows(
        &self,
        axis: usize,
        usable: &[Row],
        numbers: &[f64],
        ctl: RunContext<'_>,
    ) -> Result<Vec<Row>> {
        let UnitCubeAxis { column, along } = self.axes[axis];
        match (&self.table.columns[column as usize], along) {
            (_, AxisColumnPart::Levels(_)) => Ok(Vec::new()),
            (column @ TrainColumn::Numeric(_), _) => {
                column.column_with_values(numbers).sort_entries(usable, row_of_entry, ctl)
            }
            (TrainColumn::Nominal { codes, .. }, along) => {
                ctl.check()?;
                let mut order = usable.to_vec();
                // Rows of the level come first, then rows of other levels, then rows with missing values. The
                // sort is stable, so each part remains in row order.
                order.sort_by_key(|&row| match codes[row_of_entry(row)] {
                    MISSING => 2,
                    code => u8::from(AxisColumnPart::Level(code) != along),
                });
                Ok(order)
            }
        }
    }

    /// Returns the number of rows of the data set, including rows without weight.
    pub fn n_rows(&self) -> usize {
        self.table.classes.len()
    }

    /// Returns the number of columns of the data set.
    pub fn n_columns(&self) -> usize {
        self.table.columns.len()
    }

    pub(super) fn coordinate_in_data_units(&self, axis: usize, row: Row) -> f64 {
        let UnitCubeAxis { column, along } = self.axes[axis];
        match &self.table.columns[column as usize] {
            TrainColumn::Numeric(values) => values.strided_values().get(row_of_entry(row)),
            TrainColumn::Nominal { codes, .. } => match codes[row_of_entry(row)] {
                MISSING => f64::NAN,
                code => f64::from(u8::from(AxisColumnPart::Level(code) != along)),
            },
        }
    }

    pub(super) fn level_codes(&self, axis: usize) -> Option<(&[u32], u32)> {
        let UnitCubeAxis { column, along } = self.axes[axis];
        match (&self.table.columns[column as usize], along) {
            (TrainColumn::Nominal { codes, .. }, AxisColumnPart::Levels(levels)) => Some((codes, levels)),
            _ => None,
        }
    }

    /// Returns the weight of a row without its class weight.
    pub(super) fn row_weight(&self, row: Row) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row_of_entry(row)])
    }
}
