//! Random under- and over-sampling, and duplication by weight.

use crate::draw::{self, class_seed_key, draw_distinct, draw_with_replacement};
use crate::resampling_task::{AddedRows, ResamplingPlan, ResamplingTask};
use crate::sampler::{Sampler, sampler_params};
use crate::strategy::{SamplingKind, TargetCounts, class_map_to_json, parse_class_map};
use imbcore_core::{Column, Error, Result, RunContext, SeedKey, memory, tags};
use rand_distr::{Distribution, StandardNormal};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

sampler_params! {
    /// Parameters of random under-sampling.
    pub struct RandomUnderParams {
        replacement: bool = false, "True or False",
            "Whether the kept rows of a reduced class are drawn with replacement.";
    }
}

impl RandomUnderParams {
    /// Number of rows to keep of each class that may lose rows.
    ///
    /// Only the class counts of `task` are used.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a strategy that does not suit the classes.
    pub fn class_counts_to_keep(&self, method: &str, task: &ResamplingTask<'_>) -> Result<TargetCounts> {
        self.sampling_strategy.target_counts(method, self.ratio, SamplingKind::Under, task)
    }

    /// Draws `n` random rows of a class that has `n_rows` rows.
    ///
    /// `place` is the rank of the class if classes are sorted by their first rows. The result has positions
    /// among the rows of the class, from 0.
    pub fn draw_rows_to_keep(&self, (n_rows, n): (usize, u64), place: u32, key: SeedKey) -> Vec<u32> {
        let mut rng = class_seed_key(key, place).child(tags::resampled::KEPT, 0).rng();
        let draw = if self.replacement { draw_with_replacement } else { draw_distinct };
        draw(&mut rng, n_rows, n as usize)
    }
}

impl Sampler for RandomUnderParams {
    fn plan(
        &self,
        method: &str,
        task: &ResamplingTask<'_>,
        key: SeedKey,
        _: RunContext<'_>,
    ) -> Result<ResamplingPlan> {
        let goal = self.class_counts_to_keep(method, task)?;
        let mut kept = task.rows_of_classes(|class| goal.iter().all(|&(reduced, _)| reduced != class));
        for (class, n) in goal {
            let rows = task.class_rows(class);
            let drawn = self.draw_rows_to_keep((rows.len(), n), task.class_rank_by_first_row(class), key);
            kept.extend(drawn.iter().map(|&place| rows[place as usize]));
        }
        kept.sort_unstable();
        Ok(ResamplingPlan::from_kept_rows(kept))
    }
}

/// Shrinkage of the smoothed bootstrap: a number for all classes, or a number per class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub enum Shrinkage {
    /// Shrinkage of all classes.
    All(f64),
    /// Shrinkage by class code; 0 for classes that are not listed.
    ByClass(BTreeMap<u32, f64>),
}

impl TryFrom<Value> for Shrinkage {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match &value {
            Value::Object(map) => parse_class_map(map, Value::as_f64).map(Self::ByClass),
            _ => value.as_f64().map(Self::All),
        }
        .ok_or_else(|| format!("{value} is not a valid shrinkage"))
    }
}

impl From<Shrinkage> for Value {
    fn from(shrinkage: Shrinkage) -> Self {
        match shrinkage {
            Shrinkage::All(number) => number.into(),
            Shrinkage::ByClass(numbers) => class_map_to_json(&numbers),
        }
    }
}

impl Shrinkage {
    fn factor_of_class(&self, class: u32) -> f64 {
        match self {
            Self::All(number) => *number,
            Self::ByClass(numbers) => numbers.get(&class).copied().unwrap_or(0.0),
        }
    }

    fn check(&self, method: &str) -> Result<()> {
        let fine = |number: f64| number.is_finite() && number >= 0.0;
        let all_fine = match self {
            Self::All(number) => fine(*number),
            Self::ByClass(numbers) => numbers.values().all(|&number| fine(number)),
        };
        if all_fine {
            return Ok(());
        }
        Err(Error::parameter(method, "shrinkage", "a number of at least 0", Value::from(self.clone())))
    }
}

sampler_params! {
    /// Parameters of random over-sampling.
    pub struct RandomOverParams {
        shrinkage: Option<Shrinkage> = None, "None, a number of at least 0, or a dict of numbers per class" naming ByClass,
            "Noise around the copies (smoothed bootstrap): standard deviation of the noise in units of the bandwidth for \
             normal data. None: exact copies.";
    }
}

