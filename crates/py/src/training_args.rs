//! Training arguments: rows with labels and weights, and the options of the run.

use crate::arrays::FrameArg;
use crate::calls::{catch_panic, error_to_exception};
use crate::costs::DecisionPlanArg;
use imbcore_core::reserve::MemoryReserve;
use imbcore_core::{
    BinnedFrame, ClassStats, ClassWeights, Column, Dataset, DecisionPlan, Error, Frame, Label, Result,
    RowDependence, Schema, SeedKey, SingleClassStats, TimeGap,
};
use imbcore_methods::{FitContext, FitTask, fold_seed_key};
use numpy::{Element, PyReadonlyArray1};
use pyo3::prelude::*;

pub(crate) type Codes<'py> = PyReadonlyArray1<'py, u32>;
pub(crate) type Weights<'py> = Option<PyReadonlyArray1<'py, f64>>;

/// Borrows the values of an array; an array that is not contiguous is an error.
pub(crate) fn contiguous_slice<'a, T: Element>(array: &'a PyReadonlyArray1<'_, T>) -> PyResult<&'a [T]> {
    Ok(array.as_slice()?)
}

/// Class weights from Python: `"balanced"`, or a weight for each class.
#[derive(FromPyObject)]
pub(crate) enum ClassWeightArg {
    Name(String),
    Given(Vec<f64>),
}

impl ClassWeightArg {
    pub(crate) fn resolve(&self) -> Result<ClassWeights> {
        match self {
            Self::Given(weights) => Ok(ClassWeights::Given(weights.clone())),
            Self::Name(name) if name == "balanced" => Ok(ClassWeights::Balanced),
            Self::Name(name) => {
                let expected = "\"balanced\", a dict of class weights, or None";
                Err(Error::parameter("fit", "class_weight", expected, format!("{name:?}")))
            }
        }
    }
}

/// Class codes, row weights and costs, read from the attributes of a Python object.
#[derive(FromPyObject)]
pub(crate) struct LabelsAndWeightsArg<'py> {
    codes: Codes<'py>,
    labels: String,
    sample_weight: Weights<'py>,
    class_weight: Option<ClassWeightArg>,
    costs: DecisionPlanArg<'py>,
}

pub(crate) struct WeightedLabels<'a> {
    pub(crate) codes: &'a [u32],
    pub(crate) labels: Vec<Label>,
    pub(crate) weights: Option<&'a [f64]>,
    pub(crate) class_weight: Option<ClassWeights>,
    pub(crate) costs: DecisionPlan,
}

impl LabelsAndWeightsArg<'_> {
    pub(crate) fn to_weighted_labels(&self) -> PyResult<WeightedLabels<'_>> {
        let class_weight = self.class_weight.as_ref().map(ClassWeightArg::resolve).transpose();
        Ok(WeightedLabels {
            codes: contiguous_slice(&self.codes)?,
            labels: parse_labels(&self.labels).map_err(error_to_exception)?,
            weights: self.sample_weight.as_ref().map(contiguous_slice).transpose()?,
            class_weight: class_weight.map_err(error_to_exception)?,
            costs: self.costs.to_decision_plan().map_err(error_to_exception)?,
        })
    }
}

pub(crate) fn parse_labels(text: &str) -> Result<Vec<Label>> {
    serde_json::from_str(text).map_err(|error| Error::Internal(format!("the labels are not a list: {error}")))
}

/// Groups and times of rows, read from the attributes of a Python object.
#[derive(FromPyObject)]
pub(crate) struct DependenceArg<'py> {
    groups: Option<Codes<'py>>,
    time: Weights<'py>,
    gap_rows: usize,
    gap_time: Option<f64>,
    alert_groups: Option<Codes<'py>>,
}

