//! Reference measurement of leaf boxes: a grid through all their walls, and every cell of it.

/// A leaf: its node, box, rows and label.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Number of the node.
    pub node: usize,
    /// Lower walls.
    pub low: Vec<f64>,
    /// Upper walls.
    pub high: Vec<f64>,
    /// Rows.
    pub rows: Vec<usize>,
    /// Class code.
    pub label: usize,
}

impl Leaf {
    /// The whole cube.
    pub fn cube(n_axes: usize) -> Self {
        Self { node: 0, low: vec![0.0; n_axes], high: vec![1.0; n_axes], rows: Vec::new(), label: 0 }
    }

    /// The two parts of the box, without rows.
    pub fn cut(&self, axis: usize, cut: f64) -> [Self; 2] {
        let (mut lower, mut upper) = (self.clone(), self.clone());
        (lower.high[axis], upper.low[axis]) = (cut, cut);
        (lower.rows, upper.rows) = (Vec::new(), Vec::new());
        [lower, upper]
    }
}

/// Volumes of leaves, and the areas that they share with each other and with the outside.
pub struct Grid {
    volume: Vec<f64>,
    outside: Vec<f64>,
    shared: Vec<Vec<f64>>,
}

impl Grid {
    /// Cuts the cube at every wall of every leaf and visits each cell.
    ///
    /// # Panics
    /// If a wall is not a grid line, which cannot happen.
    pub fn new(leaves: &[Leaf]) -> Self {
        let n_axes = leaves[0].low.len();
        let lines: Vec<Vec<f64>> = (0..n_axes)
            .map(|axis| {
                let mut lines: Vec<f64> =
                    leaves.iter().flat_map(|leaf| [leaf.low[axis], leaf.high[axis]]).collect();
                lines.extend([0.0, 1.0]);
                lines.sort_by(f64::total_cmp);
                lines.dedup();
                lines
            })
            .collect();
        let sizes: Vec<usize> = lines.iter().map(|lines| lines.len() - 1).collect();
        let strides: Vec<usize> = (0..n_axes).map(|axis| sizes[..axis].iter().product()).collect();
        let place = |cell: usize, axis: usize| cell / strides[axis] % sizes[axis];
        let length = |cell: usize, axis: usize| {
            let at = place(cell, axis);
            lines[axis][at + 1] - lines[axis][at]
        };
        let holds = |leaf: &Leaf, cell: usize| {
            let within = |axis: usize| {
                let at = place(cell, axis);
                leaf.low[axis] <= lines[axis][at] && lines[axis][at + 1] <= leaf.high[axis]
            };
            (0..n_axes).all(within)
        };
        let n_cells: usize = sizes.iter().product();
        let owner: Vec<usize> =
            (0..n_cells).map(|cell| leaves.iter().position(|leaf| holds(leaf, cell)).unwrap()).collect();
        let mut grid = Self {
            volume: vec![0.0; leaves.len()],
            outside: vec![0.0; leaves.len()],
            shared: vec![vec![0.0; leaves.len()]; leaves.len()],
        };
        for cell in 0..n_cells {
            let own = owner[cell];
            grid.volume[own] += (0..n_axes).map(|axis| length(cell, axis)).product::<f64>();
            for axis in 0..n_axes {
                let face: f64 = (0..n_axes).filter(|&a| a != axis).map(|a| length(cell, a)).product();
                let at = place(cell, axis);
                if at == 0 {
                    grid.outside[own] += face;
                }
                if at + 1 == sizes[axis] {
                    grid.outside[own] += face;
                } else {
                    let next = owner[cell + strides[axis]];
                    grid.shared[own][next] += face;
                    grid.shared[next][own] += face;
                }
            }
        }
        grid
    }

    /// Surface and volume of the region of a class, and its area of contact with other classes.
    pub fn region(&self, labels: &[usize], class: usize) -> (f64, f64, f64) {
        let inside = |leaf: &usize| labels[*leaf] == class;
        let (mut walls, mut volume, mut inner) = (0.0, 0.0, 0.0);
        for leaf in (0..labels.len()).filter(inside) {
            walls += self.outside[leaf];
            volume += self.volume[leaf];
            inner +=
                (0..labels.len()).filter(|other| !inside(other)).map(|o| self.shared[leaf][o]).sum::<f64>();
        }
        (walls + inner, volume, inner)
    }
}
