//! The rows of one tree, in the cube.

use super::axes::{Along, SvrGround};
use super::levels;
use super::params::Scaling;
use crate::rows::entry::row_of;
use imbcore_base::{Error, Result, RunCtl, memory};

/// Linear map of one axis to the cube: `(x - offset) / width`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) offset: f64,
    pub(super) width: f64,
}

/// Most classes: a point has two bytes for its own.
pub(super) const MOST_CLASSES: usize = 1 << 16;

/// A row on one axis, in 14 bytes: the points of all axes are most of what a fit takes.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed(2))]
pub(super) struct Point {
    /// Coordinate in the cube; NaN where the row has no value.
    pub(super) x: f64,
    pub(super) row: u32,
    pub(super) class: u16,
}

/// The rows of one tree along every axis of the cube. Grown trees consume a copy.
#[derive(Clone)]
pub(super) struct Sample<'t> {
    /// A list an axis, ascending; rows without a value last.
    pub(super) points: Vec<Vec<Point>>,
    pub(super) scales: Vec<Scale>,
    /// Where the levels lie on an axis of many, in the cube; nothing for other axes.
    pub(super) levels: Vec<Vec<f64>>,
    /// How often each row counts; none when each row of the tree counts once.
    pub(super) units: Option<Vec<f64>>,
    /// How often each row was drawn, where rows were drawn.
    pub(super) times: Option<&'t [u32]>,
    /// Sum of units by class.
    pub(super) class_units: Vec<f64>,
    /// Sum of all units: the number of rows, if none has a weight.
    pub(super) mass: f64,
}

impl<'t> Sample<'t> {
    /// The usable rows of `ground`, or each as often as `times` says.
    pub(super) fn new(
        ground: &SvrGround<'_>,
        times: Option<&'t [u32]>,
        scaling: Scaling,
        ctl: RunCtl<'_>,
    ) -> Result<Self> {
        let drawn = |row: u32| times.map_or(1, |times| times[row_of(row)]);
        let usable = ground.table.usable();
        let rows = || usable.iter().copied().filter(|&row| drawn(row) > 0);
        if rows().next().is_none() {
            return Err(Error::Data("no row of positive weight was drawn; at least 1 is needed".into()));
        }
        let unit = |row: u32| ground.unit(row) * f64::from(drawn(row));
        let mut class_units = vec![0.0; ground.table.n_classes];
        for row in rows() {
            class_units[ground.table.class_of(row)] += unit(row);
        }
        let mass: f64 = class_units.iter().sum();
        let units = rows().any(|row| unit(row) != 1.0).then(|| {
            let mut units = vec![0.0; ground.n_rows()];
            for row in rows() {
                units[row_of(row)] = unit(row);
            }
            units
        });
        let n_points = rows().count();
        let along = |axis: usize, numbers: &[f64]| {
            ctl.check()?;
            let point = |row: u32, x: f64| Point {
                x,
                row: row_of(row) as u32,
                class: ground.table.class_of(row) as u16,
            };
            let (mut levels, mut points): (Vec<f64>, Vec<Point>) = match ground.many_levels(axis) {
                None => {
                    // With the room that is needed: a list that grows takes up to twice as much.
                    let mut points = memory::reserved(n_points, "rows along the axes")?;
                    let value = |row: u32| match ground.axes[axis].along {
                        Along::Values => numbers[row_of(row)],
                        _ => ground.value(axis, row),
                    };
                    let order = ground.order(axis, &usable, numbers, ctl)?;
                    let drawn = order.iter().copied().filter(|&row| drawn(row) > 0);
                    points.extend(drawn.map(|row| point(row, value(row))));
                    (Vec::new(), points)
                }
                Some(column) => {
                    let drawn = rows().map(|row| (row, unit(row)));
                    let levels = levels::places(ground, column, drawn, &class_units);
                    let place = |row: u32| levels.get(column.0[row_of(row)] as usize).copied();
                    let mut points: Vec<Point> =
                        rows().map(|row| point(row, place(row).unwrap_or(f64::NAN))).collect();
                    // Stable, so that rows of a level stay ascending; missing values come last.
                    points.sort_by(|a, b| { a.x }.total_cmp(&{ b.x }));
                    (levels, points)
                }
            };
            let scale = to_cube(&mut points, scaling, mass).map_err(|message| {
                let column = ground.axes[axis].column as usize;
                Error::Column { column, message: message.into() }
            })?;
            for level in &mut levels {
                *level = (*level - scale.offset) / scale.width;
            }
            Ok((points, (scale, levels)))
        };
        let all = ground.map_axes(along, ctl)?;
        let (points, known): (_, Vec<(Scale, Vec<f64>)>) = all.into_iter().unzip();
        let (scales, levels) = known.into_iter().unzip();
        Ok(Self { points, scales, levels, units, times, class_units, mass })
    }

    /// Rows among some points, those drawn twice counted twice.
    pub(super) fn rows(&self, points: &[Point]) -> u32 {
        let times = |point: &Point| self.times.map_or(1, |times| times[point.row as usize]);
        points.iter().map(times).sum()
    }

    /// How often a point's row counts.
    #[inline]
    pub(super) fn unit(&self, point: &Point) -> f64 {
        self.units.as_ref().map_or(1.0, |units| units[point.row as usize])
    }
}

/// Brings one axis to the cube; a constant one lies in the middle.
fn to_cube(points: &mut [Point], scaling: Scaling, mass: f64) -> Result<Scale, &'static str> {
    let n_known = points.partition_point(|point| !point.x.is_nan());
    let known = &mut points[..n_known];
    let (Some(first), Some(last)) = (known.first(), known.last()) else {
        return Ok(Scale { offset: 0.0, width: 1.0 });
    };
    let (min, max) = (first.x, last.x);
    let range = max - min;
    if !range.is_finite() {
        return Err("spans more than a float can hold; divide it by a constant");
    }
    let scale = match scaling {
        Scaling::None if min < 0.0 || max > 1.0 => {
            return Err(
                "leaves [0, 1], which scale=\"none\" promises; use scale=\"reference\" or \"minmax\"",
            );
        }
        Scaling::None => return Ok(Scale { offset: 0.0, width: 1.0 }),
        _ if range == 0.0 => Scale { offset: min, width: 1.0 },
        Scaling::Minmax => Scale { offset: min, width: range },
        Scaling::Reference => {
            let margin = range / (mass - 1.0).max(1.0);
            Scale { offset: min - margin, width: range + 2.0 * margin }
        }
    };
    if !(scale.offset.is_finite() && scale.width.is_finite()) {
        return Err("spans more than a float can hold; divide it by a constant");
    }
    for point in known {
        point.x = if range == 0.0 { 0.5 } else { (point.x - scale.offset) / scale.width };
    }
    Ok(scale)
}

/// The points with a value, and those without.
pub(super) fn parted(points: &[Point]) -> (&[Point], &[Point]) {
    points.split_at(points.partition_point(|point| !point.x.is_nan()))
}
