//! SMOTE for many bags of one table.
//!
//! The neighbors are searched once, and the synthetic rows of each bag are made when they are needed.

use crate::distance_space::DistanceSpace;
use crate::draw::{self, class_seed_key, draw_with_replacement, rank_classes_by_first_row};
use crate::interpolation::{InterpolationMode, Interpolator, NeighborDraw, same_class_neighbors};
use crate::neighbors::{Algorithm, NeighborIndex, Neighbors};
use crate::resampling_task::AddedRows;
use crate::smotenc::{NominalModes, median_standard_deviation};
use imbcore_core::{Column, Error, Frame, Result, RunContext, SeedKey, tags};

/// Sampler of synthetic rows with precomputed neighbors.
#[derive(Clone, Debug)]
pub struct SyntheticSampler {
    classes: Vec<ClassNeighbors>,
    width: usize,
}

#[derive(Clone, Debug)]
struct ClassNeighbors {
    class: u32,
    /// Rank of the class in the order in which classes first occur among the given rows.
    place: u32,
    bases: Vec<u32>,
    lists: Neighbors,
    votes: NominalModes,
}

impl SyntheticSampler {
    /// Finds the `k` nearest rows of the same class for given rows of some classes.
    ///
    /// If a class has too few rows, all other rows of the class are neighbors. In distances, nominal columns
    /// count as in SMOTE-NC (Chawla et al. 2002, section 6.1). If all columns are nominal, the squared
    /// distance is the number of differing columns.
    ///
    /// # Errors
    /// [`Error::Column`] for a missing or infinite value; [`Error::Memory`]; [`Error::Cancelled`].
    pub fn new(frame: &Frame<'_>, classes: &[(u32, &[u32])], k: usize, ctl: RunContext<'_>) -> Result<Self> {
        let is_nominal = |column: &Column<'_>| matches!(column, Column::Nominal { .. });
        let nominal: Vec<usize> =
            (0..frame.n_columns()).filter(|&i| is_nominal(&frame.columns()[i])).collect();
        let no_numbers = nominal.len() == frame.n_columns();
        let mut space = DistanceSpace::from_mixed(frame, None, ctl)?;
        let mut found = Vec::with_capacity(classes.len());
        let places = rank_classes_by_first_row(classes.iter().map(|(_, bases)| bases.first().copied()));
        for (&(class, bases), place) in classes.iter().zip(places) {
            if !nominal.is_empty() {
                let median = if no_numbers { 1.0 } else { median_standard_deviation(&space, bases) };
                space.set_nominal_mismatch(median * median);
            }
            let points = NeighborIndex::new(space, Algorithm::Auto);
            let lists =
                same_class_neighbors(&points, bases, bases, k.min(bases.len().saturating_sub(1)), ctl)?;
            space = points.into_space();
            let votes = NominalModes::from_neighbors(&space, bases, &lists, &nominal);
            found.push(ClassNeighbors { class, place, bases: bases.to_vec(), lists, votes });
        }
        Ok(Self { classes: found, width: space.n_numeric() })
    }