impl DependenceArg<'_> {
    pub(crate) fn parts(&self) -> PyResult<DependenceParts<'_>> {
        let time = self.time.as_ref().map(contiguous_slice).transpose()?;
        let gap = self.gap_time.map_or(TimeGap::Rows(self.gap_rows), TimeGap::Time);
        Ok(DependenceParts {
            groups: self.groups.as_ref().map(contiguous_slice).transpose()?,
            time,
            gap: time.map(|_| gap),
            alert_groups: self.alert_groups.as_ref().map(contiguous_slice).transpose()?,
        })
    }
}

/// Groups and times of rows, and the time gap between training and test rows.
///
/// They are not validated yet.
#[derive(Clone, Copy)]
pub(crate) struct DependenceParts<'a> {
    groups: Option<&'a [u32]>,
    time: Option<&'a [f64]>,
    gap: Option<TimeGap>,
    alert_groups: Option<&'a [u32]>,
}

impl<'a> DependenceParts<'a> {
    pub(crate) fn to_row_dependence(self, n_rows: usize) -> Result<RowDependence<'a>> {
        RowDependence::new(self.groups, self.time, self.gap, n_rows)?
            .with_alert_groups(self.alert_groups, n_rows)
    }
}

/// Training rows with labels and weights, read from the attributes of a Python object.
#[derive(FromPyObject)]
pub(crate) struct TrainingArg<'py> {
    frame: FrameArg<'py>,
    codes: Codes<'py>,
    schema: String,
    sample_weight: Weights<'py>,
    class_weight: Option<ClassWeightArg>,
    costs: DecisionPlanArg<'py>,
    positive: u32,
    facts: Option<Vec<ClassStatsArg>>,
    /// Row numbers of the training rows in the user's table, and the length of this table.
    ///
    /// The table may also have rows of weight 0, which are not training rows.
    places: Option<(Codes<'py>, usize)>,
    dependence: DependenceArg<'py>,
}

/// Statistics of a class, for tables of which only some rows are in memory.
///
/// They are the number of rows, the number of rows with positive weight, the total weight, the largest
/// weight, and the number of the first row.
pub(crate) type ClassStatsArg = (u64, u64, f64, f64, Option<u64>);

pub(crate) fn class_stats(facts: &[ClassStatsArg]) -> Result<ClassStats> {
    let of_class = |&(n_rows, n_weighing, mass, largest, first)| SingleClassStats {
        n_rows,
        n_weighing,
        mass,
        largest,
        first,
    };
    ClassStats::from_sums(facts.iter().map(of_class).collect())
}

impl TrainingArg<'_> {
    pub(crate) fn rows(&self) -> PyResult<TrainingRows<'_>> {
        let class_weight = self.class_weight.as_ref().map(ClassWeightArg::resolve).transpose();
        Ok(TrainingRows {
            frame: self.frame.frame().map_err(error_to_exception)?,
            bins: self.frame.bins().map_err(error_to_exception)?,
            codes: contiguous_slice(&self.codes)?,
            weights: self.sample_weight.as_ref().map(contiguous_slice).transpose()?,
            schema: &self.schema,
            class_weight: class_weight.map_err(error_to_exception)?,
            costs: self.costs.to_decision_plan().map_err(error_to_exception)?,
            positive: self.positive,
            population: self.facts.as_deref().map(class_stats).transpose().map_err(error_to_exception)?,
            places: match &self.places {
                Some((places, n_rows)) => Some((contiguous_slice(places)?, *n_rows)),
                None => None,
            },
            dependence: self.dependence.parts()?,
        })
    }
}

/// Difference between the factors of consecutive rows in the checksum of the arrays.
///
/// The difference is even and the first factor is odd, so the factors of all rows are odd.
const STEP: u64 = 0x9e37_79b9_7f4a_7c16;

pub(crate) struct TrainingRows<'a> {
    pub(crate) frame: Frame<'a>,
    bins: Option<BinnedFrame<'a>>,
    pub(crate) codes: &'a [u32],
    pub(crate) weights: Option<&'a [f64]>,
    schema: &'a str,
    pub(crate) class_weight: Option<ClassWeights>,
    pub(crate) costs: DecisionPlan,
    pub(crate) positive: u32,
    population: Option<ClassStats>,
    pub(crate) places: Option<(&'a [u32], usize)>,
    dependence: DependenceParts<'a>,
}

