//! Exact surface and volume of the classes' regions when one box is split.
//!
//! Let `B` be the box, `F_j` the area of its faces across axis `j`, `SB` that of all its faces, and for one class `k`
//! let `s0` be the area that other boxes of the class touch. The part of the boundary of the class's region that lies
//! in the closed box is `s0` when `B` is of another class (the neighbours' faces are bare) and `SB - s0` when it is of
//! this class. Cut at `t` on axis `j`, with only the lower part in the region, it is
//!
//! ```text
//! L10(t) = 2 F_j - low_j + high_j + C_j(1) + (SB - 2 F_j) u - 2 C_j(u)
//! ```
//!
//! where `u` is the share of the box below `t`, `low_j` and `high_j` are the areas touched across axis `j`, and `C_j(u)`
//! is the area touched across other axes below `t`. With only the upper part in it, it is `SB + 2 F_j - L10(t)`. `C_j` is
//! piecewise linear and bends only where a neighbour begins or ends, so one sweep serves all cuts of an axis.
//!
//! In the code: `faces` is `SB`, `face` is `F_j`, `touched` is `C_j(1) + low_j + high_j`, and [`Line`] has the constant parts of
//! `L10` and of its counterpart for one class, with `C_j(u) = touched + density (t - low)` as far as the sweep has come.
//! After [`Sweep::advance`] to a cut every bend at or below it is counted into its line. Around a box of a tree with `n` leaves
//! the contacts cost `n` times the axes, a sweep sorts the bends of one axis, and a cut then costs the classes.

use super::boxes::{Boxes, Span};
use super::params::Regularizer;

/// Volumes below this, and the surfaces with them, leave the range of floats.
const LEAST_VOLUME: f64 = 1e-290;

/// What is penalised, and for which classes.
#[derive(Clone, Debug)]
pub(super) struct Penalty {
    pub(super) regularizer: Regularizer,
    /// By class.
    pub(super) counts: Vec<bool>,
    pub(super) n_axes: f64,
}

impl Penalty {
    /// The ratio of one class, as it counts.
    fn ratio(&self, class: usize, surface: f64, volume: f64, empty: bool) -> f64 {
        match self.counts[class] {
            false => 0.0,
            // The ratio of the whole cube, which is the least of any region.
            true if empty => 2.0 * self.n_axes,
            // The ratio of a cube of such a volume, which is the least of any region of no more volume.
            true if volume < LEAST_VOLUME => 2.0 * self.n_axes * LEAST_VOLUME.powf(-1.0 / self.n_axes),
            true => surface / volume,
        }
    }

    /// Value for given regions; `empty` says which class has none.
    pub(super) fn of(&self, regions: &Regions, boxes: &Boxes, empty: impl Fn(usize) -> bool) -> f64 {
        if self.regularizer == Regularizer::Surface {
            return boxes.interface(None);
        }
        let measures = regions.surface.iter().zip(&regions.volume).enumerate();
        measures.map(|(class, (&surface, &volume))| self.ratio(class, surface, volume, empty(class))).sum()
    }

    /// The least value that any tree has.
    pub(super) fn least(&self) -> f64 {
        match self.regularizer {
            Regularizer::Svr => {
                2.0 * self.n_axes * self.counts.iter().filter(|&&counts| counts).count() as f64
            }
            Regularizer::Surface => 0.0,
        }
    }

    /// Whether the regions of a class must be measured to know the regulariser.
    fn measures(&self, class: usize) -> bool {
        self.regularizer == Regularizer::Surface || self.counts[class]
    }
}

/// A part of a box's wall that a box of another leaf touches.
struct Contact {
    class: usize,
    axis: usize,
    neighbour: usize,
    area: f64,
}

/// One class around a box.
#[derive(Clone, Debug)]
struct Around {
    /// Surface of its region without what lies in the closed box.
    surface: f64,
    /// Volume of its other boxes.
    volume: f64,
    /// Whether it has other boxes.
    others: bool,
    /// Area that its boxes touch: in all, and across the low and the high face of every axis.
    touched: f64,
    low: Vec<f64>,
    high: Vec<f64>,
}

/// Surface and volume of every class's region.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Regions {
    pub(super) surface: Vec<f64>,
    pub(super) volume: Vec<f64>,
}

impl Regions {
    /// The whole cube in one class.
    pub(super) fn whole(n_classes: usize, label: usize, n_axes: usize) -> Self {
        let mut regions = Self { surface: vec![0.0; n_classes], volume: vec![0.0; n_classes] };
        regions.surface[label] = 2.0 * n_axes as f64;
        regions.volume[label] = 1.0;
        regions
    }
}

