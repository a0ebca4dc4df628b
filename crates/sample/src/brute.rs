//! Nearest rows by looking at all of them: a screening in single precision, tile by tile, then exact distances.

use crate::lens::{Lens, SLACK};
use crate::space::Space;
use crate::visit::Visit;
use imbcore_base::memory::{filled, reserved};
use imbcore_base::{Result, RunCtl};
use multiversion::multiversion;
use multiversion::target::target_cfg_f;

/// Rows of a tile; a mask has a bit for each. So many because sums live in memory: fewer wait for one another.
const LANES: usize = 64;

/// Columns before the first look whether a tile has any row left, and between two such looks.
const FIRST: usize = 8;
const STRIDE: usize = 4;

/// Rows that may be found, in tiles: the first number of 64 rows, their second, and so on.
#[derive(Clone, Debug)]
pub(crate) struct Brute<'s> {
    space: &'s Space<'s>,
    lens: &'s Lens,
    rows: Vec<u32>,
    tiles: Vec<[f32; LANES]>,
    /// Length of the longest row of each tile.
    lengths: Vec<f64>,
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
            lengths: reserved(n_tiles, POOL)?,
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
            // NaN is within no reach.
            self.tiles.resize(self.tiles.len() + width, [f32::NAN; LANES]);
            self.lengths.push(0.0);
        }
        let start = self.tiles.len() - width;
        let tile = &mut self.tiles[start..];
        let length = self.lens.project(self.space, row, |at, value| tile[at][lane] = value);
        if let Some(longest) = self.lengths.last_mut() {
            *longest = longest.max(length);
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
    /// limit then. Cost: `queries x rows x columns` multiplications in single precision at most, 8 to 16 at a time, and
    /// far fewer where most rows are far away after a few columns; exact distances only for rows that pass.
    pub(crate) fn search<V: Visit>(
        &self,
        queries: &[u32],
        visitors: &mut [V],
        tiles: Tiles,
        ctl: RunCtl<'_>,
    ) -> Result<()> {
        let (width, n_tiles) = (self.lens.width(), self.lengths.len());
        let mut points = filled(queries.len() * width, 0.0, POOL)?;
        let mut slack = Vec::with_capacity(queries.len());
        for (&query, point) in queries.iter().zip(points.chunks_exact_mut(width)) {
            slack.push(SLACK * self.lens.project(self.space, query, |at, value| point[at] = value));
        }
        let reach = |at: usize, visitor: &V| self.lens.reach(visitor.limit()) + slack[at];
        let mut reaches: Vec<f64> = visitors.iter().enumerate().map(|(at, v)| reach(at, v)).collect();
        let mut masks = vec![0_u64; queries.len()];
        let screen = Screen {
            numbers: self.lens.n_numbers(),
            mismatch: self.lens.mismatch,
            inflation: self.lens.inflation(),
        };
        for step in tiles.from..n_tiles {
            if step % 64 == 0 {
                ctl.check()?;
                if reaches.iter().all(|&reach| reach < 0.0) {
                    break;
                }
            }
            let tile = if tiles.newest_first { n_tiles - 1 - (step - tiles.from) } else { step };
            let vectors = &self.tiles[tile * width..(tile + 1) * width];
            look(screen, vectors, self.lengths[tile], &points, &reaches, &mut masks);
            let n_filled = self.rows.len() - tile * LANES;
            if n_filled < LANES {
                // Where there are codes only, no NaN keeps the empty lanes out.
                for mask in &mut masks {
                    *mask &= (1 << n_filled) - 1;
                }
            }
            for (at, mask) in masks.iter_mut().enumerate() {
                while *mask != 0 {
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

/// What a look needs to know besides the vectors.
#[derive(Clone, Copy)]
struct Screen {
    numbers: usize,
    mismatch: f32,
    inflation: f64,
}

/// For every query, the rows of a tile that may be within its reach.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw+fma", "x86_64+avx2+fma", "aarch64+neon"))]
fn look(
    screen: Screen,
    tile: &[[f32; LANES]],
    longest: f64,
    points: &[f32],
    reaches: &[f64],
    masks: &mut [u64],
) {
    let width = tile.len();
    for ((point, &reach), mask) in points.chunks_exact(width).zip(reaches).zip(masks) {
        if reach < 0.0 {
            continue;
        }
        let radius = reach + SLACK * longest;
        let within = (radius * radius * screen.inflation) as f32;
        let mut sums = [0.0_f32; LANES];
        let (tile_numbers, tile_codes) = tile.split_at(screen.numbers);
        let (point_numbers, point_codes) = point.split_at(screen.numbers);
        let (mut start, mut left) = (0, LANES as u32);
        while start < screen.numbers && left > 0 {
            let end = (start + if start == 0 { FIRST } else { STRIDE }).min(screen.numbers);
            for (column, &value) in tile_numbers[start..end].iter().zip(&point_numbers[start..end]) {
                for lane in 0..LANES {
                    let difference = column[lane] - value;
                    sums[lane] = if target_cfg_f!(target_feature = "fma") {
                        difference.mul_add(difference, sums[lane])
                    } else {
                        difference * difference + sums[lane]
                    };
                }
            }
            // Sums only grow.
            left = sums.iter().map(|&sum| u32::from(sum <= within)).sum();
            start = end;
        }
        if left == 0 {
            continue;
        }
        for (column, &value) in tile_codes.iter().zip(point_codes) {
            for lane in 0..LANES {
                sums[lane] += if column[lane] == value { 0.0 } else { screen.mismatch };
            }
        }
        *mask = sums.iter().enumerate().fold(0, |mask, (lane, &sum)| mask | u64::from(sum <= within) << lane);
    }
}
