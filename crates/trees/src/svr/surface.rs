//! Exact surface and volume of the classes' regions when one box is split.
//!
//! Let `B` be the box, `F_j` the area of its face across axis `j`, `SB` that of all its faces, and, for one class
//! `k`, let `s0` be the area touched by other boxes of the class. The part of the boundary of the class's region
//! that lies in the closed box is `s0` if `B` is of another class (the neighbors' faces are exposed), and `SB - s0`
//! if it is of this class. If the box is split at `t` on axis `j`, with only the lower part in the region, it is
//!
//! ```text
//! L10(t) = 2 F_j - low_j + high_j + C_j(1) + (SB - 2 F_j) u - 2 C_j(u)
//! ```
//!
//! where `u` is the fraction of the box below `t`, `low_j` and `high_j` are the areas touched across axis `j`, and
//! `C_j(u)` is the area touched across other axes below `t`. With only the upper part in the region, it is `SB + 2
//! F_j - L10(t)`. `C_j` is piecewise linear and bends only at the ends of neighbors, so one sweep serves all
//! thresholds of an axis.
//!
//! In the code, `faces` is `SB`, `face` is `F_j`, and `touched` is `C_j(1) + low_j + high_j`. [`SweepLine`] has
//! the constant parts of `L10` and of its counterpart for one class, with `C_j(u) = touched + density (t - low)`
//! at the current position of the sweep. Invariant: after [`SurfaceSweep::advance`] to a threshold, every bend
//! at or below it is included in its line. For a box of a tree with `n` leaves, the contacts cost `n` times the
//! axes, a sweep sorts the bends of one axis, and each threshold then costs the number of classes.

use super::boxes::{AxisInterval, LeafBoxes};
use super::params::Regularizer;

/// Smallest volume; smaller ones and their surfaces underflow.
const LEAST_VOLUME: f64 = 1e-290;

/// Penalized quantity and classes.
#[derive(Clone, Debug)]
pub(super) struct SurfacePenalty {
    pub(super) regularizer: Regularizer,
    /// Whether each class is penalized.
    pub(super) counts: Vec<bool>,
    pub(super) n_axes: f64,
}

impl SurfacePenalty {
    /// Surface-to-volume ratio of the region of one class; 0 if the class is not penalized.
    fn ratio(&self, class: usize, surface: f64, volume: f64, empty: bool) -> f64 {
        match self.counts[class] {
            false => 0.0,
            // The ratio of the unit cube, which is the minimum over all regions.
            true if empty => 2.0 * self.n_axes,
            // The ratio of a cube of the minimum volume, which is a lower bound for regions of at most this volume.
            true if volume < LEAST_VOLUME => 2.0 * self.n_axes * LEAST_VOLUME.powf(-1.0 / self.n_axes),
            true => surface / volume,
        }
    }

    /// Value of the regularizer for given regions; `empty` indicates classes without a region.
    pub(super) fn value(
        &self,
        regions: &ClassRegions,
        boxes: &LeafBoxes,
        empty: impl Fn(usize) -> bool,
    ) -> f64 {
        if self.regularizer == Regularizer::Surface {
            return boxes.interface(None);
        }
        let measures = regions.surface.iter().zip(&regions.volume).enumerate();
        measures.map(|(class, (&surface, &volume))| self.ratio(class, surface, volume, empty(class))).sum()
    }

    /// Minimum over all trees.
    pub(super) fn least(&self) -> f64 {
        match self.regularizer {
            Regularizer::Svr => {
                2.0 * self.n_axes * self.counts.iter().filter(|&&counts| counts).count() as f64
            }
            Regularizer::Surface => 0.0,
        }
    }

    /// Whether the regularizer requires the surface and volume of a class.
    fn measures(&self, class: usize) -> bool {
        self.regularizer == Regularizer::Surface || self.counts[class]
    }
}

/// Part of a box's wall that another box touches.
struct Contact {
    class: usize,
    axis: usize,
    neighbor: usize,
    area: f64,
}

/// Neighborhood of a box with respect to one class.
#[derive(Clone, Debug)]
struct ClassNeighborhood {
    /// Surface of the class's region outside of the closed box.
    surface: f64,
    /// Volume of the other boxes of the class.
    volume: f64,
    /// Whether the class has other boxes.
    others: bool,
    /// Total area touched by boxes of the class.
    /// `low` and `high` are the areas across the lower and upper face of every axis.
    touched: f64,
    low: Vec<f64>,
    high: Vec<f64>,
}