impl Sampler for RandomOverParams {
    fn plan(
        &self,
        method: &str,
        task: &ResamplingTask<'_>,
        key: SeedKey,
        ctl: RunContext<'_>,
    ) -> Result<ResamplingPlan> {
        let goal = self.sampling_strategy.target_counts(method, self.ratio, SamplingKind::Over, task)?;
        if let Some(shrinkage) = &self.shrinkage {
            shrinkage.check(method)?;
        }
        let mut added = AddedRows::default();
        for (class, n) in goal {
            ctl.check()?;
            let (rows, n) = (task.class_rows(class), draw::checked_n_added_rows(n)?);
            let drawn = draw_with_replacement(
                &mut class_seed_key(key, task.class_rank_by_first_row(class))
                    .child(tags::resampled::BASES, 0)
                    .rng(),
                rows.len(),
                n,
            );
            let sources: Vec<u32> = drawn.iter().map(|&place| rows[place as usize]).collect();
            if let Some(shrinkage) = &self.shrinkage {
                let bandwidths = smoothing_bandwidths(task, &rows, shrinkage.factor_of_class(class))?;
                memory::check_values_fit_in_memory::<f64>(
                    sources.len() * bandwidths.len(),
                    "noise of added rows",
                )?;
                let mut rng = class_seed_key(key, task.class_rank_by_first_row(class))
                    .child(tags::resampled::NOISE, 0)
                    .rng();
                for _ in &sources {
                    added.noise.extend(bandwidths.iter().map(|width| {
                        let normal: f64 = StandardNormal.sample(&mut rng);
                        width * normal
                    }));
                }
            }
            added.add_copies(class, &sources);
        }
        Ok(ResamplingPlan { added, ..ResamplingPlan::default() })
    }
}

/// Standard deviation, by column, of the noise that is added to copies of `rows`.
///
/// It is the product of `shrinkage`, Silverman's bandwidth for the number of all rows (as in
/// imbalanced-learn), and the standard deviation within the class.
fn smoothing_bandwidths(task: &ResamplingTask<'_>, rows: &[u32], shrinkage: f64) -> Result<Vec<f64>> {
    let columns = task.frame()?.columns();
    let (width, n) = (columns.len() as f64, task.n_rows() as f64);
    let bandwidth = (4.0 / ((width + 2.0) * n)).powf(1.0 / (width + 4.0));
    let deviation = |(column, values): (usize, &Column<'_>)| match values {
        Column::Numeric(values) => {
            let of_class = || rows.iter().map(|&row| values.get(row as usize));
            let mean = of_class().sum::<f64>() / rows.len() as f64;
            let variance = of_class().map(|x| (x - mean) * (x - mean)).sum::<f64>() / rows.len() as f64;
            if variance.is_finite() {
                return Ok(shrinkage * bandwidth * variance.sqrt());
            }
            let message = "has values that are not finite, but noise needs finite values; set shrinkage=None";
            Err(Error::Column { column, message: message.into() })
        }
        Column::Nominal { .. } => {
            let message = "is nominal, but noise needs numbers; set shrinkage=None";
            Err(Error::Column { column, message: message.into() })
        }
    };
    columns.iter().enumerate().map(deviation).collect()
}

/// Number of times that the rows of each class appear after duplication.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub enum DuplicationCounts {
    /// Duplicates the smallest class as often as possible, and no other class.
    ///
    /// The smallest class then has at most as many rows as the largest class.
    Auto,
    /// Number of appearances by class code; rows of classes that are not listed appear once.
    Given(BTreeMap<u32, u64>),
}

impl TryFrom<Value> for DuplicationCounts {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match &value {
            Value::String(name) if name == "auto" => Some(Self::Auto),
            Value::Object(map) => parse_class_map(map, Value::as_u64).map(Self::Given),
            _ => None,
        }
        .ok_or_else(|| format!("{value} are not valid weights"))
    }
}

impl From<DuplicationCounts> for Value {
    fn from(weights: DuplicationCounts) -> Self {
        match weights {
            DuplicationCounts::Auto => "auto".into(),
            DuplicationCounts::Given(weights) => class_map_to_json(&weights),
        }
    }
}

imbcore_core::params! {
    /// Parameters of over-sampling by duplication.
    pub struct DuplicateOverParams {
        weights: DuplicationCounts = DuplicationCounts::Auto, "\"auto\" or a dict of counts of at least 1 per class" naming ByClass,
            "Number of times each row of a class appears. \"auto\": for the smallest class the largest number at which it has at \
             most as many rows as the largest class; 1 for the others.";
    }
}

impl Sampler for DuplicateOverParams {
    fn plan(
        &self,
        method: &str,
        task: &ResamplingTask<'_>,
        _: SeedKey,
        _: RunContext<'_>,
    ) -> Result<ResamplingPlan> {
        let weights = match &self.weights {
            DuplicationCounts::Auto => BTreeMap::from([(task.minority_class(), minority_multiplier(task))]),
            DuplicationCounts::Given(weights) => weights.clone(),
        };
        let mut added = AddedRows::default();
        for (&class, &weight) in &weights {
            let known = task.class_counts().get(class as usize).is_some_and(|&count| count > 0);
            if weight == 0 || !known {
                let expected = "\"auto\" or a dict of counts of at least 1 for classes that have rows";
                return Err(Error::parameter(method, "weights", expected, Value::from(self.weights.clone())));
            }
            let rows = task.class_rows(class);
            draw::checked_n_added_rows((weight - 1).saturating_mul(rows.len() as u64))?;
            for _ in 1..weight {
                added.add_copies(class, &rows);
            }
        }
        Ok(ResamplingPlan { added, ..ResamplingPlan::default() })
    }
}

/// Largest factor by which the smallest class can grow without exceeding the largest class.
///
/// The factor is an integer. This is the rule of Zhu, Li and Dunson (2021), section 4.
pub(crate) fn minority_multiplier(task: &ResamplingTask<'_>) -> u64 {
    (task.class_count(task.majority_class()) / task.class_count(task.minority_class())).max(1) as u64
}
