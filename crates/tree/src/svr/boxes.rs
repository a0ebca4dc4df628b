//! The leaf boxes of a growing tree.

/// Boxes of all leaves, with their labels; they part the unit cube.
///
/// A wall that two boxes share is the same float in both, since thresholds are copied and never recomputed.
pub(super) struct Boxes {
    n_axes: usize,
    /// `n_boxes x n_axes`.
    low: Vec<f64>,
    high: Vec<f64>,
    labels: Vec<usize>,
    volumes: Vec<f64>,
    /// Axes that some box does not span, ascending: the only ones on which boxes can differ.
    used: Vec<usize>,
}

/// Part of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Span {
    pub(super) fn length(self) -> f64 {
        self.high - self.low
    }
}

impl Boxes {
    /// The whole cube.
    pub(super) fn new(n_axes: usize, label: usize) -> Self {
        Self {
            n_axes,
            low: vec![0.0; n_axes],
            high: vec![1.0; n_axes],
            labels: vec![label],
            volumes: vec![1.0],
            used: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.labels.len()
    }

    pub(super) fn n_axes(&self) -> usize {
        self.n_axes
    }

    pub(super) fn used(&self) -> &[usize] {
        &self.used
    }

    pub(super) fn label(&self, index: usize) -> usize {
        self.labels[index]
    }

    pub(super) fn volume(&self, index: usize) -> f64 {
        self.volumes[index]
    }

    pub(super) fn span(&self, index: usize, axis: usize) -> Span {
        let place = index * self.n_axes + axis;
        Span { low: self.low[place], high: self.high[place] }
    }

    /// What two boxes share of an axis; of negative length where they are apart, of length 0 where they touch.
    pub(super) fn shared(&self, a: usize, b: usize, axis: usize) -> Span {
        let (a, b) = (self.span(a, axis), self.span(b, axis));
        Span { low: a.low.max(b.low), high: a.high.min(b.high) }
    }

    /// Cuts a box in two: the lower part keeps its place, the upper one comes last. Returns the upper one's place.
    pub(super) fn split(&mut self, index: usize, axis: usize, cut: f64, labels: [usize; 2]) -> usize {
        let upper = self.len();
        let own = index * self.n_axes..(index + 1) * self.n_axes;
        self.low.extend_from_within(own.clone());
        self.high.extend_from_within(own);
        self.high[index * self.n_axes + axis] = cut;
        self.low[upper * self.n_axes + axis] = cut;
        self.labels[index] = labels[0];
        self.labels.push(labels[1]);
        if let Err(place) = self.used.binary_search(&axis) {
            self.used.insert(place, axis);
        }
        self.volumes[index] = self.product(index);
        self.volumes.push(self.product(upper));
        upper
    }

    /// Volume of a box: every axis that is not used has length 1.
    fn product(&self, index: usize) -> f64 {
        self.used.iter().map(|&axis| self.span(index, axis).length()).product()
    }
}