/// Surface and volume of every class's region.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ClassRegions {
    pub(super) surface: Vec<f64>,
    pub(super) volume: Vec<f64>,
}

impl ClassRegions {
    /// Regions of the unit cube with a single label.
    pub(super) fn whole(n_classes: usize, label: usize, n_axes: usize) -> Self {
        let mut regions = Self { surface: vec![0.0; n_classes], volume: vec![0.0; n_classes] };
        regions.surface[label] = 2.0 * n_axes as f64;
        regions.volume[label] = 1.0;
        regions
    }
}

/// Contribution of all classes but two to the regularizer.
enum OtherClasses {
    /// Equal for all pairs of classes.
    Equal(f64),
    /// A sum over the classes.
    /// It is computed without subtraction from a total: thin regions have such large ratios that the digits of
    /// others would be lost.
    Sum {
        /// Contribution of every class to the regularizer if its region does not contain the box.
        bare: Vec<f64>,
        /// For every class, the sum of the contributions of all classes before it.
        /// `from` has the sum of the contributions of the class and of all classes after it.
        before: Vec<f64>,
        from: Vec<f64>,
    },
}

/// Neighborhood of a box that is to be split.
pub(super) struct Neighborhood<'b> {
    boxes: &'b LeafBoxes,
    index: usize,
    penalty: &'b SurfacePenalty,
    around: Vec<ClassNeighborhood>,
    contacts: Vec<Contact>,
    volume: f64,
    /// Surface of the box.
    faces: f64,
    rest: OtherClasses,
    /// Regularizer with the whole box in each class.
    pub(super) whole: Vec<f64>,
}

impl<'b> Neighborhood<'b> {
    /// Finds the contacts of a box by comparison with every other box.
    pub(super) fn new(boxes: &'b LeafBoxes, index: usize, penalty: &'b SurfacePenalty) -> Self {
        let (n_axes, n_classes) = (boxes.n_axes(), penalty.counts.len());
        let (label, volume, faces) = (boxes.label(index), boxes.volume(index), boxes.faces(index));
        let empty = ClassNeighborhood {
            surface: 0.0,
            volume: 0.0,
            others: false,
            touched: 0.0,
            low: vec![0.0; n_axes],
            high: vec![0.0; n_axes],
        };
        let mut around = vec![empty; n_classes];
        let mut contacts = Vec::new();
        for other in (0..boxes.len()).filter(|&other| other != index) {
            let class = boxes.label(other);
            let class_around = &mut around[class];
            class_around.others = true;
            class_around.volume += boxes.volume(other);
            class_around.surface += boxes.bare(other);
            let Some((axis, area)) = boxes.contact(index, other) else { continue };
            let is_low = boxes.span(other, axis).high == boxes.span(index, axis).low;
            let face = if is_low { &mut class_around.low } else { &mut class_around.high };
            face[axis] += area;
            class_around.touched += area;
            if class != label {
                class_around.surface -= area;
            }
            contacts.push(Contact { class, axis, neighbor: other, area });
        }
        let mut found = Self {
            boxes,
            index,
            penalty,
            around,
            contacts,
            volume,
            faces,
            rest: OtherClasses::Equal(0.0),
            whole: Vec::new(),
        };
        (found.rest, found.whole) = match penalty.regularizer {
            Regularizer::Svr => found.ratios(),
            Regularizer::Surface => found.interfaces(),
        };
        found
    }

    /// Sums of surface-to-volume ratios over all classes but two, and over all classes.
    /// The sums over all classes are given for the box in each class.
    fn ratios(&self) -> (OtherClasses, Vec<f64>) {
        let n_classes = self.around.len();
        let bare: Vec<f64> = (0..n_classes).map(|class| self.term(class, false)).collect();
        let (mut before, mut from) = (vec![0.0; n_classes], vec![0.0; n_classes + 1]);
        for class in (0..n_classes).rev() {
            from[class] = from[class + 1] + bare[class];
        }
        for class in 1..n_classes {
            before[class] = before[class - 1] + bare[class - 1];
        }
        let rest = |class: usize| before[class] + from[class + 1];
        let whole = (0..n_classes).map(|class| rest(class) + self.term(class, true)).collect();
        (OtherClasses::Sum { bare, before, from }, whole)
    }

    /// Surface areas between regions: without the walls of the box, and for each class.
    /// The second areas are those with the whole box in the class.
    /// Nothing is subtracted, so that the result is exactly 0 for a tree with one label.
    fn interfaces(&self) -> (OtherClasses, Vec<f64>) {
        let rest = self.boxes.interface(Some(self.index));
        let touched: Vec<f64> = self.around.iter().map(|around| around.touched).collect();
        let whole = sums_of_others(&touched).into_iter().map(|sum| rest + sum).collect();
        (OtherClasses::Equal(rest), whole)
    }

