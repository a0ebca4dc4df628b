//! Recursive minimal entropy partitioning (Fayyad and Irani 1993).
//!
//! The recursion stops by the minimum description length principle.

use super::value_profile::{ClassWeightCursor, STRETCH, ValueProfile};
use imbcore_core::{Result, RunContext};

/// A higher cut point replaces a lower one only if it has an entropy lower by more than this.
const TIE: f64 = 1e-12;

pub(super) fn find_cut_points(profile: &ValueProfile, ctl: RunContext<'_>) -> Result<Vec<f64>> {
    let mut positions = Vec::new();
    let mut segments = vec![(0, profile.n_runs())];
    while let Some((start, end)) = segments.pop() {
        ctl.check()?;
        if let Some(at) = best_cut(profile, start, end, ctl)?
            && is_accepted_cut(profile, start, at, end)
        {
            positions.push(at);
            segments.extend([(start, at), (at, end)]);
        }
    }
    positions.sort_unstable();
    Ok(positions.into_iter().map(|at| profile.cut_point(at)).collect())
}

fn best_cut(profile: &ValueProfile, start: usize, end: usize, ctl: RunContext<'_>) -> Result<Option<usize>> {
    let [lower, mut middle, upper] =
        [start, start, end].map(|position| profile.class_weights_below(position));
    let (lower, upper) = (lower.class_weights(), upper.class_weights());
    let scale = 1.0 / lower.iter().zip(upper).map(|(lower, upper)| upper - lower).sum::<f64>();
    let mut best = (f64::INFINITY, None);
    for stretch in profile.cut_candidates_between(start, end).chunks(STRETCH) {
        ctl.check()?;
        for &at in stretch {
            middle.move_to(at as usize);
            let middle = middle.class_weights();
            let entropy = (Segment::new(lower, middle).entropy + Segment::new(middle, upper).entropy) * scale;
            if entropy < best.0 - TIE {
                best = (entropy, Some(at as usize));
            }
        }
    }
    Ok(best.1)
}

/// Interval of values: row weight, number of classes, and row weight times entropy in nats.
struct Segment {
    mass: f64,
    entropy: f64,
    n_classes: f64,
}

impl Segment {
    #[inline]
    fn new(lower: &[f64], upper: &[f64]) -> Self {
        let mut part = Self { mass: 0.0, entropy: 0.0, n_classes: 0.0 };
        for (lower, upper) in lower.iter().zip(upper) {
            let mass = upper - lower;
            if mass > 0.0 {
                part.mass += mass;
                part.entropy -= mass * mass.ln();
                part.n_classes += 1.0;
            }
        }
        if part.mass > 0.0 {
            part.entropy += part.mass * part.mass.ln();
        }
        part
    }
}

/// Accepts or rejects a cut point by the minimum description length criterion.
///
/// A segment of weight N, entropy E and k classes is split into parts 1 and 2. The cut point is accepted if
/// `E - (N_1 E_1 + N_2 E_2) / N > [ln(N - 1) + ln(3^k - 2) - (k E - k_1 E_1 - k_2 E_2)] / N`.
fn is_accepted_cut(profile: &ValueProfile, start: usize, at: usize, end: usize) -> bool {
    let below = [start, at, end].map(|position| profile.class_weights_below(position));
    let [lower, middle, upper] = below.each_ref().map(ClassWeightCursor::class_weights);
    let (whole, left, right) =
        (Segment::new(lower, upper), Segment::new(lower, middle), Segment::new(middle, upper));
    if whole.mass <= 1.0 {
        return false;
    }
    let spread = |part: &Segment| part.n_classes * part.entropy / part.mass;
    let gain = (whole.entropy - left.entropy - right.entropy) / whole.mass;
    // For many classes, `3^k - 2` equals `3^k` up to rounding.
    let subsets = if whole.n_classes > 30.0 {
        whole.n_classes * 3.0_f64.ln()
    } else {
        (3.0_f64.powf(whole.n_classes) - 2.0).ln()
    };
    let description = (whole.mass - 1.0).ln() + subsets - (spread(&whole) - spread(&left) - spread(&right));
    gain > description / whole.mass
}
