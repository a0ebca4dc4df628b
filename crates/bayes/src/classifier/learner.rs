//! Fitting Bayesian classifiers.

use super::bag::{Bag, Bagged};
use super::facts::{ArcPrice, MemberFacts, TrainingFacts, ranges, starved_rows};
use super::model::{BayesModel, Member, MemberWeights};
use super::structure::Structure;
use crate::discretize::{DiscretizeSettings, Discretizer, Training};
use crate::estimate::estimate;
use crate::info::tempered;
use crate::network::{Network, Variable};
use crate::prior::PriorParams;
use crate::table::{DiscreteTable, MISSING};
use imbcore_base::{Classifier, Dataset, Error, Learner, Result, RunCtl, SeedKey, first_largest};

/// A Bayesian classifier with checked parameters.
#[derive(Clone, Debug)]
pub struct BayesLearner {
    pub(super) cuts: DiscretizeSettings,
    pub(super) structure: Structure,
    pub(super) prior: PriorParams,
    /// Exponent of tempered weights that probabilities are estimated with.
    pub(super) tempered: Option<f64>,
    /// An ensemble in place of one network.
    pub(super) bag: Option<Bag>,
    pub(super) class_weight: Option<Vec<f64>>,
}

impl BayesLearner {
    /// The same with weights of the classes.
    #[must_use]
    pub fn class_weight(self, class_weight: Option<Vec<f64>>) -> Self {
        Self { class_weight, ..self }
    }

    /// Weights of rows times those of their classes, where there are any.
    fn weights(&self, data: &Dataset<'_>) -> Option<Vec<f64>> {
        let of_class =
            |row: usize| self.class_weight.as_ref().map_or(1.0, |of| of[data.classes()[row] as usize]);
        let weighted = data.weights().is_some() || self.class_weight.is_some();
        weighted.then(|| (0..data.n_rows()).map(|row| data.weight(row) * of_class(row)).collect())
    }

    /// Learns one network.
    pub(super) fn member(
        &self,
        coded: &Coded,
        n_features: usize,
        key: SeedKey,
        ctl: RunCtl<'_>,
    ) -> Result<(Member, MemberFacts)> {
        let Coded { table, columns } = coded;
        let class = columns.len() as u32;
        let learnt = self.structure.learn(table, columns, n_features as u32, key, ctl)?;
        let starved = starved_rows(table, &learnt.dag, class)?;
        let weighted = self.tempered.map(|phi| tempered(table.clone(), class, phi)).transpose()?;
        let table = weighted.as_ref().unwrap_or(table);
        let prior = self.prior.settle(table.total());
        let cpts = estimate(table, &learnt.dag, Some(class), &prior, ctl)?;
        let network = Network::new(variables(columns, table.levels()), cpts)?;
        let facts = MemberFacts { score: learnt.score, stopped_by: learnt.stopped_by, starved };
        Ok((Member::new(columns.clone(), network)?, facts))
    }

    /// One network, as an ensemble of one.
    fn single(&self, sample: &Sample<'_>, key: SeedKey, ctl: RunCtl<'_>) -> Result<Bagged> {
        let discretizer = self.cuts.learn(&sample.training, &sample.rows, ctl)?;
        let coded = sample.coded(&discretizer, ctl)?;
        let (member, facts) = self.member(&coded, discretizer.columns.len(), key, ctl)?;
        Ok(Bagged {
            discretizers: vec![discretizer],
            members: vec![member],
            facts: vec![facts],
            log_weights: vec![0.0],
        })
    }
}

impl Learner for BayesLearner {
    type Model = BayesModel;

    fn fit(&self, data: &Dataset<'_>, key: SeedKey, ctl: RunCtl<'_>) -> Result<BayesModel> {
        let weights = self.weights(data);
        let sample = Sample::new(self.cuts, data, weights.as_deref())?;
        let Bagged { discretizers, members, facts, log_weights } = match &self.bag {
            Some(bag) => bag.fit(self, &sample, key, ctl)?,
            None => self.single(&sample, key, ctl)?,
        };
        let (shares, total) = sample.shares();
        let levels: Vec<u32> = members
            .iter()
            .flat_map(|member| member.network.levels()[..member.columns.len()].to_vec())
            .collect();
        let price = self.structure.price(total);
        let arcs =
            price.and_then(|(price, phi)| ArcPrice::new(price, total, &tempered_law(&shares, phi), &levels));
        let ranges = ranges(data.frame(), &sample.rows);
        let law = self.tempered.map_or_else(|| shares.clone(), |phi| tempered_law(&shares, phi));
        let recall = vec![None; shares.len()];
        let facts = TrainingFacts { shares, law, total, recall, ranges, arcs, members: facts };
        let rule = self.bag.as_ref().map_or(MemberWeights::Plain, |bag| bag.weights);
        let model = BayesModel::new(discretizers, members, (rule, log_weights), facts)?;
        let recall = sample.recall(&model.proba(data.frame(), ctl)?);
        Ok(model.with_recall(recall))
    }
}

