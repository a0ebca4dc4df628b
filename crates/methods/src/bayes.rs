//! Bayesian classifiers as a family of methods: fitting, and their part of the model file.

use crate::boxes::damaged;
use crate::file::{Reader, Writer};
use crate::model::Fitted;
use crate::registry::{Recipe, Run};
use imbcore_base::{Error, FeatureKind, Learner, Result, Schema};
use imbcore_bayes::classifier::{
    ArcPrice, BayesBaggingParams, BayesLearner, BayesModel, BayesParams, FullBayesParams, KdbBayesParams,
    Member, MemberFacts, MemberWeights, NaiveBayesParams, TanBayesParams, TrainingFacts,
};
use imbcore_bayes::{ColumnValues, Discretizer, Network};
use serde::Serialize;
use serde::de::DeserializeOwned;

macro_rules! recipes {
    ($($params:ty),*) => {$(
        impl Recipe for $params {
            fn fit(self, method: &'static str, run: Run<'_, '_>) -> Result<Fitted> {
                fit(self.learner(method)?, run)
            }
        }
    )*};
}

recipes! { FullBayesParams, NaiveBayesParams, TanBayesParams, KdbBayesParams, BayesBaggingParams }

fn fit(learner: BayesLearner, run: Run<'_, '_>) -> Result<Fitted> {
    let learner = learner.class_weight(run.class_weight);
    Ok(Fitted::Bayes(learner.fit(run.data, run.key, run.ctl)?))
}

pub(crate) fn write(model: &BayesModel, file: &mut Writer) -> Result<()> {
    let facts = model.facts();
    let networks: Vec<&Network> = model.members().iter().map(|member| &member.network).collect();
    file.u8s("bayes.networks", &json(&networks)?);
    file.u8s("bayes.discretizers", &json(&model.discretizers())?);
    file.u8s("bayes.weights", &json(&model.weights())?);
    let columns = || model.members().iter().map(|member| &member.columns);
    let ends = columns().scan(0, |end, columns| {
        *end += columns.len() as u32;
        Some(*end)
    });
    file.u32s("bayes.ends", &ends.collect::<Vec<_>>());
    file.u32s("bayes.columns", &columns().flatten().copied().collect::<Vec<_>>());
    file.f64s("bayes.log_weights", model.log_weights());
    file.f64s("bayes.shares", &facts.shares);
    file.f64s("bayes.law", &facts.law);
    file.f64s("bayes.recall", &or_nan(&facts.recall));
    let ends: Vec<[f64; 2]> =
        facts.ranges.iter().map(|range| range.map_or([f64::NAN; 2], |(low, high)| [low, high])).collect();
    file.f64s("bayes.ranges", ends.as_flattened());
    file.f64s("bayes.total", &[facts.total]);
    let arcs = facts.arcs.map(|arcs| [arcs.cheapest, arcs.largest_gain]);
    file.f64s("bayes.arcs", arcs.as_slice().as_flattened());
    file.f64s("bayes.scores", &or_nan(&facts.members.iter().map(|one| one.score).collect::<Vec<_>>()));
    let stops: Vec<&str> = facts.members.iter().map(|one| &*one.stopped_by).collect();
    file.u8s("bayes.stops", &json(&stops)?);
    let starved: Vec<Option<f64>> = facts.members.iter().flat_map(|one| one.starved.clone()).collect();
    file.f64s("bayes.starved", &or_nan(&starved));
    Ok(())
}

/// Numbers, NaN where there is none.
fn or_nan(values: &[Option<f64>]) -> Vec<f64> {
    values.iter().map(|value| value.unwrap_or(f64::NAN)).collect()
}

/// The other way round.
fn known(values: &[f64]) -> Vec<Option<f64>> {
    values.iter().map(|&value| (!value.is_nan()).then_some(value)).collect()
}

fn json<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    serde_json::to_vec(value).map_err(|error| Error::Internal(error.to_string()))
}

