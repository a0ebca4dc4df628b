//! Parameters of discretisation.

use imbcore_base::{Choice, Choosing};
use serde::{Deserialize, Serialize};

/// How the cuts of a numeric column are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CutMethod {
    /// Bins with as equal numbers of rows as ties allow; the classes do not count.
    EqualFreq,
    /// Class-attribute interdependence maximisation (Kurgan and Cios 2004).
    Caim,
    /// Class-attribute contingency coefficient (Tsai, Lee and Yang 2008).
    Cacc,
    /// Autonomous discretisation by a chi-squared criterion (Gonzalez-Abril, Cuberos, Velasco and Ortega 2009).
    Ameva,
    /// Recursive minimal entropy, stopped by minimal description length (Fayyad and Irani 1993).
    Mdlp,
}

/// What becomes of missing values in training.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gaps {
    /// They stay missing; every count uses the rows that have the values it needs.
    Available,
    /// Rows with a missing value do not train.
    DropRows,
    /// They are a state of their own in columns that have some in training.
    State,
    /// They are refused.
    Error,
}

impl Gaps {
    /// What is said of a column with missing values under [`Gaps::Error`].
    pub(super) const REFUSED: &'static str =
        "has missing values (NaN), which missing=\"error\" refuses; fill them, or choose \"available\"";
}

/// What becomes of a level that training did not see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unseen {
    /// It is a missing value.
    Missing,
    /// It is an error.
    Error,
}

/// The discretisers, whose classes are transformers too.
const DISCRETIZERS: &[Choice] = &[
    Choice {
        name: "mdlp",
        class: "MDLPDiscretizer",
        doc: "Recursive minimal entropy, stopped by minimal description length.",
        params: &[],
    },
    Choice {
        name: "caim",
        class: "CAIMDiscretizer",
        doc: "Class-attribute interdependence maximisation.",
        params: &[],
    },
    Choice {
        name: "cacc",
        class: "CACCDiscretizer",
        doc: "Class-attribute contingency coefficient.",
        params: &["r_compat"],
    },
    Choice {
        name: "ameva",
        class: "AmevaDiscretizer",
        doc: "Autonomous discretisation by a chi-squared criterion.",
        params: &["r_compat"],
    },
    Choice {
        name: "equal_freq",
        class: "EqualFrequencyDiscretizer",
        doc: "Bins with as equal numbers of rows as ties allow.",
        params: &["n_bins"],
    },
];

imbcore_base::params! {
    /// Parameters of discretisation.
    pub struct DiscretizeParams {
        discretizer: CutMethod = CutMethod::Mdlp,
            "\"mdlp\", \"caim\", \"cacc\", \"ameva\" or \"equal_freq\"", "How numeric columns are cut into bins: \"mdlp\" by minimal entropy, stopped by description length (columns that say nothing \
             about the class get one bin and leave the network); \"caim\", \"cacc\" and \"ameva\" top-down by a class-attribute criterion; \
             \"equal_freq\" into bins of as many rows.";
        n_bins: u32 = 5, "a whole number from 2 to 65533", "Bins of a column.";
        r_compat: bool = false, "True or False",
            "Whether to compute as R's package discretization does instead of as published.";
        missing: Gaps = Gaps::Available, "\"available\", \"drop_rows\", \"state\" or \"error\"",
            "Missing values in training: \"available\" uses in each count the rows that have its values, \"drop_rows\" leaves rows \
             with missing values out, \"state\" makes them a state of their own, \"error\" refuses them. Rows to answer may lack values except \
             with \"error\": what is unknown is summed out exactly.";
        unseen: Unseen = Unseen::Missing, "\"missing\" or \"error\"",
            "Levels that training did not see: \"missing\" holds them for missing values, \"error\" refuses them.";
    } choosing &[Choosing { name: "discretizer", choices: DISCRETIZERS }]
}
