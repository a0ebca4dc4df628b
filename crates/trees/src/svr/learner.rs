//! Learner for SVR trees, which fits trees from parameters and data.

use super::axes::SvrData;
use super::model::SvrModel;
use super::params::{MinorityWeight, PenalisedName, PenalizedClasses, SvrMissing, SvrParams};
use super::sample::{MOST_CLASSES, SvrSample};
use super::surface::SurfacePenalty;
use super::svr_grower::{GrownSvrTree, SvrSettings, grow};
use super::svr_stats::SvrGrowthStats;
use crate::tree::Tree;
use imbcore_core::{Dataset, Error, Learner, Params, Result, RunContext, SeedKey, parallel, shuffle, tags};

/// Numerator of the default penalty.
/// The denominator is the cube root of the total weight of the rows.
const PENALTY: f64 = 0.032;

/// Penalty grid of the paper's authors, multiplied by 1000.
/// For a data set, the values are divided by the cube root of the total weight of the rows.
const GRID: [f64; 22] = [
    0.0, 1.0, 1.4, 2.0, 2.8, 4.0, 5.7, 8.0, 11.0, 16.0, 22.0, 32.0, 44.0, 64.0, 89.0, 128.0, 179.0, 256.0,
    358.0, 512.0, 716.0, 1024.0,
];

/// Returns the penalty grid of Zhu, Li and Dunson (2021) for rows of total weight `mass`.
/// The penalties are in ascending order.
pub fn penalty_grid(mass: f64) -> Vec<f64> {
    GRID.iter().map(|kappa| kappa * 1e-3 / mass.cbrt()).collect()
}

impl SvrParams {
    /// Checks the parameters as far as possible without data.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(self, method: &'static str) -> Result<SvrLearner> {
        let specs = self.specs();
        let require = |valid: bool, name: &str, got: &dyn std::fmt::Display| {
            let expected = specs.iter().find(|spec| spec.name == name).map_or("", |spec| spec.expected);
            if valid { Ok(()) } else { Err(Error::parameter(method, name, expected, got)) }
        };
        let at_least = |value: f64, least: f64| value.is_finite() && value >= least;
        let penalty = self.penalty.unwrap_or_default();
        // For usual data, these ranges of penalties and minority weights prevent overflow and underflow.
        require((0.0..=1e100).contains(&penalty), "penalty", &penalty)?;
        let max_leaf_nodes = self.max_leaf_nodes.unwrap_or(1.0);
        require(at_least(max_leaf_nodes, 1.0), "max_leaf_nodes", &max_leaf_nodes)?;
        require(at_least(self.new_feature_penalty, 0.0), "new_feature_penalty", &self.new_feature_penalty)?;
        if let MinorityWeight::Given(weight) = self.minority_weight {
            require((1e-50..=1e50).contains(&weight), "minority_weight", &weight)?;
        }
        if let PenalizedClasses::Codes(codes) = &self.penalized_classes {
            let mut distinct = codes.clone();
            distinct.sort_unstable();
            distinct.dedup();
            require(distinct.len() == codes.len(), "penalized_classes", &format!("{codes:?}"))?;
        }
        Ok(SvrLearner { params: self, method, class_weight: None })
    }
}

/// Learner for SVR trees with checked parameters.
#[derive(Clone, Debug)]
pub struct SvrLearner {
    params: SvrParams,
    method: &'static str,
    class_weight: Option<Vec<f64>>,
}

impl SvrLearner {
    /// Sets the class weights by class code; with `None`, `minority_weight` determines them.
    ///
    /// # Errors
    /// [`Error::Parameter`] if `minority_weight` is given as well.
    pub fn with_class_weight(self, class_weight: Option<Vec<f64>>) -> Result<Self> {
        if class_weight.is_some()
            && let MinorityWeight::Given(weight) = self.params.minority_weight
        {
            let expected = "\"auto\" when class_weight is given (or costs that become class weights)";
            return Err(Error::parameter(self.method, "minority_weight", expected, weight));
        }
        Ok(Self { class_weight, ..self })
    }

