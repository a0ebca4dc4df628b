//! Row counts and masses of each class.

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ClassSums {
    pub(crate) rows: Vec<u32>,
    pub(crate) mass: Vec<f64>,
}

impl ClassSums {
    pub(crate) fn zero(n_classes: usize) -> Self {
        Self { rows: vec![0; n_classes], mass: vec![0.0; n_classes] }
    }

    pub(crate) fn reset(&mut self) {
        self.rows.fill(0);
        self.mass.fill(0.0);
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.rows.iter_mut().zip(&other.rows).for_each(|(sum, rows)| *sum += rows);
        self.mass.iter_mut().zip(&other.mass).for_each(|(sum, mass)| *sum += mass);
    }

    pub(crate) fn n_rows(&self) -> u32 {
        self.rows.iter().sum()
    }

    pub(crate) fn total_mass(&self) -> f64 {
        self.mass.iter().sum()
    }

    pub(crate) fn is_pure(&self) -> bool {
        self.rows.iter().filter(|&&rows| rows > 0).count() < 2
    }
}
