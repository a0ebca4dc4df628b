//! Exact surface and volume of the classes' regions when one box is split.
//!
//! Let `B` be the box, `F_j` the area of its face perpendicular to axis `j`, and `SB` the total area of its
//! faces. For one class `k`, let `s0` be the area of `B` that other boxes of this class touch. Consider the
//! part of the boundary of the class's region that lies in the closed box. Its area is `s0` if `B` is of
//! another class, because the faces of the neighbors are then exposed, and `SB - s0` if `B` is of class `k`.
//! If the box is split at `t` on axis `j`, and only the lower part belongs to the region, the area is
//!
//! ```text
//! L10(t) = 2 F_j - low_j + high_j + C_j(1) + (SB - 2 F_j) u - 2 C_j(u)
//! ```
//!
//! where `u` is the fraction of the box below `t`, `low_j` and `high_j` are the areas that the class touches
//! on the lower and upper face of axis `j`, and `C_j(u)` is the area that it touches on all other faces below
//! `t`. If only the upper part belongs to the region, the area is `SB + 2 F_j - L10(t)`. `C_j` is piecewise
//! linear, and its slope changes only where a neighbor begins or ends. One sweep in ascending order therefore
//! computes the area for all thresholds of an axis.
//!
//! In the code, `faces` is `SB`, `face` is `F_j`, and `touched` of [`ClassNeighborhood`] is
//! `C_j(1) + low_j + high_j`. [`ClassSweepState`] belongs to one class. It has the parts of both areas (lower
//! and upper part of the box) that do not depend on `t`. At the position `t` of the sweep, `C_j(u)` is
//! `touched + density (t - low)`, with `touched` and `density` of [`ClassSweepState`]. A coordinate at which
//! the slope changes is a [`SweepBreakpoint`]. Invariant: after [`SurfaceSweep::advance_to`] to a threshold,
//! every breakpoint at or below the threshold is included in the state of its class. For a tree with `n`
//! leaves, finding the contacts of a box takes time proportional to `n` times the number of axes. A sweep
//! sorts the breakpoints of one axis, and each threshold then takes time proportional to the number of
//! classes.

use super::leaf_boxes::{AxisInterval, LeafBoxes};
use super::params::Regularizer;

/// Minimum volume of a region for which its surface-to-volume ratio is computed.
///
/// Smaller volumes, and the surfaces of such regions, may underflow.
const LEAST_VOLUME: f64 = 1e-290;

#[derive(Clone, Debug)]
pub(super) struct SurfacePenalty {
    pub(super) regularizer: Regularizer,
    pub(super) counts: Vec<bool>,
    pub(super) n_axes: f64,
}

impl SurfacePenalty {
    fn surface_to_volume(&self, class: usize, surface: f64, volume: f64, empty: bool) -> f64 {
        match self.counts[class] {
            false => 0.0,
            // A class without a region gets the ratio of the unit cube, the minimum over all regions.
            true if empty => 2.0 * self.n_axes,
            // A region below the minimum volume gets the ratio of a cube of the minimum volume. This is a
            // lower bound on the ratio of the region.
            true if volume < LEAST_VOLUME => 2.0 * self.n_axes * LEAST_VOLUME.powf(-1.0 / self.n_axes),
            true => surface / volume,
        }
    }

    pub(super) fn regularizer_value(
        &self,
        regions: &ClassRegionMeasures,
        boxes: &LeafBoxes,
        empty: impl Fn(usize) -> bool,
    ) -> f64 {
        if self.regularizer == Regularizer::Surface {
            return boxes.interface_area(None);
        }
        let measures = regions.surface.iter().zip(&regions.volume).enumerate();
        measures
            .map(|(class, (&surface, &volume))| self.surface_to_volume(class, surface, volume, empty(class)))
            .sum()
    }

    pub(super) fn min_regularizer(&self) -> f64 {
        match self.regularizer {
            Regularizer::Svr => {
                2.0 * self.n_axes * self.counts.iter().filter(|&&counts| counts).count() as f64
            }
            Regularizer::Surface => 0.0,
        }
    }

    fn needs_surface_and_volume(&self, class: usize) -> bool {
        self.regularizer == Regularizer::Surface || self.counts[class]
    }
}

struct WallContact {
    class: usize,
    axis: usize,
    neighbor: usize,
    area: f64,
}

