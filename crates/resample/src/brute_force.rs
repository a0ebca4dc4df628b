//! Brute-force search of nearest neighbors: a 16-bit filter, then exact distances.
//!
//! The filter excludes rows that are certainly too far away. Exact distances of the other rows are computed.

use crate::collectors::NeighborCollector;
use crate::distance_space::DistanceSpace;
use crate::quantizer::Quantizer;
use imbcore_core::memory::{filled, try_with_capacity};
use imbcore_core::{Result, RunContext};
use multiversion::multiversion;

/// Number of rows of a tile (block of rows); the mask of a tile has one bit per row.
const ROWS_PER_TILE: usize = 64;

/// Number of columns between two checks whether all rows of a tile exceed the search limit.
const STRIDE: usize = 8;

/// Number of exact distances in a tile after which the filter is applied to the tile again.
const DISTANCES_PER_FILTER: u32 = 8;

/// Values of one column for all rows of a tile.
///
/// The alignment prevents vector loads from crossing cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(128))]
struct TileValues([i16; ROWS_PER_TILE]);

/// Rows that may be neighbors, in tiles of 64 rows; values are stored column by column.
#[derive(Clone, Debug)]
pub(crate) struct BruteForcePool<'s> {
    space: &'s DistanceSpace<'s>,
    lens: &'s Quantizer,
    rows: Vec<u32>,
    tiles: Vec<TileValues>,
    /// For each tile (block of rows), whether its 16-bit vectors may be used to exclude rows.
    sharp: Vec<bool>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TileSearchOrder {
    /// Index of the first tile (block of rows) to search; earlier tiles are skipped.
    pub(crate) from: usize,
    /// Whether the search goes backward from the last tile, which has the newest rows.
    pub(crate) newest_first: bool,
}

impl<'s> BruteForcePool<'s> {
    pub(crate) fn new(space: &'s DistanceSpace<'s>, lens: &'s Quantizer, rows: &[u32]) -> Result<Self> {
        let n_tiles = rows.len().div_ceil(ROWS_PER_TILE);
        let mut pool = Self {
            space,
            lens,
            rows: try_with_capacity(rows.len(), POOL)?,
            tiles: try_with_capacity(n_tiles * lens.vector_length(), POOL)?,
            sharp: try_with_capacity(n_tiles, POOL)?,
        };
        for &row in rows {
            pool.add_row(row);
        }
        Ok(pool)
    }

    pub(crate) fn add_row(&mut self, row: u32) {
        let (lane, width) = (self.rows.len() % ROWS_PER_TILE, self.lens.vector_length());
        if lane == 0 {
            self.tiles.resize(self.tiles.len() + width, TileValues([0; ROWS_PER_TILE]));
            self.sharp.push(true);
        }
        let start = self.tiles.len() - width;
        let tile = &mut self.tiles[start..];
        let sharp = self.lens.quantize(self.space, row, |i, value| tile[i].0[lane] = value);
        if let Some(all) = self.sharp.last_mut() {
            *all &= sharp;
        }
        self.rows.push(row);
    }

    pub(crate) fn rows(&self) -> &[u32] {
        &self.rows
    }

    pub(crate) fn tile_of_row(place: usize) -> usize {
        place / ROWS_PER_TILE
    }

