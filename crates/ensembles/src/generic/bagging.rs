//! Bagging (Breiman 1996), and bagging with resampled bags, as in imbalanced-learn.

use super::assembly::{BaggingMethod, in_memory_row_ranks};
use super::bag::Bag;
use super::base_learner::TrainingContext;
use super::class_pools::ColumnSampling;
use super::resample_bag::resample_bag;
use super::under_sample::{under_sample_ranks, under_sampling_target_counts};
use crate::max_samples::MaxSamples;
use crate::preselected_rows::PreselectedRows;
use crate::row_sampler::{RowSampler, SamplingScheme};
use crate::strata::{RankSet, RowsByRank, Strata};
use imbcore_core::{ClassStats, Dataset, Error, Label, Result, SeedKey, parse_params, tags};
use imbcore_resample::{RandomUnderParams, SAMPLER_NAMES, Strategy, StrategyName, labels_to_codes};
use serde_json::{Map, Value, json};

macro_rules! bagging_params {
    ($(#[$meta:meta])* pub struct $name:ident {
        members $members:literal, prior_correction $prior_correction:ident;
        $($field:tt)*
    }) => {
        imbcore_core::params! {
            $(#[$meta])*
            pub struct $name {
                estimator: String = "cart".into(), "the name of a method other than \"metacost\"",
                    "Method of the members.";
                estimator_params: Option<::serde_json::Map<String, ::serde_json::Value>> = None,
                    "a dict of parameters of the base method, or None",
                    "Parameters of the members; parameters that are not given have the defaults of the method.";
                n_estimators: u32 = $members, "a whole number of at least 1",
                    "Number of members.";
                $($field)*
                voting: $crate::forest_predictions::VotingMode = $crate::forest_predictions::VotingMode::Soft, "\"soft\" or \"hard\"",
                    "\"soft\": mean of the members' probabilities. \"hard\": fraction of the members that predict a class.";
                prior_correction: imbcore_core::PriorCorrection = imbcore_core::PriorCorrection::$prior_correction, "\"prior\" or \"none\"",
                    "\"prior\": probabilities are corrected from the class proportions of the bags to the class \
                     proportions of the data. Predicted classes are still determined by the members' votes, unless \
                     costs or a threshold are set. \"none\": no correction.";
                oob_score: $crate::params::OobScoreRequest = $crate::params::OobScoreRequest::Flag(false),
                    "True, False or the name of a score",
                    "Whether each training row is predicted by the members that were not fitted to the row. True \
                     computes the accuracy of these predictions; the name of a score of `imbcore.evaluate` computes \
                     that score instead.";
            }
        }
    };
}
pub(crate) use bagging_params;

macro_rules! common_items {
    () => {
        fn base_method(&mut self) -> (&str, &mut Option<::serde_json::Map<String, ::serde_json::Value>>) {
            (&self.estimator, &mut self.estimator_params)
        }

        fn bagging_options(&self) -> $crate::generic::assembly::BaggingOptions<'_> {
            $crate::generic::assembly::BaggingOptions {
                n_estimators: self.n_estimators,
                voting: self.voting,
                prior_correction: self.prior_correction,
                oob_score: &self.oob_score,
            }
        }
    };
}
pub(crate) use common_items;

