//! Boxes of the leaves of a growing tree.

/// Boxes of all leaves with their labels; together they fill the unit cube.
///
/// A wall is the area in which two boxes touch. It has exactly the same coordinate in both boxes, because
/// thresholds are copied and never recomputed.
pub(super) struct LeafBoxes {
    n_axes: usize,
    /// Lower bounds of the boxes, `n_boxes x n_axes`; `high` has the upper bounds.
    low: Vec<f64>,
    high: Vec<f64>,
    labels: Vec<usize>,
    volumes: Vec<f64>,
    /// Total face area of each box; `glued` is the part that touches boxes of the same label.
    ///
    /// The surface of a label's region is the sum of `faces - glued` over its boxes. Little precision is
    /// lost, because the surface of the region is at least that of each of its boxes.
    faces: Vec<f64>,
    glued: Vec<f64>,
    /// Walls between boxes of different labels: the indices of the two boxes, and the area.
    walls: Vec<(usize, usize, f64)>,
    /// Axes on which at least one box does not extend over the whole interval [0, 1], ascending.
    /// On all other axes, every box extends over [0, 1].
    used: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AxisInterval {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl AxisInterval {
    pub(super) fn length(self) -> f64 {
        self.high - self.low
    }
}

impl LeafBoxes {
    pub(super) fn new(n_axes: usize, label: usize) -> Self {
        Self {
            n_axes,
            low: vec![0.0; n_axes],
            high: vec![1.0; n_axes],
            labels: vec![label],
            volumes: vec![1.0],
            faces: vec![2.0 * n_axes as f64],
            glued: vec![0.0],
            walls: Vec::new(),
            used: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.labels.len()
    }

    pub(super) fn n_axes(&self) -> usize {
        self.n_axes
    }

    pub(super) fn used_axes(&self) -> &[usize] {
        &self.used
    }

    pub(super) fn label(&self, index: usize) -> usize {
        self.labels[index]
    }

    pub(super) fn volume(&self, index: usize) -> f64 {
        self.volumes[index]
    }

    pub(super) fn surface_area(&self, index: usize) -> f64 {
        self.faces[index]
    }

    pub(super) fn face_area(&self, index: usize, axis: usize) -> f64 {
        let others = self.used.iter().filter(|&&other| other != axis);
        others.map(|&axis| self.axis_interval(index, axis).length()).product()
    }

    pub(super) fn exposed_area(&self, index: usize) -> f64 {
        self.faces[index] - self.glued[index]
    }

    /// If a box `but` is given, its walls are left out.
    pub(super) fn interface_area(&self, but: Option<usize>) -> f64 {
        let counts = |&&(a, b, _): &&(usize, usize, f64)| but.is_none_or(|but| a != but && b != but);
        // The sum of an empty list is -0.0; adding 0 makes it positive.
        self.walls.iter().filter(counts).map(|&(.., area)| area).sum::<f64>() + 0.0
    }

    pub(super) fn axis_interval(&self, index: usize, axis: usize) -> AxisInterval {
        let place = index * self.n_axes + axis;
        AxisInterval { low: self.low[place], high: self.high[place] }
    }

    /// Intersection of the intervals of two boxes on an axis.
    /// Its length is negative if the intervals are apart, and 0 if they touch in a point.
    pub(super) fn common_interval(&self, a: usize, b: usize, axis: usize) -> AxisInterval {
        let (a, b) = (self.axis_interval(a, axis), self.axis_interval(b, axis));
        AxisInterval { low: a.low.max(b.low), high: a.high.min(b.high) }
    }

    pub(super) fn shared_wall(&self, a: usize, b: usize) -> Option<(usize, f64)> {
        let mut touching = None;
        let mut area = 1.0;
        // Two boxes can be apart only on a used axis, because both extend over [0, 1] on all other axes.
        for &axis in &self.used {
            let length = self.common_interval(a, b, axis).length();
            if length > 0.0 {
                area *= length;
            } else if length < 0.0 || touching.replace(axis).is_some() {
                return None;
            }
        }
        touching.map(|axis| (axis, area))
    }

    /// Splits a box: the lower part keeps the index, and the upper part is appended.
    /// Returns the index of the upper part.
    pub(super) fn split_box(&mut self, index: usize, axis: usize, cut: f64, labels: [usize; 2]) -> usize {
        let upper = self.len();
        self.walls.retain(|&(a, b, _)| a != index && b != index);
        for other in (0..upper).filter(|&other| other != index && self.labels[other] == self.labels[index]) {
            self.glued[other] -= self.shared_wall(index, other).map_or(0.0, |(_, area)| area);
        }
        let place = index * self.n_axes..(index + 1) * self.n_axes;
        self.low.extend_from_within(place.clone());
        self.high.extend_from_within(place);
        self.high[index * self.n_axes + axis] = cut;
        self.low[upper * self.n_axes + axis] = cut;
        self.labels[index] = labels[0];
        self.labels.push(labels[1]);
        if let Err(place) = self.used.binary_search(&axis) {
            self.used.insert(place, axis);
        }
        for measures in [&mut self.volumes, &mut self.faces, &mut self.glued] {
            measures.push(0.0);
        }
        self.glued[index] = 0.0;
        for part in [index, upper] {
            self.volumes[part] =
                self.used.iter().map(|&axis| self.axis_interval(part, axis).length()).product();
            self.faces[part] = 2.0 * (0..self.n_axes).map(|axis| self.face_area(part, axis)).sum::<f64>();
            for other in (0..upper).filter(|&other| other != part) {
                let Some((_, area)) = self.shared_wall(part, other) else { continue };
                if self.labels[other] == self.labels[part] {
                    self.glued[part] += area;
                    self.glued[other] += area;
                } else {
                    self.walls.push((other, part, area));
                }
            }
        }
        upper
    }
}