    /// Passes to each query's collector all rows within the collector's limit, except the query.
    ///
    /// Invariant: before each tile, every collector has received all rows of the previous tiles that were
    /// within its limit at that time. Exact distances are computed only for rows that pass the filter.
    pub(crate) fn collect_neighbors<V: NeighborCollector>(
        &self,
        queries: &[u32],
        visitors: &mut [V],
        tiles: TileSearchOrder,
        ctl: RunContext<'_>,
    ) -> Result<()> {
        let (width, n_tiles) = (self.lens.vector_length(), self.sharp.len());
        let mut points = filled(queries.len() * width, 0, POOL)?;
        let mut sharp = Vec::with_capacity(queries.len());
        for (&query, point) in queries.iter().zip(points.chunks_exact_mut(width)) {
            sharp.push(self.lens.quantize(self.space, query, |i, value| point[i] = value));
        }
        // If the 16-bit vector of the query is not exact, the filter must not exclude any row.
        let reach = |query: usize, visitor: &V| match visitor.max_squared_distance() {
            limit if sharp[query] || limit < 0.0 => self.lens.quantized_limit(limit),
            _ => i32::from(u16::MAX),
        };
        let mut reaches: Vec<i32> = visitors.iter().enumerate().map(|(query, v)| reach(query, v)).collect();
        let mut masks = vec![0_u64; queries.len()];
        let screen = (self.lens.n_numeric(), self.lens.mismatch);
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
                mark_rows_within_limit(screen, vectors, &points, &reaches, &mut masks);
            } else {
                masks
                    .iter_mut()
                    .zip(&reaches)
                    .for_each(|(mask, &reach)| *mask = if reach < 0 { 0 } else { !0 });
            }
            let n_filled = self.rows.len() - tile * ROWS_PER_TILE;
            if n_filled < ROWS_PER_TILE {
                for mask in &mut masks {
                    *mask &= (1 << n_filled) - 1;
                }
            }
            for (at, mask) in masks.iter_mut().enumerate() {
                let mut n_measured = 0;
                while *mask != 0 {
                    n_measured += 1;
                    if n_measured % DISTANCES_PER_FILTER == 0 && self.sharp[tile] {
                        // Exact distances may have decreased the query's limit since the tile was filtered.
                        // So the filter may now exclude more rows.
                        let mut again = [0];
                        let point = &points[at * width..(at + 1) * width];
                        mark_rows_within_limit(screen, vectors, point, &reaches[at..=at], &mut again);
                        *mask &= again[0];
                        if *mask == 0 {
                            break;
                        }
                    }
                    let row = self.rows[tile * ROWS_PER_TILE + mask.trailing_zeros() as usize];
                    *mask &= *mask - 1;
                    let distance = self.space.squared_distance_between(queries[at], row);
                    if row != queries[at] && distance <= visitors[at].max_squared_distance() {
                        visitors[at].offer(row, distance);
                        reaches[at] = reach(at, &visitors[at]);
                    }
                }
            }
        }
        Ok(())
    }
}

const POOL: &str = "candidate rows of a neighbor search";

/// Marks, for every query, the rows of a tile that the filter does not exclude.
///
/// A row is excluded if its 16-bit squared distance exceeds the query's limit in `reaches`. A vector has
/// `numbers` quantized values of numeric columns, followed by the codes of nominal columns. Each nominal
/// column in which row and query differ adds `mismatch` to the squared distance. All `masks` must be 0 at
/// the start.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2", "aarch64+neon"))]
fn mark_rows_within_limit(
    (numbers, mismatch): (usize, u16),
    tile: &[TileValues],
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
        let mut sums = [0_u16; ROWS_PER_TILE];
        // The sums never decrease. So the loop stops as soon as all rows are out of reach.
        let mut parts = strides.iter().zip(point_strides);
        if !parts.all(|(columns, values)| {
            add_squared_differences(columns, values, &mut sums);
            has_row_within_limit(&sums, reach)
        }) {
            continue;
        }
        let (halves, tile_rest) = tile_rest.as_chunks::<{ STRIDE / 2 }>();
        let (point_halves, point_rest) = point_rest.as_chunks::<{ STRIDE / 2 }>();
        halves
            .iter()
            .zip(point_halves)
            .for_each(|(columns, values)| add_squared_differences(columns, values, &mut sums));
        for (column, &value) in tile_rest.iter().zip(point_rest) {
            add_squared_differences(&[*column], &[value], &mut sums);
        }
        for (column, &value) in tile_codes.iter().zip(point_codes) {
            for (sum, &code) in sums.iter_mut().zip(&column.0) {
                *sum = sum.saturating_add(if code == value { 0 } else { mismatch });
            }
        }
        if has_row_within_limit(&sums, reach) {
            *mask =
                sums.iter().enumerate().fold(0, |mask, (lane, &sum)| mask | u64::from(sum <= reach) << lane);
        }
    }
}

/// Adds squared differences in `C` columns, rounded down, to the partial sum of each row.
#[inline(always)] // Each version of `mark_rows_within_limit` compiles it for its instruction set.
#[allow(clippy::inline_always)]
fn add_squared_differences<const C: usize>(
    columns: &[TileValues; C],
    values: &[i16; C],
    sums: &mut [u16; ROWS_PER_TILE],
) {
    for (lane, sum) in sums.iter_mut().enumerate() {
        for (column, value) in columns.iter().zip(values) {
            let difference = i32::from(column.0[lane].wrapping_sub(*value));
            #[allow(clippy::cast_sign_loss)] // A square below 2^30, shifted.
            let units = ((difference * difference) >> 16) as u16;
            *sum = sum.saturating_add(units);
        }
    }
}

#[inline(always)] // Each version of `mark_rows_within_limit` compiles it for its instruction set.
#[allow(clippy::inline_always)]
fn has_row_within_limit(sums: &[u16; ROWS_PER_TILE], reach: u16) -> bool {
    sums.iter().fold(0, |any, &sum| any | u16::from(sum <= reach)) != 0
}