macro_rules! drawn_params {
    ($(#[$meta:meta])* pub struct $name:ident { prior_correction $prior_correction:ident; $($field:tt)* }) => {
        bagging_params! {
            $(#[$meta])*
            pub struct $name {
                members 10, prior_correction $prior_correction;
                max_samples: MaxSamples = MaxSamples::Share(1.0), "a whole number of at least 1, or a fraction in (0, 1]",
                    "Number or fraction of the rows drawn for each member. If groups are given, whole groups are drawn, \
                     and the number or fraction is that of the groups.";
                max_features: MaxSamples = MaxSamples::Share(1.0), "a whole number of at least 1, or a fraction in (0, 1]",
                    "Number or fraction of the columns drawn for each member.";
                bootstrap: bool = true, "True or False",
                    "Whether rows are drawn with replacement. If a class is absent from a sample, the sample is \
                     drawn again, up to 100 draws in all.";
                bootstrap_features: bool = false, "True or False",
                    "Whether columns are drawn with replacement; duplicates are dropped.";
                $($field)*
            }
        }

        impl $name {
            fn check_sample_sizes(&self, method: &str) -> Result<()> {
                let portions = [("max_samples", &self.max_samples), ("max_features", &self.max_features)];
                match portions.into_iter().find(|(_, portion)| !portion.is_valid()) {
                    None => Ok(()),
                    Some((name, portion)) => {
                        let expected = "a whole number of at least 1, or a fraction in (0, 1]";
                        Err(Error::parameter(method, name, expected, json!(portion)))
                    }
                }
            }

            fn sampler(
                &self,
                method: &'static str,
                facts: (&ClassStats, Option<&Dataset<'_>>),
            ) -> Result<RowSampler> {
                let max_samples = (Some(&self.max_samples), self.bootstrap);
                RowSampler::new(facts, None, &SamplingScheme::Uniform, max_samples, method)
            }

            fn bag_sampler(
                &self,
                method: &'static str,
                training: &TrainingContext<'_, '_>,
                ranks_in_memory: Option<RankSet>,
            ) -> Result<BagSampler> {
                let data = training.data;
                let n_columns = data.frame().n_columns();
                let sampler = self.sampler(method, (&data.class_stats(), Some(data)))?;
                Ok(BagSampler {
                    rows: RowsByRank::new(data, sampler.strata(), ranks_in_memory)?,
                    sampler,
                    columns: ColumnSampling::new(method, &self.max_features, self.bootstrap_features, n_columns)?,
                })
            }
        }
    };
}

drawn_params! {
    /// Parameters of bagging.
    pub struct BaggingParams { prior_correction None; }
}

drawn_params! {
    /// Parameters of bagging with resampled bags.
    pub struct BalancedBaggingParams {
        prior_correction Prior;
        sampling_strategy: Strategy = Strategy::Named(StrategyName::Auto),
            "a name such as \"auto\" or \"all\", a number in (0, 1], or a dict of rows per class" naming Classes,
            "Classes of a bag to resample, and their numbers of rows after resampling. \"auto\": all classes except \
             the smallest, each to the size of the smallest class; if the sampler adds rows, all classes except the \
             largest, each to the size of the largest class.";
        replacement: bool = false, "True or False",
            "Whether random under-sampling draws rows with replacement; ignored by other samplers.";
        sampler: Option<String> = None, "None or the name of a sampler" from SAMPLER_NAMES,
            "Sampler of the bags. None: random under-sampling.";
        sampler_params: Option<Map<String, Value>> = None, "a dict of parameters of the sampler, or None",
            "Parameters of the sampler.";
    }
}

pub(crate) struct BagSampler {
    sampler: RowSampler,
    rows: RowsByRank,
    columns: ColumnSampling,
}

impl BagSampler {
    fn draw_bag(&self, key: SeedKey) -> Result<Bag> {
        let rows = self.sampler.draw_rows(&self.rows, key.child(tags::bag::ROWS, 0))?;
        let rows = rows.unwrap_or_else(|| self.rows.all_rows());
        Ok(Bag { columns: self.columns.draw_columns(key), ..Bag::from_rows(rows) })
    }
}

impl BaggingMethod for BaggingParams {
    type Preparation = BagSampler;

    common_items!();

    fn check_params(&self, method: &str) -> Result<()> {
        self.check_sample_sizes(method)
    }

    fn prepare(&self, method: &'static str, training: &TrainingContext<'_, '_>) -> Result<BagSampler> {
        self.bag_sampler(method, training, in_memory_row_ranks(self, method, training)?)
    }

    fn draw_bag(&self, draws: &BagSampler, _: &TrainingContext<'_, '_>, _: u32, key: SeedKey) -> Result<Bag> {
        draws.draw_bag(key)
    }

    fn preselect_rows<'p>(
        &'p self,
        method: &'static str,
        facts: &ClassStats,
        _labels: &'p [Label],
    ) -> Result<Option<PreselectedRows<'p>>> {
        let sampler = self.sampler(method, (facts, None))?;
        let (strata, size) = (sampler.strata().clone(), (self.n_estimators, sampler.sample_size()));
        Ok(Some(PreselectedRows::new(strata, size, move |_, key| {
            sampler.draw_ranks(key.child(tags::bag::ROWS, 0))
        })))
    }
}

impl BalancedBaggingParams {
    fn sampler_with_params(&self, labels: &[Label]) -> Result<(&str, Map<String, Value>)> {
        let sampler = self.sampler.as_deref().unwrap_or(UNDER);
        let mut params = match &self.sampler_params {
            Some(given) => labels_to_codes(sampler, given, labels)?,
            None => Map::new(),
        };
        if self.sampling_strategy != Strategy::Named(StrategyName::Auto) {
            params.entry("sampling_strategy").or_insert_with(|| json!(self.sampling_strategy));
        }
        if sampler == UNDER {
            params.entry("replacement").or_insert_with(|| self.replacement.into());
        }
        Ok((sampler, params))
    }
}

pub(crate) struct ResampledBagSampler {
    draws: BagSampler,
    sampler: String,
    params: Map<String, Value>,
    /// Parameters of random under-sampling; `None` for any other sampler.
    ///
    /// Random under-sampling uses only the classes of the rows, so it reads no column.
    under: Option<RandomUnderParams>,
}

const UNDER: &str = "random_under";

impl BalancedBaggingParams {
    fn under_sampling_params(&self, labels: &[Label]) -> Result<Option<RandomUnderParams>> {
        let (sampler, params) = self.sampler_with_params(labels)?;
        (sampler == UNDER).then(|| parse_params(UNDER, &RandomUnderParams::default(), &params)).transpose()
    }
}

/// Checks the sampling strategy against the class sizes of the whole table.
///
/// The class sizes of single bags are not checked. A bag with fewer rows of a class than requested keeps all
/// of them.
fn check_under_sampling(under: &RandomUnderParams, strata: &Strata, labels: &[Label]) -> Result<()> {
    let counts = strata.class_strata().iter().map(|of| (of.class, of.ranks.len()));
    under_sampling_target_counts((under, UNDER), counts, labels, false).map(drop)
}

fn draw_balanced_ranks(
    sampler: &RowSampler,
    under: &RandomUnderParams,
    (strata, labels): (&Strata, &[Label]),
    key: SeedKey,
) -> Result<Vec<u32>> {
    let bag = sampler.draw_ranks(key.child(tags::bag::ROWS, 0))?;
    under_sample_ranks((under, UNDER), bag, (strata, labels), key.child(tags::bag::SAMPLER, 0))
}

impl BaggingMethod for BalancedBaggingParams {
    type Preparation = ResampledBagSampler;

    common_items!();

    fn check_params(&self, method: &str) -> Result<()> {
        self.check_sample_sizes(method)
    }

    fn prepare(
        &self,
        method: &'static str,
        training: &TrainingContext<'_, '_>,
    ) -> Result<ResampledBagSampler> {
        let draws = self.bag_sampler(method, training, in_memory_row_ranks(self, method, training)?)?;
        let (sampler, params) = self.sampler_with_params(training.labels)?;
        let under = self.under_sampling_params(training.labels)?;
        if let Some(under) = &under {
            check_under_sampling(under, draws.sampler.strata(), training.labels)?;
        }
        Ok(ResampledBagSampler { draws, sampler: sampler.to_owned(), params, under })
    }

    fn draw_bag(
        &self,
        prepared: &ResampledBagSampler,
        training: &TrainingContext<'_, '_>,
        _: u32,
        key: SeedKey,
    ) -> Result<Bag> {
        let ResampledBagSampler { draws, sampler, params, under } = prepared;
        let Some(under) = under else {
            return resample_bag(
                draws.draw_bag(key)?,
                (sampler, params),
                training,
                key.child(tags::bag::SAMPLER, 0),
            );
        };
        let classes = (draws.sampler.strata(), training.labels);
        let rows = draws.rows.rows_of_ranks(draw_balanced_ranks(&draws.sampler, under, classes, key)?);
        Ok(Bag { columns: draws.columns.draw_columns(key), ..Bag::from_rows(rows) })
    }

    fn preselect_rows<'p>(
        &'p self,
        method: &'static str,
        facts: &ClassStats,
        labels: &'p [Label],
    ) -> Result<Option<PreselectedRows<'p>>> {
        let Some(under) = self.under_sampling_params(labels)? else { return Ok(None) };
        let sampler = self.sampler(method, (facts, None))?;
        let strata = sampler.strata().clone();
        check_under_sampling(&under, &strata, labels)?;
        let ranks = move |strata: &Strata, key| draw_balanced_ranks(&sampler, &under, (strata, labels), key);
        let largest = ranks(&strata, SeedKey::root(0))?.len();
        Ok(Some(PreselectedRows::new(strata, (self.n_estimators, largest), ranks)))
    }
}