#[derive(Clone, Debug)]
struct ClassNeighborhood {
    surface: f64,
    volume: f64,
    others: bool,
    /// Total area in which boxes of the class touch the box that is to be split.
    ///
    /// `low` contains the touched area of the lower face of every axis, and `high` that of the upper face.
    touched: f64,
    low: Vec<f64>,
    high: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct ClassRegionMeasures {
    pub(super) surface: Vec<f64>,
    pub(super) volume: Vec<f64>,
}

impl ClassRegionMeasures {
    pub(super) fn single_leaf(n_classes: usize, label: usize, n_axes: usize) -> Self {
        let mut regions = Self { surface: vec![0.0; n_classes], volume: vec![0.0; n_classes] };
        regions.surface[label] = 2.0 * n_axes as f64;
        regions.volume[label] = 1.0;
        regions
    }
}

/// Contribution to the regularizer of all classes that label no part of the split box.
enum OtherClassesTerm {
    /// The contribution is the same number for every pair of labels.
    Equal(f64),
    /// The contribution is the sum of `bare` over all classes except the two labels.
    ///
    /// The entries of the two labels are not subtracted from a total, because small ratios would lose their
    /// digits.
    Sum {
        bare: Vec<f64>,
        /// For every class, the sum of `bare` over all classes before this class.
        ///
        /// `from` contains the sums over the class itself and all classes after it.
        before: Vec<f64>,
        from: Vec<f64>,
    },
}

pub(super) struct Neighborhood<'b> {
    boxes: &'b LeafBoxes,
    index: usize,
    penalty: &'b SurfacePenalty,
    around: Vec<ClassNeighborhood>,
    contacts: Vec<WallContact>,
    volume: f64,
    faces: f64,
    other_classes: OtherClassesTerm,
    /// For every class, the value of the regularizer if the whole box belongs to the class.
    pub(super) with_box: Vec<f64>,
}

