//! Loops over the rows of a block that the compiler does several rows at a time.

/// The bounds of one numeric feature of a box, and its values in a block.
#[derive(Clone, Copy)]
pub(super) struct LaneWalls<'a> {
    pub(super) values: &'a [f64],
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) per_unit: f64,
}

/// Adds to the distance of every row how far it lies beyond the walls, in units; nothing where a value is missing.
pub(super) fn add_distances<const N: usize>(walls: &[LaneWalls<'_>; N], distances: &mut [f64]) {
    let values = walls.map(|walls| &walls.values[..distances.len()]);
    for (place, distance) in distances.iter_mut().enumerate() {
        let mut sum = 0.0;
        for (walls, values) in walls.iter().zip(values) {
            let (below, above) = (walls.low - values[place], values[place] - walls.high);
            let beyond = if below > above { below } else { above };
            // False for NaN as well.
            sum += if beyond > 0.0 { beyond } else { 0.0 } * walls.per_unit;
        }
        *distance += sum;
    }
}

/// Sums of `pull` over values below `low` and above `high`, in four strands that are added at the end.
pub(super) fn beyond(values: &[f64], pull: &[f64], low: f64, high: f64) -> (f64, f64) {
    const LANES: usize = 4;
    let (chunks, rest) = values.as_chunks::<LANES>();
    let (pulls, pull_rest) = pull.as_chunks::<LANES>();
    let (mut below, mut above) = ([0.0; LANES], [0.0; LANES]);
    for (x, pull) in chunks.iter().zip(pulls) {
        for lane in 0..LANES {
            below[lane] += where_true(x[lane] < low, pull[lane]);
            above[lane] += where_true(x[lane] > high, pull[lane]);
        }
    }
    for ((&x, &pull), lane) in rest.iter().zip(pull_rest).zip(0..LANES) {
        below[lane] += where_true(x < low, pull);
        above[lane] += where_true(x > high, pull);
    }
    (below.iter().sum(), above.iter().sum())
}

/// The number, or 0: by masking its bits, because a condition would become a jump that no processor can foresee.
pub(super) fn where_true(test: bool, number: f64) -> f64 {
    f64::from_bits(number.to_bits() & u64::from(test).wrapping_neg())
}