/// What surrounds a box that is to be split.
pub(super) struct Surroundings<'b> {
    boxes: &'b Boxes,
    index: usize,
    penalty: &'b Penalty,
    around: Vec<Around>,
    contacts: Vec<Contact>,
    volume: f64,
    /// Surface of the box.
    faces: f64,
    /// What all classes but two add to the regulariser, by these two. No sum of all classes from which two are taken away:
    /// thin regions have ratios beside which the digits of the others are lost.
    rest: Vec<f64>,
    /// Regulariser with the whole box in each class.
    pub(super) whole: Vec<f64>,
}

impl<'b> Surroundings<'b> {
    /// Finds the contacts of a box by a look at every other one.
    pub(super) fn new(boxes: &'b Boxes, index: usize, penalty: &'b Penalty) -> Self {
        let (n_axes, n_classes) = (boxes.n_axes(), penalty.counts.len());
        let (label, volume, faces) = (boxes.label(index), boxes.volume(index), boxes.faces(index));
        let empty = Around {
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
            let of_class = &mut around[class];
            of_class.others = true;
            of_class.volume += boxes.volume(other);
            of_class.surface += boxes.bare(other);
            let Some((axis, area)) = boxes.contact(index, other) else { continue };
            let is_low = boxes.span(other, axis).high == boxes.span(index, axis).low;
            let face = if is_low { &mut of_class.low } else { &mut of_class.high };
            face[axis] += area;
            of_class.touched += area;
            if class != label {
                of_class.surface -= area;
            }
            contacts.push(Contact { class, axis, neighbour: other, area });
        }
        let mut found = Self {
            boxes,
            index,
            penalty,
            around,
            contacts,
            volume,
            faces,
            rest: Vec::new(),
            whole: Vec::new(),
        };
        (found.rest, found.whole) = match penalty.regularizer {
            Regularizer::Svr => found.ratios(),
            Regularizer::Surface => found.interfaces(),
        };
        found
    }

    /// Sums of ratios of all classes but two, and of all with the box in each class.
    fn ratios(&self) -> (Vec<f64>, Vec<f64>) {
        let n_classes = self.around.len();
        let bare: Vec<f64> = (0..n_classes).map(|class| self.term(class, false)).collect();
        // Sums of the classes before two, between them and after them.
        let mut after = vec![0.0; n_classes + 1];
        for class in (0..n_classes).rev() {
            after[class] = after[class + 1] + bare[class];
        }
        let mut rest = vec![0.0; n_classes * n_classes];
        let mut before = 0.0;
        for a in 0..n_classes {
            let mut sum = before;
            for b in a..n_classes {
                rest[a * n_classes + b] = sum + after[b + 1];
                rest[b * n_classes + a] = sum + after[b + 1];
                sum += if b == a { 0.0 } else { bare[b] };
            }
            before += bare[a];
        }
        let whole = (0..n_classes).map(|class| rest[class * n_classes + class] + self.term(class, true));
        let whole = whole.collect();
        (rest, whole)
    }

    /// Surface between regions without the walls of the box, and with the box in each class. Nothing is subtracted:
    /// there is none, exactly, in a tree of one label.
    fn interfaces(&self) -> (Vec<f64>, Vec<f64>) {
        let rest = self.boxes.interface(Some(self.index));
        let touched: Vec<f64> = self.around.iter().map(|around| around.touched).collect();
        let whole = (0..touched.len()).map(|class| rest + but(&touched, class)).collect();
        (vec![rest; touched.len() * touched.len()], whole)
    }

    /// The part of the regulariser that a box in classes `a` and `b` leaves as it is.
    #[inline]
    pub(super) fn rest(&self, a: usize, b: usize) -> f64 {
        self.rest[a * self.around.len() + b]
    }

    /// The ratio of a class with the whole box in it, or with none of it.
    fn term(&self, class: usize, inside: bool) -> f64 {
        let (surface, volume, empty) = self.measure(class, inside);
        self.penalty.ratio(class, surface, volume, empty)
    }

    /// Surface, volume and emptiness of a class's region with the whole box in it, or with none of it.
    fn measure(&self, class: usize, inside: bool) -> (f64, f64, bool) {
        let around = &self.around[class];
        if inside {
            return (around.surface + self.faces - around.touched, around.volume + self.volume, false);
        }
        (around.surface + around.touched, around.volume, !around.others)
    }

    /// The regulariser, for cuts of one axis in ascending order.
    pub(super) fn sweep(&self, axis: usize) -> Sweep<'_, 'b> {
        let measured = |class: &usize| self.penalty.measures(*class);
        self.sweep_of(axis, (0..self.around.len()).filter(measured))
    }

