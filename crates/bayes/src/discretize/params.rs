//! Parameters of discretization.

use imbcore_core::{VariantDef, VariantSelector};
use serde::{Deserialize, Serialize};

/// Methods that choose the cut points of a numeric column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CutMethod {
    /// Bins with equal numbers of rows, as far as tied values allow; the classes are not used.
    EqualFreq,
    /// Class-attribute interdependence maximization (Kurgan and Cios 2004).
    Caim,
    /// Class-attribute contingency coefficient (Tsai, Lee and Yang 2008).
    Cacc,
    /// Autonomous discretization by a chi-squared criterion.
    ///
    /// See Gonzalez-Abril, Cuberos, Velasco and Ortega 2009.
    Ameva,
    /// Recursive minimal entropy, stopped by minimal description length (Fayyad and Irani 1993).
    Mdlp,
}

/// Treatment of missing values in training.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingPolicy {
    /// Missing values stay missing.
    ///
    /// Each count of rows involves only a few columns. It leaves out only the rows with a missing value in
    /// these columns.
    Available,
    /// Rows with a missing value are not used for training.
    DropRows,
    /// Missing values are an additional state of each column that has some in training.
    State,
    /// Missing values raise an error.
    Error,
}

impl MissingPolicy {
    pub(super) const REFUSED: &'static str = "has missing values (NaN), which missing=\"error\" does not allow; impute them, or choose \"available\"";
}

/// Treatment of levels that did not occur in training.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnseenLevelPolicy {
    /// New levels count as missing values.
    Missing,
    /// New levels raise an error.
    Error,
}

const DISCRETIZERS: &[VariantDef] = &[
    VariantDef {
        name: "mdlp",
        class: "MDLPDiscretizer",
        doc: "Recursive minimal entropy partitioning, stopped by minimum description length.",
        params: &[],
    },
    VariantDef {
        name: "caim",
        class: "CAIMDiscretizer",
        doc: "Class-attribute interdependence maximization.",
        params: &[],
    },
    VariantDef {
        name: "cacc",
        class: "CACCDiscretizer",
        doc: "Class-attribute contingency coefficient.",
        params: &["r_compat"],
    },
    VariantDef {
        name: "ameva",
        class: "AmevaDiscretizer",
        doc: "Autonomous discretization by a chi-squared criterion.",
        params: &["r_compat"],
    },
    VariantDef {
        name: "equal_freq",
        class: "EqualFrequencyDiscretizer",
        doc: "Bins with numbers of rows as equal as ties allow.",
        params: &["n_bins"],
    },
];

imbcore_core::params! {
    /// Parameters of discretization.
    pub struct DiscretizeParams {
        discretizer: CutMethod = CutMethod::Mdlp,
            "\"mdlp\", \"caim\", \"cacc\", \"ameva\" or \"equal_freq\"",
            "Discretization of numeric columns. \"mdlp\": bins are split at the cut point of minimum class entropy, \
             unless the minimum description length criterion rejects the split. A column that is not informative \
             about the class gets one bin and is left out of the network. \"caim\", \"cacc\" and \"ameva\": cut \
             points are added while they increase a measure of the dependence between bins and classes, or while \
             there are fewer bins than classes. \"equal_freq\": bins with equal numbers of rows, as far as ties \
             allow.";
        n_bins: u32 = 5, "a whole number from 2 to 65533", "Number of bins of a column.";
        r_compat: bool = false, "True or False",
            "Whether to compute cut points as the R package \"discretization\" does, whose results differ from the \
             publications.";
        missing: MissingPolicy = MissingPolicy::Available, "\"available\", \"drop_rows\", \"state\" or \"error\"",
            "Missing values in training. \"available\": each table of counts uses the rows without a missing value in \
             the columns of the table. \"drop_rows\": rows with missing values are not used. \"state\": missing \
             values are an additional state of the column. \"error\": missing values raise an error. For all choices \
             except \"error\", predictions accept missing values and sum the probabilities exactly over all states \
             of a column whose value is missing. With \"state\", a missing value is the additional state instead \
             if the column has missing values in training.";
        handle_unknown: UnseenLevelPolicy = UnseenLevelPolicy::Missing, "\"missing\" or \"error\"",
            "Levels that did not occur in training: \"missing\" treats these levels as missing values, \"error\" \
             raises an error.";
    } choosing &[VariantSelector { name: "discretizer", choices: DISCRETIZERS }]
}
