//! Training task of the box methods: two classes, one of them positive.

use crate::box_drawing::MissingRule;
use imbcore_core::{Dataset, Error, Frame, FrameBuf, OwnedRowDependence, Result, RunContext, rarest_class};

/// Training rows of positive weight, with their weights and with flags of the positive class.
#[derive(Debug)]
pub(crate) struct BoxTask {
    pub(crate) class: u32,
    pub(crate) positive: Vec<bool>,
    /// Weight of every row, above 0; if absent, every weight is 1.
    pub(crate) weights: Option<Vec<f64>>,
    /// Groups and times of the rows, which a validation split must respect.
    pub(crate) dependence: OwnedRowDependence,
    kept: Option<FrameBuf>,
}

impl BoxTask {
    pub(crate) fn new(
        method: &str,
        data: &Dataset<'_>,
        class_weight: Option<&[f64]>,
        positive: Option<u32>,
        missing: MissingRule,
        ctl: RunContext<'_>,
    ) -> Result<Self> {
        let class = resolve_positive_class(method, positive, &data.class_masses())?;
        if missing == MissingRule::Error {
            check_no_missing_values(method, data.frame())?;
        }
        let weigh = |row: usize| {
            data.weight(row) * class_weight.map_or(1.0, |weights| weights[data.class_codes()[row] as usize])
        };
        let mut positive: Vec<bool> = data.class_codes().iter().map(|&code| code == class).collect();
        let weighted = data.weights().is_some() || class_weight.is_some();
        let mut weights = weighted.then(|| (0..data.n_rows()).map(weigh).collect::<Vec<f64>>());
        let mut kept = None;
        let mut dependence = data.dependence().take(0..data.n_rows() as u32);
        if let Some(all) = weights.as_mut().filter(|all| all.contains(&0.0)) {
            let rows: Vec<u32> = (0..data.n_rows() as u32).filter(|&row| all[row as usize] > 0.0).collect();
            positive = rows.iter().map(|&row| positive[row as usize]).collect();
            *all = rows.iter().map(|&row| all[row as usize]).collect();
            dependence = data.dependence().take(rows.iter().copied());
            kept = Some(data.frame().take(&rows, ctl)?);
        }
        Ok(Self { class, positive, weights, dependence, kept })
    }

    pub(crate) fn frame_without_zero_weights(&self) -> Result<Option<Frame<'_>>> {
        self.kept.as_ref().map(FrameBuf::borrow).transpose()
    }

    pub(crate) fn total_and_positive_weight(&self) -> (f64, f64) {
        let (mut total, mut positives) = (0.0, 0.0);
        for (row, &positive) in self.positive.iter().enumerate() {
            total += self.row_weight(row);
            positives += if positive { self.row_weight(row) } else { 0.0 };
        }
        (total, positives)
    }

    pub(crate) fn row_weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row])
    }
}

fn require_two_classes(method: &str, n_classes: usize) -> Result<()> {
    if n_classes == 2 {
        return Ok(());
    }
    Err(Error::Data(format!(
        "Only binary classification is supported. The type of the target is multiclass. {method} draws boxes \
         around one class, but y has {n_classes}; use OVA (OVAClassifier, or method \"ova\" with estimator=\"{method}\")"
    )))
}

/// Returns the code of the positive class: the rarer class if no class is requested.
pub(crate) fn resolve_positive_class(method: &str, asked: Option<u32>, masses: &[f64]) -> Result<u32> {
    require_two_classes(method, masses.len())?;
    match asked {
        Some(class) if class < 2 => Ok(class),
        Some(_) => Err(Error::parameter(method, "positive", "the code of a class", "another")),
        None => Ok(rarest_class(masses)),
    }
}

pub(crate) fn check_no_missing_values(method: &str, frame: &Frame<'_>) -> Result<()> {
    if !frame.has_missing() {
        return Ok(());
    }
    let holey = frame.columns().iter().position(|column| (0..column.len()).any(|row| column.is_missing(row)));
    let message = format!(
        "has missing values (NaN), which {method} rejects with missing=\"error\"; fill them, or choose \"outside\" or \
         \"inside\""
    );
    match holey {
        Some(column) => Err(Error::Column { column, message }),
        None => Ok(()),
    }
}