    /// Returns the class weights, if set.
    pub fn class_weights(&self) -> Option<&[f64]> {
        self.class_weight.as_deref()
    }

    /// Sorts the data once, for any number of trees.
    ///
    /// # Errors
    /// [`Error::Data`] or [`Error::Column`] for unsuitable data; [`Error::Cancelled`], [`Error::Memory`].
    pub fn prepare<'a>(&self, data: &Dataset<'a>, ctl: RunContext<'_>) -> Result<SvrData<'a>> {
        self.check_data(SvrData::new(data, self.class_weight.as_deref(), ctl)?)
    }

    fn check_data<'a>(&self, ground: SvrData<'a>) -> Result<SvrData<'a>> {
        let n_classes = ground.table.n_classes;
        if n_classes > MOST_CLASSES {
            return Err(Error::Data(format!(
                "SVR-Tree supports at most {MOST_CLASSES} classes, got {n_classes}; merge some of them"
            )));
        }
        let missing = ground.table.columns_with_missing().iter().position(|&misses| misses);
        if let (SvrMissing::Error, Some(column)) = (self.params.missing, missing) {
            let message = "has missing values (NaN), which missing=\"error\" does not allow; impute them, or use \
                           missing=\"direction\"";
            return Err(Error::Column { column, message: message.into() });
        }
        Ok(ground)
    }

    /// Fits one tree for each penalty, in parallel.
    /// `times` is the number of draws of each row; with `None`, each row is used once.
    ///
    /// # Errors
    /// [`Error::Parameter`], [`Error::Column`], [`Error::Data`] if no row was drawn; [`Error::Cancelled`],
    /// [`Error::Memory`].
    pub fn fit_penalty_path(
        &self,
        ground: &SvrData<'_>,
        times: Option<&[u32]>,
        penalties: &[f64],
        ctl: RunContext<'_>,
    ) -> Result<Vec<SvrModel>> {
        let sample = SvrSample::new(ground, times, self.params.scale, ctl)?;
        let settings = self.settings_for_sample(&sample)?;
        let fit = |&lambda: &f64| {
            self.grow_model(ground, sample.clone(), &self.settings_with_penalty(&settings, lambda), ctl)
        };
        parallel::try_map(penalties, fit)
    }

    /// Grows a tree, without returning its growth statistics.
    ///
    /// `times` is the number of draws of each row; with `None`, each row is used once. If a `key` is given,
    /// it shuffles the axes. Thus ties between splits do not favor features by their position, as needed in
    /// forests.
    ///
    /// # Errors
    /// Same errors as [`SvrLearner::fit_penalty_path`].
    pub fn fit_tree(
        &self,
        ground: &SvrData<'_>,
        times: Option<&[u32]>,
        key: Option<SeedKey>,
        ctl: RunContext<'_>,
    ) -> Result<Tree> {
        let sample = SvrSample::new(ground, times, self.params.scale, ctl)?;
        let mut settings = self.settings_for_sample(&sample)?;
        if let Some(key) = key {
            shuffle(&mut key.child(tags::tree::AXES, 0).rng(), &mut settings.axes);
        }
        Ok(grow(ground, sample, &settings, ctl)?.tree)
    }

    fn grow_model(
        &self,
        ground: &SvrData<'_>,
        sample: SvrSample<'_>,
        settings: &SvrSettings,
        ctl: RunContext<'_>,
    ) -> Result<SvrModel> {
        let scales = sample.scales.iter().map(|scale| (scale.offset, scale.width)).collect();
        let GrownSvrTree { tree, labels, start, steps } = grow(ground, sample, settings, ctl)?;
        let mut class_weights = vec![0.0; settings.codes.len()];
        for (&code, &weight) in settings.codes.iter().zip(&settings.weights) {
            class_weights[code] = weight;
        }
        let facts = SvrGrowthStats {
            penalty: settings.lambda,
            max_leaves: settings.max_leaves,
            class_weights,
            scales,
            start,
            steps,
        };
        Ok(SvrModel::new(tree, labels, facts, self.params.probability))
    }

    fn settings_for_sample(&self, sample: &SvrSample<'_>) -> Result<SvrSettings> {
        let params = &self.params;
        let units = &sample.class_units;
        let penalised = self.penalized_classes(units)?;
        let codes = tie_break_order(units, &penalised);
        let weights = self.effective_class_weights(units);
        let penalty = SurfacePenalty {
            regularizer: params.regularizer,
            counts: codes.iter().map(|&code| penalised[code]).collect(),
            n_axes: sample.points.len() as f64,
        };
        let settings = SvrSettings {
            lambda: 0.0,
            max_leaves: params.max_leaf_nodes.unwrap_or_else(|| 2.0 * sample.mass.sqrt()),
            axes: (0..sample.points.len()).collect(),
            least_gain: None,
            pure_nodes: params.pure_nodes,
            stop_rule: params.stop_rule,
            penalty,
            weights: codes.iter().map(|&code| weights[code]).collect(),
            codes,
        };
        let lambda = params.penalty.unwrap_or_else(|| PENALTY / sample.mass.cbrt());
        Ok(self.settings_with_penalty(&settings, lambda))
    }

    fn settings_with_penalty(&self, settings: &SvrSettings, lambda: f64) -> SvrSettings {
        let least_gain = self.params.feature_selection.then_some(self.params.new_feature_penalty * lambda);
        SvrSettings { lambda, least_gain, ..settings.clone() }
    }

    fn penalized_classes(&self, units: &[f64]) -> Result<Vec<bool>> {
        let mut penalised = vec![false; units.len()];
        match &self.params.penalized_classes {
            PenalizedClasses::Named(PenalisedName::All) => penalised.fill(true),
            PenalizedClasses::Named(PenalisedName::Minority) => {
                penalised.fill(true);
                penalised[largest_class(units, |_| true)] = false;
            }
            PenalizedClasses::Codes(codes) => {
                for &code in codes {
                    let Some(place) = penalised.get_mut(code as usize) else {
                        let expected = format!("class codes below {}", units.len());
                        return Err(Error::parameter(self.method, "penalized_classes", &expected, code));
                    };
                    *place = true;
                }
            }
        }
        Ok(penalised)
    }

    fn effective_class_weights(&self, units: &[f64]) -> Vec<f64> {
        if let Some(weights) = &self.class_weight {
            return weights.clone();
        }
        let first = largest_class(units, |_| true);
        let weight = |(class, &own_units): (usize, &f64)| match self.params.minority_weight {
            _ if class == first || own_units == 0.0 => 1.0,
            MinorityWeight::Named(_) => (units[first] / own_units).floor().max(1.0),
            MinorityWeight::Given(weight) => weight,
        };
        units.iter().enumerate().map(weight).collect()
    }
}

