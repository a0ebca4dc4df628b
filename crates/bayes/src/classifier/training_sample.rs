//! The training rows of a Bayesian classifier, and bootstrap samples of them.

use super::encoded_training::{
    EncodedTrainingTable, RecallCounter, check_class_count, prediction_row_ranges,
};
use crate::codes::StateCodes;
use crate::discretize::{DiscretizeSettings, Discretizer, DiscretizerInput};
use imbcore_core::{
    Dataset, Error, Result, RowGroups, RunContext, SeedKey, index_of_first_largest, random_below,
};
use std::ops::Range;

pub(super) struct TrainingSample<'a> {
    pub(super) training: DiscretizerInput<'a>,
    pub(super) rows: Vec<u32>,
    classes: &'a [u32],
    n_classes: usize,
    /// Row groups of the user, as positions in `rows`; `None` if the user gives none.
    ///
    /// Bootstrap samples first draw whole groups.
    groups: Option<RowGroups>,
}

impl<'a> TrainingSample<'a> {
    pub(super) fn new(
        cuts: DiscretizeSettings,
        data: &'a Dataset<'a>,
        weights: Option<&'a [f64]>,
    ) -> Result<Self> {
        let (classes, n_classes) = (data.class_codes(), data.n_classes());
        check_class_count(n_classes)?;
        let training = DiscretizerInput { frame: data.frame(), classes: Some((classes, n_classes)), weights };
        let rows = cuts.training_rows(&training)?;
        let first = classes[rows[0] as usize];
        if rows.iter().all(|&row| classes[row as usize] == first) {
            return Err(Error::Data(
                "only one class is left in the training rows; missing=\"available\" or \"state\" keeps rows with missing values"
                    .into(),
            ));
        }
        let codes = data.dependence().groups();
        let groups = codes.map(|codes| RowGroups::new(rows.iter().map(|&row| codes[row as usize])));
        Ok(Self { training, rows, classes, n_classes, groups })
    }

    fn class(&self, at: usize) -> usize {
        self.classes[self.rows[at] as usize] as usize
    }

    fn weight(&self, at: usize) -> f64 {
        self.training.weights.map_or(1.0, |weights| weights[self.rows[at] as usize])
    }

    pub(super) fn encode(
        &self,
        discretizer: &Discretizer,
        ctl: RunContext<'_>,
    ) -> Result<EncodedTrainingTable> {
        let columns = discretizer.informative_columns();
        let all = discretizer.encode(self.training.frame, &columns, ctl)?;
        let picked =
            |all: &Vec<u16>| StateCodes::Wide(self.rows.iter().map(|&row| all[row as usize]).collect());
        let codes = all.iter().map(picked).collect();
        let classes = StateCodes::Wide((0..self.rows.len()).map(|at| self.class(at) as u16).collect());
        let coded = EncodedTrainingTable::new(discretizer, codes, classes, self.n_classes)?;
        if self.training.weights.is_none() {
            return Ok(coded);
        }
        let weights = (0..self.rows.len()).map(|at| self.weight(at)).collect();
        Ok(EncodedTrainingTable { table: coded.table.with_weights(weights), ..coded })
    }

    pub(super) fn class_fractions(&self) -> (Vec<f64>, f64) {
        let mut shares = vec![0.0; self.n_classes];
        for at in 0..self.rows.len() {
            shares[self.class(at)] += self.weight(at);
        }
        let total: f64 = shares.iter().sum();
        (shares.iter().map(|share| share / total).collect(), total)
    }

    pub(super) fn class_recalls(
        &self,
        n_rows: usize,
        predict: impl Fn(Range<usize>) -> Result<Vec<f64>>,
    ) -> Result<Vec<Option<f64>>> {
        let c = self.n_classes;
        let mut found = RecallCounter::new(c);
        let mut rows = self.rows.iter().enumerate().peekable();
        for block in prediction_row_ranges(n_rows, c) {
            let proba = predict(block.clone())?;
            while let Some((at, &row)) = rows.next_if(|(_, row)| block.contains(&(**row as usize))) {
                found.count_row(
                    self.class(at),
                    index_of_first_largest(&proba[(row as usize - block.start) * c..][..c]),
                );
            }
        }
        Ok(found.class_recalls())
    }

    /// Bootstrap sample: positions of training rows, drawn with replacement, ascending.
    ///
    /// If the user assigns the rows to groups, whole groups are drawn, as many as there are groups. The
    /// sample consists of the rows of the drawn groups. If `stratified`, the sample has as many rows of each
    /// class as the data. With groups and `stratified`, the rows of a class are drawn from its rows in the
    /// drawn groups, or from all its rows if these groups contain none of them.
    pub(super) fn bootstrap(&self, stratified: bool, key: SeedKey) -> Vec<u32> {
        let mut rng = key.rng();
        let n = self.rows.len() as u32;
        let by_class = |places: &mut dyn Iterator<Item = u32>| {
            let mut of_class = vec![Vec::new(); self.n_classes];
            places.for_each(|at| of_class[self.class(at as usize)].push(at));
            of_class
        };
        let sample = self.groups.as_ref().map(|groups| {
            let mut sample = Vec::new();
            groups.draw_groups(groups.n_groups(), true, key, |at| sample.push(at));
            sample
        });
        let mut drawn: Vec<u32> = match (stratified, sample) {
            (false, None) => (0..n).map(|_| random_below(&mut rng, n)).collect(),
            (false, Some(sample)) => sample,
            (true, sample) => {
                let of_class = by_class(&mut (0..n));
                let available = sample.map(|sample| by_class(&mut sample.into_iter()));
                let class = |(class, rows): (usize, &Vec<u32>)| {
                    let drawn = available.as_ref().map(|available| &available[class]);
                    // If the drawn groups contain no row of this class, rows are drawn from all training rows
                    // of the class.
                    let from = drawn.filter(|drawn| !drawn.is_empty()).unwrap_or(rows);
                    (0..rows.len())
                        .map(|_| from[random_below(&mut rng, from.len() as u32) as usize])
                        .collect::<Vec<_>>()
                };
                of_class.iter().enumerate().flat_map(class).collect()
            }
        };
        drawn.sort_unstable();
        drawn
    }
}
