//! Nearest rows by looking at all of them: a screening in small whole numbers, tile by tile, then exact distances.

use crate::lens::Lens;
use crate::space::Space;
use crate::visit::Visit;
use imbcore_base::memory::{filled, reserved};
use imbcore_base::{Result, RunCtl};
use multiversion::multiversion;

/// Rows of a tile; a mask has a bit for each.
const LANES: usize = 64;

/// Columns whose squares are added up before the next look whether a tile has any row left.
const STRIDE: usize = 8;

/// Rows of a tile that are measured before those left are looked at again.
const AGAIN: u32 = 8;

/// A number of each row of a tile, where vector loads never meet two cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(128))]
struct Lanes([i16; LANES]);

/// Rows that may be found, in tiles: the first number of 64 rows, their second, and so on.
#[derive(Clone, Debug)]
pub(crate) struct Brute<'s> {
    space: &'s Space<'s>,
    lens: &'s Lens,
    rows: Vec<u32>,
    tiles: Vec<Lanes>,
    /// Whether the vectors of all rows of a tile are sharp.
    sharp: Vec<bool>,
}

/// Which tiles are looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tiles {
    /// The first of them; earlier ones are known.
    pub(crate) from: usize,
    /// Whether the last comes first.
    pub(crate) newest_first: bool,
}

impl<'s> Brute<'s> {
    /// A pool of rows.
    pub(crate) fn new(space: &'s Space<'s>, lens: &'s Lens, rows: &[u32]) -> Result<Self> {
        let n_tiles = rows.len().div_ceil(LANES);
        let mut pool = Self {
            space,
            lens,
            rows: reserved(rows.len(), POOL)?,
            tiles: reserved(n_tiles * lens.width(), POOL)?,
            sharp: reserved(n_tiles, POOL)?,
        };
        for &row in rows {
            pool.push(row);
        }
        Ok(pool)
    }

    /// Puts one more row in.
    pub(crate) fn push(&mut self, row: u32) {
        let (lane, width) = (self.rows.len() % LANES, self.lens.width());
        if lane == 0 {
            self.tiles.resize(self.tiles.len() + width, Lanes([0; LANES]));
            self.sharp.push(true);
        }
        let start = self.tiles.len() - width;
        let tile = &mut self.tiles[start..];
        let sharp = self.lens.project(self.space, row, |at, value| tile[at].0[lane] = value);
        if let Some(all) = self.sharp.last_mut() {
            *all &= sharp;
        }
        self.rows.push(row);
    }

    /// The rows, in the order in which they came.
    pub(crate) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The tile of a row, by its place in [`Brute::rows`].
    pub(crate) fn tile_of(place: usize) -> usize {
        place / LANES
    }

    /// Leads each visitor around its query; a query does not meet itself.
    ///
    /// At the top of the loop over tiles every visitor has been offered each row of the earlier tiles that was within its
    /// limit then. Cost: `queries x rows x columns` multiplications of 16 bits at most, 16 to 32 at a time, and far fewer
    /// where most rows are far away after a few columns; exact distances only for rows that pass.
    pub(crate) fn search<V: Visit>(
        &self,
        queries: &[u32],
        visitors: &mut [V],
        tiles: Tiles,
        ctl: RunCtl<'_>,
    ) -> Result<()> {
        let (width, n_tiles) = (self.lens.width(), self.sharp.len());
        let mut points = filled(queries.len() * width, 0, POOL)?;
        let mut sharp = Vec::with_capacity(queries.len());
        for (&query, point) in queries.iter().zip(points.chunks_exact_mut(width)) {
            sharp.push(self.lens.project(self.space, query, |at, value| point[at] = value));
        }
        // Everything is within reach of who cannot be seen sharply.
        let reach = |at: usize, visitor: &V| match visitor.limit() {
            limit if sharp[at] || limit < 0.0 => self.lens.reach(limit),
            _ => i32::from(u16::MAX),
        };
        let mut reaches: Vec<i32> = visitors.iter().enumerate().map(|(at, v)| reach(at, v)).collect();
        let mut masks = vec![0_u64; queries.len()];
        let screen = (self.lens.n_numbers(), self.lens.mismatch);
        for step in tiles.from..n_tiles {
            if step % 64 == 0 {
                ctl.check()?;
                if reaches.iter().all(|&reach| reach < 0) {
                    break;
                }
            }
            let tile = if tiles.newest_first { n_tiles - 1 - (step - tiles.from) } else { step };
            let vectors = &self.tiles[tile * width..(tile + 1) * width];
            if self.sharp[tile] {
                look(screen, vectors, &points, &reaches, &mut masks);
            } else {
                masks
                    .iter_mut()
                    .zip(&reaches)
                    .for_each(|(mask, &reach)| *mask = if reach < 0 { 0 } else { !0 });
            }
            let n_filled = self.rows.len() - tile * LANES;
            if n_filled < LANES {
                for mask in &mut masks {
                    *mask &= (1 << n_filled) - 1;
                }
            }
            for (at, mask) in masks.iter_mut().enumerate() {
                let mut n_measured = 0;
                while *mask != 0 {
                    n_measured += 1;
                    if n_measured % AGAIN == 0 && self.sharp[tile] {
                        // Where many pass, as in the first tile, those measured already may rule out the others.
                        let mut again = [0];
                        let point = &points[at * width..(at + 1) * width];
                        look(screen, vectors, point, &reaches[at..=at], &mut again);
                        *mask &= again[0];
                        if *mask == 0 {
                            break;
                        }
                    }
                    let row = self.rows[tile * LANES + mask.trailing_zeros() as usize];
                    *mask &= *mask - 1;
                    let distance = self.space.distance(queries[at], row);
                    if row != queries[at] && distance <= visitors[at].limit() {
                        visitors[at].offer(row, distance);
                        reaches[at] = reach(at, &visitors[at]);
                    }
                }
            }
        }
        Ok(())
    }
}