/// Shares of classes under tempered weights: in proportion to `(M_y / M)^phi`.
fn tempered_law(shares: &[f64], phi: f64) -> Vec<f64> {
    let raised: Vec<f64> =
        shares.iter().map(|&share| if share > 0.0 { share.powf(phi) } else { 0.0 }).collect();
    let sum: f64 = raised.iter().sum();
    raised.iter().map(|share| share / sum).collect()
}

/// The rows that train.
pub(super) struct Sample<'a> {
    pub(super) training: Training<'a>,
    pub(super) rows: Vec<u32>,
    classes: &'a [u32],
    pub(super) n_classes: usize,
}

impl<'a> Sample<'a> {
    fn new(cuts: DiscretizeSettings, data: &'a Dataset<'a>, weights: Option<&'a [f64]>) -> Result<Self> {
        let (classes, n_classes) = (data.classes(), data.n_classes());
        if n_classes >= usize::from(MISSING) {
            return Err(Error::Data(format!(
                "y has {n_classes} classes; at most {} are possible",
                MISSING - 1
            )));
        }
        let training = Training { frame: data.frame(), classes: Some((classes, n_classes)), weights };
        let rows = cuts.rows(&training)?;
        let first = classes[rows[0] as usize];
        if rows.iter().all(|&row| classes[row as usize] == first) {
            return Err(Error::Data(
                "only one class is left in the rows that train; missing=\"available\" or \"state\" keeps rows with missing values"
                    .into(),
            ));
        }
        Ok(Self { training, rows, classes, n_classes })
    }

    /// Class of a training row.
    pub(super) fn class(&self, at: usize) -> usize {
        self.classes[self.rows[at] as usize] as usize
    }

    fn weight(&self, at: usize) -> f64 {
        self.training.weights.map_or(1.0, |weights| weights[self.rows[at] as usize])
    }

    /// Codes of the columns that say something, and of the class, of all rows that train.
    pub(super) fn coded(&self, discretizer: &Discretizer, ctl: RunCtl<'_>) -> Result<Coded> {
        let columns = discretizer.informative();
        let all = discretizer.encode(self.training.frame, &columns, ctl)?;
        let mut codes: Vec<Vec<u16>> =
            all.iter().map(|all| self.rows.iter().map(|&row| all[row as usize]).collect()).collect();
        codes.push((0..self.rows.len()).map(|at| self.class(at) as u16).collect());
        let mut levels: Vec<u32> =
            columns.iter().map(|&column| discretizer.columns[column].n_states()).collect();
        levels.push(self.n_classes as u32);
        let mut table = DiscreteTable::new(codes, levels)?;
        if self.training.weights.is_some() {
            table = table.weighted((0..self.rows.len()).map(|at| self.weight(at)).collect());
        }
        Ok(Coded { table, columns: columns.into_iter().map(|column| column as u32).collect() })
    }

    /// Share of every class in the weight of all rows, and that weight.
    fn shares(&self) -> (Vec<f64>, f64) {
        let mut shares = vec![0.0; self.n_classes];
        for at in 0..self.rows.len() {
            shares[self.class(at)] += self.weight(at);
        }
        let total: f64 = shares.iter().sum();
        (shares.iter().map(|share| share / total).collect(), total)
    }

    /// Share of the training rows of every class that are answered with it, from the probabilities of all rows.
    fn recall(&self, proba: &[f64]) -> Vec<Option<f64>> {
        let c = self.n_classes;
        let (mut rows, mut hits) = (vec![0.0; c], vec![0.0; c]);
        for (at, &row) in self.rows.iter().enumerate() {
            let class = self.class(at);
            rows[class] += 1.0;
            let answer = first_largest(&proba[row as usize * c..][..c]);
            hits[class] += f64::from(u8::from(answer as usize == class));
        }
        hits.iter().zip(rows).map(|(hits, rows)| (rows > 0.0).then_some(hits / rows)).collect()
    }
}

/// Training rows as codes; the class is the last column.
pub(super) struct Coded {
    pub(super) table: DiscreteTable,
    /// Columns of the data.
    pub(super) columns: Vec<u32>,
}

/// Variables named by the columns' positions; a model has the users' names beside its networks.
fn variables(columns: &[u32], levels: &[u32]) -> Vec<Variable> {
    let names = columns.iter().map(|column| format!("x{column}")).chain(["class".to_owned()]);
    let states = |levels: u32| (0..levels).map(|state| state.to_string()).collect();
    names.zip(levels).map(|(name, &levels)| Variable { name, states: states(levels) }).collect()
}