    /// Appends `n` synthetic rows of a class; `key` is the seed of all random draws.
    ///
    /// # Errors
    /// [`Error::Memory`]; [`Error::Internal`] for a class that was not given to `new`; [`Error::Cancelled`].
    pub fn add_synthetic_rows(
        &self,
        class: u32,
        n: usize,
        key: SeedKey,
        (added, ctl): (&mut AddedRows, RunContext<'_>),
    ) -> Result<()> {
        let source = self.classes.iter().find(|source| source.class == class);
        let source =
            source.ok_or_else(|| Error::Internal(format!("no rows of class {class} can be made")))?;
        let n = draw::checked_n_added_rows(n as u64)?;
        let turns = draw_with_replacement(
            &mut class_seed_key(key, source.place).child(tags::resampled::BASES, 0).rng(),
            source.bases.len(),
            n,
        );
        let maker = Interpolator {
            class,
            place: source.place,
            bases: &source.bases,
            lists: &source.lists,
            draw: NeighborDraw::Replace,
            interpolation: InterpolationMode::Line,
            width: self.width,
            key,
            ctl,
        };
        maker.add_synthetic_rows(&turns, None, added)?;
        source.votes.draw_nominal_codes(
            &turns,
            &mut class_seed_key(key, source.place).child(tags::resampled::VOTES, 0).rng(),
            added,
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use imbcore_core::{Observer, Progress};
    use std::sync::atomic::AtomicBool;

    struct NoObserver;

    impl Observer for NoObserver {
        fn progress(&self, _: Progress) {}
    }

    #[test]
    fn no_rows_are_made_after_cancellation() {
        let frame = Frame::new(vec![Column::from_numbers(&[0.0, 1.0, 2.0])]).unwrap();
        let synthesis = SyntheticSampler::new(&frame, &[(1, &[0, 1, 2])], 1, RunContext::silent()).unwrap();
        let (mut made, stop) = (AddedRows::default(), AtomicBool::new(true));
        let stopped = synthesis.add_synthetic_rows(
            1,
            30,
            SeedKey::root(1),
            (&mut made, RunContext::new(&NoObserver, &stop)),
        );
        assert_eq!((stopped, made.len()), (Err(Error::Cancelled), 0));
    }

    #[test]
    fn synthetic_rows_lie_between_neighbors_and_a_single_row_is_copied() {
        let x = [0.0, 1.0, 2.0, 50.0, 7.0];
        let frame = Frame::new(vec![Column::from_numbers(&x)]).unwrap();
        let classes = [(1, &[0, 1, 2, 3][..]), (2, &[4][..])];
        let synthesis = SyntheticSampler::new(&frame, &classes, 1, RunContext::silent()).unwrap();
        let mut made = AddedRows::default();
        synthesis.add_synthetic_rows(1, 30, SeedKey::root(1), (&mut made, RunContext::silent())).unwrap();
        synthesis.add_synthetic_rows(2, 2, SeedKey::root(1), (&mut made, RunContext::silent())).unwrap();
        assert_eq!((made.len(), &made.classes[29..]), (32, &[1, 2, 2][..]));
        let numbers = made.numeric_values(&frame).unwrap();
        assert!((0..30).all(|at| made.neighbors[at] == [1, 0, 1, 2][made.sources[at] as usize]));
        assert!(numbers[..30].iter().all(|value| (0.0..=50.0).contains(value)));
        assert_eq!(numbers[30..], [7.0, 7.0]);
    }

    #[test]
    fn nominal_columns_take_the_majority_code_of_the_neighbors() {
        let x = [0.0, 1.0, 2.0];
        let nominal = Column::Nominal { codes: &[0, 1, 1], levels: 2 };
        let frame = Frame::new(vec![Column::from_numbers(&x), nominal]).unwrap();
        let synthesis = SyntheticSampler::new(&frame, &[(1, &[0, 1, 2])], 5, RunContext::silent()).unwrap();
        let mut made = AddedRows::default();
        synthesis.add_synthetic_rows(1, 20, SeedKey::root(1), (&mut made, RunContext::silent())).unwrap();
        // Both neighbors of row 0 have level 1.
        let of_row_0 = (0..20).filter(|&at| made.sources[at] == 0);
        assert!(of_row_0.map(|at| made.codes[&1][at]).all(|code| code == 1));
    }

    #[test]
    fn with_only_nominal_columns_the_nearest_differ_in_the_fewest() {
        let nominal = |codes| Column::Nominal { codes, levels: 3 };
        let columns = vec![nominal(&[0, 0, 0, 2]), nominal(&[0, 0, 1, 2]), nominal(&[0, 1, 1, 2])];
        let frame = Frame::new(columns).unwrap();
        let synthesis =
            SyntheticSampler::new(&frame, &[(1, &[0, 1, 2, 3])], 1, RunContext::silent()).unwrap();
        let mut made = AddedRows::default();
        synthesis.add_synthetic_rows(1, 40, SeedKey::root(1), (&mut made, RunContext::silent())).unwrap();
        assert!(made.numeric_values(&frame).unwrap().is_empty());
        for (at, &source) in made.sources.iter().enumerate() {
            // Row 1 differs in one column from row 0 and in one column from row 2. So rows 0 and 2 are
            // equally near, and the lower row number wins the tie.
            let mate = [1, 0, 1, 0][source as usize];
            assert_eq!(made.neighbors[at], mate);
            let codes: Vec<u32> = (0..3).map(|column| made.codes[&column][at]).collect();
            assert_eq!(codes, [[0, 0, 0], [0, 0, 1]][mate as usize]);
        }
    }
}