    /// Part of the regularizer that does not depend on a box divided between two classes.
    /// `a` and `b` are these classes; they differ.
    #[inline]
    pub(super) fn rest(&self, a: usize, b: usize) -> f64 {
        match &self.rest {
            OtherClasses::Equal(rest) => *rest,
            OtherClasses::Sum { bare, before, from } => {
                let (low, high) = (a.min(b), a.max(b));
                bare[low + 1..high].iter().fold(before[low], |sum, term| sum + term) + from[high + 1]
            }
        }
    }

    /// Surface-to-volume ratio of every class without the box, and the sum of all ratios.
    /// If the other classes contribute equally to every pair of classes, only the sum is computed.
    pub(super) fn bare(&self) -> (Option<&[f64]>, f64) {
        match &self.rest {
            OtherClasses::Equal(rest) => (None, *rest),
            OtherClasses::Sum { bare, from, .. } => (Some(bare), from[0]),
        }
    }

    /// Surface-to-volume ratio of a class with the whole or no part of the box in its region.
    fn term(&self, class: usize, inside: bool) -> f64 {
        let (surface, volume, empty) = self.measure(class, inside);
        self.penalty.ratio(class, surface, volume, empty)
    }

    /// Surface, volume and emptiness of a class's region.
    /// The box is entirely in the region or entirely outside.
    fn measure(&self, class: usize, inside: bool) -> (f64, f64, bool) {
        let around = &self.around[class];
        if inside {
            return (around.surface + self.faces - around.touched, around.volume + self.volume, false);
        }
        (around.surface + around.touched, around.volume, !around.others)
    }

    /// Starts a sweep over the thresholds of one axis in ascending order.
    pub(super) fn sweep(&self, axis: usize) -> SurfaceSweep<'_, 'b> {
        let measured = |class: &usize| self.penalty.measures(*class);
        self.sweep_of(axis, (0..self.around.len()).filter(measured))
    }

    /// Regions of all classes after a split.
    pub(super) fn after(&self, axis: usize, cut: f64, labels: [usize; 2]) -> ClassRegions {
        let n_classes = self.around.len();
        let mut regions = ClassRegions { surface: vec![0.0; n_classes], volume: vec![0.0; n_classes] };
        let mut sweep = self.sweep_of(axis, 0..n_classes);
        sweep.advance(cut);
        for (place, class) in (0..n_classes).enumerate() {
            let (surface, volume, _) = match labels.map(|label| label == class) {
                [lower, upper] if lower == upper => self.measure(class, lower),
                [true, _] => sweep.lower(place),
                [false, _] => sweep.upper(place),
            };
            (regions.surface[class], regions.volume[class]) = (surface, volume);
        }
        regions
    }

    fn sweep_of(&self, axis: usize, classes: impl Iterator<Item = usize>) -> SurfaceSweep<'_, 'b> {
        let span = self.boxes.span(self.index, axis);
        let face = self.boxes.face(self.index, axis);
        let mut place_of = vec![None; self.around.len()];
        let mut lines = Vec::new();
        for class in classes {
            let ClassNeighborhood { surface, touched, low, high, .. } = &self.around[class];
            place_of[class] = Some(lines.len());
            let across = touched - low[axis] - high[axis];
            let lower = surface + 2.0 * face - low[axis] + high[axis] + across;
            let upper = surface + 2.0 * face + low[axis] - high[axis] - across;
            lines.push(SweepLine { class, lower, upper, touched: 0.0, density: 0.0 });
        }
        let mut bends = Vec::new();
        for &Contact { class, axis: touching, neighbor, area } in &self.contacts {
            let Some(place) = place_of[class].filter(|_| touching != axis) else { continue };
            let shared = self.boxes.common_interval(self.index, neighbor, axis);
            let density = area / shared.length();
            let mut bend = |at: f64, density: f64| {
                if at > span.low {
                    bends.push(Bend { at, place, density });
                } else {
                    lines[place].density += density;
                }
            };
            bend(shared.low, density);
            if shared.high < span.high {
                bend(shared.high, -density);
            }
        }
        bends.sort_by(|a, b| a.at.total_cmp(&b.at));
        let per_length = (self.faces - 2.0 * face) / span.length();
        SurfaceSweep {
            around: self,
            lines,
            bends,
            next: 0,
            span,
            below: 0.0,
            above: 0.0,
            axis,
            face,
            per_length,
        }
    }
}