impl<'b> Neighborhood<'b> {
    pub(super) fn new(boxes: &'b LeafBoxes, index: usize, penalty: &'b SurfacePenalty) -> Self {
        let (n_axes, n_classes) = (boxes.n_axes(), penalty.counts.len());
        let (label, volume, faces) = (boxes.label(index), boxes.volume(index), boxes.surface_area(index));
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
            class_around.surface += boxes.exposed_area(other);
            let Some((axis, area)) = boxes.shared_wall(index, other) else { continue };
            let is_low = boxes.axis_interval(other, axis).high == boxes.axis_interval(index, axis).low;
            let face = if is_low { &mut class_around.low } else { &mut class_around.high };
            face[axis] += area;
            class_around.touched += area;
            if class != label {
                class_around.surface -= area;
            }
            contacts.push(WallContact { class, axis, neighbor: other, area });
        }
        let mut found = Self {
            boxes,
            index,
            penalty,
            around,
            contacts,
            volume,
            faces,
            other_classes: OtherClassesTerm::Equal(0.0),
            with_box: Vec::new(),
        };
        (found.other_classes, found.with_box) = match penalty.regularizer {
            Regularizer::Svr => found.sum_class_ratios(),
            Regularizer::Surface => found.interface_areas(),
        };
        found
    }

    /// Returns sums of surface-to-volume ratios.
    ///
    /// The first result contains, for any two labels of the parts of the box, the sum over all other classes.
    /// The second result contains, for every class, the sum over all classes if the whole box belongs to this
    /// class.
    fn sum_class_ratios(&self) -> (OtherClassesTerm, Vec<f64>) {
        let n_classes = self.around.len();
        let bare: Vec<f64> = (0..n_classes).map(|class| self.class_surface_to_volume(class, false)).collect();
        let (mut before, mut from) = (vec![0.0; n_classes], vec![0.0; n_classes + 1]);
        for class in (0..n_classes).rev() {
            from[class] = from[class + 1] + bare[class];
        }
        for class in 1..n_classes {
            before[class] = before[class - 1] + bare[class - 1];
        }
        let sum = |class: usize| before[class] + from[class + 1] + self.class_surface_to_volume(class, true);
        let whole = (0..n_classes).map(sum).collect();
        (OtherClassesTerm::Sum { bare, before, from }, whole)
    }

    /// Returns areas between regions of different classes.
    ///
    /// The first result is the area without the walls of the box. The second result contains, for every
    /// class, the area if the whole box belongs to this class. No areas are subtracted, so that the result is
    /// exactly 0 for a tree with one label.
    fn interface_areas(&self) -> (OtherClassesTerm, Vec<f64>) {
        let rest = self.boxes.interface_area(Some(self.index));
        let touched: Vec<f64> = self.around.iter().map(|around| around.touched).collect();
        let whole = sums_without_each(&touched).into_iter().map(|sum| rest + sum).collect();
        (OtherClassesTerm::Equal(rest), whole)
    }

    /// Contribution to the regularizer of all classes except the labels of the box's two parts.
    ///
    /// `a` and `b` are these two labels, which differ. The contribution does not depend on the threshold.
    #[inline]
    pub(super) fn other_classes_term(&self, a: usize, b: usize) -> f64 {
        match &self.other_classes {
            OtherClassesTerm::Equal(rest) => *rest,
            OtherClassesTerm::Sum { bare, before, from } => {
                let (low, high) = (a.min(b), a.max(b));
                bare[low + 1..high].iter().fold(before[low], |sum, term| sum + term) + from[high + 1]
            }
        }
    }

    /// Contribution of every class to the regularizer if no class gets the box, and their sum.
    ///
    /// If the regularizer is a surface area, the first result is `None`, and the second result is the area
    /// without the walls of the box.
    pub(super) fn ratios_without_box(&self) -> (Option<&[f64]>, f64) {
        match &self.other_classes {
            OtherClassesTerm::Equal(rest) => (None, *rest),
            OtherClassesTerm::Sum { bare, from, .. } => (Some(bare), from[0]),
        }
    }

    fn class_surface_to_volume(&self, class: usize, inside: bool) -> f64 {
        let (surface, volume, empty) = self.surface_and_volume(class, inside);
        self.penalty.surface_to_volume(class, surface, volume, empty)
    }

    /// `inside` states whether the region contains the whole box or no part of it.
    fn surface_and_volume(&self, class: usize, inside: bool) -> (f64, f64, bool) {
        let around = &self.around[class];
        if inside {
            return (around.surface + self.faces - around.touched, around.volume + self.volume, false);
        }
        (around.surface + around.touched, around.volume, !around.others)
    }

    pub(super) fn start_sweep(&self, axis: usize) -> SurfaceSweep<'_, 'b> {
        let measured = |class: &usize| self.penalty.needs_surface_and_volume(*class);
        self.start_sweep_of_classes(axis, (0..self.around.len()).filter(measured))
    }

    pub(super) fn regions_after_split(
        &self,
        axis: usize,
        cut: f64,
        labels: [usize; 2],
    ) -> ClassRegionMeasures {
        let n_classes = self.around.len();
        let mut regions = ClassRegionMeasures { surface: vec![0.0; n_classes], volume: vec![0.0; n_classes] };
        let mut sweep = self.start_sweep_of_classes(axis, 0..n_classes);
        sweep.advance_to(cut);
        for (place, class) in (0..n_classes).enumerate() {
            let (surface, volume, _) = match labels.map(|label| label == class) {
                [lower, upper] if lower == upper => self.surface_and_volume(class, lower),
                [true, _] => sweep.lower_part_measures(place),
                [false, _] => sweep.upper_part_measures(place),
            };
            (regions.surface[class], regions.volume[class]) = (surface, volume);
        }
        regions
    }

    fn start_sweep_of_classes(
        &self,
        axis: usize,
        classes: impl Iterator<Item = usize>,
    ) -> SurfaceSweep<'_, 'b> {
        let span = self.boxes.axis_interval(self.index, axis);
        let face = self.boxes.face_area(self.index, axis);
        let mut place_of = vec![None; self.around.len()];
        let mut lines = Vec::new();
        for class in classes {
            let ClassNeighborhood { surface, touched, low, high, .. } = &self.around[class];
            place_of[class] = Some(lines.len());
            let across = touched - low[axis] - high[axis];
            let lower = surface + 2.0 * face - low[axis] + high[axis] + across;
            let upper = surface + 2.0 * face + low[axis] - high[axis] - across;
            lines.push(ClassSweepState { class, lower, upper, touched: 0.0, density: 0.0 });
        }
        let mut bends = Vec::new();
        for &WallContact { class, axis: touching, neighbor, area } in &self.contacts {
            let Some(place) = place_of[class].filter(|_| touching != axis) else { continue };
            let shared = self.boxes.common_interval(self.index, neighbor, axis);
            let density = area / shared.length();
            let mut bend = |at: f64, density: f64| {
                if at > span.low {
                    bends.push(SweepBreakpoint { at, place, density });
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

/// Coordinate at which a box that touches a lateral wall begins or ends.
///
/// Lateral walls are the walls that are not perpendicular to the axis of the sweep. At the coordinate,
/// `density` is added to the density of the [`ClassSweepState`].
struct SweepBreakpoint {
    at: f64,
    place: usize,
    density: f64,
}

struct ClassSweepState {
    class: usize,
    /// Part of the surface of the class's region that does not depend on the threshold.
    ///
    /// `lower` is for a region that contains only the lower part of the box, and `upper` for one that
    /// contains only the upper part. The terms that depend on the threshold are left out: lateral walls of
    /// the part, and contacts below the threshold.
    lower: f64,
    upper: f64,
    /// Area in which the class touches lateral walls below the threshold.
    /// It is `touched + density (threshold - low)`, where `low` is the lower end of the box.
    touched: f64,
    density: f64,
}

/// State of a sweep: the regularizer is computed for increasing thresholds on one axis.
pub(super) struct SurfaceSweep<'s, 'b> {
    around: &'s Neighborhood<'b>,
    lines: Vec<ClassSweepState>,
    bends: Vec<SweepBreakpoint>,
    next: usize,
    span: AxisInterval,
    below: f64,
    above: f64,
    axis: usize,
    face: f64,
    per_length: f64,
}

impl SurfaceSweep<'_, '_> {
    pub(super) fn contains_threshold(&self, cut: f64) -> bool {
        self.span.low < cut && cut < self.span.high
    }

    pub(super) fn advance_to(&mut self, cut: f64) {
        while let Some(&SweepBreakpoint { at, place, density }) =
            self.bends.get(self.next).filter(|bend| bend.at <= cut)
        {
            self.lines[place].density += density;
            self.lines[place].touched -= density * (at - self.span.low);
            self.next += 1;
        }
        (self.below, self.above) = (cut - self.span.low, self.span.high - cut);
    }

    /// Computes, for each class, its contribution if one part of the box belongs to the class.
    pub(super) fn write_regularizer_terms(&self, lower: &mut [f64], upper: &mut [f64]) {
        if self.around.penalty.regularizer == Regularizer::Surface {
            return self.write_interface_terms(lower, upper);
        }
        for (place, line) in self.lines.iter().enumerate() {
            let class = line.class;
            let ratio = |(surface, volume, empty)| {
                self.around.penalty.surface_to_volume(class, surface, volume, empty)
            };
            lower[class] = ratio(self.lower_part_measures(place));
            upper[class] = ratio(self.upper_part_measures(place));
        }
    }

    /// Computes [`Self::write_regularizer_terms`] for the surface area between regions.
    ///
    /// The contribution of a part of the box is the area of its walls with boxes of other classes. The wall
    /// between the two parts is counted only in `lower`.
    fn write_interface_terms(&self, lower: &mut [f64], upper: &mut [f64]) {
        let touched = |line: &ClassSweepState| {
            let ClassNeighborhood { touched, low, high, .. } = &self.around.around[line.class];
            let (low, high, below) = (low[self.axis], high[self.axis], self.touched_area(line));
            [low + below, high + (touched - low - high - below).max(0.0)]
        };
        let touched: Vec<[f64; 2]> = self.lines.iter().map(touched).collect();
        let others =
            |part: usize| sums_without_each(&touched.iter().map(|areas| areas[part]).collect::<Vec<f64>>());
        lower.iter_mut().zip(others(0)).for_each(|(lower, sum)| *lower = self.face + sum);
        upper.iter_mut().zip(others(1)).for_each(|(upper, sum)| *upper = sum);
    }

    /// Surface and volume of a class's region that contains only the lower part of the box.
    ///
    /// The third result states whether the region is empty; it is always false.
    fn lower_part_measures(&self, place: usize) -> (f64, f64, bool) {
        let line = &self.lines[place];
        let surface = line.lower + self.per_length * self.below - 2.0 * self.touched_area(line);
        (surface, self.around.around[line.class].volume + self.face * self.below, false)
    }

    /// Surface and volume of a class's region that contains only the upper part of the box.
    ///
    /// The surface is not computed as a sum minus the surface with the lower part, because a small result
    /// would lose all its digits. The third result states whether the region is empty; it is always false.
    fn upper_part_measures(&self, place: usize) -> (f64, f64, bool) {
        let line = &self.lines[place];
        let surface = line.upper + self.per_length * self.above + 2.0 * self.touched_area(line);
        (surface, self.around.around[line.class].volume + self.face * self.above, false)
    }

    fn touched_area(&self, line: &ClassSweepState) -> f64 {
        line.touched + line.density * self.below
    }
}

/// For every value, the sum of all other values, computed without subtraction.
fn sums_without_each(values: &[f64]) -> Vec<f64> {
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
