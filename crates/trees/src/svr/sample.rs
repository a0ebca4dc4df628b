//! Rows of one tree, as points in the unit cube.

use super::axes::{AxisColumnPart, SvrData};
use super::levels;
use super::params::Scaling;
use crate::rows::train_column::row_of_entry;
use imbcore_core::{Error, Result, RunContext, memory};

/// Linear map of the values on one axis to the unit cube: `(x - offset) / width`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AxisScale {
    pub(super) offset: f64,
    pub(super) width: f64,
}

/// Maximum number of classes, because a point stores its class in two bytes.
pub(super) const MOST_CLASSES: usize = 1 << 16;

/// Coordinate of a row on one axis.
/// A point takes only 14 bytes, because the points of all axes use most of the memory of a fit.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed(2))]
pub(super) struct AxisPoint {
    pub(super) x: f64,
    pub(super) row: u32,
    pub(super) class: u16,
}

/// Rows of one tree, sorted along every axis of the unit cube.
/// Growing a tree modifies the lists, so each tree gets a copy.
#[derive(Clone)]
pub(super) struct SvrSample<'t> {
    pub(super) points: Vec<Vec<AxisPoint>>,
    pub(super) scales: Vec<AxisScale>,
    /// Coordinates of a column's levels on an axis that orders them; empty for all other axes.
    pub(super) levels: Vec<Vec<f64>>,
    /// Weight of each row times its number of draws, without class weights.
    /// `None` if this product is 1 for all rows of the tree.
    pub(super) row_weights: Option<Vec<f64>>,
    pub(super) times: Option<&'t [u32]>,
    pub(super) class_units: Vec<f64>,
    /// Total weight of all rows without class weights; without weights, the number of rows.
    pub(super) mass: f64,
}

impl<'t> SvrSample<'t> {
    pub(super) fn new(
        ground: &SvrData<'_>,
        times: Option<&'t [u32]>,
        scaling: Scaling,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let drawn = |row: u32| times.map_or(1, |times| times[row_of_entry(row)]);
        let usable = ground.table.usable_entries();
        let rows = || usable.iter().copied().filter(|&row| drawn(row) > 0);
        if rows().next().is_none() {
            return Err(Error::Data("no row of positive weight was drawn; at least 1 is needed".into()));
        }
        let unit = |row: u32| ground.row_weight(row) * f64::from(drawn(row));
        let mut class_units = vec![0.0; ground.table.n_classes];
        for row in rows() {
            class_units[ground.table.class_of(row)] += unit(row);
        }
        let mass: f64 = class_units.iter().sum();
        let units = rows().any(|row| unit(row) != 1.0).then(|| {
            let mut units = vec![0.0; ground.n_rows()];
            for row in rows() {
                units[row_of_entry(row)] = unit(row);
            }
            units
        });
        let n_points = rows().count();
        let along = |axis: usize, numbers: &[f64]| {
            ctl.check()?;
            let point = |row: u32, x: f64| AxisPoint {
                x,
                row: row_of_entry(row) as u32,
                class: ground.table.class_of(row) as u16,
            };
            let (mut levels, mut points): (Vec<f64>, Vec<AxisPoint>) = match ground.level_codes(axis) {
                None => {
                    // The memory is reserved in one step, because a growing vector takes up to twice as much
                    // memory.
                    let mut points = memory::try_with_capacity(n_points, "rows along the axes")?;
                    let value = |row: u32| match ground.axes[axis].along {
                        AxisColumnPart::Values => numbers[row_of_entry(row)],
                        _ => ground.coordinate_in_data_units(axis, row),
                    };
                    let order = ground.rows_along_axis(axis, &usable, numbers, ctl)?;
                    let drawn = order.iter().copied().filter(|&row| drawn(row) > 0);
                    points.extend(drawn.map(|row| point(row, value(row))));
                    (Vec::new(), points)
                }
                Some(column) => {
                    let drawn = rows().map(|row| (row, unit(row)));
                    let levels = levels::level_coordinates(ground, column, drawn, &class_units);
                    let place = |row: u32| levels.get(column.0[row_of_entry(row)] as usize).copied();
                    let mut points: Vec<AxisPoint> =
                        rows().map(|row| point(row, place(row).unwrap_or(f64::NAN))).collect();
                    // The sort is stable, so that rows of the same level stay in row order. Missing values
                    // come last.
                    points.sort_by(|a, b| { a.x }.total_cmp(&{ b.x }));
                    (levels, points)
                }
            };
            let scale = scale_to_unit(&mut points, scaling, mass).map_err(|message| {
                let column = ground.axes[axis].column as usize;
                Error::Column { column, message: message.into() }
            })?;
            for level in &mut levels {
                *level = (*level - scale.offset) / scale.width;
            }
            Ok((points, (scale, levels)))
        };
        let all = ground.map_axes(along, ctl)?;
        let (points, known): (_, Vec<(AxisScale, Vec<f64>)>) = all.into_iter().unzip();
        let (scales, levels) = known.into_iter().unzip();
        Ok(Self { points, scales, levels, row_weights: units, times, class_units, mass })
    }

    pub(super) fn count_rows(&self, points: &[AxisPoint]) -> u32 {
        let times = |point: &AxisPoint| self.times.map_or(1, |times| times[point.row as usize]);
        points.iter().map(times).sum()
    }

    #[inline]
    pub(super) fn point_weight(&self, point: &AxisPoint) -> f64 {
        self.row_weights.as_ref().map_or(1.0, |units| units[point.row as usize])
    }
}

/// Scales the coordinates of one axis to [0, 1]; on a constant axis, all become 0.5.
///
/// With [`Scaling::None`], coordinates are not changed; a coordinate outside [0, 1] is an error.
fn scale_to_unit(points: &mut [AxisPoint], scaling: Scaling, mass: f64) -> Result<AxisScale, &'static str> {
    let n_known = points.partition_point(|point| !point.x.is_nan());
    let known = &mut points[..n_known];
    let (Some(first), Some(last)) = (known.first(), known.last()) else {
        return Ok(AxisScale { offset: 0.0, width: 1.0 });
    };
    let (min, max) = (first.x, last.x);
    let range = max - min;
    if !range.is_finite() {
        return Err("has a range that overflows a float; divide it by a constant");
    }
    let scale = match scaling {
        Scaling::None if min < 0.0 || max > 1.0 => {
            return Err(
                "has values outside [0, 1], which scale=\"none\" does not allow; use scale=\"reference\" or \"minmax\"",
            );
        }
        Scaling::None => return Ok(AxisScale { offset: 0.0, width: 1.0 }),
        _ if range == 0.0 => AxisScale { offset: min, width: 1.0 },
        Scaling::Minmax => AxisScale { offset: min, width: range },
        Scaling::Reference => {
            let margin = range / (mass - 1.0).max(1.0);
            AxisScale { offset: min - margin, width: range + 2.0 * margin }
        }
    };
    if !(scale.offset.is_finite() && scale.width.is_finite()) {
        return Err("has a range that overflows a float; divide it by a constant");
    }
    for point in known {
        point.x = if range == 0.0 { 0.5 } else { (point.x - scale.offset) / scale.width };
    }
    Ok(scale)
}

pub(super) fn separate_missing(points: &[AxisPoint]) -> (&[AxisPoint], &[AxisPoint]) {
    points.split_at(points.partition_point(|point| !point.x.is_nan()))
}