const POOL: &str = "rows among which neighbours are looked for";

/// For every query, the rows of a tile that may be within its reach; vectors begin with so many numbers, and `mismatch` is
/// added for each code behind them that differs.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2", "aarch64+neon"))]
fn look(
    (numbers, mismatch): (usize, u16),
    tile: &[Lanes],
    points: &[i16],
    reaches: &[i32],
    masks: &mut [u64],
) {
    let (tile_numbers, tile_codes) = tile.split_at(numbers);
    for ((point, &reach), mask) in points.chunks_exact(tile.len()).zip(reaches).zip(masks) {
        let Ok(reach) = u16::try_from(reach) else { continue };
        let (point_numbers, point_codes) = point.split_at(numbers);
        let (strides, tile_rest) = tile_numbers.as_chunks::<STRIDE>();
        let (point_strides, point_rest) = point_numbers.as_chunks::<STRIDE>();
        let mut sums = [0_u16; LANES];
        // Sums only grow, so that a tile without a row within reach has none in the end.
        let mut parts = strides.iter().zip(point_strides);
        if !parts.all(|(columns, values)| {
            add(columns, values, &mut sums);
            any(&sums, reach)
        }) {
            continue;
        }
        let (halves, tile_rest) = tile_rest.as_chunks::<{ STRIDE / 2 }>();
        let (point_halves, point_rest) = point_rest.as_chunks::<{ STRIDE / 2 }>();
        halves.iter().zip(point_halves).for_each(|(columns, values)| add(columns, values, &mut sums));
        for (column, &value) in tile_rest.iter().zip(point_rest) {
            add(&[*column], &[value], &mut sums);
        }
        for (column, &value) in tile_codes.iter().zip(point_codes) {
            for (sum, &code) in sums.iter_mut().zip(&column.0) {
                *sum = sum.saturating_add(if code == value { 0 } else { mismatch });
            }
        }
        if any(&sums, reach) {
            *mask =
                sums.iter().enumerate().fold(0, |mask, (lane, &sum)| mask | u64::from(sum <= reach) << lane);
        }
    }
}

/// Adds up the squares of the differences in some columns, rounded down to units.
#[inline(always)] // Into the versions of `look`, whose instructions it is to use.
#[allow(clippy::inline_always)]
fn add<const C: usize>(columns: &[Lanes; C], values: &[i16; C], sums: &mut [u16; LANES]) {
    for (lane, sum) in sums.iter_mut().enumerate() {
        for (column, value) in columns.iter().zip(values) {
            let difference = i32::from(column.0[lane].wrapping_sub(*value));
            #[allow(clippy::cast_sign_loss)] // A square below 2^30, shifted.
            let units = ((difference * difference) >> 16) as u16;
            *sum = sum.saturating_add(units);
        }
    }
}

/// Whether any sum is within reach.
#[inline(always)] // Into the versions of `look`, whose instructions it is to use.
#[allow(clippy::inline_always)]
fn any(sums: &[u16; LANES], reach: u16) -> bool {
    sums.iter().fold(0, |any, &sum| any | u16::from(sum <= reach)) != 0
}