impl TrainingRows<'_> {
    /// Checks the rows, and calls `body` with them as a data set.
    ///
    /// If `body` panics or returns an internal error, and the checksum of the arrays has changed, the error
    /// is replaced by the error that another thread has changed the arrays.
    pub(crate) fn with_dataset<T>(&self, body: impl FnOnce(&Dataset<'_>, Schema) -> Result<T>) -> Result<T> {
        let before = self.checksum();
        match catch_panic(|| self.with_unguarded_dataset(body)) {
            Err(Error::Internal(_)) if self.checksum() != before => Err(Error::Data(
                "X, y or the weights changed while they were read. Fit a copy, or let no other thread write to them".into(),
            )),
            result => result,
        }
    }

    /// Checksum of the arrays: sum of all values, each times a factor for its row and column.
    fn checksum(&self) -> u64 {
        let mut sum = 0_u64;
        let mut add = |column: usize, bits: &mut dyn Iterator<Item = u64>| {
            let mut factor = 2 * column as u64 + 1;
            for bits in bits {
                sum = sum.wrapping_add(bits.wrapping_mul(factor));
                factor = factor.wrapping_add(STEP);
            }
        };
        for (place, column) in self.frame.columns().iter().enumerate() {
            match column {
                Column::Numeric(values) => add(place, &mut values.iter().map(f64::to_bits)),
                Column::Nominal { codes, .. } => add(place, &mut codes.iter().map(|&code| u64::from(code))),
            }
        }
        let n_columns = self.frame.n_columns();
        add(n_columns, &mut self.codes.iter().map(|&code| u64::from(code)));
        add(n_columns + 1, &mut self.weights.unwrap_or_default().iter().map(|weight| weight.to_bits()));
        sum
    }

    fn with_unguarded_dataset<T>(&self, body: impl FnOnce(&Dataset<'_>, Schema) -> Result<T>) -> Result<T> {
        let cells = self.codes.len().saturating_mul(self.frame.n_columns() + 2);
        let _reserve = MemoryReserve::for_data(cells.saturating_mul(size_of::<f64>()))?;
        let schema = Schema::from_json(self.schema)?;
        let n_classes = schema.classes.len();
        let data =
            Dataset::with_single_class_allowed(self.frame.clone(), self.codes, n_classes, self.weights)?;
        let dependence = self.dependence.to_row_dependence(data.n_rows())?;
        let data = data.with_dependence(dependence);
        match (&self.population, &self.bins) {
            (Some(class_stats), _) => body(&data.as_sample_of(class_stats), schema),
            (None, Some(bins)) => body(&data.with_bins(bins), schema),
            (None, None) => body(&data, schema),
        }
    }

    pub(crate) fn fit_task<'t>(
        &'t self,
        method: &'t str,
        params: &'t str,
        key: SeedKey,
        context: FitContext<'t>,
    ) -> FitTask<'t> {
        let (class_weight, costs) = (self.class_weight.as_ref(), Some(&self.costs));
        FitTask { method, params, class_weight, costs, positive: Some(self.positive), key, context }
    }
}

/// Options of a run, read from the attributes of a Python object.
#[derive(FromPyObject)]
pub(crate) struct RunOptionsArg {
    seed: u64,
    /// Repeat and test fold for which the model is fitted, if the fit is part of an evaluation.
    fold: Option<(u32, u32)>,
    pub(crate) n_threads: usize,
    pub(crate) callback: Option<Py<PyAny>>,
    /// Python object that replaces the clustering algorithm of the method.
    pub(crate) clusterer: Option<Py<PyAny>>,
}

impl RunOptionsArg {
    pub(crate) fn seed_key(&self) -> SeedKey {
        let root = SeedKey::root(self.seed);
        self.fold.map_or(root, |part| fold_seed_key(root, part))
    }
}
