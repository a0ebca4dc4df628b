//! Serialization of Bayesian classifiers.

use super::member_network::{MemberNetwork, MemberWeighting};
use super::model::BayesModel;
use super::training_stats::{ClassArcBounds, NetworkStats, TrainingStats};
use crate::discretize::{ColumnStates, Discretizer};
use crate::network::Network;
use imbcore_core::{ArrayReader, ArrayWriter, Error, FeatureKind, Persist, Result, Schema};

impl Persist for BayesModel {
    fn write(&self, file: &mut ArrayWriter) -> Result<()> {
        let networks: Vec<&Network> = self.members().iter().map(|member| &member.network).collect();
        file.write_json("bayes.networks", &networks)?;
        file.write_json("bayes.discretizers", self.discretizers())?;
        file.write_json("bayes.weights", &self.member_weighting())?;
        let columns = || self.members().iter().map(|member| &member.columns);
        let ends = columns().scan(0, |end, columns| {
            *end += columns.len() as u32;
            Some(*end)
        });
        file.write_u32s("bayes.ends", &ends.collect::<Vec<_>>());
        file.write_u32s("bayes.columns", &columns().flatten().copied().collect::<Vec<_>>());
        file.write_f64s("bayes.log_weights", self.member_log_weights());
        self.training_stats().write(file)
    }

    fn read(file: &ArrayReader<'_>, schema: &Schema) -> Result<Self> {
        let networks: Vec<Network> = file.read_json("bayes.networks")?;
        let discretizers: Vec<Discretizer> = file.read_json("bayes.discretizers")?;
        let weights: MemberWeighting = file.read_json("bayes.weights")?;
        if !discretizers.iter().all(|one| matches_schema(one, schema)) {
            return Err(Error::damaged("its bins do not match the columns"));
        }
        let n_variables: Vec<usize> = networks.iter().map(Network::n_variables).collect();
        let facts = TrainingStats::read(file, &n_variables)?;
        if facts.shares.len() != schema.classes.len() || facts.ranges.len() != schema.features.len() {
            return Err(Error::damaged("its training statistics do not match the classes or columns"));
        }
        let members = read_members(file, networks)?;
        let log_weights = file.read_f64s("bayes.log_weights")?;
        Self::new(discretizers, members, (weights, log_weights), facts).map_err(Error::damaged)
    }
}

fn read_members(file: &ArrayReader<'_>, networks: Vec<Network>) -> Result<Vec<MemberNetwork>> {
    let (all, ends) = (file.read_u32s("bayes.columns")?, file.read_u32s("bayes.ends")?);
    if ends.len() != networks.len() || ends.last().is_some_and(|&end| end as usize != all.len()) {
        return Err(Error::damaged("the columns of some network are missing"));
    }
    let mut from = 0;
    let member = |(network, end): (Network, u32)| {
        let columns = all.get(from..end as usize);
        let columns = columns.ok_or_else(|| Error::damaged("the columns of a network are missing"))?;
        from = end as usize;
        MemberNetwork::new(columns.to_vec(), network).map_err(Error::damaged)
    };
    networks.into_iter().zip(ends).map(member).collect()
}

impl TrainingStats {
    fn write(&self, file: &mut ArrayWriter) -> Result<()> {
        file.write_f64s("bayes.shares", &self.shares);
        file.write_f64s("bayes.weighted_fractions", &self.weighted_fractions);
        file.write_f64s("bayes.recall", &options_to_nan(&self.recall));
        let ends: Vec<[f64; 2]> =
            self.ranges.iter().map(|range| range.map_or([f64::NAN; 2], |(low, high)| [low, high])).collect();
        file.write_f64s("bayes.ranges", ends.as_flattened());
        file.write_f64s("bayes.total", &[self.total]);
        let arcs = self.arcs.map(|arcs| [arcs.cheapest, arcs.largest_gain]);
        file.write_f64s("bayes.arcs", arcs.as_slice().as_flattened());
        file.write_f64s(
            "bayes.scores",
            &options_to_nan(&self.members.iter().map(|one| one.score).collect::<Vec<_>>()),
        );
        let stops: Vec<&str> = self.members.iter().map(|one| &*one.stopped_by).collect();
        file.write_json("bayes.stops", &stops)?;
        let starved: Vec<Option<f64>> = self.members.iter().flat_map(|one| one.starved.clone()).collect();
        file.write_f64s("bayes.starved", &options_to_nan(&starved));
        Ok(())
    }

    fn read(file: &ArrayReader<'_>, n_variables: &[usize]) -> Result<Self> {
        let (scores, stops) =
            (nan_to_options(&file.read_f64s("bayes.scores")?), file.read_json::<Vec<String>>("bayes.stops")?);
        let starved = nan_to_options(&file.read_f64s("bayes.starved")?);
        if [scores.len(), stops.len()] != [n_variables.len(); 2]
            || starved.len() != n_variables.iter().sum::<usize>()
        {
            return Err(Error::damaged("the training statistics of some network are missing"));
        }
        let mut rest = &*starved;
        let member = |((score, stopped_by), &n): ((Option<f64>, String), &usize)| {
            let (own, others) = rest.split_at(n);
            rest = others;
            NetworkStats { score, stopped_by, starved: own.to_vec() }
        };
        let members = scores.into_iter().zip(stops).zip(n_variables).map(member).collect();
        let [total] = file.read_f64_array("bayes.total")?;
        let ends = file.read_f64s("bayes.ranges")?;
        let (ranges, _) = ends.as_chunks::<2>();
        Ok(Self {
            shares: file.read_f64s("bayes.shares")?,
            weighted_fractions: file.read_f64s("bayes.weighted_fractions")?,
            total,
            recall: nan_to_options(&file.read_f64s("bayes.recall")?),
            ranges: ranges.iter().map(|&[low, high]| (!low.is_nan()).then_some((low, high))).collect(),
            arcs: match file.read_f64s("bayes.arcs")?[..] {
                [cheapest, largest_gain] => Some(ClassArcBounds { cheapest, largest_gain }),
                _ => None,
            },
            members,
        })
    }
}

fn options_to_nan(values: &[Option<f64>]) -> Vec<f64> {
    values.iter().map(|value| value.unwrap_or(f64::NAN)).collect()
}

fn nan_to_options(values: &[f64]) -> Vec<Option<f64>> {
    values.iter().map(|&value| (!value.is_nan()).then_some(value)).collect()
}

fn matches_schema(discretizer: &Discretizer, schema: &Schema) -> bool {
    let cuts_rise = |cuts: &[f64]| {
        cuts.iter().all(|cut| cut.is_finite()) && cuts.windows(2).all(|pair| pair[0] < pair[1])
    };
    discretizer.columns.len() == schema.features.len()
        && discretizer.columns.iter().zip(&schema.features).all(|(rule, feature)| {
            match (&rule.values, &feature.kind) {
                (ColumnStates::Cuts(cuts), FeatureKind::Numeric) => cuts_rise(cuts),
                (ColumnStates::Levels(seen), FeatureKind::Nominal { levels }) => seen.len() == levels.len(),
                _ => false,
            }
        })
}