    /// Regions of all classes after a split.
    pub(super) fn after(&self, axis: usize, cut: f64, labels: [usize; 2]) -> Regions {
        let n_classes = self.around.len();
        let mut regions = Regions { surface: vec![0.0; n_classes], volume: vec![0.0; n_classes] };
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

    fn sweep_of(&self, axis: usize, classes: impl Iterator<Item = usize>) -> Sweep<'_, 'b> {
        let span = self.boxes.span(self.index, axis);
        let face = self.boxes.face(self.index, axis);
        let mut place_of = vec![None; self.around.len()];
        let mut lines = Vec::new();
        for class in classes {
            let Around { surface, touched, low, high, .. } = &self.around[class];
            place_of[class] = Some(lines.len());
            let across = touched - low[axis] - high[axis];
            let lower = surface + 2.0 * face - low[axis] + high[axis] + across;
            let upper = surface + 2.0 * face + low[axis] - high[axis] - across;
            lines.push(Line { class, lower, upper, touched: 0.0, density: 0.0 });
        }
        let mut bends = Vec::new();
        for &Contact { class, axis: touching, neighbour, area } in &self.contacts {
            let Some(place) = place_of[class].filter(|_| touching != axis) else { continue };
            let shared = self.boxes.shared(self.index, neighbour, axis);
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
        Sweep { around: self, lines, bends, next: 0, span, below: 0.0, above: 0.0, axis, face, per_length }
    }
}

/// Where a neighbour across another axis begins or ends.
struct Bend {
    at: f64,
    place: usize,
    density: f64,
}

/// One class in a sweep.
struct Line {
    class: usize,
    /// Surface of its region with only the lower part in it, or only the upper one, if that part had no lateral wall and
    /// nothing touched the box below the cut.
    lower: f64,
    upper: f64,
    /// Area touched below the cut: `touched + density (cut - low)`.
    touched: f64,
    density: f64,
}

/// The regulariser as the cut of one axis moves up.
pub(super) struct Sweep<'s, 'b> {
    around: &'s Surroundings<'b>,
    lines: Vec<Line>,
    bends: Vec<Bend>,
    next: usize,
    span: Span,
    /// Length of the box below the cut, and above it.
    below: f64,
    above: f64,
    axis: usize,
    face: f64,
    /// Lateral wall by length.
    per_length: f64,
}

impl Sweep<'_, '_> {
    /// Whether a cut lies between the walls of the box.
    pub(super) fn holds(&self, cut: f64) -> bool {
        self.span.low < cut && cut < self.span.high
    }

    /// Moves the cut up.
    pub(super) fn advance(&mut self, cut: f64) {
        while let Some(&Bend { at, place, density }) = self.bends.get(self.next).filter(|bend| bend.at <= cut)
        {
            self.lines[place].density += density;
            self.lines[place].touched -= density * (at - self.span.low);
            self.next += 1;
        }
        (self.below, self.above) = (cut - self.span.low, self.span.high - cut);
    }

    /// Writes what each class adds to the regulariser when only the lower part of the box is in it, and when only the
    /// upper part is.
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

    /// As [`Self::terms`]: each part is apart from what touches it in other classes, and from the other part.
    fn interfaces(&self, lower: &mut [f64], upper: &mut [f64]) {
        let touched = |line: &Line| {
            let Around { touched, low, high, .. } = &self.around.around[line.class];
            let (low, high, below) = (low[self.axis], high[self.axis], self.touched(line));
            [low + below, high + (touched - low - high - below).max(0.0)]
        };
        let touched: Vec<[f64; 2]> = self.lines.iter().map(touched).collect();
        let parts = [0, 1].map(|part| touched.iter().map(|of| of[part]).collect::<Vec<f64>>());
        for class in 0..self.lines.len() {
            lower[class] = self.face + but(&parts[0], class);
            upper[class] = but(&parts[1], class);
        }
    }

    /// Surface, volume and emptiness of a class's region with only the lower part in it.
    fn lower(&self, place: usize) -> (f64, f64, bool) {
        let line = &self.lines[place];
        let surface = line.lower + self.per_length * self.below - 2.0 * self.touched(line);
        (surface, self.around.around[line.class].volume + self.face * self.below, false)
    }

    /// The same with only the upper part in it. It is not computed from the lower one: the difference of their sum and a
    /// large surface has no digits left for a small one.
    fn upper(&self, place: usize) -> (f64, f64, bool) {
        let line = &self.lines[place];
        let surface = line.upper + self.per_length * self.above + 2.0 * self.touched(line);
        (surface, self.around.around[line.class].volume + self.face * self.above, false)
    }

    /// Area that a class touches across other axes below the cut.
    fn touched(&self, line: &Line) -> f64 {
        line.touched + line.density * self.below
    }
}

/// Sum of all values but one.
fn but(values: &[f64], place: usize) -> f64 {
    values[..place].iter().chain(&values[place + 1..]).sum()
}