/// Coordinate at which a neighbor across another axis begins or ends.
struct Bend {
    at: f64,
    place: usize,
    density: f64,
}

/// One class in a sweep.
struct SweepLine {
    class: usize,
    /// Surface of the class's region with only the lower or only the upper part of the box in it.
    /// Lateral walls of that part and contacts below the threshold are not included.
    lower: f64,
    upper: f64,
    /// Area touched below the threshold: `touched + density (threshold - low)`.
    touched: f64,
    density: f64,
}

/// Regularizer as the threshold on one axis increases.
pub(super) struct SurfaceSweep<'s, 'b> {
    around: &'s Neighborhood<'b>,
    lines: Vec<SweepLine>,
    bends: Vec<Bend>,
    next: usize,
    span: AxisInterval,
    /// Length of the box below and above the threshold.
    below: f64,
    above: f64,
    axis: usize,
    face: f64,
    /// Area of lateral walls per length.
    per_length: f64,
}

impl SurfaceSweep<'_, '_> {
    /// Returns whether a threshold is inside the box.
    pub(super) fn holds(&self, cut: f64) -> bool {
        self.span.low < cut && cut < self.span.high
    }

    /// Increases the threshold.
    pub(super) fn advance(&mut self, cut: f64) {
        while let Some(&Bend { at, place, density }) = self.bends.get(self.next).filter(|bend| bend.at <= cut)
        {
            self.lines[place].density += density;
            self.lines[place].touched -= density * (at - self.span.low);
            self.next += 1;
        }
        (self.below, self.above) = (cut - self.span.low, self.span.high - cut);
    }

    /// Computes the contribution of each class to the regularizer for both parts of the box.
    /// `lower` assumes that only the lower part is in the class's region, `upper` that only the upper part is.
    pub(super) fn terms(&self, lower: &mut [f64], upper: &mut [f64]) {
        if self.around.penalty.regularizer == Regularizer::Surface {
            return self.interfaces(lower, upper);
        }
        for (place, line) in self.lines.iter().enumerate() {
            let class = line.class;
            let ratio = |(surface, volume, empty)| self.around.penalty.ratio(class, surface, volume, empty);
            lower[class] = ratio(self.lower(place));
            upper[class] = ratio(self.upper(place));
        }
    }

    /// Computes [`Self::terms`] for interfaces.
    /// Each part has an interface with touching boxes of other classes, and with the other part.
    fn interfaces(&self, lower: &mut [f64], upper: &mut [f64]) {
        let touched = |line: &SweepLine| {
            let ClassNeighborhood { touched, low, high, .. } = &self.around.around[line.class];
            let (low, high, below) = (low[self.axis], high[self.axis], self.touched_area(line));
            [low + below, high + (touched - low - high - below).max(0.0)]
        };
        let touched: Vec<[f64; 2]> = self.lines.iter().map(touched).collect();
        let others =
            |part: usize| sums_of_others(&touched.iter().map(|areas| areas[part]).collect::<Vec<f64>>());
        for (lower, sum) in lower.iter_mut().zip(others(0)) {
            *lower = self.face + sum;
        }
        upper.iter_mut().zip(others(1)).for_each(|(upper, sum)| *upper = sum);
    }

    /// Surface, volume and emptiness of a class's region with only the lower part of the box.
    fn lower(&self, place: usize) -> (f64, f64, bool) {
        let line = &self.lines[place];
        let surface = line.lower + self.per_length * self.below - 2.0 * self.touched_area(line);
        (surface, self.around.around[line.class].volume + self.face * self.below, false)
    }

    /// Surface, volume and emptiness of a class's region with only the upper part of the box.
    /// Not computed by subtracting the lower one from the sum: for a small surface, all digits would cancel.
    fn upper(&self, place: usize) -> (f64, f64, bool) {
        let line = &self.lines[place];
        let surface = line.upper + self.per_length * self.above + 2.0 * self.touched_area(line);
        (surface, self.around.around[line.class].volume + self.face * self.above, false)
    }

    /// Area that a class touches across other axes below the threshold.
    fn touched_area(&self, line: &SweepLine) -> f64 {
        line.touched + line.density * self.below
    }
}

/// For every value, the sum of all others, without subtraction.
fn sums_of_others(values: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; values.len()];
    let mut from = 0.0;
    for (sum, value) in sums.iter_mut().zip(values).rev() {
        *sum = from;
        from += value;
    }
    let mut before = 0.0;
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += before;
        before += value;
    }
    sums
}