/// Returns the class with the largest total weight among the allowed classes.
/// Ties go to the first class.
fn largest_class(units: &[f64], allowed: impl Fn(usize) -> bool) -> usize {
    let heavier = |best: Option<usize>, class: usize| match best {
        Some(best) if units[best] >= units[class] => Some(best),
        _ => Some(class),
    };
    (0..units.len()).filter(|&class| allowed(class)).fold(None, heavier).unwrap_or_default()
}

/// Returns the classes in the order that is used to break ties.
/// The first class is the largest class that is not penalized, or the largest of all classes if all are
/// penalized. The other classes follow in the order of their codes.
fn tie_break_order(units: &[f64], penalised: &[bool]) -> Vec<usize> {
    let all = penalised.iter().all(|&penalised| penalised);
    let first = largest_class(units, |class| all || !penalised[class]);
    let others = (0..units.len()).filter(|&class| class != first);
    std::iter::once(first).chain(others).collect()
}

impl Learner for SvrLearner {
    type Model = SvrModel;

    fn fit(&self, data: &Dataset<'_>, _key: SeedKey, ctl: RunContext<'_>) -> Result<SvrModel> {
        let ground = self.check_data(SvrData::for_one_tree(data, self.class_weight.as_deref())?)?;
        let sample = SvrSample::new(&ground, None, self.params.scale, ctl)?;
        let settings = self.settings_for_sample(&sample)?;
        self.grow_model(&ground, sample, &settings, ctl)
    }
}
