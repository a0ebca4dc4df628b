//! Methods of probability calibration.

use crate::error::Result;
use crate::unknown_name::unknown_name_error;
use serde::{Deserialize, Serialize};

/// Method that maps scores to probabilities; it is fitted on rows outside the training data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CalibrationMethod {
    /// A logistic curve of the log-odds of the score (Platt 1999).
    Sigmoid,
    /// Isotonic regression: nondecreasing steps, joined by lines (Zadrozny and Elkan 2002).
    Isotonic,
    /// A logistic curve of log(score) and log(1 - score) (Kull, Silva Filho and Flach 2017).
    Beta,
    /// Two isotonic curves: one treats the predicted row as positive, the other as negative.
    ///
    /// The two curves give an interval for each score, and a probability in this interval (Vovk, Petej and
    /// Fedorova 2015).
    VennAbers,
}

impl CalibrationMethod {
    const NAMED: [(&str, Self); 4] = [
        ("sigmoid", Self::Sigmoid),
        ("isotonic", Self::Isotonic),
        ("beta", Self::Beta),
        ("venn_abers", Self::VennAbers),
    ];

    /// Parses a name.
    ///
    /// # Errors
    /// [`crate::Error::Unknown`].
    pub fn parse(name: &str) -> Result<Self> {
        let found = Self::NAMED.into_iter().find(|(known, _)| *known == name);
        let known = || unknown_name_error("calibrate", name, Self::NAMED.map(|(known, _)| known));
        found.map(|(_, method)| method).ok_or_else(known)
    }

    /// Name of the method.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sigmoid => "sigmoid",
            Self::Isotonic => "isotonic",
            Self::Beta => "beta",
            Self::VennAbers => "venn_abers",
        }
    }

    /// Number of rows of the rarest class below which a calibration is unreliable.
    ///
    /// Each estimated parameter needs about ten rows (Peduzzi et al. 1996). An isotonic curve has one
    /// parameter per step and overfits below about a hundred rows (after Niculescu-Mizil and Caruana 2005).
    /// Venn-Abers needs only ten rows, because its interval shows the uncertainty.
    pub fn rows_needed(self) -> usize {
        match self {
            Self::VennAbers => 10,
            Self::Sigmoid => 20,
            Self::Beta => 30,
            Self::Isotonic => 100,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for (name, method) in CalibrationMethod::NAMED {
            assert_eq!((CalibrationMethod::parse(name).unwrap(), method.name()), (method, name));
            assert_eq!(serde_json::to_string(&method).unwrap(), format!("{name:?}"));
        }
        let error = CalibrationMethod::parse("isotonik").unwrap_err().to_string();
        assert!(error.contains("isotonic"), "{error}");
    }
}