fn parsed<T: DeserializeOwned>(file: &Reader<'_>, name: &str) -> Result<T> {
    serde_json::from_slice(&file.u8s(name)?).map_err(|error| damaged(&format!("array `{name}`: {error}")))
}

pub(crate) fn read(file: &Reader<'_>, schema: &Schema) -> Result<BayesModel> {
    let networks: Vec<Network> = parsed(file, "bayes.networks")?;
    let discretizers: Vec<Discretizer> = parsed(file, "bayes.discretizers")?;
    let weights: MemberWeights = parsed(file, "bayes.weights")?;
    if !discretizers.iter().all(|one| fits(one, schema)) {
        return Err(damaged("its bins are not those of the columns"));
    }
    let (all, ends) = (file.u32s("bayes.columns")?, file.u32s("bayes.ends")?);
    let (scores, stops) = (known(&file.f64s("bayes.scores")?), parsed::<Vec<String>>(file, "bayes.stops")?);
    let starved = known(&file.f64s("bayes.starved")?);
    if [ends.len(), scores.len(), stops.len()] != [networks.len(); 3] {
        return Err(damaged("it has not the facts of every network"));
    }
    let (mut members, mut facts) = (Vec::new(), Vec::new());
    let (mut from, mut starved_from) = (0, 0);
    for (((network, end), score), stopped_by) in networks.into_iter().zip(ends).zip(scores).zip(stops) {
        let columns =
            all.get(from..end as usize).ok_or_else(|| damaged("the columns of a network are missing"))?;
        let n = network.n_variables();
        let starved = starved.get(starved_from..starved_from + n);
        let starved = starved.ok_or_else(|| damaged("it has not the facts of every variable"))?.to_vec();
        facts.push(MemberFacts { score, stopped_by, starved });
        members.push(Member::new(columns.to_vec(), network).map_err(|error| damaged(&error.to_string()))?);
        (from, starved_from) = (end as usize, starved_from + n);
    }
    if from != all.len() || starved_from != starved.len() {
        return Err(damaged("it has facts of networks that are not there"));
    }
    let [total] = file.f64s("bayes.total")?[..] else { return Err(damaged("it has no weight of all rows")) };
    let ends = file.f64s("bayes.ranges")?;
    let (ranges, _) = ends.as_chunks::<2>();
    let facts = TrainingFacts {
        shares: file.f64s("bayes.shares")?,
        law: file.f64s("bayes.law")?,
        total,
        recall: known(&file.f64s("bayes.recall")?),
        ranges: ranges.iter().map(|&[low, high]| (!low.is_nan()).then_some((low, high))).collect(),
        arcs: match file.f64s("bayes.arcs")?[..] {
            [cheapest, largest_gain] => Some(ArcPrice { cheapest, largest_gain }),
            _ => None,
        },
        members: facts,
    };
    if facts.shares.len() != schema.classes.len() || facts.ranges.len() != schema.features.len() {
        return Err(damaged("its facts are about other classes or columns"));
    }
    let log_weights = file.f64s("bayes.log_weights")?;
    BayesModel::new(discretizers, members, (weights, log_weights), facts)
        .map_err(|error| damaged(&error.to_string()))
}

/// Whether a discretiser of a file is for the columns of the schema.
fn fits(discretizer: &Discretizer, schema: &Schema) -> bool {
    let cuts_rise = |cuts: &[f64]| {
        cuts.iter().all(|cut| cut.is_finite()) && cuts.windows(2).all(|pair| pair[0] < pair[1])
    };
    discretizer.columns.len() == schema.features.len()
        && discretizer.columns.iter().zip(&schema.features).all(|(rule, feature)| {
            match (&rule.values, &feature.kind) {
                (ColumnValues::Cuts(cuts), FeatureKind::Numeric) => cuts_rise(cuts),
                (ColumnValues::Levels(seen), FeatureKind::Nominal { levels }) => seen.len() == levels.len(),
                _ => false,
            }
        })
}
